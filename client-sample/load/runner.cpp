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

constexpr std::chrono::milliseconds kPoll{2};
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

Runner::Runner(std::vector<client::Client*> clients, Scene scene, Traffic traffic,
               const LoadOptions& options)
    : clients_(std::move(clients)),
      scene_(std::move(scene)),
      options_(options),
      schedule_(options.rate, length_of(options)),
      // A rate of nothing has no schedule: one edit in a longer time than any run.
      edit_schedule_(std::max(options.edits_per_second, 1e-9), length_of(options)),
      traffic_(std::move(traffic)),
      site_(options.seed),
      outgoing_(clients_.size()),
      sending_(clients_.size()) {}

void Runner::run() {
    begin_ = Clock::now();
    next_progress_ = begin_ + kProgressEvery;
    next_walk_ = begin_ + kWalkEvery;
    cpu_begin_s_ = process_cpu_s();
    while (sent_ < schedule_.total() && !map_is_gone()) {
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
        const Errand errand{sent_, begin_ + schedule_.due(sent_),
                            acknowledged_.load(std::memory_order_relaxed)};
        slip_.add(now - errand.due);
        // A tick's requests go out on one connection, as those of one game's frame do.
        const auto tick = static_cast<std::uint64_t>(schedule_.due(sent_) / kTick);
        std::visit(
            [&](auto&& order) {
                send(std::forward<decltype(order)>(order), errand, tick % clients_.size());
            },
            next_request());
    }
    for (std::size_t index = 0; index < outgoing_.size(); ++index) {
        flush_paths(index);
    }
}

void Runner::flush_paths(std::size_t connection) {
    if (outgoing_[connection].empty()) {
        return;
    }
    const model::RequestId first =
        clients_[connection]->paths(std::exchange(outgoing_[connection], {}));
    const std::vector<Sending> sending = std::exchange(sending_[connection], {});
    for (std::size_t index = 0; battle_ && options_.follow && index < sending.size(); ++index) {
        battle_->followed(sending[index].unit, sending[index].key,
                          {connection, {first.value + index}});
    }
}

Request Runner::next_request() {
    while (!wanting_.empty()) {
        const units::UnitIndex unit = wanting_.front();
        wanting_.pop_front();
        // Unless an order came, or it has got through.
        if (battle_->units()[unit].state == units::State::kAwaiting ||
            battle_->units()[unit].state == units::State::kHeld) {
            ++reordered_;
            return traffic_.order_for(unit, battle_->units()[unit].goal);
        }
    }
    return traffic_.next();
}

void Runner::send(const Order& order, const Errand& errand, std::size_t connection) {
    if (battle_) {
        battle_->order(order.unit, order.goal, errand.key);
    }
    outgoing_[connection].push_back(call_for(order, errand));
    sending_[connection].push_back({order.unit, errand.key});
}

void Runner::send(GroupOrder order, const Errand& errand, std::size_t connection) {
    ++groups_sent_;
    for (const std::uint32_t unit : order.units) {
        if (!battle_) {
            break;
        }
        battle_->order(unit, order.goal, errand.key);
        // A group is not followed; what each of its units followed before is over.
        const Battle::Follow before = battle_->take_follow(unit);
        if (before.id != model::RequestId{}) {
            clients_[before.connection]->cancel(before.id, [](const auto&) {});
        }
    }
    model::GroupQuery query;
    query.starts = order.starts;
    query.goal = {{order.goal.x, order.goal.y, 1, 1}, 0};
    query.leave_blocked_start = true;
    client::SurveyCall call;
    call.request.map = scene_.map;
    call.request.survey.movement_class = scene_.movement_class;
    call.request.survey.query = std::move(query);
    const auto whole = std::make_shared<const GroupOrder>(std::move(order));
    const auto watch = std::make_shared<GroupWatch>(whole->units.size());
    call.on_part = [this, whole, watch, errand](const client::GroupArrival& part) {
        watch->part(part);
        on_group_part(*whole, errand, part);
    };
    call.done = [this, whole, watch, errand](const client::Result<client::SurveyAnswer>& answer) {
        on_group_end(*whole, errand, *watch, answer);
    };
    clients_[connection]->survey(std::move(call));
}

