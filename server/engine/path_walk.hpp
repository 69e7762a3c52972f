#pragma once
// What:     a path walked cell by cell, and what a walk along it costs on a layer. Private to the
//           engine room.
// Contract: needs turning points as in model/path.hpp, at least one. weigh() follows the contract
//           of model/cost.hpp and the class's corner rule; a blocked first cell weighs as the
//           class's cheapest terrain, and is legal when `may_leave_blocked`.
// Cost:     constant a cell.

#include <cstdint>
#include <optional>
#include <span>

#include "outrider/map/snapshot.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::engine {

class PathWalk {
  public:
    explicit PathWalk(std::span<const model::Cell> points) : points_(points) {
        cell_ = points.front();
    }
    // From `from`, which lies on the leg before `points[next]`.
    PathWalk(std::span<const model::Cell> points, std::size_t next, model::Cell from)
        : points_(points), next_(next), cell_(from) {}

    [[nodiscard]] model::Cell cell() const { return cell_; }
    // The turning point ahead; the number of points at the end.
    [[nodiscard]] std::size_t next() const { return next_; }
    // False at the end of the path.
    bool advance() {
        while (next_ < points_.size() && cell_ == points_[next_]) {
            ++next_;
        }
        if (next_ == points_.size()) {
            return false;
        }
        const model::Cell target = points_[next_];
        cell_.x += sign(target.x - cell_.x);
        cell_.y += sign(target.y - cell_.y);
        return true;
    }

  private:
    static std::int32_t sign(std::int32_t value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }

    std::span<const model::Cell> points_;
    std::size_t next_{1};
    model::Cell cell_;
};

// The cost of the rest of the path, or nothing when a step of it is not legal on the layer.
[[nodiscard]] std::optional<model::Cost> weigh(const map::Layer& layer, PathWalk walk,
                                               bool may_leave_blocked);
// Whether what an edit blocked in the boxes, which stood before, leaves the rest legal: legs that
// pass none of them are not walked. Points as the walk's.
[[nodiscard]] bool stands_in(const map::Layer& layer, std::span<const model::Cell> points,
                             PathWalk walk, std::span<const model::Rect> boxes,
                             bool may_leave_blocked);
// The cost from the walk's cell to `to`, whatever stands there now. Needs `to` on the rest.
[[nodiscard]] model::Cost cost_until(const map::Layer& layer, PathWalk walk, model::Cell to);
// The same for a unit that ignores an obstacle: a blocked cell weighs as its terrain, since it may
// be that obstacle alone which covers it. The first one may be blocked by others too; it then
// weighs as the class's cheapest terrain where `first_cheapest`.
[[nodiscard]] model::Cost ground_cost_until(const map::Snapshot& snapshot, model::ClassId id,
                                            PathWalk walk, model::Cell to, bool first_cheapest);
// Between neighbours; a blocked cell weighs as the class's cheapest terrain.
[[nodiscard]] model::Cost step_cost(const map::Layer& layer, model::Cell from, model::Cell to);
// Whether one step between neighbours is legal, the first cell aside.
[[nodiscard]] bool is_legal_step(const map::Layer& layer, model::Cell from, model::Cell to);
// The walk as it stands on `cell`, or nothing when the rest does not pass there.
[[nodiscard]] std::optional<PathWalk> find_on_path(std::span<const model::Cell> points,
                                                   PathWalk from, model::Cell cell);

}  // namespace outrider::engine
