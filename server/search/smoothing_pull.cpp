#include "outrider/search/smoothing_pull.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "outrider/search/sight_runs.hpp"

namespace outrider::search {
namespace {

constexpr std::int32_t kHalf = kCellSide / 2;

// Above 0 when c lies to one side of the way from a to b, below when to the other, 0 on the line.
constexpr std::int64_t turn(Point a, Point b, Point c) {
    return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
           (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

constexpr std::int32_t floor_256(std::int64_t value) {
    return static_cast<std::int32_t>(value >> 8);
}
constexpr std::int32_t ceil_256(std::int64_t value) {
    return floor_256(value + kCellSide - 1);
}

// Where a horizontal line cuts a triangle, in fractions rounded inwards.
struct Cut {
    std::int32_t low{};   // rounded up
    std::int32_t high{};  // rounded down
    bool low_exact{};     // `low` lies on the triangle's edge
    bool high_exact{};
};

class Triangle {
  public:
    Triangle(Point a, Point b, Point c) : a_(a), b_(b), c_(c), inner_(turn(a, b, c) > 0 ? 1 : -1) {}

    [[nodiscard]] std::int32_t top() const { return std::min({a_.y, b_.y, c_.y}); }
    [[nodiscard]] std::int32_t bottom() const { return std::max({a_.y, b_.y, c_.y}); }
    // Needs top() <= y <= bottom().
    [[nodiscard]] Cut cut(std::int32_t y) const {
        Bounds bounds;
        bounds.add_edge(a_, b_, y);
        bounds.add_edge(b_, c_, y);
        bounds.add_edge(a_, c_, y);
        return {static_cast<std::int32_t>(bounds.low_up),
                static_cast<std::int32_t>(bounds.high_down), bounds.low_up == bounds.low_down,
                bounds.high_up == bounds.high_down};
    }
    // The corner of a blocked square, in the triangle, holds up the string when it does not lie on
    // the line from a to c, and when the square stands inside: squares that touch the string from
    // outside do not. `centre` is that of the square.
    [[nodiscard]] bool holds(Point corner, Point centre) const {
        return inner(turn(a_, corner, c_)) &&
               (turn(a_, b_, corner) != 0 || inner(turn(a_, b_, centre))) &&
               (turn(b_, c_, corner) != 0 || inner(turn(b_, c_, centre)));
    }
    // From a to c around all corners that hold the string; without its ends.
    void wrap(std::span<const Point> corners, std::vector<Point>& chain) const {
        for (Point at = a_; at != c_;) {
            Point next = c_;
            for (const Point corner : corners) {
                const std::int64_t side = turn(at, next, corner);
                if (corner != at && (outer(side) || (side == 0 && farther(at, corner, next)))) {
                    next = corner;
                }
            }
            if (next != c_) {
                chain.push_back(next);
            }
            at = next;
        }
    }

  private:
    struct Bounds {
        std::int64_t low_down{INT32_MAX};
        std::int64_t low_up{INT32_MAX};
        std::int64_t high_down{INT32_MIN};
        std::int64_t high_up{INT32_MIN};

        void add(std::int64_t down, std::int64_t up) {
            low_down = std::min(low_down, down);
            low_up = std::min(low_up, up);
            high_down = std::max(high_down, down);
            high_up = std::max(high_up, up);
        }
        void add_edge(Point p, Point q, std::int32_t y) {
            if (p.y > q.y) {
                std::swap(p, q);
            }
            if (y < p.y || y > q.y) {
                return;
            }
            if (p.y == q.y) {
                add(p.x, p.x);
                add(q.x, q.x);
                return;
            }
            const std::int64_t height = std::int64_t{q.y} - p.y;
            const std::int64_t run = (std::int64_t{q.x} - p.x) * (std::int64_t{y} - p.y);
            const std::int64_t down = floor_div(run, height);
            add(p.x + down, p.x + down + (down * height == run ? 0 : 1));
        }
    };

    [[nodiscard]] bool inner(std::int64_t side) const { return side * inner_ > 0; }
    [[nodiscard]] bool outer(std::int64_t side) const { return side * inner_ < 0; }
    static bool farther(Point from, Point a, Point b) {
        const auto distance = [from](Point p) {
            return std::abs(std::int64_t{p.x} - from.x) + std::abs(std::int64_t{p.y} - from.y);
        };
        return distance(a) > distance(b);
    }

    Point a_;
    Point b_;
    Point c_;
    std::int64_t inner_;  // sign of turn() towards the inside, of a-b and b-c
};

// Looks for corners in a triangle row by row, or, with all points flipped, column by column.
template <bool kRows>
class CornerScan {
  public:
    CornerScan(const map::Layer& layer, std::int32_t reach, const Triangle& triangle,
               std::vector<Point>& corners)
        : layer_(layer), reach_(reach), triangle_(triangle), corners_(corners) {}

    // Of one line only the outermost corners can bend the string.
    void run() {
        const std::int32_t cells = kRows ? layer_.height() : layer_.width();
        for (const std::int32_t side : {-reach_, reach_}) {
            // A square above the triangle's top, or below its bottom, is not in it.
            const std::int32_t top = triangle_.top() + (side > 0 ? 1 : 0);
            const std::int32_t bottom = triangle_.bottom() - (side < 0 ? 1 : 0);
            const std::int32_t first = std::max(ceil_256(std::int64_t{top} - side - kHalf), 0);
            const std::int32_t last =
                std::min(floor_256(std::int64_t{bottom} - side - kHalf), cells - 1);
            for (std::int32_t line = first; line <= last; ++line) {
                scan(line, line * kCellSide + kHalf + side);
            }
        }
    }

  private:
    void scan(std::int32_t line, std::int32_t y) {
        const Cut cut = triangle_.cut(y);
        // On the edge itself a corner may not hold, and must not hide the next one.
        const std::int32_t low = cut.low + (cut.low_exact ? 1 : 0);
        const std::int32_t high = cut.high - (cut.high_exact ? 1 : 0);
        for (const std::int32_t side : {-reach_, reach_}) {
            add_ends(line, y, side, low, high);
            if (cut.low_exact) {
                add_ends(line, y, side, cut.low, cut.low);
            }
            if (cut.high_exact && !(cut.low_exact && cut.low == cut.high)) {
                add_ends(line, y, side, cut.high, cut.high);
            }
        }
    }
    // Corners with low <= x <= high, `side` from the centres of their cells.
    void add_ends(std::int32_t line, std::int32_t y, std::int32_t side, std::int32_t low,
                  std::int32_t high) {
        const std::int32_t cells = kRows ? layer_.width() : layer_.height();
        const std::int32_t first = std::max(ceil_256(std::int64_t{low} - side - kHalf), 0);
        const std::int32_t last = std::min(floor_256(std::int64_t{high} - side - kHalf), cells - 1);
        if (first > last) {
            return;
        }
        const auto [from, to] = blocked_ends<kRows>(layer_, {line, first, last});
        if (from > to) {
            return;
        }
        add(from, line, side, y);
        if (from != to) {
            add(to, line, side, y);
        }
    }
    void add(std::int32_t cell, std::int32_t line, std::int32_t side, std::int32_t y) {
        const Point centre{cell * kCellSide + kHalf, line * kCellSide + kHalf};
        const Point corner{centre.x + side, y};
        if (triangle_.holds(corner, centre)) {
            corners_.push_back(kRows ? corner : flipped(corner));
        }
    }

    const map::Layer& layer_;
    std::int32_t reach_;
    const Triangle& triangle_;
    std::vector<Point>& corners_;
};

// One line of the scan reads four runs; a look at a corner is a few multiplications. So many take
// about as long as one expansion.
constexpr std::uint64_t kLinesPerExpansion = 4;
constexpr std::uint64_t kTurnsPerExpansion = 64;

}  // namespace

void StringPull::begin(const map::Layer& layer, std::int32_t clearance,
                       const std::vector<Knot>& knots) {
    layer_ = &layer;
    clearance_ = clearance;
    ahead_.assign(knots.rbegin(), knots.rend());
    pulls_left_ = kPullsPerKnot * knots.size();
    behind_.clear();
    behind_.push_back(ahead_.back());
    ahead_.pop_back();
}

bool StringPull::step() {
    worth_ = 0;
    if (ahead_.size() < 2) {
        return false;
    }
    const Knot b = ahead_.back();
    const Knot c = ahead_[ahead_.size() - 2];
    if (pulls_left_ == 0 || !pull(behind_.back(), b, c)) {
        behind_.push_back(b);
        ahead_.pop_back();
        return true;
    }
    --pulls_left_;
    ahead_.resize(ahead_.size() - 2);
    ahead_.insert(ahead_.end(), pulled_.rbegin(), pulled_.rend());
    // The bend before has another neighbour now.
    if (behind_.size() > 1) {
        ahead_.push_back(behind_.back());
        behind_.pop_back();
    }
    return true;
}

void StringPull::finish(std::vector<Knot>& knots) const {
    knots.assign(behind_.begin(), behind_.end());
    knots.insert(knots.end(), ahead_.rbegin(), ahead_.rend());
}

std::size_t StringPull::bytes() const {
    return (behind_.capacity() + ahead_.capacity() + pulled_.capacity()) * sizeof(Knot) +
           (corners_.capacity() + chain_.capacity()) * sizeof(Point);
}

// The bend at b pulled out, into pulled_; false when it stays.
bool StringPull::pull(const Knot& a, const Knot& b, const Knot& c) {
    if (b.kept || c.kept) {
        return false;
    }
    find_chain(a.at, b.at, c.at);
    if (chain_.size() == 1 && chain_.front() == b.at) {
        return false;
    }
    pulled_.clear();
    model::Cost cost = 0;
    Point from = a.at;
    chain_.push_back(c.at);
    for (const Point to : chain_) {
        pulled_.push_back({to, walk_cost(*layer_, from, to), false});
        cost += pulled_.back().cost;
        from = to;
    }
    return cost <= b.cost + c.cost;
}

void StringPull::find_chain(Point a, Point b, Point c) {
    chain_.clear();
    const auto [left, right] = std::minmax({a.x, b.x, c.x});
    const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
    const auto lines = static_cast<std::uint64_t>(std::min(right - left, bottom - top) / kCellSide);
    worth_ = 1 + lines / kLinesPerExpansion;
    if (turn(a, b, c) == 0 || is_clear(*layer_, a, c, clearance_)) {
        return;
    }
    corners_.clear();
    const std::int32_t reach = kHalf + clearance_;
    if (right - left >= bottom - top) {
        CornerScan<true>(*layer_, reach, Triangle(a, b, c), corners_).run();
    } else {
        CornerScan<false>(*layer_, reach, Triangle(flipped(a), flipped(b), flipped(c)), corners_)
            .run();
    }
    Triangle(a, b, c).wrap(corners_, chain_);
    worth_ += corners_.size() * (chain_.size() + 1) / kTurnsPerExpansion;
}

}  // namespace outrider::search
