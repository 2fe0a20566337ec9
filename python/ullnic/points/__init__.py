# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Measurement points: each is one command and one JSON file, kept under a key of everything its figures depend on."""

from ullnic.points.point import Point

__all__ = ["Point"]
