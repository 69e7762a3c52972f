#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "outrider/app/application.hpp"
#include "outrider/app/class_text.hpp"
#include "outrider/app/map_files.hpp"
#include "outrider/app/reload.hpp"
#include "outrider/app/small_file.hpp"

namespace outrider::app {
namespace {

class AppTest : public testing::Test {
  protected:
    std::filesystem::path write(const std::string& name, const std::string& text) {
        const auto file =
            std::filesystem::path(testing::TempDir()) /
            (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + name);
        std::ofstream(file) << text;
        return file;
    }

    std::expected<Options, Exit> parse(const std::vector<std::string>& arguments) {
        return parse_command_line(arguments, [this](const char* name) -> const char* {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        });
    }

    Options options_of(const std::vector<std::string>& arguments) {
        auto parsed = parse(arguments);
        EXPECT_TRUE(parsed.has_value()) << parsed.error().text;
        return parsed ? *std::move(parsed) : Options{};
    }

    std::string usage_error(const std::vector<std::string>& arguments) {
        const auto parsed = parse(arguments);
        EXPECT_FALSE(parsed.has_value());
        EXPECT_EQ(parsed ? 0 : parsed.error().code, 2);
        return parsed ? "" : parsed.error().text;
    }

    std::map<std::string, std::string> variables;
};

// If this failed, scripts that rely on the documented defaults would reach another server.
TEST_F(AppTest, DefaultsAreAsDocumented) {
    const Options options = options_of({});
    EXPECT_EQ(options.net.host, "127.0.0.1");
    EXPECT_EQ(options.net.port, 7600);
    EXPECT_GE(options.engine.workers, 1U);
    EXPECT_EQ(options.net.io_threads, 1U);
    EXPECT_TRUE(options.maps.empty());
}

// If this failed, an operator's flag would silently lose against a variable or a file.
TEST_F(AppTest, FlagsWinOverVariablesWinOverTheFile) {
    const auto file = write("c.toml",
                            "listen = \"127.0.0.1:1\"\nworkers = 3\nio-threads = 4\n"
                            "map = [\"a=a.map\", \"b=b.map\"]\nidle-timeout-ms = 77\n"
                            "class = [\"boat=W:10,S:20;footprint=2\"]\n");
    const std::string config = "--config=" + file.string();
    Options options = options_of({config});
    EXPECT_EQ(options.net.port, 1);
    EXPECT_EQ(options.engine.workers, 3U);
    EXPECT_EQ(options.net.idle_timeout, std::chrono::milliseconds(77));
    ASSERT_EQ(options.maps.size(), 2U);
    EXPECT_EQ(options.maps[1].name, "b");
    ASSERT_EQ(options.classes.size(), 1U);
    EXPECT_EQ(options.classes[0].weights['S'], 20);
    EXPECT_EQ(options.classes[0].footprint, 2);

    variables = {{"OUTRIDER_LISTEN", "127.0.0.1:2"},
                 {"OUTRIDER_WORKERS", "5"},
                 {"OUTRIDER_MAP", "c=c.map|d=d.map|e=e.map"}};
    options = options_of({config});
    EXPECT_EQ(options.net.port, 2);
    EXPECT_EQ(options.engine.workers, 5U);
    EXPECT_EQ(options.net.io_threads, 4U) << "what no variable says stays as the file says";
    EXPECT_EQ(options.maps.size(), 3U);

    options = options_of({config, "--listen", "127.0.0.1:3", "--map", "f=f.map"});
    EXPECT_EQ(options.net.port, 3);
    EXPECT_EQ(options.engine.workers, 5U);
    ASSERT_EQ(options.maps.size(), 1U);
    EXPECT_EQ(options.maps[0].name, "f");
}

// If this failed, a container that is configured by variables alone could not use a file.
TEST_F(AppTest, TheFileItselfCanBeNamedByAVariable) {
    variables = {{"OUTRIDER_CONFIG", write("c.toml", "workers = 7\n").string()}};
    EXPECT_EQ(options_of({}).engine.workers, 7U);
}

// If this failed, a mistyped option would be ignored and the operator believe it held.
TEST_F(AppTest, WrongUsageNamesTheOption) {
    EXPECT_NE(usage_error({"--no-such-thing"}).find("--no-such-thing"), std::string::npos);
    EXPECT_NE(usage_error({"--workers", "0"}).find("--workers"), std::string::npos);
    EXPECT_NE(usage_error({"--workers", "many"}).find("--workers"), std::string::npos);
    EXPECT_NE(usage_error({"--listen", "7600"}).find("HOST:PORT"), std::string::npos);
    EXPECT_NE(usage_error({"--listen", "localhost:99999"}).find("HOST:PORT"), std::string::npos);
    EXPECT_NE(usage_error({"--http", "8080"}).find("--http"), std::string::npos);
    EXPECT_NE(usage_error({"--map", "arena"}).find("NAME=FILE"), std::string::npos);
    EXPECT_NE(usage_error({"--log-level", "loud"}).find("--log-level"), std::string::npos);
    EXPECT_NE(usage_error({"--class", "boat"}).find("NAME=TERRAIN:WEIGHT"), std::string::npos);
    EXPECT_NE(usage_error({"--outbox-high-bytes", "10"}).find("--outbox-high-bytes"),
              std::string::npos);
    EXPECT_NE(usage_error({"--config", "/nowhere/x.toml"}).find("/nowhere/x.toml"),
              std::string::npos);
    const auto file = write("c.toml", "wrokers = 3\n");
    EXPECT_NE(usage_error({"--config", file.string()}).find("wrokers"), std::string::npos);
    variables = {{"OUTRIDER_WORKERS", "-1"}};
    EXPECT_NE(usage_error({}).find("--workers"), std::string::npos);
}

// If this failed, a server would start whose maps no client can read the names of: strings of the
// protocol are UTF-8.
TEST_F(AppTest, NamesAreUtf8) {
    EXPECT_NE(usage_error({"--map", "bad\xff=m.map"}).find("UTF-8"), std::string::npos);
    EXPECT_NE(usage_error({"--class", "c\xfe=.:10"}).find("UTF-8"), std::string::npos);
    EXPECT_EQ(options_of({"--map", "H\xc3\xb6hle=m.map"}).maps.at(0).name, "H\xc3\xb6hle");
    EXPECT_EQ(options_of({"--class", "H\xc3\xb6hle=.:10"}).classes.at(0).name, "H\xc3\xb6hle");
}

// If this failed, a reload that meets a wrong file would fill the memory, and hear no signal.
TEST_F(AppTest, AConfigurationFileIsNoLargerThanAnyNeeds) {
    const auto of_bytes = [&](std::size_t bytes) {
        std::string text = "workers = 7\n";
        text.append(bytes - text.size(), '\n');
        return write("c.toml", text).string();
    };
    EXPECT_EQ(options_of({"--config", of_bytes(kSmallFileBytesMax - 1)}).engine.workers, 7U);
    EXPECT_EQ(options_of({"--config", of_bytes(kSmallFileBytesMax)}).engine.workers, 7U);
    const std::string error = usage_error({"--config", of_bytes(kSmallFileBytesMax + 1)});
    EXPECT_NE(error.find("is larger than 1048576 bytes"), std::string::npos) << error;
}

// If this failed, packagers' scripts that ask for help or the version would see a failure.
TEST_F(AppTest, HelpAndVersionEndWithSuccess) {
    for (const char* flag : {"--help", "--version"}) {
        const auto parsed = parse({flag});
        ASSERT_FALSE(parsed.has_value());
        EXPECT_EQ(parsed.error().code, 0);
        EXPECT_NE(parsed.error().text.find("outrider"), std::string::npos);
    }
    EXPECT_NE(parse({"--help"}).error().text.find("--config"), std::string::npos);
}

// If this failed, a relative map file would be looked for in the wrong directory.
TEST_F(AppTest, DataDirIsTheBaseOfRelativeMapFiles) {
    const Options options = options_of({"--data-dir", "/maps", "--map", "a=a.map", "--map",
                                        "b=/else/b.map", "--listen", "[::1]:0"});
    EXPECT_EQ(options.maps[0].file, "/maps/a.map");
    EXPECT_EQ(options.maps[1].file, "/else/b.map");
    EXPECT_EQ(options.net.host, "::1");
}

// If this failed, an operator would hear of a closed data directory from the first admin who loads
// a map, or a configuration could not be checked on another machine.
TEST_F(AppTest, ADataDirectoryIsLookedAtByTheStartAlone) {
    EXPECT_EQ(options_of({"--data-dir", "/nowhere"}).data_dir, "/nowhere");
    EXPECT_TRUE(check_data_dir({}).has_value());
    const auto closed = std::filesystem::path(testing::TempDir()) / "outrider-app-test-closed";
    std::filesystem::create_directories(closed);
    EXPECT_TRUE(check_data_dir(closed).has_value());
    std::filesystem::permissions(closed, std::filesystem::perms::none);
    const auto look_as_nobody = [&closed] {
        // Root may look into anything. Who is not root cannot become somebody else, and need not.
        constexpr uid_t kNobody = 65534;
        (void)!::setuid(kNobody);
        const auto refused = check_data_dir(closed);
        std::fputs(refused ? "let in" : refused.error().message.c_str(), stderr);
        std::_Exit(refused ? 0 : 1);
    };
    EXPECT_EXIT(look_as_nobody(), testing::ExitedWithCode(1),
                "--data-dir .*-closed: Permission denied; give a directory");
    std::filesystem::remove(closed);
}

// If this failed, a class from the command line would cross what it must not.
TEST(ParseClass, ReadsEveryPart) {
    const auto boat =
        parse_class("boat=W:10,.:0,T:255;directions=4;corner=one;footprint=3;team=63");
    ASSERT_TRUE(boat.has_value()) << boat.error().message;
    EXPECT_EQ(boat->name, "boat");
    EXPECT_EQ(boat->weights['W'], 10);
    EXPECT_EQ(boat->weights['T'], 255);
    EXPECT_EQ(boat->weights['.'], 0);
    EXPECT_EQ(boat->directions, model::Directions::kFour);
    EXPECT_EQ(boat->corner_rule, model::CornerRule::kOneOpen);
    EXPECT_EQ(boat->footprint, 3);
    EXPECT_EQ(boat->team, 63);
    for (const char* bad :
         {"", "=.:10", "boat", "boat=", "boat=W", "boat=W:", "boat=W:256", "boat=W:-1", "boat=W:1x",
          "boat=W:10,", "boat=W:10;", "boat=W:10;footprint=0", "boat=W:10;footprint=9",
          "boat=W:10;team=64", "boat=W:10;corner=all", "boat=W:10;directions=6",
          "boat=W:10;wings=2"}) {
        EXPECT_FALSE(parse_class(bad).has_value()) << bad;
    }
}

// If this failed, an operator would have to guess which word of which file is wrong.
TEST_F(AppTest, MessagesNameTheFileAndTheChoices) {
    const auto file = write(".toml", "nonsense = 3\n").string();
    const std::string unknown = usage_error({"--config", file});
    EXPECT_NE(unknown.find(file), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("\"nonsense\""), std::string::npos) << unknown;
    const std::string level = usage_error({"--log-level", "loud"});
    EXPECT_NE(level.find("\"loud\" is none of trace, debug, info"), std::string::npos) << level;
    EXPECT_EQ(options_of({"--log-level", "WARN"}).log.level, telemetry::Level::kWarning);
    EXPECT_NE(usage_error({"--log-format", "xml"}).find("text, json"), std::string::npos);
}

// If this failed, a compose file that passes on an unset variable would stop the server.
TEST_F(AppTest, AnEmptyVariableCountsAsNone) {
    variables["OUTRIDER_WORKERS"] = "";
    variables["OUTRIDER_MAP"] = "";
    EXPECT_TRUE(options_of({}).maps.empty());
}

// If this failed, a server would start that no client can greet, or that tells another limit.
TEST_F(AppTest, LimitsThatCannotWorkAreWrongUsage) {
    EXPECT_EQ(options_of({"--frame-bytes-max", "4096"}).net.frame_bytes_max, 4096U);
    EXPECT_EQ(options_of({"--frame-bytes-max", "1073741824"}).net.frame_bytes_max, 1U << 30U);
    (void)usage_error({"--frame-bytes-max", "4095"});
    (void)usage_error({"--frame-bytes-max", "1073741825"});
    EXPECT_EQ(options_of({"--snapshots-per-map-max", "2"}).engine.snapshots_per_map_max, 2U);
    (void)usage_error({"--snapshots-per-map-max", "1"});
}

// If this failed, an operator's rates would bind another role, or none.
TEST_F(AppTest, RatesAreSetByRole) {
    const auto rates_of = [](const Options& options, net::Role role) {
        return options.net.access.rates_of(role);
    };
    const Options options =
        options_of({"--player-requests-per-second", "1", "--player-work-per-second", "2",
                    "--builder-requests-per-second", "3", "--builder-work-per-second", "4",
                    "--builder-edits-per-second", "1000000000", "--rate-burst-ms", "6",
                    "--connections-per-address-max", "0", "--count-loopback", "--insecure-public"});
    EXPECT_EQ(rates_of(options, net::Role::kPlayer).requests_per_second, 1U);
    EXPECT_EQ(rates_of(options, net::Role::kPlayer).work_per_second, 2U);
    EXPECT_EQ(rates_of(options, net::Role::kBuilder).requests_per_second, 3U);
    EXPECT_EQ(rates_of(options, net::Role::kBuilder).work_per_second, 4U);
    EXPECT_EQ(rates_of(options, net::Role::kBuilder).edits_per_second, net::kRateMax);
    EXPECT_EQ(rates_of(options, net::Role::kAdmin).requests_per_second, 0U);
    EXPECT_EQ(options.net.access.rate_burst, std::chrono::milliseconds(6));
    EXPECT_EQ(options.net.access.connections_per_address_max, 0U);
    EXPECT_TRUE(options.net.access.count_loopback);
    EXPECT_TRUE(options.net.insecure_public);
    EXPECT_FALSE(options_of({}).net.insecure_public);
    variables["OUTRIDER_INSECURE_PUBLIC"] = "true";  // as the image says
    EXPECT_TRUE(options_of({}).net.insecure_public);
    (void)usage_error({"--builder-edits-per-second", "1000000001"});
    (void)usage_error({"--rate-burst-ms", "0"});
}

// If this failed, a server would start in the clear though half of its TLS was set, or not say what
// is missing.
TEST_F(AppTest, TlsOptionsStandTogether) {
    const Options options =
        options_of({"--tls-cert", "a.pem", "--tls-key", "b.pem", "--tls-client-ca", "c.pem"});
    EXPECT_EQ(options.tls.certificate, "a.pem");
    EXPECT_EQ(options.tls.key, "b.pem");
    EXPECT_EQ(options.tls.client_ca, "c.pem");
    variables = {{"OUTRIDER_TLS_CERT", "v.pem"}, {"OUTRIDER_TLS_KEY", "w.pem"}};
    EXPECT_EQ(options_of({}).tls.certificate, "v.pem");
    variables.clear();
    const auto file = write("c.toml", "tls-cert = \"f.pem\"\ntls-key = \"g.pem\"\n");
    EXPECT_EQ(options_of({"--config", file.string()}).tls.key, "g.pem");
    EXPECT_NE(usage_error({"--tls-cert", "a"}).find("--tls-key"), std::string::npos);
    EXPECT_NE(usage_error({"--tls-key", "a"}).find("--tls-cert"), std::string::npos);
    EXPECT_NE(usage_error({"--tls-client-ca", "a"}).find("--tls-cert"), std::string::npos);
}

// If this failed, a device named by mistake for a key would be read until the memory is gone, or a
// wrong file not be named.
TEST_F(AppTest, TlsFilesAreNamedAndBounded) {
    const std::string empty = write("e.pem", "").string();
    const auto error_of = [](const TlsFiles& files) {
        const auto read = read_tls(files);
        EXPECT_FALSE(read.has_value());
        return read ? std::string() : read.error().message;
    };
    EXPECT_NE(error_of({"/nowhere/c.pem", empty, {}}).find("/nowhere/c.pem"), std::string::npos);
    EXPECT_NE(error_of({empty, "/dev/zero", {}}).find("/dev/zero"), std::string::npos);
    EXPECT_NE(error_of({empty, empty, empty}).find("--tls-client-ca"), std::string::npos);
    EXPECT_NE(error_of({empty, empty, {}}).find(empty), std::string::npos);
    EXPECT_EQ(read_tls({}).value().context, nullptr);
}

// If this failed, a reload could not tell what has changed, and a list of what reloads would name
// options that do not exist.
TEST_F(AppTest, EveryOptionHasAText) {
    const Options plain = options_of({});
    const Options given = options_of({"--workers", "77", "--log-level", "info", "--map", "a=b",
                                      "--map", "c=d", "--insecure-public"});
    EXPECT_EQ(given.texts.at("workers"), "77");
    EXPECT_NE(plain.texts.at("workers"), "77");
    EXPECT_EQ(given.texts.at("map"), "a=b|c=d");
    EXPECT_EQ(given.texts.at("log-level"), plain.texts.at("log-level")) << "the default, spelt out";
    EXPECT_NE(given.texts.at("insecure-public"), plain.texts.at("insecure-public"));
    EXPECT_EQ(given.texts.at("idle-timeout-ms"), "60000");
    for (const std::string_view name : reloadable_options()) {
        EXPECT_TRUE(plain.texts.contains(std::string(name))) << name;
    }
}

// If this failed, an operator could neither turn the log of slow requests off nor make it finer.
TEST_F(AppTest, SlowRequestsAreToldFromASecondUnlessToldOtherwise) {
    using std::chrono::milliseconds;
    EXPECT_EQ(options_of({}).engine.slow_request, milliseconds(1000));
    EXPECT_EQ(options_of({"--slow-request-ms", "0"}).engine.slow_request, milliseconds(0));
    EXPECT_EQ(options_of({"--slow-request-ms", "1"}).engine.slow_request, milliseconds(1));
    EXPECT_NE(usage_error({"--slow-request-ms", "-1"}).find("--slow-request-ms"),
              std::string::npos);
    variables["OUTRIDER_SLOW_REQUEST_MS"] = "50";
    EXPECT_EQ(options_of({}).engine.slow_request, milliseconds(50));
}

}  // namespace
}  // namespace outrider::app
