#pragma once
// What:     pays for work in expansions where one piece of work costs more than one of them.
// Contract: a piece is done when it is paid for in full. What a step cannot pay in full it pays in
//           part, so that no step spends more than it may, and where steps are cut changes nothing.

#include <algorithm>
#include <cstdint>

namespace outrider::search {

class Meter {
  public:
    // `budget`: expansions of the whole search; 0: none.
    void begin(std::uint64_t budget) {
        left_ = 0;
        spent_ = 0;
        paid_ = 0;
        budget_ = budget == 0 ? ~std::uint64_t{0} : budget;
    }
    void begin_step(std::uint64_t expansions_max) { left_ = expansions_max; }

    // True when the next piece of work, which costs so much, is paid for.
    bool pay(std::uint64_t price) {
        const std::uint64_t part = std::min(price - paid_, available());
        spend(part);
        paid_ += part;
        if (paid_ < price) {
            return false;
        }
        paid_ = 0;
        return true;
    }
    // For work that counts itself and took no more than available().
    void spend(std::uint64_t expansions) {
        spent_ += expansions;
        left_ -= expansions;
    }
    [[nodiscard]] std::uint64_t available() const { return std::min(left_, budget_ - spent_); }
    [[nodiscard]] std::uint64_t spent() const { return spent_; }
    [[nodiscard]] bool budget_spent() const { return spent_ == budget_; }

  private:
    std::uint64_t left_{0};
    std::uint64_t spent_{0};
    std::uint64_t paid_{0};
    std::uint64_t budget_{0};
};

}  // namespace outrider::search
