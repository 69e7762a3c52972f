#pragma once
// What:     blocks of memory for tiles, all of one size: those of the last tiles that edits let go
//           of, kept for the next. An allocator cares for large blocks by their neighbours, which
//           lie far apart on a large map, and clears up whenever one is taken.
// Contract: at most kSparesMax blocks are kept. Whoever holds a block holds the pool.
// Threads:  any: the last holder of a tile may be a reader.
// Cost:     an uncontended lock.

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "outrider/base/mutex.hpp"

namespace outrider::map {

class TilePool {
  public:
    // An edit where four chunks meet.
    static constexpr std::size_t kSparesMax = 4;

    TilePool() = default;
    ~TilePool() {
        for (std::size_t i = 0; i < count_; ++i) {
            ::operator delete(spares_[i]);
        }
    }
    TilePool(const TilePool&) = delete;
    TilePool& operator=(const TilePool&) = delete;

    // `bytes`: always the same.
    [[nodiscard]] void* take(std::size_t bytes) {
        {
            const base::Lock lock(mutex_);
            if (count_ > 0) {
                return spares_[--count_];
            }
        }
        return ::operator new(bytes);
    }
    void give(void* block) {
        {
            const base::Lock lock(mutex_);
            if (count_ < kSparesMax) {
                spares_[count_++] = block;
                return;
            }
        }
        ::operator delete(block);
    }

  private:
    base::Mutex mutex_;
    std::array<void*, kSparesMax> spares_ OUTRIDER_GUARDED_BY(mutex_);
    std::size_t count_ OUTRIDER_GUARDED_BY(mutex_){0};
};

// For std::allocate_shared.
template <class T>
class TileAllocator {
  public:
    using value_type = T;

    explicit TileAllocator(std::shared_ptr<TilePool> pool) : pool_(std::move(pool)) {}
    template <class Other>
    TileAllocator(const TileAllocator<Other>& other) : pool_(other.pool()) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(pool_->take(count * sizeof(T)));
    }
    void deallocate(T* block, std::size_t) { pool_->give(block); }
    [[nodiscard]] const std::shared_ptr<TilePool>& pool() const { return pool_; }
    template <class Other>
    friend bool operator==(const TileAllocator& a, const TileAllocator<Other>& b) {
        return a.pool_ == b.pool();
    }

  private:
    std::shared_ptr<TilePool> pool_;
};

}  // namespace outrider::map
