# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of qdma, and mutations that each must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

ARBITER, RAM = "qdma/rtl/qdma_arbiter.sv", "qdma/rtl/qdma_context_ram.sv"
CONTEXT_RAM_ORDER = Proof(
    sources=("common/rtl/ram_sdp.sv", ARBITER, RAM, "qdma/formal/context_ram_order.sv"),
    clocks=True,
    mutations=(
        Mutation("one_before_lost", RAM, "at_word = s2_forward_q ?", "at_word = 1'b0 ?", 12),
        Mutation("two_before_lost", RAM, "if (w1_valid_q && w1_addr_q", "if (1'b0 && w1_addr_q", 12),
        Mutation("three_before_lost", RAM, "else if (w2_valid_q &&", "else if (1'b0 &&", 14),
        Mutation("older_result_first", RAM, "if (w1_valid_q && w1_addr_q == s1_addr_q)",
                 "if (w1_valid_q && w1_addr_q == s1_addr_q && !(w2_valid_q && w2_addr_q == s1_addr_q))", 14),
        Mutation("forwards_a_read", RAM, "s2_addr_q) & |(s2_port_q & write)", "s2_addr_q) & |s2_port_q", 12),
        Mutation("accepts_while_clearing", RAM, ".enable (~clearing)", ".enable (1'b1)", 8),
        Mutation("one_word_not_cleared", RAM, "addr_t'(DEPTH - 1)", "addr_t'(DEPTH - 2)", 16),
        Mutation("lowest_port_first", ARBITER, "first = |high ? high : low", "first = request", 12),
    ),
)  # fmt: skip
SHARE = "qdma/rtl/qdma_context_share.sv"
SHARE_IN_STEP = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", ARBITER, SHARE, "qdma/formal/share_in_step.sv"),
    clocks=True,
    mutations=(
        Mutation("a_cycle_early", SHARE, "engine_at = engine_2_q", "engine_at = engine_1_q", 8),
        Mutation("index_of_a_waiting_one", SHARE, "if (choice[i]) index", "if (engine_valid[i]) index", 6),
        Mutation("writes_of_all", SHARE, "|(engine_2_q & engine_write)", "|engine_write", 6),
        Mutation("words_of_all", SHARE, "if (engine_2_q[i]) next", "if (engine_write[i]) next", 8),
        Mutation("not_held_back", SHARE, ".enable (ready)", ".enable (1'b1)", 6),
        Mutation("lowest_engine_first", ARBITER, "first = |high ? high : low", "first = request", 12),
    ),
)
PACKAGES = tuple(f"qdma/rtl/{name}.sv" for name in ("qdma_context_pkg", "qdma_tlp_pkg", "qdma_pkg"))
COMMAND = "qdma/rtl/qdma_command.sv"
COMMAND_IN_TIME = Proof(
    sources=(*PACKAGES, COMMAND, "qdma/formal/command_in_time.sv"),
    clocks=True,
    mutations=(
        Mutation("never_done", COMMAND, "if (|command_at) state_q", "if (1'b0) state_q", 12),
        Mutation("index_not_checked", COMMAND, "(index >= limit)", "1'b0", 10),
        Mutation("function_map_lost", COMMAND, "if (sel == SEL_FMAP) store", "if (1'b0) store", 10),
        Mutation("refused_and_done", COMMAND, "state_q <= refused ? IDLE : REQUEST", "state_q <= REQUEST", 12),
        Mutation("read_of_a_write", COMMAND, "is_read & (refused", "(refused", 10),
    ),
)

TAGS = "qdma/rtl/qdma_tags.sv"
TAGS_ONCE = Proof(
    sources=(TAGS, "qdma/formal/tags_once.sv"),
    clocks=True,
    mutations=(
        Mutation("closes_what_is_free", TAGS, "close & is_open", "close", 8),
        Mutation("closed_just_now", TAGS, "~(closes &", "~(1'b0 &", 8),
        Mutation("opened_just_now", TAGS, "| (take & tag_valid & (tag == look_tag))", "", 8),
        Mutation("stays_open", TAGS, "open_q[looked_q] <= 1'b0", "open_q[looked_q] <= 1'b1", 8),
        Mutation("one_lost", TAGS, "wr_ptr_q + 1'b1", "wr_ptr_q + {{BITS{1'b0}}, ~&looked_q}", 14),
        Mutation("same_again", TAGS, "rd_ptr_q + 1'b1", "rd_ptr_q + {{BITS{1'b0}}, close}", 16),
        Mutation("not_opened", TAGS, "open_q[tag] <= 1'b1", "open_q[tag] <= open_q[0]", 8),
        Mutation("last_never_used", TAGS, "~fresh_q[BITS]", "~fresh_q[BITS] & ~&fresh_q[BITS-1:0]", 10),
    ),
)  # fmt: skip
WATCH_PACKAGE = "qdma/rtl/qdma_watch_pkg.sv"
READ_PACKAGES = ("qdma/rtl/qdma_tlp_pkg.sv", "qdma/rtl/qdma_read_pkg.sv")
CREDIT = "qdma/rtl/qdma_read_credit.sv"
CREDIT_LIMIT = Proof(
    sources=(*READ_PACKAGES, CREDIT, "qdma/formal/credit_limit.sv"),
    clocks=True,
    mutations=(
        Mutation("one_too_many", CREDIT, "<= {1'b0, limit}", "<= {1'b0, limit} + 1'b1", 10),
        Mutation("as_of_yesterday", CREDIT, "has_room = fits(taken[i])", "has_room = fits(left)", 10),
        Mutation("one_kept", CREDIT, "(give ? BITS'(give_lines) : '0)", "(give & ~take ? BITS'(give_lines) : '0)", 10),
    ),
)
REORDER = "qdma/rtl/qdma_reorder.sv"
REORDER_IN_ORDER = Proof(
    sources=("common/rtl/ram_sdp.sv", *READ_PACKAGES, REORDER, "qdma/formal/reorder_in_order.sv"),
    clocks=True,
    mutations=(
        Mutation("before_its_end", REORDER, "& ended_q[rd_entry_q[ENTRY_BITS-1:0]] &", "&", 10),
        Mutation("end_of_another_pass", REORDER, "if (alloc) ended_q", "if (1'b0) ended_q", 24),
        Mutation("error_forgotten", REORDER, "finishes    = failed | is_end", "finishes    = is_end", 12),
        Mutation("lines_kept", REORDER, "failed ? (LINE_BITS + 1)'(record.lines)", "failed ? (LINE_BITS + 1)'(1)", 14),
        Mutation("one_line_too_many", REORDER, "LINES - MAX_CHUNK_LINES", "LINES - MAX_CHUNK_LINES + 1", 14),
        Mutation("one_entry_too_many", REORDER, "& ~entries_used[ENTRY_BITS]", "", 14),
        Mutation("overwrites_a_beat", REORDER, "& (~beat_valid | beat_ready)", "", 12),
    ),
)  # fmt: skip
ACTIVE = "qdma/rtl/qdma_active.sv"
OTHERS = "qdma/rtl/qdma_fetch_others.sv"
OTHERS_SEEN = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", OTHERS, "qdma/formal/others_seen.sv"),
    clocks=True,
    mutations=(
        Mutation("more_not_seen", OTHERS, "(more_active | (active_qid", "((active_qid", 8),
        Mutation("itself_is_another", OTHERS, "(more_active | (active_qid != served_qid))", "1'b1", 8),
        Mutation("older_ones_forgotten", OTHERS, "((last_q != pending_q) |", "(", 10),
        Mutation("younger_ones_forgotten", OTHERS, " | (last_qid_q != served_qid)))", "))", 10),
        Mutation("run_goes_on", OTHERS, "batch_qid == last_qid_q ? last_q + 1'b1 : count_t'(1)", "last_q + 1'b1", 10),
        Mutation("ended_ones_count", OTHERS, "if (last > pending) last = pending;", "", 12),
    ),
)  # fmt: skip
ACTIVE_FAIR = Proof(
    sources=("common/rtl/ram_sdp.sv", ACTIVE, "qdma/formal/active_fair.sv"),
    clocks=True,
    mutations=(
        Mutation("event_lost", ACTIVE, "~listed[active_qid]", "~(listed[active_qid] | (event_q & valid))", 20),
        Mutation("listed_twice", ACTIVE, "activate & ~listed[active_qid]", "activate", 24),
        Mutation("unlists_another", ACTIVE, "write_qid = fetched_qid;", "write_qid = active_qid;", 20),
        Mutation("again_first", ACTIVE, "again_ready = ~event_q & ~unlist", "again_ready = ~unlist", 20),
        Mutation("never_provided", ACTIVE, "<= unlist | pass", "<= (unlist & ~&fetched_qid) | pass", 20),
        Mutation("not_cleared", ACTIVE, "<= ~clearing & ~unlist", "<= ~unlist", 20),
        Mutation("passes_listed_ones", ACTIVE, "event_valid & ~more", "event_valid", 20),
        Mutation("passes_one_on_its_way_out", ACTIVE, "~more & ~fetched_q", "~more", 20),
        Mutation("passes_one_provided", ACTIVE, "& ~valid & ~activate;", "& ~activate;", 20),
        Mutation("passes_one_on_its_way_in", ACTIVE, "& ~valid & ~activate;", "& ~valid;", 20),
        Mutation("passed_and_listed", ACTIVE, "event_valid & ~pass;", "event_valid;", 20),
        Mutation("never_passes", ACTIVE, "pass        = event_valid", "pass        = 1'b0", 20),
    ),
)  # fmt: skip

