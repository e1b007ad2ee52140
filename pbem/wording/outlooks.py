"""Odds in words: a chance, and what a forecast means for who attacks."""

from fractions import Fraction

from engine.forecast import Forecast


def chance_words(chance: Fraction) -> str:
    """A chance in hundredths; one that is neither nothing nor certain never reads as if it were."""
    rounded = round(100 * chance)
    if rounded == 0 and chance:
        return "under 1 %"
    return "over 99 %" if rounded == 100 and chance < 1 else f"{rounded} %"


def span_words(least: Fraction, most: Fraction) -> str:
    """From what is certain to what hangs on the other side's choice."""
    if round(100 * least) == round(100 * most):
        return chance_words(most)
    return f"{round(100 * least)}-{round(100 * most)} %"


def outlook_phrase(found: Forecast) -> str:
    """Beside a line: `clears the hex 33-100 %, costs you 17 %`; empty where the game does not say."""
    seen = found.outlook
    if seen is None:
        return ""
    return f"clears {span_words(seen.cleared_at_least, seen.cleared_at_most)}, costs you {chance_words(seen.cost)}"


def outlook_sentence(found: Forecast) -> str:
    """The same as a sentence that names the choice that is the defender's."""
    seen = found.outlook
    if seen is None:
        return ""
    least, most = seen.cleared_at_least, seen.cleared_at_most
    cleared = f"{chance_words(most)}" if least == most else (
        f"certain {chance_words(least)}, and {chance_words(most)} if the defender falls back rather than lose steps"
    )  # fmt: skip
    return f"Hex cleared: {cleared}. Costs you: {chance_words(seen.cost)}."
