// Law 4: ten thousand answers over maps that are edited in between give one hash, whatever the
// number of workers, the slice size, the cache, the compiler or the optimisation. When a kernel
// changes which of several equally good paths it finds, the constant changes with it, on purpose
// and in the same commit: take the value that every row of this test then prints.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <span>

#include "outrider/base/hash.hpp"
#include "outrider/engine/engine.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

constexpr std::uint64_t kGolden = 2303681769744392459ULL;
constexpr std::uint64_t kGoldenSurveys = 569774523197221633ULL;
constexpr std::size_t kLarge = 64U << 20U;
constexpr std::uint64_t kBlocks = 20;
// A block is asked in two halves, the second of which repeats some questions of the first.
constexpr std::uint64_t kAnswersPerHalf = 250;

// SplitMix64 (Steele, Lea, Flood 2014): a few lines, the same everywhere.
class Numbers {
  public:
    std::int32_t below(std::int32_t end) {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return static_cast<std::int32_t>((z ^ (z >> 31U)) % static_cast<std::uint64_t>(end));
    }

  private:
    std::uint64_t state_{0x0D7A1DE5};
};

// Noise, rooms with doors, and terrain of mixed cost.
map::Grid make_grid(int kind, Numbers& numbers) {
    map::Grid grid = test::open_grid(60 + 7 * kind, 72 - 5 * kind);
    for (std::int32_t y = 0; y < grid.height; ++y) {
        for (std::int32_t x = 0; x < grid.width; ++x) {
            model::Terrain& cell = grid.terrain[static_cast<std::size_t>(y * grid.width + x)];
            const bool wall = x % 12 == 11 || y % 9 == 8;
            switch (kind) {
                case 0: cell = numbers.below(100) < 25 ? '@' : '.'; break;
                case 1: cell = wall && numbers.below(5) != 0 ? '@' : '.'; break;
                default: cell = static_cast<model::Terrain>('A' + numbers.below(6)); break;
            }
        }
    }
    return grid;
}

std::vector<model::MovementClass> make_classes(int kind) {
    model::MovementClass base = kind == 2 ? model::terrain_class() : model::ground_class();
    model::MovementClass four = base;
    four.name = "four";
    four.directions = model::Directions::kFour;
    model::MovementClass squeezing = base;
    squeezing.name = "squeezing";
    squeezing.corner_rule = model::CornerRule::kNoneOpen;
    model::MovementClass wide = base;
    wide.name = "wide";
    wide.footprint = 2;
    return {base, four, squeezing, wide};
}

class Script {
  public:
    explicit Script(Engine& engine) : engine_(engine) {
        for (int kind = 0; kind < static_cast<int>(kMaps); ++kind) {
            map::Grid grid = make_grid(kind, numbers_);
            sides_[static_cast<std::size_t>(kind)] = {grid.width, grid.height};
            maps_[static_cast<std::size_t>(kind)] =
                *engine_.add_map(std::to_string(kind), std::move(grid), make_classes(kind));
        }
    }

    [[nodiscard]] model::PathRequest next_request(std::uint64_t id) {
        if (repeats_ && numbers_.below(3) == 0) {
            const auto known = numbers_.below(static_cast<std::int32_t>(asked_.size()));
            model::PathRequest again = asked_[static_cast<std::size_t>(known)];
            again.id = {id};
            return again;
        }
        asked_.push_back(new_request(id));
        return asked_.back();
    }
    void begin_half(bool repeats) {
        repeats_ = repeats;
        if (!repeats) {
            asked_.clear();
        }
    }

