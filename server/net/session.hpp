#pragma once
// What:     one client's connection, from the accept to the last byte.
// Contract: states: hello -> open -> closing -> closed; proto/README.md draws them. close_with()
//           ends the session with a Goodbye, hang_up() without. An exception in a step of the
//           session, such as want of memory, ends this session and no other.
// Threads:  lives on its I/O thread; only the mailbox is written by others.

#include <array>
#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/codec/server_codec.hpp"
#include "outrider/net/addresses.hpp"
#include "outrider/net/mailbox.hpp"
#include "outrider/net/map_log.hpp"
#include "outrider/net/names.hpp"
#include "outrider/net/outbox.hpp"
#include "outrider/net/share.hpp"
#include "outrider/net/shared.hpp"
#include "outrider/net/stream.hpp"
#include "outrider/net/ticker.hpp"
#include "outrider/net/turn_queue.hpp"
#include "outrider/net/watchdog.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::net {

// What the sessions of one I/O thread have in common.
struct ThreadTools {
    codec::RequestDecoder decoder;
    codec::ReplyEncoder encoder;
    Names names;
    // Never null. Another one takes its place when the operator says so.
    std::shared_ptr<const Config> config;
    TurnQueue turns;
    // Of those that have not shown yet that they read what they ask for.
    TurnQueue newcomers;
    // Where bytes after a Goodbye go, of all sessions: nobody reads it.
    std::array<std::byte, 4096> discard{};
};

// Who has connected.
struct Guest {
    asio::ip::tcp::socket socket;
    std::uint64_t number{};
    AddressKey from{};
};

