"""How an answer to orders is shown: what was understood, what happened, what is asked next of whom."""

from __future__ import annotations

from engine.asks import Ask
from engine.campaign import Campaign
from engine.game import Game
from engine.referee import LineReply, Reply, in_order
from engine.refusals import Refusal
from pbem.cli.terminal import say
from pbem.wording.words import SUPPOSED, told

MOST = 60  # options shown unless all are wanted
WIDTH = 100

_STATES = {
    "done": "done",
    "read": "understood, not done",
    "returned": "not done",
    "kept": "waits in the drawer",
}


def show_reply(game: Game, reply: Reply, *, dry: bool = False) -> None:
    """Line by line what became of the orders, then what happened."""
    for line in in_order(reply.lines):
        say(_line(line, dry))
        if line.refusal is not None:
            say(f"      {refusal_sentence(line.refusal)}")
    if reply.stopped and reply.stopped != "refused":
        say(f"It goes no further here: {reply.stopped}.")
    if reply.supposed:
        say(SUPPOSED)
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
    """A question with the orders that answer it and its options, or how a line begun goes on."""
    say(f"Asked of {ask.side}: {ask_words(ask)}")
    if not so_far:
        say(f"  key: {ask.key}")
        say(f"  by default: {ask.default().line()}")
        for verb in ask.verbs:
            say(f"  write: {verb.shape.printed(verb.usage)}" + (f"   ({verb.about})" if verb.about else ""))
    options = ask.options(so_far)
    if not options:
        say(f"  nothing goes on from {so_far!r}" if so_far else "  there is no option")
        return
    say(f"  options after {so_far!r}:" if so_far else "  options:")
    shown = options if everything else options[:MOST]
    say(in_columns([option.line + (" ..." if option.more else "") for option in shown], 4))
    if len(shown) < len(options):
        say(f"    and {len(options) - len(shown)} more (--all shows them)")
    first = next((option.line for option in options if option.more), None)
    if first is not None:
        say(f'  "..." can go on: add --more "{first}"')


def in_columns(words: list[str], indent: int) -> str:
    """Short things side by side, long ones each on a line of its own."""
    wide = max(map(len, words)) + 2
    across = max(1, (WIDTH - indent) // wide)
    rows = (words[start : start + across] for start in range(0, len(words), across))
    return "\n".join(" " * indent + "".join(f"{word:<{wide}}" for word in row).rstrip() for row in rows)
