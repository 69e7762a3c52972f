#pragma once
// What:     the state of the engine that one lock guards: clients, requests, jobs, scheduler. Plain
//           data and policy: no thread, no lock, no clock read; time comes in as an argument and
//           replies go out as Effects, which the caller carries out without the lock. Private to
//           the engine room.
// Contract: 1. A request is in the table from admission until its one reply is in Effects or its
//              client has disconnected.
//           2. A job has at least one request, except while it runs.
//           3. A job in the join list has not started or runs on the newest version that any of its
//              requests has seen.
//           4. A follow is in the table from its request's admission until its last push is in
//              Effects, or its client has disconnected; a replan is a request of its own that
//              ends in the table of follows instead of a reply.
//           5. A survey that has sent a part never leaves its snapshot. At most
//              snapshots_per_map_max - 2 versions of a map are held so, which leaves room for that
//              of the eldest job and the newest.
//           6. live jobs in the scheduler hold a slot each; slots are bounded. A job that stops at
//              its deadline may be without: workers take it before all others.
// Threads:  one at a time, under the engine's lock.
// Cost:     each function is O(log n) for one request; settle is linear in the requests that it
//           ends.

#include <algorithm>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "outrider/cache/path_cache.hpp"
#include "outrider/engine/bench_rack.hpp"
#include "outrider/engine/effects.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/engine/follows.hpp"
#include "outrider/engine/indexed_heap.hpp"
#include "outrider/engine/job.hpp"
#include "outrider/engine/memory.hpp"
#include "outrider/engine/metrics.hpp"
#include "outrider/engine/overload.hpp"
#include "outrider/engine/scheduler.hpp"
#include "outrider/engine/slot_pool.hpp"
#include "outrider/engine/survey_bytes.hpp"
#include "outrider/model/per_map.hpp"

namespace outrider::engine {

using EarlyAnswer = std::expected<std::shared_ptr<const model::PathResult>, model::Refusal>;
using EarlySurvey = std::expected<std::shared_ptr<const model::SurveyResult>, model::Refusal>;

// A request that the engine has looked at: valid and normalised unless `early` is a refusal.
struct Submission {
    model::ClientId client;
    model::PathRequest request;
    MapPtr map;
    model::Version version{};
    std::optional<EarlyAnswer> early;
    base::TimePoint now;
};

struct SurveySubmission {
    model::ClientId client;
    model::RequestId id;
    RequestKind kind{};
    std::shared_ptr<const model::Survey> survey;
    std::size_t bytes{};
    model::Priority priority{};
    std::optional<base::TimePoint> deadline;
    std::uint8_t mark{};
    MapPtr map;
    model::Version version{};
    std::optional<EarlySurvey> early;
    base::TimePoint now;
};

// A dropped map, and how far its ends have come.
struct MapDrop {
    // What one turn looks at, so that the lock is held for some tens of microseconds.
    static constexpr int kLooksPerTurn = 1024;

    MapPtr map;
    JobIndex next_job{};
    FollowSlot next_follow{};
};

class Core {
  public:
    // What one turn ends of a client or a map that goes, for the same reason.
    static constexpr int kEndsPerTurn = 128;

    Core(const Config& config, const ResultMeter& results, MemoryLedger& memory);

    [[nodiscard]] std::expected<model::ClientId, model::Refusal> connect(
        std::shared_ptr<Sink> sink);
    // Some requests and follows at a time; true while more are to go. The client is unknown to all
    // other calls from the first on. Where it throws for want of memory, each of them has either
    // gone or stands as before, for the next call.
    [[nodiscard]] bool disconnect(model::ClientId client, Effects& effects);
    [[nodiscard]] std::shared_ptr<Sink> sink_of(model::ClientId client) const;
    // Nothing happens when the client is unknown.
    void submit(Submission submission, Effects& effects);
    void submit(SurveySubmission submission, Effects& effects);
    bool cancel(model::ClientId client, model::RequestId request, base::TimePoint now,
                Effects& effects);

    // Ends requests whose deadline is not after `now`, some at a time.
    void expire(base::TimePoint now, Effects& effects);
    [[nodiscard]] bool has_work() const;
    // The job to work on next, or null. Each is given back by settle().
    [[nodiscard]] Job* pick(base::TimePoint now);
    void settle(Job& job, SliceReport report, base::TimePoint now, Effects& effects);
    // Moves jobs off the `excess` oldest snapshots of the map.
    void restart_oldest(const MapEntry& map, model::Version newest, std::size_t excess,
                        Effects& effects);

