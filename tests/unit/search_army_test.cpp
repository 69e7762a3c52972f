#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "outrider/map/store.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/cell_boxes.hpp"
#include "outrider/search/cell_chains.hpp"
#include "outrider/search/group_choice.hpp"
#include "outrider/search/jump_ways.hpp"
#include "outrider/search/target_bits.hpp"
#include "outrider/search/targets_bound.hpp"
#include "support/random.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using search::CellBoxes;

std::unique_ptr<map::Store> store_of(std::int32_t side, int percent_blocked) {
    map::Grid grid{side, side, std::vector<model::Terrain>(static_cast<std::size_t>(side * side))};
    Random random(7);
    for (model::Terrain& cell : grid.terrain) {
        cell = random.chance(percent_blocked) ? '@' : '.';
    }
    return std::move(map::Store::create(std::move(grid), {model::ground_class()}).value());
}

std::vector<Cell> random_cells(Random& random, std::size_t count, std::int64_t side) {
    std::set<Cell> cells;
    while (cells.size() < count) {
        cells.insert({static_cast<std::int32_t>(random.between(0, side - 1)),
                      static_cast<std::int32_t>(random.between(0, side - 1))});
    }
    return {cells.begin(), cells.end()};
}

// If this failed, a jump would pass over a unit without telling it.
TEST(TargetBits, EachPlaneHoldsTheSameCells) {
    Random random(1);
    const auto store = store_of(150, 0);
    const auto snapshot = store->snapshot();
    search::TargetBits bits;
    for (int again = 0; again < 3; ++again) {
        bits.begin(*snapshot->layer({0}));
        const std::vector<Cell> cells = random_cells(random, 90, 150);
        std::set<Cell> here;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            bits.add(cells[i]);
            here.insert(cells[i]);
            if (i % 3 == 2) {
                bits.remove(cells[i - 1]);
                here.erase(cells[i - 1]);
            }
        }
        for (Cell cell{0, 0}; cell.y < 150; ++cell.y) {
            for (cell.x = 0; cell.x < 150; ++cell.x) {
                const search::TargetBits::Tile& tile = bits.tile(map::ChunkPlace::of(cell));
                const std::int32_t x = cell.x & 63;
                const std::int32_t y = cell.y & 63;
                const auto holds = [](const auto& plane, std::int32_t word, std::int32_t bit) {
                    return ((plane[static_cast<std::size_t>(word)] >> bit) & 1) != 0;
                };
                const bool expected = here.contains(cell);
                ASSERT_EQ(bits.has(cell), expected);
                ASSERT_EQ(holds(tile.rows, y, x), expected);
                ASSERT_EQ(holds(tile.columns, x, y), expected);
                ASSERT_EQ(holds(tile.falling, (x - y) & 63, y), expected);
                ASSERT_EQ(holds(tile.rising, (x + y) & 63, y), expected);
                const search::TargetBits::Lines& lines = bits.lines(map::ChunkPlace::of(cell));
                ASSERT_EQ(((lines.rows >> y) & 1) != 0,
                          tile.rows[static_cast<std::size_t>(y)] != 0);
                ASSERT_EQ(((lines.columns >> x) & 1) != 0,
                          tile.columns[static_cast<std::size_t>(x)] != 0);
            }
        }
    }
}

// If this failed, of two units on one cell one would never hear that it was met.
TEST(CellChains, EveryItemIsFoundOnItsCellNewestFirst) {
    Random random(2);
    search::CellChains chains;
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{700}}) {
        chains.reserve(count);
        std::vector<std::vector<std::uint32_t>> expected(64);
        for (std::uint32_t item = 0; item < count; ++item) {
            const auto cell = static_cast<model::CellIndex>(random.between(0, 63));
            chains.add(cell);
            expected[cell].insert(expected[cell].begin(), item);
        }
        for (model::CellIndex cell = 0; cell < 64; ++cell) {
            std::vector<std::uint32_t> found;
            for (std::uint32_t item = chains.first(cell); item != search::CellChains::kNone;
                 item = chains.next(item)) {
                found.push_back(item);
            }
            ASSERT_EQ(found, expected[cell]);
        }
    }
}

