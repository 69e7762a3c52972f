#pragma once
// What:     a path's points as the deltas of the wire, a part at a time.
// Contract: write_points() adds at most `points_max` points to `out`, remembers in `place` how far
//           it came, and returns how many it wrote. The path is written when place.done is the
//           number of its turning points.

#include <google/protobuf/repeated_field.h>

#include <span>

#include "outrider/codec/server_codec.hpp"

namespace outrider::codec {

struct WrittenPath {
    std::span<const model::Cell> turning_points;
    PathFormat format{};
};

[[nodiscard]] std::size_t write_points(const WrittenPath& path, PointPlace& place,
                                       std::size_t points_max,
                                       google::protobuf::RepeatedField<std::int32_t>& out);

}  // namespace outrider::codec
