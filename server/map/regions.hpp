#pragma once
// What:     which cells of a layer can reach which: components labelled per chunk of 64 x 64 cells,
//           joined in blocks of 8 x 8 chunks, and these by a union-find that is built when first
//           asked for.
// Contract: component(a) == component(b) exactly when a path of legal steps leads from a to b, both
//           open. Components are 4-connected where the corner rule forbids squeezing (there equal
//           to 8-connected) and 8-connected under CornerRule::kNoneOpen with 8 directions.
// Threads:  any number of readers; the lazy join happens once, under a lock.
// Cost:     a verdict is three loads from chunk, block and join. An edit relabels the chunks it
//           touches, joins a block anew when a chunk's border changed, and everything only when a
//           block's border changed.
// Source:   DESIGN of the project, "Kernels", row "regions".

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/map/block_join.hpp"
#include "outrider/map/chunk_grid.hpp"
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

    // For the writer, before anybody reads: relabels one chunk; after the last one join_blocks().
    // Both take what is equal from `alike`: the regions, all ready, of other classes on the same
    // version of the same map.
    using Alike = std::span<const Regions* const>;
    // True when the chunk's neighbours can tell the difference.
    bool set_chunk(ChunkPlace place, const ChunkRegions::Rows& rows, Alike alike = {});
    void join_blocks(Alike alike = {});
    // What set_chunk() will read.
    void warm(ChunkPlace place, WarmStep step) const;
    [[nodiscard]] Connectivity connectivity() const { return grid_.connectivity; }
    [[nodiscard]] const ChunkGrid& chunks() const { return grid_; }
    // For tests: what two snapshots share.
    [[nodiscard]] const ChunkRegions* chunk(ChunkPlace place) const { return &grid_.at(place); }
    [[nodiscard]] bool shares_join_with(const Regions& other) const { return join_ == other.join_; }

  private:
    // All blocks joined: component c of block b is roots[first[b] + c].
    struct Join {
        base::Mutex mutex;
        std::atomic<bool> ready{false};
        std::vector<std::uint32_t> first;
        std::vector<Component> roots;
    };
    class NearestWalk;

    [[nodiscard]] const Join& joined() const;
    void make(Join& join) const;
    [[nodiscard]] bool same_chunks(const Regions& other, ChunkPlace block) const;
    [[nodiscard]] std::shared_ptr<const BlockJoin> join_of(ChunkPlace block, Alike alike) const;
    [[nodiscard]] std::shared_ptr<Join> join_for_blocks(Alike alike) const;
    [[nodiscard]] std::size_t block_index(ChunkPlace block) const {
        return static_cast<std::size_t>(block.y) * static_cast<std::size_t>(blocks_across_) +
               static_cast<std::size_t>(block.x);
    }
    [[nodiscard]] std::size_t node_of(const Join& join, ChunkPlace place, Label label) const {
        const std::size_t block = block_index(place.block());
        return join.first[block] + blocks_[block]->component(place.slot(), label);
    }

    std::int32_t width_{};
    std::int32_t height_{};
    std::int32_t blocks_across_{};
    std::int32_t blocks_down_{};
    ChunkGrid grid_;
    SharedTable<std::shared_ptr<const BlockJoin>, 16> blocks_;  // at most 256
    std::vector<ChunkPlace> stale_blocks_;
    std::shared_ptr<Join> join_;
};

}  // namespace outrider::map
