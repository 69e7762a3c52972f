#pragma once
// What:     the cheapest to reach of many goals, by one wave from the start that ends when enough
//           of them are final.
// Contract: a goal's cost is that of its cheapest cell; of equally cheap cells the upper, then the
//           left one is the end. Goals by (cost, index).

#include <optional>
#include <vector>

#include "outrider/search/open_cells.hpp"
#include "outrider/search/start_components.hpp"
#include "outrider/search/survey_kernel.hpp"

namespace outrider::search {

// Whether the unit can walk to a cell of the region.
[[nodiscard]] bool reaches(const StartComponents& from, const GoalRegion& region);

class NearestKernel final : public SurveyKernel {
  public:
    void begin(const map::Layer& layer, const model::Survey& survey, Field& field) override;
    bool step(std::uint64_t cells_max, std::uint64_t& done) override;
    bool stop(model::Outcome outcome) override;
    model::SurveyResult take_result(model::Outcome outcome) override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    struct Waiting {
        std::uint32_t goal;
        GoalRegion region;
    };
    struct Found {
        model::Cost distance;
        std::uint32_t goal;
        model::Cell end;
        friend auto operator<=>(const Found&, const Found&) = default;
    };

    std::uint64_t sort_out_next();
    std::uint64_t look_next();
    [[nodiscard]] std::uint64_t look_at_row(const GoalRegion& region);
    void end_look();
    // What is found becomes what is answered.
    void begin_writing();
    std::uint64_t write_next();
    [[nodiscard]] std::size_t wanted() const;

    const map::Layer* layer_{nullptr};
    const model::NearestQuery* query_{nullptr};
    Wave wave_;
    std::optional<StartComponents> from_;
    std::uint32_t sorted_out_{0};
    std::vector<Waiting> waiting_;
    std::vector<Found> found_;
    // Of found_: no goal outside is cheaper. The rest come from a look that is not at its end.
    std::size_t certain_{0};
    std::uint64_t look_at_{0};       // expansions at the next look
    std::uint64_t looked_cells_{0};  // of this look
    std::size_t looked_{0};          // of waiting_, in this look
    std::int32_t row_{0};            // of the next of them
    bool mid_goal_{false};           // some of its rows are looked at
    Found best_;                     // of those
    std::size_t kept_{0};            // of those, still waiting
    bool writing_{false};
    std::size_t wanted_{0};
    model::NearestGoals goals_;  // written
    std::vector<model::Cell> points_;
};

}  // namespace outrider::search
