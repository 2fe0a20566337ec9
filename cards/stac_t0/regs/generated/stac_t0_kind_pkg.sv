// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Made from ../../card.toml by ./ullnic regs; do not edit.
//
package stac_t0_kind_pkg;
  localparam logic [7:0] KIND = 8'd2;
endpackage
