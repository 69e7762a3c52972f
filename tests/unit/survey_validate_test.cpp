// The bounds of surveys: what is asked, and what one answer holds.

#include <gtest/gtest.h>

#include "outrider/base/limits.hpp"
#include "outrider/search/survey.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::RefusalCode;
namespace limits = base::limits;

map::Grid open_ground(std::int32_t width, std::int32_t height) {
    const auto cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    return {width, height, std::vector<model::Terrain>(cells, '.')};
}

std::unique_ptr<map::Store> store_of(std::int32_t width, std::int32_t height) {
    auto store = map::Store::create(open_ground(width, height), {model::ground_class()});
    EXPECT_TRUE(store.has_value());
    return std::move(*store);
}

template <class Query>
std::expected<void, model::Refusal> checked(const map::Snapshot& snapshot, Query query) {
    return search::validate(snapshot,
                            model::Survey{.movement_class = {0}, .query = std::move(query)});
}

template <class Query>
void expect_refused(const map::Snapshot& snapshot, Query query, RefusalCode code,
                    std::string_view field) {
    const auto answer = checked(snapshot, std::move(query));
    ASSERT_FALSE(answer.has_value()) << field;
    EXPECT_EQ(answer.error().code, code) << field;
    EXPECT_EQ(answer.error().field, field);
    EXPECT_FALSE(answer.error().message.empty());
}

std::vector<Cell> places(std::size_t count) {
    return std::vector<Cell>(count, Cell{1, 1});
}

model::Goal goal_at(Cell cell) {
    return {.rect = {cell.x, cell.y, 1, 1}};
}

model::GroupQuery group_of(std::vector<Cell> starts, const model::Goal& goal) {
    model::GroupQuery query;
    query.starts = std::move(starts);
    query.goal = goal;
    return query;
}

// `make(count)` is a question with so many; from 1 to `most` are valid.
template <class Make>
void check_count(std::size_t most, std::string_view field, Make make) {
    const SearchWorld world({"...", "...", "..."});
    for (const std::size_t good : {std::size_t{1}, most - 1, most}) {
        EXPECT_TRUE(checked(world.snapshot(), make(good)).has_value()) << field << " " << good;
    }
    for (const std::size_t bad : {std::size_t{0}, most + 1}) {
        expect_refused(world.snapshot(), make(bad), RefusalCode::kInvalidArgument, field);
    }
}

// If this failed, one message could ask for more than an answer has room for (law 5), or an army of
// the size that is promised would be refused.
TEST(SurveyValidate, EachCountHasItsBound) {
    check_count(limits::kUnitsPerGroupMax, "survey.group.starts",
                [](std::size_t count) { return group_of(places(count), goal_at({2, 2})); });
    check_count(limits::kGoalsPerNearestMax, "survey.nearest.goals", [](std::size_t count) {
        return model::NearestQuery{.start = {0, 0},
                                   .goals = std::vector<model::Goal>(count, goal_at({2, 2}))};
    });
    check_count(limits::kStartsPerReachMax, "survey.reach.starts",
                [](std::size_t count) { return model::ReachQuery{.starts = places(count)}; });
    check_count(limits::kMatrixSideMax, "survey.matrix.from",
                [](std::size_t count) { return model::MatrixQuery{places(count), places(1)}; });
    check_count(limits::kMatrixSideMax, "survey.matrix.to",
                [](std::size_t count) { return model::MatrixQuery{places(1), places(count)}; });
}

// If this failed, two sides that are each in range would together be a matrix that is not.
TEST(SurveyValidate, AMatrixIsBoundedByItsCosts) {
    const SearchWorld world({"...", "...", "..."});
    constexpr std::size_t kSide = 256;
    static_assert(kSide * kSide == limits::kMatrixCellsMax);
    EXPECT_TRUE(checked(world.snapshot(), model::MatrixQuery{places(kSide), places(kSide - 1)}));
    EXPECT_TRUE(checked(world.snapshot(), model::MatrixQuery{places(kSide), places(kSide)}));
    expect_refused(world.snapshot(), model::MatrixQuery{places(kSide), places(kSide + 1)},
                   RefusalCode::kInvalidArgument, "survey.matrix");
}

// If this failed, a goal could be given a range that the kernels' numbers do not hold.
TEST(SurveyValidate, AGoalsRangeIsBoundedInEverySurveyThatHasOne) {
    const SearchWorld world({"...", "...", "..."});
    for (const std::uint32_t range :
         {limits::kGoalRangeMax - 1, limits::kGoalRangeMax, limits::kGoalRangeMax + 1}) {
        model::Goal goal = goal_at({2, 2});
        goal.range = range;
        const model::GroupQuery group = group_of(places(1), goal);
        const model::NearestQuery nearest{.start = {0, 0}, .goals = {goal}};
        const model::FieldQuery field{.goal = goal, .rect = {0, 0, 3, 3}};
        if (range <= limits::kGoalRangeMax) {
            EXPECT_TRUE(checked(world.snapshot(), group));
            EXPECT_TRUE(checked(world.snapshot(), nearest));
            EXPECT_TRUE(checked(world.snapshot(), field));
            continue;
        }
        constexpr auto kInvalid = RefusalCode::kInvalidArgument;
        expect_refused(world.snapshot(), group, kInvalid, "survey.group.goal.range");
        expect_refused(world.snapshot(), nearest, kInvalid, "survey.nearest.goals.range");
        expect_refused(world.snapshot(), field, kInvalid, "survey.field.goal.range");
    }
}

