"""What the two of a duel are told of how it goes, and of each other."""

from pbem.clock.clock_rules import length_in_words, read_rules
from pbem.clock.dues import TURN
from pbem.desk.composing import finish, letter_to
from pbem.desk.standing_of import name_of
from pbem.house import Room
from pbem.letters import Kind, Letter

SPOILT = (
    "You may write to each other with `press`. But both of you meet the same cards and dice: whoever has seen those of"
    " a turn and talks of them before the other has played it spoils the duel."
)


def rival_name(room: Room) -> str:
    """The other one of a duel, as the reader knows him."""
    rival = room.rival
    assert rival is not None
    return name_of(rival, rival.seats()[0])


def how_it_goes(room: Room) -> list[str]:
    """A duel in a few sentences, for the invitation and the help page."""
    (side,) = room.rules.setting.chairs
    return [
        f"Each of you has a game of his own and plays {side} there, against the same enemy: one secret, and the words"
        " of both, make the cards and dice of both games, turn by turn.",
        "Neither sees the other's board. When both have ended a turn, both are told how the two games stood at its end."
        " Whoever is ahead may play on.",
        "The better level of victory wins; between equals the quicker victory, or the later defeat; then the points.",
        time_line(room),
        "The secret is shown, and both logs are sent to both, when both games are over.",
        SPOILT,
    ]


def time_line(room: Room) -> str:
    """How long a turn may take, and what comes then."""
    rules = read_rules(room.game.settings)
    length = rules.span(TURN)
    if length is None:
        return "There is no deadline."
    said = f"{length:%H:%M} of your day" if hasattr(length, "hour") else length_in_words(length)
    grace = f" and {length_in_words(rules.grace)} of grace" if rules.grace else ""
    after = "the moderator decides" if rules.on_deadline == "hold" else "whoever has not ended it has lost the duel"
    return (
        f"For each turn there is {said}{grace}, from when both have ended the one before; then {after}."
        f" `wait` begins your time anew, {rules.extensions} times in a game; `absent until DATE` keeps it away for at"
        f" most {rules.absence_days} days."
    )


def to_rival(room: Room, heading: str, *lines: str, kind: Kind = "notice", writer: str = "") -> list[Letter]:
    """Letters to the other one of a duel, in the thread of his own game; none if there is no duel."""
    rival, letters = room.rival, []
    for seat, player in rival.people() if rival is not None else ():
        assert rival is not None
        letter = letter_to(rival, kind, seat, player)
        letter.writer = writer
        letter.about = " ".join(lines[:1]) if writer else ""
        letter.say(heading, *lines)
        finish(rival, letter, seat, player)
        letters.append(letter)
    return letters
