#include "outrider/map/chunk_portals.hpp"

#include <algorithm>
#include <utility>

#include "outrider/map/layer.hpp"

namespace outrider::map {
namespace {

constexpr std::int32_t kLast = kChunkSide - 1;

// Where one may step over a border: a place along it on either side.
struct Crossing {
    std::uint8_t first;
    std::uint8_t second;
};

// Four a side: a detour to the nearest is then a few cells, which the exact legs smooth away, and a
// row stays one cache line.
constexpr std::array<int, 4> kSpread{8, 24, 40, 56};

int nearest_bit(std::uint64_t bits, int to) {
    const std::uint64_t before = bits & (~std::uint64_t{0} >> (kLast - to));
    const std::uint64_t after = bits & (~std::uint64_t{0} << to);
    const int left = before == 0 ? -1 : 63 - std::countl_zero(before);
    const int right = after == 0 ? -1 : std::countr_zero(after);
    if (left < 0 || right < 0) {
        return std::max(left, right);
    }
    return to - left <= right - to ? left : right;
}

// The crossings of one border. `first` is the western or the northern chunk.
class Border {
  public:
    Border(const ChunkRegions& first, const ChunkRegions& second, bool upright)
        : first_(first),
          second_(second),
          upright_(upright),
          bits_first_(upright ? first.east_edge() : first.row(kLast)),
          bits_second_(upright ? second.west_edge() : second.row(0)) {}

    void choose(Connectivity connectivity) {
        const std::uint64_t level = bits_first_ & bits_second_;
        spread(level);
        for (std::uint64_t rest = level; rest != 0;) {
            const int begin = std::countr_zero(rest);
            const int length = std::countr_one(rest >> begin);
            add_if_new(begin + length / 2, begin + length / 2);
            rest = begin + length > kLast ? 0 : rest & (~std::uint64_t{0} << (begin + length));
        }
        if (connectivity == Connectivity::kEight) {
            add_slanting(bits_first_ & (bits_second_ >> 1), 1);
            add_slanting(bits_first_ & (bits_second_ << 1), -1);
        }
    }

    [[nodiscard]] const Crossing* begin() const { return crossings_.data(); }
    [[nodiscard]] const Crossing* end() const { return crossings_.data() + count_; }

  private:
    void spread(std::uint64_t level) {
        if (level == 0) {
            return;
        }
        std::uint64_t picked = 0;
        for (const int place : kSpread) {
            picked |= std::uint64_t{1} << nearest_bit(level, place);
        }
        for (; picked != 0; picked &= picked - 1) {
            add(std::countr_zero(picked), std::countr_zero(picked));
        }
    }

    void add_slanting(std::uint64_t from, int shift) {
        for (; from != 0; from &= from - 1) {
            add_if_new(std::countr_zero(from), std::countr_zero(from) + shift);
        }
    }

    [[nodiscard]] std::pair<Label, Label> labels(int first, int second) const {
        return upright_ ? std::pair{first_.last_label(first), second_.first_label(second)}
                        : std::pair{first_.label_of_open(first, kLast),
                                    second_.label_of_open(second, 0)};
    }

    void add_if_new(int first, int second) {
        const auto pair = labels(first, second);
        const bool known = std::any_of(begin(), end(), [&](const Crossing& at) {
            return labels(at.first, at.second) == pair;
        });
        if (!known) {
            add(first, second);
        }
    }

    void add(int first, int second) {
        if (count_ < kPortalsPerSideMax) {
            crossings_[count_++] = {static_cast<std::uint8_t>(first),
                                    static_cast<std::uint8_t>(second)};
        }
    }

