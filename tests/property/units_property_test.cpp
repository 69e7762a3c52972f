#include <algorithm>
#include <iostream>

#include "outrider/model/path.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/troops_world.hpp"

namespace outrider::units {
namespace {

using model::Cell;
using test::Random;
using test::TroopsWorld;

// Open ground with some blocks, each cell of which can be reached from each other.
map::Grid open_map(Random& random) {
    const auto width = static_cast<std::int32_t>(random.between(12, 40));
    const auto height = static_cast<std::int32_t>(random.between(12, 40));
    std::vector<model::Terrain> terrain(static_cast<std::size_t>(width * height), '.');
    const std::int64_t blocks = random.between(0, width * height / 40);
    for (std::int64_t block = 0; block < blocks; ++block) {
        // Never at an edge, and with two free cells between any two: no pockets.
        const std::int64_t x = 3 + 4 * random.between(0, (width - 6) / 4);
        const std::int64_t y = 3 + 4 * random.between(0, (height - 6) / 4);
        for (std::int64_t dy = 0; dy < random.between(1, 2); ++dy) {
            for (std::int64_t dx = 0; dx < random.between(1, 2); ++dx) {
                terrain[static_cast<std::size_t>((y + dy) * width + x + dx)] = '@';
            }
        }
    }
    return {width, height, std::move(terrain)};
}

std::vector<Cell> slots(Random& random, const map::Snapshot& snapshot) {
    std::vector<Cell> cells;
    for (Cell cell{0, 0}; cell.y < snapshot.height(); ++cell.y) {
        for (cell.x = 0; cell.x < snapshot.width(); ++cell.x) {
            if (snapshot.layer({0})->open(cell)) {
                cells.push_back(cell);
            }
        }
    }
    for (std::size_t index = cells.size(); index > 1; --index) {
        std::swap(cells[index - 1], cells[static_cast<std::size_t>(
                                        random.between(0, static_cast<std::int64_t>(index) - 1))]);
    }
    return cells;
}

TEST(TroopsProperty, OnOpenMapsWithSlotsEnoughAllArrive) {
    // If this failed, an army would leave some behind, or two would stand in one place.
    Random random(21);
    std::uint64_t arrived = 0;
    for (std::uint64_t round = 0; round < test::rounds(100); ++round) {
        TroopsWorld world(open_map(random), {model::ground_class()});
        const std::vector<Cell> starts = slots(random, *world.snapshot());
        const std::vector<Cell> goals = slots(random, *world.snapshot());
        // Up to a third of the ground is taken.
        const std::size_t count = static_cast<std::size_t>(
            random.between(1, static_cast<std::int64_t>(starts.size()) / 3));
        for (std::size_t index = 0; index < count; ++index) {
            const auto speed = static_cast<model::Cost>(
                random.between(static_cast<std::int64_t>(model::kCostPerCell) / 4,
                               2 * static_cast<std::int64_t>(model::kCostPerCell)));
            world.send(starts[index], goals[index], {.speed = speed});
        }
        const std::uint32_t ticks = world.run(4000);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "round " << round;
        ASSERT_LT(ticks, 4000U) << "round " << round << ", " << count << " units";
        for (UnitIndex index = 0; index < count; ++index) {
            ASSERT_EQ(world.unit(index).state, State::kArrived);
            ASSERT_EQ(world.unit(index).at, goals[index]) << "round " << round;
        }
        ASSERT_EQ(world.troops().take_arrivals().size(), count);
        arrived += count;
    }
    std::cout << "checked " << arrived << " arrivals\n";
}

// Whatever the map, the classes and the edits.
class AnyWorld {
  public:
    AnyWorld(std::uint64_t stream) : random_(stream), grid_(test::random_map(random_)) {
        std::vector<model::MovementClass> classes;
        for (int index = 0; index < 3; ++index) {
            classes.push_back(test::random_class(random_));
            classes.back().name = std::to_string(index);
        }
        classes[2].footprint = 8;
        world_ = std::make_unique<TroopsWorld>(grid_, std::move(classes));
        for (std::uint16_t index = 0; index < 30; ++index) {
            const Traits traits{.movement_class = {static_cast<std::uint16_t>(index % 3)},
                                .speed = static_cast<model::Cost>(random_.between(1000, 20000)),
                                .turn = static_cast<model::Cost>(random_.between(0, 1) * 3000)};
            if (world_->troops().add(*world_->snapshot(), traits, any_cell())) {
                ++count_;
            }
        }
    }
    // Orders, edits and ticks; `world` checks each tick.
    void live(int ticks) {
        for (int tick = 0; tick < ticks && !::testing::Test::HasFatalFailure(); ++tick) {
            if (count_ > 0 && random_.chance(30)) {
                world_->order(static_cast<UnitIndex>(
                                  random_.between(0, static_cast<std::int64_t>(count_) - 1)),
                              any_cell());
            }
            if (random_.chance(5)) {
                world_->edit(test::random_batch(random_, grid_));
            }
            world_->tick();
        }
    }
    [[nodiscard]] std::vector<Cell> places() {
        std::vector<Cell> cells;
        for (const Unit& unit : world_->troops().units()) {
            cells.push_back(unit.at);
        }
        return cells;
    }
    [[nodiscard]] std::size_t arrivals() { return world_->troops().take_arrivals().size(); }

  private:
    Cell any_cell() {
        return {static_cast<std::int32_t>(random_.between(0, grid_.width - 1)),
                static_cast<std::int32_t>(random_.between(0, grid_.height - 1))};
    }

    Random random_;
    map::Grid grid_;
    std::unique_ptr<TroopsWorld> world_;
    std::size_t count_{0};
};

TEST(TroopsProperty, NobodySharesACellOrWalksIntoAWallAndTheSameRunIsTheSame) {
    // If this failed, units would overlap on some map, or two clients would see two battles.
    std::size_t arrivals = 0;
    for (std::uint64_t round = 0; round < test::rounds(30); ++round) {
        AnyWorld one(1000 + round);
        AnyWorld two(1000 + round);
        one.live(150);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "round " << round;
        two.live(150);
        ASSERT_EQ(one.places(), two.places()) << "round " << round;
        arrivals += one.arrivals();
    }
    EXPECT_GT(arrivals, 0U);
}

}  // namespace
}  // namespace outrider::units
