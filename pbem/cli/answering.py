"""How an answer to orders is shown: what was understood, what happened, what is asked next of whom."""

from __future__ import annotations

from engine.asks import Ask
from engine.campaign import Campaign
from engine.game import Game
from engine.referee import LineReply, Reply
from engine.refusals import Refusal
from pbem.cli.desk import say
from pbem.words import told

MOST = 40  # options shown unless all are wanted

_STATES = {
    "done": "done",
    "read": "understood, not done",
    "returned": "not done",
    "kept": "waits in the drawer",
    "passed over": "passed over",
}


def show_reply(game: Game, reply: Reply, *, dry: bool = False) -> None:
    """Line by line what became of the orders, then what happened."""
    for line in sorted(reply.lines, key=lambda line: line.number):
        say(_line(line, dry))
        if line.refusal is not None:
            say(f"      {refusal_sentence(line.refusal)}")
    if reply.stopped and reply.stopped != "refused":
        say(f"It goes no further here: {reply.stopped}.")
    if reply.items:
        say()
        say("What would happen:" if dry else "What happened:")
        for sentence in told(game, reply.items):
            say(f"  {sentence}")
    elif not dry:
        say("Nothing was carried out.")


def _line(line: LineReply, dry: bool) -> str:
    number = f"{line.number:>3}" if line.number else "  +"
    state = line.refusal.family if line.refusal is not None else _STATES.get(line.state, line.state)
    state = "legal" if dry and state == "done" else state
    said = f"{number} {line.text}  [{state}]"
    if line.understood and " ".join(line.understood.split()) != " ".join(line.text.split()):
        said += f" = {line.understood}"
    return said


def refusal_sentence(refusal: Refusal) -> str:
    """The refusal in words; the family stands before it already."""
    return " ".join(refusal.sentence().split())


def show_asks(campaign: Campaign) -> None:
    """Who must say what now."""
    if not campaign.asks:
        say("Nothing is asked of anybody: the game is over.")
    for ask in campaign.asks:
        say(f"Asked of {ask.side}: {ask_words(ask)}")


def ask_words(ask: Ask) -> str:
    """A question in words, with its case."""
    return f"{ask.prompt}{f' (case {ask.case})' if ask.case else ''}"


def show_ask(ask: Ask, so_far: str, everything: bool) -> None:
    """A question with its options and the orders that answer it."""
    say(f"Asked of {ask.side}: {ask_words(ask)}")
    say(f"  key: {ask.key}")
    say(f"  by default: {ask.default().line()}")
    for verb in ask.verbs:
        say(f"  write: {verb.shape.printed(verb.usage)}" + (f"   ({verb.about})" if verb.about else ""))
    options = ask.options(so_far)
    if not options:
        say(f"  nothing goes on from {so_far!r}" if so_far else "  there is no option")
        return
    lines = [option.line + (" ..." if option.more else "") for option in options]
    say(f"  options after {so_far!r}:" if so_far else "  options:")
    shown = lines if everything else lines[:MOST]
    for line in shown:
        say(f"    {line}")
    if len(shown) < len(lines):
        say(f"    and {len(lines) - len(shown)} more (--all shows them)")
    if any(option.more for option in options):
        first = next(option.line for option in options if option.more)
        say(f'  "..." can go on: add --more "{first}"')
