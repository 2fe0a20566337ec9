// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine with a MAC behind it, beside a bare MAC that is given the finished frames: both begin a frame in the same
// cycle, so if the engine adds none, the two lines are the same bit for bit.
//
// With a transceiver of 16 bits the bare MAC begins in the cycle of tx_start, or, if a frame has none or one that need not be
// obeyed, in the cycle in which the engine offers it.
//
// What the user does comes from files in the directory that the simulation runs in, so that Python is not woken in each
// cycle.  Raise `go` to play them; `done` is high while both have come to their end; lower `go` then.
//
//   user.hex   a line a word: {start 2, in ref.hex, raw, sof, eof}, len, gap, data, conn, length, csum, late
//              start: tx_start one cycle before the first word; 1, 2: in its first or second half, 3: first, and need not be
//              obeyed; 0: none.
//              gap: cycles before a frame's first word, one at least; 8000 | k << 8 | gap: and a cycle that is k modulo 33.  late = {change, csum, length, conn}, a digit each:
//              the metadata show something else until this cycle, counted from tx_sof_net; conn: so many cycles before it, or,
//              with 15, one behind it;
//              length 15: with conn; 14: one cycle before tx_sof_net.  change: from this cycle on length is another again, unless 15.
//   ref.hex    a line a word for the bare MAC: {user, last}, keep, data
//   out.hex    {tx_sof_net shows a new frame, or with 16 bits tx_start; m_axis starts} and the word on the engine's line, a
//              line a cycle of tx_clk
module ate_bench #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter bit AMEND = PMA_DATA_WIDTH == 32,
    parameter bit HOLD = 1'b0,
    parameter int CONNECTIONS = 512,
    parameter int MAX_PAYLOAD = 1460,
    parameter int MAX_RAW = 9618,
    parameter int MIRROR_DEPTH = 1024,
    parameter int HOST_DEPTH = 1024,
    parameter bit USER_CHECK = 1'b1
) (
    input  logic        tick,              // tx_clk
    output logic        clk,
    input  logic        rst,
    input  logic        go,
    output logic        done,
    output logic [31:0] differ,            // cycles in which the two lines differed
    output logic [31:0] errors,            // frames that left the engine's MAC with a wrong FCS
    output logic [31:0] underruns,
    output logic [31:0] unarmed,           // tx_start while tx_armed was low
    output logic [31:0] aborted,           // errors, since the start
    output logic [31:0] drops,             // frames whose last word is taken and dropped
    output logic        window_available,
    output logic [31:0] tx_credit,
    input  logic        watch,             // show this connection and length while nothing is played
    input  logic [15:0] watch_conn,
    input  logic [15:0] watch_length,
    input  logic        stray,             // tx_start that the script does not know of

    input  logic [31:0] s_host_tdata,
    input  logic        s_host_tvalid,
    output logic        s_host_tready,
    input  logic        s_host_tlast,
    output logic [31:0] m_mirror_tdata,
    output logic [ 3:0] m_mirror_tkeep,
    output logic        m_mirror_tvalid,
    input  logic        m_mirror_tready,
    output logic        m_mirror_tlast,
    output logic        m_mirror_tuser,

    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_awaddr,
    input  logic                           s_axil_awvalid,
    output logic                           s_axil_awready,
    input  logic [                   31:0] s_axil_wdata,
    input  logic [                    3:0] s_axil_wstrb,
    input  logic                           s_axil_wvalid,
    output logic                           s_axil_wready,
    output logic [                    1:0] s_axil_bresp,
    output logic                           s_axil_bvalid,
    input  logic                           s_axil_bready,
    input  logic [$clog2(CONNECTIONS)+6:0] s_axil_araddr,
    input  logic                           s_axil_arvalid,
    output logic                           s_axil_arready,
    output logic [                   31:0] s_axil_rdata,
    output logic [                    1:0] s_axil_rresp,
    output logic                           s_axil_rvalid,
    input  logic                           s_axil_rready
);
  // --- Clocks, both set in one process, so that their edges are one
  logic tx_clk, half;  // half: the second one of a cycle of clk
  initial {clk, tx_clk, half} = '0;
  always @(posedge tick or negedge tick) begin
    if (PMA_DATA_WIDTH == 32) clk = tick;
    else if (tick) clk = ~clk;
    tx_clk = tick;
  end
  always @(posedge tx_clk) half <= PMA_DATA_WIDTH == 16 & ~clk;

  // --- The user
  typedef struct packed {
    logic [5:0]  kind;
    logic [1:0]  len;
    logic [15:0] gap;
    logic [31:0] data;
    logic [15:0] conn;
    logic [15:0] length;
    logic [31:0] csum;
    logic [15:0] late;
  } word_t;
  word_t word, word_next;
  logic shown, sof, loaded;  // loaded: `word` holds a word; shown: it is on the port
  logic [15:0] gap;
  int since;  // cycles since tx_sof_net rose
  logic [6:0] phase;  // cycles modulo 33
  logic ack, drop;
  logic [15:0] conn, length;
  logic [31:0] csum;
  logic meant, early, due;  // the metadata may be looked at; conn is there, length is
  assign sof   = shown & word.kind[1];
  assign meant = loaded & word.kind[1];
  logic tx_start, tx_armed, obeyed;
  assign tx_start = meant & ~shown & (gap == 1) & (word.kind[5:4] == 2'd2 ? half : word.kind[5:4] != 0 & ~half);
  assign obeyed   = tx_start & (word.kind[5:4] != 3);
  always_comb begin
    {early, due} = 2'b00;
    if (watch) begin
      {conn, length, csum} = {watch_conn, watch_length, 32'h0};
    end else begin
      early = meant && (word.late[3:0] == 15 ? shown && since != 0 : shown || gap <= 16'(word.late[3:0]));
      conn  = early ? word.conn : word.conn ^ 16'd1;
      due   = shown && since >= int'(word.late[7:4]) && (word.late[15:12] == 15 || since < int'(word.late[15:12]));
      if (word.late[7:4] == 15) due = early;
      if (word.late[7:4] == 14) due = shown || gap <= 1;
      length = meant && due ? word.length : ~word.length;
      csum   = meant && shown && since >= int'(word.late[11:8]) ? word.csum : ~word.csum;
    end
  end

  int user_file, ref_file, out_file;
  logic going, user_more;
  // In variables of their own: Verilator does not scan into fields.
  logic [5:0] f_kind;
  logic [1:0] f_len;
  logic [15:0] f_gap, f_conn, f_length, f_late;
  logic [31:0] f_data, f_csum;
  function automatic logic next_word();
    int n;
    n = $fscanf(user_file, "%h %h %h %h", f_kind, f_len, f_gap, f_data);
    n += $fscanf(user_file, "%h %h %h %h", f_conn, f_length, f_csum, f_late);
    word_next = '{
        kind: f_kind,
        len: f_len,
        gap: f_gap,
        data: f_data,
        conn: f_conn,
        length: f_length,
        csum: f_csum,
        late: f_late
    };
    return n == 8;
  endfunction

  // --- The bare MAC's user
  localparam int W = PMA_DATA_WIDTH;
  logic ref_loaded, ref_valid, ref_ready, ref_last, ref_user, ref_under_way, ref_going;
  logic [ 3:0] ref_keep;
  logic [31:0] ref_data;
  logic [1:0] ref_bits, ref_bits_next;
  logic [ 3:0] ref_keep_next;
  logic [31:0] ref_data_next;
  int begun, given;  // frames that the user began and that the bare MAC has had
  logic begin_ref;
  assign begin_ref = obeyed | (W == 32 & sof & (since == 0) & (word.kind[5:4] == 0));
  assign ref_valid = ref_loaded & (ref_under_way | (begun + int'(begin_ref & word.kind[3]) > given) |
                                   (W == 16 & m_tvalid));
  assign {ref_user, ref_last} = ref_bits;
  function automatic logic next_ref();
    return $fscanf(ref_file, "%h %h %h", ref_bits_next, ref_keep_next, ref_data_next) == 3;
  endfunction

  logic [W-1:0] bare_line, line;
  logic m_tvalid, stat_error, stat_underrun;
  logic m_started;

  initial begin
    {going, loaded, shown, ref_loaded, ref_under_way, ref_going} = '0;
    {differ, errors, underruns, unarmed, aborted, drops} = '0;
    begun = 0;
    given = 0;
    since = 0;
    gap = 0;
    word = '0;
  end

  always @(posedge tx_clk) begin
    errors    <= errors + 32'(stat_error);
    underruns <= underruns + 32'(stat_underrun);
    unarmed   <= unarmed + 32'(tx_start & ~tx_armed);
    aborted   <= aborted + 32'(stat_error);
    if (go && !ref_going) begin
      ref_file = $fopen("ref.hex", "r");
      out_file = $fopen("out.hex", "w");
      ref_going                            <= 1'b1;
      {differ, errors, underruns, unarmed} <= '0;
      begun                                <= 0;
      given                                <= 0;
      ref_loaded                           <= next_ref();
      {ref_bits, ref_keep, ref_data}       <= {ref_bits_next, ref_keep_next, ref_data_next};
      ref_under_way                        <= 1'b0;
    end else if (ref_going) begin
      $fwrite(out_file, "%h %h\n", {W == 16 ? tx_start : sof & (since == 0), m_started}, line);
      if (line != bare_line) differ <= differ + 1;
      if (begin_ref && word.kind[3]) begun <= begun + 1;
      if (ref_valid && ref_ready) begin
        if (ref_last) given <= given + 1;
        // One that was begun by the engine
        if (ref_last && begun + int'(begin_ref & word.kind[3]) <= given) begun <= given + 1;
        ref_under_way <= ~ref_last;
        ref_loaded    <= next_ref();
        {ref_bits, ref_keep, ref_data} <= {ref_bits_next, ref_keep_next, ref_data_next};
      end
      if (!go) begin
        ref_going <= 1'b0;
        $fclose(ref_file);
        $fclose(out_file);
      end
    end
  end

  always @(posedge clk) begin
    if (go && !going) begin
      user_file = $fopen("user.hex", "r");
      going <= 1'b1;
      user_more = next_word();
      word   <= word_next;
      loaded <= user_more;
      gap    <= word_next.gap & (word_next.gap[15] ? 16'h00ff : 16'hffff);
      shown  <= 1'b0;
      drops  <= '0;
    end else if (going) begin
      since <= shown ? since + 1 : 0;
      phase <= phase == 32 ? '0 : phase + 1'b1;
      if (loaded && !shown) begin
        if (gap != 4 || !word.gap[15] || phase == word.gap[14:8]) gap <= gap - 1'b1;
        if (gap == 1) begin
          shown <= 1'b1;
          since <= 0;
        end
      end else if (shown && ack) begin
        drops <= drops + 32'(drop & word.kind[0]);
        user_more = next_word();
        word   <= word_next;
        loaded <= user_more;
        shown  <= user_more && !word_next.kind[1];
        gap    <= word_next.gap & (word_next.gap[15] ? 16'h00ff : 16'hffff);
        since  <= 0;
      end
      if (!go) begin
        going <= 1'b0;
        $fclose(user_file);
      end
    end
  end
  assign done = going & ~loaded & ~ref_loaded;

  // --- The two of them
  logic [  W-1:0] tdata;
  logic [W/8-1:0] tkeep;
  logic tready, tlast, tuser;
  logic [31:0] tamend;
  ate_core #(
      .PMA_DATA_WIDTH(W),
      .AMEND         (AMEND),
      .HOLD          (HOLD),
      .CONNECTIONS   (CONNECTIONS),
      .MAX_PAYLOAD   (MAX_PAYLOAD),
      .MAX_RAW       (MAX_RAW),
      .MIRROR_DEPTH  (MIRROR_DEPTH),
      .HOST_DEPTH    (HOST_DEPTH),
      .USER_CHECK    (USER_CHECK)
  ) dut (
      .clk,
      .rst,
      .tx_clk,
      .tx_rst         (rst),
      .tx_start       (tx_start | stray),
      .tx_armed,
      .tx_data_net    (word.data),
      .tx_sof_net     (sof),
      .tx_eof_net     (shown & word.kind[0]),
      .tx_len_net     (word.len),
      .tx_raw_net     (word.kind[2]),
      .tx_ack_net     (ack),
      .tx_drop_net    (drop),
      .payload_conn_id(conn),
      .payload_length (length),
      .payload_csum   (csum),
      .window_available,
      .tx_credit,
      .s_host_tdata,
      .s_host_tvalid,
      .s_host_tready,
      .s_host_tlast,
      .m_mirror_tdata,
      .m_mirror_tkeep,
      .m_mirror_tvalid,
      .m_mirror_tready,
      .m_mirror_tlast,
      .m_mirror_tuser,
      .s_axil_awaddr,
      .s_axil_awprot  (3'd0),
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot  (3'd0),
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .m_axis_tdata   (tdata),
      .m_axis_tkeep   (tkeep),
      .m_axis_tvalid  (m_tvalid),
      .m_axis_tready  (tready),
      .m_axis_tlast   (tlast),
      .m_axis_tuser   (tuser),
      .m_axis_tamend  (tamend)
  );
  macpcs_tx #(
      .WIDTH              (W),
      .MAC_TX_AMEND_ENABLE(AMEND)
  ) behind (
      .clk             (tx_clk),
      .rst,
      .s_axis_tdata    (tdata),
      .s_axis_tkeep    (tkeep),
      .s_axis_tvalid   (m_tvalid),
      .s_axis_tready   (tready),
      .s_axis_tlast    (tlast),
      .s_axis_tuser    (tuser),
      .s_axis_tamend   (tamend),
      .pma_tx_data     (line),
      .local_fault     (1'b0),
      .remote_fault    (1'b0),
      .prbs31          (1'b0),
      .test_idle       (1'b0),
      .stopped         (),
      .payload_step    (),
      .stat_tx_frame   (),
      .stat_tx_bytes   (),
      .stat_tx_error   (stat_error),
      .stat_tx_underrun(stat_underrun)
  );
  logic [  W-1:0] bare_data;
  logic [W/8-1:0] bare_keep;
  logic bare_valid, bare_ready, bare_last, bare_user;
  if (W == 16) begin : gen_narrow
    assign m_started = m_tvalid & behind.gen_frame16.u_frame.start;
    axis_narrow u_narrow (
        .clk          (tx_clk),
        .rst,
        .s_axis_tdata (ref_data),
        .s_axis_tkeep (ref_keep),
        .s_axis_tvalid(ref_valid),
        .s_axis_tready(ref_ready),
        .s_axis_tlast (ref_last),
        .s_axis_tuser (ref_user),
        .m_axis_tdata (bare_data),
        .m_axis_tkeep (bare_keep),
        .m_axis_tvalid(bare_valid),
        .m_axis_tready(bare_ready),
        .m_axis_tlast (bare_last),
        .m_axis_tuser (bare_user)
    );
  end else begin : gen_straight
    assign m_started  = m_tvalid & behind.gen_frame.u_frame.start;
    assign bare_data  = ref_data;
    assign bare_keep  = ref_keep;
    assign bare_valid = ref_valid;
    assign ref_ready  = bare_ready;
    assign bare_last  = ref_last;
    assign bare_user  = ref_user;
  end
  macpcs_tx #(
      .WIDTH(W)
  ) bare (
      .clk             (tx_clk),
      .rst,
      .s_axis_tdata    (bare_data),
      .s_axis_tkeep    (bare_keep),
      .s_axis_tvalid   (bare_valid),
      .s_axis_tready   (bare_ready),
      .s_axis_tlast    (bare_last),
      .s_axis_tuser    (bare_user),
      .pma_tx_data     (bare_line),
      .local_fault     (1'b0),
      .remote_fault    (1'b0),
      .prbs31          (1'b0),
      .test_idle       (1'b0),
      .stopped         (),
      .payload_step    (),
      .stat_tx_frame   (),
      .stat_tx_bytes   (),
      .stat_tx_error   (),
      .stat_tx_underrun()
  );
endmodule
