#pragma once
// What:     whether an edit left a chunk's components as they were, but for cells that went and
//           cells that came: then nobody needs to label the chunk anew. Read by the room's own
//           sources.
// Contract: find() gives an answer only where it is sure. Where it gives one, two cells that are
//           open before and after hang together after the edit exactly if they did before, and all
//           cells that came have the answer's label.
// Cost:     the rows around the edit; more of the chunk only where the way around the edit is long.

#include <array>
#include <cstdint>
#include <optional>

#include "outrider/map/chunk_regions.hpp"

namespace outrider::map {

class KeptParts {
  public:
    struct Answer {
        // The first and the last row that differ.
        std::int32_t top;
        std::int32_t bottom;
        Label opened;  // kNoLabel where no cell came
    };
    // Buildings of 5 x 5 cells touch 12 rows for the widest unit. Beyond this the way around an
    // edit is so long that labelling anew is as cheap.
    static constexpr std::int32_t kRowsMax = 16;

    // `before`: labelled with the same connectivity.
    [[nodiscard]] static std::optional<Answer> find(const ChunkRegions& before,
                                                    const ChunkRegions::Rows& rows,
                                                    Connectivity connectivity);

  private:
    // Row y is entry y + 1; beyond the chunk nothing is set.
    using Padded = std::array<std::uint64_t, kChunkSide + 2>;
    struct Seeds {
        Padded cells{};
        Label label{kNoLabel};
    };

    KeptParts(const ChunkRegions& before, const ChunkRegions::Rows& rows, Connectivity connectivity,
              Answer answer);

    [[nodiscard]] bool parts_hang_together() const;
    [[nodiscard]] bool find_opened();
    [[nodiscard]] std::uint64_t reach_of(const Padded& cells, std::size_t row) const;
    [[nodiscard]] Padded around(const Padded& changed) const;
    [[nodiscard]] Seeds take_one_label(Padded& left) const;
    bool sweep(Padded& from, const Padded& within, std::size_t row) const;
    [[nodiscard]] bool reaches(Padded from, const Padded& within, const Padded& goal) const;

    const ChunkRegions& before_;
    bool eight_;
    Answer answer_;
    // Entries that differ, and one on either side.
    std::size_t first_;
    std::size_t last_;
    Padded kept_{};  // open before and after
    Padded went_{};
    Padded came_{};
};

}  // namespace outrider::map
