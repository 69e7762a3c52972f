#include <gtest/gtest.h>

#include <set>

#include "load/battle.hpp"
#include "load/group_watch.hpp"
#include "load/traffic.hpp"
#include "support/weight_grid.hpp"

namespace outrider::load {
namespace {

using model::Cell;

std::unique_ptr<map::Store> store_of(std::initializer_list<std::string_view> rows) {
    const auto width = static_cast<std::int32_t>(rows.begin()->size());
    const auto height = static_cast<std::int32_t>(rows.size());
    return map::Store::create({width, height, test::terrain_of(rows)}, {model::ground_class()})
        .value();
}

std::unique_ptr<map::Store> open_field() {
    return store_of({"..........",  //
                     ".@@@@@@@..",  //
                     ".........."});
}

TEST(Traffic, SameSeedSameOrdersOnOpenCells) {
    // If this failed, a bad run could not be repeated.
    const auto store = open_field();
    const map::Layer& layer = *store->snapshot()->layer({0});
    Traffic one(layer, {20, 0.2, 7});
    Traffic two(layer, {20, 0.2, 7});
    Traffic other(layer, {20, 0.2, 8});
    int differing = 0;
    std::size_t groups = 0;
    for (int count = 0; count < 2000; ++count) {
        const Request request = one.next();
        const Request twin = two.next();
        ASSERT_EQ(request.index(), twin.index());
        differing += other.next().index() != request.index() ? 1 : 0;
        if (const auto* group = std::get_if<GroupOrder>(&request)) {
            const auto& same = std::get<GroupOrder>(twin);
            ++groups;
            EXPECT_EQ(group->units, same.units);
            EXPECT_EQ(group->starts, same.starts);
            EXPECT_EQ(group->goal, same.goal);
            EXPECT_TRUE(layer.open(group->goal));
            EXPECT_FALSE(group->units.empty());
            continue;
        }
        const auto& order = std::get<Order>(request);
        const auto& same = std::get<Order>(twin);
        EXPECT_TRUE(layer.open(order.start) && layer.open(order.goal));
        EXPECT_EQ(order.start, same.start);
        EXPECT_EQ(order.goal, same.goal);
        EXPECT_EQ(order.unit, same.unit);
        EXPECT_LT(order.unit, 20U);
    }
    EXPECT_GT(differing, 0);
    EXPECT_NEAR(static_cast<double>(groups), 400.0, 80.0) << "a share of the requests";
}

TEST(Traffic, GroupsAreNoneOrAllAtTheEndsOfTheirShare) {
    // If this failed, --group-share would not mean what it says.
    const auto store = open_field();
    const map::Layer& layer = *store->snapshot()->layer({0});
    for (const double share : {0.0, 1.0}) {
        Traffic traffic(layer, {100, share, 3});
        for (int count = 0; count < 200; ++count) {
            EXPECT_EQ(std::holds_alternative<GroupOrder>(traffic.next()), share == 1.0);
        }
    }
}

TEST(Traffic, EveryUnitIsInOneArmyAndAsksFromWhereItStands) {
    // If this failed, some units would never move, or ask from where they no longer are.
    const auto store = open_field();
    Traffic traffic(*store->snapshot()->layer({0}), {300, 1.0, 5});
    for (std::uint32_t unit = 0; unit < 300; ++unit) {
        traffic.moved(unit, {static_cast<std::int32_t>(unit), 0});
    }
    std::set<std::uint32_t> units;
    for (int count = 0; count < 500; ++count) {
        const auto group = std::get<GroupOrder>(traffic.next());
        for (std::size_t index = 0; index < group.units.size(); ++index) {
            units.insert(group.units[index]);
            EXPECT_EQ(group.starts[index].x, static_cast<std::int32_t>(group.units[index]));
        }
    }
    EXPECT_EQ(units.size(), 300U);
}

TEST(Traffic, KnowsAChokePoint) {
    // If this failed, armies would never be sent through a narrow place.
    const auto store = store_of({"......@@@@@@......",  //
                                 "......@@@@@@......",  //
                                 "..................",  //
                                 "......@@@@@@......",  //
                                 "......@@@@@@......",  //
                                 "......@@@@@@......"});
    const map::Layer& layer = *store->snapshot()->layer({0});
    EXPECT_TRUE(is_choke(layer, {8, 2}));
    EXPECT_FALSE(is_choke(layer, {2, 2})) << "six cells wide";
    EXPECT_FALSE(is_choke(layer, {8, 1})) << "blocked";
}

class BattleTest : public ::testing::Test {
  protected:
    void begin(std::unique_ptr<map::Store> store) {
        battle_ = std::make_unique<Battle>(std::move(store), pushes_, units::Traits{});
    }
    void tick(int times) {
        for (int count = 0; count < times; ++count) {
            battle_->tick();
        }
    }
    std::shared_ptr<PushLog> pushes_{std::make_shared<PushLog>()};
    std::unique_ptr<Battle> battle_;
};

TEST_F(BattleTest, UnitsAreMusteredSideBySideAsLongAsThereIsRoom) {
    // If this failed, an army would stand in one cell, or a full map would hang the run.
    begin(store_of({"...", "..@"}));
    for (int unit = 0; unit < 5; ++unit) {
        EXPECT_TRUE(battle_->muster({2, 1})) << unit;
    }
    std::set<Cell> cells;
    for (const units::Unit& unit : battle_->units()) {
        cells.insert(unit.at);
    }
    EXPECT_EQ(cells.size(), 5U);
    EXPECT_FALSE(battle_->muster({0, 0}));
}

TEST_F(BattleTest, AnAnswerToAnOlderOrderIsNotHeard) {
    // If this failed, a unit would walk where nobody sends it any more.
    begin(open_field());
    ASSERT_TRUE(battle_->muster({0, 0}));
    battle_->order(0, {0, 2}, 1);
    battle_->order(0, {9, 0}, 2);
    battle_->told({0, 1, model::Outcome::kComplete, {{0, 0}, {0, 2}}});
    tick(1);
    EXPECT_EQ(battle_->units()[0].state, units::State::kAwaiting);
    battle_->told({0, 2, model::Outcome::kComplete, {{0, 0}, {9, 0}}});
    tick(9);
    EXPECT_EQ(battle_->units()[0].at, (Cell{9, 0}));
    EXPECT_EQ(battle_->take_arrivals().size(), 1U);
}

TEST_F(BattleTest, FollowedUnitsSayWhereTheyAreUntilTheirFollowEnds) {
    // If this failed, the server would push paths from where nobody is, or to nobody (K4).
    begin(open_field());
    ASSERT_TRUE(battle_->muster({0, 0}));
    battle_->order(0, {9, 0}, 7);
    tick(1);
    EXPECT_TRUE(battle_->take_places().empty()) << "not followed yet";
    battle_->followed(0, 7, {3, {70}});
    battle_->told({0, 7, model::Outcome::kComplete, {{0, 0}, {9, 0}}});
    tick(2);
    const auto places = battle_->take_places();
    ASSERT_EQ(places.size(), 1U);
    EXPECT_EQ(places[0].connection, 3U);
    EXPECT_EQ(places[0].progress, (model::Progress{{70}, {2, 0}}));
    EXPECT_TRUE(battle_->take_places().empty()) << "it has not moved since";
    // A push from where it does not stand: it stops, says where it is, and hopes for another.
    battle_->told({0, 7, model::Outcome::kComplete, {{0, 2}, {9, 2}}});
    tick(1);
    EXPECT_EQ(battle_->take_places().size(), 1U);
    EXPECT_TRUE(battle_->take_wanting().empty());
    tick(20);
    EXPECT_EQ(battle_->take_wanting(), std::vector<units::UnitIndex>{0}) << "none came";
    battle_->ended(0, 7);
    tick(1);
    EXPECT_TRUE(battle_->take_places().empty());
    EXPECT_EQ(battle_->take_follow(0).id, model::RequestId{});
}

TEST_F(BattleTest, UnitsSeeTheEditsThatWerePushed) {
    // If this failed, units would walk through buildings that everybody else sees.
    auto store = open_field();
    const model::Version version = store->snapshot()->version();
    begin(std::move(store));
    ASSERT_TRUE(battle_->muster({0, 0}));
    battle_->order(0, {9, 0}, 1);
    battle_->told({0, 1, model::Outcome::kComplete, {{0, 0}, {9, 0}}});
    tick(2);
    pushes_->add({{1}, version + 1, {{model::PlaceObstacle{{5}, {3, 0, 1, 1}, 0}}}});
    tick(3);
    EXPECT_EQ(battle_->units()[0].at, (Cell{2, 0}));
    EXPECT_EQ(battle_->take_wanting(), std::vector<units::UnitIndex>{0});
}

TEST(GroupWatch, EachUnitOnceOnOneVersion) {
    // If this failed, a unit that a group answer forgot, or named twice, would not be missed.
    const auto part = [](model::Version version, std::vector<std::uint32_t> units) {
        client::GroupArrival arrival{{1}, version, 0, {}};
        for (const std::uint32_t unit : units) {
            arrival.units.emplace_back().unit = unit;
        }
        return arrival;
    };
    const auto right = [&](std::initializer_list<client::GroupArrival> parts) {
        GroupWatch watch(3);
        for (const client::GroupArrival& each : parts) {
            watch.part(each);
        }
        return watch.right(4);
    };
    EXPECT_TRUE(right({part(4, {2, 0}), part(4, {1})}));
    EXPECT_FALSE(right({part(4, {2, 0})}));
    EXPECT_FALSE(right({part(4, {2, 0}), part(4, {1, 0})}));
    EXPECT_FALSE(right({part(4, {2, 0, 3}), part(4, {1})}));
    EXPECT_FALSE(right({part(3, {2, 0}), part(4, {1})}));
    EXPECT_FALSE(right({part(3, {2, 0, 1})}));
    GroupWatch watch(3);
    watch.part(part(4, {1}));
    EXPECT_EQ(watch.missing(), (std::vector<std::size_t>{0, 2}));
}

}  // namespace
}  // namespace outrider::load
