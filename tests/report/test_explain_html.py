"""The page of an explanation: the message's words and nothing that a message could do with a reader's browser."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.choose.calibration import Calibration
from thresher.decide import Policy
from thresher.judge import Explanation, Judge
from thresher.learn.hashing import Hasher
from thresher.learn.online import ScaledLogistic
from thresher.mail.mime import parse
from thresher.mail.stream import tokenize
from thresher.report.explain_html import Subject, write_page
from thresher.report.explained import tabulate

HASHER = Hasher(12)
TAUGHT = [
    (b"Subject: minutes\n\nthe agenda of the meeting: budget, garden\n", False),
    (b"Subject: prize\n\nclaim your prize money now, click today\n", True),
]
HTML = b"""From: Ada <ada@work.example>
Subject: <b>bold</b> & prize
Content-Type: text/html

<p>Claim your prize <script>alert("no")</script><i onclick="x()">now</i></p><p style="display:none">hidden garden</p>
"""


def judge() -> Judge:
    learner = ScaledLogistic(12)
    for raw, spam in TAUGHT:
        learner.learn(HASHER.features([tokenize(parse(raw))]).of(0), spam=spam)
    return Judge(learner, Calibration(), Policy())


JUDGE = judge()


def explained(raw: bytes) -> Explanation:
    return JUDGE.explain(tokenize(parse(raw)), HASHER)


def page(raw: bytes, path: str = "message.eml") -> str:
    explanation = explained(raw)
    return write_page(Subject(path, parse(raw), 1, 1), explanation, tabulate(explanation, 30))


class Reading(HTMLParser):
    """What a browser would make of a page: its tags, its text, and whether all that was opened was closed."""

    VOID = frozenset({"meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


OWN_TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "span", "mark", "figure", "figcaption"}
OWN_TAGS |= {"dl", "dt", "dd", "pre", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "div", "i", "bdi"}


@pytest.mark.parametrize("raw", [HTML, TAUGHT[0][0], b"", b"\xff\xfe\x00<script>\n\n</mark><img src=x onerror=y>"])
def test_only_our_own_tags_stand_in_it_and_all_are_closed(raw: bytes) -> None:
    read = Reading(page(raw))
    assert {tag for tag, _ in read.tags} <= OWN_TAGS
    assert read.open == []


@given(
    st.text() | st.lists(st.sampled_from(["<script>", '"', "'", "</pre>", "-->", "&lt;", "\x00", "prize"])).map("".join)
)
def test_whatever_a_message_says_stays_text(text: str) -> None:
    raw = b"From: " + text.replace("\n", " ").encode("utf-8", "replace") + b"\n\n" + text.encode("utf-8", "replace")
    read = Reading(page(raw, path=text))
    assert {tag for tag, _ in read.tags} <= OWN_TAGS
    assert read.open == []
    names = {name for _, attributes in read.tags for name in attributes}
    assert names <= {"lang", "charset", "http-equiv", "content", "name", "class", "title", "colspan"}


def test_the_browser_is_told_to_fetch_and_run_nothing() -> None:
    text = page(HTML)
    (policy,) = [attributes["content"] for _, attributes in Reading(text).tags if "http-equiv" in attributes]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{digest}'"
    assert "http:" not in text
    assert "https:" not in text


def test_words_are_marked_for_the_side_they_spoke_for() -> None:
    read = Reading(page(b"Subject: news\n\nprize of a garden\n"))
    marks = [attributes for tag, attributes in read.tags if tag == "mark" and "title" in attributes]
    spoken = {str(mark["title"]).split("; ")[0].rpartition(" ")[2]: str(mark["class"])[0] for mark in marks}
    assert spoken["prize"] == "s"
    assert spoken["garden"] == "h"


def test_it_says_verdict_lessons_and_the_message_with_what_is_hidden() -> None:
    text = Reading(page(HTML)).text
    assert "This rests on 2 lessons: 1 ham and 1 spam." in text
    assert "hidden text" in text
    assert "hidden garden" in text
    assert "<b>bold</b> & prize" in text
    assert "alert" not in text


def test_the_figures_of_the_table_add_up() -> None:
    text = page(HTML)
    foot = text[text.index("<tfoot>") :]
    figures = [round(float(figure) * 10**4) for figure in re.findall(r'class="number">([+-]\d+\.\d{4})<', foot)]
    heads = re.findall(r'<th class="number">([+-]\d+\.\d{4})</th>', text)
    groups = [round(float(head) * 10**4) for head in heads]
    assert sum(groups) + sum(figures[:-1]) == figures[-1]


def test_a_text_that_is_not_read_to_its_end_says_so() -> None:
    assert "The filter reads no further." in page(b"Subject: long\n\n" + b"word after word " * 2000)
