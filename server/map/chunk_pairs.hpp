#pragma once
// What:     which labels of two neighbouring chunks touch.
// Contract: visit(label_a, label_b) at least once for each pair that touches, never for others.
// Cost:     by the number of runs along the border.

#include "outrider/map/chunk_regions.hpp"

namespace outrider::map {

// `b` lies east of `a`.
template <class Visit>
void for_each_east_pair(const ChunkRegions& a, const ChunkRegions& b, Connectivity connectivity,
                        Visit visit) {
    const std::uint64_t level = a.east_edge() & b.west_edge();
    if (level != 0 && a.component_count() == 1 && b.component_count() == 1) {
        visit(Label{0}, Label{0});
        return;
    }
    // Open cells along an edge that lie side by side have one label: one pair a common run.
    const auto visit_rows = [&](std::uint64_t common, std::int32_t shift) {
        for (std::uint64_t starts = common & ~(common << 1); starts != 0; starts &= starts - 1) {
            const std::int32_t y = std::countr_zero(starts);
            visit(a.last_label(y), b.first_label(y + shift));
        }
    };
    visit_rows(level, 0);
    if (connectivity == Connectivity::kEight) {
        visit_rows(a.east_edge() & (b.west_edge() >> 1), 1);
        visit_rows(a.east_edge() & (b.west_edge() << 1), -1);
    }
}

// `b` lies south of `a`.
template <class Visit>
void for_each_south_pair(const ChunkRegions& a, const ChunkRegions& b, Connectivity connectivity,
                         Visit visit) {
    const std::uint64_t above = a.row(kChunkSide - 1);
    const std::uint64_t below = b.row(0);
    if ((above & below) != 0 && a.component_count() == 1 && b.component_count() == 1) {
        visit(Label{0}, Label{0});
        return;
    }
    const auto visit_columns = [&](std::uint64_t common, std::int32_t shift) {
        for (std::uint64_t starts = common & ~(common << 1); starts != 0; starts &= starts - 1) {
            const std::int32_t x = std::countr_zero(starts);
            visit(a.label_of_open(x, kChunkSide - 1), b.label_of_open(x + shift, 0));
        }
    };
    visit_columns(above & below, 0);
    if (connectivity == Connectivity::kEight) {
        visit_columns(above & (below >> 1), 1);
        visit_columns(above & (below << 1), -1);
    }
}

// `b` lies south-east of `a` (`east`) or south-west of it; they share one corner.
template <class Visit>
void for_corner_pair(const ChunkRegions& a, const ChunkRegions& b, bool east, Visit visit) {
    constexpr std::int32_t kLast = kChunkSide - 1;
    const Label label_a = a.label(east ? kLast : 0, kLast);
    const Label label_b = b.label(east ? 0 : kLast, 0);
    if (label_a != kNoLabel && label_b != kNoLabel) {
        visit(label_a, label_b);
    }
}

}  // namespace outrider::map
