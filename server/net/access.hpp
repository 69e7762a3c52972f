#pragma once
// What:     who may come in and what for: roles, tokens, and how much each role may ask. The part
//           of the configuration that a running server takes anew (Server::reload).
// Contract: a token is kept as its SHA-256 only. find_token() takes the same time whatever the
//           token and wherever it stands. With no tokens at all everybody is an admin.
// Threads:  values.
// Cost:     find_token() looks at every token.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace outrider::net {

// Each role may do what those before it may.
enum class Role : std::uint8_t {
    kPlayer,   // asks: paths, followed units, watches
    kBuilder,  // edits maps
    kAdmin,    // maps that come and go, movement classes; what belongs to the whole server
};
inline constexpr std::array kRoles{Role::kPlayer, Role::kBuilder, Role::kAdmin};

[[nodiscard]] std::string_view name_of(Role role);
[[nodiscard]] std::optional<Role> role_of(std::string_view name);

using TokenDigest = std::array<unsigned char, 32>;
[[nodiscard]] TokenDigest digest_of(std::string_view token);

struct Token {
    TokenDigest digest{};
    Role role{Role::kPlayer};
    std::string name;  // for the log; may be empty

    bool operator==(const Token&) const = default;
};

// What one token may ask for from one address in a second, on the average, over all its sessions;
// 0: as much as it likes. Beyond: OVERLOADED, with the time after which it is let through again.
struct Rates {
    // Messages of any kind but Hello and CancelRequest, also such as are refused for what they are.
    std::uint64_t requests_per_second{0};
    // Expansions, as each answer tells them; known only afterwards, so that sessions run into
    // debt by the requests that they have in flight, and wait until that is paid.
    std::uint64_t work_per_second{0};
    // Edits in batches, one at least a batch.
    std::uint64_t edits_per_second{0};

    [[nodiscard]] bool any() const {
        return (requests_per_second | work_per_second | edits_per_second) != 0;
    }
};

// Above this a rate is no limit; and its arithmetic stays in 64 bits.
inline constexpr std::uint64_t kRateMax = 1'000'000'000;

struct AccessConfig {
    // Empty: everybody, as an admin, for games on one machine.
    std::vector<Token> tokens;
    // By role. A player's client orders some hundred units at ten ticks a second; its searches get
    // about half a core. A builder is a game server, which orders for all its players. An admin is
    // the studio itself.
    std::array<Rates, kRoles.size()> rates{{
        {.requests_per_second = 2'000, .work_per_second = 5'000'000, .edits_per_second = 0},
        {.requests_per_second = 50'000, .work_per_second = 0, .edits_per_second = 20'000},
        {.requests_per_second = 0, .work_per_second = 0, .edits_per_second = 0},
    }};
    // What was not asked for may be asked at once later, up to so much time's worth: a wave of
    // orders at the beginning of a fight.
    std::chrono::milliseconds rate_burst{1'000};
    // Beyond: OVERLOADED in place of a Welcome. A household or a cluster behind one address has
    // fewer; 0: no limit. An IPv6 address counts by its first 64 bits.
    std::size_t connections_per_address_max{256};
    // Connections from the machine itself count, too: for whoever forwards to it. Else they do not,
    // since tools, tests and proxies live there.
    bool count_loopback{false};

    [[nodiscard]] const Rates& rates_of(Role role) const {
        return rates[static_cast<std::size_t>(role)];
    }
};

// Null when it is none of them.
[[nodiscard]] const Token* find_token(const std::vector<Token>& tokens, const TokenDigest& digest);

}  // namespace outrider::net
