#pragma once
// What:     the way from a cell that a field reached down to the source that is nearest by path.
// Contract: each cell has one next cell: against the first, in the order of moves, of the moves
//           that reached it (Field::arrivals). So ways that meet stay together, and a way loses
//           at each step exactly what the step costs.
// Cost:     one load a cell.

#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "outrider/search/field.hpp"

namespace outrider::search {

// By set of arrivals: the first move, in order, that leads back against one of them.
constexpr std::array<std::uint8_t, 256> make_down() {
    std::array<std::uint8_t, 256> down{};
    for (unsigned arrivals = 1; arrivals < down.size(); ++arrivals) {
        const unsigned straight = arrivals & 15U;
        const unsigned diagonal = arrivals >> 4U;
        // The opposite of each move lies two places on in its group of four.
        const unsigned back = ((straight << 2U | straight >> 2U) & 15U) |
                              ((diagonal << 2U | diagonal >> 2U) & 15U) << 4U;
        down[arrivals] = static_cast<std::uint8_t>(std::countr_zero(back));
    }
    return down;
}
inline constexpr std::array<std::uint8_t, 256> kDown = make_down();

class FieldWalk {
  public:
    // The move that leads down from a cell with these arrivals.
    [[nodiscard]] static std::size_t down(Arrivals arrivals) { return kDown[arrivals]; }

    // Appends the cells where the way turns after `from`, and its end; `from` itself only if
    // `points` is empty. Returns the number of cells after `from`. `came` is the move that led to
    // `from`, or kMoveCount; where the way goes on in that direction `from` must not be in
    // `points`.
    static std::size_t walk(const Field& field, model::Cell from, std::vector<model::Cell>& points,
                            std::size_t came = kMoveCount) {
        Field::Entry at = field.entry_of(from);
        std::size_t cells = 0;
        std::size_t last = came;
        for (;; ++cells) {
            const std::uint64_t word = field.words_[at.index];
            const model::Cell here{at.x, at.y};
            if (Field::distance_in(word) == 0) {
                points.push_back(here);
                return cells;
            }
            const std::size_t move = kDown[word & Field::kArrivalMask];
            if (move != last) {
                points.push_back(here);
                last = move;
            }
            at = field.neighbour(at, static_cast<unsigned>(move));
        }
    }
};

}  // namespace outrider::search
