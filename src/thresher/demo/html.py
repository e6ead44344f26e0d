"""HTML as mailers write it: the looks of personal programs, of newsletters and of notices.

Honest and dishonest senders use the same looks: what differs is where the links lead and what is hidden.
"""

from dataclasses import dataclass

from thresher.demo.dice import Dice
from thresher.demo.text import escape, wrap


def anchor(url: str, text: str, style: str = "") -> str:
    """Return a link."""
    return f'<a href="{url}"{f" style={chr(34)}{style}{chr(34)}" if style else ""}>{text}</a>'


def linked(text: str) -> str:
    """Return the text escaped, its addresses made links."""
    words = escape(text).split(" ")
    return " ".join([anchor(word, word) if word.startswith("http") else word for word in words])


def _paragraphs(texts: list[str]) -> list[str]:
    return [linked(text).replace("\n", "<br>\n") for text in texts]


def personal(layout: str, texts: list[str], dice: Dice, *, spaced: bool = True) -> str:
    """Return what a person's program makes of these paragraphs."""
    rows = _paragraphs(texts)
    match layout:
        case "bird":
            inner = "\n".join([f"    <p>{row}</p>" for row in rows])
            page = (
                '<!DOCTYPE html>\n<html>\n  <head>\n    <meta http-equiv="content-type" content="text/html">\n'
                f"  </head>\n  <body>\n{inner}\n  </body>\n</html>"
            )
        case "apple":
            inner = "<div><br></div>".join([f"<div>{row}</div>\n" for row in rows])
            page = (
                '<html><head><meta http-equiv="Content-Type" content="text/html"></head><body style="overflow-wrap:'
                f' break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">\n{inner}</body></html>'
            )
        case "office":
            font = dice.pick(("Calibri", "Aptos", "Arial"))
            inner = "\n".join([f'<p class="MsoNormal"><span lang="EN-GB">{row}<o:p></o:p></span></p>' for row in rows])
            page = (
                '<html xmlns:o="urn:schemas-microsoft-com:office:office">\n<head>\n<style><!--\n'
                f'p.MsoNormal {{margin:0cm; font-size:11.0pt; font-family:"{font}",sans-serif;}}\n-->'
                "</style>\n</head>\n"
                f'<body lang="EN-GB" link="#0563C1">\n<div class="WordSection1">\n{inner}\n</div>\n</body>\n</html>'
            )
        case "web":
            page = f'<div dir="ltr">{"<div><br></div>".join([f"<div>{row}</div>" for row in rows])}</div>'
        case _:
            inner = "<br>\n<br>\n".join(rows)
            page = f"<html><head></head><body><p>{inner}</p></body></html>"
    # A language without spaces gives no place to break a line but within tags and links.
    return wrap(page) if spaced else page


@dataclass(frozen=True, slots=True)
class Look:
    """What a page of a company shows besides its text."""

    name: str
    colour: str
    font: str
    images: str
    """The URL below which its pictures lie."""
    button: str = ""
    link: str = ""
    preheader: str = ""
    """Text shown in the list of messages and hidden in the message."""
    pixel: str = ""
    """URL of a picture that counts readers."""
    hidden: str = ""
    """Ready HTML that nobody shall see."""


def _pixel(look: Look) -> str:
    return f'<img src="{look.pixel}" width="1" height="1" alt="" border="0">' if look.pixel else ""


def _preheader(look: Look) -> str:
    if not look.preheader:
        return ""
    return f'<div style="display:none;max-height:0;overflow:hidden">{escape(look.preheader)}</div>\n'


def letter(
    look: Look, headline: str, texts: list[str], offers: list[tuple[str, str]], footer: list[str], dice: Dice
) -> str:
    """Return a newsletter: a banner, texts, offers with pictures and links, a button, a footer."""
    cells = "\n".join(
        f'<tr><td><a href="{url}"><img src="{look.images}/{dice.token(6)}.jpg" width="{dice.between(80, 280)}" alt="">'
        f'</a></td><td style="font-family:{look.font}">{anchor(url, escape(text), f"color:#{look.colour}")}</td></tr>'
        for text, url in offers
    )
    body = "\n".join(
        [f'<p style="font-size:{dice.pick(("14", "15", "16"))}px">{row}</p>' for row in _paragraphs(texts)]
    )
    button = ""
    if look.button:
        style = f"background:#{look.colour};color:#ffffff;padding:12px 24px;text-decoration:none"
        button = f'<p align="center">{anchor(look.link, escape(look.button), style)}</p>\n'
    small = "<br>\n".join(_paragraphs(footer))
    return (
        f'<html>\n<head><meta name="viewport" content="width=device-width"><title>{escape(headline)}</title></head>\n'
        f'<body style="margin:0;background:#f4f4f4">\n{_preheader(look)}'
        f'<table width="600" align="center" cellpadding="0" cellspacing="0" style="font-family:{look.font}">\n'
        f'<tr><td colspan="2"><img src="{look.images}/banner.png" width="600" alt="{escape(look.name)}"></td></tr>\n'
        f'<tr><td colspan="2"><h1 style="color:#{look.colour}">{escape(headline)}</h1>\n'
        f"{body}\n{button}</td></tr>\n{cells}\n"
        f'<tr><td colspan="2" style="font-size:11px;color:#888888">{small}</td></tr>\n</table>\n'
        f"{look.hidden}{_pixel(look)}\n</body>\n</html>"
    )


def card(look: Look, headline: str, texts: list[str], footer: list[str], dice: Dice) -> str:
    """Return a notice: a logo, a few sentences, a button."""
    body = "\n".join([f"<p>{row}</p>" for row in _paragraphs(texts)])
    button = ""
    if look.button:
        style = f"display:inline-block;background-color:#{look.colour};color:#fff;padding:10px 18px;border-radius:4px"
        button = f"<p>{anchor(look.link, escape(look.button), style)}</p>\n"
    logo = (
        f'<img src="{look.images}/logo.png" height="32" alt="{escape(look.name)}">'
        if dice.chance(0.7)
        else escape(look.name)
    )
    small = "<br>\n".join(_paragraphs(footer))
    return (
        f'<!DOCTYPE html>\n<html>\n<body style="font-family:{look.font}">\n{_preheader(look)}'
        f'<div style="max-width:560px;margin:auto;border:1px solid #ddd;padding:24px">\n<div>{logo}</div>\n'
        f"<h2>{escape(headline)}</h2>\n{body}\n{button}"
        f'<hr>\n<div style="font-size:12px;color:#777">{small}</div>\n</div>\n'
        f"{look.hidden}{_pixel(look)}\n</body></html>"
    )


def picture(link: str, source: str, dice: Dice) -> str:
    """Return a page that is one picture."""
    size = f'width="{dice.between(400, 700)}" height="{dice.between(300, 900)}"'
    inner = f'<img src="{source}" {size} border="0">'
    page = f'<a href="{link}">{inner}</a>' if link else inner
    return f"<html><body><center>{page}</center></body></html>"
