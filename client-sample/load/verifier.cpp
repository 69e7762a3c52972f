#include "load/verifier.hpp"

#include <algorithm>
#include <numeric>

#include "cli/path_check.hpp"

namespace outrider::load {
namespace {

constexpr std::uint64_t kProgressEvery = 1024;

model::PathQuery query_of(const Record& record, model::ClassId movement_class) {
    model::PathQuery query;
    query.movement_class = movement_class;
    query.start = record.start;
    query.goal = {{record.goal.x, record.goal.y, 1, 1}, 0};
    query.leave_blocked_start = true;
    return query;
}

// Outcomes that depend on time or on other requests have no right answer to compare with.
bool is_comparable(model::Outcome outcome) {
    return outcome != model::Outcome::kDeadline && outcome != model::Outcome::kCancelled &&
           outcome != model::Outcome::kSuperseded;
}

std::string describe(const Record& record, const std::string& fault) {
    return std::to_string(record.start.x) + "," + std::to_string(record.start.y) + " to " +
           std::to_string(record.goal.x) + "," + std::to_string(record.goal.y) + " on version " +
           std::to_string(record.version) + ": " + fault;
}

// By version, so that the map is replayed once.
std::vector<std::size_t> in_version_order(const std::deque<Record>& records) {
    std::vector<std::size_t> order(records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // A total order, so that a run's findings come out the same each time.
    std::ranges::sort(order, {},
                      [&](std::size_t index) { return std::pair(records[index].version, index); });
    return order;
}

}  // namespace

Verifier::Verifier(Beginning beginning, std::vector<codec::MapEdited> batches,
                   model::ClassId movement_class)
    : store_(std::move(beginning.store)),
      landmarks_(std::move(beginning.landmarks)),
      batches_(std::move(batches)),
      class_(movement_class),
      snapshot_(store_->snapshot()),
      buffers_(search::make_buffers()) {}

bool Verifier::advance_to(model::Version version) {
    const model::Version before = snapshot_->version();
    while (snapshot_->version() < version && applied_ < batches_.size()) {
        const auto made = store_->replay(batches_[applied_].batch);
        if (!made || *made != batches_[applied_].version) {
            return false;
        }
        landmarks_.note(batches_[applied_]);
        ++applied_;
        snapshot_ = store_->snapshot();
    }
    if (snapshot_->version() != before) {
        verdicts_.clear();
    }
    return snapshot_->version() == version;
}

const Verifier::Verdict& Verifier::verdict_on(const model::PathQuery& query) {
    const Question question{query.start, {query.goal.rect.x, query.goal.rect.y}};
    const auto [place, is_new] = verdicts_.try_emplace(question);
    if (is_new) {
        const map::Layer& layer = *snapshot_->layer(class_);
        const model::PathResult own = search::run(layer, query, *buffers_);
        place->second = {own.outcome, own.cost, own.path_hash, true};
        if (searches_++ % kSecondOpinion == 0) {
            model::PathQuery plain = query;
            plain.algorithm = model::Algorithm::kAstar;
            const model::PathResult second = search::run(layer, plain, *buffers_);
            place->second.second_opinion_agrees =
                second.outcome == own.outcome && second.cost == own.cost;
        }
    }
    return place->second;
}

std::optional<std::string> Verifier::fault_of(const Record& record,
                                              const model::PathResult& result) {
    if (record.version < record.version_floor) {
        return "version " + std::to_string(record.version_floor) +
               " was acknowledged before the request was sent";
    }
    if (!advance_to(record.version)) {
        return "the map never had this version";
    }
    const model::PathQuery query = query_of(record, class_);
    if (auto fault = cli::path_fault(*snapshot_->layer(class_), query, result)) {
        return fault;
    }
    if (!is_comparable(record.outcome)) {
        return std::nullopt;
    }
    const Verdict& verdict = verdict_on(query);
    if (verdict.outcome != record.outcome) {
        return "the outcome is " + std::string(model::name_of(record.outcome)) + ", not " +
               std::string(model::name_of(verdict.outcome));
    }
    if (verdict.cost != record.cost) {
        return "the cost is " + std::to_string(record.cost) + ", the optimum " +
               std::to_string(verdict.cost);
    }
    if (verdict.path_hash != record.path_hash && !record.of_group) {
        if (!landmarks_.decides(*snapshot_, class_)) {
            return "an equally long but other path than the one that everybody must find";
        }
        ++other_paths_;
    }
    return verdict.second_opinion_agrees
               ? std::nullopt
               : std::optional<std::string>("A* finds another cost or outcome");
}

Findings Verifier::check(const Recorder& recorder, const Progress& progress) {
    Findings findings;
    const std::deque<Record>& records = recorder.records();
    progress(0, records.size());
    for (const std::size_t index : in_version_order(records)) {
        const Record& record = records[index];
        if (auto fault = fault_of(record, recorder.result_of(record))) {
            ++findings.wrong;
            if (findings.examples.size() < kExamplesMax) {
                findings.examples.push_back(describe(record, *fault));
            }
        }
        if (++findings.checked % kProgressEvery == 0) {
            progress(findings.checked, records.size());
        }
    }
    if (findings.checked % kProgressEvery != 0) {
        progress(findings.checked, findings.checked);
    }
    findings.other_paths = other_paths_;
    findings.searches = searches_;
    return findings;
}

bool Verifier::equals(const codec::MapState& state) {
    if (!advance_to(state.info.version)) {
        return false;
    }
    const map::State mine = store_->state();
    return mine.grid.terrain == state.terrain && mine.obstacles == state.obstacles;
}

}  // namespace outrider::load
