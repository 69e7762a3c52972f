#include "outrider/app/small_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace outrider::app {
namespace {

class Descriptor {
  public:
    explicit Descriptor(const std::filesystem::path& file)
        // A pipe would hold up the opening itself until somebody writes to it.
        : number_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_;
};

enum class Reading { kWhole, kTooLarge, kSilent, kFailed };

Reading read_into(std::string& text, int descriptor, std::chrono::milliseconds patience) {
    std::size_t filled = 0;
    while (filled < text.size()) {
        pollfd waiting{descriptor, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(patience.count()));
        if (ready == 0) {
            return Reading::kSilent;
        }
        const ssize_t got =
            ready < 0 ? -1 : ::read(descriptor, text.data() + filled, text.size() - filled);
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            return Reading::kFailed;
        }
        if (got == 0) {
            text.resize(filled);
            return Reading::kWhole;
        }
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return Reading::kTooLarge;
}

}  // namespace

base::Result<std::string> read_small_file(const std::filesystem::path& file,
                                          const std::string& what, const std::string& option,
                                          std::chrono::milliseconds patience) {
    std::string text(kSmallFileBytesMax + 1, '\0');
    const Descriptor descriptor(file);
    const std::string failure = "cannot read the " + what + " " + file.string();
    switch (descriptor.number() < 0 ? Reading::kFailed
                                    : read_into(text, descriptor.number(), patience)) {
        case Reading::kWhole: return text;
        case Reading::kTooLarge:
            return base::fail(failure + ": it is larger than " +
                              std::to_string(kSmallFileBytesMax) + " bytes");
        case Reading::kSilent:
            return base::fail(failure + ": it is a pipe or a device, and nothing comes from it; " +
                              "give " + option + " a file");
        case Reading::kFailed: break;
    }
    return base::fail(failure + "; check " + option + " and its permissions");
}

}  // namespace outrider::app
