#pragma once
// What:     a route from one open cell to another as the cells where it enters chunk after chunk:
//           A* over the portals of the chunks, with an estimate that is made to dive.
// Contract: costs between portals are exact inside a chunk; those of both ends are estimates where
//           that is good enough. The route can be walked; it need not be the best one. Reads the
//           layer alone: whether the costs of a chunk were known already changes time and nothing
//           else.
// Cost:     a few hundred nanoseconds a portal; a search of the chunk more for each portal whose
//           costs nobody asked for before.
// Source:   Botea, Mueller, Schaeffer 2004; Pohl 1970 (the weight).

#include <cstdint>
#include <vector>

#include "outrider/search/buffers.hpp"
#include "outrider/search/kernel.hpp"
#include "outrider/search/meter.hpp"
#include "outrider/search/route_end.hpp"

namespace outrider::search {

class PortalRoute {
  public:
    // Both cells open, and in different chunks. The route goes to `buffers.route`: not the start,
    // but the goal.
    void begin(const map::Layer& layer, model::Cell from, model::Cell to, Buffers& buffers);
    // kReached, kExhausted, or kRunning when the meter has run out.
    Progress step(Meter& meter);

  private:
    enum class Phase : std::uint8_t { kFromStart, kFromGoal, kPortals };

    // A node: the chunk that is entered, the side, and the portal's number on that side.
    static constexpr unsigned kRankBits = 4;
    static constexpr unsigned kSideBits = 3;
    static constexpr unsigned kChunkShift = kRankBits + kSideBits;
    static_assert(map::kPortalsPerSideMax <= 1U << kRankBits && map::kSides == 1U << kSideBits);

    // An expansion here looks at some sixteen portals.
    static constexpr std::uint64_t kPortalPrice = 16;
    // What the estimate is raised by beyond the roughness of the ground, in 256ths.
    static constexpr model::Cost kDive = 16;
    static constexpr model::Cost kEstimateMax = 3 * 256;

    void begin_portals();
    void expand(const OpenPortal& top);
    void leave(map::ChunkPlace place, std::uint32_t from_portal, const std::uint32_t* costs,
               const OpenPortal& from);
    void reach(std::uint32_t node, model::Cell cell, model::Cost g, std::uint32_t parent);
    void collect();
    [[nodiscard]] std::uint32_t number_of(map::ChunkPlace place) const {
        return static_cast<std::uint32_t>(place.y) * across_ + static_cast<std::uint32_t>(place.x);
    }
    [[nodiscard]] map::ChunkPlace place_of(std::uint32_t node) const;
    [[nodiscard]] std::uint32_t portal_of(std::uint32_t node) const;

    const map::Layer* layer_{nullptr};
    Buffers* buffers_{nullptr};
    model::Cell to_;
    RouteEnd start_;
    RouteEnd goal_;
    Phase phase_{Phase::kFromStart};
    Node* nodes_{nullptr};
    std::uint32_t generation_{0};
    std::uint32_t across_{0};  // chunks
    std::uint32_t start_node_{0};
    std::uint32_t goal_node_{0};
    model::Cost estimate_{256};  // factor of the estimate, in 256ths
};

}  // namespace outrider::search
