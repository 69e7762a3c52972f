#include "outrider/app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <thread>
#include <utility>

#include "outrider/app/access_options.hpp"
#include "outrider/app/class_text.hpp"
#include "outrider/app/option_parts.hpp"
#include "outrider/app/small_file.hpp"
#include "outrider/app/utf8.hpp"

namespace outrider::app {
namespace {

// A tenth of a game's tick, or less: who is refused can still ask elsewhere in the same tick.
constexpr std::chrono::milliseconds kQueueWait{1};
constexpr std::chrono::milliseconds kWaitMax{2'000};
// Between several values of one variable; neither map files nor classes need it.
constexpr char kListSeparator = '|';
constexpr const char* kAbout = "Outrider: finds paths for thousands of units on maps that change";
constexpr const char* kFooter =
    "Every option can stand in the TOML file by its name, or in a variable: OUTRIDER_ and the "
    "name\n"
    "in capitals with _ for -, the values of a list parted by |; an empty one counts as none.\n"
    "Flags win over variables, variables over the file.";

// What the options are read into before they are checked and put into place.
struct Raw {
    std::string listen{"127.0.0.1:7600"};
    std::vector<std::string> maps;
    std::vector<std::string> classes;
    unsigned workers{std::max(2U, std::thread::hardware_concurrency()) - 1};
    std::string token_file;
    std::string data_dir;
    std::string http;
    telemetry::Level level{telemetry::Level::kInfo};
    telemetry::Format format{telemetry::Format::kText};
};

// As CLI11's own check of a choice, with a message for people.
template <class Value>
void add_choice(CLI::App& app, const std::string& name, Value& value,
                std::vector<std::pair<std::string, Value>> choices, const char* what) {
    std::string held;
    for (const auto& [choice, meaning] : choices) {
        held = held.empty() && meaning == value ? choice : held;
    }
    const auto choose = [&value, name, choices = std::move(choices)](const std::string& text) {
        std::string names;
        for (const auto& [choice, meaning] : choices) {
            if (CLI::detail::to_lower(text) == choice) {
                value = meaning;
                return;
            }
            names += (names.empty() ? "" : ", ") + choice;
        }
        throw CLI::ValidationError(name, "\"" + text + "\" is none of " + names);
    };
    app.add_option_function<std::string>(name, choose, what)->default_str(held);
}

void add_log_options(CLI::App& app, Raw& raw) {
    using telemetry::Format;
    using telemetry::Level;
    add_choice<Level>(app, "--log-level", raw.level,
                      {{"trace", Level::kTrace},
                       {"debug", Level::kDebug},
                       {"info", Level::kInfo},
                       {"warn", Level::kWarning},
                       {"warning", Level::kWarning},
                       {"error", Level::kError},
                       {"off", Level::kOff}},
                      "trace, debug, info (the default), warn, error or off");
    add_choice<Format>(app, "--log-format", raw.format,
                       {{"text", Format::kText}, {"json", Format::kJson}},
                       "text (the default) or json");
}

void add_main_options(CLI::App& app, Raw& raw, Options& options) {
    app.add_option("--listen", raw.listen, "HOST:PORT to listen on; port 0 picks one")
        ->capture_default_str();
    app.add_option("--map", raw.maps, "NAME=FILE: serve this map; may be repeated");
    app.add_option("--class", raw.classes,
                   "NAME=TERRAIN:WEIGHT,...[;directions=8][;corner=both][;footprint=1][;team=0]: "
                   "one more movement class on every map; may be repeated");
    app.add_option("--workers", raw.workers, "threads that search")
        ->check(CLI::Range(1U, 1024U))
        ->capture_default_str();
    app.add_option("--io-threads", options.net.io_threads, "threads that read and write")
        ->check(CLI::Range(1U, 256U))
        ->capture_default_str();
    app.add_option(
        "--token-file", raw.token_file,
        "who may connect: a line is ROLE TOKEN [NAME], # begins a comment; none: everybody");
    app.add_flag("--insecure-public", options.net.insecure_public,
                 "listen on any address though there are no tokens");
    app.add_option(
        "--http", raw.http,
        "HOST:PORT for /healthz, /readyz, /metrics and /status; port 0 picks one; none: no "
        "HTTP");
    app.add_option("--data-dir", raw.data_dir,
                   "where relative map files are looked for, and those that an admin loads");
    add_log_options(app, raw);
}

// A Hello with the longest token fits the least; Welcome tells the most in 32 bits.
constexpr Bounds kFrameBounds{4096, 1U << 30U};

void add_limits(CLI::App& app, Options& options) {
    engine::Config& engine = options.engine;
    net::Config& net = options.net;
    add_number(app, "--requests-max", engine.requests_max, "requests waiting, in all");
    add_number(app, "--requests-per-client-max", engine.requests_per_client_max,
               "requests waiting, for one client");
    add_number(app, "--follows-max", engine.follows_max, "units followed, in all");
    add_number(app, "--follows-per-client-max", engine.follows_per_client_max,
               "units followed, for one client");
    add_number(app, "--follow-bytes-max", engine.follow_bytes_max, "paths of followed units");
    add_number(app, "--survey-bytes-max", engine.survey_bytes_max, "surveys in flight, as asked");
    add_number(app, "--survey-result-bytes-max", engine.survey_result_bytes_max,
               "answers of surveys on their way out");
    add_number(app, "--connections-max", net.connections_max, "clients connected at once");
    add_number(app, "--connections-per-second", net.connections_per_second,
               "connections let in, on the average; others wait in the system's queue; 0: no limit",
               {.least = 0, .most = net::kRateMax});
    add_number(app, "--suspended-max", engine.suspended_max, "searches begun and not running");
    add_number(app, "--snapshots-per-map-max", engine.snapshots_per_map_max,
               "versions of a map alive at once", {.least = 2});
    add_number(app, "--expansions-per-slice", engine.expansions_per_slice,
               "a long search lets others run after this many cells");
    add_number(app, "--expansions-max", engine.expansions_max, "cells that one search may expand");
    add_number(app, "--cache-bytes-max", engine.cache_bytes_max, "paths kept for later requests");
    add_number(app, "--landmark-bytes-max", engine.landmark_bytes_max,
               "landmarks, 16 bytes a cell and class, which make searches quicker; 0: none",
               {.least = 0});
    add_number(
        app, "--memory-max", engine.memory_max,
        "bytes of all that grows; at it what needs more is refused; 0: the sum of the others",
        {.least = 0});
    add_milliseconds(app, "--queue-wait-ms", engine.queue_wait,
                     "under lasting overload a request that would wait longer is refused: half of "
                     "it for low priority, twice for high, four times for urgent; 0: never",
                     0);
    add_milliseconds(app, "--overload-patience-ms", engine.overload_patience,
                     "overload lasts when the queue was longer than that for so long");
    add_milliseconds(app, "--wait-max-ms", engine.wait_max,
                     "a request that would wait longer is refused at any time; 0: never", 0);
    add_milliseconds(app, "--landmark-calm-ms", engine.landmark_calm,
                     "terrain must not have become cheaper for so long before they are built anew");
    add_number(app, "--frame-bytes-max", net.frame_bytes_max, "largest message of a client",
               kFrameBounds);
    add_number(app, "--outbox-high-bytes", net.outbox_high_bytes,
               "above, a client that does not read is not read");
    add_number(app, "--outbox-low-bytes", net.outbox_low_bytes, "below, it is read again");
    add_number(app, "--outbox-hard-bytes", net.outbox_hard_bytes, "above, it is closed");
    add_number(app, "--outbox-total-bytes", net.outbox_total_bytes, "the same, over all clients");
    add_number(app, "--map-states-max", net.map_states_max, "whole maps being sent at once");
    add_milliseconds(app, "--ageing-step-ms", engine.ageing_step,
                     "a waiting request rises by one priority after this long");
    add_milliseconds(app, "--retry-after-ms", engine.retry_after,
                     "what a refused client is told to wait");
    add_milliseconds(app, "--hello-timeout-ms", net.hello_timeout, "from connection to Hello");
    add_milliseconds(app, "--idle-timeout-ms", net.idle_timeout, "without a message");
    add_milliseconds(app, "--frame-timeout-ms", net.frame_timeout,
                     "from a message's first byte to its last");
    add_milliseconds(app, "--slow-reader-timeout-ms", net.slow_reader_timeout,
                     "replies wait and none is taken");
    add_milliseconds(app, "--drain-timeout-ms", options.drain_timeout, "from SIGTERM to the end");
    add_milliseconds(app, "--slow-request-ms", engine.slow_request,
                     "requests that take this long are told in the log; 0: none", 0);
    add_milliseconds(app, "--summary-interval-ms", options.summary_interval,
                     "between two summary lines of the log");
}

void add_all(CLI::App& app, Raw& raw, Options& options) {
    // A server on the network would rather refuse than let everybody wait; a game that pumps an
    // engine of its own sees its queue.
    options.engine.queue_wait = kQueueWait;
    options.engine.wait_max = kWaitMax;
    app.set_version_flag("--version", "outrider-server " OUTRIDER_VERSION);
    app.footer(kFooter);
    add_main_options(app, raw, options);
    add_limits(app, options);
    add_access_options(app, options.net.access);
    add_tls_options(app, options.tls, options.net);
}

std::string variable_of(const std::string& option) {
    std::string name = "OUTRIDER_";
    for (const char c : option) {
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return name;
}

// CLI11 lets the file win over the variables; here it is the other way round. So the variables
// become flags, where no flag says otherwise.
std::vector<std::string> with_variables(const CLI::App& seen, const Environment& environment,
                                        const std::vector<std::string>& arguments) {
    std::vector<std::string> all;
    for (const CLI::Option* option : seen.get_options()) {
        const std::string name = option->get_single_name();
        const char* value = environment(variable_of(name).c_str());
        // Compose files and units pass on what is unset as an empty variable.
        if (value == nullptr || *value == '\0' || option->count() > 0 || name == "help" ||
            name == "version") {
            continue;
        }
        const bool is_list = name == "map" || name == "class";
        std::string rest = value;
        for (bool more = true; more;) {
            const std::size_t at = is_list ? rest.find(kListSeparator) : std::string::npos;
            more = at != std::string::npos;
            all.push_back("--" + name + "=" + rest.substr(0, at));
            rest = more ? rest.substr(at + 1) : "";
        }
    }
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

Exit wrong_usage(const std::string& message) {
    return {2, "outrider-server: " + message + "\nRun with --help for more information.\n"};
}

// CLI11 says "INI was not able to parse NAME" of a name that is no option.
std::string config_message(const CLI::App& app, const std::string& message) {
    const auto* config = app.get_config_ptr();
    const std::string file = config == nullptr ? "" : config->as<std::string>();
    const std::string name = message.substr(message.rfind(' ') + 1);
    return "--config " + file + ": \"" + name +
           "\" is no option; write NAME = VALUE lines with the names that --help lists, and no "
           "sections";
}

// It is read as a whole, also on SIGHUP, while SIGTERM waits.
std::string fault_of_config_file(const std::string& file) {
    std::error_code none;  // is told when it is read
    const auto bytes = std::filesystem::file_size(file, none);
    return none || bytes <= kSmallFileBytesMax
               ? ""
               : file + " is larger than " + std::to_string(kSmallFileBytesMax) + " bytes";
}

// As they hold, defaults included, so that two readings can be compared.
std::map<std::string, std::string> texts_of(const CLI::App& app) {
    std::map<std::string, std::string> texts;
    for (const CLI::Option* option : app.get_options()) {
        std::string text = option->get_default_str();
        if (option->count() > 0) {
            text = CLI::detail::join(option->results(), std::string(1, kListSeparator));
        }
        // A flag that is said to be off is as good as none.
        texts[option->get_single_name()] = text == "false" ? "" : text;
    }
    return texts;
}

std::expected<void, Exit> parse(CLI::App& app, std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return std::unexpected(Exit{0, app.help()});
    } catch (const CLI::CallForVersion& version) {
        return std::unexpected(Exit{0, std::string(version.what()) + "\n"});
    } catch (const CLI::ConfigError& error) {
        return std::unexpected(wrong_usage(config_message(app, error.what())));
    } catch (const CLI::ParseError& error) {
        return std::unexpected(wrong_usage(error.what()));
    }
    return {};
}

base::Result<void> put_in_place(const Raw& raw, Options& options) {
    const auto address = parse_address(raw.listen);
    if (!address) {
        return base::fail("--listen: " + address.error().message);
    }
    std::tie(options.net.host, options.net.port) = *address;
    if (!raw.http.empty()) {
        if (const auto http = parse_address(raw.http); !http) {
            return base::fail("--http: " + http.error().message);
        }
        options.http_address = raw.http;
    }
    options.data_dir = raw.data_dir;
    for (const std::string& map : raw.maps) {
        const std::size_t at = map.find('=');
        if (at == std::string::npos || at == 0 || at + 1 == map.size()) {
            return base::fail("--map " + map + ": write NAME=FILE");
        }
        if (!is_utf8(map.substr(0, at))) {
            return base::fail("--map: a name is no UTF-8, so that no client could read it");
        }
        options.maps.push_back(
            {map.substr(0, at), std::filesystem::path(raw.data_dir) / map.substr(at + 1)});
    }
    for (const std::string& text : raw.classes) {
        auto parsed = parse_class(text);
        if (!parsed) {
            return base::fail("--class: " + parsed.error().message);
        }
        options.classes.push_back(*std::move(parsed));
    }
    if (options.net.outbox_low_bytes > options.net.outbox_high_bytes ||
        options.net.outbox_high_bytes > options.net.outbox_hard_bytes) {
        return base::fail(
            "the outbox marks must rise: --outbox-low-bytes, --outbox-high-bytes, "
            "--outbox-hard-bytes");
    }
    if (auto sound = check_tls(options.tls); !sound) {
        return sound;
    }
    options.engine.workers = raw.workers;
    options.engine.clients_max = options.net.connections_max;
    options.token_file = raw.token_file;
    options.log.level = raw.level;
    options.log.format = raw.format;
    return {};
}

}  // namespace

base::Result<std::pair<std::string, std::uint16_t>> parse_address(const std::string& text) {
    const std::size_t at = text.rfind(':');
    std::string host = text.substr(0, at);
    const std::string port = at == std::string::npos ? "" : text.substr(at + 1);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    } else if (host.find(':') != std::string::npos) {
        return base::fail("\"" + text + "\": put an IPv6 address in brackets, as [::1]:7600");
    }
    std::uint16_t number = 0;
    const auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (host.empty() || port.empty() || error != std::errc{} || stop != port.data() + port.size()) {
        return base::fail("\"" + text + "\" is no HOST:PORT, such as 127.0.0.1:7600");
    }
    return std::pair(std::move(host), number);
}

std::expected<Options, Exit> parse_command_line(const std::vector<std::string>& arguments,
                                                const Environment& environment) {
    // The first pass only finds out which options the flags give; it does not read the file.
    Raw seen_raw;
    Options seen_options;
    CLI::App seen(kAbout, "outrider-server");
    add_all(seen, seen_raw, seen_options);
    std::string seen_config;
    seen.add_option("--config", seen_config);
    if (const auto parsed = parse(seen, arguments); !parsed && parsed.error().code != 0) {
        return std::unexpected(parsed.error());
    }
    Raw raw;
    Options options;
    CLI::App app(kAbout, "outrider-server");
    app.set_config("--config", "", "TOML file with any of these options")
        ->check(CLI::Validator(fault_of_config_file, ""));
    app.allow_config_extras(CLI::config_extras_mode::error);
    add_all(app, raw, options);
    if (const auto parsed = parse(app, with_variables(seen, environment, arguments)); !parsed) {
        return std::unexpected(parsed.error());
    }
    if (const auto placed = put_in_place(raw, options); !placed) {
        return std::unexpected(wrong_usage(placed.error().message));
    }
    options.texts = texts_of(app);
    options.config_file = options.texts["config"];
    return options;
}

}  // namespace outrider::app
