#include "outrider/search/canonical.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "outrider/model/cost.hpp"

namespace outrider::search {
namespace {

constexpr model::Cost kNoWay = ~model::Cost{0};

// The 3 x 3 around a cell that stands at (0, 0).
class Patch {
  public:
    Patch(unsigned around, model::Directions directions, model::CornerRule rule)
        : around_(around),
          eight_(directions == model::Directions::kEight),
          sides_needed_(rule == model::CornerRule::kBothOpen  ? 2
                        : rule == model::CornerRule::kOneOpen ? 1
                                                              : 0) {}

    [[nodiscard]] bool open(model::Cell at) const {
        return ((around_ >> static_cast<unsigned>((at.y + 1) * 3 + at.x + 1)) & 1U) != 0;
    }
    // kNoWay where one step does not lead there. Whether `from` is open is not asked.
    [[nodiscard]] model::Cost step(model::Cell from, model::Cell to) const {
        const std::int32_t dx = to.x - from.x;
        const std::int32_t dy = to.y - from.y;
        if (std::max(std::abs(dx), std::abs(dy)) != 1 || !open(to)) {
            return kNoWay;
        }
        if (dx == 0 || dy == 0) {
            return model::kStraight;
        }
        const int sides =
            (open({from.x + dx, from.y}) ? 1 : 0) + (open({from.x, from.y + dy}) ? 1 : 0);
        return eight_ && sides >= sides_needed_ ? model::kDiagonal : kNoWay;
    }
    // In one or two steps and not by (0, 0): three cost more than any two.
    [[nodiscard]] model::Cost around_middle(model::Cell from, model::Cell to) const {
        model::Cost least = from == to ? 0 : step(from, to);
        for (const model::Cell by : kRing) {
            const model::Cost first = step(from, by);
            const model::Cost second = step(by, to);
            if (first != kNoWay && second != kNoWay) {
                least = std::min(least, first + second);
            }
        }
        return least;
    }

  private:
    static constexpr std::array<model::Cell, 8> kRing{
        {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

    unsigned around_;
    bool eight_;
    int sides_needed_;
};

// Whether the way round gives way to the way through at equal cost.
bool yields(std::size_t arrival, model::Directions directions) {
    return directions == model::Directions::kEight ? arrival < kNE : arrival == kE || arrival == kW;
}

MoveMask next_after(std::size_t arrival, unsigned around, model::Directions directions,
                    model::CornerRule rule) {
    const Patch patch(around, directions, rule);
    const model::Cell from{-kMoveX[arrival], -kMoveY[arrival]};
    const model::Cost come = arrival < kNE ? model::kStraight : model::kDiagonal;
    unsigned mask = 0;
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        const model::Cell to{kMoveX[move], kMoveY[move]};
        const model::Cost go = patch.step({0, 0}, to);
        if (go == kNoWay) {
            continue;
        }
        const model::Cost round = patch.around_middle(from, to);
        const bool pruned =
            round < come + go || (round == come + go && yields(arrival, directions));
        mask |= pruned ? 0U : 1U << move;
    }
    return static_cast<MoveMask>(mask);
}

}  // namespace

CanonicalMoves::CanonicalMoves(model::Directions directions, model::CornerRule rule) {
    for (std::size_t arrival = 0; arrival < kMoveCount; ++arrival) {
        MoveTable& table = arrival < kNE ? straight_[std::size_t{1} << arrival]
                                         : diagonal_[std::size_t{1} << (arrival - kNE)];
        for (unsigned around = 0; around < table.size(); ++around) {
            table[around] = next_after(arrival, around, directions, rule);
        }
    }
    close_under_union(straight_);
    close_under_union(diagonal_);
    for (unsigned arrivals = 0; arrivals < on_even_.size(); ++arrivals) {
        on_even_[arrivals] = next(static_cast<Arrivals>(arrivals), kAllAround);
    }
}

void CanonicalMoves::close_under_union(BySet& table) {
    for (std::size_t set = 1; set < table.size(); ++set) {
        const std::size_t one = std::size_t{1} << static_cast<unsigned>(std::countr_zero(set));
        for (std::size_t around = 0; set != one && around < table[set].size(); ++around) {
            table[set][around] =
                static_cast<MoveMask>(table[one][around] | table[set - one][around]);
        }
    }
}

const CanonicalMoves& CanonicalMoves::of(const model::MovementClass& movement_class) {
    using enum model::Directions;
    using enum model::CornerRule;
    if (movement_class.directions == kFour) {
        static const CanonicalMoves kStraightOnly(kFour, kBothOpen);
        return kStraightOnly;
    }
    if (movement_class.corner_rule == kOneOpen) {
        static const CanonicalMoves kOne(kEight, kOneOpen);
        return kOne;
    }
    if (movement_class.corner_rule == kNoneOpen) {
        static const CanonicalMoves kNone(kEight, kNoneOpen);
        return kNone;
    }
    static const CanonicalMoves kBoth(kEight, kBothOpen);
    return kBoth;
}

}  // namespace outrider::search
