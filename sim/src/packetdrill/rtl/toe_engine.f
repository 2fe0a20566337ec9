// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine as packetdrill's adapter drives it, relative to the project's root: a tool that is run there reads them with -f.
cores/common/rtl/ones_pkg.sv
cores/common/rtl/axis_register.sv
cores/common/rtl/ram_sdp.sv
-F cores/toe/toe.f
sim/src/packetdrill/rtl/toe_engine.sv
