#pragma once
// What:     the client's own copy of a server's map: the state once, then every pushed batch.
// Contract: snapshot() equals the server's snapshot of the same version: same cells, obstacles and
//           classes, and therefore the same answers from outrider::search. When the connection
//           ends, the map is dropped, or a version is missing, failure() says so and the mirror
//           stays at its last good version: make a new one.
// Threads:  every function from any thread; the batches are applied on the client's I/O thread.
// Cost:     one copy of the map; an edit costs what it touches.

#include <functional>
#include <memory>
#include <optional>

#include "outrider/client/client.hpp"
#include "outrider/map/store.hpp"

namespace outrider::client {

class MapMirror {
  public:
    // Called on the I/O thread after a batch was applied; must not block. What came before the
    // state was whole is in the first snapshot() and not told; a mirror that failed tells nothing.
    using Listener = std::function<void(const codec::MapEdited&)>;

    // Blocking; never from a callback. The mirror may outlive the client.
    [[nodiscard]] static Result<std::shared_ptr<MapMirror>> start(Client& client, model::MapId map,
                                                                  Listener listener = nullptr);

    [[nodiscard]] std::shared_ptr<const map::Snapshot> snapshot() const;
    [[nodiscard]] model::Version version() const;
    [[nodiscard]] std::optional<Failure> failure() const;
    [[nodiscard]] const codec::MapInfo& info() const;
    // False when `limit` passed, or the mirror failed, before the version came.
    [[nodiscard]] bool wait_for(model::Version version, std::chrono::nanoseconds limit) const;

  private:
    struct State;
    explicit MapMirror(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

// A store equal to the state that a server sent; also for replaying a run afterwards.
[[nodiscard]] Result<std::unique_ptr<map::Store>> store_of(codec::MapState state);

}  // namespace outrider::client
