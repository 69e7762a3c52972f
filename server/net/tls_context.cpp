#include "outrider/net/tls_context.hpp"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <utility>

namespace outrider::net {
namespace {

// Elliptic curves and authenticated encryption only; TLS 1.3 has nothing else by itself.
constexpr const char* kTls12Ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
// Not the slow ones: the client chooses, and the server's thread pays.
constexpr const char* kGroups = "X25519:P-256:P-384";

void set_rules(SSL_CTX* context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_cipher_list(context, kTls12Ciphers);
    SSL_CTX_set1_groups_list(context, kGroups);
    // One read takes a record with its header, and those behind it.
    SSL_CTX_set_read_ahead(context, 1);
    // The outbox may move its bytes between two attempts. Buffers of quiet sessions are given back:
    // they are 34 KiB each.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
}

std::string refused(const char* option, const char* what, const asio::error_code& error) {
    return std::string(option) + ": " + what + " (" + error.message() + ")";
}

base::Result<void> load(asio::ssl::context& context, const TlsTexts& texts) {
    asio::error_code error;
    context.use_certificate_chain(asio::buffer(texts.certificate), error);
    if (error) {
        return base::fail(refused("--tls-cert",
                                  "is no certificate in PEM; give the server's own first, then the "
                                  "intermediate ones",
                                  error));
    }
    // Else OpenSSL would ask at the terminal.
    context.set_password_callback(
        [](std::size_t, asio::ssl::context::password_purpose) { return std::string(); }, error);
    context.use_private_key(asio::buffer(texts.key), asio::ssl::context::pem, error);
    if (error && SSL_CTX_get0_privatekey(context.native_handle()) == nullptr &&
        texts.key.find("PRIVATE KEY-----") != std::string::npos &&
        texts.key.find("ENCRYPTED") == std::string::npos) {
        return base::fail(
            refused("--tls-key",
                    "does not belong to the certificate of --tls-cert, or is damaged; "
                    "give the key that the certificate was made for",
                    error));
    }
    if (error) {
        return base::fail(refused(
            "--tls-key", "is no private key in PEM without a passphrase; see openssl pkey", error));
    }
    if (SSL_CTX_check_private_key(context.native_handle()) != 1) {
        return base::fail(
            "--tls-key: does not belong to the certificate of --tls-cert; give the key that the "
            "certificate was made for");
    }
    return {};
}

base::Result<void> ask_clients(asio::ssl::context& context, const std::string& authorities) {
    asio::error_code error;
    context.add_certificate_authority(asio::buffer(authorities), error);
    if (error) {
        return base::fail(refused("--tls-client-ca", "is no certificate in PEM", error));
    }
    context.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
    return {};
}

}  // namespace

TlsContext::TlsContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TlsContext::~TlsContext() = default;

base::Result<std::shared_ptr<const TlsContext>> TlsContext::make(const TlsTexts& texts) {
    auto impl = std::make_unique<Impl>();
    set_rules(impl->context.native_handle());
    if (auto loaded = load(impl->context, texts); !loaded) {
        return std::unexpected(std::move(loaded.error()));
    }
    if (!texts.client_ca.empty()) {
        if (auto asked = ask_clients(impl->context, texts.client_ca); !asked) {
            return std::unexpected(std::move(asked.error()));
        }
        impl->asks_clients = true;
    }
    return std::shared_ptr<const TlsContext>(new TlsContext(std::move(impl)));
}

bool TlsContext::asks_clients() const {
    return impl_->asks_clients;
}

std::string TlsContext::expiry() const {
    const X509* certificate = SSL_CTX_get0_certificate(impl_->context.native_handle());
    const std::unique_ptr<BIO, int (*)(BIO*)> text(BIO_new(BIO_s_mem()), BIO_free);
    if (!text || ASN1_TIME_print(text.get(), X509_get0_notAfter(certificate)) != 1) {
        return "unknown";
    }
    char* data = nullptr;
    const long bytes = BIO_get_mem_data(text.get(), &data);
    return {data, static_cast<std::size_t>(bytes)};
}

bool TlsContext::out_of_date() const {
    const X509* certificate = SSL_CTX_get0_certificate(impl_->context.native_handle());
    // Null is now; 0 means that the field cannot be read.
    return X509_cmp_time(X509_get0_notAfter(certificate), nullptr) <= 0 ||
           X509_cmp_time(X509_get0_notBefore(certificate), nullptr) >= 0;
}

}  // namespace outrider::net
