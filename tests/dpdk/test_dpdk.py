# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The distribution's dpdk-testpmd on the virtual card in RTL, by the driver net_ullnic: frames made by scapy are
forwarded unchanged, and the driver's statements about itself are true.
"""

import random
import re
import struct
from pathlib import Path

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.utils import PcapReader

from bench import Namespace
from ullnic.dpdk import testpmd
from ullnic.dpdk.testpmd import Card, Testpmd
from ullnic.pytest_seed import drawn_seed

MTU_BYTES = 18  # of Ethernet and a VLAN tag
SCATTER, TIMESTAMP = 1 << 13, 1 << 14  # RTE_ETH_RX_OFFLOAD_*
MANY = 100  # repetitions of a capture: more than a test waits for
PEER = "02:00:00:00:00:99"


def frame(rng: random.Random, number: int, length: int, vlan: bool = False) -> bytes:
    ether = Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02")
    head = ether / Dot1Q(vlan=7) if vlan else ether
    packet = bytes(head / IP(src="198.18.0.1", dst="198.18.0.2") / UDP(sport=1, dport=2) / struct.pack(">I", number))
    return packet + rng.randbytes(length - len(packet))


def drawn(salt: int) -> random.Random:
    """Drawn from the run's seed."""
    return random.Random(f"{drawn_seed()}.{salt}")


def frames(salt: int, count: int, least: int = 64, most: int = 1514) -> list[bytes]:
    rng = drawn(salt)
    made = [frame(rng, number, rng.randint(least, most)) for number in range(count)]
    return [*made, frame(rng, count, least), frame(rng, count + 1, most)]


def times_ns(path: Path) -> list[int]:
    with PcapReader(str(path)) as reader:
        return [int(packet.time * 10**9) for packet in reader]


@pytest.fixture
def started(tmp_path, programs, seed):
    """Starts cards and testpmds, and ends them all."""
    sim, plugin = programs
    running = []

    class Started:
        def card(self, sent: dict[int, list[bytes]] | None = None, *options: str, **more) -> Card:
            running.append(Card(tmp_path / f"card{len(running)}", sim, sent or {}, *options, **more))
            return running[-1]

        def testpmd(self, card: Card, *options: str, **more) -> Testpmd:
            running.append(Testpmd(plugin, card.name, *options, **more))
            return running[-1]

    yield Started()
    for each in reversed(running):
        each.kill()


def test_frames_of_both_lines_are_forwarded_byte_by_byte(started):
    sent = {0: frames(1, 150), 1: frames(2, 120)}
    sent[0].append(frame(drawn(3), 9, 1518, vlan=True))
    card = started.card(sent)
    pmd = started.testpmd(card)
    assert "Link status: up" in pmd("show port info 0") and "Link speed: 10 Gbps" in pmd("show port info 1")
    pmd.forward("io retry")
    card.start()
    for port in (0, 1):
        pmd.wait(port, "mac_tx_frames", len(sent[1 - port]))
    counters = {port: pmd.counters(port) for port in (0, 1)}
    basic = {port: pmd(f"show port stats {port}") for port in (0, 1)}
    assert pmd.quit().count(" is closed") == 2
    card.stop()
    assert [card.sent(1), card.sent(0)] == [sent[0], sent[1]]
    for port in (0, 1):
        there, back = (len(sent[port]), sum(map(len, sent[port]))), (len(sent[1 - port]), sum(map(len, sent[1 - port])))
        for names, (count, total) in {
            ("rx_good_packets", "rx_good_bytes"): there,
            ("rx_queue_packets", "rx_queue_bytes"): there,
            ("tx_good_packets", "tx_good_bytes"): back,
            ("tx_queue_packets", "tx_queue_bytes"): back,
        }.items():
            assert [counters[port][name] for name in names] == [count, total], names
        assert counters[port]["host_rx_frames"] == counters[port]["mac_rx_frames_good"] == there[0]
        assert counters[port]["mac_rx_bytes_good"] == there[1] + 4 * there[0]  # with FCS
        assert counters[port]["host_chunks"] == counters[port]["mac_tx_frames"] == back[0]
        for name, value in counters[port].items():
            harmless = not re.search("error|missed|drop|refused|cut|bad|no_room|over|lost|underrun", name)
            assert value == 0 or harmless, (name, counters[port])
        assert re.search(rf"RX-packets: {there[0]} +RX-missed: 0 +RX-bytes: +{there[1]}\b", basic[port]), basic[port]
        assert re.search(rf"TX-packets: {back[0]} +TX-errors: 0 +TX-bytes: +{back[1]}\b", basic[port]), basic[port]


