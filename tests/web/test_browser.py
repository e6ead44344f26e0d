"""What a person sees and does, in a real browser."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, expect

from tests.cli.making import ham, mbox, spam
from tests.serve.making import settings_in
from tests.servers.dovecot import PASSWORD as SECRET
from tests.servers.dovecot import Dovecot
from tests.servers.fixtures import imap_server, new_user
from tests.web.browsing import PATIENCE, Watched, chromium, visiting
from tests.web.client import PASSWORD
from tests.web.conftest import add
from tests.web.making import arrive, labels_of
from thresher import boxes
from thresher.boxes.imap_login import Server
from thresher.boxes.imap_mailbox import ImapMailbox
from thresher.config import Settings
from thresher.store.people import Role
from thresher.values import Label

__all__ = ["imap_server", "new_user"]
pytestmark = [pytest.mark.chromium, pytest.mark.timeout(300)]
expect.set_options(timeout=PATIENCE)
Serve = Callable[[Settings], int]
PAGES = (
    *("/", "/messages", "/messages/1", "/review", "/learning", "/start", "/words", "/words?q=free", "/accounts"),
    "/tuning",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give one browser for all tests of this file."""
    with chromium() as started:
        yield started


@pytest.fixture
def seen(browser: Browser, port: int, settings: Settings) -> Iterator[Watched]:
    """Give a window in which the owner is logged in."""
    with visiting(browser, port, settings) as watched:
        yield watched


def test_the_first_visit_leads_from_the_password_over_demo_mail_to_a_useful_page(
    browser: Browser, home: Path, serve: Serve
) -> None:
    settings = settings_in(home)
    with visiting(browser, serve(settings)) as seen:
        page = seen.page
        page.goto("/")
        expect(page).to_have_url(re.compile("/setup$"))
        page.goto(f"/setup?key={(home / 'page-key').read_text()}")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Password again").fill(PASSWORD)
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Where is your mail?")
        page.get_by_role("button", name="Use demo mail").click()
        told = page.locator(".told")
        expect(told).to_have_text(re.compile(r"^learned \d+ ham and \d+ spam, judged 100 more$"))
        page.get_by_role("link", name="Overview").first.click()
        expect(page.locator(".card").nth(0)).to_contain_text("500 judged in 30 days")
        expect(page.locator(".card").nth(3)).to_contain_text("400 lessons")
        assert page.locator("svg.bars rect").count() > 10
        assert "At most" in seen.text()
        page.get_by_role("link", name="Learning").click()
        page.get_by_role("button", name="Take all of it back").click()
        expect(told).to_have_text("taken back: 400 lessons")
        assert labels_of(settings) == {}
        page.goto("/messages")
        assert "No message has been judged yet" in seen.text()


def test_a_maildir_is_learned_with_its_folders(browser: Browser, home: Path, serve: Serve, tmp_path: Path) -> None:
    settings = settings_in(home)
    add(settings, "owner", Role.ADMINISTRATOR, "local")
    for number in range(12):
        boxes.deliver(tmp_path / "Maildir", ham(number), flags="S")
        boxes.deliver(tmp_path / "Maildir", spam(number), folder="Junk", flags="S")
    boxes.deliver(tmp_path / "Maildir", spam(99))
    with visiting(browser, serve(settings), settings) as seen:
        seen.page.goto("/")
        seen.page.get_by_label("Path").fill(str(tmp_path / "Maildir"))
        seen.page.get_by_role("region", name="A folder").get_by_role("button").click()
        expect(seen.page.locator(".told")).to_have_text("learned 12 ham and 12 spam, judged 1 more")
        seen.page.get_by_role("link", name="See the messages").click()
        seen.page.get_by_label("Sender or subject").fill("$9900")
        seen.page.get_by_role("button", name="Show").click()
        expect(seen.page.locator("tbody tr")).to_have_count(1)
        expect(seen.page.locator("tbody .v")).to_contain_text("spam")


