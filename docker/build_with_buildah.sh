#!/usr/bin/env bash
# Builds the image without a container engine: buildah in a chroot, on a Debian root that
# debootstrap makes once and that stands in for debian:bookworm-slim. Needs root.
# usage: build_with_buildah.sh TAG
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tag="${1:?usage: build_with_buildah.sh TAG}"
base="docker.io/library/debian:bookworm-slim"
mirror="${OUTRIDER_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs

import_base() {
    scratch="$(mktemp -d)"
    trap 'rm -rf "$scratch"' EXIT
    debootstrap --variant=minbase bookworm "$scratch/root" "$mirror" >&2
    # As in debian:bookworm-slim: later updates, no manuals.
    printf 'deb %s bookworm-updates main\n' "$mirror" >>"$scratch/root/etc/apt/sources.list"
    rm -rf "$scratch"/root/var/cache/apt/archives/*.deb "$scratch"/root/usr/share/{doc,man}/*
    local container
    container="$(buildah from scratch)"
    buildah add "$container" "$scratch/root" / >/dev/null
    buildah config --cmd /bin/bash "$container"
    buildah commit --rm "$container" "$base" >/dev/null
}

[[ "$(id -u)" == 0 ]] || {
    echo "build_with_buildah.sh: needs root, since it unpacks a Debian root" >&2
    exit 1
}
buildah inspect --type image "$base" >/dev/null 2>&1 || import_base
# Docker's own format keeps the health check, which the OCI format has no word for.
exec buildah bud --layers --pull-never --format docker --file docker/Dockerfile --tag "$tag" .
