#pragma once
// What:     what a recording holds and where: the map as it began, and the places of the rest.
// Contract: read_index() reads the whole file and checks what can be checked without a map: the
//           header comes first, then the whole state, versions follow one another without a gap,
//           and every record decodes.
// Cost:     24 bytes a version and a path.

#include <optional>
#include <vector>

#include "outrider/codec/recording.hpp"
#include "record/recording_reader.hpp"

namespace outrider::record {

struct IndexedPath {
    // That the reply names; 0 where there is none.
    model::Version version{};
    Place place;
    friend auto operator<=>(const IndexedPath&, const IndexedPath&) = default;
};

struct RecordingIndex {
    codec::RecordingHeader header;
    codec::MapState state;
    // edits[i] made version state.info.version + 1 + i.
    std::vector<Place> edits;
    // By version; on equal versions in the order of the file.
    std::vector<IndexedPath> paths;
    std::optional<codec::RecordingEnd> end;

    [[nodiscard]] model::Version newest() const { return state.info.version + edits.size(); }
};

[[nodiscard]] base::Result<RecordingIndex> read_index(RecordingReader& reader);

}  // namespace outrider::record
