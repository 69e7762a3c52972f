#include "outrider/engine/effects.hpp"

namespace outrider::engine {

void Effects::make_room_for(const Job& job) {
    const auto room = [](auto& list, std::size_t more) {
        if (list.capacity() - list.size() < more) {
            list.reserve(2 * list.size() + more);
        }
    };
    room(released, job.snapshot ? 1 : 0);
    room(maps, job.map->dropped() ? 1 : 0);
    room(answered, job.survey() != nullptr ? 1 : 0);
    room(discarded, job.held.size());
}

}  // namespace outrider::engine
