#include "hostile/bytes.hpp"

#include <random>
#include <utility>

#include "outrider/codec/client_codec.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::hostile {
namespace {

// The server's first map; of one that has none the answer is a refusal.
constexpr model::MapId kFirstMap{1};
// One question in so many asks for a whole map, the others for the list of maps.
constexpr std::size_t kStateEvery = 16;

class Frames final : public codec::Output {
  public:
    std::span<std::byte> message_space(std::size_t bytes) override {
        return wire::append_frame_space(bytes_, bytes);
    }
    void add(const codec::ClientMessage& message) { encoder_.encode(message, *this); }
    [[nodiscard]] Bytes take() { return std::exchange(bytes_, {}); }

  private:
    codec::RequestEncoder encoder_;
    Bytes bytes_;
};

}  // namespace

Bytes hello(const std::string& token) {
    Frames frames;
    frames.add({{1}, codec::Hello{codec::kProtocolVersion, token, "hostile"}});
    return frames.take();
}

Bytes frame_begin(std::uint32_t length) {
    constexpr unsigned kGroupBits = 7;
    constexpr std::uint32_t kGroupMax = 0x7F;
    Bytes bytes;
    for (; length > kGroupMax; length >>= kGroupBits) {
        bytes.push_back(static_cast<std::byte>((length & kGroupMax) | (kGroupMax + 1)));
    }
    bytes.push_back(static_cast<std::byte>(length));
    return bytes;
}

Bytes garbage(std::uint64_t seed, std::size_t count) {
    std::mt19937_64 numbers(seed);
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>(numbers() & 0xFFU);
    }
    for (std::size_t i = 0; i < wire::kLengthBytesMax && i < count; ++i) {
        bytes[i] = std::byte{0xFF};
    }
    return bytes;
}

Bytes greedy_questions(std::uint64_t first_id, std::size_t count) {
    Frames frames;
    for (std::size_t i = 0; i < count; ++i) {
        const model::RequestId id{first_id + i};
        if (i % kStateEvery == 0) {
            frames.add({id, codec::MapStateRequest{kFirstMap, false}});
        } else {
            frames.add({id, codec::ListMapsRequest{}});
        }
    }
    return frames.take();
}

}  // namespace outrider::hostile
