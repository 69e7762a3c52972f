#pragma once
// What: a recording written record by record, with the answers that a right server gives, so that
//       a test can make one of them wrong.

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/recording.hpp"
#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "outrider/wire/frame.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

class RecordingBuilder final : public codec::Output {
  public:
    static constexpr model::MapId kMap{1};
    static constexpr const char* kMapName = "drawn";

    explicit RecordingBuilder(std::initializer_list<std::string_view> rows)
        : RecordingBuilder(grid_of(rows), {model::ground_class()}) {}
    RecordingBuilder(map::Grid grid, std::vector<model::MovementClass> classes)
        : store_(map::Store::create(std::move(grid), std::move(classes)).value()) {
        encoder_.header({.program_version = "0.1.0", .map = kMap, .map_name = kMapName}, *this);
        map::State state = store_->state();
        codec::MapStateCursor cursor({1}, {{kMap, kMapName, state.grid.width, state.grid.height,
                                            state.version, std::move(state.classes)},
                                           std::move(state.grid.terrain),
                                           std::move(state.obstacles)});
        while (!cursor.done()) {
            encoder_.map_state_part(cursor, *this);
        }
    }

    [[nodiscard]] const map::Store& store() const { return *store_; }
    [[nodiscard]] model::Version version() const { return store_->snapshot()->version(); }

    // Makes the next version, on the map and in the recording.
    void edit(const model::EditBatch& batch) {
        const model::Version version = store_->replay(batch).value();
        encoder_.map_edited({kMap, version, batch}, *this);
    }
    void block(std::int32_t x, std::int32_t y) {
        edit({{model::PlaceObstacle{{next_obstacle_++}, {x, y, 1, 1}, 0}}});
    }

    // The right answer on the version that the map has now.
    [[nodiscard]] model::PathAnswer answer_of(const codec::PathRequest& request) const {
        const auto snapshot = store_->snapshot();
        auto buffers = search::make_buffers();
        return {snapshot->version(),
                std::make_shared<const model::PathResult>(search::run(
                    *snapshot->layer(request.query.movement_class), request.query, *buffers))};
    }
    // A request with that answer, perhaps bent before.
    void path(const codec::PathRequest& request, const model::PathAnswer& answer,
              model::Version floor = 0) {
        codec::PathCursor cursor(id_of_next(), answer, request.format);
        Message reply;
        replies_.path_part(cursor, reply);
        write(request, reply.bytes, floor);
    }
    void path(const codec::PathRequest& request) { path(request, answer_of(request)); }
    void ended(const codec::PathRequest& request, model::Outcome outcome) {
        model::PathResult result;
        result.outcome = result.reason = outcome;
        result.algorithm = model::Algorithm::kJps;
        path(request, {version(), std::make_shared<const model::PathResult>(result)});
    }
    void refused(const codec::PathRequest& request, model::RefusalCode code) {
        Message reply;
        replies_.refusal(id_of_next(), {code, "", "", {}}, reply);
        write(request, reply.bytes, 0);
    }
    void unanswered(const codec::PathRequest& request) { write(request, {}, 0); }
    void end(std::uint64_t unrecorded = 0) { end_of(requests_, unrecorded); }
    // That many requests, whatever stands in it.
    void end_of(std::uint64_t requests, std::uint64_t unrecorded) {
        encoder_.end({requests, unrecorded}, *this);
    }
    // Any message as a record.
    void raw(std::span<const std::byte> message) { wire::append_frame(bytes_, message); }

    [[nodiscard]] std::string text() const {
        return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
    }

    [[nodiscard]] std::span<std::byte> message_space(std::size_t bytes) override {
        return wire::append_frame_space(bytes_, bytes);
    }

  private:
    struct Message final : codec::Output {
        [[nodiscard]] std::span<std::byte> message_space(std::size_t size) override {
            bytes.resize(size);
            return bytes;
        }
        wire::Bytes bytes;
    };

    static map::Grid grid_of(std::initializer_list<std::string_view> rows) {
        return {static_cast<std::int32_t>(rows.begin()->size()),
                static_cast<std::int32_t>(rows.size()), terrain_of(rows)};
    }

    [[nodiscard]] model::RequestId id_of_next() const { return {requests_ + 1}; }
    void write(const codec::PathRequest& request, std::span<const std::byte> reply,
               model::Version floor) {
        Message asked;
        asks_.encode({id_of_next(), request}, asked);
        ++requests_;
        (void)encoder_.path({1, floor, asked.bytes, reply}, *this);
    }

    std::unique_ptr<map::Store> store_;
    codec::RecordEncoder encoder_;
    codec::RequestEncoder asks_;
    codec::ReplyEncoder replies_;
    wire::Bytes bytes_;
    std::uint64_t requests_{0};
    std::uint64_t next_obstacle_{1};
};

}  // namespace outrider::test
