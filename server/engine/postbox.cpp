#include "outrider/engine/postbox.hpp"

#include <utility>

namespace outrider::engine {

void Postbox::put(Letter letter) {
    const base::Lock lock(mutex_);
    letters_.push_back(std::move(letter));
}

std::size_t Postbox::deliver() {
    std::size_t count = 0;
    bool mine = false;
    std::vector<Letter> batch;
    for (;;) {
        {
            const base::Lock lock(mutex_);
            // Who delivers already, this thread further down its stack included, takes these too.
            if (!mine && delivering_) {
                return 0;
            }
            mine = true;
            batch.clear();
            batch.swap(letters_);
            delivering_ = !batch.empty();
        }
        if (batch.empty()) {
            return count;
        }
        for (Letter& letter : batch) {
            hand_out(letter);
        }
        count += batch.size();
    }
}

void Postbox::hand_out(Letter& letter) const {
    if (auto* reply = std::get_if<model::PathReply>(&letter)) {
        sink_->on_reply(std::move(*reply));
    } else if (auto* survey = std::get_if<model::SurveyReply>(&letter)) {
        sink_->on_survey(std::move(*survey));
    } else if (auto* leg = std::get_if<model::LegPush>(&letter)) {
        sink_->on_leg(std::move(*leg));
    } else {
        sink_->on_push(std::move(std::get<model::PathPush>(letter)));
    }
}

}  // namespace outrider::engine
