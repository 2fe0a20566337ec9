# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The reader of the user's captures: which frames of each format cross, how others are reported, what is refused."""

import bz2
import gzip
import lzma
import os
import random
import shlex
import shutil
import subprocess
import threading

import pytest

from capture_bytes import (
    COOKED,
    NAMES,
    OLD_PACKET,
    RAW_IP,
    block,
    frame,
    interface,
    option,
    packet,
    pcap,
    section,
    simple,
    with_fcs,
)
from ullnic.captures import compressed
from ullnic.captures.opening import Capture
from ullnic.captures.plain import Played, frames_of, write_plain
from ullnic.errors import UllnicError

F = [frame(number, size) for number, size in enumerate((60, 61, 62, 63, 64, 1514, 9618))]
END = option(0, b"")


@pytest.fixture
def read(tmp_path):
    """The reader's result for a file's bytes: (what became of its frames, those that are played)."""

    def read_bytes(data: bytes) -> tuple[Played, list[bytes]]:
        (tmp_path / "in").write_bytes(data)
        return read_path(tmp_path / "in")

    def read_path(path) -> tuple[Played, list[bytes]]:
        played = write_plain(Capture(path), tmp_path / "frames.pcap")
        return played, list(frames_of(tmp_path / "frames.pcap"))

    read_bytes.path = read_path
    return read_bytes


def ng(*blocks: bytes) -> bytes:
    return section() + b"".join(blocks)


def flags(word: int) -> bytes:
    return option(2, word.to_bytes(4, "little")) + END


def wholes(frames: list[bytes]) -> dict[str, bytes]:
    """The same frames in captures of every kind."""
    return {
        "pcap": pcap(*frames),
        "pcap, other byte order": pcap(*frames, order=">"),
        "pcap, ns": pcap(*frames, magic=0xA1B23C4D),
        "pcap, ns, other byte order": pcap(*frames, magic=0xA1B23C4D, order=">"),
        "modified pcap": pcap(*frames, magic=0xA1B2CD34),
        "modified pcap, other byte order": pcap(*frames, magic=0xA1B2CD34, order=">"),
        "pcapng": ng(interface(), *map(packet, frames)),
        "pcapng, other byte order": section(">")
        + interface(order=">")
        + b"".join(packet(f, order=">") for f in frames),
        "simple packets": ng(interface(), *map(simple, frames)),
        "simple packets, snap length": ng(interface(snap_bytes=9618), *map(simple, frames)),
        "old packets": ng(interface(), *(packet(f, kind=OLD_PACKET) for f in frames)),
        "interfaces with other snap lengths": ng(
            interface(snap_bytes=65535), interface(snap_bytes=100), *(packet(f, n % 2) for n, f in enumerate(frames))
        ),
        "interface described late": ng(
            interface(), packet(frames[0]), interface(), *(packet(f, 1) for f in frames[1:])
        ),
        "sections of both byte orders": ng(interface(RAW_IP), interface(), *(packet(f, 1) for f in frames[:3]))
        + section(">")
        + interface(order=">")
        + b"".join(packet(f, order=">") for f in frames[3:]),
        "options and unknown blocks": section(options=option(4, b"a program") + END)
        + interface(options=option(2, b"eth0") + option(9, b"\x09") + END)
        + block(NAMES, END)
        + block(0x0BAD_CAFE, bytes(100))
        + b"".join(packet(f, options=option(1, b"a comment") + flags(1)) for f in frames),
        "options without an end": ng(
            interface(options=option(2, b"eth0")), *(packet(f, options=option(1, b"x")) for f in frames)
        ),
        "FCS, pcap": pcap(*map(with_fcs, frames), link_type=0x2400_0001),
        "FCS, pcapng": ng(interface(options=option(13, b"\x04") + END), *(packet(with_fcs(f)) for f in frames)),
        "FCS, bits": ng(interface(options=option(13, b"\x20") + END), *(packet(with_fcs(f)) for f in frames)),
        "FCS, flags of each packet": ng(interface(), *(packet(with_fcs(f), options=flags(4 << 5)) for f in frames)),
        "gzip": gzip.compress(pcap(*frames)),
        "gzip, two members": gzip.compress(pcap(*frames)[:100]) + gzip.compress(pcap(*frames)[100:]),
        "bzip2": bz2.compress(pcap(*frames)),
        "xz": lzma.compress(ng(interface(), *map(packet, frames))),
    }


