#include <chrono>
#include <cstdio>
#include <memory>

#include "outrider/engine/engine.hpp"
#include "outrider/model/cost.hpp"

using namespace outrider;

struct Orders final : engine::Sink {
    void on_reply(model::PathReply reply) override { last = std::move(reply); }
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {}
    model::PathReply last;
};

int main() {
    const base::SteadyClock clock;
    const auto engine = engine::Engine::create({.workers = 0}, clock).value();
    const auto field =
        map::parse_map("type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n", "field")
            .value();
    const auto map = engine->add_map("field", field, {model::ground_class()}).value();
    const auto orders = std::make_shared<Orders>();
    const auto client = engine->connect(orders).value();

    engine->submit(client, {.id = {1}, .map = map, .query = {.start = {0, 0}, .goal = {{4, 0}}}});
    while (engine->run_for(std::chrono::milliseconds(2))) {
        // The rest of the game's frame goes here.
    }
    const model::PathAnswer answer = orders->last.body.value();
    for (const model::Cell cell : answer.result->turning_points) {
        std::printf("(%d,%d) ", cell.x, cell.y);
    }
    std::printf("length %.3f\n", model::length_in_cells(answer.result->cost));
}
