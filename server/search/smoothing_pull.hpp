#pragma once
// What:     a string along a row of points, pulled tight around blocked cells.
//
//                   B             The string runs A B C. Pulled, it sweeps the triangle until it
//                 /   \           catches on what stands in there: on the corners o, which make
//               / o---o \         it bend and are points of the string from now on. Together with
//             A   | # |   C       A and C they are the convex hull of all corners in the triangle.
//
//           For a body that has a size, the corners are those of the blocked cells grown by half of
//           the body: places where its centre may be, touching the cell.
// Contract: each line of the result is clear if all lines before were (or is one that was kept); no
//           longer and no dearer. A bend that stays has a corner inside it.
// Cost:     a bend reads the rows of its triangle, or its columns if those are fewer: four runs of
//           bits each. Bends are pulled at most kPullsPerKnot times as often as there are knots.
// Source:   search/README.md, "Smoothing".

#include <cstdint>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/search/sight.hpp"

namespace outrider::search {

// A point of the string, and the line that leads to it.
struct Knot {
    Point at;
    model::Cost cost{};
    // The line is a piece of the path that is not clear: it stays as it is.
    bool kept{false};
};

// Every pull makes the string shorter, so they come to an end by themselves; strings of random maps
// need two or three a knot. This keeps any map from costing more than its share.
inline constexpr std::size_t kPullsPerKnot = 16;

class StringPull {
  public:
    // Keeps the layer. Needs a knot at least.
    void begin(const map::Layer& layer, std::int32_t clearance, const std::vector<Knot>& knots);
    // Looks at one bend; false when none is left.
    bool step();
    // The knots as they are now; the first and the last are where they were.
    void finish(std::vector<Knot>& knots) const;
    // Of the last step, in expansions.
    [[nodiscard]] std::uint64_t worth() const { return worth_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    [[nodiscard]] bool pull(const Knot& a, const Knot& b, const Knot& c);
    void find_chain(Point a, Point b, Point c);

    const map::Layer* layer_{nullptr};
    std::int32_t clearance_{};
    std::size_t pulls_left_{0};
    std::uint64_t worth_{0};
    std::vector<Knot> behind_;
    std::vector<Knot> ahead_;  // the next one last
    std::vector<Point> corners_;
    std::vector<Point> chain_;
    std::vector<Knot> pulled_;
};

}  // namespace outrider::search
