#!/bin/sh
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# In the guest: prints what it finds of the card, a NAME=VALUE a line; lspci's words come last. Exits with $1.

device=/sys/bus/pci/devices/0000:01:00.0
echo "arguments=$*"
echo "id=$(cat $device/vendor)/$(cat $device/device)"
echo "bar0=$(sed -n 1p $device/resource | awk '{ print $2 - $1 + 1 }')"
echo "bar2=$(sed -n 3p $device/resource | awk '{ print $2 - $1 + 1 }')"
echo "link=$(cat $device/current_link_speed), $(cat $device/current_link_width)"
echo "reset=$(cat $device/reset_method)"
setpci -s 01:00.0 COMMAND=2:2
bar0=$(awk 'NR == 1 { print $1 }' $device/resource)
echo "identification=$(busybox devmem "$bar0" 32)"
echo 1 > $device/reset && echo "after_reset=$(cat $device/vendor)"
echo "share=$(cat /share/greeting)"
echo "from the guest" > /share/answer
echo "address=$(ip -brief address show eth0 | awk '{ print $3 }')"
modprobe vfio-pci && echo "vfio_pci=$(grep -c '^vfio_pci ' /proc/modules)"
lspci -vv -s 01:00.0
echo "a complaint" >&2
exit "$2"
