"""Teaching many messages: files dropped onto the page, folders, a mail account, made-up mail. Watched as it goes on."""

import logging
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from thresher import boxes
from thresher.boxes import Item, Kind
from thresher.boxes.imap_login import Security
from thresher.engine import Change, Teaching
from thresher.history import judged
from thresher.learn.hashing import Hasher
from thresher.mail.dates import sent
from thresher.mail.mime import parse
from thresher.prepare import CHUNK, features_of, prepare
from thresher.store.files import private_folder
from thresher.store.jobs import Job, Jobs, State
from thresher.store.journal import Selection
from thresher.store.people import Role
from thresher.store.verdicts import now
from thresher.values import Label, ThresherError
from thresher.web import tuning
from thresher.web.live import stream
from thresher.web.lots import DEMO, Lot, Wanted, Work, lot_of
from thresher.web.site import Site
from thresher.web.visit import Refused, Visit

log = logging.getLogger(__name__)

UPLOADS: Final = "uploads"
"""In the home: what was dropped, until it is learned."""
PATIENCE: Final = 60.0
"""Seconds to wait for one transaction."""
_PORTS: Final = 1 << 16


def show(visit: Visit) -> Response:
    """Show what is being learned and what can be."""
    jobs = [job for job in Jobs(visit.site.people).jobs(_jobs_of(visit)) if job.kind not in tuning.KINDS]
    return visit.show("learning.html", jobs=[(job, _told(job)) for job in jobs], several=visit.account.sees is None)


def start(visit: Visit) -> Response:
    """Lead somebody who has taught nothing yet."""
    running = [
        job for job in Jobs(visit.site.people).jobs(None) if job.state is State.RUNNING and job.kind not in tuning.KINDS
    ]
    learner = visit.site.desk.keeper.judge.learner
    lessons = learner.n_ham + learner.n_spam
    return visit.show("start.html", jobs=[(job, _told(job)) for job in running], lessons=lessons)


def _jobs_of(visit: Visit) -> str | None:
    return None if visit.account.role is Role.ADMINISTRATOR else visit.account.name


# what can be begun ----------------------------------------------------------------------------------------------------


def demo(visit: Visit) -> Response:
    """Learn made-up mail, and judge some more of it."""
    return _begin(visit, "made-up mail", Work(kind="demo"))


def folder(visit: Visit) -> Response:
    """Learn a folder, an mbox or a Maildir of this machine."""
    path = str(Path(visit.text("path").strip()).expanduser())
    say = visit.text("what")
    if not visit.text("path").strip():
        raise Refused("Name a folder or a file of the machine that thresher runs on.")
    kind = boxes.kind(path)
    if say in {Label.HAM, Label.SPAM}:
        return _begin(visit, f"{path} as {say}", Work(kind="paths", **{say: [path]}))  # type: ignore[arg-type]
    if kind is not Kind.MAILDIR:
        raise Refused(f"{path} is no Maildir with its folders, but {_article(kind)}; say whether it is ham or spam.")
    return _begin(visit, f"the Maildir {path}", Work(kind="maildir", maildir=path))


def _article(kind: Kind) -> str:
    return {Kind.MESSAGE: "a message", Kind.FOLDER: "a folder", Kind.MBOX: "an mbox"}.get(kind, str(kind))


def imap(visit: Visit) -> Response:
    """Learn a mail account, once. Its password is used and kept nowhere."""
    host, login, port = visit.text("host").strip(), visit.text("login").strip(), visit.text("port").strip() or "0"
    if not host or not login:
        raise Refused("Name the server and the account on it.")
    if not port.isdecimal() or int(port) >= _PORTS:
        raise Refused(f"{port} is no port.")
    security = visit.text("security") or Security.TLS.value
    if security not in {each.value for each in Security}:
        raise Refused("There is no such way to connect.")
    work = Work(kind="imap", host=host, login=login, port=int(port), security=security)
    return _begin(visit, f"the account {login} at {host}", work, visit.text("secret"))


