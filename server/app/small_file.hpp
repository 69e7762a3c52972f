#pragma once
// What:     the whole of a file that an operator names: tokens, certificates, keys.
// Contract: an error names the file and the option. A device named by mistake is not read for ever,
//           and a pipe into which nobody writes is not waited for: SIGTERM would wait, too.

#include <chrono>
#include <filesystem>
#include <string>

#include "outrider/base/result.hpp"

namespace outrider::app {

// Tokens for more games than there are connections, or all the world's certificate authorities.
inline constexpr std::size_t kSmallFileBytesMax = 1U << 20U;
// A pipe may be silent for so long, since `--token-file <(command)` is one.
inline constexpr std::chrono::milliseconds kSmallFilePatience{5000};

// `what` as in "token file", `option` as in "--token-file".
[[nodiscard]] base::Result<std::string> read_small_file(
    const std::filesystem::path& file, const std::string& what, const std::string& option,
    std::chrono::milliseconds patience = kSmallFilePatience);

}  // namespace outrider::app
