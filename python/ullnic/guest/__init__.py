# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic guest`: a small Debian guest in QEMU, with the virtual card as a PCI device."""
