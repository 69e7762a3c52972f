#include "outrider/search/node_pool.hpp"

#include <algorithm>
#include <new>

#include "outrider/search/huge_pages.hpp"

namespace outrider::search {

void NodePool::prepare(std::size_t cells) {
    if (cells > capacity_) {
        // The old nodes go first, so that growth never holds both. calloc gives zero pages without
        // touching them, which no vector does.
        nodes_.reset();
        capacity_ = 0;
        nodes_.reset(static_cast<Node*>(std::calloc(cells, sizeof(Node))));
        if (nodes_ == nullptr) {
            throw std::bad_alloc();  // ends this search and no other
        }
        wish_for_huge_pages(nodes_.get(), cells * sizeof(Node));
        capacity_ = cells;
        generation_ = 0;
    }
    ++generation_;
    if (generation_ == 0) {
        std::fill_n(nodes_.get(), capacity_, Node{});
        generation_ = 1;
    }
}

}  // namespace outrider::search
