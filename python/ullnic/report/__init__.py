# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The report: every figure of every core, measured here, compared with the published ones."""
