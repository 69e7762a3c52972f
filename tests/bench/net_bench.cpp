// What the server's CPU costs a request that needs no search, over one connection, with 64 requests
// in flight and with one. Starts the program outrider-server and reads its CPU clock.
// usage: net_bench [REQUESTS]

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "outrider/base/check.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/wire/frame.hpp"
#include "support/collect_output.hpp"

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
};

Program start_server(const std::filesystem::path& map) {
    int out[2];
    OUTRIDER_CHECK(pipe(out) == 0);
    const std::string map_option = "field=" + map.string();
    const pid_t pid = fork();
    OUTRIDER_CHECK(pid >= 0);
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        execl(OUTRIDER_SERVER_PROGRAM, "outrider-server", "--listen", "127.0.0.1:0", "--map",
              map_option.c_str(), "--log-level", "error", nullptr);
        _exit(127);
    }
    close(out[1]);
    std::string line;
    for (char c = 0; read(out[0], &c, 1) == 1 && c != '\n';) {
        line += c;
    }
    OUTRIDER_CHECK(line.starts_with("listening on "));
    return {pid, static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)))};
}

double cpu_seconds(pid_t pid) {
    clockid_t clock{};
    timespec time{};
    OUTRIDER_CHECK(clock_getcpuclockid(pid, &clock) == 0);
    OUTRIDER_CHECK(clock_gettime(clock, &time) == 0);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double wall_seconds() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Connection {
  public:
    explicit Connection(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        OUTRIDER_CHECK(
            connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        const int on = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
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
            const ssize_t sent = send(socket_, bytes.data(), bytes.size(), 0);
            OUTRIDER_CHECK(sent > 0);
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        }
    }
    void read_some() {
        const auto room = reader_.prepare();
        const ssize_t got = recv(socket_, room.data(), room.size(), 0);
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
    wire::FrameReader reader_{wire::kServerFrameBytesMax};
};

codec::PathRequest request_to(model::Cell start, model::Cell goal) {
    codec::PathRequest request;
    request.map_name = "field";
    request.query.start = start;
    request.query.goal.rect = {goal.x, goal.y, 1, 1};
    return request;
}

void measure(const Program& program, const char* what, const codec::PathRequest& request,
             std::size_t count) {
    for (const std::size_t in_flight : {std::size_t{64}, std::size_t{1}}) {
        const std::size_t requests = in_flight == 1 ? count / 4 : count;
        Connection connection(program.port);
        connection.ask(request, 1000, in_flight);
        const double cpu = cpu_seconds(program.pid);
        const double wall = wall_seconds();
        connection.ask(request, requests, in_flight);
        const double cpu_us = (cpu_seconds(program.pid) - cpu) * 1e6;
        const double seconds = wall_seconds() - wall;
        std::printf("%-12s %2zu in flight: %6.2f us of server CPU a request, %8.0f requests/s\n",
                    what, in_flight, cpu_us / static_cast<double>(requests),
                    static_cast<double>(requests) / seconds);
    }
}

int run(std::size_t count) {
    const auto map = write_map();
    const Program program = start_server(map);
    const auto cached = request_to({3, 3}, {400, 200});
    const auto unreachable = request_to({3, 3}, {400, 400});
    const auto same_cell = request_to({3, 3}, {3, 3});
    {
        Connection first(program.port);
        first.check(cached, model::Outcome::kComplete);
        first.check(unreachable, model::Outcome::kUnreachable);
        first.check(same_cell, model::Outcome::kComplete);
    }
    measure(program, "cache hit", cached, count);
    measure(program, "unreachable", unreachable, count);
    measure(program, "same cell", same_cell, count);
    kill(program.pid, SIGTERM);
    int status = 0;
    waitpid(program.pid, &status, 0);
    std::filesystem::remove(map);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace
}  // namespace outrider

int main(int argc, char** argv) {
    return outrider::run(argc > 1 ? std::stoul(argv[1]) : outrider::kRequestsDefault);
}