def test_addresses_are_those_of_the_ports(started):
    sent = frames(4, 50)
    card = started.card({0: sent})
    pmd = started.testpmd(card, f"--eth-peer=1,{PEER}")
    own = bytes.fromhex(re.search(r"Port 1: (\S+)", pmd.greeting)[1].replace(":", ""))
    pmd.forward("mac retry")
    card.start()
    pmd.wait(1, "mac_tx_frames", len(sent))
    pmd.quit()
    card.stop()
    assert card.sent(1) == [bytes.fromhex(PEER.replace(":", "")) + own + each[12:] for each in sent]


@pytest.mark.parametrize("room", [512, 2048])
def test_long_frames_are_chains_of_mbufs(started, room):
    """Up to the longest frame, with a VLAN tag; returned on the same port, which has no transmit engine."""
    sent = [*frames(5, 60, 64, 9614), frame(drawn(6), 9, 9600 + MTU_BYTES, vlan=True)]
    sent += [frame(drawn(6), 9, room * segments + more) for segments in (1, 4) for more in (-1, 0, 1)]
    card = started.card({0: sent})
    options = ("--max-pkt-len=9622", "--enable-scatter", f"--mbuf-size={room + 128}", "--tx-offloads=0x8000")
    pmd = started.testpmd(card, *options, ports=(0,))
    pmd.forward("io retry")
    card.start()
    pmd.wait(0, "mac_tx_frames", len(sent))
    assert pmd.counters(0)["rx_over_mtu"] == 0
    pmd.quit()
    card.stop()
    assert card.sent(0) == sent


def test_a_frame_above_the_mtu_is_dropped_and_counted(started):
    sent = [frame(drawn(7), number, length) for number, length in enumerate((1518, 1519, 60, 3000, 1514, 9618))]
    card = started.card({0: sent})
    pmd = started.testpmd(card, ports=(0,))
    pmd.forward("io retry")
    card.start()
    pmd.wait(0, "mac_tx_frames", 3)
    pmd.wait(0, "rx_over_mtu", 3)
    counters = pmd.counters(0)  # testpmd reads one after the other: those above may be from different times
    assert (counters["rx_over_mtu"], counters["rx_errors"], counters["rx_good_packets"]) == (3, 3, 3)
    pmd("clear port xstats 0")
    assert set(pmd.counters(0).values()) == {0}
    pmd.quit()
    card.stop()
    assert card.sent(0) == [each for each in sent if len(each) <= 1518]


def test_what_a_port_cannot_send_is_counted_and_the_rest_leaves(started):
    """The port has a transmit engine, which accepts 1518 bytes; then packets of three mbufs."""
    card = started.card()
    pmd = started.testpmd(card, "--txpkts=1519", ports=(1,))
    pmd("set fwd txonly")
    pmd("start")
    refused = pmd.wait(0, "tx_refused", 1000)
    pmd("stop")
    assert refused["tx_errors"] >= 1000 and refused["mac_tx_frames"] == refused["tx_good_packets"] == 0
    pmd("set txpkts 60,70,80")
    pmd("start")
    pmd.wait(0, "mac_tx_frames", 300)
    pmd("stop")
    sent = pmd.wait(0, "mac_tx_frames", pmd.counters(0)["tx_good_packets"])
    assert sent["mac_tx_bytes"] == sent["mac_tx_frames"] * (60 + 70 + 80 + 4)
    pmd.quit()
    card.stop()
    assert {len(each) for each in card.sent(1)} == {210}


