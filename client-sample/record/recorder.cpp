#include "record/recorder.hpp"

#include <asio/post.hpp>
#include <chrono>
#include <csignal>
#include <future>
#include <utility>

namespace outrider::record {
namespace {

// No descriptor is free: one may be soon.
constexpr std::chrono::milliseconds kAcceptPause{100};
// A push follows its version within a millisecond or so where the server is alive.
constexpr std::chrono::seconds kLastVersionWait{2};

std::string text_of(const asio::ip::tcp::endpoint& endpoint) {
    const std::string host = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
           std::to_string(endpoint.port());
}

}  // namespace

Recorder::Recorder(RecorderOptions options) : options_(std::move(options)) {}

Recorder::~Recorder() {
    // No callback comes after this; the others may go in their order.
    client_.reset();
}

base::Result<std::unique_ptr<Recorder>> Recorder::start(RecorderOptions options) {
    std::unique_ptr<Recorder> recorder(new Recorder(std::move(options)));
    if (auto done = recorder->connect(); !done) {
        return std::unexpected(std::move(done.error()));
    }
    // Before the file, so that a wrong address leaves none.
    if (auto done = recorder->listen(); !done) {
        return std::unexpected(std::move(done.error()));
    }
    const RecorderOptions& given = recorder->options_;
    auto writer = RecordingWriter::create(given.file, given.overwrite,
                                          {.program_version = given.program_version,
                                           .map = recorder->map_.id,
                                           .map_name = recorder->map_.name});
    if (!writer) {
        return std::unexpected(std::move(writer.error()));
    }
    recorder->writer_ = std::move(*writer);
    if (auto done = recorder->watch(); !done) {
        return std::unexpected(std::move(done.error()));
    }
    recorder->accept();
    return recorder;
}

base::Result<void> Recorder::connect() {
    auto client = client::Client::connect(options_.server);
    if (!client) {
        return base::fail(client.error().message);
    }
    client_ = std::move(*client);
    const codec::MapInfo* info = client_->find_map(options_.map_name);
    if (info == nullptr) {
        std::string names;
        for (const codec::MapInfo& map : client_->welcome().maps) {
            names += (names.empty() ? "" : ", ") + map.name;
        }
        return base::fail("the server has no map '" + options_.map_name +
                          "'; it has: " + (names.empty() ? "none" : names));
    }
    map_ = {info->id, info->name};
    if (options_.server.tls) {
        auto tls = client::tls_context_of(*options_.server.tls);
        if (!tls) {
            return std::unexpected(std::move(tls.error()));
        }
        tls_ = *std::move(tls);
    }
    asio::error_code error;
    server_ = asio::ip::tcp::resolver(context_).resolve(options_.server.host, options_.server.port,
                                                        error);
    if (error) {
        return base::fail("no address for " + options_.server.host + ": " + error.message());
    }
    return {};
}

base::Result<void> Recorder::listen() {
    asio::error_code error;
    const auto found = asio::ip::tcp::resolver(context_).resolve(
        options_.listen_host, options_.listen_port, asio::ip::tcp::resolver::passive, error);
    if (!error) {
        const asio::ip::tcp::endpoint endpoint = found.begin()->endpoint();
        acceptor_.open(endpoint.protocol(), error);
        if (!error) {
            acceptor_.set_option(asio::socket_base::reuse_address(true), error);
        }
        if (!error) {
            acceptor_.bind(endpoint, error);
        }
        if (!error) {
            acceptor_.listen(asio::socket_base::max_listen_connections, error);
        }
    }
    if (error) {
        return base::fail("cannot listen on " + options_.listen_host + ":" + options_.listen_port +
                          ": " + error.message() + "; give another address with --listen");
    }
    return {};
}

base::Result<void> Recorder::watch() {
    // Shared with a callback that may come when nobody waits any more.
    const auto begun = std::make_shared<std::promise<base::Result<void>>>();
    client::Watch watch;
    watch.on_edit = [this](const codec::MapEdited& edited) { on_edit(edited); };
    const auto on_end = [this](const std::string& reason) {
        if (first_version_ == 0) {
            return;  // start() says why
        }
        tell_trouble("the recording ends at version " + std::to_string(writer_->newest()) +
                     ", since its watch of the map ended: " + reason);
    };
    watch.on_end = [on_end](const client::Failure& reason) { on_end(reason.message); };
    watch.on_dropped = [on_end](const codec::MapDropped&) { on_end("the map was dropped"); };
    // The state goes to the file on the thread that brings the edits, hence before them.
    client_->watch(map_.id, std::move(watch), [this, begun](client::Result<codec::MapState> state) {
        if (!state) {
            begun->set_value(base::fail(state.error().message));
            return;
        }
        first_version_ = state->info.version;
        writer_->map_state(std::move(*state));
        begun->set_value({});
    });
    auto future = begun->get_future();
    if (future.wait_for(options_.server.call_timeout) != std::future_status::ready) {
        return base::fail("the server did not send the map in time");
    }
    auto done = future.get();
    if (auto fault = writer_->fault(); done && fault) {
        return base::fail(*std::move(fault));
    }
    return done;
}

void Recorder::on_edit(const codec::MapEdited& edited) {
    {
        const base::Lock lock(mutex_);
        if (is_finished_) {
            return;
        }
        writer_->map_edited(edited);
        changed_.notify_all();
    }
    on_passed();
}

std::string Recorder::address() const {
    asio::error_code ignored;
    return text_of(acceptor_.local_endpoint(ignored));
}

std::uint16_t Recorder::port() const {
    asio::error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
}

void Recorder::run() {
    context_.run();
}

void Recorder::stop_on_signals() {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](const asio::error_code& error, int) {
        if (!error) {
            stop();
        }
    });
}

