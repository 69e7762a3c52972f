#include "outrider/app/metrics_page.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace outrider::app {
namespace {

using telemetry::Families;
using telemetry::Family;
using telemetry::HistogramSample;
using telemetry::Labels;
using telemetry::MetricKind;
using telemetry::Sample;

constexpr MetricKind kCounter = MetricKind::kCounter;
constexpr MetricKind kGauge = MetricKind::kGauge;

// One value without labels.
struct Plain {
    const char* name;
    const char* help;
    MetricKind kind;
    std::uint64_t value;
};

template <class Count>
double number(Count count) {
    return static_cast<double>(count);
}

Family family(std::string name, std::string help, MetricKind kind) {
    return {std::move(name), std::move(help), kind, {}, {}};
}

double seconds(base::Duration time) {
    return std::chrono::duration<double>(time).count();
}

HistogramSample sample_of(const engine::Histogram& histogram, Labels labels) {
    HistogramSample sample{std::move(labels), {}, histogram.count(), seconds(histogram.sum())};
    for (std::size_t i = 0; i < engine::Histogram::kBounds; ++i) {
        sample.buckets.push_back({seconds(engine::Histogram::bound(i)), histogram.buckets()[i]});
    }
    return sample;
}

void add_plain(Families& families, std::initializer_list<Plain> all) {
    for (const Plain& each : all) {
        families.push_back(family(each.name, each.help, each.kind));
        families.back().samples.push_back({{}, number(each.value)});
    }
}

Family requests_of(const engine::Metrics& metrics) {
    Family requests = family("outrider_requests_total",
                             "Paths and surveys that have had their last answer, by kind and by "
                             "outcome or refusal.",
                             kCounter);
    for (std::size_t kind = 0; kind < engine::kKindCount; ++kind) {
        for (std::size_t end = 0; end < engine::kEndCount; ++end) {
            const std::uint64_t count = metrics.requests[kind][end];
            const bool always = end == engine::end_of(model::Outcome::kComplete) ||
                                end == engine::end_of(model::RefusalCode::kOverloaded);
            if (count > 0 || always) {
                const auto name = name_of(static_cast<engine::RequestKind>(kind));
                requests.samples.push_back({{{"kind", std::string(name)},
                                             {"result", std::string(engine::name_of_end(end))}},
                                            number(count)});
            }
        }
    }
    return requests;
}

Family times_of(const engine::Metrics& metrics) {
    Family times = family("outrider_request_seconds",
                          "Time of requests that were searched for, by stage (wait: until a worker "
                          "took it; search: on a worker; total) and by outcome or refusal.",
                          MetricKind::kHistogram);
    for (std::size_t end = 0; end < engine::kEndCount; ++end) {
        const engine::TimesHistograms& stages = metrics.times[end];
        if (stages.total.count() == 0) {
            continue;
        }
        const std::string result(engine::name_of_end(end));
        for (const auto& [stage, histogram] : {std::pair("wait", &stages.wait),
                                               {"search", &stages.search},
                                               {"total", &stages.total}}) {
            times.histograms.push_back(
                sample_of(*histogram, {{"stage", stage}, {"result", result}}));
        }
    }
    return times;
}

Family queue_of(const engine::Metrics& metrics) {
    Family queue =
        family("outrider_queue_depth",
               "Jobs that wait for a worker, by priority; equal questions are one job.", kGauge);
    for (std::size_t priority = 0; priority < metrics.queued.size(); ++priority) {
        const auto name = engine::name_of(static_cast<model::Priority>(priority));
        queue.samples.push_back(
            {{{"priority", std::string(name)}}, number(metrics.queued[priority])});
    }
    return queue;
}

void add_engine(Families& families, const engine::Stats& stats) {
    add_plain(
        families,
        {{"outrider_jobs_running", "Jobs on a worker.", kGauge, stats.running},
         {"outrider_jobs_suspended", "Begun jobs that wait.", kGauge, stats.suspended},
         {"outrider_cache_hits_total", "Paths answered from the cache.", kCounter,
          stats.cache_hits},
         {"outrider_cache_misses_total", "Paths looked for in the cache in vain.", kCounter,
          stats.cache_misses},
         {"outrider_negative_cache_hits_total",
          "Paths to where none leads, answered without a search.", kCounter,
          stats.negative_cache_hits},
         {"outrider_cache_carried_total", "Cache hits on answers of an older version.", kCounter,
          stats.cache_carried},
         {"outrider_cache_fallen_total", "Kept answers that an edit ended.", kCounter,
          stats.cache_fallen},
         {"outrider_cache_evictions_total", "Kept answers that left for want of room.", kCounter,
          stats.cache_evictions},
         {"outrider_verdicts_total", "Requests answered at sight: same cell, blocked, regions.",
          kCounter, stats.verdicts},
         {"outrider_joined_total", "Requests that joined an equal one under way.", kCounter,
          stats.joined},
         {"outrider_shed_total", "Requests refused by their expected wait.", kCounter, stats.shed},
         {"outrider_expansions_total", "Cells and jump points that searches have taken.", kCounter,
          stats.expansions},
         {"outrider_slices_total", "Budgeted steps of jobs.", kCounter, stats.slices},
         {"outrider_restarts_total", "Jobs begun anew since too many versions were alive.",
          kCounter, stats.restarts},
         {"outrider_edits_total", "Edit batches that were applied.", kCounter, stats.edits},
         {"outrider_follows", "Units whose path is kept alive.", kGauge, stats.follows},
         {"outrider_replans_total", "Searches for followed units after an edit.", kCounter,
          stats.replans},
         {"outrider_pushes_total", "New paths and ends told to followed units.", kCounter,
          stats.pushes},
         {"outrider_first_legs_total", "Beginnings of paths told ahead of their replies.", kCounter,
          stats.first_legs},
         {"outrider_survey_parts_total", "Parts of group answers sent ahead of the last.", kCounter,
          stats.survey_parts},
         {"outrider_dropped_requests_total", "Requests that ended with their session.", kCounter,
          stats.dropped_by_disconnect}});
}

// By part: what is used, and the bound that it stays within.
void add_memory(Families& families, const Readings& all) {
    using engine::MemoryPart;
    struct Part {
        MemoryPart part;
        std::size_t used;
        std::size_t most;  // 0: bounded by counts, not by bytes
    };
    const engine::Config& limits = all.engine_limits;
    const Part parts[] = {
        {MemoryPart::kMaps, all.engine.map_bytes, 0},
        {MemoryPart::kCache, all.engine.cache_bytes, limits.cache_bytes_max},
        {MemoryPart::kLandmarks, all.engine.landmark_bytes, limits.landmark_bytes_max},
        {MemoryPart::kSearches, all.engine.buffer_bytes, 0},
        {MemoryPart::kSurveys, all.engine.survey_bytes, limits.survey_bytes_max},
        {MemoryPart::kSurveyAnswers, all.engine.survey_result_bytes,
         limits.survey_result_bytes_max},
        {MemoryPart::kFollows, all.engine.follow_bytes, limits.follow_bytes_max},
        {MemoryPart::kNetwork, all.net.outbox_bytes, all.net_limits.outbox_total_bytes},
    };
    static_assert(std::size(parts) == engine::kMemoryParts.size());
    Family used = family("outrider_memory_bytes", "Memory in use, by part.", kGauge);
    Family most = family("outrider_memory_limit_bytes", "The bound of a part.", kGauge);
    for (const Part& part : parts) {
        const Labels labels{{"part", std::string(name_of(part.part))}};
        used.samples.push_back({labels, number(part.used)});
        if (part.most > 0) {
            most.samples.push_back({labels, number(part.most)});
        }
    }
    add_plain(families, {{"outrider_memory_ceiling_bytes",
                          "The ceiling of all parts together, --memory-max; 0: none.", kGauge,
                          limits.memory_max}});
    families.push_back(std::move(used));
    families.push_back(std::move(most));
}

void add_maps(Families& families, const std::vector<engine::MapMetrics>& maps) {
    const auto add = [&](const char* name, const char* help, MetricKind kind, auto field) {
        Family one = family(name, help, kind);
        for (const engine::MapMetrics& map : maps) {
            one.samples.push_back({{{"map", map.name}}, number(map.*field)});
        }
        families.push_back(std::move(one));
    };
    using Map = engine::MapMetrics;
    add("outrider_map_version", "The map's newest version.", kGauge, &Map::version);
    add("outrider_map_requests_total", "Requests on the map that were answered or refused.",
        kCounter, &Map::requests);
    add("outrider_map_expansions_total", "Expansions on the map.", kCounter, &Map::expansions);
    add("outrider_map_edits_total", "Edit batches applied to the map.", kCounter, &Map::edits);
    add("outrider_map_follows", "Units followed on the map.", kGauge, &Map::follows);
    add("outrider_map_watchers", "Sessions that watch the map.", kGauge, &Map::watchers);
    add("outrider_map_snapshots", "Versions of the map that somebody still holds.", kGauge,
        &Map::snapshots);
}

template <std::size_t kCount>
Family by_reason(const char* name, const char* help,
                 const std::array<std::uint64_t, kCount>& counts) {
    Family all = family(name, help, kCounter);
    for (std::size_t code = 0; code < kCount; ++code) {
        if (counts[code] > 0 || code == static_cast<std::size_t>(model::RefusalCode::kOverloaded)) {
            const auto reason = model::name_of(static_cast<model::RefusalCode>(code));
            all.samples.push_back({{{"reason", std::string(reason)}}, number(counts[code])});
        }
    }
    return all;
}

void add_net(Families& families, const net::Stats& stats) {
    add_plain(
        families,
        {{"outrider_connections", "Connections, greeted or not.", kGauge, stats.sessions_open},
         {"outrider_connections_total", "Connections that were let in.", kCounter,
          stats.sessions_opened},
         {"outrider_connections_refused_total", "Connections that found no place.", kCounter,
          stats.sessions_refused},
         {"outrider_received_bytes_total", "Bytes from clients.", kCounter, stats.bytes_in},
         {"outrider_sent_bytes_total", "Bytes to clients.", kCounter, stats.bytes_out},
         {"outrider_session_pushes_total", "Pushes of follows and watches sent.", kCounter,
          stats.pushes}});
    Family roles = family("outrider_sessions", "Greeted sessions, by role.", kGauge);
    for (const net::Role role : net::kRoles) {
        roles.samples.push_back({{{"role", std::string(name_of(role))}},
                                 number(stats.roles[static_cast<std::size_t>(role)])});
    }
    families.push_back(std::move(roles));
    Family messages = family("outrider_messages_total", "Messages of clients, by kind.", kCounter);
    for (std::size_t kind = 0; kind < net::kMessageKindCount; ++kind) {
        messages.samples.push_back(
            {{{"kind", std::string(net::kMessageKinds[kind])}}, number(stats.messages[kind])});
    }
    families.push_back(std::move(messages));
    families.push_back(
        by_reason("outrider_refusals_total", "Messages refused, by reason.", stats.refused));
    families.push_back(by_reason("outrider_goodbyes_total",
                                 "Sessions closed by the server, by reason.", stats.goodbyes));
}

}  // namespace

Families families_of(const Readings& readings) {
    Families families;
    Family build = family("outrider_build_info", "The version that runs.", kGauge);
    build.samples.push_back({{{"version", OUTRIDER_VERSION}}, 1});
    families.push_back(std::move(build));
    Family uptime = family("outrider_uptime_seconds", "Since the start.", kGauge);
    uptime.samples.push_back({{}, readings.uptime_s});
    families.push_back(std::move(uptime));
    add_plain(families,
              {{"outrider_ready", "1: takes requests.", kGauge, readings.is_ready},
               {"outrider_draining", "1: on its way out.", kGauge, readings.is_draining}});
    families.push_back(requests_of(readings.metrics));
    families.push_back(times_of(readings.metrics));
    families.push_back(queue_of(readings.metrics));
    add_engine(families, readings.engine);
    Family edits = family("outrider_edit_seconds",
                          "Time of an edit batch, from its call to its acknowledgement.",
                          MetricKind::kHistogram);
    edits.histograms.push_back(sample_of(readings.metrics.edit_times, {}));
    families.push_back(std::move(edits));
    add_memory(families, readings);
    add_maps(families, readings.metrics.maps);
    add_net(families, readings.net);
    return families;
}

}  // namespace outrider::app
