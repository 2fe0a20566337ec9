/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program's calls of libullnic, over a card that lies: in its registers, in completions, in the
 * status of its rings, in the packets themselves. README.md has the table of the operations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libullnic/internal.h"
#include "lying_card.h"
#include "records.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"
#include "ullnic/dma.h"

enum operation {
  OP_LIE,
  OP_OPEN,
  OP_CLOSE,
  OP_PACKETS,
  OP_MEMORY,
  OP_RECEIVE,
  OP_ARM,
  OP_SEND,
  OP_PAYLOAD,
  OP_STATUS,
  OP_HOLD,
  OP_ENGINE,
  OP_END,
  OP_INTERRUPT,
  OP_REGISTER,
  OP_DMA,
  OPERATIONS
};

enum { HEADER_BYTES = 16, GUARD_BYTES = 64, MOST_AT_ONCE = 64 };

/* Where the card writes next. */
struct card_port {
  ullnic_port_t* port;
  uint32_t entry, colour, buffer;
};

static ullnic_t* card;
static struct card_port ports[CARD_PORTS];
static volatile uint8_t touched;

static void wrong(const char* what) {
  fprintf(stderr, "ERROR: %s\n", what);
  abort();
}

/* An error must have a message. */
static void check(int result) {
  if (result < 0 && ullnic_last_error()[0] == '\0') wrong("an error without a word");
}

static void close_card(void) {
  ullnic_close(card);
  card = NULL;
  memset(ports, 0, sizeof(ports));
}

static void open_card(void) {
  if (card != NULL) return;
  int result = ullnic_open("vfio-user:fuzz", &card);
  check(result);
  if (result != 0) card = NULL;
  if (result != 0 && lying_card.open) wrong("a card that was refused stays open");
}

/* 0 port, 1 opens only the card */
static void do_open(const uint8_t* a) {
  struct card_port* p = &ports[a[0] % CARD_PORTS];
  open_card();
  if (card == NULL || (a[1] & 1)) return;
  ullnic_port_t* opened = NULL;
  int result = ullnic_port_open(card, a[1] & 2 ? a[0] : a[0] % CARD_PORTS, &opened);
  check(result);
  if (result == 0 && p->port != NULL) wrong("a port is open twice");
  if (result == 0) *p = (struct card_port){.port = opened, .colour = 1};
}

/* The card's view of a port's memory, at the places of port.c. */
static uint8_t* entries_of(const struct card_port* p) {
  return (uint8_t*)p->port->receive.completions;
}

/* 0 port, 1-2 bytes, 3 count, 4 changes the completion's low byte, 5-6 its length, 7-8 the length
 * in the packet's header, 9 its type, 10 its port, 11 omits: 1 the completion, 2 the packet */
static void do_packets(const uint8_t* a) {
  struct card_port* p = &ports[a[0] % CARD_PORTS];
  if (p->port == NULL) return;
  uint8_t* buffers = (uint8_t*)(uintptr_t)p->port->receive.buffers;
  for (unsigned i = 0; i <= a[3] % MOST_AT_ONCE; i++) {
    uint16_t frame_bytes = (uint16_t)(number_of(a + 1, 2) % ULLNIC_MAX_FRAME + 1);
    uint32_t bytes = HEADER_BYTES + frame_bytes;
    if (!(a[11] & 2)) {
      uint8_t* packet = buffers + (size_t)p->buffer * UL_BUFFER_BYTES;
      uint16_t length = frame_bytes ^ (uint16_t)number_of(a + 7, 2);
      memcpy(packet, &length, sizeof(length));
      packet[2] = a[9];
      packet[3] = (uint8_t)(p->port->number ^ a[10]);
    }
    if (!(a[11] & 1)) {
      uint64_t entry =
          ((uint64_t)(bytes ^ (uint16_t)number_of(a + 5, 2)) << 4 | 1u << 3 | p->colour << 1) ^
          a[4];
      memcpy(entries_of(p) + (size_t)p->entry * sizeof(entry), &entry, sizeof(entry));
      if (++p->entry == UL_BUFFERS) {
        p->entry = 0;
        p->colour ^= 1;
      }
      p->buffer = (p->buffer + (bytes + UL_BUFFER_BYTES - 1) / UL_BUFFER_BYTES) % UL_BUFFERS;
    }
  }
}

/* 0 port, 1-3 offset, 4 bytes, which follow, 5 base of the offset */
static void do_memory(const uint8_t* a, struct records* input) {
  struct card_port* p = &ports[a[0] % CARD_PORTS];
  const uint8_t* bytes;
  size_t count = take_bytes(input, a[4], &bytes);
  if (p->port == NULL) return;
  uint8_t* const bases[] = {p->port->memory.base, (uint8_t*)p->port->send.ring, entries_of(p),
                            (uint8_t*)(uintptr_t)p->port->receive.buffers};
  uint8_t* base = bases[a[5] % 4];
  size_t room = (size_t)(p->port->memory.base + p->port->memory.bytes - base);
  size_t offset = number_of(a + 1, 3) % room;
  memcpy(base + offset, bytes, count < room - offset ? count : room - offset);
}

