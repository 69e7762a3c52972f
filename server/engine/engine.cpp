#include "outrider/engine/engine.hpp"

#include <algorithm>
#include <utility>

#include "outrider/engine/engine_impl.hpp"
#include "outrider/engine/replies.hpp"
#include "outrider/engine/survey_bytes.hpp"

namespace outrider::engine {
namespace {

struct Bound {
    const char* name;
    std::uint64_t value;
    std::uint64_t least;
};

base::Result<void> check(const Config& config) {
    using std::chrono::milliseconds;
    constexpr milliseconds one{1};
    const auto count_of = [](milliseconds time) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
    };
    const Bound bounds[] = {
        {"requests_max", config.requests_max, 1},
        {"requests_per_client_max", config.requests_per_client_max, 1},
        {"clients_max", config.clients_max, 1},
        {"follows_max", config.follows_max, 1},
        {"follows_per_client_max", config.follows_per_client_max, 1},
        {"survey_bytes_max", config.survey_bytes_max, survey_bytes_at_most()},
        {"survey_result_bytes_max", config.survey_result_bytes_max, 1},
        {"suspended_max", config.suspended_max, 1},
        {"snapshots_per_map_max", config.snapshots_per_map_max, 2},
        {"expansions_per_slice", config.expansions_per_slice, 1},
        {"expansions_max", config.expansions_max, 1},
        {"landmark_calm_ms", count_of(config.landmark_calm), 1},
        {"queue_wait_ms + 1", count_of(config.queue_wait + one), 1},
        {"wait_max_ms + 1", count_of(config.wait_max + one), 1},
        {"overload_patience_ms", count_of(config.overload_patience), 1},
        {"ageing_step_ms", count_of(config.ageing_step), 1},
    };
    for (const Bound& bound : bounds) {
        if (bound.value < bound.least) {
            return base::fail(std::string(bound.name) + " must be at least " +
                              std::to_string(bound.least));
        }
    }
    return {};
}

}  // namespace

base::Result<std::unique_ptr<Engine>> Engine::create(const Config& config,
                                                     const base::Clock& clock) {
    if (auto checked = check(config); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    return std::unique_ptr<Engine>(new Engine(std::make_unique<Impl>(config, clock)));
}

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;

base::Result<model::MapId> Engine::add_map(std::string name, map::Grid grid,
                                           std::vector<model::MovementClass> classes) {
    auto loaded = load_map({std::move(name), std::move(grid), std::move(classes)});
    if (!loaded) {
        return base::fail(std::move(loaded.error().message));
    }
    return loaded->id;
}

std::expected<LoadedMap, model::Refusal> Engine::load_map(NewMap map) {
    return impl_->load_map(std::move(map));
}

std::optional<model::Refusal> Engine::refusal_of_load(std::string_view name, bool replace) const {
    return impl_->maps().refusal_of(name, replace);
}

std::expected<void, model::Refusal> Engine::drop_map(model::MapId map) {
    return impl_->drop_map(map);
}

std::uint64_t Engine::map_changes() const {
    return impl_->maps().changes();
}

std::optional<model::MapId> Engine::find_map(std::string_view name) const {
    const MapPtr entry = impl_->maps().find(name);
    return entry ? std::optional(entry->id()) : std::nullopt;
}

std::vector<MapInfo> Engine::maps() const {
    std::vector<MapInfo> infos;
    for (const MapPtr& entry : impl_->maps().all()) {
        infos.push_back(impl_->info_of(*entry));
    }
    return infos;
}

std::expected<MapInfo, model::Refusal> Engine::map_info(model::MapId map) const {
    const MapPtr entry = impl_->maps().find(map);
    if (!entry) {
        return std::unexpected(unknown_map(map));
    }
    return impl_->info_of(*entry);
}

std::expected<std::pair<model::ClassId, model::Version>, model::Refusal> Engine::add_class(
    model::MapId map, model::MovementClass movement_class) {
    return impl_->add_class(map, std::move(movement_class));
}

std::expected<model::EditReceipt, model::Refusal> Engine::edit(model::MapId map,
                                                               model::EditBatch batch) {
    return impl_->edit(map, std::move(batch));
}

std::expected<map::State, model::Refusal> Engine::map_state(model::MapId map) const {
    const MapPtr entry = impl_->maps().find(map);
    if (!entry) {
        return std::unexpected(unknown_map(map));
    }
    return entry->store().state();
}

std::shared_ptr<const map::Snapshot> Engine::snapshot(model::MapId map) const {
    const MapPtr entry = impl_->maps().find(map);
    return entry ? entry->store().snapshot() : nullptr;
}

std::expected<model::ClientId, model::Refusal> Engine::connect(std::shared_ptr<Sink> sink) {
    return impl_->connect(std::move(sink));
}

void Engine::disconnect(model::ClientId client) {
    impl_->disconnect(client);
}

void Engine::submit(model::ClientId client, model::PathRequest request) {
    impl_->submit(client, std::move(request));
}

void Engine::submit(model::ClientId client, model::SurveyRequest request) {
    impl_->submit(client, std::move(request));
}

bool Engine::cancel(model::ClientId client, model::RequestId request) {
    return impl_->cancel(client, request);
}

std::vector<model::RequestId> Engine::report(model::ClientId client,
                                             std::span<const model::Progress> reports) {
    return impl_->report(client, reports);
}

std::expected<map::State, model::Refusal> Engine::watch(model::ClientId client, model::MapId map) {
    return impl_->watch(client, map);
}

void Engine::unwatch(model::ClientId client, model::MapId map) {
    if (const MapPtr entry = impl_->maps().find(map)) {
        entry->unwatch(client);
    }
}

bool Engine::run_for(std::chrono::microseconds budget) {
    return impl_->run_for(budget);
}

void Engine::begin_drain() {
    impl_->begin_drain();
}

bool Engine::drained() const {
    return impl_->drained();
}

bool Engine::wait_drained(std::chrono::milliseconds limit) {
    return impl_->wait_drained(limit);
}

Metrics Engine::metrics() const {
    return impl_->metrics();
}

MemoryLedger& Engine::memory() const {
    return impl_->memory();
}

Stats Engine::stats() const {
    return impl_->stats();
}

}  // namespace outrider::engine
