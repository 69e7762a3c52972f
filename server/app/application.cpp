#include "outrider/app/application.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <initializer_list>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "outrider/app/map_files.hpp"
#include "outrider/app/operator_pages.hpp"
#include "outrider/app/reload.hpp"
#include "outrider/app/reserve.hpp"
#include "outrider/app/secrets.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/net/server.hpp"
#include "outrider/telemetry/http.hpp"
#include "outrider/telemetry/unless_without_memory.hpp"

namespace outrider::app {
namespace {

using telemetry::Level;

sigset_t set_of(std::initializer_list<int> numbers) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : numbers) {
        sigaddset(&signals, number);
    }
    return signals;
}

sigset_t awaited_signals() {
    return set_of({SIGTERM, SIGINT, SIGHUP});
}

// The signal that came; 0 when `limit` passed first.
int wait_for_signal(const sigset_t& signals, std::chrono::milliseconds limit) {
    constexpr long kNanosecondsPerMillisecond = 1'000'000;
    timespec left{};
    left.tv_sec = static_cast<std::time_t>(limit.count() / 1000);
    left.tv_nsec = static_cast<long>(limit.count() % 1000) * kNanosecondsPerMillisecond;
    return std::max(sigtimedwait(&signals, nullptr, &left), 0);
}

std::string_view name_of(int signal) {
    switch (signal) {
        case SIGHUP: return "SIGHUP";
        case SIGINT: return "SIGINT";
        default: return "SIGTERM";
    }
}

// A signal to end has come. One to reload waits until there is a server whose rules can change.
bool end_is_asked(const Options& options) {
    const sigset_t signals = has_files(options) ? set_of({SIGTERM, SIGINT}) : awaited_signals();
    return wait_for_signal(signals, std::chrono::milliseconds(0)) != 0;
}

// False when a signal asked for the end before all were there.
base::Result<bool> load_maps(const Options& options, const MapFiles& files,
                             const engine::Engine& engine, telemetry::Log& log) {
    for (const MapFile& map : options.maps) {
        if (end_is_asked(options)) {
            return false;
        }
        const auto added = files.load(map);
        if (!added) {
            return std::unexpected(added.error());
        }
        const auto snapshot = engine.snapshot(*added);
        log.write(Level::kInfo, "map loaded",
                  {{"map", map.name},
                   {"width", static_cast<std::uint64_t>(snapshot->width())},
                   {"height", static_cast<std::uint64_t>(snapshot->height())}});
    }
    if (options.maps.empty()) {
        log.write(Level::kWarning,
                  "no map to serve; give one with --map NAME=FILE, or load one: outrider map load",
                  {});
    }
    return !end_is_asked(options);
}

void write_summary(telemetry::Log& log, const engine::Stats& engine, const net::Stats& net,
                   double requests_per_s) {
    log.write(Level::kInfo, "summary",
              {{"requests_per_s", requests_per_s},
               {"sessions", net.sessions_open},
               {"requests", net.requests},
               {"answered", engine.answered},
               {"refused", engine.refused},
               {"cancelled", engine.cancelled},
               {"superseded", engine.superseded},
               {"deadlines", engine.deadlines},
               {"dropped", engine.dropped_by_disconnect},
               {"queued", std::uint64_t{engine.queued}},
               {"running", std::uint64_t{engine.running}},
               {"joined", engine.joined},
               {"verdicts", engine.verdicts},
               {"cache_hits", engine.cache_hits},
               {"edits", engine.edits},
               {"pushes", net.pushes},
               {"outbox_bytes", net.outbox_bytes}});
}

// The summaries, one in an interval.
class Summaries {
  public:
    Summaries(const engine::Engine& engine, const net::Server& server)
        : engine_(engine), server_(server), since_(clock_.now()) {}

    void write_when_due(std::chrono::milliseconds interval, telemetry::Log& log) {
        const base::TimePoint now = clock_.now();
        if (now - since_ < interval) {
            return;
        }
        const net::Stats stats = server_.stats();
        const double seconds = std::chrono::duration<double>(now - since_).count();
        write_summary(log, engine_.stats(), stats,
                      static_cast<double>(stats.requests - before_) / seconds);
        before_ = stats.requests;
        since_ = now;
    }

  private:
    const engine::Engine& engine_;
    const net::Server& server_;
    const base::SteadyClock clock_;
    base::TimePoint since_;
    std::uint64_t before_{0};
};

// Returns with the signal that asks for the end.
int serve(Reloader& reloader, const engine::Engine& engine, const net::Server& server,
          telemetry::Log& log, Reserve& reserve) {
    constexpr std::chrono::milliseconds kLookAfterReserve{500};
    Summaries summaries(engine, server);
    bool reload_waits = false;
    for (;;) {
        const int signal = wait_for_signal(
            awaited_signals(), std::min(reloader.options().summary_interval, kLookAfterReserve));
        // Without a file there is nothing to reload: then it is a terminal that was closed.
        if (signal == SIGHUP && has_files(reloader.options())) {
            reload_waits = true;
        } else if (signal != 0) {
            return signal;
        }
        // Just here memory may be wanting. What is left out then is done at the next turn.
        telemetry::unless_without_memory([&] {
            if (reserve.refill()) {
                log.warn_limited("memory is used up",
                                 {{"bytes", std::uint64_t{engine.memory().sum()}}});
            }
            if (reload_waits) {
                reloader.reload();
                reload_waits = false;
            }
            summaries.write_when_due(reloader.options().summary_interval, log);
        });
    }
}

