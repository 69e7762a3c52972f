#pragma once
// What:     the files of --tls-cert, --tls-key and --tls-client-ca.
// Contract: an error names the option and the file, never a byte of the key.

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "outrider/base/result.hpp"
#include "outrider/net/access.hpp"
#include "outrider/net/tls.hpp"

namespace outrider::app {

// All empty: no TLS. The first two stand together.
struct TlsFiles {
    std::filesystem::path certificate;
    std::filesystem::path key;
    std::filesystem::path client_ca;
};

struct Tls {
    // Null where there is none.
    std::shared_ptr<const net::TlsContext> context;
    // The SHA-256 of each file's bytes, by what it holds ("certificate").
    std::map<std::string, net::TokenDigest> contents;
};

[[nodiscard]] base::Result<Tls> read_tls(const TlsFiles& files);

}  // namespace outrider::app
