#pragma once
// What:     reads the records of a recording one by one, and any of them again.
// Contract: takes any bytes whatever. A record that is cut off by the end of the file, as a killed
//           recorder leaves it, is no error: next() ends before it and torn_bytes() says so. Every
//           error names the file, the record and its place.
// Threads:  one at a time.
// Cost:     memory of one record, whatever its length field claims.

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

#include "outrider/base/result.hpp"
#include "outrider/codec/recording.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::record {

struct Place {
    std::uint64_t number{};  // of the record, from 1
    std::uint64_t offset{};  // of its frame, in bytes
    friend auto operator<=>(const Place&, const Place&) = default;
};

struct PlacedRecord {
    Place place;
    codec::Record record;
};

class RecordingReader {
  public:
    // `in` must outlive the reader and be seekable for at(); `name` is the file's, for errors.
    RecordingReader(std::istream& in, std::string name);

    // Nothing at the end.
    [[nodiscard]] base::Result<std::optional<PlacedRecord>> next();
    // A record that next() has given; next() is then of no more use.
    [[nodiscard]] base::Result<codec::Record> at(const Place& place);

    // Of the cut-off record, after the end.
    [[nodiscard]] std::uint64_t torn_bytes() const { return torn_bytes_; }
    // An error about that record.
    [[nodiscard]] std::unexpected<base::Error> fail_at(const Place& place,
                                                       const std::string& what) const;

  private:
    [[nodiscard]] base::Result<std::optional<std::span<const std::byte>>> read_frame(
        wire::FrameReader& frames, const Place& place);

    std::istream& in_;
    std::string name_;
    wire::FrameReader frames_{wire::kServerFrameBytesMax};
    codec::RecordDecoder decoder_;
    Place place_{1, 0};
    std::uint64_t bytes_read_{0};
    std::uint64_t torn_bytes_{0};
};

}  // namespace outrider::record
