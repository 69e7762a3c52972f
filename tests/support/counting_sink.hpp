#pragma once
// What: a sink that needs no memory, for tests where there is none: a sink must not throw.

#include <array>
#include <memory>
#include <utility>

#include "outrider/engine/engine.hpp"

namespace outrider::test {

class CountingSink final : public engine::Sink {
  public:
    void on_reply(model::PathReply reply) override {
        const std::size_t id = reply.id.value;
        ++replies.at(id);
        refused += reply.body ? 0 : 1;
        last.at(id) = std::move(reply);
    }
    void on_survey(model::SurveyReply reply) override { replies.at(reply.id.value) += reply.last; }
    void on_push(model::PathPush push) override {
        ++pushes;
        ends += push.reason == model::PushReason::kEnded ? 1 : 0;
    }
    void on_edit(model::MapId, model::Version version,
                 std::shared_ptr<const model::EditBatch>) override {
        ++edits;
        edited = version;
    }
    void on_map_dropped(model::MapId, model::MapId) override { ++drops; }

    // By id; of a survey the last one.
    std::array<int, 16> replies{};
    std::array<model::PathReply, 16> last{};
    int refused{};
    int pushes{};
    int ends{};  // of those
    int edits{};
    model::Version edited{};  // the last one
    int drops{};
};

}  // namespace outrider::test
