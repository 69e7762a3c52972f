#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tidy/rules.hpp"

namespace outrider::tidy {
namespace {

using Rooms = std::set<std::string, std::less<>>;

// "All" is spelt out, so that a new room has to be entered here before anybody may include it.
const std::map<std::string, Rooms, std::less<>>& readable_rooms() {
    static const std::map<std::string, Rooms, std::less<>> kRooms{
        {"base", {"base"}},
        {"model", {"model", "base"}},
        {"map", {"map", "model", "base"}},
        {"search", {"search", "map", "model", "base"}},
        {"cache", {"cache", "map", "model", "base"}},
        {"telemetry", {"telemetry", "base"}},
        {"engine", {"engine", "search", "cache", "map", "telemetry", "model", "base"}},
        {"wire", {"wire", "base"}},
        {"codec", {"codec", "map", "model", "base"}},
        {"net", {"net", "engine", "codec", "wire", "telemetry", "map", "model", "base"}},
        {"app",
         {"app", "net", "codec", "wire", "engine", "cache", "search", "map", "telemetry", "model",
          "base"}},
    };
    return kRooms;
}

std::string room_of_include(std::string_view include) {
    constexpr std::string_view kRoot = "outrider/";
    if (!include.starts_with(kRoot)) {
        return {};
    }
    include.remove_prefix(kRoot.size());
    return std::string(include.substr(0, include.find('/')));
}

bool is_generated(std::string_view include) {
    return include.ends_with(".pb.h");
}

Findings check_rooms(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        const std::string room = file.room();
        if (room.empty() || !file.is_cpp()) {
            continue;
        }
        const auto readable = readable_rooms().find(room);
        if (readable == readable_rooms().end()) {
            findings.push_back({file.path, 1, "rooms",
                                "room '" + room + "' is not in the table of include_rules.cpp"});
            continue;
        }
        for (const Include& include : file.includes) {
            const std::string target = room_of_include(include.path);
            if (!target.empty() && !is_generated(include.path) &&
                !readable->second.contains(target)) {
                findings.push_back({file.path, include.line, "rooms",
                                    room + " must not include " + target +
                                        "; server/DESIGN.md says who may include whom"});
            }
        }
    }
    return findings;
}

// A quoted include names a path from a root, never one relative to its own directory.
Findings check_include_paths(const Tree& tree) {
    constexpr std::array<std::string_view, 3> kRoots{"server/", "client-sample/", "tests/"};
    Findings findings;
    for (const SourceFile& file : tree.files) {
        // A stranger's project reads what is installed; the package test compiles it.
        if (file.under("tests/integration/package/consumer")) {
            continue;
        }
        for (const Include& include : file.includes) {
            std::string_view path = include.path;
            const bool ours = path.starts_with("outrider/");
            if (is_generated(path) || (!include.quoted && !ours)) {
                continue;
            }
            if (ours) {
                path.remove_prefix(std::string_view{"outrider/"}.size());
            }
            const auto found = std::ranges::any_of(kRoots, [&](std::string_view root) {
                const bool visible = ours || (root != "server/" &&
                                              (file.path.starts_with(root) || file.under("tests")));
                return visible && tree.has(std::string(root) + std::string(path));
            });
            if (!found || !include.quoted) {
                findings.push_back({file.path, include.line, "include-paths",
                                    "write \"outrider/<room>/<file>.hpp\", or in tests and "
                                    "client-sample a quoted path from that directory"});
            }
        }
    }
    return findings;
}

struct Wall {
    std::string_view rule;
    std::vector<std::string_view> includes;  // prefixes
    std::vector<std::string_view> allowed;   // directories
    std::string_view cure;
};

const std::vector<Wall>& walls() {
    static const std::vector<Wall> kWalls{
        {"asio",
         {"asio.hpp", "asio/"},
         {"server/net", "client-sample", "tests"},
         "only net and the client see Asio"},
        {"protobuf",
         {"google/protobuf", "outrider/v1/"},
         {"server/codec", "tests"},
         "only codec sees Protocol Buffers: use model values"},
        {"cryptography",
         {"openssl/", "asio/ssl"},
         {"server/net", "client-sample/client", "tests"},
         "only net and the client library see OpenSSL: use net/access.hpp and net/tls.hpp"},
        {"telemetry",
         {"spdlog/", "civetweb"},
         {"server/telemetry"},
         "only telemetry sees spdlog and the HTTP server: use its door"},
        {"telemetry",
         {"prometheus/"},
         {"server/telemetry", "client-sample"},
         "only telemetry, and the load test's histogram, see prometheus-cpp"},
        {"threads",
         {"thread", "mutex", "shared_mutex", "condition_variable", "atomic", "future", "semaphore",
          "stop_token", "latch", "barrier", "outrider/base/mutex.hpp"},
         {"server/base", "server/map", "server/cache", "server/engine", "server/telemetry",
          "server/net", "server/app", "client-sample", "tests"},
         "this room knows no threads"},
        {"command-line",
         {"CLI/", "toml++/"},
         {"server/app", "client-sample", "tests"},
         "only programs read command lines and configuration files"},
    };
    return kWalls;
}

bool matches(const Include& include, std::string_view pattern) {
    const bool prefix = pattern.find('/') != std::string_view::npos || pattern == "civetweb";
    return prefix ? include.path.starts_with(pattern) : include.path == pattern;
}

Findings check_walls(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (const Include& include : file.includes) {
            for (const Wall& wall : walls()) {
                const bool walled = std::ranges::any_of(
                    wall.includes, [&](auto pattern) { return matches(include, pattern); });
                const bool allowed = std::ranges::any_of(
                    wall.allowed, [&](auto directory) { return file.under(directory); });
                if (walled && !allowed) {
                    findings.push_back({file.path, include.line, std::string(wall.rule),
                                        "<" + include.path + "> here: " + std::string(wall.cure)});
                }
            }
        }
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"rooms", check_rooms},
    Rule{"include-paths", check_include_paths},
    Rule{"walls", check_walls},
};

}  // namespace

std::span<const Rule> include_rules() {
    return kRules;
}

}  // namespace outrider::tidy
