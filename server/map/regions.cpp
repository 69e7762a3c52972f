#include "outrider/map/regions.hpp"

#include <algorithm>
#include <limits>

#include "outrider/map/union_find.hpp"

namespace outrider::map {
namespace {

// Cells between `value` and the half-open range; 0 inside.
std::int64_t gap(std::int64_t begin_a, std::int64_t end_a, std::int64_t begin_b,
                 std::int64_t end_b) {
    return std::max({std::int64_t{0}, begin_b - end_a + 1, begin_a - end_b + 1});
}

model::Cost distance(const model::Rect& a, const model::Rect& b) {
    return model::octile_distance(gap(a.x, a.end_x(), b.x, b.end_x()),
                                  gap(a.y, a.end_y(), b.y, b.end_y()));
}

}  // namespace

// Rings of chunks around the part of the map nearest to the rectangle. What lies outside the map
// only adds to both gaps of every cell, so that the rings stay a lower bound.
class Regions::NearestWalk {
  public:
    NearestWalk(const Regions& regions, Component component, const model::Rect& rect)
        : regions_(regions), join_(regions.joined()), component_(component), rect_(rect) {
        west_ = chunk_of(rect.x, regions.width_);
        east_ = chunk_of(rect.end_x() - 1, regions.width_);
        north_ = chunk_of(rect.y, regions.height_);
        south_ = chunk_of(rect.end_y() - 1, regions.height_);
    }

    std::optional<model::Cost> run() {
        const std::int32_t rings = std::max(regions_.grid_.across(), regions_.grid_.down());
        for (std::int32_t ring = 0; ring < rings; ++ring) {
            const std::int32_t clear_cells = ring == 0 ? 0 : (ring - 1) * kChunkSide + 1;
            if (model::octile_distance(clear_cells, 0) >= best_) {
                break;
            }
            look_at_ring(ring);
        }
        return best_ == kNothing ? std::nullopt : std::optional(best_);
    }

  private:
    static constexpr model::Cost kNothing = std::numeric_limits<model::Cost>::max();

    static std::int32_t chunk_of(std::int64_t position, std::int32_t side) {
        return static_cast<std::int32_t>(std::clamp<std::int64_t>(position, 0, side - 1)) /
               kChunkSide;
    }

    void look_at_ring(std::int32_t ring) {
        for (std::int32_t y = std::max(0, north_ - ring);
             y <= std::min(regions_.grid_.down() - 1, south_ + ring); ++y) {
            const bool whole_row = ring == 0 || y == north_ - ring || y == south_ + ring;
            if (whole_row) {
                for (std::int32_t x = west_ - ring; x <= east_ + ring; ++x) {
                    look_at({x, y});
                }
            } else {
                look_at({west_ - ring, y});
                look_at({east_ + ring, y});
            }
        }
    }

    void look_at(ChunkPlace place) {
        if (place.x < 0 || place.x >= regions_.grid_.across()) {
            return;
        }
        const std::int32_t left = place.x * kChunkSide;
        const std::int32_t top = place.y * kChunkSide;
        if (distance({left, top, kChunkSide, kChunkSide}, rect_) >= best_ ||
            !holds_component(place)) {
            return;
        }
        regions_.grid_.at(place).for_each_run([&](std::int32_t y, const ChunkRegions::Run& run) {
            if (component_of(place, run.label) == component_) {
                best_ = std::min(
                    best_, distance({left + run.begin, top + y, run.end - run.begin, 1}, rect_));
            }
        });
    }

    [[nodiscard]] Component component_of(ChunkPlace place, std::uint32_t label) const {
        return join_.roots[regions_.node_of(join_, place, static_cast<Label>(label))];
    }

    [[nodiscard]] bool holds_component(ChunkPlace place) const {
        const std::uint32_t labels = regions_.grid_.at(place).component_count();
        for (std::uint32_t label = 0; label < labels; ++label) {
            if (component_of(place, label) == component_) {
                return true;
            }
        }
        return false;
    }

