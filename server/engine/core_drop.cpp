#include "outrider/engine/core.hpp"

namespace outrider::engine {

bool Core::end_all_on(MapDrop& drop, Effects& effects) {
    // The requests first: what a follow waits for goes with it, and no request begins a follow
    // behind the second look.
    return end_requests_on(drop, effects) || end_follows_on(drop, effects);
}

bool Core::end_requests_on(MapDrop& drop, Effects& effects) {
    int ends = 0;
    for (int looks = 0; drop.next_job < jobs_.capacity(); ++looks) {
        if (looks == MapDrop::kLooksPerTurn || ends == kEndsPerTurn) {
            return true;
        }
        const Job& job = jobs_[drop.next_job];
        if (job.map != drop.map || job.request_count == 0) {
            ++drop.next_job;
            continue;
        }
        // The first pays: while it stays, the job keeps its place in the queue.
        end_request(job.last_request, std::unexpected(drop.map->refusal()), effects);
        ++ends;
    }
    return false;
}

bool Core::end_follows_on(MapDrop& drop, Effects& effects) {
    int ends = 0;
    for (int looks = 0; drop.next_follow < follows_.capacity(); ++looks) {
        if (looks == MapDrop::kLooksPerTurn || ends == kEndsPerTurn) {
            return true;
        }
        const FollowSlot slot = drop.next_follow;
        if (follows_[slot].live && follows_[slot].map == drop.map) {
            end_follow(slot, std::unexpected(drop.map->refusal()), effects);
            ++ends;
        }
        ++drop.next_follow;
    }
    return false;
}

}  // namespace outrider::engine
