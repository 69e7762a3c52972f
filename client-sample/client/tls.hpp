#pragma once
// What: how a client speaks TLS. By default the server must show a certificate for its own name,
//       signed by an authority that this machine trusts.

#include <string>

namespace outrider::client {

struct TlsOptions {
    // PEM; empty: the authorities that this machine trusts.
    std::string ca_file;
    // Whom the certificate must name; empty: the host that is connected to.
    std::string server_name;
    // False: whoever answers is believed. For tests alone.
    bool verify{true};
    // The client's own, PEM, for servers that ask for one. Both or neither.
    std::string certificate_file;
    std::string key_file;
};

}  // namespace outrider::client
