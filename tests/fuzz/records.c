/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer's mutations move bytes, which would turn every later operation into another one: here
 * records are copied, moved and dropped as a whole, and libFuzzer changes what is within one.
 */
#include "records.h"

#include <stdlib.h>

/* libFuzzer calls the first two and provides the third. */
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                 size_t other_size, uint8_t* out, size_t max_size,
                                 unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

enum { COPY, MOVE, DROP, FRESH, WITHIN, BYTE, ANYTHING = 12, CHOICES = 16, OPERATIONS = 32 };

static void mutate_record(uint8_t* record, unsigned* state) {
  switch (rand_r(state) % 4) {
    case 0:
      record[0] = (uint8_t)(rand_r(state) % OPERATIONS);
      break;
    case 1:
      record[1 + rand_r(state) % RECORD_ARGUMENTS] = (uint8_t)rand_r(state);
      break;
    default: {
      uint8_t changed[RECORD_BYTES];
      memcpy(changed, record, sizeof changed);
      LLVMFuzzerMutate(changed, sizeof changed, sizeof changed);
      memcpy(record, changed, sizeof changed);
    }
  }
}

static void insert(uint8_t* data, size_t count, size_t place, const uint8_t* record) {
  memmove(data + (place + 1) * RECORD_BYTES, data + place * RECORD_BYTES,
          (count - place) * RECORD_BYTES);
  memcpy(data + place * RECORD_BYTES, record, RECORD_BYTES);
}

static void drop(uint8_t* data, size_t count, size_t place) {
  memmove(data + place * RECORD_BYTES, data + (place + 1) * RECORD_BYTES,
          (count - place - 1) * RECORD_BYTES);
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  unsigned state = seed;
  size_t count = size / RECORD_BYTES, most = max_size / RECORD_BYTES;
  unsigned choice = (unsigned)rand_r(&state) % CHOICES;
  if (most == 0 || choice >= ANYTHING) return LLVMFuzzerMutate(data, size, max_size);
  uint8_t record[RECORD_BYTES];
  size_t from = count > 0 ? (size_t)rand_r(&state) % count : 0;
  size_t to = (size_t)rand_r(&state) % (count + 1);
  if (count == 0) choice = FRESH;
  if (choice == FRESH && count < most) {
    for (size_t i = 0; i < RECORD_BYTES; i++) record[i] = (uint8_t)rand_r(&state);
    record[0] %= OPERATIONS;
    insert(data, count, to, record);
    return (count + 1) * RECORD_BYTES;
  }
  if (choice == COPY && count < most) {
    memcpy(record, data + from * RECORD_BYTES, RECORD_BYTES);
    if (rand_r(&state) % 2 == 0) mutate_record(record, &state);
    insert(data, count, to, record);
    return (count + 1) * RECORD_BYTES;
  }
  if (choice == MOVE && count > 1) {
    memcpy(record, data + from * RECORD_BYTES, RECORD_BYTES);
    drop(data, count, from);
    insert(data, count - 1, to % count, record);
    return count * RECORD_BYTES;
  }
  if (choice == DROP && count > 1) {
    drop(data, count, from);
    return (count - 1) * RECORD_BYTES;
  }
  mutate_record(data + from * RECORD_BYTES, &state);
  return count * RECORD_BYTES;
}

/* The beginning of one and the end of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                 size_t other_size, uint8_t* out, size_t max_size,
                                 unsigned int seed) {
  unsigned state = seed;
  size_t head = (size_t)rand_r(&state) % (one_size / RECORD_BYTES + 1) * RECORD_BYTES;
  size_t skipped = (size_t)rand_r(&state) % (other_size / RECORD_BYTES + 1) * RECORD_BYTES;
  size_t tail = other_size - skipped;
  if (head > max_size) head = max_size / RECORD_BYTES * RECORD_BYTES;
  if (tail > max_size - head) tail = max_size - head;
  memcpy(out, one, head);
  memcpy(out + head, other + skipped, tail);
  return head + tail;
}
