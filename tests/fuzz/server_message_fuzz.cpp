// Any bytes as a server's message, and their parts through the assemblers.

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "outrider/codec/assemble.hpp"
#include "outrider/codec/client_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    auto message = codec::ReplyDecoder().decode(std::as_bytes(std::span(data, size)));
    if (!message) {
        return 0;
    }
    if (auto* path = std::get_if<codec::PathPart>(&message->body)) {
        codec::PathAssembler assembler;
        const codec::PathPart copy = *path;
        (void)assembler.add(std::move(*path));
        (void)assembler.add(copy);
    } else if (auto* state = std::get_if<codec::MapStatePart>(&message->body)) {
        codec::MapStateAssembler assembler;
        const codec::MapStatePart copy = *state;
        (void)assembler.add(std::move(*state));
        (void)assembler.add(copy);
    }
    return 0;
}
