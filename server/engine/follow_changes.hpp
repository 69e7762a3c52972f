#pragma once
// What:     what an edit did to the map as each movement class sees it: boxes around the cells that
//           became worse (blocked, or dearer) and around those that became better. Private to the
//           engine room.
// Contract: every anchor whose weight differs between the two snapshots lies in a box of its kind;
//           boxes of one kind touch no block but their own, up to kBoxesMax, then one holds all. A
//           class that sees no difference has none.
// Cost:     the changed rectangles, grown by the footprint, for each class that sees a difference.

#include <cstddef>
#include <span>
#include <vector>

#include "outrider/map/snapshot.hpp"

namespace outrider::engine {

// Side of the squares in which active paths are indexed, 2^4 cells: an edit of a building's size
// then meets the paths of one to four blocks, and a path across a map of 1024 has some 60.
inline constexpr int kFollowBlockShift = 4;
// Boxes kept apart; each costs a look at every unit that waits for something better.
inline constexpr std::size_t kBoxesMax = 16;

struct ClassChanges {
    model::ClassId movement_class;
    std::vector<model::Rect> worse;
    std::vector<model::Rect> better;
};

// Boxes around every anchor of the largest footprint that covers a cell of `rects`.
[[nodiscard]] std::vector<model::Rect> anchors_around(std::span<const model::Rect> rects);
// `rects`: everything that differs, inside the map.
[[nodiscard]] std::vector<ClassChanges> changes_between(const map::Snapshot& before,
                                                        const map::Snapshot& after,
                                                        std::span<const model::Rect> rects);

}  // namespace outrider::engine
