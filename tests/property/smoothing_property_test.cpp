// The laws of smoothed paths over random maps, weights, footprints, corner rules and edits.

#include <gtest/gtest.h>

#include "outrider/model/path.hpp"
#include "outrider/search/smoothing.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/search_world.hpp"
#include "support/sight_oracle.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using search::Grade;
using search::Point;
using search::Smoothed;

struct Case {
    map::Grid grid;
    model::MovementClass who;
    model::PathResult path;
    model::Smoothing how;
    Smoothed smoothed;
};

Spot spot(Point point) {
    return {point.x, point.y};
}

long double length_of(std::span<const Point> points) {
    long double sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        sum += std::hypot(static_cast<long double>(points[i].x - points[i - 1].x),
                          static_cast<long double>(points[i].y - points[i - 1].y));
    }
    return sum;
}

std::vector<Point> centres(std::span<const Cell> cells, std::uint8_t footprint) {
    std::vector<Point> points;
    for (const Cell cell : cells) {
        points.push_back(search::unit_centre(cell, footprint));
    }
    return points;
}

// The line is straight along cells of the path that follow one another.
bool is_piece_of_path(const Case& one, Point from, Point to) {
    const std::vector<Cell> cells = model::cells_of(one.path.turning_points);
    const Cell start = search::anchor_of(from, one.who.footprint);
    const Cell end = search::anchor_of(to, one.who.footprint);
    const auto first = std::ranges::find(cells, start);
    const auto last = std::find(first, cells.end(), end);
    return last != cells.end() && model::turning_points_of(std::span(first, last + 1)).size() == 2;
}

// The unit's square slides over the map's own cells, not over anchors.
bool body_passes(const Case& one, const WeightGrid& cells, Point from, Point to) {
    const std::int64_t half = (one.who.footprint - 1) * 128 + one.how.clearance + 128;
    return passes(cells, spot(from), spot(to), search::kCellSide, half);
}

void expect_lines_walkable(const Case& one) {
    model::MovementClass thin = one.who;
    thin.footprint = 1;
    const WeightGrid cells = weights_of(one.grid, thin);
    const WeightGrid anchors = weights_of(one.grid, one.who);
    const bool cuts = one.who.directions == model::Directions::kEight &&
                      one.who.corner_rule != model::CornerRule::kBothOpen;
    for (std::size_t i = 1; i < one.smoothed.points.size(); ++i) {
        const Point from = one.smoothed.points[i - 1];
        const Point to = one.smoothed.points[i];
        ASSERT_NE(from, to);
        const Cell a = search::anchor_of(from, one.who.footprint);
        const Cell b = search::anchor_of(to, one.who.footprint);
        const bool leaves_block = i == 1 && !anchors.open(a);
        bool walkable = false;
        if (one.how.grade == Grade::kWaypoints) {
            walkable = oracle_sight(anchors, mover_of(one.who), a, b);
        } else {
            walkable = body_passes(one, cells, from, to);
        }
        const bool may_keep = leaves_block || (cuts && one.how.grade == Grade::kCorners);
        ASSERT_TRUE(walkable || (may_keep && is_piece_of_path(one, from, to)))
            << "line " << i << " of " << one.smoothed.points.size() << " from " << from.x << ","
            << from.y << " to " << to.x << "," << to.y;
    }
}

void expect_laws(const Case& one) {
    const std::vector<Point> path = centres(one.path.turning_points, one.who.footprint);
    const Smoothed& smoothed = one.smoothed;
    ASSERT_FALSE(smoothed.points.empty());
    ASSERT_EQ(smoothed.points.front(), path.front());
    ASSERT_EQ(smoothed.points.back(), path.back());
    const long double length = length_of(smoothed.points);
    ASSERT_LE(length, length_of(path) + 1e-6L);
    ASSERT_GE(static_cast<long double>(smoothed.length), length - 1e-6L);
    ASSERT_LE(static_cast<long double>(smoothed.length),
              length + 1.001L + static_cast<long double>(smoothed.points.size()) / 1024);
    ASSERT_LE(smoothed.cost, one.path.cost);
    if (one.how.grade == Grade::kWaypoints) {
        const std::vector<Cell> cells = model::cells_of(one.path.turning_points);
        auto at = cells.begin();
        for (const Point point : smoothed.points) {
            at = std::find(at, cells.end(), search::anchor_of(point, one.who.footprint));
            ASSERT_NE(at, cells.end()) << "a waypoint beside the path, or out of order";
        }
        ASSERT_LE(smoothed.points.size(), cells.size());
    }
    expect_lines_walkable(one);
}