WHOLE = wholes(F)


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_every_frame_is_played(read, data):
    played, frames = read(data)
    assert frames == F
    assert played.frames == played.sent == len(F) and not played.left_out and not played.interfaces
    assert played.fcs_removed in (0, len(F))


LEFT_OUT = {
    "cut": (pcap(F[0], (F[1], 1500), F[2]), "1 cut by the capture's snap length (number 2)"),
    "cut, ranges": (
        pcap((F[0], 99), F[1], *[(F[2], 99)] * 3),
        "4 cut by the capture's snap length (number 1, 3-5)",
    ),
    "simple packet that is cut": (
        ng(interface(snap_bytes=60), simple(F[0]), simple(F[0], 61)),
        "1 cut by the capture's snap length (number 2)",
    ),
    "empty": (pcap(b"", F[0]), "1 empty (number 1)"),
    "too long": (pcap(F[0], frame(0, 9619)), "1 longer than 9618 bytes (number 2)"),
    "longer than it was": (pcap(F[0], (F[1], 60)), "1 longer in the capture than on the wire (number 2)"),
    "no such interface": (
        ng(interface(), packet(F[0]), packet(F[1], 1)),
        "1 captured on an interface that the file does not describe (number 2)",
    ),
    "interface of the section before": (
        ng(interface(), interface(), packet(F[0], 1)) + section() + interface() + packet(F[1], 1),
        "1 captured on an interface that the file does not describe (number 2)",
    ),
    "more bytes than the block has": (
        ng(interface(), packet(F[0]).replace(b"\x3c\0\0\0", b"\x00\1\0\0", 1), packet(F[1])),
        "1 its block is too short for what it says it holds (number 1)",
    ),
    "block without its fields": (
        ng(interface(), block(6, bytes(8)), packet(F[1])),
        "1 its block is too short for what it says it holds (number 1)",
    ),
    "wrong FCS": (
        pcap(with_fcs(F[0]), F[0] + b"FCS?", link_type=0x2400_0001),
        "1 with a wrong FCS (number 2)",
    ),
    "FCS of two bytes": (
        ng(interface(), packet(F[0]), packet(F[1], options=flags(2 << 5))),
        "1 with an FCS of another length than Ethernet's 4 bytes (number 2)",
    ),
    "nothing but an FCS": (pcap(with_fcs(F[0]), b"FCS?", link_type=0x2400_0001), "1 empty (number 2)"),
    "bad on the wire": (
        ng(interface(), packet(F[0]), packet(F[1], options=flags(1 << 24))),
        "1 marked by the capture as damaged on the wire (number 2)",
    ),
    "another link type": (
        ng(interface(), interface(COOKED, options=option(2, b"any") + END), packet(F[0]), *[packet(F[1], 1)] * 2),
        "2 of interface any (link type 113, Linux cooked, not Ethernet)",
    ),
    "a name with a control character": (
        ng(interface(), interface(RAW_IP, options=option(2, b"tun\x1b[2J\xff") + END), packet(F[0]), packet(F[0], 1)),
        "1 of interface tun?[2J\N{REPLACEMENT CHARACTER} (link type 101, raw IP, not Ethernet)",
    ),
}


