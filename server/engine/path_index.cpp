#include "outrider/engine/path_index.hpp"

#include <utility>

#include "outrider/engine/path_walk.hpp"

namespace outrider::engine {
namespace {

std::int32_t blocks_along(std::int32_t cells) {
    return ((cells - 1) >> kFollowBlockShift) + 1;
}

}  // namespace

PathIndex::PathIndex(std::int32_t width, std::int32_t height)
    : across_(blocks_along(width)),
      down_(blocks_along(height)),
      heads_(static_cast<std::size_t>(across_) * static_cast<std::size_t>(down_), kNowhere) {}

std::uint32_t PathIndex::insert(std::uint32_t follow, std::span<const model::Cell> points) {
    std::uint32_t chain = kNowhere;
    std::size_t last = heads_.size();  // no square
    PathWalk walk(points);
    do {
        const std::size_t block = block_of(walk.cell());
        if (block != last) {
            chain = add(follow, block, chain);
            last = block;
        }
    } while (walk.advance());
    return chain;
}

void PathIndex::erase(std::uint32_t chain) {
    while (chain != kNowhere) {
        Entry& entry = entries_[chain];
        (entry.previous == kNowhere ? heads_[entry.block] : entries_[entry.previous].next) =
            entry.next;
        if (entry.next != kNowhere) {
            entries_[entry.next].previous = entry.previous;
        }
        --entry_count_;
        const std::uint32_t rest = std::exchange(entry.chain, free_);
        free_ = std::exchange(chain, rest);
    }
}

std::uint32_t PathIndex::add(std::uint32_t follow, std::size_t block, std::uint32_t chain) {
    std::uint32_t at = free_;
    if (at == kNowhere) {
        at = static_cast<std::uint32_t>(entries_.size());
        entries_.emplace_back();
    } else {
        free_ = entries_[at].chain;
    }
    ++entry_count_;
    std::uint32_t& head = heads_[block];
    entries_[at] = {follow, static_cast<std::uint32_t>(block), kNowhere, head, chain};
    if (head != kNowhere) {
        entries_[head].previous = at;
    }
    head = at;
    return at;
}

model::Rect PathIndex::blocks_of(const model::Rect& rect) const {
    const model::Rect cells =
        model::intersect(rect, {0, 0, across_ << kFollowBlockShift, down_ << kFollowBlockShift});
    if (cells.empty()) {
        return {0, 0, 0, 0};
    }
    const std::int32_t x = cells.x >> kFollowBlockShift;
    const std::int32_t y = cells.y >> kFollowBlockShift;
    return {x, y, (static_cast<std::int32_t>(cells.end_x() - 1) >> kFollowBlockShift) - x + 1,
            (static_cast<std::int32_t>(cells.end_y() - 1) >> kFollowBlockShift) - y + 1};
}

}  // namespace outrider::engine
