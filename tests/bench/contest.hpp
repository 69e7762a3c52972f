#pragma once
// What:     several ways to answer the same questions, measured side by side.
// Contract: in each round every contestant answers all its questions in one go (a pass), then the
//           next has its turn: caches are as warm as in a server that runs this kernel, and all
//           see the same disturbances. Of a contestant's passes the median one counts. One that
//           takes over kLongPassUs is not repeated.
// Cost:     a reading of the CPU clock a question, taken off again.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "outrider/model/cost.hpp"
#include "outrider/model/query.hpp"

namespace outrider::bench {

struct Reply {
    std::uint64_t expansions{};
    model::Cost cost{};  // 0: no path
};

struct Contestant {
    std::string name;
    // Answers every nth question: the dear ones sit some out.
    std::size_t every{1};
    std::function<Reply(const model::PathQuery&)> ask;
};

class Figures {
  public:
    Figures(std::size_t every, std::vector<double> us, std::vector<Reply> replies)
        : every_(every), us_(std::move(us)), replies_(std::move(replies)) {}

    [[nodiscard]] double mean_us() const;
    // Of the sorted times: 0.5 is the median.
    [[nodiscard]] double us_at(double share) const;
    [[nodiscard]] double expansions() const;
    // Time of `other` over ours, on the questions that both answered.
    [[nodiscard]] double times_faster_than(const Figures& other) const;
    // Mean of our cost over that of `other`, on the questions that both answered.
    [[nodiscard]] double cost_over(const Figures& other) const;

  private:
    template <typename Visit>
    void each_common(const Figures& other, Visit visit) const;

    // Entry i belongs to question i * every_.
    std::size_t every_;
    std::vector<double> us_;
    std::vector<Reply> replies_;
};

constexpr double kLongPassUs = 5e6;

[[nodiscard]] std::vector<Figures> run_contest(const std::vector<model::PathQuery>& queries,
                                               const std::vector<Contestant>& contestants,
                                               std::size_t rounds);

}  // namespace outrider::bench
