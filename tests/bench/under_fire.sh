# Verbs of dev.sh that put a server under fire; sourced by it, and using its functions.
# shellcheck shell=bash disable=SC2154

# OUTRIDER_SOAK_MAP=FILE takes another map than the sample: from 128 x 128 cells on with landmarks.
# A small cache is full when the warm-up is over, so that a leak shows and the cache does not.
soak() {
    local minutes="${1:-}"
    [[ "$minutes" =~ ^[0-9]+([.][0-9]+)?$ ]] || usage_error "soak needs minutes: soak MINUTES"
    build_programs
    start_server "${OUTRIDER_SOAK_MAP:-$sample_map}" --cache-bytes-max 4000000 --log-level error
    say "soaking the server on $server_address for $minutes minutes"
    local status=0
    build/programs/bin/outrider soak --server "$server_address" --map march --pid "$server_pid" \
        --minutes "$minutes" --json "${@:2}" || status=$?
    stop_server || die "the server did not stop cleanly"
    return "$status"
}

bench_hostile() {
    build_programs
    start_server "$sample_map" --log-level error
    local status=0
    build/programs/bin/outrider hostile --server "$server_address" --map march \
        --hostile 1000 --honest 100 --json "$@" || status=$?
    stop_server || die "the server did not stop cleanly"
    return "$status"
}

bench_overload() {
    build_programs
    tests/bench/overload.py build/programs/bin/outrider-server build/programs/bin/outrider "$@"
}

sbom() {
    [[ $# -gt 0 ]] || set -- runtime
    need "$@"
    deploy/make_sbom.py --sections "$@"
}
