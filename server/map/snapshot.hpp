#pragma once
// What:     one version of one map. Held by shared_ptr<const Snapshot>; what two snapshots have in
//           common they share by bands.
// Contract: immutable; frees its bands when the last holder lets go.
// Threads:  any number of readers.

#include <cstdint>
#include <memory>

#include "outrider/map/layer.hpp"
#include "outrider/model/ids.hpp"

namespace outrider::map {

class Snapshot {
  public:
    [[nodiscard]] model::Version version() const;
    [[nodiscard]] std::int32_t width() const;
    [[nodiscard]] std::int32_t height() const;
    [[nodiscard]] model::Terrain terrain(model::Cell cell) const;

    [[nodiscard]] std::uint16_t class_count() const;
    // Null when the snapshot does not know the class.
    [[nodiscard]] const Layer* layer(model::ClassId id) const;
};

}  // namespace outrider::map
