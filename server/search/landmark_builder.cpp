#include "outrider/search/landmark_builder.hpp"

#include <algorithm>
#include <utility>

namespace outrider::search {

using map::Landmarks;

LandmarkBuilder::LandmarkBuilder(std::shared_ptr<const map::Layer> terrain)
    : layer_(std::move(terrain)), across_(Landmarks::blocks(layer_->width())) {}

bool LandmarkBuilder::step(std::uint64_t cells_max) {
    const auto width = static_cast<std::uint64_t>(layer_->width());
    std::uint64_t done = 0;
    while (stage_ != Stage::kDone && done < cells_max) {
        switch (stage_) {
            case Stage::kSurvey: survey_row(); break;
            case Stage::kFarthest: farthest_in_row(); break;
            case Stage::kWrite: write_row(); break;
            case Stage::kSeed:
            case Stage::kLane: {
                const std::uint64_t before = field_.expansions();
                if (!field_.step(cells_max - done)) {
                    stage_ = stage_ == Stage::kSeed ? Stage::kFarthest : Stage::kWrite;
                    row_ = 0;
                    far_ = 0;
                    far_cell_ = landmark_;
                }
                done += field_.expansions() - before;
                continue;
            }
            case Stage::kDone: break;
        }
        done += width;
    }
    return stage_ != Stage::kDone;
}

std::shared_ptr<const map::Landmarks> LandmarkBuilder::take() {
    if (!cells_) {
        return nullptr;
    }
    return std::make_shared<const Landmarks>(layer_->width(), layer_->height(),
                                             field_.unit() << quantum_shift_, std::move(cells_));
}

void LandmarkBuilder::begin_field(model::Cell source, Stage then) {
    landmark_ = source;
    field_.begin(*layer_, {&landmark_, 1});
    stage_ = then;
}

// Counts the cells of each component, run by run: a run is of one component.
void LandmarkBuilder::survey_row() {
    Component* run = nullptr;
    for (model::Cell cell{0, row_}; cell.x < layer_->width(); ++cell.x) {
        if (!layer_->open(cell)) {
            run = nullptr;
            continue;
        }
        if (run == nullptr) {
            run = &components_.try_emplace(layer_->regions().component(cell), Component{0, cell})
                       .first->second;
        }
        ++run->cells;
    }
    if (++row_ == layer_->height()) {
        choose_component();
    }
}

void LandmarkBuilder::choose_component() {
    const Component* best = nullptr;
    for (const auto& [id, component] : components_) {
        const auto order = [](const Component& one) {
            return std::pair(one.cells, std::pair(-one.first.y, -one.first.x));
        };
        if (best == nullptr || order(component) > order(*best)) {
            best = &component;
        }
    }
    if (best == nullptr) {
        stage_ = Stage::kDone;
        return;
    }
    begin_field(best->first, Stage::kSeed);
    components_.clear();
}

void LandmarkBuilder::farthest_in_row() {
    for (model::Cell cell{0, row_}; cell.x < layer_->width(); ++cell.x) {
        const model::Cost distance = field_.distance(cell);
        if (distance != Field::kUnreached && distance > far_) {
            far_ = distance;
            far_cell_ = cell;
        }
    }
    if (++row_ == layer_->height()) {
        choose_quantum();
    }
}

// No two cells of the component are farther apart than twice the farthest from any cell.
void LandmarkBuilder::choose_quantum() {
    while (((2 * far_) >> quantum_shift_) >= Landmarks::kUnknown) {
        ++quantum_shift_;
    }
    cells_ = std::make_unique_for_overwrite<Quanta[]>(
        Landmarks::storage_cells(layer_->width(), layer_->height()));
    begin_field(far_cell_, Stage::kLane);
}

void LandmarkBuilder::write_row() {
    for (model::Cell cell{0, row_}; cell.x < layer_->width(); ++cell.x) {
        const model::Cost distance = field_.distance(cell);
        Quanta& quanta = at(cell);
        if (distance == Field::kUnreached) {
            quanta.lanes[lane_] = Landmarks::kUnknown;
            continue;
        }
        quanta.lanes[lane_] = static_cast<std::uint16_t>(distance >> quantum_shift_);
        std::uint16_t nearest = Landmarks::kUnknown;
        for (std::size_t i = 0; i <= lane_; ++i) {
            nearest = std::min(nearest, quanta.lanes[i]);
        }
        if (nearest > far_) {
            far_ = nearest;
            far_cell_ = cell;
        }
    }
    if (++row_ == layer_->height()) {
        end_lane();
    }
}

void LandmarkBuilder::end_lane() {
    if (++lane_ == Landmarks::kCount) {
        stage_ = Stage::kDone;
    } else {
        begin_field(far_cell_, Stage::kLane);
    }
}

}  // namespace outrider::search
