#include "support/certificates.hpp"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <memory>

#include "outrider/base/check.hpp"

namespace outrider::test {
namespace {

template <class T, void (*kFree)(T*)>
struct Freed {
    void operator()(T* value) const { kFree(value); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Paper = std::unique_ptr<X509, Freed<X509, X509_free>>;
using Text = std::unique_ptr<BIO, Freed<BIO, BIO_free_all>>;

std::string text_of(const Text& bio) {
    char* data = nullptr;
    const long bytes = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(bytes)};
}

Key key_of(const Certificate& certificate) {
    const Text in(BIO_new_mem_buf(certificate.key.data(), -1));
    return Key(PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr));
}

Paper paper_of(const Certificate& certificate) {
    const Text in(BIO_new_mem_buf(certificate.pem.data(), -1));
    return Paper(PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr));
}

void extend(X509* paper, X509* issuer, int what, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, paper, nullptr, nullptr, 0);
    X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
    OUTRIDER_CHECK(made != nullptr);
    X509_add_ext(paper, made, -1);
    X509_EXTENSION_free(made);
}

}  // namespace

Certificate make_certificate(const CertificateWish& wish, const Certificate* issuer) {
    static std::atomic<long> serial{1};
    const Key key(EVP_EC_gen("P-256"));
    const Paper paper(X509_new());
    OUTRIDER_CHECK(key && paper);
    X509_set_version(paper.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(paper.get()), serial++);
    X509_gmtime_adj(X509_getm_notBefore(paper.get()), wish.from_now_on.count());
    X509_gmtime_adj(X509_getm_notAfter(paper.get()), wish.until.count());
    X509_set_pubkey(paper.get(), key.get());
    X509_NAME_add_entry_by_txt(X509_get_subject_name(paper.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(wish.name.c_str()), -1, -1,
                               0);
    const Paper above = issuer != nullptr ? paper_of(*issuer) : Paper();
    const Key signing = issuer != nullptr ? key_of(*issuer) : Key();
    X509* const parent = above ? above.get() : paper.get();
    X509_set_issuer_name(paper.get(), X509_get_subject_name(parent));
    if (wish.is_authority) {
        extend(paper.get(), parent, NID_basic_constraints, "critical,CA:TRUE");
        extend(paper.get(), parent, NID_key_usage, "critical,keyCertSign,cRLSign");
    } else if (!wish.alternatives.empty()) {
        extend(paper.get(), parent, NID_subject_alt_name, wish.alternatives);
    }
    OUTRIDER_CHECK(X509_sign(paper.get(), signing ? signing.get() : key.get(), EVP_sha256()) > 0);
    const Text paper_text(BIO_new(BIO_s_mem()));
    const Text key_text(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(paper_text.get(), paper.get());
    PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return {text_of(paper_text), text_of(key_text)};
}

Certificate make_authority() {
    return make_certificate({.name = "Test Authority", .is_authority = true});
}

}  // namespace outrider::test
