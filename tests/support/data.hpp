#pragma once
// What: where the public benchmark files lie: $OUTRIDER_DATA, or ../shared/data beside the project.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace outrider::test {

// Does not say whether anything is there. `source_dir` is the project's root.
[[nodiscard]] inline std::filesystem::path data_dir(const std::string& source_dir) {
    if (const char* named = std::getenv("OUTRIDER_DATA")) {
        return named;
    }
    return std::filesystem::path(source_dir).parent_path() / "shared" / "data";
}

}  // namespace outrider::test
