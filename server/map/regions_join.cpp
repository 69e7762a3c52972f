#include "outrider/map/regions_join.hpp"

#include <numeric>

namespace outrider::map {

void Regions::Joiner::run() {
    const std::int32_t across = regions_.chunks_across_;
    const std::int32_t down = regions_.chunks_down_;
    const auto count = static_cast<std::size_t>(across) * static_cast<std::size_t>(down);
    join_.first.resize(count);
    std::uint32_t labels = 0;
    for (std::size_t index = 0; index < count; ++index) {
        join_.first[index] = labels;
        labels += chunk(index).component_count();
    }
    join_.roots.resize(labels);
    std::iota(join_.roots.begin(), join_.roots.end(), Component{0});

    for (std::int32_t y = 0; y < down; ++y) {
        for (std::int32_t x = 0; x < across; ++x) {
            const std::size_t index = regions_.index_of(x, y);
            if (x + 1 < across) {
                join_east(index, index + 1);
            }
            if (y + 1 < down) {
                join_south(index, regions_.index_of(x, y + 1));
            }
            if (regions_.connectivity_ == Connectivity::kEight && y + 1 < down) {
                join_corners(x, y);
            }
        }
    }
    // A parent is always smaller than its child: one pass makes every entry a root.
    for (Component& entry : join_.roots) {
        entry = join_.roots[entry];
    }
}

void Regions::Joiner::join_east(std::size_t west, std::size_t east) {
    const ChunkRegions& a = chunk(west);
    const ChunkRegions& b = chunk(east);
    const auto join_shifted = [&](std::uint64_t rows, std::int32_t shift) {
        Label last_a = kNoLabel;
        Label last_b = kNoLabel;
        for (; rows != 0; rows &= rows - 1) {
            const std::int32_t y = std::countr_zero(rows);
            const Label label_a = a.last_label(y);
            const Label label_b = b.first_label(y + shift);
            if (label_a != last_a || label_b != last_b) {
                join_labels(west, label_a, east, label_b);
                last_a = label_a;
                last_b = label_b;
            }
        }
    };
    const std::uint64_t level = a.east_edge() & b.west_edge();
    if (level != 0 && a.component_count() == 1 && b.component_count() == 1) {
        join_labels(west, 0, east, 0);
        return;
    }
    join_shifted(level, 0);
    if (regions_.connectivity_ == Connectivity::kEight) {
        join_shifted(a.east_edge() & (b.west_edge() >> 1), 1);
        join_shifted(a.east_edge() & (b.west_edge() << 1), -1);
    }
}

void Regions::Joiner::join_south(std::size_t north, std::size_t south) {
    const ChunkRegions& a = chunk(north);
    const ChunkRegions& b = chunk(south);
    const std::uint64_t above = a.row(kChunkSide - 1);
    const std::uint64_t below = b.row(0);
    // One pair a common run is enough.
    const auto join_shifted = [&](std::uint64_t common, std::int32_t shift) {
        for (std::uint64_t starts = common & ~(common << 1); starts != 0; starts &= starts - 1) {
            const std::int32_t x = std::countr_zero(starts);
            join_labels(north, a.label_of_open(x, kChunkSide - 1), south,
                        b.label_of_open(x + shift, 0));
        }
    };
    if ((above & below) != 0 && a.component_count() == 1 && b.component_count() == 1) {
        join_labels(north, 0, south, 0);
        return;
    }
    join_shifted(above & below, 0);
    if (regions_.connectivity_ == Connectivity::kEight) {
        join_shifted(above & (below >> 1), 1);
        join_shifted(above & (below << 1), -1);
    }
}

void Regions::Joiner::join_corners(std::int32_t chunk_x, std::int32_t chunk_y) {
    constexpr std::int32_t kLast = kChunkSide - 1;
    const std::size_t here = regions_.index_of(chunk_x, chunk_y);
    const auto join_cells = [&](std::int32_t other_x, std::int32_t x) {
        const std::size_t other = regions_.index_of(other_x, chunk_y + 1);
        const Label a = chunk(here).label(x, kLast);
        const Label b = chunk(other).label(kLast - x, 0);
        if (a != kNoLabel && b != kNoLabel) {
            join_labels(here, a, other, b);
        }
    };
    if (chunk_x + 1 < regions_.chunks_across_) {
        join_cells(chunk_x + 1, kLast);
    }
    if (chunk_x > 0) {
        join_cells(chunk_x - 1, 0);
    }
}

void Regions::Joiner::join_labels(std::size_t chunk_a, Label a, std::size_t chunk_b, Label b) {
    const Component root_a = root(join_.first[chunk_a] + a);
    const Component root_b = root(join_.first[chunk_b] + b);
    if (root_a < root_b) {
        join_.roots[root_b] = root_a;
    } else {
        join_.roots[root_a] = root_b;
    }
}

Component Regions::Joiner::root(Component node) {
    auto& parents = join_.roots;
    while (parents[node] != node) {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    return node;
}

}  // namespace outrider::map
