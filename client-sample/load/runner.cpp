#include "load/runner.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <thread>

#include "outrider/base/limits.hpp"
#include "outrider/model/path.hpp"

namespace outrider::load {
namespace {

using Clock = std::chrono::steady_clock;

// A unit has walked at most this many turning points by its next order.
constexpr std::size_t kPointsWalked = 3;
constexpr std::chrono::milliseconds kPoll{2};
// Units walk and report as often as a game's servers tick.
constexpr std::chrono::milliseconds kWalkEvery{100};
constexpr std::chrono::seconds kProgressEvery{1};

double process_cpu_s() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::chrono::nanoseconds length_of(const LoadOptions& options) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(options.seconds));
}

}  // namespace

Runner::Runner(std::vector<client::Client*> clients, model::MapId map,
               model::ClassId movement_class, Traffic traffic, const LoadOptions& options)
    : clients_(std::move(clients)),
      map_(map),
      class_(movement_class),
      options_(options),
      schedule_(options.rate, length_of(options)),
      // A rate of nothing has no schedule: one edit in a longer time than any run.
      edit_schedule_(std::max(options.edits_per_second, 1e-9), length_of(options)),
      traffic_(std::move(traffic)),
      site_(options.seed),
      outgoing_(clients_.size()),
      keys_(clients_.size()) {}

void Runner::run() {
    begin_ = Clock::now();
    next_progress_ = begin_ + kProgressEvery;
    next_walk_ = begin_ + kWalkEvery;
    cpu_begin_s_ = process_cpu_s();
    while (sent_ < schedule_.total()) {
        std::this_thread::sleep_until(begin_ + schedule_.due(sent_));
        const TimePoint now = Clock::now();
        apply_moves();
        send_due(now);
        edit_due(now);
        walk_due(now);
        print_progress(now);
    }
    wait_for_answers();
    cpu_end_s_ = process_cpu_s();
    if (options_.progress) {
        std::fputs("\r\x1b[K", stderr);
    }
}

void Runner::send_due(TimePoint now) {
    const std::uint64_t due = schedule_.due_by(now - begin_);
    for (; sent_ < due; ++sent_) {
        const TimePoint when = begin_ + schedule_.due(sent_);
        slip_.add(now - when);
        // A tick's requests go out on one connection, as those of one game's frame do.
        const auto tick = static_cast<std::uint64_t>(schedule_.due(sent_) / kTick);
        outgoing_[tick % outgoing_.size()].push_back(call_for(traffic_.next(), when));
        keys_[tick % outgoing_.size()].push_back(sent_);
    }
    for (std::size_t index = 0; index < outgoing_.size(); ++index) {
        if (!outgoing_[index].empty()) {
            const model::RequestId first = clients_[index]->paths(std::move(outgoing_[index]));
            outgoing_[index].clear();
            for (std::size_t i = 0; options_.follow && i < keys_[index].size(); ++i) {
                march_.sent(keys_[index][i], index, {first.value + i});
            }
            keys_[index].clear();
        }
    }
}

client::PathCall Runner::call_for(const Order& order, TimePoint due) {
    client::PathCall call;
    call.request.map = map_;
    call.request.query.movement_class = class_;
    call.request.query.start = order.start;
    call.request.query.goal = {{order.goal.x, order.goal.y, 1, 1}, 0};
    if (options_.follow) {
        call.request.follow.emplace();
        call.follow = client::Follow{[this, order, key = sent_](const client::PathPush& push) {
                                         on_path_push(order, key, push);
                                     },
                                     nullptr};
    }
    if (options_.supersede || options_.follow) {
        call.request.unit = {std::uint64_t{order.unit} + 1};
    }
    const model::Version floor = acknowledged_.load(std::memory_order_relaxed);
    call.done = [this, order, due, floor, key = sent_](client::Result<client::PathAnswer> answer) {
        if (options_.follow) {
            begin_walk(order, key, answer);
        }
        on_answer(order, due, floor, std::move(answer));
    };
    return call;
}

