#pragma once
// What: the memory of one search, running or suspended: node pool, open lists, trace, scratch.

#include <vector>

#include "outrider/base/limits.hpp"
#include "outrider/map/chunk_search.hpp"
#include "outrider/model/query.hpp"
#include "outrider/search/cell_nodes.hpp"
#include "outrider/search/cell_queue.hpp"
#include "outrider/search/jump_queue.hpp"
#include "outrider/search/node_pool.hpp"
#include "outrider/search/open_list.hpp"
#include "outrider/search/portal_queue.hpp"
#include "outrider/search/search.hpp"
#include "outrider/search/smoother.hpp"

namespace outrider::search {

class Buffers {
  public:
    NodePool nodes;
    OpenList open_cells;
    JumpQueue open_jumps;
    CellNodes cells;
    CellQueue open_places;
    std::vector<model::Explored> explored;
    // A path on its way from end to start.
    std::vector<model::Cell> points;

    // The hierarchy: searches of the chunks of both ends, and of one between; the cells where the
    // route enters each chunk; what is walked of it so far.
    map::ChunkSearch from_start;
    map::ChunkSearch from_goal;
    map::ChunkSearch chunk_search;
    PortalQueue open_portals;
    std::vector<std::uint32_t> portal_costs;
    std::vector<model::Cell> route;
    std::vector<model::Cell> walked;

    Smoother smoother;

    void note(model::Cell cell, model::ExploredKind kind, model::Cost g, model::Cost h) {
        if (explored.size() < base::limits::kExploredCellsMax) {
            explored.push_back({cell, kind, g, h});
        }
    }
};

}  // namespace outrider::search
