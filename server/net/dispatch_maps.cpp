// How maps come and go, as far as a session has to do with it.

#include <utility>

#include "outrider/net/map_infos.hpp"
#include "outrider/net/refusals.hpp"
#include "outrider/net/session.hpp"

namespace outrider::net {
namespace {

using Done = decltype(MapLetter::body);

// What the thread of maps must know of the session, which may end meanwhile.
struct Order {
    Server::Parts parts;
    std::uint64_t session{};
};

Done load(const Order& order, const MapOrder& request) {
    if (!order.parts.load_map) {
        return std::unexpected(refusal(model::RefusalCode::kPermissionDenied, "load_map",
                                       "this server serves the maps of its start only"));
    }
    const auto loaded = order.parts.load_map(request);
    if (!loaded) {
        return std::unexpected(named_in("load_map", loaded.error()));
    }
    auto info = order.parts.engine.map_info(loaded->id);
    if (!info) {
        return std::unexpected(info.error());  // somebody has dropped it already
    }
    order.parts.log.write(telemetry::Level::kInfo, "map loaded",
                          {{"map", request.name},
                           {"id", std::uint64_t{loaded->id.value}},
                           {"replaces", std::uint64_t{loaded->replaced.value}},
                           {"session", order.session}});
    return codec::LoadMapReply{info_of(*std::move(info)), loaded->replaced};
}

Done drop(const Order& order, const codec::DropMapRequest& request) {
    engine::Engine& engine = order.parts.engine;
    const auto found = request.map.value == 0 ? engine.find_map(request.map_name) : request.map;
    if (!found) {
        return std::unexpected(refusal(model::RefusalCode::kUnknownMap, "drop_map.map_name",
                                       "no map of this name; ListMaps tells the names"));
    }
    if (const auto dropped = engine.drop_map(*found); !dropped) {
        return std::unexpected(named_in("drop_map", dropped.error()));
    }
    order.parts.log.write(telemetry::Level::kInfo, "map dropped",
                          {{"id", std::uint64_t{found->value}}, {"session", order.session}});
    return codec::DropMapReply{*found};
}

template <class Work>
Done done_by(const Work& work) {
    try {
        return work();
    } catch (...) {
        return std::unexpected(
            refusal(model::RefusalCode::kInternal, {},
                    "the map could not be worked on, perhaps for want of memory; try again"));
    }
}

}  // namespace

template <class Work>
void Session::work_on_maps(model::RequestId id, const Work& work) {
    const auto guarded = [id, work, mailbox = mailbox_]() noexcept {
        try {
            mailbox->on_map_done({id, done_by(work)});
        } catch (...) {
            mailbox->on_loss();
        }
    };
    if (shared_.maps.post(guarded)) {
        ++in_flight_;
        return;
    }
    auto later = refusal(model::RefusalCode::kOverloaded, {},
                         "as many maps as may wait to be loaded or dropped do; try again");
    later.retry_after = config().retry_after;
    refuse(id, later);
}

void Session::handle(model::RequestId id, codec::LoadMapRequest&& request) {
    if (!refuse_if_draining(id)) {
        const auto held = std::make_shared<const MapOrder>(
            MapOrder{std::move(request.name), std::move(request.file), std::move(request.content),
                     request.replace});
        const Order order{shared_.parts, number_};
        work_on_maps(id, [order, held] { return load(order, *held); });
    }
}

void Session::handle(model::RequestId id, codec::DropMapRequest&& request) {
    if (!refuse_if_draining(id)) {
        const Order order{shared_.parts, number_};
        work_on_maps(id, [order, request] { return drop(order, request); });
    }
}

void Session::deliver(MapLetter&& done) {
    --in_flight_;
    if (!done.body) {
        refuse(done.id, done.body.error());
        return;
    }
    ++replies_;
    outbox_.small([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        if (const auto* loaded = std::get_if<codec::LoadMapReply>(&*done.body)) {
            encoder.load_map(done.id, *loaded, out);
        } else {
            encoder.drop_map(done.id, std::get<codec::DropMapReply>(*done.body).map, out);
        }
    });
}

void Session::deliver(DropLetter&& drop) {
    const auto watch = watches_.find(drop.map);
    if (watch == watches_.end()) {
        return;  // it was unwatched meanwhile
    }
    const model::RequestId id = watch->second.id;
    watches_.erase(watch);
    count(shared_.counters.pushes);
    outbox_.small([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.map_dropped(id, {drop.map, drop.successor}, out);
    });
}

}  // namespace outrider::net
