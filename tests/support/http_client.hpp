#pragma once
// What: asks a page of the operator's HTTP, and sends what no browser would.

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace outrider::test {

struct HttpReply {
    int status{0};  // 0: nothing that looks like an answer came
    std::string head;
    std::string body;
};

// A connection to 127.0.0.1 that closes itself. A read gives up after ten seconds.
class HttpConnection {
  public:
    explicit HttpConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        const timeval limit{.tv_sec = 10, .tv_usec = 0};
        (void)::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    ~HttpConnection() { ::close(socket_); }
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    void send(std::string_view text) const {
        if (connected_) {
            (void)::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
        }
    }
    // To the end of the connection.
    [[nodiscard]] HttpReply receive() const {
        std::string all;
        char bytes[4096];
        for (ssize_t got = 0; connected_ && (got = ::recv(socket_, bytes, sizeof bytes, 0)) > 0;) {
            all.append(bytes, static_cast<std::size_t>(got));
        }
        constexpr std::string_view kStart = "HTTP/1.1 ";
        constexpr std::string_view kBlank = "\r\n\r\n";
        const std::size_t end = all.find(kBlank);
        if (!all.starts_with(kStart) || end == std::string::npos) {
            return {};
        }
        return {std::stoi(all.substr(kStart.size(), 3)), all.substr(0, end),
                all.substr(end + kBlank.size())};
    }

  private:
    int socket_;
    bool connected_{false};
};

[[nodiscard]] inline HttpReply http_ask(int port, std::string_view method, std::string_view path) {
    const HttpConnection connection(port);
    connection.send(std::string(method) + " " + std::string(path) +
                    " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    return connection.receive();
}

[[nodiscard]] inline HttpReply http_get(int port, std::string_view path) {
    return http_ask(port, "GET", path);
}

}  // namespace outrider::test
