#include <cstdio>
#include <string>

#include "outrider/client/client.hpp"

using namespace outrider;

int main(int count, char** arguments) {
    const std::string port = count > 1 ? arguments[1] : "7600";
    const auto client = client::Client::connect({.port = port});
    if (!client) {
        std::fprintf(stderr, "%s\n", client.error().message.c_str());
        return 1;
    }
    codec::PathRequest request;
    request.map_name = "march";
    request.class_name = "ground";
    request.query.start = {2, 2};
    request.query.goal = {{60, 30}};
    request.unit = {12};

    const auto answer = (*client)->path(request);
    if (!answer || !answer->arrived()) {
        return 1;
    }
    for (const model::Cell cell : answer->result.turning_points) {
        std::printf("(%d,%d) ", cell.x, cell.y);
    }
    std::printf("on version %lu\n", answer->version);
}
