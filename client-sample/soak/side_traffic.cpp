#include "soak/side_traffic.hpp"

#include <cstdio>
#include <optional>
#include <utility>

#include "soak/questions.hpp"
#include "soak/replica.hpp"

namespace outrider::soak {
namespace {

// Steps of one connection, before another takes its place.
constexpr int kStepsPerSeat = 64;
constexpr double kCancelShare = 0.15;
constexpr double kLeaveShare = 0.05;
constexpr std::size_t kCancelled = 8;
constexpr std::size_t kLeftOpen = 16;
// After a failure, such as a server that is not there for a moment.
constexpr std::chrono::milliseconds kFailurePause{500};

// How many answers are still to come, for callbacks that may outlive who waits.
class Latch {
  public:
    explicit Latch(std::size_t open) : open_(open) {}
    void count_down() {
        const base::Lock lock(mutex_);
        --open_;
        closed_.notify_all();
    }
    // What is still open when `limit` has passed.
    [[nodiscard]] std::size_t wait(std::chrono::nanoseconds limit) {
        const auto end = std::chrono::steady_clock::now() + limit;
        const base::Lock lock(mutex_);
        while (open_ > 0 && std::chrono::steady_clock::now() < end) {
            closed_.wait_for(mutex_, end - std::chrono::steady_clock::now());
        }
        return open_;
    }

  private:
    base::Mutex mutex_;
    base::Condition closed_;
    std::size_t open_ OUTRIDER_GUARDED_BY(mutex_);
};

bool is_overload(const client::Failure& failure) {
    return failure.refusal && failure.refusal->code == model::RefusalCode::kOverloaded;
}

}  // namespace

// One connection, and what it knows of the map.
struct SideTraffic::Seat {
    std::unique_ptr<client::Client> client;
    cli::Place place;
    std::unique_ptr<Replica> replica;
    Questions questions;
    load::Dice dice;
};

SideTraffic::SideTraffic(SideOptions options)
    : options_(std::move(options)), thread_([this] { run(); }) {}

SideTraffic::~SideTraffic() {
    if (thread_.joinable()) {
        stop();
    }
}

SideCounts SideTraffic::stop() {
    {
        const base::Lock lock(mutex_);
        stopped_ = true;
        wake_.notify_all();
    }
    thread_.join();
    return counts_;
}

bool SideTraffic::goes_on(std::chrono::milliseconds pause) {
    const base::Lock lock(mutex_);
    if (!stopped_) {
        wake_.wait_for(mutex_, pause);
    }
    return !stopped_;
}

void SideTraffic::note_failure(const client::Failure& failure) {
    ++counts_.failed;
    std::fprintf(stderr, "outrider: side traffic: %s\n", failure.message.c_str());
}

void SideTraffic::run() {
    for (std::uint64_t round = 0; goes_on(options_.pause); ++round) {
        auto client = cli::connect_to(options_.server);
        if (!client) {
            note_failure(client.error());
            (void)goes_on(kFailurePause);
            continue;
        }
        ++counts_.connections;
        auto place = cli::find_place(**client, options_.map, "");
        auto replica = place
                           ? Replica::start(**client, place->map.id)
                           : std::unexpected(client::Failure{client::FailureKind::kRefused,
                                                             place.error().message, std::nullopt});
        if (!replica) {
            note_failure(replica.error());
            (void)goes_on(kFailurePause);
            continue;
        }
        const std::uint64_t seed = options_.seed + round;
        Questions questions(*(*replica)->newest()->layer(place->movement_class), seed);
        Seat seat{*std::move(client), *std::move(place), *std::move(replica), std::move(questions),
                  load::Dice(seed)};
        for (int i = 0; i < kStepsPerSeat && goes_on(options_.pause); ++i) {
            step(seat);
        }
    }
}

void SideTraffic::step(Seat& seat) {
    if (seat.dice.chance(kCancelShare)) {
        cancel_some(seat);
    } else if (seat.dice.chance(kLeaveShare)) {
        leave_amid(seat);
    } else {
        ask(seat);
    }
}

void SideTraffic::ask(Seat& seat) {
    codec::SurveyRequest request;
    request.map = seat.place.map.id;
    request.survey = seat.questions.next();
    request.survey.movement_class = seat.place.movement_class;
    ++counts_.surveys;
    auto answer = seat.client->survey(request);
    if (!answer) {
        if (is_overload(answer.error())) {
            ++counts_.refused;
        } else {
            note_failure(answer.error());
        }
        return;
    }
    const auto snapshot = seat.replica->at(answer->version);
    if (!snapshot) {
        ++counts_.wrong;
        std::fprintf(stderr, "outrider: wrong: a survey names version %llu, which never came\n",
                     static_cast<unsigned long long>(answer->version));
        return;
    }
    ++counts_.checked;
    if (const auto fault = fault_of(*snapshot->layer(seat.place.movement_class), request.survey,
                                    std::move(answer->result))) {
        ++counts_.wrong;
        std::fprintf(stderr, "outrider: wrong: version %llu, %s\n",
                     static_cast<unsigned long long>(answer->version), fault->c_str());
    }
}

void SideTraffic::cancel_some(Seat& seat) {
    // Each of the cancelled, and each cancel, has one reply.
    const auto latch = std::make_shared<Latch>(2 * kCancelled);
    std::vector<client::PathCall> calls(kCancelled);
    for (client::PathCall& call : calls) {
        call.request.map = seat.place.map.id;
        call.request.query = seat.questions.long_way();
        call.request.query.movement_class = seat.place.movement_class;
        call.done = [latch](const auto&) { latch->count_down(); };
    }
    const model::RequestId first = seat.client->paths(std::move(calls));
    for (std::uint64_t i = 0; i < kCancelled; ++i) {
        seat.client->cancel({first.value + i}, [latch](const auto&) { latch->count_down(); });
    }
    counts_.cancels += kCancelled;
    const std::size_t open = latch->wait(kReplyPatience);
    counts_.lost += open;
    if (open > 0) {
        std::fprintf(stderr, "outrider: lost: %zu replies after a cancel\n", open);
    }
}

void SideTraffic::leave_amid(const Seat& seat) {
    auto client = cli::connect_to(options_.server);
    if (!client) {
        note_failure(client.error());
        return;
    }
    ++counts_.connections;
    Questions questions(*seat.replica->newest()->layer(seat.place.movement_class),
                        options_.seed + counts_.connections);
    std::vector<client::PathCall> calls(kLeftOpen);
    for (client::PathCall& call : calls) {
        call.request.map = seat.place.map.id;
        call.request.query = questions.long_way();
        call.request.query.movement_class = seat.place.movement_class;
        call.done = [](const auto&) {};
    }
    (*client)->paths(std::move(calls));
    counts_.left_open += kLeftOpen;
}

}  // namespace outrider::soak
