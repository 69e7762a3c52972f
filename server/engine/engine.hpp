#pragma once
// What:     the door for in-process use: maps, clients, path requests, surveys, edits. A game
//           server links this; the network server is one more caller.
// Contract: each submitted request gets exactly one on_reply, or one on_survey that is the last,
//           through cancel, supersede, overload, edits, dropped maps and drain; a follow that began
//           gets exactly one on_push that says kEnded. Only disconnect ends a client's requests and
//           follows without. Replies are the same bytes whatever the number of workers, the slice
//           size or the cache. An edit that has returned is seen by every request submitted
//           afterwards. What one client is sent keeps its order: nothing of a superseded order
//           comes after the end of it. Without memory (std::bad_alloc) an edit, a class, a map, a
//           client or a watch has not been made, and a submitted request has perhaps been taken, as
//           its reply tells; disconnect and drop_map wait for memory (decisions/0048).
// Threads:  every function from any thread. on_reply, on_survey, on_leg, on_push and on_slow come
//           from a worker, from run_for()'s caller, or from inside submit(), cancel(), report(),
//           edit(), add_class(), load_map(), drop_map(), begin_drain() and the destructor; on_edit
//           and on_map_dropped from inside edit(), add_class(), load_map(), drop_map() and watch(),
//           from run_for()'s caller or from the thread that builds landmarks, which also pushes. No
//           lock is held during a call to a sink, so that it may call back; replies and pushes to
//           one client come one at a time, so that what a call back answers at once comes after it
//           has returned. on_edit and on_map_dropped, and on_slow, may come at the same time.
// Cost:     submit is bounded: validation, verdict, cache look-up, queue.

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/base/clock.hpp"
#include "outrider/base/result.hpp"
#include "outrider/engine/config.hpp"
#include "outrider/engine/memory.hpp"
#include "outrider/engine/metrics.hpp"
#include "outrider/map/store.hpp"
#include "outrider/model/edit.hpp"
#include "outrider/model/follow.hpp"
#include "outrider/model/request.hpp"

namespace outrider::engine {

// Where a client's replies go. Must not block and must not throw.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void on_reply(model::PathReply reply) = 0;
    // What made one version of a watched map, in version order without gaps: a batch, a new
    // movement class (`added_class`), or landmarks that became ready (`landmarks_of`).
    virtual void on_edit(model::MapId map, model::Version version,
                         std::shared_ptr<const model::EditBatch> batch) = 0;
    // To a survey. Parts of a group come as soon as they stand, all of one version, in the order of
    // the search, and none after the last.
    virtual void on_survey(model::SurveyReply /*reply*/) {}
    // Where a path begins that was asked for with `first_leg` and takes long. Comes before the
    // reply, at most once.
    virtual void on_leg(model::LegPush /*leg*/) {}
    // To a path that is kept alive; see model/follow.hpp. Comes after the first reply.
    virtual void on_push(model::PathPush /*push*/) {}
    // A watched map was dropped: nothing comes of it any more. `successor` has taken its place
    // under its name; 0: none.
    virtual void on_map_dropped(model::MapId /*map*/, model::MapId /*successor*/) {}
    // A request took Config::slow_request or longer; before its answer.
    virtual void on_slow(const SlowRequest& /*request*/) {}
};

// A map to be served under a name of its own.
struct NewMap {
    std::string name;
    map::Grid grid;
    std::vector<model::MovementClass> classes;
    // Where a map has that name already, take its place, whole and at once, and drop it; else such
    // a name is refused.
    bool replace{false};
};

struct LoadedMap {
    model::MapId id;
    model::MapId replaced;  // 0: none
};

using model::LandmarkState;

struct MapInfo {
    model::MapId id;
    std::string name;
    std::int32_t width{};
    std::int32_t height{};
    model::Version version{};
    std::vector<model::MovementClass> classes;  // index = ClassId
    std::vector<LandmarkState> landmarks;       // the same
};

// Counters since the start, and gauges of now.
struct Stats {
    std::uint64_t submitted{}, answered{}, refused{}, cancelled{}, superseded{}, deadlines{};
    std::uint64_t dropped_by_disconnect{}, joined{}, verdicts{}, cache_hits{}, cache_misses{};
    // Hits on answers that an older version gave; answers that an edit ended.
    std::uint64_t cache_carried{}, cache_fallen{}, cache_evictions{};
    // Paths to where none leads that were answered without a search: by the regions or from the
    // cache.
    std::uint64_t negative_cache_hits{};
    std::uint64_t expansions{}, slices{}, edits{}, restarts{}, replans{}, pushes{};
    std::uint64_t first_legs{};
    std::size_t queued{}, running{}, suspended{}, clients{}, cache_bytes{}, buffer_bytes{};
    std::size_t follows{}, follow_bytes{};
    std::size_t landmark_bytes{};
    // As maps were loaded, until nobody holds them any more.
    std::size_t map_bytes{};
    // Surveys are counted above too; parts are answers that were not the last.
    std::uint64_t surveys_submitted{}, surveys_answered{}, survey_parts{};
    // Those in flight as they were asked; answers that somebody still holds.
    std::size_t survey_bytes{}, survey_result_bytes{};
    // Snapshots without an obstacle that a request ignores; each is a live job's.
    std::size_t views{};
    // Refused because they would have waited too long.
    std::uint64_t shed{};
};

