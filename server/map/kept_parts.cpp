#include "outrider/map/kept_parts.hpp"

#include <algorithm>
#include <bit>

namespace outrider::map {
namespace {

// The runs of `mask` that hold a seed. An addition carries up through a run of ones from its lowest
// seed; downwards no addition goes, and the fill doubles its length in each round.
std::uint64_t fill_runs(std::uint64_t seeds, std::uint64_t mask) {
    std::uint64_t filled = seeds | (((mask + seeds) ^ mask) & mask);
    std::uint64_t passes = mask;
    for (int by = 1; by < kChunkSide; by *= 2) {
        filled |= passes & (filled >> by);
        passes &= passes >> by;
    }
    return filled;
}

}  // namespace

std::optional<KeptParts::Answer> KeptParts::find(const ChunkRegions& before,
                                                 const ChunkRegions::Rows& rows,
                                                 Connectivity connectivity) {
    std::int32_t top = 0;
    std::int32_t bottom = kChunkSide - 1;
    const auto differs = [&](std::int32_t y) {
        return before.row(y) != rows[static_cast<std::size_t>(y)];
    };
    while (top <= bottom && !differs(top)) {
        ++top;
    }
    while (bottom > top && !differs(bottom)) {
        --bottom;
    }
    if (top > bottom) {
        return Answer{top, bottom, kNoLabel};
    }
    if (bottom - top >= kRowsMax) {
        return std::nullopt;
    }
    KeptParts parts(before, rows, connectivity, {top, bottom, kNoLabel});
    if (!parts.parts_hang_together() || !parts.find_opened()) {
        return std::nullopt;
    }
    return parts.answer_;
}

KeptParts::KeptParts(const ChunkRegions& before, const ChunkRegions::Rows& rows,
                     Connectivity connectivity, Answer answer)
    : before_(before),
      eight_(connectivity == Connectivity::kEight),
      answer_(answer),
      first_(static_cast<std::size_t>(std::max(answer.top, 1))),
      last_(static_cast<std::size_t>(std::min(answer.bottom + 2, kChunkSide))) {
    for (std::size_t y = 0; y < rows.size(); ++y) {
        kept_[y + 1] = before.rows()[y] & rows[y];
        went_[y + 1] = before.rows()[y] & ~rows[y];
        came_[y + 1] = rows[y] & ~before.rows()[y];
    }
}

// What one step leads to in a row, and what stands there.
std::uint64_t KeptParts::reach_of(const Padded& cells, std::size_t row) const {
    const std::uint64_t beside = cells[row - 1] | cells[row + 1];
    const std::uint64_t here = eight_ ? cells[row] | beside : cells[row];
    return here | here << 1 | here >> 1 | beside;
}

KeptParts::Padded KeptParts::around(const Padded& changed) const {
    Padded ring{};
    for (std::size_t row = first_; row <= last_; ++row) {
        ring[row] = reach_of(changed, row) & kept_[row];
    }
    return ring;
}

// Those of `left` that have the label of its first cell; they are taken out of it.
KeptParts::Seeds KeptParts::take_one_label(Padded& left) const {
    Seeds seeds;
    for (std::size_t row = first_; row <= last_; ++row) {
        for (std::uint64_t rest = left[row]; rest != 0;) {
            const std::uint64_t start = rest & (~rest + 1);
            const std::uint64_t run = rest & ~(rest + start);
            const auto y = static_cast<std::int32_t>(row) - 1;
            const Label label = before_.label_of_open(std::countr_zero(start), y);
            if (seeds.label == kNoLabel || label == seeds.label) {
                seeds.label = label;
                seeds.cells[row] |= run;
            }
            rest &= ~run;
        }
        left[row] &= ~seeds.cells[row];
    }
    return seeds;
}

bool KeptParts::sweep(Padded& from, const Padded& within, std::size_t row) const {
    const std::uint64_t seeds = reach_of(from, row) & within[row];
    if (seeds == from[row]) {
        return false;
    }
    from[row] = fill_runs(seeds, within[row]);
    return true;
}

// Steps on `within` lead from the cells of `from` to all cells of `goal`.
bool KeptParts::reaches(Padded from, const Padded& within, const Padded& goal) const {
    // Most ways around a building are short: the rows that are looked at grow by this many.
    constexpr std::size_t kMoreRows = 8;
    std::size_t low = first_;
    std::size_t high = last_;
    while (true) {
        bool changed = false;
        for (std::size_t row = low; row <= high; ++row) {
            changed |= sweep(from, within, row);
        }
        for (std::size_t row = high + 1; row-- > low;) {
            changed |= sweep(from, within, row);
        }
        bool all = true;
        for (std::size_t row = first_; row <= last_; ++row) {
            all &= (goal[row] & ~from[row]) == 0;
        }
        const bool whole = low == 1 && high == kChunkSide;
        if (all || (whole && !changed)) {
            return all;
        }
        low = low > kMoreRows ? low - kMoreRows : 1;
        high = std::min<std::size_t>(high + kMoreRows, kChunkSide);
    }
}

// A way through cells that went enters and leaves them beside them.
bool KeptParts::parts_hang_together() const {
    Padded left = around(went_);
    while (true) {
        const Seeds seeds = take_one_label(left);
        if (seeds.label == kNoLabel) {
            return true;
        }
        Padded from{};
        const auto row = static_cast<std::size_t>(
            std::ranges::find_if(seeds.cells, [](std::uint64_t word) { return word != 0; }) -
            seeds.cells.begin());
        from[row] = seeds.cells[row] & (~seeds.cells[row] + 1);
        if (!reaches(from, kept_, seeds.cells)) {
            return false;
        }
    }
}

// Cells that came join nothing if they border on one part alone, and all of them do.
bool KeptParts::find_opened() {
    if (std::ranges::all_of(came_, [](std::uint64_t word) { return word == 0; })) {
        return true;
    }
    Padded left = around(came_);
    const Seeds seeds = take_one_label(left);
    answer_.opened = seeds.label;
    if (seeds.label == kNoLabel ||
        std::ranges::any_of(left, [](std::uint64_t word) { return word != 0; })) {
        return false;
    }
    Padded within = came_;
    for (std::size_t row = first_; row <= last_; ++row) {
        within[row] |= seeds.cells[row];
    }
    return reaches(seeds.cells, within, came_);
}

}  // namespace outrider::map
