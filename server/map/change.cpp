#include "outrider/map/change.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "outrider/base/limits.hpp"

namespace outrider::map {
namespace {

static_assert(base::limits::kClassesPerMapMax <= std::numeric_limits<ClassSet>::digits);

model::Rect cover(const model::Rect& a, const model::Rect& b) {
    return model::box_of(std::array{a, b});
}

void add(std::vector<model::Rect>& rects, const model::Rect& rect) {
    // Built and pulled down at one place, an obstacle is told of twice.
    if (std::ranges::find(rects, rect) != rects.end()) {
        return;
    }
    if (rects.size() < kChangeRectsMax) {
        rects.push_back(rect);
        return;
    }
    model::Rect& nearest = *std::ranges::min_element(rects, {}, [&](const model::Rect& known) {
        return cover(known, rect).area() - known.area();
    });
    nearest = cover(nearest, rect);
}

}  // namespace

Change change_between(const Snapshot& before, const Snapshot& after) {
    Change change{after.version(), {}, 0, 0};
    for (std::uint16_t id = 0; id < after.class_count(); ++id) {
        const Layer* const was = before.layer({id});
        const Layer* const is = after.layer({id});
        if (was != is) {
            change.classes |= ClassSet{1} << id;
        }
        if (was != nullptr && was->landmarks() != is->landmarks()) {
            change.renewed |= ClassSet{1} << id;
        }
    }
    for (const model::Rect& rect : after.changed()) {
        add(change.rects, rect);
    }
    return change;
}

}  // namespace outrider::map
