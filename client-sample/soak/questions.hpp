#pragma once
// What:     random surveys of every kind, and whether an answer to one is right.
// Contract: the same dice give the same questions. A question is valid on its layer.
// Cost:     an answer is checked by the same search again, in this process.

#include <optional>
#include <string>
#include <vector>

#include "load/dice.hpp"
#include "outrider/map/layer.hpp"
#include "outrider/model/survey.hpp"

namespace outrider::soak {

class Questions {
  public:
    // Needs a layer with an open cell; reads it during construction only.
    Questions(const map::Layer& layer, std::uint64_t seed);

    [[nodiscard]] model::Survey next();
    // Searched by the textbook, so that it takes its time.
    [[nodiscard]] model::PathQuery long_way();

  private:
    [[nodiscard]] model::Cell open_cell();
    [[nodiscard]] std::vector<model::Cell> open_cells(std::int32_t least, std::int32_t most);
    [[nodiscard]] model::Goal goal();

    std::int32_t width_;
    std::int32_t height_;
    std::vector<model::Cell> open_;
    load::Dice dice_;
};

// Nothing, or what is wrong. Units of a group may come in any order.
[[nodiscard]] std::optional<std::string> fault_of(const map::Layer& layer,
                                                  const model::Survey& survey,
                                                  model::SurveyResult answer);

}  // namespace outrider::soak
