"""What a letter weighs, and what is left out of one that weighs too much."""

from dataclasses import replace

from pbem.letters.letter import Letter
from pbem.letters.letter_printing import print_html, print_text

MOST = 350_000  # bytes, the order board apart
ALONE = 260_000  # pictures that weigh less than this need no weighing: a letter's words come to some 60,000
BASE64 = 4 / 3 * 78 / 76
QUOTED = 1.06  # what quoted-printable adds to words


def weight(letter: Letter) -> int:
    """Bytes of the mail, as near as need be."""
    files = sum(len(file.data) for file in letter.enclosures if file.kind != "text/html")
    words = len(print_html(letter).encode()) + len(print_text(letter).encode())
    return round(files * BASE64 + words * QUOTED)


def lighten(letter: Letter) -> None:
    """Too heavy, it goes without its third battle picture, then the map, then the second picture."""
    drawn = letter.dispatch
    if drawn is None or sum(len(file.data) for file in letter.enclosures) * BASE64 < ALONE:
        return
    for leave_out in ("third", "map", "second"):
        if weight(letter) <= MOST:
            return
        assert letter.dispatch is not None
        drawn, clusters = letter.dispatch, list(letter.dispatch.clusters)
        with_picture = [n for n, cluster in enumerate(clusters) if cluster.picture is not None]
        if leave_out == "map" and drawn.map is not None:
            _leave_out(letter, drawn.map.name)
            letter.dispatch = replace(drawn, map=None)
        at = {"third": 2, "second": 1}.get(leave_out, len(with_picture))
        if at < len(with_picture):
            picture = clusters[with_picture[at]].picture
            assert picture is not None
            _leave_out(letter, picture.name)
            clusters[with_picture[at]] = replace(clusters[with_picture[at]], picture=None)
            letter.dispatch = replace(drawn, clusters=tuple(clusters))


def _leave_out(letter: Letter, name: str) -> None:
    letter.enclosures = [file for file in letter.enclosures if file.name != f"{name}.png" or not file.source]
