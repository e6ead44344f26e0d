"""Links give host, registered domain, path words, and what is odd about them."""

from pkgutil import get_data

import pytest
from hypothesis import given
from hypothesis import strategies as st
from publicsuffixlist import PublicSuffixList

from thresher.mail.urls import MAX_URLS, find_urls, host_of, registered_domain, split_url, url_words


def read(url: str) -> set[str]:
    return set(url_words(url.encode()).decode().split())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("see http://example.org/a?b=c now", ["example.org/a?b=c"]),
        ("HTTPS://EXAMPLE.org ftp://example.net/x", ["EXAMPLE.org", "example.net/x"]),
        ("<http://example.org/a>", ["example.org/a"]),
        ('"http://example.org/a"', ["example.org/a"]),
        ("http://a.example http://a.example", ["a.example", "a.example"]),
        ("mailto:ann@example.org, www.example.org, a://b, http:// x", []),
        ("", []),
    ],
)
def test_a_text_spells_out_its_links(text: str, wanted: list[str]) -> None:
    assert [url.decode() for url in find_urls(text.encode())] == wanted


def test_of_very_many_links_the_first_are_read() -> None:
    text = b" ".join(b"http://a%d.example/" % number for number in range(1000))
    assert find_urls(text) == [b"a%d.example/" % number for number in range(MAX_URLS)]


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.com", "example.com"),
        ("a.b.c.example.co.uk", "example.co.uk"),
        ("example.com", "example.com"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("192.0.2.1", "192.0.2.1"),
        ("3221225985", "3221225985"),
        ("", ""),
    ],
)
def test_the_registered_domain_is_what_somebody_pays_for(host: str, domain: str) -> None:
    assert registered_domain(host.encode()).decode() == domain


def test_registered_domains_are_those_of_the_list_as_its_own_parser_reads_it() -> None:
    suffixes = PublicSuffixList()
    data = get_data("publicsuffixlist", "public_suffix_list.dat") or b""
    rules = [line.split()[0].decode() for line in data.split(b"\n") if line.strip() and not line.startswith(b"//")]
    assert len(rules) > 5000
    for rule in rules[:: max(1, len(rules) // 2000)]:
        suffix = rule.lstrip("!").replace("*", "any")
        for host in (suffix, f"example.{suffix}", f"www.shop.example.{suffix}"):
            assert registered_domain(host.encode()).decode() == (suffixes.privatesuffix(host) or host)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("example.org/a", "example.org"),
        ("EXAMPLE.org:8080/a", "example.org"),
        ("user:secret@example.org?a", "example.org"),
        ("bank.example@evil.example/", "evil.example"),
        ("a@b@evil.example#x", "evil.example"),
        (r"example.org\@bank.example/", "example.org"),
        ("example.org.", "example.org"),
        ("/", ""),
    ],
)
def test_the_host_is_the_one_a_browser_would_ask(url: str, host: str) -> None:
    assert host_of(split_url(url.encode())[0]).decode() == host


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("www.shop.example.co.uk/", {"host:www.shop.example.co.uk", "domain:example.co.uk", "tld:uk"}),
        (
            "example.com/Buy-Now/item_42.html?ref=mail",
            {"host:example.com", "tld:com", "buy-now", "item", "42", "html", "ref", "mail"},
        ),
        ("example.com/%62uy%20now/caf%C3%A9", {"buy", "now", "café"}),
        ("192.0.2.7/login", {"host:192.0.2.7", "numeric-host", "login"}),
        ("3221225985/login", {"host:3221225985", "numeric-host"}),
        ("0xc0000207/login", {"host:0xc0000207", "numeric-host"}),
        ("www.bank.example@192.0.2.7/", {"user-in-host", "numeric-host"}),
    ],
)
def test_a_link_is_read_in_pieces(url: str, wanted: set[str]) -> None:
    assert wanted <= read(url)


def test_what_is_not_odd_is_not_called_odd() -> None:
    assert not read("www.example.com/a@b") & {"numeric-host", "user-in-host"}


@given(st.binary(max_size=120))
def test_any_bytes_after_a_scheme_are_words(rest: bytes) -> None:
    for url in find_urls(b"http://" + rest):
        words = url_words(url)
        assert not words.translate(None, bytes(range(33, 256)) + b" ")


@given(st.text(max_size=120))
def test_any_text_after_a_scheme_is_valid_utf_8(rest: str) -> None:
    for url in find_urls(b"http://" + rest.encode("utf-8", "replace")):
        url_words(url).decode()