WRITE_ARBITER = "qdma/rtl/qdma_write_arbiter.sv"
WRITE_PACKAGES = tuple(f"qdma/rtl/{name}.sv" for name in ("qdma_context_pkg", "qdma_tlp_pkg", "qdma_write_pkg"))
WRITE_ORDER = Proof(
    sources=(*WRITE_PACKAGES, "common/rtl/axis_register.sv", WRITE_ARBITER, "qdma/formal/write_order.sv"),
    clocks=True,
    mutations=(
        Mutation("higher_client_first", WRITE_ARBITER, "waiting[i] | ~waiting[j];", "waiting[i] & ~waiting[j];", 8),
        Mutation("order_forgotten", WRITE_ARBITER, "if (!(waiting[i] && waiting[j])) first_q", "first_q", 10),
        Mutation("lowest_client_first", WRITE_ARBITER, "if (j > i && client_valid[j] && !first_q[i][j])",
                 "if (1'b0)", 10),
        Mutation("not_locked", WRITE_ARBITER, "|locked_q ? locked_q : unbeaten", "unbeaten", 8),
        Mutation("beat_lost", WRITE_ARBITER, "~beat_valid_q | beat_ready;", "1'b1;", 10),
        Mutation("sent_without_bus_master", WRITE_ARBITER, "beat_valid_q & keep)", "beat_valid_q)", 6),
        Mutation("dropped_twice", WRITE_ARBITER, "~keep & beat_q.last;", "~keep;", 8),
    ),
)  # fmt: skip
MOVES_COUNT = Proof(
    sources=(*WRITE_PACKAGES, "common/rtl/axis_register.sv", WRITE_ARBITER, "qdma/formal/moves_count.sv"),
    clocks=True,
    mutations=(
        Mutation("drops_not_counted", WRITE_ARBITER, "posted_ready : beat_valid_q & ~keep;",
                 "posted_ready : 1'b0;", 10),
        Mutation("drops_pass_what_waits", WRITE_ARBITER, "moves <= posted_valid ? posted_ready : beat_valid_q & ~keep;",
                 "moves <= (posted_valid & posted_ready) | (beat_valid_q & chosen_ready & ~keep);", 14),
        Mutation("counted_when_it_enters", WRITE_ARBITER, "posted_ready : beat_valid_q & ~keep;",
                 "posted_ready : beat_valid_q;", 8),
        Mutation("stalled_ones_counted", WRITE_ARBITER, "posted_valid ? posted_ready :", "posted_valid ? 1'b1 :", 8),
        Mutation("idle_with_a_beat", WRITE_ARBITER, "~|client_valid & ~beat_valid_q & beat_ready",
                 "~|client_valid & beat_ready", 8),
    ),
)  # fmt: skip

ABSTRACT_RAM, ID_QUEUE = "qdma/formal/abstract/qdma_context_ram.sv", "qdma/rtl/qdma_id_queue.sv"
ID_QUEUE_KEEPS = Proof(
    sources=("common/rtl/ram_sdp.sv", ABSTRACT_RAM, ID_QUEUE, "qdma/formal/id_queue_keeps.sv"),
    clocks=True,
    mutations=(
        Mutation("queued_twice", ID_QUEUE, "at[0] & (at_flags == '0)", "at[0]", 14),
        Mutation("flags_not_cleared", ID_QUEUE, "{FLAGS'(0), at_flags", "{at_flags, at_flags", 18),
        Mutation("older_flags_lost", ID_QUEUE, "at_flags | flags_2_q}", "flags_2_q}", 14),
        Mutation("push_lost", ID_QUEUE, "if (enqueue) write_q <=", "if (enqueue && !take) write_q <=", 20),
    ),
)