@pytest.mark.dovecot
def test_a_mail_account_is_read_once_and_its_password_kept_nowhere(
    browser: Browser, home: Path, serve: Serve, imap_server: Dovecot, new_user: Callable[[Dovecot], Server]
) -> None:
    settings, account = settings_in(home), new_user(imap_server)
    add(settings, "owner", Role.ADMINISTRATOR, "local")
    with closing(ImapMailbox(account, SECRET)) as box:
        for number in range(10):
            box.append("INBOX", ham(number), ["\\Seen"])
            box.append("Junk", spam(number))
        box.append("INBOX", spam(99))
    with visiting(browser, serve(settings), settings) as seen:
        page = seen.page
        page.goto("/start")
        way = page.get_by_role("region", name="A mail account")
        way.get_by_label("Server").fill(account.host)
        way.get_by_label("Account").fill(account.user)
        way.get_by_label("Its password").fill(SECRET)
        way.get_by_text("Port and security").click()
        way.get_by_label("Port", exact=True).fill(str(account.port))
        way.get_by_label("Connection").select_option("none")
        way.get_by_role("button").click()
        expect(page.locator(".told")).to_have_text("learned 10 ham and 10 spam, judged 1 more")
        page.goto("/messages?q=$9900")
        expect(page.locator("tbody .v")).to_contain_text("spam")
    kept = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert SECRET.encode() not in kept


def test_a_folder_that_is_not_there_is_named(seen: Watched) -> None:
    seen.page.goto("/learning")
    seen.page.get_by_label("Path").fill("/no/such/folder")
    seen.page.get_by_label("only ham").check()
    seen.page.get_by_role("region", name="A folder").get_by_role("button").click()
    expect(seen.page.get_by_role("alert")).to_contain_text("/no/such/folder: no such file or folder")
    seen.wrong.clear()  # the browser's console tells that an answer was an error


def test_the_overview_tells_and_its_numbers_lead_to_the_messages_behind_them(seen: Watched) -> None:
    page = seen.page
    page.goto("/")
    spams = re.search(r"of it spam: (\d+) messages", seen.text())
    assert spams
    assert "ham held out" in seen.text()
    page.get_by_text("As a table").click()
    assert page.get_by_role("table").first.locator("tbody tr").count() >= 5
    page.locator(".card").nth(1).click()
    expect(page).to_have_url(re.compile("verdict=spam"))
    assert page.locator("tbody tr").count() == min(50, int(spams[1]))
    assert set(page.locator("tbody .v .verdict").all_inner_texts()) == {"spam"}


def test_a_list_is_searched_filtered_sorted_and_paged(seen: Watched) -> None:
    page = seen.page
    page.goto("/messages")
    expect(page.locator("tbody tr")).to_have_count(50)
    first = page.locator("tbody tr").first.get_attribute("id")
    page.get_by_role("link", name="Next page").click()
    expect(page.get_by_role("link", name="First page")).to_be_visible()
    assert page.locator(f"#{first}").count() == 0
    page.get_by_role("link", name="Sender").click()
    senders = page.locator("tbody .from").all_inner_texts()
    assert senders == sorted(senders)
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("link", name="likely mistakes first").click()
    expect(page.locator("tbody .v").first).to_contain_text("unsure")
    page.get_by_label("Verdict").select_option("ham")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("tbody .verdict.ham").first).to_be_visible()
    assert set(page.locator("tbody .v .verdict").all_inner_texts()) == {"ham"}
    page.get_by_label("Sender or subject").fill("no such thing anywhere")
    page.get_by_role("button", name="Show").click()
    assert "No message fits." in seen.text()


