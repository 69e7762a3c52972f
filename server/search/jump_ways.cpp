#include "outrider/search/jump_ways.hpp"

#include <algorithm>
#include <cstdlib>

namespace outrider::search {
namespace {

constexpr int kNoDirection = 99;

int sign(std::int32_t value) {
    return (value > 0) - (value < 0);
}

int direction(model::Cell from, model::Cell to) {
    return sign(to.x - from.x) * 4 + sign(to.y - from.y);
}

// Backwards the straight part of a leg comes first.
model::Cell bend_of(model::Cell from, model::Cell to) {
    const std::int32_t dx = to.x - from.x;
    const std::int32_t dy = to.y - from.y;
    const std::int32_t diagonal = std::min(std::abs(dx), std::abs(dy));
    return {from.x + (dx < 0 ? -diagonal : diagonal), from.y + (dy < 0 ? -diagonal : diagonal)};
}

// Turning points: where the way goes straight on, the point before is none.
class Tracer {
  public:
    explicit Tracer(std::vector<model::Cell>& points) : points_(points) {}

    [[nodiscard]] bool straight_on(model::Cell to) const {
        return direction(points_.back(), to) == last_;
    }
    void append(model::Cell to) {
        if (to == points_.back()) {
            return;
        }
        const int next = direction(points_.back(), to);
        if (next == last_) {
            points_.back() = to;
        } else {
            points_.push_back(to);
        }
        last_ = next;
    }

  private:
    std::vector<model::Cell>& points_;
    int last_{kNoDirection};
};

}  // namespace

void JumpWays::begin() {
    legs_.clear();
    written_.clear();
    parts_.clear();
}

void JumpWays::add_source(std::int32_t x, std::int32_t y) {
    add(x, y, static_cast<std::uint32_t>(legs_.size()));
}

void JumpWays::add(std::int32_t x, std::int32_t y, std::uint32_t before) {
    legs_.push_back(
        {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), before, Place{}});
}

std::uint64_t JumpWays::write(model::Cell target, std::uint32_t leg,
                              std::vector<model::Cell>& points) {
    Tracer way(points);
    way.append(target);
    turns_.clear();
    std::uint64_t legs = 1;
    Place rest;
    for (model::Cell at = target;; ++legs) {
        const Leg& next = legs_[leg];
        const model::Cell from{next.x, next.y};
        way.append(bend_of(from, at));
        way.append(from);
        if (!turns_.empty() && points[turns_.back().index] != cell_of(turns_.back().leg)) {
            turns_.pop_back();  // the way went straight on
        }
        if (next.written.part != kNone) {
            const Place after = settle({next.written.part, next.written.at + 1});
            const bool turns = after.part == kNone || !way.straight_on(written_[after.at]);
            rest = turns ? next.written : after;
            points.pop_back();
            break;
        }
        turns_.push_back({leg, points.size() - 1});
        if (next.before == leg) {
            break;
        }
        at = from;
        leg = next.before;
    }
    keep(points, rest);
    while (rest.part != kNone) {
        const Part& part = parts_[rest.part];
        points.insert(points.end(), written_.begin() + rest.at, written_.begin() + part.end);
        rest = part.then;
    }
    return legs;
}

void JumpWays::keep(const std::vector<model::Cell>& points, Place then) {
    if (turns_.empty()) {
        return;
    }
    const std::size_t first = turns_.front().index;
    const std::size_t begin = written_.size();
    const auto part = static_cast<std::uint32_t>(parts_.size());
    for (const Turn& turn : turns_) {
        legs_[turn.leg].written = {part, static_cast<std::uint32_t>(begin + turn.index - first)};
    }
    written_.insert(written_.end(), points.begin() + static_cast<std::ptrdiff_t>(first),
                    points.end());
    parts_.push_back({static_cast<std::uint32_t>(written_.size()), then});
}

JumpWays::Place JumpWays::settle(Place place) const {
    while (place.part != kNone && place.at == parts_[place.part].end) {
        place = parts_[place.part].then;
    }
    return place;
}

std::size_t JumpWays::bytes() const {
    return legs_.capacity() * sizeof(Leg) + written_.capacity() * sizeof(model::Cell) +
           parts_.capacity() * sizeof(Part) + turns_.capacity() * sizeof(Turn);
}

}  // namespace outrider::search
