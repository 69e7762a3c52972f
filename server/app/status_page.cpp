#include "outrider/app/status_page.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace outrider::app {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(engine::LandmarkState state) {
    switch (state) {
        case engine::LandmarkState::kNone: return "none";
        case engine::LandmarkState::kPending: return "pending";
        case engine::LandmarkState::kReady: return "ready";
    }
    return "?";
}

Json classes_of(const engine::MapInfo& map) {
    Json classes = Json::array();
    for (std::size_t i = 0; i < map.classes.size(); ++i) {
        classes.push_back(
            {{"name", map.classes[i].name}, {"landmarks", name_of(map.landmarks[i])}});
    }
    return classes;
}

Json map_of(const engine::MapInfo& map, const engine::Metrics& metrics) {
    Json json{{"name", map.name},
              {"width", map.width},
              {"height", map.height},
              {"version", map.version},
              {"classes", classes_of(map)}};
    const auto counts = std::ranges::find(metrics.maps, map.id, &engine::MapMetrics::id);
    if (counts != metrics.maps.end()) {
        json["requests"] = counts->requests;
        json["edits"] = counts->edits;
        json["follows"] = counts->follows;
        json["watching_sessions"] = counts->watchers;
        json["snapshots"] = counts->snapshots;
    }
    return json;
}

Json sessions_of(const net::Stats& stats) {
    Json sessions{{"connections", stats.sessions_open}};
    for (const net::Role role : net::kRoles) {
        sessions[std::string(net::name_of(role))] = stats.roles[static_cast<std::size_t>(role)];
    }
    return sessions;
}

Json limits_of(const engine::Config& engine, const net::Config& net) {
    return {{"workers", engine.workers},
            {"io_threads", net.io_threads},
            {"connections_max", net.connections_max},
            {"connections_per_second", net.connections_per_second},
            {"requests_max", engine.requests_max},
            {"requests_per_client_max", engine.requests_per_client_max},
            {"follows_max", engine.follows_max},
            {"follows_per_client_max", engine.follows_per_client_max},
            {"suspended_max", engine.suspended_max},
            {"snapshots_per_map_max", engine.snapshots_per_map_max},
            {"expansions_max", engine.expansions_max},
            {"cache_bytes_max", engine.cache_bytes_max},
            {"follow_bytes_max", engine.follow_bytes_max},
            {"landmark_bytes_max", engine.landmark_bytes_max},
            {"survey_bytes_max", engine.survey_bytes_max},
            {"survey_result_bytes_max", engine.survey_result_bytes_max},
            {"memory_max", engine.memory_max},
            {"queue_wait_ms", engine.queue_wait.count()},
            {"wait_max_ms", engine.wait_max.count()},
            {"frame_bytes_max", net.frame_bytes_max},
            {"outbox_total_bytes", net.outbox_total_bytes}};
}

}  // namespace

std::string status_json(const Readings& readings, const std::vector<engine::MapInfo>& maps) {
    Json json{{"version", OUTRIDER_VERSION},
              {"uptime_s", static_cast<std::uint64_t>(readings.uptime_s)},
              {"ready", readings.is_ready},
              {"draining", readings.is_draining},
              {"maps", Json::array()},
              {"sessions", sessions_of(readings.net)},
              {"jobs",
               {{"queued", readings.engine.queued},
                {"running", readings.engine.running},
                {"suspended", readings.engine.suspended}}},
              {"limits", limits_of(readings.engine_limits, readings.net_limits)}};
    for (const engine::MapInfo& map : maps) {
        json["maps"].push_back(map_of(map, readings.metrics));
    }
    // A name that is no UTF-8 must not cost the whole page.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace outrider::app
