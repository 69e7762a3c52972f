#include "support/troops_world.hpp"

namespace outrider::units {
namespace {

using model::Cell;
using test::TroopsWorld;

TroopsWorld open_field() {
    return TroopsWorld({"........",  //
                        "........",  //
                        "........"});
}

TEST(Troops, AUnitTakesExactlyTheTimeThatItsPathCosts) {
    // If this failed, speeds would drift, and two clients would not agree on who is where.
    for (const model::Cost speed : {model::Cost{1000}, model::kCostPerCell, model::Cost{30000}}) {
        TroopsWorld world = open_field();
        const UnitIndex unit = world.send({0, 0}, {7, 2}, {.speed = speed});
        const model::Cost cost = 5 * model::kCostPerCell + 2 * 20 * model::kDiagonal;
        const std::uint32_t ticks = world.run(1000);
        EXPECT_EQ(ticks, (cost + speed - 1) / speed) << speed;
        EXPECT_EQ(world.unit(unit).at, (Cell{7, 2}));
        EXPECT_EQ(world.unit(unit).waited_ticks, 0U);
    }
}

TEST(Troops, RoadsAndTurnsCountInTime) {
    // If this failed, the cheapest path would not be the quickest on foot.
    model::MovementClass who = model::ground_class();
    who.weights['~'] = 25;
    TroopsWorld world({"..~..",  //
                       "@@@@.",  //
                       "....."},
                      {who});
    // East over the ford, a quarter turn, south.
    const model::Cost walk = model::Cost{10 + 10 + 25 + 25 + 10 + 10 + 10 + 10} * model::kStraight +
                             model::Cost{20} * model::kStraight;
    const Traits traits{.speed = 100, .turn = 500};
    // (0,0) (1,0) (2,0) (3,0) (4,0) (4,1): weights 20 + 35 + 35 + 20 + 20.
    EXPECT_EQ(walk, model::Cost{130} * model::kStraight);
    world.send({0, 0}, {4, 1}, traits);
    EXPECT_EQ(world.run(10000), (walk + 2 * traits.turn + 99) / 100);
}

TEST(Troops, NeverArrivedUnlessThePathIsComplete) {
    // If this failed, a unit would take a partial path for success and wait for ever (K3#28).
    TroopsWorld world({"...@.", "...@."});
    const UnitIndex unit = world.add({0, 0});
    for (const model::Outcome outcome :
         {model::Outcome::kPartial, model::Outcome::kBudget, model::Outcome::kDeadline,
          model::Outcome::kUnreachable, model::Outcome::kCancelled}) {
        world.troops().order(unit, {4, 0});
        EXPECT_EQ(world.unit(unit).state, State::kAwaiting);
        // Even where it leads to the very cell.
        const std::vector<Cell> points{world.unit(unit).at, {2, 0}};
        world.troops().take_path(unit, outcome, points);
        for (int tick = 0; tick < 5; ++tick) {
            world.troops().tick(*world.snapshot());
        }
        EXPECT_EQ(world.unit(unit).state, State::kStranded);
        EXPECT_TRUE(world.troops().take_arrivals().empty());
        EXPECT_TRUE(world.troops().take_wanting().empty()) << "no storm of questions (K2#16)";
        world.troops().order(unit, {0, 0});
        world.troops().take_path(unit, model::Outcome::kComplete,
                                 std::vector<Cell>{world.unit(unit).at, {0, 0}});
        for (int tick = 0; tick < 5; ++tick) {
            world.troops().tick(*world.snapshot());
        }
        EXPECT_EQ(world.unit(unit).state, State::kArrived);
        EXPECT_EQ(world.troops().take_arrivals().size(), 1U);
    }
    world.troops().order(unit, {4, 0});
    world.troops().take_path(unit, model::Outcome::kUnreachable, {});
    EXPECT_EQ(world.unit(unit).state, State::kStranded);
    world.troops().try_again(unit);
    EXPECT_EQ(world.troops().take_wanting(), std::vector<UnitIndex>{unit});
}

TEST(Troops, AClosedStepMakesItAskAndAPushedPathLetsItGoOn) {
    // If this failed, units would walk into buildings, or stand before them for ever (K4).
    TroopsWorld world = open_field();
    const UnitIndex unit = world.send({0, 0}, {7, 0}, {.speed = model::kCostPerCell / 2});
    for (int tick = 0; tick < 5; ++tick) {
        world.tick();
    }
    EXPECT_EQ(world.unit(unit).at, (Cell{2, 0}));
    world.edit({{model::PlaceObstacle{{1}, {3, 0, 1, 2}, 0}}});
    world.tick();
    EXPECT_EQ(world.questions(), 2U) << "asked once, answered at once";
    world.run(100);
    EXPECT_EQ(world.unit(unit).at, (Cell{7, 0}));
}

TEST(Troops, APathOverItsPlaceIsWalkedOnFromThere) {
    // If this failed, a push that crossed a few steps would stop the unit or send it back.
    TroopsWorld world = open_field();
    const UnitIndex unit = world.send({2, 1}, {7, 1});
    world.troops().take_path(unit, model::Outcome::kComplete,
                             std::vector<Cell>{{0, 1}, {5, 1}, {6, 2}, {7, 2}});
    EXPECT_EQ(world.unit(unit).way.rest().size(), 5U);
    world.troops().take_path(unit, model::Outcome::kComplete, std::vector<Cell>{{0, 0}, {7, 0}});
    EXPECT_EQ(world.unit(unit).state, State::kAwaiting);
    EXPECT_EQ(world.troops().take_wanting(), std::vector<UnitIndex>{unit});
}

TEST(Troops, BrokenWaysAreFoundBeforeTheUnitComesThere) {
    // If this failed, a unit would walk all the way to a wall that everybody can see.
    TroopsWorld world = open_field();
    const UnitIndex broken = world.send({0, 0}, {7, 0});
    const UnitIndex whole = world.send({0, 2}, {7, 2});
    world.edit({{model::PlaceObstacle{{1}, {5, 0, 1, 1}, 0}}});
    world.troops().stop_the_broken(*world.snapshot());
    EXPECT_EQ(world.troops().take_wanting(), std::vector<UnitIndex>{broken});
    EXPECT_EQ(world.unit(broken).state, State::kAwaiting);
    EXPECT_EQ(world.unit(whole).state, State::kWalking);
}

TEST(Troops, WhoIsBuiltOnMayWalkOff) {
    // If this failed, a unit under a new building could never leave (K3#33).
    TroopsWorld world = open_field();
    const UnitIndex unit = world.add({3, 1});
    world.edit({{model::PlaceObstacle{{1}, {3, 1, 1, 1}, 0}}});
    world.order(unit, {7, 1});
    world.run(50);
    EXPECT_EQ(world.unit(unit).at, (Cell{7, 1}));
}

TEST(Troops, NobodySetsOutBeforeItsTime) {
    // If this failed, an army would leave as a blot and not as a column.
    TroopsWorld world = open_field();
    const UnitIndex unit = world.send({0, 0}, {7, 0}, {.departs = 4});
    for (int tick = 1; tick < 4; ++tick) {
        world.tick();
        EXPECT_EQ(world.unit(unit).at, (Cell{0, 0})) << tick;
    }
    world.tick();
    EXPECT_EQ(world.unit(unit).at, (Cell{1, 0}));
    EXPECT_EQ(world.unit(unit).waited_ticks, 0U);
}

TEST(Troops, NobodyIsPutWhereItCannotStand) {
    // If this failed, an army would be mustered inside walls, or two units in one place.
    model::MovementClass wide = model::ground_class();
    wide.name = "wide";
    wide.footprint = 3;
    TroopsWorld world({".....",  //
                       ".....",  //
                       "....@"},
                      {model::ground_class(), wide});
    EXPECT_FALSE(world.troops().add(*world.snapshot(), {}, {4, 2}));
    EXPECT_FALSE(world.troops().add(*world.snapshot(), {}, {5, 0}));
    EXPECT_FALSE(world.troops().add(*world.snapshot(), {}, {0, -1}));
    EXPECT_FALSE(world.troops().add(*world.snapshot(), {.movement_class = {1}}, {2, 0}));
    EXPECT_TRUE(world.troops().add(*world.snapshot(), {.movement_class = {1}}, {0, 0}));
    EXPECT_FALSE(world.troops().add(*world.snapshot(), {}, {2, 2}));
    EXPECT_TRUE(world.troops().add(*world.snapshot(), {}, {3, 2}));
}

}  // namespace
}  // namespace outrider::units
