#include "outrider/search/portal_route.hpp"

#include <algorithm>

#include "outrider/search/moves.hpp"

namespace outrider::search {
namespace {

constexpr model::Cost kClosed = model::Cost{1} << 63U;

model::Cell cell_in(map::ChunkPlace place, std::int32_t x, std::int32_t y) {
    return {place.x * map::kChunkSide + x, place.y * map::kChunkSide + y};
}

}  // namespace

void PortalRoute::begin(const map::Layer& layer, model::Cell from, model::Cell to,
                        Buffers& buffers) {
    layer_ = &layer;
    buffers_ = &buffers;
    to_ = to;
    phase_ = Phase::kFromStart;
    buffers.route.clear();
    buffers.open_portals.clear();
    across_ = static_cast<std::uint32_t>(layer.regions().chunks().across());
    start_node_ = number_of({0, layer.regions().chunks().down()}) << kChunkShift;
    goal_node_ = start_node_ + 1;
    const std::size_t nodes = std::size_t{goal_node_} + 1;
    const std::size_t cells =
        static_cast<std::size_t>(layer.width()) * static_cast<std::size_t>(layer.height());
    buffers.nodes.prepare(std::max(nodes, cells));
    nodes_ = buffers.nodes.data();
    generation_ = buffers.nodes.generation();
    start_.begin(layer, from, buffers.from_start);
    goal_.begin(layer, to, buffers.from_goal);
}

Progress PortalRoute::step(Meter& meter) {
    if (phase_ == Phase::kFromStart && start_.step(meter)) {
        phase_ = Phase::kFromGoal;
    }
    if (phase_ == Phase::kFromGoal && goal_.step(meter)) {
        phase_ = Phase::kPortals;
        begin_portals();
    }
    if (phase_ != Phase::kPortals) {
        return Progress::kRunning;
    }
    PortalQueue& open = buffers_->open_portals;
    while (true) {
        if (open.empty()) {
            return Progress::kExhausted;
        }
        if (!meter.pay(kPortalPrice)) {
            return Progress::kRunning;
        }
        const OpenPortal top = open.pop();
        Node& node = nodes_[top.portal];
        if ((node.word & kClosed) != 0) {
            continue;
        }
        node.word |= kClosed;
        if (top.portal == goal_node_) {
            collect();
            return Progress::kReached;
        }
        expand(top);
    }
}

// The estimate knows how rough the ground is at both ends: it then neither floods rough ground nor
// ignores open ground.
void PortalRoute::begin_portals() {
    const model::Cost roughness = (start_.roughness() + goal_.roughness()) / 2;
    estimate_ = std::min(std::max(roughness, model::Cost{256}) + kDive, kEstimateMax);
    const map::ChunkPortals& portals = layer_->portals(start_.place());
    std::vector<std::uint32_t>& costs = buffers_->portal_costs;
    costs.resize(portals.count());
    for (std::uint32_t i = 0; i < portals.count(); ++i) {
        costs[i] = start_.cost(portals[i]);
    }
    leave(start_.place(), portals.count(), costs.data(), {0, 0, start_node_});
}

void PortalRoute::expand(const OpenPortal& top) {
    const map::ChunkPlace place = place_of(top.portal);
    const map::ChunkPortals& portals = layer_->portals(place);
    const std::uint32_t here = portal_of(top.portal);
    leave(place, here, portals.row(*layer_, place, here, buffers_->chunk_search), top);
    if (place == goal_.place()) {
        const std::uint32_t cost = goal_.cost(portals[here]);
        if (cost != map::ChunkSearch::kNoWay) {
            reach(goal_node_, to_, top.g + cost, top.portal);
        }
    }
}

// Over each border of the chunk that can be reached at `costs`, bar the one just come by.
void PortalRoute::leave(map::ChunkPlace place, std::uint32_t from_portal,
                        const std::uint32_t* costs, const OpenPortal& from) {
    const map::ChunkPortals& portals = layer_->portals(place);
    for (std::uint32_t i = 0; i < portals.count(); ++i) {
        if (i == from_portal || costs[i] == map::ChunkSearch::kNoWay) {
            continue;
        }
        const map::Portal& portal = portals[i];
        const model::Cell here = cell_in(place, portal.x, portal.y);
        const model::Cell there{here.x + kMoveX[portal.step], here.y + kMoveY[portal.step]};
        const map::ChunkPlace other{place.x + kMoveX[portal.side], place.y + kMoveY[portal.side]};
        const auto side = static_cast<std::uint32_t>(map::opposite(portal.side));
        const std::uint32_t node =
            number_of(other) << kChunkShift | side << kRankBits | portals.rank_of(i);
        const model::Cost step = portal.step < kNE ? model::kStraight : model::kDiagonal;
        const model::Cost over =
            step * (model::Cost{layer_->weight(here)} + model::Cost{layer_->weight(there)});
        reach(node, there, from.g + costs[i] + over, from.portal);
    }
}

void PortalRoute::reach(std::uint32_t at, model::Cell cell, model::Cost g, std::uint32_t parent) {
    Node& node = nodes_[at];
    // The mark of a closed node is the top bit: such a g is never undercut, and never opened again.
    if (node.stamp == generation_ && ((node.word & kClosed) != 0 || node.word <= g)) {
        return;
    }
    node = {g, generation_, parent};
    const model::Cost h = least_cost(*layer_, cell, to_) * estimate_ / 256;
    buffers_->open_portals.push({g + h, g, at});
}

void PortalRoute::collect() {
    std::vector<model::Cell>& route = buffers_->route;
    route.push_back(to_);
    for (std::uint32_t at = nodes_[goal_node_].link; at != start_node_; at = nodes_[at].link) {
        const map::ChunkPlace place = place_of(at);
        const map::Portal& portal = layer_->portals(place)[portal_of(at)];
        route.push_back(cell_in(place, portal.x, portal.y));
    }
    std::reverse(route.begin(), route.end());
}

map::ChunkPlace PortalRoute::place_of(std::uint32_t node) const {
    const std::uint32_t chunk = node >> kChunkShift;
    return {static_cast<std::int32_t>(chunk % across_), static_cast<std::int32_t>(chunk / across_)};
}

std::uint32_t PortalRoute::portal_of(std::uint32_t node) const {
    const auto side = static_cast<map::Side>((node >> kRankBits) & (map::kSides - 1));
    return layer_->portals(place_of(node)).index_of(side, node & (map::kPortalsPerSideMax - 1));
}

}  // namespace outrider::search
