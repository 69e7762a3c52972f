#pragma once
// What:     where to step from each cell of a rectangle, by a wave from the goal that ends when it
//           has come to all of them that it can come to.

#include <vector>

#include "outrider/search/goal_seeds.hpp"
#include "outrider/search/survey_kernel.hpp"

namespace outrider::search {

class ArrowsKernel final : public SurveyKernel {
  public:
    void begin(const map::Layer& layer, const model::Survey& survey, Field& field) override;
    bool step(std::uint64_t cells_max, std::uint64_t& done) override;
    bool stop(model::Outcome outcome) override;
    model::SurveyResult take_result(model::Outcome outcome) override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    void note_components(std::int32_t row);
    [[nodiscard]] std::uint64_t look(std::uint64_t looks_max);
    [[nodiscard]] std::uint64_t grow(std::uint64_t cells_max);
    void begin_writing();
    void write_row();
    void push(model::FieldStep step, model::Cost cost);
    [[nodiscard]] bool can_come_to(model::Cell cell) const;

    const map::Layer* layer_{nullptr};
    const model::FieldQuery* query_{nullptr};
    Wave wave_;
    GoalRegion goal_;
    GoalSeeds seeds_;
    std::vector<map::Component> components_;  // of the goal's cells, ascending, once seeded
    model::Rect rect_;
    model::Cell look_;   // all cells before this one are final, or never come to
    bool waits_{false};  // for that one
    bool writing_{false};
    std::size_t cells_{0};  // written
    model::Cost farthest_{0};
    std::int32_t row_{0};
    model::Outcome outcome_{model::Outcome::kComplete};
    model::FieldArrows arrows_;
};

}  // namespace outrider::search
