# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run link --replay`: a capture crosses the RTL unchanged, without privileges; bad input is explained."""

import gzip
import random

import pytest
from scapy.utils import PcapNgWriter, PcapWriter, RawPcapNgReader

from capture_bytes import RAW_IP, frame, interface, packet, section, simple
from live_run import ORDINARY_USER, good_summary, run
from ullnic.pytest_seed import drawn_seed
from ullnic.run.link.command import WRITES


def write_capture(path, count: int, longest_bytes: int = 1514, linktype: int = 1) -> list[bytes]:
    """Random frames of random lengths, from a single byte up."""
    numbers = random.Random(drawn_seed())
    frames = [
        numbers.randbytes(numbers.choice([1, 13, 14, 59, 60, 61, numbers.randint(1, longest_bytes)]))
        for _ in range(count)
    ]
    if path.suffix == ".pcapng":
        writer = PcapNgWriter(str(path))
        writer.linktype = linktype
    else:
        writer = PcapWriter(str(path), linktype=linktype)
    with writer:
        for frame in frames:
            writer.write(frame)
    return frames


@pytest.mark.parametrize("suffix", [".pcap", ".pcapng"])
def test_frames_arrive_unchanged_and_in_order(suffix, tmp_path, seed):
    sent = write_capture(tmp_path / f"in{suffix}", 400, longest_bytes=9618)
    done = run(
        "--replay",
        str(tmp_path / f"in{suffix}"),
        "--offset-bits",
        "33",
        "--out",
        str(tmp_path / "out"),
        prefix=ORDINARY_USER,
    )
    summary = good_summary(tmp_path / "out", done)
    with RawPcapNgReader(str(tmp_path / "out" / "out.pcapng")) as reader:
        got = [bytes(data) for data, _ in reader]
    assert got == [frame.ljust(60, b"\0") for frame in sent]
    assert summary["link"]["a_to_b"]["delivered"] == len(sent)
    assert summary["link"]["b_to_a"]["frames"] == 0


def test_needs_no_namespace(tmp_path, seed):
    write_capture(tmp_path / "in.pcap", 20)
    script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all -- "$@"'
    done = run(
        "--replay",
        str(tmp_path / "in.pcap"),
        "--out",
        str(tmp_path / "out"),
        prefix=["unshare", "--user", "--map-root-user", "--", "sh", "-c", script, "sh"],
    )
    good_summary(tmp_path / "out", done)


def test_what_cannot_cross_is_left_out_and_the_rest_is_played_from_a_pipe(tmp_path):
    """Simple packets, a truncated one, an interface of another link type; compressed, and by process substitution."""
    frames = [frame(number, 60 + number) for number in range(5)]
    blocks = [
        interface(),
        simple(frames[0]),
        interface(RAW_IP),
        packet(frames[1], 1),
        packet(frames[2], wire_bytes=1500),
    ]
    (tmp_path / "in,gz").write_bytes(gzip.compress(section() + b"".join([*blocks, *map(packet, frames[3:])])))
    substituted = ["bash", "-c", f'"$@" --replay <(cat {tmp_path}/in,gz)', "bash"]
    done = run("--out", str(tmp_path / "out"), prefix=[*substituted, *ORDINARY_USER])
    summary = good_summary(tmp_path / "out", done)
    with RawPcapNgReader(str(tmp_path / "out" / "out.pcapng")) as reader:
        assert [bytes(data) for data, _ in reader] == [frames[0], frames[3], frames[4]]
    assert summary["notes"] == [
        "left out of 5 frames: 1 of interface 1 (link type 101, raw IP, not Ethernet)",
        "left out of 5 frames: 1 cut by the capture's snap length (number 3)",
    ]
    assert all(f"note    {note}" in done.stdout for note in summary["notes"])
    assert summary["verdict"] == "every frame that can cross arrived unchanged, 3 of 5"
    assert summary["replay"]["left_out"] == [
        {"reason": "cut by the capture's snap length", "count": 1, "ranges": [[3, 3]]}
    ]
    # A run has these files and no others: command.WRITES lists them.
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*WRITES} - {".ullnic-nothing.pcap", "download"}


def test_losses_are_counted(tmp_path, seed):
    write_capture(tmp_path / "in.pcap", 500)
    done = run("--replay", str(tmp_path / "in.pcap"), "--fault-ab", "drop=0.1", "--out", str(tmp_path / "out"))
    summary = good_summary(tmp_path / "out", done)
    dropped = summary["link"]["a_to_b"]["dropped_by_fault"]
    assert dropped > 10
    assert summary["replay"]["received"] == 500 - dropped
    assert summary["verdict"] == f"{500 - dropped} frames arrived of 500 sent through the faults"


def test_bad_input_is_explained(tmp_path, seed):
    text, raw_ip, empty = tmp_path / "text.pcap", tmp_path / "ip.pcap", tmp_path / "empty.pcap"
    text.write_text("this is no capture\n" * 10)
    write_capture(raw_ip, 5, linktype=101)
    write_capture(empty, 0)
    cut = tmp_path / "cut.pcap"
    write_capture(cut, 50)
    cut.write_bytes(cut.read_bytes()[:-7])
    for path, words in (
        (tmp_path / "none.pcap", "No such file"),
        (tmp_path, "Is a directory"),
        (text, "unknown file format"),
        (raw_ip, "not Ethernet"),
        (cut, "damaged"),
        (empty, "no frame that can cross"),
    ):
        done = run("--replay", str(path), "--out", str(tmp_path / "out"))
        assert done.returncode == 1, path
        said = done.stdout + done.stderr
        assert words in said, path
        assert "Traceback" not in said
        assert "remedy:" in said or path == empty
    both = run("--replay", str(empty), "--keep")
    assert both.returncode == 2
    assert "--keep" in both.stderr
