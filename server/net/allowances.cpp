#include "outrider/net/allowances.hpp"

#include <algorithm>

namespace outrider::net {
namespace {

constexpr std::size_t kSweepMin = 64;

}  // namespace

std::optional<Allowance::Overdrawn> Allowance::take(const Rates& rates, base::Duration burst,
                                                    std::uint64_t edits, base::TimePoint now) {
    const base::Lock lock(mutex_);
    base::Duration wait = requests_.wait(rates.requests_per_second, burst, now);
    if (wait > base::Duration::zero()) {
        return Overdrawn{"requests", rates.requests_per_second, wait};
    }
    wait = work_.wait(rates.work_per_second, burst, now);
    if (wait > base::Duration::zero()) {
        return Overdrawn{"expansions", rates.work_per_second, wait};
    }
    wait = edits_.wait(rates.edits_per_second, burst, now);
    if (edits > 0 && wait > base::Duration::zero()) {
        return Overdrawn{"edits", rates.edits_per_second, wait};
    }
    requests_.take(1, rates.requests_per_second, now);
    edits_.take(edits, rates.edits_per_second, now);
    return std::nullopt;
}

void Allowance::charge(const Rates& rates, std::uint64_t expansions, base::TimePoint now) {
    const base::Lock lock(mutex_);
    work_.take(expansions, rates.work_per_second, now);
}

bool Allowance::is_paid(base::TimePoint now) const {
    const base::Lock lock(mutex_);
    return requests_.is_paid(now) && work_.is_paid(now) && edits_.is_paid(now);
}

std::shared_ptr<Allowance> Allowances::open(const TokenDigest& token, const AddressKey& from,
                                            base::TimePoint now) {
    const base::Lock lock(mutex_);
    if (accounts_.size() >= next_sweep_) {
        sweep(now);
    }
    const Key key{token, from};
    const auto found = accounts_.find(key);
    if (found != accounts_.end()) {
        return found->second;
    }
    return accounts_.emplace(key, std::make_shared<Allowance>()).first->second;
}

void Allowances::sweep(base::TimePoint now) {
    std::size_t idle = 0;
    std::erase_if(accounts_, [&](const auto& entry) {
        // Nobody else can take a copy of the last one while the table is locked.
        const bool in_use = entry.second.use_count() > 1;
        const bool kept = in_use || (!entry.second->is_paid(now) && idle < kAccountsMax);
        idle += kept && !in_use ? 1 : 0;
        return !kept;
    });
    next_sweep_ = std::max(kSweepMin, 2 * accounts_.size());
}

std::size_t Allowances::size() const {
    const base::Lock lock(mutex_);
    return accounts_.size();
}

}  // namespace outrider::net
