#pragma once
// What:     how many connections each remote address has.
// Contract: take() is false, and nothing is taken, at `most` of them; 0 is no limit. As many give()
//           as take() that were true. Holds no more entries than there are connections.
// Threads:  one at a time.

#include <array>
#include <asio/ip/address.hpp>
#include <cstddef>
#include <cstdint>
#include <map>

namespace outrider::net {

// An IPv4 address, or the first 64 bits of an IPv6 one: a household gets that many.
using AddressKey = std::array<unsigned char, 9>;

[[nodiscard]] inline AddressKey key_of(const asio::ip::address& address) {
    AddressKey key{};
    if (address.is_v6() && !address.to_v6().is_v4_mapped()) {
        const auto bytes = address.to_v6().to_bytes();
        key[0] = 6;
        std::copy_n(bytes.begin(), 8, key.begin() + 1);
    } else {
        const auto v4 = address.is_v4()
                            ? address.to_v4()
                            : asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
        const auto bytes = v4.to_bytes();
        key[0] = 4;
        std::copy(bytes.begin(), bytes.end(), key.begin() + 1);
    }
    return key;
}

class Addresses {
  public:
    [[nodiscard]] bool take(const AddressKey& key, std::size_t most) {
        std::size_t& count = counts_[key];
        if (most > 0 && count >= most) {
            return false;
        }
        ++count;
        return true;
    }
    void give(const AddressKey& key) {
        const auto found = counts_.find(key);
        if (found != counts_.end() && --found->second == 0) {
            counts_.erase(found);
        }
    }
    [[nodiscard]] std::size_t size() const { return counts_.size(); }

  private:
    std::map<AddressKey, std::size_t> counts_;
};

}  // namespace outrider::net