class Engine {
  public:
    // The clock must outlive the engine.
    [[nodiscard]] static base::Result<std::unique_ptr<Engine>> create(const Config& config,
                                                                      const base::Clock& clock);
    // Stops without draining: open requests are answered with kShuttingDown.
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // --- maps
    [[nodiscard]] base::Result<model::MapId> add_map(std::string name, map::Grid grid,
                                                     std::vector<model::MovementClass> classes);
    // The same for callers that want the refusal, with a map's replacement. Takes as long as the
    // map is large; everything else goes on meanwhile. An id is never given to another map.
    [[nodiscard]] std::expected<LoadedMap, model::Refusal> load_map(NewMap map);
    // What would refuse a map of that name whatever it holds; for who has not read it yet.
    [[nodiscard]] std::optional<model::Refusal> refusal_of_load(std::string_view name,
                                                                bool replace) const;
    // From now on nobody finds the map. Its requests that wait or run end with one last reply each,
    // kUnknownMap or what they had come to; its follows with one last push; its watchers hear
    // on_map_dropped. Its memory is given back when the last that works on it lets go: slices that
    // run, and snapshots that callers hold.
    [[nodiscard]] std::expected<void, model::Refusal> drop_map(model::MapId map);
    // Rises with each map that comes or goes: names and ids that were looked up before may be
    // others now.
    [[nodiscard]] std::uint64_t map_changes() const;
    [[nodiscard]] std::optional<model::MapId> find_map(std::string_view name) const;
    [[nodiscard]] std::vector<MapInfo> maps() const;
    [[nodiscard]] std::expected<MapInfo, model::Refusal> map_info(model::MapId map) const;
    [[nodiscard]] std::expected<std::pair<model::ClassId, model::Version>, model::Refusal>
    add_class(model::MapId map, model::MovementClass movement_class);
    [[nodiscard]] std::expected<model::EditReceipt, model::Refusal> edit(model::MapId map,
                                                                         model::EditBatch batch);
    [[nodiscard]] std::expected<map::State, model::Refusal> map_state(model::MapId map) const;
    [[nodiscard]] std::shared_ptr<const map::Snapshot> snapshot(model::MapId map) const;

    // --- clients
    // Refuses with kOverloaded beyond clients_max, with kShuttingDown while draining.
    [[nodiscard]] std::expected<model::ClientId, model::Refusal> connect(
        std::shared_ptr<Sink> sink);
    // Drops the client's requests and watches. A reply under way may still arrive.
    void disconnect(model::ClientId client);
    void submit(model::ClientId client, model::PathRequest request);
    // Ids are shared with path requests.
    void submit(model::ClientId client, model::SurveyRequest request);
    // True when the request was waiting or running; its reply is then kCancelled. Or when it is a
    // follow that lives; its last push is then kCancelled. Harmless otherwise.
    bool cancel(model::ClientId client, model::RequestId request);
    // Where followed units are now: an edit behind them matters no more, replans start from there,
    // and a follow whose unit stands at its goal ends. Ids of no living follow, and those whose
    // cell lies outside the map, come back.
    std::vector<model::RequestId> report(model::ClientId client,
                                         std::span<const model::Progress> reports);
    // The state to start from; every later batch is pushed.
    [[nodiscard]] std::expected<map::State, model::Refusal> watch(model::ClientId client,
                                                                  model::MapId map);
    void unwatch(model::ClientId client, model::MapId map);

    // --- work without threads (workers = 0)
    // Works for about `budget` or until nothing is left; true when requests remain. What is left
    // of the budget goes into landmarks, which do not count as work that remains.
    bool run_for(std::chrono::microseconds budget);

    // --- the end
    // New requests are refused with kShuttingDown; those accepted are answered.
    void begin_drain();
    [[nodiscard]] bool drained() const;
    // False when `limit` passed first.
    [[nodiscard]] bool wait_drained(std::chrono::milliseconds limit);

    [[nodiscard]] Stats stats() const;
    [[nodiscard]] Metrics metrics() const;
    // By parts. Whoever carries replies away notes there what waits with it (kNetwork).
    [[nodiscard]] MemoryLedger& memory() const;

  private:
    class Impl;
    explicit Engine(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace outrider::engine
