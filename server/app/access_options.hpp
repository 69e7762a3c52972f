#pragma once
// What: the options of who may come in, how much they may ask, and of TLS.

#include <CLI/App.hpp>

#include "outrider/app/tls_files.hpp"
#include "outrider/base/result.hpp"
#include "outrider/net/config.hpp"

namespace outrider::app {

void add_access_options(CLI::App& app, net::AccessConfig& access);
void add_tls_options(CLI::App& app, TlsFiles& files, net::Config& net);
// What one option's own check does not see.
[[nodiscard]] base::Result<void> check_tls(const TlsFiles& files);

}  // namespace outrider::app
