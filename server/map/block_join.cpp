#include "outrider/map/block_join.hpp"

#include <algorithm>

#include "outrider/map/union_find.hpp"

namespace outrider::map {

class BlockJoin::Maker {
  public:
    Maker(const ChunkGrid& grid, ChunkPlace block, BlockJoin& join)
        : grid_(grid),
          begin_{block.x * kBlockSide, block.y * kBlockSide},
          end_{std::min(begin_.x + kBlockSide, grid.across()),
               std::min(begin_.y + kBlockSide, grid.down())},
          join_(join) {}

    void run() {
        std::uint32_t labels = 0;
        for_each_chunk([&](ChunkPlace place) {
            join_.first_[place.slot()] = labels;
            labels += grid_.at(place).component_count();
        });
        UnionFind sets(labels);
        for_each_chunk([&](ChunkPlace here) {
            const auto inside = [&](ChunkPlace other) { return other.block() == here.block(); };
            grid_.for_each_contact(here, inside, [&](ChunkPlace there, Label a, Label b) {
                sets.join(join_.first_[here.slot()] + a, join_.first_[there.slot()] + b);
            });
        });
        roots_ = sets.take_roots();
        number_of_root_.assign(labels, kUnnumbered);
        walk_border();
        join_.components_.resize(labels);
        for (std::uint32_t node = 0; node < labels; ++node) {
            join_.components_[node] = number(node);
        }
    }

  private:
    static constexpr std::uint32_t kUnnumbered = 0xFFFFFFFF;

    template <class Visit>
    void for_each_chunk(Visit visit) {
        for (std::int32_t y = begin_.y; y < end_.y; ++y) {
            for (std::int32_t x = begin_.x; x < end_.x; ++x) {
                visit(ChunkPlace{x, y});
            }
        }
    }

    // Numbers go out in the order of asking, so that the border's come first and depend on nothing
    // but the border.
    std::uint32_t number(std::uint32_t node) {
        std::uint32_t& number = number_of_root_[roots_[node]];
        if (number == kUnnumbered) {
            number = join_.component_count_++;
        }
        return number;
    }

    void walk_border() {
        for (std::int32_t x = begin_.x; x < end_.x; ++x) {
            walk_row({x, begin_.y}, 0);
            walk_row({x, end_.y - 1}, kChunkSide - 1);
        }
        for (std::int32_t y = begin_.y; y < end_.y; ++y) {
            const ChunkRegions& west = grid_.at({begin_.x, y});
            walk_edge({begin_.x, y}, west.west_edge(),
                      [&](std::int32_t row) { return west.first_label(row); });
            const ChunkRegions& east = grid_.at({end_.x - 1, y});
            walk_edge({end_.x - 1, y}, east.east_edge(),
                      [&](std::int32_t row) { return east.last_label(row); });
        }
    }

    void walk_row(ChunkPlace place, std::int32_t y) {
        const ChunkRegions& chunk = grid_.at(place);
        const std::uint64_t bits = chunk.row(y);
        walk_edge(place, bits, [&](std::int32_t x) { return chunk.label_of_open(x, y); });
    }

    template <class LabelAt>
    void walk_edge(ChunkPlace place, std::uint64_t bits, LabelAt label_at) {
        join_.border_.push_back(static_cast<std::uint32_t>(bits));
        join_.border_.push_back(static_cast<std::uint32_t>(bits >> 32));
        for (std::uint64_t starts = bits & ~(bits << 1); starts != 0; starts &= starts - 1) {
            const Label label = label_at(std::countr_zero(starts));
            join_.border_.push_back(number(join_.first_[place.slot()] + label));
        }
    }

    const ChunkGrid& grid_;
    ChunkPlace begin_;
    ChunkPlace end_;
    BlockJoin& join_;
    std::vector<std::uint32_t> roots_;
    std::vector<std::uint32_t> number_of_root_;
};

BlockJoin::BlockJoin(const ChunkGrid& grid, ChunkPlace block) {
    Maker(grid, block, *this).run();
}

}  // namespace outrider::map
