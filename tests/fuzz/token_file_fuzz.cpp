// Any bytes as the token file: tokens that each find their own role, or a message that names no
// token.

#include "fuzz/memory_file.hpp"
#include "outrider/app/token_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    const test::MemoryFile file(data, size);
    const auto tokens = app::read_tokens(file.path());
    if (!tokens) {
        OUTRIDER_CHECK(!tokens.error().message.empty());
        return 0;
    }
    OUTRIDER_CHECK(!tokens->empty());
    for (const net::Token& token : *tokens) {
        OUTRIDER_CHECK(net::find_token(*tokens, token.digest) == &token);
    }
    return 0;
}
