#include "demo/march.hpp"

#include <algorithm>

#include "demo/muster.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/model/path.hpp"

namespace outrider::demo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr model::ClassId kClass{0};
// How long a march lasts on the map that comes with it; the length is divided by it.
constexpr std::uint32_t kTicksUsual = 220;
// By then even an army that was held up everywhere has arrived.
constexpr std::uint32_t kTicksMax = 2000;
// Buildings rise in this part of the march, and then fall one by one.
constexpr std::uint32_t kBuildFrom = 10;
constexpr std::uint32_t kBuildUntil = 150;
constexpr std::uint32_t kBuildEvery = 4;
// Into a pipe goes one frame in so many ticks.
constexpr std::uint32_t kPlainFrameEvery = 50;
constexpr std::chrono::seconds kMirrorPatience{5};
// Ids that a game's own obstacles hardly use: "march" in ASCII.
constexpr std::uint64_t kFirstObstacleId = 0x6D61726368000000;

// The answers of one round, filled by callbacks.
struct Round {
    struct Entry {
        client::Result<client::PathAnswer> answer;
        double elapsed_ms{};
    };

    base::Mutex mutex;
    base::Condition all_there;
    std::vector<std::optional<Entry>> entries OUTRIDER_GUARDED_BY(mutex);
    std::size_t missing OUTRIDER_GUARDED_BY(mutex){0};

    void put(std::size_t index, Entry entry) {
        const base::Lock lock(mutex);
        entries[index] = std::move(entry);
        if (--missing == 0) {
            all_there.notify_all();
        }
    }
    // Every call ends: the client fails those whose connection is lost.
    std::vector<std::optional<Entry>> wait() {
        const base::Lock lock(mutex);
        while (missing > 0) {
            all_there.wait(mutex);
        }
        return std::move(entries);
    }
};

}  // namespace

March::March(client::Client& client, std::shared_ptr<client::MapMirror> mirror,
             const MarchOptions& options)
    : client_(client),
      mirror_(std::move(mirror)),
      options_(options),
      army_(muster(*mirror_->snapshot()->layer(kClass), options.units, options.seed)),
      builder_(options.seed, kFirstObstacleId) {}

client::Result<Ending> March::run(Screen& screen) {
    const auto tick_length = options_.length / kTicksUsual;
    if (auto planned = plan(false); !planned) {
        return std::unexpected(std::move(planned.error()));
    }
    bool stopped = false;
    while (!over() && !stopped) {
        ++tick_;
        army_.step(tick_);
        if (auto built = build_or_demolish(); !built) {
            return std::unexpected(std::move(built.error()));
        }
        if (screen.animated() || tick_ % kPlainFrameEvery == 1) {
            show(screen);
        }
        stopped = !screen.pause(tick_length);
    }
    if (auto restored = edit(builder_.demolish_all()); !restored) {
        return std::unexpected(std::move(restored.error()));
    }
    show(screen);
    if (stopped) {
        return Ending::kStopped;
    }
    return army_.all_arrived() ? Ending::kAllArrived : Ending::kSomeStuck;
}

// With no building left, who is stuck stays stuck.
bool March::over() const {
    const bool moving = std::ranges::any_of(army_.units(), [](const Unit& unit) {
        return unit.state == UnitState::kMarching || unit.state == UnitState::kWantsPath;
    });
    return tick_ >= kTicksMax || army_.all_arrived() || (!moving && builder_.standing() == 0);
}

client::Result<void> March::build_or_demolish() {
    if (tick_ < kBuildFrom || tick_ % kBuildEvery != 0) {
        return {};
    }
    const auto snapshot = mirror_->snapshot();
    model::EditBatch batch = tick_ < kBuildUntil ? builder_.build(*snapshot->layer(kClass), army_)
                                                 : builder_.demolish_oldest();
    if (batch.edits.empty()) {
        return {};
    }
    if (auto edited = edit(std::move(batch)); !edited) {
        return edited;
    }
    return plan(true);
}

client::Result<void> March::edit(model::EditBatch batch) {
    if (batch.edits.empty()) {
        return {};
    }
    const auto reply = client_.edit(mirror_->info().id, std::move(batch));
    if (!reply) {
        return std::unexpected(reply.error());
    }
    ++tally_.edits;
    if (!mirror_->wait_for(reply->version, kMirrorPatience)) {
        return std::unexpected(mirror_->failure().value_or(client::Failure{
            client::FailureKind::kTimeout, "the edit was not pushed to the mirror", {}}));
    }
    return {};
}

client::Result<void> March::plan(bool retry_stuck) {
    const auto snapshot = mirror_->snapshot();
    const std::vector<std::size_t> wanting =
        army_.find_wanting(*snapshot->layer(kClass), retry_stuck);
    if (wanting.empty()) {
        return {};
    }
    const auto round = std::make_shared<Round>();
    {
        const base::Lock lock(round->mutex);
        round->entries.resize(wanting.size());
        round->missing = wanting.size();
    }
    std::vector<client::PathCall> calls;
    const auto begin = Clock::now();
    for (std::size_t index = 0; index < wanting.size(); ++index) {
        const Unit& unit = army_.units()[wanting[index]];
        client::PathCall call;
        call.request.map = mirror_->info().id;
        call.request.query.movement_class = kClass;
        call.request.query.start = unit.at;
        call.request.query.goal = {{unit.goal.x, unit.goal.y, 1, 1}, 0};
        call.request.unit = {wanting[index] + 1};
        call.done = [round, index, begin](client::Result<client::PathAnswer> answer) {
            const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
            round->put(index, {std::move(answer), elapsed.count()});
        };
        calls.push_back(std::move(call));
    }
    client_.paths(std::move(calls));
    const auto entries = round->wait();
    tally_.last_ms = 0.0;
    for (std::size_t index = 0; index < wanting.size(); ++index) {
        const Round::Entry& entry = *entries[index];
        if (!entry.answer) {
            return std::unexpected(entry.answer.error());
        }
        ++tally_.requests;
        tally_.replans += army_.units()[wanting[index]].has_marched ? 1U : 0U;
        tally_.last_ms = std::max(tally_.last_ms, entry.elapsed_ms);
        answer_ms_.add(entry.elapsed_ms);
        const std::vector<model::Cell> cells =
            entry.answer->arrived() ? model::cells_of(entry.answer->result.turning_points)
                                    : std::vector<model::Cell>{};
        army_.give_path(wanting[index], cells, tick_);
    }
    return {};
}

void March::show(Screen& screen) {
    tally_.version = mirror_->version();
    tally_.buildings = builder_.standing();
    tally_.p50_ms = answer_ms_.percentile(0.5);
    tally_.p99_ms = answer_ms_.percentile(0.99);
    screen.show(frame(*mirror_->snapshot(), army_, tally_, tick_, options_.terminal));
}

}  // namespace outrider::demo
