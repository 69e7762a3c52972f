#pragma once
// What: bytes as a file that lives in memory alone, for code that opens files by name.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "outrider/base/check.hpp"

namespace outrider::test {

class MemoryFile {
  public:
    MemoryFile(const std::uint8_t* bytes, std::size_t size)
        : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        OUTRIDER_CHECK(descriptor_ >= 0 &&
                       ::write(descriptor_, bytes, size) == static_cast<ssize_t>(size));
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::filesystem::path path() const {
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

  private:
    int descriptor_;
};

}  // namespace outrider::test
