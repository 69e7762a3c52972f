// Any bytes as a script of edits and questions on a small map: after each edit the store, and each
// answer of every kernel, against the plainest map and the plainest search there are.

#include <fuzzer/FuzzedDataProvider.h>

#include <string>

#include "outrider/base/check.hpp"
#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/oracle.hpp"
#include "support/reference_map.hpp"

namespace {

using namespace outrider;

constexpr std::int32_t kSideMax = 70;  // more than a chunk
constexpr int kStepsMax = 24;
constexpr std::uint64_t kIds = 6;
// Open ground of three prices, and three kinds of wall.
constexpr char kTerrain[] = ".GHKS@TW";

model::MovementClass class_of(FuzzedDataProvider& data) {
    model::MovementClass who = data.ConsumeBool() ? model::ground_class() : model::terrain_class();
    who.footprint = data.ConsumeIntegralInRange<std::uint8_t>(1, 3);
    who.directions = data.ConsumeBool() ? model::Directions::kEight : model::Directions::kFour;
    who.corner_rule = data.PickValueInArray(
        {model::CornerRule::kBothOpen, model::CornerRule::kOneOpen, model::CornerRule::kNoneOpen});
    who.team = data.ConsumeIntegralInRange<std::uint8_t>(0, 2);
    return who;
}

model::Terrain terrain_of(FuzzedDataProvider& data) {
    return static_cast<model::Terrain>(
        kTerrain[data.ConsumeIntegralInRange<std::size_t>(0, sizeof(kTerrain) - 2)]);
}

// Partly outside the map, too.
model::Rect rect_of(FuzzedDataProvider& data, std::int32_t most) {
    const auto place = [&] { return data.ConsumeIntegralInRange<std::int32_t>(-3, kSideMax); };
    const auto side = [&] { return data.ConsumeIntegralInRange<std::int32_t>(1, most); };
    return {place(), place(), side(), side()};
}

model::Edit edit_of(FuzzedDataProvider& data) {
    const model::ObstacleId id{data.ConsumeIntegralInRange<std::uint64_t>(1, kIds)};
    switch (data.ConsumeIntegralInRange<int>(0, 2)) {
        case 0: return model::TerrainEdit{rect_of(data, 9), {terrain_of(data)}};
        case 1:
            return model::PlaceObstacle{id, rect_of(data, 5),
                                        data.ConsumeIntegralInRange<std::uint64_t>(0, 7)};
        default: return model::RemoveObstacle{id};
    }
}

struct World {
    map::Grid grid;
    model::MovementClass who;
    std::unique_ptr<map::Store> store;
    test::ReferenceMap reference;
    search::BuffersPtr buffers = search::make_buffers();
};

void edit(World& world, FuzzedDataProvider& data) {
    model::EditBatch batch;
    for (int i = data.ConsumeIntegralInRange<int>(1, 3); i > 0; --i) {
        batch.edits.push_back(edit_of(data));
    }
    const auto before = world.store->snapshot()->version();
    const auto receipt = world.store->apply(batch);
    if (!receipt) {
        OUTRIDER_CHECK(!receipt.error().message.empty() &&
                       world.store->snapshot()->version() == before);
        return;
    }
    OUTRIDER_CHECK(receipt->version == before + 1);
    world.reference.apply(batch);
}

void ask(World& world, FuzzedDataProvider& data) {
    const auto along = [&](std::int32_t side) {
        return data.ConsumeIntegralInRange<std::int32_t>(0, side - 1);
    };
    model::PathQuery query;
    query.start = {along(world.grid.width), along(world.grid.height)};
    query.goal = {{along(world.grid.width), along(world.grid.height), 1, 1},
                  data.ConsumeIntegralInRange<std::uint32_t>(0, 2)};
    query.allow_partial = data.ConsumeBool();
    query.leave_blocked_start = data.ConsumeBool();
    const auto snapshot = world.store->snapshot();
    const test::WeightGrid weights = world.reference.weights(world.who);
    const test::Mover mover = test::mover_of(world.who);
    const test::Expected wanted = test::ask_oracle(weights, mover, query);
    for (const model::Algorithm algorithm :
         {model::Algorithm::kAuto, model::Algorithm::kDijkstra, model::Algorithm::kAstar,
          model::Algorithm::kJps, model::Algorithm::kTerrain}) {
        query.algorithm = algorithm;
        if (!search::validate(*snapshot, query)) {
            continue;  // a kernel that this class has no use for
        }
        const model::PathResult got = search::run(*snapshot->layer({0}), query, *world.buffers);
        OUTRIDER_CHECK(got.outcome == wanted.outcome && got.reason == wanted.reason);
        if (!got.turning_points.empty()) {
            OUTRIDER_CHECK(got.cost == wanted.cost);
            OUTRIDER_CHECK(test::fault_of_path(weights, mover, query, got).empty());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    map::Grid grid;
    grid.width = data.ConsumeIntegralInRange<std::int32_t>(1, kSideMax);
    grid.height = data.ConsumeIntegralInRange<std::int32_t>(1, kSideMax);
    grid.terrain.assign(
        static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height), '.');
    const model::MovementClass who = class_of(data);
    auto store = map::Store::create(grid, {who});
    if (!store) {
        return 0;
    }
    World world{grid, who, *std::move(store),
                test::ReferenceMap(grid.width, grid.height, grid.terrain)};
    for (int step = 0; step < kStepsMax && data.remaining_bytes() > 0; ++step) {
        if (data.ConsumeBool()) {
            edit(world, data);
        } else {
            ask(world, data);
        }
    }
    return 0;
}
