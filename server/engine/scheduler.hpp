#pragma once
// What:     which waiting job a worker takes next. Pure policy over plain data: no thread, no clock
//           read, no I/O; the simulator runs the same code.
// Contract: the order, strongest rule first.
//           1. Clients take turns by work. Each has a virtual time, the work charged to it; the
//              client with the smallest (virtual time / kTurn) goes first. A client that becomes
//              active starts at no less than the smallest virtual time of the active ones, so that
//              nobody saves up credit by being idle.
//           2. Among clients in the same turn, and among the jobs of one client, the smallest key:
//                  key = queued_at + behind - class * ageing_step
//              class: 0 low .. 3 urgent, each worth one ageing step of waiting. A job that goes on
//              is queued anew, behind what waits by then, and behind is half of the time it has
//              run so far, at most four ageing steps: what comes within that goes before it too. So
//              short queries pass long ones, and no job waits much longer for its next slice than
//              it has already had.
//           3. Among equal keys, first in, first out.
//           A job that needs a slot is passed over while there is none.
//           Nothing starves: virtual times only grow, newcomers join at the smallest, and keys of
//           newcomers grow with time, so that from 7 ageing steps after it was queued only jobs
//           that were there before may go ahead of a job in its turn.
// Threads:  one at a time.
// Cost:     add, remove, pick and settle are O(log jobs + log clients); memory is linear in the
//           largest number of jobs and clients.
// Source:   start-time fair queueing (Goyal, Vin, Cheng 1996) for 1; decisions/0039 and least
//           attained service (Kleinrock 1976) for 2.

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "outrider/base/clock.hpp"
#include "outrider/engine/indexed_heap.hpp"
#include "outrider/model/request.hpp"

namespace outrider::engine {

// Small dense numbers that the caller reuses: slots of its tables.
using JobIndex = std::uint32_t;
using ClientIndex = std::uint32_t;

struct Waiting {
    JobIndex job{};
    ClientIndex client{};
    model::Priority priority{model::Priority::kNormal};
    // For how long it has run so far.
    base::Duration used{};
    // It is known to be long and may start only into a free slot.
    bool needs_slot{false};
    base::TimePoint queued_at;
    // What it is expected to take.
    base::Duration estimate{};
};

class Scheduler {
  public:
    // Two default slices: short enough that a heavy client holds up others by well under a
    // millisecond, long enough for priorities to matter between clients of about equal work.
    static constexpr std::uint64_t kTurn = 4096;
    static constexpr int kUsedPerBehind = 2;
    static constexpr int kBehindMax = 4;  // ageing steps

    explicit Scheduler(std::chrono::nanoseconds ageing_step) : ageing_step_(ageing_step) {}

    // A job waits at most once at a time.
    void add(const Waiting& waiting);
    // Harmless when the job does not wait.
    void remove(JobIndex job);
    [[nodiscard]] bool waits(JobIndex job) const;
    // So that the next add() in that client's name, of that job, needs no memory.
    void make_room(JobIndex job, ClientIndex client);
    // Takes the next job out. Its client counts as active until settle().
    [[nodiscard]] std::optional<JobIndex> pick(bool slot_free);
    // Once for each picked job, unless its client was closed meanwhile. A job that goes on is added
    // again first, so that its client stays active and keeps its place.
    void settle(ClientIndex client, std::uint64_t work);
    // Forgets the client, which must have no waiting jobs.
    void close(ClientIndex client);

    [[nodiscard]] bool any(bool slot_free) const;
    [[nodiscard]] std::size_t size() const { return size_; }
    // How many wait, by priority.
    using Depths = std::array<std::size_t, model::kPriorityCount>;
    [[nodiscard]] const Depths& depths() const { return depths_; }
    // What all that waits is expected to take: no wait is longer.
    [[nodiscard]] base::Duration backlog() const { return backlog_; }
    // Until one worker would have come to a further job of the client that takes `estimate`: what
    // waits of its own, and of each client that takes turns with it as much again with the job.
    // O(active clients).
    [[nodiscard]] base::Duration wait_of(ClientIndex client, base::Duration estimate) const;
    // Where the client stands, or would stand if it had a job.
    [[nodiscard]] std::uint64_t virtual_time(ClientIndex client) const;

  private:
    enum Lane : std::uint8_t { kReady, kParked, kLanes };

    struct Job {
        ClientIndex client{};
        Lane lane{kReady};
        model::Priority priority{};
        std::int64_t key{};
        std::uint64_t sequence{};
        std::uint32_t place{kNowhere};
        base::Duration estimate{};
    };
    // Jobs of one client in one lane.
    struct JobOrder {
        std::vector<Job>& jobs;
        [[nodiscard]] bool before(JobIndex a, JobIndex b) const {
            return jobs[a].key != jobs[b].key ? jobs[a].key < jobs[b].key
                                              : jobs[a].sequence < jobs[b].sequence;
        }
        [[nodiscard]] std::uint32_t& place(JobIndex job) const { return jobs[job].place; }
    };
    struct Client {
        std::uint64_t virtual_time{};
        std::uint32_t running{};
        std::uint32_t active_place{kNowhere};
        base::Duration backlog{};  // of its waiting jobs
        std::array<IndexedHeap<JobOrder>, kLanes> waiting;
        std::array<std::uint32_t, kLanes> places{kNowhere, kNowhere};
    };
    // Clients with jobs in one lane, by rules 1 to 3.
    struct LaneOrder {
        Scheduler& scheduler;
        Lane lane;
        [[nodiscard]] bool before(ClientIndex a, ClientIndex b) const {
            return scheduler.goes_before(scheduler.clients_[a].waiting[lane].top(),
                                         scheduler.clients_[b].waiting[lane].top());
        }
        [[nodiscard]] std::uint32_t& place(ClientIndex client) const {
            return scheduler.clients_[client].places[lane];
        }
    };
    // Active clients by virtual time.
    struct ActiveOrder {
        std::vector<Client>& clients;
        [[nodiscard]] bool before(ClientIndex a, ClientIndex b) const {
            return clients[a].virtual_time != clients[b].virtual_time
                       ? clients[a].virtual_time < clients[b].virtual_time
                       : a < b;
        }
        [[nodiscard]] std::uint32_t& place(ClientIndex client) const {
            return clients[client].active_place;
        }
    };

    [[nodiscard]] bool goes_before(JobIndex a, JobIndex b) const;
    [[nodiscard]] std::int64_t key_of(const Waiting& waiting) const;
    void activate(ClientIndex client);
    void retire_if_idle(ClientIndex client);
    void refresh(ClientIndex client);
    void refresh_lane(ClientIndex client, Lane lane);

    std::chrono::nanoseconds ageing_step_;
    std::vector<Job> jobs_;        // index = JobIndex
    std::vector<Client> clients_;  // index = ClientIndex
    std::array<IndexedHeap<LaneOrder>, kLanes> lanes_;
    IndexedHeap<ActiveOrder> active_;
    std::uint64_t sequence_{};
    // Where a client starts when nobody is active: an idle system forgives all debts.
    std::uint64_t virtual_time_max_{};
    std::size_t size_{};
    Depths depths_{};
    base::Duration backlog_{};
};

}  // namespace outrider::engine
