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
#include "outrider/model/survey.hpp"

namespace outrider::codec {

inline constexpr std::uint32_t kProtocolVersion = 1;
// Nobody waits longer for a path; keeps arrival time plus deadline far from overflow.
inline constexpr std::uint64_t kDeadlineUsMax = 3'600'000'000;
// For the log; longer names are refused.
inline constexpr std::size_t kClientNameBytesMax = 128;
inline constexpr std::size_t kTokenBytesMax = 1024;
// No system takes a longer path.
inline constexpr std::size_t kMapFileNameBytesMax = 4096;

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
    bool first_leg{false};
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

// Names as in PathRequest. `format` counts where paths come back.
struct SurveyRequest {
    model::MapId map;
    std::string map_name;
    std::string class_name;
    model::Survey survey;
    model::Priority priority{model::Priority::kNormal};
    std::uint64_t deadline_us{0};  // 0: none
    PathFormat format{PathFormat::kTurningPoints};
    friend bool operator==(const SurveyRequest&, const SurveyRequest&) = default;
};

// One of the two: a file below the server's data directory, or, where that is empty, what a map
// file holds.
struct LoadMapRequest {
    std::string name;
    std::string file;
    std::string content;
    bool replace{false};
    friend bool operator==(const LoadMapRequest&, const LoadMapRequest&) = default;
};

// The name counts where the id is 0.
struct DropMapRequest {
    model::MapId map;
    std::string map_name;
    friend bool operator==(const DropMapRequest&, const DropMapRequest&) = default;
};

struct ClientMessage {
    model::RequestId id;
    std::variant<Hello, PathRequest, EditRequest, CancelRequest, Ping, ListMapsRequest,
                 MapStateRequest, UnwatchRequest, AddClassRequest, StatsRequest, ProgressRequest,
                 SurveyRequest, LoadMapRequest, DropMapRequest>
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
    std::vector<model::MovementClass> classes;      // index = ClassId
    std::vector<model::LandmarkState> landmarks{};  // the same; empty: unknown
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
    // Of the smooth path; 0 without.
    std::uint64_t smooth_length{};
    model::Cost smooth_cost{};
    std::uint64_t smooth_hash{};
    friend bool operator==(const PathHead&, const PathHead&) = default;
};

// One part as it travels: `steps`, `smooth_steps` and the cells of `explored` are differences from
// the one before, across parts. assemble.hpp puts parts together.
struct PathPart {
    std::optional<PathHead> head;  // in the first part
    std::vector<model::Cell> steps;
    std::vector<model::Explored> explored;
    bool last{true};
    std::vector<model::Cell> smooth_steps{};  // in sub-cells
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

struct LoadMapReply {
    MapInfo info;
    model::MapId replaced;  // 0: none
};

struct DropMapReply {
    model::MapId map;
};

// Counters since the server started, over all its clients.
struct StatsReply {
    std::uint64_t submitted{}, answered{}, refused{}, joined{}, verdicts{};
    std::uint64_t cache_hits{}, cache_misses{}, cache_carried{}, cache_fallen{};
    std::uint64_t expansions{}, edits{};
    std::uint64_t surveys_submitted{}, surveys_answered{}, survey_parts{};
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

struct MapDropped {
    model::MapId map;
    model::MapId replaced_by;  // 0: none
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

struct FirstLeg {
    model::Version version{};
    model::FirstLeg leg;
    friend bool operator==(const FirstLeg&, const FirstLeg&) = default;
};

struct ProgressReply {
    std::vector<model::RequestId> unknown_follows;
};

// What stands in each part of a group's reply, and in the first of any other survey's.
struct SurveyHead {
    model::Outcome outcome{};
    model::Version version{};
    std::uint64_t expansions{};
    friend bool operator==(const SurveyHead&, const SurveyHead&) = default;
};

// What stands in the first piece of a way only. To one of many goals: outcome kComplete.
struct WayHead {
    model::Outcome outcome{model::Outcome::kComplete};
    model::Outcome reason{model::Outcome::kComplete};
    std::uint32_t bound_percent{100};
    model::Cost cost{};
    std::uint64_t path_hash{};
    friend bool operator==(const WayHead&, const WayHead&) = default;
};

// A unit's path, that to one of many goals, or a piece of one; `steps` are differences as in
// PathPart.
struct WayPart {
    std::uint32_t index{};  // of the unit or the goal
    std::optional<WayHead> head;
    std::vector<model::Cell> steps;
    bool more{false};  // goes on in the first way of the next part
};

struct GroupPart {
    std::vector<WayPart> ways;
};
struct NearestPart {
    std::vector<WayPart> ways;
};
struct ReachPart {
    model::Cost cost_max{};  // in the first part
    // `y` counts from the run before.
    std::vector<model::Run> runs;
    std::vector<std::int64_t> cost_deltas;
};
struct MatrixPart {
    std::vector<model::Cost> costs;
};
struct FieldPart {
    model::Rect rect;  // in the first part
    std::vector<std::uint8_t> steps;
    // One a cell that has a way.
    std::vector<std::int64_t> cost_deltas;
};

// One part as it travels; assemble.hpp puts parts together.
struct SurveyPart {
    std::optional<SurveyHead> head;
    bool last{true};
    // The bodies stand in the order of the questions of model::Survey, behind `none`.
    std::variant<std::monostate, GroupPart, NearestPart, ReachPart, MatrixPart, FieldPart,
                 model::Connection, model::Sight>
        body;
};

struct ServerMessage {
    model::RequestId id;
    std::variant<Welcome, PathPart, EditReply, CancelReply, Pong, ListMapsReply, MapStatePart,
                 UnwatchReply, AddClassReply, StatsReply, model::Refusal, Goodbye, MapEdited,
                 PathPushPart, ProgressReply, SurveyPart, FirstLeg, LoadMapReply, DropMapReply,
                 MapDropped>
        body;
};

// --- whole values that travel in parts

struct PathReply {
    PathHead head;
    // Turning points or cells, as the request's format asked. Empty when there is no path.
    std::vector<model::Cell> points;
    std::vector<model::Explored> explored;
    std::vector<model::Point> smooth{};
};

struct MapState {
    MapInfo info;
    std::vector<model::Terrain> terrain;  // row-major
    std::vector<model::PlaceObstacle> obstacles;
};

// Of a group: what one part brought, whole paths only. Where cells were asked for, every
// `turning_points` holds all cells.
struct SurveyReply {
    SurveyHead head;
    model::SurveyResult result;
    bool last{true};
};

}  // namespace outrider::codec
