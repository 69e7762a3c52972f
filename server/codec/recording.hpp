#pragma once
// What:     the records of a recording (proto/outrider/v1/recording.proto) as plain values, and
//           their bytes. Who frames them and where they are kept is not the codec's business.
// Contract: the decoder takes any bytes whatever and hands out a record whose values are in range,
//           or an error that says what is wrong. A request is kept as its client sent it, fields
//           that this program does not know included.
// Threads:  one object, one thread at a time.
// Cost:     some copies of a message of a hundred bytes: a microsecond or two a path.
// Source:   proto/README.md, "Recordings".

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "outrider/base/result.hpp"
#include "outrider/codec/messages.hpp"
#include "outrider/codec/output.hpp"
#include "outrider/codec/server_codec.hpp"

namespace outrider::codec {

inline constexpr std::uint32_t kRecordingFormat = 1;

struct RecordingHeader {
    std::uint32_t format_version{kRecordingFormat};
    std::string program_version;
    model::MapId map;
    std::string map_name;
    friend bool operator==(const RecordingHeader&, const RecordingHeader&) = default;
};

// The connection ended before the reply came.
struct Unanswered {
    friend bool operator==(const Unanswered&, const Unanswered&) = default;
};

struct RecordedPath {
    std::uint64_t connection{};
    model::RequestId id;
    model::Version version_floor{};
    PathRequest request;
    std::variant<Unanswered, PathHead, model::Refusal> end;
};

struct RecordingEnd {
    std::uint64_t requests{};
    std::uint64_t unrecorded{};
    friend bool operator==(const RecordingEnd&, const RecordingEnd&) = default;
};

// A kind of record that a later program writes.
struct UnknownRecord {};

using Record = std::variant<RecordingHeader, MapStatePart, MapEdited, RecordedPath, RecordingEnd,
                            UnknownRecord>;

// A path request and its end as they passed: whole messages, without their frames.
struct PassedPath {
    std::uint64_t connection{};
    model::Version version_floor{};
    std::span<const std::byte> request;  // a ClientMessage
    // The reply's first part or the refusal, a ServerMessage; empty: unanswered.
    std::span<const std::byte> reply;
};

class RecordEncoder {
  public:
    RecordEncoder();
    ~RecordEncoder();

    void header(const RecordingHeader& header, Output& out);
    // Writes the next part; needs a cursor that is not done.
    void map_state_part(MapStateCursor& cursor, Output& out);
    void map_edited(const MapEdited& edited, Output& out);
    // False, and nothing is written, where the messages are no path request and its end.
    [[nodiscard]] bool path(const PassedPath& passed, Output& out);
    void end(const RecordingEnd& end, Output& out);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

class RecordDecoder {
  public:
    RecordDecoder();
    ~RecordDecoder();
    [[nodiscard]] base::Result<Record> decode(std::span<const std::byte> bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace outrider::codec
