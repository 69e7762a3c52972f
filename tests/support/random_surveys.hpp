#pragma once
// What: random surveys for property tests: every kind that needs a wave, with few and many places,
//       blocked ones and doubles among them.

#include "outrider/model/survey.hpp"
#include "support/random_maps.hpp"

namespace outrider::test {

inline std::vector<model::Cell> random_places(Random& random, const WeightGrid& grid,
                                              std::int64_t most) {
    std::vector<model::Cell> places;
    for (std::int64_t left = random.between(1, most); left > 0; --left) {
        const bool twin = !places.empty() && random.chance(5);
        places.push_back(twin ? places.front() : random_query(random, grid).start);
    }
    return places;
}

inline model::Survey random_survey(Random& random, const WeightGrid& grid) {
    const model::PathQuery path = random_query(random, grid);
    model::Survey survey;
    switch (random.between(0, 6)) {
        case 0: {
            model::ReachQuery reach;
            reach.starts = random_places(random, grid, random.chance(50) ? 1 : 9);
            reach.cost_max = static_cast<model::Cost>(random.between(0, 60)) *
                             static_cast<model::Cost>(random.between(1, 100'000));
            reach.costs = random.chance(50);
            reach.leave_blocked_start = path.leave_blocked_start;
            survey.query = std::move(reach);
            break;
        }
        case 1: {
            model::NearestQuery nearest;
            nearest.start = path.start;
            for (std::int64_t left = random.between(1, 12); left > 0; --left) {
                nearest.goals.push_back(random_query(random, grid).goal);
            }
            nearest.count = static_cast<std::uint32_t>(random.between(1, 13));
            nearest.leave_blocked_start = path.leave_blocked_start;
            survey.query = std::move(nearest);
            break;
        }
        case 2:
            survey.query =
                model::MatrixQuery{random_places(random, grid, 6), random_places(random, grid, 9)};
            break;
        case 3: {
            const model::Goal rect = random_query(random, grid).goal;
            survey.query = model::FieldQuery{
                path.goal,
                {rect.rect.x - 5, rect.rect.y - 6, rect.rect.width + 12, rect.rect.height + 11},
                random.chance(50)};
            break;
        }
        default: {
            model::GroupQuery group;
            group.starts = random_places(random, grid, random.chance(80) ? 20 : 500);
            group.goal = path.goal;
            group.allow_partial = path.allow_partial;
            group.leave_blocked_start = path.leave_blocked_start;
            survey.query = std::move(group);
        }
    }
    return survey;
}

}  // namespace outrider::test
