# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Figures measured in simulation of the RTL, compared with the published ones."""
