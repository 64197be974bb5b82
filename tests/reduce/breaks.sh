#!/bin/sh
# Whether the module in file $1 still gives the error $BROKEN, by the options in its first line.
# An interestingness test for reducers: docs/debugging.md.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
file=$(realpath "$1") || exit 2
cd "$work" || exit 2
timeout "${SECONDS_AT_MOST:-60}" tamale-opt "$file" --run-reproducer 2>&1 | grep -q "$BROKEN"
