#pragma once
// What:     outrider-server's options from a TOML file (--config), from OUTRIDER_... variables and
//           from flags, in this order of growing strength.
// Contract: parse_command_line() reads no global state: the caller passes the variables. Wrong
//           usage gives the message and exit code 2; --help and --version their text and code 0.

#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "outrider/app/tls_files.hpp"
#include "outrider/base/result.hpp"
#include "outrider/engine/config.hpp"
#include "outrider/model/movement_class.hpp"
#include "outrider/net/config.hpp"
#include "outrider/telemetry/log.hpp"

namespace outrider::app {

struct MapFile {
    std::string name;
    std::filesystem::path file;
};

struct Options {
    // A second is too long for any order of a player.
    engine::Config engine{.slow_request = std::chrono::milliseconds(1000)};
    net::Config net;
    telemetry::LogConfig log;
    std::vector<MapFile> maps;
    // Where relative ones lie, and where an admin may load others from; empty: from nowhere.
    std::filesystem::path data_dir;
    // Beside model::ground_class() and model::terrain_class(), on every map.
    std::vector<model::MovementClass> classes;
    std::filesystem::path token_file;  // empty: everybody may connect
    TlsFiles tls;
    std::map<std::string, net::TokenDigest> tls_contents;  // of those files, once they are read
    std::string http_address;                              // empty: no HTTP
    std::chrono::milliseconds drain_timeout{20'000};
    std::chrono::milliseconds summary_interval{60'000};
    std::filesystem::path config_file;  // may be empty
    // Every option by its name, as it was written, or its default.
    std::map<std::string, std::string> texts;
};

// The program ends here: what to print, and how.
struct Exit {
    int code{};
    std::string text;
};

// Null when the variable is not set.
using Environment = std::function<const char*(const char* name)>;

[[nodiscard]] std::expected<Options, Exit> parse_command_line(
    const std::vector<std::string>& arguments, const Environment& environment);

// "HOST:PORT", "[::1]:7600".
[[nodiscard]] base::Result<std::pair<std::string, std::uint16_t>> parse_address(
    const std::string& text);

}  // namespace outrider::app
