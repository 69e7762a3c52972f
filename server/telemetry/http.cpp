#include "outrider/telemetry/http.hpp"

#include <arpa/inet.h>
#include <civetweb.h>
#include <netdb.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace outrider::telemetry {
namespace {

constexpr std::string_view kAllowed = "GET, HEAD";

struct StopWeb {
    void operator()(mg_context* context) const { mg_stop(context); }
};

bool is_loopback(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
        return ntohl(v4.sin_addr.s_addr) >> 24U == 127;
    }
    return address.sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr) != 0;
}

// Of HOST:PORT or [HOST]:PORT. A name counts as what it stands for now.
bool names_loopback(std::string host) {
    host.resize(std::min(host.rfind(':'), host.size()));
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    }
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), nullptr, nullptr, &found) != 0) {
        return false;
    }
    bool all = found != nullptr;
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        all = all && is_loopback(*each->ai_addr);
    }
    ::freeaddrinfo(found);
    return all;
}

int answer(mg_connection* connection, const PageText& page, bool with_body) {
    const std::string length = std::to_string(page.body.size());
    mg_response_header_start(connection, page.status);
    mg_response_header_add(connection, "Content-Type", page.type.c_str(), -1);
    mg_response_header_add(connection, "Content-Length", length.c_str(), -1);
    mg_response_header_add(connection, "Cache-Control", "no-store", -1);
    mg_response_header_add(connection, "X-Content-Type-Options", "nosniff", -1);
    if (page.status == 405) {
        mg_response_header_add(connection, "Allow", kAllowed.data(), -1);
    }
    mg_response_header_send(connection);
    if (with_body) {
        mg_write(connection, page.body.data(), page.body.size());
    }
    return page.status;
}

PageText make(const std::vector<Page>& pages, std::string_view method, std::string_view path) {
    const auto page = std::ranges::find(pages, path, &Page::path);
    if (page == pages.end()) {
        std::string body = "no such page; there are";
        for (const Page& known : pages) {
            body += " " + known.path;
        }
        return {.status = 404, .body = body + "\n"};
    }
    if (method != "GET" && method != "HEAD") {
        return {.status = 405, .body = "only GET and HEAD\n"};
    }
    try {
        return page->make();
    } catch (...) {
        return {.status = 500, .body = "the page could not be made\n"};
    }
}

// Every request ends here, so that CivetWeb's own ways of answering are never reached.
int on_request(mg_connection* connection) {
    const mg_request_info& asked = *mg_get_request_info(connection);
    const auto& pages = *static_cast<const std::vector<Page>*>(asked.user_data);
    const std::string_view method = asked.request_method;
    const std::string_view path = asked.local_uri_raw == nullptr ? "" : asked.local_uri_raw;
    try {
        return answer(connection, make(pages, method, path), method != "HEAD");
    } catch (...) {
        return 500;  // no memory for an answer: the connection is closed without
    }
}

}  // namespace

struct Http::Impl {
    std::vector<Page> pages;
    bool is_loopback{false};
    // Last, so that its threads end before what they read.
    std::unique_ptr<mg_context, StopWeb> web;
};

Http::Http(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Http::~Http() = default;

base::Result<std::unique_ptr<Http>> Http::start(const HttpConfig& config, std::vector<Page> pages) {
    const std::string threads = std::to_string(config.threads);
    const std::string waiting = std::to_string(config.connections_waiting_max);
    const std::string bytes = std::to_string(config.request_bytes_max);
    const std::string timeout = std::to_string(config.timeout.count());
    const char* options[] = {"listening_ports",
                             config.address.c_str(),
                             "num_threads",
                             threads.c_str(),
                             "connection_queue",
                             waiting.c_str(),
                             "max_request_size",
                             bytes.c_str(),
                             "request_timeout_ms",
                             timeout.c_str(),
                             "enable_keep_alive",
                             "no",
                             nullptr};
    auto impl = std::make_unique<Impl>();
    impl->pages = std::move(pages);
    impl->is_loopback = names_loopback(config.address);
    mg_callbacks callbacks{};
    callbacks.begin_request = on_request;
    impl->web.reset(mg_start(&callbacks, &impl->pages, options));
    if (!impl->web && config.address.starts_with('[') && mg_check_feature(MG_FEATURES_IPV6) == 0) {
        return base::fail("cannot serve HTTP on " + config.address +
                          ": the library of these pages speaks IPv4 alone; give --http an IPv4 "
                          "address, such as 127.0.0.1:7680");
    }
    if (!impl->web) {
        return base::fail("cannot serve HTTP on " + config.address +
                          ": give --http another HOST:PORT, or end what listens there");
    }
    return std::unique_ptr<Http>(new Http(std::move(impl)));
}

int Http::port() const {
    mg_server_port port{};
    return mg_get_server_ports(impl_->web.get(), 1, &port) == 1 ? port.port : 0;
}

bool Http::is_loopback() const {
    return impl_->is_loopback;
}

}  // namespace outrider::telemetry