std::vector<Cell> row_of(std::int32_t count, std::int32_t apart) {
    std::vector<Cell> cells;
    for (std::int32_t i = 0; i < count; ++i) {
        cells.push_back({i * apart, 5});
    }
    return cells;
}

// If this failed, a search would run towards units that stand elsewhere, or towards too many boxes.
TEST(CellBoxes, HoldEachCellOnceAndNoMoreThanTheyMay) {
    Random random(3);
    CellBoxes boxes;
    for (int round = 0; round < 200; ++round) {
        const auto count = static_cast<std::size_t>(random.between(1, 60));
        const std::vector<Cell> cells = random_cells(random, count, random.between(9, 900));
        boxes.sort(cells);
        ASSERT_LE(boxes.count(), CellBoxes::kMost);
        std::vector<bool> seen(cells.size());
        for (std::size_t box = 0; box < boxes.count(); ++box) {
            ASSERT_FALSE(boxes.cells_of(box).empty());
            std::vector<model::Rect> rects;
            for (const std::uint32_t cell : boxes.cells_of(box)) {
                ASSERT_FALSE(seen[cell]);
                seen[cell] = true;
                rects.push_back({cells[cell].x, cells[cell].y, 1, 1});
            }
            ASSERT_EQ(boxes.rect(box), model::box_of(rects));
        }
        ASSERT_EQ(std::ranges::count(seen, true), std::ssize(cells));
    }
}

// If this failed, a few units far apart would be sought as if they stood everywhere between.
TEST(CellBoxes, AreAsManyAsThereArePlacesUpToTheirMost) {
    CellBoxes boxes;
    const auto most = static_cast<std::int32_t>(CellBoxes::kMost);
    for (const std::int32_t places : {1, most - 1, most, most + 1}) {
        boxes.sort(row_of(places, 1000));
        EXPECT_EQ(boxes.count(), static_cast<std::size_t>(std::min(places, most)));
    }
}

// If this failed, a clump of units would cost a search eight estimates where one says the same.
TEST(CellBoxes, AreSplitFromTheirLeastSideOn) {
    CellBoxes boxes;
    boxes.sort(row_of(2, CellBoxes::kSideSplit - 2));
    EXPECT_EQ(boxes.count(), 1U);
    boxes.sort(row_of(2, CellBoxes::kSideSplit - 1));
    EXPECT_EQ(boxes.count(), 2U);
    boxes.sort(row_of(2, CellBoxes::kSideSplit));
    EXPECT_EQ(boxes.count(), 2U);
}

// If this failed, an army all over the map would pay for boxes that steer nowhere.
TEST(CellBoxes, AreOneWhereCellsStandAllOverIt) {
    CellBoxes boxes;
    boxes.sort(row_of(100, 1));
    EXPECT_EQ(boxes.count(), 1U);
}

// If this failed, the search would end with a unit at more than its least cost.
TEST(TargetsBound, IsNeverMoreThanTheWayToTheNearestTargetLeft) {
    Random random(4);
    const auto store = store_of(200, 0);
    const auto snapshot = store->snapshot();
    search::TargetsBound bound;
    std::size_t grown = 0;
    for (int round = 0; round < 40; ++round) {
        const std::vector<Cell> cells = random_cells(random, 20, 200);
        bound.begin(*snapshot->layer({0}), {0, 0}, cells);
        for (std::size_t met = 0; met < cells.size(); ++met) {
            for (int look = 0; look < 20; ++look) {
                const Cell at = random_cells(random, 1, 200).front();
                model::Cost nearest = ~model::Cost{0};
                for (std::size_t left = met; left < cells.size(); ++left) {
                    nearest = std::min(nearest, model::octile_distance(cells[left].x - at.x,
                                                                       cells[left].y - at.y));
                }
                ASSERT_LE(bound.estimate(at.x, at.y), nearest);
            }
            ASSERT_EQ(bound.estimate(cells[met].x, cells[met].y), 0U);
            bound.meet(met);
        }
        grown += bound.grown();
        ASSERT_EQ(bound.estimate(0, 0), search::TargetsBound::kNothingLeft);
    }
    ASSERT_GT(grown, 40U);
}

