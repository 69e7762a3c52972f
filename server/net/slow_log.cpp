#include "outrider/net/slow_log.hpp"

#include <chrono>
#include <string>

#include "outrider/telemetry/unless_without_memory.hpp"

namespace outrider::net {
namespace {

double milliseconds(base::Duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

std::string text_of(model::Cell cell) {
    return std::to_string(cell.x) + "," + std::to_string(cell.y);
}

// "7,5", or "7,5+3x2" of more than one cell.
std::string text_of(const model::Rect& rect) {
    const std::string corner = text_of(model::Cell{rect.x, rect.y});
    return rect.width == 1 && rect.height == 1
               ? corner
               : corner + "+" + std::to_string(rect.width) + "x" + std::to_string(rect.height);
}

std::string_view cache_of(const engine::SlowRequest& request) {
    if (!request.looked_up) {
        return "none";
    }
    return request.joined ? "joined" : "miss";
}

void write(const engine::SlowRequest& request, std::uint64_t session, const Server::Parts& parts) {
    const auto map = parts.engine.map_info(request.map);
    const bool known = map && request.movement_class.value < map->classes.size();
    const std::string from = text_of(request.from);
    const std::string to = text_of(request.to);
    parts.log.warn_limited(
        "slow request",
        {{"session", session},
         {"request", request.id.value},
         {"kind", name_of(request.kind)},
         {"outcome", engine::name_of_end(request.end)},
         {"map", map ? std::string_view(map->name) : ""},
         {"class", known ? map->classes[request.movement_class.value].name : std::string_view()},
         {"from", from},
         {"to", to},
         {"priority", engine::name_of(request.priority)},
         {"total_ms", milliseconds(request.times.total)},
         {"wait_ms", milliseconds(request.times.wait)},
         {"search_ms", milliseconds(request.times.search)},
         {"slices", request.slices},
         {"expansions", request.expansions},
         {"restarts", request.restarts},
         {"cache", cache_of(request)},
         {"version", request.version}},
        kSlowLinesMax);
}

}  // namespace

void log_slow(const engine::SlowRequest& request, std::uint64_t session,
              const Server::Parts& parts) noexcept {
    telemetry::unless_without_memory([&] { write(request, session, parts); });
}

}  // namespace outrider::net
