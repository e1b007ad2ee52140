"""The pictures of a report as files, and of a letter: its fights, large enough to read, and the map if it changed."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.game import Game
from engine.position import Position
from pbem.pictures import pictures as painted
from pbem.pictures.hands import hand_picture
from pbem.pictures.look import look_of
from pbem.pictures.pictures import engagement, painted_once
from pbem.pictures.shapes import Picture
from pbem.report.dispatch import MOST_PICTURES, Cluster, Dispatch
from pbem.report.making import Moment
from pbem.report.report import LetterPicture, Report, ShownHand
from pbem.tale.deeds import Battle
from pbem.tale.entries import facts_of
from pbem.tale.marches import marches
from pbem.wording.naming import side_title
from pbem.wording.situation import headline
from pbem.wording.words import fight_line, steps

Illustration = tuple[LetterPicture, bytes]  # a picture as the report speaks of it, and its bytes
Source = Callable[[str], str]  # where a mail finds the file of that name
SMALL = 0.5  # of the size of a battle picture, for who wants small ones
FEWER = 2  # battle pictures for him, and no map
FIGHT, MAP, HAND = "fight-", "map", "hand"  # what they are called


def illustrate(now: Moment, report: Report, source: Source = "{}".format) -> Iterator[Illustration]:
    """The pictures of a report in a folder: the fighting, the map, the map at full size. Raises BadLook."""
    table, side, facts = now.table, now.side, report.facts
    fought = painted.fighting(table, side, facts)
    if fought is not None:
        battles = [_outcome(now.game, battle) for phase in report.phases for battle in phase.fought]
        caption = "Where it was fought" if battles else "Where units moved"
        yield _drawn(fought, source("fighting.png"), "fighting", ". ".join(battles) or caption, caption)
    if report.hand is not None:
        drawn = _hand(now, report.hand)
        cards = LetterPicture(HAND, source("hand.png"), _in_words(report.hand), "Your hand", drawn.pixels[0])
        yield cards, painted_once(drawn, now.game)
    said = f"{_count(now)} on the whole map, {headline(now.game, now.seen)}"
    yield _drawn(painted.whole_map(table, side, facts), source("map.png"), "map", said, "The whole map")
    full = painted.whole_map(table, side, facts, 0)
    yield _drawn(full, source("map-full.png"), "map-full", "the whole map, full size", "Full size", attached=True)


def with_room_for_pictures(now: Moment, told: Dispatch, source: Source, *, map_sent: str, small: bool) -> Dispatch:
    """A dispatch that says where its pictures will be: at most three of its fights, and the map unless he has it."""
    clusters: list[Cluster] = []
    mid_play = any(not ask.top for ask in now.asks if ask.side == now.side)
    most = 1 if mid_play else FEWER if small else MOST_PICTURES
    for number, cluster in enumerate(told.clusters, 1):
        name, said = f"{FIGHT}{number}", ". ".join(card.outcome for card in cluster.cards)
        wanted = cluster.fights and sum(one.picture is not None for one in clusters) < most
        crop = LetterPicture(name, source(f"{name}.png"), said, "") if wanted else None
        clusters.append(replace(cluster, picture=crop))
    whole, hand, content = None, told.hand, map_content(now.seen)
    if content != map_sent and not small and not mid_play:
        said = f"{_count(now)} on the map, {headline(now.game, now.seen)}"
        whole = LetterPicture(MAP, source(f"{MAP}.png"), said, "The map", content=content)
    if hand is not None:
        hand = replace(hand, picture=LetterPicture(HAND, source(f"{HAND}.png"), _in_words(hand), ""))
    return replace(told, clusters=tuple(clusters), map=whole, hand=hand)


def letter_picture(now: Moment, report: Report, told: Dispatch, name: str, *, small: bool) -> Picture:
    """One of the pictures that a letter has room for. Raises BadLook."""
    if name == MAP:
        return painted.letter_map(now.table, report.facts)
    if name == HAND and told.hand is not None:
        return _hand(now, told.hand)
    cluster = told.clusters[int(name.removeprefix(FIGHT)) - 1]
    facts = [fact for card in cluster.cards for fact in (card.battle.fought, *facts_of(card.battle.after))]
    picture = engagement(now.table, cluster.fights, facts)
    return replace(picture, scale=picture.scale * SMALL) if small else picture


def _hand(now: Moment, hand: ShownHand) -> Picture:
    cards = [(card.card, card.face) for card in hand.cards]
    return hand_picture(cards, look_of(now.game), now.side, _in_words(hand))


def _in_words(hand: ShownHand) -> str:
    return f"Your hand: {', '.join(f'{card.card} {card.face.title}' for card in hand.cards)}"


def map_content(seen: Position) -> str:
    """What a map shows, as a key: the turn, and where everybody stands."""
    places = sorted((unit, seen.where[unit]) for unit in seen.on_map())
    return f"{seen.turn}/{hashlib.sha256(repr(places).encode()).hexdigest()[:16]}"


def _drawn(picture: Picture, source: str, name: str, alt: str, caption: str, attached: bool = False) -> Illustration:
    return LetterPicture(name, source, alt, caption, picture.pixels[0], attached), painted.png(picture)


def _outcome(game: Game, battle: Battle) -> str:
    """For whoever cannot see the picture: a battle and what came of it."""
    gone = marches(facts_of(battle.after), game.setting.roster)
    came = [f"{unit} lost {steps(lost)}" for unit, lost in battle.lost.items()]
    came += [f"{unit} fell" for unit in battle.fallen]
    came += [f"{', '.join(march.units)} fell back to {march.path[-1]}" for march in gone if march.how == "retreat"]
    came += [f"{', '.join(march.units)} went in" for march in gone if march.how == "advance"]
    return "; ".join([fight_line(game, battle.fought), *came])


def _count(now: Moment) -> str:
    counted: Sequence[str] = [f"{sum(1 for _ in now.seen.on_map(side))} {side_title(side)}" for side in now.game.sides]
    return f"{' and '.join(counted)} units"
