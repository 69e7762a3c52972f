#pragma once
// What:     the part of a diagonal run that lies in one chunk, all its cells at once.
// Contract: (x, y) lies on the map. It is the first cell of the whole run (`known`), where the step
//           into it is legal though it may come from a blocked start, or the next after another
//           chunk's part that goes on.
//           `rows` and `columns` have a bit for each cell that the run enters and from which a
//           straight jump along the run's own direction east or west, or north or south, may find
//           something: bit y & 63 of `rows`, bit x & 63 of `columns`. All other cells need no look.
// Cost:     three loads, and no loop over the cells.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/search/moves.hpp"

namespace outrider::search {

struct DiagonalRun {
    std::int32_t cells;
    bool goes_on;  // into the next chunk, at the next cell
    std::uint64_t rows;
    std::uint64_t columns;
};

// `count` bits from `first` on, up or down; count is 0..64.
template <bool kUp>
[[nodiscard]] inline std::uint64_t bits_from(std::int32_t first, std::int32_t count) {
    if (count == 0) {
        return 0;
    }
    const auto rest = static_cast<unsigned>(64 - count);
    return kUp ? (~std::uint64_t{0} >> rest) << static_cast<unsigned>(first)
               : (~std::uint64_t{0} << rest) >> static_cast<unsigned>(63 - first);
}

template <Move kMove>
[[nodiscard, gnu::always_inline]] inline DiagonalRun diagonal_run(const std::uint64_t* tile,
                                                                  std::int32_t x, std::int32_t y,
                                                                  bool known) {
    using map::Diagonal;
    using enum map::Plane;
    constexpr bool kEastward = kMove == kNE || kMove == kSE;
    constexpr bool kSouthward = kMove == kSE || kMove == kSW;
    constexpr bool kFalling = kEastward == kSouthward;
    constexpr map::Plane kSteps = kFalling ? kStepsFalling : kStepsRising;
    constexpr map::Plane kFindsAlong = kEastward
                                           ? (kFalling ? kFindsEastFalling : kFindsEastRising)
                                           : (kFalling ? kFindsWestFalling : kFindsWestRising);
    constexpr map::Plane kFindsBeside = kSouthward
                                            ? (kFalling ? kFindsSouthFalling : kFindsSouthRising)
                                            : (kFalling ? kFindsNorthFalling : kFindsNorthRising);
    const std::int32_t in_x = x & 63;
    const std::int32_t in_y = y & 63;
    const auto by_y = static_cast<std::size_t>(kFalling ? Diagonal::falling_by_y(in_x, in_y)
                                                        : Diagonal::rising(in_x, in_y));
    const auto by_x = static_cast<std::size_t>(kFalling ? Diagonal::falling_by_x(in_x, in_y)
                                                        : Diagonal::rising(in_x, in_y));
    // A step bit belongs to the western of its two cells: going east it is asked on the cell that
    // is left, going west on the cell that is entered.
    const std::uint64_t steps =
        map::plane_of(tile, kSteps)[by_y] | std::uint64_t{!kEastward && known} << in_y;
    const int legal =
        kSouthward ? std::countr_one(steps >> in_y) : std::countl_one(steps << (63 - in_y));
    const std::int32_t room =
        1 + std::min(kEastward ? 63 - in_x : in_x, kSouthward ? 63 - in_y : in_y);
    DiagonalRun run;
    run.cells = std::min(kEastward ? legal + 1 : legal, room);
    run.goes_on = legal >= room;
    run.rows = map::plane_of(tile, kFindsAlong)[by_y] & bits_from<kSouthward>(in_y, run.cells);
    run.columns = map::plane_of(tile, kFindsBeside)[by_x] & bits_from<kEastward>(in_x, run.cells);
    return run;
}

}  // namespace outrider::search
