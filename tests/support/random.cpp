#include "support/random.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace outrider::test {
namespace {

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoull(text);
}

}  // namespace

std::uint64_t seed() {
    static const std::uint64_t kValue = [] {
        const std::uint64_t fresh =
            number_from_environment("OUTRIDER_TEST_SEED", std::random_device{}());
        std::printf("OUTRIDER_TEST_SEED=%llu replays this run\n",
                    static_cast<unsigned long long>(fresh));
        return fresh;
    }();
    return kValue;
}

std::uint64_t rounds(std::uint64_t base) {
    return base * number_from_environment("OUTRIDER_TEST_SCALE", 1);
}

}  // namespace outrider::test
