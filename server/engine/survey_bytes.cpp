#include "outrider/engine/survey_bytes.hpp"

#include <algorithm>
#include <utility>

#include "outrider/base/limits.hpp"

namespace outrider::engine {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

template <class T>
std::size_t bytes_in(const std::vector<T>& vector) {
    return vector.size() * sizeof(T);
}

// A result that says when nobody holds it any more.
struct Held {
    Held(model::SurveyResult made, std::shared_ptr<std::atomic<std::size_t>> sum)
        : result(std::move(made)), bytes(bytes_of(result)), total(std::move(sum)) {
        total->fetch_add(bytes, std::memory_order_relaxed);
    }
    ~Held() { total->fetch_sub(bytes, std::memory_order_relaxed); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    const model::SurveyResult result;
    const std::size_t bytes;
    const std::shared_ptr<std::atomic<std::size_t>> total;
};

}  // namespace

std::size_t bytes_of(const model::Survey& survey) {
    return sizeof survey +
           std::visit(
               Overloaded{[](const model::GroupQuery& query) {
                              return bytes_in(query.starts) + bytes_in(query.formation);
                          },
                          [](const model::NearestQuery& query) { return bytes_in(query.goals); },
                          [](const model::ReachQuery& query) { return bytes_in(query.starts); },
                          [](const model::MatrixQuery& query) {
                              return bytes_in(query.from) + bytes_in(query.to);
                          },
                          [](const auto&) { return std::size_t{0}; }},
               survey.query);
}

std::size_t bytes_of(const model::SurveyResult& result) {
    const auto paths = [](const auto& list) {
        std::size_t bytes = bytes_in(list);
        for (const auto& path : list) {
            bytes += bytes_in(path.turning_points);
        }
        return bytes;
    };
    return sizeof(Held) +
           std::visit(Overloaded{[&](const model::GroupPaths& body) { return paths(body.units); },
                                 [&](const model::NearestGoals& body) { return paths(body.goals); },
                                 [](const model::Reach& body) {
                                     return bytes_in(body.runs) + bytes_in(body.costs);
                                 },
                                 [](const model::CostMatrix& body) { return bytes_in(body.costs); },
                                 [](const model::FieldArrows& body) {
                                     return bytes_in(body.steps) + bytes_in(body.costs);
                                 },
                                 [](const auto&) { return std::size_t{0}; }},
                      result.body);
}

void shrink(model::Survey& survey) {
    std::visit(Overloaded{[](model::GroupQuery& query) {
                              query.starts.shrink_to_fit();
                              query.formation.shrink_to_fit();
                          },
                          [](model::NearestQuery& query) { query.goals.shrink_to_fit(); },
                          [](model::ReachQuery& query) { query.starts.shrink_to_fit(); },
                          [](model::MatrixQuery& query) {
                              query.from.shrink_to_fit();
                              query.to.shrink_to_fit();
                          },
                          [](auto&) {}},
               survey.query);
}

std::size_t survey_bytes_at_most() {
    namespace limits = base::limits;
    return sizeof(model::Survey) + std::max({2 * limits::kUnitsPerGroupMax * sizeof(model::Cell),
                                             limits::kGoalsPerNearestMax * sizeof(model::Goal),
                                             limits::kStartsPerReachMax * sizeof(model::Cell),
                                             2 * limits::kMatrixSideMax * sizeof(model::Cell)});
}

std::shared_ptr<const model::SurveyResult> ResultMeter::hold(model::SurveyResult result) const {
    auto held = std::make_shared<const Held>(std::move(result), total_);
    return {held, &held->result};
}

}  // namespace outrider::engine
