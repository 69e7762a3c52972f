#include "outrider/app/secrets.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "outrider/app/token_file.hpp"

namespace outrider::app {
namespace {

using telemetry::Level;

void tell_of_certificate(const Options& options, telemetry::Log& log) {
    if (options.net.tls == nullptr) {
        return;
    }
    const bool late = options.net.tls->out_of_date();
    log.write(late ? Level::kWarning : Level::kInfo,
              late ? "the certificate is out of date: clients will refuse it; renew it and send "
                     "SIGHUP"
                   : "speaking TLS",
              {{"certificate", options.tls.certificate.string()},
               {"valid_until", options.net.tls->expiry()}});
}

// A pipe or a device has no bytes that lie there for others.
void warn_if_open(const std::filesystem::path& file, telemetry::Log& log) {
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(file, unknown);
    const auto others = status.permissions() & std::filesystem::perms::others_all;
    if (!unknown && std::filesystem::is_regular_file(status) &&
        others != std::filesystem::perms::none) {
        log.write(Level::kWarning,
                  "every user of this machine can use a file of tokens or keys; chmod o= it",
                  {{"file", file.string()}});
    }
}

}  // namespace

base::Result<void> read_secrets(Options& options) {
    auto tls = read_tls(options.tls);
    if (!tls) {
        return std::unexpected(std::move(tls.error()));
    }
    std::vector<net::Token> tokens;
    if (!options.token_file.empty()) {
        auto read = read_tokens(options.token_file);
        if (!read) {
            return std::unexpected(std::move(read.error()));
        }
        tokens = *std::move(read);
    }
    options.net.tls = std::move(tls->context);
    options.tls_contents = std::move(tls->contents);
    options.net.access.tokens = std::move(tokens);
    return {};
}

std::vector<std::string> changed_secrets(const Options& held, const Options& next) {
    std::vector<std::string> changed;
    if (held.net.access.tokens != next.net.access.tokens) {
        changed.emplace_back("tokens");
    }
    for (const auto& [what, digest] : next.tls_contents) {
        const auto before = held.tls_contents.find(what);
        if (before == held.tls_contents.end() || before->second != digest) {
            changed.push_back(what);
        }
    }
    return changed;
}

void tell_of_secrets(const Options& options, telemetry::Log& log) {
    tell_of_certificate(options, log);
    for (const std::filesystem::path& file : {options.token_file, options.tls.key}) {
        if (!file.empty()) {
            warn_if_open(file, log);
        }
    }
}

}  // namespace outrider::app