    const Regions& regions_;
    const Join& join_;
    Component component_;
    model::Rect rect_;
    std::int32_t west_, east_, north_, south_;
    model::Cost best_{kNothing};
};

Regions::Regions(std::int32_t width, std::int32_t height, Connectivity connectivity)
    : width_(width),
      height_(height),
      grid_{connectivity,
            {chunks_over(width), chunks_over(height), std::make_shared<const ChunkRegions>()}},
      join_(std::make_shared<Join>()) {
    blocks_across_ = (grid_.across() + kBlockSide - 1) / kBlockSide;
    blocks_down_ = (grid_.down() + kBlockSide - 1) / kBlockSide;
    blocks_ = {block_index({0, blocks_down_}), std::make_shared<const BlockJoin>()};
}

Component Regions::component(model::Cell cell) const {
    if (cell.x < 0 || cell.y < 0 || cell.x >= width_ || cell.y >= height_) {
        return kNoComponent;
    }
    const ChunkPlace place{cell.x / kChunkSide, cell.y / kChunkSide};
    const Label label = grid_.at(place).label(cell.x % kChunkSide, cell.y % kChunkSide);
    if (label == kNoLabel) {
        return kNoComponent;
    }
    const Join& join = joined();
    return join.roots[node_of(join, place, label)];
}

std::optional<model::Cost> Regions::nearest_distance(Component component,
                                                     const model::Rect& rect) const {
    if (component == kNoComponent || rect.empty()) {
        return std::nullopt;
    }
    return NearestWalk(*this, component, rect).run();
}

bool Regions::set_chunk(ChunkPlace place, const ChunkRegions::Rows& rows, Alike alike) {
    std::shared_ptr<const ChunkRegions> fresh;
    for (const Regions* other : alike) {
        const auto& known = other->grid_.chunks.entry(place);
        if (other->connectivity() == connectivity() && known->rows() == rows) {
            fresh = known;
            break;
        }
    }
    if (!fresh) {
        fresh = std::make_shared<const ChunkRegions>(rows, grid_.connectivity, grid_.at(place));
    }
    const bool same = fresh->same_border(grid_.at(place));
    grid_.chunks.replace(place, std::move(fresh));
    if (!same && std::ranges::find(stale_blocks_, place.block()) == stale_blocks_.end()) {
        stale_blocks_.push_back(place.block());
    }
    return !same;
}

void Regions::warm(ChunkPlace place, WarmStep step) const {
    grid_.chunks.warm(place, step);
    if (step == WarmStep::kEntries) {
        warm_bytes(&grid_.at(place), sizeof(ChunkRegions));
    } else if (step == WarmStep::kLabels) {
        grid_.at(place).warm_labels();
    }
}

void Regions::join_blocks(Alike alike) {
    bool border_changed = false;
    for (const ChunkPlace block : stale_blocks_) {
        auto fresh = join_of(block, alike);
        border_changed |= !fresh->same_border(*blocks_[block_index(block)]);
        blocks_.replace(block_index(block), std::move(fresh));
    }
    stale_blocks_.clear();
    if (border_changed) {
        join_ = join_for_blocks(alike);
    }
}

bool Regions::same_chunks(const Regions& other, ChunkPlace block) const {
    bool same = true;
    const ChunkPlace begin{block.x * kBlockSide, block.y * kBlockSide};
    for (std::int32_t y = begin.y; y < std::min(begin.y + kBlockSide, grid_.down()); ++y) {
        for (std::int32_t x = begin.x; x < std::min(begin.x + kBlockSide, grid_.across()); ++x) {
            same &= &grid_.at({x, y}) == &other.grid_.at({x, y});
        }
    }
    return same;
}

std::shared_ptr<const BlockJoin> Regions::join_of(ChunkPlace block, Alike alike) const {
    for (const Regions* other : alike) {
        if (same_chunks(*other, block)) {
            return other->blocks_[block_index(block)];
        }
    }
    return std::make_shared<const BlockJoin>(grid_, block);
}

std::shared_ptr<Regions::Join> Regions::join_for_blocks(Alike alike) const {
    const std::size_t count = block_index({0, blocks_down_});
    for (const Regions* other : alike) {
        bool same = true;
        for (std::size_t block = 0; block < count; ++block) {
            same &= blocks_[block] == other->blocks_[block];
        }
        if (same) {
            return other->join_;
        }
    }
    return std::make_shared<Join>();
}

const Regions::Join& Regions::joined() const {
    if (!join_->ready.load(std::memory_order_acquire)) {
        const base::Lock lock(join_->mutex);
        if (!join_->ready.load(std::memory_order_relaxed)) {
            make(*join_);
            join_->ready.store(true, std::memory_order_release);
        }
    }
    return *join_;
}

void Regions::make(Join& join) const {
    std::uint32_t components = 0;
    const std::size_t block_count = block_index({0, blocks_down_});
    join.first.resize(block_count);
    for (std::size_t block = 0; block < block_count; ++block) {
        join.first[block] = components;
        components += blocks_[block]->component_count();
    }
    UnionFind sets(components);
    for (std::int32_t y = 0; y < grid_.down(); ++y) {
        for (std::int32_t x = 0; x < grid_.across(); ++x) {
            const ChunkPlace here{x, y};
            const auto across_blocks = [&](ChunkPlace other) {
                return other.block() != here.block();
            };
            grid_.for_each_contact(here, across_blocks, [&](ChunkPlace there, Label a, Label b) {
                sets.join(static_cast<std::uint32_t>(node_of(join, here, a)),
                          static_cast<std::uint32_t>(node_of(join, there, b)));
            });
        }
    }
    join.roots = sets.take_roots();
}

}  // namespace outrider::map