FIRST = "qdma/rtl/qdma_first.sv"
FIRST_ONE = Proof(
    sources=(FIRST, "qdma/formal/first_one.sv"),
    clocks=True,
    mutations=(
        Mutation("two_groups", FIRST, "first_group[i] ? first_in", "any[i] ? first_in", 4),
        Mutation("index_of_all_groups", FIRST, "if (first_group[i]) index", "if (any[i]) index", 4),
        Mutation("two_in_a_group", FIRST, "~|two & ~two_of_16(any)", "~two_of_16(any)", 4),
        Mutation("one_in_two_groups", FIRST, "~|two & ~two_of_16(any)", "~|two", 4),
        Mutation("two_in_two_quads", FIRST, "return |two_of | two_of_4(any_of)", "return |two_of", 4),
    ),
)
WHEEL = "qdma/rtl/qdma_timer_wheel.sv"
TIMER_IN_TIME = Proof(
    sources=(FIRST, WHEEL, "qdma/formal/timer_in_time.sv"),
    clocks=True,
    mutations=(
        Mutation("row_left_out", WHEEL, "row_q == row_t'(ROWS - 1) ? '0 :",
                 "row_q == row_t'(ROWS - 1) ? row_t'(1) :", 16),
        Mutation("too_early", WHEEL, "timer.is_armed & ~late[TICK_BITS]", "timer.is_armed", 10),
        Mutation("not_when_due", WHEEL, "timer.is_armed & ~late[TICK_BITS]", "timer.is_armed & (late == 1)", 16),
        Mutation("arm_lost", WHEEL, "set_valid & (LANE_BITS", "set_valid & advance & (LANE_BITS", 14),
        Mutation("halts_for_ever", WHEEL, "(fire_ready | ~fire_valid)", "~fire_valid", 14),
        Mutation("wrong_queue", WHEEL, "fire_qid = ($clog2(QUEUES))'(lane);", "fire_qid = ($clog2(QUEUES))'(1);", 12),
    ),
)  # fmt: skip

STATUS = "qdma/rtl/qdma_descriptor_status.sv"
ENGINE_PACKAGES = (*PACKAGES, WATCH_PACKAGE, "qdma/rtl/qdma_write_pkg.sv")
ARMED_FIRES = Proof(
    sources=(*ENGINE_PACKAGES, "common/rtl/ram_sdp.sv", ABSTRACT_RAM, ID_QUEUE, STATUS, "qdma/formal/armed_fires.sv"),
    clocks=True,
    mutations=(
        Mutation("held_forgotten", STATUS, "next.irq_req = wants & ~was.irq_arm", "next.irq_req = 1'b0", 18),
        Mutation("arm_kept", STATUS, "if (fires && is_request_q && interrupts_q) next.irq_arm = 1'b0;", "", 18),
        Mutation("held_takes_arm", STATUS, "if (fires && is_request_q && interrupts_q) next", "if (fires) next", 30),
        Mutation("fires_without_arm", STATUS, "wants & was.irq_arm & was.irq_en", "wants & was.irq_en", 18),
        Mutation("doorbell_not_looked_at", STATUS, ".push_valid(is_descriptor)", ".push_valid(1'b0)", 18),
    ),
)
INTERRUPT = "qdma/rtl/qdma_interrupt.sv"
FREE_QUEUE = "qdma/formal/abstract/qdma_id_queue.sv"
UNREAD_HAS_MESSAGE = Proof(
    sources=(
        *ENGINE_PACKAGES,
        "common/rtl/ram_sdp.sv",
        ARBITER,
        FREE_QUEUE,
        INTERRUPT,
        "qdma/formal/unread_has_message.sv",
    ),
    clocks=True,
    mutations=(
        Mutation(
            "no_message_again", INTERRUPT, "kind_q == IS_DOORBELL ? has_unread :", "kind_q == IS_DOORBELL ? 1'b0 :", 24
        ),
        Mutation(
            "not_armed_again",
            INTERRUPT,
            "next.ring.int_st = was.ring.valid & has_unread",
            "next.ring.int_st = was.ring.int_st",
            30,
        ),
        Mutation("message_lost", INTERRUPT, "state_q <= sends_q ? REQUEST : IDLE;", "state_q <= IDLE;", 20),
        Mutation(
            "overwrites",
            INTERRUPT,
            "is_full = is_wrap ? was.cidx == '0 : 12'(was.ring.pidx + 1'b1) == was.cidx",
            "is_full = is_wrap & was.cidx == '0",
            20,
        ),
    ),
)
MSIX = "qdma/rtl/qdma_msix.sv"
MESSAGE_LEAVES = Proof(
    sources=("qdma/rtl/qdma_tlp_pkg.sv", "common/rtl/ram_sdp.sv", FIRST, MSIX, "qdma/formal/message_leaves.sv"),
    clocks=True,
    mutations=(
        Mutation("masked_is_lost", MSIX, "(vector_bit_q & ~may_send &", "('0 &", 14),
        Mutation("function_mask_ignored", MSIX, "& ~is_masked[func_t'(func_q)]", "", 16),
        Mutation("sent_twice", MSIX, "word.pending & ~first;", "word.pending;", 26),
        Mutation("search_not_begun", MSIX, "is_refused) is_any_pending_q <= 1'b1;",
                 "is_refused) is_any_pending_q <= 1'b0;", 14),
        Mutation("refused_and_pending", MSIX, "& ~{MAX_VECTORS{is_refused}}", "", 14),
        Mutation("bus_master_ignored", MSIX, "may_write[func_t'(func_q)] & ~is_masked", "~is_masked", 16),
        Mutation("refused_and_acked", MSIX, "user_is_accepted <= ~is_refused", "user_is_accepted <= 1'b1", 14),
        Mutation("others_are_refused", MSIX, "is_refused = is_user_q & ~(", "is_refused = ~(", 14),
        Mutation("others_are_answered", MSIX, "user_done        <= is_user_q", "user_done        <= 1'b1", 14),
    ),
)  # fmt: skip
USER_INTERRUPT = "qdma/rtl/qdma_user_interrupt.sv"
USER_IRQ_ANSWERED = Proof(
    sources=("qdma/rtl/qdma_tlp_pkg.sv", USER_INTERRUPT, "qdma/formal/user_irq_answered.sv"),
    clocks=True,
    mutations=(
        Mutation("asked_twice", USER_INTERRUPT, "irq_valid && !irq_ack && !irq_fail", "irq_valid", 10),
        Mutation("requested_twice", USER_INTERRUPT, "if (request_ready) state_q <= DECISION;",
                 "if (request_ready && !(&request_vector)) state_q <= DECISION;", 8),
        Mutation("lost_at_msix", USER_INTERRUPT, "if (request_ready) state_q", "state_q", 8),
        Mutation("of_another_cycle", USER_INTERRUPT, "irq_fail <= 1'b0;",
                 "irq_fail <= 1'b0; request_func <= irq_func;", 8),
        Mutation("answered_early", USER_INTERRUPT, "if (done) begin", "begin", 8),
        Mutation("answered_twice", USER_INTERRUPT, "irq_ack  <= 1'b0;\n    irq_fail", "irq_fail", 10),
        Mutation("failed_and_acked", USER_INTERRUPT, "irq_ack  <= is_accepted", "irq_ack  <= 1'b1", 8),
        Mutation("not_counted", USER_INTERRUPT, "if (irq_fail) stat_failed", "if (irq_ack) stat_failed", 10),
    ),
)  # fmt: skip