client::PathCall Runner::call_for(const Order& order, const Errand& errand) {
    client::PathCall call;
    call.request.map = scene_.map;
    call.request.query.movement_class = scene_.movement_class;
    call.request.query.start = order.start;
    call.request.query.goal = {{order.goal.x, order.goal.y, 1, 1}, 0};
    call.request.query.leave_blocked_start = true;
    if (options_.follow) {
        call.request.follow.emplace();
        call.follow = client::Follow{[this, order, key = errand.key](const client::PathPush& push) {
                                         on_path_push(order, key, push);
                                     },
                                     nullptr};
    }
    if (options_.supersede || options_.follow) {
        call.request.unit = {std::uint64_t{order.unit} + 1};
    }
    call.done = [this, order, errand](const client::Result<client::PathAnswer>& answer) {
        on_answer(order, errand, answer);
    };
    return call;
}

void Runner::apply_moves() {
    std::vector<Moved> moves;
    {
        const base::Lock lock(moves_mutex_);
        std::swap(moves, moves_);
    }
    for (const Moved& moved : moves) {
        if (!battle_) {
            traffic_.moved(moved.unit, moved.to);  // else it walks there
        }
        building_place_ = moved.to;
    }
}

void Runner::walk_due(TimePoint now) {
    if (!battle_ || now < next_walk_) {
        return;
    }
    next_walk_ += kWalkEvery;
    battle_->tick();
    for (std::uint32_t unit = 0; unit < battle_->units().size(); ++unit) {
        traffic_.moved(unit, battle_->units()[unit].at);
    }
    const auto wanting = battle_->take_wanting();
    wanting_.insert(wanting_.end(), wanting.begin(), wanting.end());
    for (const units::Arrival& arrival : battle_->take_arrivals()) {
        ++units_arrived_;
        units_beside_ += arrival.beside ? 1 : 0;
        wait_.add(arrival.waited_ticks * std::chrono::nanoseconds(kWalkEvery));
        // The server ends a follow on the goal alone.
        const Battle::Follow follow =
            arrival.beside ? battle_->take_follow(arrival.unit) : Battle::Follow{};
        if (follow.id != model::RequestId{}) {
            clients_[follow.connection]->cancel(follow.id, [](const auto&) {});
        }
    }
    report_places();
}

void Runner::report_places() {
    std::vector<std::vector<model::Progress>> reports(clients_.size());
    const auto send = [&](std::size_t index) {
        reports_ += reports[index].size();
        clients_[index]->report(std::exchange(reports[index], {}), [](const auto&) {});
    };
    for (const Battle::Place& place : battle_->take_places()) {
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
        clients_.front()->edit(scene_.map, site_.next(building_place_),
                               [this, when](const client::Result<codec::EditReply>& reply) {
                                   on_edit_reply(when, reply);
                               });
    }
}

void Runner::wait_for_answers() {
    std::uint64_t seen = finished();
    TimePoint last_news = Clock::now();
    const auto edits_finished = [this] {
        return edits_done_.load() + edits_refused_.load() + edits_failed_.load();
    };
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
    report.complete = complete_.load();
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
    report.edits_refused = edits_refused_.load();
    report.edits_lost = edits_sent_ - report.edits - report.edits_refused;
    report.edit_p50_us = edit_latency_.percentile_us(0.5);
    report.edit_p99_us = edit_latency_.percentile_us(0.99);
    report.groups = groups_sent_;
    report.group_paths = group_paths_.load();
    report.group_p50_us = group_latency_.percentile_us(0.5);
    report.group_p99_us = group_latency_.percentile_us(0.99);
    report.wrong = groups_wrong_.load();
    report.arrived = units_arrived_;
    report.arrived_beside = units_beside_;
    report.ordered_again = reordered_;
    report.wait_p50_us = wait_.percentile_us(0.5);
    report.wait_p99_us = wait_.percentile_us(0.99);
    if (options_.follow) {
        LatencyHistogram pushes;
        push_watch_.settle(pushes);
        report.follows = true;
        report.arrivals = arrivals_.load();
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
