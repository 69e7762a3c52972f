#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "outrider/engine/scheduler.hpp"
#include "support/random.hpp"

namespace outrider::sim {
namespace {

using engine::ClientIndex;
using engine::JobIndex;
using engine::Scheduler;
using engine::Waiting;
using std::chrono::milliseconds;

constexpr milliseconds kStep{200};
constexpr std::uint64_t kSlice = 500;

// One worker on a manual clock. Clients 0 to 2 always have work; the others come and go.
class World {
  public:
    explicit World(std::uint64_t stream) : random_(stream) {}

    void play(int steps) {
        for (int step = 0; step < steps; ++step) {
            now_ += milliseconds(random_.between(0, 30));
            for (ClientIndex client = 0; client < kClients; ++client) {
                const bool steady = client < kSteady;
                if (steady ? waiting_[client] < 2 : random_.chance(8)) {
                    add(client);
                }
            }
            serve();
            check();
        }
    }

  private:
    static constexpr ClientIndex kClients = 8;
    static constexpr ClientIndex kSteady = 3;

    struct Job {
        Waiting waiting;
        std::int64_t slices_left{};
        base::TimePoint first_queued;
        bool started{false};
    };

    void add(ClientIndex client) {
        JobIndex index = 0;
        while (index < jobs_.size() && jobs_[index].slices_left > 0) {
            ++index;
        }
        if (index == jobs_.size()) {
            jobs_.emplace_back();
        }
        const auto priority = static_cast<model::Priority>(random_.between(0, 3));
        jobs_[index] = {{.job = index,
                         .client = client,
                         .priority = priority,
                         .used = {},
                         .needs_slot = false,
                         .queued_at = now_},
                        random_.chance(30) ? random_.between(2, 40) : 1,
                        now_,
                        false};
        scheduler_.add(jobs_[index].waiting);
        ++waiting_[client];
    }

    void serve() {
        const JobIndex index = *scheduler_.pick(true);
        Job& job = jobs_[index];
        const ClientIndex client = job.waiting.client;
        if (!job.started) {
            job.started = true;
            check_no_elder_was_passed(job);
        }
        job.waiting.used += milliseconds(random_.between(0, 100));
        job.waiting.queued_at = now_;
        if (--job.slices_left > 0) {
            scheduler_.add(job.waiting);
        } else {
            --waiting_[client];
        }
        const auto cost = static_cast<std::uint64_t>(random_.between(1, kSlice));
        scheduler_.settle(client, cost);
        work_[client] += cost;
    }

    // Within a client nobody who has waited three steps longer is passed, whatever the classes.
    void check_no_elder_was_passed(const Job& picked) const {
        for (const Job& other : jobs_) {
            if (other.slices_left > 0 && !other.started &&
                other.waiting.client == picked.waiting.client) {
                ASSERT_GE(other.first_queued + 3 * kStep, picked.first_queued);
            }
        }
    }

    void check() const {
        const auto [least, most] = std::minmax({work_[0], work_[1], work_[2]});
        ASSERT_LE(most - least, Scheduler::kTurn + kSlice);
        for (ClientIndex client = kSteady; client < kClients; ++client) {
            // Who comes and goes gets no more than who is always there.
            ASSERT_LE(work_[client], most + Scheduler::kTurn + kSlice);
        }
    }

    test::Random random_;
    Scheduler scheduler_{kStep};
    base::TimePoint now_{std::chrono::seconds(100)};
    std::vector<Job> jobs_;
    std::vector<std::uint64_t> work_ = std::vector<std::uint64_t>(kClients);
    std::vector<int> waiting_ = std::vector<int>(kClients);
};

// If this failed, a client could get more than its share of the workers by how it asks, or an old
// order could be passed by for ever (law 6).
TEST(SchedulerSim, SharesAreEvenAndNobodyIsPassedForEver) {
    for (std::uint64_t run = 0; run < test::rounds(300); ++run) {
        World world(2'000'000 + run);
        world.play(600);
        ASSERT_FALSE(HasFailure()) << "in run " << run;
    }
}

}  // namespace
}  // namespace outrider::sim
