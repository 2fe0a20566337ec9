// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkers of the channels of qdma, and of those within qdma_core that join blocks.
bind qdma_core axis_checker #(
    .WIDTH($bits(posted))
) check_posted (
    .clk,
    .rst,
    .valid  (posted_valid),
    .ready  (posted_ready),
    .payload(posted)
);
bind qdma_core axis_checker #(
    .WIDTH($bits(read))
) check_read (
    .clk,
    .rst,
    .valid  (read_valid),
    .ready  (read_ready),
    .payload(read)
);
bind qdma_core axis_checker #(
    .WIDTH($bits(answer) + $bits(answer_data))
) check_answer (
    .clk,
    .rst,
    .valid  (answer_valid),
    .ready  (answer_ready),
    .payload({answer, answer_data})
);
bind qdma_core axis_checker #(
    .WIDTH($bits(packet) + $bits(packet_data))
) check_packet (
    .clk,
    .rst,
    .valid  (packet_valid),
    .ready  (packet_ready),
    .payload({packet, packet_data})
);
bind qdma_core axis_checker #(
    .WIDTH($bits(status[0]))
) check_status_c2h (
    .clk,
    .rst,
    .valid  (status_valid[0]),
    .ready  (status_ready[0]),
    .payload(status[0])
);
bind qdma_core axis_checker #(
    .WIDTH($bits(status[1]))
) check_status_h2c (
    .clk,
    .rst,
    .valid  (status_valid[1]),
    .ready  (status_ready[1]),
    .payload(status[1])
);
bind qdma_core axis_checker #(
    .WIDTH($bits(msix))
) check_msix (
    .clk,
    .rst,
    .valid  (msix_valid),
    .ready  (msix_ready),
    .payload(msix)
);
bind qdma_core axis_checker #(
    .WIDTH($bits(error_interrupt))
) check_error_interrupt (
    .clk,
    .rst,
    .valid  (error_interrupt_valid),
    .ready  (error_interrupt_ready),
    .payload(error_interrupt)
);