BYPASS_STATUS = "qdma/rtl/qdma_bypass_status.sv"
STATUS_NEWEST = Proof(
    sources=(*WRITE_PACKAGES, BYPASS_STATUS, "qdma/formal/status_newest.sv"),
    clocks=True,
    mutations=(
        Mutation("error_replaced", BYPASS_STATUS, "(s.qid == kept_q.qid) & ~kept_q.err_dsc & ~kept_q.err_dma",
                 "(s.qid == kept_q.qid)", 8),
        Mutation("dma_error_replaced", BYPASS_STATUS, " & ~kept_q.err_dma", "", 8),
        Mutation("another_replaced", BYPASS_STATUS, "(s.qid == kept_q.qid) &", "", 8),
        Mutation("newer_one_lost", BYPASS_STATUS, "if (s_valid && s_ready) kept_q",
                 "if (s_valid && !kept_valid_q) kept_q", 8),
        Mutation("shown_one_replaced", BYPASS_STATUS, "loads = ~m_valid | m_ready", "loads = 1'b1", 8),
        Mutation("kept_one_lost", BYPASS_STATUS, "<= kept_valid_q & s_valid", "<= 1'b0", 8),
        Mutation("younger_first", BYPASS_STATUS, "<= kept_valid_q ? kept_q : s", "<= s_valid ? s : kept_q", 8),
        Mutation("kept_one_not_seen", BYPASS_STATUS, "| (kept_valid_q & (kept_q.qid == qid))", "", 8),
    ),
)  # fmt: skip

BYPASS_JOIN = "qdma/rtl/qdma_bypass_join.sv"
JOIN_IN_TURNS = Proof(
    sources=(
        *("qdma/rtl/qdma_context_pkg.sv", *READ_PACKAGES, "qdma/rtl/qdma_fetch_pkg.sv"),
        *(BYPASS_JOIN, "qdma/formal/join_in_turns.sv"),
    ),
    clocks=True,
    mutations=(
        Mutation("user_first", BYPASS_JOIN, "is_user_q ? ~fetched_valid : user_valid", "user_valid", 8),
        Mutation("fetch_first", BYPASS_JOIN, "is_user_q ? ~fetched_valid : user_valid",
                 "user_valid & ~fetched_valid", 8),
        Mutation("changes_within", BYPASS_JOIN, "(~in_batch & ~descriptor_valid)", "(~descriptor_valid)", 8),
        Mutation("chain_is_cut", BYPASS_JOIN, "(is_user_q | ~fetched.is_continued)", "1'b1", 8),
        Mutation("each_descriptor_ends", BYPASS_JOIN, "accept & descriptor.is_end &", "accept &", 8),
        Mutation("user_accepted_too", BYPASS_JOIN, "= is_user_q & descriptor_ready", "= descriptor_ready", 6),
        Mutation("waits_for_an_end", BYPASS_JOIN, "ends | (~in_batch & ~descriptor_valid)", "ends", 6),
        Mutation("read_ones_forgotten", BYPASS_JOIN, "(goes_on | (batches_q != '0))", "goes_on", 10),
    ),
)  # fmt: skip

MAILBOX = "qdma/rtl/qdma_mailbox_access.sv"
MAILBOX_ISOLATED = Proof(
    sources=(*PACKAGES, "qdma/rtl/qdma_mailbox_pkg.sv", MAILBOX, "qdma/formal/mailbox_isolated.sv"),
    clocks=True,
    mutations=(
        Mutation("sent_twice", MAILBOX, "has_link & ~(is_pf ? link.is_posted : link.is_sent)", "has_link", 6),
        Mutation("received_twice", MAILBOX, "access.data[RECEIVE] & can_receive;", "access.data[RECEIVE];", 6),
        Mutation("overwritten", MAILBOX, "writes_word = access.is_write & can_send;",
                 "writes_word = access.is_write & has_link;", 6),
        Mutation("seen_before_sent", MAILBOX, "can_receive & inbound_words[index] ?", "inbound_words[index] ?", 6),
        Mutation("vf_has_acks", MAILBOX, "clears_acks = access.is_write & is_pf;", "clears_acks = access.is_write;", 4),
        Mutation("anothers_outbound", MAILBOX, "has_link & outbound_words[index] ?", "outbound_words[index] ?", 6),
    ),
)  # fmt: skip

C2H_PACKAGES = ("qdma/rtl/qdma_context_pkg.sv", "qdma/rtl/qdma_tlp_pkg.sv", "qdma/rtl/qdma_c2h_pkg.sv")
CUT, STEP = "qdma/rtl/qdma_c2h_cut.sv", "qdma/rtl/qdma_c2h_step.sv"
SPLITTER_COVERS = Proof(
    sources=(*C2H_PACKAGES, CUT, STEP, "qdma/formal/splitter_covers.sv"),
    clocks=True,
    mutations=(
        Mutation("crosses_a_cut", CUT, "3'd1:    below_cut = CUT_BITS'(255)", "3'd1:    below_cut = CUT_BITS'(511)", 8),
        Mutation("a_byte_too_many", CUT, "left_q.bytes <= 16'(to_cut);\n  assign advance",
                 "left_q.bytes <= 16'(to_cut) + 16'd1;\n  assign advance", 10),
        Mutation("lead_forgotten", STEP, "room     = 7'(LINE) - {5'b0, lead}", "room     = 7'(LINE)", 8),
        Mutation("rotated_without_lead", STEP, "place_q - (open_q ? '0 : {4'b0, current.addr[1:0]})", "place_q", 8),
        Mutation("lead_before_the_beat", STEP, "~open_q & (place_q < {4'b0, current.addr[1:0]})", "1'b0", 8),
        Mutation("begins_too_early", STEP, "has_all  = ~beyond_q[$bits(there_t)-1]",
                 "has_all  = ~beyond_q[$bits(there_t)-1] | &beyond_q", 10),
        Mutation("line_is_not_there", STEP, "(place_q <= current.addr[5:0])", "1'b1", 10),
        Mutation("rest_of_a_packet_counted", STEP, "skips        = moves & step.is_packet_end",
                 "skips        = 1'b0", 12),
        Mutation("a_beat_twice", STEP, "> 8'(LINE)", "> 8'(LINE) + 8'd1", 12),
        Mutation("a_beat_too_early", STEP, "> 8'(LINE)", ">= 8'(LINE)", 12),
        Mutation("place_of_another_packet", STEP, "step.is_packet_end ? '0 : place_q", "1'b0 ? '0 : place_q", 12),
        Mutation("line_not_aligned", STEP, "to_line  = 7'(LINE) - {1'b0, current.addr[5:0]}",
                 "to_line  = 7'(LINE)", 10),
    ),
)  # fmt: skip

