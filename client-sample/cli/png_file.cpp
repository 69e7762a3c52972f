#include "cli/png_file.hpp"

#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/palette.hpp"

namespace outrider::cli {
namespace {

// Below, an arrow would be a blot.
constexpr int kArrowPixelsMin = 5;
// Below, a line would be the row of cells that lie under it already.
constexpr int kLinePixelsMin = 3;
constexpr std::uint8_t kLineColour = 16;

class Canvas {
  public:
    Canvas(const Picture& picture, int scale)
        : scale_(scale),
          width_(picture.width() * scale),
          pixels_(static_cast<std::size_t>(width_) *
                  static_cast<std::size_t>(picture.height() * scale)) {}

    [[nodiscard]] const std::uint8_t* data() const { return pixels_.data(); }

    void fill(int x, int y, std::uint8_t colour) {
        for (int row = 0; row < scale_; ++row) {
            std::fill_n(&at(x * scale_, y * scale_ + row), scale_, colour);
        }
    }
    // From the cell's middle towards (dx, dy), with two strokes for the head.
    void arrow(int x, int y, std::pair<int, int> towards, std::uint8_t colour) {
        const auto [dx, dy] = towards;
        const int reach = (scale_ - 1) / 2;
        const int middle_x = x * scale_ + scale_ / 2;
        const int middle_y = y * scale_ + scale_ / 2;
        for (int i = -reach / 2; i <= reach; ++i) {
            at(middle_x + clamped(dx * i), middle_y + clamped(dy * i)) = colour;
        }
        const int head = std::max(1, reach / 2);
        for (int i = 1; i <= head; ++i) {
            // Straight arrows end in a point, diagonal ones in a corner.
            const bool straight = dx == 0 || dy == 0;
            const int back_x = straight ? -dx * i : 0;
            const int back_y = straight ? -dy * i : 0;
            const int side_x = straight ? dy * i : -dx * i;
            const int side_y = straight ? dx * i : -dy * i;
            if (straight) {
                plot(middle_x + dx * reach + back_x + side_x,
                     middle_y + dy * reach + back_y + side_y, colour);
                plot(middle_x + dx * reach + back_x - side_x,
                     middle_y + dy * reach + back_y - side_y, colour);
            } else {
                plot(middle_x + dx * reach + side_x, middle_y + dy * reach, colour);
                plot(middle_x + dx * reach, middle_y + dy * reach + side_y, colour);
            }
        }
    }

    void line(model::Point from, model::Point to, std::uint8_t colour) {
        const std::int64_t dx = pixel(to.x) - pixel(from.x);
        const std::int64_t dy = pixel(to.y) - pixel(from.y);
        const std::int64_t strides = std::max<std::int64_t>({std::abs(dx), std::abs(dy), 1});
        for (std::int64_t at = 0; at <= strides; ++at) {
            plot(static_cast<int>(pixel(from.x) + dx * at / strides),
                 static_cast<int>(pixel(from.y) + dy * at / strides), colour);
        }
    }

  private:
    [[nodiscard]] std::int64_t pixel(std::int32_t sub_cells) const {
        return std::int64_t{sub_cells} * scale_ / model::kCellSide;
    }
    [[nodiscard]] int clamped(int offset) const {
        return std::clamp(offset, -(scale_ / 2), (scale_ - 1) / 2);
    }
    [[nodiscard]] std::uint8_t& at(int x, int y) {
        return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                       static_cast<std::size_t>(x)];
    }
    void plot(int x, int y, std::uint8_t colour) {
        const int height = static_cast<int>(pixels_.size() / static_cast<std::size_t>(width_));
        if (x >= 0 && y >= 0 && x < width_ && y < height) {
            at(x, y) = colour;
        }
    }