// If this failed, a unit's path would hang on which units were written before it (law 4).
TEST(JumpWays, AreTheSameWhateverWasWrittenBefore) {
    Random random(5);
    for (int round = 0; round < 100; ++round) {
        search::JumpWays shared;
        search::JumpWays fresh;
        shared.begin();
        std::vector<Cell> cells{{50, 50}};
        std::vector<std::uint32_t> before{0};
        shared.add_source(50, 50);
        while (cells.size() < 40) {
            const auto from = static_cast<std::uint32_t>(random.between(
                std::max<std::int64_t>(0, std::ssize(cells) - 6), std::ssize(cells) - 1));
            // Few directions, so that many legs go straight on.
            const auto dx = static_cast<std::int32_t>(random.between(0, 2));
            const auto dy = static_cast<std::int32_t>(random.between(0, 2));
            if (dx != 0 || dy != 0) {
                cells.push_back({cells[from].x + dx, cells[from].y + dy});
                before.push_back(from);
                shared.add(cells.back().x, cells.back().y, from);
            }
        }
        for (int way = 0; way < 30; ++way) {
            const auto leg = static_cast<std::uint32_t>(random.between(0, 39));
            const Cell target{cells[leg].x + 1, cells[leg].y + 2};
            std::vector<Cell> points{target};
            shared.write(target, leg, points);
            fresh.begin();
            for (std::size_t i = 0; i < cells.size(); ++i) {
                fresh.add(cells[i].x, cells[i].y, before[i]);
            }
            std::vector<Cell> alone{target};
            fresh.write(target, leg, alone);
            ASSERT_EQ(points, alone);
            ASSERT_TRUE(model::are_turning_points(points));
            ASSERT_EQ(points.back(), cells[0]);
            ASSERT_EQ(model::turning_points_of(model::cells_of(points)), points);
        }
    }
}

search::GroupWay way_of(const map::Store& store, const model::GroupQuery& query) {
    const auto snapshot = store.snapshot();
    search::GroupUnits units;
    units.begin(*snapshot->layer({0}), query);
    units.step(query.starts.size());
    return search::choose_way(*snapshot->layer({0}), units);
}

// If this failed, an army on cluttered ground would wait for the slower of two searches.
TEST(GroupChoice, AWaveIsForJumpPointsThatLieThickOnAllSides) {
    Random random(6);
    const auto noise = store_of(200, 20);
    const auto open = store_of(200, 0);
    model::GroupQuery army;
    army.goal.rect = {97, 97, 7, 7};  // some cell of it is open
    army.starts = random_cells(random, 100, 200);
    EXPECT_EQ(way_of(*noise, army), search::GroupWay::kWave);
    EXPECT_EQ(way_of(*open, army), search::GroupWay::kJumps);
    army.starts.resize(1);
    EXPECT_EQ(way_of(*noise, army), search::GroupWay::kJumps);
    army.starts = {{100, 100}};
    EXPECT_EQ(way_of(*noise, army), search::GroupWay::kJumps) << "nobody waits";
}

// If this failed, many units would all wait for the last, or a few would pay for a whole map.
TEST(GroupChoice, LanesAreForFewUnitsFarApartAndASmallGoal) {
    const auto open = store_of(2400, 0);
    const auto ring = [](std::size_t count) {
        model::GroupQuery army;
        army.goal.rect = {1200, 1200, 1, 1};
        for (std::size_t i = 0; i < count; ++i) {
            const auto along = static_cast<std::int32_t>(i * 2396 / count);
            army.starts.push_back(i % 2 == 0 ? Cell{along, 2} : Cell{2, along});
        }
        return army;
    };
    EXPECT_EQ(way_of(*open, ring(2)), search::GroupWay::kLanes);
    EXPECT_EQ(way_of(*open, ring(search::kLanesMax)), search::GroupWay::kLanes);
    EXPECT_EQ(way_of(*open, ring(search::kLanesMax + 1)), search::GroupWay::kJumps);
    model::GroupQuery wide = ring(2);
    wide.goal.rect.width = 16;
    EXPECT_EQ(way_of(*open, wide), search::GroupWay::kLanes);
    wide.goal.rect.width = 17;
    EXPECT_EQ(way_of(*open, wide), search::GroupWay::kJumps);
}

}  // namespace
}  // namespace outrider::test
