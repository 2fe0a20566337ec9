# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic coverage`: which statements and branches of a core's RTL its tests run."""
