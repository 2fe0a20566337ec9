/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/card_requests.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/control.h"
#include "daemon/opening.h"
#include "daemon/socket.h"
#include "ullnic/card.h"
#include "ullnic/dma.h"

/* Tools set up user logic while the daemon owns the card. */
void card_register(const struct control_request* request, struct control_reply* reply) {
  ullnic_t* card = port_at(0)->card;
  int error;
  if (request->op == CONTROL_READ_REGISTER) {
    error = ullnic_read32(card, request->address, &reply->value);
  } else if (request->address >= ULLNIC_CONNECTIONS_BASE(0) && request->address < ULLNIC_BAR_SIZE) {
    control_refuse(reply, EPERM,
                   "the connections of the transmit engine are ullnicd's: use SO_EXA_ATE");
    return;
  } else {
    error = ullnic_write32(card, request->address, request->value);
  }
  if (error != 0) control_refuse(reply, -error, ullnic_last_error());
}

void card_dma(const struct control_request* request, struct control_reply* reply) {
  ullnic_t* card = port_at(0)->card;
  union {
    struct ullnic_dma_queue queue;
    struct ullnic_dma_errors errors;
    struct ullnic_dma_event events[CONTROL_EVENTS];
  } state = {0};
  _Static_assert(sizeof(state) <= sizeof(reply->words), "a reply has room for it");
  int error = 0;
  switch (request->op) {
    case CONTROL_DMA_QUEUE:
      error = ullnic_dma_read_queue(card, request->value, &state.queue);
      break;
    case CONTROL_DMA_ERRORS:
      error = ullnic_dma_read_errors(card, &state.errors);
      break;
    case CONTROL_DMA_EVENTS:
      if (request->value > CONTROL_EVENTS) {
        control_refuse(reply, EINVAL, "ask for fewer events at once");
        return;
      }
      error = ullnic_dma_read_events(card, request->address, request->value, state.events);
      break;
    default: /* CONTROL_DMA_WATCH */
      error = ullnic_dma_watch(card, request->value, request->address);
      break;
  }
  if (error != 0) {
    control_refuse(reply, -error, ullnic_last_error());
  } else {
    memcpy(reply->words, &state, sizeof(state));
  }
}

/* A socket for frames that a program sends unmodified. */
void card_raw(const struct control_request* request, struct user* user, struct control_reply* reply,
              int* program_end) {
  struct port* port = port_numbered(request->value);
  if (port == NULL) {
    char text[CONTROL_TEXT];
    snprintf(text, sizeof(text), "port %u is not in use: give ullnicd --address %u=ADDRESS/BITS",
             request->value, request->value);
    control_refuse(reply, ENODEV, text);
  } else if (socket_new(port, KIND_RAW, user, program_end) == NULL) {
    opening_refuse(reply, errno);
  }
}
