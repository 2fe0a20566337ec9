# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""python -m ullnic.run.offload IFNAME: switches an interface's checksum and segmentation offloads off.

The same as `ethtool -K IFNAME tx off tso off gso off gro off`, but without that tool.
"""

import array
import fcntl
import socket
import struct
import sys

SIOCETHTOOL = 0x8946
SETTINGS = {"tx checksum": 0x17, "tso": 0x1F, "gso": 0x24, "gro": 0x2C}  # ETHTOOL_STXCSUM, STSO, SGSO, SGRO


def switch_off(ifname: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for name, command in SETTINGS.items():
            value = array.array("I", [command, 0])  # struct ethtool_value: command, data
            request = struct.pack("16sP", ifname.encode(), value.buffer_info()[0])  # struct ifreq
            try:
                fcntl.ioctl(control, SIOCETHTOOL, request.ljust(40, b"\0"))
            except OSError as error:
                sys.exit(f"{ifname}: {name} offload cannot be switched off: {error.strerror}")


if __name__ == "__main__":
    switch_off(sys.argv[1])
