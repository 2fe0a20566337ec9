# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

from collections.abc import Iterable

import click

from ullnic.configs import NAMES
from ullnic.toolchain import cpu_count


def once_each(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def configs_option_of(names: Iterable[str]):
    """Gives `configs`: the names, each once, in the order given; empty if all are meant."""
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


configs_option = configs_option_of(NAMES)


def jobs_option(help: str, most: int = 256):
    """Gives `jobs`."""
    return click.option(
        "--jobs", type=click.IntRange(1, most), default=cpu_count, show_default="one for each core", help=help
    )
