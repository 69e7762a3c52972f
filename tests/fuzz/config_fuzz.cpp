// Any bytes as the server's configuration file: options that hold together, or a message.

#include "fuzz/memory_file.hpp"
#include "outrider/app/command_line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    const test::MemoryFile file(data, size);
    const auto options = app::parse_command_line(
        {"--config", file.path().string()}, [](const char*) -> const char* { return nullptr; });
    if (!options) {
        OUTRIDER_CHECK(!options.error().text.empty());
        OUTRIDER_CHECK(options.error().code == 0 || options.error().code == 2);
        return 0;
    }
    const net::Config& net = options->net;
    OUTRIDER_CHECK(net.outbox_low_bytes <= net.outbox_high_bytes &&
                   net.outbox_high_bytes <= net.outbox_hard_bytes);
    OUTRIDER_CHECK(options->engine.workers >= 1 && !net.host.empty());
    for (const app::MapFile& map : options->maps) {
        OUTRIDER_CHECK(!map.name.empty() && !map.file.empty());
    }
    return 0;
}
