"""Mail programs, as far as their replies differ: how each quotes a letter, in every language, wherever one types.

A reply is made of the lines over the quotation, the letter with what was typed into it, and the lines below. `Program`
turns that into a mail; none of them is copied from anywhere.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage

ADDRESS = "post+k7q2m4@field.example"
SENDER = f"Fieldpost <{ADDRESS}>"

# An introduction, and the four labels of a header: from, sent, to, subject.
LANGUAGES: dict[str, tuple[str, tuple[str, str, str, str]]] = {
    "ar": (
        "\u0641\u064a \u0627\u0644\u0627\u062b\u0646\u064a\u0646\u060c 5 \u064a\u0646\u0627\u064a\u0631 2026 "
        "\u0641\u064a 9:14 \u0645 \u0643\u062a\u0628 {who}:",
        ("\u0645\u0646", "\u062a\u0645 \u0627\u0644\u0625\u0631\u0633\u0627\u0644", "\u0625\u0644\u0649",
         "\u0627\u0644\u0645\u0648\u0636\u0648\u0639"),
    ),
    "bg": ("На пн, 5.01.2026 г. в 21:14 {who} написа:", ("От", "Изпратено", "До", "Относно")),
    "cs": ("po 5. 1. 2026 v 21:14 odesílatel {who} napsal:", ("Od", "Odesláno", "Komu", "Předmět")),
    "da": ("Den man. 5. jan. 2026 kl. 21.14 skrev {who}:", ("Fra", "Sendt", "Til", "Emne")),
    "de": ("Am Mo., 5. Jan. 2026 um 21:14 Uhr schrieb {who}:", ("Von", "Gesendet", "An", "Betreff")),
    "el": ("Στις Δευ 5 Ιαν 2026 στις 9:14 μ.μ., ο χρήστης {who} έγραψε:", ("Από", "Στάλθηκε", "Προς", "Θέμα")),
    "en": ("On Mon, Jan 5, 2026 at 9:14 PM {who} wrote:", ("From", "Sent", "To", "Subject")),
    "es": ("El lun, 5 ene 2026 a las 21:14, {who} escribió:", ("De", "Enviado", "Para", "Asunto")),
    "et": ("Kuupäev E, 5. jaanuar 2026 kell 21:14 kirjutas {who}:", ("Saatja", "Saadetud", "Adressaat", "Teema")),
    "fi": ("ma 5. tammik. 2026 klo 21.14 {who} kirjoitti:", ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe")),
    "fr": ("Le lun. 5 janv. 2026 à 21:14, {who} a écrit :", ("De", "Envoyé", "À", "Objet")),
    "he": (
        "\u200f\u05d1\u05ea\u05d0\u05e8\u05d9\u05da \u05d9\u05d5\u05dd \u05d1\u05f3, 5 \u05d1\u05d9\u05e0\u05d5\u05f3 "
        "2026 \u05d1-21:14 \u05de\u05d0\u05ea {who}:",
        ("\u05de\u05d0\u05ea", "\u05e0\u05e9\u05dc\u05d7", "\u05d0\u05dc", "\u05e0\u05d5\u05e9\u05d0"),
    ),
    "hr": ("pon, 5. sij 2026. u 21:14 {who} napisao je:", ("Šalje", "Poslano", "Prima", "Predmet")),
    "hu": ("{who} ezt írta (időpont: 2026. jan. 5., H, 21:14):", ("Feladó", "Elküldve", "Címzett", "Tárgy")),
    "is": ("mán., 5. jan. 2026 kl. 21:14 skrifaði {who}:", ("Frá", "Sent", "Til", "Efni")),
    "it": ("Il giorno lun 5 gen 2026 alle ore 21:14 {who} ha scritto:", ("Da", "Inviato", "A", "Oggetto")),
    "ja": ("2026年1月5日(月) 21:14 {who}:", ("差出人", "送信日時", "宛先", "件名")),
    "ko": ("2026년 1월 5일 (월) 오후 9:14, {who}님이 작성:", ("보낸 사람", "보낸 날짜", "받는 사람", "제목")),
    "lt": ("2026-01-05, pr, 21:14 {who} rašė:", ("Nuo", "Išsiųsta", "Kam", "Tema")),
    "lv": ("pirmd., 2026. g. 5. janv., plkst. 21:14 — lietotājs {who} rakstīja:", ("No", "Nosūtīts", "Kam", "Tēma")),
    "nl": ("Op ma 5 jan 2026 om 21:14 schreef {who}:", ("Van", "Verzonden", "Aan", "Onderwerp")),
    "no": ("man. 5. jan. 2026 kl. 21:14 skrev {who}:", ("Fra", "Sendt", "Til", "Emne")),
    "pl": ("pon., 5 sty 2026 o 21:14 {who} napisał(a):", ("Od", "Wysłano", "Do", "Temat")),
    "pt": ("Em seg., 5 de jan. de 2026 às 21:14, {who} escreveu:", ("De", "Enviado", "Para", "Assunto")),
    "ro": ("În lun., 5 ian. 2026 la 21:14, {who} a scris:", ("De la", "Trimis", "Către", "Subiect")),
    "ru": ("пн, 5 янв. 2026 г. в 21:14, {who}:", ("От", "Отправлено", "Кому", "Тема")),
    "sk": ("po 5. 1. 2026 o 21:14 {who} napísal(a):", ("Od", "Odoslané", "Komu", "Predmet")),
    "sl": ("V pon., 5. jan. 2026 ob 21:14 je oseba {who} napisala:", ("Od", "Poslano", "Za", "Zadeva")),
    "sr": ("пон, 5. јан 2026. у 21:14 {who} је написао/ла:", ("Шаље", "Послато", "Прима", "Наслов")),
    "sv": ("Den mån 5 jan. 2026 kl 21:14 skrev {who}:", ("Från", "Skickat", "Till", "Ämne")),
    "th": (
        "\u0e40\u0e21\u0e37\u0e48\u0e2d \u0e08. 5 \u0e21.\u0e04. 2026 \u0e40\u0e27\u0e25\u0e32 21:14 {who} "
        "\u0e40\u0e02\u0e35\u0e22\u0e19\u0e27\u0e48\u0e32:",
        ("\u0e08\u0e32\u0e01", "\u0e2a\u0e48\u0e07", "\u0e16\u0e36\u0e07", "\u0e40\u0e23\u0e37\u0e48\u0e2d\u0e07"),
    ),
    "tr": ("{who}, 5 Oca 2026 Pzt, 21:14 tarihinde şunu yazdı:", ("Kimden", "Gönderildi", "Kime", "Konu")),
    "uk": ("пн, 5 січ. 2026 р. о 21:14 {who} пише:", ("Від", "Надіслано", "Кому", "Тема")),
    "vi": ("Vào Th 2, 5 thg 1, 2026 vào lúc 21:14 {who} đã viết:", ("Từ", "Đã gửi", "Đến", "Tiêu đề")),
    "zh": ("{who} 于2026年1月5日周一 21:14写道：", ("发件人", "发送时间", "收件人", "主题")),
}  # fmt: skip
SUBJECT = "[ford] The proving ground of the ford"


@dataclass(frozen=True)
class Reply:
    """What somebody typed, and where."""

    above: Sequence[str] = ()
    quoted: Sequence[str] = ()  # the letter with what was typed into it
    below: Sequence[str] = ()
    language: str = "en"

    def introduction(self) -> str:
        return LANGUAGES[self.language][0].format(who=SENDER)

    def header(self) -> list[str]:
        labels = LANGUAGES[self.language][1]
        values = (SENDER, "5. 1. 2026 21:14", "Anna <anna@mill.example>", SUBJECT)
        return [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]


def mail_of(plain: str = "", markup: str = "", flowed: bool = False) -> bytes:
    """A reply as it comes in."""
    mail = EmailMessage()
    mail["From"] = "Anna <anna@mill.example>"
    mail["To"] = SENDER
    mail["Subject"] = f"Re: {SUBJECT}"
    mail["In-Reply-To"] = "<letter@field.example>"
    if plain or not markup:
        mail.set_content(plain + "\n", cte="base64", params={"format": "flowed"} if flowed else None)
    if markup and plain:
        mail.add_alternative(markup, subtype="html", cte="base64")
    elif markup:
        mail.set_content(markup, subtype="html", cte="base64")
    return mail.as_bytes()


def wrapped(lines: Sequence[str], width: int, mark: str = "", rest: str | None = None) -> list[str]:
    """Lines hard-wrapped, with a mark before each, and perhaps another before what was wrapped."""
    found: list[str] = []
    rest = mark if rest is None else rest
    for line in lines:
        pieces = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True)
        for n, piece in enumerate(pieces or [""]):
            found.append(f"{mark if not n else rest}{piece}".rstrip())
    return found


def _blocks(*blocks: Sequence[str]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _divs(lines: Sequence[str]) -> str:
    return "".join(f"<div>{html.escape(line).replace('  ', '&nbsp; ') or '<br>'}</div>" for line in lines)


def gmail(reply: Reply) -> bytes:
    """Both twins; the plain one wrapped, with marks."""
    plain = _blocks(reply.above, wrapped([reply.introduction()], 78), wrapped(reply.quoted, 76, "> "), reply.below)
    quote = f'<blockquote class="gmail_quote" style="border-left:1px solid">{_divs(reply.quoted)}</blockquote>'
    attribution = f'<div dir="ltr" class="gmail_attr">{html.escape(reply.introduction())}<br></div>'
    markup = f'<div dir="ltr">{_divs(reply.above)}</div><br><div class="gmail_quote">{attribution}{quote}</div>'
    return mail_of(plain, f"{markup}<div>{_divs(reply.below)}</div>")


def apple(reply: Reply) -> bytes:
    """HTML alone, the quotation cited."""
    cited = f'<blockquote type="cite"><div>{html.escape(reply.introduction())}</div></blockquote>'
    cited += f'<blockquote type="cite">{_divs(reply.quoted)}</blockquote>'
    return mail_of(markup=f"<html><body>{_divs(reply.above)}<br>{cited}{_divs(reply.below)}</body></html>")


def thunderbird(reply: Reply) -> bytes:
    """Plain text that flows."""
    quoted = [f"> {line}".rstrip() for line in reply.quoted]
    return mail_of(_blocks(reply.above, [reply.introduction()], quoted, reply.below), flowed=True)


def mutt(reply: Reply) -> bytes:
    """Marks and nothing else, not even an empty line."""
    quoted = [f">{line}" for line in reply.quoted]
    return mail_of("\n".join([*reply.above, reply.introduction(), *quoted, *reply.below]))


def losing_marks(reply: Reply) -> bytes:
    """A line of the quotation that is wrapped has no mark on its rest."""
    return mail_of(_blocks(reply.above, [reply.introduction()], wrapped(reply.quoted, 72, "> ", ""), reply.below))


def wrapped_introduction(reply: Reply) -> bytes:
    """No mark at all, and an introduction over two or three lines."""
    return mail_of(_blocks(reply.above, wrapped([reply.introduction()], 34), reply.quoted, reply.below))


def outlook_plain(reply: Reply) -> bytes:
    """A header without a rule, and the letter below as it is."""
    return mail_of(_blocks(reply.above, reply.header(), reply.quoted, reply.below))


def outlook_ruled(reply: Reply) -> bytes:
    """The same under a rule, wrapped."""
    return mail_of(_blocks(reply.above, ["_" * 32, *reply.header()], wrapped(reply.quoted, 74), reply.below))


def outlook_web(reply: Reply) -> bytes:
    """HTML that says where the quotation begins, and a plain twin that does not."""
    head = "<br>".join(html.escape(line) for line in reply.header())
    markup = f'{_divs(reply.above)}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">{head}</div>'
    plain = _blocks(reply.above, ["_" * 32, *reply.header()], reply.quoted)
    return mail_of(plain, f"<html><body>{markup}{_divs(reply.quoted)}</body></html>")


def forwarded(reply: Reply) -> bytes:
    """A banner over a header."""
    labels = LANGUAGES[reply.language][1]
    banner = [f"---------- {labels[3]} ---------", *reply.header()]
    return mail_of(_blocks(reply.above, banner, reply.quoted))


Program = Callable[[Reply], bytes]
MARKED: tuple[Program, ...] = (gmail, apple, thunderbird, mutt, losing_marks)
UNMARKED: tuple[Program, ...] = (wrapped_introduction, outlook_plain, outlook_ruled, outlook_web, forwarded)
PROGRAMS = (*MARKED, *UNMARKED)
