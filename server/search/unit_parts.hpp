#pragma once
// What:     the units of a group that have their paths, and the parts in which they leave.
// Contract: a part is full when as many units are ready as it holds: 16, then 64, then 256 each.
//           Where steps are cut changes no part.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "outrider/model/survey.hpp"

namespace outrider::search {

class UnitParts {
  public:
    // The part that begins after `units` units.
    [[nodiscard]] static std::size_t part_size(std::size_t units) {
        return units < 16 ? 16 : units < 80 ? 64 : 256;
    }

    void begin(std::size_t units) {
        units_ = units;
        ready_.clear();
        ready_.reserve(units);
        needed_.clear();
        taken_ = 0;
    }
    // `needed`: expansions of the whole search up to this unit.
    void add(model::UnitPath path, std::uint64_t needed) {
        ready_.push_back(std::move(path));
        needed_.push_back(needed);
    }
    [[nodiscard]] std::size_t ready() const { return ready_.size(); }
    [[nodiscard]] bool all_ready() const { return ready_.size() == units_; }
    // Of the last one that is ready.
    [[nodiscard]] std::uint64_t needed() const { return needed_.empty() ? 0 : needed_.back(); }
    [[nodiscard]] std::optional<model::SurveyResult> take_part() {
        const std::size_t size = part_size(taken_);
        if (taken_ + size >= units_ || taken_ + size > ready_.size()) {
            return std::nullopt;
        }
        return part(size, model::Outcome::kComplete);
    }
    [[nodiscard]] model::SurveyResult take_rest(model::Outcome outcome) {
        return part(ready_.size() - taken_, outcome);
    }
    [[nodiscard]] std::size_t bytes() const {
        return ready_.capacity() * sizeof(model::UnitPath) +
               needed_.capacity() * sizeof(std::uint64_t);
    }

  private:
    [[nodiscard]] model::SurveyResult part(std::size_t units, model::Outcome outcome) {
        const auto from = ready_.begin() + static_cast<std::ptrdiff_t>(taken_);
        model::SurveyResult result;
        result.outcome = outcome;
        taken_ += units;
        result.expansions = taken_ == 0 ? 0 : needed_[taken_ - 1];
        model::GroupPaths paths;
        paths.units.assign(std::make_move_iterator(from),
                           std::make_move_iterator(from + static_cast<std::ptrdiff_t>(units)));
        result.body = std::move(paths);
        return result;
    }

    std::size_t units_{0};
    std::vector<model::UnitPath> ready_;
    std::vector<std::uint64_t> needed_;
    std::size_t taken_{0};
};

}  // namespace outrider::search