ROTATE, POST = "qdma/rtl/qdma_c2h_rotate.sv", "qdma/rtl/qdma_c2h_post.sv"
ENTRY_AFTER_PAYLOAD = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", *WRITE_PACKAGES, "qdma/rtl/qdma_c2h_pkg.sv", "common/rtl/axis_register.sv",
             ROTATE, POST, "qdma/formal/entry_after_payload.sv"),
    clocks=True,
    mutations=(
        Mutation("sent_when_shown", ROTATE, "shown.is_packet_end & shown_ready", "shown.is_packet_end", 8),
        Mutation("sent_a_step_early", ROTATE, "is_packet_end: step_1_q.is_packet_end",
                 "is_packet_end: step_valid & step.is_packet_end", 8),
        Mutation("posted_at_once", POST, "entry_valid & (sent_serial_q != done_serial)", "entry_valid", 6),
        Mutation("counted_twice", POST, "sent_serial_q + 1'b1", "sent_serial_q + 1'b1 + serial_t'(leaves)", 10),
        Mutation("dropped_while_shown", POST, "entry_is_stopped & ~shown_q", "entry_is_stopped", 8),
        Mutation("inline_uses_one", POST, "(INLINE & entry.packet.is_inline)", "1'b0", 8),
        Mutation("write_not_held", ROTATE, "shown_ready = ~shown.has_beat | write_ready", "shown_ready = 1'b1", 8),
    ),
)  # fmt: skip

STORE, SMALL_FIFO = "qdma/rtl/qdma_c2h_store.sv", "qdma/rtl/qdma_small_fifo.sv"
PLACES = "qdma/rtl/qdma_c2h_places.sv"
STORE_IN_ORDER = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", *READ_PACKAGES, WATCH_PACKAGE,
             "qdma/rtl/qdma_fetch_pkg.sv", "qdma/rtl/qdma_h2c_pkg.sv",
             "qdma/rtl/qdma_write_pkg.sv", "qdma/rtl/qdma_c2h_pkg.sv", "common/rtl/ram_sdp.sv",
             "qdma/rtl/qdma_queue_bits.sv", "qdma/rtl/qdma_large_ram.sv", PLACES, SMALL_FIFO,
             ABSTRACT_RAM, "qdma/rtl/qdma_c2h_retire.sv", STORE, "qdma/formal/store_in_order.sv"),
    clocks=True,
    mutations=(
        Mutation("taken_twice", STORE, "count_t'(take_at)", "count_t'(take_at & ~rd_count[0])", 16),
        Mutation("dropped_take_a_place", STORE, ".write    ({1'b0, arrival_2_q.stores})", ".write    (2'b01)", 14),
        Mutation("overwritten_by_dropped", STORE,
                 "wr_en  (place_at & arrival_2_q.stores),\n      .wr_id,\n      .wr_place,",
                 "wr_en  (place_at),\n      .wr_id,\n      .wr_place(wr_place - PLACE_BITS'(1)),", 14),
        Mutation("credit_of_the_dropped", STORE, "count_q + 3'(stores);", "count_q + 3'd1;", 10),
        Mutation("credit_forgotten", STORE, "credits_now ? '0 : count", "'0", 12),
        Mutation("failed_batch_counts", STORE, "(fails ? '0 : spare_t'(BATCH))", "spare_t'(BATCH)", 10),
        Mutation("batch_goes_on", STORE, "descriptor.is_end ? '0 : batch;", "batch;", 12),
        Mutation("take_adds_nothing", STORE, "spare_t'(1));", "spare_t'(0));", 16),
        Mutation("retired_again", STORE, "spare - (spare >= spare_t'(BATCH) ? spare_t'(BATCH) : '0)", "spare", 16),
    ),
)  # fmt: skip
STORE_IN_ORDER_DEEP = Proof(
    sources=STORE_IN_ORDER.sources,
    clocks=True,
    parameters={"DEEP": 1},
    mutations=(
        Mutation("all_are_deep", PLACES, "(32'(wr_id) < DEEP) & wr_place", "wr_place", 20),
        Mutation("taken_from_the_first_half", PLACES, "rd_more_q ? more_data", "1'b0 ? more_data", 20),
        Mutation("both_halves_in_one", PLACES, "wr_en & ~wr_more", "wr_en", 20),
    ),
)

