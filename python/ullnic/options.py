# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

import math
import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile

import click

from ullnic.captures.opening import check_path
from ullnic.configs import MEASURED_NAMES
from ullnic.toolchain import cpu_count


def once_each(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def configs_option_of(names: Iterable[str]):
    """Provides `configs`: the names, each once, in the order on the command line; empty if all are meant."""
    names = tuple(names)
    return click.option(
        "--config",
        "configs",
        multiple=True,
        type=click.Choice(names),
        callback=once_each,
        metavar="NAME",
        help=f"Only this one; may be given several times. One of: {', '.join(names)}.",
    )


configs_option = configs_option_of(MEASURED_NAMES)


def jobs_option(help: str, most: int = 256):
    """Provides `jobs`."""
    return click.option(
        "--jobs", type=click.IntRange(1, most), default=cpu_count, show_default="one for each core", help=help
    )


class FaultSpec(click.ParamType):
    """A fault specification of a line, as the simulations accept it (sim/src/link/spec.cc); '' for none."""

    name = "faults"
    NAMES = ("drop", "dup", "reorder", "corrupt", "ber")
    NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

    def convert(self, value, param, ctx):
        seen = set()
        for item in value.split(",") if value else ():
            name, equals, text = item.partition("=")
            if not equals or name not in self.NAMES:
                self.fail(
                    f"'{value}': '{item}' is none of {', '.join(f'{each}=P' for each in self.NAMES)}.", param, ctx
                )
            if name in seen:
                self.fail(f"'{value}': '{name}' is given twice.", param, ctx)
            seen.add(name)
            number = float(text) if self.NUMBER.fullmatch(text) else -1
            vanishes = number == 0 and re.search("[1-9]", re.split("[eE]", text)[0])
            if not 0 <= number <= 1 or vanishes:
                self.fail(f"'{value}': {item} is not a probability from 0 to 1.", param, ctx)
        return value


class Finite(click.FloatRange):
    """A number in a range, neither infinite nor NaN."""

    def convert(self, value, param, ctx):
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class CaptureFile(click.Path):
    """A pcap or pcapng file or a pipe, '-' for standard input; refused if it cannot be read."""

    def __init__(self):
        super().__init__(path_type=Path)

    def convert(self, value, param, ctx):
        path = super().convert("/dev/stdin" if value == "-" else value, param, ctx)
        check_path(path)
        return path


class OutputFile(click.Path):
    """A file that will be written once the work is done; refused at once if it cannot be."""

    def __init__(self):
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value, param, ctx):
        path = super().convert(value, param, ctx)
        try:
            if path.is_file():
                with open(path, "ab"):
                    pass
            elif not path.exists():
                with TemporaryFile(dir=path.parent):  # the only test that holds for root, too
                    pass
        except OSError as error:
            self.fail(f"'{path}' cannot be written: {error.strerror}.", param, ctx)
        return path


class OutputFolder(click.Path):
    """A folder that will be written into, created if necessary; refused at once if it cannot be."""

    def __init__(self):
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value, param, ctx):
        path = super().convert(value, param, ctx)
        above = path.absolute()
        while not above.exists() and above != above.parent:
            above = above.parent
        try:
            with TemporaryFile(dir=above):
                pass
        except OSError as error:
            self.fail(f"'{path}' cannot be written: {error.strerror}.", param, ctx)
        return path


SEED = click.IntRange(0, 2**63 - 1)
FRAMES = click.IntRange(100, 1_000_000_000)
