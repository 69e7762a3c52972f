#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "outrider/wire/frame.hpp"

namespace outrider::wire {
namespace {

Bytes bytes_of(std::string_view text) {
    Bytes bytes(text.size());
    std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

std::string text_of(std::span<const std::byte> bytes) {
    std::string text;
    std::ranges::transform(bytes, std::back_inserter(text),
                           [](std::byte b) { return static_cast<char>(b); });
    return text;
}

void feed(FrameReader& reader, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto room = reader.prepare();
        const std::size_t count = std::min(room.size(), bytes.size());
        std::ranges::copy(bytes.first(count), room.begin());
        reader.commit(count);
        bytes = bytes.subspan(count);
    }
}

std::vector<std::string> take_all(FrameReader& reader) {
    std::vector<std::string> messages;
    for (;;) {
        const auto next = reader.next();
        EXPECT_TRUE(next.has_value());
        if (!next || !*next) {
            return messages;
        }
        messages.push_back(text_of(**next));
    }
}

Bytes stream_of(const std::vector<std::string>& messages) {
    Bytes stream;
    for (const std::string& message : messages) {
        append_frame(stream, bytes_of(message));
    }
    return stream;
}

// If this failed, a request would be lost or torn whenever TCP cuts the stream at an unlucky byte.
TEST(FrameReader, EveryCutPositionGivesTheSameMessages) {
    const std::vector<std::string> messages{"", "a", std::string(127, 'b'), std::string(128, 'c'),
                                            std::string(300, 'd')};
    const Bytes stream = stream_of(messages);
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        FrameReader reader(1000);
        feed(reader, std::span(stream).first(cut));
        std::vector<std::string> got = take_all(reader);
        feed(reader, std::span(stream).subspan(cut));
        std::ranges::move(take_all(reader), std::back_inserter(got));
        ASSERT_EQ(got, messages) << "cut at " << cut;
        EXPECT_FALSE(reader.holds_bytes());
    }
}

// If this failed, a slow link that delivers single bytes would break the protocol.
TEST(FrameReader, TakesOneByteAtATime) {
    const std::vector<std::string> messages{"", "one", std::string(20'000, 'x'), "two"};
    const Bytes stream = stream_of(messages);
    FrameReader reader(20'000);
    std::vector<std::string> got;
    for (const std::byte byte : stream) {
        feed(reader, std::span(&byte, 1));
        std::ranges::move(take_all(reader), std::back_inserter(got));
    }
    EXPECT_EQ(got, messages);
}

// If this failed, either legal frames would be refused or the limit would not hold.
TEST(FrameReader, LimitHoldsAtBelowAndAbove) {
    for (const std::size_t size : {999U, 1000U}) {
        FrameReader reader(1000);
        feed(reader, stream_of({std::string(size, 'x')}));
        EXPECT_EQ(take_all(reader).size(), 1U);
    }
    FrameReader reader(1000);
    feed(reader, stream_of({std::string(1001, 'x')}));
    EXPECT_EQ(reader.next().error(), FrameError::kTooLarge);
    EXPECT_EQ(reader.next().error(), FrameError::kTooLarge) << "an error is for good";
}

// If this failed, five bytes from a stranger would make the server allocate gigabytes.
TEST(FrameReader, RefusesAHugeLengthBeforeAllocating) {
    FrameReader reader(1U << 20U);
    const std::size_t before = reader.capacity_bytes();
    feed(reader, bytes_of("\xFF\xFF\xFF\xFF\x0F"));
    EXPECT_EQ(reader.next().error(), FrameError::kTooLarge);
    EXPECT_EQ(reader.capacity_bytes(), before);
}

// If this failed, a legal but never finished frame would cost its announced size at once.
TEST(FrameReader, GrowsOnlyByBytesThatArrived) {
    FrameReader reader(1U << 20U);
    Bytes stream = stream_of({std::string(1U << 20U, 'x')});
    feed(reader, std::span(stream).first(100));
    EXPECT_FALSE(reader.next()->has_value());
    EXPECT_EQ(reader.capacity_bytes(), kBufferBytesMin);
    feed(reader, std::span(stream).subspan(100));
    EXPECT_TRUE(reader.next()->has_value());
    EXPECT_LE(reader.capacity_bytes(), 2U << 20U);
    (void)reader.prepare();
    EXPECT_EQ(reader.capacity_bytes(), kBufferBytesMin) << "the large buffer is given back";
}

// If this failed, garbage would be read as a length, or two readers would disagree on a stream.
TEST(FrameReader, RefusesMalformedLengths) {
    for (const std::string_view bad :
         {std::string_view("\x80\x00", 2), std::string_view("\xFF\x80\x00", 3),
          std::string_view("\x80\x80\x80\x80\x80", 5),
          std::string_view("\xFF\xFF\xFF\xFF\xFF\x01", 6)}) {
        FrameReader reader(1000);
        feed(reader, bytes_of(bad));
        const auto next = reader.next();
        ASSERT_FALSE(next.has_value());
        EXPECT_EQ(next.error(), FrameError::kBadLength);
    }
}

// If this failed, the writer and Protocol Buffers' own delimited readers would not understand one
// another.
TEST(AppendFrame, WritesCanonicalVarints) {
    const auto length_of = [](std::size_t size) {
        Bytes out;
        append_frame(out, Bytes(size));
        return text_of(std::span(out).first(out.size() - size));
    };
    EXPECT_EQ(length_of(0), std::string("\0", 1));
    EXPECT_EQ(length_of(127), "\x7F");
    EXPECT_EQ(length_of(128), "\x80\x01");
    EXPECT_EQ(length_of(16'383), "\xFF\x7F");
    EXPECT_EQ(length_of(16'384), "\x80\x80\x01");
}

}  // namespace
}  // namespace outrider::wire
