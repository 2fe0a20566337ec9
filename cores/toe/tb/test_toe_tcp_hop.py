# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp: a next hop's new MAC address reaches each session that sends to it, and no other."""

import os
from ipaddress import IPv4Address, IPv4Network

import cocotb
import pytest

from toe_structs import interface_number, interfaces_number
from toe_tcp_play import ABORT, CONNECT, SESSIONS, Bed, toe_tcp_bench, tuple_of
from ullnic_tb import cocotb_tests, seeded

NETS = (IPv4Network("198.18.0.0/15"), IPv4Network("203.0.113.64/26"))
GATEWAYS = (IPv4Address("198.18.0.254"), IPv4Address("203.0.113.66"))


def hop(iface: int, peer: IPv4Address) -> IPv4Address:
    return peer if peer in NETS[iface] else GATEWAYS[iface]


class Hosts:
    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        dut.interfaces.value = interfaces_number(
            interface_number(enable=1, ip=int(net[7]), mask=int(net.netmask), gateway=int(gateway))
            for net, gateway in zip(NETS, GATEWAYS, strict=True)
        )

    async def tell(self, bed: Bed, iface: int, ip: IPv4Address) -> int:
        """The new address; returns when all know it."""
        dut, mac = self.dut, self.rng.getrandbits(48)
        dut.changed_iface.value, dut.changed_ip.value, dut.changed_mac.value = iface, int(ip), mac
        dut.changed_valid.value = 1
        await bed.cycles(1)
        for _ in range(100 * SESSIONS):
            if int(dut.changed_ready.value):
                break
            await bed.cycles(1)
        else:
            raise AssertionError("it does not end")
        await bed.cycles(1)
        dut.changed_valid.value = 0
        await bed.cycles(2)
        return mac


@cocotb.test()
async def changes(dut):
    """Peers on the link and behind the gateway, on two interfaces: the ones that a change concerns, exactly."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    hosts = Hosts(dut, rng)
    near = [[net[rng.randrange(1, net.num_addresses - 1)] for _ in range(2)] for net in NETS]
    far = [[IPv4Address(int(nets[0]) ^ 1 << rng.randrange(32)) for _ in range(2)] for nets in near]
    peers, macs = {}, {}
    for sid in range(SESSIONS):
        iface = sid % 2
        peers[sid] = (iface, rng.choice((*near[iface], *far[iface])))
        await bed.order(CONNECT, sid, tuple_of(100 + sid, 80, int(peers[sid][1]), iface))
        macs[sid] = bed.macs(sid)
    concerned = 0
    for change in range(2000):
        if change >= 120 and concerned > 10:  # by chance few of the first 120 are a peer's next hop
            break
        iface = rng.randrange(2)
        ip = rng.choice((*near[iface], GATEWAYS[iface], *far[iface], near[1 - iface][0], GATEWAYS[1 - iface]))
        await bed.cycles(rng.randrange(1, 50))
        before = [bed.whom(sid) for sid in range(SESSIONS)]
        mac = await hosts.tell(bed, iface, ip)
        for sid, peer in peers.items():
            if peer[0] == iface and hop(*peer) == ip:
                macs[sid] = mac
                concerned += 1
        assert [bed.macs(sid) for sid in range(SESSIONS)] == list(macs.values()), (iface, ip)
        assert [bed.whom(sid) for sid in range(SESSIONS)] == before
    assert concerned > 10


@cocotb.test()
async def opened_meanwhile(dut):
    """What the user opens at any moment of a change, with the address from before, has the new one in the end."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    hosts = Hosts(dut, rng)
    peer = NETS[0][9]
    for moment in range(0, 120, 3):
        sid = moment % SESSIONS
        task = cocotb.start_soon(hosts.tell(bed, 0, peer))
        await bed.cycles(moment + 1)
        open_late = task.done()
        await bed.order(CONNECT, sid, tuple_of(7, 80, int(peer), 0), settle=False)
        mac = await task
        await bed.settle()
        assert bed.macs(sid) == (mac if not open_late else 0x020000000A)
        await bed.order(ABORT, sid)
        bed.asked()


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_hop(test):
    toe_tcp_bench().run(__name__, test)
