/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "call.h"

static _Thread_local int depth;
static _Thread_local deadline_t deadline;  // 0: no request yet in this scope

int ul_call_begin(void) { return depth++; }

void ul_call_end(int* call) {
  depth = *call;
  if (depth == 0) {
    deadline = 0;
  }
}

deadline_t ul_call_deadline(int patience_ms) {
  if (depth == 0) {
    return deadline_in(patience_ms);
  }
  if (deadline == 0) {
    deadline = deadline_in(patience_ms);
  }
  return deadline;
}
