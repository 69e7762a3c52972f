#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "outrider/app/application.hpp"

int main(int argc, char** argv) {
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
