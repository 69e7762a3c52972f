#include "outrider/app/class_text.hpp"

#include <charconv>
#include <string>
#include <vector>

#include "outrider/app/utf8.hpp"
#include "outrider/base/limits.hpp"

namespace outrider::app {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(at + 1);
    }
}

base::Result<std::uint8_t> number(std::string_view text, unsigned low, unsigned high,
                                  std::string_view what) {
    unsigned value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < low || value > high) {
        return base::fail(std::string(what) + " is \"" + std::string(text) + "\"; give " +
                          std::to_string(low) + " .. " + std::to_string(high));
    }
    return static_cast<std::uint8_t>(value);
}

base::Result<void> set_weights(std::string_view text, model::MovementClass& out) {
    for (const std::string_view part : split(text, ',')) {
        if (part.size() < 3 || part[1] != ':') {
            return base::fail("\"" + std::string(part) +
                              "\" is no TERRAIN:WEIGHT, such as .:10 for plain ground");
        }
        const auto weight = number(part.substr(2), 0, 255, "the weight of a terrain");
        if (!weight) {
            return std::unexpected(weight.error());
        }
        out.weights[static_cast<unsigned char>(part[0])] = *weight;
    }
    return {};
}

base::Result<void> set_corner_rule(std::string_view value, model::MovementClass& out) {
    if (value == "both") {
        out.corner_rule = model::CornerRule::kBothOpen;
    } else if (value == "one") {
        out.corner_rule = model::CornerRule::kOneOpen;
    } else if (value == "none") {
        out.corner_rule = model::CornerRule::kNoneOpen;
    } else {
        return base::fail("corner is \"" + std::string(value) + "\"; give both, one or none");
    }
    return {};
}

base::Result<void> set_option(std::string_view text, model::MovementClass& out) {
    const std::size_t at = text.find('=');
    const std::string_view key = text.substr(0, at);
    const std::string_view value = at == std::string_view::npos ? "" : text.substr(at + 1);
    if (key == "corner") {
        return set_corner_rule(value, out);
    }
    if (key == "directions") {
        if (value != "4" && value != "8") {
            return base::fail("directions is \"" + std::string(value) + "\"; give 4 or 8");
        }
        out.directions = value == "4" ? model::Directions::kFour : model::Directions::kEight;
        return {};
    }
    if (key == "footprint" || key == "team") {
        const bool is_team = key == "team";
        const auto parsed =
            is_team ? number(value, 0, base::limits::kTeamMax, key)
                    : number(value, 1, static_cast<unsigned>(base::limits::kFootprintMax), key);
        if (!parsed) {
            return std::unexpected(parsed.error());
        }
        (is_team ? out.team : out.footprint) = *parsed;
        return {};
    }
    return base::fail("\"" + std::string(key) +
                      "\" is no option of a class; there are directions, corner, footprint, team");
}

}  // namespace

base::Result<model::MovementClass> parse_class(std::string_view text) {
    const std::size_t at = text.find('=');
    if (at == std::string_view::npos || at == 0) {
        return base::fail("class \"" + std::string(text) +
                          "\" has no name; write NAME=TERRAIN:WEIGHT,...");
    }
    model::MovementClass out;
    out.name = text.substr(0, at);
    if (!is_utf8(out.name)) {
        return base::fail("the name of a class is no UTF-8, so that no client could read it");
    }
    if (out.name.size() > base::limits::kNameBytesMax) {
        return base::fail("class \"" + out.name + "\": its name is longer than " +
                          std::to_string(base::limits::kNameBytesMax) + " bytes");
    }
    const std::vector<std::string_view> parts = split(text.substr(at + 1), ';');
    auto done = set_weights(parts[0], out);
    for (std::size_t i = 1; done && i < parts.size(); ++i) {
        done = set_option(parts[i], out);
    }
    if (!done) {
        return base::fail("class \"" + out.name + "\": " + done.error().message);
    }
    return out;
}

}  // namespace outrider::app
