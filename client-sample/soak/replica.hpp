#pragma once
// What:     a client's copy of a map with its last versions, so that an answer can be checked on
//           the very version that it names.
// Contract: at() waits for pushes that are still under way; null when the version never came, or
//           is older than the kVersionsMax newest.
// Threads:  one; pushes come in from the client's I/O thread.

#include <map>
#include <memory>

#include "load/push_log.hpp"
#include "outrider/client/client.hpp"
#include "outrider/map/store.hpp"

namespace outrider::soak {

class Replica {
  public:
    static constexpr std::size_t kVersionsMax = 256;

    [[nodiscard]] static client::Result<std::unique_ptr<Replica>> start(client::Client& client,
                                                                        model::MapId map);
    [[nodiscard]] std::shared_ptr<const map::Snapshot> at(model::Version version);
    [[nodiscard]] std::shared_ptr<const map::Snapshot> newest() const;

  private:
    Replica(std::unique_ptr<map::Store> store, std::shared_ptr<load::PushLog> pushes);

    std::unique_ptr<map::Store> store_;
    std::shared_ptr<load::PushLog> pushes_;
    std::size_t applied_{0};
    std::map<model::Version, std::shared_ptr<const map::Snapshot>> snapshots_;
};

}  // namespace outrider::soak
