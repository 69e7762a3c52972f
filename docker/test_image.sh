#!/usr/bin/env bash
# Runs the built image's server, asks it for a path with the image's own client, and stops it with
# SIGTERM. Uses docker where an engine answers, buildah's chroot isolation otherwise.
# usage: test_image.sh [TAG]
set -euo pipefail

tag="${1:-outrider:latest}"
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
scratch="$(mktemp -d)"
container=""
server_pid=""

fail() {
    echo "test_image.sh: $*" >&2
    cat "$scratch"/* >&2 || true
    exit 1
}

clean_up() {
    [[ -z "$server_pid" ]] || kill -KILL "$server_pid" 2>/dev/null || true
    [[ -z "$container" ]] || remove_container
    rm -rf "$scratch"
}
trap clean_up EXIT

if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    start_container() { container="$(docker create --entrypoint sleep "$tag" infinity)" &&
        docker start "$container" >/dev/null; }
    run_inside() { docker exec "$container" "$@"; }
    remove_container() { docker rm -f "$container" >/dev/null; }
    user_of_image() { docker image inspect -f '{{.Config.User}}' "$tag"; }
else
    start_container() { container="$(buildah from --pull-never "$tag")"; }
    run_inside() { buildah run "$container" -- "$@"; }
    remove_container() { buildah rm "$container" >/dev/null; }
    user_of_image() { buildah inspect --type image -f '{{.Docker.Config.User}}' "$tag"; }
fi

wait_for_address() {
    local tries
    for ((tries = 0; tries < 200; tries++)); do
        address="$(sed -n 's/^listening on //p' "$scratch/out")"
        [[ -z "$address" ]] || return 0
        sleep 0.1
    done
    fail "no 'listening on' within 20 s"
}

[[ "$(user_of_image)" =~ ^[1-9][0-9]*(:[0-9]+)?$ ]] || fail "the image runs as '$(user_of_image)'"

start_container
# As it is run without a word, it must not let everybody in.
if run_inside timeout 20 outrider-server >"$scratch/open" 2>&1; then
    fail "the image starts without tokens"
fi
grep -q -- '--token-file' "$scratch/open" || fail "the image does not say that it wants tokens"
# The inner shell tells us the server's own process, writes what it prints and passes on its status.
run_inside sh -c '
    outrider-server --listen 127.0.0.1:0 --map march=/maps/march.map & server=$!
    trap "kill -TERM $server" TERM
    echo "server process $server"
    wait $server; status=$?
    while kill -0 $server 2>/dev/null; do wait $server; status=$?; done
    echo "server ended $status"' >"$scratch/out" 2>"$scratch/log" </dev/null &
server_pid=$!
wait_for_address

run_inside outrider ping --server "$address" >"$scratch/ping" || fail "ping failed"
run_inside outrider path --server "$address" --map march --from "${OUTRIDER_FROM:-2,2}" \
    --to "${OUTRIDER_TO:-60,30}" --json >"$scratch/path" || fail "no path"
grep -q 'COMPLETE' "$scratch/path" || fail "the path is not COMPLETE"

inner="$(sed -n 's/^server process //p' "$scratch/out")"
run_inside sh -c "kill -TERM $inner" || fail "cannot signal process $inner"
wait "$server_pid" || true
server_pid=""
grep -qx 'server ended 0' "$scratch/out" || fail "SIGTERM did not end the server with status 0"
echo "image $tag: server answered a path and drained"
