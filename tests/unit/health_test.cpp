#include "outrider/telemetry/health.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace outrider::telemetry {
namespace {

// What a probe sees: the status line's number, 0 when nothing answers.
int status_of(int port, const std::string& path) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string reply;
    if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
        const std::string request =
            "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        EXPECT_EQ(::send(socket, request.data(), request.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(request.size()));
        char bytes[512];
        for (ssize_t got = 0; (got = ::recv(socket, bytes, sizeof bytes, 0)) > 0;) {
            reply.append(bytes, static_cast<std::size_t>(got));
        }
    }
    ::close(socket);
    constexpr std::string_view kStart = "HTTP/1.1 ";
    return reply.starts_with(kStart) ? std::stoi(reply.substr(kStart.size(), 3)) : 0;
}

// If this failed, an orchestrator would send players to a server that is starting or draining.
TEST(Health, IsReadyOnlyWhileItTakesRequests) {
    const auto health = Health::start("127.0.0.1:0").value();
    EXPECT_EQ(status_of(health->port(), "/healthz"), 200);
    EXPECT_EQ(status_of(health->port(), "/readyz"), 503);
    health->set_ready(true);
    EXPECT_EQ(status_of(health->port(), "/readyz"), 200);
    health->set_ready(false);
    EXPECT_EQ(status_of(health->port(), "/readyz"), 503);
    EXPECT_EQ(status_of(health->port(), "/healthz"), 200);
    EXPECT_EQ(status_of(health->port(), "/readyz/more"), 404);
    EXPECT_EQ(status_of(health->port(), "/"), 404);
}

// If this failed, an operator would not learn why there are no probes.
TEST(Health, APortThatIsTakenIsRefusedWithTheCure) {
    const auto first = Health::start("127.0.0.1:0").value();
    const auto second = Health::start("127.0.0.1:" + std::to_string(first->port()));
    ASSERT_FALSE(second.has_value());
    EXPECT_NE(second.error().message.find("--http"), std::string::npos) << second.error().message;
}

}  // namespace
}  // namespace outrider::telemetry
