#pragma once
// What:     puts the parts of one path reply, of a survey's or of one map state together again.
// Contract: add() parts in the order of arrival; when it returns true the value is whole and take()
//           hands it out. Parts that do not fit (a step off the map, rows out of order, too many
//           cells) give an error, and the assembler is of no more use.
// Threads:  one at a time.
// Cost:     memory grows with what arrived.

#include <optional>
#include <variant>
#include <vector>

#include "outrider/base/result.hpp"
#include "outrider/codec/messages.hpp"

namespace outrider::codec {

class PathAssembler {
  public:
    [[nodiscard]] base::Result<bool> add(PathPart part);
    [[nodiscard]] PathReply take() { return std::move(reply_); }

  private:
    PathReply reply_;
    bool started_{false};
    model::Cell last_explored_{};
};

// Of a group, take() may be called after each part: it hands out the units that have their whole
// paths since the last one. Units and goals that were not asked for are an error, and so is one
// that comes twice.
class SurveyAssembler {
  public:
    explicit SurveyAssembler(const model::Survey& survey);
    [[nodiscard]] bool is_group() const { return is_group_; }
    [[nodiscard]] base::Result<bool> add(SurveyPart part);
    [[nodiscard]] SurveyReply take();

  private:
    struct Adder;
    [[nodiscard]] base::Result<void> check_end();

    SurveyReply reply_;
    bool is_group_;
    bool started_{false};
    std::vector<bool> seen_;
    // The way that goes on in the next part, and what is there of it.
    std::optional<std::uint32_t> open_;
    std::variant<std::monostate, model::UnitPath, model::NearestGoal> way_;
    std::size_t matrix_cells_{0};
    std::size_t cells_{0};    // of the runs or steps
    std::size_t leading_{0};  // cells of a field with a way
    model::Cost last_cost_{0};
    bool asks_field_costs_{false};
    std::vector<model::Cost> field_costs_;
};

class MapStateAssembler {
  public:
    [[nodiscard]] base::Result<bool> add(MapStatePart part);
    [[nodiscard]] MapState take() { return std::move(state_); }

  private:
    MapState state_;
    bool started_{false};
};

}  // namespace outrider::codec
