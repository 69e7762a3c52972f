#include "outrider/telemetry/http.hpp"

#include <gtest/gtest.h>

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
    HttpConfig config;
    config.request_bytes_max = 2048;
    const auto http = serve(config);
    const auto ask = [&](std::size_t bytes) {
        const std::string start = "GET /page HTTP/1.1\r\nHost: localhost\r\nX: ";
        const std::string end = "\r\n\r\n";
        const HttpConnection connection(http->port());
        connection.send(start + std::string(bytes - start.size() - end.size(), 'x') + end);
        return connection.receive().status;
    };
    EXPECT_EQ(ask(1024), 200);
    EXPECT_NE(ask(2048 + 64), 200);
    EXPECT_NE(ask(64 * 1024), 200);
    EXPECT_EQ(ask(1024), 200);
}

// If this failed, four connections that say nothing would blind the operator for good.
TEST(Http, SilentConnectionsAreClosed) {
    HttpConfig config;
    config.threads = 2;
    config.timeout = std::chrono::milliseconds(100);
    const auto http = serve(config);
    const HttpConnection silent_a(http->port());
    const HttpConnection silent_b(http->port());
    silent_b.send("GET /page HTTP/1.1\r\nX");
    EXPECT_EQ(http_get(http->port(), "/page").status, 200);
}

// If this failed, a few peers that hang would keep a prober from its answer, and an orchestrator
// would end a healthy server.
TEST(Http, AThreadThatIsFreeAnswersWhoeverHangs) {
    HttpConfig config;
    config.threads = 8;
    config.timeout = std::chrono::hours(1);
    const auto http = serve(config);
    std::vector<std::unique_ptr<HttpConnection>> hanging;
    while (hanging.size() + 1 < config.threads) {
        hanging.push_back(std::make_unique<HttpConnection>(http->port()));
        hanging.back()->send("GET /page HTTP/1.1\r\nX");
    }
    EXPECT_EQ(http_get(http->port(), "/page").status, 200);
}

// Fault kind: half-sent requests. If this failed, a crowd of them would blind the operator, as 226
// once did for most of a minute.
TEST(Http, ACrowdThatHangsIsThrownOut) {
    const auto http = serve();
    std::vector<std::unique_ptr<HttpConnection>> hanging;
    while (hanging.size() < 226) {
        hanging.push_back(std::make_unique<HttpConnection>(http->port()));
        hanging.back()->send("GET /page HTTP/1.1\r\nX");
    }
    EXPECT_EQ(http_get(http->port(), "/page").status, 200);
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
