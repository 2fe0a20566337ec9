# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The user's captures: one reader decides which frames cross the simulated line, and why the others do not.

`opening` opens a file or a pipe, `compressed` decompresses it, `pcap` and `pcapng` read the two formats, and `plain`
writes the frames that can cross to a plain pcap file. A simulation plays that file. The formats are read here because
no library reads them all: libpcap refuses a pcapng file whose interfaces differ in link type or snap length, scapy
reads no modified pcap and ends without an error where a file is cut short.
"""
