#!/usr/bin/env bash
# The one front door for people who work on Outrider. `./dev.sh help` lists the verbs.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$root"
self="$root/dev.sh"
jobs="$(nproc)"
sample_map="client-sample/maps/march.map"

say() { printf '\n==> %s\n' "$*" >&2; }
die() {
    printf 'dev.sh: %s\n' "$*" >&2
    exit 1
}
usage_error() {
    printf 'dev.sh: %s\n' "$*" >&2
    exit 2
}
have() { command -v "$1" >/dev/null 2>&1; }

help() {
    cat <<'TEXT'
usage: ./dev.sh VERB [ARGUMENT]...

  demo                 build, start a server, send an army across its map, show it, stop
  pictures [DIRECTORY] a field, a reach and an explained search of the sample map: printed as text
                       and written as PNG files (default: build/pictures)
  run [ARGUMENT]...    build and run outrider-server; without --map or --config on a sample map
  test [CTEST-ARG]...  build and run the whole test suite
  check                the fast subset: unit and tidy tests, and every door header on its own
  full                 everything: long random tests, sanitizers, clang, Debug, fuzzing, image
  million [NUMBER]     a million random questions to every kernel, edits in between, against the
                       oracle; a million random edits, after each the regions against a flood fill;
                       a million steps of edits, questions and followed units on an engine with
                       everything on, against a map made from nothing; a million requests of
                       simulated clients that come, go, cancel and hurry; one process a core
  preset NAME [CTEST-ARG]...
                       build and test one preset: dev, debug, release, asan, tsan, clang
  fmt [--check]        format the C++ files, or only say which are not
  tidy [FILE]...       clang-tidy over all C++ sources, or over those named
  fuzz NAME SECONDS    build and run one libFuzzer target; `fuzz list` names them
  bench [NAME [ARG]...]
                       build and run the benchmarks: search, instructions, field, sight,
                       engine, slices, fairness, net, map or all (`bench search --help`); or under
                       fire: overload (three times a server's capacity), hostile (1,000 peers)
  soak MINUTES [ARG]... a server with everything at once, every answer checked; fails on any trend
                       of memory, descriptors, threads or latency (arguments go to `outrider soak`)
  sbom [SECTION]...    what the server is made of, as SPDX JSON (see deploy/README.md)
  image [TAG]          build the container image with docker, or with buildah where no engine is
  image-test [TAG]     run the built image's server and ask it for a path
  packages SECTION...  install those sections of docker/packages.txt

Each verb installs the Debian or Ubuntu packages it needs and does not find. OUTRIDER_NO_INSTALL=1
turns that off. OUTRIDER_TEST_SCALE=N multiplies the rounds of random tests, OUTRIDER_TEST_SEED=N
replays one run.
TEXT
}

# --- packages

is_installed() {
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

as_root() {
    if [[ "$(id -u)" == 0 ]]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        die "cannot install packages: not root and no sudo. As root: $*"
    fi
}

# need SECTION...: afterwards every package of the sections is there, or the script has ended with
# a message that says what to do.
need() {
    if ! have dpkg-query; then
        say "no dpkg here: trusting that the packages of docker/packages.txt are installed"
        return
    fi
    local wanted missing=() package
    wanted="$(docker/list_packages.sh "$@")" || exit
    for package in $wanted; do
        is_installed "$package" || missing+=("$package")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    [[ -z "${OUTRIDER_NO_INSTALL:-}" ]] ||
        die "missing packages: ${missing[*]}. Install them, or unset OUTRIDER_NO_INSTALL."
    say "installing ${missing[*]}"
    as_root apt-get update -q ||
        die "apt-get update failed: no package index, so these cannot be installed: ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}" </dev/null ||
        die "apt-get could not install: ${missing[*]}. Without them this verb cannot run."
}

# --- building

# configure PRESET [CMAKE-ARG]...
configure() {
    local preset="$1" launcher=()
    shift
    if have ccache; then
        launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    cmake --preset "$preset" "${launcher[@]}" \
        ${OUTRIDER_WERROR:+-DOUTRIDER_WERROR="$OUTRIDER_WERROR"} "$@"
}

build_preset() {
    say "building preset $1"
    configure "$1"
    cmake --build --preset "$1" --parallel "$jobs"
}

needs_of_preset() {
    case "$1" in
        dev | debug | release | asan | tsan) need build test ;;
        clang | fuzz) need build test clang ;;
        bench) need build bench ;;
        *) usage_error "no preset '$1': one of dev, debug, release, asan, tsan, clang" ;;
    esac
}

