#pragma once
// What:     what is on its way to one client's sink: replies, parts and pushes, in the order in
//           which the engine made them. Private to the engine room.
// Contract: put() under the engine's lock gives each letter its place; deliver() hands letters to
//           the sink in that order, one at a time, with no lock held. So a path never overtakes the
//           order that superseded it, nor a push the reply before it. A letter that is put while
//           another thread delivers goes out on that thread.
// Threads:  put(): under the engine's lock. deliver(): any, with no lock held.
// Cost:     a lock and a move a letter.

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/engine/engine.hpp"

namespace outrider::engine {

using Letter = std::variant<model::PathReply, model::SurveyReply, model::PathPush, model::LegPush>;

class Postbox {
  public:
    explicit Postbox(std::shared_ptr<Sink> sink) : sink_(std::move(sink)) {}

    [[nodiscard]] const std::shared_ptr<Sink>& sink() const { return sink_; }
    void put(Letter letter) OUTRIDER_EXCLUDES(mutex_);
    // How many letters this call has handed out.
    std::size_t deliver() OUTRIDER_EXCLUDES(mutex_);

  private:
    void hand_out(Letter& letter) const;

    const std::shared_ptr<Sink> sink_;
    base::Mutex mutex_;
    std::vector<Letter> letters_ OUTRIDER_GUARDED_BY(mutex_);
    bool delivering_ OUTRIDER_GUARDED_BY(mutex_){false};
};

}  // namespace outrider::engine
