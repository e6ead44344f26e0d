"""``thresher figures``: every picture of the documents, drawn anew."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

import click

from thresher.cli.common import json_line, json_option, progress, write_lines
from thresher.report.figures import FIGURES, FORMATS, Drawing
from thresher.values import ThresherError

EPILOG: Final = """\
\b
Examples:
  thresher figures /tmp/figures
  thresher figures /tmp/figures --only sine_fits --only housing --format svg
  thresher figures --list

Their seeds are fixed: the same versions draw the same files. docs/tutorial.md walks through them.

\b
Exit codes: 0 done, 1 if they could not be written, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path), required=False)
@click.option("--only", "names", metavar="NAME", multiple=True, help="Draw this one; may be given more than once.")
@click.option(
    "--format", "kind", type=click.Choice(list(FORMATS)), default="png", show_default=True, help="Of the files."
)
@click.option("--list", "listing", is_flag=True, help="List the figures and draw none.")
@json_option
def figures(out: Path | None, names: Sequence[str], kind: str, *, listing: bool, as_json: bool) -> None:
    """Draw the figures of the documents into the folder OUT.

    They show the methods of thresher.learn and thresher.choose, on made-up numbers and made-up mail.
    """
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        raise click.BadParameter(f"there is no figure {unknown[0]!r}; --list names them", param_hint="--only")
    chosen = {name: FIGURES[name] for name in FIGURES if not names or name in names}
    if listing:
        write_lines(_listed(chosen, as_json=as_json))
        return
    if out is None:
        raise click.UsageError("Missing argument 'OUT': the folder to draw into (--list needs none)")
    written = _drawn(chosen, out, kind)
    if as_json:
        write_lines(json_line({"figure": name, "path": str(path)}) for name, path in written.items())
    else:
        click.echo(f"{len(written)} figures in {out}")


def _listed(chosen: dict[str, Drawing], *, as_json: bool) -> list[str]:
    if as_json:
        return [json_line({"figure": name, "rows": of.rows, "shows": of.shows}) for name, of in chosen.items()]
    width = max(map(len, chosen))
    return [f"{name:<{width}}  {of.shows}" for name, of in chosen.items()]


def _drawn(chosen: dict[str, Drawing], out: Path, kind: str) -> dict[str, Path]:
    from thresher.report.figures import draw, save

    written: dict[str, Path] = {}
    try:
        out.mkdir(parents=True, exist_ok=True)
        with progress("drawing", len(chosen)) as step:
            for name in chosen:
                # Drawn in memory, so that a full disk leaves a file that was there either old or new.
                image = BytesIO()
                save(draw(name), image, kind)
                written[name] = _written(out / f"{name}.{kind}", image.getvalue())
                step(1)
    except OSError as error:
        raise ThresherError(f"{error.filename or out}: {(error.strerror or str(error)).lower()}") from error
    return written


def _written(path: Path, content: bytes) -> Path:
    """Replace a file. Others may read it: it shows made-up data, and is there to be shown."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path
