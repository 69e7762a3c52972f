#include <algorithm>

#include "outrider/net/session.hpp"

namespace outrider::net {
namespace {

struct Demand {
    Role role{Role::kPlayer};
    std::string_view field{};  // to blame where the role is too low
    std::uint64_t edits{0};
};

// Questions are for every role; what changes the world for others is not.
Demand demand_of(const codec::ClientMessage& message) {
    if (const auto* edit = std::get_if<codec::EditRequest>(&message.body)) {
        return {Role::kBuilder, "edit", std::max<std::uint64_t>(edit->batch.edits.size(), 1)};
    }
    if (std::holds_alternative<codec::AddClassRequest>(message.body)) {
        return {Role::kAdmin, "add_class", 0};
    }
    return {};
}

model::Refusal overdrawn(std::string_view what, std::uint64_t rate, base::Duration wait) {
    // Rounded up: who comes back then is let through.
    return {.code = model::RefusalCode::kOverloaded,
            .field = {},
            .message = "more than " + std::to_string(rate) + " " + std::string(what) +
                       " a second, the limit of this token's role; wait, then go on more slowly",
            .retry_after = std::chrono::ceil<std::chrono::milliseconds>(wait)};
}

}  // namespace

// The first that says no; what passes is taken from the buckets.
std::optional<model::Refusal> Session::refusal_by_rate(std::uint64_t edits) {
    const AccessConfig& access = config().access;
    const Rates& rates = access.rates_of(role_);
    const base::Duration burst = access.rate_burst;
    base::Duration wait = requests_bucket_.wait(rates.requests_per_second, burst, now_);
    if (wait > base::Duration::zero()) {
        return overdrawn("requests", rates.requests_per_second, wait);
    }
    wait = work_bucket_.wait(rates.work_per_second, burst, now_);
    if (wait > base::Duration::zero()) {
        return overdrawn("expansions", rates.work_per_second, wait);
    }
    wait = edits_bucket_.wait(rates.edits_per_second, burst, now_);
    if (edits > 0 && wait > base::Duration::zero()) {
        return overdrawn("edits", rates.edits_per_second, wait);
    }
    requests_bucket_.take(1, rates.requests_per_second, now_);
    edits_bucket_.take(edits, rates.edits_per_second, now_);
    return std::nullopt;
}

bool Session::lets_pass(const codec::ClientMessage& message) {
    const bool is_free = std::holds_alternative<codec::Hello>(message.body) ||
                         std::holds_alternative<codec::CancelRequest>(message.body);
    if (state_ != State::kOpen || is_free) {
        return true;
    }
    const Demand demand = demand_of(message);
    if (role_ < demand.role) {
        refuse(message.id,
               {.code = model::RefusalCode::kPermissionDenied,
                .field = std::string(demand.field),
                .message = "needs a token of the role " + std::string(name_of(demand.role)) +
                           "; this session's is " + std::string(name_of(role_)),
                .retry_after = {}});
        return false;
    }
    if (const auto refusal = refusal_by_rate(demand.edits)) {
        refuse(message.id, *refusal);
        return false;
    }
    return true;
}

void Session::charge(std::uint64_t expansions) {
    work_bucket_.take(expansions, config().access.rates_of(role_).work_per_second, now_);
}

bool Session::take_token(std::string_view token) {
    digest_ = digest_of(token);
    return find_role();
}

bool Session::find_role() {
    const std::vector<Token>& tokens = config().access.tokens;
    const Token* const found = find_token(tokens, digest_);
    if (found != nullptr) {
        role_ = found->role;
        token_name_ = found->name;
    } else {
        role_ = Role::kAdmin;
        token_name_.clear();
    }
    return found != nullptr || tokens.empty();
}

void Session::on_new_config() {
    guarded([this] {
        now_ = shared_.parts.clock.now();
        if (state_ == State::kOpen && !find_role()) {
            close_with({.code = model::RefusalCode::kUnauthenticated,
                        .field = "hello.token",
                        .message = "was withdrawn by the operator",
                        .retry_after = {}});
            write_ready();
        }
    });
}

}  // namespace outrider::net
