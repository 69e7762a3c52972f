#pragma once
// What:    how much memory surveys and their answers take, and who counts the answers that are held
//          anywhere. Private to the engine room.
// Threads: any.

#include <atomic>
#include <cstddef>
#include <memory>

#include "outrider/model/survey.hpp"

namespace outrider::engine {

// Of vectors without spare capacity.
[[nodiscard]] std::size_t bytes_of(const model::Survey& survey);
[[nodiscard]] std::size_t bytes_of(const model::SurveyResult& result);
// Gives back the spare capacity of the survey's vectors.
void shrink(model::Survey& survey);
// Of the largest survey that is valid.
[[nodiscard]] std::size_t survey_bytes_at_most();

// The bytes of all results made through it that somebody still holds. Results may outlive it.
class ResultMeter {
  public:
    [[nodiscard]] std::shared_ptr<const model::SurveyResult> hold(model::SurveyResult result) const;
    [[nodiscard]] std::size_t bytes() const { return total_->load(std::memory_order_relaxed); }

  private:
    std::shared_ptr<std::atomic<std::size_t>> total_{std::make_shared<std::atomic<std::size_t>>(0)};
};

}  // namespace outrider::engine
