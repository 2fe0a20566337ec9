// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the bench, in order, relative to the project's root: a tool that is run there reads them with -f.
-F cores/common/common.f
-F cores/toe/toe.f
cores/toe/tb/toe_flat.sv
