#include "demo/march.hpp"

#include <algorithm>
#include <numeric>

#include "demo/muster.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/model/path.hpp"

namespace outrider::demo {
namespace {

using Clock = std::chrono::steady_clock;

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

client::Failure no_push() {
    return {client::FailureKind::kTimeout, "no new path was pushed to a followed unit", {}};
}

std::vector<model::Cell> cells_of(const client::PathAnswer& answer) {
    return answer.arrived() ? model::cells_of(answer.result.turning_points)
                            : std::vector<model::Cell>{};
}

}  // namespace

March::March(client::Client& client, std::shared_ptr<client::MapMirror> mirror,
             const MarchOptions& options)
    : client_(client),
      mirror_(std::move(mirror)),
      options_(options),
      army_(*mirror_->snapshot(),
            muster(*mirror_->snapshot()->layer(kClass), options.units, options.seed)),
      builder_(options.seed, kFirstObstacleId),
      feed_(army_.units().size()),
      seen_off_(army_.units().size()) {}

client::Result<Ending> March::run(Screen& screen) {
    const auto tick_length = options_.length / kTicksUsual;
    std::vector<std::size_t> wanting(army_.units().size());
    std::iota(wanting.begin(), wanting.end(), std::size_t{0});
    bool stopped = false;
    while (!over() && !stopped) {
        if (auto ordered = order(wanting); !ordered) {
            return std::unexpected(std::move(ordered.error()));
        }
        ++tick_;
        wanting = army_.step(*mirror_->snapshot());
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
    const bool moving = std::ranges::any_of(army_.units(), [](const units::Unit& unit) {
        return unit.moves() || unit.state == units::State::kAwaiting;
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
    if (auto reported = report(); !reported) {
        return reported;
    }
    if (auto edited = edit(std::move(batch)); !edited) {
        return edited;
    }
    return take_pushes();
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

client::Result<void> March::report() {
    std::vector<model::Progress> places;
    std::vector<std::size_t> strayed;
    for (std::size_t index = 0; index < army_.units().size(); ++index) {
        const units::Unit& unit = army_.units()[index];
        if (feed_.id_of(index) == model::RequestId{} || seen_off_[index] ||
            unit.state == units::State::kStranded) {
            continue;
        }
        places.push_back({feed_.id_of(index), unit.at});
        seen_off_[index] = unit.at == unit.goal;
        if (!army_.report(index) && !seen_off_[index]) {
            strayed.push_back(index);
        }
    }
    if (auto reported = client_.report(std::move(places)); !reported) {
        return std::unexpected(std::move(reported.error()));
    }
    for (const std::size_t index : strayed) {
        const auto push = feed_.wait_for_start(index, army_.units()[index].at, mirror_->version(),
                                               kMirrorPatience);
        if (!push) {
            return std::unexpected(no_push());
        }
        army_.tell(index, cells_of(push->answer));
    }
    return {};
}

client::Result<void> March::order(const std::vector<std::size_t>& units) {
    if (units.empty()) {
        return {};
    }
    tally_.last_ms = 0.0;
    const auto round = std::make_shared<Round>();
    {
        const base::Lock lock(round->mutex);
        round->entries.resize(units.size());
        round->missing = units.size();
    }
    std::vector<client::PathCall> calls;
    const auto begin = Clock::now();
    for (const std::size_t index : units) {
        army_.order(index);
    }
    for (std::size_t index = 0; index < units.size(); ++index) {
        const units::Unit& unit = army_.units()[units[index]];
        client::PathCall call;
        call.request.map = mirror_->info().id;
        call.request.query.movement_class = kClass;
        call.request.query.start = unit.at;
        call.request.query.goal = {{unit.goal.x, unit.goal.y, 1, 1}, 0};
        call.request.unit = {units[index] + 1};
        call.request.follow.emplace();
        call.follow = feed_.follow(units[index]);
        call.done = [round, index, begin](client::Result<client::PathAnswer> answer) {
            const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
            round->put(index, {std::move(answer), elapsed.count()});
        };
        calls.push_back(std::move(call));
    }
    const model::RequestId first = client_.paths(std::move(calls));
    const auto entries = round->wait();
    for (std::size_t index = 0; index < units.size(); ++index) {
        const Round::Entry& entry = *entries[index];
        if (!entry.answer) {
            return std::unexpected(entry.answer.error());
        }
        feed_.began(units[index], {first.value + index});
        note_answer(entry.elapsed_ms);
        army_.tell(units[index], cells_of(*entry.answer));
    }
    return {};
}

client::Result<void> March::take_pushes() {
    const auto begin = Clock::now();
    const auto snapshot = mirror_->snapshot();
    tally_.last_ms = 0.0;
    for (const std::size_t index : army_.find_untold(*snapshot)) {
        const units::Unit& unit = army_.units()[index];
        if (!can_arrive(unit)) {
            army_.tell_anew(index, {});
            continue;
        }
        const auto push = feed_.wait_for(index, snapshot->version(), kMirrorPatience);
        if (!push) {
            return std::unexpected(no_push());
        }
        const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
        tally_.replans += army_.has_marched(index) ? 1U : 0U;
        note_answer(elapsed.count());
        army_.tell_anew(index, cells_of(push->answer));
    }
    army_.stop_the_broken(*snapshot);
    return {};
}

bool March::can_arrive(const units::Unit& unit) const {
    const map::Regions& regions = mirror_->snapshot()->layer(kClass)->regions();
    const map::Component component = regions.component(unit.at);
    return component != map::kNoComponent && component == regions.component(unit.goal);
}

void March::note_answer(double elapsed_ms) {
    ++tally_.requests;
    tally_.last_ms = std::max(tally_.last_ms, elapsed_ms);
    answer_ms_.add(elapsed_ms);
}

void March::show(Screen& screen) {
    tally_.version = mirror_->version();
    tally_.buildings = builder_.standing();
    tally_.p50_ms = answer_ms_.percentile(0.5);
    tally_.p99_ms = answer_ms_.percentile(0.99);
    screen.show(frame(*mirror_->snapshot(), army_, tally_, tick_, options_.terminal));
}

}  // namespace outrider::demo
