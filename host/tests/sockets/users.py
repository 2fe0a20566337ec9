# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Other users, for tests that root runs."""

import json
import os

import pytest

NOBODY, OTHER = 65534, 54321  # the second one has no name
GROUP = 54399  # of no group or user here
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="needs other users: be root")


def as_user(uid: int, action, gid: int | None = None, groups: tuple[int, ...] = ()) -> object:
    """The result of `action` (as JSON) in a process of another user. Needs root."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(here)
            os.setgroups(groups)
            os.setgid(uid if gid is None else gid)
            os.setuid(uid)
            result = json.dumps(action())
        except BaseException as error:  # noqa: BLE001 the parent tells
            result = json.dumps({"raised": repr(error)})
        os.write(there, result.encode())
        os._exit(0)
    os.close(there)
    with os.fdopen(here) as end:
        result = end.read()
    os.waitpid(child, 0)
    value = json.loads(result)
    assert not (isinstance(value, dict) and "raised" in value), value
    return value
