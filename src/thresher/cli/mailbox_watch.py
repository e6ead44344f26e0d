"""``thresher mailbox watch``: stays, files new spam, and learns from what people move."""

import signal
import sys
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import home_option, learner_option, settings_for
from thresher.cli.mailboxes import accounts_argument, accounts_named

if TYPE_CHECKING:
    from types import FrameType

    from thresher.filing.watching import Watch

GRACE: Final = 30.0
"""Seconds that a step under way has to come to its end when the command stops; systemd waits 90."""
TICK: Final = 0.5
"""Seconds between two looks at whether the model is to be settled."""
EPILOG: Final = """\
\b
Examples:
  thresher mailbox watch                 every account, until stopped
  thresher mailbox watch work home --json

New mail that is spam is moved into the folder for it as soon as it comes: the server tells (IDLE), or the system does
(inotify). What people move, mark, answer or keep is learned. Of an account that nobody has looked at yet the folders
are learned first, and what lies in its inbox stays there: `thresher mailbox sort` is for that. A connection that is
lost is made again. Other commands may be used meanwhile.

The log goes to standard error and holds no subject and no address. SIGTERM and SIGINT stop.

\b
Exit codes: 0 stopped as asked, 1 if it could not start, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@accounts_argument
@click.option("--json", "as_json", is_flag=True, help="Write the log as JSON, an object a line.")
@learner_option
@home_option
def watch(names: tuple[str, ...], home: str | None, learner: str | None, *, as_json: bool) -> None:
    """Stay, file new spam, and learn from what people move."""
    from thresher.build import build_engine
    from thresher.filing.watching import Watch
    from thresher.serve.keeper import Settler
    from thresher.serve.logs import set_up
    from thresher.serve.processes import notify

    settings = settings_for(home, learner=learner)
    accounts = accounts_named(settings, names)
    set_up(sys.stderr, as_json=as_json)
    stop = threading.Event()
    settler = Settler(settings)
    with ExitStack() as stack:
        stack.callback(settler.close)
        watches = []
        for account in accounts:
            engine = build_engine(settings, settle_seconds=0.0)
            stack.callback(engine.journal.close)
            watches.append(Watch(account, engine, stop, settler.changed))
        _on_signals(stop)
        # They wait for mail where nothing can wake them; so they do not keep the program from ending.
        threads = [threading.Thread(target=each.run, name=each.account.name, daemon=True) for each in watches]
        for thread in threads:
            thread.start()
        notify("READY=1")
        while not stop.wait(TICK) and all(thread.is_alive() for thread in threads):
            settler.step()
        notify("STOPPING=1")
        failed = not stop.is_set()
        stop.set()
        _let_finish(watches)
    if failed:
        raise click.ClickException("a watch ended by an error that should not be; see above")


def _on_signals(stop: threading.Event) -> None:
    def ask(_: int, __: "FrameType | None") -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask)


def _let_finish(watches: "list[Watch]") -> None:
    """Let steps under way come to their end; what is cut off all the same, the next start makes good."""
    for each in watches:
        each.busy.acquire(timeout=GRACE)
