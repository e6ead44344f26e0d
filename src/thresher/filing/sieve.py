"""Dovecot's imapsieve: the configuration and scripts by which moving a message in any mail program is a lesson. Pure.

Moving into Junk teaches spam, out of Junk ham; out of Junk into Trash teaches nothing, since people empty it so. At
delivery, what a milter or another caller of thresher's has tagged as spam goes to Junk.
Sources: Pigeonhole's manual on imapsieve and extprograms; RFC 6785.
"""

from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Final, NamedTuple

SCRIPTS: Final = Path("/etc/dovecot/sieve")
"""Where Dovecot's manual keeps scripts of the whole server."""
EXTENSIONS: Final = """\
  sieve_plugins = sieve_imapsieve sieve_extprograms
  sieve_global_extensions = +vnd.dovecot.pipe +vnd.dovecot.environment"""
"""What the scripts need of Pigeonhole, as Dovecot's configuration says it."""
_CONFIGURATION: Final = Template("""\
# $folder/../conf.d/99-thresher.conf: Dovecot 2.3 with Pigeonhole (Debian: dovecot-sieve; for LMTP also dovecot-lmtpd).
# Other plugins that are in use already must stay: $$mail_plugins holds those that were named before.

protocol imap {
  mail_plugins = $$mail_plugins imap_sieve
}
protocol lmtp {
  mail_plugins = $$mail_plugins sieve
}
protocol lda {
  mail_plugins = $$mail_plugins sieve
}
plugin {
$extensions
  sieve_pipe_bin_dir = $folder

  # At delivery: what is tagged as spam goes to $junk, before anybody's own script.
  sieve_before = $folder/thresher-deliver.sieve

  # Into $junk by whatever way: spam.
  imapsieve_mailbox1_name = $junk
  imapsieve_mailbox1_causes = COPY APPEND
  imapsieve_mailbox1_before = file:$folder/thresher-spam.sieve

  # Out of $junk into any other folder: ham, but not into $trash.
  imapsieve_mailbox2_name = *
  imapsieve_mailbox2_from = $junk
  imapsieve_mailbox2_causes = COPY
  imapsieve_mailbox2_before = file:$folder/thresher-ham.sieve
}
""")
_DELIVER: Final = Template("""\
require ["fileinto", "mailbox"];
# thresher-deliver.sieve: at delivery, what thresher has tagged as spam goes to $junk.
if header :is "X-Spam" "Yes" {
  fileinto :create "$junk";
  stop;
}
""")
_SPAM: Final = Template("""\
require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];
# thresher-spam.sieve: somebody put a message into $junk.
if environment :matches "imap.user" "*" { set "user" "$${1}"; }
pipe :copy "thresher-lesson" ["spam", "$${user}"];
""")
_HAM: Final = Template("""\
require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];
# thresher-ham.sieve: somebody took a message out of $junk. Thrown away it teaches nothing.
if environment :matches "imap.mailbox" "*" { set "mailbox" "$${1}"; }
if string :is "$${mailbox}" [$neutral] { stop; }
if environment :matches "imap.user" "*" { set "user" "$${1}"; }
pipe :copy "thresher-lesson" ["ham", "$${user}"];
""")
_LESSON: Final = Template("""\
#!/bin/sh
# thresher-lesson: called with spam or ham, the user's name, and the message on standard input.
case "$$1" in spam|ham) ;; *) exit 64 ;; esac
exec $command
""")
_NEUTRAL: Final = ("Drafts", "Deleted Items", "Deleted Messages")
"""Beside the folder for what is thrown away: folders to which programs move what is no lesson."""


class Script(NamedTuple):
    """A file to be installed."""

    name: str
    text: str
    mode: int = 0o644


class Wanted(NamedTuple):
    """What an administrator chooses."""

    command: str
    """What teaches a message on standard input: see `by_program` and `by_daemon`."""
    folder: Path = SCRIPTS
    junk: str = "Junk"
    trash: str = "Trash"


def by_program(words: Sequence[str]) -> str:
    """Teach by calling thresher itself."""
    return f'{" ".join(map(quoted, words))} learn "--$1" - --user "$2" >/dev/null'


def by_daemon(words: Sequence[str]) -> str:
    """Teach through the running daemon, which must have `learning = true`."""
    return f'{" ".join(map(quoted, words))} -u "$2" -L "$1" >/dev/null'


def scripts(wanted: Wanted) -> list[Script]:
    """Return every file: first Dovecot's configuration, then what goes into the scripts' folder."""
    neutral = ", ".join(f'"{_escaped(name)}"' for name in dict.fromkeys((wanted.trash, *_NEUTRAL)))
    names = {
        "folder": str(wanted.folder), "junk": _escaped(wanted.junk), "trash": _escaped(wanted.trash),
        "neutral": neutral, "command": wanted.command, "extensions": EXTENSIONS,
    }  # fmt: skip
    return [
        Script("99-thresher.conf", _CONFIGURATION.substitute(names)),
        Script("thresher-deliver.sieve", _DELIVER.substitute(names)),
        Script("thresher-spam.sieve", _SPAM.substitute(names)),
        Script("thresher-ham.sieve", _HAM.substitute(names)),
        Script("thresher-lesson", _LESSON.substitute(names), 0o755),
    ]


def _escaped(name: str) -> str:
    """Write a folder's name in a Sieve string, and in Dovecot's configuration."""
    if not name.isprintable():
        raise ValueError(f"{name!r} cannot name a folder")
    return name.replace("\\", "\\\\").replace('"', '\\"')


def quoted(word: str) -> str:
    """Write a word for a shell."""
    import shlex

    return shlex.quote(word)
