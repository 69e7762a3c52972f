#include <fcntl.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "outrider/app/application.hpp"

namespace {

// Who starts us may have closed them. A session's socket must not become standard error: the log
// would be written into a client's stream.
void open_standard_descriptors() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) == -1) {
            // The lowest that is free: this one.
            (void)open("/dev/null", O_RDWR);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_descriptors();
    outrider::app::block_signals();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto parse = [&arguments] {
        return outrider::app::parse_command_line(arguments, [](const char* name) {
            return static_cast<const char*>(std::getenv(name));
        });
    };
    auto options = parse();
    if (!options) {
        std::fputs(options.error().text.c_str(), options.error().code == 0 ? stdout : stderr);
        return options.error().code;
    }
    return outrider::app::run(*std::move(options), parse);
}