ORDER, MERGE = "qdma/rtl/qdma_usp_order.sv", "qdma/rtl/qdma_merge.sv"
ANSWERS_IN_ORDER = Proof(
    sources=(ORDER, "qdma/formal/answers_in_order.sv"),
    clocks=True,
    mutations=(
        Mutation("waits_for_none", ORDER, "~behind[COUNT_BITS-1] | is_late | shown_q", "1'b1", 6),
        Mutation("waits_for_later_ones", ORDER, "waits_q ? before_q : begun", "begun", 8),
        Mutation("forgets_what_had_begun", ORDER, "if (!waits_q) before_q", "before_q", 8),
        Mutation("reads_count", ORDER, "seq_num_valid & ~{seq_num[1][5], seq_num[0][5]}", "seq_num_valid", 8),
        Mutation("second_number_lost", ORDER, "seq_num[is_posted[1]][4:0]", "seq_num[0][4:0]", 8),
        Mutation("one_at_a_time", ORDER, "count_t'(5'(last + 1'b1 - passed_q[4:0]))", "count_t'(1)", 8),
        Mutation("taken_back", ORDER, "is_late | shown_q", "is_late", 14),
        Mutation("late_and_silent", ORDER, "answer_ready & is_late", "1'b0", 18),
    ),
)
MERGE_IN_TURNS = Proof(
    sources=(MERGE, "qdma/formal/merge_in_turns.sv"),
    clocks=True,
    mutations=(
        Mutation("first_always", MERGE, "(s_valid[1] & ~is_second_q)", "1'b0", 8),
        Mutation("changes_its_mind", MERGE, "held_q ? is_second_q :", "1'b0 ? is_second_q :", 8),
        Mutation("both_accepted", MERGE, "{is_second, ~is_second} & {2{m_ready}}", "{2{m_ready}}", 6),
        Mutation(
            "turn_forgotten", MERGE, "if (m_valid) is_second_q", "if (m_valid & m_ready & is_second) is_second_q", 10
        ),
    ),
)
MERGE_TLPS = "qdma/rtl/qdma_merge_tlps.sv"
TLPS_IN_TURNS = Proof(
    sources=(*WRITE_PACKAGES, MERGE_TLPS, "qdma/formal/tlps_in_turns.sv"),
    clocks=True,
    mutations=(
        Mutation("by_beat", MERGE_TLPS, "~(m_ready & m_data.last)", "~m_ready", 8),
        Mutation("first_always", MERGE_TLPS, "(s_valid[1] & ~is_second_q)", "1'b0", 10),
        Mutation("changes_its_mind", MERGE_TLPS, "held_q ? is_second_q :", "1'b0 ? is_second_q :", 8),
        Mutation("both_accepted", MERGE_TLPS, "{is_second, ~is_second} & {2{m_ready}}", "{2{m_ready}}", 6),
    ),
)
LEAVE = "qdma/rtl/qdma_completion_leave.sv"
LEAVE_IN_ORDER = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", "qdma/rtl/qdma_tlp_pkg.sv", "qdma/rtl/qdma_write_pkg.sv", LEAVE,
             "qdma/formal/leave_in_order.sv"),
    clocks=True,
    mutations=(
        Mutation("status_first", LEAVE, "first.has_write ? FIRST : after_write",
                 "first.has_status ? STATUS : FIRST", 10),
        Mutation("interrupt_without_status", LEAVE, "first.has_status ? STATUS : after_status", "after_status", 10),
        Mutation("follows_a_status", LEAVE, "(after_write == HEAD) & (waiting_q", "(waiting_q", 10),
        Mutation("follows_what_has_not_come", LEAVE, "(waiting_q > count_t'(1))", "1'b1", 10),
        Mutation("follows_what_is_no_write", LEAVE, " & next.has_write", "", 10),
        Mutation("slot_of_the_first", LEAVE, "ends ? next.slot : first.slot", "first.slot", 10),
        Mutation("slot_of_one_that_has_left", LEAVE, "ends ? next.slot : first.slot",
                 "ends ? next.slot : head.slot", 10),
        Mutation("waits_in_the_list", LEAVE, "~is_empty | emission_valid", "~is_empty", 10),
        Mutation("overtakes", LEAVE, "= is_empty ?", "= emission_valid ?", 10),
        Mutation("read_before_it_is_accepted", LEAVE, "(state_q == HEAD) | completion_ready", "1'b1", 10),
        Mutation("second_beat_left_out", LEAVE, "if (!ends) state_q <= SECOND", "if (1'b0) state_q <= SECOND", 10),
        Mutation("a_cycle_between", LEAVE, "follows ? FIRST : after_write", "after_write", 10),
        Mutation("counted_twice", LEAVE, "done ? waiting - 1'b1", "done & ~emission_valid ? waiting - 1'b1", 10),
    ),
)  # fmt: skip
STOP_QUEUE = "qdma/rtl/qdma_stop_queue.sv"
STOPPED_IS_QUIET = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", FREE_QUEUE, STOP_QUEUE, "qdma/formal/stopped_is_quiet.sv"),
    clocks=True,
    mutations=(
        Mutation("engine_not_waited_for", STOP_QUEUE, "STOP: if (stop_done) state_q", "STOP: if (1'b1) state_q", 30),
        Mutation("writer_not_waited_for", STOP_QUEUE, "if (status_is_idle) state_q", "if (1'b1) state_q", 30),
        Mutation("arbiter_not_waited_for", STOP_QUEUE, "if (posted_is_idle ||", "if (1'b1 ||", 30),
        Mutation("a_beat_too_few", STOP_QUEUE, "ARBITER_BEATS = 3", "ARBITER_BEATS = 2", 30),
        Mutation("counts_from_the_stop_on", STOP_QUEUE, "STOP: if (stop_done) state_q <= STATUS;",
                 "STOP: begin beats_q <= '0; if (stop_done) state_q <= status_is_idle ? POSTED : STATUS; end", 40),
        Mutation("beats_of_before", STOP_QUEUE, "beats_q <= '0;", "", 40),
        Mutation("falls_before_the_stop", STOP_QUEUE, "BUSY_CYCLES = 15", "BUSY_CYCLES = 7", 20),
        Mutation("not_busy_at_once", STOP_QUEUE, "if (push_valid || pop_valid", "if (pop_valid", 12),
    ),
)  # fmt: skip
MM_CUT, MM_TURN, QUEUE_BITS = "qdma/rtl/qdma_mm_cut.sv", "qdma/rtl/qdma_mm_turn.sv", "qdma/rtl/qdma_queue_bits.sv"
SEGMENTS_COVER = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", *READ_PACKAGES, "qdma/rtl/qdma_fetch_pkg.sv", "qdma/rtl/qdma_mm_pkg.sv",
             "common/rtl/axis_register.sv", "common/rtl/ram_sdp.sv", QUEUE_BITS, MM_TURN, MM_CUT,
             "qdma/formal/segments_cover.sv"),
    clocks=True,
    mutations=(
        Mutation("crosses", MM_CUT, "~card_q[CUT_BITS-1:0]}", "~host_q[CUT_BITS-1:0]}", 8),
        Mutation("last_too_early", MM_CUT, "reaches_end = ~|left_q[27:CUT_BITS+1] & ", "reaches_end = ", 8),
        Mutation("empty_one_at_the_end", MM_CUT, "(card_q[CUT_BITS-1:0]) - 1'b1", "(card_q[CUT_BITS-1:0])", 8),
        Mutation("host_stays", MM_CUT, "host_q - {{36{1'b1}}, ~skipped, card_q[CUT_BITS-1:0]}", "host_q", 8),
        Mutation("tail_without_segment", MM_CUT, "(moves_q ? fits :", "(moves_q ? 1'b1 :", 10),
        Mutation("segment_without_tail", MM_CUT, "~checks_q & moves_q & tail_ready", "~checks_q & moves_q", 10),
        Mutation("goes_on_after_a_stop", MM_CUT, "moves_q          <= ~stops &", "moves_q          <=", 8),
        Mutation("failure_forgotten", MM_CUT, "if (busy_q) drops_q <= stops", "drops_q <= 1'b0", 10),
        Mutation("failed_queue_goes_on", MM_CUT, "(has_failed & ~(first_q & descriptor.is_start)) |", "", 10),
        Mutation("failure_lost", MM_CUT, "descriptor_ready = ~fails &", "descriptor_ready =", 10),
        Mutation("never_again", MM_CUT, "(accept & first_q & descriptor.is_start)", "1'b0", 12),
        Mutation("parked_alone", MM_CUT, "is_parked <= is_over & others_wait &", "is_parked <= is_over &", 12),
        Mutation("goes_on_when_parked", MM_CUT, "<= ~stops & ~(is_over & others_wait)", "<= ~stops", 12),
        Mutation("parked_queue_goes_on", MM_CUT, " | (advance & closes)),", "),", 14),
        Mutation("parked_and_stopped", MM_CUT, "is_parked <= is_over & others_wait & ~stops;",
                 "is_parked <= is_over & others_wait;", 12),
        Mutation("park_lost", MM_CUT, "(moves_q ? fits : ~(fails & closes))", "(~moves_q | fits)", 14),
        Mutation("begins_again", MM_CUT, "skipped = skips_q ? moved : '0", "skipped = '0", 18, calm=True),
        Mutation("skips_too_much", MM_CUT, "if (advance || skips_q)", "if (advance || skips_q || checks_q)", 18,
                 calm=True),
        Mutation("shortened_goes_on", MM_CUT, "if (skips_q && !covers)", "if (1'b0)", 18, calm=True),
        Mutation("ends_where_the_rest_begins", MM_CUT, "(!moves_q || is_nothing)", "!moves_q", 18, calm=True),
        Mutation("shortened_is_no_error", MM_CUT, "is_bad <= ~base_q.is_dropped", "is_bad <= 1'b0", 18, calm=True),
        Mutation("shortened_queue_goes_on", MM_CUT, "(base_q.is_parked | base_q.is_bad)", "base_q.is_parked", 18,
                 calm=True),
        Mutation("skips_in_mid_batch", MM_CUT, "first_q & descriptor.is_continuing", "descriptor.is_continuing",
                 18, calm=True),
        Mutation("turn_of_before", MM_TURN, "if (begins_batch && begins) turn_q", "if (1'b0) turn_q", 18, calm=True),
        Mutation("length_0_is_moved", MM_CUT, "& (mm.bytes != '0)", "", 8),
    ),
)  # fmt: skip

