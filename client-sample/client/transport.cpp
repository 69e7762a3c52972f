#include "outrider/client/transport.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace outrider::client {
namespace {

base::Error cannot_read(const char* what, const std::string& file, const asio::error_code& error) {
    return {"cannot use the " + std::string(what) + " " + file + ": " + error.message()};
}

std::string why_unverified(long verdict, const std::string& name) {
    const std::string said = X509_verify_cert_error_string(verdict);
    switch (verdict) {
        case X509_V_ERR_CERT_HAS_EXPIRED:
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "the server's certificate is out of date (" + said +
                   "): it must be renewed, or this machine's clock is wrong";
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH:
            return "the server's certificate is not for " + name + " (" + said +
                   "): connect by a name that it has, or say which with --tls-server-name";
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        case X509_V_ERR_CERT_SIGNATURE_FAILURE:
            return "the server's certificate is of an unknown authority (" + said +
                   "): give the authority's certificate with --tls-ca";
        default: return "the server's certificate is not good: " + said;
    }
}

}  // namespace

base::Result<std::shared_ptr<asio::ssl::context>> tls_context_of(const TlsOptions& options) {
    if (options.certificate_file.empty() != options.key_file.empty()) {
        return base::fail("--tls-cert and --tls-key stand together: a certificate and its key");
    }
    auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
    SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
    asio::error_code error;
    if (options.verify) {
        context->set_verify_mode(asio::ssl::verify_peer);
        if (options.ca_file.empty()) {
            context->set_default_verify_paths(error);
        } else {
            context->load_verify_file(options.ca_file, error);
            // What stands in the file is trusted, also where it is no root: a server's own chain.
            X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context->native_handle()),
                                        X509_V_FLAG_PARTIAL_CHAIN);
        }
        if (error) {
            return std::unexpected(cannot_read("certificates of", options.ca_file, error));
        }
    }
    if (!options.certificate_file.empty()) {
        context->use_certificate_chain_file(options.certificate_file, error);
        if (error) {
            return std::unexpected(cannot_read("certificate", options.certificate_file, error));
        }
        // Else OpenSSL would ask at the terminal.
        context->set_password_callback(
            [](std::size_t, asio::ssl::context::password_purpose) { return std::string(); });
        context->use_private_key_file(options.key_file, asio::ssl::context::pem, error);
        if (error) {
            return std::unexpected(cannot_read("key", options.key_file, error));
        }
    }
    return context;
}

void Transport::use_tls(const std::shared_ptr<asio::ssl::context>& context,
                        const TlsOptions& options, const std::string& host) {
    context_ = context;
    name_ = options.server_name.empty() ? host : options.server_name;
    tls_.emplace(socket_, *context_);
    SSL* const ssl = tls_->native_handle();
    X509_VERIFY_PARAM* const rules = SSL_get0_param(ssl);
    // An address is no name: it stands elsewhere in the certificate, and no server wants to hear
    // it.
    if (X509_VERIFY_PARAM_set1_ip_asc(rules, name_.c_str()) != 1) {
        ERR_clear_error();
        SSL_set_tlsext_host_name(ssl, name_.c_str());
        if (options.verify) {
            SSL_set1_host(ssl, name_.c_str());
        }
    } else if (!options.verify) {
        X509_VERIFY_PARAM_set1_ip(rules, nullptr, 0);
    }
}

std::string Transport::why(const asio::error_code& error) {
    if (!tls_ || error.category() != asio::error::get_ssl_category()) {
        const bool cut_short =
            tls_ && SSL_is_init_finished(tls_->native_handle()) == 0 &&
            (error == asio::error::eof || error == asio::error::connection_reset ||
             error == asio::ssl::error::stream_truncated);
        return cut_short ? "the server closed it during the TLS handshake; it has all the "
                           "connections it takes, or does not speak TLS"
                         : error.message();
    }
    SSL* const ssl = tls_->native_handle();
    // Where a signature is wrong the first error is one of arithmetic.
    const long verdict = SSL_get_verify_result(ssl);
    if (SSL_get_verify_mode(ssl) != SSL_VERIFY_NONE && verdict != X509_V_OK) {
        return why_unverified(verdict, name_);
    }
    switch (ERR_GET_REASON(static_cast<unsigned long>(error.value()))) {
        case SSL_R_WRONG_VERSION_NUMBER:
        case SSL_R_HTTP_REQUEST: return "the server does not speak TLS; leave out --tls";
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
            return "the server asks for a certificate of yours (" + error.message() +
                   "): give --tls-cert and --tls-key";
        case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
            return "the server does not accept your certificate: " + error.message();
        default: return error.message();
    }
}

}  // namespace outrider::client
