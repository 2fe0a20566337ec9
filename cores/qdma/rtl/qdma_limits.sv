// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Refuses parameters of the top that the core does not have: the elaboration ends with a message.  No logic.
module qdma_limits
  import qdma_h2c_pkg::room_t;
  import qdma_pkg::MAX_USER_BAR_BITS;
#(
    parameter int QUEUES = 2048,
    parameter int PFS = 4,
    parameter int VFS = 252,
    parameter int VF_SHARE = 63,
    parameter int USER_BAR_BITS = 19,
    parameter int H2C_LIMITED = 0,
    parameter int H2C_MOST = 248
);
  localparam int MAX_QUEUES = 2048;
  localparam int MAX_PFS = 4;
  localparam int MAX_VFS = 252;
  localparam int MIN_USER_BAR_BITS = 7;  // PCI Express Base Specification 5.0, 7.5.1.2.1: a BAR has 128 bytes or more

  if (QUEUES < 2 || QUEUES > MAX_QUEUES || QUEUES != 1 << $clog2(QUEUES)) begin : gen_bad_queues
    $error("qdma: QUEUES must be a power of two, 2 to 2048");
  end
  if (PFS < 1 || PFS > MAX_PFS) begin : gen_bad_pfs
    $error("qdma: PFS must be 1 to 4");
  end
  if (VFS < 0 || VFS > MAX_VFS) begin : gen_bad_vfs
    $error("qdma: VFS must be 0 to 252");
  end
  if (VF_SHARE * PFS < VFS) begin : gen_bad_share
    $error("qdma: VF_SHARE must be at least VFS / PFS");
  end
  if (USER_BAR_BITS < MIN_USER_BAR_BITS || USER_BAR_BITS > MAX_USER_BAR_BITS) begin : gen_bad_user_bar
    $error("qdma: USER_BAR_BITS must be 7 to 24");
  end
  if (H2C_LIMITED < 0 || H2C_LIMITED > QUEUES) begin : gen_bad_limited
    $error("qdma: H2C_LIMITED must be 0 to QUEUES");
  end
  if (H2C_MOST < 1 || H2C_MOST >= 1 << $bits(room_t)) begin : gen_bad_most
    $error("qdma: H2C_MOST must be 1 to 1023");
  end
endmodule
