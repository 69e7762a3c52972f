#pragma once
// What:     the open list of the search over portals: a binary heap; a portal that is reached
//           cheaper is pushed again, and its old entry is passed over.
// Contract: order: smaller f, then larger g, then smaller portal.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "outrider/model/cost.hpp"

namespace outrider::search {

struct OpenPortal {
    model::Cost f;
    model::Cost g;
    std::uint32_t portal;

    friend bool operator<(const OpenPortal& a, const OpenPortal& b) {
        if (a.f != b.f) {
            return a.f < b.f;
        }
        return a.g != b.g ? a.g > b.g : a.portal < b.portal;
    }
};

class PortalQueue {
  public:
    void clear() { heap_.clear(); }
    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] std::size_t bytes() const { return heap_.capacity() * sizeof(OpenPortal); }

    void push(const OpenPortal& entry) {
        heap_.push_back(entry);
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    OpenPortal pop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const OpenPortal top = heap_.back();
        heap_.pop_back();
        return top;
    }

  private:
    static bool later(const OpenPortal& a, const OpenPortal& b) { return b < a; }
    std::vector<OpenPortal> heap_;
};

}  // namespace outrider::search
