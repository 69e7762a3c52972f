// What the server's CPU costs a request that needs no search, over one connection, with 64 requests
// in flight and with one, plain and over TLS in turns; and how many requests a second it answers
// that is never without one, plain, over TLS, and while its pages are read once a second. Starts
// the program outrider-server three times and reads the CPU clock of each.
// usage: net_bench [REQUESTS]

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "outrider/base/check.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/wire/frame.hpp"
#include "support/certificates.hpp"
#include "support/collect_output.hpp"
#include "support/tls_end.hpp"

namespace outrider {
namespace {

constexpr std::size_t kRequestsDefault = 200'000;
constexpr int kMapSide = 512;

// An open field in the north, and beyond a wall a south that nobody reaches.
std::filesystem::path write_map() {
    const auto file = std::filesystem::temp_directory_path() /
                      ("outrider_net_bench_" + std::to_string(getpid()) + ".map");
    std::ofstream out(file);
    out << "type octile\nheight " << kMapSide << "\nwidth " << kMapSide << "\nmap\n";
    for (int y = 0; y < kMapSide; ++y) {
        out << std::string(kMapSide, y == kMapSide / 2 ? '@' : '.') << "\n";
    }
    return file;
}

struct Program {
    pid_t pid{};
    std::uint16_t port{};
    bool speaks_tls{false};
};

Program start_server(const std::filesystem::path& map, const std::vector<std::string>& more) {
    std::vector<std::string> words{"outrider-server",       "--listen",    "127.0.0.1:0", "--map",
                                   "field=" + map.string(), "--log-level", "error"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    int out[2];
    OUTRIDER_CHECK(pipe(out) == 0);
    const pid_t pid = fork();
    OUTRIDER_CHECK(pid >= 0);
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        execv(OUTRIDER_SERVER_PROGRAM, argv.data());
        _exit(127);
    }
    close(out[1]);
    std::string line;
    for (char c = 0; read(out[0], &c, 1) == 1 && c != '\n';) {
        line += c;
    }
    OUTRIDER_CHECK(line.starts_with("listening on "));
    return {pid, static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1))),
            std::ranges::find(more, "--tls-cert") != more.end()};
}