// What the log does not get for want of memory keeps nobody from being answered.
int drain(const Options& options, const engine::Engine& engine, net::Server& server,
          telemetry::Log& log, std::string_view signal) {
    telemetry::unless_without_memory([&] {
        log.write(Level::kInfo, "draining",
                  {{"signal", signal}, {"sessions", server.stats().sessions_open}});
    });
    server.begin_drain();
    const bool complete = server.wait_closed(options.drain_timeout);
    telemetry::unless_without_memory([&] {
        write_summary(log, engine.stats(), server.stats(), 0);
        if (complete) {
            log.write(Level::kInfo, "drained", {});
        } else {
            log.write(Level::kError, "drain timed out",
                      {{"sessions", server.stats().sessions_open}});
        }
    });
    return complete ? 0 : 1;
}

// Null where no HTTP is asked for.
base::Result<std::unique_ptr<telemetry::Http>> start_http(const Options& options,
                                                          OperatorPages& pages,
                                                          telemetry::Log& log) {
    if (options.http_address.empty()) {
        return nullptr;
    }
    auto http = telemetry::Http::start({.address = options.http_address}, pages.pages());
    if (http) {
        const auto port = static_cast<std::uint64_t>((*http)->port());
        log.write(Level::kInfo, "serving HTTP",
                  {{"address", options.http_address}, {"port", port}});
        if (!(*http)->is_loopback()) {
            log.write(Level::kWarning, "HTTP has no tokens and is open beyond this machine",
                      {{"address", options.http_address}});
        }
    }
    return http;
}

// In two parts, since to join them takes memory.
int failed(const char* message, const char* cure = "") {
    std::fprintf(stderr, "outrider-server: %s%s\n", message, cure);
    return 1;
}
int failed(const base::Error& error) {
    return failed(error.message.c_str());
}

int load_and_serve(Options& options, const ParseAgain& parse_again) {
    const base::SteadyClock clock;
    if (const auto read = read_secrets(options); !read) {
        return failed(read.error());
    }
    if (const auto there = check_data_dir(options.data_dir); !there) {
        return failed(there.error());
    }
    telemetry::Log log(options.log, clock);
    tell_of_secrets(options, log);
    auto engine = engine::Engine::create(options.engine, clock);
    if (!engine) {
        return failed(engine.error());
    }
    const MapFiles files(**engine, options);
    if (const auto sound = files.check(options.maps); !sound) {
        return failed(sound.error());
    }
    // The pages read engine and server until the last of their threads has ended.
    auto opened = net::Server::open(options.net, {.engine = **engine,
                                                  .engine_config = options.engine,
                                                  .clock = clock,
                                                  .log = log,
                                                  .load_map = [&files](const net::MapOrder& order) {
                                                      return files.load(order);
                                                  }});
    if (!opened) {
        return failed(opened.error());
    }
    net::Server& server = **opened;
    OperatorPages pages(options, **engine, clock);
    // Before the maps: while they load an orchestrator hears "alive, not ready".
    const auto http = start_http(options, pages, log);
    if (!http) {
        return failed(http.error());
    }
    const auto loaded = load_maps(options, files, **engine, log);
    if (!loaded) {
        return failed(loaded.error());
    }
    if (!*loaded) {
        log.write(Level::kInfo, "ended by a signal before it served", {});
        return 0;
    }
    if (const auto listening = server.listen(); !listening) {
        return failed(listening.error());
    }
    pages.begin_serving(server);
    std::printf("listening on %s\n", server.address().c_str());
    std::fflush(stdout);
    Reloader reloader(options, parse_again, {server, log});
    Reserve reserve((*engine)->memory());  // also what the drain takes
    const int signal = serve(reloader, **engine, server, log, reserve);
    pages.begin_drain();
    return drain(reloader.options(), **engine, server, log, name_of(signal));
}

}  // namespace

void block_signals() {
    // A reader of the log that goes away costs lines, not the server.
    const sigset_t signals = set_of({SIGTERM, SIGINT, SIGHUP, SIGPIPE});
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int run(Options options, const ParseAgain& parse_again) {
    try {
        return load_and_serve(options, parse_again);
    } catch (const std::bad_alloc&) {
        return failed("the system gives no more memory",
                      "; let this process have more, or give it fewer and smaller maps (--map)");
    } catch (const std::exception& error) {
        return failed(error.what(),
                      "; let this process have more threads, memory and files (ulimit -u, -v, -n), "
                      "or give it fewer --workers and --io-threads");
    }
}

}  // namespace outrider::app
