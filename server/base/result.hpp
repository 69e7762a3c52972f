#pragma once
// What:     the error of files, configuration and the environment: one sentence that says what is
//           wrong and how to mend it. Requests are refused by model::Refusal instead.

#include <expected>
#include <string>
#include <utility>

namespace outrider::base {

struct Error {
    std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(std::string message) {
    return std::unexpected(Error{std::move(message)});
}

}  // namespace outrider::base
