#pragma once
// What: the bounds of the network that an operator sets, each with its default and its reason. The
//       sum of the memory ones, times connections_max, bounds the network's memory (law 5).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "outrider/net/access.hpp"
#include "outrider/net/tls.hpp"

namespace outrider::net {

struct Config {
    std::string host{"127.0.0.1"};
    // 0: the system picks one; Server::port() tells.
    std::uint16_t port{7600};
    // Threads that read and write; searches have their own. One serves a hundred thousand small
    // requests a second.
    unsigned io_threads{1};
    // Who may come in, and how much they may ask.
    AccessConfig access;
    // Null: bytes go over the network in the clear.
    std::shared_ptr<const TlsContext> tls;
    // Under way at once; then the oldest gives its place to the newest. More than a crowd needs
    // that comes at once, and 64 KiB each.
    std::size_t handshakes_max{1024};
    // Without tokens a server listens where only its own machine reaches it; with this, anywhere.
    bool insecure_public{false};

    // Beyond: OVERLOADED and closed. As many as the engine takes clients.
    std::size_t connections_max{4096};
    // So many come in a second, on the average, and as many at once after a quiet second; who comes
    // faster waits in the system's queue, which costs this server nothing. A crowd that connects,
    // hangs up and comes again takes a tenth of a core so. 0: no limit.
    std::uint64_t connections_per_second{1'000};
    // The largest frame of a client. A batch of 4,096 obstacles takes 100 KiB; terrain of 1024 x
    // 1024 cells fits.
    std::size_t frame_bytes_max{(1U << 20U) + 4096};
    // Waiting for one client, encoded or not. Above the high mark the server stops reading that
    // client until it is below the low one; so that a client which asks without reading slows only
    // itself.
    std::size_t outbox_high_bytes{256U << 10U};
    std::size_t outbox_low_bytes{64U << 10U};
    // Beyond, the session is closed: two explained searches of a million cells fit.
    std::size_t outbox_hard_bytes{96U << 20U};
    // What the system keeps besides, sent and not yet taken by the client: left to itself that is
    // megabytes a connection, all of them work done for nobody where the client never reads. At a
    // round trip of 50 ms it lets 5 MB a second through.
    std::size_t send_buffer_bytes{256U << 10U};
    // What the system keeps that a client has sent and the server has not read: left to itself six
    // megabytes a connection, which take half a millisecond to throw away. At a round trip of 50 ms
    // it lets 5 MB a second through.
    std::size_t receive_buffer_bytes{256U << 10U};
    // The same over all sessions: a session above its own high mark is closed while the sum is
    // above this.
    std::size_t outbox_total_bytes{1U << 30U};
    // Map states being sent at once, over all sessions: each holds a copy of its map, up to 64 MiB.
    std::size_t map_states_max{16};
    // Who is sent a map state must take it at least this fast on the average, after a grace of
    // slow_reader_timeout: else a few that only sip hold all the places for hours. A poor mobile
    // link has more; the largest map gives its place back in nine minutes.
    std::size_t map_state_bytes_per_second_min{128U << 10U};

    // From the connection to a good Hello, TLS included: strangers hold a place no longer.
    std::chrono::milliseconds hello_timeout{5'000};
    // Without a whole frame for this long the session is closed; a Ping keeps it.
    std::chrono::milliseconds idle_timeout{60'000};
    // From the first byte of a frame to its last: drip-feeding does not hold a buffer for long.
    std::chrono::milliseconds frame_timeout{10'000};
    // Bytes wait and the client takes next to none (kTakenBytesMin) for this long.
    std::chrono::milliseconds slow_reader_timeout{10'000};
    // After the Goodbye: for the client to take it and close its end.
    std::chrono::milliseconds linger{2'000};
    // How often the timeouts are looked at: they fire at most this much late.
    std::chrono::milliseconds tick{100};
    // What a refusal for overload tells the client to wait.
    std::chrono::milliseconds retry_after{1'000};
};

}  // namespace outrider::net
