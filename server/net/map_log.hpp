#pragma once
// What:     the log's lines on maps that clients load and drop, and on those that they may not: who
//           (session, address, client, role and name of the token), which map, and why not.
// Contract: one line each. What is refused, which any client can ask for, has at most
//           kMapRefusalLinesMax lines in LogConfig::repeat_interval; the next one tells how many
//           were left out. No token stands in it, and nothing of what a map holds. A line for
//           which there is no memory is left out: what it tells of is done.
// Threads:  any.

#include <cstdint>
#include <string>

#include "outrider/codec/messages.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/net/access.hpp"
#include "outrider/telemetry/log.hpp"

namespace outrider::net {

// More than an operator orders in ten seconds; of each kind of order.
inline constexpr unsigned kMapRefusalLinesMax = 20;

// A session may end before what it asked for is done.
struct MapAsker {
    std::uint64_t session{};
    std::string peer;
    std::string client;
    Role role{Role::kPlayer};
    std::string token;  // its name
};

// What is to become of which map.
struct MapAsk {
    enum class Kind : std::uint8_t { kLoad, kDrop };
    Kind kind{Kind::kLoad};
    std::string name;  // empty where a map is dropped by its id
    model::MapId id;   // 0 where it is named
    std::string file;  // empty where the content was sent
};
[[nodiscard]] MapAsk ask_of(const codec::LoadMapRequest& request);
[[nodiscard]] MapAsk ask_of(const codec::DropMapRequest& request);

void log_map_loaded(telemetry::Log& log, const MapAsker& asker, const MapAsk& ask,
                    const engine::LoadedMap& loaded) noexcept;
void log_map_dropped(telemetry::Log& log, const MapAsker& asker, const MapAsk& ask) noexcept;
void log_map_refused(telemetry::Log& log, const MapAsker& asker, const MapAsk& ask,
                     const model::Refusal& refusal) noexcept;

}  // namespace outrider::net