def test_no_frame_is_lost_for_want_of_mbufs(started):
    """The forwarding mode keeps packets until the pool is empty; then frames wait in the receive ring."""
    sent = [bytes(12) + struct.pack(">HI", 0x88B5, number) + bytes(60) for number in range(1400)]
    card = started.card({0: sent})
    keep = ("--noisy-tx-sw-buffer-size=2048", "--noisy-tx-sw-buffer-flushtime=2500")
    pmd = started.testpmd(card, *keep, mbufs="--total-num-mbufs=1025")
    pmd.forward("noisy")
    card.start()
    counters = pmd.wait(0, "rx_good_packets", len(sent))
    assert counters["rx_mbuf_allocation_errors"] > 0 and counters["rx_missed_errors"] == 0
    pmd.quit()


def test_timestamps_are_those_of_the_line(started, tmp_path):
    """Compared with the capture of the line: equal times between two frames, except for the edges of two clocks."""
    sent = frames(8, 40)
    card = started.card({0: sent}, "--pcapng-dir", str(tmp_path), more=",gap=12-3000")
    pmd = started.testpmd(card, f"--rx-offloads={TIMESTAMP:#x}", ports=(0,))
    pmd("set verbose 1")
    pmd.forward("rxonly")
    card.start()
    pmd.read_until("timestamp ", len(sent))
    said = pmd.quit()
    card.stop()
    stamps = [int(stamp) for stamp in re.findall(r"timestamp (\d+)", said)]
    on_the_line = times_ns(tmp_path / "port-0.pcapng")
    assert len(stamps) == len(on_the_line) == len(sent)
    for stamp, seen in zip(stamps, on_the_line, strict=True):
        assert abs((stamp - stamps[0]) - (seen - on_the_line[0])) <= 20


def test_a_kernel_pings_the_program(started, programs):
    """Linux at the other end of the line: ARP and ICMP, in one mbuf and in five."""
    network = Namespace()
    try:
        card = started.card(ports=("tap:line", "sink"), prefix=tuple(network.inside([])))
        network.shell("ip link set line mtu 9000 up && ip addr add 198.18.5.1/24 dev line")
        pmd = started.testpmd(card, "--max-pkt-len=9022", "--enable-scatter", ports=(0,))
        pmd.forward("icmpecho")
        for size, count in ((56, 20), (8900, 5)):
            said = network.shell(f"ping -n -c {count} -i 0.02 -W 20 -s {size} 198.18.5.9")
            assert f"{count} packets transmitted, {count} received, 0% packet loss" in said
        pmd.quit()
        card.stop()
    finally:
        network.close()


def test_wrong_arguments_are_named(started, programs, tmp_path):
    _, plugin = programs
    card = started.card()
    (tmp_path / "not_a_socket").write_text("")
    wrong = {
        f"card=vfio-user:{tmp_path}/nowhere": "nowhere: ",
        f"card=vfio-user:{tmp_path}/not_a_socket": "not_a_socket: ",
        "card=nothing": "nothing: not a card's name",
        "card=ullnicd:": "end ullnicd and name the card itself",
        "port=0": "no card is named; give one, as in card=vfio-user:",
        "card=": "card= names none",
        f"card={card.name},port=2": "has no port 2; give port=0 to port=1",
        f"card={card.name},port=8": "port=8 is no number of a port",
        f"card={card.name},port=x": "port=x is no number of a port",
        f"card={card.name},port=0,port=1": "port= is given twice",
        f"card={card.name},mac=ff:ff:ff:ff:ff:ff": "mac=ff:ff:ff:ff:ff:ff is no address of a port",
        f"card={card.name},queues=2": "is not understood; give card=NAME,port=N,mac=",
    }
    devices = [f"--vdev=net_ullnic{number},{text}" for number, text in enumerate(wrong)]
    good = [f"--vdev=net_ullnic{number},card={card.name},port=1" for number in (90, 91)]
    said = testpmd.run(plugin, [*testpmd.command(card.name, (), eal=(*devices, *good)), testpmd.MBUFS], "\n")
    for number, sentence in enumerate(wrong.values()):
        assert re.search(rf"^net_ullnic{number}: .*{re.escape(sentence)}", said, re.MULTILINE), (number, said)
    assert f"net_ullnic91: port 1 of {card.name} is a device already" in said
    assert re.findall(r"^Port (\d+): ..:..:..", said, re.MULTILINE) == ["0"] and "net_ullnic90" not in said


