#!/bin/sh
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# In the guest: hands the card to vfio-pci, and runs first_packet on it, which sleeps $1 times.
set -e

modprobe vfio-pci
echo vfio-pci > /sys/bus/pci/devices/0000:01:00.0/driver_override
echo 0000:01:00.0 > /sys/bus/pci/drivers_probe
LD_LIBRARY_PATH=/share timeout 120 /share/first_packet vfio:0000:01:00.0 "$1"