def test_keys_teach_and_undo(seen: Watched, settings: Settings) -> None:
    page = seen.page
    before = labels_of(settings)
    page.goto("/messages?verdict=ham&known=nothing")
    for key in "jjk":
        page.keyboard.press(key)
    row = page.locator("tr.here")
    subject = row.locator(".subject").inner_text()
    page.keyboard.press("s")
    receipt = page.get_by_role("status")
    expect(receipt).to_contain_text("Learned as spam")
    expect(receipt).to_contain_text(subject)
    percents = re.findall(r"([\d.]+) %", receipt.inner_text())
    assert float(percents[0]) < float(percents[1])
    assert len(labels_of(settings)) == len(before) + 1
    expect(page.locator("tr.here")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    assert labels_of(settings) == before


def test_several_are_taught_at_once_and_taken_back_together(seen: Watched, settings: Settings) -> None:
    page = seen.page
    before = labels_of(settings)
    page.goto("/messages?verdict=spam&known=nothing")
    count = page.locator("tbody tr").count()
    page.get_by_label("choose all shown").check()
    page.get_by_role("button", name="Spam").click()
    expect(page.get_by_role("status")).to_contain_text(f"and {count - 5} more")
    after = labels_of(settings)
    assert len(after) == len(before) + count
    assert {label for digest, (label, _) in after.items() if digest not in before} == {Label.SPAM}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    assert labels_of(settings) == before


def test_new_mail_appears_by_itself(seen: Watched, settings: Settings) -> None:
    seen.page.goto("/messages")
    expect(seen.page.locator("tbody tr").first).to_be_visible()
    (number,) = arrive(settings, [ham(777)], apart=0)
    expect(seen.page.locator(f"#m{number}")).to_contain_text("Minutes of meeting 777")


def test_a_message_says_why_and_takes_a_lesson_and_gives_it_back(seen: Watched, settings: Settings) -> None:
    page = seen.page
    before = labels_of(settings)
    page.goto("/messages?verdict=spam&sort=log_odds&dir=up")
    page.locator("tbody .subject a").first.click()
    assert page.locator("mark[title]").count() > 5
    assert page.locator("figure mark").first.get_attribute("title")
    shares = [float(cell) for cell in page.locator("table.why tbody tr:not(.group) .n:first-child").all_inner_texts()]
    *rest, total = [float(cell) for cell in page.locator("table.why tfoot .n").all_inner_texts()]
    assert sum(shares) + sum(rest) == pytest.approx(total, abs=1e-9)
    assert f"log-odds {total:+.4f}" in seen.text()
    assert re.search(r"Without (this|these \d+) features? it would be (unsure|ham)", seen.text())
    page.get_by_role("button", name="This is ham").click()
    expect(page.get_by_role("status")).to_contain_text("Learned as ham")
    assert "You said ham" in seen.text()
    assert len(labels_of(settings)) == len(before) + 1
    page.get_by_role("button", name="Take back what I said").click()
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    assert labels_of(settings) == before


def test_a_word_leads_to_its_counts_and_the_lessons_behind_it(seen: Watched) -> None:
    page = seen.page
    page.goto("/messages?verdict=spam&sort=log_odds&dir=down")
    page.locator("tbody .subject a").first.click()
    link = page.locator("table.why tbody a").first
    row = page.locator("table.why tbody tr", has=page.locator("td a")).first
    spam_count = row.locator(".n").nth(1).inner_text()
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Words")
    assert spam_count in page.locator("table.why tbody tr").first.locator(".n").first.inner_text()
    assert page.locator(".plain-list li").count() >= 1
    assert page.locator(".plain-list .verdict.spam").count() >= 1


def test_words_are_looked_up_and_the_most_telling_are_listed(seen: Watched) -> None:
    seen.page.goto("/words")
    assert seen.page.get_by_role("table", name="Most telling for spam").locator("tbody tr").count() > 5
    assert seen.page.get_by_role("table", name="Most telling for ham").locator("tbody tr").count() > 5
    seen.page.get_by_role("searchbox").fill("nosuchwordever")
    seen.page.get_by_role("button", name="Look up").click()
    assert "None among the newest" in seen.text()


def test_a_review_asks_for_the_closest_and_a_random_sample_one_key_each(
    browser: Browser, home: Path, serve: Serve
) -> None:
    from tests.web.making import past_home

    settings = past_home(home)
    add(settings, "owner", Role.ADMINISTRATOR, "local")
    with visiting(browser, serve(settings), settings) as seen:
        page = seen.page
        page.goto("/review")
        assert page.locator("tbody tr[data-id]").count() == 13
        assert "0 of 5 drawn are answered" in seen.text()
        page.keyboard.press("j")
        asked = page.locator("tr.here").get_attribute("data-id")
        page.keyboard.press("h")
        expect(page.get_by_role("status")).to_contain_text("Learned as ham")
        assert "1 of 6 drawn are answered" in seen.text(), "another was drawn"
        assert page.locator(f"tr[data-id='{asked}']").count() == 0
        expect(page.locator("tr.here")).to_have_count(1)
        page.goto("/")
        assert "1 of 6 drawn have an answer" in seen.text()


def test_dropped_files_are_learned(seen: Watched, tmp_path: Path) -> None:
    box = mbox(tmp_path / "old mail.mbox", [ham(number) for number in range(300, 400)])
    page = seen.page
    page.goto("/learning")
    page.get_by_label("Messages (.eml) or mailboxes (mbox)").set_input_files(box)
    page.get_by_label("ham: wanted").check()
    page.get_by_role("region", name="Drop files").get_by_role("button", name="Learn").click()
    expect(page.locator(".told").first).to_have_text("learned 100 ham and 0 spam")
    page.goto("/messages?folder=dropped&q=meeting 333")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody .said")).to_contain_text("ham")


def test_learners_are_compared_the_report_is_read_and_the_choice_applied_or_not(
    seen: Watched, settings: Settings
) -> None:
    page = seen.page
    page.goto("/tuning")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".told")).to_have_text(re.compile("running for"))
    expect(page.get_by_role("heading", level=3)).to_contain_text("Compared", timeout=200_000)
    assert page.locator("table tbody tr").count() >= 5
    assert "What choosing like this is worth on mail that neither" in seen.text()
    page.get_by_role("button", name="Switch over").click()
    expect(page.get_by_text("In force, chosen by tuning")).to_be_visible()
    assert (settings.home / "tuned.toml").exists()
    page.get_by_role("button", name="Go back").click()
    expect(page.get_by_role("button", name="Go back")).to_be_visible()
    page.get_by_role("button", name="Make the report").click()
    page.get_by_role("link", name="Read the report").click(timeout=200_000)
    expect(page.locator("svg").first).to_be_visible()
    assert page.locator("svg").count() >= 5


