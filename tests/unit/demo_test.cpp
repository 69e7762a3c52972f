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

Army one_unit(const map::Store& store) {
    return Army(*store.snapshot(), std::vector<Post>{{{0, 0}, {3, 0}, 0}});
}

TEST(Army, WalksItsPathAndArrives) {
    // If this failed, the demo would claim arrivals that never were.
    const auto store = store_of({"....", "...."});
    Army army = one_unit(*store);
    army.tell(0, kStraight);
    int ticks = 0;
    for (; ticks < 10 && !army.all_arrived(); ++ticks) {
        EXPECT_TRUE(army.step(*store->snapshot()).empty());
    }
    EXPECT_EQ(ticks, 3) << "1.2 cells a tick";
    EXPECT_EQ(army.units()[0].at, (model::Cell{3, 0}));
}

TEST(Army, NeedsAnotherPathOnlyWhenABuildingStandsInTheWay) {
    // If this failed, units would walk through buildings, or wait for pushes that never come.
    const auto store = store_of({"....", "...."});
    Army army = one_unit(*store);
    army.tell(0, kStraight);
    static_cast<void>(army.step(*store->snapshot()));
    EXPECT_TRUE(army.report(0));
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{1}, {0, 0, 1, 2}, 0}}}));
    EXPECT_TRUE(army.find_untold(*store->snapshot()).empty()) << "behind it";
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{2}, {2, 0, 1, 1}, 0}}}));
    EXPECT_EQ(army.find_untold(*store->snapshot()), std::vector<std::size_t>{0});
    army.tell_anew(0, std::vector<model::Cell>{{1, 0}, {1, 1}, {2, 1}, {3, 1}, {3, 0}});
    EXPECT_EQ(army.replanned(0), 1U);
    EXPECT_TRUE(army.find_untold(*store->snapshot()).empty());
    for (int tick = 0; tick < 10; ++tick) {
        static_cast<void>(army.step(*store->snapshot()));
    }
    EXPECT_TRUE(army.all_arrived());
}

TEST(Army, SaysWhenItHasLeftItsPath) {
    // If this failed, the demo would not wait for the path that the server is going to push.
    const auto store = store_of({"....", "...."});
    Army army = one_unit(*store);
    army.tell(0, std::vector<model::Cell>{{0, 1}, {1, 1}, {2, 1}, {3, 0}});
    EXPECT_FALSE(army.report(0));
    army.tell(0, kStraight);
    EXPECT_TRUE(army.report(0));
}

TEST(Army, PathThatStopsShortIsNoWay) {
    // If this failed, a unit with a partial path would count as arrived (K3#28).
    const auto store = store_of({"...."});
    Army army = one_unit(*store);
    army.tell(0, std::vector<model::Cell>{{0, 0}, {1, 0}, {2, 0}});
    EXPECT_EQ(army.units()[0].state, units::State::kStranded);
    for (int tick = 0; tick < 5; ++tick) {
        EXPECT_TRUE(army.step(*store->snapshot()).empty());
    }
    EXPECT_EQ(army.arrived(), 0U);
    EXPECT_EQ(army.find_untold(*store->snapshot()), std::vector<std::size_t>{0});
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
    const std::vector<Post> units = muster(layer, 200, 1);
    ASSERT_EQ(units.size(), 200U);
    std::set<model::Cell> starts;
    std::set<model::Cell> goals;
    for (const Post& unit : units) {
        starts.insert(unit.at);
        goals.insert(unit.goal);
        EXPECT_EQ(layer.regions().component(unit.at), layer.regions().component(unit.goal));
    }
    EXPECT_EQ(starts.size(), 200U);
    EXPECT_EQ(goals.size(), 200U);
}

TEST_F(MarchMap, BuildingsNeverStandOnUnitsOrGoals) {
    // If this failed, the demo would bury its own units.
    const std::vector<Post> posts = muster(*store_->snapshot()->layer({0}), 40, 1);
    Army army(*store_->snapshot(), posts);
    for (std::size_t index = 0; index < posts.size(); ++index) {
        std::vector<model::Cell> east;
        for (std::int32_t x = posts[index].at.x; x <= posts[index].goal.x; ++x) {
            east.push_back({x, posts[index].at.y});
        }
        army.tell(index, east);
    }
    // Only those whose goal lies straight ahead march; a few are enough.
    for (std::uint32_t tick = 1; tick < 30; ++tick) {
        static_cast<void>(army.step(*store_->snapshot()));
    }
    Builder builder(5, 1);
    std::size_t placed = 0;
    for (int count = 0; count < 100; ++count) {
        const model::EditBatch batch = builder.build(*store_->snapshot()->layer({0}), army);
        for (const model::Edit& edit : batch.edits) {
            if (const auto* place = std::get_if<model::PlaceObstacle>(&edit)) {
                ++placed;
                for (const units::Unit& unit : army.units()) {
                    EXPECT_FALSE(place->footprint.contains(unit.at));
                    EXPECT_FALSE(place->footprint.contains(unit.goal));
                }
            }
        }
        EXPECT_LE(builder.standing(), kBuildingsMax);
        ASSERT_TRUE(batch.edits.empty() || store_->apply(batch));
    }
    const bool moving = std::ranges::any_of(army.units(), &units::Unit::moves);
    EXPECT_EQ(placed > 0, moving);
    EXPECT_EQ(builder.demolish_all().edits.size() > 0, placed > 0);
}

TEST_F(MarchMap, FramesFitTheTerminal) {
    // If this failed, the animation would scroll and flicker.
    const Army army(*store_->snapshot(), muster(*store_->snapshot()->layer({0}), 60, 1));
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