void Recorder::stop() {
    asio::post(context_, [this] {
        signals_.cancel();
        asio::error_code ignored;
        acceptor_.close(ignored);
        accept_again_.cancel();
        // Each takes itself out of the table.
        for (const auto& [number, relay] : std::unordered_map(relays_)) {
            relay->close();
        }
    });
}

void Recorder::accept() {
    acceptor_.async_accept([this](const asio::error_code& error, asio::ip::tcp::socket client) {
        if (!acceptor_.is_open()) {
            return;
        }
        if (!error) {
            on_accepted(std::move(client));
            return;
        }
        accept_again_.expires_after(kAcceptPause);
        accept_again_.async_wait([this](const asio::error_code& cancelled) {
            if (!cancelled) {
                accept();
            }
        });
    });
}

void Recorder::on_accepted(asio::ip::tcp::socket client) {
    const std::uint64_t number = ++connections_;
    auto server = std::make_unique<client::Transport>(context_);
    if (tls_) {
        server->use_tls(tls_, *options_.server.tls, options_.server.host);
    }
    const auto relay = std::make_shared<Relay>(
        std::move(client), std::move(server), std::make_unique<Tap>(*writer_, map_, number),
        RelayHooks{[this] { on_passed(); }, [this, number] { on_ended(number); }});
    relays_.emplace(number, relay);
    relay->start(server_);
    is_full_ = relays_.size() >= kRelaysMax;
    if (!is_full_) {
        accept();
    }
}

void Recorder::on_passed() {
    writer_->flush();
    if (const auto fault = writer_->fault()) {
        tell_trouble(*fault);
    }
}

void Recorder::on_ended(std::uint64_t number) {
    relays_.erase(number);
    if (std::exchange(is_full_, false) && acceptor_.is_open()) {
        accept();
    }
}

void Recorder::tell_trouble(const std::string& what) {
    {
        const base::Lock lock(mutex_);
        if (fault_ || is_finished_) {
            return;
        }
        fault_ = what;
        changed_.notify_all();
    }
    if (options_.trouble) {
        options_.trouble(what);
    }
}

RecordingCounts Recorder::finish() {
    const auto until = std::chrono::steady_clock::now() + kLastVersionWait;
    {
        const base::Lock lock(mutex_);
        while (!fault_ && writer_->newest() < writer_->counts().named) {
            const auto left = until - std::chrono::steady_clock::now();
            if (left.count() <= 0) {
                break;
            }
            changed_.wait_for(mutex_, left);
        }
        is_finished_ = true;
    }
    writer_->finish();
    return writer_->counts();
}

std::optional<std::string> Recorder::fault() const {
    const base::Lock lock(mutex_);
    return fault_ ? fault_ : writer_->fault();
}

}  // namespace outrider::record
