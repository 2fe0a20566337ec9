# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run`: demonstrations in which the real Linux network stack talks to simulated hardware."""
