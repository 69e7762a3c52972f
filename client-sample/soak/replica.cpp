#include "soak/replica.hpp"

#include <utility>

#include "outrider/client/map_mirror.hpp"

namespace outrider::soak {
namespace {

constexpr std::chrono::seconds kPushPatience{10};

}  // namespace

client::Result<std::unique_ptr<Replica>> Replica::start(client::Client& client, model::MapId map) {
    auto pushes = std::make_shared<load::PushLog>();
    client::Watch watch;
    watch.on_edit = [pushes](const codec::MapEdited& edited) { pushes->add(edited); };
    auto state = client.watch(map, std::move(watch));
    if (!state) {
        return std::unexpected(std::move(state.error()));
    }
    auto store = client::store_of(*std::move(state));
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    return std::unique_ptr<Replica>(new Replica(*std::move(store), std::move(pushes)));
}

Replica::Replica(std::unique_ptr<map::Store> store, std::shared_ptr<load::PushLog> pushes)
    : store_(std::move(store)), pushes_(std::move(pushes)) {
    const auto first = store_->snapshot();
    snapshots_.emplace(first->version(), first);
}

std::shared_ptr<const map::Snapshot> Replica::newest() const {
    return store_->snapshot();
}

std::shared_ptr<const map::Snapshot> Replica::at(model::Version version) {
    if (version > store_->snapshot()->version()) {
        (void)pushes_->wait_for(version, kPushPatience);
        const auto batches = pushes_->batches();
        for (; applied_ < batches.size() && store_->snapshot()->version() < version; ++applied_) {
            const auto made = store_->replay(batches[applied_].batch);
            if (!made || *made != batches[applied_].version) {
                return nullptr;
            }
            snapshots_.emplace(*made, store_->snapshot());
        }
    }
    while (snapshots_.size() > kVersionsMax) {
        snapshots_.erase(snapshots_.begin());
    }
    const auto found = snapshots_.find(version);
    return found == snapshots_.end() ? nullptr : found->second;
}

}  // namespace outrider::soak
