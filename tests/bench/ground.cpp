#include "bench/ground.hpp"

#include <cstdio>
#include <cstdlib>

namespace outrider::bench {
Ground ground_of(map::Grid grid, model::MovementClass who) {
    auto store = map::Store::create(std::move(grid), {std::move(who)});
    if (!store) {
        give_up(store.error().message);
    }
    Ground ground{std::move(*store), nullptr, nullptr};
    ground.snapshot = ground.store->snapshot();
    return ground;
}

void give_up(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
}

}  // namespace outrider::bench
