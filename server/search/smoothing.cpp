#include "outrider/search/smoothing.hpp"

#include <algorithm>

#include "outrider/search/smoothing_pull.hpp"
#include "outrider/search/smoothing_trail.hpp"

namespace outrider::search {
namespace {

using model::Cell;
using Place = Trail::Place;

// How many turning points beyond the first hidden one are tried: past a pillar beside the path the
// next ones are often in sight again.
constexpr std::size_t kTriesBeyond = 3;

// From each point to the farthest place of the path that it sees.
class Shortcuts {
  public:
    Shortcuts(const map::Layer& layer, const Trail& trail, const Smoothing& how)
        : layer_(layer), trail_(trail), how_(how) {}

    [[nodiscard]] std::vector<Knot> take() {
        Place at{0, 0};
        knots_.push_back({point(at)});
        while (at.leg < trail_.legs()) {
            const Place next = farthest(at);
            const bool hidden = next.leg == at.leg && next.cells == at.cells;
            const Place to = hidden ? trail_.along(at.leg, at.cells + 1) : next;
            add(at, to, hidden);
            at = to;
        }
        return std::move(knots_);
    }

  private:
    [[nodiscard]] Point point(Place place) const { return centre_of(trail_.cell(place)); }
    [[nodiscard]] bool sees(Place from, Place to) const {
        const bool open = how_.grade == Grade::kWaypoints
                              ? in_sight(layer_, trail_.cell(from), trail_.cell(to))
                              : is_clear(layer_, point(from), point(to), how_.clearance);
        // A straight line over even ground is never dearer than another way.
        return open && (layer_.uniform() ||
                        walk_cost(layer_, point(from), point(to)) <= trail_.cost_between(from, to));
    }
    // `from` itself when not even the next cell is in sight.
    [[nodiscard]] Place farthest(Place from) const {
        const std::size_t turn = farthest_turn(from);
        const std::int32_t seen = turn == from.leg ? from.cells : 0;
        return turn == trail_.legs() ? Place{turn, 0} : farthest_along(from, turn, seen);
    }
    // The number of a turning point in sight, or that of the leg where `from` lies. Ever longer
    // strides while there is sight, then ever shorter ones.
    [[nodiscard]] std::size_t farthest_turn(Place from) const {
        std::size_t seen = from.leg;
        for (bool again = true; again;) {
            again = false;
            std::size_t stride = 1;
            for (; in_view(from, seen + stride); stride *= 2) {
                seen += stride;
            }
            for (stride /= 2; stride > 0; stride /= 2) {
                seen += in_view(from, seen + stride) ? stride : 0;
            }
            for (std::size_t beyond = 2; !again && beyond <= 1 + kTriesBeyond; ++beyond) {
                if (in_view(from, seen + beyond)) {
                    seen += beyond;
                    again = true;
                }
            }
        }
        return seen;
    }
    [[nodiscard]] bool in_view(Place from, std::size_t turn) const {
        return turn <= trail_.legs() && sees(from, {turn, 0});
    }
    // Halves the rest of a leg whose first `seen` cells are in sight and whose end is not.
    [[nodiscard]] Place farthest_along(Place from, std::size_t leg, std::int32_t seen) const {
        std::int32_t hidden = trail_.length(leg);
        while (hidden - seen > 1) {
            const std::int32_t middle = seen + (hidden - seen) / 2;
            (sees(from, {leg, middle}) ? seen : hidden) = middle;
        }
        return {leg, seen};
    }
    void add(Place from, Place to, bool kept) {
        // Steps that are kept, one after the other along one leg, are one piece of the path.
        if (kept && from.cells > 0 && knots_.back().kept) {
            const Point start = knots_[knots_.size() - 2].at;
            knots_.back() = {point(to), walk_cost(layer_, start, point(to)), true};
            return;
        }
        knots_.push_back({point(to), walk_cost(layer_, point(from), point(to)), kept});
    }

    const map::Layer& layer_;
    const Trail& trail_;
    Smoothing how_;
    std::vector<Knot> knots_;
};

// Every line lies between cells of the path, and so do the bodies that slide along it.
model::Rect box_around(std::span<const Cell> cells, std::int32_t footprint) {
    Cell low = cells.front();
    Cell high = low;
    for (const Cell cell : cells) {
        low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
        high = {std::max(high.x, cell.x), std::max(high.y, cell.y)};
    }
    return {low.x, low.y, high.x - low.x + footprint, high.y - low.y + footprint};
}

}  // namespace

Smoothed smooth(const map::Layer& layer, std::span<const Cell> turning_points,
                const Smoothing& how) {
    Smoothed smoothed;
    if (turning_points.empty()) {
        return smoothed;
    }
    const Trail trail(layer, turning_points);
    std::vector<Knot> knots = Shortcuts(layer, trail, how).take();
    if (how.grade == Grade::kCorners) {
        pull_tight(layer, how.clearance, knots);
    }
    const std::uint8_t footprint = layer.movement_class().footprint;
    const Point shift = unit_centre({0, 0}, footprint);
    std::uint64_t parts = 0;
    smoothed.points.reserve(knots.size());
    for (std::size_t i = 0; i < knots.size(); ++i) {
        const Point at = knots[i].at;
        smoothed.points.push_back({at.x + shift.x - kCellSide / 2, at.y + shift.y - kCellSide / 2});
        smoothed.cost += knots[i].cost;
        parts += i == 0 ? 0 : line_length(knots[i - 1].at, at);
    }
    smoothed.length = (parts + kLengthParts - 1) / kLengthParts;
    smoothed.looked_at = box_around(turning_points, footprint);
    return smoothed;
}

}  // namespace outrider::search
