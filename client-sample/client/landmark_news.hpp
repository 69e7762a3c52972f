#pragma once
// What:     which classes a server has landmarks for, by what it says of a watched map. They decide
//           which of several paths of the same cost is found, and a copy of the map has none.
// Contract: decides(snapshot, id) is false only where the server's search on that version has no
//           landmarks, so that a search on a copy must find the very same path. Where the server
//           does not say (an older one, or an old recording), every map may have them on which
//           they would be built.
// Threads:  one.

#include <optional>
#include <vector>

#include "outrider/codec/messages.hpp"
#include "outrider/map/snapshot.hpp"

namespace outrider::client {

class LandmarkNews {
  public:
    LandmarkNews() = default;
    // As the state of the map came.
    explicit LandmarkNews(const codec::MapInfo& info);
    // Each version since, in order.
    void note(const codec::MapEdited& edited);
    // Of a copy of the map that took the same edits up to that version.
    [[nodiscard]] bool decides(const map::Snapshot& snapshot, model::ClassId id) const;

  private:
    bool told_{false};
    std::vector<std::optional<model::Version>> ready_since_;  // index = ClassId
};

}  // namespace outrider::client
