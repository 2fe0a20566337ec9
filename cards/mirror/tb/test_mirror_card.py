# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The virtual card from line to line, and what a program on the host has of it."""

import ctypes
import json
import random
import subprocess
import time

import pytest
from scapy.utils import PcapNgReader, wrpcap

from ullnic.build import build_host, build_sim
from ullnic.cards import card
from ullnic.deep import deep
from ullnic.paths import ROOT
from ullnic.points.sources import program_sources
from ullnic.sources import listed_files
from ullnic_tb import refusals

CARD = card("mirror_pma32")
FRAMES = 40  # of each port
HOST = ("host/libullnic", "host/include/ullnic", "host/tools/ullnic-info")
SOURCES = deep(
    __file__,
    "cards/mirror/card.toml",
    "cards/common/regs/generated/card_kinds.h",
    *HOST,
    lambda: [*listed_files(ROOT / CARD.file_list, ROOT), *program_sources("nic"), *program_sources("card_dma")],
)


class Frame(ctypes.Structure):
    """struct ullnic_frame."""

    _fields_ = (
        ("data", ctypes.POINTER(ctypes.c_uint8)),
        ("len", ctypes.c_uint16),
        ("type", ctypes.c_uint8),
        ("port", ctypes.c_uint8),
        ("seq", ctypes.c_uint32),
        ("timestamp", ctypes.c_uint64),
    )


class Host:
    """A program on libullnic."""

    def __init__(self, library, name: str):
        self.library, self.card, self.ports = ctypes.CDLL(str(library)), ctypes.c_void_p(), []
        assert self.library.ullnic_open(name.encode(), ctypes.byref(self.card)) == 0
        for number in range(2):
            self.ports.append(ctypes.c_void_p())
            assert self.library.ullnic_port_open(self.card, number, ctypes.byref(self.ports[number])) == 0

    def receive(self, port: int, count: int) -> list[tuple[bytes, Frame]]:
        frame, found, end_s = Frame(), [], time.monotonic() + 20
        while len(found) < count:
            assert time.monotonic() < end_s, f"{len(found)} of {count} frames of port {port}"
            if self.library.ullnic_receive(self.ports[port], ctypes.byref(frame)) > 0:
                copy = Frame.from_buffer_copy(frame)
                found.append((ctypes.string_at(frame.data, frame.len), copy))
        return found

    def close(self):
        self.library.ullnic_close(self.card)


@SOURCES
def test_frames_leave_on_the_other_port_and_come_to_the_host(tmp_path, seed):
    chance = random.Random(seed)
    played = [[chance.randbytes(chance.randrange(60, 900)) for _ in range(FRAMES)] for _ in range(2)]
    for port, frames in enumerate(played):
        wrpcap(str(tmp_path / f"in_{port}.pcap"), frames, linktype=1)
    ports = [f"--port={port}=pcap:in_{port}.pcap,out=out_{port}.pcapng,start=start" for port in range(2)]
    program = build_sim(progress=False, targets=("ullnic-card",), configs=(CARD.name,)) / "ullnic-card"
    host = build_host(progress=False, targets=("ullnic", "ullnic-info"))
    command = [str(program), "--card", CARD.name, "--socket", "card", "--max-wall-s", "60", *ports]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        assert json.loads(running.stdout.readline())["kind"] == "mirror"
        name = f"vfio-user:{tmp_path / 'card'}"
        info = subprocess.run([host / "bin/ullnic-info", "-c", name], capture_output=True, text=True, check=True).stdout
        assert info.startswith("card mirror, ") and ", 2 ports, 32-bit transceivers" in info
        receiver = Host(host / "lib/libullnic.so", name)
        (tmp_path / "start").touch()
        received = [receiver.receive(port, FRAMES) for port in range(2)]
        receiver.close()
    finally:
        running.terminate()
        rest = running.communicate()[0]
    assert json.loads(rest.splitlines()[-1])["event"] == "summary" and running.returncode == 0
    for port, frames in enumerate(played):
        assert [octets for octets, _ in received[port]] == frames
        assert {(frame.type, frame.port) for _, frame in received[port]} == {(0, port)}
        times = [frame.timestamp for _, frame in received[port]]
        assert times == sorted(times) and times[0] > 0
        with PcapNgReader(str(tmp_path / f"out_{1 - port}.pcapng")) as sent:
            assert [bytes(frame) for frame in sent] == frames


@pytest.mark.parametrize("setting", ("PORTS=3 TCP_ENABLES=7", pytest.param("TCP_ENABLES=1", marks=SOURCES)))
def test_mirror_card_refuses(setting):
    sources = list(listed_files(ROOT / CARD.file_list, ROOT))
    said = refusals("mirror_card", sources, setting)
    assert any(each.startswith("mirror_card: ") for each in said), said
