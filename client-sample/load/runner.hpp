#pragma once
// What:     one load run: sends on schedule, counts what comes back, and builds meanwhile.
// Contract: open loop: the schedule never waits for an answer. Latency counts from the scheduled
//           time. Every request ends in exactly one of answered, refused and lost.
// Threads:  the caller's thread sends; one I/O thread receives for all connections.
// Cost:     one write a connection and tick, whatever the rate.

#include <atomic>
#include <memory>
#include <vector>

#include "load/building_site.hpp"
#include "load/latency_histogram.hpp"
#include "load/march.hpp"
#include "load/options.hpp"
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

    // The first client also sends the edits. All must share one I/O thread.
    Runner(std::vector<client::Client*> clients, model::MapId map, model::ClassId movement_class,
           Traffic traffic, const LoadOptions& options);

    // Sends everything, then waits for the answers.
    void run();
    // Without `wrong`, `pushes` and what verification adds.
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

    void send_due(TimePoint now);
    void edit_due(TimePoint now);
    void apply_moves();
    void walk_due(TimePoint now);
    [[nodiscard]] client::PathCall call_for(const Order& order, TimePoint due);
    void on_answer(const Order& order, TimePoint due, model::Version version_floor,
                   client::Result<client::PathAnswer> answer);
    void begin_walk(const Order& order, std::uint64_t follow,
                    const client::Result<client::PathAnswer>& answer);
    void move_along(const Order& order, const client::PathAnswer& answer);
    void on_path_push(Order order, std::uint64_t follow, const client::PathPush& push);
    void on_edit_reply(TimePoint begin, const client::Result<codec::EditReply>& reply);
    void wait_for_answers();
    void print_progress(TimePoint now);
    [[nodiscard]] std::uint64_t finished() const;

    std::vector<client::Client*> clients_;
    model::MapId map_;
    model::ClassId class_;
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
    March march_;

    TimePoint begin_{};
    TimePoint next_progress_{};
    double cpu_begin_s_{0};
    double cpu_end_s_{0};
    std::uint64_t sent_{0};
    std::uint64_t edits_sent_{0};
    TimePoint next_walk_{};
    std::uint64_t reports_{0};
    double cells_due_{0};
    std::uint64_t shown_{0};
    std::vector<std::vector<client::PathCall>> outgoing_;  // by connection
    std::vector<std::vector<std::uint64_t>> keys_;         // of outgoing_, for the march
    model::Cell building_place_{};

    std::atomic<bool> recording_{true};
    std::atomic<std::uint64_t> answered_{0};
    std::atomic<std::uint64_t> arrived_{0};
    std::atomic<std::uint64_t> refused_{0};
    std::atomic<std::uint64_t> failed_{0};
    std::atomic<std::uint64_t> edits_done_{0};
    std::atomic<std::uint64_t> edits_failed_{0};
    std::atomic<model::Version> acknowledged_{0};
    std::atomic<std::int64_t> last_answer_ns_{0};

    base::Mutex moves_mutex_;
    std::vector<Moved> moves_ OUTRIDER_GUARDED_BY(moves_mutex_);
};

}  // namespace outrider::load
