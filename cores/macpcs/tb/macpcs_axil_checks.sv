// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Protocol checker of the registers of macpcs.
bind macpcs_axil axil_checker #(
    .ADDR_WIDTH($bits(s_axil_awaddr))
) check_axil (
    .clk    (axil_clk),
    .rst    (axil_rst),
    .awaddr (s_axil_awaddr),
    .awvalid(s_axil_awvalid),
    .awready(s_axil_awready),
    .wdata  (s_axil_wdata),
    .wstrb  (s_axil_wstrb),
    .wvalid (s_axil_wvalid),
    .wready (s_axil_wready),
    .bresp  (s_axil_bresp),
    .bvalid (s_axil_bvalid),
    .bready (s_axil_bready),
    .araddr (s_axil_araddr),
    .arvalid(s_axil_arvalid),
    .arready(s_axil_arready),
    .rdata  (s_axil_rdata),
    .rresp  (s_axil_rresp),
    .rvalid (s_axil_rvalid),
    .rready (s_axil_rready)
);
