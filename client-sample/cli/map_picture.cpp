#include "cli/map_picture.hpp"

#include "outrider/base/check.hpp"

namespace outrider::cli {

Picture picture_of(const map::Snapshot& snapshot, model::ClassId movement_class) {
    const map::Layer* layer = snapshot.layer(movement_class);
    OUTRIDER_CHECK(layer != nullptr);
    const auto& weights = layer->movement_class().weights;
    // A large unit is kept off open ground beside walls, too: no sign of a building there.
    const bool single_cell = layer->movement_class().footprint == 1;
    Picture picture(snapshot.width(), snapshot.height());
    for (int y = 0; y < snapshot.height(); ++y) {
        for (int x = 0; x < snapshot.width(); ++x) {
            const model::Terrain terrain = snapshot.terrain({x, y});
            Pixel& pixel = picture.at(x, y);
            pixel.ground = ground_of(terrain);
            pixel.blocked = !layer->open({x, y});
            if (pixel.blocked && weights[terrain] != 0 && single_cell) {
                pixel.ground = Ground::kBuilding;
            }
        }
    }
    return picture;
}

}  // namespace outrider::cli
