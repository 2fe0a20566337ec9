# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic mutate`: random faults in a core's RTL, and which of them its tests and proofs see."""