/* A frame must lie within the port's buffers, and its bytes must be readable. */
static void check_frame(const struct card_port* p, const struct ullnic_frame* frame) {
  const uint8_t* first = p->port->receive.buffers;
  const uint8_t* end = p->port->memory.base + p->port->memory.bytes + p->port->memory.mirrored;
  if (frame->len > ULLNIC_MAX_FRAME || frame->port != p->port->number || frame->data < first ||
      frame->data + frame->len > end) {
    wrong("a frame that is not in the port's buffers");
  }
  for (size_t i = 0; i < frame->len; i++) touched ^= frame->data[i];
}

/* 0 port, 1 times */
static void do_receive(const uint8_t* a) {
  struct card_port* p = &ports[a[0] % CARD_PORTS];
  if (p->port == NULL) return;
  for (unsigned i = 0; i <= a[1]; i++) {
    struct ullnic_frame frame;
    int result = ullnic_receive(p->port, &frame);
    check(result);
    if (result > 1) wrong("more than one frame at once");
    if (result == 1) check_frame(p, &frame);
  }
}

/* Only the slot may be written, nothing after it. */
static void send_one(struct card_port* p, unsigned connection, size_t length, bool payload) {
  static uint8_t data[1 << 16];
  memset(data, 0x5a, sizeof(data)); /* a value that no ring holds */
  uint8_t before[GUARD_BYTES];
  const uint8_t* guard =
      p->port->send.slots + (size_t)(p->port->send.pidx + 1) * UL_SEND_SLOT_BYTES;
  memcpy(before, guard, sizeof(before));
  int result = payload ? ullnic_send_payload(p->port, (uint16_t)connection, data, length)
                       : ullnic_send_raw(p->port, data, length);
  check(result);
  if (memcmp(before, guard, sizeof(before)) != 0) wrong("a chunk is longer than its slot");
  if (result == 0 && ullnic_send_pending(p->port) >= UL_SEND_SLOTS)
    wrong("more under way than slots");
}

/* 0 port, 1-2 bytes, 3 times, 4-5 connection */
static void do_send(const uint8_t* a, bool payload) {
  struct card_port* p = &ports[a[0] % CARD_PORTS];
  if (p->port == NULL) return;
  for (unsigned i = 0; i <= a[3] % (2 * MOST_AT_ONCE); i++) {
    send_one(p, (unsigned)number_of(a + 4, 2), number_of(a + 1, 2), payload);
  }
}

/* 0 port, 1 error, 2 number not sent, 3 if set: 4-7 any word */
static void do_status(const uint8_t* a) {
  struct card_port* p = &ports[a[0] % CARD_PORTS];
  if (p->port == NULL) return;
  uint32_t cidx = (p->port->send.pidx + UL_SEND_SLOTS - a[2] % UL_SEND_SLOTS) % UL_SEND_SLOTS;
  uint32_t word = a[3] & 1 ? (uint32_t)number_of(a + 4, 4) : cidx << 16 | (a[1] & 3);
  memcpy(&p->port->send.ring[UL_SEND_SLOTS], &word, sizeof(word));
}

/* 0 port, 1 operation, 2-3 connection, 4-7 value */
static void do_engine(const uint8_t* a) {
  if (card == NULL) return;
  unsigned port = a[0] % (CARD_PORTS + 1), connection = (unsigned)number_of(a + 2, 2);
  uint32_t value = (uint32_t)number_of(a + 4, 4);
  struct ullnic_ate_counters counters;
  struct ullnic_ate_connection settings = {
      .seq = value, .ack = value, .vlan = (int)value % 4096 - 1};
  int result = 0;
  switch (a[1] % 7) {
    case 0:
      result = ullnic_ate_setup(card, port, connection, &settings);
      break;
    case 1:
      result = ullnic_ate_enable(card, port, connection);
      break;
    case 2:
      result = ullnic_ate_disable(card, port, connection);
      break;
    case 3:
      result = ullnic_ate_update(card, port, connection, value, (uint16_t)value);
      break;
    case 4:
      result = ullnic_ate_set_max_seq(card, port, connection, value);
      break;
    case 5:
      result = ullnic_ate_read_seq(card, port, connection, &value);
      break;
    default:
      result = ullnic_ate_read_counters(card, port, &counters);
  }
  check(result);
}