PARK, REOPEN = "qdma/rtl/qdma_fetch_park.sv", "qdma/rtl/qdma_c2h_reopen.sv"
PARK_WAKES = Proof(
    sources=(PARK, "qdma/formal/park_wakes.sv"),
    clocks=True,
    mutations=(
        Mutation("blocked_has_a_turn", PARK, "active_valid & ~parks", "active_valid", 6),
        Mutation("not_put_aside", PARK, "(parks ? selected : '0)", "'0", 8),
        Mutation("stays_where_it_is", PARK, "parks | (turn_valid & turn_ready)", "turn_valid & turn_ready", 6),
        Mutation("woken_while_blocked", PARK, "parked_q & ~blocked", "parked_q", 8),
        Mutation("woken_twice", PARK, "(parked_q & ~woken)", "parked_q", 10),
        Mutation("woken_with_the_turn", PARK, "again_ready & ~turn_again_valid ?", "again_ready ?", 10),
        Mutation("another_is_woken", PARK, "(~wakes + 1'b1)", "(~parked_q + 1'b1)", 12),
    ),
)
REOPEN_SHOWS = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", REOPEN, "qdma/formal/reopen_shows.sv"),
    clocks=True,
    mutations=(
        Mutation("ring_hides_a_command", REOPEN, "written_q & ~room_valid;", "written_q;", 8),
        Mutation("command_hides_a_stop", REOPEN, "~room_valid & ~written_q;", "~room_valid;", 12),
        Mutation("stop_forgotten", REOPEN, "stop_done | (stopped_q & ~shows_stopped)", "stop_done", 12),
        Mutation("queue_of_the_next_stop", REOPEN, "event_qid = stopped_qid_q", "event_qid = stop_qid_q", 12),
        Mutation(
            "ring_comes_second", REOPEN, "if (room_valid) event_qid", "if (room_valid && !written_q) event_qid", 8
        ),
    ),
)
WATCH = "qdma/rtl/qdma_watch.sv"
STUCK_IN_TIME = Proof(
    sources=("common/rtl/ram_sdp.sv", WATCH, "qdma/formal/stuck_in_time.sv"),
    clocks=True,
    mutations=(
        Mutation("moves_not_seen", WATCH, "(moves_of_look == was.seen)", "1'b1", 40),
        Mutation("work_ignored", WATCH, "waits = work_q & ", "waits = ", 40),
        Mutation("one_too_early", WATCH, "now.age >= limit", "now.age + 1'b1 >= limit", 40),
        Mutation("one_too_late", WATCH, "now.age >= limit", "was.age > limit", 40),
        Mutation("begins_again_at_the_most", WATCH, "(&was.age) ? was.age : was.age + 1'b1", "was.age + 1'b1", 32),
        Mutation("another_is_reported", WATCH, "stuck_qid  <= look_qid_q", "stuck_qid  <= look_qid", 40),
        Mutation("fresh_ignored", WATCH, "work_q & ~fresh_q &", "work_q &", 40),
        Mutation("a_move_is_undone", WATCH, ".wr_data(~seen_of_move)", ".wr_data(seen_of_move)", 40),
    ),
)
FREEZE, TRACE = "qdma/rtl/qdma_freeze.sv", "qdma/rtl/qdma_trace.sv"
FROZEN_STAYS = Proof(
    sources=(WATCH_PACKAGE, "common/rtl/ram_sdp.sv", FREEZE, TRACE, "qdma/formal/frozen_stays.sv"),
    clocks=True,
    mutations=(
        Mutation("written_while_frozen", TRACE, "(pending != '0) & ~frozen &", "(pending != '0) &", 12),
        Mutation("a_later_one_is_kept", FREEZE, "armed & ~frozen & ~arm", "armed & ~arm", 10),
        Mutation("freezes_without_an_arm", FREEZE, "freezes = armed & ", "freezes = ", 8),
        Mutation("c2h_comes_first", FREEZE, "is_c2h <= ~stuck[0]", "is_c2h <= stuck[1]", 8),
        Mutation("queue_of_the_other", FREEZE, "stuck_qid[~stuck[0]]", "stuck_qid[stuck[0]]", 8),
        Mutation("stays_when_armed", FREEZE, "if (arm || rst) frozen", "if (rst) frozen", 10),
        Mutation("old_events_stay", TRACE, "if (restart || rst) begin", "if (rst) begin", 12),
        Mutation("wrong_entry", TRACE, "events[BITS] ? wr_q + entry : entry", "entry", 16),
    ),
)
ROOM = "qdma/rtl/qdma_h2c_room.sv"
ROOM_FITS = Proof(
    sources=(
        "qdma/rtl/qdma_context_pkg.sv",
        *READ_PACKAGES,
        "qdma/rtl/qdma_fetch_pkg.sv",
        "qdma/rtl/qdma_h2c_pkg.sv",
        ROOM,
        "qdma/formal/room_fits.sv",
    ),
    clocks=True,
    mutations=(
        Mutation(
            "one_too_many",
            ROOM,
            "sum_t'(check_beats) <= sum_t'(room[i])",
            "sum_t'(check_beats) <= sum_t'(room[i]) + 1'b1",
            8,
        ),
        Mutation("fits_from_before", ROOM, "check_valid & ~taken & ~held;", "check_valid;", 10),
        Mutation("room_of_the_other", ROOM, "|(at_check & would_fit)", "|would_fit", 8),
        Mutation(
            "taken_or_released",
            ROOM,
            "+ (taken && at_check[i] ? check_beats : '0)",
            "+ (taken && at_check[i] && !at_release[i] ? check_beats : '0)",
            10,
        ),
        Mutation("abandoned_is_kept", ROOM, "- (at_abandoned[i] ? room_t'(MOST) : '0)", "", 10),
        Mutation("abandons_anothers", ROOM, "abandoned & part_q[i]", "abandoned", 10),
        Mutation("not_blocked", ROOM, "blocked[i]  <= 1'b1", "blocked[i]  <= taken", 8),
        Mutation("woken_for_the_packet_alone", ROOM, "check_beats > LEAST ? check_beats : LEAST", "check_beats", 10),
        Mutation("woken_by_a_release_alone", ROOM, "end else if (sum_t'", "end else if (at_release[i] && sum_t'", 10),
    ),
)
RC = "qdma/rtl/qdma_usp_rc.sv"
COMPLETIONS_WHOLE = Proof(
    sources=("qdma/rtl/qdma_tlp_pkg.sv", "qdma/rtl/qdma_usp_pkg.sv", RC, "qdma/formal/completions_whole.sv"),
    clocks=True,
    mutations=(
        Mutation("second_of_a_beat_lost", RC, "starts_q <= starts_q & (starts_q - 1'b1);", "starts_q <= '0;", 8),
        Mutation("always_ready", RC, "(starts_q & (starts_q - 1'b1)) == '0;", "1'b1;", 8),
        Mutation("rest_lost", RC, "(STARTS'(goes_on) << place)", "'0", 8),
        Mutation("ends_a_dword_early", RC, "< {place, 2'(HEADER_DWORDS)}", "<= {place, 2'(HEADER_DWORDS)}", 8),
        Mutation("end_of_another", RC, "|(beat_q.eop & ahead)", "|beat_q.eop", 8),
        Mutation("again_while_it_waits", RC, "end else if (leaves) starts_q",
                 "end else if (m_axis_rc_tvalid) starts_q", 8),
        Mutation("leaves_without_its_rest", RC, "(ends_here | m_axis_rc_tvalid)", "1'b1", 8),
        Mutation("header_of_its_data", RC, "if (leaves && is_first) completion", "if (leaves) completion", 8),
        Mutation("a_dword_off", RC, "128*place+32*HEADER_DWORDS", "128*place+32*(HEADER_DWORDS+1)", 8),
        Mutation("last_one_first", RC, "i >= 0; i--) if (starts_q[i])", "i >= 0; i--) if (starts_q[STARTS-1-i])", 8),
    ),
)  # fmt: skip
RQ = "qdma/rtl/qdma_usp_rq.sv"
REQUESTS_WHOLE = Proof(
    sources=(*WRITE_PACKAGES, "qdma/rtl/qdma_usp_pkg.sv", "qdma/formal/abstract/axis_register.sv", RQ,
             "qdma/formal/requests_whole.sv"),
    clocks=True,
    mutations=(
        Mutation("third_half_lost", RQ, "posted.last & (dwords > 5'd12)", "posted.last & (dwords > 5'd13)", 8),
        Mutation("carry_of_another_place", RQ, "carry_q  <= posted.data[511:384]",
                 "carry_q  <= posted.data[383:256]", 8),
        Mutation("read_within_a_write", RQ, "read_valid & ~in_tlp_q &", "read_valid &", 8),
        Mutation("ends_a_dword_late", RQ,
                 "is_eop: posted.last & ~has_second,\n        is_read: 1'b0,\n        eop_ptr: 3'(dwords + 5'd3)",
                 "is_eop: posted.last & ~has_second,\n        is_read: 1'b0,\n        eop_ptr: 3'(dwords + 5'd4)", 8),
        Mutation("a_half_too_many", RQ, "3'(halves) < 3'd4", "3'(halves) <= 3'd4", 10),
        Mutation("full_and_taken", RQ, "~(count_q[1] & (halves == 2'd3))", "1'b1", 10),
        Mutation("read_waits_for_ever", RQ, "(~posted_valid | both_fit | count_q[1]);\n  assign take_posted",
                 "(~posted_valid | both_fit);\n  assign take_posted", 12),
        Mutation("waiting_half_replaced", RQ, "wait_q[1] <= fresh[2'd3-count_q]",
                 "wait_q[1] <= fresh[2'd2-count_q]", 10),
        Mutation("enables_of_the_second", RQ, "user.first_be[0] = sop[0] ? leave[0].first_be",
                 "user.first_be[0] = sop[1] ? leave[1].first_be", 8),
        Mutation("reads_are_numbered", RQ, "sop[1] && !leave[1].is_read", "sop[1]", 8),
        Mutation("one_end_of_two", RQ, "user.is_eop      = {&eop, |eop}", "user.is_eop      = {1'b0, |eop}", 8),
    ),
)  # fmt: skip
H2C_STOP = "qdma/rtl/qdma_h2c_stop.sv"
STOP_WAITS = Proof(
    sources=("qdma/rtl/qdma_context_pkg.sv", H2C_STOP, "qdma/formal/stop_waits.sv"),
    clocks=True,
    mutations=(
        Mutation("status_forgotten", H2C_STOP, "~query_pending & ~has_status", "~query_pending", 10),
        Mutation("batches_forgotten", H2C_STOP, "~query_pending & ~has_status", "~has_status", 10),
        Mutation(
            "reads_while_it_asks", H2C_STOP, "stopping    = state_q != IDLE", "stopping    = state_q == QUERY", 10
        ),
        Mutation(
            "asks_no_more",
            H2C_STOP,
            "PAUSE: if (&pause_q) state_q <= QUERY",
            "PAUSE: if (1'b0) state_q <= QUERY",
            28,
        ),
    ),
)


