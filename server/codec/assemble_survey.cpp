#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/codec/advance.hpp"
#include "outrider/codec/assemble.hpp"

namespace outrider::codec {
namespace {

namespace limits = base::limits;
using Fault = base::Result<void>;

constexpr std::size_t kPathCellsMax =
    static_cast<std::size_t>(limits::kMapSideMax) * static_cast<std::size_t>(limits::kMapSideMax);

base::Result<void> bad(std::string what) {
    return base::fail("survey reply: " + std::move(what));
}

void add_deltas(const std::vector<std::int64_t>& deltas, model::Cost& last,
                std::vector<model::Cost>& costs) {
    for (const std::int64_t delta : deltas) {
        last += static_cast<model::Cost>(delta);
        costs.push_back(last);
    }
}

// An empty body of the kind that the question has.
decltype(model::SurveyResult::body) body_for(const model::Survey& survey) {
    decltype(model::SurveyResult::body) body;
    switch (survey.query.index()) {
        case 0: body.emplace<0>(); break;
        case 1: body.emplace<1>(); break;
        case 2: body.emplace<2>(); break;
        case 3: body.emplace<3>(); break;
        case 4: body.emplace<4>(); break;
        case 5: body.emplace<5>(); break;
        default: body.emplace<6>(); break;
    }
    return body;
}

std::size_t ways_of(const model::Survey& survey) {
    if (const auto* group = std::get_if<model::GroupQuery>(&survey.query)) {
        return group->starts.size();
    }
    if (const auto* nearest = std::get_if<model::NearestQuery>(&survey.query)) {
        return nearest->goals.size();
    }
    return 0;
}

model::UnitPath begun(std::uint32_t index, const WayHead& head, const model::UnitPath*) {
    return {index, head.outcome, head.reason, head.bound_percent, head.cost, {}, head.path_hash};
}

model::NearestGoal begun(std::uint32_t index, const WayHead& head, const model::NearestGoal*) {
    return {index, head.cost, {}, head.path_hash};
}

}  // namespace

// Adds a part's body to what is there.
struct SurveyAssembler::Adder {
    SurveyAssembler& to;
    bool first;

    Fault operator()(GroupPart& part, model::GroupPaths& into) const {
        return add_ways(part.ways, into.units);
    }
    Fault operator()(NearestPart& part, model::NearestGoals& into) const {
        return add_ways(part.ways, into.goals);
    }
    Fault operator()(ReachPart& part, model::Reach& into) const {
        if (first) {
            into.cost_max = part.cost_max;
        }
        for (model::Run run : part.runs) {
            if (const Fault fault = place(run, into); !fault) {
                return fault;
            }
            into.runs.push_back(run);
            to.cells_ += static_cast<std::size_t>(run.length);
        }
        if (into.costs.size() + part.cost_deltas.size() > to.cells_) {
            return bad("more costs than cells");
        }
        add_deltas(part.cost_deltas, to.last_cost_, into.costs);
        return {};
    }
    Fault operator()(MatrixPart& part, model::CostMatrix& into) const {
        if (into.costs.size() + part.costs.size() > limits::kMatrixCellsMax) {
            return bad("more costs than a matrix may have");
        }
        into.costs.insert(into.costs.end(), part.costs.begin(), part.costs.end());
        return {};
    }
    Fault operator()(FieldPart& part, model::FieldArrows& into) const {
        if (first) {
            into.rect = part.rect;
            if (part.rect.x < 0 || part.rect.y < 0 || part.rect.end_x() > limits::kMapSideMax ||
                part.rect.end_y() > limits::kMapSideMax ||
                part.rect.area() > limits::kFieldCellsMax) {
                return bad("a field that no map has");
            }
        }
        const auto cells = static_cast<std::size_t>(into.rect.area());
        for (const std::uint8_t byte : part.steps) {
            into.steps.push_back(byte);
            for (int half = 0; half < 2 && to.cells_ < cells; ++half, ++to.cells_) {
                const model::FieldStep step = into.step(to.cells_);
                if (step > model::FieldStep::kAtGoal && step < model::FieldStep::kUnknown) {
                    return bad("a step of a field that this client does not know");
                }
                to.leading_ += model::leads(step) ? 1 : 0;
            }
        }
        if (into.steps.size() > (cells + 1) / 2) {
            return bad("more steps than the field has cells");
        }
        if (to.field_costs_.size() + part.cost_deltas.size() > to.leading_) {
            return bad("more costs than cells with a way");
        }
        add_deltas(part.cost_deltas, to.last_cost_, to.field_costs_);
        return {};
    }
    template <class T>
    Fault operator()(T& part, T& into) const {
        into = part;
        return {};
    }
    template <class Part, class Into>
    Fault operator()(Part&, Into&) const {
        return bad("of another kind than the question");
    }

