#include "bench/ground.hpp"

#include <cstdio>
#include <cstdlib>

#include "support/landmarks.hpp"

namespace outrider::bench {

Ground ground_of(map::Grid grid, model::MovementClass who) {
    auto store = map::Store::create(std::move(grid), {std::move(who)});
    if (!store) {
        give_up(store.error().message);
    }
    Ground ground{std::move(*store), nullptr, nullptr};
    ground.snapshot = ground.store->snapshot();
    const std::size_t cells = static_cast<std::size_t>(ground.snapshot->width()) *
                              static_cast<std::size_t>(ground.snapshot->height());
    if (cells >= map::Landmarks::kMapCellsMin) {
        test::add_landmarks(*ground.store, {0});
        ground.with_landmarks = ground.store->snapshot();
    }
    return ground;
}

void give_up(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
}

}  // namespace outrider::bench
