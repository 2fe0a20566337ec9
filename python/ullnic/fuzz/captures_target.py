# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Fuzz target of the capture readers: `python -m ullnic.fuzz.captures_target`, with libFuzzer's options; in .venv/fuzz.

Any input gives frames that can cross the line, or an error with a remedy. Compression by zstd is left out, as another
program decompresses it.
"""

import io
import os
import sys
from contextlib import closing
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["ullnic.captures"]):
    from ullnic.captures import opening, plain
    from ullnic.captures.packets import Damaged

from ullnic.errors import UllnicError

ZSTD = b"\x28\xb5\x2f\xfd"
RECORD_BYTES = 16  # before each frame of a plain file


def check_frames(written: bytes, played: plain.Played) -> None:
    """Checks what a simulation reads without checking it again."""
    count = 0
    while written:
        length = int.from_bytes(written[8:12], "little")
        assert 0 < length <= plain.MAX_FRAME_BYTES, f"a frame of {length} bytes"
        assert written[12:16] == written[8:12] and len(written) >= RECORD_BYTES + length
        written = written[RECORD_BYTES + length :]
        count += 1
    left_out = sum(each.count for each in played.left_out.values()) + sum(played.interfaces.values())
    assert count == played.sent and played.sent + left_out == played.frames, played.report()


def read(path: Path) -> None:
    played, written = plain.Played(), io.BytesIO()
    with closing(opening.Capture(path)) as capture:
        try:
            plain.copy(capture, written, played)
        except Damaged as damage:
            assert str(damage) and capture.repair(played.frames)
        except UllnicError as error:
            assert error.message and error.remedy
            return
    check_frames(written.getvalue(), played)
    assert all(note.isprintable() for note in played.notes())
    if not played.sent:
        assert played.nothing(path).remedy


def test_one_input(data: bytes) -> None:
    if data.startswith(ZSTD):
        return
    file = os.memfd_create("capture")
    try:
        os.write(file, data)
        read(Path(f"/proc/self/fd/{file}"))
    finally:
        os.close(file)


def main() -> None:
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
