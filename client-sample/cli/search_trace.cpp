#include "cli/search_trace.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "cli/sample_evenly.hpp"

namespace outrider::cli {
namespace {

using Json = nlohmann::ordered_json;

class Events {
  public:
    Events(std::int32_t width, bool with_parents) : width_(width), with_parents_(with_parents) {}

    void place(std::string_view type, model::Cell cell) { put(begun(type, cell)); }

    void explored(const model::Explored& item) {
        if (item.kind == model::ExploredKind::kClosed) {
            close();
            put("expanding", item);
            expanded_ = item;
            return;
        }
        // What is dearer than before was opened in vain. Parents are cheaper: no circles.
        const auto [known, is_new] = parents_.try_emplace(id_of(item.cell), Parent{{}, item.g});
        const bool cheaper = is_new || item.g < known->second.g;
        if (with_parents_ && expanded_ && expanded_->g < item.g && cheaper) {
            known->second = {id_of(expanded_->cell), item.g};
        }
        put("generating", item);
    }
    void close() {
        if (expanded_) {
            put("closing", *expanded_);
        }
    }
    void end(model::Cell cell, model::Cost cost) { put("end", {cell, {}, cost, 0}); }

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    struct Parent {
        std::optional<std::uint64_t> id;
        model::Cost g{};  // of the child, by this parent
    };

    [[nodiscard]] std::uint64_t id_of(model::Cell cell) const {
        return static_cast<std::uint64_t>(std::int64_t{cell.y} * width_ + cell.x);
    }
    [[nodiscard]] Json begun(std::string_view type, model::Cell cell) const {
        return {{"type", type}, {"id", id_of(cell)}, {"x", cell.x}, {"y", cell.y}};
    }
    void put(std::string_view type, const model::Explored& item) {
        Json event = begun(type, item.cell);
        const auto parent = parents_.find(id_of(item.cell));
        if (parent != parents_.end() && parent->second.id) {
            event["pId"] = *parent->second.id;
        }
        event["g"] = item.g;
        event["h"] = item.h;
        event["f"] = item.g + item.h;
        put(event);
    }
    void put(const Json& event) {
        text_ += text_.empty() ? "" : ",\n";
        text_ += event.dump();
    }

    std::int32_t width_;
    bool with_parents_;
    std::optional<model::Explored> expanded_;
    std::unordered_map<std::uint64_t, Parent> parents_;
    std::string text_;
};

}  // namespace

std::string search_trace(const model::PathResult& result, std::int32_t map_width, model::Cell start,
                         model::Cell goal) {
    const auto told = sample_evenly(result.explored, kTraceCellsMax);
    Events events(map_width, told.size() == result.explored.size());
    events.place("source", start);
    events.place("destination", goal);
    for (const model::Explored& item : told) {
        events.explored(item);
    }
    events.close();
    if (result.outcome == model::Outcome::kComplete) {
        events.end(result.turning_points.empty() ? goal : result.turning_points.back(),
                   result.cost);
    }
    const Json views{{"main", Json::array({{{"$", "rect"},
                                            {"x", "${{ $.x }}"},
                                            {"y", "${{ $.y }}"},
                                            {"width", 1},
                                            {"height", 1},
                                            {"fill", "${{ color[$.type] }}"}}})}};
    const Json pivot{{"x", "${{ $.x + 0.5 }}"}, {"y", "${{ $.y + 0.5 }}"}, {"scale", 1}};
    return "{\"version\":\"1.4.0\",\n\"views\":" + views.dump() + ",\n\"pivot\":" + pivot.dump() +
           ",\n\"events\":[\n" + events.text() + "\n]}\n";
}

base::Result<std::string> parse_trace_file(std::string_view path) {
    for (const std::string_view end : {".trace.json", ".trace.yaml", ".trace.yml"}) {
        if (path.ends_with(end) && path.size() > end.size()) {
            return std::string(path);
        }
    }
    return base::fail("'" + std::string(path) +
                      "' is no name that the visualiser opens: end it in .trace.json");
}

}  // namespace outrider::cli
