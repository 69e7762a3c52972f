#pragma once
// What:     what a unit has still to walk: its path, and in front of it what it does for others.
// Contract: steps are taken from the front. A way may have one place to hold at, where the unit
//           lets another pass before it goes on.
// Cost:     8 to 12 bytes a step; a detour moves what is behind it.

#include <span>
#include <vector>

#include "units/steps.hpp"

namespace outrider::units {

class Way {
  public:
    void clear() { set({}); }
    void set(std::vector<Step> steps);

    [[nodiscard]] bool over() const { return next_ == steps_.size(); }
    [[nodiscard]] std::span<const Step> rest() const { return std::span(steps_).subspan(next_); }
    // Needs a way that is not over.
    [[nodiscard]] const Step& next() const { return steps_[next_]; }
    void advance() { ++next_; }

    // It stands where it is to hold.
    [[nodiscard]] bool holds() const { return next_ == hold_; }
    void go_on() { hold_ = kNever; }

    // `cells` take the place of all.
    void go_to(model::Cell at, std::span<const model::Cell> cells);
    // `cells` lead to the cell of rest()[rejoin], and take the place of what leads there now.
    void go_around(model::Cell at, std::span<const model::Cell> cells, std::size_t rejoin);
    // Goes along `cells` and holds there. With `return_to_way` it comes back and walks what was
    // still to be walked.
    void step_aside(model::Cell at, std::span<const model::Cell> cells, bool return_to_way);

  private:
    static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

    std::vector<Step> steps_;
    std::size_t next_{0};
    std::size_t hold_{kNever};
};

}  // namespace outrider::units
