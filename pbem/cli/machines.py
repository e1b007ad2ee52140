"""Games the machine plays: whole campaigns by bots, and many of them in search of faults."""

import json as notation
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import typer

import games as shelf
from engine.asks import Ask
from engine.bots import BOTS, Bot
from engine.bots import play as play_out
from engine.campaign import Campaign
from engine.fuzz import fuzz as search
from engine.table import Table
from pbem.cli.terminal import NOT_ALL, chosen_game, new_file, progress, say
from pbem.wording.situation import headline


def players(said: str, sides: Sequence[str], seed: int) -> dict[str, Bot]:
    """A bot for every side, all alike or each as named. Raises BadParameter."""
    kinds = dict.fromkeys(sides, said)
    if "=" in said:
        kinds = dict(pair.partition("=")[::2] for pair in said.replace(" ", "").split(","))
    if set(kinds) != set(sides):
        raise typer.BadParameter(f"{said!r} does not name a bot for each of {', '.join(sides)}")
    unknown = [kind for kind in kinds.values() if kind not in BOTS]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is no bot; there are {', '.join(BOTS)}")
    return {side: BOTS[kinds[side]](seed + number) for number, side in enumerate(sides)}


def play(
    game: str,
    log: Path,
    bots: str = "sensible",
    seed: int = 1,
    scenario: str = "",
    option: list[str] | None = None,
    turns: int | None = None,
) -> None:
    """Let bots play a whole campaign, and write its log.

    Example: pbem play GAME --bots sensible --seed 7 --log bots.jsonl
    Example: pbem play GAME --bots SIDE=sensible,SIDE=random --log mixed.jsonl
    """
    played = chosen_game(game, scenario, option)
    seated = players(bots, played.setting.chairs, seed)
    new_file(log)
    campaign = Campaign.new(None, played, seed=seed)
    last = turns or shelf.title(game).scenario(played.scenario).turns
    with progress("playing") as bar:

        def watch(table: Table, ask: Ask) -> Ask:
            bar(table.position.turn, last)
            return ask

        play_out(played, seated, campaign=campaign, turns=turns, watch=watch)
    campaign.save(log)
    say(f"{played.title}, scenario {played.scenario}: {headline(played, campaign.position)}.")
    say(f"{campaign.count} lines in {log}.")


def fuzz(
    game: str,
    number: int = 20,
    seed: int = 1,
    bots: Literal["random", "sensible"] = "random",
    scenario: str = "",
    option: list[str] | None = None,
    workers: int = 0,
    json: bool = False,
) -> None:
    """Play many whole games by bots and report crashes, dead ends, endless games, broken invariants.

    Exit status 1 if there is any fault.

    Example: pbem fuzz GAME --games 100 --seed 1 --json
    """
    played = chosen_game(game, scenario, option)
    factory = partial(shelf.find_game, played.rulebook, played.scenario, dict(played.options))
    with progress("playing") as bar:
        report = search(factory, number, seed, bots, min(number, workers or os.cpu_count() or 1), bar)
    found = report.to_json()
    if json:
        say(notation.dumps(found))
    else:
        for fault in found["faults"]:
            say(f"{fault['kind']}, seed {fault['seed']}, at {fault['at']}: {fault['what']}")
            for frame in fault["where"]:
                say(f"  {frame}")
        for result, count in found["results"].items():
            say(f"{count} x {result}")
        for turn, mean in found["scores"].items():
            score = ", ".join(f"{side} {points:.1f}" for side, points in mean.items() if side != "games")
            say(f"after turn {turn}: {score} ({mean['games']} games)")
        won = ", ".join(f"{side} {count}" for side, count in found["winners"].items())
        rate = f"{found['games_per_minute']:.0f} games a minute"
        say(f"{game}: {number} games, {len(found['faults'])} faults, {rate}; won by {won}.")
    if found["faults"]:
        raise typer.Exit(NOT_ALL)
