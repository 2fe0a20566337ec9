# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run`: market data in, orders out, through the virtual card and accelerated sockets."""
