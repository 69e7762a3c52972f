#pragma once
// What:     listens to both directions of one client's connection, and records each path request
//           for one map with the end that it came to.
// Contract: takes any bytes in any cuts, and changes none. Each path request for the map that
//           passes makes one record, when the first part of its reply or its refusal passes, or
//           when the connection ends; or it is counted as unrecorded: a request under an id that is
//           in use (nobody can say whose the replies are), one beyond kOpenRequestsMax, and
//           all that are open when a direction turns out not to be made of frames. What the
//           server rejects without reading it as a path request is not counted.
// Threads:  one at a time.
// Cost:     a copy and a decoding of each message. Memory: two frames, and kOpenRequestsMax
//           requests of at most kRequestBytesMax.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/wire/frame.hpp"
#include "record/recording_writer.hpp"

namespace outrider::record {

// Several times what a server lets one client have open by default.
inline constexpr std::size_t kOpenRequestsMax = 131'072;
// A path request with the longest names takes some 300 bytes; the rest is for later fields.
inline constexpr std::size_t kRequestBytesMax = 4096;

// Which requests belong into a recording.
struct RecordedMap {
    model::MapId id;
    std::string name;
};

class Tap {
  public:
    Tap(RecordingWriter& writer, RecordedMap map, std::uint64_t connection);

    void from_client(std::span<const std::byte> bytes);
    void from_server(std::span<const std::byte> bytes);
    // No byte follows.
    void end();

  private:
    struct Open {
        wire::Bytes request;
        model::Version version_floor{};
        // Requests under this id without a reply; above 1 none of them can be told from another.
        std::uint32_t uses{1};
        bool is_ambiguous{false};
    };

    template <class Take>
    void feed(wire::FrameReader& frames, std::span<const std::byte> bytes, Take take);
    void take_request(std::span<const std::byte> frame);
    void take_reply(std::span<const std::byte> frame);
    void close(model::RequestId id, std::span<const std::byte> reply, model::Version named);
    [[nodiscard]] bool is_recorded(const codec::PathRequest& request) const;
    void forget_open_requests();

    RecordingWriter& writer_;
    RecordedMap map_;
    std::uint64_t connection_;
    wire::FrameReader client_frames_{wire::kServerFrameBytesMax};
    wire::FrameReader server_frames_{wire::kServerFrameBytesMax};
    codec::RequestDecoder requests_;
    codec::ReplyDecoder replies_;
    std::unordered_map<std::uint64_t, Open> open_;
    // A direction is not made of frames: nothing more can be told apart.
    bool is_blind_{false};
};

}  // namespace outrider::record
