#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <sstream>

#include "record/replay.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/recording_builder.hpp"

namespace outrider::test {
namespace {

struct Waiting {
    codec::PathRequest request;
    model::PathAnswer answer;
};

// A match of edits and questions of all kinds. Replies pass late and out of order, as searches end.
class RandomMatch {
  public:
    RandomMatch(Random& random, const map::Grid& grid)
        : random_(random),
          who_(random_class(random)),
          grid_(grid),
          all_open_{grid.width, grid.height,
                    std::vector<std::uint8_t>(grid.terrain.size(), model::kWeightOne)},
          recording_(grid, {who_}) {}

    void play(int steps) {
        for (int i = 0; i < steps; ++i) {
            if (random_.chance(30)) {
                recording_.edit(random_batch(random_, grid_));
            } else {
                ask();
            }
            while (waiting_.size() > 4 || (!waiting_.empty() && random_.chance(30))) {
                reply();
            }
        }
        while (!waiting_.empty()) {
            reply();
        }
        recording_.end();
    }
    // A right answer but for its cost.
    void ask_and_be_cheated() {
        codec::PathRequest request;
        request.map = RecordingBuilder::kMap;
        request.query.allow_partial = true;
        request.query.goal = {{0, 0, 1, 1}, 0};
        model::PathAnswer answer = recording_.answer_of(request);
        model::PathResult bent = *answer.result;
        ++bent.cost;
        recording_.path(request, {answer.version, std::make_shared<const model::PathResult>(bent)});
    }

    [[nodiscard]] record::ReplayReport replayed(const record::ReplayOptions& options = {}) const {
        std::istringstream in(recording_.text());
        auto report = record::replay(in, "match.rec", options);
        EXPECT_TRUE(report) << report.error().message;
        return report.value_or(record::ReplayReport{});
    }
    [[nodiscard]] std::uint64_t asked() const { return asked_; }

  private:
    void ask() {
        const auto snapshot = recording_.store().snapshot();
        codec::PathRequest request;
        request.map = RecordingBuilder::kMap;
        request.query = random_query(random_, all_open_);
        choose_kernel(request.query);
        if (search::validate(*snapshot, request.query)) {
            waiting_.push_back({request, recording_.answer_of(request)});
            ++asked_;
        }
    }
    void choose_kernel(model::PathQuery& query) {
        constexpr std::array kKernels{model::Algorithm::kAuto, model::Algorithm::kAstar,
                                      model::Algorithm::kDijkstra, model::Algorithm::kFast,
                                      model::Algorithm::kJps};
        query.algorithm = kKernels.at(static_cast<std::size_t>(random_.between(0, 4)));
        const bool weighs = query.algorithm == model::Algorithm::kAuto ||
                            query.algorithm == model::Algorithm::kAstar;
        if (weighs && random_.chance(30)) {
            query.weight_percent = static_cast<std::uint32_t>(random_.between(101, 300));
        }
    }
    void reply() {
        const auto last = static_cast<std::int64_t>(waiting_.size()) - 1;
        const auto at = waiting_.begin() + random_.between(0, last);
        recording_.path(at->request, at->answer);
        waiting_.erase(at);
    }

    Random& random_;
    model::MovementClass who_;
    map::Grid grid_;
    // Questions also from and to blocked cells: the answer says so.
    WeightGrid all_open_;
    RecordingBuilder recording_;
    std::deque<Waiting> waiting_;
    std::uint64_t asked_{0};
};

std::string first_of(const record::ReplayReport& report) {
    return report.examples.empty() ? "" : report.examples.front();
}

TEST(RandomMatches, ReplayWithoutADifferenceWithEveryKernel) {
    // If this failed, a replay would accuse a server that was right, or two kernels would disagree.
    Random random(1);
    for (std::uint64_t round = 0; round < rounds(30); ++round) {
        RandomMatch match(random, round % 10 == 0 ? wide_map(random) : random_map(random));
        match.play(60);
        const record::ReplayReport report = match.replayed();
        EXPECT_EQ(report.requests, match.asked());
        ASSERT_EQ(report.mismatches, 0U) << first_of(report);
        for (const auto algorithm : {model::Algorithm::kAuto, model::Algorithm::kAstar,
                                     model::Algorithm::kDijkstra, model::Algorithm::kFast}) {
            const record::ReplayReport other = match.replayed({.algorithm = algorithm});
            EXPECT_EQ(other.compared, report.compared);
            ASSERT_EQ(other.mismatches, 0U) << model::name_of(algorithm) << first_of(other);
        }
    }
}

TEST(RandomMatches, OneWrongCostAmongThemIsFound) {
    // If this failed, a replay that compares nothing would look like a good one.
    Random random(2);
    for (std::uint64_t round = 0; round < rounds(20); ++round) {
        RandomMatch match(random, tiny_map(random));
        match.ask_and_be_cheated();
        match.play(20);
        const record::ReplayReport report = match.replayed();
        EXPECT_EQ(report.mismatches, 1U);
        EXPECT_EQ(report.requests, match.asked() + 1);
    }
}

}  // namespace
}  // namespace outrider::test
