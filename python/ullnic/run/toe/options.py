# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The options of one run, as they travel from the command line into the namespaces."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Options:
    bin_dir: str
    out_dir: str
    bulk_bytes: int
    sessions: int
    port: str
    seed: int
    fault: str | None
    capture: bool
    keep: bool
    json: bool
    user_namespace: bool
    command: str

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> "Options":
        return Options(**json.loads(text))
