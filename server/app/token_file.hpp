#pragma once
// What:     the file of tokens: a line is `ROLE TOKEN [NAME]` with player, builder or admin, or one
//           word alone, a token that may do everything (as before there were roles); a word that
//           begins with # begins a comment, to the end of the line; blank lines count nothing.
// Contract: an error names the file and the line, never a token. Shorter tokens than kTokenBytesMin
//           are refused: guesses are not counted, so that the length is all that stops them.

#include <cstddef>
#include <filesystem>
#include <vector>

#include "outrider/base/result.hpp"
#include "outrider/net/access.hpp"

namespace outrider::app {

// 16 random letters or hexadecimal digits are 64 bits at least: at ten thousand guesses a second,
// thirty million years.
inline constexpr std::size_t kTokenBytesMin = 16;

[[nodiscard]] base::Result<std::vector<net::Token>> read_tokens(const std::filesystem::path& file);

}  // namespace outrider::app
