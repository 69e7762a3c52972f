#pragma once
// What:     a server's side of TLS: its certificate and key, and whose clients it lets in.
// Contract: make() refuses whatever would make every handshake fail, and names the option to mend.
//           TLS 1.2 and 1.3 only, with forward secrecy; no compression, no renegotiation and no
//           session tickets, so that nothing outlives a session that a key was withdrawn from.
// Threads:  immutable. A session keeps the one that it began with.
// Cost:     make() parses and checks one key; a few milliseconds.
// Source:   decisions/0029; RFC 8446, RFC 9325.

#include <memory>
#include <string>

#include "outrider/base/result.hpp"

namespace outrider::net {

// PEM, as it stands in files.
struct TlsTexts {
    std::string certificate;  // the server's own first, then what lies between it and its root
    std::string key;          // without a passphrase
    std::string client_ca;    // empty: clients need no certificate
};

class TlsContext {
  public:
    [[nodiscard]] static base::Result<std::shared_ptr<const TlsContext>> make(
        const TlsTexts& texts);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    // Who has no certificate of client_ca's does not come in.
    [[nodiscard]] bool asks_clients() const;
    // "Nov 30 12:00:00 2027 GMT"; for the log.
    [[nodiscard]] std::string expiry() const;
    // By the system's calendar, or not yet valid: no client that checks will connect.
    [[nodiscard]] bool out_of_date() const;

  private:
    friend class TlsLink;
    struct Impl;
    explicit TlsContext(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace outrider::net
