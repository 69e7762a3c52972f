#pragma once
// What: options that several commands share, and how they report a failure.

#include <CLI/App.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "outrider/base/result.hpp"
#include "outrider/client/client.hpp"

namespace outrider::cli {

struct ServerOptions {
    std::string server{"127.0.0.1:7600"};
    std::string token{};
    client::TlsOptions tls{};
    bool use_tls{false};
    bool believe_anyone{false};
    // For an answer; nothing: as long as the client library waits by itself.
    std::optional<std::chrono::milliseconds> patience{};
};

// --server, --token and how to speak TLS.
void add_server_options(CLI::App& command, ServerOptions& options);

// A CLI11 check from one of the parse functions of arguments.hpp.
template <class Parse>
[[nodiscard]] CLI::Validator checked(Parse parse, std::string shape) {
    return {[parse](std::string& text) {
                const auto value = parse(std::string_view(text));
                return value ? std::string{} : value.error().message;
            },
            std::move(shape)};
}

// CLI11's own range lets `nan` through.
[[nodiscard]] CLI::Validator real_between(double least, double most);

// The one way in which a command says on standard error why its work failed.
int failed(std::string_view message);

[[nodiscard]] client::Options client_options_of(const ServerOptions& options, Endpoint endpoint);

[[nodiscard]] client::Result<std::unique_ptr<client::Client>> connect_to(
    const ServerOptions& options, std::shared_ptr<client::IoThread> io = nullptr);

// The map of that name with the id of one of its classes, or a message that lists what there is.
struct Place {
    codec::MapInfo map;
    model::ClassId movement_class;
};
[[nodiscard]] base::Result<Place> find_place(const client::Client& client,
                                             std::string_view map_name,
                                             std::string_view class_name);

}  // namespace outrider::cli
