#include "outrider/telemetry/http.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/http_client.hpp"

namespace outrider::telemetry {
namespace {

using test::http_ask;
using test::http_get;
using test::HttpConnection;
using test::HttpReply;

std::vector<Page> pages() {
    return {{"/page", [] { return PageText{.body = "text\n"}; }},
            {"/down", [] { return PageText{.status = 503, .body = "down\n"}; }},
            {"/broken", []() -> PageText { throw std::runtime_error("no memory"); }}};
}

std::unique_ptr<Http> serve(HttpConfig config = {}) {
    config.address = "127.0.0.1:0";
    return Http::start(config, pages()).value();
}

// If this failed, an orchestrator or a scraper would not get what it asks for.
TEST(Http, PagesAreServed) {
    const auto http = serve();
    const HttpReply page = http_get(http->port(), "/page");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.body, "text\n");
    EXPECT_NE(page.head.find("Content-Length: 5"), std::string::npos) << page.head;
    EXPECT_NE(page.head.find("no-store"), std::string::npos) << "a cache would show old values";
    EXPECT_EQ(http_get(http->port(), "/page?a=b").body, "text\n");
    EXPECT_EQ(http_get(http->port(), "/down").status, 503);
    EXPECT_EQ(http_get(http->port(), "/broken").status, 500);
    EXPECT_EQ(http_get(http->port(), "/page").status, 200) << "one failure is not the end";
    const HttpReply head = http_ask(http->port(), "HEAD", "/page");
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.body, "");
    EXPECT_NE(head.head.find("Content-Length: 5"), std::string::npos) << head.head;
}

// If this failed, files of the server's machine, or CivetWeb's own answers, would be open to
// whoever reaches the port.
TEST(Http, NothingElseIsServed) {
    const auto http = serve();
    for (const char* path :
         {"/", "/page/", "/page/more", "/pag", "/etc/passwd", "/../../../../etc/passwd",
          "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "//page", "/PAGE", "/page;a=b"}) {
        const HttpReply reply = http_get(http->port(), path);
        EXPECT_GE(reply.status, 400) << path;
        EXPECT_LT(reply.status, 500) << path;
        EXPECT_EQ(reply.body.find("root:"), std::string::npos) << path;
        EXPECT_EQ(reply.body.find("<html"), std::string::npos) << path << " lists a directory";
    }
    const HttpReply nothing = http_get(http->port(), "/nothing");
    EXPECT_EQ(nothing.status, 404);
    EXPECT_NE(nothing.body.find(" /page"), std::string::npos) << nothing.body << " names no page";
}

// If this failed, somebody would find a way to write.
TEST(Http, OnlyGetAndHead) {
    const auto http = serve();
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
        const HttpReply reply = http_ask(http->port(), method, "/page");
        EXPECT_EQ(reply.status, 405) << method;
        EXPECT_NE(reply.head.find("Allow: GET, HEAD"), std::string::npos) << reply.head;
    }
    EXPECT_GE(http_ask(http->port(), "NONSENSE", "/page").status, 400);
}

// If this failed, one request could take memory without a bound.
TEST(Http, ARequestHasABound) {
    const auto http = serve({.request_bytes_max = 2048});
    const auto ask = [&](std::size_t bytes) {
        const std::string start = "GET /page HTTP/1.1\r\nHost: localhost\r\nX: ";
        const std::string end = "\r\n\r\n";
        const HttpConnection connection(http->port());
        connection.send(start + std::string(bytes - start.size() - end.size(), 'x') + end);
        return connection.receive().status;
    };
    EXPECT_EQ(ask(2047), 200);
    EXPECT_EQ(ask(2048), 200);
    EXPECT_EQ(ask(2049), 431);
    EXPECT_EQ(ask(64 * 1024), 431);
    EXPECT_EQ(ask(1024), 200);
}

// If this failed, what is no request would be taken for one, or get no answer.
TEST(Http, WhatIsNoRequestIsToldSo) {
    const auto http = serve();
    for (const char* line : {"", "GET", "GET /page", "GET  /page", "GET /page HTTP/2.0",
                             "PRI * HTTP/2.0", "GET /page FTP/1.1", "\x16\x03\x01"}) {
        const HttpConnection connection(http->port());
        connection.send(std::string(line) + "\r\n\r\n");
        EXPECT_EQ(connection.receive().status, 400) << line;
    }
    const HttpConnection in_parts(http->port());
    for (const char* part : {"GET /pa", "ge HTTP/1.1\r", "\nHost: x\r\n\r", "\n"}) {
        in_parts.send(part);
    }
    EXPECT_EQ(in_parts.receive().body, "text\n");
}

