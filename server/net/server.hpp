#pragma once
// What:     the server on TCP: sessions of the protocol in proto/README.md in front of an engine.
// Contract: open() takes the address and refuses what may not be served there, so that nothing need
//           be loaded in vain; listen() lets clients in. begin_drain() takes no new connections and
//           no new requests; every accepted request is answered, the outboxes are written out, each
//           session ends in a Goodbye. The destructor closes what is left at once.
// Threads:  every function from any thread. A session lives on one of io_threads threads.
// Cost:     one read takes every request that arrived, one write carries every reply that is ready.

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "outrider/base/clock.hpp"
#include "outrider/base/result.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/net/config.hpp"
#include "outrider/telemetry/log.hpp"

namespace outrider::net {

// In the order of codec::ClientMessage.
inline constexpr std::array<std::string_view, 14> kMessageKinds{
    "hello",   "path",      "edit",  "cancel",   "ping",   "list_maps", "map_state",
    "unwatch", "add_class", "stats", "progress", "survey", "load_map",  "drop_map"};
inline constexpr std::size_t kMessageKindCount = kMessageKinds.size();

struct Stats {
    std::uint64_t sessions_opened{}, sessions_refused{}, sessions_open{};
    std::uint64_t requests{}, refusals{}, edits{}, pushes{};
    std::uint64_t bytes_in{}, bytes_out{}, outbox_bytes{};
    // Messages that came, which add up to `requests`; refusals of messages, which add up to
    // `refusals`, and goodbyes, by model::RefusalCode; sessions that are greeted, by Role.
    std::array<std::uint64_t, kMessageKindCount> messages{};
    std::array<std::uint64_t, model::kRefusalCodeCount> refused{}, goodbyes{};
    std::array<std::uint64_t, kRoles.size()> roles{};
};

// As LoadMapRequest says: a file's name, or where that is empty what a map file holds.
struct MapOrder {
    std::string name;
    std::string file;
    std::string content;
    bool replace{false};
};
// Loads the map; a refusal's field is that of the message.
using MapSource =
    std::function<std::expected<engine::LoadedMap, model::Refusal>(const MapOrder& order)>;

class Server {
  public:
    // What is passed by reference must outlive the server.
    struct Parts {
        engine::Engine& engine;
        const engine::Config& engine_config;
        const base::Clock& clock;
        telemetry::Log& log;
        // What an admin's order to load a map is carried out by, on a thread that nothing else
        // waits for. Null: such orders are refused.
        MapSource load_map{};
    };
    // Fails when the address cannot be had. The system turns clients away meanwhile.
    [[nodiscard]] static base::Result<std::unique_ptr<Server>> open(const Config& config,
                                                                    const Parts& parts);
    // Once. Fails when another has begun to listen there since.
    [[nodiscard]] base::Result<void> listen();
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    // "127.0.0.1:7600", "[::1]:7600".
    [[nodiscard]] std::string address() const;
    [[nodiscard]] Stats stats() const;
    // What is in force.
    [[nodiscard]] Config config() const;

    // Takes a new configuration, all of it but host, port and io_threads, without ending a session,
    // but for those whose token is no longer one: they get a Goodbye UNAUTHENTICATED. Another role
    // and other limits hold from the next message on, another certificate from the next handshake
    // on, a frame's largest size for new sessions. TLS cannot be turned on or off. An error leaves
    // everything as it was.
    [[nodiscard]] base::Result<void> reload(const Config& config);

    void begin_drain();
    // True when every session has ended; false when `limit` passed first.
    [[nodiscard]] bool wait_closed(std::chrono::milliseconds limit);

  private:
    class Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace outrider::net
