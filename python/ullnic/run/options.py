# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Transfer of a run's options: as JSON into the namespaces, as arguments to a program."""

import json
from dataclasses import asdict
from typing import Self


class Travelling:
    """For a dataclass of plain values."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        return cls(**json.loads(text))


def arguments(settings: dict[str, object]) -> list[str]:
    """The options and their values, without those that are None."""
    return [str(part) for name, value in settings.items() if value is not None for part in (name, value)]
