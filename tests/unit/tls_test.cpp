#include "outrider/net/tls.hpp"

#include <gtest/gtest.h>

#include "support/certificates.hpp"

namespace outrider::net {
namespace {

using namespace std::chrono_literals;

std::string error_of(const TlsTexts& texts) {
    const auto made = TlsContext::make(texts);
    EXPECT_FALSE(made.has_value());
    return made ? std::string() : made.error().message;
}

// If this failed, a server would start with what makes every handshake fail, or say not why.
TEST(Tls, EachTextThatCannotServeIsNamed) {
    const test::Certificate good = test::make_certificate();
    const test::Certificate other = test::make_certificate();
    ASSERT_TRUE(TlsContext::make({good.pem, good.key, {}}).has_value());
    for (const std::string& text : {std::string(), std::string("nonsense"), good.key}) {
        EXPECT_TRUE(error_of({text, good.key, {}}).starts_with("--tls-cert: ")) << text;
    }
    for (const std::string& text : {std::string(), std::string("nonsense"), good.pem, other.key}) {
        EXPECT_TRUE(error_of({good.pem, text, {}}).starts_with("--tls-key: ")) << text;
    }
    EXPECT_NE(error_of({good.pem, other.key, {}}).find("does not belong"), std::string::npos);
    const std::string encrypted =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    EXPECT_NE(error_of({good.pem, encrypted, {}}).find("passphrase"), std::string::npos);
    EXPECT_TRUE(error_of({good.pem, good.key, "nonsense"}).starts_with("--tls-client-ca: "));
}

// If this failed, nobody would hear of a certificate that no client accepts.
TEST(Tls, TellsWhenACertificateIsOutOfDate) {
    const auto out_of_date = [](std::chrono::seconds from, std::chrono::seconds until) {
        const test::Certificate made =
            test::make_certificate({.from_now_on = from, .until = until});
        return TlsContext::make({made.pem, made.key, {}}).value()->out_of_date();
    };
    EXPECT_FALSE(out_of_date(-1h, 1h));
    EXPECT_TRUE(out_of_date(-2h, -1h));
    EXPECT_TRUE(out_of_date(1h, 2h));
    const test::Certificate made = test::make_certificate();
    const auto context = TlsContext::make({made.pem, made.key, made.pem}).value();
    EXPECT_TRUE(context->asks_clients());
    EXPECT_NE(context->expiry().find("GMT"), std::string::npos);
}

}  // namespace
}  // namespace outrider::net
