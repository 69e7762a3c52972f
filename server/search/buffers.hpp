#pragma once
// What: the memory of one search, running or suspended: node pool, open lists, trace, scratch.

#include <vector>

#include "outrider/base/limits.hpp"
#include "outrider/model/query.hpp"
#include "outrider/search/jump_queue.hpp"
#include "outrider/search/node_pool.hpp"
#include "outrider/search/open_list.hpp"
#include "outrider/search/search.hpp"

namespace outrider::search {

class Buffers {
  public:
    NodePool nodes;
    OpenList open_cells;
    JumpQueue open_jumps;
    std::vector<model::Explored> explored;
    // A path on its way from end to start.
    std::vector<model::Cell> points;

    void note(model::Cell cell, model::ExploredKind kind, model::Cost g, model::Cost h) {
        if (explored.size() < base::limits::kExploredCellsMax) {
            explored.push_back({cell, kind, g, h});
        }
    }
};

}  // namespace outrider::search
