// Any bytes as a server's message, and their parts through the assemblers.

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "outrider/codec/assemble.hpp"
#include "outrider/codec/client_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    auto message = codec::ReplyDecoder().decode(std::as_bytes(std::span(data, size)));
    if (!message) {
        return 0;
    }
    if (auto* path = std::get_if<codec::PathPart>(&message->body)) {
        codec::PathAssembler assembler;
        const codec::PathPart copy = *path;
        (void)assembler.add(std::move(*path));
        (void)assembler.add(copy);
    } else if (auto* state = std::get_if<codec::MapStatePart>(&message->body)) {
        codec::MapStateAssembler assembler;
        const codec::MapStatePart copy = *state;
        (void)assembler.add(std::move(*state));
        (void)assembler.add(copy);
    }
    if (const auto* survey = std::get_if<codec::SurveyPart>(&message->body)) {
        // As an answer to a question of each kind.
        decltype(model::Survey::query) queries[] = {
            model::GroupQuery{.starts = std::vector<model::Cell>(4), .goal = {}, .formation = {}},
            model::NearestQuery{.start = {}, .goals = std::vector<model::Goal>(4)},
            model::ReachQuery{},
            model::MatrixQuery{{{}, {}}, {{}, {}}},
            model::FieldQuery{},
            model::ConnectedQuery{},
            model::SightQuery{}};
        for (auto& query : queries) {
            model::Survey asked;
            asked.query = std::move(query);
            codec::SurveyAssembler assembler(asked);
            if (assembler.add(*survey)) {
                (void)assembler.take();
                (void)assembler.add(*survey);
            }
        }
    }
    return 0;
}
