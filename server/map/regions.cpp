#include "outrider/map/regions.hpp"

#include <limits>

#include "outrider/map/regions_join.hpp"

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
        const std::int32_t rings = std::max(regions_.chunks_across_, regions_.chunks_down_);
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
             y <= std::min(regions_.chunks_down_ - 1, south_ + ring); ++y) {
            const bool whole_row = ring == 0 || y == north_ - ring || y == south_ + ring;
            if (whole_row) {
                for (std::int32_t x = west_ - ring; x <= east_ + ring; ++x) {
                    look_at(x, y);
                }
            } else {
                look_at(west_ - ring, y);
                look_at(east_ + ring, y);
            }
        }
    }

    void look_at(std::int32_t chunk_x, std::int32_t chunk_y) {
        if (chunk_x < 0 || chunk_x >= regions_.chunks_across_) {
            return;
        }
        const std::int32_t left = chunk_x * kChunkSide;
        const std::int32_t top = chunk_y * kChunkSide;
        const std::size_t index = regions_.index_of(chunk_x, chunk_y);
        if (!holds_component(index) ||
            distance({left, top, kChunkSide, kChunkSide}, rect_) >= best_) {
            return;
        }
        const std::uint32_t first = join_.first[index];
        regions_.chunks_[index]->for_each_run([&](std::int32_t y, const ChunkRegions::Run& run) {
            if (join_.roots[first + run.label] == component_) {
                best_ = std::min(
                    best_, distance({left + run.begin, top + y, run.end - run.begin, 1}, rect_));
            }
        });
    }

    [[nodiscard]] bool holds_component(std::size_t index) const {
        const auto begin = join_.roots.begin() + join_.first[index];
        const auto end = begin + regions_.chunks_[index]->component_count();
        return std::find(begin, end, component_) != end;
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
      chunks_across_((width + kChunkSide - 1) / kChunkSide),
      chunks_down_((height + kChunkSide - 1) / kChunkSide),
      connectivity_(connectivity),
      chunks_(static_cast<std::size_t>(chunks_across_) * static_cast<std::size_t>(chunks_down_),
              std::make_shared<const ChunkRegions>()),
      join_(std::make_shared<Join>()) {}

Component Regions::component(model::Cell cell) const {
    if (cell.x < 0 || cell.y < 0 || cell.x >= width_ || cell.y >= height_) {
        return kNoComponent;
    }
    const std::size_t index = index_of(cell.x / kChunkSide, cell.y / kChunkSide);
    const Label label = chunks_[index]->label(cell.x % kChunkSide, cell.y % kChunkSide);
    if (label == kNoLabel) {
        return kNoComponent;
    }
    const Join& join = joined();
    return join.roots[join.first[index] + label];
}

std::optional<model::Cost> Regions::nearest_distance(Component component,
                                                     const model::Rect& rect) const {
    if (component == kNoComponent || rect.empty()) {
        return std::nullopt;
    }
    return NearestWalk(*this, component, rect).run();
}

void Regions::set_chunk(std::int32_t chunk_x, std::int32_t chunk_y,
                        const ChunkRegions::Rows& rows) {
    const std::size_t index = index_of(chunk_x, chunk_y);
    auto fresh = std::make_shared<const ChunkRegions>(rows, connectivity_);
    if (!fresh->same_border(*chunks_[index])) {
        join_ = std::make_shared<Join>();
    }
    chunks_.replace(index, std::move(fresh));
}

const Regions::Join& Regions::joined() const {
    if (!join_->ready.load(std::memory_order_acquire)) {
        const base::Lock lock(join_->mutex);
        if (!join_->ready.load(std::memory_order_relaxed)) {
            Joiner(*this, *join_).run();
            join_->ready.store(true, std::memory_order_release);
        }
    }
    return *join_;
}

}  // namespace outrider::map
