#pragma once
// What:     answers that were computed before, by the exact question: map, version and query.
// Contract: find() returns what insert() was given for an equal key, or nothing; what was used
//           least recently leaves first. Answers that depend on time or on a client (deadline,
//           cancelled, superseded) are not kept, so that the cache cannot change an answer.
//           bytes() never exceeds the bound; an answer that is larger alone is not kept. A bound of
//           0 keeps nothing.
// Threads:  any; one mutex inside, held for a look-up or an insertion.
// Cost:     constant time; an entry costs its vectors and kEntryBytes.

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>

#include "outrider/base/mutex.hpp"
#include "outrider/model/query.hpp"

namespace outrider::cache {

struct Key {
    model::MapId map;
    model::Version version{};
    model::PathQuery query;
    friend bool operator==(const Key&, const Key&) = default;
};

// XXH64 over the fields.
[[nodiscard]] std::uint64_t hash_of(const Key& key);

struct KeyHash {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(hash_of(key)); }
};

class PathCache {
  public:
    // The result and its control block, the key in list and index, their nodes and the bucket.
    static constexpr std::size_t kEntryBytes = sizeof(model::PathResult) + 2 * sizeof(Key) + 128;

    explicit PathCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    [[nodiscard]] std::shared_ptr<const model::PathResult> find(const Key& key);
    void insert(const Key& key, std::shared_ptr<const model::PathResult> result);

    struct Counts {
        std::uint64_t hits{}, misses{}, evictions{};
        std::size_t entries{}, bytes{};
    };
    [[nodiscard]] Counts counts() const;

  private:
    struct Entry {
        Key key;
        std::shared_ptr<const model::PathResult> result;
        std::size_t bytes{};
    };

    void make_room(std::size_t bytes) OUTRIDER_REQUIRES(mutex_);

    const std::size_t bytes_max_;
    mutable base::Mutex mutex_;
    std::list<Entry> entries_ OUTRIDER_GUARDED_BY(mutex_);  // most recently used first
    std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> index_ OUTRIDER_GUARDED_BY(mutex_);
    Counts counts_ OUTRIDER_GUARDED_BY(mutex_);
};

}  // namespace outrider::cache