    [[nodiscard]] model::PathRequest new_request(std::uint64_t id) {
        const auto kind = static_cast<std::size_t>(numbers_.below(kMaps));
        model::PathRequest request;
        request.id = {id};
        request.map = maps_[kind];
        request.query.movement_class = {static_cast<std::uint16_t>(numbers_.below(4))};
        request.query.start = cell(kind, 12);
        const model::Cell goal = cell(kind, 8);
        request.query.goal.rect = {goal.x, goal.y, 1 + numbers_.below(2), 1};
        request.query.goal.range = numbers_.below(4) == 0 ? 2 : 0;
        constexpr std::array kAlgorithms{model::Algorithm::kAuto, model::Algorithm::kAuto,
                                         model::Algorithm::kAstar, model::Algorithm::kJps,
                                         model::Algorithm::kDijkstra};
        request.query.algorithm = kAlgorithms[static_cast<std::size_t>(numbers_.below(5))];
        request.query.weight_percent = numbers_.below(6) == 0 ? 150 : 100;
        request.query.allow_partial = numbers_.below(2) == 0;
        request.query.leave_blocked_start = numbers_.below(2) == 0;
        request.query.expansions_max = numbers_.below(8) == 0 ? 40 : 0;
        request.query.explain = numbers_.below(40) == 0;
        request.priority = static_cast<model::Priority>(numbers_.below(4));
        return request;
    }

    void edit() {
        for (std::size_t kind = 0; kind < kMaps; ++kind) {
            const model::Cell a = cell(kind, 64);
            const model::Cell b = cell(kind, 64);
            const model::Terrain ground = kind == 2 ? 'C' : '.';
            const auto id = static_cast<std::uint64_t>(numbers_.below(6));
            (void)*engine_.edit(
                maps_[kind],
                {{model::TerrainEdit{{a.x, a.y, 3, 2}, {ground}},
                  model::PlaceObstacle{{id}, {b.x, b.y, 4, 3}, 0},
                  model::RemoveObstacle{{static_cast<std::uint64_t>(numbers_.below(6))}}}});
        }
    }

    [[nodiscard]] model::SurveyRequest next_survey(std::uint64_t id) {
        const auto kind = static_cast<std::size_t>(numbers_.below(kMaps));
        model::SurveyRequest request;
        request.id = {id};
        request.map = maps_[kind];
        request.survey.movement_class = {static_cast<std::uint16_t>(numbers_.below(4))};
        const auto goal = [&] {
            const model::Cell at = cell(kind, 8);
            const std::int32_t wide = 1 + numbers_.below(2);
            return model::Goal{{at.x, at.y, wide, 1}, static_cast<unsigned>(numbers_.below(3))};
        };
        const auto cells = [&](std::int32_t most) {
            std::vector<model::Cell> some(static_cast<std::size_t>(1 + numbers_.below(most)));
            std::ranges::generate(some, [&] { return cell(kind, 24); });
            return some;
        };
        const std::int32_t which = numbers_.below(7);
        if (which == 0) {
            // Braces draw from left to right.
            request.survey.query = model::ReachQuery{
                cells(3), static_cast<model::Cost>(numbers_.below(40)) * 8160, true, false};
        } else if (which == 1) {
            model::NearestQuery query;
            query.start = cell(kind, 12);
            for (int i = 0; i < 5; ++i) {
                query.goals.push_back(goal());
            }
            query.count = 2;
            request.survey.query = std::move(query);
        } else if (which == 2) {
            request.survey.query = model::MatrixQuery{cells(4), cells(4)};
        } else if (which == 3) {
            request.survey.query = model::FieldQuery{goal(), {5, 5, 30, 20}, true};
        } else if (which == 4) {
            request.survey.query = model::SightQuery{cell(kind, 12), cell(kind, 12)};
        } else {
            model::GroupQuery query;
            query.starts = cells(60);
            query.goal = goal();
            query.allow_partial = numbers_.below(2) == 0;
            query.leave_blocked_start = numbers_.below(2) == 0;
            request.survey.query = std::move(query);
        }
        request.survey.expansions_max = numbers_.below(8) == 0 ? 300 : 0;
        request.priority = static_cast<model::Priority>(numbers_.below(4));
        return request;
    }

  private:
    static constexpr std::size_t kMaps = 3;

    [[nodiscard]] model::Cell cell(std::size_t kind, std::int32_t choices) {
        const std::int32_t x = numbers_.below(choices);
        const std::int32_t y = numbers_.below(choices);
        return {x * (sides_[kind].x - 1) / (choices - 1), y * (sides_[kind].y - 1) / (choices - 1)};
    }

