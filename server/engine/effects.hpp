#pragma once
// What:     what the core asks for while its lock is held, and its caller carries out without: the
//           replies, and what is to be freed. Private to the engine room.
// Threads:  one at a time.

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "outrider/engine/engine.hpp"
#include "outrider/engine/job.hpp"
#include "outrider/engine/postbox.hpp"

namespace outrider::engine {

// What is to be done once the lock is open again.
struct Effects {
    // Boxes that hold letters, and how many letters were put.
    std::vector<std::shared_ptr<Postbox>> boxes;
    std::size_t letters{};
    // Without memory nothing is posted.
    void post(const std::shared_ptr<Postbox>& box, Letter letter) {
        if (boxes.empty() || boxes.back() != box) {
            boxes.push_back(box);
        }
        box->put(std::move(letter));
        ++letters;
    }
    // So that what the end of the job, or of its last request, leaves finds its place below.
    void make_room_for(const Job& job);
    // Freed outside the lock: the last holder of a snapshot pays for its tiles.
    std::vector<std::shared_ptr<const map::Snapshot>> released;
    std::vector<MapPtr> maps;  // dropped ones
    std::vector<std::shared_ptr<const model::Survey>> answered;
    std::vector<SurveyPart> discarded;
    std::vector<std::unique_ptr<Workbench>> benches;
    std::vector<std::pair<std::shared_ptr<Sink>, SlowRequest>> slow;
};

}  // namespace outrider::engine
