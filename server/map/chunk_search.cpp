#include "outrider/map/chunk_search.hpp"

#include <algorithm>

#include "outrider/map/layer.hpp"

namespace outrider::map {
namespace {

// The widest power of two that is no wider than the cheapest step.
unsigned bucket_shift_of(std::uint32_t weight_min) {
    return static_cast<unsigned>(std::bit_width(2 * weight_min * model::kStraight)) - 1;
}

}  // namespace

void ChunkSearch::load(const Layer& layer, ChunkPlace place) {
    const ChunkRegions& chunk = layer.regions().chunks().at(place);
    for (std::int32_t y = 0; y < kChunkSide; ++y) {
        open_[static_cast<std::size_t>(y)] = chunk.row(y);
    }
    const model::MovementClass& who = layer.movement_class();
    moves_ = &move_table(who.directions, who.corner_rule);
    uniform_ = layer.uniform();
    weight_ = layer.weight_min();
    if (!uniform_) {
        const std::int32_t left = place.x * kChunkSide;
        const std::int32_t top = place.y * kChunkSide;
        for (std::int32_t y = 0; y < kChunkSide; ++y) {
            for (std::uint64_t bits = chunk.row(y); bits != 0; bits &= bits - 1) {
                const std::int32_t x = std::countr_zero(bits);
                weights_[cell_of(x, y)] = layer.weight({left + x, top + y});
            }
        }
    }
    bucket_shift_ = bucket_shift_of(weight_);
    const std::uint32_t dearest = uniform_ ? weight_ : std::uint32_t{0xFF};
    const auto span = static_cast<std::uint32_t>(2 * dearest * model::kDiagonal >> bucket_shift_);
    bucket_mask_ = std::bit_ceil(span + 2) - 1;
}

void ChunkSearch::begin(const Layer& layer, model::Cell from) {
    load(layer, ChunkPlace::of(from));
    closed_.fill(0);
    wanted_.fill(0);
    wanted_count_ = 0;
    costs_.fill(kNoWay);
    std::fill_n(heads_.begin(), bucket_mask_ + 1, kNone);
    links_.clear();
    free_ = kNone;
    bucket_ = 0;
    waiting_ = 0;
    done_ = false;
    const auto cell = static_cast<InChunk>(cell_of(from.x % kChunkSide, from.y % kChunkSide));
    costs_[cell] = 0;
    push(cell, 0);
}

void ChunkSearch::want(std::int32_t x, std::int32_t y) {
    std::uint64_t& row = wanted_[static_cast<std::size_t>(y)];
    const std::uint64_t bit = std::uint64_t{1} << x;
    wanted_count_ += (row & bit) == 0 ? 1 : 0;
    row |= bit;
}

void ChunkSearch::push(InChunk cell, std::uint32_t cost) {
    std::uint16_t& head = heads_[(cost >> bucket_shift_) & bucket_mask_];
    ++waiting_;
    if (free_ == kNone) {
        links_.push_back({cell, head});
        head = static_cast<std::uint16_t>(links_.size() - 1);
        return;
    }
    const std::uint16_t at = free_;
    free_ = links_[at].next;
    links_[at] = {cell, head};
    head = at;
}

bool ChunkSearch::next_bucket() {
    if (waiting_ == 0) {
        return false;
    }
    while (heads_[bucket_ & bucket_mask_] == kNone) {
        ++bucket_;
    }
    return true;
}

inline unsigned ChunkSearch::bits_around(const ChunkRegions::Rows& rows, InChunk cell) const {
    const std::size_t y = cell / kChunkSide;
    const unsigned x = cell % kChunkSide;
    const auto three = [x](std::uint64_t row) {
        return static_cast<unsigned>(x == 0 ? row << 1U : row >> (x - 1)) & 7U;
    };
    const unsigned above = y == 0 ? 0 : three(rows[y - 1]);
    const unsigned below = y + 1 == kChunkSide ? 0 : three(rows[y + 1]);
    return above | three(rows[y]) << 3U | below << 6U;
}

template <bool kUniform>
inline void ChunkSearch::expand(InChunk cell) {
    // What is closed already is masked out by the table of a mover that nothing hinders.
    const MoveTable& any = move_table(model::Directions::kEight, model::CornerRule::kNoneOpen);
    const unsigned legal = (*moves_)[bits_around(open_, cell)];
    const std::uint32_t from = costs_[cell];
    for (unsigned mask = legal & ~unsigned{any[bits_around(closed_, cell)]}; mask != 0;
         mask &= mask - 1) {
        const auto move = static_cast<std::size_t>(std::countr_zero(mask));
        const auto to = static_cast<InChunk>(cell + kMoveY[move] * kChunkSide + kMoveX[move]);
        const std::uint32_t weights =
            kUniform ? 2 * weight_ : std::uint32_t{weights_[cell]} + weights_[to];
        const auto step =
            static_cast<std::uint32_t>(move < kNE ? model::kStraight : model::kDiagonal);
        const std::uint32_t cost = from + weights * step;
        const std::uint32_t known = costs_[to];
        if (cost < known) {
            costs_[to] = cost;
            // In the same bucket it stands already.
            if (known == kNoWay || known >> bucket_shift_ != cost >> bucket_shift_) {
                push(to, cost);
            }
        }
    }
}

template <bool kUniform>
void ChunkSearch::run(std::uint32_t cells_max) {
    while (cells_max > 0) {
        if (!next_bucket()) {
            done_ = true;
            return;
        }
        std::uint16_t& head = heads_[bucket_ & bucket_mask_];
        const std::uint16_t link = head;
        const InChunk cell = links_[link].cell;
        head = links_[link].next;
        links_[link].next = free_;
        free_ = link;
        --waiting_;
        std::uint64_t& closed = closed_[cell / kChunkSide];
        const std::uint64_t bit = std::uint64_t{1} << (cell % kChunkSide);
        if ((closed & bit) != 0) {
            continue;
        }
        closed |= bit;
        --cells_max;
        if ((wanted_[cell / kChunkSide] & bit) != 0 && --wanted_count_ == 0) {
            done_ = true;
            return;
        }
        expand<kUniform>(cell);
    }
}

void ChunkSearch::step(std::uint32_t cells_max) {
    if (!done_) {
        uniform_ ? run<true>(cells_max) : run<false>(cells_max);
    }
}

}  // namespace outrider::map
