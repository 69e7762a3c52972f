#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include "bench/cpu_timer.hpp"
#include "bench/generated_maps.hpp"
#include "bench/ground.hpp"
#include "bench/noise.hpp"
#include "bench/sample.hpp"
#include "bench/side_tables.hpp"
#include "outrider/search/search.hpp"

namespace outrider::bench {
namespace {

// As the engine steps while it waits for the first leg; small, so that the figure is not rounded
// up.
constexpr std::uint64_t kStep = 64;
// Each needs a map whose portals nobody asked for yet.
constexpr std::size_t kColdQuestions = 10;

struct Answer {
    double first_us{};  // to the first leg
    double whole_us{};
    model::PathResult result;
};

std::vector<model::PathQuery> random_questions(const Ground& ground, std::size_t count) {
    const map::Layer& layer = ground.layer();
    Noise noise(7);
    std::vector<model::PathQuery> questions;
    while (questions.size() < count) {
        const model::Cell from{noise.below(layer.width()), noise.below(layer.height())};
        const model::Cell to{noise.below(layer.width()), noise.below(layer.height())};
        if (from != to && ground.connected(from, to)) {
            model::PathQuery query;
            query.start = from;
            query.goal.rect = {to.x, to.y, 1, 1};
            questions.push_back(query);
        }
    }
    return questions;
}

Answer ask(const Ground& ground, model::PathQuery query, model::Algorithm algorithm,
           search::Buffers& buffers) {
    query.algorithm = algorithm;
    search::Search search;
    Answer answer;
    const double before = cpu_us();
    search.start(ground.layer(), query, buffers);
    while (search.step(kStep) == search::Step::kRunning) {
        if (answer.first_us == 0 && search.first_leg()) {
            answer.first_us = cpu_us() - before;
        }
    }
    answer.result = search.take_result();
    answer.whole_us = cpu_us() - before;
    // A near goal has one leg.
    answer.first_us = answer.first_us == 0 ? answer.whole_us : answer.first_us;
    return answer;
}

double cold_first_us(const map::Grid& grid, const model::MovementClass& who,
                     std::span<const model::PathQuery> questions, search::Buffers& buffers) {
    Sample sample;
    for (std::size_t i = 0; i < std::min(kColdQuestions, questions.size()); ++i) {
        const Ground fresh = ground_of(grid, who);
        sample.values.push_back(
            ask(fresh, questions[i], model::Algorithm::kFast, buffers).first_us);
    }
    return sample.at(0.5);
}

void print_row(const char* name, const map::Grid& grid, std::size_t count,
               const model::MovementClass& who = model::ground_class()) {
    const Ground ground = ground_of(grid, who);
    const search::BuffersPtr buffers = search::make_buffers();
    const auto questions = random_questions(ground, count);
    const double cold = cold_first_us(grid, who, questions, *buffers);
    for (const model::PathQuery& query : questions) {
        (void)ask(ground, query, model::Algorithm::kFast, *buffers);
    }
    Sample first;
    Sample whole;
    Sample exact;
    Sample excess;
    for (const model::PathQuery& query : questions) {
        const Answer fast = ask(ground, query, model::Algorithm::kFast, *buffers);
        const Answer best = ask(ground, query, model::Algorithm::kAuto, *buffers);
        first.values.push_back(fast.first_us);
        whole.values.push_back(fast.whole_us);
        exact.values.push_back(best.whole_us);
        const auto cost = static_cast<double>(fast.result.cost);
        excess.values.push_back(100 * (cost / static_cast<double>(best.result.cost) - 1));
    }
    std::printf("  %-22s %8.0f %8.0f %8.0f | %8.0f %9.0f | %9.0f | %6.2f %6.2f\n", name,
                first.at(0.5), first.at(0.99), cold, whole.at(0.5), whole.at(0.99), exact.at(0.5),
                excess.mean(), excess.at(1));
    std::fflush(stdout);
}

}  // namespace

void print_fast(std::size_t questions) {
    const std::size_t many = questions == 0 ? 1000 : questions;
    const std::size_t few = questions == 0 ? 100 : questions;
    std::printf(
        "FAST on random questions across the map, CPU us; excess in percent of the "
        "optimum; %zu questions on the first map, then %zu\n",
        many, few);
    std::printf("  %-22s %8s %8s %8s | %8s %9s | %9s | %6s %6s\n", "", "1st leg", "p99", "cold",
                "whole", "p99", "auto", "excess", "worst");
    print_row("noise 20 % 4096", noise_grid(4096, 20), many);
    print_row("noise 35 % 2048", noise_grid(2048, 35), few);
    print_row("open 2048", open_grid(2048), few);
    print_row("rooms 2048", rooms_grid(2048), few);
    print_row("caves 2048", caves_grid(2048), few);
    print_row("mixed caves 1024", with_terrain(caves_grid(1024)), few, model::terrain_class());
}

}  // namespace outrider::bench
