#pragma once
// What:     mending a broken path: the stretch that is searched for anew, the path that it makes,
//           and the least that any path can cost by what the old one proved. Pure functions.
//           Private to the engine room.
// Contract: a mend depends on the layer, the old path and the unit's place alone. Bounds are never
//           too large:
//           - the rest of a cheapest path is a cheapest path of its own; so a path that cost C
//           where
//             nothing costs less than L leaves, after paying P of C, at least L - P;
//           - on a later version every path avoids what became better since, and costs no less than
//             before, or leads through it, and costs no less than bound_through() says.
// Cost:     linear in the path's cells.
// Source:   server/decisions/0022-a-break-is-mended-within-a-proven-bound.md.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "outrider/engine/path_walk.hpp"
#include "outrider/map/layer.hpp"
#include "outrider/model/query.hpp"

namespace outrider::engine {

// The stretch starts so many cells before the break and ends as many beyond it, so that a detour
// can leave and join slantwise; an eighth of the rest of the path at most.
inline constexpr std::size_t kMendMargin = 16;
// A detour that takes more is no small one. Ordinary ones take 4 to 30 on game maps, 250 on mixed
// terrain.
inline constexpr std::uint64_t kMendExpansionsMax = 4096;

struct Mend {
    std::size_t next{};  // the turning point ahead of the place where the mended path begins
    model::Cell from;    // both on the old path
    model::Cell to;
    model::Cost kept{};  // what the old path costs outside of the stretch
};

// The stretch around all steps of the rest that are closed. Nothing where none is, where its end is
// not open, or where it makes more than half of the rest.
[[nodiscard]] std::optional<Mend> find_mend(const map::Layer& layer, PathWalk rest);
[[nodiscard]] model::PathQuery stretch_query(const model::PathQuery& whole, const Mend& mend);
// Turning points of the old path from `begin` on with the stretch put in, without loops.
[[nodiscard]] std::vector<model::Cell> mended_path(PathWalk rest, const Mend& mend,
                                                   std::span<const model::Cell> stretch);

// What a path proved on the version that it was found on.
struct PathBound {
    std::vector<model::Cost> to_go;  // from each turning point to the end
    model::Cost least{};             // no path from its start costs less
    // What the ground had seen by then.
    std::uint64_t opened{};
    std::uint64_t epoch{};
};
// Needs a path that is legal on the layer of its own version.
[[nodiscard]] PathBound bound_of(const map::Layer& layer, std::span<const model::Cell> points,
                                 std::uint32_t bound_percent, bool may_leave_blocked);
// No path from `place`, on the leg before points[next], costs less on the bound's version.
[[nodiscard]] model::Cost least_from(const PathBound& bound, std::span<const model::Cell> points,
                                     std::size_t next, model::Cell place, model::Cost weight_min);

}  // namespace outrider::engine
