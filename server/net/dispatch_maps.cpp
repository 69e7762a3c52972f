// How maps come and go, as far as a session has to do with it.

#include <utility>

#include "outrider/net/map_infos.hpp"
#include "outrider/net/map_log.hpp"
#include "outrider/net/refusals.hpp"
#include "outrider/net/session.hpp"

namespace outrider::net {
namespace {

using Done = decltype(MapLetter::body);

// What the thread of maps must know of the session, which may end meanwhile.
struct Order {
    Server::Parts parts;
    MapAsker asker;
    MapAsk ask;
};

// It is loaded, whatever fails from here on.
Done reply_of(const engine::Engine& engine, const engine::LoadedMap& loaded) {
    try {
        auto info = engine.map_info(loaded.id);
        if (!info) {
            return std::unexpected(info.error());  // somebody has dropped it already
        }
        return codec::LoadMapReply{info_of(*std::move(info)), loaded.replaced};
    } catch (...) {
        return std::unexpected(
            refusal(model::RefusalCode::kInternal, {},
                    "the map is loaded, but its description found no memory; list the maps"));
    }
}

Done load(const Order& order, const MapOrder& request) {
    if (!order.parts.load_map) {
        return std::unexpected(refusal(model::RefusalCode::kPermissionDenied, "load_map",
                                       "this server serves the maps of its start only"));
    }
    const auto loaded = order.parts.load_map(request);
    if (!loaded) {
        return std::unexpected(named_in("load_map", loaded.error()));
    }
    log_map_loaded(order.parts.log, order.asker, order.ask, *loaded);
    return reply_of(order.parts.engine, *loaded);
}

Done drop(const Order& order) {
    engine::Engine& engine = order.parts.engine;
    const auto found = order.ask.id.value == 0 ? engine.find_map(order.ask.name) : order.ask.id;
    if (!found) {
        return std::unexpected(refusal(model::RefusalCode::kUnknownMap, "drop_map.map_name",
                                       "no map of this name; ListMaps tells the names"));
    }
    const auto info = engine.map_info(*found);
    MapAsk whole = order.ask;
    whole.id = *found;
    whole.name = info ? info->name : whole.name;
    if (const auto dropped = engine.drop_map(*found); !dropped) {
        return std::unexpected(named_in("drop_map", dropped.error()));
    }
    log_map_dropped(order.parts.log, order.asker, whole);
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

MapAsker Session::map_asker() const {
    return {number_, peer_, client_name_, role_, token_name_};
}

void Session::refuse_map(model::RequestId id, const MapAsk& ask, const model::Refusal& refusal) {
    log_map_refused(shared_.parts.log, map_asker(), ask, refusal);
    refuse(id, refusal);
}

template <class Work>
void Session::work_on_maps(model::RequestId id, const MapAsk& ask, const Work& work) {
    if (const auto no = refusal_of_drain()) {
        refuse_map(id, ask, *no);
        return;
    }
    const Order order{shared_.parts, map_asker(), ask};
    const auto guarded = [id, order, work, mailbox = mailbox_]() noexcept {
        try {
            Done done = done_by([&] { return work(order); });
            if (!done) {
                log_map_refused(order.parts.log, order.asker, order.ask, done.error());
            }
            mailbox->on_map_done({id, std::move(done)});
        } catch (...) {
            mailbox->on_loss();
        }
    };
    if (shared_.maps.post(guarded)) {
        ++in_flight_;
        return;
    }
    auto later = refusal(model::RefusalCode::kOverloaded, {},
                         "as many maps as may wait to be loaded or dropped do, or the system has "
                         "no thread for the first; try again");
    later.retry_after = config().retry_after;
    refuse_map(id, ask, later);
}

void Session::handle(model::RequestId id, codec::LoadMapRequest&& request) {
    const MapAsk ask = ask_of(request);
    const auto held =
        std::make_shared<const MapOrder>(MapOrder{std::move(request.name), std::move(request.file),
                                                  std::move(request.content), request.replace});
    work_on_maps(id, ask, [held](const Order& order) { return load(order, *held); });
}

void Session::handle(model::RequestId id, codec::DropMapRequest&& request) {
    work_on_maps(id, ask_of(request), [](const Order& order) { return drop(order); });
}

void Session::deliver(MapLetter&& done) {
    --in_flight_;
    if (!done.body) {
        refuse(done.id, done.body.error());
        return;
    }
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) {
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
