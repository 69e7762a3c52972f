#include "outrider/client/connection.hpp"

#include <algorithm>
#include <asio/connect.hpp>
#include <asio/post.hpp>
#include <utility>

#include "outrider/client/frame_output.hpp"

namespace outrider::client {
namespace {

// So that one late or lost turn of the thread does not end a quiet session.
constexpr int kPingsPerIdleTimeout = 3;
// However short the idle timeout that a server announces: no ping after every answer.
constexpr std::chrono::milliseconds kQuietMin{1};

Failure closed(std::string message) {
    return {FailureKind::kClosed, std::move(message), std::nullopt};
}

// A refusal, or an answer that keeps nothing alive.
bool begins_no_follow(const codec::ServerMessage& reply) {
    if (std::holds_alternative<model::Refusal>(reply.body)) {
        return true;
    }
    const auto* part = std::get_if<codec::PathPart>(&reply.body);
    if (part == nullptr || !part->head) {
        return false;
    }
    return !model::keeps_following(part->head->outcome);
}

}  // namespace

Client::Connection::Connection(asio::io_context& context, const Options& options)
    : context_(context),
      options_(options),
      resolver_(context),
      transport_(context),
      connect_timer_(context),
      quiet_timer_(context),
      frames_(wire::kServerFrameBytesMax) {}

void Client::Connection::start(Callback<codec::Welcome> welcomed) {
    asio::post(context_, [self = shared_from_this(), welcomed = std::move(welcomed)]() mutable {
        self->welcomed_ = std::move(welcomed);
        self->connect_timer_.expires_after(self->options_.connect_timeout);
        self->connect_timer_.async_wait([self](const asio::error_code& error) {
            if (!error) {
                self->end({FailureKind::kTimeout,
                           "no welcome from " + self->options_.host + ":" + self->options_.port +
                               " within " + std::to_string(self->options_.connect_timeout.count()) +
                               " ms",
                           std::nullopt});
            }
        });
        if (const auto& tls = self->options_.tls) {
            const auto shared = tls_context_of(*tls);
            if (!shared) {
                self->end(closed(shared.error().message));
                return;
            }
            self->transport_.use_tls(*shared, *tls, self->options_.host);
        }
        self->resolver_.async_resolve(self->options_.host, self->options_.port,
                                      [self](const asio::error_code& error, const auto& endpoints) {
                                          if (error) {
                                              self->broken("no address for", error.message());
                                          } else {
                                              self->on_resolved(endpoints);
                                          }
                                      });
    });
}

void Client::Connection::on_resolved(const asio::ip::tcp::resolver::results_type& endpoints) {
    asio::async_connect(transport_.socket(), endpoints,
                        [self = shared_from_this()](const asio::error_code& error, const auto&) {
                            if (error) {
                                self->broken("cannot connect to", error.message());
                            } else {
                                self->on_connected();
                            }
                        });
}

void Client::Connection::on_connected() {
    asio::error_code ignored;
    // Requests are already gathered into large writes; waiting for more would only add latency.
    transport_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    transport_.shake_hands([self = shared_from_this()](const asio::error_code& error) {
        if (error) {
            self->broken("cannot speak TLS with", self->transport_.why(error));
        } else {
            self->say_hello();
        }
    });
}

void Client::Connection::say_hello() {
    {
        const base::Lock lock(mutex_);
        started_ = true;
    }
    Callback<codec::Welcome> done = [self = shared_from_this()](Result<codec::Welcome> result) {
        self->on_welcome(std::move(result));
    };
    Call hello{codec::Hello{codec::kProtocolVersion, options_.token, options_.client_name},
               std::move(done), std::nullopt};
    call({&hello, 1});
    read();
}

void Client::Connection::on_welcome(Result<codec::Welcome> result) {
    connect_timer_.cancel();
    if (result && result->limits.idle_timeout.count() > 0) {
        quiet_max_ = std::max(result->limits.idle_timeout / kPingsPerIdleTimeout, kQuietMin);
        keep_alive();
    }
    if (welcomed_) {
        std::exchange(welcomed_, nullptr)(std::move(result));
    }
}

void Client::Connection::keep_alive() {
    if (!open()) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    auto next = last_write_ + quiet_max_;
    if (next <= now) {
        Call ping{codec::Ping{}, Callback<codec::Pong>([](const Result<codec::Pong>&) {}),
                  std::nullopt};
        call({&ping, 1});
        next = now + quiet_max_;
    }
    quiet_timer_.expires_at(next);
    quiet_timer_.async_wait([self = shared_from_this()](const asio::error_code& error) {
        if (!error) {
            self->keep_alive();
        }
    });
}

model::RequestId Client::Connection::call(std::span<Call> calls) {
    std::optional<Failure> failure;
    bool must_flush = false;
    std::uint64_t first = 0;
    {
        const base::Lock lock(mutex_);
        first = next_id_;
        if (over_) {
            failure = over_;
        } else if (unsent_.size() > options_.unsent_bytes_max) {
            failure = Failure{FailureKind::kBusy, "the server does not read: too much is unsent",
                              std::nullopt};
        } else {
            FrameOutput output(unsent_);
            for (Call& call : calls) {
                const std::uint64_t id = next_id_++;
                if (call.follow) {
                    const auto format = std::get<codec::PathRequest>(call.body).format;
                    follows_.emplace(id, Following{std::move(*call.follow), format, {}, {}});
                }
                if (call.watch) {
                    const auto map = std::get<codec::MapStateRequest>(call.body).map;
                    watches_.emplace(id, Watched{map, std::move(*call.watch)});
                }
                encoder_.encode({{id}, std::move(call.body)}, output);
                pending_.emplace(id, std::move(call.pending));
            }
            counters_.sent += calls.size();
            must_flush = !std::exchange(write_under_way_, true);
        }
    }
    if (failure) {
        for (const Call& call : calls) {
            fail_call(call.pending, *failure);
        }
    } else if (must_flush) {
        asio::post(context_, [self = shared_from_this()] { self->flush(); });
    }
    return {first};
}

void Client::Connection::flush() {
    {
        const base::Lock lock(mutex_);
        in_flight_.clear();
        std::swap(in_flight_, unsent_);
        if (in_flight_.empty() || over_) {
            write_under_way_ = false;
            return;
        }
        ++counters_.writes;
    }
    last_write_ = std::chrono::steady_clock::now();
    transport_.write(asio::buffer(in_flight_.data(), in_flight_.size()),
                     [self = shared_from_this()](const asio::error_code& error, std::size_t) {
                         // After a failed write the reader still finds the server's Goodbye, and
                         // ends the connection with its reason.
                         if (!error) {
                             self->flush();
                         }
                     });
}

void Client::Connection::read() {
    const std::span<std::byte> room = frames_.prepare();
    transport_.read_some(
        asio::buffer(room.data(), room.size()),
        [self = shared_from_this()](const asio::error_code& error, std::size_t bytes) {
            if (error && self->goodbye_) {
                self->end(*self->goodbye_);
            } else if (error) {
                self->broken("lost the connection to", self->transport_.why(error));
            } else {
                self->on_read(bytes);
            }
        });
}

void Client::Connection::on_read(std::size_t bytes) {
    frames_.commit(bytes);
    while (true) {
        const auto frame = frames_.next();
        if (!frame) {
            end({FailureKind::kProtocol,
                 "the server sent a bad frame: " + std::string(wire::name_of(frame.error())),
                 std::nullopt});
            return;
        }
        if (!*frame) {
            break;
        }
        if (!on_frame(**frame)) {
            return;
        }
    }
    if (open()) {
        read();
    }
}

bool Client::Connection::on_frame(std::span<const std::byte> frame) {
    auto message = decoder_.decode(frame);
    if (!message) {
        end({FailureKind::kProtocol, "the server sent a bad message: " + message.error().message,
             std::nullopt});
        return false;
    }
    if (auto* goodbye = std::get_if<codec::Goodbye>(&message->body)) {
        goodbye_ =
            closed("the server closed the connection: " + failure_of(goodbye->reason).message);
        goodbye_->refusal = goodbye->reason;
        return true;
    }
    if (std::holds_alternative<codec::MapEdited>(message->body)) {
        on_push(*message);
        return true;
    }
    if (std::holds_alternative<codec::MapDropped>(message->body)) {
        on_map_dropped(*message);
        return true;
    }
    if (std::holds_alternative<codec::PathPushPart>(message->body)) {
        return on_path_push(*message);
    }
    std::expected<Completion, std::string> completion;
    // What a refused watch or follow holds goes where no lock is held.
    decltype(watches_)::node_type refused_watch;
    decltype(follows_)::node_type unbegun_follow;
    {
        const base::Lock lock(mutex_);
        if (over_) {
            // A callback has closed the connection; its calls have ended already.
            return false;
        }
        const auto found = pending_.find(message->id.value);
        if (found == pending_.end()) {
            ++counters_.unexpected;
            return true;
        }
        if (std::holds_alternative<model::Refusal>(message->body)) {
            refused_watch = watches_.extract(message->id.value);
        }
        if (begins_no_follow(*message)) {
            unbegun_follow = follows_.extract(message->id.value);
        }
        bool finished = false;
        completion = accept_reply(found->second, std::move(*message), finished);
        if (finished) {
            ++counters_.answered;
            pending_.erase(found);
        }
    }
    if (!completion) {
        end({FailureKind::kProtocol, "the server sent a bad reply: " + completion.error(),
             std::nullopt});
        return false;
    }
    if (*completion) {
        (*completion)();
    }
    return true;
}

void Client::Connection::broken(std::string_view what, const std::string& why) {
    end(closed(std::string(what) + " " + options_.host + ":" + options_.port + ": " + why));
}

void Client::Connection::end(const Failure& failure) {
    std::unordered_map<std::uint64_t, Pending> pending;
    std::unordered_map<std::uint64_t, Watched> watches;
    std::unordered_map<std::uint64_t, Following> follows;
    {
        const base::Lock lock(mutex_);
        if (over_) {
            return;
        }
        over_ = failure;
        std::swap(pending, pending_);
        std::swap(watches, watches_);
        std::swap(follows, follows_);
    }
    connect_timer_.cancel();
    quiet_timer_.cancel();
    resolver_.cancel();
    transport_.close();
    for (const auto& [id, call] : pending) {
        fail_call(call, failure);
    }
    for (const auto& [id, watched] : watches) {
        if (watched.watch.on_end) {
            watched.watch.on_end(failure);
        }
    }
    for (const auto& [id, following] : follows) {
        if (following.follow.on_end) {
            following.follow.on_end(failure);
        }
    }
    if (welcomed_) {
        std::exchange(welcomed_, nullptr)(std::unexpected(failure));
    }
}

void Client::Connection::forget_watches(model::MapId map) {
    const base::Lock lock(mutex_);
    std::erase_if(watches_, [map](const auto& entry) { return entry.second.map == map; });
}

bool Client::Connection::open() const {
    const base::Lock lock(mutex_);
    return started_ && !over_;
}

Counters Client::Connection::counters() const {
    const base::Lock lock(mutex_);
    return counters_;
}

}  // namespace outrider::client
