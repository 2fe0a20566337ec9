# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Resources and estimated timing of a core on UltraScale+, without a vendor's tool. docs/timing.md describes the
method.
"""
