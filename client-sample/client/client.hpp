#pragma once
// What:     one connection to an Outrider server: asynchronous calls with callbacks, and the same
//           calls blocking.
// Contract: every call ends exactly once: with an answer, a refusal, or a failure that says why
//           (a connection that closes fails all its open calls at once). Nothing reconnects by
//           itself: make a new Client when you see kClosed, after what pause you like. An answer
//           counts as an arrival only where PathAnswer::arrived() says so. A quiet connection
//           pings by itself, well before the server would close it as idle.
// Threads:  every function from any thread. Callbacks run on the I/O thread, one at a time; a
//           callback may make further asynchronous calls, must not block, must not throw, and must
//           not destroy the Client. A call that cannot be sent runs its callback at once, on the
//           caller's thread. After the destructor no callback runs.
// Cost:     calls made while a write is under way travel together in the next write; paths() puts
//           any number into one. Unsent bytes are bounded by Options::unsent_bytes_max.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "outrider/client/failure.hpp"
#include "outrider/client/io_thread.hpp"
#include "outrider/client/tls.hpp"
#include "outrider/codec/messages.hpp"

namespace outrider::client {

struct Options {
    std::string host{"127.0.0.1"};
    std::string port{"7600"};
    std::string token;
    std::string client_name{"outrider-client"};
    // Nothing: bytes go over the network in the clear, the token too.
    std::optional<TlsOptions> tls;
    // For name look-up, TCP, TLS and hello together.
    std::chrono::milliseconds connect_timeout{5000};
    // For blocking calls.
    std::chrono::milliseconds call_timeout{30000};
    // A server that does not read makes calls fail with kBusy past this.
    std::size_t unsent_bytes_max{64U << 20U};
};

struct PathAnswer {
    model::Version version{};
    // turning_points is empty when cells were asked for.
    model::PathResult result;
    // With PathFormat::kCells.
    std::vector<model::Cell> cells;

    // The path ends at the goal. A partial path does not, and a unit that treats it as an arrival
    // waits for ever.
    [[nodiscard]] bool arrived() const { return result.outcome == model::Outcome::kComplete; }
};

// A new path for a followed unit; it takes the place of everything before it.
struct PathPush {
    model::RequestId id;  // as path() gave it
    model::PushReason reason{};
    // Where the server believed the unit to be. A unit that has walked on and stands on a later
    // cell of the path goes on from there; one that does not stand on it reports its place, and
    // gets a path from there.
    model::Cell start;
    PathAnswer answer;
    // With kEnded, where the server follows no longer for a reason of its own.
    std::optional<Failure> failure;

    [[nodiscard]] bool ended() const { return reason == model::PushReason::kEnded; }
};

// Who hears of a path that is kept alive. Begins with an answer other than DEADLINE, CANCELLED and
// SUPERSEDED, and ends with exactly one push that has ended(), or on_end.
struct Follow {
    std::function<void(const PathPush&)> on_push;
    // The connection closed; no push comes any more.
    std::function<void(const Failure&)> on_end;
};

// Where a path begins whose search takes long.
struct FirstLeg {
    model::RequestId id;
    model::Version version{};
    model::FirstLeg leg;
};
using OnLeg = std::function<void(const FirstLeg&)>;

struct PathCall {
    codec::PathRequest request;
    Callback<PathAnswer> done;
    // With request.follow: where pushes go.
    std::optional<Follow> follow{};
    // With request.first_leg: comes at most once, before `done`, and never after it.
    OnLeg on_leg{};
};

struct SurveyAnswer {
    model::Version version{};
    // Where cells were asked for, every `turning_points` holds all cells. Of a group: all units, in
    // the order in which their paths came; none where SurveyCall::on_part had them.
    model::SurveyResult result;
};

// The units of a group that are ready; the others come later.
struct GroupArrival {
    model::RequestId id;
    model::Version version{};
    // Settled by the search so far.
    std::uint64_t expansions{};
    std::vector<model::UnitPath> units;
};

struct SurveyCall {
    codec::SurveyRequest request;
    Callback<SurveyAnswer> done;
    // Only a group has parts. Comes before `done`, and never after it.
    std::function<void(GroupArrival)> on_part{};
};

struct Followed {
    model::RequestId id;  // for report() and cancel()
    PathAnswer answer;
};

// Forgotten when the server refuses it: the call's own callback says so.
struct Watch {
    std::function<void(const codec::MapEdited&)> on_edit;
    // The connection closed; no push comes any more.
    std::function<void(const Failure&)> on_end;
    // The map was dropped: the watch is over, on_end does not come.
    std::function<void(const codec::MapDropped&)> on_dropped{};
};

struct Counters {
    std::uint64_t sent{};
    std::uint64_t answered{};
    // Replies to no open call: a fault of the server, which tests look for.
    std::uint64_t unexpected{};
    std::uint64_t writes{};
};

class Client {
  public:
    // Blocks until the server's welcome, its refusal or the timeout.
    [[nodiscard]] static Result<std::unique_ptr<Client>> connect(
        const Options& options, std::shared_ptr<IoThread> io = nullptr);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Limits, maps and classes as they were when the connection began: list_maps() tells the maps
    // of now.
    [[nodiscard]] const codec::Welcome& welcome() const;
    [[nodiscard]] const codec::MapInfo* find_map(std::string_view name) const;
    [[nodiscard]] bool open() const;
    [[nodiscard]] Counters counters() const;
    // Fails every open call with kClosed.
    void close();

