#pragma once
// What: whether a text is UTF-8 through and through. Strings of the protocol are, so that a client
//       cannot read a message with another in it; nor is such a line of the log JSON.

#include <string>

namespace outrider::app {

[[nodiscard]] bool is_utf8(const std::string& text);

}  // namespace outrider::app