    // --- core_drop.cpp: maps that go
    // Ends requests and follows on it, some at a time; true while more are to be looked at. Nothing
    // begins on it any more: needs MapEntry::dropped(). Where it throws for want of memory, each of
    // them has either ended with its reply or stands as before, for the next call.
    [[nodiscard]] bool end_all_on(MapDrop& drop, Effects& effects);

    // --- core_follow.cpp: followed units
    // Passes an edit by the followed units, some at a time; true while more are to be looked at.
    [[nodiscard]] bool look_at_edit(EditLook& look, base::TimePoint now, Effects& effects);
    [[nodiscard]] bool any_follow_on(const MapEntry& map) const { return follows_.any_on(map); }
    // Where units are now; ids that are nobody's follow go into `unknown`.
    void report(model::ClientId client, std::span<const model::Progress> reports,
                base::TimePoint now, std::vector<model::RequestId>& unknown, Effects& effects);
    // Ends every follow; what was accepted before is still answered.
    void begin_drain(Effects& effects);

    [[nodiscard]] bool draining() const { return draining_; }
    [[nodiscard]] std::size_t open_requests() const { return requests_.in_use(); }
    // Answers everything with kShuttingDown. No job may be running.
    void shut_down(Effects& effects);
    void fill(Stats& stats) const;
    // To be called when anything has changed, before the lock opens. Idle search buffers go where
    // the ledger is tight.
    void publish_memory();
    // All but the edits, and of each map what the core knows of it.
    void fill(Metrics& metrics, std::span<const MapPtr> maps) const;

  private:
    // So that the lock is held for tens of microseconds at most, however many end at once.
    static constexpr int kExpiriesPerTurn = 256;

    struct Client {
        model::ClientId id;  // zero: the record is free
        std::uint32_t generation{};
        bool leaving{false};
        std::shared_ptr<Postbox> box;
        std::unordered_map<model::RequestId, std::uint32_t> requests;
        std::unordered_map<model::UnitId, std::uint32_t> units;
        std::unordered_map<model::RequestId, FollowSlot> follows;  // living or still to begin
        std::unordered_map<model::UnitId, FollowSlot> followed_units;
        DoorKeeper door;
    };
    struct Request {
        model::RequestId id;
        ClientIndex client{};
        JobIndex job{kNowhere};
        model::UnitId unit{};
        std::uint8_t mark{};
        FollowSlot follow{kNowhere};
        bool replan{false};  // for the follow, not for the client
        bool joined{false};
        bool wants_leg{false};  // and has not got it
        RequestKind kind{RequestKind::kPath};
        base::TimePoint admitted_at{};
        std::optional<base::TimePoint> deadline;
        std::uint32_t deadline_place{kNowhere};
        std::uint32_t previous{kNowhere};  // requests of the same job
        std::uint32_t next{kNowhere};
    };
    // What a reply says of its request.
    struct Asked {
        model::RequestId id;
        std::uint8_t mark{};
        RequestKind kind{RequestKind::kPath};
        model::MapId map;  // 0: there is no such map
        bool searched{true};
    };
    struct DeadlineOrder {
        SlotPool<Request>& requests;
        [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const {
            return requests[a].deadline != requests[b].deadline
                       ? *requests[a].deadline < *requests[b].deadline
                       : a < b;
        }
        [[nodiscard]] std::uint32_t& place(std::uint32_t request) const {
            return requests[request].deadline_place;
        }
    };
    // What decides where a waiting job stands, as far as its requests have a say.
    struct Standing {
        ClientIndex payer{};
        model::Priority priority{};
        bool operator==(const Standing&) const = default;
    };
    using Body = std::expected<model::PathAnswer, model::Refusal>;
    using SurveyBody = std::expected<model::SurveyAnswer, model::Refusal>;
    // What a job comes to, for each of its requests.
    struct Answer {
        model::Version version{};
        Result result;
        // What it was searched for on, alive as long as the Effects; null for an early end.
        const map::Snapshot* ground{};
    };
    using Ending = std::expected<Answer, model::Refusal>;

