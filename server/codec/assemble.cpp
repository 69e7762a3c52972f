#include "outrider/codec/assemble.hpp"

#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/codec/advance.hpp"

namespace outrider::codec {
namespace {

using base::limits::kMapSideMax;

constexpr std::size_t kCellsMax =
    static_cast<std::size_t>(kMapSideMax) * static_cast<std::size_t>(kMapSideMax);

}  // namespace

base::Result<bool> PathAssembler::add(PathPart part) {
    if (part.head.has_value() == started_) {
        return base::fail(started_ ? "path reply: a second first part"
                                   : "path reply: its first part has no outcome");
    }
    if (!started_) {
        started_ = true;
        reply_.head = *part.head;
    }
    if (reply_.points.size() + part.steps.size() > kCellsMax ||
        reply_.smooth.size() + part.smooth_steps.size() > kCellsMax ||
        reply_.explored.size() + part.explored.size() > base::limits::kExploredCellsMax) {
        return base::fail("path reply: more cells than the largest map has");
    }
    model::Cell point = reply_.points.empty() ? model::Cell{} : reply_.points.back();
    for (const model::Cell step : part.steps) {
        if (!advance(point, step)) {
            return base::fail("path reply: path leaves the map");
        }
        reply_.points.push_back(point);
    }
    for (const model::Cell step : part.smooth_steps) {
        const model::Point last = reply_.smooth.empty() ? model::Point{} : reply_.smooth.back();
        const auto at = advanced(last, step);
        if (!at) {
            return base::fail("path reply: smooth path leaves the map");
        }
        reply_.smooth.push_back(*at);
    }
    for (model::Explored& explored : part.explored) {
        if (!advance(last_explored_, explored.cell)) {
            return base::fail("path reply: explored cells leave the map");
        }
        explored.cell = last_explored_;
        reply_.explored.push_back(explored);
    }
    return part.last;
}

base::Result<bool> MapStateAssembler::add(MapStatePart part) {
    if (part.info.has_value() == started_) {
        return base::fail(started_ ? "map state: a second first part"
                                   : "map state: its first part has no map info");
    }
    if (!started_) {
        started_ = true;
        state_.info = *std::move(part.info);
        if (state_.info.width < 1 || state_.info.height < 1) {
            return base::fail("map state: a map without cells");
        }
    }
    const auto width = static_cast<std::size_t>(state_.info.width);
    const std::size_t cells = width * static_cast<std::size_t>(state_.info.height);
    if (part.terrain.size() % width != 0 || state_.terrain.size() + part.terrain.size() > cells ||
        (!part.terrain.empty() && part.first_row != state_.terrain.size() / width)) {
        return base::fail("map state: terrain is not the next run of whole rows");
    }
    state_.terrain.insert(state_.terrain.end(), part.terrain.begin(), part.terrain.end());
    if (state_.obstacles.size() + part.obstacles.size() > base::limits::kObstaclesPerMapMax) {
        return base::fail("map state: more obstacles than a map may have");
    }
    state_.obstacles.insert(state_.obstacles.end(), part.obstacles.begin(), part.obstacles.end());
    if (part.last && state_.terrain.size() != cells) {
        return base::fail("map state: ended before its last row");
    }
    return part.last;
}

}  // namespace outrider::codec
