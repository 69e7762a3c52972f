#pragma once
// What:     the server's half of the protocol: requests from bytes, replies to bytes.
// Contract: the decoder takes any bytes whatever and hands out a message in range, or a Rejection
//           that names the field. Replies of any length are written in parts of at most
//           kReplyPartBytesMax bytes.
// Threads:  one object, one thread at a time.
// Cost:     no heap for a path request and a path reply of ordinary length: both work in a pooled
//           arena. A hostile frame can make the decoder hold about twenty times the frame's bytes
//           while it is decoded (an empty edit takes two bytes on the wire and some forty here).
// Source:   proto/README.md.

#include <cstddef>
#include <expected>
#include <memory>
#include <span>

#include "outrider/codec/messages.hpp"
#include "outrider/codec/output.hpp"

namespace outrider::codec {

struct Rejection {
    model::RequestId id;  // 0 where the bytes do not even give that
    model::Refusal refusal;
    // The stream cannot be trusted any more: say goodbye and close.
    bool fatal{false};
};

class RequestDecoder {
  public:
    RequestDecoder();
    ~RequestDecoder();
    [[nodiscard]] std::expected<ClientMessage, Rejection> decode(std::span<const std::byte> bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// A part holds at most this many points of a path and of the smooth one (ten bytes each at worst),
// cells looked at (31 bytes) and obstacles (54 bytes), about this many bytes of terrain, and of
// masks one mask more, so that no part exceeds kReplyPartBytesMax.
inline constexpr std::size_t kPointsPerPart = 4096;
inline constexpr std::size_t kExploredPerPart = 2048;
inline constexpr std::size_t kObstaclesPerPart = 1024;
inline constexpr std::size_t kTerrainBytesPerPart = 32768;
inline constexpr std::size_t kMaskBytesPerPart = 16384;
// Of surveys: ways (64 bytes each besides their points, which kPointsPerPart bounds together), runs
// (15 bytes), costs (ten bytes) and bytes of steps.
inline constexpr std::size_t kWaysPerPart = 1024;
inline constexpr std::size_t kRunsPerPart = 2048;
inline constexpr std::size_t kCostsPerPart = 8192;
inline constexpr std::size_t kStepBytesPerPart = 32768;
inline constexpr std::size_t kReplyPartBytesMax = 128U << 10U;

// How far the points of a path are written.
struct PointPlace {
    std::size_t done{0};  // turning points reached
    model::Cell last{};   // the point written last
};

// A path answer on its way out, and how far it has come.
class PathCursor {
  public:
    PathCursor(model::RequestId id, model::PathAnswer answer, PathFormat format);
    // Needs a push that holds an answer.
    PathCursor(const model::PathPush& push, PathFormat format);
    [[nodiscard]] bool done() const { return done_; }

  private:
    friend class ReplyEncoder;
    model::RequestId id_;
    model::PathAnswer answer_;
    PathFormat format_;
    std::optional<PushHead> push_{};
    bool started_{false};
    bool done_{false};
    PointPlace place_{};
    std::size_t smooth_done_{0};
    std::size_t explored_done_{0};
    model::Cell last_explored_{};
};

// The same for an answer to a survey, or for one part of a group's.
class SurveyCursor {
  public:
    // `last`: the engine's last part.
    SurveyCursor(model::RequestId id, model::SurveyAnswer answer, PathFormat format, bool last);
    [[nodiscard]] bool done() const { return done_; }

  private:
    friend class ReplyEncoder;
    struct Writer;

    model::RequestId id_;
    model::SurveyAnswer answer_;
    PathFormat format_;
    bool last_;
    bool started_{false};
    bool done_{false};
    std::size_t items_done_{0};  // ways, runs, or bytes of steps
    PointPlace place_{};         // in the way that is being written
    std::int32_t last_row_{0};
    std::size_t cells_done_{0};  // of the runs or steps written
    std::size_t costs_done_{0};  // cells whose costs are written
    model::Cost last_cost_{0};
};

// The same for the state of a map.
class MapStateCursor {
  public:
    MapStateCursor(model::RequestId id, MapState state);
    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] const MapInfo& info() const { return state_.info; }

  private:
    friend class ReplyEncoder;
    model::RequestId id_;
    MapState state_;
    bool started_{false};
    bool done_{false};
    std::size_t row_{0};
    std::size_t obstacle_{0};
};

class ReplyEncoder {
  public:
    ReplyEncoder();
    ~ReplyEncoder();

    void welcome(model::RequestId id, const Welcome& welcome, Output& out);
    void refusal(model::RequestId id, const model::Refusal& refusal, Output& out);
    void goodbye(const model::Refusal& reason, Output& out);
    void edit(model::RequestId id, const model::EditReceipt& receipt, Output& out);
    void cancel(model::RequestId id, bool cancelled, Output& out);
    void pong(model::RequestId id, std::uint64_t payload, Output& out);
    void stats(model::RequestId id, const StatsReply& reply, Output& out);
    void list_maps(model::RequestId id, std::span<const MapInfo> maps, Output& out);
    void unwatch(model::RequestId id, Output& out);
    void add_class(model::RequestId id, const AddClassReply& reply, Output& out);
    void load_map(model::RequestId id, const LoadMapReply& reply, Output& out);
    void drop_map(model::RequestId id, model::MapId map, Output& out);
    // `id` is that of the request that asked to watch.
    void map_dropped(model::RequestId id, const MapDropped& dropped, Output& out);
    // The same.
    void map_edited(model::RequestId id, model::MapId map, model::Version version,
                    const model::EditBatch& batch, Output& out);
    void progress(model::RequestId id, std::span<const model::RequestId> unknown, Output& out);
    void first_leg(const model::LegPush& push, Output& out);
    // A last push that holds a refusal.
    void refused_push(const model::PathPush& push, Output& out);
    // Write the next part; need a cursor that is not done.
    void path_part(PathCursor& cursor, Output& out);
    void survey_part(SurveyCursor& cursor, Output& out);
    void map_state_part(MapStateCursor& cursor, Output& out);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace outrider::codec
