// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Protocol checkers of the ports of toe.
bind toe axis_checker #(
    .WIDTH($bits(m_axis_tdata) + $bits(m_axis_tkeep) + $bits(m_axis_tdest) + 35)
) check_axis (
    .clk,
    .rst,
    .valid  (m_axis_tvalid),
    .ready  (m_axis_tready),
    .payload({m_axis_tdata, m_axis_tkeep, m_axis_tdest, m_axis_tlast, m_axis_tuser, m_axis_seq, m_axis_oos})
);
bind toe axis_checker #(
    .WIDTH(37)
) check_host (
    .clk,
    .rst,
    .valid  (m_host_tvalid),
    .ready  (m_host_tready),
    .payload({m_host_tdata, m_host_tkeep, m_host_tlast})
);
bind toe axis_checker #(
    .WIDTH($bits(m_mac_tdata) + $bits(m_mac_tkeep) + 2)
) check_mac (
    .clk,
    .rst,
    .valid  (m_mac_tvalid),
    .ready  (m_mac_tready),
    .payload({m_mac_tdata, m_mac_tkeep, m_mac_tlast, m_mac_tuser})
);
bind toe axis_checker #(
    .WIDTH($bits(event_code) + $bits(event_sid))
) check_event (
    .clk,
    .rst,
    .valid  (event_valid),
    .ready  (event_ready),
    .payload({event_code, event_sid})
);