    // core.cpp: clients, and what they are told
    // Also of a client that is leaving, which find_client() does not know.
    [[nodiscard]] Client* find_record(model::ClientId id);
    [[nodiscard]] Client* find_client(model::ClientId id);
    [[nodiscard]] static ClientIndex index_of(model::ClientId id);
    void reply(Client& client, Asked asked, Body body, Effects& effects);
    // Empty when the question needs a search.
    [[nodiscard]] static std::optional<Body> answer_without_search(Submission& submission);
    void supersede(std::uint32_t older, FollowSlot older_path, Effects& effects);
    // What refuses a request whatever it asks.
    [[nodiscard]] std::optional<model::Refusal> refusal_at_the_door(const Client& client,
                                                                    model::RequestId id) const;

    // core_drop.cpp
    [[nodiscard]] bool end_requests_on(MapDrop& drop, Effects& effects);
    [[nodiscard]] bool end_follows_on(MapDrop& drop, Effects& effects);
    // A map that was dropped since the request looked for it is none.
    template <class Asking>
    static void look_for_drop(Asking& submission, Effects& effects);

    // core_requests.cpp: requests in flight
    // The first three, where they find no memory, leave everything as it was; but that admit() also
    // drops the follow.
    [[nodiscard]] std::uint32_t admit(ClientIndex client, const Submission& submission,
                                      FollowSlot follow, Effects& effects);
    // Into every table but that of jobs; its unit has a place, and still its older order.
    [[nodiscard]] std::uint32_t add_request(const Request& request);
    // Joins the request to an equal job, or makes one.
    void assign(std::uint32_t request, const Submission& submission);
    void join(std::uint32_t request, JobIndex job, const model::PathRequest& asked);
    void attach(std::uint32_t request, JobIndex job);
    void detach(std::uint32_t request, Effects& effects);
    // So that the request can be forgotten without memory.
    void make_room_to_leave(std::uint32_t request, Effects& effects);
    // Takes the request out of every table and leaves its job, which ends when it was the last.
    void forget_request(std::uint32_t request, Effects& effects);
    // Of a request that has no job, or none any more.
    void strike_request(std::uint32_t request);
    // The first leg of its job's path, if the request waits for it and it is known.
    void send_leg(std::uint32_t request, Effects& effects);
    void end_request(std::uint32_t request, Ending ending, Effects& effects);
    void end_early(std::uint32_t request, model::Outcome outcome, Effects& effects);
    void expire_request(std::uint32_t request, Effects& effects);

    // core_metrics.cpp: what an operator hears
    void advance(base::TimePoint now) { now_ = std::max(now_, now); }
    // The one place that every last reply passes.
    void count_reply(const Asked& asked, End end);
    // Counts the times of a request that ends, and tells of it if it was slow.
    void note_end(const Request& request, const Ending& ending, Effects& effects);
    [[nodiscard]] Times times_of(const Request& request, const Job& job) const;

    // core_overload.cpp: what is refused for want of room or time
    // Of counts and bytes. Idle buffers give way first.
    [[nodiscard]] std::optional<model::Refusal> overload_of(const Client& client);
    // Of time, of a request that needs a job of its own, which would take `estimate`.
    [[nodiscard]] std::optional<model::Refusal> shed(Client& client, base::Duration estimate,
                                                     model::Priority priority, base::TimePoint now);
    [[nodiscard]] bool would_join(const Submission& submission) const;

    // core_survey.cpp: surveys
    void reply_survey(Client& client, Asked asked, SurveyBody body, Effects& effects);
    [[nodiscard]] std::optional<model::Refusal> survey_overload_of(const Client& client,
                                                                   std::size_t bytes);
    // What is held, if the job may be pinned; of a job that goes on.
    void send_parts(JobIndex job, Effects& effects);
    void post_parts(JobIndex job, Effects& effects);
    static void hold_parts(Job& job, SliceReport& report);
    [[nodiscard]] bool may_pin(const Job& job) const;
    [[nodiscard]] bool version_pinned(const Job& job) const;

