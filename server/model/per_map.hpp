#pragma once
// What:     one value for each map that is loaded, found by its id.
// Contract: at most kMapsMax maps are loaded at once, each in a place of its own, and an id is its
//           map's for as long as the server runs: place + 1, and kMapsMax more for each map that
//           had the place before. So an old id never means a later map. of() gives a map that has
//           come into a place a fresh value, and a map that has lost its place to a later one none.
// Threads:  one at a time.
// Cost:     constant; kMapsMax values.

#include <array>
#include <cstddef>

#include "outrider/base/limits.hpp"
#include "outrider/model/ids.hpp"

namespace outrider::model {

// Below kMapsMax, also of an id that no map ever had.
[[nodiscard]] constexpr std::size_t place_of(MapId map) {
    return (map.value - 1U) % base::limits::kMapsMax;
}

template <class T>
class PerMap {
  public:
    // Null for id 0, and for a map whose place a later one has taken.
    [[nodiscard]] T* of(MapId map) {
        Slot& slot = slots_[place_of(map)];
        if (map < slot.map || map == MapId{}) {
            return nullptr;
        }
        if (slot.map < map) {
            slot = {map, T{}};
        }
        return &slot.value;
    }
    // Null where nobody has asked for it by of() yet.
    [[nodiscard]] const T* find(MapId map) const {
        const Slot& slot = slots_[place_of(map)];
        return slot.map == map && map != MapId{} ? &slot.value : nullptr;
    }
    // Lets go of what a map had that has been dropped.
    void clear(MapId map) {
        if (find(map) != nullptr) {
            slots_[place_of(map)].value = T{};
        }
    }

  private:
    struct Slot {
        MapId map;
        T value{};
    };
    std::array<Slot, base::limits::kMapsMax> slots_{};
};

}  // namespace outrider::model
