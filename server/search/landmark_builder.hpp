#pragma once
// What:     makes the landmarks of a layer, in steps.
// Contract: the layer is the class's terrain without obstacles. The result depends on the layer
//           alone. Landmarks stand in the largest component: the first as far as can be from that
//           component's first cell, each next one where the nearest landmark is farthest, ties to
//           the smaller row, then column.
// Threads:  one at a time.
// Cost:     nine fields over the component. Memory: what is made, 16 bytes a cell, and meanwhile 8
//           bytes a cell for the field.
// Source:   as map/landmarks.hpp; farthest points: Goldberg, Harrelson 2005.

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "outrider/map/landmarks.hpp"
#include "outrider/map/layer.hpp"
#include "outrider/search/field.hpp"

namespace outrider::search {

class LandmarkBuilder {
  public:
    explicit LandmarkBuilder(std::shared_ptr<const map::Layer> terrain);

    // Works on about `cells_max` cells. False when all is done.
    bool step(std::uint64_t cells_max);
    // After step() returned false, once. Null when every cell is blocked.
    [[nodiscard]] std::shared_ptr<const map::Landmarks> take();

  private:
    using Quanta = map::Landmarks::Quanta;
    enum class Stage : std::uint8_t { kSurvey, kSeed, kFarthest, kLane, kWrite, kDone };
    struct Component {
        std::uint64_t cells{0};
        model::Cell first;
    };

    void begin_field(model::Cell source, Stage then);
    void survey_row();
    void choose_component();
    void farthest_in_row();
    void choose_quantum();
    void write_row();
    void end_lane();
    [[nodiscard]] Quanta& at(model::Cell cell) {
        return cells_[map::Landmarks::index_of(across_, cell.x, cell.y)];
    }

    std::shared_ptr<const map::Layer> layer_;
    std::int32_t across_;
    Stage stage_{Stage::kSurvey};
    std::int32_t row_{0};
    std::unordered_map<map::Component, Component> components_;
    Field field_;
    model::Cell landmark_;
    std::size_t lane_{0};
    // Of the cells seen so far in this pass: the farthest, and how far it is.
    model::Cell far_cell_;
    model::Cost far_{0};
    unsigned quantum_shift_{0};
    std::unique_ptr<Quanta[]> cells_;
};

}  // namespace outrider::search
