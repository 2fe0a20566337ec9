// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of IEEE 802.3 clause 3.2.9, bit-reflected: bit 0 of a byte is the first on the wire and the register
// shifts right.  The register starts at all ones; the FCS field is its complement, low byte first.
//
// Hardware uses one matrix for every length of a last partial word of BYTES bytes:
//   crc32_word(x) is the register after the bits of x have been shifted in (register and data already XORed);
//   crc32_halfword(x) the same for 16 bits, without the upper half of the register, which only moves down.
//   k < BYTES bytes:  crc' = (crc >> 8k) ^ crc32_word((crc ^ data) << 8(BYTES - k))
// because leading zero bytes do not change a zero register.
package crc32_pkg;
  localparam logic [31:0] CRC32_POLY = 32'hedb88320;
  localparam logic [31:0] CRC32_INIT = 32'hffffffff;
  // The register after a frame and its own FCS, whatever the frame (802.3 clause 3.2.9 gives the unreflected form).
  localparam logic [31:0] CRC32_RESIDUE = 32'hdebb20e3;

  typedef logic [31:0][31:0] crc32_matrix_t;  // [output bit][input bit]

  // One bit shifted in, `n` times.  For constants only: as logic it would be a chain that no mapper balances.
  function automatic logic [31:0] crc32_shift(input logic [31:0] crc, input int n);
    logic [31:0] r;
    r = crc;
    for (int i = 0; i < n; i++) r = {1'b0, r[31:1]} ^ (r[0] ? CRC32_POLY : 32'h0);
    return r;
  endfunction

  // The inverse of crc32_shift.  For constants only.
  function automatic logic [31:0] crc32_unshift(input logic [31:0] crc, input int n);
    logic [31:0] r;
    r = crc;
    for (int i = 0; i < n; i++) r = r[31] ? {r[30:0] ^ CRC32_POLY[30:0], 1'b1} : {r[30:0], 1'b0};
    return r;
  endfunction

  function automatic crc32_matrix_t crc32_matrix(input int bits);
    crc32_matrix_t m;
    logic [31:0] column;
    for (int j = 0; j < 32; j++) begin
      column = crc32_shift(32'h1 << j, bits);
      for (int i = 0; i < 32; i++) m[i][j] = column[i];
    end
    return m;
  endfunction

  // The part-th six of the ones of each row of a matrix.
  function automatic crc32_matrix_t crc32_six_ones(input crc32_matrix_t m, input int part);
    crc32_matrix_t r;
    int n;
    r = '0;
    for (int i = 0; i < 32; i++) begin
      n = 0;
      for (int j = 0; j < 32; j++)
      if (m[i][j]) begin
        r[i][j] = n / 6 == part;
        n++;
      end
    end
    return r;
  endfunction

  // A row of the matrix for 32 bits has 17 ones at most, one for 16 bits 10.  They are XORed six at a time, which a mapper
  // to LUT6 keeps: two levels, with room in the second one for what the caller adds.
  localparam crc32_matrix_t CRC32_MATRIX_32 = crc32_matrix(32);
  localparam crc32_matrix_t CRC32_MATRIX_32_PART0 = crc32_six_ones(CRC32_MATRIX_32, 0);
  localparam crc32_matrix_t CRC32_MATRIX_32_PART1 = crc32_six_ones(CRC32_MATRIX_32, 1);
  localparam crc32_matrix_t CRC32_MATRIX_32_PART2 = crc32_six_ones(CRC32_MATRIX_32, 2);
  localparam crc32_matrix_t CRC32_MATRIX_16 = crc32_matrix(16) & {32{32'h0000ffff}};
  localparam crc32_matrix_t CRC32_MATRIX_16_PART0 = crc32_six_ones(CRC32_MATRIX_16, 0);
  localparam crc32_matrix_t CRC32_MATRIX_16_PART1 = crc32_six_ones(CRC32_MATRIX_16, 1);

  // Register after 32 more bits; x = register ^ data.
  function automatic logic [31:0] crc32_word(input logic [31:0] x);
    logic [31:0] r;
    for (int i = 0; i < 32; i++) begin
      r[i] = (^(CRC32_MATRIX_32_PART0[i] & x)) ^ (^(CRC32_MATRIX_32_PART1[i] & x)) ^ (^(CRC32_MATRIX_32_PART2[i] & x));
    end
    return r;
  endfunction

  // What 16 more bits add to the register shifted right by 16; x = lower half of the register ^ data.
  function automatic logic [31:0] crc32_halfword(input logic [15:0] x);
    logic [31:0] r, wide;
    wide = {16'h0, x};
    for (int i = 0; i < 32; i++) r[i] = (^(CRC32_MATRIX_16_PART0[i] & wide)) ^ (^(CRC32_MATRIX_16_PART1[i] & wide));
    return r;
  endfunction
endpackage
