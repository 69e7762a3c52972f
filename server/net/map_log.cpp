#include "outrider/net/map_log.hpp"

#include "outrider/telemetry/unless_without_memory.hpp"

namespace outrider::net {
namespace {

using telemetry::Level;
using telemetry::unless_without_memory;

}  // namespace

MapAsk ask_of(const codec::LoadMapRequest& request) {
    return {.kind = MapAsk::Kind::kLoad, .name = request.name, .id = {}, .file = request.file};
}

MapAsk ask_of(const codec::DropMapRequest& request) {
    return {.kind = MapAsk::Kind::kDrop, .name = request.map_name, .id = request.map, .file = {}};
}

void log_map_loaded(telemetry::Log& log, const MapAsker& asker, const MapAsk& ask,
                    const engine::LoadedMap& loaded) noexcept {
    unless_without_memory([&] {
        log.write(Level::kInfo, "map loaded",
                  {{"map", ask.name},
                   {"id", std::uint64_t{loaded.id.value}},
                   {"replaces", std::uint64_t{loaded.replaced.value}},
                   {"file", ask.file},
                   {"session", asker.session},
                   {"peer", asker.peer},
                   {"client", asker.client},
                   {"role", name_of(asker.role)},
                   {"token", asker.token}});
    });
}

void log_map_dropped(telemetry::Log& log, const MapAsker& asker, const MapAsk& ask) noexcept {
    unless_without_memory([&] {
        log.write(Level::kInfo, "map dropped",
                  {{"map", ask.name},
                   {"id", std::uint64_t{ask.id.value}},
                   {"session", asker.session},
                   {"peer", asker.peer},
                   {"client", asker.client},
                   {"role", name_of(asker.role)},
                   {"token", asker.token}});
    });
}

void log_map_refused(telemetry::Log& log, const MapAsker& asker, const MapAsk& ask,
                     const model::Refusal& refusal) noexcept {
    unless_without_memory([&] {
        const std::string reason = std::string(name_of(refusal.code)) + ": " +
                                   (refusal.field.empty() ? "" : refusal.field + " ") +
                                   refusal.message;
        log.warn_limited(ask.kind == MapAsk::Kind::kLoad ? "map not loaded" : "map not dropped",
                         {{"map", ask.name},
                          {"id", std::uint64_t{ask.id.value}},
                          {"file", ask.file},
                          {"reason", reason},
                          {"session", asker.session},
                          {"peer", asker.peer},
                          {"client", asker.client},
                          {"role", name_of(asker.role)},
                          {"token", asker.token}},
                         kMapRefusalLinesMax);
    });
}

}  // namespace outrider::net