# test_preset PRESET [CTEST-ARG]...
test_preset() {
    local preset="$1"
    shift
    needs_of_preset "$preset"
    build_preset "$preset"
    say "testing preset $preset"
    ctest --preset "$preset" --parallel "$jobs" "$@"
}

# build_programs: server and client without tests, as they are shipped.
build_programs() {
    need build
    say "building outrider-server and outrider"
    configure release -B build/programs -DOUTRIDER_TESTS=OFF
    cmake --build build/programs --parallel "$jobs" --target outrider_programs
}

# --- verbs: programs

server_pid=""
scratch=""

stop_server() {
    [[ -n "$server_pid" ]] || return 0
    kill -TERM "$server_pid" 2>/dev/null || true
    local status=0
    wait "$server_pid" || status=$?
    server_pid=""
    return "$status"
}

clean_up() {
    stop_server || true
    [[ -z "$scratch" ]] || rm -rf "$scratch"
}

# start_server MAP [ARG]...: leaves its address in server_address.
start_server() {
    scratch="$(mktemp -d)"
    trap clean_up EXIT
    build/programs/bin/outrider-server --listen 127.0.0.1:0 --map "march=$1" "${@:2}" \
        >"$scratch/out" 2>"$scratch/log" </dev/null &
    server_pid=$!
    local tries
    for ((tries = 0; tries < 200; tries++)); do
        server_address="$(sed -n 's/^listening on //p' "$scratch/out")"
        [[ -z "$server_address" ]] || return 0
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.05
    done
    cat "$scratch/log" >&2
    die "the server did not start; its log stands above"
}

demo() {
    build_programs
    start_server "$sample_map"
    say "a server listens on $server_address; the army marches"
    build/programs/bin/outrider demo --server "$server_address" --map march "$@"
    stop_server || die "the server did not stop cleanly"
    say "the server answered everything and stopped"
}

pictures() {
    local directory="${1:-build/pictures}" outrider="build/programs/bin/outrider"
    build_programs
    mkdir -p "$directory"
    start_server "$sample_map"
    local at=(--server "$server_address" --map march --draw)
    say "where to step from each cell to get to 76,20"
    "$outrider" field "${at[@]}" --to 76,20 --png "$directory/field.png"
    say "what a unit reaches from 20,20 within the cost of 24 plain steps"
    "$outrider" reach "${at[@]}" --from 20,20 --budget 24 --png "$directory/reach.png"
    say "what a search from 2,24 to 97,6 looked at"
    "$outrider" path "${at[@]}" --from 2,24 --to 97,6 --explain --algorithm astar \
        --png "$directory/search.png"
    stop_server || die "the server did not stop cleanly"
    say "pictures written: $(echo "$directory"/{field,reach,search}.png)"
}

run() {
    build_programs
    local map=()
    [[ " $*" == *" --"@(map|config)* ]] || map=(--map "march=$sample_map")
    exec build/programs/bin/outrider-server "${map[@]}" "$@"
}

# --- verbs: under fire (soak, bench_hostile, bench_overload, sbom)

# shellcheck source=tests/bench/under_fire.sh
source tests/bench/under_fire.sh

# --- verbs: checks

check() {
    need build test
    build_preset dev
    say "every door header compiles on its own"
    cmake --build --preset dev --parallel "$jobs" --target all_verify_interface_header_sets
    say "unit and tidy tests"
    ctest --preset dev --parallel "$jobs" --label-regex '^(unit|tidy)$'
}

# --- verbs: million

# shellcheck source=tests/property/million.sh
source tests/property/million.sh

cpp_files() { git ls-files '*.cpp' '*.hpp'; }

fmt() {
    need clang
    if [[ "${1:-}" == --check ]]; then
        cpp_files | xargs clang-format-22 --dry-run --Werror
    else
        cpp_files | xargs clang-format-22 -i
    fi
}

