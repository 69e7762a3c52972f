#include "cli/bursts.hpp"

#include "outrider/base/limits.hpp"

namespace outrider::cli {
namespace {

class BurstBuilder {
  public:
    void add(const client::Patch& patch, model::Cell at) {
        const std::int64_t cells = std::int64_t{patch.width} * patch.height;
        const bool full = burst_.batches.empty() ||
                          burst_.batches.back().edits.size() >= base::limits::kEditsPerBatchMax ||
                          cells_ + cells > base::limits::kCellsPerBatchMax;
        if (full) {
            burst_.batches.emplace_back();
            cells_ = 0;
        }
        cells_ += cells;
        ++burst_.patches;
        burst_.batches.back().edits.emplace_back(
            model::TerrainEdit{{at.x, at.y, patch.width, patch.height}, patch.terrain});
    }
    void flush_to(std::vector<Step>& steps) {
        if (burst_.patches > 0) {
            steps.emplace_back(std::move(burst_));
        }
        burst_ = {};
        cells_ = 0;
    }

  private:
    Burst burst_;
    std::int64_t cells_{0};
};

}  // namespace

std::vector<Step> steps_of(const client::DynamicScenario& scenario) {
    std::vector<Step> steps;
    BurstBuilder burst;
    for (const client::DynamicCommand& command : scenario.commands) {
        if (const auto* patch = std::get_if<client::PatchCommand>(&command)) {
            burst.add(scenario.patches[patch->patch], patch->at);
        } else {
            burst.flush_to(steps);
            steps.emplace_back(std::get<client::ScenarioQuery>(command));
        }
    }
    burst.flush_to(steps);
    return steps;
}

}  // namespace outrider::cli