// If this failed, a smoothed path would lead through a wall or a swamp, be longer than the path of
// cells, or end somewhere else.
TEST(SmoothingProperty, NeverThroughAWallNeverLongerNeverDearer) {
    Random random(71);
    const search::BuffersPtr buffers = search::make_buffers();
    std::uint64_t shorter = 0;
    for (std::uint64_t round = 0; round < rounds(250); ++round) {
        const map::Grid first = round % 4 == 0 ? tiny_map(random) : random_map(random);
        const model::MovementClass who = random_class(random);
        const auto store = map::Store::create(first, {who}).value();
        for (int edit = 0; edit < 2; ++edit) {
            const auto snapshot = store->snapshot();
            const map::Layer& layer = *snapshot->layer({0});
            Case one{painted(store->state(), who), who, {}, {}, {}};
            const WeightGrid weights = weights_of(one.grid, who);
            for (int question = 0; question < 4; ++question) {
                one.path = search::run(layer, random_query(random, weights), *buffers);
                for (const Grade grade : {Grade::kWaypoints, Grade::kCorners}) {
                    if (one.path.turning_points.empty()) {
                        continue;
                    }
                    one.how = {grade, random.chance(50)
                                          ? search::kClearanceMax
                                          : static_cast<std::int32_t>(random.between(1, 128))};
                    one.smoothed = search::smooth(layer, one.path.turning_points, one.how);
                    ASSERT_NO_FATAL_FAILURE(expect_laws(one))
                        << "round " << round << " grade " << static_cast<int>(grade)
                        << " clearance " << one.how.clearance << " footprint "
                        << int{who.footprint};
                    ASSERT_EQ(search::smooth(layer, one.path.turning_points, one.how),
                              one.smoothed);
                    shorter += one.smoothed.cost < one.path.cost ? 1 : 0;
                }
            }
            ASSERT_TRUE(store->apply(random_batch(random, first)).has_value());
        }
    }
    EXPECT_GT(shorter, rounds(250) / 2);
}

// If this failed, a cached smoothed path would outlive the edit that changes it, and peers with a
// warm and a cold cache would march apart.
TEST(SmoothingProperty, NothingOutsideWhatWasLookedAtChangesIt) {
    Random random(72);
    const search::BuffersPtr buffers = search::make_buffers();
    std::uint64_t compared = 0;
    for (std::uint64_t round = 0; round < rounds(150); ++round) {
        const map::Grid grid = random_map(random);
        const model::MovementClass who = random_class(random);
        const auto store = map::Store::create(grid, {who}).value();
        const auto before = store->snapshot();
        const model::PathResult path =
            search::run(*before->layer({0}), random_query(random, weights_of(grid, who)), *buffers);
        if (path.turning_points.empty()) {
            continue;
        }
        for (const Grade grade : {Grade::kWaypoints, Grade::kCorners}) {
            const model::Smoothing how{grade, static_cast<std::int32_t>(random.between(1, 128))};
            const Smoothed first = search::smooth(*before->layer({0}), path.turning_points, how);
            // All that lies outside becomes something else.
            map::Grid other = grid;
            for (std::int32_t y = 0; y < grid.height; ++y) {
                for (std::int32_t x = 0; x < grid.width; ++x) {
                    if (!first.looked_at.contains({x, y})) {
                        other.terrain[static_cast<std::size_t>(y * grid.width + x)] =
                            random.chance(50) ? '@' : '.';
                    }
                }
            }
            const auto changed = map::Store::create(other, {who}).value();
            ASSERT_EQ(search::smooth(*changed->snapshot()->layer({0}), path.turning_points, how),
                      first);
            ++compared;
        }
    }
    EXPECT_GT(compared, rounds(150) / 2);
}

}  // namespace
}  // namespace outrider::test
