#include "outrider/client/map_mirror.hpp"

#include <deque>

#include "outrider/base/mutex.hpp"

namespace outrider::client {

struct MapMirror::State {
    // Set by start() before anybody else sees the state, constant afterwards.
    codec::MapInfo info;
    Listener listener;

    mutable base::Mutex mutex;
    mutable base::Condition changed;
    std::unique_ptr<map::Store> store OUTRIDER_GUARDED_BY(mutex);
    std::optional<Failure> failure OUTRIDER_GUARDED_BY(mutex);
    // Pushes that overtook the restoring of the state.
    std::deque<codec::MapEdited> early OUTRIDER_GUARDED_BY(mutex);

    // False when the mirror has failed, by this batch or before.
    bool apply(const codec::MapEdited& edited) OUTRIDER_REQUIRES(mutex);
    void on_edit(const codec::MapEdited& edited) OUTRIDER_EXCLUDES(mutex);
    void on_end(const Failure& reason) OUTRIDER_EXCLUDES(mutex);
    [[nodiscard]] Result<void> begin(codec::MapState state) OUTRIDER_EXCLUDES(mutex);
};

bool MapMirror::State::apply(const codec::MapEdited& edited) {
    if (failure) {
        return false;
    }
    const auto version = store->replay(edited.batch);
    if (!version) {
        failure = failure_of(version.error());
    } else if (*version != edited.version) {
        failure = Failure{FailureKind::kProtocol,
                          "the mirror is at version " + std::to_string(*version) +
                              " and the server at " + std::to_string(edited.version),
                          std::nullopt};
    }
    return !failure;
}

void MapMirror::State::on_edit(const codec::MapEdited& edited) {
    bool applied = false;
    {
        const base::Lock lock(mutex);
        if (store) {
            applied = apply(edited);
        } else if (!failure) {
            early.push_back(edited);
        }
        changed.notify_all();
    }
    if (applied && listener) {
        listener(edited);
    }
}

void MapMirror::State::on_end(const Failure& reason) {
    const base::Lock lock(mutex);
    if (!failure) {
        failure = reason;
    }
    early.clear();
    changed.notify_all();
}

Result<void> MapMirror::State::begin(codec::MapState state) {
    info = state.info;
    auto restored = store_of(std::move(state));
    if (!restored) {
        return std::unexpected(std::move(restored.error()));
    }
    const base::Lock lock(mutex);
    store = std::move(*restored);
    for (const codec::MapEdited& edited : early) {
        (void)apply(edited);
    }
    early.clear();
    return {};
}

MapMirror::MapMirror(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<std::shared_ptr<MapMirror>> MapMirror::start(Client& client, model::MapId map,
                                                    Listener listener) {
    const auto state = std::make_shared<State>();
    state->listener = std::move(listener);
    Watch watch;
    watch.on_edit = [state](const codec::MapEdited& edited) { state->on_edit(edited); };
    watch.on_end = [state](const Failure& reason) { state->on_end(reason); };
    watch.on_dropped = [state](const codec::MapDropped&) {
        state->on_end({FailureKind::kRefused, "the server has dropped the map", std::nullopt});
    };
    auto whole = client.watch(map, std::move(watch));
    const Result<void> begun =
        whole ? state->begin(std::move(*whole)) : std::unexpected(whole.error());
    if (!begun) {
        // The watch may live on, as after a timeout: its pushes are for nobody.
        state->on_end(begun.error());
        return std::unexpected(begun.error());
    }
    return std::shared_ptr<MapMirror>(new MapMirror(state));
}

std::shared_ptr<const map::Snapshot> MapMirror::snapshot() const {
    const base::Lock lock(state_->mutex);
    return state_->store->snapshot();
}

model::Version MapMirror::version() const {
    return snapshot()->version();
}

std::optional<Failure> MapMirror::failure() const {
    const base::Lock lock(state_->mutex);
    return state_->failure;
}

const codec::MapInfo& MapMirror::info() const {
    return state_->info;
}

bool MapMirror::wait_for(model::Version version, std::chrono::nanoseconds limit) const {
    const auto end = std::chrono::steady_clock::now() + limit;
    const base::Lock lock(state_->mutex);
    while (state_->store->snapshot()->version() < version) {
        const auto left = end - std::chrono::steady_clock::now();
        if (state_->failure || left.count() <= 0) {
            return false;
        }
        state_->changed.wait_for(state_->mutex, left);
    }
    return true;
}

Result<std::unique_ptr<map::Store>> store_of(codec::MapState state) {
    map::State whole;
    whole.version = state.info.version;
    whole.grid = {state.info.width, state.info.height, std::move(state.terrain)};
    whole.obstacles = std::move(state.obstacles);
    whole.classes = std::move(state.info.classes);
    auto store = map::Store::restore(std::move(whole));
    if (!store) {
        return std::unexpected(Failure{FailureKind::kProtocol,
                                       "the server's map is not sound: " + store.error().message,
                                       std::nullopt});
    }
    return std::move(*store);
}

}  // namespace outrider::client