def upload(visit: Visit) -> Response:
    """Learn files that were dropped onto the page."""
    files, say = visit.files("file"), visit.text("what")
    if not files:
        raise Refused("Choose files first.")
    if say not in {Label.HAM, Label.SPAM}:
        raise Refused("Say whether it is ham or spam.")
    place = visit.site.settings.home / UPLOADS
    private_folder(place)
    import tempfile

    kept = Path(tempfile.mkdtemp(dir=place))
    for number, file in enumerate(files):
        # Its name is somebody's text, and no path of ours.
        with (kept / f"{number:04}").open("xb") as written:
            (kept / f"{number:04}").chmod(0o600)
            shutil.copyfileobj(file.file, written)
    count = "a file" if len(files) == 1 else f"{len(files)} files"
    return _begin(visit, f"{count} as {say}", Work(kind="upload", **{say: [str(kept)]}))  # type: ignore[arg-type]


def go_on(visit: Visit) -> Response:
    """Go on with a job that was cut short."""
    jobs = Jobs(visit.site.people)
    job = jobs.job(visit.number("number"), _jobs_of(visit))
    if job is None:
        raise Refused("There is no such job, or it is not yours.", 404)
    work = msgspec.json.decode(job.what, type=Work)
    if work.kind == "imap":
        raise Refused("A mail account's password is not kept: begin it anew. What was learned counts once.")
    if jobs.take_up(job.id):
        _run_beside(visit, job.id, work, "", job.done)
    return visit.go("/learning")


def take_back(visit: Visit) -> Response:
    """Take back every lesson of a job; made-up mail leaves the list, too."""
    job = Jobs(visit.site.people).job(visit.number("number"), _jobs_of(visit))
    if job is None or job.state is State.RUNNING:
        raise Refused("There is no such job of yours, or it is not over.", 404)
    gone = visit.site.desk.keeper.forget(Selection(source=f"{source_of(job.id)}*")).result(PATIENCE)
    if job.kind == "demo":
        visit.site.verdicts.drop(DEMO)
    Jobs(visit.site.people).end(job.id, State.UNDONE, f"taken back: {len(gone):,} lessons")
    return visit.go("/learning")


def source_of(number: int) -> str:
    """Return what the journal says of where a job's lessons came from, but for the message's own path."""
    return f"page job {number}: "


def _begin(visit: Visit, title: str, work: Work, secret: str = "") -> Response:
    number = Jobs(visit.site.people).begin(visit.account.name, work.kind, title, msgspec.json.encode(work))
    _run_beside(visit, number, work, secret, 0)
    return visit.go("/learning")


async def events(request: Request) -> Response:
    """Tell how far a job is."""
    site: Site = request.app.state.site
    visit = await run_in_threadpool(Visit, request, site)
    if not visit.known:
        return PlainTextResponse("Please log in.\n", 401)
    number, whose = visit.number("number"), _jobs_of(visit)

    def look() -> tuple[str, bool]:
        job = Jobs(site.people).job(number, whose)
        if job is None:
            return msgspec.json.encode({"text": "There is no such job.", "over": True}).decode(), True
        over = job.state is not State.RUNNING
        told = {"done": job.done, "total": job.total, "text": _told(job), "over": over}
        return msgspec.json.encode(told).decode(), over

    return stream(site, "progress", look)


def _told(job: Job) -> str:
    """Say how a job stands."""
    if job.kind in tuning.KINDS:
        return tuning.told(job)
    far = f"{job.done:,} of {job.total:,}" if job.total else "listing what there is"
    match job.state:
        case State.RUNNING:
            return far
        case State.DONE | State.UNDONE:
            return job.note
        case State.FAILED:
            return f"failed at {far}: {job.note}" if job.total else f"failed: {job.note}"
        case State.INTERRUPTED:
            return f"interrupted at {far}"


