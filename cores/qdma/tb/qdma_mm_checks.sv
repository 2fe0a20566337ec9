// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkers of the memory-mapped engines: AXI4 at the ports of qdma, channels within.
bind qdma axi_checker check_axi (
    .clk,
    .rst,
    .awaddr (m_axi_mm_awaddr),
    .awlen  (m_axi_mm_awlen),
    .awsize (m_axi_mm_awsize),
    .awburst(m_axi_mm_awburst),
    .awvalid(m_axi_mm_awvalid),
    .awready(m_axi_mm_awready),
    .wdata  (m_axi_mm_wdata),
    .wstrb  (m_axi_mm_wstrb),
    .wlast  (m_axi_mm_wlast),
    .wvalid (m_axi_mm_wvalid),
    .wready (m_axi_mm_wready),
    .bresp  (m_axi_mm_bresp),
    .bvalid (m_axi_mm_bvalid),
    .bready (m_axi_mm_bready),
    .araddr (m_axi_mm_araddr),
    .arlen  (m_axi_mm_arlen),
    .arsize (m_axi_mm_arsize),
    .arburst(m_axi_mm_arburst),
    .arvalid(m_axi_mm_arvalid),
    .arready(m_axi_mm_arready),
    .rdata  (m_axi_mm_rdata),
    .rresp  (m_axi_mm_rresp),
    .rlast  (m_axi_mm_rlast),
    .rvalid (m_axi_mm_rvalid),
    .rready (m_axi_mm_rready)
);
bind qdma_mm_control axis_checker #(
    .WIDTH($bits(segment))
) check_segment (
    .clk,
    .rst,
    .valid  (segment_valid),
    .ready  (segment_ready),
    .payload(segment)
);
bind qdma_mm_control axis_checker #(
    .WIDTH($bits(status))
) check_status (
    .clk,
    .rst,
    .valid  (status_valid),
    .ready  (status_ready),
    .payload(status)
);
bind qdma_mm_control axis_checker #(
    .WIDTH($bits(retire))
) check_retire (
    .clk,
    .rst,
    .valid  (retire_valid),
    .ready  (retire_ready),
    .payload(retire)
);
bind qdma_mm_c2h axis_checker #(
    .WIDTH($bits(payload))
) check_payload (
    .clk,
    .rst,
    .valid  (payload_valid),
    .ready  (payload_ready),
    .payload(payload)
);
bind qdma_merge_tlps axis_checker #(
    .WIDTH($bits(m_data))
) check_merged (
    .clk,
    .rst,
    .valid  (m_valid),
    .ready  (m_ready),
    .payload(m_data)
);
