#include "load/clients.hpp"

#include <utility>

namespace outrider::load {

client::Result<Clients> open_clients(const cli::ServerOptions& server, std::uint32_t count) {
    const auto io = std::make_shared<client::IoThread>();
    Clients clients;
    for (std::uint32_t index = 0; index < count; ++index) {
        auto client = cli::connect_to(server, io);
        if (!client) {
            return std::unexpected(std::move(client.error()));
        }
        clients.push_back(std::move(*client));
    }
    return clients;
}

Closer::~Closer() {
    for (const auto& client : clients_) {
        client->close();
    }
}

}  // namespace outrider::load
