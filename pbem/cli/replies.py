"""How an answer to orders is shown: what was understood, what happened, what is asked next of whom."""

from engine.asks import Ask
from engine.campaign import Campaign
from engine.game import Game
from engine.log.lines import readable_by
from engine.referee import Reply
from pbem.cli.terminal import say
from pbem.wording.rulings import MOST, going_on, notes, told_lines
from pbem.wording.words import SUPPOSED, told

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
        for sentence in told(game, [item for item in reply.items if readable_by(item.audience, reply.side)]):
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
