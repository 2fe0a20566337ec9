# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ullnic-dma-perf against the example card in RTL: results, errors of the card, mistakes in configurations."""

import json
import signal
import struct
import subprocess
import time

import pytest

from perf_bench import Between, Deaf, ExampleCard, Forger

# As the public tool's configurations have them, with a run that a simulation can do.
PUBLISHED = """
name={name}
mode={mode}        # a comment
dir={dir}
pf_range=0:0
q_range=0:{last}
flags=
cmpl_status_acc=5
dump_en=1
tmr_idx=9
cntr_idx=7
trig_mode=cntr_tmr
pfetch_en=1
cmptsz=1
keyhole_en=0
aperture_sz=0
offset=0
offset_ch1=0
rngidx=0
runtime=30
num_threads=2
num_pkt=64
mm_chnl=0
pkt_sz={size}
pci_bus=01
pci_device=00
marker_en=1
vf_perf=0
"""
PAGE = 4096
RING_1 = 64  # entries of rngidx=1


def run(program, name, *options, code: int = 0, timeout: float = 60):
    command = [program, "--card", name, *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def keys(**values) -> list[str]:
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def measure(program, card, *options, transfers: int = 100, code: int = 0, **values) -> dict:
    done = run(program, card.name, "-n", transfers, "-j", "-", *options, *keys(**values), code=code)
    report = json.loads(done.stdout)
    for each in report["queues"]:
        assert f"  {each['transfers']:13}  {each['bytes']:15}  {each['wrong']:5}\n" in done.stderr
    return report | {"table": done.stderr}


def ways(direction: str) -> list[str]:
    return ["h2c", "c2h"] if direction == "bi" else [direction]


@pytest.mark.parametrize("direction", ["h2c", "c2h", "bi"])
@pytest.mark.parametrize("mode", ["mm", "st"])
def test_published_configuration(program, card, tmp_path, mode, direction):
    """Every queue does its number of transfers, the data are right, and the sums agree."""
    file = tmp_path / "config"
    file.write_text(PUBLISHED.format(name=f"{mode}-{direction}", mode=mode, dir=direction, last=3, size=384))
    report = measure(program, card, "-c", file, transfers=120)
    assert report["name"] == f"{mode}-{direction}" and report["ring_entries"] == 2048
    wanted = [(queue, way) for queue in range(4) for way in ways(direction)]
    assert [(each["queue"], each["dir"]) for each in report["queues"]] == wanted
    for each in report["queues"]:
        assert (each["transfers"], each["bytes"], each["wrong"]) == (120, 120 * 384, 0)
        assert each["contexts"]["sw"][1] & 1  # enabled
    for way in ways(direction):
        total = report[way]
        assert (total["transfers"], total["bytes"], total["wrong"]) == (480, 480 * 384, 0)
        assert f"all   {way}" in report["table"]
        if mode == "st":
            # 64 bytes in a cycle are 128 Gbit/s.
            assert 10 < total.get("simulated", {"gbps": 11})["gbps"] <= 128
    assert ("h2c" in report) + ("c2h" in report) == len(ways(direction))
    assert report["seconds"] > 0 and "simulat" in report["note"]
    if mode == "st" and direction != "c2h":
        assert report["checker"] == {"packets": 480, "match": True}


def test_time_of_c2h_is_the_cards(program, card):
    """From the stamps of the first and last packet: a queue alone, of whole beats, has one in nearly each cycle."""
    report = measure(program, card, mode="st", dir="c2h", pkt_sz=4096, transfers=60, pfetch_en=1)
    assert report["c2h"]["simulated"]["packets"] == 59
    assert report["c2h"]["simulated"]["cycles"] >= 59 * 64
    assert report["c2h"]["simulated"]["gbps"] > 100


@pytest.mark.parametrize("mode", ["mm", "st"])
@pytest.mark.parametrize("size", [1, 77, 4096, 9000])
def test_sizes(program, card, mode, size):
    report = measure(program, card, mode=mode, dir="bi", pkt_sz=size, num_pkt=5, transfers=20, rngidx=1, q_range="5:6")
    assert all(each["transfers"] == 20 and each["wrong"] == 0 for each in report["queues"])


@pytest.mark.parametrize("trigger", ["dis", "every", "usr_cnt", "usr", "usr_tmr", "cntr_tmr"])
def test_completion_rings(program, card, trigger):
    """Each trigger mode with another size of entries; the ring is passed several times."""
    size = ["dis", "every", "usr_cnt", "usr"].index(trigger) if "_tmr" not in trigger else 1
    report = measure(
        program, card, mode="st", dir="c2h", pkt_sz=64, transfers=300, rngidx=1, trig_mode=trigger, cmptsz=size,
        marker_en=size % 2, tmr_idx=2, cntr_idx=1,
    )  # fmt: skip
    assert report["c2h"]["transfers"] == 300 and report["c2h"]["wrong"] == 0


def test_card_addresses(program, card):
    """Queues apart from each other, directions with addresses of their own; a keyhole."""
    apart = {
        "offset_q_en": 1,
        "h2c_q_offset_intvl": 0x10000,
        "c2h_q_offset_intvl": 0x8000,
        "c2h_q_start_offset": 0x80001,
    }
    for direction in ("h2c", "bi"):
        report = measure(program, card, mode="mm", dir=direction, pkt_sz=100, q_range="2:4", transfers=70, **apart)
        assert all(each["wrong"] == 0 for each in report["queues"])
    hole = {"keyhole_en": 1, "aperture_sz": 512, "offset": 0x3FFFE00}  # the memory's last bytes
    for direction in ("h2c", "c2h"):
        report = measure(program, card, mode="mm", dir=direction, pkt_sz=128, transfers=70, **hole)
        assert report[direction] == report[direction] | {"transfers": 70, "wrong": 0}


def start(program, name, *options) -> subprocess.Popen:
    command = [program, "--card", name, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_time_and_signal_end_a_run(program, card, tmp_path):
    values = {"mode": "st", "dir": "bi", "pkt_sz": 512, "rngidx": 1}
    done = run(program, card.name, "-j", "-", *keys(runtime=1, **values))
    report = json.loads(done.stdout)
    assert 1 <= report["seconds"] < 10 and not report["interrupted"]
    assert report["h2c"]["transfers"] > 100 and report["checker"]["packets"] == report["h2c"]["transfers"]
    with Between(card, tmp_path / "between") as between:
        process = start(program, between.name, "-j", "-", *keys(runtime=600, **values))
        assert between.rung.wait(60)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    report = json.loads(out)
    assert process.returncode == 0 and report["interrupted"], err
    packets = report["h2c"]["transfers"]
    assert report["checker"] == {"packets": packets, "match": packets > 0}


def test_errors_of_a_transfer(program, card):
    """Beyond the card's 64 MiB; the card serves the next program."""
    for direction in ("h2c", "c2h", "bi"):
        done = run(program, card.name, "-n", 10, *keys(mode="mm", dir=direction, pkt_sz=1024, offset=0x4000000), code=1)
        assert "queue 0, H2C: stopped by an error of the transfer at transfer 0, card address 0x4000000" in done.stderr
    options = keys(mode="mm", dir="c2h", pkt_sz=1024, offset=0x4000000)
    done = run(program, card.name, "-n", 10, "--no-check", *options, code=1)
    assert "queue 0, C2H: stopped by an error of the transfer" in done.stderr
    report = measure(program, card, mode="mm", dir="bi", pkt_sz=1024, offset=0x4000000, dump_en=1, code=1)
    assert report["error"] in report["table"] and report["h2c"]["transfers"] == 0
    report = measure(program, card, mode="mm", dir="bi", pkt_sz=64)
    assert report["h2c"]["wrong"] == 0 and "error" not in report


def test_queues_that_the_card_lacks(program, card):
    done = run(program, card.name, "-n", 1, *keys(mode="mm", dir="bi", pkt_sz=64, q_range="0:64"), code=1)
    assert "its DMA has 64 queues, 65 are needed" in done.stderr


def test_nothing_waits_for_ever(program, card, tmp_path):
    with Deaf(card, tmp_path / "deaf") as deaf:
        done = run(program, deaf.name, "-n", 100, "-t", 1, *keys(mode="mm", dir="h2c", pkt_sz=64), code=1)
    assert "queue 0, H2C: no progress for 1 s, 0 transfers done, 64 posted, its context has no error" in done.stderr
    with Deaf(card, tmp_path / "deaf2") as deaf:
        done = run(program, deaf.name, "-n", 100, "-t", 1, *keys(mode="st", dir="c2h", pkt_sz=64), code=1)
    assert "queue 0, C2H: no progress for 1 s" in done.stderr


def test_killed_card(program, example_program, tmp_path):
    with ExampleCard(example_program, tmp_path / "socket") as card, Between(card, tmp_path / "between") as between:
        process = start(program, between.name, *keys(mode="st", dir="bi", pkt_sz=64, runtime=600))
        assert between.rung.wait(60)
        card.process.kill()
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "the virtual card has ended" in err
    done = run(program, card.name, "-n", 1, *keys(mode="st", dir="bi", pkt_sz=64), code=1)
    assert "nobody listens there" in done.stderr


# Where the program's memory has what, with rngidx=1, num_pkt=1 and transfers of up to a page: H2C ring, data of H2C,
# C2H ring, data that C2H is compared with, C2H buffers, completions.
STATUS_ST, STATUS_MM = 16 * RING_1, 32 * RING_1
SENT, EXPECTED = PAGE, 3 * PAGE
COMPLETIONS = 5 * PAGE  # 63 buffers of 64 bytes
STATUS = struct.Struct("<Q")


@pytest.mark.parametrize(
    ("mode", "direction", "at", "data", "message"),
    [
        ("st", "h2c", STATUS_ST, STATUS.pack(0xFFFF << 16), "queue 0, H2C: its status has CIDX 65535, PIDX is"),
        ("mm", "h2c", STATUS_MM, STATUS.pack(65 << 16), "queue 0, H2C: its status has CIDX 65, PIDX is"),
        ("st", "h2c", STATUS_ST, STATUS.pack(2), "queue 0, H2C: stopped by an error of the descriptor"),
        ("st", "h2c", SENT, b"\xff", "data that arrived are not those that were sent"),
        ("mm", "c2h", EXPECTED + 9, b"\0", "data that arrived are not those that were sent"),
        ("st", "c2h", EXPECTED + 63, b"\xff", "data that arrived are not those that were sent"),
        ("st", "c2h", COMPLETIONS, STATUS.pack(64 << 4 | 0xE), "is 0x000000000000040e: an error, 64 bytes of 64"),
        ("st", "c2h", COMPLETIONS, STATUS.pack(63 << 4 | 0xA), "is 0x00000000000003fa: no error, 63 bytes of 64"),
        ("st", "c2h", COMPLETIONS, STATUS.pack(64 << 4 | 0x2), "no error, 64 bytes of 64"),
    ],
)  # fmt: skip
def test_nothing_that_the_card_writes_is_believed(program, card, tmp_path, mode, direction, at, data, message):
    options = keys(mode=mode, dir=direction, pkt_sz=64, num_pkt=1, rngidx=1)
    with Forger(card, tmp_path / "forger", at, data) as forger:
        done = run(program, forger.name, "-n", 3000, *options, code=1)
    assert message in done.stderr


MISTAKES = [
    ("modee=mm", "modee: there is no such key"),
    ("mode", "mode: give KEY=VALUE"),
    ("mode=pci", "mode=pci: give one of: mm st"),
    ("mode=", "mode=: give one of: mm st"),
    ("dir=both", "dir=both: give one of: h2c c2h bi"),
    ("pf_range=0:1", "pf_range=0:1: not supported: a card's name is that of one function"),
    ("q_range=3", "q_range=3: give two numbers FIRST:LAST from 0 to 2047"),
    ("q_range=3:2", "q_range=3:2: give two numbers FIRST:LAST from 0 to 2047"),
    ("q_range=0:2048", "q_range=0:2048: give two numbers FIRST:LAST from 0 to 2047"),
    ("pkt_sz=0", "pkt_sz=0: give a number from 1 to 32768"),
    ("pkt_sz=32769", "pkt_sz=32769: give a number from 1 to 32768"),
    ("pkt_sz=-1", "pkt_sz=-1: give a number"),
    ("pkt_sz=1k", "pkt_sz=1k: give a number"),
    ("num_pkt=0", "num_pkt=0: give a number from 1 to 1024"),
    ("num_threads=0", "num_threads=0: give a number from 1 to 64"),
    ("runtime=86401", "runtime=86401: give a number from 0 to 86400"),
    ("rngidx=16", "rngidx=16: give a number from 0 to 15"),
    ("wb_acc=8", "wb_acc=8: give a number from 0 to 7"),
    ("tmr_idx=16", "tmr_idx=16: give a number from 0 to 15"),
    ("cntr_idx=16", "cntr_idx=16: give a number from 0 to 15"),
    ("trig_mode=user", "trig_mode=user: give one of: dis every usr_cnt usr usr_tmr cntr_tmr"),
    ("cmptsz=4", "cmptsz=4: give a number from 0 to 3"),
    ("pfetch_en=2", "pfetch_en=2: give a number from 0 to 1"),
    ("mm_chnl=1", "mm_chnl=1: not supported: this DMA has one memory-mapped channel, 0"),
    ("offset_ch1=64", "offset_ch1=64: not supported: this DMA has one memory-mapped channel, 0"),
    ("keyhole_en=1", "aperture_sz: 0: not supported: with keyhole_en=1 give a multiple of pkt_sz"),
    ("vf_perf=1", "vf_perf=1: not supported: a virtual function has no user BAR"),
    ("stm_mode=1", "stm_mode=1: not supported: this DMA has no streaming traffic manager"),
    ("pipe_tdest_lst=1,2", "pipe_tdest_lst: not supported"),
    ("flags=x", "flags=x: not supported"),
    ("pci_bus=100", "pci_bus=100: give hexadecimal a number from 0 to 255"),
    ('name="x"', 'name="x": give letters'),
    ("name=" + "x" * 64, "give 1 to 63 characters"),
    ("x" * 300, "no line of text of at most 254 characters"),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES, ids=[line[:20] for line, _ in MISTAKES])
def test_mistakes_are_named_with_their_line(program, tmp_path, line, message):
    """Before a card is opened: there is none."""
    key = line.split("=")[0]
    good = [each for each in ("mode=mm", "dir=bi", "pkt_sz=64", "runtime=1") if each.split("=")[0] != key]
    file = tmp_path / "config"
    file.write_text("\n".join([*good, "# a comment", line, ""]))
    done = run(program, "vfio-user:/nowhere", "-c", file, code=2)
    assert done.stdout == "" and message in done.stderr and len(done.stderr.splitlines()) == 1
    if key not in ("keyhole_en",):
        assert done.stderr.startswith(f"ullnic-dma-perf: {file}:{len(good) + 2}: "), done.stderr


def test_mistakes_of_a_whole(program, tmp_path):
    def refused(*options, env=None):
        done = subprocess.run([program, *options], capture_output=True, text=True, timeout=60, env=env)
        assert done.returncode == 2 and done.stdout == "", done.stderr
        return done.stderr

    good = keys(mode="mm", dir="bi", pkt_sz=64)
    for key in ("mode", "dir", "pkt_sz"):
        rest = [
            word for pair in zip(good[::2], good[1::2], strict=True) if not pair[1].startswith(key) for word in pair
        ]
        assert f"{key} is not set" in refused("--card", "x", "-n", "1", *rest)
    assert "nothing ends the run" in refused("--card", "x", *good)
    assert "no card is named" in refused("-n", "1", *good, env={})
    assert "keyhole_en: a keyhole is for mode=mm" in refused(
        "-n", "1", *keys(mode="st", dir="bi", pkt_sz=64, keyhole_en=1)
    )
    large = keys(mode="mm", dir="bi", pkt_sz=32768, num_pkt=1024, q_range="0:63")
    assert "MiB of memory, at most 1024 are used; reduce one of them" in refused("--card", "x", "-n", "1", *large)
    file = tmp_path / "config"
    file.write_text("mode=mm\nmode=st\n")
    assert f"{file}:2: mode: it is set at {file}:1 already" in refused("-c", str(file))
    assert "cannot read it: No such file" in refused("-c", str(tmp_path / "absent"))
    assert "cannot read it: Is a directory" in refused("-c", str(tmp_path))
    assert "--transfers 0: give a number" in refused("-n", "0", *good)
    assert "--timeout -1: give a number" in refused("-t", "-1", *good)
    for option, most in (("transfers", 2**32 - 1), ("timeout", 3600)):
        for wrong in ("0", str(most + 1), "", "1x", "9" * 99):
            said = refused(f"--{option}", wrong, *good)
            assert f"--{option} {wrong}: give a number from 1 to {most}" in said, (option, wrong)
        for right in (1, most):
            done = run(program, "none", "-n", 1, f"--{option}", right, *good, code=1)
            assert "not a card's name" in done.stderr, (option, right)
    assert "give one file" in refused("-c", "/dev/null", "-c", "/dev/null")
    assert "there is no such argument" in refused("more")
    assert "usage:" in refused("--what")
    assert "cannot write it" in refused("-j", "/nowhere/x", "--card", "x", "-n", "1", *good)


def test_names_of_cards(program):
    """pci_bus and pci_device name a card if nothing else does."""
    done = subprocess.run(
        [program, "-n", "1", *keys(mode="mm", dir="bi", pkt_sz=64, pci_bus="d8", pci_device="01")],
        capture_output=True, text=True, timeout=60, env={},
    )  # fmt: skip
    assert done.returncode == 1 and "vfio:0000:d8:01.0" in done.stderr
    assert "not a card's name" in run(program, "eth0", "-n", 1, *keys(mode="mm", dir="bi", pkt_sz=64), code=1).stderr
