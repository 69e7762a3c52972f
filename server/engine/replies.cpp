#include "outrider/engine/replies.hpp"

#include <algorithm>

#include "outrider/base/limits.hpp"

namespace outrider::engine {
namespace {

// Questions and answers stand in the same order.
decltype(model::SurveyResult::body) empty_body(const model::Survey& survey) {
    switch (survey.query.index()) {
        case 0: return model::GroupPaths{};
        case 1: return model::NearestGoals{};
        case 2: return model::Reach{};
        case 3: return model::CostMatrix{};
        case 4: return model::FieldArrows{};
        case 5: return model::Connection{};
        default: return model::Sight{};
    }
}

}  // namespace

model::Refusal shutting_down() {
    return {.code = model::RefusalCode::kShuttingDown,
            .field = {},
            .message = "the server is draining: connect to another one or come back later"};
}

model::Refusal internal_error() {
    return {.code = model::RefusalCode::kInternal,
            .field = {},
            .message =
                "the search failed inside the server: please report it; trying again is "
                "harmless"};
}

model::Refusal unknown_map(model::MapId map) {
    return {.code = model::RefusalCode::kUnknownMap,
            .field = "map",
            .message = "there is no map " + std::to_string(map.value) + ": list the maps for ids"};
}

model::Refusal map_refused(model::RefusalCode code, const char* field, std::string message) {
    return {.code = code, .field = field, .message = std::move(message)};
}

model::Refusal map_dropped(model::MapId map, model::MapId successor) {
    const std::string next =
        successor == model::MapId{}
            ? "list the maps for those that are left"
            : "map " + std::to_string(successor.value) + " has taken its place";
    return {.code = model::RefusalCode::kUnknownMap,
            .field = "map",
            .message = "map " + std::to_string(map.value) + " was dropped: " + next};
}

model::Refusal unknown_client() {
    return {.code = model::RefusalCode::kInvalidArgument,
            .field = "client",
            .message = "this client is not connected: connect first"};
}

model::Refusal duplicate_request(model::RequestId request) {
    return {.code = model::RefusalCode::kInvalidArgument,
            .field = "request_id",
            .message = "request " + std::to_string(request.value) +
                       " is still in flight: choose an id that is not in use"};
}

model::Refusal bad_priority() {
    return {.code = model::RefusalCode::kInvalidArgument,
            .field = "priority",
            .message = "unknown priority: use LOW, NORMAL, HIGH or URGENT"};
}

std::optional<model::Refusal> refusal_of_follow(const model::PathRequest& request) {
    if (!request.follow) {
        return std::nullopt;
    }
    if (request.query.explain) {
        return model::Refusal{.code = model::RefusalCode::kInvalidArgument,
                              .field = "path.explain",
                              .message = "a path that is followed is not explained: ask twice"};
    }
    if (request.query.smoothing.grade != model::Grade::kNone) {
        return model::Refusal{.code = model::RefusalCode::kInvalidArgument,
                              .field = "path.smoothing",
                              .message =
                                  "a path that is followed is not smoothed: its unit is "
                                  "reported by the cells of the path; ask twice"};
    }
    const std::uint32_t repair = request.follow->repair_percent;
    if (repair != 0 && (repair < 100 || repair > base::limits::kWeightPercentMax)) {
        return model::Refusal{.code = model::RefusalCode::kInvalidArgument,
                              .field = "path.follow.repair_percent",
                              .message =
                                  "must be 0 (never repair) or from 100 (only where that is "
                                  "optimal) to " +
                                  std::to_string(base::limits::kWeightPercentMax)};
    }
    return std::nullopt;
}

model::Refusal overloaded(const char* what, std::size_t most,
                          std::chrono::milliseconds retry_after) {
    return {.code = model::RefusalCode::kOverloaded,
            .field = {},
            .message = std::to_string(most) + " " + what + " is the most: try again later",
            .retry_after = retry_after};
}

model::Refusal out_of_memory(std::size_t used, std::chrono::milliseconds retry_after) {
    return {.code = model::RefusalCode::kOverloaded,
            .field = {},
            .message = "the server's memory is used up (" + std::to_string(used) +
                       " bytes): try again later",
            .retry_after = retry_after};
}

model::Refusal too_long_a_wait(base::Duration wait, base::Duration stay_away) {
    using std::chrono::milliseconds;
    // A hint of a second is enough to come back with less.
    constexpr milliseconds kHintMax{1000};
    const auto hint = std::chrono::ceil<milliseconds>(stay_away);
    return {.code = model::RefusalCode::kOverloaded,
            .field = {},
            .message = "more is asked than can be answered: this would wait for about " +
                       std::to_string(std::chrono::ceil<milliseconds>(wait).count()) +
                       " ms; try again later",
            .retry_after = std::clamp(hint, milliseconds(1), kHintMax)};
}

std::shared_ptr<const model::PathResult> without_path(const model::PathQuery& query,
                                                      model::Outcome outcome) {
    auto result = std::make_shared<model::PathResult>();
    result->outcome = outcome;
    result->reason = outcome;
    // No kernel has run: name the one that was asked for, or the textbook's.
    result->algorithm =
        query.algorithm == model::Algorithm::kAuto ? model::Algorithm::kAstar : query.algorithm;
    return result;
}

std::shared_ptr<const model::SurveyResult> without_survey(const model::Survey& survey,
                                                          model::Outcome outcome) {
    auto result = std::make_shared<model::SurveyResult>();
    result->outcome = outcome;
    result->body = empty_body(survey);
    return result;
}

}  // namespace outrider::engine
