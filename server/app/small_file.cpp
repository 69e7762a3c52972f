#include "outrider/app/small_file.hpp"

#include <fstream>

namespace outrider::app {

base::Result<std::string> read_small_file(const std::filesystem::path& file,
                                          const std::string& what, const std::string& option) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(kSmallFileBytesMax + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (!stream.eof()) {
        return base::fail("cannot read the " + what + " " + file.string() +
                          (text.empty() ? "; check " + option + " and its permissions"
                                        : ": it is larger than " +
                                              std::to_string(kSmallFileBytesMax) + " bytes"));
    }
    return text;
}

}  // namespace outrider::app