    Engine& engine_;
    std::vector<model::PathRequest> asked_;  // in this block
    bool repeats_{false};
    Numbers numbers_;
    std::array<model::MapId, kMaps> maps_;
    std::array<model::Cell, kMaps> sides_;
};

class Digest {
  public:
    void add(std::uint64_t value) {
        const std::array<std::uint64_t, 2> words{value_, value};
        std::array<std::byte, 16> bytes;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>(words[i / 8] >> (8 * (i % 8)));
        }
        value_ = base::hash64(bytes);
    }
    void add(model::Cell cell) {
        add(static_cast<std::uint32_t>(cell.x));
        add(static_cast<std::uint32_t>(cell.y));
    }
    void add(const model::PathReply& reply) {
        add(reply.id.value);
        if (!reply.body) {
            add(1000 + static_cast<std::uint64_t>(reply.body.error().code));
            return;
        }
        const model::PathResult& result = *reply.body->result;
        add(reply.body->version);
        add(static_cast<std::uint64_t>(result.outcome));
        add(static_cast<std::uint64_t>(result.reason));
        add(static_cast<std::uint64_t>(result.algorithm));
        add(result.bound_percent);
        add(result.cost);
        add(result.expansions);
        add(result.path_hash);
        for (const model::Cell point : result.turning_points) {
            add(point);
        }
        for (const model::Explored& explored : result.explored) {
            add(explored.cell);
            add(static_cast<std::uint64_t>(explored.kind));
            add(explored.g);
            add(explored.h);
        }
    }
    void add_path(const auto& path) {
        add(path.cost);
        add(path.path_hash);
        for (const model::Cell point : path.turning_points) {
            add(point);
        }
    }
    void add(const model::SurveyReply& reply) {
        add(reply.id.value);
        add(reply.last ? 1 : 0);
        if (!reply.body) {
            add(1000 + static_cast<std::uint64_t>(reply.body.error().code));
            return;
        }
        add(reply.body->version);
        const model::SurveyResult& result = *reply.body->result;
        add(static_cast<std::uint64_t>(result.outcome));
        add(result.expansions);
        if (const auto* group = std::get_if<model::GroupPaths>(&result.body)) {
            for (const model::UnitPath& unit : group->units) {
                add(unit.unit);
                add(static_cast<std::uint64_t>(unit.outcome));
                add_path(unit);
            }
        } else if (const auto* nearest = std::get_if<model::NearestGoals>(&result.body)) {
            for (const model::NearestGoal& goal : nearest->goals) {
                add(goal.goal);
                add_path(goal);
            }
        } else if (const auto* reach = std::get_if<model::Reach>(&result.body)) {
            add(reach->cost_max);
            for (const model::Run& run : reach->runs) {
                add({run.x, run.y});
                add(static_cast<std::uint64_t>(run.length));
            }
            std::ranges::for_each(reach->costs, [&](model::Cost cost) { add(cost); });
        } else if (const auto* matrix = std::get_if<model::CostMatrix>(&result.body)) {
            std::ranges::for_each(matrix->costs, [&](model::Cost cost) { add(cost); });
        } else if (const auto* field = std::get_if<model::FieldArrows>(&result.body)) {
            std::ranges::for_each(field->steps, [&](std::uint8_t step) { add(step); });
            std::ranges::for_each(field->costs, [&](model::Cost cost) { add(cost); });
        }
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_{0};
};

struct Setup {
    unsigned workers;
    std::uint64_t slice;
    std::size_t cache_bytes;
};

void PrintTo(const Setup& setup, std::ostream* out) {
    *out << setup.workers << " workers, slices of " << setup.slice << ", cache of "
         << setup.cache_bytes;
}

class Golden : public testing::TestWithParam<Setup> {};

Config config_of(const Setup& setup) {
    Config config;
    config.workers = setup.workers;
    config.expansions_per_slice = setup.slice;
    config.cache_bytes_max = setup.cache_bytes;
    config.suspended_max = 4;
    return config;
}

