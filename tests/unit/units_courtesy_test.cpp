#include "support/troops_world.hpp"

namespace outrider::units {
namespace {

using model::Cell;
using test::TroopsWorld;

TEST(Courtesy, HeadOnInACorridorTwoWideBothReach) {
    // If this failed, two movers would block one another and stop (K10#111).
    for (const std::int32_t row : {0, 1}) {
        TroopsWorld world({"............",  //
                           "............"});
        const UnitIndex east = world.send({0, row}, {11, row});
        const UnitIndex west = world.send({11, row}, {0, row});
        const std::uint32_t ticks = world.run(100);
        EXPECT_EQ(world.unit(east).at, (Cell{11, row}));
        EXPECT_EQ(world.unit(west).at, (Cell{0, row}));
        EXPECT_LE(ticks, 18U) << "a step aside, no more";
        EXPECT_EQ(world.questions(), 2U) << "nobody had to ask again";
    }
}

TEST(Courtesy, TwoQueuesHeadOnInACorridorTwoWide) {
    // If this failed, armies that meet would stand until somebody clicks.
    TroopsWorld world({"....................",  //
                       "...................."});
    for (std::int32_t file = 0; file < 3; ++file) {
        for (std::int32_t row = 0; row < 2; ++row) {
            world.send({file, row}, {17 + file, row});
            world.send({19 - file, row}, {2 - file, row});
        }
    }
    EXPECT_LT(world.run(600), 600U);
}

TEST(Courtesy, WaitsForAFriendOnAOneWideBridge) {
    // If this failed, half the army would go around the map (K10#110).
    constexpr std::int32_t kWidth = 11;
    constexpr std::int32_t kHeight = 50;
    std::string rows =
        "...@@@@@..."
        "..........."
        "...@@@@@...";
    while (rows.size() < static_cast<std::size_t>(kWidth) * (kHeight - 1)) {
        rows += ".@@@@@@@@@.";
    }
    rows += "...........";  // the other bridge: a detour of more than ten times
    TroopsWorld world({kWidth, kHeight, {rows.begin(), rows.end()}}, {model::ground_class()});
    // The friend crosses at a tenth of the speed.
    const UnitIndex slow = world.send({2, 1}, {10, 1}, {.speed = model::kCostPerCell / 10});
    const UnitIndex quick = world.send({1, 1}, {9, 1});
    std::int32_t lowest = 1;
    for (int tick = 0; tick < 200 && !world.all_arrived(); ++tick) {
        world.tick();
        lowest = std::max(lowest, world.unit(quick).at.y);
    }
    EXPECT_TRUE(world.all_arrived());
    EXPECT_EQ(world.unit(slow).at, (Cell{10, 1}));
    EXPECT_EQ(world.unit(quick).at, (Cell{9, 1}));
    EXPECT_LE(lowest, 2) << "it took the other bridge";
    EXPECT_EQ(world.questions(), 2U);
    EXPECT_GT(world.unit(quick).waited_ticks, 30U);
}

TEST(Courtesy, OnABridgeOneWideOneGoesBackAndBothReach) {
    // If this failed, two units that meet on a bridge would stand there for ever.
    TroopsWorld world({"...@@@@@@@...",  //
                       ".............",  //
                       "...@@@@@@@..."});
    const UnitIndex east = world.send({0, 1}, {12, 1});
    const UnitIndex west = world.send({12, 1}, {0, 1});
    const std::uint32_t ticks = world.run(200);
    EXPECT_EQ(world.unit(east).at, (Cell{12, 1}));
    EXPECT_EQ(world.unit(west).at, (Cell{0, 1}));
    EXPECT_LT(ticks, 60U);
    EXPECT_EQ(world.questions(), 2U);
}

TEST(Courtesy, AQueueBacksOffABridge) {
    // If this failed, whoever is sent back could not go because of those behind.
    TroopsWorld world({"......@@@@@@......",  //
                       "..................",  //
                       "......@@@@@@......"});
    for (std::int32_t file = 0; file < 4; ++file) {
        world.send({3 - file, 1}, {17 - file, 1});
        world.send({14 + file, 1}, {file, 1});
    }
    EXPECT_LT(world.run(1000), 1000U);
}

TEST(Courtesy, WhoHasArrivedMakesRoomAndComesBack) {
    // If this failed, the first to arrive in a dead end would shut out the rest.
    TroopsWorld world({"....@@@@@",  //
                       "........@",  //
                       "....@@@@@"});
    const UnitIndex mouth = world.send({3, 1}, {4, 1});
    world.run(10);
    const UnitIndex deep = world.send({0, 1}, {7, 1});
    world.run(100);
    EXPECT_EQ(world.unit(mouth).at, (Cell{4, 1}));
    EXPECT_EQ(world.unit(deep).at, (Cell{7, 1}));
    EXPECT_TRUE(world.all_arrived());
    EXPECT_EQ(world.troops().take_arrivals().size(), 2U) << "each once";
}

TEST(Courtesy, NeighboursInEachOthersPlacesSwapOnceAndForAll) {
    // If this failed, two units would bounce between two cells for ever (K10#113).
    TroopsWorld world({"@..@@",  //
                       "@...@",  //
                       "@...@",  //
                       "@@..@"});
    const UnitIndex up = world.send({2, 2}, {2, 1});
    const UnitIndex down = world.send({2, 1}, {2, 2});
    const UnitIndex guard = world.send({1, 1}, {1, 1});
    world.run(100);
    EXPECT_TRUE(world.all_arrived());
    EXPECT_EQ(world.unit(up).at, (Cell{2, 1}));
    EXPECT_EQ(world.unit(down).at, (Cell{2, 2}));
    EXPECT_EQ(world.unit(guard).at, (Cell{1, 1}));
}

TEST(Courtesy, WhoIsIdleStepsAside) {
    // If this failed, a unit that nobody has ordered would close a gate.
    TroopsWorld world({"....@....",  //
                       ".........",  //
                       "....@...."});
    const UnitIndex idle = world.add({4, 1});
    const UnitIndex unit = world.send({0, 1}, {8, 1});
    world.run(100);
    EXPECT_EQ(world.unit(unit).at, (Cell{8, 1}));
    EXPECT_EQ(world.unit(idle).state, State::kIdle);
}

TEST(Courtesy, ManyUnitsWithOneGoalStandAroundIt) {
    // If this failed, an order to one cell would leave all but one unit walking for ever.
    TroopsWorld world({"........",  //
                       "........",  //
                       "........",  //
                       "........"});
    for (std::int32_t x = 0; x < 3; ++x) {
        for (std::int32_t y = 0; y < 4; ++y) {
            world.send({x, y}, {6, 2});
        }
    }
    EXPECT_LT(world.run(200), 200U);
    std::size_t on_goal = 0;
    for (const Arrival& arrival : world.troops().take_arrivals()) {
        on_goal += arrival.beside ? 0 : 1;
        const Cell at = world.unit(arrival.unit).at;
        EXPECT_LE(std::max(std::abs(at.x - 6), std::abs(at.y - 2)), 3);
    }
    EXPECT_EQ(on_goal, 1U);
}

TEST(Courtesy, AStuckUnitAsksAgainEachTimeItsPatienceEnds) {
    // If this failed, a unit that cannot pass would never ask, or ask each tick (K2#16).
    TroopsWorld world({"....@",  //
                       "@@@.."});
    // A larger index may not send a smaller one aside, and there is no way around.
    const UnitIndex guard = world.send({2, 0}, {4, 1}, {.speed = 1});
    const UnitIndex unit = world.send({0, 0}, {3, 0});
    for (std::uint32_t tick = 0; tick < 3 * kPatienceTicks + 10; ++tick) {
        world.tick();
        ASSERT_EQ(world.questions(), 2U + world.unit(unit).held_ticks / kPatienceTicks);
    }
    EXPECT_EQ(world.questions(), 5U);
    EXPECT_EQ(world.unit(guard).at, (Cell{2, 0}));
}

TEST(Courtesy, WideUnitsPassOneAnother) {
    // If this failed, tanks would overlap, or never get past each other.
    for (const std::int32_t side : {2, 3, 8}) {
        model::MovementClass wide = model::ground_class();
        wide.name = "wide";
        wide.footprint = static_cast<std::uint8_t>(side);
        const std::int32_t width = 8 * side;
        const std::int32_t height = 2 * side;
        TroopsWorld world(
            {width, height,
             std::vector<model::Terrain>(static_cast<std::size_t>(width * height), '.')},
            {model::ground_class(), wide});
        const Traits traits{.movement_class = {1}};
        const UnitIndex east = world.send({0, 0}, {width - side, 0}, traits);
        const UnitIndex west = world.send({width - side, 0}, {0, 0}, traits);
        world.run(600);
        EXPECT_EQ(world.unit(east).at, (Cell{width - side, 0})) << side;
        EXPECT_EQ(world.unit(west).at, (Cell{0, 0})) << side;
    }
}

}  // namespace
}  // namespace outrider::units