// If this failed, one field would be an answer of any size, or the largest promised be refused.
TEST(SurveyValidate, AFieldIsBoundedByItsCellsOnTheMap) {
    constexpr std::int32_t kHigh = 2048;
    static_assert(std::int64_t{kHigh} * kHigh == limits::kFieldCellsMax);
    const auto store = store_of(kHigh + 1, kHigh);
    const auto field = [](std::int32_t width, std::int32_t height) {
        return model::FieldQuery{.goal = goal_at({2, 2}), .rect = {0, 0, width, height}};
    };
    EXPECT_TRUE(checked(*store->snapshot(), field(kHigh - 1, kHigh)).has_value());
    EXPECT_TRUE(checked(*store->snapshot(), field(kHigh, kHigh)).has_value());
    // What hangs over the edge of the map is no part of the answer.
    EXPECT_TRUE(checked(*store->snapshot(), field(kHigh, 4 * kHigh)).has_value());
    expect_refused(*store->snapshot(), field(kHigh + 1, kHigh), RefusalCode::kInvalidArgument,
                   "survey.field.rect");
    for (const model::Rect& empty : {model::Rect{1, 1, 0, 1}, model::Rect{1, 1, 1, -1}}) {
        expect_refused(*store->snapshot(),
                       model::FieldQuery{.goal = goal_at({2, 2}), .rect = empty},
                       RefusalCode::kInvalidArgument, "survey.field.rect");
    }
    expect_refused(*store->snapshot(),
                   model::FieldQuery{.goal = goal_at({2, 2}), .rect = {-9, 0, 9, 9}},
                   RefusalCode::kOutOfBounds, "survey.field.rect");
}

// If this failed, the reach of a unit on a large map would be an answer without a bound, or be cut
// without a word.
TEST(SurveyValidate, AReachHoldsAsManyCellsAsIsPromised) {
    constexpr std::int32_t kHigh = 2048;
    static_assert(std::size_t{kHigh} * kHigh == limits::kReachCellsMax);
    for (const std::int32_t width : {kHigh - 1, kHigh, kHigh + 1}) {
        const auto store = store_of(width, kHigh);
        model::ReachQuery query{.starts = {{0, 0}}};
        query.cost_max = model::Cost{1} << 40U;
        const model::SurveyResult result = search::run(
            *store->snapshot()->layer({0}), {.movement_class = {0}, .query = std::move(query)});
        const auto& reach = std::get<model::Reach>(result.body);
        std::size_t cells = 0;
        for (const model::Run& run : reach.runs) {
            cells += static_cast<std::size_t>(run.length);
        }
        const bool fits = width <= kHigh;
        EXPECT_EQ(result.outcome, fits ? model::Outcome::kComplete : model::Outcome::kBudget);
        EXPECT_EQ(cells == static_cast<std::size_t>(width) * kHigh, fits);
        EXPECT_LE(cells, limits::kReachCellsMax);
        EXPECT_GT(cells, limits::kReachCellsMax - 4 * kHigh);
    }
}

// If this failed, a place beside the map would crash the server.
TEST(SurveyValidate, PlacesOutsideTheMapAreRefused) {
    const SearchWorld world({".....", ".....", "....."});
    constexpr auto kOut = RefusalCode::kOutOfBounds;
    for (const Cell outside : {Cell{-1, 0}, Cell{5, 0}, Cell{0, 3}, Cell{0, -1}}) {
        const map::Snapshot& on = world.snapshot();
        expect_refused(on, group_of({{0, 0}, outside}, goal_at({1, 1})), kOut,
                       "survey.group.starts");
        expect_refused(on, group_of({{0, 0}}, goal_at(outside)), kOut, "survey.group.goal");
        expect_refused(on, model::NearestQuery{.start = outside, .goals = {goal_at({1, 1})}}, kOut,
                       "survey.nearest.start");
        expect_refused(on, model::ReachQuery{.starts = {outside}}, kOut, "survey.reach.starts");
        expect_refused(on, model::MatrixQuery{{{0, 0}}, {outside}}, kOut, "survey.matrix.to");
        expect_refused(on, model::ConnectedQuery{.start = outside, .goal = goal_at({1, 1})}, kOut,
                       "survey.connected.start");
        expect_refused(on, model::SightQuery{.from = {0, 0}, .to = outside}, kOut,
                       "survey.sight.to");
    }
}

}  // namespace
}  // namespace outrider::test
