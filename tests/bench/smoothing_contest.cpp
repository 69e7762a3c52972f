#include "bench/smoothing_contest.hpp"

#include <memory>
#include <utility>

#include "outrider/model/path.hpp"
#include "outrider/search/search.hpp"
#include "outrider/search/smoothing.hpp"

namespace outrider::bench {
namespace {

using search::Grade;

struct Found {
    std::vector<model::Cell> turning_points;
    // Ends of the lines that the path is smoothed to.
    std::vector<model::Cell> waypoints;
};

std::vector<Found> found_paths(const Ground& ground, const std::vector<model::PathQuery>& queries) {
    const search::BuffersPtr buffers = search::make_buffers();
    std::vector<Found> found;
    for (const model::PathQuery& query : queries) {
        Found one{search::run(ground.layer(), query, *buffers).turning_points, {}};
        const search::Smoothed smoothed =
            search::smooth(ground.layer(), one.turning_points, {Grade::kWaypoints});
        for (const search::Point point : smoothed.points) {
            one.waypoints.push_back(search::cell_of(point));
        }
        found.push_back(std::move(one));
    }
    return found;
}

}  // namespace

std::vector<Contestant> smoothing_on(const Ground& ground,
                                     const std::vector<model::PathQuery>& queries) {
    const auto found = std::make_shared<std::vector<Found>>(found_paths(ground, queries));
    const map::Layer& layer = ground.layer();
    const auto contestant = [&](std::string name, auto answer) {
        return Contestant{std::move(name), 1,
                          [found, answer, next = std::size_t{0}](const model::PathQuery&) mutable {
                              return answer((*found)[next++ % found->size()]);
                          }};
    };
    const auto smoother = [&](std::string name, Grade grade) {
        return contestant(std::move(name), [&layer, grade](const Found& path) {
            return Reply{model::cell_count_of(path.turning_points),
                         search::smooth(layer, path.turning_points, {grade}).cost};
        });
    };
    return {contestant("lines in sight",
                       [&layer](const Found& path) {
                           Reply reply;
                           for (std::size_t i = 1; i < path.waypoints.size(); ++i) {
                               reply.cost +=
                                   search::in_sight(layer, path.waypoints[i - 1], path.waypoints[i])
                                       ? 1
                                       : 0;
                               ++reply.expansions;
                           }
                           return reply;
                       }),
            smoother("waypoints", Grade::kWaypoints), smoother("corners", Grade::kCorners)};
}

}  // namespace outrider::bench
