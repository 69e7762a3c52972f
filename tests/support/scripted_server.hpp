#pragma once
// What:    a server of one connection that does what a test tells it.
// Threads: the script runs on the server's own thread, and its functions only from there; the
//          destructor waits for its end.

#include <asio/ip/tcp.hpp>
#include <asio/write.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "outrider/client/client.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/wire/frame.hpp"
#include "support/frame_output.hpp"

namespace outrider::test {

// Serves the first client that connects.
class ScriptedServer {
  public:
    using Script = std::function<void(ScriptedServer&)>;

    explicit ScriptedServer(Script script)
        : acceptor_(context_, {asio::ip::address_v4::loopback(), 0}),
          socket_(context_),
          thread_([this, script = std::move(script)] {
              acceptor_.accept(socket_);
              script(*this);
              asio::error_code ignored;
              socket_.close(ignored);
          }) {}
    ~ScriptedServer() { thread_.join(); }

    [[nodiscard]] client::Options options() const {
        client::Options options;
        options.port = std::to_string(acceptor_.local_endpoint().port());
        return options;
    }

    // The client's next message; nothing when it hung up.
    std::optional<codec::ClientMessage> receive() {
        while (true) {
            const auto frame = frames_.next();
            if (frame && *frame) {
                return decoder_.decode(**frame).value();
            }
            const auto room = frames_.prepare();
            asio::error_code error;
            const std::size_t bytes =
                socket_.read_some(asio::buffer(room.data(), room.size()), error);
            if (error) {
                return std::nullopt;
            }
            frames_.commit(bytes);
        }
    }
    // `write(encoder, output)` writes whole messages, which go out at once.
    template <class Write>
    void send(Write write) {
        write(encoder_, output_);
        const wire::Bytes bytes = output_.take();
        asio::write(socket_, asio::buffer(bytes.data(), bytes.size()));
    }
    void pong(model::RequestId id) {
        send([&](auto& encoder, auto& out) { encoder.pong(id, 5, out); });
    }
    void send_path(model::RequestId id, model::PathResult result) {
        codec::PathCursor cursor(id,
                                 {7, std::make_shared<const model::PathResult>(std::move(result))},
                                 codec::PathFormat::kTurningPoints);
        send([&](auto& encoder, auto& out) {
            while (!cursor.done()) {
                encoder.path_part(cursor, out);
            }
        });
    }
    void send_survey(model::RequestId id, model::SurveyResult result, bool last = true) {
        codec::SurveyCursor cursor(
            id, {7, std::make_shared<const model::SurveyResult>(std::move(result))},
            codec::PathFormat::kTurningPoints, last);
        send([&](auto& encoder, auto& out) {
            while (!cursor.done()) {
                encoder.survey_part(cursor, out);
            }
        });
    }
    void send_map_of_version_4(model::RequestId id) {
        const codec::MapInfo info{{1}, "m", 3, 1, 4, {model::ground_class()}};
        codec::MapStateCursor cursor(id, {info, {'.', '.', '.'}, {}});
        send([&](auto& encoder, auto& out) {
            while (!cursor.done()) {
                encoder.map_state_part(cursor, out);
            }
        });
    }
    void push_wall(model::RequestId id, model::Version version) {
        const model::EditBatch wall{{model::PlaceObstacle{{9}, {1, 0, 1, 1}, 0}}};
        send([&](auto& encoder, auto& out) { encoder.map_edited(id, {1}, version, wall, out); });
    }
    void welcome(const codec::Welcome& welcome = {}) {
        const auto hello = receive();
        send([&](auto& encoder, auto& out) { encoder.welcome(hello->id, welcome, out); });
    }

  private:
    asio::io_context context_;
    asio::ip::tcp::acceptor acceptor_;
    asio::ip::tcp::socket socket_;
    wire::FrameReader frames_{1U << 20U};
    codec::RequestDecoder decoder_;
    codec::ReplyEncoder encoder_;
    FrameOutput output_;
    std::thread thread_;
};

}  // namespace outrider::test