class Session final : public std::enable_shared_from_this<Session>,
                      public TimeHearer,
                      public TurnTaker,
                      private StateSource {
  public:
    Session(Guest guest, Shared& shared, ThreadTools& tools);
    ~Session() override;

    // Reads until the session has ended. Keeps it alive by `self`.
    static asio::awaitable<void> run(std::shared_ptr<Session> self);

    void on_tick() override;
    // From the line of those with more to do than one turn's worth.
    void take_turn() override;
    // The server drains: say goodbye once everything is answered and written.
    void on_drain();
    // The thread's configuration has changed: the role may have, or the token is no longer one.
    void on_new_config();
    void hang_up(std::string_view why);
    // Hangs up because a step of the session threw.
    void fail() noexcept;
    // Its TLS handshake is under way.
    [[nodiscard]] bool is_greeting() const { return listens() && stream_.is_greeting(); }
    [[nodiscard]] const AddressKey& from() const { return from_; }

  private:
    enum class State : std::uint8_t { kHello, kOpen, kClosing, kClosed };

    // Takes messages: neither closing nor closed.
    [[nodiscard]] bool listens() const { return state_ == State::kHello || state_ == State::kOpen; }

    [[nodiscard]] const Config& config() const { return *tools_.config; }

    template <class Step>
    void guarded(const Step& step) noexcept {
        try {
            step();
        } catch (...) {
            fail();
        }
    }

    // --- session.cpp: the life of the connection
    void take_bytes(std::size_t bytes);
    void pump();
    void decode_frames();
    void note_partial_frame(bool frames_taken);
    void read_mail();
    void write_ready();
    void wait_writable();
    void check_marks();
    void finish_drain();
    void close_with(const model::Refusal& reason);
    void leave_engine();
    void look_at_times();
    void report_outbox();

    // --- session_share.cpp: how much of the thread's time and of memory it may take
    [[nodiscard]] TurnQueue& line() const {
        return share_.has_proven() ? tools_.turns : tools_.newcomers;
    }
    void use_turn();
    [[nodiscard]] bool turn_is_over();
    void size_send_buffer();
    void note_written(std::size_t bytes);
    [[nodiscard]] std::size_t high_mark() const {
        return share_.bytes_held(config().outbox_high_bytes);
    }

    // --- session_tls.cpp: the connection before it can carry a message
    [[nodiscard]] static asio::awaitable<void> greet_tls(Session& session);
    // Closes where a Goodbye cannot be understood.
    void end_unheard(std::string_view why);

    // --- session_access.cpp: who may ask for what, and how much
    // Refuses the message and is false, or takes it from the token's rates.
    [[nodiscard]] bool lets_pass(const codec::ClientMessage& message);
    // Takes one message with so many edits in it from the token's rates, or says why not.
    [[nodiscard]] std::optional<model::Refusal> take_from_rates(std::uint64_t edits);
    void refuse_message(const codec::ClientMessage& message, const model::Refusal& refusal);
    // What an answer or a push has cost.
    void charge(std::uint64_t expansions);
    // False when nobody with that token may come in.
    [[nodiscard]] bool take_token(std::string_view token);
    [[nodiscard]] bool find_role();
    // Among the sessions by role; none: no longer one.
    void count_as(std::optional<Role> role);

    // --- dispatch.cpp: what messages mean
    void take_frame(std::span<const std::byte> bytes);
    void take_rejection(const codec::Rejection& rejection);
    void refuse(model::RequestId id, const model::Refusal& refusal);
    // With a final reply that is one message.
    template <class Encode>
    void answer(const Encode& encode) {
        ++replies_;
        outbox_.small(encode);
    }
    [[nodiscard]] std::optional<model::Refusal> refusal_of_drain() const;
    [[nodiscard]] bool refuse_if_draining(model::RequestId id);
    void greet(model::RequestId id, const codec::Hello& hello);
    [[nodiscard]] codec::Welcome welcome() const;
    void handle(model::RequestId id, codec::Hello&& hello);
    void handle(model::RequestId id, codec::PathRequest&& request);
    void handle(model::RequestId id, codec::EditRequest&& request);
    void handle(model::RequestId id, codec::CancelRequest&& request);
    void handle(model::RequestId id, codec::Ping&& ping);
    void handle(model::RequestId id, codec::StatsRequest&& request);
    void handle(model::RequestId id, codec::SurveyRequest&& request);
    void handle(model::RequestId id, codec::ListMapsRequest&& request);
    void handle(model::RequestId id, codec::MapStateRequest&& request);
    void handle(model::RequestId id, codec::UnwatchRequest&& request);
    void handle(model::RequestId id, codec::AddClassRequest&& request);
    void handle(model::RequestId id, codec::ProgressRequest&& request);
    // dispatch_maps.cpp
    void handle(model::RequestId id, codec::LoadMapRequest&& request);
    void handle(model::RequestId id, codec::DropMapRequest&& request);
    void deliver(DropLetter&& drop);
    void deliver(MapLetter&& done);
    [[nodiscard]] MapAsker map_asker() const;
    // Also tells the log.
    void refuse_map(model::RequestId id, const MapAsk& ask, const model::Refusal& refusal);
    // On the thread of maps; its end comes back as a letter.
    template <class Work>
    void work_on_maps(model::RequestId id, const MapAsk& ask, const Work& work);
    void deliver(model::PathReply&& reply);
    void deliver(EditLetter&& edit);
    void deliver(model::PathPush&& push);
    void deliver(model::SurveyReply&& reply);
    void deliver(model::LegPush&& push);
    std::expected<OpenState, model::Refusal> open_state(const StateAsk& ask) override;
    std::expected<OpenState, model::Refusal> try_open_state(const StateAsk& ask);
    void close_state() noexcept override;

    struct Watch {
        model::RequestId id;
        model::Version version{};  // the last one that the client knows
    };

    Stream stream_;
    asio::steady_timer resume_;  // cancelled to wake the reader out of a pause
    Shared& shared_;
    ThreadTools& tools_;
    const std::uint64_t number_;
    const AddressKey from_;
    State state_{State::kHello};
    wire::FrameReader reader_;
    Outbox outbox_;
    std::shared_ptr<Mailbox> mailbox_;
    std::vector<Letter> letters_;
    SessionTimes times_;
    base::TimePoint closing_since_{};
    base::TimePoint now_{};
    bool in_line_{false};
    bool has_turn_{false};
    Share share_;
    bool write_waits_{false};
    bool shut_{false};

    std::optional<model::ClientId> client_;
    std::string client_name_;
    std::string peer_;
    TokenDigest digest_{};
    Role role_{Role::kPlayer};
    std::optional<Role> counted_as_;
    std::string token_name_;
    std::shared_ptr<Allowance> allowance_;  // from the greeting on
    std::size_t in_flight_{0};
    std::size_t follows_{0};  // whose first answer has come and whose last push has not
    std::map<model::MapId, Watch> watches_;
    std::uint64_t requests_{0};
    std::uint64_t replies_{0};
    std::size_t outbox_reported_{0};
    std::string close_reason_;
};

}  // namespace outrider::net
