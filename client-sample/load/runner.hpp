#pragma once
// What:     one load run: sends on schedule, counts what comes back, lets the units walk, and
//           builds meanwhile.
// Contract: open loop: the schedule never waits for an answer. Latency counts from the scheduled
//           time. Every request, a group's too, ends in exactly one of answered, refused and lost.
//           A unit that wants another path takes the place of the next order, so that the rate
//           stays what it is. A map that is dropped ends the sending.
// Threads:  the caller's thread sends; one I/O thread receives for all connections.
// Cost:     one write a connection and tick, whatever the rate.

#include <atomic>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "load/battle.hpp"
#include "load/building_site.hpp"
#include "load/group_watch.hpp"
#include "load/latency_histogram.hpp"
#include "load/options.hpp"
#include "load/push_log.hpp"
#include "load/push_watch.hpp"
#include "load/recorder.hpp"
#include "load/report.hpp"
#include "load/schedule.hpp"
#include "load/traffic.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/client/client.hpp"

namespace outrider::load {

class Runner {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    // What a run is about.
    struct Scene {
        model::MapId map;
        model::ClassId movement_class;
        std::shared_ptr<const PushLog> pushes;  // of the map; null: nobody watches it
    };

    // The first client also sends the edits. All must share one I/O thread. Without a battle units
    // do not walk, but stand some way along their path by their next order.
    Runner(std::vector<client::Client*> clients, Scene scene, Traffic traffic,
           const LoadOptions& options);
    // Before run(): has a unit for each of the traffic.
    void walk(std::unique_ptr<Battle> battle) { battle_ = std::move(battle); }

    // Sends everything, then waits for the answers.
    void run();
    // Without `wrong`, `pushes`, the map's end and what verification adds.
    [[nodiscard]] Report report() const;
    [[nodiscard]] const Recorder& recorder() const { return recorder_; }
    [[nodiscard]] model::Version acknowledged() const { return acknowledged_.load(); }
    // Pushes of what comes after the run are not for the check.
    void stop_recording() { recording_ = false; }
    // What still stands of the run's buildings falls.
    [[nodiscard]] model::EditBatch clean_up() { return site_.clear(); }

  private:
    struct Moved {
        std::uint32_t unit;
        model::Cell to;
    };

    // What is about an order besides what was asked.
    struct Errand {
        std::uint64_t key{};  // the number of its request
        TimePoint due;
        model::Version version_floor{};
    };
    struct Sending {
        std::uint32_t unit{};
        std::uint64_t key{};
    };

    [[nodiscard]] bool map_is_gone() const { return scene_.pushes && scene_.pushes->ended(); }
    void send_due(TimePoint now);
    void flush_paths(std::size_t connection);
    void edit_due(TimePoint now);
    void apply_moves();
    void walk_due(TimePoint now);
    void report_places();
    void print_progress(TimePoint now);
    void wait_for_answers();
    [[nodiscard]] Request next_request();
    void send(const Order& order, const Errand& errand, std::size_t connection);
    void send(GroupOrder order, const Errand& errand, std::size_t connection);
    [[nodiscard]] client::PathCall call_for(const Order& order, const Errand& errand);

    // runner_answers.cpp; on the I/O thread.
    void on_answer(const Order& order, const Errand& errand,
                   const client::Result<client::PathAnswer>& answer);
    void on_group_part(const GroupOrder& order, const Errand& errand,
                       const client::GroupArrival& part);
    void on_group_end(const GroupOrder& order, const Errand& errand, const GroupWatch& watch,
                      const client::Result<client::SurveyAnswer>& answer);
    void on_path_push(Order order, std::uint64_t key, const client::PathPush& push);
    void on_edit_reply(TimePoint begin, const client::Result<codec::EditReply>& reply);
    // Answered, refused or failed; true when answered.
    bool count(const Errand& errand, const client::Failure* failure);
    void tell(std::uint32_t unit, std::uint64_t key, const model::PathResult& result);
    void move_along(std::uint32_t unit, const std::vector<model::Cell>& points);
    [[nodiscard]] std::uint64_t finished() const;

    std::vector<client::Client*> clients_;
    Scene scene_;
    LoadOptions options_;
    Schedule schedule_;
    Schedule edit_schedule_;
    Traffic traffic_;
    BuildingSite site_;
    Recorder recorder_;
    LatencyHistogram latency_;
    LatencyHistogram slip_;
    LatencyHistogram edit_latency_;
    PushWatch push_watch_;
    std::unique_ptr<Battle> battle_;
    LatencyHistogram group_latency_;
    LatencyHistogram wait_;  // of units that have arrived

    TimePoint begin_{};
    TimePoint next_progress_{};
    double cpu_begin_s_{0};
    double cpu_end_s_{0};
    std::uint64_t sent_{0};
    std::uint64_t edits_sent_{0};
    TimePoint next_walk_{};
    std::uint64_t reports_{0};
    std::uint64_t groups_sent_{0};
    std::uint64_t reordered_{0};
    std::uint64_t units_arrived_{0};
    std::uint64_t units_beside_{0};
    std::uint64_t shown_{0};
    std::vector<std::vector<client::PathCall>> outgoing_;  // by connection
    std::vector<std::vector<Sending>> sending_;            // of outgoing_
    std::deque<units::UnitIndex> wanting_;
    model::Cell building_place_{};

    std::atomic<bool> recording_{true};
    std::atomic<std::uint64_t> answered_{0};
    std::atomic<std::uint64_t> complete_{0};
    std::atomic<std::uint64_t> group_paths_{0};
    std::atomic<std::uint64_t> groups_wrong_{0};
    std::atomic<std::uint64_t> arrivals_{0};
    std::atomic<std::uint64_t> refused_{0};
    std::atomic<std::uint64_t> failed_{0};
    std::atomic<std::uint64_t> edits_done_{0};
    std::atomic<std::uint64_t> edits_refused_{0};
    std::atomic<std::uint64_t> edits_failed_{0};
    std::atomic<model::Version> acknowledged_{0};
    std::atomic<std::int64_t> last_answer_ns_{0};

    base::Mutex moves_mutex_;
    std::vector<Moved> moves_ OUTRIDER_GUARDED_BY(moves_mutex_);
};

}  // namespace outrider::load
