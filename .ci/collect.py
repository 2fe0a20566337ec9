#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Combines the results of the shards of hosted CI: collect.py FOLDER, which has a JUnit XML file for each shard.

Exit code 1 if a test failed, if a test ran in two shards, or if none ran. Standard library only.
"""

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

BAD = ("failure", "error")


def main() -> int:
    files = sorted(Path(sys.argv[1]).glob("*.xml"))
    ran: Counter[str] = Counter()
    failed, skipped = set(), set()
    for file in files:
        of_shard = set()
        for case in ElementTree.parse(file).iter("testcase"):
            test = f"{case.get('classname')}::{case.get('name')}"
            of_shard.add(test)  # a failed test whose fixture then failed appears twice
            if any(case.find(kind) is not None for kind in BAD):
                failed.add(test)
            elif case.find("skipped") is not None:
                skipped.add(test)
        ran.update(of_shard)
    twice = sorted(test for test, times in ran.items() if times > 1)
    for test in sorted(failed):
        print(f"- failed: `{test}`")
    for test in twice:
        print(f"- in more than one shard: `{test}`")
    passed = len(ran) - len(failed) - len(skipped - failed)
    print(f"\n{len(files)} shards: {passed} passed, {len(failed)} failed, {len(skipped - failed)} skipped")
    return 1 if failed or twice or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
