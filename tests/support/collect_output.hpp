#pragma once
// What: a codec::Output that keeps each message apart, for tests of both halves of the codec.

#include <cstddef>
#include <span>
#include <vector>

#include "outrider/codec/output.hpp"

namespace outrider::test {

struct CollectOutput final : codec::Output {
    std::vector<std::vector<std::byte>> messages;

    std::span<std::byte> message_space(std::size_t bytes) override {
        return messages.emplace_back(bytes);
    }
};

}  // namespace outrider::test
