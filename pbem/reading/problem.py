"""Why nothing could be read in a mail, and the sentence that says so."""

_SENTENCES = {
    "broken": "The mail could not be taken apart. Please send your orders as plain text.",
    "too deep": "The mail has more than {limit} mails packed inside each other. Please send your orders as plain text.",
    "too many parts": "The mail has more than {limit} parts. Please send your orders as plain text.",
    "too long": "The text is longer than {limit} characters. Please send your orders alone.",
    "too many lines": "There are more than {limit} lines in the mail. Please send your orders alone.",
    "winmail": "winmail.dat cannot be read: send plain text. (In Outlook: Format Text, then Plain Text.)",
    "encrypted": "The mail is encrypted, and there is no key for it here. Please send your orders as plain text.",
    "no text": "There is no text in the mail, only {what}. Please write your orders into the mail itself.",
    "quoted": "There is nothing in the mail but quoted text or a signature, and the letter it quotes is not known here."
    " Please write your orders above the quoted mail, without > before them.",
    "as sent": "There is nothing in the mail but our own letter as it was sent. Take the # off the lines you want, or"
    " write your orders above it.",
    "no order": "Write each order on a line of its own, its verb first. `orders` gives you what you may do now.",
    "empty": "There is no text in the mail. Write your orders into the mail itself, one to a line.",
}
READABLE = ("quoted", "as sent", "no order", "empty")


class Problem(Exception):
    """Nothing can be read: what kind of thing stood in the way. The reader raises it, or tells it when he is done."""

    def __init__(self, kind: str, what: str = "", limit: int = 0) -> None:
        super().__init__(_SENTENCES[kind].format(what=what, limit=f"{limit:,}"))
        self.kind, self.what, self.limit = kind, what, limit

    @property
    def readable(self) -> bool:
        """Whether the mail could be read, and only says nothing."""
        return self.kind in READABLE
