# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The `run` subcommand: what it runs by default, and the other demonstrations by name."""

import click
from click.shell_completion import CompletionItem

from ullnic.run.link.command import link
from ullnic.run.toe.command import toe
from ullnic.run.trade.command import trade


class DefaultGroup(click.Group):
    """If the first word names no subcommand, the first subcommand is meant and all words are its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        completing = ctx.resilient_parsing and not args  # the first word, which may be a name
        if not completing and (not args or args[0] not in self.commands):
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        name, first = next(iter(self.commands.items()))
        of_first = first.make_context(name, [], parent=ctx, resilient_parsing=True)
        names = [CompletionItem(each) for each in self.commands if each.startswith(incomplete)]
        return names + first.shell_complete(of_first, incomplete)


run = DefaultGroup("run", commands={"trade": trade, "link": link, "toe": toe})
