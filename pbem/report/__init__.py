"""Turn reports: one view of what a side may know of a span of lines, printed twice."""

from pbem.report.making import (
    Moment,
    NoSuchLine,
    NothingSince,
    happened,
    make_report,
    moment,
    span_of,
    upto,
    with_pictures,
)
from pbem.report.printing import as_html, as_text
from pbem.report.report import LetterPicture, Report

__all__ = [
    "LetterPicture",
    "Moment",
    "NoSuchLine",
    "NothingSince",
    "Report",
    "as_html",
    "as_text",
    "happened",
    "make_report",
    "moment",
    "span_of",
    "upto",
    "with_pictures",
]
