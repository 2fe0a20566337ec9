# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Fuzz targets for everything that parses untrusted input: `targets` lists them, `running` runs one on libFuzzer,
`hostile` is `ullnic soak hostile`, `records` makes inputs by name, `captures_target` is the target of the capture
readers.

The other targets are in host/fuzz and sim/fuzz, whose READMEs say what each covers.
"""