/* 0-1 register, 2 region, 3 else one that the driver reads, 4-7 value */
static void do_lie(const uint8_t* a) {
  const struct {
    unsigned region;
    uint64_t offset;
  } read_ones[] = {{UL_CONFIG_SPACE, 0},
                   {UL_CONFIG_SPACE, 4},
                   {UL_BAR_DMA, QDMA_IDENTIFIER},
                   {UL_BAR_DMA, QDMA_VERSION},
                   {UL_BAR_DMA, QDMA_QUEUES},
                   {UL_BAR_DMA, QDMA_FUNCTION},
                   {UL_BAR_DMA, QDMA_CONTEXT_COMMAND},
                   {UL_BAR_DMA, QDMA_CONTEXT_DATA + 4},
                   {UL_BAR_DMA, QDMA_CONTEXT_DATA + 12},
                   {UL_BAR_CARD, ULLNIC_CARD_REGISTER(ID)},
                   {UL_BAR_CARD, ULLNIC_CARD_REGISTER(VERSION)},
                   {UL_BAR_CARD, ULLNIC_CARD_REGISTER(CARD)},
                   {UL_BAR_CARD, ULLNIC_CARD_REGISTER(TCP_ENABLES)},
                   {UL_BAR_CARD, ULLNIC_HOST_PATH_REGISTER(0, MAX_FRAME)},
                   {UL_BAR_CARD, ULLNIC_ATE_BASE(0) + ULLNIC_ATE_ENGINE_ID},
                   {UL_BAR_CARD, ULLNIC_ATE_BASE(0) + ULLNIC_ATE_ENGINE_VERSION},
                   {UL_BAR_CARD, ULLNIC_ATE_BASE(0) + ULLNIC_ATE_ENGINE_CAPABILITY},
                   {UL_BAR_CARD, ULLNIC_ATE_BASE(1) + ULLNIC_ATE_ENGINE_CAPABILITY}};
  size_t count = sizeof(read_ones) / sizeof(*read_ones);
  uint32_t value = (uint32_t)number_of(a + 4, 4);
  if (a[3] > 0) {
    lying_card_lie(read_ones[a[3] % count].region, read_ones[a[3] % count].offset, value);
  } else {
    lying_card_lie(a[2] % 8, number_of(a, 2) * 4, value);
  }
}

static void run(const struct record* record, struct records* input) {
  const uint8_t* a = record->argument;
  struct card_port* p = &ports[a[0] % CARD_PORTS];
  uint32_t value;
  struct ullnic_dma_queue queue;
  struct ullnic_dma_errors errors;
  struct ullnic_dma_event events[ULLNIC_DMA_EVENTS];
  uint64_t one = 1;
  switch ((enum operation)(record->operation % OPERATIONS)) {
    case OP_LIE:
      do_lie(a);
      break;
    case OP_OPEN:
      do_open(a);
      break;
    case OP_CLOSE: /* 0 port, 1 the whole card */
      if (a[1] & 1) {
        close_card();
      } else {
        ullnic_port_close(p->port);
        p->port = NULL;
      }
      break;
    case OP_PACKETS:
      do_packets(a);
      break;
    case OP_MEMORY:
      do_memory(a, input);
      break;
    case OP_RECEIVE:
      do_receive(a);
      break;
    case OP_ARM:
      if (p->port != NULL) check(ullnic_port_arm(p->port));
      break;
    case OP_SEND:
      do_send(a, false);
      break;
    case OP_PAYLOAD:
      do_send(a, true);
      break;
    case OP_STATUS:
      do_status(a);
      break;
    case OP_HOLD: /* 1 releases */
      if (p->port == NULL) break;
      if (a[1] & 1) {
        check(ullnic_send_release(p->port));
      } else {
        ullnic_send_hold(p->port);
      }
      break;
    case OP_ENGINE:
      do_engine(a);
      break;
    case OP_END: /* 0-1 number of accesses until then */
      lying_card.accesses = (unsigned)number_of(a, 2) + 1;
      break;
    case OP_INTERRUPT:
      if (lying_card.interrupt[a[0] % CARD_PORTS] >= 0 && p->port != NULL &&
          write(lying_card.interrupt[a[0] % CARD_PORTS], &one, sizeof(one)) < 0) {
        wrong("an interrupt finds no eventfd");
      }
      break;
    case OP_REGISTER: /* 0-3 address, 4 write */
      if (card == NULL) break;
      value = a[4];
      check(a[4] & 1 ? ullnic_write32(card, (uint32_t)number_of(a, 4), value)
                     : ullnic_read32(card, (uint32_t)number_of(a, 4), &value));
      break;
    case OP_DMA: /* 0-3 queue, 4 what */
      if (card == NULL) break;
      value = (uint32_t)number_of(a, 4);
      if (a[4] & 1) {
        check(ullnic_dma_read_errors(card, &errors));
      } else if (a[4] & 2) {
        check(ullnic_dma_read_events(card, a[0], a[1], events));
      } else {
        check(a[4] & 4 ? ullnic_dma_watch(card, a[2], value)
                       : ullnic_dma_read_queue(card, value, &queue));
      }
      break;
    case OPERATIONS:
      break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  struct records input = {data, size};
  struct record record;
  lying_card_reset();
  while (next_record(&input, &record)) run(&record, &input);
  close_card();
  if (lying_card.open) wrong("a card that was closed stays open");
  return 0;
}
