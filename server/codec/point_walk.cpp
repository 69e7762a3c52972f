#include "outrider/codec/point_walk.hpp"

namespace outrider::codec {
namespace {

std::int32_t sign(std::int32_t value) {
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

}  // namespace

std::size_t write_points(const WrittenPath& path, PointPlace& place, std::size_t points_max,
                         google::protobuf::RepeatedField<std::int32_t>& out) {
    std::size_t written = 0;
    for (; written < points_max && place.done < path.turning_points.size(); ++written) {
        const model::Cell target = path.turning_points[place.done];
        model::Cell point = target;
        if (path.format == PathFormat::kCells && place.done > 0) {
            point = {place.last.x + sign(target.x - place.last.x),
                     place.last.y + sign(target.y - place.last.y)};
        }
        out.Add(point.x - place.last.x);
        out.Add(point.y - place.last.y);
        place.last = point;
        place.done += point == target ? 1 : 0;
    }
    return written;
}

}  // namespace outrider::codec
