#pragma once
// What:     an arena for one message at a time, whose first block is kept: a message of ordinary
//           size costs no heap.
// Contract: fresh() empties the arena; whatever it handed out before is gone.

#include <google/protobuf/arena.h>
#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <memory>
#include <span>

#include "outrider/base/check.hpp"
#include "outrider/codec/output.hpp"

namespace outrider::codec {

class Scratch {
  public:
    Scratch() : block_(std::make_unique<char[]>(kBlockBytes)), arena_(options()) {
        // The library would print a line on standard error for each malformed string of a
        // stranger. Once a process: its handler is a plain global.
        [[maybe_unused]] static const bool silenced = [] {
            google::protobuf::SetLogHandler(nullptr);
            return true;
        }();
    }

    template <class Message>
    [[nodiscard]] Message& fresh() {
        arena_.Reset();
        return *google::protobuf::Arena::CreateMessage<Message>(&arena_);
    }

  private:
    // A path request or a reply of a thousand turning points fits.
    static constexpr std::size_t kBlockBytes = 16384;

    [[nodiscard]] google::protobuf::ArenaOptions options() {
        google::protobuf::ArenaOptions options;
        options.initial_block = block_.get();
        options.initial_block_size = kBlockBytes;
        return options;
    }

    std::unique_ptr<char[]> block_;
    google::protobuf::Arena arena_;
};

inline void write_message(const google::protobuf::MessageLite& message, Output& out) {
    const std::size_t bytes = message.ByteSizeLong();
    const std::span<std::byte> space = out.message_space(bytes);
    OUTRIDER_CHECK(space.size() == bytes);
    message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(space.data()));
}

// False for bytes that are no message of this type.
[[nodiscard]] inline bool parse_message(google::protobuf::MessageLite& message,
                                        std::span<const std::byte> bytes) {
    return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace outrider::codec
