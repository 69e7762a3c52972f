#include "outrider/app/operator_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "outrider/app/status_page.hpp"
#include "support/engine_world.hpp"
#include "support/http_client.hpp"

namespace outrider::app {
namespace {

using telemetry::Families;
using telemetry::Family;

// Everything that can be counted has been, once.
Readings full_readings() {
    Readings readings;
    for (auto& ends : readings.metrics.requests) {
        ends.fill(1);
    }
    for (auto& times : readings.metrics.times) {
        times.wait.add(std::chrono::milliseconds(1));
        times.search.add(std::chrono::milliseconds(2));
        times.total.add(std::chrono::milliseconds(3));
    }
    readings.metrics.edit_times.add(std::chrono::milliseconds(1));
    readings.metrics.maps = {{.id = {1}, .name = "one"}, {.id = {2}, .name = "two"}};
    readings.net.messages.fill(1);
    readings.net.refused.fill(1);
    readings.net.goodbyes.fill(1);
    return readings;
}

const Family& find(const Families& families, std::string_view name) {
    static const Family kNone;
    const auto found = std::ranges::find(families, name, &Family::name);
    EXPECT_TRUE(found != families.end()) << name;
    return found == families.end() ? kNone : *found;
}

// If this failed, Prometheus would refuse the page, or a dashboard would mix two metrics up.
TEST(MetricsPage, NamesAreUniqueAndWellFormed) {
    std::set<std::string> names;
    for (const Family& family : families_of(full_readings())) {
        EXPECT_TRUE(names.insert(family.name).second) << family.name << " twice";
        EXPECT_TRUE(family.name.starts_with("outrider_")) << family.name;
        EXPECT_EQ(family.kind == telemetry::MetricKind::kCounter, family.name.ends_with("_total"))
            << family.name;
        EXPECT_TRUE(family.help.ends_with(".")) << family.name;
        std::set<telemetry::Labels> series;
        for (const telemetry::Sample& sample : family.samples) {
            EXPECT_TRUE(series.insert(sample.labels).second) << family.name;
        }
        for (const telemetry::HistogramSample& sample : family.histograms) {
            EXPECT_TRUE(series.insert(sample.labels).second) << family.name;
        }
        EXPECT_FALSE(series.empty()) << family.name;
    }
}

// If this failed, an operator would meet a metric that nobody has explained.
TEST(MetricsPage, EachMetricStandsInTheReadme) {
    std::ifstream file(OUTRIDER_README);
    const std::string readme{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(readme.empty());
    for (const Family& family : families_of(full_readings())) {
        EXPECT_NE(readme.find("`" + family.name), std::string::npos) << family.name;
    }
}

// If this failed, a rate of refusals would miss the first one, or a page would be full of zeros.
TEST(MetricsPage, WhatNeverHappenedIsLeftOut) {
    const Families families = families_of({});
    EXPECT_EQ(find(families, "outrider_requests_total").samples.size(), 2 * engine::kKindCount);
    EXPECT_TRUE(find(families, "outrider_request_seconds").histograms.empty());
    EXPECT_EQ(find(families, "outrider_refusals_total").samples.size(), 1U);
    const Families full = families_of(full_readings());
    EXPECT_EQ(find(full, "outrider_requests_total").samples.size(),
              engine::kKindCount * engine::kEndCount);
    EXPECT_EQ(find(full, "outrider_request_seconds").histograms.size(), 3 * engine::kEndCount);
    EXPECT_EQ(find(full, "outrider_refusals_total").samples.size(), model::kRefusalCodeCount);
}

// If this failed, memory would fill up to its ceiling and no dashboard would show with what.
TEST(MetricsPage, EachPartOfTheMemoryHasASeries) {
    const Families families = families_of({});
    const Family& memory = find(families, "outrider_memory_bytes");
    EXPECT_EQ(memory.samples.size(), engine::kMemoryParts.size());
    for (const engine::MemoryPart part : engine::kMemoryParts) {
        const telemetry::Labels labels{{"part", std::string(name_of(part))}};
        EXPECT_NE(std::ranges::find(memory.samples, labels, &telemetry::Sample::labels),
                  memory.samples.end())
            << name_of(part);
    }
}

// If this failed, series of maps that are gone would pile up.
TEST(MetricsPage, AMapThatIsGoneHasNoSeries) {
    Readings readings = full_readings();
    EXPECT_EQ(find(families_of(readings), "outrider_map_version").samples.size(), 2U);
    readings.metrics.maps.erase(readings.metrics.maps.begin());
    for (const Family& family : families_of(readings)) {
        for (const telemetry::Sample& sample : family.samples) {
            for (const auto& [name, value] : sample.labels) {
                EXPECT_FALSE(name == "map" && value == "one") << family.name;
            }
        }
    }
}

// The pages of a server whose engine is pumped by hand.
struct OperatorPagesTest : testing::Test {
    OperatorPagesTest() {
        options.engine.workers = 0;
        options.engine.landmark_cells_min = 1;
        options.net.port = 0;
        options.net.access.tokens = {{net::digest_of("sesame"), net::Role::kPlayer, "sesame-name"}};
        engine = std::move(engine::Engine::create(options.engine, clock).value());
        pages.emplace(options, *engine, clock);
        http = telemetry::Http::start({.address = "127.0.0.1:0"}, pages->pages()).value();
    }
    ~OperatorPagesTest() override {
        http.reset();
        server.reset();
    }
    [[nodiscard]] test::HttpReply get(const char* path) const {
        return test::http_get(http->port(), path);
    }
    [[nodiscard]] nlohmann::json status() const {
        const test::HttpReply reply = get("/status");
        EXPECT_EQ(reply.status, 200);
        EXPECT_NE(reply.head.find("application/json"), std::string::npos) << reply.head;
        return nlohmann::json::parse(reply.body);
    }
    void load_and_listen() {
        (void)engine->add_map("plain", test::open_grid(64, 64), {model::ground_class()}).value();
        server = std::move(
            net::Server::open(
                options.net,
                {.engine = *engine, .engine_config = options.engine, .clock = clock, .log = log})
                .value());
        ASSERT_TRUE(server->listen().has_value());
        pages->begin_serving(*server);
    }

    base::SteadyClock clock;
    Options options;
    telemetry::Log log{{.level = telemetry::Level::kOff}, clock};
    std::unique_ptr<engine::Engine> engine;
    std::unique_ptr<net::Server> server;
    std::optional<OperatorPages> pages;
    std::unique_ptr<telemetry::Http> http;
};

// If this failed, an orchestrator would send players to a server that is loading or draining, or
// would wait for landmarks that a busy map never gets.
TEST_F(OperatorPagesTest, ReadyFromTheFirstRequestThatIsTakenToTheLast) {
    EXPECT_EQ(get("/healthz").status, 200);
    EXPECT_EQ(get("/readyz").status, 503);
    EXPECT_EQ(get("/metrics").status, 200) << "also while it loads";
    EXPECT_EQ(status()["ready"], false);
    load_and_listen();
    EXPECT_EQ(get("/readyz").status, 200);
    EXPECT_EQ(status()["ready"], true);
    EXPECT_EQ(status()["maps"][0]["classes"][0]["landmarks"], "pending") << "and yet ready";
    pages->begin_drain();
    server->begin_drain();
    EXPECT_EQ(get("/readyz").status, 503);
    EXPECT_EQ(get("/healthz").status, 200) << "or it would be killed amid its answers";
    EXPECT_EQ(status()["draining"], true);
    EXPECT_EQ(status()["ready"], false);
    EXPECT_EQ(get("/").status, 404);
}

// If this failed, a person or a script would see the wrong world, or a secret.
TEST_F(OperatorPagesTest, StatusTellsMapsSessionsAndLimits) {
    load_and_listen();
    (void)engine->edit({1}, {{model::TerrainEdit{{1, 1, 1, 1}, {'@'}}}, {}}).value();
    const nlohmann::json status = this->status();
    EXPECT_EQ(status["version"], OUTRIDER_VERSION);
    const nlohmann::json& map = status["maps"][0];
    EXPECT_EQ(map["name"], "plain");
    EXPECT_EQ(map["width"], 64);
    EXPECT_EQ(map["height"], 64);
    EXPECT_EQ(map["version"], 2);
    EXPECT_EQ(map["edits"], 1);
    EXPECT_EQ(map["follows"], 0);
    EXPECT_EQ(map["watching_sessions"], 0);
    EXPECT_EQ(map["classes"][0]["name"], "ground");
    EXPECT_EQ(status["sessions"]["player"], 0);
    EXPECT_EQ(status["limits"]["requests_max"], options.engine.requests_max);
    EXPECT_EQ(status["limits"]["connections_max"], options.net.connections_max);
    const std::string all = get("/status").body + get("/metrics").body;
    EXPECT_EQ(all.find("sesame"), std::string::npos);
}

// Fault kind: what was at the start is told as what is. If this failed, an operator who has just
// reloaded would see limits that are no longer in force, and alerts would compare with them.
TEST_F(OperatorPagesTest, LimitsAreThoseInForce) {
    const auto expect_shown = [&](const net::Config& limits) {
        const nlohmann::json shown = status()["limits"];
        EXPECT_EQ(shown["connections_per_second"], limits.connections_per_second);
        EXPECT_EQ(shown["frame_bytes_max"], limits.frame_bytes_max);
        EXPECT_EQ(shown["outbox_total_bytes"], limits.outbox_total_bytes);
        const std::string line = "outrider_memory_limit_bytes{part=\"outboxes\"} " +
                                 std::to_string(limits.outbox_total_bytes) + "\n";
        EXPECT_NE(get("/metrics").body.find(line), std::string::npos) << line;
    };
    expect_shown(options.net);
    load_and_listen();
    expect_shown(options.net);
    net::Config next = options.net;
    next.connections_per_second = 7;
    next.frame_bytes_max = 70'000;
    next.outbox_total_bytes = 700'000;
    ASSERT_TRUE(server->reload(next).has_value());
    expect_shown(next);
    EXPECT_EQ(get("/status").body.find("sesame"), std::string::npos);
}

// If this failed, one badly named map would take the page from all others.
TEST(StatusPage, ANameThatIsNoTextIsShownAsFarAsItIs) {
    engine::MapInfo map;
    map.name = "bad\xFF name\"";
    const nlohmann::json json = nlohmann::json::parse(status_json({}, {map}));
    EXPECT_EQ(json["maps"][0]["name"], "bad\xEF\xBF\xBD name\"");
}

}  // namespace
}  // namespace outrider::app
