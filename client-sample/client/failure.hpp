#pragma once
// What: why a call brought no answer. An answer that is no arrival (PARTIAL, UNREACHABLE) is not a
//       failure: it is a PathAnswer whose arrived() is false.

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "outrider/model/outcome.hpp"

namespace outrider::client {

enum class FailureKind {
    kRefused,   // by the server; `refusal` says what and how to mend it
    kClosed,    // the connection ended before the answer came, or never began
    kTimeout,   // a blocking call's time ran out; the answer may still come and is dropped
    kProtocol,  // the server sent what the protocol does not allow; the connection is closed
    kBusy,      // too much unsent: the call was not sent at all
};

struct Failure {
    FailureKind kind{FailureKind::kClosed};
    std::string message;
    std::optional<model::Refusal> refusal;
};

template <class T>
using Result = std::expected<T, Failure>;
template <class T>
using Callback = std::function<void(Result<T>)>;

// "OVERLOADED: 16384 requests are open; wait for answers (retry after 100 ms)"
[[nodiscard]] Failure failure_of(model::Refusal refusal);

}  // namespace outrider::client
