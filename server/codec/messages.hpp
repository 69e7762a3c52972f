#pragma once
// What:     the messages of the protocol as plain values, one struct a message of
//           proto/outrider/v1, for both ends. Nothing here needs Protocol Buffers.
// Contract: what a decoder hands out is in range for its type; whether it fits a map is for the
//           engine to say.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "outrider/model/edit.hpp"
#include "outrider/model/follow.hpp"
#include "outrider/model/ids.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/request.hpp"

namespace outrider::codec {

inline constexpr std::uint32_t kProtocolVersion = 1;
// Nobody waits longer for a path; keeps arrival time plus deadline far from overflow.
inline constexpr std::uint64_t kDeadlineUsMax = 3'600'000'000;
// For the log; longer names are refused.
inline constexpr std::size_t kClientNameBytesMax = 128;
inline constexpr std::size_t kTokenBytesMax = 1024;

enum class PathFormat : std::uint8_t { kTurningPoints, kCells };

// --- what a client sends

struct Hello {
    std::uint32_t protocol_version{kProtocolVersion};
    std::string token;
    std::string client_name;
    friend bool operator==(const Hello&, const Hello&) = default;
};

// Names stand until net has looked them up; an empty name means that the id counts.
struct PathRequest {
    model::MapId map;
    std::string map_name;
    std::string class_name;
    model::PathQuery query;
    model::Priority priority{model::Priority::kNormal};
    std::uint64_t deadline_us{0};  // 0: none
    model::UnitId unit;
    PathFormat format{PathFormat::kTurningPoints};
    std::optional<model::FollowOptions> follow{};
    friend bool operator==(const PathRequest&, const PathRequest&) = default;
};

struct EditRequest {
    model::MapId map;
    model::EditBatch batch;
    friend bool operator==(const EditRequest&, const EditRequest&) = default;
};

struct CancelRequest {
    model::RequestId request;
    friend bool operator==(const CancelRequest&, const CancelRequest&) = default;
};

struct Ping {
    std::uint64_t payload{};
    friend bool operator==(const Ping&, const Ping&) = default;
};

struct ListMapsRequest {
    friend bool operator==(const ListMapsRequest&, const ListMapsRequest&) = default;
};

struct MapStateRequest {
    model::MapId map;
    bool watch{false};
    friend bool operator==(const MapStateRequest&, const MapStateRequest&) = default;
};

struct UnwatchRequest {
    model::MapId map;
    friend bool operator==(const UnwatchRequest&, const UnwatchRequest&) = default;
};

struct AddClassRequest {
    model::MapId map;
    model::MovementClass movement_class;
    friend bool operator==(const AddClassRequest&, const AddClassRequest&) = default;
};

struct StatsRequest {
    friend bool operator==(const StatsRequest&, const StatsRequest&) = default;
};

struct ProgressRequest {
    std::vector<model::Progress> units;
    friend bool operator==(const ProgressRequest&, const ProgressRequest&) = default;
};

struct ClientMessage {
    model::RequestId id;
    std::variant<Hello, PathRequest, EditRequest, CancelRequest, Ping, ListMapsRequest,
                 MapStateRequest, UnwatchRequest, AddClassRequest, StatsRequest, ProgressRequest>
        body;
    friend bool operator==(const ClientMessage&, const ClientMessage&) = default;
};

// --- what a server sends

struct Limits {
    std::uint32_t frame_bytes_max{};
    std::uint32_t requests_in_flight_max{};
    std::uint32_t edits_per_batch_max{};
    std::uint64_t expansions_max{};
    std::chrono::milliseconds idle_timeout{};
    std::uint32_t follows_max{};
    friend bool operator==(const Limits&, const Limits&) = default;
};

struct MapInfo {
    model::MapId id;
    std::string name;
    std::int32_t width{};
    std::int32_t height{};
    model::Version version{};
    std::vector<model::MovementClass> classes;  // index = ClassId
    friend bool operator==(const MapInfo&, const MapInfo&) = default;
};

struct Welcome {
    std::uint32_t protocol_version{kProtocolVersion};
    std::string server_name;
    Limits limits;
    std::vector<MapInfo> maps;
    friend bool operator==(const Welcome&, const Welcome&) = default;
};

// What stands in the first part of a path reply only.
struct PathHead {
    model::Outcome outcome{};
    model::Outcome reason{};
    model::Version version{};
    model::Cost cost{};
    double length_cells{};
    std::uint64_t expansions{};
    model::Algorithm algorithm{};
    std::uint32_t bound_percent{100};
    std::uint64_t path_hash{};
    friend bool operator==(const PathHead&, const PathHead&) = default;
};

// One part as it travels: `steps` and the cells of `explored` are differences from the one before,
// across parts. assemble.hpp puts parts together.
struct PathPart {
    std::optional<PathHead> head;  // in the first part
    std::vector<model::Cell> steps;
    std::vector<model::Explored> explored;
    bool last{true};
};

struct EditReply {
    model::Version version{};
    std::vector<model::ObstacleId> unknown_obstacles;
};

struct CancelReply {
    bool cancelled{};
};

struct Pong {
    std::uint64_t payload{};
};

struct ListMapsReply {
    std::vector<MapInfo> maps;
};

struct MapStatePart {
    std::optional<MapInfo> info;  // in the first part
    std::uint32_t first_row{};
    std::vector<model::Terrain> terrain;
    std::vector<model::PlaceObstacle> obstacles;
    bool last{true};
};

struct UnwatchReply {};

struct AddClassReply {
    model::ClassId id;
    model::Version version{};
};

// Counters since the server started, over all its clients.
struct StatsReply {
    std::uint64_t submitted{}, answered{}, refused{}, joined{}, verdicts{};
    std::uint64_t cache_hits{}, cache_misses{}, cache_carried{}, cache_fallen{};
    std::uint64_t expansions{}, edits{};
    friend bool operator==(const StatsReply&, const StatsReply&) = default;
};

struct Goodbye {
    model::Refusal reason;
};

struct MapEdited {
    model::MapId map;
    model::Version version{};
    model::EditBatch batch;
};

// What stands in the first part of a path push only.
struct PushHead {
    model::PushReason reason{};
    model::Cell start;
    // In place of a path; there is no other part then.
    std::optional<model::Refusal> refusal{};
};

struct PathPushPart {
    std::optional<PushHead> head;  // in the first part
    PathPart path;
};

struct ProgressReply {
    std::vector<model::RequestId> unknown_follows;
};

struct ServerMessage {
    model::RequestId id;
    std::variant<Welcome, PathPart, EditReply, CancelReply, Pong, ListMapsReply, MapStatePart,
                 UnwatchReply, AddClassReply, StatsReply, model::Refusal, Goodbye, MapEdited,
                 PathPushPart, ProgressReply>
        body;
};

// --- whole values that travel in parts

struct PathReply {
    PathHead head;
    // Turning points or cells, as the request's format asked. Empty when there is no path.
    std::vector<model::Cell> points;
    std::vector<model::Explored> explored;
};

struct MapState {
    MapInfo info;
    std::vector<model::Terrain> terrain;  // row-major
    std::vector<model::PlaceObstacle> obstacles;
};

}  // namespace outrider::codec
