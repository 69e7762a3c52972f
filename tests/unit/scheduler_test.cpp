#include "outrider/engine/scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "support/random.hpp"

namespace outrider::engine {
namespace {

using model::Priority;
using std::chrono::milliseconds;

constexpr milliseconds kStep{200};

base::TimePoint at(milliseconds time) {
    return base::TimePoint(std::chrono::seconds(100) + time);
}

Waiting waiting(JobIndex job, ClientIndex client, Priority priority = Priority::kNormal,
                milliseconds queued_at = milliseconds{0}, base::Duration used = {}) {
    return {.job = job,
            .client = client,
            .priority = priority,
            .used = used,
            .needs_slot = false,
            .queued_at = at(queued_at)};
}

std::vector<JobIndex> drain(Scheduler& scheduler) {
    std::vector<JobIndex> order;
    while (const auto job = scheduler.pick(true)) {
        order.push_back(*job);
    }
    return order;
}

// If this failed, orders of one player would overtake one another for no reason.
TEST(Scheduler, EqualJobsGoFirstInFirstOut) {
    Scheduler scheduler(kStep);
    for (const JobIndex job : {5U, 3U, 9U, 1U}) {
        scheduler.add(waiting(job, 0));
    }
    EXPECT_EQ(drain(scheduler), (std::vector<JobIndex>{5, 3, 9, 1}));
    EXPECT_EQ(scheduler.pick(true), std::nullopt);
}

// If this failed, a unit would suffocate behind a queue of errands (K9#93).
TEST(Scheduler, K9_93_UrgentGoesAheadOfAFloodOfLow) {
    Scheduler scheduler(kStep);
    for (JobIndex job = 0; job < 1000; ++job) {
        scheduler.add(waiting(job, job % 50, Priority::kLow));
    }
    scheduler.add(waiting(1000, 50, Priority::kUrgent, milliseconds{599}));
    EXPECT_EQ(scheduler.pick(true), 1000U);
}

// If this failed, a stream of urgent orders would starve the others (K9#93, the reverse).
TEST(Scheduler, K9_93_EachClassIsWorthOneAgeingStep) {
    for (const auto& [late, first] :
         {std::pair{milliseconds{599}, 1U}, {milliseconds{600}, 0U}, {milliseconds{601}, 0U}}) {
        Scheduler scheduler(kStep);
        scheduler.add(waiting(0, 0, Priority::kLow));
        scheduler.add(waiting(1, 0, Priority::kUrgent, late));
        EXPECT_EQ(scheduler.pick(true), first) << late.count();
    }
    Scheduler scheduler(kStep);
    scheduler.add(waiting(0, 0, Priority::kLow));
    scheduler.add(waiting(1, 0, Priority::kNormal));
    scheduler.add(waiting(2, 0, Priority::kHigh));
    scheduler.add(waiting(3, 0, Priority::kUrgent));
    EXPECT_EQ(drain(scheduler), (std::vector<JobIndex>{3, 2, 1, 0}));
}

// If this failed, a short query would wait for a long one to finish (law 6).
TEST(Scheduler, ShortJobsThatComeLaterPassOneThatHasRunForLong) {
    Scheduler scheduler(kStep);
    scheduler.add(waiting(0, 0, Priority::kNormal, milliseconds{0}, milliseconds{201}));
    scheduler.add(waiting(1, 0, Priority::kNormal, milliseconds{100}));
    scheduler.add(waiting(2, 0, Priority::kUrgent, milliseconds{100}, 2 * 4 * kStep));
    scheduler.add(waiting(3, 0, Priority::kLow, milliseconds{100}));
    EXPECT_EQ(drain(scheduler), (std::vector<JobIndex>{1, 0, 3, 2}));
}

// If this failed, a job of a few slices would be passed by all that comes in the next second: under
// overload it would take a hundred times as long as one of a single slice.
TEST(Scheduler, AJobFallsBehindByHalfOfWhatItHasRunUpToFourSteps) {
    for (const auto& [used, behind] : std::vector<std::pair<milliseconds, milliseconds>>{
             {milliseconds{0}, milliseconds{0}},
             {milliseconds{2}, milliseconds{1}},
             {2 * 4 * kStep - milliseconds{2}, 4 * kStep - milliseconds{1}},
             {2 * 4 * kStep, 4 * kStep},
             {2 * 4 * kStep + milliseconds{2}, 4 * kStep},
             {std::chrono::hours(1), 4 * kStep}}) {
        for (const int late_ms : {-1, 1}) {
            Scheduler scheduler(kStep);
            scheduler.add(waiting(0, 0, Priority::kNormal, milliseconds{0}, used));
            scheduler.add(waiting(1, 0, Priority::kNormal, behind + milliseconds{late_ms}));
            EXPECT_EQ(scheduler.pick(true), late_ms < 0 ? 1U : 0U) << used.count();
        }
    }
}

// If this failed, a client with a thousand long orders would make the light one time out (K9#103).
TEST(Scheduler, K9_103_AHeavyClientDoesNotDelayALightOne) {
    Scheduler scheduler(kStep);
    for (JobIndex job = 0; job < 1000; ++job) {
        scheduler.add(waiting(job, 0, Priority::kUrgent));
    }
    for (int round = 0; round < 100; ++round) {
        // Three turns of the heavy client, then the light one comes with its one short order.
        for (int slice = 0; slice < 3; ++slice) {
            ASSERT_TRUE(scheduler.pick(true).has_value());
            scheduler.settle(0, Scheduler::kTurn);
        }
        scheduler.add(waiting(5000, 1, Priority::kLow, milliseconds{round * 100}));
        int before = 0;
        for (auto job = scheduler.pick(true); job != 5000U; job = scheduler.pick(true)) {
            scheduler.settle(0, Scheduler::kTurn);
            ++before;
        }
        scheduler.settle(1, 10);
        EXPECT_LE(before, 1);
    }
}

// If this failed, somebody who slept for an hour could then hold up everybody else for an hour.
TEST(Scheduler, IdleClientsBankNoCredit) {
    Scheduler scheduler(kStep);
    for (JobIndex job = 0; job < 100; ++job) {
        scheduler.add(waiting(job, 0));
        (void)scheduler.pick(true);
        scheduler.settle(0, 100'000);
    }
    scheduler.add(waiting(0, 0));
    EXPECT_EQ(scheduler.virtual_time(1), scheduler.virtual_time(0));
    EXPECT_EQ(scheduler.virtual_time(0), 10'000'000U);
}

// If this failed, a client could shed its debt by sending one order at a time.
TEST(Scheduler, ADebtOutlivesAShortPause) {
    Scheduler scheduler(kStep);
    scheduler.add(waiting(0, 0));
    scheduler.add(waiting(1, 1));
    EXPECT_EQ(scheduler.pick(true), 0U);
    scheduler.settle(0, 50'000);
    scheduler.add(waiting(2, 0, Priority::kUrgent));
    EXPECT_EQ(scheduler.pick(true), 1U);
    EXPECT_GT(scheduler.virtual_time(0), scheduler.virtual_time(1));
}

// If this failed, long jobs without a place would block the short ones behind them.
TEST(Scheduler, JobsThatNeedASlotArePassedOver) {
    Scheduler scheduler(kStep);
    Waiting parked = waiting(0, 0, Priority::kUrgent);
    parked.needs_slot = true;
    scheduler.add(parked);
    EXPECT_FALSE(scheduler.any(false));
    EXPECT_TRUE(scheduler.any(true));
    EXPECT_EQ(scheduler.pick(false), std::nullopt);
    scheduler.add(waiting(1, 0, Priority::kLow));
    EXPECT_TRUE(scheduler.any(false));
    EXPECT_EQ(scheduler.pick(false), 1U);
    scheduler.add(waiting(2, 1, Priority::kLow));
    EXPECT_EQ(scheduler.pick(true), 0U);
}

// If this failed, cancelling an order twice, or one that is gone, would break the queue (K9#96).
TEST(Scheduler, K9_96_RemovingWhatDoesNotWaitIsHarmless) {
    Scheduler scheduler(kStep);
    scheduler.remove(7);
    scheduler.add(waiting(7, 0));
    scheduler.remove(7);
    scheduler.remove(7);
    EXPECT_EQ(scheduler.size(), 0U);
    EXPECT_FALSE(scheduler.any(true));
    scheduler.close(0);
    scheduler.close(99);
}

// If this failed, two busy clients would not get the same share of the workers (law 6).
TEST(Scheduler, BusyClientsGetEqualWorkWhateverTheirSlicesCost) {
    Scheduler scheduler(kStep);
    test::Random random(1);
    constexpr std::uint64_t kDearest = 3000;
    std::vector<std::uint64_t> work(5);
    for (ClientIndex client = 0; client < work.size(); ++client) {
        scheduler.add(waiting(client, client, static_cast<Priority>(client % 4)));
    }
    for (int round = 0; round < 20'000; ++round) {
        const JobIndex job = *scheduler.pick(true);
        const auto cost =
            static_cast<std::uint64_t>(random.between(1, job == 0 ? std::int64_t{kDearest} : 100));
        work[job] += cost;
        scheduler.add(waiting(job, job, static_cast<Priority>(job % 4), milliseconds{round}));
        scheduler.settle(job, cost);
        const auto [least, most] = std::ranges::minmax(work);
        ASSERT_LE(most - least, Scheduler::kTurn + kDearest);
    }
}

// A naive model of the order: the list is searched from end to end.
struct Naive {
    std::vector<std::pair<std::uint64_t, Waiting>> list;  // with order of arrival
    std::vector<std::uint64_t> work = std::vector<std::uint64_t>(8);

    [[nodiscard]] static std::int64_t key(const Waiting& job) {
        const base::Duration later = std::min<base::Duration>(job.used / 2, 4 * kStep);
        const auto rank = static_cast<int>(job.priority);
        return (job.queued_at.time_since_epoch() + later - rank * base::Duration(kStep)).count();
    }
    [[nodiscard]] bool before(const std::pair<std::uint64_t, Waiting>& a,
                              const std::pair<std::uint64_t, Waiting>& b,
                              const Scheduler& scheduler) const {
        const auto rank = [&](const auto& entry) {
            return std::tuple(scheduler.virtual_time(entry.second.client) / Scheduler::kTurn,
                              key(entry.second), entry.first);
        };
        return rank(a) < rank(b);
    }
};

// If this failed, the heaps would serve another order than the header promises.
TEST(Scheduler, ServesTheOrderOfAPlainSearchThroughTheList) {
    test::Random random(2);
    for (std::uint64_t round = 0; round < test::rounds(200); ++round) {
        Scheduler scheduler(kStep);
        Naive naive;
        std::uint64_t arrivals = 0;
        std::vector<JobIndex> free;
        for (JobIndex job = 0; job < 40; ++job) {
            free.push_back(job);
        }
        for (int step = 0; step < 200; ++step) {
            const bool slot_free = random.chance(50);
            if (random.chance(55) && !free.empty()) {
                Waiting job =
                    waiting(free.back(), static_cast<ClientIndex>(random.between(0, 7)),
                            static_cast<Priority>(random.between(0, 3)), milliseconds{step * 37},
                            milliseconds(random.between(0, 4000)));
                job.needs_slot = random.chance(30);
                free.pop_back();
                scheduler.add(job);
                naive.list.emplace_back(arrivals++, job);
            } else if (random.chance(20) && !naive.list.empty()) {
                const auto victim =
                    naive.list.begin() + random.between(0, std::ssize(naive.list) - 1);
                scheduler.remove(victim->second.job);
                free.push_back(victim->second.job);
                naive.list.erase(victim);
            } else {
                auto best = naive.list.end();
                for (auto entry = naive.list.begin(); entry != naive.list.end(); ++entry) {
                    if (entry->second.needs_slot && !slot_free) {
                        continue;
                    }
                    if (best == naive.list.end() || naive.before(*entry, *best, scheduler)) {
                        best = entry;
                    }
                }
                const auto picked = scheduler.pick(slot_free);
                ASSERT_EQ(picked.has_value(), best != naive.list.end());
                if (picked) {
                    ASSERT_EQ(*picked, best->second.job);
                    scheduler.settle(best->second.client,
                                     static_cast<std::uint64_t>(random.between(0, 5000)));
                    free.push_back(*picked);
                    naive.list.erase(best);
                }
            }
            ASSERT_EQ(scheduler.size(), naive.list.size());
        }
    }
}

// If this failed, some order would wait for ever while urgent newcomers keep passing it (law 6).
TEST(Scheduler, NothingStarvesUnderAStreamOfUrgentNewcomers) {
    for (const bool same_client : {true, false}) {
        Scheduler scheduler(kStep);
        scheduler.add(waiting(0, 0, Priority::kLow, milliseconds{0}, std::chrono::hours(1)));
        int waited_ms = 0;
        for (JobIndex job = 1;; ++job) {
            // One newcomer a millisecond, one slice a millisecond: the queue never empties.
            const ClientIndex client = same_client ? 0 : 1 + job % 100;
            scheduler.add(waiting(job, client, Priority::kUrgent, milliseconds{waited_ms}));
            const JobIndex picked = *scheduler.pick(true);
            scheduler.settle(picked == 0 ? 0 : client, 1);
            if (picked == 0) {
                break;
            }
            ++waited_ms;
            ASSERT_LE(waited_ms, 7 * kStep.count());
        }
    }
}

// If this failed, a full queue would cost more than a short search.
TEST(Scheduler, HoldsAFullQueueInOrder) {
    Scheduler scheduler(kStep);
    constexpr JobIndex kJobs = 65536;
    for (JobIndex job = 0; job < kJobs; ++job) {
        scheduler.add(waiting(kJobs - 1 - job, job % 256, Priority::kNormal,
                              milliseconds{static_cast<int>(job)}));
    }
    EXPECT_EQ(scheduler.size(), kJobs);
    const std::vector<JobIndex> order = drain(scheduler);
    EXPECT_EQ(order.size(), kJobs);
    EXPECT_TRUE(std::ranges::is_sorted(order, std::greater{}));
}

}  // namespace
}  // namespace outrider::engine
