#pragma once
// What:     smoothing in steps: first the shortcuts, then, for kCorners, pull after pull. Keeps its
//           memory from path to path.
// Contract: smoothing.hpp, whatever the steps. A step begins no new piece of work (the look from
//           one point, or one bend) when its budget is spent; what a piece took beyond is paid for
//           in later steps. Work is counted in expansions' worth, the same on every machine.
// Cost:     one piece is at most a few milliseconds, on the largest map.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/search/smoothing.hpp"
#include "outrider/search/smoothing_pull.hpp"
#include "outrider/search/smoothing_shortcuts.hpp"
#include "outrider/search/smoothing_trail.hpp"

namespace outrider::search {

class Smoother {
  public:
    // Keeps layer and points until take(). Needs a grade other than kNone, and turning points of a
    // path that is legal on the layer, one at least.
    void begin(const map::Layer& layer, std::span<const model::Cell> turning_points,
               const model::Smoothing& how);
    // True when it has done.
    bool step(std::uint64_t expansions_max);
    // Paid for so far.
    [[nodiscard]] std::uint64_t expansions() const { return paid_; }
    // After step() was true.
    [[nodiscard]] Smoothed take();
    [[nodiscard]] std::size_t bytes() const;

  private:
    enum class Phase : std::uint8_t { kShortcuts, kPull, kDone };

    void do_piece();

    const map::Layer* layer_{nullptr};
    std::span<const model::Cell> turning_points_;
    model::Smoothing how_;
    Phase phase_{Phase::kDone};
    Trail trail_;
    Shortcuts shortcuts_;
    StringPull pull_;
    std::vector<Knot> knots_;
    std::uint64_t worth_{0};
    std::uint64_t paid_{0};
};

}  // namespace outrider::search
