#include "outrider/client/client.hpp"

#include <asio/post.hpp>
#include <future>
#include <utility>

#include "outrider/client/connection.hpp"
#include "outrider/client/io_thread_state.hpp"

namespace outrider::client {
namespace {

// The answer of one blocking call, shared with its callback, which may come after the caller left.
template <class T>
class Slot {
  public:
    void put(Result<T> result) {
        const base::Lock lock(mutex_);
        result_ = std::move(result);
        filled_.notify_all();
    }
    [[nodiscard]] Result<T> wait(std::chrono::nanoseconds limit) {
        const auto end = std::chrono::steady_clock::now() + limit;
        const base::Lock lock(mutex_);
        while (!result_) {
            const auto left = end - std::chrono::steady_clock::now();
            if (left.count() <= 0) {
                return std::unexpected(
                    Failure{FailureKind::kTimeout, "no answer in time", std::nullopt});
            }
            filled_.wait_for(mutex_, left);
        }
        return std::move(*result_);
    }

  private:
    base::Mutex mutex_;
    base::Condition filled_;
    std::optional<Result<T>> result_ OUTRIDER_GUARDED_BY(mutex_);
};

// Runs `start(callback)` and waits for the callback.
template <class T, class Start>
Result<T> await(const IoThread& io, std::chrono::nanoseconds limit, Start start) {
    if (io.on_this_thread()) {
        return std::unexpected(Failure{FailureKind::kBusy,
                                       "a blocking call inside a callback would wait for itself",
                                       std::nullopt});
    }
    const auto slot = std::make_shared<Slot<T>>();
    start([slot](Result<T> result) { slot->put(std::move(result)); });
    return slot->wait(limit);
}

}  // namespace

Client::Client(Options options, std::shared_ptr<IoThread> io)
    : options_(std::move(options)),
      io_(io ? std::move(io) : std::make_shared<IoThread>()),
      connection_(std::make_shared<Connection>(io_->state_->context, options_)) {}

Result<std::unique_ptr<Client>> Client::connect(const Options& options,
                                                std::shared_ptr<IoThread> io) {
    std::unique_ptr<Client> client(new Client(options, std::move(io)));
    // The connection's own timer ends the wait; the second is only for a stuck name look-up.
    auto welcome = await<codec::Welcome>(
        *client->io_, options.connect_timeout + std::chrono::seconds(1),
        [&client](auto done) { client->connection_->start(std::move(done)); });
    if (!welcome) {
        return std::unexpected(std::move(welcome.error()));
    }
    client->welcome_ = std::move(*welcome);
    return client;
}

Client::~Client() {
    close();
}

void Client::close() {
    const Failure failure{FailureKind::kClosed, "the client closed the connection", std::nullopt};
    if (io_->on_this_thread()) {
        connection_->end(failure);
        return;
    }
    std::promise<void> ended;
    asio::post(connection_->context(), [this, &ended, &failure] {
        connection_->end(failure);
        ended.set_value();
    });
    ended.get_future().wait();
}

const codec::Welcome& Client::welcome() const {
    return welcome_;
}

const codec::MapInfo* Client::find_map(std::string_view name) const {
    for (const codec::MapInfo& map : welcome_.maps) {
        if (map.name == name) {
            return &map;
        }
    }
    return nullptr;
}

bool Client::open() const {
    return connection_->open();
}

Counters Client::counters() const {
    return connection_->counters();
}

model::RequestId Client::path(codec::PathRequest request, Callback<PathAnswer> done) {
    const codec::PathFormat format = request.format;
    Connection::Call call{std::move(request), PendingPath{std::move(done), format, {}, {}},
                          std::nullopt};
    return connection_->call({&call, 1});
}

model::RequestId Client::paths(std::vector<PathCall> calls) {
    std::vector<Connection::Call> sent;
    sent.reserve(calls.size());
    for (PathCall& call : calls) {
        const codec::PathFormat format = call.request.format;
        PendingPath pending{std::move(call.done), format, {}, std::move(call.on_leg)};
        sent.push_back(
            {std::move(call.request), std::move(pending), std::nullopt, std::move(call.follow)});
    }
    return connection_->call(sent);
}

model::RequestId Client::follow(codec::PathRequest request, Follow follow,
                                Callback<PathAnswer> done) {
    if (!request.follow) {
        request.follow.emplace();
    }
    std::vector<PathCall> calls;
    calls.push_back({std::move(request), std::move(done), std::move(follow), {}});
    return paths(std::move(calls));
}

model::RequestId Client::survey(SurveyCall call) {
    PendingSurvey pending(std::move(call.done), std::move(call.on_part), call.request.survey);
    Connection::Call sent{std::move(call.request), std::move(pending), std::nullopt, std::nullopt};
    return connection_->call({&sent, 1});
}

void Client::report(std::vector<model::Progress> units, Callback<codec::ProgressReply> done) {
    Connection::Call call{codec::ProgressRequest{std::move(units)}, std::move(done), std::nullopt,
                          std::nullopt};
    connection_->call({&call, 1});
}

void Client::edit(model::MapId map, model::EditBatch batch, Callback<codec::EditReply> done) {
    Connection::Call call{codec::EditRequest{map, std::move(batch)}, std::move(done), std::nullopt,
                          std::nullopt};
    connection_->call({&call, 1});
}

void Client::cancel(model::RequestId request, Callback<codec::CancelReply> done) {
    Connection::Call call{codec::CancelRequest{request}, std::move(done), std::nullopt,
                          std::nullopt};
    connection_->call({&call, 1});
}

void Client::ping(std::uint64_t payload, Callback<codec::Pong> done) {
    Connection::Call call{codec::Ping{payload}, std::move(done), std::nullopt, std::nullopt};
    connection_->call({&call, 1});
}

void Client::stats(Callback<codec::StatsReply> done) {
    Connection::Call call{codec::StatsRequest{}, std::move(done), std::nullopt};
    connection_->call({&call, 1});
}

void Client::list_maps(Callback<codec::ListMapsReply> done) {
    Connection::Call call{codec::ListMapsRequest{}, std::move(done), std::nullopt, std::nullopt};
    connection_->call({&call, 1});
}

void Client::map_state(model::MapId map, Callback<codec::MapState> done) {
    Connection::Call call{codec::MapStateRequest{map, false}, PendingMapState{std::move(done), {}},
                          std::nullopt};
    connection_->call({&call, 1});
}

void Client::watch(model::MapId map, Watch watch, Callback<codec::MapState> done) {
    Connection::Call call{codec::MapStateRequest{map, true}, PendingMapState{std::move(done), {}},
                          std::move(watch)};
    connection_->call({&call, 1});
}

void Client::unwatch(model::MapId map, Callback<codec::UnwatchReply> done) {
    connection_->forget_watches(map);
    Connection::Call call{codec::UnwatchRequest{map}, std::move(done), std::nullopt, std::nullopt};
    connection_->call({&call, 1});
}

void Client::add_class(model::MapId map, model::MovementClass movement_class,
                       Callback<codec::AddClassReply> done) {
    Connection::Call call{codec::AddClassRequest{map, std::move(movement_class)}, std::move(done),
                          std::nullopt};
    connection_->call({&call, 1});
}

void Client::load_map(codec::LoadMapRequest request, Callback<codec::LoadMapReply> done) {
    Connection::Call call{std::move(request), std::move(done), std::nullopt, std::nullopt};
    connection_->call({&call, 1});
}

void Client::drop_map(codec::DropMapRequest request, Callback<codec::DropMapReply> done) {
    Connection::Call call{std::move(request), std::move(done), std::nullopt, std::nullopt};
    connection_->call({&call, 1});
}

Result<PathAnswer> Client::path(codec::PathRequest request, OnLeg on_leg) {
    return await<PathAnswer>(*io_, options_.call_timeout, [&](auto done) {
        std::vector<PathCall> calls;
        calls.push_back({std::move(request), std::move(done), std::nullopt, std::move(on_leg)});
        paths(std::move(calls));
    });
}

Result<Followed> Client::follow(codec::PathRequest request, Follow followed) {
    model::RequestId id;
    auto answer = await<PathAnswer>(*io_, options_.call_timeout, [&](auto done) {
        id = follow(std::move(request), std::move(followed), std::move(done));
    });
    if (!answer) {
        return std::unexpected(std::move(answer.error()));
    }
    return Followed{id, *std::move(answer)};
}

Result<SurveyAnswer> Client::survey(codec::SurveyRequest request,
                                    std::function<void(GroupArrival)> on_part) {
    return await<SurveyAnswer>(*io_, options_.call_timeout, [&](auto done) {
        survey({std::move(request), std::move(done), std::move(on_part)});
    });
}

Result<codec::ProgressReply> Client::report(std::vector<model::Progress> units) {
    return await<codec::ProgressReply>(
        *io_, options_.call_timeout, [&](auto done) { report(std::move(units), std::move(done)); });
}

Result<codec::EditReply> Client::edit(model::MapId map, model::EditBatch batch) {
    return await<codec::EditReply>(*io_, options_.call_timeout, [&](auto done) {
        edit(map, std::move(batch), std::move(done));
    });
}

Result<codec::CancelReply> Client::cancel(model::RequestId request) {
    return await<codec::CancelReply>(*io_, options_.call_timeout,
                                     [&](auto done) { cancel(request, std::move(done)); });
}

Result<codec::Pong> Client::ping(std::uint64_t payload) {
    return await<codec::Pong>(*io_, options_.call_timeout,
                              [&](auto done) { ping(payload, std::move(done)); });
}

Result<codec::StatsReply> Client::stats() {
    return await<codec::StatsReply>(*io_, options_.call_timeout,
                                    [&](auto done) { stats(std::move(done)); });
}

Result<codec::ListMapsReply> Client::list_maps() {
    return await<codec::ListMapsReply>(*io_, options_.call_timeout,
                                       [&](auto done) { list_maps(std::move(done)); });
}

Result<codec::MapState> Client::map_state(model::MapId map) {
    return await<codec::MapState>(*io_, options_.call_timeout,
                                  [&](auto done) { map_state(map, std::move(done)); });
}

Result<codec::MapState> Client::watch(model::MapId map, Watch watched) {
    return await<codec::MapState>(*io_, options_.call_timeout, [&](auto done) {
        watch(map, std::move(watched), std::move(done));
    });
}

Result<codec::UnwatchReply> Client::unwatch(model::MapId map) {
    return await<codec::UnwatchReply>(*io_, options_.call_timeout,
                                      [&](auto done) { unwatch(map, std::move(done)); });
}

Result<codec::AddClassReply> Client::add_class(model::MapId map,
                                               model::MovementClass movement_class) {
    return await<codec::AddClassReply>(*io_, options_.call_timeout, [&](auto done) {
        add_class(map, std::move(movement_class), std::move(done));
    });
}

Result<codec::LoadMapReply> Client::load_map(codec::LoadMapRequest request) {
    return await<codec::LoadMapReply>(*io_, options_.call_timeout, [&](auto done) {
        load_map(std::move(request), std::move(done));
    });
}

Result<codec::DropMapReply> Client::drop_map(codec::DropMapRequest request) {
    return await<codec::DropMapReply>(*io_, options_.call_timeout, [&](auto done) {
        drop_map(std::move(request), std::move(done));
    });
}

}  // namespace outrider::client
