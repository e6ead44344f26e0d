"""``thresher install-sieve``: what makes a Dovecot teach thresher when people move mail."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thresher.cli.common import home_option, json_line, json_option, settings_for, write_lines

if TYPE_CHECKING:
    from thresher.filing.sieve import Script

EPILOG: Final = """\
\b
Examples:
  thresher install-sieve --print                       read it first
  thresher install-sieve --dir /etc/dovecot/sieve      write the scripts there
  thresher install-sieve --print --spamc "spamc -d 127.0.0.1 -p 783"

For servers whose mail lies in Dovecot: then every mail program teaches, on every device, and nothing need watch. Moving
a message into Junk teaches spam, out of Junk ham, out of Junk into Trash nothing. What thresher has tagged at delivery
(X-Spam: Yes) goes to Junk. Lessons are given by calling thresher, as the user Dovecot runs as, who must be able to
write the home; or, with --spamc, through `thresher serve --spamd` with learning = true.

With --dir the scripts are written and, where sievec is installed, compiled; the configuration is printed, for you to
put into Dovecot's conf.d.

\b
Exit codes: 0 done, 1 if it could not be written, 2 wrong usage.
"""


@click.command("install-sieve", epilog=EPILOG)
@click.option("--print", "printing", is_flag=True, help="Print configuration and scripts; nothing is written.")
@click.option("--dir", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Write the scripts into DIR.")
@click.option("--junk", default="Junk", show_default=True, metavar="FOLDER", help="The folder for spam.")
@click.option(
    "--trash", default="Trash", show_default=True, metavar="FOLDER", help="The folder of what is thrown away."
)
@click.option("--spamc", metavar="COMMAND", help="Teach through the daemon, by this command, instead.")
@json_option
@home_option
def install_sieve(
    folder: Path | None,
    junk: str,
    trash: str,
    spamc: str | None,
    home: str | None,
    *,
    printing: bool,
    as_json: bool,
) -> None:
    """Write what makes Dovecot teach when people move mail (imapsieve)."""
    import shlex

    from thresher.filing.sieve import SCRIPTS, Wanted, by_daemon, by_program, scripts

    if not printing and folder is None:
        raise click.UsageError("say --print, or --dir DIR to write the scripts")
    settings = settings_for(home)
    if spamc is not None:
        command = by_daemon(shlex.split(spamc))
    else:
        command = by_program([sys.executable, "-m", "thresher", "--home", str(settings.home.absolute())])
    try:
        files = scripts(Wanted(command, (folder or SCRIPTS).absolute(), junk, trash))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if printing:
        for file in files:
            write_lines([json_line({"name": file.name, "text": file.text, "mode": oct(file.mode)})]
                        if as_json else [f"### {file.name}", file.text])  # fmt: skip
        return
    if folder is not None:
        _write(folder.absolute(), files[1:])
        write_lines([f"the scripts are in {folder}; put this into Dovecot's conf.d:", "", files[0].text])


def _write(folder: Path, files: "list[Script]") -> None:
    import shutil

    from thresher.values import ThresherError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            path = folder / file.name
            path.write_text(file.text)
            path.chmod(file.mode)
    except OSError as error:
        raise ThresherError(f"{error.filename}: {(error.strerror or str(error)).lower()}") from error
    if compiler := shutil.which("sievec"):
        # Dovecot compiles a script when it first needs it, but may not be allowed to write beside it.
        for file in files:
            if file.name.endswith(".sieve"):
                _compile(compiler, folder / file.name)


def _compile(compiler: str, script: Path) -> None:
    import subprocess
    import tempfile

    from thresher.filing.sieve import EXTENSIONS
    from thresher.values import ThresherError

    # Not the system's configuration, into which ours is yet to be put.
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as configuration:
        configuration.write(f"plugin {{\n{EXTENSIONS}\n}}\n")
        configuration.flush()
        line = [compiler, "-c", configuration.name, str(script)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)  # noqa: S603 - our own files
    if done.returncode:
        raise ThresherError(f"sievec refuses {script}: {done.stderr.strip()}")
