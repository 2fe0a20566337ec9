# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Fuzz targets of all that parses what others send: `targets` lists them, `running` runs one on libFuzzer, `hostile` is
`ullnic soak hostile`, `records` makes inputs by name, `captures_target` is the target of the capture readers.

The other targets are beside what they try: host/fuzz and sim/fuzz, whose READMEs tell what each covers.
"""
