#!/usr/bin/env bash
# A short campaign before your eyes: two people's first orders, then bots, then the proof. `make demo` runs it.
set -euo pipefail
mkdir -p demo-out
folder=$(mktemp -d "$PWD/demo-out/$(date +%Y%m%d-%H%M%S)-XXXX")
cd "$folder"

show() { # a command as it would be typed, and what it says
    printf '\n$ %s\n' "$(printf '%q ' "$@" | sed "s/\\\\ / /g; s/\\\\,/,/g")"
    "$@" | cut -c 1-160
}

orders() { # FILE, then its lines
    printf '%s\n' "${@:2}" > "$1"
    printf '\n--- %s\n' "$1"
    cat "$1"
}

printf 'Two people play the first attack of the campaign.\n'
show pbem new korsun_spi --log duel.jsonl --seed 44
orders setup.txt historical end
show pbem order --log duel.jsonl --side soviet setup.txt
show pbem order --log duel.jsonl --side german setup.txt
show pbem stand --log duel.jsonl --side german 'when loss: retreat'

orders moves.txt 'activate HQ-4Gd, HQ-2Tk, HQ-5GdTk' end 'move GTC3 to 2719' 'move GMC5 to 2617' end
show pbem check --log duel.jsonl --side soviet moves.txt
show pbem order --log duel.jsonl --side soviet moves.txt
show pbem ask --log duel.jsonl
show pbem forecast --log duel.jsonl --side soviet 'attack 2618 with RD84, GTC3, GMC5 by HQ-5GdTk'
orders attack.txt 'attack 2618 with RD84, GTC3, GMC5 by HQ-5GdTk; advance GTC3 2618' end
show pbem order --log duel.jsonl --side soviet attack.txt
show pbem log duel.jsonl --from 4
show pbem verify duel.jsonl

printf '\nNow bots play on their own, three turns of the same campaign.\n'
show pbem play korsun_spi --bots sensible --seed 7 --turns 3 --log bots.jsonl
show pbem replay bots.jsonl
show pbem verify bots.jsonl

printf '\nOne byte of that log is changed, and found:\n'
sed '3s/"unit":"\(.\)/"unit":"x\1/' bots.jsonl > forged.jsonl
cp bots.jsonl.secret forged.jsonl.secret
show pbem verify forged.jsonl || true

printf '\nThe logs are in %s\n' "$folder"
