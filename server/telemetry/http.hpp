#pragma once
// What:     the operator's pages over HTTP: a few fixed paths, each made when it is asked for.
// Contract: GET and HEAD of a page, else 405; anything that is no page is 404, what is no request
//           400, a head that is too long 431; no file is ever served. A page that throws is 500.
//           start() refuses an address that cannot be had, with a sentence that says what to do.
//           Whoever hangs keeps nobody from an answer: past connections_max one gives its place to
//           the newest, the oldest of those that have their answer or have not asked yet. The
//           destructor waits for the page being made.
// Threads:  pages are made on one thread of its own, one at a time.
// Cost:     bounded: connections, bytes of a request, and the time of each request and write are.
// Source:   decisions/0042.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "outrider/base/result.hpp"

namespace outrider::telemetry {

struct HttpConfig {
    std::string address{};  // HOST:PORT; port 0 picks one
    // A prober, a scraper and a person, and some hundred that hang. A request comes with its
    // connection, so that one of this many newest ones has its answer already.
    std::size_t connections_max{256};
    // Request line and headers. No page takes a body: what comes is not read.
    std::size_t request_bytes_max{4096};
    // From the connection to the whole request, for each write to who does not read, and for the
    // peer to close.
    std::chrono::milliseconds timeout{500};
};

struct PageText {
    int status{200};
    std::string type{"text/plain; charset=utf-8"};
    std::string body{};
};

struct Page {
    std::string path;  // "/healthz"
    std::function<PageText()> make;
};

class Http {
  public:
    [[nodiscard]] static base::Result<std::unique_ptr<Http>> start(const HttpConfig& config,
                                                                   std::vector<Page> pages);
    ~Http();
    Http(const Http&) = delete;
    Http& operator=(const Http&) = delete;

    [[nodiscard]] int port() const;
    // Nobody but this machine reaches it.
    [[nodiscard]] bool is_loopback() const;

  private:
    class Impl;
    explicit Http(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace outrider::telemetry
