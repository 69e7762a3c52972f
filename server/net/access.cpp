#include "outrider/net/access.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace outrider::net {

std::string_view name_of(Role role) {
    switch (role) {
        case Role::kPlayer: return "player";
        case Role::kBuilder: return "builder";
        case Role::kAdmin: break;
    }
    return "admin";
}

std::optional<Role> role_of(std::string_view name) {
    for (const Role role : kRoles) {
        if (name == name_of(role)) {
            return role;
        }
    }
    return std::nullopt;
}

TokenDigest digest_of(std::string_view token) {
    static_assert(std::tuple_size_v<TokenDigest> == SHA256_DIGEST_LENGTH);
    TokenDigest digest;
    SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
    return digest;
}

const Token* find_token(const std::vector<Token>& tokens, const TokenDigest& digest) {
    const Token* found = nullptr;
    for (const Token& token : tokens) {
        if (CRYPTO_memcmp(token.digest.data(), digest.data(), digest.size()) == 0) {
            found = &token;
        }
    }
    return found;
}

}  // namespace outrider::net
