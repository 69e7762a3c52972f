#pragma once
// What:     costs from some cells to others, by one wave from each different cell of the side that
//           has fewer of them (the `from` side where they are equal); costs are symmetric.
// Contract: a cell costs nothing from itself, even a blocked one; else a blocked cell has no way.

#include <vector>

#include "outrider/search/survey_kernel.hpp"

namespace outrider::search {

class MatrixKernel final : public SurveyKernel {
  public:
    void begin(const map::Layer& layer, const model::Survey& survey, Field& field) override;
    bool step(std::uint64_t cells_max, std::uint64_t& done) override;
    model::SurveyResult take_result(model::Outcome outcome) override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    // A cell and one of its places in the side that it stands on.
    struct Site {
        model::Cell cell;
        std::uint32_t place;
        friend auto operator<=>(const Site&, const Site&) = default;
    };

    std::uint64_t begin_wave();
    std::uint64_t look();
    std::uint64_t end_wave();
    [[nodiscard]] model::Cost& at(const Site& source, const Site& target);

    const map::Layer* layer_{nullptr};
    const model::MatrixQuery* query_{nullptr};
    std::uint64_t budget_{0};
    Wave wave_;
    bool from_sends_{true};
    std::vector<Site> sources_;  // by cell
    std::vector<Site> targets_;
    std::size_t first_{0};  // the sources first_ .. next_ - 1 are one cell, whose wave runs
    std::size_t next_{0};
    bool running_{false};
    std::uint64_t earlier_{0};            // expansions of the waves before
    std::uint64_t needed_{0};             // and so far of this one
    std::vector<std::uint32_t> waiting_;  // places in targets_
    std::uint64_t look_at_{0};
    model::Outcome outcome_{model::Outcome::kComplete};
    std::vector<model::Cost> costs_;
};

}  // namespace outrider::search
