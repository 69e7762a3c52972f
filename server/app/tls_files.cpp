#include "outrider/app/tls_files.hpp"

#include <utility>

#include "outrider/app/small_file.hpp"

namespace outrider::app {

base::Result<Tls> read_tls(const TlsFiles& files) {
    if (files.certificate.empty()) {
        return Tls{};
    }
    auto certificate = read_small_file(files.certificate, "certificate", "--tls-cert");
    if (!certificate) {
        return std::unexpected(std::move(certificate.error()));
    }
    auto key = read_small_file(files.key, "key", "--tls-key");
    if (!key) {
        return std::unexpected(std::move(key.error()));
    }
    std::string client_ca;
    if (!files.client_ca.empty()) {
        auto text = read_small_file(files.client_ca, "certificate", "--tls-client-ca");
        if (!text) {
            return std::unexpected(std::move(text.error()));
        }
        client_ca = *std::move(text);
        if (client_ca.empty()) {
            // An empty text asks nobody: it must not come from a file that was cut to nothing.
            return base::fail("--tls-client-ca: " + files.client_ca.string() + " is empty");
        }
    }
    const net::TlsTexts texts{*std::move(certificate), *std::move(key), std::move(client_ca)};
    auto made = net::TlsContext::make(texts);
    if (!made) {
        return base::fail(made.error().message + "; read from " + files.certificate.string() +
                          " and " + files.key.string());
    }
    return Tls{*std::move(made),
               {{"certificate", net::digest_of(texts.certificate)},
                {"key", net::digest_of(texts.key)},
                {"client authorities", net::digest_of(texts.client_ca)}}};
}

}  // namespace outrider::app
