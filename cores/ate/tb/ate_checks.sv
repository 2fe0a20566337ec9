// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Protocol checkers of the ports of ate and ate_tx.
bind ate_axil axil_checker #(
    .ADDR_WIDTH($bits(s_axil_awaddr))
) check_axil (
    .clk,
    .rst,
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
bind ate_core axis_checker #(
    .WIDTH(38)
) check_mirror (
    .clk,
    .rst,
    .valid  (m_mirror_tvalid),
    .ready  (m_mirror_tready),
    .payload({m_mirror_tdata, m_mirror_tkeep, m_mirror_tlast, m_mirror_tuser})
);