# the work -------------------------------------------------------------------------------------------------------------


def _run_beside(visit: Visit, number: int, work: Work, secret: str, done: int) -> None:
    teacher = Teacher(visit.site, number, visit.account.person, work)
    threading.Thread(target=teacher.run, args=(secret, done), name=f"job {number}", daemon=True).start()


class Teacher:
    """Does one job, in a thread of its own."""

    def __init__(self, site: Site, number: int, person: str, work: Work) -> None:
        self._site = site
        self._number = number
        self._person = person
        self._work = work
        self._jobs = Jobs(site.people)
        self._hasher = Hasher(site.settings.bits)
        self._counts = {Label.HAM: 0, Label.SPAM: 0}
        self._judged = 0

    def run(self, secret: str, done: int) -> None:
        """Do it, from so many messages on; say how it ended."""
        try:
            lot = lot_of(self._work, secret, now())
            try:
                over = self._do(lot, done)
            finally:
                lot.close()
            if not over:
                self._jobs.leave(self._number)
                return
        except (ThresherError, OSError) as error:
            self._jobs.end(self._number, State.FAILED, str(error))
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, who waits for it is told that it failed
            log.error("page: job %d failed: %s", self._number, type(error).__name__)  # noqa: TRY400 - it may quote mail
            self._jobs.end(self._number, State.FAILED, f"something went wrong ({type(error).__name__})")
            return
        self._clear()
        ham, spam = self._counts[Label.HAM], self._counts[Label.SPAM]
        more = f", judged {self._judged:,} more" if self._judged else ""
        self._jobs.end(self._number, State.DONE, f"learned {ham:,} ham and {spam:,} spam{more}")

    def _do(self, lot: Lot, done: int) -> bool:
        """Work through a lot; False if the process stops before its end."""
        total = len(lot.wanted)
        self._jobs.step(self._number, done, total)
        for first in range(done, total, CHUNK):
            if self._site.desk.stopping:
                return False
            chunk = lot.wanted[first : first + CHUNK]
            self._take(list(lot.load(chunk)))
            self._jobs.step(self._number, min(first + CHUNK, total), total)
        return True

    def _take(self, loaded: Sequence[tuple[Item, Wanted]]) -> None:
        """Judge some messages, teach what is said of them, and write down both."""
        if not loaded:
            return
        keeper = self._site.desk.keeper
        prepared = prepare([item for item, _ in loaded], self._hasher)
        features = features_of(prepared)
        before = keeper.judge.judge(features)
        futures = [
            keeper.learn(Teaching(message, wanted.label, source_of(self._number) + message.path), self._person)
            for message, (_, wanted) in zip(prepared, loaded, strict=True)
            if wanted.label
        ]
        receipts = [future.result(PATIENCE) for future in futures]
        for receipt in receipts:
            self._counts[receipt.label] += receipt.change is not Change.UNCHANGED
        self._judged += len(loaded) - len(receipts)
        # What is taught was judged before it was, what is only judged is by all that was.
        after = keeper.judge.judge(features) if len(receipts) < len(loaded) else before
        rows = []
        for (item, wanted), message, *judgements in zip(loaded, prepared, before, after, strict=True):
            judgement = judgements[0 if wanted.label else 1]
            parsed = parse(item.raw)
            at = wanted.at or sent(parsed.headers) or now()
            row = judged(
                *(item.raw, parsed, message.stream, message.digest, judgement),
                time=min(at, now()),
                user=self._person,
                via="page",
                folder=wanted.folder if self._work.kind != "upload" else "dropped",
            )
            rows.append(msgspec.structs.replace(row, label=wanted.label))
        self._site.verdicts.add(rows)

    def _clear(self) -> None:
        """Delete what was dropped: it is learned."""
        if self._work.kind == "upload":
            for path in (*self._work.ham, *self._work.spam):
                shutil.rmtree(path)
