#include "outrider/wire/frame.hpp"

#include <algorithm>
#include <cstring>

#include "outrider/base/check.hpp"

namespace outrider::wire {
namespace {

constexpr std::size_t kPayloadBits = 7;
constexpr std::uint64_t kPayloadMask = 0x7F;
constexpr std::uint64_t kMoreBit = 0x80;
// Less room than this is not worth a system call.
constexpr std::size_t kReadBytesMin = 2048;

}  // namespace

std::string_view name_of(FrameError error) {
    switch (error) {
        case FrameError::kTooLarge: return "frame too large";
        case FrameError::kBadLength: return "malformed frame length";
    }
    return "?";
}

FrameReader::FrameReader(std::size_t frame_bytes_max)
    : frame_bytes_max_(frame_bytes_max), buffer_(kBufferBytesMin) {}

std::span<std::byte> FrameReader::prepare() {
    if (begin_ == end_) {
        begin_ = end_ = 0;
        // A buffer that a large frame had blown up is given back when the frame is gone.
        if (buffer_.size() > kBufferBytesMin) {
            buffer_ = Bytes(kBufferBytesMin);
        }
    } else if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (buffer_.size() - end_ < kReadBytesMin) {
        buffer_.resize(buffer_.size() * 2);
    }
    return std::span(buffer_).subspan(end_);
}

void FrameReader::commit(std::size_t bytes) {
    OUTRIDER_CHECK(bytes <= buffer_.size() - end_);
    end_ += bytes;
}

std::expected<std::optional<FrameReader::Length>, FrameError> FrameReader::peek_length() const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < kLengthBytesMax; ++i) {
        if (begin_ + i == end_) {
            return std::nullopt;
        }
        const auto byte = std::to_integer<std::uint64_t>(buffer_[begin_ + i]);
        value |= (byte & kPayloadMask) << (kPayloadBits * i);
        if ((byte & kMoreBit) != 0) {
            continue;
        }
        if (i > 0 && byte == 0) {
            return std::unexpected(FrameError::kBadLength);
        }
        if (value > frame_bytes_max_) {
            return std::unexpected(FrameError::kTooLarge);
        }
        return Length{static_cast<std::size_t>(value), i + 1};
    }
    return std::unexpected(FrameError::kBadLength);
}

std::expected<std::optional<std::span<const std::byte>>, FrameError> FrameReader::next() {
    if (error_) {
        return std::unexpected(*error_);
    }
    const auto length = peek_length();
    if (!length) {
        error_ = length.error();
        return std::unexpected(length.error());
    }
    if (!*length) {
        return std::nullopt;
    }
    const auto [message_bytes, length_bytes] = **length;
    if (end_ - begin_ - length_bytes < message_bytes) {
        return std::nullopt;
    }
    const auto message =
        std::span<const std::byte>(buffer_).subspan(begin_ + length_bytes, message_bytes);
    begin_ += length_bytes + message_bytes;
    return message;
}

std::span<std::byte> append_frame_space(Bytes& out, std::size_t message_bytes) {
    OUTRIDER_CHECK(message_bytes <= kServerFrameBytesMax);
    std::uint64_t rest = message_bytes;
    while (rest > kPayloadMask) {
        out.push_back(static_cast<std::byte>((rest & kPayloadMask) | kMoreBit));
        rest >>= kPayloadBits;
    }
    out.push_back(static_cast<std::byte>(rest));
    const std::size_t at = out.size();
    out.resize(at + message_bytes);
    return std::span(out).subspan(at);
}

void append_frame(Bytes& out, std::span<const std::byte> message) {
    const auto space = append_frame_space(out, message.size());
    std::ranges::copy(message, space.begin());
}

}  // namespace outrider::wire