std::uint64_t play(const Setup& setup, Stats& stats) {
    const test::ManualClock clock;
    const auto engine = *Engine::create(config_of(setup), clock);
    const auto sink = std::make_shared<test::RecordingSink>();
    const model::ClientId client = *engine->connect(sink);
    Script script(*engine);
    std::uint64_t id = 0;
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
        for (const bool repeats : {false, true}) {
            script.begin_half(repeats);
            for (std::uint64_t i = 0; i < kAnswersPerHalf; ++i) {
                engine->submit(client, script.next_request(++id));
            }
            while (setup.workers == 0 && engine->run_for(std::chrono::microseconds{0})) {
            }
            EXPECT_TRUE(sink->wait_for(id));
        }
        script.edit();
    }
    stats = engine->stats();
    std::vector<model::PathReply> replies = sink->replies();
    EXPECT_EQ(replies.size(), 10'000U);
    std::ranges::sort(replies, {}, [](const model::PathReply& reply) { return reply.id; });
    Digest digest;
    for (const model::PathReply& reply : replies) {
        digest.add(reply);
    }
    return digest.value();
}

std::uint64_t play_surveys(const Setup& setup, Stats& stats) {
    const test::ManualClock clock;
    const auto engine = *Engine::create(config_of(setup), clock);
    const auto sink = std::make_shared<test::RecordingSink>();
    const model::ClientId client = *engine->connect(sink);
    Script script(*engine);
    std::uint64_t id = 0;
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
        for (int i = 0; i < 100; ++i) {
            engine->submit(client, script.next_survey(++id));
        }
        while (setup.workers == 0 && engine->run_for(std::chrono::microseconds{0})) {
        }
        EXPECT_TRUE(sink->wait_for_surveys(id));
        script.edit();
    }
    stats = engine->stats();
    std::vector<model::SurveyReply> replies = sink->surveys();
    std::ranges::stable_sort(replies, {}, [](const model::SurveyReply& reply) { return reply.id; });
    Digest digest;
    for (const model::SurveyReply& reply : replies) {
        digest.add(reply);
    }
    return digest.value();
}

// If this failed, an army's paths, or how they come in parts, would hang on the machine (law 4).
TEST_P(Golden, TwoThousandSurveysHaveOneHash) {
    Stats stats;
    EXPECT_EQ(play_surveys(GetParam(), stats), kGoldenSurveys);
    EXPECT_EQ(stats.surveys_submitted, 2000U);
    EXPECT_GT(stats.surveys_answered, 1900U);
    EXPECT_GT(stats.survey_parts, 300U);
}

// If this failed, two peers of one game, or yesterday's recording and today's server, would send
// their units along different paths.
TEST_P(Golden, TenThousandAnswersHaveOneHash) {
    Stats stats;
    EXPECT_EQ(play(GetParam(), stats), kGolden);
    // The script must exercise what it claims to.
    EXPECT_GT(stats.verdicts, 100U);
    EXPECT_GT(stats.slices, 2000U);
    EXPECT_EQ(stats.cache_hits > 0, GetParam().cache_bytes > 0);
    EXPECT_TRUE(stats.cache_hits > 500 || GetParam().cache_bytes < kLarge);
}

INSTANTIATE_TEST_SUITE_P(EverySetup, Golden,
                         testing::Values(Setup{1, 64, 0}, Setup{1, 64, kLarge},
                                         Setup{1, 1'000'000, 0}, Setup{1, 1'000'000, kLarge},
                                         Setup{2, 64, 0}, Setup{2, 64, kLarge},
                                         Setup{2, 1'000'000, 0}, Setup{2, 1'000'000, kLarge},
                                         Setup{8, 64, 0}, Setup{8, 64, kLarge},
                                         Setup{8, 1'000'000, 0}, Setup{8, 1'000'000, kLarge},
                                         Setup{0, 64, 20'000}, Setup{0, 1'000'000, 20'000}));

}  // namespace
}  // namespace outrider::engine