tidy() {
    need build test clang
    configure clang
    # Generated headers must be there before a source that includes them can be read.
    cmake --build --preset clang --parallel "$jobs" --target outrider_proto
    local files=("$@")
    [[ $# -gt 0 ]] || mapfile -t files < <(git ls-files '*.cpp')
    local known=() file
    for file in "${files[@]}"; do
        if grep -qF "\"file\": \"$root/$file\"" build/clang/compile_commands.json; then
            known+=("$file")
        fi
    done
    [[ ${#known[@]} -gt 0 ]] || die "no such source in any target: ${files[*]}"
    say "clang-tidy over ${#known[@]} sources"
    printf '%s\0' "${known[@]}" |
        xargs -0 -n 1 -P "$jobs" clang-tidy-22 -p build/clang --quiet --warnings-as-errors='*'
}

fuzz_targets() { find tests/fuzz -name '*_fuzz.cpp' -exec basename {} .cpp \; | sort; }

fuzz() {
    local name="${1:-list}" seconds="${2:-}"
    if [[ "$name" == list ]]; then
        fuzz_targets
        return
    fi
    [[ "$seconds" =~ ^[0-9]+$ ]] || usage_error "fuzz needs a name and seconds: fuzz NAME SECONDS"
    fuzz_targets | grep -qx "$name" ||
        usage_error "no fuzz target '$name': one of $(fuzz_targets | xargs)"
    need build test clang
    configure fuzz
    cmake --build --preset fuzz --parallel "$jobs" --target "$name"
    local corpus="build/fuzz/corpus/$name" seeds=() directory="tests/fuzz/corpus/${name%_fuzz}"
    mkdir -p "$corpus"
    [[ ! -d "$directory" ]] || seeds=("$directory")
    say "fuzzing $name for $seconds s"
    "$(find build/fuzz -type f -perm -u+x -name "$name" | head -1)" \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="build/fuzz/" "$corpus" "${seeds[@]}"
}

bench() {
    local name="${1:-all}"
    case "$name" in
        overload | hostile)
            "bench_$name" "${@:2}"
            return
            ;;
        search | instructions | field | sight | engine | slices | fairness | net | map | all) ;;
        *)
            usage_error "no benchmark '$name': one of" \
                "search, instructions, field, sight, engine, slices, fairness, net, map," \
                "overload, hostile, all"
            ;;
    esac
    [[ $# -eq 0 ]] || shift
    need build bench
    configure bench
    cmake --build --preset bench --parallel "$jobs"
    local found=0 program
    while read -r program; do
        found=1
        say "$(basename "$program")"
        "$program" "$@" </dev/null
    done < <(find build/bench -type f -perm -u+x -name '*_bench' | sort |
        if [[ "$name" == all ]]; then cat; else grep "/${name}_bench$" || true; fi)
    [[ "$found" == 1 ]] || die "no benchmark program ${name}_bench was built"
}

# --- verbs: image, image_test

# shellcheck source=docker/image.sh
source docker/image.sh

# --- verbs: everything

# Each step is its own process, so that one failure does not hide the next, and so that errexit
# stays in force inside the step.
full() {
    local failed=()
    step() {
        say "full: $*"
        "$self" "$@" || failed+=("$*")
    }
    OUTRIDER_TEST_SCALE="${OUTRIDER_TEST_SCALE:-10}" step preset dev
    step preset asan
    step preset tsan
    step preset clang
    step preset debug --label-regex golden
    step million
    step tidy
    local target
    for target in $(fuzz_targets); do
        step fuzz "$target" 60
    done
    # A minute is all warm-up: what it finds are wrong answers and leftovers, not slow growth.
    step soak 1 --memory-growth-max 25 --latency-ratio-max 5
    step image
    step image-test
    [[ ${#failed[@]} == 0 ]] || die "$(printf 'failed:'; printf ' [%s]' "${failed[@]}")"
    say "full: all passed"
}

main() {
    local verb="${1:-help}"
    [[ $# -eq 0 ]] || shift
    case "$verb" in
        help | -h | --help) help ;;
        demo | pictures | run | check | full | million | fmt | tidy | fuzz) "$verb" "$@" ;;
        bench | image | sbom | soak) "$verb" "$@" ;;
        image-test) image_test "$@" ;;
        test) test_preset dev "$@" ;;
        preset) test_preset "${1:?dev.sh: preset needs a name}" "${@:2}" ;;
        packages) need "$@" ;;
        *) usage_error "no verb '$verb'; ./dev.sh help lists them" ;;
    esac
}

main "$@"
