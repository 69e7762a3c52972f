#include "outrider/model/smoothing.hpp"

#include "outrider/base/hash.hpp"
#include "outrider/model/point_bytes.hpp"

namespace outrider::model {

std::uint64_t hash_of(std::span<const Point> points) {
    return points.empty() ? 0 : base::hash64(bytes_of(points));
}

std::string_view name_of(Grade grade) {
    switch (grade) {
        case Grade::kNone: return "NONE";
        case Grade::kWaypoints: return "WAYPOINTS";
        case Grade::kCorners: return "CORNERS";
    }
    return "?";
}

}  // namespace outrider::model
