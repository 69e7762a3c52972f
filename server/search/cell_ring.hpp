#pragma once
// What:  the weights of the eight cells around a cell in one word, and what the terrain kernel asks
//        of them: which are open, and whether all that are open weigh the same.
//
//          byte  0 1 2     0: blocked
//                3 . 4
//                5 6 7

#include <array>
#include <cstdint>
#include <cstring>

#include "outrider/search/moves.hpp"

namespace outrider::search {

struct CellRing {
    std::uint64_t cells;
    std::uint32_t own;  // the cell's weight

    // Every open cell weighs as much as the one in the middle. `around` as from around().
    [[nodiscard]] bool one_weight() const { return cells == (spread(own) & full_bytes(tops())); }
    // Bits as from bits_around(); that of the cell itself is set.
    [[nodiscard]] unsigned around() const {
        // The multiplication brings each bit to its place in the top byte.
        const auto open = static_cast<unsigned>(((tops() >> 7U) * 0x0102040810204080ULL) >> 56U);
        return (open & 0xFU) | 1U << 4U | (open & 0xF0U) << 1U;
    }
    [[nodiscard]] unsigned weight(unsigned move) const { return (cells >> kShift[move]) & 0xFFU; }

  private:
    static constexpr std::array<std::uint8_t, kMoveCount> kShift{8, 32, 48, 24, 16, 56, 40, 0};
    static constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7FULL;

    [[nodiscard]] static constexpr std::uint64_t spread(std::uint64_t weight) {
        return weight * 0x0101010101010101ULL;
    }
    // The top bit of each byte that is not 0.
    [[nodiscard]] std::uint64_t tops() const { return (((cells & kLow) + kLow) | cells) & ~kLow; }
    [[nodiscard]] static constexpr std::uint64_t full_bytes(std::uint64_t tops) {
        return (tops >> 7U) * 0xFFU;
    }
};

// The same as three rows, bytes 1 .. 3 of each: what most cells need to know takes less to find.
struct CellRows {
    std::uint32_t above;
    std::uint32_t middle;
    std::uint32_t below;

    [[nodiscard]] std::uint32_t own() const { return middle >> 16U & 0xFFU; }
    // Open all over, and of one weight.
    [[nodiscard]] bool even() const {
        const std::uint32_t same = own() * 0x01010101U;
        return (((above ^ same) | (middle ^ same) | (below ^ same)) >> 8U) == 0 && own() != 0;
    }
    [[nodiscard]] CellRing ring() const {
        return {std::uint64_t{above >> 8U} | std::uint64_t{middle >> 8U & 0xFFU} << 24U |
                    std::uint64_t{middle >> 24U} << 32U | std::uint64_t{below >> 8U} << 40U,
                own()};
    }
};

// Needs a cell of a layer with weights.
[[nodiscard]] inline CellRows rows_of(const map::Layer& layer, std::int32_t x, std::int32_t y) {
    const std::uint8_t* const at = layer.weight_at({x, y});
    // The weights x - 1 .. x + 1 in bytes 1 .. 3: one load that stays inside the tile.
    const auto row = [at](std::int32_t line) {
        std::uint32_t bytes;
        std::memcpy(&bytes, at + line * map::Layer::kWeightStride - 2, sizeof bytes);
        return bytes;
    };
    return {row(-1), row(0), row(1)};
}

}  // namespace outrider::search
