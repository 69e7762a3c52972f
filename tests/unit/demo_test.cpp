#include <gtest/gtest.h>

#include <set>

#include "demo/army.hpp"
#include "demo/builder.hpp"
#include "demo/frame.hpp"
#include "demo/muster.hpp"
#include "outrider/map/map_file.hpp"
#include "outrider/map/store.hpp"
#include "support/weight_grid.hpp"

namespace outrider::demo {
namespace {

std::unique_ptr<map::Store> store_of(std::initializer_list<std::string_view> rows) {
    const auto width = static_cast<std::int32_t>(rows.begin()->size());
    const auto height = static_cast<std::int32_t>(rows.size());
    auto store =
        map::Store::create({width, height, test::terrain_of(rows)}, {model::ground_class()});
    return store ? std::move(*store) : nullptr;
}

const std::vector<model::Cell> kStraight{{0, 0}, {1, 0}, {2, 0}, {3, 0}};

Army one_unit() {
    Unit unit;
    unit.at = {0, 0};
    unit.goal = {3, 0};
    return Army({unit});
}

TEST(Army, WalksItsPathAndArrives) {
    // If this failed, the demo would claim arrivals that never were.
    const auto store = store_of({"....", "...."});
    const auto snapshot = store->snapshot();
    Army army = one_unit();
    EXPECT_EQ(army.find_wanting(*snapshot->layer({0}), false), std::vector<std::size_t>{0});
    army.give_path(0, kStraight, 0);
    for (std::uint32_t tick = 1; tick <= 2; ++tick) {
        army.step(tick);
        EXPECT_EQ(army.arrived(), 0U);
    }
    army.step(3);
    EXPECT_TRUE(army.all_arrived());
    EXPECT_EQ(army.units()[0].at, (model::Cell{3, 0}));
}

TEST(Army, AsksAnewOnlyWhenABuildingStandsInTheWay) {
    // If this failed, units would walk through buildings, or ask without need.
    const auto store = store_of({"....", "...."});
    Army army = one_unit();
    army.give_path(0, kStraight, 0);
    army.step(1);
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{1}, {0, 0, 1, 2}, 0}}}));
    EXPECT_TRUE(army.find_wanting(*store->snapshot()->layer({0}), true).empty());
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{2}, {2, 0, 1, 1}, 0}}}));
    EXPECT_EQ(army.find_wanting(*store->snapshot()->layer({0}), true).size(), 1U);
    army.step(2);
    EXPECT_EQ(army.units()[0].at, (model::Cell{1, 0}));
}

TEST(Army, PathThatStopsShortIsNoWay) {
    // If this failed, a unit with a partial path would count as arrived (K3#28).
    Army army = one_unit();
    army.give_path(0, std::vector<model::Cell>{{0, 0}, {1, 0}, {2, 0}}, 0);
    EXPECT_EQ(army.units()[0].state, UnitState::kStuck);
    const auto store = store_of({"...."});
    const auto snapshot = store->snapshot();
    EXPECT_TRUE(army.find_wanting(*snapshot->layer({0}), false).empty());
    EXPECT_EQ(army.find_wanting(*snapshot->layer({0}), true).size(), 1U);
}

class MarchMap : public ::testing::Test {
  protected:
    void SetUp() override {
        auto grid = map::read_map_file(OUTRIDER_SOURCE_DIR "/client-sample/maps/march.map");
        ASSERT_TRUE(grid) << grid.error().message;
        auto store = map::Store::create(std::move(*grid), {model::ground_class()});
        ASSERT_TRUE(store);
        store_ = std::move(*store);
    }
    std::unique_ptr<map::Store> store_;
};

TEST_F(MarchMap, HasRoomForTheArmyAndAWayForEach) {
    // If this failed, the demo would end before it begins.
    const auto snapshot = store_->snapshot();
    const map::Layer& layer = *snapshot->layer({0});
    const std::vector<Unit> units = muster(layer, 200, 1);
    ASSERT_EQ(units.size(), 200U);
    std::set<model::Cell> starts;
    std::set<model::Cell> goals;
    for (const Unit& unit : units) {
        starts.insert(unit.at);
        goals.insert(unit.goal);
        EXPECT_EQ(layer.regions().component(unit.at), layer.regions().component(unit.goal));
    }
    EXPECT_EQ(starts.size(), 200U);
    EXPECT_EQ(goals.size(), 200U);
}

TEST_F(MarchMap, BuildingsNeverStandOnUnitsOrGoals) {
    // If this failed, the demo would bury its own units.
    std::vector<Unit> units = muster(*store_->snapshot()->layer({0}), 40, 1);
    Army army(units);
    for (std::size_t index = 0; index < units.size(); ++index) {
        std::vector<model::Cell> east;
        for (std::int32_t x = units[index].at.x; x <= units[index].goal.x; ++x) {
            east.push_back({x, units[index].at.y});
        }
        army.give_path(index, east, 0);
    }
    // Only those whose goal lies straight ahead march; a few are enough.
    for (std::uint32_t tick = 1; tick < 30; ++tick) {
        army.step(tick);
    }
    Builder builder(5, 1);
    std::size_t placed = 0;
    for (int count = 0; count < 100; ++count) {
        const model::EditBatch batch = builder.build(*store_->snapshot()->layer({0}), army);
        for (const model::Edit& edit : batch.edits) {
            if (const auto* place = std::get_if<model::PlaceObstacle>(&edit)) {
                ++placed;
                for (const Unit& unit : army.units()) {
                    EXPECT_FALSE(place->footprint.contains(unit.at));
                    EXPECT_FALSE(place->footprint.contains(unit.goal));
                }
            }
        }
        EXPECT_LE(builder.standing(), kBuildingsMax);
        ASSERT_TRUE(batch.edits.empty() || store_->apply(batch));
    }
    const auto moving = [](const Unit& unit) { return unit.state == UnitState::kMarching; };
    EXPECT_EQ(placed > 0, std::ranges::any_of(army.units(), moving));
    EXPECT_EQ(builder.demolish_all().edits.size() > 0, placed > 0);
}

TEST_F(MarchMap, FramesFitTheTerminal) {
    // If this failed, the animation would scroll and flicker.
    Army army(muster(*store_->snapshot()->layer({0}), 60, 1));
    for (const auto& [columns, rows] : {std::pair{100, 30}, {80, 24}, {200, 60}}) {
        for (const char* locale : {"C.UTF-8", "C"}) {
            const cli::Terminal terminal =
                cli::terminal_of({true, columns, rows, "", "xterm", locale});
            const std::string text = frame(*store_->snapshot(), army, {}, 1, terminal);
            EXPECT_LE(std::ranges::count(text, '\n'), rows - 1) << columns << locale;
            EXPECT_GE(std::ranges::count(text, '\n'), rows / 2) << columns << locale;
        }
    }
}

}  // namespace
}  // namespace outrider::demo