    // --- asynchronous; the id is for cancel()
    model::RequestId path(codec::PathRequest request, Callback<PathAnswer> done);
    // All in one write. Ids are consecutive; the first is returned.
    model::RequestId paths(std::vector<PathCall> calls);
    // Keeps the unit's path alive; request.follow says how.
    model::RequestId follow(codec::PathRequest request, Follow follow, Callback<PathAnswer> done);
    // A group's units, the cheapest of many goals, a reach, costs, a field: see model/survey.hpp.
    model::RequestId survey(SurveyCall call);
    // Where followed units stand now, by the ids that follow() or paths() gave.
    void report(std::vector<model::Progress> units, Callback<codec::ProgressReply> done);
    void edit(model::MapId map, model::EditBatch batch, Callback<codec::EditReply> done);
    void cancel(model::RequestId request, Callback<codec::CancelReply> done);
    void ping(std::uint64_t payload, Callback<codec::Pong> done);
    void stats(Callback<codec::StatsReply> done);
    void list_maps(Callback<codec::ListMapsReply> done);
    void map_state(model::MapId map, Callback<codec::MapState> done);
    void watch(model::MapId map, Watch watch, Callback<codec::MapState> done);
    void unwatch(model::MapId map, Callback<codec::UnwatchReply> done);
    void add_class(model::MapId map, model::MovementClass movement_class,
                   Callback<codec::AddClassReply> done);
    // Both need the role of an admin.
    void load_map(codec::LoadMapRequest request, Callback<codec::LoadMapReply> done);
    void drop_map(codec::DropMapRequest request, Callback<codec::DropMapReply> done);

    // --- blocking; never from a callback
    // `on_leg` as in PathCall.
    [[nodiscard]] Result<PathAnswer> path(codec::PathRequest request, OnLeg on_leg = {});
    [[nodiscard]] Result<Followed> follow(codec::PathRequest request, Follow follow);
    // `on_part` as in SurveyCall.
    [[nodiscard]] Result<SurveyAnswer> survey(codec::SurveyRequest request,
                                              std::function<void(GroupArrival)> on_part = {});
    [[nodiscard]] Result<codec::ProgressReply> report(std::vector<model::Progress> units);
    [[nodiscard]] Result<codec::EditReply> edit(model::MapId map, model::EditBatch batch);
    [[nodiscard]] Result<codec::CancelReply> cancel(model::RequestId request);
    [[nodiscard]] Result<codec::Pong> ping(std::uint64_t payload);
    [[nodiscard]] Result<codec::StatsReply> stats();
    [[nodiscard]] Result<codec::ListMapsReply> list_maps();
    [[nodiscard]] Result<codec::MapState> map_state(model::MapId map);
    [[nodiscard]] Result<codec::MapState> watch(model::MapId map, Watch watch);
    [[nodiscard]] Result<codec::UnwatchReply> unwatch(model::MapId map);
    [[nodiscard]] Result<codec::AddClassReply> add_class(model::MapId map,
                                                         model::MovementClass movement_class);
    [[nodiscard]] Result<codec::LoadMapReply> load_map(codec::LoadMapRequest request);
    [[nodiscard]] Result<codec::DropMapReply> drop_map(codec::DropMapRequest request);

  private:
    class Connection;
    Client(Options options, std::shared_ptr<IoThread> io);

    Options options_;
    std::shared_ptr<IoThread> io_;
    std::shared_ptr<Connection> connection_;
    codec::Welcome welcome_;
};

}  // namespace outrider::client