double cpu_seconds(pid_t pid) {
    clockid_t clock{};
    timespec time{};
    OUTRIDER_CHECK(clock_getcpuclockid(pid, &clock) == 0);
    OUTRIDER_CHECK(clock_gettime(clock, &time) == 0);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int connect_to(std::uint16_t port) {
    const int peer = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(port);
    OUTRIDER_CHECK(connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return peer;
}

std::uint16_t free_port() {
    const int holder = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    OUTRIDER_CHECK(bind(holder, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    OUTRIDER_CHECK(getsockname(holder, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    close(holder);
    return ntohs(address.sin_port);
}

// Reads a server's metrics once a second, as an operator's collector does.
class Scraper {
  public:
    explicit Scraper(std::uint16_t port) : thread_([this, port] { run(port); }) {}
    ~Scraper() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
            wake_.notify_all();
        }
        thread_.join();
    }
    Scraper(const Scraper&) = delete;
    Scraper& operator=(const Scraper&) = delete;

  private:
    void run(std::uint16_t port) {
        constexpr std::string_view kAsk = "GET /metrics HTTP/1.0\r\n\r\n";
        std::unique_lock lock(mutex_);
        while (!stopped_) {
            const int peer = connect_to(port);
            OUTRIDER_CHECK(send(peer, kAsk.data(), kAsk.size(), 0) == std::ssize(kAsk));
            char page[4096];
            OUTRIDER_CHECK(recv(peer, page, sizeof page, 0) > 0);
            while (recv(peer, page, sizeof page, 0) > 0) {
            }
            close(peer);
            wake_.wait_for(lock, std::chrono::seconds(1));
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    bool stopped_{false};
    std::thread thread_;
};

class Connection {
  public:
    explicit Connection(const Program& program) : socket_(connect_to(program.port)) {
        const int on = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (program.speaks_tls) {
            tls_.emplace(socket_);
            OUTRIDER_CHECK(tls_->shake_hands());
        }
        send_all(frame_of({{1}, codec::Hello{}}));
        (void)receive(1);
    }
    ~Connection() { close(socket_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    static wire::Bytes frame_of(const codec::ClientMessage& message) {
        test::CollectOutput out;
        codec::RequestEncoder().encode(message, out);
        wire::Bytes frame;
        wire::append_frame(frame, out.messages[0]);
        return frame;
    }

    // Keeps `in_flight` requests under way until `count` are answered.
    void ask(const codec::PathRequest& request, std::size_t count, std::size_t in_flight) {
        const wire::Bytes one = frame_of({{2}, request});
        wire::Bytes burst;
        std::size_t sent = 0;
        std::size_t answered = 0;
        while (answered < count) {
            burst.clear();
            for (; sent < count && sent - answered < in_flight; ++sent) {
                burst.insert(burst.end(), one.begin(), one.end());
            }
            send_all(burst);
            answered += receive(std::min(in_flight, count - answered));
        }
    }

    void check(const codec::PathRequest& request, model::Outcome outcome) {
        send_all(frame_of({{2}, request}));
        codec::ReplyDecoder decoder;
        for (auto next = reader_.next();; next = reader_.next()) {
            OUTRIDER_CHECK(next.has_value());
            if (*next) {
                const auto reply = decoder.decode(**next);
                const auto& part = std::get<codec::PathPart>(reply->body);
                OUTRIDER_CHECK(part.head && part.head->outcome == outcome);
                return;
            }
            read_some();
        }
    }

  private:
    void send_all(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = tls_ ? tls_->write(bytes.data(), bytes.size())
                                      : send(socket_, bytes.data(), bytes.size(), 0);
            OUTRIDER_CHECK(sent > 0);
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        }
    }
    void read_some() {
        const auto room = reader_.prepare();
        const ssize_t got = tls_ ? tls_->read(room.data(), room.size())
                                 : recv(socket_, room.data(), room.size(), 0);
        OUTRIDER_CHECK(got > 0);
        reader_.commit(static_cast<std::size_t>(got));
    }
    // At least `wanted` messages.
    std::size_t receive(std::size_t wanted) {
        std::size_t count = 0;
        while (count < wanted) {
            read_some();
            for (auto next = reader_.next(); next && *next; next = reader_.next()) {
                ++count;
            }
        }
        return count;
    }

    int socket_;
    std::optional<test::TlsEnd> tls_;
    wire::FrameReader reader_{wire::kServerFrameBytesMax};
};

codec::PathRequest request_to(model::Cell start, model::Cell goal) {
    codec::PathRequest request;
    request.map_name = "field";
    request.query.start = start;
    request.query.goal.rect = {goal.x, goal.y, 1, 1};
    return request;
}

double server_us_a_request(const Program& program, const codec::PathRequest& request,
                           std::size_t requests, std::size_t in_flight) {
    Connection connection(program);
    connection.ask(request, 1000, in_flight);
    const double cpu = cpu_seconds(program.pid);
    connection.ask(request, requests, in_flight);
    return (cpu_seconds(program.pid) - cpu) * 1e6 / static_cast<double>(requests);
}

double median_of(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

// In pairs, so that a busy machine disturbs both alike.
void measure(const Program& plain, const Program& sealed, const char* what,
             const codec::PathRequest& request, std::size_t count) {
    constexpr int kPairs = 5;
    for (const std::size_t in_flight : {std::size_t{64}, std::size_t{1}}) {
        const std::size_t requests = (in_flight == 1 ? count / 4 : count) / kPairs;
        std::vector<double> plain_us;
        std::vector<double> sealed_us;
        std::vector<double> more;
        for (int pair = 0; pair < kPairs; ++pair) {
            plain_us.push_back(server_us_a_request(plain, request, requests, in_flight));
            sealed_us.push_back(server_us_a_request(sealed, request, requests, in_flight));
            more.push_back(100 * (sealed_us.back() / plain_us.back() - 1));
        }
        std::printf(
            "%-12s %2zu in flight: %6.2f us of server CPU a request, %6.2f over TLS, "
            "%+.0f %%\n",
            what, in_flight, median_of(plain_us), median_of(sealed_us), median_of(more));
    }
}

// The server always has work at hand: several connections with 256 requests in flight on each.
double requests_a_second(const Program& program, const codec::PathRequest& request,
                         std::size_t requests) {
    constexpr std::size_t kConnections = 4;
    constexpr std::size_t kInFlight = 256;
    std::vector<std::unique_ptr<Connection>> connections;
    for (std::size_t i = 0; i < kConnections; ++i) {
        connections.push_back(std::make_unique<Connection>(program));
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (const auto& connection : connections) {
        threads.emplace_back([&] { connection->ask(request, requests / kConnections, kInFlight); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return static_cast<double>(requests) / took.count();
}

void compare(const Program& plain, const Program& other, const char* what,
             const codec::PathRequest& request, std::size_t count) {
    constexpr int kPairs = 15;
    std::vector<double> plain_rate;
    std::vector<double> other_rate;
    for (int pair = 0; pair < kPairs; ++pair) {
        // Who is second finds the machine warmer.
        for (const bool is_plain : {pair % 2 == 0, pair % 2 != 0}) {
            (is_plain ? plain_rate : other_rate)
                .push_back(requests_a_second(is_plain ? plain : other, request, count / kPairs));
        }
    }
    const double plain_median = median_of(plain_rate);
    const double other_median = median_of(other_rate);
    std::printf("cache hits, never idle: %8.0f requests a second plain, %8.0f %s, %+.1f %%\n",
                plain_median, other_median, what, 100 * (other_median / plain_median - 1));
}

std::filesystem::path write_text(const std::filesystem::path& map, const char* suffix,
                                 const std::string& text) {
    std::filesystem::path file = map;
    file += suffix;
    std::ofstream(file) << text;
    return file;
}

int end_of(const Program& program) {
    kill(program.pid, SIGTERM);
    int status = 0;
    waitpid(program.pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int run(std::size_t count) {
    const auto map = write_map();
    const test::Certificate own = test::make_certificate();
    const auto certificate = write_text(map, ".pem", own.pem);
    const auto key = write_text(map, ".key", own.key);
    const Program plain = start_server(map, {});
    const Program sealed =
        start_server(map, {"--tls-cert", certificate.string(), "--tls-key", key.string()});
    const std::uint16_t pages = free_port();
    const Program watched = start_server(map, {"--http", "127.0.0.1:" + std::to_string(pages)});
    const auto cached = request_to({3, 3}, {400, 200});
    const auto unreachable = request_to({3, 3}, {400, 400});
    const auto same_cell = request_to({3, 3}, {3, 3});
    for (const Program& program : {plain, sealed, watched}) {
        Connection first(program);
        first.check(cached, model::Outcome::kComplete);
        first.check(unreachable, model::Outcome::kUnreachable);
        first.check(same_cell, model::Outcome::kComplete);
    }
    measure(plain, sealed, "cache hit", cached, count);
    measure(plain, sealed, "unreachable", unreachable, count);
    measure(plain, sealed, "same cell", same_cell, count);
    compare(plain, sealed, "over TLS", cached, 5 * count);
    {
        const Scraper scraper(pages);
        compare(plain, watched, "with metrics read", cached, 5 * count);
    }
    const int status = end_of(plain) | end_of(sealed) | end_of(watched);
    for (const auto& file : {map, certificate, key}) {
        std::filesystem::remove(file);
    }
    return status;
}

}  // namespace
}  // namespace outrider

int main(int argc, char** argv) {
    return outrider::run(argc > 1 ? std::stoul(argv[1]) : outrider::kRequestsDefault);
}
