#include <string>

#include "outrider/base/limits.hpp"
#include "outrider/search/search.hpp"

namespace outrider::search {
namespace {

using base::limits::kGoalRangeMax;
using base::limits::kWeightPercentMax;
using Check = std::expected<void, model::Refusal>;

std::unexpected<model::Refusal> refuse(model::RefusalCode code, std::string field,
                                       std::string message) {
    return std::unexpected(model::Refusal{code, std::move(field), std::move(message)});
}

std::string sides(const map::Snapshot& snapshot) {
    return std::to_string(snapshot.width()) + " x " + std::to_string(snapshot.height());
}

Check check_places(const map::Snapshot& snapshot, const model::PathQuery& query) {
    const model::Rect map{0, 0, snapshot.width(), snapshot.height()};
    if (!map.contains(query.start)) {
        return refuse(model::RefusalCode::kOutOfBounds, "path.start",
                      "the start lies outside the map of " + sides(snapshot) +
                          " cells; the top left cell is 0,0");
    }
    if (query.goal.rect.empty()) {
        return refuse(model::RefusalCode::kInvalidArgument, "path.goal",
                      "the goal rectangle is empty; width and height must be at least 1");
    }
    if (model::intersect(query.goal.rect, map).empty()) {
        return refuse(model::RefusalCode::kOutOfBounds, "path.goal",
                      "the goal lies wholly outside the map of " + sides(snapshot) +
                          " cells; at least one of its cells must be on the map");
    }
    if (query.goal.range > kGoalRangeMax) {
        return refuse(model::RefusalCode::kInvalidArgument, "path.goal.range",
                      "the range is above the limit of " + std::to_string(kGoalRangeMax) +
                          " cells; ask for a smaller one");
    }
    return {};
}

Check check_weight(const model::PathQuery& query) {
    const std::uint32_t weight = query.weight_percent;
    if (weight < 100 || weight > kWeightPercentMax) {
        return refuse(
            model::RefusalCode::kInvalidArgument, "path.weight_percent",
            "the weight must be from 100 (optimal) to " + std::to_string(kWeightPercentMax));
    }
    const bool weighs =
        query.algorithm == model::Algorithm::kAuto || query.algorithm == model::Algorithm::kAstar;
    if (weight > 100 && !weighs) {
        return refuse(model::RefusalCode::kInvalidArgument, "path.weight_percent",
                      "only AUTO and ASTAR take a weight above 100; choose one of them or 100");
    }
    return {};
}

Check check_smoothing(const model::Smoothing& smoothing) {
    const std::int32_t clearance = smoothing.clearance;
    if (clearance < model::kClearanceMin || clearance > model::kClearanceMax) {
        return refuse(model::RefusalCode::kInvalidArgument, "path.smoothing.clearance",
                      "the clearance must be from " + std::to_string(model::kClearanceMin) +
                          " to " + std::to_string(model::kClearanceMax) +
                          " sub-cells, of which a cell's side has " +
                          std::to_string(model::kCellSide));
    }
    if (smoothing.grade != model::Grade::kCorners && clearance != model::kClearanceMax) {
        return refuse(model::RefusalCode::kInvalidArgument, "path.smoothing.clearance",
                      "only CORNERS takes a clearance; choose it or leave the clearance out");
    }
    return {};
}

}  // namespace

Check validate(const map::Snapshot& snapshot, const model::PathQuery& query) {
    if (snapshot.layer(query.movement_class) == nullptr) {
        return refuse(model::RefusalCode::kUnknownClass, "path.class_id",
                      "the map has no movement class " +
                          std::to_string(query.movement_class.value) + "; its classes are 0 to " +
                          std::to_string(snapshot.class_count() - 1));
    }
    if (const Check places = check_places(snapshot, query); !places) {
        return places;
    }
    const Check weight = check_weight(query);
    return weight ? check_smoothing(query.smoothing) : weight;
}

}  // namespace outrider::search
