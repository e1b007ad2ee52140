#!/bin/sh
# Plays every campaign named in README.md again: after a rules fix that changes them, in the fix's own commit.
set -e
cd "$(dirname "$0")/../.."
grep '^pbem play' tests/campaigns/README.md | while read -r pbem order; do
    log=${order##*--log }
    rm -f "$log"
    echo "$log"
    eval ".venv/bin/$pbem $order" >/dev/null </dev/null
    rm -f "$log".checkpoint "$log".drawer "$log".head "$log".secret   # a finished log carries its secret itself
done
