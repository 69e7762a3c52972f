#pragma once
// What:     the memory of the process by named parts, against one ceiling (Config::memory_max).
// Contract: the parts are what grows with use; code, stacks and small tables are not among them,
//           some 10 MiB. Where the sum reaches the ceiling, whatever needs more is refused with
//           kOverloaded, and what is already there is served. Caches give way before that: the
//           ledger is `tight` from nine tenths of the ceiling on.
// Threads:  any.
// Cost:     a store for a part, eight loads for the sum.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace outrider::engine {

enum class MemoryPart : std::uint8_t {
    kMaps,           // as they were loaded, by the formula of server/DESIGN.md
    kCache,          // paths kept for later
    kLandmarks,      // what makes searches quicker
    kSearches,       // buffers of workers and suspended searches
    kSurveys,        // surveys in flight, as they were asked
    kSurveyAnswers,  // on their way out
    kFollows,        // paths of followed units
    kNetwork,        // replies that wait to be read
};
inline constexpr std::array kMemoryParts{
    MemoryPart::kMaps,    MemoryPart::kCache,         MemoryPart::kLandmarks, MemoryPart::kSearches,
    MemoryPart::kSurveys, MemoryPart::kSurveyAnswers, MemoryPart::kFollows,   MemoryPart::kNetwork};

// As the metric outrider_memory_bytes calls it.
[[nodiscard]] constexpr std::string_view name_of(MemoryPart part) {
    constexpr std::array<std::string_view, kMemoryParts.size()> kNames{
        "maps",    "cache",          "landmarks", "search_buffers",
        "surveys", "survey_answers", "follows",   "outboxes"};
    return kNames[static_cast<std::size_t>(part)];
}

class MemoryLedger;

// So many bytes of a part, from MemoryLedger::claim() until its end. The ledger must outlive it.
class MemoryClaim {
  public:
    MemoryClaim() = default;
    MemoryClaim(MemoryClaim&& other) noexcept
        : ledger_(std::exchange(other.ledger_, nullptr)),
          part_(other.part_),
          bytes_(other.bytes_) {}
    MemoryClaim& operator=(MemoryClaim&& other) noexcept {
        std::swap(ledger_, other.ledger_);
        std::swap(part_, other.part_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~MemoryClaim();

  private:
    friend class MemoryLedger;
    MemoryClaim(MemoryLedger& ledger, MemoryPart part, std::size_t bytes)
        : ledger_(&ledger), part_(part), bytes_(bytes) {}

    MemoryLedger* ledger_{};
    MemoryPart part_{};
    std::size_t bytes_{};
};

class MemoryLedger {
  public:
    // 0: no ceiling.
    explicit MemoryLedger(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    void set(MemoryPart part, std::size_t bytes) {
        parts_[static_cast<std::size_t>(part)].store(bytes, std::memory_order_relaxed);
    }
    // Nothing where so much more would pass the ceiling. A part is either set or claimed.
    [[nodiscard]] std::optional<MemoryClaim> claim(MemoryPart part, std::size_t bytes) {
        MemoryClaim claim(*this, part, bytes);
        parts_[static_cast<std::size_t>(part)].fetch_add(bytes, std::memory_order_relaxed);
        if (exhausted() || (bytes_max_ != 0 && sum() > bytes_max_)) {
            return std::nullopt;
        }
        return claim;
    }
    [[nodiscard]] std::size_t bytes(MemoryPart part) const {
        return parts_[static_cast<std::size_t>(part)].load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t sum() const {
        std::size_t sum = 0;
        for (const auto& part : parts_) {
            sum += part.load(std::memory_order_relaxed);
        }
        return sum;
    }
    [[nodiscard]] std::size_t bytes_max() const { return bytes_max_; }
    // The system has no more to give, whatever the ceiling.
    void set_exhausted(bool exhausted) { exhausted_.store(exhausted, std::memory_order_relaxed); }
    [[nodiscard]] bool full() const {
        return exhausted() || (bytes_max_ != 0 && sum() >= bytes_max_);
    }
    [[nodiscard]] bool tight() const {
        return exhausted() || (bytes_max_ != 0 && sum() >= tight_bytes());
    }
    // Whether so much more keeps the ledger from being tight.
    [[nodiscard]] bool has_ample_room(std::size_t bytes) const {
        return !exhausted() && (bytes_max_ == 0 || sum() + bytes < tight_bytes());
    }

  private:
    friend class MemoryClaim;
    [[nodiscard]] bool exhausted() const { return exhausted_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t tight_bytes() const { return bytes_max_ / 10 * 9; }

    const std::size_t bytes_max_;
    std::atomic<bool> exhausted_{false};
    std::array<std::atomic<std::size_t>, kMemoryParts.size()> parts_{};
};

inline MemoryClaim::~MemoryClaim() {
    if (ledger_ != nullptr) {
        ledger_->parts_[static_cast<std::size_t>(part_)].fetch_sub(bytes_,
                                                                   std::memory_order_relaxed);
    }
}

}  // namespace outrider::engine
