#pragma once
// What: word tricks of the bit planes; read by the room's own sources.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace outrider::map::bits {

using Block = std::array<std::uint64_t, 64>;

// `count` ones from bit `first` on; first + count is at most 64, count at least 1.
[[nodiscard]] inline std::uint64_t mask(std::int32_t first, std::int32_t count) {
    return (~std::uint64_t{0} >> (64 - count)) << first;
}

// Bit i is set where bytes[i] != value; at most 64 bytes.
[[nodiscard]] inline std::uint64_t pack_not_equal(std::span<const std::uint8_t> bytes,
                                                  std::uint8_t value) {
    std::uint64_t packed = 0;
    std::size_t i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        // Eight bytes at a time: 0 or 1 in each, gathered into the top byte by one product.
        constexpr std::uint64_t kLow7 = 0x7F7F7F7F7F7F7F7F;
        constexpr std::uint64_t kOnes = 0x0101010101010101;
        for (; i + 8 <= bytes.size(); i += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, bytes.data() + i, sizeof(eight));
            const std::uint64_t difference = eight ^ (kOnes * value);
            const std::uint64_t unequal =
                ((((difference & kLow7) + kLow7) | difference) >> 7) & kOnes;
            packed |= ((unequal * 0x0102040810204080) >> 56) << i;
        }
    }
    for (; i < bytes.size(); ++i) {
        packed |= static_cast<std::uint64_t>(bytes[i] != value) << i;
    }
    return packed;
}

// Bit x of word y becomes bit y of word x: six rounds that swap halves of halves. All but the last
// swap whole runs of words, which compilers do several at a time.
template <std::size_t kWidth>
inline void transpose_round(Block& block, std::uint64_t keep) {
    for (std::size_t base = 0; base < block.size(); base += 2 * kWidth) {
        for (std::size_t row = base; row < base + kWidth; ++row) {
            const std::uint64_t swap = ((block[row] >> kWidth) ^ block[row + kWidth]) & keep;
            block[row] ^= swap << kWidth;
            block[row + kWidth] ^= swap;
        }
    }
}
inline void transpose(Block& block) {
    transpose_round<32>(block, 0x00000000FFFFFFFF);
    transpose_round<16>(block, 0x0000FFFF0000FFFF);
    transpose_round<8>(block, 0x00FF00FF00FF00FF);
    transpose_round<4>(block, 0x0F0F0F0F0F0F0F0F);
    transpose_round<2>(block, 0x3333333333333333);
    transpose_round<1>(block, 0x5555555555555555);
}

// Bits first .. first + 7 of the 64 words of `to` become what eight lines hold: bit first + i of
// word x is bit x of line i. The rest of `to` stays. A turn of eight words by bytes, then of each
// word by bits: a fifth of what turning all 64 lines takes.
inline void write_eight_turned(std::array<std::uint64_t, 8> lines, std::size_t first,
                               std::uint64_t* to) {
    const auto swap_bytes = [&lines](std::size_t width, std::uint64_t keep) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if ((i & width) == 0) {
                const auto by = static_cast<int>(8 * width);
                const std::uint64_t swap = ((lines[i] >> by) ^ lines[i + width]) & keep;
                lines[i] ^= swap << by;
                lines[i + width] ^= swap;
            }
        }
    };
    swap_bytes(4, 0x00000000FFFFFFFF);
    swap_bytes(2, 0x0000FFFF0000FFFF);
    swap_bytes(1, 0x00FF00FF00FF00FF);
    const std::uint64_t others = ~(std::uint64_t{0xFF} << first);
    for (std::size_t column = 0; column < lines.size(); ++column) {
        std::uint64_t eight = lines[column];
        const auto swap_bits = [&eight](int by, std::uint64_t keep) {
            const std::uint64_t swap = (eight ^ (eight >> by)) & keep;
            eight ^= swap ^ (swap << by);
        };
        swap_bits(7, 0x00AA00AA00AA00AA);
        swap_bits(14, 0x0000CCCC0000CCCC);
        swap_bits(28, 0x00000000F0F0F0F0);
        for (std::size_t i = 0; i < 8; ++i) {
            std::uint64_t& word = to[8 * column + i];
            word = (word & others) | (((eight >> (8 * i)) & 0xFF) << first);
        }
    }
}

}  // namespace outrider::map::bits