    // core_follow.cpp: followed units
    // The follow of the unit's older order, living or still to begin.
    [[nodiscard]] FollowSlot older_follow(const Client& client, std::uint32_t older,
                                          model::UnitId unit) const;
    [[nodiscard]] static FollowSlot find_follow(const Client* client, model::RequestId id);
    [[nodiscard]] std::optional<model::Refusal> follow_overload_of(const Client& client) const;
    [[nodiscard]] FollowSlot reserve_follow(ClientIndex client, const Submission& submission);
    // After the first reply: lives from now on, or never began.
    void begin_follow(FollowSlot follow, const Body& body, Effects& effects);
    void on_replanned(FollowSlot follow, Body body, const map::Snapshot* ground, Effects& effects);
    void push(FollowSlot follow, model::PushReason reason, Body body, Effects& effects);
    void end_follow(FollowSlot follow, Body last, Effects& effects);
    void end_follow(FollowSlot follow, model::Outcome outcome, Effects& effects);
    void end_if_over(FollowSlot follow, Effects& effects);
    void end_follows_of(Client& client, const model::Refusal& why, Effects& effects);
    // So that the follow can be dropped without memory.
    void make_room_to_drop(FollowSlot follow, Effects& effects);
    void drop_follow(FollowSlot follow, Effects& effects);
    void start_replans(base::TimePoint now, Effects& effects);
    void start_replan(FollowSlot follow, base::TimePoint now, Newest& newest);

    // core_jobs.cpp: jobs
    [[nodiscard]] JobIndex make_job(MapPtr map, Work work, model::Priority priority,
                                    base::TimePoint now);
    // A job that nothing knows of yet.
    void take_back(JobIndex job);
    [[nodiscard]] bool joins(const Job& job, const Submission& submission) const;
    void send_legs(JobIndex job, Effects& effects);
    [[nodiscard]] ClientIndex payer_of(const Job& job) const;
    void enqueue(JobIndex job);
    [[nodiscard]] Standing standing_of(const Job& job) const;
    // A job that stands as before keeps its place among its equals.
    void requeue_if_moved(JobIndex job, const Standing& before);
    void unlist(JobIndex job);
    void suspend_or_park(JobIndex job, Effects& effects);
    // Back to the beginning: unstarted, without buffers, slot or snapshot.
    void reset_search(JobIndex job, Effects& effects);
    void forget_leg(Job& job) const;
    void stop_at_deadline(JobIndex job);
    void end_job(JobIndex job, const Ending& ending, Effects& effects);
    void release_job(JobIndex job, Effects& effects);
    [[nodiscard]] bool slot_free() const { return slots_used_ < slots_max_; }

    const std::size_t requests_max_;
    const std::size_t requests_per_client_max_;
    const std::size_t clients_max_;
    const std::size_t follows_max_;
    const std::size_t follows_per_client_max_;
    const std::size_t follow_bytes_max_;
    const std::size_t slots_max_;
    const std::size_t survey_bytes_max_;
    const std::size_t survey_result_bytes_max_;
    const std::size_t pins_per_map_max_;
    const std::chrono::milliseconds retry_after_;
    const base::Duration slow_request_;
    const std::int64_t workers_;
    const DoorRules door_rules_;
    const ResultMeter& results_;
    MemoryLedger& memory_;
    Estimates estimates_;

    SlotPool<Client> clients_;
    SlotPool<Request> requests_;
    SlotPool<Job> jobs_;
    Follows follows_;
    std::size_t replans_{};  // of the requests
    IndexedHeap<DeadlineOrder> deadlines_;
    Scheduler scheduler_;
    // Jobs that a new identical request may join; the version of the key is 0.
    std::unordered_map<cache::Key, JobIndex, cache::KeyHash> join_list_;
    std::vector<JobIndex> started_;   // pin a snapshot; at most slots and workers together
    std::vector<JobIndex> stopping_;  // oldest first; the next to be picked, whatever waits
    BenchRack benches_;
    std::size_t slots_used_{};
    std::size_t running_{};
    std::uint64_t admissions_{};
    bool draining_{false};
    std::size_t survey_bytes_{};  // of the jobs
    Stats stats_;
    // The newest time that came in: an end that brings none of its own has this one, at most a
    // slice too early.
    base::TimePoint now_{};
    Metrics metrics_;
    struct MapTally {
        std::uint64_t requests{}, expansions{};
    };
    model::PerMap<MapTally> map_tallies_;
};

template <class Asking>
void Core::look_for_drop(Asking& submission, Effects& effects) {
    if (submission.map && submission.map->dropped()) {
        submission.early = std::unexpected(submission.map->refusal());
        effects.maps.push_back(std::move(submission.map));
    }
}

}  // namespace outrider::engine
