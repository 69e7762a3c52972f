#pragma once
// What:     the engine's way into a session: replies, pushes and edits from any thread, picked up
//           by the session's own thread.
// Contract: order of arrival is kept. However many letters arrive, the session is woken once until
//           it has looked. A letter that finds no memory is lost, and failed() from then on: the
//           session must end, since one of its replies will never come.
// Threads:  the functions whose names begin with on_: any. The rest: the session's.
// Cost:     a lock and a move a letter; a wake-up a batch.

#include <expected>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/codec/messages.hpp"
#include "outrider/engine/engine.hpp"

namespace outrider::net {

struct EditLetter {
    model::MapId map;
    model::Version version{};
    std::shared_ptr<const model::EditBatch> batch;
};
struct DropLetter {
    model::MapId map;
    model::MapId successor;  // 0: none
};
// The end of an order to load or drop a map.
struct MapLetter {
    model::RequestId id;
    std::expected<std::variant<codec::LoadMapReply, codec::DropMapReply>, model::Refusal> body;
};
using Letter = std::variant<model::PathReply, EditLetter, model::PathPush, model::SurveyReply,
                            model::LegPush, DropLetter, MapLetter>;

class Mailbox final : public engine::Sink {
  public:
    using OnSlow = std::function<void(const engine::SlowRequest&)>;
    // Both are called with the lock held, and not after close(): `wake` must only post, `on_slow`
    // must not call the mailbox and not throw.
    explicit Mailbox(std::function<void()> wake, OnSlow on_slow = {})
        : wake_(std::move(wake)), on_slow_(std::move(on_slow)) {}

    void on_reply(model::PathReply reply) override { put(std::move(reply)); }
    void on_edit(model::MapId map, model::Version version,
                 std::shared_ptr<const model::EditBatch> batch) override {
        put(EditLetter{map, version, std::move(batch)});
    }

    void on_map_dropped(model::MapId map, model::MapId successor) override {
        put(DropLetter{map, successor});
    }
    void on_map_done(MapLetter letter) { put(std::move(letter)); }
    // A letter that could not even be written.
    void on_loss() OUTRIDER_EXCLUDES(mutex_) {
        const base::Lock lock(mutex_);
        failed_ = true;
    }

    void on_push(model::PathPush push) override { put(std::move(push)); }
    void on_survey(model::SurveyReply reply) override { put(std::move(reply)); }
    void on_leg(model::LegPush push) override { put(std::move(push)); }
    void on_slow(const engine::SlowRequest& request) override OUTRIDER_EXCLUDES(mutex_) {
        const base::Lock lock(mutex_);
        if (!closed_ && on_slow_) {
            on_slow_(request);
        }
    }

    // The session will look anyway: no wake-ups until collect().
    void expect() OUTRIDER_EXCLUDES(mutex_) {
        const base::Lock lock(mutex_);
        woken_ = true;
    }
    // Hands out what is there in `letters`, whose capacity is used again.
    void collect(std::vector<Letter>& letters) OUTRIDER_EXCLUDES(mutex_) {
        letters.clear();
        const base::Lock lock(mutex_);
        letters.swap(letters_);
        woken_ = false;
    }
    [[nodiscard]] bool failed() const OUTRIDER_EXCLUDES(mutex_) {
        const base::Lock lock(mutex_);
        return failed_;
    }
    // Nothing is taken from here on, and nobody woken.
    void close() OUTRIDER_EXCLUDES(mutex_) {
        const base::Lock lock(mutex_);
        closed_ = true;
        letters_.clear();
    }

  private:
    void put(Letter letter) OUTRIDER_EXCLUDES(mutex_) {
        const base::Lock lock(mutex_);
        if (closed_) {
            return;
        }
        try {
            letters_.push_back(std::move(letter));
            if (!std::exchange(woken_, true)) {
                wake_();
            }
        } catch (...) {
            failed_ = true;
        }
    }

    mutable base::Mutex mutex_;
    std::vector<Letter> letters_ OUTRIDER_GUARDED_BY(mutex_);
    bool woken_ OUTRIDER_GUARDED_BY(mutex_){false};
    bool closed_ OUTRIDER_GUARDED_BY(mutex_){false};
    bool failed_ OUTRIDER_GUARDED_BY(mutex_){false};
    const std::function<void()> wake_;
    const OnSlow on_slow_;
};

}  // namespace outrider::net
