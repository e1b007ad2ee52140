"""A game on this machine: begun, orders given, the referee asked, lines taken back."""

from pathlib import Path
from typing import Literal

import typer

from engine.asks import Ask
from engine.campaign import Campaign
from engine.game import Game
from engine.log.lines import readable_by
from engine.referee import Reply
from pbem.cli.terminal import NOT_ALL, CannotDo, chosen_game, named_side, new_file, now, open_log, read_orders, say
from pbem.wording.option_values import shown_options
from pbem.wording.rulings import MOST, forecast_lines, forecast_of, going_on, notes, prospect_lines, told_lines
from pbem.wording.situation import headline
from pbem.wording.words import SUPPOSED, told


def new(
    game: str,
    log: Path,
    scenario: str = "",
    option: list[str] | None = None,
    pace: Literal["brisk", "careful"] = "brisk",
    seed: int | None = None,
) -> None:
    """Start a game on this machine, with its log in a new file.

    Its secret lies beside the log: whoever can read that file can foresee the dice.

    Example: pbem new GAME --log first.jsonl
    """
    played = chosen_game(game, scenario, option)
    campaign = Campaign.new(new_file(log), played, seed=seed, at=now(), pace=pace)
    chosen = shown_options(played.options)
    say(f"{played.title}, scenario {played.scenario}: the log is {log}." + (f" Options: {chosen}." if chosen else ""))
    say("The secret of its dice lies beside it; in a local game that proves nothing against its owner.")
    show_asks(campaign)


def order(orders: str, log: Path, side: str, skip: bool = False) -> None:
    """Play a side's orders into the game, and say line by line what became of them.

    Until a die is cast or somebody else is asked, it is all or nothing. Exit status 1 if anything came back.

    Example: pbem order --log first.jsonl --side soviet orders.txt
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    reply = campaign.submit(speaker, read_orders(orders), skip=skip, at=now())
    show_reply(campaign.game, reply)
    say()
    where = headline(campaign.game, campaign.position)
    say(f"Now: {where}. Line {campaign.count - 1}, head {campaign.head[:16]}.")
    show_asks(campaign, reply.side)
    if _came_back(reply):
        raise typer.Exit(NOT_ALL)


def check(orders: str, log: Path, side: str) -> None:
    """Try orders out without doing anything: as far as the first die or somebody else's say.

    Example: pbem check --log first.jsonl --side soviet orders.txt
    """
    campaign = open_log(log)
    reply = campaign.rehearse(named_side(campaign.game, side), read_orders(orders))
    show_reply(campaign.game, reply, dry=True)
    say("Nothing was changed.")
    if _came_back(reply):
        raise typer.Exit(NOT_ALL)


def stand(log: Path, side: str, line: str = "") -> None:
    """Leave a standing order, an answer to what may be asked while others play; without one, say what will be answered.

    Example: pbem stand --log first.jsonl --side german "when loss: retreat"
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    if line:
        campaign.stand(speaker, line)
    say(f"Standing orders of {speaker}:")
    for standing in campaign.drawer.standing.get(speaker, []):
        say(f"  {standing.line()}")
    say(f"What will be answered for {speaker}; the pace is {campaign.drawer.pace}:")
    for prospect in prospect_lines(campaign.drawer, campaign.referee.table.seen_by(speaker), speaker):
        say(f"  {prospect}")


def _came_back(reply: Reply) -> bool:
    return any(line.state in ("refused", "returned") for line in reply.lines)


def ask(log: Path, side: str = "", more: str = "", everything: bool = False) -> None:
    """Say who must say what now, with the options and how to write them.

    Example: pbem ask --log first.jsonl --more "move RD6"
    """
    campaign = open_log(log)
    only = named_side(campaign.game, side) if side else ""
    say(f"{campaign.game.title}: {headline(campaign.game, campaign.position)}.")
    asks = [ask for ask in campaign.asks if only in ("", ask.side)]
    if not asks:
        say(f"Nothing is asked of {only or 'anybody'} now.")
    if not only and any(secretive(campaign, one) for one in asks):
        show_asks(campaign)
        return
    for one in asks:
        show_ask(one, more, everything)


