#include "outrider/app/token_file.hpp"

#include <sstream>
#include <string>

#include "outrider/app/small_file.hpp"
#include "outrider/app/utf8.hpp"
#include "outrider/codec/messages.hpp"

namespace outrider::app {
namespace {

base::Result<net::Token> token_of(const std::vector<std::string>& words) {
    if (words.size() > 3) {
        return base::fail(
            "has more than three words; write ROLE TOKEN [NAME], and # before a comment");
    }
    net::Token token{.digest = {}, .role = net::Role::kAdmin, .name = {}};
    const std::string& secret = words.size() == 1 ? words[0] : words[1];
    const auto role = net::role_of(words[0]);
    if (words.size() == 1 && role) {
        return base::fail(
            "has a role and no token; write ROLE TOKEN [NAME], the token without a # in front");
    }
    if (words.size() > 1) {
        if (!role) {
            return base::fail("begins with no role; there are player, builder and admin");
        }
        token.role = *role;
        token.name = words.size() == 3 ? words[2] : "";
        if (!is_utf8(token.name)) {
            return base::fail("has a name that is no UTF-8, so that the log could not tell it");
        }
    }
    if (secret.size() < kTokenBytesMin) {
        return base::fail("has a token shorter than " + std::to_string(kTokenBytesMin) +
                          " bytes, which can be guessed; make one with: openssl rand -hex 32");
    }
    if (secret.size() > codec::kTokenBytesMax) {
        return base::fail("has a token longer than " + std::to_string(codec::kTokenBytesMax) +
                          " bytes");
    }
    token.digest = net::digest_of(secret);
    return token;
}

}  // namespace

base::Result<std::vector<net::Token>> read_tokens(const std::filesystem::path& file) {
    const auto text = read_small_file(file, "token file", "--token-file");
    if (!text) {
        return std::unexpected(text.error());
    }
    std::istringstream in(*text);
    std::vector<net::Token> tokens;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::istringstream parts(line);
        std::vector<std::string> words;
        for (std::string word; parts >> word && word.front() != '#';) {
            words.push_back(word);
        }
        if (words.empty()) {
            continue;
        }
        const std::string where =
            "line " + std::to_string(number) + " of the token file " + file.string() + " ";
        const auto token = token_of(words);
        if (!token) {
            return base::fail(where + token.error().message);
        }
        if (net::find_token(tokens, token->digest) != nullptr) {
            return base::fail(where + "has a token that stands in an earlier line");
        }
        tokens.push_back(*token);
    }
    if (tokens.empty()) {
        return base::fail("the token file " + file.string() +
                          " has no token, so that nobody could connect; without --token-file "
                          "everybody may");
    }
    return tokens;
}

}  // namespace outrider::app
