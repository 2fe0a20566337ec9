#!/bin/bash
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# In the guest: ullnic.ko with a Linux at the far end of both ports (linux_peer.py). A NAME=VALUE a line.
# $1: bytes of a transfer; $2: resets of the function; $3: reloads of the module.
bytes=$1 resets=$2 reloads=$3
card=/sys/bus/pci/devices/0000:01:00.0

# The guest has eth0 of QEMU's; a route to it must not answer for a port that is gone.
ip link set eth0 down

up() {
  for port in 0 1; do
    ip address add 10.77.$port.2/24 dev eth$((port + 1)) && ip link set eth$((port + 1)) up || return 1
  done
  for _ in $(seq 200); do
    [ "$(cat /sys/class/net/eth[12]/carrier)" = "$(printf '1\n1')" ] && return 0
    sleep 0.1
  done
  return 1
}
load() {
  insmod /share/ullnic.ko && up
}
received() { # of a ping
  sed -n 's/.* \([0-9]*\) received.*/\1/p'
}
counter() {
  ethtool -S "$1" | sed -n "s/^ *$2: //p"
}
# Both print the same if nothing was lost: how many bytes came, and their digest.
take() {
  nc "10.77.$1.1" 5002 < /dev/null > "/tmp/taken$1"
  [ "$(sha256sum < "/tmp/taken$1" | cut -c-64) $(stat -c %s "/tmp/taken$1")" = "$(nc "10.77.$1.1" 5003 < /dev/null | sed -n 2p)" ] && echo same
}
give() {
  head -c "$bytes" /dev/urandom > "/tmp/given$1"
  nc "10.77.$1.1" 5001 < "/tmp/given$1"
  [ "$(sha256sum < "/tmp/given$1" | cut -c-64) $bytes" = "$(nc "10.77.$1.1" 5003 < /dev/null | sed -n 1p)" ] && echo same
}

load || exit 1
echo "ping=$(ping -c 10 -i 0.1 10.77.0.1 | received),$(ping -c 10 -i 0.1 10.77.1.1 | received)"
touch /share/up
until [ -e /share/pinged ]; do sleep 0.1; done

echo "driver=$(ethtool -i eth1 | sed -n 's/^driver: //p'),$(ethtool -i eth1 | sed -n 's/^bus-info: //p')"
echo "speed=$(ethtool eth1 | sed -n 's/.*Speed: //p'),$(ethtool eth1 | sed -n 's/.*Link detected: //p')"
echo "rings=$(ethtool -g eth1 | sed -n 's/^[RT]X:\t*//p' | paste -sd,)"
ethtool -G eth1 rx 64 tx 64 && echo "small_rings=$(take 0),$(give 0)"
ethtool -G eth1 rx 1024 tx 256
ethtool -G eth1 rx 100 2> /dev/null || echo "odd_ring=refused"
echo "offloads=$(ethtool -k eth1 | grep -cE '^(tx-checksumming|scatter-gather|tcp-segmentation-offload|rx-checksumming): on')"
echo "transfer=$(take 0),$(give 0),$(take 1),$(give 1)"
ethtool -C eth1 rx-usecs 20 rx-frames 8 && echo "coalesced=$(take 0)"
ethtool -C eth1 rx-usecs 0 rx-frames 8 2> /dev/null || echo "count_without_time=refused"
ethtool -C eth1 rx-usecs 0 rx-frames 0

ip link set eth1 mtu 9000
echo "long_ping=$(ping -c 3 -i 0.1 -s 8972 -M "do" 10.77.0.1 | received),$(take 0)"
ip link set eth1 mtu 9601 2> /dev/null || ip link set eth2 mtu 1501 2> /dev/null || echo "too_long=refused"
modprobe 8021q
for port in 0 1; do
  ip link add link eth$((port + 1)) name tag$port type vlan id 5
  ip address add 10.78.$port.2/24 dev tag$port && ip link set tag$port up
done
echo "tagged=$(ping -c 3 -i 0.1 -s 8972 -M "do" 10.78.0.1 | received),$(ping -c 3 -i 0.1 -s 1472 -M "do" 10.78.1.1 | received)"
ip link delete tag0 && ip link delete tag1
ip link set eth1 mtu 1500

attach() {
  /share/xdp_attach "$@" > /tmp/attached &
  program=$!
  until grep -q attached /tmp/attached; do kill -0 $program || return 1; sleep 0.1; done
}
detach() {
  kill $program && wait $program 2> /dev/null
}
attach eth1 pass && echo "xdp_pass=$(ping -c 3 -i 0.1 10.77.0.1 | received)"
ip link set eth1 mtu 9000 2> /dev/null || echo "xdp_long=refused"
detach
attach eth1 drop && echo "xdp_drop=$(ping -c 3 -i 0.1 -W 1 10.77.0.1 | received)"
detach
for action in tx redirect; do
  attach eth1 $action eth2
  touch /share/beat
  sleep 2
  rm /share/beat
  sleep 1
  detach
done
echo "xdp_tx=$(counter eth1 rx_xdp_tx),$(counter eth1 tx_xdp_packets)"
echo "xdp_redirect=$(counter eth1 rx_xdp_redirect),$(counter eth2 tx_xdp_packets)"
nc 10.77.0.1 5004 < /dev/null

ping -q -c 200 -i 0.05 10.77.0.1 > /dev/null &
echo "stamped=$(timeout 60 /share/rx_stamp eth1 50),$(ethtool -T eth1 | grep -c hardware-receive)"
wait
rx=$(counter eth1 rx_packets) && tx=$(counter eth1 tx_packets)
ping -c 100 -i 0.02 10.77.0.1 > /dev/null
echo "counted=$(($(counter eth1 rx_packets) - rx >= 100)),$(($(counter eth1 tx_packets) - tx >= 100))"
lost=0
for interface in eth1 eth2; do
  for name in rx_no_memory rx_format_errors tx_dropped restarts host_rx_bad host_chunks_refused mac_tx_underruns; do
    lost=$((lost + $(counter $interface $name)))
  done
done
echo "errors=$lost"

for n in $(seq "$resets"); do
  take 0 > "/tmp/reset$n" &
  give 1 >> "/tmp/other$n" &
  sleep 1
  echo 1 > $card/reset || echo "reset $n failed"
  wait
done
echo "resets=$(cat /tmp/reset* | grep -c same),$(cat /tmp/other* | grep -c same)"

for n in $(seq "$reloads"); do
  nc 10.77.0.1 5002 < /dev/null > /dev/null 2>&1 &
  transfer=$!
  ping -q -i 0.02 10.77.1.1 > /dev/null 2>&1 &
  sleep 0.5
  rmmod ullnic || exit 1
  kill $! $transfer
  wait
  load || exit 1
done 2> /dev/null
echo "reloaded=$(ping -c 10 -i 0.1 10.77.0.1 | received),$(ping -c 10 -i 0.1 10.77.1.1 | received),$(take 0),$(give 1)"
rmmod ullnic
echo "left=$(ip -o link | grep -c ': eth[12]:')"
dmesg | grep -E 'BUG|WARNING|Call Trace|Oops|ullnic.*(stops|stopped|does not|cannot)'
exit 0