def test_what_the_card_cannot_do_is_refused(started, programs):
    _, plugin = programs
    card = started.card()
    said = testpmd.run(plugin, [*testpmd.command(card.name, (0,)), testpmd.MBUFS, "--mbuf-size=1024"], "\n")
    assert "net_ullnic0: a frame of MTU 1500 has 1518 bytes, an mbuf of pool mb_pool_0 room for 896; enable" in said
    assert "Start ports failed" in said
    pmd = started.testpmd(card)
    for line, sentence in {
        "set promisc 0 off": "a port is promiscuous at any time; compare addresses in the program",
        "set allmulti 0 off": "a port receives all groups at any time",
        "port config mtu 0 9601": "MTU (9601) > device max MTU (9600) for port_id 0",
        "port config mtu 1 1501": "MTU (1501) > device max MTU (1500) for port_id 1",
        "port config mtu 0 67": "MTU (67) < device min MTU (68)",
        "port config mtu 0 2031": "a frame of MTU 2031 has 2049 bytes, an mbuf of pool mb_pool_0 room for 2048",
        "set link-down port 0": "Set link down fail",
        "mac_addr add 0 02:00:00:00:00:07": "Operation not supported",
    }.items():
        assert sentence in (said := pmd(line)), (line, said)
    pmd("port stop all")
    for line, sentence, back in (
        ("port config 0 loopback 1", "the card has no loopback; set lpbk_mode to 0", "port config 0 loopback 0"),
        ("port config 0 speed 1000 duplex full", "the link has 10 Gbit/s", "port config 0 speed auto duplex auto"),
        (
            "port config 0 rxq 0 ring_size 512",
            "nb_rx_desc(=512), should be: <= 2047",
            "port config 0 rxq 0 ring_size 2047",
        ),
        ("port config all rxq 2", "input rxq (2) can't be greater than max_rx_queues (1)", ""),
    ):
        assert sentence in (said := pmd(line) + pmd("port start 0")), (line, said)
        pmd(back)
    pmd("port stop all")
    said = pmd("port start all")
    assert "Port 0: " in said and "Link status: up" in pmd("show port info 0"), said
    pmd.quit()


def is_part(some: list[bytes], whole: list[bytes]) -> bool:
    """In the same order, with gaps."""
    rest = iter(whole)
    return all(each in rest for each in some)


def test_a_port_is_stopped_and_started_in_traffic(started):
    """Stopped with frames in every stage, closed, recreated; then another process has the card."""
    sent = frames(9, 1000, 64, 300)
    card = started.card({0: sent, 1: sent}, more=f",loop={MANY}")
    pmd = started.testpmd(card)
    pmd.forward("io retry")
    card.start()
    attach = f"port attach net_ullnic0,card={card.name},port=0"
    for steps in (("port stop all", "port start all"),
                  ("port stop all", "port detach 0", attach, "port start all")):  # fmt: skip
        before = pmd.counters(1)["mac_tx_frames"]
        pmd.wait(1, "mac_tx_frames", before + 100)
        pmd("stop")
        for step in steps:
            said = pmd(step)
            assert "rror" not in said and "ail" not in said, (step, said)
        pmd("start")
    pmd.wait(0, "mac_tx_frames", 100)
    assert pmd.quit().count("nothing is") == 0
    another = started.testpmd(card)
    another.forward("io retry")
    for port in (0, 1):
        another.wait(port, "mac_tx_frames", 100)
    another.quit()
    card.stop()
    for port in (0, 1):
        assert len(card.sent(port)) > 300 and is_part(card.sent(port), sent * MANY)


def test_a_card_that_ends_is_reported(started):
    card = started.card({0: frames(10, 1000, 64, 100)}, more=f",loop={MANY}")
    pmd = started.testpmd(card)
    pmd.forward("io")
    card.start()
    pmd.wait(0, "rx_good_packets", 50)
    card.kill()
    pmd.wait_for("net_ullnic0: nothing is received any more: ", "net_ullnic1: nothing is ")
    pmd.quit()
