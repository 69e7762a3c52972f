#pragma once
// What: the identities of the product.

#include <cstdint>

#include "outrider/base/strong_id.hpp"

namespace outrider::model {

using MapId = base::StrongId<struct MapTag, std::uint32_t>;
// Index of a movement class within its map.
using ClassId = base::StrongId<struct ClassTag, std::uint16_t>;
// One user of the engine: a network session or an in-process caller.
using ClientId = base::StrongId<struct ClientTag>;
// Chosen by the client; unique among that client's requests in flight.
using RequestId = base::StrongId<struct RequestTag>;
using ObstacleId = base::StrongId<struct ObstacleTag>;
// A client's unit; 0 means "none", and such a request neither supersedes nor is superseded.
using UnitId = base::StrongId<struct UnitTag>;
using Version = std::uint64_t;

}  // namespace outrider::model
