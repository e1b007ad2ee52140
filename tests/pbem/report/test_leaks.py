"""A report shows nothing that its reader may not know: no byte depends on it but the sealed head."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.campaign import Campaign
from pbem.report.illustrating import illustrate
from pbem.report.making import make_report, moment, span_of
from pbem.report.printing import as_html, as_text
from tests.pbem.report.fords import ford

HEXES = st.builds("{:02}{:02}".format, st.integers(1, 6), st.integers(1, 6))


def twins(campaign: Campaign, side: str) -> list[str]:
    """Both twins of every report the side would get, and of the whole game so far, without the head."""
    found = []
    for since, last in [*((n - 1, n) for n in range(campaign.count)), (-1, campaign.count - 1)]:
        lines = campaign.lines()[: last + 1]
        report = make_report(span_of(lines, since), moment(lines, campaign.game, side))
        found += [print_(report).replace(report.head, "HEAD") for print_ in (as_text, as_html)]
    return found


def pictures(campaign: Campaign, side: str) -> list[bytes]:
    lines = campaign.lines()
    now = moment(lines, campaign.game, side)
    return [png for _, png in illustrate(now, make_report(span_of(lines, -1), now))]


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(bid=st.integers(0, 3), scouted=HEXES)
def test_no_byte_of_a_report_depends_on_what_its_reader_may_not_know(bid: int, scouted: str) -> None:
    assert twins(ford(f"bid {bid}", scouted), "blue") == twins(ford("bid 0", "0101"), "blue")


def test_no_pixel_of_a_report_depends_on_what_its_reader_may_not_know() -> None:
    assert pictures(ford("bid 3", "0505"), "blue") == pictures(ford("bid 0", "0101"), "blue")


def test_the_side_itself_is_told_its_own_secrets() -> None:
    assert twins(ford("bid 3", "0505"), "red") != twins(ford("bid 0", "0101"), "red")
    assert any("chest is empty" in text for text in twins(ford("bid 3", "0505"), "red"))


def test_a_hidden_question_of_the_other_side_has_no_words(fords: Campaign) -> None:
    lines = fords.lines()[:1]
    asked = make_report(span_of(lines), moment(lines, fords.game, "blue")).asks
    assert [(ask.side, ask.prompt, ask.key) for ask in asked if not ask.yours] == [("red", "", "")]
    assert [ask.prompt for ask in asked if ask.yours] == ["bid for the first move"]
