#include "outrider/search/smoothing_shortcuts.hpp"

#include <algorithm>
#include <cstdlib>

#include "outrider/search/sight.hpp"

namespace outrider::search {
namespace {

// How many turning points beyond the first hidden one are tried: past a pillar beside the path the
// next ones are often in sight again.
constexpr std::size_t kTriesBeyond = 3;

// A line reads a run for each row or column that it crosses, and is weighed cell by cell on mixed
// terrain: so many of them take about as long as one expansion.
constexpr std::uint64_t kRunsPerExpansion = 32;
constexpr std::uint64_t kWeighedPerExpansion = 8;

}  // namespace

void Shortcuts::begin(const map::Layer& layer, const Trail& trail, const model::Smoothing& how,
                      std::vector<Knot>& knots) {
    layer_ = &layer;
    trail_ = &trail;
    how_ = how;
    at_ = {0, 0};
    knots.push_back({point(at_), 0, false});
}

bool Shortcuts::step(std::vector<Knot>& knots) {
    worth_ = 0;
    if (at_.leg >= trail_->legs()) {
        return false;
    }
    const Place next = farthest(at_);
    const bool hidden = next.leg == at_.leg && next.cells == at_.cells;
    const Place to = hidden ? trail_->along(at_.leg, at_.cells + 1) : next;
    add(at_, to, hidden, knots);
    at_ = to;
    return true;
}

bool Shortcuts::sees(Place from, Place to) {
    const model::Cell a = trail_->cell(from);
    const model::Cell b = trail_->cell(to);
    const auto across = static_cast<std::uint64_t>(std::abs(b.x - a.x));
    const auto down = static_cast<std::uint64_t>(std::abs(b.y - a.y));
    worth_ += 1 + std::min(across, down) / kRunsPerExpansion;
    const bool open = how_.grade == model::Grade::kWaypoints
                          ? in_sight(*layer_, a, b)
                          : is_clear(*layer_, centre_of(a), centre_of(b), how_.clearance);
    // A straight line over even ground is never dearer than another way.
    if (!open || layer_->uniform()) {
        return open;
    }
    worth_ += (across + down) / kWeighedPerExpansion;
    return walk_cost(*layer_, centre_of(a), centre_of(b)) <= trail_->cost_between(from, to);
}

Trail::Place Shortcuts::farthest(Place from) {
    const std::size_t turn = farthest_turn(from);
    const std::int32_t seen = turn == from.leg ? from.cells : 0;
    return turn == trail_->legs() ? Place{turn, 0} : farthest_along(from, turn, seen);
}

// The number of a turning point in sight, or that of the leg where `from` lies. Ever longer strides
// while there is sight, then ever shorter ones.
std::size_t Shortcuts::farthest_turn(Place from) {
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

bool Shortcuts::in_view(Place from, std::size_t turn) {
    return turn <= trail_->legs() && sees(from, {turn, 0});
}

// Halves the rest of a leg whose first `seen` cells are in sight and whose end is not.
Trail::Place Shortcuts::farthest_along(Place from, std::size_t leg, std::int32_t seen) {
    std::int32_t hidden = trail_->length(leg);
    while (hidden - seen > 1) {
        const std::int32_t middle = seen + (hidden - seen) / 2;
        (sees(from, {leg, middle}) ? seen : hidden) = middle;
    }
    return {leg, seen};
}

void Shortcuts::add(Place from, Place to, bool kept, std::vector<Knot>& knots) const {
    // Steps that are kept, one after the other along one leg, are one piece of the path.
    if (kept && from.cells > 0 && knots.back().kept) {
        const Point start = knots[knots.size() - 2].at;
        knots.back() = {point(to), walk_cost(*layer_, start, point(to)), true};
        return;
    }
    knots.push_back({point(to), walk_cost(*layer_, point(from), point(to)), kept});
}

}  // namespace outrider::search
