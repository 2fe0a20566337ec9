#!/bin/sh
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# In the guest: enables and disables virtual functions through Linux, and prints what it finds, a NAME=VALUE a line.

physical=/sys/bus/pci/devices/0000:01:00.0
version=0x5014 # of a virtual function: a register that is constant
found() { # the functions of the card
  lspci -n -d 10ee: | awk '{ printf "%s%s/%s", sep, $1, $3; sep = " " }'
}
read_version() { # of the function whose memory begins at $1
  busybox devmem $(($1 + version)) 32
}
bar0() {
  awk 'NR == 1 { print $1 }' "/sys/bus/pci/devices/0000:01:00.$1/resource"
}

echo "before=$(found)"
echo "most=$(cat $physical/sriov_totalvfs)"
modprobe pci-pf-stub
echo pci-pf-stub > $physical/driver_override
echo 0000:01:00.0 > /sys/bus/pci/drivers_probe
echo 2 > $physical/sriov_numvfs
echo "two=$(found)"
for number in 1 2; do
  function=/sys/bus/pci/devices/0000:01:00.$number
  echo "physical_of_$number=$(basename "$(readlink $function/physfn)")"
  echo "bytes_of_$number=$(awk 'NR == 1 { print $2 - $1 + 1 }' $function/resource)"
  echo "reset_of_$number=$(cat $function/reset_method)"
  echo 1 > $function/enable
  echo "version_of_$number=$(read_version "$(bar0 $number)")"
  echo 1 > $function/reset
  echo "after_reset_of_$number=$(read_version "$(bar0 $number)")"
done
first=$(bar0 1)
lspci -vv -s 01:00.0 | grep -e 'IOV' -e 'VFs:' -e 'VF offset'
lspci -vv -s 01:00.1 | grep -e 'MSI-X:' -e 'FLReset'
echo 1 > $physical/reset
echo "after_reset=$(read_version "$first")"
echo 0 > $physical/sriov_numvfs
echo "none=$(found)"
echo "absent=$(read_version "$first")"
echo 4 > $physical/sriov_numvfs
echo "four=$(found)"
echo 1 > /sys/bus/pci/devices/0000:01:00.4/enable
echo "version_of_4=$(read_version "$(bar0 4)")"
