#include <algorithm>
#include <string>

#include "outrider/base/limits.hpp"
#include "outrider/search/own_ends.hpp"
#include "outrider/search/survey.hpp"

namespace outrider::search {
namespace {

using Check = std::expected<void, model::Refusal>;
namespace limits = base::limits;

std::unexpected<model::Refusal> refuse(model::RefusalCode code, std::string field,
                                       std::string message) {
    return std::unexpected(model::Refusal{code, std::move(field), std::move(message)});
}

std::unexpected<model::Refusal> invalid(std::string field, std::string message) {
    return refuse(model::RefusalCode::kInvalidArgument, std::move(field), std::move(message));
}

class Checker {
  public:
    explicit Checker(const map::Snapshot& snapshot)
        : map_{0, 0, snapshot.width(), snapshot.height()} {}

    Check operator()(const model::GroupQuery& query) const {
        Check check = check_cells(query.starts, "survey.group.starts", limits::kUnitsPerGroupMax);
        check = check ? check_goal(query.goal, "survey.group.goal") : check;
        check = check ? check_formation(query) : check;
        return check && query.own_ends ? check_room(query.goal) : check;
    }
    Check operator()(const model::NearestQuery& query) const {
        Check check =
            check_count(query.goals.size(), "survey.nearest.goals", limits::kGoalsPerNearestMax);
        for (std::size_t i = 0; check && i < query.goals.size(); ++i) {
            check = check_goal(query.goals[i], "survey.nearest.goals");
        }
        return check ? check_cell(query.start, "survey.nearest.start") : check;
    }
    Check operator()(const model::ReachQuery& query) const {
        return check_cells(query.starts, "survey.reach.starts", limits::kStartsPerReachMax);
    }
    Check operator()(const model::MatrixQuery& query) const {
        const Check from = check_cells(query.from, "survey.matrix.from", limits::kMatrixSideMax);
        const Check to = check_cells(query.to, "survey.matrix.to", limits::kMatrixSideMax);
        if (!from || !to) {
            return from ? to : from;
        }
        if (query.from.size() * query.to.size() > limits::kMatrixCellsMax) {
            return invalid("survey.matrix", "at most " + std::to_string(limits::kMatrixCellsMax) +
                                                " costs at once; ask for fewer cells on one side");
        }
        return {};
    }
    Check operator()(const model::FieldQuery& query) const {
        if (query.rect.empty()) {
            return invalid("survey.field.rect",
                           "the rectangle is empty; width and height must be at least 1");
        }
        const model::Rect inside = model::intersect(query.rect, map_);
        if (inside.empty()) {
            return refuse(model::RefusalCode::kOutOfBounds, "survey.field.rect",
                          "the rectangle lies wholly outside the map of " + sides());
        }
        if (inside.area() > limits::kFieldCellsMax) {
            return invalid("survey.field.rect", "at most " +
                                                    std::to_string(limits::kFieldCellsMax) +
                                                    " cells at once; ask for a smaller rectangle");
        }
        return check_goal(query.goal, "survey.field.goal");
    }
    Check operator()(const model::ConnectedQuery& query) const {
        const Check start = check_cell(query.start, "survey.connected.start");
        return start ? check_goal(query.goal, "survey.connected.goal") : start;
    }
    Check operator()(const model::SightQuery& query) const {
        const Check from = check_cell(query.from, "survey.sight.from");
        return from ? check_cell(query.to, "survey.sight.to") : from;
    }

  private:
    [[nodiscard]] std::string sides() const {
        return std::to_string(map_.width) + " x " + std::to_string(map_.height) +
               " cells; the top left cell is 0,0";
    }
    static Check check_count(std::size_t count, const char* field, std::size_t most) {
        if (count == 0 || count > most) {
            return invalid(field, "give from 1 to " + std::to_string(most) + " of them");
        }
        return {};
    }
    [[nodiscard]] Check check_cell(model::Cell cell, const char* field) const {
        if (!map_.contains(cell)) {
            return refuse(model::RefusalCode::kOutOfBounds, field,
                          "a cell lies outside the map of " + sides());
        }
        return {};
    }
    [[nodiscard]] Check check_cells(const std::vector<model::Cell>& cells, const char* field,
                                    std::size_t most) const {
        Check check = check_count(cells.size(), field, most);
        for (std::size_t i = 0; check && i < cells.size(); ++i) {
            check = check_cell(cells[i], field);
        }
        return check;
    }
    static Check check_formation(const model::GroupQuery& query) {
        constexpr const char* kField = "survey.group.formation";
        if (!query.formation.empty() && query.formation.size() != query.starts.size()) {
            return invalid(kField, "holds " + std::to_string(query.formation.size()) +
                                       " places for " + std::to_string(query.starts.size()) +
                                       " units; give one for each, or none");
        }
        constexpr std::int32_t kFar = limits::kMapSideMax;
        for (const model::Cell offset : query.formation) {
            if (offset.x < -kFar || offset.x > kFar || offset.y < -kFar || offset.y > kFar) {
                return invalid(kField, "a place lies more than " + std::to_string(kFar) +
                                           " cells from the goal; give differences from it");
            }
        }
        return {};
    }
    // Ends are sorted by how they lie about the goal.
    [[nodiscard]] Check check_room(const model::Goal& goal) const {
        const std::int64_t range = goal.range;
        const auto side = [range](std::int64_t first, std::int64_t end, std::int64_t cells) {
            return std::min(end + range, cells) - std::max<std::int64_t>(first - range, 0);
        };
        if (side(goal.rect.x, goal.rect.end_x(), map_.width) *
                side(goal.rect.y, goal.rect.end_y(), map_.height) >
            kOwnEndsGoalCellsMax) {
            return invalid("survey.group.goal",
                           "with own_ends the goal and its range may cover " +
                               std::to_string(kOwnEndsGoalCellsMax) +
                               " cells; ask for a smaller one, units find room around it");
        }
        return {};
    }
    [[nodiscard]] Check check_goal(const model::Goal& goal, const std::string& field) const {
        if (goal.rect.empty()) {
            return invalid(field,
                           "the goal rectangle is empty; width and height must be at least "
                           "1");
        }
        if (model::intersect(goal.rect, map_).empty()) {
            return refuse(model::RefusalCode::kOutOfBounds, field,
                          "the goal lies wholly outside the map of " + sides());
        }
        if (goal.range > limits::kGoalRangeMax) {
            return invalid(field + ".range", "the range is above the limit of " +
                                                 std::to_string(limits::kGoalRangeMax) +
                                                 " cells; ask for a smaller one");
        }
        return {};
    }

    model::Rect map_;
};

}  // namespace

Check validate(const map::Snapshot& snapshot, const model::Survey& survey) {
    if (snapshot.layer(survey.movement_class) == nullptr) {
        return refuse(model::RefusalCode::kUnknownClass, "survey.class_id",
                      "the map has no movement class " +
                          std::to_string(survey.movement_class.value) + "; its classes are 0 to " +
                          std::to_string(snapshot.class_count() - 1));
    }
    return std::visit(Checker(snapshot), survey.query);
}

}  // namespace outrider::search
