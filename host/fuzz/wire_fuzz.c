/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Frames from the line into ullnicd's TCP/IP stack, with sockets open in every state that a correct
 * program reaches.
 */
#include "operations.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return run_input(data, size, open_usual_sockets);
}
