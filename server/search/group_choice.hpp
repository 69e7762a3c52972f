#pragma once
// What:     which way of settling a group is soonest, guessed from a sample of the map.
// Contract: depends on layer and units alone.
//           Each way is weighed by the cells whose jump points it expands. Jumps: all that lie on
//           the way to some troop of units. Lanes: a strip for each unit. A wave settles every
//           cell up to the farthest unit, and is quicker at it by so much as jump points lie
//           thick: in noise nearly every third cell is one.
// Cost:     a microsecond or two, and a few instructions a unit.
// Source:   decisions/0025-an-army-is-met-by-jumps.md.

#include "outrider/search/group_units.hpp"

namespace outrider::search {

enum class GroupWay : std::uint8_t { kWave, kJumps, kLanes };

// More units than these are not settled one by one: the first would wait for the last.
inline constexpr std::size_t kLanesMax = 64;

[[nodiscard]] GroupWay choose_way(const map::Layer& layer, const GroupUnits& units);

}  // namespace outrider::search
