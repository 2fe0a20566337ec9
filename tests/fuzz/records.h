/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * An input of most fuzz targets is a list of records of 16 bytes: an operation and its arguments.
 * A target reads what an argument means modulo what is there, so every input is valid. Some
 * operations take bytes that follow; these fill whole records.
 */
#ifndef ULLNIC_FUZZ_RECORDS_H
#define ULLNIC_FUZZ_RECORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RECORD_BYTES = 16, RECORD_ARGUMENTS = RECORD_BYTES - 1 };

struct record {
  uint8_t operation;
  uint8_t argument[RECORD_ARGUMENTS];
};

struct records {
  const uint8_t* data;
  size_t left; /* bytes */
};

/* 0 at the end. What is left of the last record reads as zeros. */
static inline int next_record(struct records* input, struct record* record) {
  if (input->left == 0) return 0;
  size_t got = input->left < RECORD_BYTES ? input->left : RECORD_BYTES;
  memset(record, 0, sizeof *record);
  memcpy(record, input->data, got);
  input->data += got;
  input->left -= got;
  return 1;
}

/* Takes the records that hold so many bytes, or what is left. Returns how many bytes there are. */
static inline size_t take_bytes(struct records* input, size_t wanted, const uint8_t** data) {
  size_t got = wanted < input->left ? wanted : input->left;
  size_t whole = (got + RECORD_BYTES - 1) / RECORD_BYTES * RECORD_BYTES;
  *data = input->data;
  if (whole > input->left) whole = input->left;
  input->data += whole;
  input->left -= whole;
  return got;
}

/* Of two, four or eight argument bytes, the lowest first. */
static inline uint64_t number_of(const uint8_t* bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_FUZZ_RECORDS_H */
