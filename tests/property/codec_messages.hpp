#pragma once
// What: any message that a client can send, for the codec's property tests.

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "outrider/base/limits.hpp"
#include "outrider/codec/messages.hpp"
#include "support/random.hpp"

namespace outrider::codec {

using test::Random;

inline std::int32_t any_int32(Random& random) {
    return static_cast<std::int32_t>(random.bits());
}

inline std::string any_name(Random& random) {
    return std::string(static_cast<std::size_t>(random.between(0, 64)), 'n');
}

inline model::Rect any_rect(Random& random) {
    return {any_int32(random), any_int32(random), static_cast<std::int32_t>(random.between(1, 9)),
            static_cast<std::int32_t>(random.between(1, 9))};
}

inline model::MovementClass any_class(Random& random) {
    model::MovementClass any;
    any.name = any_name(random);
    for (auto& weight : any.weights) {
        weight = static_cast<std::uint8_t>(random.chance(50) ? 0 : random.between(0, 255));
    }
    any.directions = random.chance(50) ? model::Directions::kFour : model::Directions::kEight;
    any.corner_rule = static_cast<model::CornerRule>(random.between(0, 2));
    any.footprint = static_cast<std::uint8_t>(random.between(1, 255));
    any.team = static_cast<std::uint8_t>(random.between(0, 255));
    return any;
}

inline model::Edit any_edit(Random& random) {
    switch (random.between(0, 2)) {
        case 0: {
            const model::Rect rect = any_rect(random);
            const auto size = random.chance(50) ? 1 : rect.area();
            return model::TerrainEdit{
                rect, std::vector<model::Terrain>(static_cast<std::size_t>(size),
                                                  static_cast<model::Terrain>(random.bits()))};
        }
        case 1: {
            std::vector<std::uint8_t> mask(static_cast<std::size_t>(random.between(0, 9)));
            std::ranges::generate(mask, [&] { return static_cast<std::uint8_t>(random.bits()); });
            return model::PlaceObstacle{
                {random.bits()}, any_rect(random), random.bits(), std::move(mask)};
        }
        default: return model::RemoveObstacle{{random.bits()}};
    }
}

inline model::EditBatch any_batch(Random& random) {
    model::EditBatch batch;
    for (std::int64_t i = random.between(0, 20); i > 0; --i) {
        batch.edits.push_back(any_edit(random));
    }
    return batch;
}

inline std::optional<model::FollowOptions> any_follow(Random& random) {
    if (random.chance(50)) {
        return std::nullopt;
    }
    return model::FollowOptions{.improve = random.chance(50),
                                .repair_percent = static_cast<std::uint32_t>(random.bits())};
}

inline std::optional<model::ObstacleId> any_obstacle(Random& random) {
    if (random.chance(50)) {
        return std::nullopt;
    }
    return model::ObstacleId{random.chance(20) ? 0 : random.bits()};
}

inline PathRequest any_path(Random& random) {
    return {.map = {static_cast<std::uint32_t>(random.bits())},
            .map_name = any_name(random),
            .class_name = any_name(random),
            .query = {.movement_class = {static_cast<std::uint16_t>(random.bits())},
                      .start = {any_int32(random), any_int32(random)},
                      .goal = {any_rect(random), static_cast<std::uint32_t>(random.bits())},
                      .algorithm = static_cast<model::Algorithm>(random.between(0, 4)),
                      .weight_percent = static_cast<std::uint32_t>(random.between(1, 2000)),
                      .allow_partial = random.chance(50),
                      .leave_blocked_start = random.chance(50),
                      .explain = random.chance(50),
                      .ignore_obstacle = any_obstacle(random),
                      .expansions_max = random.bits(),
                      .smoothing = {static_cast<model::Grade>(random.between(0, 2)),
                                    static_cast<std::int32_t>(random.between(1, 1 << 20))}},
            .priority = static_cast<model::Priority>(random.between(0, 3)),
            .deadline_us = random.bits() % (kDeadlineUsMax + 1),
            .unit = {random.bits()},
            .format = static_cast<PathFormat>(random.between(0, 1)),
            .follow = any_follow(random),
            .first_leg = random.chance(50)};
}

// Neighbours less than 2^31 apart: what the wire can say.
inline std::vector<model::Cell> any_cells(Random& random, std::int64_t count) {
    std::vector<model::Cell> cells;
    for (; count > 0; --count) {
        cells.push_back({any_int32(random) / 2, any_int32(random) / 2});
    }
    return cells;
}

inline model::Goal any_goal(Random& random) {
    return {any_rect(random), static_cast<std::uint32_t>(random.bits())};
}

inline decltype(model::Survey::query) any_survey_query(Random& random) {
    const model::Cell cell{any_int32(random), any_int32(random)};
    switch (random.between(0, 6)) {
        case 0: {
            const std::int64_t units = random.between(1, 40);
            return model::GroupQuery{.starts = any_cells(random, units),
                                     .goal = any_goal(random),
                                     .own_ends = random.chance(50),
                                     .formation = any_cells(random, random.chance(50) ? units : 0),
                                     .allow_partial = random.chance(50),
                                     .leave_blocked_start = random.chance(50)};
        }
        case 1: {
            model::NearestQuery query{.start = cell,
                                      .goals = {},
                                      .count = static_cast<std::uint32_t>(random.between(1, 9)),
                                      .leave_blocked_start = random.chance(50)};
            for (std::int64_t i = random.between(1, 9); i > 0; --i) {
                query.goals.push_back(any_goal(random));
            }
            return query;
        }
        case 2:
            return model::ReachQuery{.starts = any_cells(random, random.between(1, 9)),
                                     .cost_max = random.bits() % model::kCostUnknown,
                                     .costs = random.chance(50),
                                     .leave_blocked_start = random.chance(50)};
        case 3:
            return model::MatrixQuery{any_cells(random, random.between(1, 9)),
                                      any_cells(random, random.between(1, 9))};
        case 4: return model::FieldQuery{any_goal(random), any_rect(random), random.chance(50)};
        case 5: return model::ConnectedQuery{cell, any_goal(random), random.chance(50)};
        default: return model::SightQuery{cell, {any_int32(random), any_int32(random)}};
    }
}

inline SurveyRequest any_survey(Random& random) {
    SurveyRequest request{.map = {static_cast<std::uint32_t>(random.bits())},
                          .map_name = any_name(random),
                          .class_name = any_name(random),
                          .survey = {.movement_class = {static_cast<std::uint16_t>(random.bits())},
                                     .expansions_max = random.bits(),
                                     .query = any_survey_query(random)},
                          .priority = static_cast<model::Priority>(random.between(0, 3)),
                          .deadline_us = random.bits() % (kDeadlineUsMax + 1),
                          .format = PathFormat::kTurningPoints};
    // Only questions that are answered by paths have a format.
    if (request.survey.query.index() < 2 && random.chance(50)) {
        request.format = PathFormat::kCells;
    }
    return request;
}

inline ProgressRequest any_progress(Random& random) {
    ProgressRequest request;
    for (std::int64_t i = random.between(0, 20); i > 0; --i) {
        request.units.push_back(
            {{random.bits()},
             {static_cast<std::int32_t>(random.bits()), static_cast<std::int32_t>(random.bits())}});
    }
    return request;
}

inline ClientMessage any_message(Random& random) {
    ClientMessage message{.id = {random.bits() | 1U}, .body = {}};
    const model::MapId map{static_cast<std::uint32_t>(random.bits())};
    switch (random.between(0, 13)) {
        case 0:
            message.body = Hello{static_cast<std::uint32_t>(random.bits()), any_name(random),
                                 any_name(random)};
            break;
        case 1: message.body = any_path(random); break;
        case 2: message.body = EditRequest{map, any_batch(random)}; break;
        case 3: message.body = CancelRequest{{random.bits()}}; break;
        case 4: message.body = Ping{random.bits()}; break;
        case 5: message.body = ListMapsRequest{}; break;
        case 6: message.body = MapStateRequest{map, random.chance(50)}; break;
        case 7: message.body = UnwatchRequest{map}; break;
        case 8: message.body = any_progress(random); break;
        case 9: message.body = StatsRequest{}; break;
        case 10: message.body = any_survey(random); break;
        case 11:
            message.body =
                random.chance(50)
                    ? LoadMapRequest{any_name(random), "a/b.map", {}, random.chance(50)}
                    : LoadMapRequest{any_name(random), {}, std::string("\0\n\xff", 3), false};
            break;
        case 12: message.body = DropMapRequest{map, any_name(random)}; break;
        default: message.body = AddClassRequest{map, any_class(random)}; break;
    }
    return message;
}

}  // namespace outrider::codec
