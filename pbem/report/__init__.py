"""Turn reports: one view of what a side may know of a span of lines, printed twice."""

from pbem.report.making import Moment, NoSuchLine, NothingSince, make_report, moment, span_of, upto, with_pictures
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
    "make_report",
    "moment",
    "span_of",
    "upto",
    "with_pictures",
]
