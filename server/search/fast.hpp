#pragma once
// What:     the kernel behind `fast`: a route over portals first, then exact legs along it. Each
//           leg is searched a chunk farther than it is walked, so that no portal bends the path.
// Contract: the path is legal and costs what it says, at most what its route promised.
//           bound_percent() is proved for the very answer: its cost over the least that any path
//           could cost. Where the route cannot be had the exact kernel runs from the start.
//           The first leg stands as soon as it is walked, and the final path begins with it.
// Source:   Botea, Mueller, Schaeffer: "Near optimal hierarchical path-finding" (2004).

#include <span>

#include "outrider/search/kernel.hpp"
#include "outrider/search/meter.hpp"
#include "outrider/search/portal_route.hpp"

namespace outrider::search {

class FastKernel final : public Kernel {
  public:
    // The exact kernel for the legs, and its name. Before begin().
    void use(Kernel& exact, model::Algorithm name) {
        exact_ = &exact;
        exact_name_ = name;
    }

    void begin(const Task& task, Buffers& buffers) override;
    Progress step(std::uint64_t expansions_max) override;
    model::Cost trail(model::CellIndex end, std::vector<model::Cell>& points) const override;
    [[nodiscard]] model::Cost unit() const override { return 1; }

    // What the cost of a path that ends at `end` is at most, in percent of the optimum.
    [[nodiscard]] std::uint32_t bound_percent(model::Cost cost, const GoalRegion& end) const;
    // Points of walked(), and their cost, that made the first leg; 0 before it stands.
    [[nodiscard]] std::size_t first_leg_points() const { return first_leg_points_; }
    [[nodiscard]] model::Cost first_leg_cost() const { return first_leg_cost_; }
    [[nodiscard]] bool first_leg_may_come() const {
        return first_leg_points_ == 0 && !whole_ && !last_;
    }
    // What the beginning of the path costs up to the last of these turning points of it.
    [[nodiscard]] model::Cost cost_along(std::span<const model::Cell> turning_points) const;
    // What stays, whatever comes: a path from the start on. Grows leg by leg.
    [[nodiscard]] std::span<const model::Cell> walked() const { return buffers_->walked; }

  private:
    enum class Phase : std::uint8_t { kRoute, kLeg, kDone };

    // A leg is searched to where the route enters the second chunk from here.
    static constexpr std::size_t kAhead = 2;
    // And walked so far, in percent of its cost.
    static constexpr model::Cost kWalkPercent = 33;

    [[nodiscard]] bool plan_route();
    void begin_leg();
    // Takes the found leg over, whole if it is the last one.
    void walk_leg();
    void walk_to(model::Cell to, model::Cost enough);
    [[nodiscard]] model::Cost step_cost(model::Cell a, model::Cell b) const;
    [[nodiscard]] Progress step_route();
    [[nodiscard]] Progress step_leg();
    void report_so_far();

    Task task_;
    Buffers* buffers_{nullptr};
    Kernel* exact_{nullptr};
    model::Algorithm exact_name_{};
    PortalRoute route_;
    Meter meter_;
    Phase phase_{Phase::kRoute};
    bool whole_{false};  // no route: the one leg is the exact answer
    bool last_{false};
    std::size_t next_{0};  // in the route
    model::Cost walked_cost_{0};
    std::size_t first_leg_points_{0};
    model::Cost first_leg_cost_{0};
};

}  // namespace outrider::search
