"""Compile the kernels, the modules that have a .pxd beside them, if this machine can; all works without, slower.

    python tools/build_kernel.py

Writes src/thresher/**/NAME.cpython-....so beside its NAME.py, which Python then imports instead. Needs Cython and a C
compiler; where one of them, or Python's headers, is missing, it says so and ends well.
"""

import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "thresher"
DIRECTIVES = ("language_level=3", "boundscheck=True", "wraparound=False", "cdivision=True", "annotation_typing=False")


def missing() -> str:
    """Name what there is to compile with and is not there."""
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"no C compiler ({compiler})"
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").exists():
        return f"no Python.h in {headers}"
    return ""


def build(module: Path, folder: Path) -> Path:
    """Compile one module; return the extension."""
    source = folder / f"{module.stem}.c"
    name = ".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts)
    options = [word for directive in DIRECTIVES for word in ("-X", directive)]
    cython = [sys.executable, "-m", "cython", "-3", *options, "--module-name", name, "-o", str(source), str(module)]
    subprocess.run(cython, check=True, cwd=PACKAGE.parent)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    made = folder / f"{module.stem}{suffix}"
    compiler = shlex.split(sysconfig.get_config_var("LDSHARED") or "cc -shared")
    flags = ["-O2", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=off", f"-I{sysconfig.get_path('include')}"]
    subprocess.run([*compiler, *flags, str(source), "-o", str(made)], check=True)
    return made


def main() -> int:
    """Compile every module that has types for it."""
    modules = [types.with_suffix(".py") for types in sorted(PACKAGE.rglob("*.pxd"))]
    lacking = missing()
    if lacking:
        print(f"build_kernel: {lacking}: nothing is compiled, and thresher takes somewhat longer")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for module in modules:
            made = build(module, Path(folder))
            # In place of an older one in one step: another process may have that mapped.
            target = module.with_name(made.name)
            staged = target.with_suffix(".new")
            shutil.copy(made, staged)
            staged.replace(target)
            print(f"build_kernel: {target.relative_to(PACKAGE.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
