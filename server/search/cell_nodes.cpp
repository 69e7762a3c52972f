#include "outrider/search/cell_nodes.hpp"

#include <new>

#include "outrider/search/huge_pages.hpp"

namespace outrider::search {
namespace {

// What x86-64 and most 64-bit ARM systems have.
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20U;
constexpr std::size_t kLineNodes = 64 / sizeof(CellNode);

}  // namespace

void CellNodes::take(std::size_t bytes) {
    // The old nodes go first, so that growth never holds both. calloc gives zero pages without
    // touching them, which no vector does.
    nodes_ = nullptr;
    bytes_ = 0;
    memory_.reset();
    memory_.reset(std::calloc(bytes + kHugePageBytes, 1));
    if (memory_ == nullptr) {
        throw std::bad_alloc();  // ends this search and no other
    }
    void* aligned = memory_.get();
    std::size_t space = bytes + kHugePageBytes;
    nodes_ = static_cast<CellNode*>(std::align(kHugePageBytes, bytes, aligned, space));
    bytes_ = bytes;
    generation_ = 0;
    wish_for_huge_pages(nodes_, bytes);
}

void CellNodes::prepare(std::int32_t width, std::int32_t height) {
    // An odd number of cache lines a row: on maps as wide as a power of two the cells of a column
    // would else fall on the same few places of every cache.
    const std::size_t lines = (static_cast<std::size_t>(width) / kLineNodes + 1) | 1U;
    stride_ = static_cast<std::ptrdiff_t>(lines * kLineNodes);
    const std::size_t bytes =
        lines * kLineNodes * sizeof(CellNode) * static_cast<std::size_t>(height);
    if (bytes > bytes_) {
        take(bytes);
    }
    ++generation_;
    if (generation_ == 0) {
        // Taken anew instead of wiped: pages that were never touched stay so.
        take(bytes_);
        generation_ = 1;
    }
}

}  // namespace outrider::search
