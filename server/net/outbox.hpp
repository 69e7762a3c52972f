#pragma once
// What:     what waits for one client: encoded bytes, and behind them in order of arrival what is
//           not encoded yet. A long path or a map is encoded part by part as the bytes drain, so
//           that it never sits here whole.
// Contract: order of arrival is kept. waiting_bytes() counts both kinds, encoded or not.
// Threads:  the session's.
// Cost:     a reply of ordinary length goes straight into the one buffer that the next write takes.

#include <cstddef>
#include <deque>
#include <expected>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "outrider/codec/server_codec.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::net {

// A map state that was asked for; the map is copied only when its turn comes.
struct StateAsk {
    model::RequestId id;
    model::MapId map;
    bool watch{false};
};

class StateSource;
struct CloseState {
    void operator()(StateSource* source) const noexcept;
};
// A place among the map states that are being sent; given back with this.
using StatePlace = std::unique_ptr<StateSource, CloseState>;

struct OpenState {
    StatePlace place;
    codec::MapState state;
};

// Where map states come from: the session, which asks the engine.
class StateSource {
  public:
    virtual ~StateSource() = default;
    // A refusal is sent as it is, and nobody else counts it.
    [[nodiscard]] virtual std::expected<OpenState, model::Refusal> open_state(
        const StateAsk& ask) = 0;
    virtual void close_state() noexcept = 0;
};

inline void CloseState::operator()(StateSource* source) const noexcept {
    source->close_state();
}

struct EditPush {
    model::RequestId id;
    model::MapId map;
    model::Version version{};
    std::shared_ptr<const model::EditBatch> batch;
};

class Outbox final : private codec::Output {
  public:
    // Encoded ahead of the socket: enough that a system call is little beside it, and not more than
    // other sessions of the thread can wait for. The last part may go beyond.
    static constexpr std::size_t kEncodeAheadBytes = 32U << 10U;

    Outbox(codec::ReplyEncoder& encoder, StateSource& source);
    ~Outbox() override;

    // Encodes a small message: `encode` is called once with (encoder, output).
    template <class Encode>
    void small(const Encode& encode) {
        if (items_.empty()) {
            target_ = &buffer_;
            encode(encoder_, static_cast<codec::Output&>(*this));
            return;
        }
        wire::Bytes frame;
        target_ = &frame;
        encode(encoder_, static_cast<codec::Output&>(*this));
        const std::size_t bytes = frame.size();
        push(std::move(frame), bytes);
    }
    void path(model::RequestId id, model::PathAnswer answer, codec::PathFormat format);
    // Needs a push that holds an answer.
    void path(const model::PathPush& push, codec::PathFormat format);
    // One part of the engine's. Needs a reply that holds an answer.
    void survey(const model::SurveyReply& reply, codec::PathFormat format);
    void edit(EditPush push);
    void state(const StateAsk& ask);
    // A watch that was asked for and has not begun will not begin.
    void forget_watch(model::MapId map);
    // Forgets what is not encoded yet.
    void drop_items();

    // What the next write may take; encodes first what is waiting. Empty when nothing waits.
    [[nodiscard]] std::span<const std::byte> ready();
    void consume(std::size_t bytes);

    [[nodiscard]] bool empty() const { return begin_ == buffer_.size() && items_.empty(); }
    [[nodiscard]] std::size_t waiting_bytes() const {
        return buffer_.size() - begin_ + item_bytes_;
    }

  private:
    struct StateSent {
        StatePlace place;  // goes when the copy of the map has
        codec::MapStateCursor cursor;
    };
    using Payload = std::variant<codec::PathCursor, codec::SurveyCursor, StateSent, StateAsk,
                                 EditPush, wire::Bytes>;
    struct Item {
        Payload payload;
        std::size_t bytes{};
    };

    std::span<std::byte> message_space(std::size_t bytes) override;
    template <class Cursor>
    void put(Cursor cursor, std::size_t bytes);
    void encode_part(codec::PathCursor& cursor) { encoder_.path_part(cursor, *this); }
    void encode_part(codec::SurveyCursor& cursor) { encoder_.survey_part(cursor, *this); }
    void encode_part(codec::MapStateCursor& cursor) { encoder_.map_state_part(cursor, *this); }
    void push(Payload payload, std::size_t bytes);
    void pop();
    void encode_front();

    codec::ReplyEncoder& encoder_;
    StateSource& source_;
    wire::Bytes buffer_;
    std::size_t begin_{0};
    std::deque<Item> items_;
    std::size_t item_bytes_{0};
    wire::Bytes* target_{nullptr};
};

}  // namespace outrider::net
