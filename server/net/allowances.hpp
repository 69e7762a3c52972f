#pragma once
// What:     what each token may still ask for from each address: one account for all sessions that
//           show the same token from the same place, so that more connections bring no more.
// Contract: an account in debt is kept when its last session has gone, so that coming back does not
//           clear it. There are at most kAccountsMax beside those in use: past it debts are
//           forgotten, which takes as many addresses.
// Threads:  any. A session keeps its account; only finding it locks the table.
// Cost:     a lock a message of a role that has rates.

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "outrider/base/mutex.hpp"
#include "outrider/net/access.hpp"
#include "outrider/net/addresses.hpp"
#include "outrider/net/rate_bucket.hpp"

namespace outrider::net {

class Allowance {
  public:
    struct Overdrawn {
        std::string_view what;  // "requests"
        std::uint64_t rate{};
        base::Duration wait{};
    };

    // The first rate that says no; what passes is taken. One message, with so many edits in it.
    [[nodiscard]] std::optional<Overdrawn> take(const Rates& rates, base::Duration burst,
                                                std::uint64_t edits, base::TimePoint now)
        OUTRIDER_EXCLUDES(mutex_);
    // What an answer or a push has cost.
    void charge(const Rates& rates, std::uint64_t expansions, base::TimePoint now)
        OUTRIDER_EXCLUDES(mutex_);
    [[nodiscard]] bool is_paid(base::TimePoint now) const OUTRIDER_EXCLUDES(mutex_);

  private:
    mutable base::Mutex mutex_;
    RateBucket requests_ OUTRIDER_GUARDED_BY(mutex_);
    RateBucket work_ OUTRIDER_GUARDED_BY(mutex_);
    RateBucket edits_ OUTRIDER_GUARDED_BY(mutex_);
};

class Allowances {
  public:
    // 300 bytes each: 20 MiB.
    static constexpr std::size_t kAccountsMax = 65'536;

    [[nodiscard]] std::shared_ptr<Allowance> open(const TokenDigest& token, const AddressKey& from,
                                                  base::TimePoint now) OUTRIDER_EXCLUDES(mutex_);
    [[nodiscard]] std::size_t size() const OUTRIDER_EXCLUDES(mutex_);

  private:
    struct Key {
        TokenDigest token;
        AddressKey from;
        auto operator<=>(const Key&) const = default;
    };
    void sweep(base::TimePoint now) OUTRIDER_REQUIRES(mutex_);

    mutable base::Mutex mutex_;
    std::map<Key, std::shared_ptr<Allowance>> accounts_ OUTRIDER_GUARDED_BY(mutex_);
    // Swept when there are twice as many as were left the last time.
    std::size_t next_sweep_ OUTRIDER_GUARDED_BY(mutex_){64};
};

}  // namespace outrider::net
