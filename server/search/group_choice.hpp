#pragma once
// What:     whether jumps or a wave over the cells settle a group sooner, guessed from a sample.
// Contract: depends on layer and units alone. Needs a layer with stops.
//           A wave settles every cell up to the farthest unit. Jumps expand the jump points alone,
//           and of these only such as lie on the way to units; but to expand one
//           takes as long as a wave takes for some cells. So jumps lose where nearly every third
//           cell is a jump point (noise) and units stand on all sides of the goal.
// Cost:     a microsecond or two, and a few instructions a unit.
// Source:   decisions/0025-an-army-is-met-by-jumps.md.

#include "outrider/search/group_units.hpp"

namespace outrider::search {

[[nodiscard]] bool jumps_are_sooner(const map::Layer& layer, const GroupUnits& units);

}  // namespace outrider::search
