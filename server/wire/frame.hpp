#pragma once
// What:     frames: a varint length and that many bytes of message, as Protocol Buffers' own
//           delimited streams read and write them.
// Contract: FrameReader takes bytes as they come, one at a time or many frames at once, and hands
//           out whole messages as spans into its buffer. It refuses a length above its limit and a
//           malformed length as soon as the length's bytes are there, and grows only by bytes that
//           did arrive: never by the peer's word. After an error it hands out nothing more.
// Threads:  one at a time.
// Cost:     no copy for frames that end inside one read; the rest of a cut frame moves to the
//           front once a read. Memory: at most twice the largest frame, kBufferBytesMin when idle.
// Source:   protobuf util/delimited_message_util.h; proto/README.md is the standard.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace outrider::wire {

using Bytes = std::vector<std::byte>;

// A length is below 2^32: five bytes of seven bits.
inline constexpr std::size_t kLengthBytesMax = 5;
// One page of small requests a read; a hundred path requests fit.
inline constexpr std::size_t kBufferBytesMin = 8192;
// What a client must be ready to take from a server: the Welcome of a server with every map and
// class that limits.hpp allows, or the push of the largest edit batch, stays below.
inline constexpr std::size_t kServerFrameBytesMax = 8U << 20U;

enum class FrameError : std::uint8_t {
    kTooLarge,   // the length is above the limit
    kBadLength,  // the length is no canonical varint of at most five bytes
};
[[nodiscard]] std::string_view name_of(FrameError error);

class FrameReader {
  public:
    explicit FrameReader(std::size_t frame_bytes_max);

    // Room for the next read, never empty. Spans handed out before become invalid.
    [[nodiscard]] std::span<std::byte> prepare();
    // That many bytes of prepare()'s room now hold data.
    void commit(std::size_t bytes);

    // The next whole message; nothing when more bytes are needed.
    [[nodiscard]] std::expected<std::optional<std::span<const std::byte>>, FrameError> next();

    // True when bytes of an unfinished or not yet taken frame are held.
    [[nodiscard]] bool holds_bytes() const { return begin_ != end_; }
    [[nodiscard]] std::size_t capacity_bytes() const { return buffer_.size(); }

  private:
    struct Length {
        std::size_t message_bytes{};
        std::size_t length_bytes{};
    };
    [[nodiscard]] std::expected<std::optional<Length>, FrameError> peek_length() const;

    std::size_t frame_bytes_max_;
    Bytes buffer_;
    std::size_t begin_{0};
    std::size_t end_{0};
    std::optional<FrameError> error_;
};

// Appends the length and room for the message, and returns that room. The span is valid until
// `out` next changes.
[[nodiscard]] std::span<std::byte> append_frame_space(Bytes& out, std::size_t message_bytes);
void append_frame(Bytes& out, std::span<const std::byte> message);

}  // namespace outrider::wire
