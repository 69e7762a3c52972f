#include "outrider/engine/follow_changes.hpp"

#include <algorithm>

#include "outrider/base/limits.hpp"

namespace outrider::engine {
namespace {

constexpr std::int32_t kBlockSide = 1 << kFollowBlockShift;

class Comparison {
  public:
    Comparison(const map::Layer& before, const map::Layer& after)
        : before_(before), after_(after) {}

    // Block by block, so that each box lies in one.
    void look_at(const model::Rect& rect) {
        const std::int32_t reach = after_.movement_class().footprint - 1;
        const model::Rect anchors = model::intersect(
            {rect.x - reach, rect.y - reach, rect.width + reach, rect.height + reach},
            {0, 0, after_.width(), after_.height()});
        const auto end_x = static_cast<std::int32_t>(anchors.end_x());
        const auto end_y = static_cast<std::int32_t>(anchors.end_y());
        for (std::int32_t y = anchors.y; y < end_y; y = next_block(y)) {
            for (std::int32_t x = anchors.x; x < end_x; x = next_block(x)) {
                look_at_block({x, y},
                              {std::min(end_x, next_block(x)), std::min(end_y, next_block(y))});
            }
        }
    }
    [[nodiscard]] ClassChanges take(model::ClassId id) {
        return {id, std::move(worse_), std::move(better_)};
    }

  private:
    static std::int32_t next_block(std::int32_t at) { return (at / kBlockSide + 1) * kBlockSide; }

    void look_at_block(model::Cell begin, model::Cell end) {
        model::Rect worse{0, 0, 0, 0};
        model::Rect better{0, 0, 0, 0};
        for (model::Cell cell = begin; cell.y < end.y; ++cell.y) {
            for (cell.x = begin.x; cell.x < end.x; ++cell.x) {
                // Blocked is dearer than anything.
                const auto was = static_cast<std::uint8_t>(before_.weight(cell) - 1);
                const auto is = static_cast<std::uint8_t>(after_.weight(cell) - 1);
                if (was != is) {
                    model::Rect& box = is > was ? worse : better;
                    const model::Rect both[] = {box, {cell.x, cell.y, 1, 1}};
                    box = model::box_of(both);
                }
            }
        }
        add(worse_, worse);
        add(better_, better);
    }

    static void add(std::vector<model::Rect>& boxes, const model::Rect& box) {
        if (box.empty()) {
            return;
        }
        boxes.push_back(box);
        if (boxes.size() > kBoxesMax) {
            boxes = {model::box_of(boxes)};
        }
    }

    const map::Layer& before_;
    const map::Layer& after_;
    std::vector<model::Rect> worse_;
    std::vector<model::Rect> better_;
};

}  // namespace

std::vector<model::Rect> anchors_around(std::span<const model::Rect> rects) {
    constexpr std::int32_t kReach = base::limits::kFootprintMax - 1;
    std::vector<model::Rect> boxes;
    for (const model::Rect& rect : rects) {
        boxes.push_back(
            {rect.x - kReach, rect.y - kReach, rect.width + kReach, rect.height + kReach});
        if (boxes.size() > kBoxesMax) {
            boxes = {model::box_of(boxes)};
        }
    }
    return boxes;
}

std::vector<ClassChanges> changes_between(const map::Snapshot& before, const map::Snapshot& after,
                                          std::span<const model::Rect> rects) {
    std::vector<ClassChanges> changes;
    for (std::uint16_t id = 0; id < before.class_count(); ++id) {
        const map::Layer* old = before.layer({id});
        const map::Layer* fresh = after.layer({id});
        if (old == fresh) {
            continue;
        }
        Comparison comparison(*old, *fresh);
        for (const model::Rect& rect : rects) {
            comparison.look_at(rect);
        }
        ClassChanges found = comparison.take({id});
        if (!found.worse.empty() || !found.better.empty()) {
            changes.push_back(std::move(found));
        }
    }
    return changes;
}

}  // namespace outrider::engine
