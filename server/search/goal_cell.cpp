#include "outrider/search/goal_cell.hpp"

#include <limits>

namespace outrider::search {
namespace {

using map::kChunkSide;

class NearestGoal {
  public:
    NearestGoal(const map::Layer& layer, const GoalRegion& goal, const StartComponents& from,
                model::Cell start)
        : layer_(layer), goal_(goal), from_(from), start_(start) {}

    std::optional<model::Cell> run() {
        const Span rows = inside(goal_.rows(), layer_.height());
        const Span columns = inside(goal_.columns(), layer_.width());
        for (std::int32_t y = rows.first / kChunkSide; y <= rows.last / kChunkSide; ++y) {
            for (std::int32_t x = columns.first / kChunkSide; x <= columns.last / kChunkSide; ++x) {
                if (GoalRegion(map::ChunkPlace{x, y}.cells(), 0).distance(start_.x, start_.y) <=
                    best_) {
                    look_into({x, y});
                }
            }
        }
        return cell_;
    }

  private:
    static Span inside(const Span& span, std::int32_t side) {
        return {std::max(span.first, 0), std::min(span.last, side - 1)};
    }

    void look_into(map::ChunkPlace place) {
        const std::int32_t left = place.x * kChunkSide;
        const std::int32_t top = place.y * kChunkSide;
        layer_.regions().chunks().at(place).for_each_run([&](std::int32_t y,
                                                             const map::ChunkRegions::Run& run) {
            const Span goal = goal_.on_row(top + y);
            const std::int32_t first = std::max(goal.first, left + run.begin);
            const std::int32_t last = std::min(goal.last, left + run.end - 1);
            if (first > last) {
                return;
            }
            const model::Cell cell{std::clamp(start_.x, first, last), top + y};
            const model::Cost distance =
                model::octile_distance(cell.x - start_.x, cell.y - start_.y);
            const bool nearer = distance < best_ || (distance == best_ && key(cell) < key(*cell_));
            if (nearer && from_.holds(cell)) {
                best_ = distance;
                cell_ = cell;
            }
        });
    }
    static std::pair<std::int32_t, std::int32_t> key(model::Cell cell) { return {cell.y, cell.x}; }

    const map::Layer& layer_;
    const GoalRegion& goal_;
    const StartComponents& from_;
    model::Cell start_;
    model::Cost best_{std::numeric_limits<model::Cost>::max()};
    std::optional<model::Cell> cell_;
};

}  // namespace

std::optional<model::Cell> nearest_goal_cell(const map::Layer& layer, const GoalRegion& goal,
                                             const StartComponents& from, model::Cell start) {
    return NearestGoal(layer, goal, from, start).run();
}

}  // namespace outrider::search
