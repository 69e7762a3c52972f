#include <gtest/gtest.h>

#include "cli/path_check.hpp"
#include "cli/samples.hpp"
#include "load/building_site.hpp"
#include "load/latency_histogram.hpp"
#include "load/push_watch.hpp"
#include "load/recorder.hpp"
#include "load/schedule.hpp"
#include "load/verifier.hpp"
#include "outrider/map/store.hpp"
#include "outrider/model/path.hpp"
#include "support/random.hpp"
#include "support/weight_grid.hpp"

namespace outrider::load {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<map::Store> store_of(std::initializer_list<std::string_view> rows) {
    const auto width = static_cast<std::int32_t>(rows.begin()->size());
    const auto height = static_cast<std::int32_t>(rows.size());
    auto store =
        map::Store::create({width, height, test::terrain_of(rows)}, {model::ground_class()});
    return store ? std::move(*store) : nullptr;
}

TEST(Schedule, RequestsFallDueWhateverTheAnswersDo) {
    // If this failed, a slow server would be asked less and look fast.
    const Schedule schedule(5000.0, 2s);
    EXPECT_EQ(schedule.total(), 10000U);
    EXPECT_EQ(schedule.due(0), 0ns);
    EXPECT_EQ(schedule.due(4), 0ns);
    EXPECT_EQ(schedule.due(5), 1ms);
    EXPECT_EQ(schedule.due_by(-1ns), 0U);
    EXPECT_EQ(schedule.due_by(0ns), 5U);
    EXPECT_EQ(schedule.due_by(999'999ns), 5U);
    EXPECT_EQ(schedule.due_by(1ms), 10U);
    EXPECT_EQ(schedule.due_by(1h), 10000U);
}

TEST(Schedule, DueByCountsExactlyWhatIsDue) {
    // If this failed, requests would be sent early or forgotten at odd rates.
    test::Random random(1);
    for (std::uint64_t round = 0; round < test::rounds(200); ++round) {
        const double rate = static_cast<double>(random.between(1, 60000)) / 7.0;
        const Schedule schedule(rate, 3s);
        const std::chrono::nanoseconds now{random.between(0, 3'000'000'000)};
        const std::uint64_t due = schedule.due_by(now);
        if (due > 0) {
            EXPECT_LE(schedule.due(due - 1), now) << rate;
        }
        if (due < schedule.total()) {
            EXPECT_GT(schedule.due(due), now) << rate;
        }
    }
}

TEST(LatencyHistogram, PercentilesAgreeWithSortedSamples) {
    // If this failed, the reported latencies would be somebody's guess.
    test::Random random(2);
    LatencyHistogram histogram;
    cli::Samples samples;
    for (int count = 0; count < 5000; ++count) {
        const std::int64_t magnitude = std::int64_t{1} << random.between(10, 30);
        const std::int64_t ns = 1000 + random.between(0, magnitude);
        histogram.add(std::chrono::nanoseconds(ns));
        samples.add(static_cast<double>(ns) / 1000.0);
    }
    for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
        const double exact = samples.percentile(share);
        EXPECT_GE(histogram.percentile_us(share), exact * 0.999) << share;
        EXPECT_LE(histogram.percentile_us(share), exact * kBucketGrowth * 1.001) << share;
    }
    EXPECT_DOUBLE_EQ(histogram.max_us(), samples.max());
    EXPECT_EQ(histogram.count(), 5000U);
}

TEST(PushWatch, APushCountsFromItsEditInWhateverOrderTheyAreHeardOf) {
    // If this failed, a new path that overtook the acknowledgement of its edit would not be timed,
    // or somebody else's edits would be.
    const auto begin = PushWatch::TimePoint{} + 1h;
    PushWatch watch;
    watch.pushed(7, begin + 3ms);
    watch.edited(7, begin);
    watch.edited(8, begin);
    watch.pushed(9, begin + 10ms);
    LatencyHistogram latency;
    watch.settle(latency);
    EXPECT_EQ(watch.count(), 2U);
    EXPECT_EQ(latency.count(), 1U);
    EXPECT_DOUBLE_EQ(latency.max_us(), 3000.0);
}

TEST(LatencyHistogram, EmptyAndBeyondTheLastBucket) {
    // If this failed, one stuck request would hide in the last bucket.
    LatencyHistogram histogram;
    EXPECT_EQ(histogram.percentile_us(0.99), 0.0);
    histogram.add(2h);
    EXPECT_DOUBLE_EQ(histogram.percentile_us(0.5), 7.2e9);
}

TEST(Samples, NearestRank) {
    // If this failed, a percentile of few samples would name a time that nobody measured.
    cli::Samples samples;
    EXPECT_EQ(samples.percentile(0.5), 0.0);
    for (const double value : {4.0, 1.0, 3.0, 2.0}) {
        samples.add(value);
    }
    EXPECT_EQ(samples.percentile(0.5), 2.0);
    EXPECT_EQ(samples.percentile(0.51), 3.0);
    EXPECT_EQ(samples.percentile(1.0), 4.0);
    EXPECT_EQ(samples.mean(), 2.5);
}

TEST(BuildingSite, NeverMoreThanItsBoundStand) {
    // If this failed, a long run would wall the map in, or leave buildings behind.
    BuildingSite site(3);
    for (std::size_t count = 0; count < kBuildingsMax; ++count) {
        EXPECT_EQ(site.next({5, 5}).edits.size(), 1U);
    }
    EXPECT_EQ(site.next({5, 5}).edits.size(), 2U);
    EXPECT_EQ(site.standing(), kBuildingsMax);
    EXPECT_EQ(site.clear().edits.size(), kBuildingsMax);
    EXPECT_EQ(site.standing(), 0U);
}

// What a right server answers on a store's newest version.
client::PathAnswer right_answer(const map::Store& store, const Order& order) {
    const auto snapshot = store.snapshot();
    const auto buffers = search::make_buffers();
    model::PathQuery query;
    query.start = order.start;
    query.goal = {{order.goal.x, order.goal.y, 1, 1}, 0};
    query.leave_blocked_start = true;
    return {snapshot->version(), search::run(*snapshot->layer({0}), query, *buffers), {}};
}

class Verification : public ::testing::Test {
  protected:
    static std::unique_ptr<map::Store> open_field() {
        return store_of({"......",  //
                         "......",  //
                         "......"});
    }
    Verification() : server_(open_field()) {}

    void edit(model::EditBatch batch) {
        const auto receipt = server_->apply(batch);
        ASSERT_TRUE(receipt);
        pushes_.push_back({{1}, receipt->version, std::move(batch)});
    }
    std::uint64_t wrong() {
        Verifier verifier({open_field()}, pushes_, {0});
        return verifier.check(recorder_, [](std::uint64_t, std::uint64_t) {}).wrong;
    }

    std::unique_ptr<map::Store> server_;
    std::vector<codec::MapEdited> pushes_;
    Recorder recorder_;
    const Order order_{0, {0, 0}, {5, 0}};
    const model::EditBatch wall_{{model::PlaceObstacle{{1}, {2, 0, 1, 2}, 0}}};
};

TEST_F(Verification, PassesRightAnswersOfEveryVersion) {
    // If this failed, the load test would accuse a right server.
    recorder_.add(order_, 0, right_answer(*server_, order_));
    edit(wall_);
    recorder_.add(order_, 2, right_answer(*server_, order_));
    recorder_.add({0, {2, 0}, {5, 0}}, 0, right_answer(*server_, {0, {2, 0}, {5, 0}}));
    EXPECT_EQ(wrong(), 0U);
}

TEST_F(Verification, CatchesAStaleAnswer) {
    // If this failed, a path through a new building would count as right (laws 1 and 2).
    const client::PathAnswer before = right_answer(*server_, order_);
    edit(wall_);
    recorder_.add(order_, 2, before);
    client::PathAnswer mislabelled = before;
    mislabelled.version = 2;
    recorder_.add(order_, 0, mislabelled);
    EXPECT_EQ(wrong(), 2U);
}

TEST_F(Verification, CatchesEveryForgery) {
    // If this failed, a wrong cost, hash, end or version could slip through the load test.
    const client::PathAnswer right = right_answer(*server_, order_);
    const auto forge = [&](auto change) {
        client::PathAnswer forged = right;
        change(forged);
        recorder_.add(order_, 0, forged);
    };
    forge([](auto& answer) { answer.result.cost += 1; });
    forge([](auto& answer) { answer.result.path_hash ^= 1; });
    forge([](auto& answer) { answer.version = 99; });
    forge([](auto& answer) { answer.result.outcome = model::Outcome::kUnreachable; });
    forge([](auto& answer) { answer.result.turning_points.clear(); });
    forge([](auto& answer) { answer.result.turning_points.back() = {4, 0}; });
    // A detour that is honest about its cost and hash.
    forge([](auto& answer) {
        answer.result.turning_points = {{0, 0}, {0, 1}, {4, 1}, {5, 0}};
        answer.result.cost = 5 * model::kCostPerCell + 2 * 10 * model::kDiagonal;
        answer.result.path_hash = model::path_hash(answer.result.turning_points);
    });
    EXPECT_EQ(wrong(), 7U);
}

TEST_F(Verification, AGroupsUnitMayHaveAnotherPathButNoOtherCost) {
    // If this failed, group answers would be believed, or every other best path accused.
    client::PathAnswer other = right_answer(*server_, {0, {0, 0}, {5, 1}});
    other.result.turning_points = {{0, 0}, {1, 1}, {5, 1}};
    other.result.path_hash = model::path_hash(other.result.turning_points);
    recorder_.add_of_group({0, {0, 0}, {5, 1}}, 0, other);
    EXPECT_EQ(wrong(), 0U);
    other.result.turning_points = {{0, 0}, {0, 1}, {5, 1}};
    other.result.cost = 6 * model::kCostPerCell;
    other.result.path_hash = model::path_hash(other.result.turning_points);
    recorder_.add_of_group({0, {0, 0}, {5, 1}}, 0, other);
    EXPECT_EQ(wrong(), 1U);
}

TEST_F(Verification, AnotherPathOfTheSameCostIsRightOnlyWhereLandmarksDecide) {
    // If this failed, a server that breaks ties at random would pass on every large map (law 4), or
    // one with landmarks be accused.
    const Order order{0, {0, 0}, {5, 1}};
    client::PathAnswer other = right_answer(*server_, order);
    other.result.turning_points = {{0, 0}, {4, 0}, {5, 1}};
    other.result.path_hash = model::path_hash(other.result.turning_points);
    ASSERT_NE(other.result.path_hash, right_answer(*server_, order).result.path_hash);
    const auto recorded_on = [&](model::Version version) {
        other.version = version;
        recorder_.add(order, 0, other);
    };
    recorded_on(1);
    pushes_.push_back({{1}, 2, {{}, {}, model::ClassId{0}}});
    recorded_on(2);
    pushes_.push_back({{1}, 3, {{model::PlaceObstacle{{1}, {0, 2, 1, 1}, 0}}}});
    recorded_on(3);
    pushes_.push_back({{1}, 4, {{model::TerrainEdit{{0, 2, 1, 1}, {'@'}}}}});
    recorded_on(4);
    pushes_.push_back({{1}, 5, {{model::TerrainEdit{{0, 2, 1, 1}, {'.'}}}}});  // undoes them
    recorded_on(5);
    codec::MapInfo info{{1}, "m", 6, 3, 1, {}, {}};
    info.landmarks = {model::LandmarkState::kPending};
    const auto wrong_from = [&](const codec::MapInfo& begun) {
        Verifier verifier({open_field(), client::LandmarkNews(begun)}, pushes_, {0});
        const Findings found = verifier.check(recorder_, [](std::uint64_t, std::uint64_t) {});
        EXPECT_EQ(found.wrong + found.other_paths, 5U);
        return found.wrong;
    };
    EXPECT_EQ(wrong_from(info), 2U) << "before them, and after they were undone";
    info.landmarks = {model::LandmarkState::kReady};
    EXPECT_EQ(wrong_from(info), 1U);
    info.landmarks.clear();
    EXPECT_EQ(wrong_from(info), 5U) << "an older server does not say, and gives small maps none";
}

TEST_F(Verification, ComparesTheWholeMapAtTheEnd) {
    // If this failed, a push that lies would go unnoticed where no path crosses it.
    edit(wall_);
    const map::State state = server_->state();
    codec::MapState said{
        {{1}, "m", 6, 3, state.version, state.classes}, state.grid.terrain, state.obstacles};
    EXPECT_TRUE(Verifier({open_field()}, pushes_, {0}).equals(said));
    said.obstacles.clear();
    EXPECT_FALSE(Verifier({open_field()}, pushes_, {0}).equals(said));
}

TEST(Recorder, StopsAtItsBound) {
    // If this failed, a long run with --verify would eat the machine's memory.
    const Order order{0, {0, 0}, {0, 0}};
    client::PathAnswer answer;
    answer.result.turning_points = {{1, 2}};
    const std::size_t one = sizeof(Record) + 4;
    for (const std::size_t bytes : {2 * one - 1, 2 * one, 2 * one + 1}) {
        Recorder recorder(bytes);
        recorder.add(order, 0, answer);
        recorder.add(order, 0, answer);
        const std::size_t kept = bytes < 2 * one ? 1 : 2;
        EXPECT_EQ(recorder.records().size(), kept);
        EXPECT_EQ(recorder.skipped(), 2 - kept);
        EXPECT_EQ(recorder.result_of(recorder.records().back()).turning_points,
                  answer.result.turning_points);
    }
}

TEST(PathCheck, FindsCutCorners) {
    // If this failed, units would clip the corners of walls (K1#1) and no test would see it.
    const auto store = store_of({".@",  //
                                 ".."});
    const auto snapshot = store->snapshot();
    model::PathQuery query;
    query.goal = {{1, 1, 1, 1}, 0};
    model::PathResult result;
    result.outcome = model::Outcome::kComplete;
    result.turning_points = {{0, 0}, {1, 1}};
    result.cost = 20 * model::kDiagonal;
    result.path_hash = model::path_hash(result.turning_points);
    const auto fault = cli::path_fault(*snapshot->layer({0}), query, result);
    ASSERT_TRUE(fault);
    EXPECT_NE(fault->find("corner rule"), std::string::npos);
}

TEST(Verifier, AUnitThatStaysMayStandUnderABuilding) {
    // If this failed, an honest server would be called wrong once somebody builds on a unit.
    const auto store = store_of({".#."});
    ASSERT_NE(store, nullptr);
    const map::Layer& layer = *store->snapshot()->layer({0});
    model::PathQuery query;
    query.start = {1, 0};
    query.goal = {{1, 0}};
    model::PathResult result;
    result.outcome = result.reason = model::Outcome::kComplete;
    result.turning_points = {{1, 0}};
    result.path_hash = model::path_hash(result.turning_points);
    EXPECT_EQ(cli::path_fault(layer, query, result), std::nullopt);
    result.outcome = model::Outcome::kPartial;
    EXPECT_NE(cli::path_fault(layer, query, result), std::nullopt) << "it may not begin there";
    query.goal = {{2, 0}};
    result.outcome = model::Outcome::kComplete;
    EXPECT_NE(cli::path_fault(layer, query, result), std::nullopt) << "it is not there";
}

}  // namespace
}  // namespace outrider::load
