#include "outrider/app/reload.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "outrider/app/map_files.hpp"
#include "outrider/app/secrets.hpp"

namespace outrider::app {
namespace {

using telemetry::Level;

// The engine's own limits are not among them: they size what it allocates at its start.
constexpr std::array<std::string_view, 28> kReloadable{
    "token-file",
    "tls-cert",
    "tls-key",
    "tls-client-ca",
    "insecure-public",
    "handshakes-max",
    "player-requests-per-second",
    "player-work-per-second",
    "builder-requests-per-second",
    "builder-work-per-second",
    "builder-edits-per-second",
    "rate-burst-ms",
    "connections-per-address-max",
    "count-loopback",
    "connections-per-second",
    "frame-bytes-max",
    "outbox-high-bytes",
    "outbox-low-bytes",
    "outbox-hard-bytes",
    "outbox-total-bytes",
    "map-states-max",
    "hello-timeout-ms",
    "idle-timeout-ms",
    "frame-timeout-ms",
    "slow-reader-timeout-ms",
    "drain-timeout-ms",
    "summary-interval-ms",
    "log-level",
};

bool is_reloadable(const std::string& name) {
    return std::ranges::find(kReloadable, name) != kReloadable.end();
}

void append(std::string& list, const std::string& name) {
    list += (list.empty() ? "" : ", ") + name;
}

bool lets_everybody_in(const Options& options) {
    return options.token_file.empty() && options.tls.client_ca.empty();
}

}  // namespace

std::span<const std::string_view> reloadable_options() {
    return kReloadable;
}

bool has_files(const Options& options) {
    return !options.config_file.empty() || !options.token_file.empty() ||
           !options.tls.certificate.empty();
}

Reloader::Reloader(Options options, ParseAgain parse_again, Targets targets)
    : options_(std::move(options)), parse_again_(std::move(parse_again)), targets_(targets) {}

void Reloader::reload() {
    if (const auto done = try_reload(); !done) {
        targets_.log.write(Level::kError, "nothing reloaded", {{"error", done.error().message}});
    }
}

base::Result<void> Reloader::try_reload() {
    const std::filesystem::path& config = options_.config_file;
    std::error_code unknown;
    if (!config.empty() && std::filesystem::exists(config, unknown) &&
        !std::filesystem::is_regular_file(config, unknown)) {
        // What came from a pipe came once: now it is empty, or holds up whoever opens it.
        return base::fail("--config " + config.string() +
                          " is no regular file and cannot be read again; give a file, or restart");
    }
    auto parsed = parse_again_();
    if (!parsed) {
        return base::fail(parsed.error().text);
    }
    Options next = *std::move(parsed);
    if (lets_everybody_in(next) && !lets_everybody_in(options_)) {
        return base::fail(
            "neither --token-file nor --tls-client-ca is given any more, and "
            "everybody would be let in; give one, or restart without them");
    }
    if (auto read = read_secrets(next); !read) {
        return read;
    }
    // Beyond the engine's own bound, which does not change, nobody could be served.
    next.net.connections_max = options_.net.connections_max;
    if (auto taken = targets_.server.reload(next.net); !taken) {
        return taken;
    }
    std::string changed;
    std::string waiting;
    for (auto& [name, text] : next.texts) {
        const std::string& held = options_.texts[name];
        if (text != held && is_reloadable(name)) {
            append(changed, name);
        } else if (text != held) {
            append(waiting, name);
            text = held;
        }
    }
    for (const std::string& name : changed_secrets(options_, next)) {
        append(changed, name);
    }
    targets_.log.set_level(next.log.level);
    // It changes nothing now, and keeps nobody from taking a token away.
    if (const auto there = check_data_dir(next.data_dir); !there) {
        targets_.log.write(Level::kWarning, "the next start will be refused",
                           {{"reason", there.error().message}});
    }
    options_ = std::move(next);
    targets_.log.write(Level::kInfo, "reloaded",
                       {{"tokens", std::uint64_t{options_.net.access.tokens.size()}},
                        {"changed", changed.empty() ? "none" : changed}});
    tell_of_secrets(options_, targets_.log);
    if (!waiting.empty()) {
        targets_.log.write(Level::kWarning, "options that need a restart have changed",
                           {{"options", waiting}});
    }
    return {};
}

}  // namespace outrider::app
