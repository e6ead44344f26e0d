"""The languages of the demo mail: how often each is heard, its grammar, its charsets and its time zones."""

from dataclasses import dataclass
from functools import cache
from types import ModuleType

from thresher.demo.dice import Dice
from thresher.demo.grammar import Grammar
from thresher.demo.phrases import (
    ar,
    de,
    el,
    en_machines,
    en_people,
    en_spam_frauds,
    en_spam_offers,
    en_words,
    es,
    fr,
    it,
    ja,
    neutral,
    pt,
    ru,
    zh,
    zh_hant,
)

_WESTERN = (*["utf-8"] * 4, *["iso-8859-1"] * 2, *["windows-1252"] * 2, "iso-8859-15")


@dataclass(frozen=True, slots=True)
class Language:
    """What a message needs to know about its language."""

    code: str
    grammar: Grammar
    charsets: tuple[str, ...]
    """Named as often as they are used."""
    zones: tuple[int, ...]
    """Minutes east of Greenwich."""
    spaced: bool = True
    """Whether words are divided by spaces."""


@dataclass(frozen=True, slots=True)
class _Profile:
    modules: tuple[ModuleType, ...]
    charsets: tuple[str, ...]
    zones: tuple[int, ...]
    spaced: bool = True


_PROFILES = {
    "en": _Profile(
        (en_words, en_people, en_machines, en_spam_offers, en_spam_frauds),
        (*["utf-8"] * 4, *["us-ascii"] * 3, "iso-8859-1", "windows-1252"),
        (0, 60, -300, -360, -480, 600, 330),
    ),
    "de": _Profile((de,), _WESTERN, (60, 120)),
    "fr": _Profile((fr,), _WESTERN, (60, 120, -240)),
    "es": _Profile((es,), _WESTERN, (60, 120, -300, -180)),
    "it": _Profile((it,), _WESTERN, (60, 120)),
    "pt": _Profile((pt,), _WESTERN, (0, 60, -180)),
    "ru": _Profile(
        (ru,),
        (*["utf-8"] * 3, *["koi8-r"] * 2, *["windows-1251"] * 2, "iso-8859-5"),
        (180, 300, 420),
    ),
    "el": _Profile((el,), ("utf-8", "utf-8", "iso-8859-7", "windows-1253"), (120, 180)),
    "ja": _Profile((ja,), (*["utf-8"] * 2, *["iso-2022-jp"] * 2, "shift_jis", "euc-jp"), (540,), spaced=False),
    "zh": _Profile((zh,), ("utf-8", "utf-8", "gb2312", "gb18030", "gbk"), (480,), spaced=False),
    "zh_hant": _Profile((zh_hant,), ("utf-8", "big5", "big5"), (480,), spaced=False),
    "ar": _Profile((ar,), ("utf-8", "utf-8", "windows-1256", "iso-8859-6"), (180, 120)),
}

CODES = tuple(_PROFILES)

# Out of a hundred messages. Both classes speak every language, so that a language alone is no verdict.
_HEARD = {
    "ham": "en:70 de:7 fr:4 es:3 it:3 pt:2 ru:3 el:1 ja:2 zh:2 zh_hant:1 ar:2",
    "spam": "en:70 de:6 fr:5 es:4 it:3 pt:2 ru:3 el:1 ja:2 zh:2 zh_hant:1 ar:1",
}
_TABLES = {
    label: tuple(code for share in text.split() for code in [share.split(":")[0]] * int(share.split(":")[1]))
    for label, text in _HEARD.items()
}


@cache
def language(code: str) -> Language:
    """Return the language; its grammar is compiled at the first call."""
    profile = _PROFILES[code]
    tables = [module.RULES for module in profile.modules]
    return Language(code, Grammar(neutral.RULES, *tables), profile.charsets, profile.zones, profile.spaced)


def heard(dice: Dice, label: str) -> str:
    """Return the code of a language, as often as it is heard in mail of this label."""
    return dice.pick(_TABLES[label])
