// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of toe, in order, relative to this list (-F), behind those of ../common/common.f.
rtl/toe_pkg.sv
rtl/toe_fifo.sv
rtl/toe_events.sv
rtl/toe.sv
