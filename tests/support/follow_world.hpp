#pragma once
// What: an engine with one client whose units are followed on a drawn map.

#include <vector>

#include "outrider/model/path.hpp"
#include "outrider/search/search.hpp"
#include "support/engine_world.hpp"

namespace outrider::test {

struct FollowWorld : EngineWorld {
    explicit FollowWorld(std::initializer_list<std::string_view> rows,
                         const engine::Config& config = pumped())
        : EngineWorld(config, grid_of(rows)), client(connect(sink)) {}
    explicit FollowWorld(map::Grid grid, const engine::Config& config = pumped())
        : EngineWorld(config, std::move(grid)), client(connect(sink)) {}

    [[nodiscard]] model::PathRequest order(std::uint64_t id, model::Cell start, model::Cell goal,
                                           bool improve = false) const {
        model::PathRequest asked = request(id, start, goal);
        asked.unit = {id + 1000};
        asked.follow = model::FollowOptions{.improve = improve, .repair_percent = 0};
        return asked;
    }
    // Asks and waits for the first answer.
    void follow(const model::PathRequest& asked) const {
        engine->submit(client, asked);
        run_all();
    }
    void follow(std::uint64_t id, model::Cell start, model::Cell goal, bool improve = false) const {
        follow(order(id, start, goal, improve));
    }
    // An obstacle of one cell.
    void place(std::uint64_t id, model::Cell cell) const {
        apply(model::PlaceObstacle{{id}, {cell.x, cell.y, 1, 1}, 0});
    }
    void remove(std::uint64_t id) const { apply(model::RemoveObstacle{{id}}); }
    void apply(const model::Edit& edit) const {
        OUTRIDER_CHECK(engine->edit(map, {{edit}}).has_value());
    }
    [[nodiscard]] bool report(std::uint64_t id, model::Cell cell) const {
        const model::Progress progress{{id}, cell};
        return engine->report(client, {&progress, 1}).empty();
    }
    // What the newest map's own search says to the order, asked afresh from `start`.
    [[nodiscard]] model::PathResult fresh(const model::PathRequest& asked,
                                          model::Cell start) const {
        model::PathQuery query = asked.query;
        query.start = start;
        query.expansions_max = engine::Config{}.expansions_max;
        const auto snapshot = engine->snapshot(map);
        const auto buffers = search::make_buffers();
        return search::run(*snapshot->layer(query.movement_class), query, *buffers);
    }

    std::shared_ptr<RecordingSink> sink{make_sink()};
    model::ClientId client;
};

}  // namespace outrider::test