    const ChunkRegions& first_;
    const ChunkRegions& second_;
    bool upright_;
    std::uint64_t bits_first_;
    std::uint64_t bits_second_;
    std::array<Crossing, kPortalsPerSideMax> crossings_{};
    std::size_t count_{0};
};

// The move from one cell at the border to the next: the side, and one along the border.
Move step_over(Side side, int along) {
    if (along == 0) {
        return side;
    }
    switch (side) {
        case kN: return along > 0 ? kNE : kNW;
        case kS: return along > 0 ? kSE : kSW;
        case kE: return along > 0 ? kSE : kNE;
        default: return along > 0 ? kSW : kNW;
    }
}

Portal portal_at(const ChunkRegions& chunk, Side side, const Crossing& crossing) {
    const bool is_first = side == kE || side == kS;
    const std::uint8_t here = is_first ? crossing.first : crossing.second;
    const int along =
        is_first ? crossing.second - crossing.first : crossing.first - crossing.second;
    Portal portal{here, here, side, step_over(side, along), kNoLabel};
    if (side == kE || side == kW) {
        portal.x = side == kE ? kLast : 0;
    } else {
        portal.y = side == kS ? kLast : 0;
    }
    portal.label = chunk.label_of_open(portal.x, portal.y);
    return portal;
}

}  // namespace

ChunkPortals::ChunkPortals(const ChunkGrid& chunks, ChunkPlace place) {
    for (std::uint32_t side = 0; side < kSides; ++side) {
        add_side(chunks, place, static_cast<Side>(side));
        first_[side + 1] = static_cast<std::uint16_t>(portals_.size());
    }
    portals_.shrink_to_fit();
    rows_ = std::make_unique<Row[]>(portals_.size());
}

ChunkPortals::~ChunkPortals() {
    for (std::size_t i = 0; i < portals_.size(); ++i) {
        delete[] rows_[i].load(std::memory_order_relaxed);
    }
}

void ChunkPortals::add_side(const ChunkGrid& chunks, ChunkPlace place, Side side) {
    const ChunkPlace there{place.x + kMoveX[side], place.y + kMoveY[side]};
    if (!chunks.contains(there)) {
        return;
    }
    const ChunkRegions& here = chunks.at(place);
    const ChunkRegions& other = chunks.at(there);
    if (side >= kNE) {
        const std::int32_t x = kMoveX[side] > 0 ? kLast : 0;
        const std::int32_t y = kMoveY[side] > 0 ? kLast : 0;
        const Label label = here.label(x, y);
        if (chunks.connectivity == Connectivity::kEight && label != kNoLabel &&
            other.label(kLast - x, kLast - y) != kNoLabel) {
            portals_.push_back(
                {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), side, side, label});
        }
        return;
    }
    const bool is_first = side == kE || side == kS;
    Border border(is_first ? here : other, is_first ? other : here, side == kE || side == kW);
    border.choose(chunks.connectivity);
    for (const Crossing& crossing : border) {
        portals_.push_back(portal_at(here, side, crossing));
    }
}

const std::uint32_t* ChunkPortals::make_row(const Layer& layer, ChunkPlace place,
                                            std::uint32_t index, ChunkSearch& scratch) const {
    const Portal& from = portals_[index];
    scratch.begin(layer, {place.x * kChunkSide + from.x, place.y * kChunkSide + from.y});
    for (const Portal& to : portals_) {
        if (to.label == from.label) {
            scratch.want(to.x, to.y);
        }
    }
    while (!scratch.done()) {
        scratch.step(kChunkSide * kChunkSide);
    }
    auto row = std::make_unique_for_overwrite<std::uint32_t[]>(count());
    for (std::uint32_t i = 0; i < count(); ++i) {
        row[i] = portals_[i].label == from.label ? scratch.cost(portals_[i].x, portals_[i].y)
                                                 : ChunkSearch::kNoWay;
    }
    // Who comes second finds the same numbers there and takes those.
    const std::uint32_t* known = nullptr;
    if (rows_[index].compare_exchange_strong(known, row.get(), std::memory_order_acq_rel)) {
        return row.release();
    }
    return known;
}

std::size_t ChunkPortals::bytes() const {
    std::size_t rows = 0;
    for (std::uint32_t i = 0; i < count(); ++i) {
        rows += rows_[i].load(std::memory_order_relaxed) != nullptr ? 1 : 0;
    }
    return sizeof(ChunkPortals) + count() * (sizeof(Portal) + sizeof(Row)) +
           rows * count() * sizeof(std::uint32_t);
}

Portals::Portals(std::int32_t across, std::int32_t down)
    : slots_(across, down, std::make_shared<const Slot>()) {
    for (ChunkPlace place{0, 0}; place.y < down; ++place.y) {
        for (place.x = 0; place.x < across; ++place.x) {
            drop(place);
        }
    }
}

const ChunkPortals& Portals::make(const Slot& slot, const ChunkGrid& chunks, ChunkPlace place) {
    auto fresh = std::make_unique<const ChunkPortals>(chunks, place);
    const ChunkPortals* known = nullptr;
    if (slot.portals.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel)) {
        return *fresh.release();
    }
    return *known;
}

}  // namespace outrider::map
