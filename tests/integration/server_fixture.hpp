#pragma once
// What: a server on port 0 in this process, with one small drawn map and clocks in the test's hand.

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string_view>

#include "integration/raw_client.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/net/server.hpp"
#include "support/eventually.hpp"
#include "support/manual_clock.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

struct ServerTest : testing::Test {
    ServerTest() {
        net_config.port = 0;
        net_config.tick = std::chrono::milliseconds(2);
        engine_config.workers = 1;
    }

    void start() {
        log =
            std::make_unique<telemetry::Log>(telemetry::LogConfig{.level = log_level}, *log_clock);
        engine = std::move(engine::Engine::create(engine_config, steady).value());
        map = engine
                  ->add_map("drawn",
                            grid_of({"......#.", ".####.#.", ".#..#.#.", ".#..#...", ".####.#.",
                                     "......#."}),
                            {model::ground_class(), model::terrain_class()})
                  .value();
        auto opened = net::Server::open(net_config, {.engine = *engine,
                                                     .engine_config = engine_config,
                                                     .clock = *session_clock,
                                                     .log = *log,
                                                     .load_map = load_map});
        ASSERT_TRUE(opened.has_value()) << opened.error().message;
        server = *std::move(opened);
        const auto listening = server->listen();
        ASSERT_TRUE(listening.has_value()) << listening.error().message;
    }

    void TearDown() override {
        server.reset();
        engine.reset();
    }

    static map::Grid grid_of(std::initializer_list<std::string_view> rows) {
        map::Grid grid;
        grid.terrain = terrain_of(rows);
        grid.height = static_cast<std::int32_t>(rows.size());
        grid.width = static_cast<std::int32_t>(rows.begin()->size());
        std::ranges::replace(grid.terrain, static_cast<model::Terrain>('#'),
                             static_cast<model::Terrain>('@'));
        return grid;
    }

    // From the top left corner to the bottom right one.
    [[nodiscard]] codec::PathRequest across() const {
        codec::PathRequest request;
        request.map = map;
        request.query.start = {0, 0};
        request.query.goal.rect = {7, 5, 1, 1};
        return request;
    }

    // A square of open ground; an edit of all of it is dear.
    [[nodiscard]] model::MapId add_field(std::int32_t side) const {
        map::Grid grid;
        grid.width = grid.height = side;
        grid.terrain.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), '.');
        return engine->add_map("field", std::move(grid), {model::ground_class()}).value();
    }

    [[nodiscard]] codec::EditRequest block(std::int32_t x, std::int32_t y) const {
        return {
            map,
            {{model::PlaceObstacle{{static_cast<std::uint64_t>(100 * y + x + 1)}, {x, y, 1, 1}}}}};
    }

    [[nodiscard]] bool sessions_become(std::uint64_t count) const {
        return eventually([&] { return server->stats().sessions_open == count; });
    }

    // Lets the time pass again and again, since the session may read the clock after the first.
    [[nodiscard]] bool passes_until_answered(std::chrono::milliseconds time,
                                             const RawClient& client) {
        return eventually([&] {
            clock.advance(time + std::chrono::milliseconds(1));
            return client.something_to_read(5);
        });
    }

    net::Config net_config;
    engine::Config engine_config;
    net::MapSource load_map{};
    telemetry::Level log_level{telemetry::Level::kOff};
    base::SteadyClock steady;
    ManualClock clock;  // the sessions' timeouts
    const base::Clock* session_clock{&clock};
    const base::Clock* log_clock{&steady};
    std::unique_ptr<telemetry::Log> log;
    std::unique_ptr<engine::Engine> engine;
    std::unique_ptr<net::Server> server;
    model::MapId map;
};

}  // namespace outrider::test