// If this failed, a sender of a body would find a reset in place of the answer.
TEST(Http, ABodyIsNotReadAndTheAnswerComes) {
    const auto http = serve();
    const HttpConnection connection(http->port());
    connection.send("POST /page HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
    connection.send(std::string(1'000'000, 'x'));
    EXPECT_EQ(connection.receive().status, 405);
}

// If this failed, connections that say nothing would stay for ever.
TEST(Http, SilentConnectionsAreClosed) {
    const auto http = serve({.timeout = std::chrono::milliseconds(1)});
    const HttpConnection silent(http->port());
    EXPECT_EQ(silent.receive().status, 0);
    const HttpConnection half(http->port());
    half.send("GET /page HTTP/1.1\r\nX");
    EXPECT_EQ(half.receive().status, 0);
}

std::unique_ptr<HttpConnection> hanging(int port) {
    auto connection = std::make_unique<HttpConnection>(port);
    connection->send("GET /page HTTP/1.1\r\nX");
    return connection;
}

// If this failed, those that hang would take descriptors without a bound, or push each other out
// before there is need.
TEST(Http, OfTooManyThatHangTheOldestGivesWay) {
    const auto http = serve({.connections_max = 8, .timeout = std::chrono::hours(1)});
    std::vector<std::unique_ptr<HttpConnection>> all;
    while (all.size() < 7) {
        all.push_back(hanging(http->port()));
    }
    EXPECT_EQ(http_get(http->port(), "/page").status, 200) << "the eighth";
    all.push_back(hanging(http->port()));
    EXPECT_EQ(http_get(http->port(), "/page").status, 200) << "the ninth";
    EXPECT_EQ(all[0]->receive().status, 0) << "has given way to it";
    for (std::size_t i = 1; i < all.size(); ++i) {
        all[i]->send("\r\n\r\n");
        EXPECT_EQ(all[i]->receive().status, 200) << i << " had no need to";
    }
}

// Fault kind: half-sent requests. If this failed, a crowd of them would keep a prober from its
// answer, as 300 once did for a second, and an orchestrator would end a healthy server.
TEST(Http, AProberIsAnsweredWhateverCrowdHangs) {
    // None of them is ever given up: the answer comes before, or not at all.
    const auto http = serve({.timeout = std::chrono::hours(1)});
    std::vector<std::unique_ptr<HttpConnection>> crowd;
    while (crowd.size() < 1000) {
        crowd.push_back(hanging(http->port()));
    }
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(http_get(http->port(), "/page").status, 200);
        crowd.push_back(hanging(http->port()));
    }
}

// Fault kind: file descriptors run out. If this failed, a flood of clients would end the pages for
// good.
TEST(Http, ThePagesOutliveTheEndOfFileDescriptors) {
    const auto http = serve({.timeout = std::chrono::hours(1)});
    const auto first = hanging(http->port());
    const auto second = hanging(http->port());
    EXPECT_EQ(http_get(http->port(), "/page").status, 200) << "both have been let in before";
    rlimit all{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &all), 0);
    const int next = ::dup(0);
    ASSERT_GE(next, 0);
    ::close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next) + 1, .rlim_max = all.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    // Has the last descriptor, so that the server finds none for its own end.
    const HttpConnection waiting(http->port());
    waiting.send("GET /page HTTP/1.1\r\n\r\n");
    for (const auto* inside : {first.get(), second.get()}) {
        inside->send("\r\n\r\n");
        EXPECT_EQ(inside->receive().status, 200) << "who is in is served";
    }
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &all), 0);
    EXPECT_EQ(waiting.receive().status, 200);
}

// If this failed, a scraper on a slow line would get half of its page, or one that does not read
// would stay for ever.
TEST(Http, AnAnswerGoesAsFastAsItIsRead) {
    const std::string large(8U << 20U, 'x');  // more than the system takes at once
    auto http = Http::start({.address = "127.0.0.1:0"},
                            {{"/page", [&] { return PageText{.body = large}; }}})
                    .value();
    const HttpConnection idle(http->port());
    idle.send("GET /page HTTP/1.1\r\n\r\n");
    EXPECT_EQ(http_get(http->port(), "/page").body, large);
}

// If this failed, an operator would not learn why there are no pages.
TEST(Http, APortThatIsTakenIsRefusedWithTheCure) {
    const auto first = serve();
    const auto second =
        Http::start({.address = "127.0.0.1:" + std::to_string(first->port())}, pages());
    ASSERT_FALSE(second.has_value());
    EXPECT_NE(second.error().message.find("--http"), std::string::npos) << second.error().message;
}

// If this failed, the log would not warn of a port without tokens on the open net.
TEST(Http, KnowsWhoReachesIt) {
    EXPECT_TRUE(serve()->is_loopback());
    const auto everywhere = Http::start({.address = "0.0.0.0:0"}, pages());
    ASSERT_TRUE(everywhere.has_value());
    EXPECT_FALSE((*everywhere)->is_loopback());
}

}  // namespace
}  // namespace outrider::telemetry
