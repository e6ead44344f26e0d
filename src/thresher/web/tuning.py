"""Choosing learner and settings on the owner's lessons, and the report: started, watched, read, applied.

Both are commands of ours that run for a while beside the daemon (`thresher tune`, `thresher report`): they read the
journal in a process of their own, so judging does not wait for them.
"""

import logging
import subprocess
import threading
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from starlette.responses import HTMLResponse, Response

from thresher.build import build_engine, start_command, switch
from thresher.store.jobs import Job, Jobs, State
from thresher.store.tuned import read_tuned, switched
from thresher.values import ThresherError
from thresher.web.site import Site
from thresher.web.visit import Refused, Visit

log = logging.getLogger(__name__)

KINDS: Final = frozenset({"tune", "report", "apply"})
REPORT: Final = "page-report.html"
"""In the home, readable by its owner."""
EVERY: Final = 1.0
"""Seconds between two looks at a command that runs."""
LONGEST_COST: Final = 1e6
REPORT_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The report's own policy, inside it, allows its one style sheet by its hash; both hold."""


class Compared(NamedTuple):
    """What a comparison came to."""

    job: Job
    found: dict[str, Any]


def show(visit: Visit) -> Response:
    """Show what was compared, and what can be."""
    home = visit.site.settings.home
    jobs = [job for job in Jobs(visit.site.people).jobs(None) if job.kind in KINDS]
    report = home / REPORT
    return visit.show(
        "tuning.html",
        running=[(job, told(job)) for job in jobs if job.state is State.RUNNING],
        failed=[(job, told(job)) for job in jobs[:1] if job.state in {State.FAILED, State.INTERRUPTED}],
        compared=_newest(jobs),
        tuned=read_tuned(home),
        report=report.stat().st_mtime if report.exists() else None,
    )


def _newest(jobs: Sequence[Job]) -> Compared | None:
    for job in jobs:
        if job.kind == "tune" and job.state is State.DONE:
            return Compared(job, msgspec.json.decode(job.note))
    return None


def told(job: Job) -> str:
    """Say how a job stands."""
    match job.state:
        case State.RUNNING:
            return f"running for {job.done:,} s"
        case State.DONE:
            return "done"
        case _:
            return f"{job.state}: {job.note}" if job.note else str(job.state)


def tune(visit: Visit) -> Response:
    """Start a comparison."""
    try:
        cost = float(visit.text("cost") or 100)
    except ValueError:
        cost = 0.0
    if not 1 <= cost <= LONGEST_COST:
        raise Refused("A ham lost costs at least as much as one spam missed.")
    return _begin(
        visit, "tune", "Comparing learners and settings", ["tune", "--json", "--jobs", "1", "--cost", f"{cost:g}"]
    )


def report(visit: Visit) -> Response:
    """Start the report."""
    out = str(visit.site.settings.home / REPORT)
    return _begin(visit, "report", "Making the report", ["report", "--jobs", "1", "--out", out])


def read_report(visit: Visit) -> Response:
    """Show the report."""
    file = visit.site.settings.home / REPORT
    if not file.exists():
        raise Refused("No report was made yet.", 404)
    return HTMLResponse(file.read_bytes(), headers={"content-security-policy": REPORT_POLICY})


def apply(visit: Visit) -> Response:
    """Switch over to what the newest comparison chose."""
    compared = _newest([job for job in Jobs(visit.site.people).jobs(None, 50) if job.kind in KINDS])
    if compared is None:
        raise Refused("Nothing was compared yet.")
    values, lessons = dict(compared.found["chosen"]), int(compared.found["n"])
    site = visit.site
    number = Jobs(site.people).begin(visit.account.name, "apply", "Switching over", b"{}")

    def work() -> None:
        settings = msgspec.structs.replace(site.settings, **{"alpha": None, "rate": None, **values})
        engine = build_engine(settings)
        try:
            engine.rebuild()
        finally:
            engine.journal.close()
        switch(settings, switched(settings.home, values, lessons))
        Jobs(site.people).end(number, State.DONE, "switched over")

    _beside(site, number, work)
    return visit.go("/tuning")


def undo(visit: Visit) -> Response:
    """Go back to what was before the last switch."""
    settings = visit.site.settings
    present = read_tuned(settings.home)
    if present is None:
        raise Refused("Nothing was switched over.")
    switch(settings, switched(settings.home, present.before, present.lessons_before))
    return visit.go("/tuning")


def _begin(visit: Visit, kind: str, title: str, arguments: list[str]) -> Response:
    site, jobs = visit.site, Jobs(visit.site.people)
    if any(job.kind in KINDS and job.state is State.RUNNING for job in jobs.jobs(None)):
        raise Refused("One of these runs already: wait for its end.")
    number = jobs.begin(visit.account.name, kind, title, b"{}")
    _beside(site, number, lambda: _run(site, number, arguments))
    return visit.go("/tuning")


def _beside(site: Site, number: int, work: Any) -> None:  # noqa: ANN401 - a callable without arguments
    def run() -> None:
        try:
            work()
        except (ThresherError, OSError) as error:
            Jobs(site.people).end(number, State.FAILED, str(error))
        except Exception as error:  # noqa: BLE001 - whatever it is, who waits for it is told that it failed
            log.error("page: job %d failed: %s", number, type(error).__name__)  # noqa: TRY400 - it may quote mail
            Jobs(site.people).end(number, State.FAILED, f"something went wrong ({type(error).__name__})")

    threading.Thread(target=run, name=f"job {number}", daemon=True).start()


def _run(site: Site, number: int, arguments: list[str]) -> None:
    """Run a command and wait for it, as long as this process lasts."""
    jobs = Jobs(site.people)
    process = start_command(site.settings.home, arguments)
    seconds = 0
    while True:
        try:
            out, errors = process.communicate(timeout=EVERY)
            break
        except subprocess.TimeoutExpired:
            seconds += 1
            jobs.step(number, seconds, 0)
            if site.desk.stopping:
                process.terminate()
                process.communicate()
                jobs.leave(number)
                return
    if process.returncode:
        lines = errors.decode("utf-8", "replace").strip().splitlines() or ["it failed"]
        jobs.end(number, State.FAILED, lines[-1].removeprefix("Error: "))
    else:
        lines = out.decode("utf-8", "replace").strip().splitlines() or [""]
        jobs.end(number, State.DONE, lines[-1])
