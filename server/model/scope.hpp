#pragma once
// What:     the cells that an answer hangs on. A search looks at cells from which a path through
//           them could still cost no more than the answer, and at their neighbours; what changes
//           elsewhere cannot change a byte of it:
//
//                 . . * * * * . . .        S start, G goal, *: start to cell plus cell to goal,
//                 . * * * * * * * .        both as the crow flies, is not above the cost
//                 . * S * * * G * .
//                 . * * * * * * * .
//                 . . * * * * . . .
//
// Contract: touches() is true for every rectangle of changed map cells that may change the answer.
//           It may be true for others too.
// Cost:     a few dozen instructions.
// Source:   server/search/README.md, "What an answer hangs on".

#include <cstdint>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/model/outcome.hpp"

namespace outrider::model {

// What a search is sent for, as far as the regions of the whole map decide it: the goal itself, or
// for a partial path the nearest cells to it that can be reached.
struct Aim {
    Outcome outcome{Outcome::kComplete};
    Outcome reason{Outcome::kComplete};
    // Of the goal region, in octile units.
    Cost range{0};
    // Which cells of a wide goal can be reached, where that guides the search from afar.
    std::uint64_t guide{0};
    friend bool operator==(const Aim&, const Aim&) = default;
};

struct Scope {
    // Everything: the answer stands only as long as its class sees no change at all.
    static constexpr Cost kEverywhere = ~Cost{0};

    Cell start;
    Rect goal;
    Aim aim;
    // Side of the unit: a changed cell counts for every anchor whose footprint covers it.
    std::int32_t footprint{1};
    // A cell belongs to the scope when
    //     start_factor * octile(start, cell) + goal_factor * octile(cell, goal region) <= limit.
    Cost start_factor{0};
    Cost goal_factor{0};
    Cost limit{kEverywhere};
    // Map cells that count besides: what smoothing looked at.
    Rect also{0, 0, 0, 0};

    [[nodiscard]] bool touches(const Rect& changed) const;
};

}  // namespace outrider::model
