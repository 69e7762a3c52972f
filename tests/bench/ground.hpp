#pragma once
// What:     a map with one movement class, ready to be asked.
// Contract: what cannot be loaded ends the program with one sentence: a benchmark has no caller.

#include <memory>
#include <string>

#include "outrider/map/store.hpp"

namespace outrider::bench {

struct Ground {
    std::unique_ptr<map::Store> store;
    std::shared_ptr<const map::Snapshot> snapshot;

    // The same cells with landmarks, where there are any; else null.
    std::shared_ptr<const map::Snapshot> with_landmarks;

    [[nodiscard]] const map::Layer& layer() const { return *snapshot->layer({0}); }
    // What a server answers from once it has been up for a second.
    [[nodiscard]] const map::Layer& settled_layer() const {
        return with_landmarks == nullptr ? layer() : *with_landmarks->layer({0});
    }
    [[nodiscard]] bool connected(model::Cell a, model::Cell b) const {
        const map::Regions& regions = layer().regions();
        return layer().open(a) && layer().open(b) && regions.component(a) == regions.component(b);
    }
};

[[nodiscard]] Ground ground_of(map::Grid grid, model::MovementClass who = model::ground_class());

// Prints `message` and ends the program with 1.
[[noreturn]] void give_up(const std::string& message);

}  // namespace outrider::bench
