#pragma once
// What: every bound of the product that is not a matter of configuration, in one place, each with
//       its reason. Bounds that an operator sets stand in engine/config.hpp and net/config.hpp,
//       with their defaults. A test stands at each bound, one below and one above.

#include <cstddef>
#include <cstdint>

namespace outrider::base::limits {

// A cell index fits 26 bits, so that a search node packs cell, cost and stamp into 16 bytes.
inline constexpr std::int32_t kMapSideMax = 8192;
// The footprint planes are eroded by shifted ands within one guard word; 8 suits any RTS unit.
inline constexpr std::int32_t kFootprintMax = 8;
// Teams are bits of a 64-bit mask; team 0 means "no team" and passes no gate.
inline constexpr std::uint8_t kTeamMax = 63;
inline constexpr std::size_t kClassesPerMapMax = 16;
inline constexpr std::size_t kMapsMax = 64;
inline constexpr std::size_t kNameBytesMax = 64;
// One batch is one writer turn: it must stay short enough not to hold up the next.
inline constexpr std::size_t kEditsPerBatchMax = 4096;
// Values and bytes of masks that lie beside the map count too: the batch goes to every watcher in
// one frame.
inline constexpr std::int64_t kCellsPerBatchMax = 1 << 22;
inline constexpr std::size_t kObstaclesPerMapMax = 1 << 20;
// A mask of 256 x 256 cells is 8 KiB: no building is larger, and a wall is many obstacles.
inline constexpr std::int64_t kMaskCellsMax = 1 << 16;
// Half a million obstacles may have a mask of 32 x 32 cells.
inline constexpr std::size_t kMaskBytesPerMapMax = 64U << 20U;
// A request may look past one obstacle, which costs as an edit of its size in a writer turn. The
// largest unit covers 64 cells; 64 x 64 leaves room for whatever moves as one.
inline constexpr std::int64_t kIgnoredCellsMax = 1 << 12;
// Beyond ten times the optimum nobody needs a path; keeps f inside 64 bits with room to spare.
inline constexpr std::uint32_t kWeightPercentMax = 1000;
inline constexpr std::uint32_t kGoalRangeMax = kMapSideMax;
// As many as one client can follow by default: a game reports all its units in one message.
inline constexpr std::size_t kProgressPerRequestMax = 1 << 14;
// As many units as a player can send with one click in the largest games, and one frame carries
// them.
inline constexpr std::size_t kUnitsPerGroupMax = 10'000;
inline constexpr std::size_t kGoalsPerNearestMax = 1024;
inline constexpr std::size_t kStartsPerReachMax = 1024;
// Each cell of one side is a wave over the map; of the other only a look at it.
inline constexpr std::size_t kMatrixSideMax = 1024;
inline constexpr std::size_t kMatrixCellsMax = 1 << 16;
// Cells of one answer: what a client can draw, and 32 MiB where each has its cost.
inline constexpr std::int64_t kFieldCellsMax = 1 << 22;
inline constexpr std::size_t kReachCellsMax = 1 << 22;
inline constexpr std::size_t kExploredCellsMax = 1 << 20;
// Of a first leg, so that it goes into one message: a unit walks for a minute along so many
// corners.
inline constexpr std::size_t kFirstLegPointsMax = 4096;
// Load and drawn maps aside, a map file larger than its cells twice over is not a map file.
inline constexpr std::size_t kMapFileBytesMax =
    2 * static_cast<std::size_t>(kMapSideMax) * static_cast<std::size_t>(kMapSideMax);

}  // namespace outrider::base::limits
