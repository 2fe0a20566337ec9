# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Figures measured by the RTL in simulation, beside the published ones."""