@pytest.mark.parametrize(
    "proof, mutation",
    cases(
        CONTEXT_RAM_ORDER,
        SHARE_IN_STEP,
        COMMAND_IN_TIME,
        TAGS_ONCE,
        CREDIT_LIMIT,
        REORDER_IN_ORDER,
        ACTIVE_FAIR,
        OTHERS_SEEN,
        WRITE_ORDER,
        MOVES_COUNT,
        ID_QUEUE_KEEPS,
        FIRST_ONE,
        TIMER_IN_TIME,
        ARMED_FIRES,
        UNREAD_HAS_MESSAGE,
        MESSAGE_LEAVES,
        USER_IRQ_ANSWERED,
        STATUS_NEWEST,
        JOIN_IN_TURNS,
        MAILBOX_ISOLATED,
        SPLITTER_COVERS,
        ENTRY_AFTER_PAYLOAD,
        STORE_IN_ORDER,
        STORE_IN_ORDER_DEEP,
        ANSWERS_IN_ORDER,
        MERGE_IN_TURNS,
        LEAVE_IN_ORDER,
        STOPPED_IS_QUIET,
        SEGMENTS_COVER,
        TLPS_IN_TURNS,
        PARK_WAKES,
        REOPEN_SHOWS,
        STUCK_IN_TIME,
        FROZEN_STAYS,
        ROOM_FITS,
        COMPLETIONS_WHOLE,
        REQUESTS_WHOLE,
        STOP_WAITS,
    ),
)
def test_formal(proof, mutation):
    check(proof, mutation)
