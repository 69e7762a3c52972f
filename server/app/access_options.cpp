#include "outrider/app/access_options.hpp"

#include "outrider/app/option_parts.hpp"

namespace outrider::app {

// An admin's rates have no options: it is the operator.
void add_access_options(CLI::App& app, net::AccessConfig& access) {
    constexpr Bounds kRates{.least = 0, .most = net::kRateMax};
    net::Rates& player = access.rates[static_cast<std::size_t>(net::Role::kPlayer)];
    net::Rates& builder = access.rates[static_cast<std::size_t>(net::Role::kBuilder)];
    add_number(app, "--player-requests-per-second", player.requests_per_second,
               "of one player's token from one address; 0: no limit", kRates);
    add_number(app, "--player-work-per-second", player.work_per_second,
               "expansions of one player's token from one address; 0: no limit", kRates);
    add_number(app, "--builder-requests-per-second", builder.requests_per_second,
               "of one builder's token from one address; 0: no limit", kRates);
    add_number(app, "--builder-work-per-second", builder.work_per_second,
               "expansions of one builder's token from one address; 0: no limit", kRates);
    add_number(app, "--builder-edits-per-second", builder.edits_per_second,
               "edits, in batches, of one builder's token from one address; 0: no limit", kRates);
    add_milliseconds(app, "--rate-burst-ms", access.rate_burst,
                     "what was not asked for may be asked at once later, for so long a time");
    add_number(app, "--connections-per-address-max", access.connections_per_address_max,
               "connections from one address; 0: no limit", {.least = 0});
    app.add_flag("--count-loopback", access.count_loopback,
                 "connections from this machine count for that, too")
        ->group("Limits");
}

void add_tls_options(CLI::App& app, TlsFiles& files, net::Config& net) {
    app.add_option("--tls-cert", files.certificate,
                   "speak TLS with this certificate, PEM: the server's own first, then the "
                   "intermediate ones; none: no TLS");
    app.add_option("--tls-key", files.key, "the certificate's key, PEM, without a passphrase");
    app.add_option("--tls-client-ca", files.client_ca,
                   "only clients with a certificate of these authorities, PEM, come in");
    add_number(app, "--handshakes-max", net.handshakes_max,
               "TLS handshakes under way; past it the oldest gives way");
}

base::Result<void> check_tls(const TlsFiles& files) {
    if (files.certificate.empty() != files.key.empty()) {
        return files.key.empty()
                   ? base::fail("--tls-cert needs --tls-key, the key of that certificate")
                   : base::fail("--tls-key needs --tls-cert, the certificate of that key");
    }
    if (!files.client_ca.empty() && files.certificate.empty()) {
        return base::fail(
            "--tls-client-ca needs --tls-cert and --tls-key: without TLS no client "
            "shows a certificate");
    }
    return {};
}

}  // namespace outrider::app
