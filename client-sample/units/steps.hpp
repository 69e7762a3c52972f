#pragma once
// What:     a path as steps from cell to cell, each with its exact length, and which step is legal.
// Contract: points are turning points, waypoints or cells: legs of any angle. A leg that is
//           straight or exactly diagonal gives its cells. One of another angle gives the cells
//           whose inside the line between the two centres meets, with a diagonal step where it runs
//           through the very corner of four cells; so a leg that is in sight gives legal steps. The
//           lengths of a leg's steps add up to the leg's, rounded down once.
// Cost:     linear in the cells.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::units {

struct Step {
    model::Cell to;
    // Of model::kStraight to a cell: times the weights of both cells it is a model::Cost.
    std::uint32_t length{};
    friend bool operator==(const Step&, const Step&) = default;
};

// From the first point on, which is no step itself.
[[nodiscard]] std::vector<Step> steps_of(std::span<const model::Cell> points);
// To a neighbour.
[[nodiscard]] Step step_between(model::Cell from, model::Cell to);
// Both are neighbours. `from` may be blocked: who is built on may walk off.
[[nodiscard]] bool is_legal(const map::Layer& layer, model::Cell from, model::Cell to);
// What the step costs: a blocked cell weighs as the cheapest terrain of the class.
[[nodiscard]] model::Cost cost_of(const map::Layer& layer, model::Cell from, const Step& step);
// 0 .. 7, clockwise from north.
[[nodiscard]] std::uint8_t heading_of(model::Cell from, model::Cell to);
// By how many eighths of a circle a unit turns, the shorter way round: 0 .. 4.
[[nodiscard]] std::uint8_t turn_between(std::uint8_t heading, std::uint8_t other);

}  // namespace outrider::units
