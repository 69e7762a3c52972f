#include "outrider/telemetry/http_pages.hpp"

#include <algorithm>

namespace outrider::telemetry {
namespace {

struct Asked {
    std::string_view method;
    std::string_view path;
};

std::string_view reason_of(int status) {
    switch (status) {
        case 200: return "OK";
        case 400: return "Bad Request";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 431: return "Request Header Fields Too Large";
        case 503: return "Service Unavailable";
        default: return "Internal Server Error";
    }
}

// The three words of the first line; empty when they are not there.
Asked asked_in(std::string_view head) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    const std::size_t first = line.find(' ');
    const std::size_t second = first == line.npos ? line.npos : line.find(' ', first + 1);
    if (second == line.npos || !line.substr(second + 1).starts_with("HTTP/1.")) {
        return {};
    }
    const std::string_view target = line.substr(first + 1, second - first - 1);
    return {line.substr(0, first), target.substr(0, target.find('?'))};
}

PageText page_of(std::string_view head, const Asked& asked, const std::vector<Page>& pages) {
    if (head.empty()) {
        return {.status = 431, .body = "the request is too long; no page needs so much\n"};
    }
    if (asked.method.empty()) {
        return {.status = 400, .body = "no request of HTTP/1\n"};
    }
    const auto page = std::ranges::find(pages, asked.path, &Page::path);
    if (page == pages.end()) {
        std::string body = "no such page; there are";
        for (const Page& known : pages) {
            body += " " + known.path;
        }
        return {.status = 404, .body = body + "\n"};
    }
    if (asked.method != "GET" && asked.method != "HEAD") {
        return {.status = 405, .body = "only GET and HEAD\n"};
    }
    try {
        return page->make();
    } catch (...) {
        return {.status = 500, .body = "the page could not be made\n"};
    }
}

}  // namespace

std::string answer_to(std::string_view head, const std::vector<Page>& pages) {
    const Asked asked = asked_in(head);
    const PageText page = page_of(head, asked, pages);
    std::string text = "HTTP/1.1 " + std::to_string(page.status) + " ";
    text += reason_of(page.status);
    text += "\r\nContent-Type: " + page.type;
    text += "\r\nContent-Length: " + std::to_string(page.body.size());
    text += "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff";
    text += page.status == 405 ? "\r\nAllow: GET, HEAD" : "";
    text += "\r\nConnection: close\r\n\r\n";
    return asked.method == "HEAD" ? text : text + page.body;
}

}  // namespace outrider::telemetry
