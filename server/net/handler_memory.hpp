#pragma once
// What:     memory for the one handler that a part of the thread has under way at a time, so that
//           to wait or to come again needs none: where the system gives no more, the thread's own
//           clock and line must go on.
// Contract: with(handler) is given to Asio in the handler's place. One at a time: the memory is
//           free again when the handler begins to run.
// Threads:  the I/O thread's.

#include <asio/bind_allocator.hpp>
#include <cstddef>
#include <memory>
#include <utility>

#include "outrider/base/check.hpp"

namespace outrider::net {

class HandlerMemory {
  public:
    template <class Handler>
    [[nodiscard]] auto with(Handler handler) const {
        return asio::bind_allocator(Allocator<Handler>(block_), std::move(handler));
    }

  private:
    // A wait on a timer takes the most, some 120.
    static constexpr std::size_t kBytes = 256;

    struct Block {
        alignas(std::max_align_t) std::byte bytes[kBytes];
        bool in_use{false};
    };

    // Holds the block, which a handler that never runs may outlive the part by.
    template <class T>
    class Allocator {
      public:
        using value_type = T;

        explicit Allocator(std::shared_ptr<Block> block) : block_(std::move(block)) {}
        template <class U>
        Allocator(const Allocator<U>& other) : block_(other.block_) {}

        [[nodiscard]] T* allocate(std::size_t count) {
            OUTRIDER_CHECK(!block_->in_use && count * sizeof(T) <= kBytes);
            block_->in_use = true;
            return reinterpret_cast<T*>(block_->bytes);
        }
        void deallocate(T*, std::size_t) noexcept { block_->in_use = false; }
        template <class U>
        bool operator==(const Allocator<U>& other) const {
            return block_ == other.block_;
        }

      private:
        template <class U>
        friend class Allocator;
        std::shared_ptr<Block> block_;
    };

    std::shared_ptr<Block> block_{std::make_shared<Block>()};
};

}  // namespace outrider::net
