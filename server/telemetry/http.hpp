#pragma once
// What:     the operator's pages over HTTP: a few fixed paths, each made when it is asked for.
// Contract: GET and HEAD of a page, else 405; anything that is no page is 404; no file is ever
//           served. A page that throws is 500. start() refuses an address that cannot be had, with
//           a sentence that says what to do. The destructor waits for the pages being made.
// Threads:  pages are made on HttpConfig::threads threads of CivetWeb, several at a time.
// Cost:     bounded: threads, connections that wait, bytes of a request and the time of each read
//           and write are.
// Source:   CivetWeb.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "outrider/base/result.hpp"

namespace outrider::telemetry {

struct HttpConfig {
    std::string address;  // HOST:PORT; port 0 picks one
    // A prober, a scraper, a person, and sixty that hang: none keeps another from its answer. Of
    // more that hang, 128 a second are thrown out. 30 KiB each.
    unsigned threads{64};
    // Accepted and waiting for a thread; beyond, they wait in the system's queue.
    unsigned connections_waiting_max{16};
    // Request line and headers. No page takes a body: what comes is not read.
    unsigned request_bytes_max{4096};
    // From the connection to the whole request, and for each write to who does not read.
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
    struct Impl;
    explicit Http(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace outrider::telemetry
