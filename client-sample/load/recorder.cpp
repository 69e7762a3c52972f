#include "load/recorder.hpp"

#include "outrider/base/limits.hpp"

namespace outrider::load {

static_assert(base::limits::kMapSideMax <= INT16_MAX);

void Recorder::add(const Order& order, model::Version version_floor,
                   const client::PathAnswer& answer) {
    add(order, version_floor, answer, false);
}

void Recorder::add_of_group(const Order& order, model::Version version_floor,
                            const client::PathAnswer& answer) {
    add(order, version_floor, answer, true);
}

void Recorder::add(const Order& order, model::Version version_floor,
                   const client::PathAnswer& answer, bool of_group) {
    const std::size_t bytes =
        (records_.size() + 1) * sizeof(Record) +
        (points_.size() + answer.result.turning_points.size()) * sizeof(Point);
    if (bytes > bytes_max_) {
        ++skipped_;
        return;
    }
    const model::PathResult& result = answer.result;
    Record record;
    record.version_floor = version_floor;
    record.version = answer.version;
    record.start = order.start;
    record.goal = order.goal;
    record.outcome = result.outcome;
    record.reason = result.reason;
    record.algorithm = result.algorithm;
    record.bound_percent = result.bound_percent;
    record.cost = result.cost;
    record.path_hash = result.path_hash;
    record.of_group = of_group;
    record.first_point = points_.size();
    record.point_count = static_cast<std::uint32_t>(result.turning_points.size());
    records_.push_back(record);
    for (const model::Cell cell : result.turning_points) {
        points_.push_back({static_cast<std::int16_t>(cell.x), static_cast<std::int16_t>(cell.y)});
    }
}

model::PathResult Recorder::result_of(const Record& record) const {
    model::PathResult result;
    result.outcome = record.outcome;
    result.reason = record.reason;
    result.algorithm = record.algorithm;
    result.bound_percent = record.bound_percent;
    result.cost = record.cost;
    result.path_hash = record.path_hash;
    for (std::size_t index = 0; index < record.point_count; ++index) {
        const Point& point = points_[record.first_point + index];
        result.turning_points.push_back({point.x, point.y});
    }
    return result;
}

}  // namespace outrider::load