  private:
    // A run as it travels gets its row; it must follow the one before and lie on a map.
    Fault place(model::Run& run, const model::Reach& into) const {
        const model::Run last = into.runs.empty() ? model::Run{0, -1, 0} : into.runs.back();
        const std::int64_t row = std::int64_t{last.y} + run.y;
        const bool follows = run.y > 0 || run.x > last.x + last.length;
        if (!follows || run.length < 1 || row >= limits::kMapSideMax ||
            std::int64_t{run.x} + run.length > limits::kMapSideMax) {
            return bad("runs out of order or off the map");
        }
        run.y = static_cast<std::int32_t>(row);
        if (to.cells_ + static_cast<std::size_t>(run.length) > limits::kReachCellsMax) {
            return bad("more cells than a reach may have");
        }
        return {};
    }

    template <class Way>
    Fault add_ways(std::vector<WayPart>& parts, std::vector<Way>& ways) const {
        bool continues = to.open_.has_value();
        for (WayPart& part : parts) {
            if (!std::exchange(continues, false)) {
                if (!part.head || to.open_) {
                    return bad("a path that begins in the middle, or does not end");
                }
                if (part.index >= to.seen_.size() || to.seen_[part.index]) {
                    return bad("a path that nobody asked for, or twice");
                }
                to.seen_[part.index] = true;
                to.open_ = part.index;
                to.way_ = begun(part.index, *part.head, static_cast<Way*>(nullptr));
            } else if (to.open_ != part.index) {
                return bad("a path goes on as another's");
            }
            auto& points = std::get<Way>(to.way_).turning_points;
            model::Cell at = points.empty() ? model::Cell{} : points.back();
            if (points.size() + part.steps.size() > kPathCellsMax) {
                return bad("a path longer than the largest map");
            }
            for (const model::Cell step : part.steps) {
                if (!advance(at, step)) {
                    return bad("a path leaves the map");
                }
                points.push_back(at);
            }
            if (!part.more) {
                to.open_.reset();
                ways.push_back(std::get<Way>(std::exchange(to.way_, std::monostate{})));
            }
        }
        return {};
    }
};

SurveyAssembler::SurveyAssembler(const model::Survey& survey)
    : is_group_(std::holds_alternative<model::GroupQuery>(survey.query)),
      seen_(ways_of(survey), false) {
    reply_.result.body = body_for(survey);
    if (const auto* matrix = std::get_if<model::MatrixQuery>(&survey.query)) {
        matrix_cells_ = matrix->from.size() * matrix->to.size();
    }
    if (const auto* field = std::get_if<model::FieldQuery>(&survey.query)) {
        asks_field_costs_ = field->costs;
    }
}

base::Result<bool> SurveyAssembler::add(SurveyPart part) {
    if (part.head.has_value() != (is_group_ || !started_)) {
        return base::fail(started_ ? "survey reply: a second first part"
                                   : "survey reply: its first part has no outcome");
    }
    if (part.head) {
        reply_.head = *part.head;
        reply_.result.outcome = part.head->outcome;
        reply_.result.expansions = part.head->expansions;
    }
    const bool first = !std::exchange(started_, true);
    if (!std::holds_alternative<std::monostate>(part.body)) {
        if (const Fault fault = std::visit(Adder{*this, first}, part.body, reply_.result.body);
            !fault) {
            return std::unexpected(fault.error());
        }
    }
    if (part.last) {
        if (const Fault fault = check_end(); !fault) {
            return std::unexpected(fault.error());
        }
    }
    return reply_.last = part.last;
}

base::Result<void> SurveyAssembler::check_end() {
    if (open_) {
        return bad("ended within a path");
    }
    if (const auto* reach = std::get_if<model::Reach>(&reply_.result.body);
        reach != nullptr && !reach->costs.empty() && reach->costs.size() != cells_) {
        return bad("ended before its last cost");
    }
    const auto* matrix = std::get_if<model::CostMatrix>(&reply_.result.body);
    if (matrix != nullptr && !matrix->costs.empty() && matrix->costs.size() != matrix_cells_) {
        return bad("a matrix of another size than was asked for");
    }
    auto* field = std::get_if<model::FieldArrows>(&reply_.result.body);
    if (field == nullptr) {
        return {};
    }
    if (cells_ == 0 && field_costs_.empty()) {
        field->rect = {0, 0, 0, 0};
        return {};
    }
    // Where no cell has a way none has a cost on the wire: the question says whether to tell so.
    const bool has_costs = asks_field_costs_ || !field_costs_.empty();
    if (cells_ != static_cast<std::size_t>(field->rect.area()) ||
        (has_costs && field_costs_.size() != leading_)) {
        return bad("ended before its last cell");
    }
    if (has_costs) {
        field->costs.reserve(cells_);
        auto next = field_costs_.begin();
        for (std::size_t cell = 0; cell < cells_; ++cell) {
            const model::FieldStep step = field->step(cell);
            field->costs.push_back(model::leads(step) ? *next++ : model::cost_without_way(step));
        }
    }
    return {};
}

SurveyReply SurveyAssembler::take() {
    SurveyReply taken{reply_.head, std::move(reply_.result), reply_.last};
    reply_.result = {};
    return taken;
}

}  // namespace outrider::codec
