#pragma once
// What: keys and certificates for tests, made when they are needed and kept nowhere.

#include <chrono>
#include <string>

namespace outrider::test {

struct Certificate {
    std::string pem;
    std::string key;
};

struct CertificateWish {
    std::string name{"localhost"};
    // As openssl spells them.
    std::string alternatives{"DNS:localhost,IP:127.0.0.1"};
    std::chrono::seconds from_now_on{-3600};
    std::chrono::seconds until{24 * 3600};
    bool is_authority{false};
};

// Signed by `issuer`, or by itself where that is null.
[[nodiscard]] Certificate make_certificate(const CertificateWish& wish = {},
                                           const Certificate* issuer = nullptr);
// The root of a test's small world.
[[nodiscard]] Certificate make_authority();

}  // namespace outrider::test
