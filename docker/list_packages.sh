#!/bin/sh
# Prints the packages of the named sections of packages.txt, one a line.
# usage: list_packages.sh SECTION...
set -eu
list="$(dirname "$0")/packages.txt"
for section in "$@"; do
    grep -qxF "[$section]" "$list" || {
        echo "list_packages.sh: no section [$section] in $list" >&2
        exit 2
    }
    awk -v section="[$section]" '
        /^\[/ { inside = ($1 == section); next }
        inside && NF && $1 !~ /^#/ { print $1 }' "$list"
done