void Runner::on_answer(const Order& order, TimePoint due, model::Version version_floor,
                       client::Result<client::PathAnswer> answer) {
    const TimePoint now = Clock::now();
    last_answer_ns_.store((now - begin_).count(), std::memory_order_relaxed);
    if (!answer) {
        const bool refused = answer.error().kind == client::FailureKind::kRefused;
        (refused ? refused_ : failed_).fetch_add(1, std::memory_order_relaxed);
        return;
    }
    latency_.add(now - due);
    if (answer->arrived()) {
        arrived_.fetch_add(1, std::memory_order_relaxed);
    }
    if (options_.verify) {
        recorder_.add(order, version_floor, *answer);
    }
    move_along(order, *answer);
    answered_.fetch_add(1, std::memory_order_release);
}

void Runner::begin_walk(const Order& order, std::uint64_t follow,
                        const client::Result<client::PathAnswer>& answer) {
    if (!answer || !model::keeps_following(answer->result.outcome)) {
        march_.end(follow, false);
    } else if (!answer->result.turning_points.empty()) {
        march_.take_path(follow, order.unit, model::cells_of(answer->result.turning_points));
    }
}

void Runner::on_path_push(Order order, std::uint64_t follow, const client::PathPush& push) {
    if (push.ended()) {
        march_.end(follow, !push.failure && push.answer.arrived());
    } else if (!push.answer.result.turning_points.empty()) {
        march_.take_path(follow, order.unit, model::cells_of(push.answer.result.turning_points));
    }
    if (push.ended() || !recording_) {
        return;
    }
    push_watch_.pushed(push.answer.version, Clock::now());
    if (options_.verify) {
        order.start = push.start;
        recorder_.add(order, 0, push.answer);
    }
}

// Only cells of the path that the server gave, so that a unit never stands where it cannot walk.
void Runner::move_along(const Order& order, const client::PathAnswer& answer) {
    const std::vector<model::Cell>& points = answer.result.turning_points;
    if (points.empty()) {
        return;
    }
    const model::Cell to = points[std::min(points.size() - 1, kPointsWalked)];
    const base::Lock lock(moves_mutex_);
    moves_.push_back({order.unit, to});
}

void Runner::apply_moves() {
    std::vector<Moved> moves;
    {
        const base::Lock lock(moves_mutex_);
        std::swap(moves, moves_);
    }
    for (const Moved& moved : moves) {
        if (!options_.follow || options_.speed <= 0.0) {
            traffic_.moved(moved.unit, moved.to);  // else it walks there
        }
        building_place_ = moved.to;
    }
}

void Runner::walk_due(TimePoint now) {
    if (!options_.follow || options_.speed <= 0.0 || now < next_walk_) {
        return;
    }
    next_walk_ = now + kWalkEvery;
    cells_due_ += options_.speed * std::chrono::duration<double>(kWalkEvery).count();
    const auto steps = static_cast<std::size_t>(cells_due_);
    cells_due_ -= static_cast<double>(steps);
    if (steps == 0) {
        return;
    }
    std::vector<std::vector<model::Progress>> reports(clients_.size());
    const auto send = [&](std::size_t index) {
        reports_ += reports[index].size();
        clients_[index]->report(std::exchange(reports[index], {}), [](const auto&) {});
    };
    for (const March::Place& place : march_.walk(steps)) {
        traffic_.moved(place.unit, place.progress.cell);
        reports[place.connection].push_back(place.progress);
        if (reports[place.connection].size() == base::limits::kProgressPerRequestMax) {
            send(place.connection);
        }
    }
    for (std::size_t index = 0; index < reports.size(); ++index) {
        if (!reports[index].empty()) {
            send(index);
        }
    }
}

void Runner::edit_due(TimePoint now) {
    if (options_.edits_per_second <= 0.0) {
        return;
    }
    const std::uint64_t due = edit_schedule_.due_by(now - begin_);
    for (; edits_sent_ < due; ++edits_sent_) {
        const TimePoint when = begin_ + edit_schedule_.due(edits_sent_);
        clients_.front()->edit(map_, site_.next(building_place_),
                               [this, when](const client::Result<codec::EditReply>& reply) {
                                   on_edit_reply(when, reply);
                               });
    }
}

