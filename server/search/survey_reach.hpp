#pragma once
// What:     all cells up to a cost from the nearest of several starts, as runs.
// Contract: where the wave ends before (budget, deadline, kReachCellsMax cells), the answer holds
//           every cell up to the cost that it states.

#include <vector>

#include "outrider/search/survey_kernel.hpp"

namespace outrider::search {

class ReachKernel final : public SurveyKernel {
  public:
    void begin(const map::Layer& layer, const model::Survey& survey, Field& field) override;
    bool step(std::uint64_t cells_max, std::uint64_t& done) override;
    bool stop(model::Outcome outcome) override;
    model::SurveyResult take_result(model::Outcome outcome) override;
    [[nodiscard]] std::size_t bytes() const override { return 0; }

  private:
    std::uint64_t seed_next();
    void end_wave();
    void write_row();
    [[nodiscard]] model::Rect reachable_box() const;

    const map::Layer* layer_{nullptr};
    const model::ReachQuery* query_{nullptr};
    Wave wave_;
    std::size_t seeded_{0};  // of the starts
    model::Cost until_{0};   // in units of the field
    bool stopped_{false};
    bool writing_{false};
    model::Outcome outcome_{model::Outcome::kComplete};
    std::uint64_t expansions_{0};
    model::Rect box_;
    std::int32_t row_{0};
    model::Reach reach_;
};

}  // namespace outrider::search
