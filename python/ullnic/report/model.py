# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The contents of a report.

The page, the Markdown, the CSV and the JSON are all generated from it, so they hold the same numbers.
"""

from dataclasses import asdict, dataclass, field

Value = str | int | float | None  # None: there is none; shown as "-"


@dataclass(frozen=True)
class Column:
    key: str  # in CSV and JSON
    title: str
    unit: str = ""
    digits: int | None = None  # digits after the point; None: words, or whole numbers as they are
    words: bool = False  # aligned to the left

    @property
    def heading(self) -> str:
        return f"{self.title}, {self.unit}" if self.unit else self.title

    def text(self, value: Value) -> str:
        if value is None:
            return "-"
        return f"{value:.{self.digits}f}" if self.digits is not None and not isinstance(value, str) else str(value)


@dataclass(frozen=True)
class Table:
    """`note` says what the figures are ("simulated", of how many samples) and how to read them."""

    id: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    commands: tuple[str, ...]  # each reproduces figures of this table

    def texts(self, row: tuple[Value, ...]) -> list[str]:
        return [column.text(value) for column, value in zip(self.columns, row, strict=True)]


@dataclass(frozen=True)
class Range:
    """A bar from `low` to `high` with a mark at `mid`, beside a published one."""

    label: str
    low: float
    mid: float
    high: float
    published: tuple[float, float] | None = None
    needs: float | None = None  # a line that the bar should exceed


@dataclass(frozen=True)
class Histogram:
    label: str
    values: tuple[tuple[float, int], ...]  # (value, count)
    samples: int
    published: tuple[float, float] | None = None


@dataclass(frozen=True)
class Band:
    """Lowest, mean and highest value at each x, and the published figure where there is one."""

    label: str
    x: tuple[float, ...]
    low: tuple[float, ...]
    mean: tuple[float, ...]
    high: tuple[float, ...]
    samples: int
    published: tuple[float | None, ...] | None = None


@dataclass(frozen=True)
class Pair:
    label: str
    ours: float
    published: float | None


@dataclass(frozen=True)
class Plot:
    """All `marks` are of one class, which determines how they are drawn: a row for each Range or Pair, a panel for each
    Histogram or Band.
    """

    id: str
    title: str
    note: str  # the caption: "simulated" or "estimated", samples, how to read it
    x_label: str  # with its unit
    marks: tuple[Range | Histogram | Band | Pair, ...]
    y_label: str = ""
    log_x: bool = False
    mid: str = "mean"  # meaning of the mark in a Range's bar


@dataclass(frozen=True)
class Section:
    id: str
    title: str
    text: tuple[str, ...]  # paragraphs
    items: tuple[Table | Plot, ...]

    def tables(self) -> list[Table]:
        return [item for item in self.items if isinstance(item, Table)]

    def plots(self) -> list[Plot]:
        return [item for item in self.items if isinstance(item, Plot)]


@dataclass(frozen=True)
class Headline:
    """One of the few figures that come first: "24.82 to 31.03 ns", beside "published 28.44 to 34.66"."""

    title: str
    figure: str
    beside: str


@dataclass(frozen=True)
class Report:
    title: str
    summary: tuple[str, ...]  # paragraphs
    headlines: tuple[Headline, ...]
    sections: tuple[Section, ...]
    made: dict[str, str] = field(default_factory=dict)  # commit, command, versions, machine

    def as_json(self) -> dict:
        return asdict(self)
