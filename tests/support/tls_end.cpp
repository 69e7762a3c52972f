#include "support/tls_end.hpp"

#include <openssl/pem.h>

#include "outrider/base/check.hpp"

namespace outrider::test {
namespace {

using Text = std::unique_ptr<BIO, int (*)(BIO*)>;

}  // namespace

TlsEnd::TlsEnd(int socket, const std::string& own_pem, const std::string& own_key)
    : context_(SSL_CTX_new(TLS_client_method())) {
    if (!own_pem.empty()) {
        const Text pem(BIO_new_mem_buf(own_pem.data(), -1), BIO_free);
        const Text key(BIO_new_mem_buf(own_key.data(), -1), BIO_free);
        X509* const paper = PEM_read_bio_X509(pem.get(), nullptr, nullptr, nullptr);
        EVP_PKEY* const secret = PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr);
        OUTRIDER_CHECK(SSL_CTX_use_certificate(context_.get(), paper) == 1);
        OUTRIDER_CHECK(SSL_CTX_use_PrivateKey(context_.get(), secret) == 1);
        X509_free(paper);
        EVP_PKEY_free(secret);
    }
    ssl_.reset(SSL_new(context_.get()));
    OUTRIDER_CHECK(ssl_ && SSL_set_fd(ssl_.get(), socket) == 1);
}

std::string TlsEnd::server_certificate() const {
    const Text text(BIO_new(BIO_s_mem()), BIO_free);
    X509* const paper = SSL_get1_peer_certificate(ssl_.get());
    if (paper == nullptr) {
        return {};
    }
    PEM_write_bio_X509(text.get(), paper);
    X509_free(paper);
    char* data = nullptr;
    const long bytes = BIO_get_mem_data(text.get(), &data);
    return {data, static_cast<std::size_t>(bytes)};
}

}  // namespace outrider::test
