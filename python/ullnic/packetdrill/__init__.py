# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""packetdrill scripts against the TCP/IP engine: the shared object's table, a parser of a subset, a small runner."""
