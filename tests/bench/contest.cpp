#include "bench/contest.hpp"

#include <algorithm>
#include <numeric>

#include "bench/cpu_timer.hpp"

namespace outrider::bench {
namespace {

struct Pass {
    double total_us{};
    std::vector<double> us;
    std::vector<Reply> replies;
};

Pass run_pass(const std::vector<model::PathQuery>& queries, const Contestant& contestant,
              double reading_us) {
    Pass pass;
    pass.us.reserve(queries.size());
    pass.replies.reserve(queries.size());
    double before = cpu_us();
    for (std::size_t i = 0; i < queries.size(); i += contestant.every) {
        pass.replies.push_back(contestant.ask(queries[i]));
        const double after = cpu_us();
        pass.us.push_back(std::max(after - before - reading_us, 0.0));
        before = after;
    }
    pass.total_us = std::accumulate(pass.us.begin(), pass.us.end(), 0.0);
    return pass;
}

Pass median_of(std::vector<Pass> passes) {
    const auto middle = passes.begin() + static_cast<std::ptrdiff_t>((passes.size() - 1) / 2);
    std::nth_element(passes.begin(), middle, passes.end(),
                     [](const Pass& a, const Pass& b) { return a.total_us < b.total_us; });
    return std::move(*middle);
}

}  // namespace

double Figures::mean_us() const {
    return std::accumulate(us_.begin(), us_.end(), 0.0) / static_cast<double>(us_.size());
}

double Figures::us_at(double share) const {
    std::vector<double> sorted = us_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

double Figures::expansions() const {
    double sum = 0;
    for (const Reply& reply : replies_) {
        sum += static_cast<double>(reply.expansions);
    }
    return sum / static_cast<double>(replies_.size());
}

template <typename Visit>
void Figures::each_common(const Figures& other, Visit visit) const {
    for (std::size_t i = 0; i < us_.size(); ++i) {
        const std::size_t question = i * every_;
        if (question % other.every_ == 0) {
            visit(i, question / other.every_);
        }
    }
}

double Figures::times_faster_than(const Figures& other) const {
    double ours = 0;
    double theirs = 0;
    each_common(other, [&](std::size_t i, std::size_t j) {
        ours += us_[i];
        theirs += other.us_[j];
    });
    return theirs / ours;
}

double Figures::cost_over(const Figures& other) const {
    double sum = 0;
    double count = 0;
    each_common(other, [&](std::size_t i, std::size_t j) {
        const Reply& ours = replies_[i];
        const Reply& theirs = other.replies_[j];
        if ((ours.cost == 0) != (theirs.cost == 0)) {
            sum += 1e9;  // one found a path where the other found none: not to be overlooked
        } else {
            sum += ours.cost == theirs.cost
                       ? 1.0
                       : static_cast<double>(ours.cost) / static_cast<double>(theirs.cost);
        }
        count += 1;
    });
    return sum / count;
}

std::vector<Figures> run_contest(const std::vector<model::PathQuery>& queries,
                                 const std::vector<Contestant>& contestants, std::size_t rounds) {
    const double reading_us = cpu_us_of_reading();
    std::vector<std::vector<Pass>> passes(contestants.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            if (round == 0 || passes[i].front().total_us <= kLongPassUs) {
                passes[i].push_back(run_pass(queries, contestants[i], reading_us));
            }
        }
    }
    std::vector<Figures> figures;
    for (std::size_t i = 0; i < contestants.size(); ++i) {
        Pass pass = median_of(std::move(passes[i]));
        figures.emplace_back(contestants[i].every, std::move(pass.us), std::move(pass.replies));
    }
    return figures;
}

}  // namespace outrider::bench
