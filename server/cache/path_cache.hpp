#pragma once
// What:     answers that were computed before, by the question, over the versions of a map.
// Contract: find() returns what insert() was given for an equal question, when that is the answer
//           on the version asked for too; or nothing. An answer stays while no change since can
//           have made another of it: every change that the class sees misses its scope, and the
//           question still has the same aim (search::look_ahead). What was used least recently
//           leaves first. Answers that depend on time or on a client (deadline, cancelled,
//           superseded) are not kept, so that the cache cannot change an answer. bytes() never
//           exceeds the bound; an answer that is larger alone is not kept. A bound of 0 keeps
//           nothing. A map's changes must be noted in order; those of a version that is not noted
//           yet make a miss.
// Threads:  any; one mutex inside, held for a look-up, an insertion or a note.
// Cost:     a change is only written down. find() is constant in the entries; an entry is held
//           against each change once, when it is asked for after it. An entry costs its vectors and
//           kEntryBytes; the changes of a map at most ChangeLog::kChangesMax records.

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>

#include "outrider/base/mutex.hpp"
#include "outrider/cache/change_log.hpp"
#include "outrider/model/per_map.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/scope.hpp"

namespace outrider::cache {

struct Key {
    model::MapId map;
    model::PathQuery query;
    friend bool operator==(const Key&, const Key&) = default;
};

// XXH64 over the fields.
[[nodiscard]] std::uint64_t hash_of(const Key& key);

struct KeyHash {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(hash_of(key)); }
};

// An answer, and what it hangs on.
struct Answer {
    model::Version version{};
    std::shared_ptr<const model::PathResult> result;
    model::Scope scope;
};

class PathCache {
  public:
    // The result and its control block, the key in list and index, their nodes and the bucket.
    static constexpr std::size_t kEntryBytes =
        sizeof(model::PathResult) + 2 * sizeof(Key) + sizeof(Answer) + 128;

    explicit PathCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    void note(model::MapId map, const map::Change& change) noexcept;
    [[nodiscard]] std::shared_ptr<const model::PathResult> find(const Key& key,
                                                                model::Version version,
                                                                const model::Aim& aim);
    void insert(const Key& key, Answer answer);
    // The map is gone: lets go of its answers and changes. An answer to a question that was under
    // way may come in afterwards; nobody asks for it, so that it leaves as the least recently used.
    void forget(model::MapId map);
    // Lets go of the least recently used beyond so many bytes.
    void shrink_to(std::size_t bytes);

    // `carried`: hits whose answer is older than the version asked for. `fallen`: entries that a
    // change or another aim ended.
    struct Counts {
        std::uint64_t hits{}, misses{}, evictions{}, carried{}, fallen{};
        std::size_t entries{}, bytes{};
    };
    [[nodiscard]] Counts counts() const;

  private:
    struct Entry {
        Key key;
        Answer answer;
        model::Version checked{};  // the answer stands from answer.version up to here
        std::size_t bytes{};
    };
    using Place = std::list<Entry>::iterator;

    [[nodiscard]] ChangeLog::Verdict judge(Entry& entry, model::Version version,
                                           const model::Aim& aim) const OUTRIDER_REQUIRES(mutex_);
    void erase(Place place) OUTRIDER_REQUIRES(mutex_);
    // Of the buckets from `bucket` on, some; the first that it has not looked at.
    [[nodiscard]] std::size_t forget_some(model::MapId map, std::size_t bucket)
        OUTRIDER_REQUIRES(mutex_);
    void make_room(std::size_t bytes, std::size_t bytes_max) OUTRIDER_REQUIRES(mutex_);

    const std::size_t bytes_max_;
    mutable base::Mutex mutex_;
    model::PerMap<ChangeLog> logs_ OUTRIDER_GUARDED_BY(mutex_);
    std::list<Entry> entries_ OUTRIDER_GUARDED_BY(mutex_);  // most recently used first
    std::unordered_map<Key, Place, KeyHash> index_ OUTRIDER_GUARDED_BY(mutex_);
    Counts counts_ OUTRIDER_GUARDED_BY(mutex_);
};

}  // namespace outrider::cache
