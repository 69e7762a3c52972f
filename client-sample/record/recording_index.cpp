#include "record/recording_index.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "outrider/codec/assemble.hpp"

namespace outrider::record {
namespace {

class IndexBuilder {
  public:
    explicit IndexBuilder(const RecordingReader& reader) : reader_(reader) {}

    base::Result<void> add(PlacedRecord placed) {
        place_ = placed.place;
        const bool is_header = std::holds_alternative<codec::RecordingHeader>(placed.record);
        if (is_header != (place_.number == 1)) {
            return wrong(is_header ? "a second header; two files were joined, part them"
                                   : "the first record is no header; this is no recording");
        }
        if (index_.end) {
            return wrong("something follows the end; two files were joined, part them");
        }
        return std::visit([this](auto& record) { return this->take(record); }, placed.record);
    }

    base::Result<RecordingIndex> finish() {
        if (!whole_) {
            ++place_.number;
            return wrong(
                "is missing, and the map's state is not whole; the recorder ended as it "
                "began, or the file is no recording");
        }
        std::ranges::sort(index_.paths);
        return std::move(index_);
    }

  private:
    std::unexpected<base::Error> wrong(const std::string& what) const {
        return reader_.fail_at(place_, what);
    }

    base::Result<void> take(codec::RecordingHeader& header) {
        index_.header = std::move(header);
        return {};
    }
    base::Result<void> take(codec::MapStatePart& part) {
        if (whole_) {
            return wrong("a part of the map's state after its last");
        }
        const auto whole = assembler_.add(std::move(part));
        if (!whole) {
            return wrong(whole.error().message);
        }
        if (*whole) {
            whole_ = true;
            index_.state = assembler_.take();
        }
        return {};
    }
    base::Result<void> take(const codec::MapEdited& edited) {
        if (!whole_) {
            return wrong("an edit before the map's state is whole");
        }
        if (edited.version != index_.newest() + 1) {
            return wrong("version " + std::to_string(edited.version) + " follows version " +
                         std::to_string(index_.newest()) +
                         "; records are missing, nothing later can be replayed");
        }
        index_.edits.push_back(place_);
        return {};
    }
    base::Result<void> take(const codec::RecordedPath& path) {
        const auto* head = std::get_if<codec::PathHead>(&path.end);
        index_.paths.push_back({head == nullptr ? 0 : head->version, place_});
        return {};
    }
    base::Result<void> take(const codec::RecordingEnd& end) {
        if (end.requests != index_.paths.size()) {
            return wrong("the end tells of " + std::to_string(end.requests) +
                         " requests, and the file has " + std::to_string(index_.paths.size()) +
                         "; records are missing or were put in");
        }
        index_.end = end;
        return {};
    }
    // A later program's; what this one knows is complete without it.
    base::Result<void> take(const codec::UnknownRecord&) const { return {}; }

    const RecordingReader& reader_;
    Place place_;
    codec::MapStateAssembler assembler_;
    bool whole_{false};
    RecordingIndex index_;
};

}  // namespace

base::Result<RecordingIndex> read_index(RecordingReader& reader) {
    IndexBuilder builder(reader);
    while (true) {
        auto placed = reader.next();
        if (!placed) {
            return std::unexpected(std::move(placed.error()));
        }
        if (!*placed) {
            return builder.finish();
        }
        if (auto done = builder.add(**std::move(placed)); !done) {
            return std::unexpected(std::move(done.error()));
        }
    }
}

}  // namespace outrider::record
