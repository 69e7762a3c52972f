#pragma once
// What: what tls.hpp hides, so that its readers need no OpenSSL.

#include <asio/ssl/context.hpp>

#include "outrider/net/tls.hpp"

namespace outrider::net {

struct TlsContext::Impl {
    asio::ssl::context context{asio::ssl::context::tls_server};
    bool asks_clients{false};
};

}  // namespace outrider::net
