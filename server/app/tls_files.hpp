#pragma once
// What:     the files of --tls-cert, --tls-key and --tls-client-ca.
// Contract: an error names the option and the file, never a byte of the key.

#include <filesystem>
#include <memory>

#include "outrider/base/result.hpp"
#include "outrider/net/tls.hpp"

namespace outrider::app {

// All empty: no TLS. The first two stand together.
struct TlsFiles {
    std::filesystem::path certificate;
    std::filesystem::path key;
    std::filesystem::path client_ca;
};

// Null where there is no TLS.
[[nodiscard]] base::Result<std::shared_ptr<const net::TlsContext>> read_tls(const TlsFiles& files);

}  // namespace outrider::app
