#pragma once
// What: the shapes that the options of limits share.

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <chrono>
#include <cstdint>
#include <string>

namespace outrider::app {

struct Bounds {
    std::uint64_t least{1};
    std::uint64_t most{std::uint64_t{1} << 40U};
};

template <class Number>
void add_number(CLI::App& app, const char* name, Number& value, const char* what,
                Bounds bounds = {}) {
    app.add_option(name, value, what)
        ->check(CLI::Range(Number{bounds.least}, Number{bounds.most}))
        ->capture_default_str()
        ->group("Limits");
}

inline void add_milliseconds(CLI::App& app, const char* name, std::chrono::milliseconds& value,
                             const char* what, std::int64_t least = 1) {
    constexpr std::int64_t kDayMilliseconds = 86'400'000;
    app.add_option_function<std::int64_t>(
           name, [&value](const std::int64_t& count) { value = std::chrono::milliseconds(count); },
           what)
        ->check(CLI::Range(least, kDayMilliseconds))
        ->default_str(std::to_string(value.count()))
        ->group("Limits");
}

}  // namespace outrider::app
