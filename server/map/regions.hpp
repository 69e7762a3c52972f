#pragma once
// What:     which cells of a layer can reach which: components labelled per chunk of 64 x 64 cells,
//           joined across chunk borders by a union-find that is built when first asked for.
// Contract: component(a) == component(b) exactly when a path of legal steps leads from a to b, both
//           open. Components are 4-connected where the corner rule forbids squeezing (there equal
//           to 8-connected) and 8-connected under CornerRule::kNoneOpen with 8 directions.
// Threads:  any number of readers; the lazy join happens once, under a lock.
// Cost:     a verdict is two label loads and two root loads. An edit relabels the chunks it
//           touches; the join is shared with the parent unless a chunk's border changed.
// Source:   DESIGN of the project, "Kernels", row "regions".

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/map/chunk_regions.hpp"
#include "outrider/map/shared_table.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::map {

using Component = std::uint32_t;
inline constexpr Component kNoComponent = 0xFFFFFFFF;

class Regions {
  public:
    // All blocked; then set_chunk() for what is not.
    Regions() = default;
    Regions(std::int32_t width, std::int32_t height, Connectivity connectivity);

    // kNoComponent where the cell is blocked or outside.
    [[nodiscard]] Component component(model::Cell cell) const;
    // The least octile distance (model::octile_distance units) from `rect` to an open cell of
    // `component`; rings of chunks outward from the rectangle. Zero when the rectangle holds one.
    // Nothing when the component is kNoComponent or the rectangle is empty.
    [[nodiscard]] std::optional<model::Cost> nearest_distance(Component component,
                                                              const model::Rect& rect) const;

    // For the writer, before anybody reads: relabels one chunk.
    void set_chunk(std::int32_t chunk_x, std::int32_t chunk_y, const ChunkRegions::Rows& rows);
    // For tests: the labels are the very same object, and so is the join.
    [[nodiscard]] const ChunkRegions* chunk(std::int32_t chunk_x, std::int32_t chunk_y) const {
        return chunks_[index_of(chunk_x, chunk_y)].get();
    }
    [[nodiscard]] bool shares_join_with(const Regions& other) const { return join_ == other.join_; }

  private:
    // Component of label l of chunk c: roots[first[c] + l].
    struct Join {
        base::Mutex mutex;
        std::atomic<bool> ready{false};
        std::vector<std::uint32_t> first;
        std::vector<Component> roots;
    };
    class Joiner;
    class NearestWalk;

    [[nodiscard]] const Join& joined() const;
    [[nodiscard]] std::size_t index_of(std::int32_t chunk_x, std::int32_t chunk_y) const {
        return static_cast<std::size_t>(chunk_y) * static_cast<std::size_t>(chunks_across_) +
               static_cast<std::size_t>(chunk_x);
    }

    std::int32_t width_{};
    std::int32_t height_{};
    std::int32_t chunks_across_{};
    std::int32_t chunks_down_{};
    Connectivity connectivity_{};
    SharedTable<std::shared_ptr<const ChunkRegions>> chunks_;
    std::shared_ptr<Join> join_;
};

}  // namespace outrider::map
