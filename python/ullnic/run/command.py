# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The `run` subcommand: what it runs by default, and the other demonstrations by name."""

import click

from ullnic.run.link.command import link
from ullnic.run.toe.command import toe
from ullnic.run.trade.command import trade


class DefaultGroup(click.Group):
    """Without the name of a subcommand, the first one is meant: options follow at once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


run = DefaultGroup("run", commands={"trade": trade, "link": link, "toe": toe})