void Runner::on_edit_reply(TimePoint begin, const client::Result<codec::EditReply>& reply) {
    if (!reply) {
        edits_failed_.fetch_add(1, std::memory_order_release);
        return;
    }
    edit_latency_.add(Clock::now() - begin);
    push_watch_.edited(reply->version, begin);
    acknowledged_.store(std::max(acknowledged_.load(), reply->version));
    edits_done_.fetch_add(1, std::memory_order_release);
}

std::uint64_t Runner::finished() const {
    return answered_.load(std::memory_order_acquire) + refused_.load() + failed_.load();
}

void Runner::wait_for_answers() {
    std::uint64_t seen = finished();
    TimePoint last_news = Clock::now();
    const auto edits_finished = [this] { return edits_done_.load() + edits_failed_.load(); };
    while (finished() < sent_ || edits_finished() < edits_sent_) {
        std::this_thread::sleep_for(kPoll);
        const TimePoint now = Clock::now();
        print_progress(now);
        if (finished() != seen) {
            seen = finished();
            last_news = now;
        } else if (now - last_news > kGrace) {
            return;
        }
    }
}

void Runner::print_progress(TimePoint now) {
    if (!options_.progress || now < next_progress_) {
        return;
    }
    const std::chrono::duration<double> elapsed = now - begin_;
    const std::uint64_t answered = answered_.load();
    std::fprintf(stderr,
                 "\r\x1b[K%5.0f s  sent %llu  answered %llu (%llu/s)  refused %llu  open %llu  "
                 "median %.2f ms  99th %.2f ms",
                 elapsed.count(), static_cast<unsigned long long>(sent_),
                 static_cast<unsigned long long>(answered),
                 static_cast<unsigned long long>(answered - shown_),
                 static_cast<unsigned long long>(refused_.load()),
                 static_cast<unsigned long long>(sent_ - finished()),
                 latency_.percentile_us(0.5) / 1000.0, latency_.percentile_us(0.99) / 1000.0);
    shown_ = answered;
    next_progress_ = now + kProgressEvery;
}

Report Runner::report() const {
    Report report;
    report.sent = sent_;
    report.answered = answered_.load();
    report.arrived = arrived_.load();
    report.refused = refused_.load();
    report.lost = sent_ - report.answered - report.refused;
    for (const client::Client* client : clients_) {
        const client::Counters counters = client->counters();
        report.duplicate += counters.unexpected;
        report.writes += counters.writes;
    }
    const double seconds = static_cast<double>(last_answer_ns_.load()) * 1e-9;
    report.requests_per_s = seconds > 0.0 ? static_cast<double>(report.answered) / seconds : 0.0;
    report.client_cpu_share = seconds > 0.0 ? (cpu_end_s_ - cpu_begin_s_) / seconds : 0.0;
    report.p50_us = latency_.percentile_us(0.5);
    report.p99_us = latency_.percentile_us(0.99);
    report.p999_us = latency_.percentile_us(0.999);
    report.max_us = latency_.max_us();
    report.edits = edits_done_.load();
    report.edit_p50_us = edit_latency_.percentile_us(0.5);
    report.edit_p99_us = edit_latency_.percentile_us(0.99);
    if (options_.follow) {
        LatencyHistogram pushes;
        push_watch_.settle(pushes);
        report.follows = true;
        report.arrivals = march_.arrivals();
        report.reports = reports_;
        report.path_pushes = push_watch_.count();
        report.push_p50_us = pushes.percentile_us(0.5);
        report.push_p99_us = pushes.percentile_us(0.99);
        report.push_max_us = pushes.max_us();
    }
    report.slip_p50_us = slip_.percentile_us(0.5);
    report.slip_p99_us = slip_.percentile_us(0.99);
    report.slip_max_us = slip_.max_us();
    return report;
}

}  // namespace outrider::load