@pytest.mark.parametrize("data, note", LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_cannot_cross_is_left_out_and_named(read, data, note):
    played, frames = read(data)
    assert frames and len(frames) == played.sent < played.frames
    assert any(each.endswith(note) for each in played.notes()), played.notes()


def test_very_many_gaps_stay_short(read):
    played, _ = read(pcap(*[F[0], (F[0], 99)] * 3000))
    assert len(max(played.notes(), key=len)) < 120 and "and 2992 more" in played.notes()[0]
    assert played.report()["left_out"][0]["count"] == 3000


def test_short_frames_are_played_and_named(read):
    played, frames = read(pcap(b"\x01", frame(1, 59), F[0]))
    assert frames == [b"\x01", frame(1, 59), F[0]]
    assert played.notes() == ["frames shorter than 60 bytes, padded with zeros by the transmitter: 2"]


REFUSED = {
    "no bytes": (b"", "there is not one byte in it"),
    "text": (b"this is no capture\n", "unknown file format"),
    "three bytes": (b"\xd4\xc3\xb2", "unknown file format"),
    "lz4": (b"\x04\x22\x4d\x18rest", "compressed by lz4"),
    "header only": (pcap(), "it has no frames"),
    "all cut": (pcap((F[0], 99)), "no frame that can cross the link: left out of 1 frames: 1 cut by"),
    "Linux cooked only": (pcap(F[0], link_type=COOKED), "link type 113, Linux cooked, not Ethernet"),
    "a version to come": (pcap(F[0])[:4] + b"\x03" + pcap(F[0])[5:], "version 3.4"),
    "a section to come": (section(major=2), "version 2.0"),
    "half a header": (pcap(F[0])[:20], "damaged after frame 0"),
    "cut in a record": (pcap(*F)[:-7], "damaged after frame 6: it ends in the middle of a frame"),
    "cut in a record's header": (pcap(F[0], F[1])[:-70], "damaged after frame 1"),
    "a huge record": (pcap(F[0]) + b"\xff" * 16, "says that it holds 4294967295 bytes"),
    "cut in a block": (ng(interface(), packet(F[0]), packet(F[1]))[:-5], "damaged after frame 1"),
    "block of no length": (ng(interface(), packet(F[0]), bytes(12)), "says that it is 0 bytes long"),
    "block of an odd length": (ng(interface(), packet(F[0]), b"\x06\0\0\0\x0d\0\0\0"), "says that it is 13 bytes long"),
    "a huge packet block": (ng(interface(), packet(F[0]), b"\x06\0\0\0\xfc\xff\xff\xff"), "4294967292 bytes long"),
    "a huge unknown block": (
        ng(interface(), packet(F[0]), b"\x0a\0\0\0\xfc\xff\xff\xff"),
        "ends in the middle of the block",
    ),
    "two lengths": (ng(interface(), packet(F[0]), packet(F[1])[:-4] + b"\1\0\0\0"), "two lengths that differ"),
    "no byte order": (section()[:8] + bytes(20), "without a byte-order magic"),
    "interface cut short": (ng(block(1, b"\1\0\0\0")), "too short to describe an interface"),
    "gzip, cut": (gzip.compress(pcap(*F))[:-9], "gzip cannot decompress it to its end"),
    "gzip, damaged": (gzip.compress(pcap(*F))[:30] + bytes(40), "gzip cannot decompress it to its end"),
    "gzip of text": (gzip.compress(b"this is no capture\n"), "unknown file format"),
    "gzip of nothing": (gzip.compress(b""), "there is not one byte in it"),
    "xz, cut": (lzma.compress(pcap(*F))[:-20], "xz cannot decompress it to its end"),
    "bzip2, cut": (bz2.compress(pcap(*F))[:-20], "bzip2 cannot decompress it to its end"),
}


@pytest.mark.parametrize("data, said", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_played_is_refused_with_a_remedy_that_works(read, tmp_path, data, said):
    with pytest.raises(UllnicError) as refused:
        read(data)
    assert said in refused.value.message and refused.value.remedy
    if "editcap" in refused.value.remedy and "damaged" in refused.value.message:
        if not shutil.which("editcap"):
            pytest.skip("no editcap")
        command = refused.value.remedy.split(" (of")[0].replace("NEW", shlex.quote(str(tmp_path / "new")))
        subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, timeout=60)
        repaired, _ = read.path(tmp_path / "new.pcapng")
        assert f"keeps the {repaired.frames} frames" in refused.value.remedy


def test_what_is_no_file(tmp_path):
    (tmp_path / "secret").touch(0)
    for path, said in (
        (tmp_path / "none", "does not exist: No such file"),
        (tmp_path, "Is a directory"),
        (tmp_path / "secret" / "in", "Not a directory"),
        (tmp_path / ("x" * 300), "File name too long"),
    ):
        with pytest.raises(UllnicError, match=said):
            Capture(path)
    for path, said in (("/dev/null", "not one byte"), ("/dev/zero", "unknown file format")):
        with pytest.raises(UllnicError, match=said):
            write_plain(Capture(path), tmp_path / "frames.pcap")


@pytest.mark.skipif(not shutil.which("zstd"), reason="no zstd")
def test_zstd_from_a_file_and_a_pipe(read, tmp_path):
    (tmp_path / "plain").write_bytes(pcap(*F * 200))
    subprocess.run(["zstd", "-q", tmp_path / "plain", "-o", tmp_path / "whole.zst"], check=True)
    assert read.path(tmp_path / "whole.zst")[1] == F * 200
    (tmp_path / "cut.zst").write_bytes((tmp_path / "whole.zst").read_bytes()[:-9])
    with pytest.raises(UllnicError, match="damaged .*zstd cannot decompress it to its end"):
        read.path(tmp_path / "cut.zst")
    assert through_a_fifo(tmp_path, (tmp_path / "whole.zst").read_bytes(), read) == F * 200


def test_zstd_that_is_not_installed(read, monkeypatch):
    monkeypatch.setattr(compressed, "which", lambda name: None)
    with pytest.raises(UllnicError, match="zstd, which is not installed") as refused:
        read(b"\x28\xb5\x2f\xfd" + bytes(20))
    assert "zstd" in refused.value.remedy


@pytest.mark.parametrize("name", ["pcap", "pcapng", "gzip", "xz"])
def test_a_pipe_is_read_to_its_end(read, tmp_path, name):
    assert through_a_fifo(tmp_path, WHOLE[name], read) == F
    with pytest.raises(UllnicError, match="damaged") as refused:
        through_a_fifo(tmp_path, WHOLE[name][:-9], read)
    assert "the program that writes the pipe" in refused.value.remedy


def through_a_fifo(tmp_path, data: bytes, read) -> list[bytes]:
    """In small blocks, the first shorter than a magic number."""
    fifo = tmp_path / "fifo"
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)

    def write() -> None:
        with open(fifo, "wb", buffering=0) as pipe:
            for start in (0, *range(3, len(data), 1000)):
                pipe.write(data[start : 3 if start == 0 else start + 1000])

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        return read.path(fifo)[1]
    finally:
        writer.join(10)


def test_random_damage_is_refused_or_left_out(read, seed):
    """Bytes changed, removed and inserted anywhere: an error with a remedy, or frames; never anything else."""
    numbers, outcomes = random.Random(seed), []
    sound = list(wholes([frame(number, 60 + number) for number in range(7)]).values())
    for _ in range(1500):
        data = bytearray(numbers.choice(sound))
        for _ in range(numbers.randint(1, 4)):
            place = numbers.choice((numbers.randrange(len(data)), numbers.randrange(min(100, len(data)))))
            data[place : place + numbers.randint(0, 4)] = numbers.randbytes(numbers.randint(0, 4))
        try:
            played, frames = read(bytes(data))
            assert len(frames) == played.sent and 0 < played.sent <= played.frames
            outcomes.append("played")
        except UllnicError as error:
            assert error.remedy
            outcomes.append("refused")
    assert {"played", "refused"} == set(outcomes)
