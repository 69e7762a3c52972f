#pragma once
// What:    the end of a connection that found no place: counted, told to the log and to the client.
// Threads: any.
// Cost:    one write that does not wait.

#include <asio/ip/tcp.hpp>
#include <string_view>

#include "outrider/net/shared.hpp"

namespace outrider::net {

void turn_away(asio::ip::tcp::socket socket, Shared& shared, std::string_view why);

}  // namespace outrider::net
