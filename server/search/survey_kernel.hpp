#pragma once
// What:     what every kind of survey is to the door, and the wave that most of them grow.
// Contract: begin() before anything else. Where the steps are cut changes neither the answer nor
//           the parts.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "outrider/model/survey.hpp"
#include "outrider/search/field.hpp"

namespace outrider::search {

class SurveyKernel {
  public:
    virtual ~SurveyKernel() = default;
    // The three outlive the run.
    virtual void begin(const map::Layer& layer, const model::Survey& survey, Field& field) = 0;
    // Does a piece of the work: counts `done` up to about `cells_max`, where settling a cell is 1.
    // All other work counts by the time that it takes beside that, so that slices take the same
    // time whatever they do. True when all is done.
    virtual bool step(std::uint64_t cells_max, std::uint64_t& done) = 0;
    // Ends here, with that outcome: step() only writes what is settled from now on. True when there
    // is nothing to write.
    virtual bool stop(model::Outcome /*outcome*/) { return true; }
    virtual std::optional<model::SurveyResult> take_part() { return std::nullopt; }
    // After step() or stop() has returned true; `outcome` as given to stop(), or kComplete.
    virtual model::SurveyResult take_result(model::Outcome outcome) = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

// What else there is to do, against settling a cell, as measured on maps of 1024 x 1024 and above:
// `./dev.sh bench slices`.
// Cells in the order of memory, and cells anywhere.
inline constexpr std::uint64_t kLooksPerCell = 8;
inline constexpr std::uint64_t kFarLooksPerCell = 2;
// A path: its memory and its hash; then each cell, which waits for the one before.
inline constexpr std::uint64_t kCellsPerWay = 16;
[[nodiscard]] inline std::uint64_t cells_for_way(std::size_t steps) {
    return kCellsPerWay + std::uint64_t{steps} * 3 / 4;
}

// A field that grows within a budget of cells.
class Wave {
  public:
    // expansions_max 0: no budget.
    void use(Field& field, std::uint64_t expansions_max) {
        field_ = &field;
        budget_ = expansions_max == 0 ? ~std::uint64_t{0} : expansions_max;
    }
    [[nodiscard]] Field& field() const { return *field_; }
    void grow(std::uint64_t cells_max, model::Cost until = Field::kUnreached) {
        const std::uint64_t left = budget_ - std::min(budget_, field_->expansions());
        if (left != 0) {
            (void)field_->step(std::min(cells_max, left), until);
        } else if (field_->mid_bucket()) {
            (void)field_->step(cells_max, field_->settled());
        }
    }
    // Whole buckets alone, so that what a budget brings does not hang on the steps.
    [[nodiscard]] bool spent() const {
        return field_->expansions() >= budget_ && !field_->mid_bucket();
    }
    // Of what the budget allowed: every distance below this is final.
    [[nodiscard]] model::Cost settled() const {
        return std::min(field_->settled(), field_->settled_after(budget_));
    }
    // No more will become final.
    [[nodiscard]] bool ended() const { return spent() || field_->settled() == Field::kUnreached; }
    [[nodiscard]] std::uint64_t expansions_for(model::Cost distance) const {
        return field_->expansions_for(distance);
    }

  private:
    Field* field_{nullptr};
    std::uint64_t budget_{~std::uint64_t{0}};
};

}  // namespace outrider::search
