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
    if (std::holds_alternative<codec::LoadMapRequest>(message.body)) {
        return {Role::kAdmin, "load_map", 0};
    }
    if (std::holds_alternative<codec::DropMapRequest>(message.body)) {
        return {Role::kAdmin, "drop_map", 0};
    }
    return {};
}

model::Refusal refusal_of(const Allowance::Overdrawn& overdrawn) {
    // Rounded up: who comes back then is let through.
    return {.code = model::RefusalCode::kOverloaded,
            .field = {},
            .message = "more than " + std::to_string(overdrawn.rate) + " " +
                       std::string(overdrawn.what) +
                       " a second, the limit of this token from this address, over all its "
                       "sessions; wait, then go on more slowly",
            .retry_after = std::chrono::ceil<std::chrono::milliseconds>(overdrawn.wait)};
}

}  // namespace

// Of maps that come and go the log tells, also of what was refused.
void Session::refuse_message(const codec::ClientMessage& message, const model::Refusal& refusal) {
    if (const auto* load = std::get_if<codec::LoadMapRequest>(&message.body)) {
        refuse_map(message.id, ask_of(*load), refusal);
    } else if (const auto* drop = std::get_if<codec::DropMapRequest>(&message.body)) {
        refuse_map(message.id, ask_of(*drop), refusal);
    } else {
        refuse(message.id, refusal);
    }
}

bool Session::lets_pass(const codec::ClientMessage& message) {
    const bool is_free = std::holds_alternative<codec::Hello>(message.body) ||
                         std::holds_alternative<codec::CancelRequest>(message.body);
    if (state_ != State::kOpen || is_free) {
        return true;
    }
    const Demand demand = demand_of(message);
    const bool may = role_ >= demand.role;
    // Above the role it is a request like any other; that nothing comes of it is no reason to let
    // anybody ask without end.
    if (const auto no = take_from_rates(may ? demand.edits : 0)) {
        refuse_message(message, *no);
        return false;
    }
    if (!may) {
        refuse_message(
            message, {.code = model::RefusalCode::kPermissionDenied,
                      .field = std::string(demand.field),
                      .message = "needs a token of the role " + std::string(name_of(demand.role)) +
                                 "; this session's is " + std::string(name_of(role_)),
                      .retry_after = {}});
    }
    return may;
}

std::optional<model::Refusal> Session::take_from_rates(std::uint64_t edits) {
    const AccessConfig& access = config().access;
    const Rates& rates = access.rates_of(role_);
    if (!rates.any()) {
        return std::nullopt;
    }
    const auto no = allowance_->take(rates, access.rate_burst, edits, now_);
    return no ? std::optional(refusal_of(*no)) : std::nullopt;
}

void Session::charge(std::uint64_t expansions) {
    const Rates& rates = config().access.rates_of(role_);
    if (rates.work_per_second > 0) {
        allowance_->charge(rates, expansions, now_);
    }
}

bool Session::take_token(std::string_view token) {
    digest_ = digest_of(token);
    if (!find_role()) {
        return false;
    }
    allowance_ = shared_.allowances.open(digest_, from_, now_);
    return true;
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

void Session::count_as(std::optional<Role> role) {
    auto& roles = shared_.counters.roles;
    if (counted_as_) {
        count(roles[static_cast<std::size_t>(*counted_as_)], ~std::uint64_t{0});
    }
    if (role) {
        count(roles[static_cast<std::size_t>(*role)]);
    }
    counted_as_ = role;
}

void Session::on_new_config() {
    guarded([this] {
        now_ = shared_.parts.clock.now();
        if (state_ != State::kOpen) {
            return;
        }
        if (find_role()) {
            count_as(role_);
        } else {
            close_with({.code = model::RefusalCode::kUnauthenticated,
                        .field = "hello.token",
                        .message = "was withdrawn by the operator",
                        .retry_after = {}});
            write_ready();
        }
    });
}

}  // namespace outrider::net
