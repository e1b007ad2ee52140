#!/usr/bin/env bash
# A campaign by mail before your eyes: two bots, two mailboxes, the daemon between them. `make demo` runs it.
set -euo pipefail
mkdir -p demo-out
folder=$(mktemp -d "$PWD/demo-out/$(date +%Y%m%d-%H%M%S)-XXXX")
exec python -m pbem.demo korsun_spi --turns 2 --out "$folder"