def forecast(log: Path, side: str, line: str) -> None:
    """Show the exact chances of an attack, every modifier with its case.

    Example: pbem forecast --log first.jsonl --side german "attack 2708 with 72, 112"
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    seen = campaign.referee.table.seen_by(speaker)
    order = campaign.game.book.read(line, seen.reading(speaker))
    mine = next((ask for ask in campaign.asks if ask.side == speaker), None)
    found = forecast_of(seen, mine, speaker, order)
    say("\n".join([found.title, *forecast_lines(found)]))


def undo(log: Path, line: int, side: str = "", moderator: bool = False) -> None:
    """Go back to the end of a line; nothing is deleted, the log gains a line that says so.

    Never past a die, somebody else's answer or something revealed, unless the moderator does it.

    Example: pbem undo --log first.jsonl --line 4 --side soviet
    """
    campaign = open_log(log)
    if not side and not moderator:
        raise CannotDo("say who takes back: --side SIDE or --moderator")
    if not 0 <= line < campaign.count - 1:
        raise CannotDo(f"line {line} is not before the last line, which is {campaign.count - 1}")
    by = "moderator" if moderator else named_side(campaign.game, side)
    reply = campaign.undo(line, by=by, at=now())
    say(f"Back at the end of line {line}: {headline(campaign.game, campaign.position)}.")
    for owner, lines in reply.taken_out.items():
        for text in lines:
            say(f"Handed back to {owner}: {text}")
    show_asks(campaign)


def withdraw(log: Path, side: str) -> None:
    """Take a side's waiting lines out of its drawer.

    Example: pbem withdraw --log first.jsonl --side soviet
    """
    campaign = open_log(log)
    speaker = named_side(campaign.game, side)
    taken = campaign.withdraw(speaker)
    say(f"{len(taken)} lines of {speaker} withdrawn." if taken else f"Nothing of {speaker} was waiting.")
    for text in taken:
        say(f"  {text}")


WIDTH = 100


def show_reply(game: Game, reply: Reply, *, dry: bool = False) -> None:
    """Line by line what became of the orders, then what happened, as far as who gave them may know it."""
    for line in told_lines(reply.lines, dry=dry):
        say(line)
    if reply.stopped and reply.stopped != "refused":
        say(f"It goes no further here: {reply.stopped}.")
    if reply.supposed:
        say(SUPPOSED)
    for note in notes(reply):
        say(note)
    if reply.items:
        say()
        say("What would happen:" if dry else "What happened:")
        known = [item for item in reply.items if readable_by(item.audience, reply.side)]
        for sentence in told(game, known, reply.side):
            say(f"  {sentence}")
    elif not dry:
        sealed = any(line.state == "sealed" for line in reply.lines)
        say("Your answer is taken down, and nobody else has seen it." if sealed else "Nothing was carried out.")


def show_asks(campaign: Campaign, reader: str = "") -> None:
    """Who must say what now; what nobody else may know of it is told to its reader alone."""
    if not campaign.asks:
        say("Nothing is asked of anybody: the game is over.")
    for ask in campaign.asks:
        if campaign.drawer.sealed(ask.key) is not None:
            continue
        if ask.side == reader or not secretive(campaign, ask):
            say(f"Asked of {ask.side}: {ask_words(ask)}")
        else:
            say(f"Waiting for {ask.side}: `pbem ask --side {ask.side}` shows what is asked.")


def secretive(campaign: Campaign, ask: Ask) -> bool:
    """Whether a question, or what may be answered, could show the other side something."""
    return ask.hidden or bool(campaign.position.views)


def ask_words(ask: Ask) -> str:
    """A question in words, with its case."""
    return f"{ask.prompt}{f' (case {ask.case})' if ask.case else ''}"


def show_ask(ask: Ask, begun: str, everything: bool) -> None:
    """A question with the orders that answer it and its choices, or how a line begun goes on."""
    say(f"Asked of {ask.side}: {ask_words(ask)}")
    if not begun:
        say(f"  key: {ask.key}")
        say(f"  by default: {ask.default().line()}")
        for verb in ask.offered:
            say(f"  write: {verb.shape.printed(verb.usage)}" + (f"   ({verb.about})" if verb.about else ""))
    lines = going_on(ask, begun, None if everything else MOST)
    if not lines:
        say(f"  nothing goes on from {begun!r}" if begun else "  there is no choice")
        return
    say(f"  choices after {begun!r}:" if begun else "  choices (--all shows every one):")
    say(in_columns(lines, 4))
    first = next((line.removesuffix(" ...") for line in lines if line.endswith(" ...")), None)
    if first is not None:
        say(f'  "..." can go on: add --more "{first}"')


def in_columns(words: list[str], indent: int) -> str:
    """Short things side by side, long ones each on a line of its own."""
    wide = max(map(len, words)) + 2
    across = max(1, (WIDTH - indent) // wide)
    rows = (words[start : start + across] for start in range(0, len(words), across))
    return "\n".join(" " * indent + "".join(f"{word:<{wide}}" for word in row).rstrip() for row in rows)