    int scale_;
    int width_;
    std::vector<std::uint8_t> pixels_;
};

// In the order of the overlays: N, E, S, W, NE, SE, SW, NW.
constexpr std::array<std::pair<int, int>, 8> kDirections{
    {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};

Canvas paint(const Picture& picture, int scale) {
    Canvas canvas(picture, scale);
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const Pixel& pixel = picture.at(x, y);
            if (is_arrow(pixel.overlay) && scale >= kArrowPixelsMin) {
                const auto way = static_cast<std::size_t>(pixel.overlay) -
                                 static_cast<std::size_t>(Overlay::kNorth);
                canvas.fill(x, y,
                            ink_of(Pixel{pixel.ground, Overlay::kNone, pixel.blocked}).colour);
                canvas.arrow(x, y, kDirections[way], ink_of(pixel).colour);
            } else {
                canvas.fill(x, y, ink_of(pixel).colour);
            }
        }
    }
    for (std::size_t i = 1; i < picture.line().size() && scale >= kLinePixelsMin; ++i) {
        canvas.line(picture.line()[i - 1], picture.line()[i], kLineColour);
    }
    return canvas;
}

base::Result<void> write_to(const std::string& path, std::string_view bytes) {
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
        return base::fail("cannot write " + path + ": " + std::generic_category().message(errno));
    }
    return {};
}

// What stands there stays until the new one is whole. But a device, a pipe or a link is written
// through, and so is a file in a directory that takes no other.
base::Result<void> write_whole(const std::string& path, std::string_view bytes) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status there = fs::symlink_status(path, error);
    const std::string part = path + "." + std::to_string(::getpid()) + ".part";
    if (fs::exists(there) && (!fs::is_regular_file(there) || !std::ofstream(part))) {
        return write_to(path, bytes);
    }
    if (auto written = write_to(part, bytes); !written) {
        fs::remove(part, error);
        return written;
    }
    fs::rename(part, path, error);
    if (error) {
        const std::string why = error.message();
        fs::remove(part, error);
        return base::fail("cannot write " + path + ": " + why);
    }
    return {};
}

}  // namespace

int pixels_per_cell(const Picture& picture) {
    return std::clamp(kPngSideMax / std::max(picture.width(), picture.height()), 1,
                      kPixelsPerCellMax);
}

std::array<std::uint8_t, 3> rgb_of(std::uint8_t colour) {
    // The sixteen that a terminal may change, as xterm has them.
    constexpr std::array<std::array<std::uint8_t, 3>, 16> kBasic{{{0, 0, 0},
                                                                  {205, 0, 0},
                                                                  {0, 205, 0},
                                                                  {205, 205, 0},
                                                                  {0, 0, 238},
                                                                  {205, 0, 205},
                                                                  {0, 205, 205},
                                                                  {229, 229, 229},
                                                                  {127, 127, 127},
                                                                  {255, 0, 0},
                                                                  {0, 255, 0},
                                                                  {255, 255, 0},
                                                                  {92, 92, 255},
                                                                  {255, 0, 255},
                                                                  {0, 255, 255},
                                                                  {255, 255, 255}}};
    if (colour < 16) {
        return kBasic[colour];
    }
    if (colour >= 232) {
        const auto grey = static_cast<std::uint8_t>(8 + 10 * (colour - 232));
        return {grey, grey, grey};
    }
    // A cube of six levels a side.
    const auto level = [](int step) {
        return static_cast<std::uint8_t>(step == 0 ? 0 : 55 + 40 * step);
    };
    const int place = colour - 16;
    return {level(place / 36), level(place / 6 % 6), level(place % 6)};
}

base::Result<void> write_png(const Picture& picture, const std::string& path) {
    const int scale = pixels_per_cell(picture);
    const Canvas canvas = paint(picture, scale);
    std::array<std::uint8_t, 256 * 3> colours{};
    for (int colour = 0; colour < 256; ++colour) {
        const auto rgb = rgb_of(static_cast<std::uint8_t>(colour));
        std::ranges::copy(rgb, colours.begin() + 3 * colour);
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width() * scale);
    image.height = static_cast<png_uint_32>(picture.height() * scale);
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = 256;
    // The library's own way to a file removes what stands there when the disk is full.
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::vector<char> bytes(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, canvas.data(), 0,
                                  colours.data()) == 0) {
        std::string why = image.message;
        png_image_free(&image);
        return base::fail("cannot make the picture for " + path + ": " + why);
    }
    return write_whole(path, std::string_view(bytes.data(), size));
}

}  // namespace outrider::cli
