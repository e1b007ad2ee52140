"""Letters as a mail reader shows them: nothing runs over, everything can be read, with and without a style sheet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.pbem.desk.office import Office, html_of
from tests.pbem.letters.conftest import Sample
from tests.pbem.replay.browser import shown

pytestmark = pytest.mark.browser
WIDE = (320, 380, 700)
LEAST = 4.5  # contrast of letters to what they stand on
TARGET = 44  # pixels that a finger needs
SHEET = re.compile(r"<style.*?</style>", re.S)

# Every element with letters of its own, its colour and the first ground under it that is not clear.
CONTRASTS = """() => {
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const curve = c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(c => curve(c / 255))
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const under = element => {
    for (let at = element; at; at = at.parentElement) {
      const ground = rgb(getComputedStyle(at).backgroundColor);
      if (ground.length < 4 || ground[3] > 0) return ground;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.offsetParent || element.closest('.before')) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(under(element))].sort((x, y) => y - x);
    const size = parseFloat(getComputedStyle(element).fontSize);
    found.push([(a + .05) / (b + .05), element.textContent.trim().slice(0, 40), size]);
  }
  return found;
}"""


def page(folder: Path, one: Sample, *, styled: bool) -> Path:
    html = one.html if styled else SHEET.sub("", one.html)
    for part in one.mail.walk():
        if part["Content-ID"]:
            shown = "".join(part.get_payload().split())
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{shown}")
    target = folder / f"{one.side}-{styled}.html"
    target.write_text(html, encoding="utf-8")
    return target


@pytest.mark.parametrize("styled", [True, False], ids=["with its sheet", "without it"])
def test_a_letter_fits_every_screen_and_can_be_read_by_day_and_by_night(
    browser: Any, sample: list[Sample], tmp_path: Path, styled: bool
) -> None:
    for one in sample[:2] if styled else sample[-1:]:
        file = page(tmp_path, one, styled=styled)
        for scheme in ("light", "dark"):
            with shown(browser, file, wide=WIDE[0], color_scheme=scheme) as screen:
                for wide in WIDE:
                    screen.page.set_viewport_size({"width": wide, "height": 800})
                    assert screen("document.documentElement.scrollWidth") <= wide, (one.letter.subject, wide)
                faint = [found for found in screen(CONTRASTS) if found[0] < LEAST]
                assert faint == [], (one.letter.subject, scheme)
                assert min(found[2] for found in screen(CONTRASTS)) >= 13
                heights = screen("[...document.querySelectorAll('a')].map(a => a.offsetHeight)")
                assert min(heights, default=TARGET) >= TARGET
                assert screen("[...document.images].every(i => i.naturalWidth > 0 && i.width <= innerWidth)")


def test_an_invitation_has_one_button_to_join_with(browser: Any, tmp_path: Path) -> None:
    office = Office(tmp_path / "house")
    office.invite({"deadline": "48h"})
    file = tmp_path / "invitation.html"
    file.write_text(html_of(office.letters()[0]), encoding="utf-8")
    with shown(browser, file, wide=320) as screen:
        assert screen("document.documentElement.scrollWidth") <= 320
        links = screen("[...document.querySelectorAll('a')].map(a => [a.textContent, a.href])")
        assert [label for label, _ in links] == ["Join"]
        assert links[0][1].endswith("body=join%0D%0A")
        assert [found for found in screen(CONTRASTS) if found[0] < LEAST] == []
