#pragma once
// What:     a proxy that stands between clients and a server and records one map's match: who
//           connects to it talks to the server.
// Contract: start() returns when the map's state is in the file and clients may come: what they ask
//           is answered on that version or a later one, and every later version is recorded,
//           whoever edits. Where the recording ends before its time (the server ends the watch, the
//           disk is full), clients are served on, and `trouble` is told once.
// Threads:  run() on one thread, until stop(), which any thread may call; a thread of its own
//           watches the map. finish() after run().
// Cost:     kRelaysMax connections; see relay.hpp and tap.hpp for each.

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "outrider/base/mutex.hpp"
#include "outrider/base/result.hpp"
#include "outrider/client/client.hpp"
#include "record/recording_writer.hpp"
#include "record/relay.hpp"

namespace outrider::record {

// As many as a server takes by default; past it, clients wait in the listener's queue.
inline constexpr std::size_t kRelaysMax = 4096;

struct RecorderOptions {
    std::string listen_host{"127.0.0.1"};
    std::string listen_port{"0"};
    client::Options server;  // with the recorder's own token
    std::string map_name;
    std::string file;
    bool overwrite{false};
    std::string program_version;
    std::function<void(const std::string&)> trouble;  // on any thread
};

class Recorder {
  public:
    [[nodiscard]] static base::Result<std::unique_ptr<Recorder>> start(RecorderOptions options);
    ~Recorder();

    // HOST:PORT, with the port that was picked.
    [[nodiscard]] std::string address() const;
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] model::Version first_version() const { return first_version_; }
    void run();
    // SIGINT and SIGTERM then stop().
    void stop_on_signals();
    // Closes the listener and all connections.
    void stop();
    // Waits a moment for versions that replies have named, and writes the file's end.
    RecordingCounts finish() OUTRIDER_EXCLUDES(mutex_);
    // Why the recording ended before its time, if it did.
    [[nodiscard]] std::optional<std::string> fault() const OUTRIDER_EXCLUDES(mutex_);

  private:
    explicit Recorder(RecorderOptions options);

    [[nodiscard]] base::Result<void> connect();
    [[nodiscard]] base::Result<void> listen();
    [[nodiscard]] base::Result<void> watch();
    void on_edit(const codec::MapEdited& edited) OUTRIDER_EXCLUDES(mutex_);
    void accept();
    void on_accepted(asio::ip::tcp::socket client);
    void on_passed();
    void on_ended(std::uint64_t number);
    void tell_trouble(const std::string& what) OUTRIDER_EXCLUDES(mutex_);

    RecorderOptions options_;
    RecordedMap map_;
    model::Version first_version_{};
    asio::io_context context_{1};
    asio::ip::tcp::acceptor acceptor_{context_};
    asio::steady_timer accept_again_{context_};
    asio::signal_set signals_{context_};
    Relay::Endpoints server_;
    // Null: the server's connections are plain. Those of clients always are.
    std::shared_ptr<asio::ssl::context> tls_;
    std::unique_ptr<RecordingWriter> writer_;
    std::uint64_t connections_{0};
    std::unordered_map<std::uint64_t, std::shared_ptr<Relay>> relays_;
    bool is_full_{false};

    mutable base::Mutex mutex_;
    base::Condition changed_;
    std::optional<std::string> fault_ OUTRIDER_GUARDED_BY(mutex_);
    bool is_finished_ OUTRIDER_GUARDED_BY(mutex_){false};
    // Last, since its callbacks use the others.
    std::unique_ptr<client::Client> client_;
};

}  // namespace outrider::record
