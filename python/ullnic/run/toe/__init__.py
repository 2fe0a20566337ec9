# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run toe`: a card with a TCP/IP stack in RTL, used by ordinary programs on the Linux kernel's stack."""
