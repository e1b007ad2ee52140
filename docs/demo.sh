#!/usr/bin/env bash
# A short campaign before your eyes: a person's first orders, then bots, then the proof. `make demo` runs it.
set -euo pipefail
mkdir -p demo-out
folder=$(mktemp -d demo-out/$(date +%Y%m%d-%H%M%S)-XXX)
cd "$folder"

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}