def test_it_works_without_scripts(browser: Browser, port: int, settings: Settings) -> None:
    before = labels_of(settings)
    with visiting(browser, port, settings, scripts=False) as seen:
        page = seen.page
        page.goto("/messages?verdict=ham&known=nothing")
        page.locator("tbody input[type=checkbox]").first.check()
        page.get_by_role("button", name="Spam").click()
        assert "Learned as spam" in seen.text()
        assert len(labels_of(settings)) == len(before) + 1
        page.get_by_role("button", name="Undo").click()
        assert "Taken back" in seen.text()
    assert labels_of(settings) == before


@pytest.mark.parametrize("width", [340, 1200])
def test_no_page_is_wider_than_the_window(browser: Browser, port: int, settings: Settings, width: int) -> None:
    with visiting(browser, port, settings, width=width) as seen:
        for path in PAGES:
            seen.page.goto(path)
            assert seen.page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_the_first_page_is_small_and_asks_no_other_host(browser: Browser, port: int, settings: Settings) -> None:
    with visiting(browser, port, settings) as seen:
        finished: list[Request] = []
        seen.page.on("requestfinished", lambda request: finished.append(request))  # noqa: PLW0108 - playwright writes to what it is given
        seen.page.goto("/", wait_until="networkidle")
        sizes = [request.sizes() for request in finished]
        assert len(sizes) >= 3
        assert sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes) < 100_000


def test_a_wrong_password_is_told_and_the_right_one_opens(browser: Browser, port: int, settings: Settings) -> None:
    del settings
    with visiting(browser, port) as seen:
        page = seen.page
        page.goto("/messages")
        page.get_by_label("Name").fill("owner")
        page.get_by_label("Password").fill("not the password")
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("alert")).to_have_text("This name and this password do not go together.")
        seen.wrong.clear()  # the browser's console tells that an answer was an error
        page.get_by_label("Name").fill("owner")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
        page.locator(".me summary").click()
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Log in")


def test_an_account_is_made_and_sees_its_own_mail(browser: Browser, home: Path, serve: Serve) -> None:
    settings = settings_in(home)
    add(settings, "owner", Role.ADMINISTRATOR, "local")
    arrive(settings, [ham(1)], user="ada")
    arrive(settings, [ham(2)], user="bob")
    with visiting(browser, serve(settings), settings) as seen:
        page = seen.page
        page.goto("/accounts")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Make").click()
        expect(page.get_by_role("row", name=re.compile("ada user"))).to_be_visible()
        page.goto("/messages")
        assert page.locator("tbody tr").count() == 2
        page.locator(".me summary").click()
        page.get_by_role("button", name="Log out").click()
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("link", name="Messages", exact=True).click()
        expect(page.locator("tbody tr")).to_have_count(1)
        expect(page.locator("tbody .subject")).to_have_text("Minutes of meeting 1")
