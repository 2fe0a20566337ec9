// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The contexts as the indirect registers show them: word 0 in bits 31:0.  Each structure is a whole number of words.
// Names and positions are those of the public drivers (eqdma_soft_reg.h, *_IND_CTXT_DATA_W*).
//
// *_STORED has a 1 for each bit that is kept; the others are reserved, or of virtio, which is absent: they read as 0.
// *_VALID has the bit that the operation `invalidate` clears; it is 0 where the contract has none.
package qdma_context_pkg;

  typedef enum logic [3:0] {
    SEL_SW_C2H     = 4'd0,
    SEL_SW_H2C     = 4'd1,
    SEL_HW_C2H     = 4'd2,
    SEL_HW_H2C     = 4'd3,
    SEL_CREDIT_C2H = 4'd4,
    SEL_CREDIT_H2C = 4'd5,
    SEL_COMPLETION = 4'd6,
    SEL_PREFETCH   = 4'd7,
    SEL_INTERRUPT  = 4'd8,
    SEL_FMAP       = 4'd12
  } selector_e;

  typedef enum logic [1:0] {
    OP_CLEAR      = 2'd0,
    OP_WRITE      = 2'd1,
    OP_READ       = 2'd2,
    OP_INVALIDATE = 2'd3
  } operation_e;

  localparam int CONTEXT_WORDS = 8;  // of the data registers; no context has more
  localparam int CONTEXT_BITS = 32 * CONTEXT_WORDS;

  // Software context: a descriptor ring, as the driver sets it up
  typedef struct packed {
    logic [84:0] reserved_virtio;  // W5 31:11, W6, W7
    logic pasid_en;
    logic [21:0] pasid;
    logic [3:0] host_id;
    logic irq_byp;
    logic pack_byp_out;
    logic virtio_en;
    logic dis_intr_on_vf;
    logic int_aggr;
    logic [10:0] vec;
    logic [63:0] dsc_base;  // bytes
    logic is_mm;
    logic mrkr_dis;
    logic irq_req;
    logic err_wb_sent;
    logic err_dma;
    logic err_dsc;
    logic irq_no_last;
    logic [2:0] port_id;
    logic irq_en;
    logic wbk_en;
    logic mm_chn;
    logic bypass;
    logic [1:0] dsc_sz;
    logic [3:0] rng_sz;  // index of the ring sizes
    logic [2:0] reserved_w1;
    logic [3:0] fetch_max;
    logic at;
    logic wbi_intvl_en;
    logic wbi_chk;
    logic fcrd_en;
    logic qen;
    logic [2:0] reserved_w0;
    logic [11:0] fnc;
    logic irq_arm;
    logic [15:0] pidx;
  } sw_context_t;

  localparam sw_context_t SW_STORED = '{reserved_virtio: '0, reserved_w1: '0, reserved_w0: '0, default: '1};
  localparam sw_context_t SW_VALID = '{qen: 1'b1, default: '0};

  // Hardware context: what the engine knows of the ring
  typedef struct packed {
    logic [13:0] reserved_w1;
    logic is_part;  // of the descriptor at cidx, memory-mapped, a part has been moved in the queue's last turn
    logic is_draining;  // what is under way is of before: nothing is fetched until it has been retired
    logic has_chains;
    logic [3:0] fetch_pnd;
    logic evt_pnd;
    logic idl_stp_b;
    logic dsc_pnd;
    logic [7:0] reserved_w1_low;
    logic [15:0] crd_use;
    logic [15:0] cidx;
  } hw_context_t;

  // The fetch's own, which no command shows
  localparam hw_context_t HW_OWN = '{is_part: 1'b1, is_draining: 1'b1, has_chains: 1'b1, default: '0};
  localparam hw_context_t HW_STORED = '{
      reserved_w1: '0,
      is_part: 1'b0,
      is_draining: 1'b0,
      has_chains: 1'b0,
      reserved_w1_low: '0,
      default: '1
  };
  // What no command changes: reads that are under way are counted down by those who began them.  A command that clears the
  // context while there are some has what comes after it wait for them.
  localparam hw_context_t HW_HELD = '{fetch_pnd: '1, default: '0};
  localparam hw_context_t HW_DRAINS = '{is_draining: 1'b1, default: '0};

  typedef struct packed {
    logic [15:0] reserved_w0;
    logic [15:0] credit;
  } credit_context_t;

  localparam credit_context_t CREDIT_STORED = '{reserved_w0: '0, default: '1};

  typedef struct packed {
    logic [17:0] reserved_w1;
    logic valid;
    logic [15:0] sw_crdt;
    logic pfch;
    logic pfch_en;
    logic err;
    logic [3:0] reserved_w0;
    logic [5:0] pfch_need;
    logic [5:0] num_pfch;
    logic virtio;
    logic var_desc;
    logic [2:0] port_id;
    logic [3:0] buf_sz_idx;
    logic bypass;
  } prefetch_context_t;

  localparam prefetch_context_t PREFETCH_STORED = '{reserved_w1: '0, reserved_w0: '0, default: '1};
  localparam prefetch_context_t PREFETCH_VALID = '{valid: 1'b1, default: '0};

  // Completion ring
  typedef struct packed {
    logic drop_full;  // of our own: a full ring drops packets instead of holding them
    logic [7:0] reserved_w5;
    logic [2:0] port_id;
    logic sh_cmpt;
    logic vio_eop;
    logic [3:0] baddr_low;  // address 5:2
    logic pasid_en;
    logic [21:0] pasid;
    logic [3:0] host_id;
    logic dir_c2h;
    logic vio;
    logic dis_intr_on_vf;
    logic int_aggr;
    logic [10:0] vec;
    logic at;
    logic ovf_chk_dis;
    logic full_upd;
    logic timer_running;
    logic user_trig_pend;
    logic [1:0] err;
    logic valid;
    logic [15:0] cidx;
    logic [15:0] pidx;
    logic [1:0] desc_size;  // 8 << n bytes
    logic [57:0] baddr_high;  // address 63:6
    logic [3:0] qsize_ix;  // index of the ring sizes
    logic color;
    logic [1:0] int_st;
    logic [3:0] timer_ix;
    logic [3:0] cnter_ix;
    logic [11:0] fnc_id;
    logic [2:0] trig_mode;
    logic en_int;
    logic en_stat_desc;
  } completion_context_t;

  localparam completion_context_t COMPLETION_STORED = '{reserved_w5: '0, default: '1};
  localparam completion_context_t COMPLETION_VALID = '{valid: 1'b1, default: '0};

  // Interrupt ring
  typedef struct packed {
    logic [1:0] reserved_w3_high;
    logic [11:0] func;
    logic [3:0] reserved_w3;
    logic pasid_en;
    logic [21:0] pasid;
    logic [3:0] host_id;
    logic at;
    logic [11:0] pidx;
    logic [2:0] page_size;  // 4 KiB * (n + 1): 512 entries a page
    logic [51:0] baddr_4k;  // address 63:12
    logic color;
    logic int_st;
    logic reserved_w0;
    logic [10:0] vec;
    logic valid;
  } interrupt_context_t;

  localparam interrupt_context_t INTERRUPT_STORED = '{
      reserved_w3_high: '0,
      reserved_w3: '0,
      reserved_w0: '0,
      default: '1
  };
  localparam interrupt_context_t INTERRUPT_VALID = '{valid: 1'b1, default: '0};

  // With what the contract has no place for, and no command shows; `clear` clears it, too.
  typedef struct packed {
    logic [11:0] cidx;  // of the last doorbell
    interrupt_context_t ring;
  } interrupt_state_t;

  // Function map: the queues of a function are qid_base to qid_base + qid_max - 1
  typedef struct packed {
    logic [19:0] reserved_w1;
    logic [11:0] qid_max;  // how many
    logic [20:0] reserved_w0;
    logic [10:0] qid_base;
  } fmap_context_t;

  localparam fmap_context_t FMAP_STORED = '{reserved_w1: '0, reserved_w0: '0, default: '1};

  // --- The RAMs, in the order of the selectors: SW C2H, SW H2C, HW C2H, HW H2C, credit C2H, credit H2C, completion,
  // prefetch, interrupt, function map
  localparam int STORES = 10;
  localparam int STORE_INTERRUPT = 8;
  localparam int STORE_FMAP = 9;
  localparam int INTERRUPT_RINGS = 256;  // as many as the doorbell can name
  typedef logic [CONTEXT_BITS-1:0] words_t;
  typedef logic [10:0] index_t;  // of a queue, absolute; of an interrupt ring; of a function

  // Bits of a word in the RAM, before those that are not stored are left out
  function automatic int store_bits(input int store);
    case (store)
      0, 1: return $bits(sw_context_t);
      2, 3: return $bits(hw_context_t);
      4, 5: return $bits(credit_context_t);
      6: return $bits(completion_context_t);
      7: return $bits(prefetch_context_t);
      STORE_INTERRUPT: return $bits(interrupt_state_t);
      default: return $bits(fmap_context_t);
    endcase
  endfunction

  // Bits that commands show and write
  function automatic words_t store_shown(input int store);
    case (store)
      0, 1: return words_t'(SW_STORED);
      2, 3: return words_t'(HW_STORED);
      4, 5: return words_t'(CREDIT_STORED);
      6: return words_t'(COMPLETION_STORED);
      7: return words_t'(PREFETCH_STORED);
      STORE_INTERRUPT: return words_t'(INTERRUPT_STORED);
      default: return words_t'(FMAP_STORED);
    endcase
  endfunction

  // Bits that the engines keep besides
  function automatic words_t store_own(input int store);
    case (store)
      2, 3: return words_t'(HW_OWN);
      STORE_INTERRUPT: return words_t'(12'hFFF) << $bits(interrupt_context_t);
      default: return '0;
    endcase
  endfunction

  // Bits that no command changes, and those that `clear` sets while one of them is set
  function automatic words_t store_held(input int store);
    return store inside {2, 3} ? words_t'(HW_HELD) : '0;
  endfunction
  function automatic words_t store_drains(input int store);
    return store inside {2, 3} ? words_t'(HW_DRAINS) : '0;
  endfunction

  function automatic words_t store_valid_bit(input int store);
    case (store)
      0, 1: return words_t'(SW_VALID);
      6: return words_t'(COMPLETION_VALID);
      7: return words_t'(PREFETCH_VALID);
      STORE_INTERRUPT: return words_t'(INTERRUPT_VALID);
      default: return '0;
    endcase
  endfunction
endpackage
