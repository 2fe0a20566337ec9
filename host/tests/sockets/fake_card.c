/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests of ullnicd without RTL: libullnic's calls over TAP devices, with the transmit engine
 * modelled in C, orders of user logic, and frames lost, doubled and swapped by chance from a seed.
 *
 * Name: fake:TAP[+TAP...][,key=value...]; port n is the nth TAP. "@N" in its place is descriptor N,
 * a frame per read or write. Keys:
 *   seed=N, drop_in=P, drop_out=P, dup=P, swap=P   chances for each frame
 *   engines=MASK     ports with an engine (default: all)
 *   orders=ID        user logic sends on this connection of port 0
 *   orders_to=ID     ... and on all up to this one
 *   order_count=N, order_bytes=N (longest), order_gap_us=N
 *   late_orders=N, late_gap_us=N   N orders are in flight when the engine is disabled, and are sent
 *                    one after the other in such steps
 *   lose_mirror=N    the Nth mirror frame with payload is lost
 *   refuse=ID        setting this connection up fails
 *   gate=FILE        while it exists, nothing arrives from the line
 *   dry=FILE         while it exists, the kernel has no random numbers
 *   full=FILE        while it exists, calloc() has no memory
 *   id_end=N         ids of sockets end with these 16 bits
 *   lag_us=N         a mirror frame, and all after it, are delayed by this time
 *   lwip_slower=N    lwIP's clock runs N times slower: its retransmission timeout never expires,
 *                    however late a busy machine runs the peer
 *   queue_us=N       payloads wait in the engine for this time before they are sent
 *   wrap=N           initial sequence numbers are up to 64 KiB below N (default: 2^31 or 2^32 by
 *                    chance, where signed and unsigned comparisons of them go wrong)
 *   dma=FILE         state of its DMA: a queue at the first and second reading, errors, and events,
 *                    as the structures of ullnic/dma.h
 *   stats=FILE       what happened, as JSON, at the end
 */
#include "fake_card.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "daemon/time_wait.h"
#include "ullnic/card.h"
#include "ullnic/dma.h"

static _Thread_local char last_error[256];

int fail(int error, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_error, sizeof(last_error), format, arguments);
  va_end(arguments);
  return -error;
}

const char* ullnic_last_error(void) { return last_error; }

uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t mix(uint64_t* state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

uint64_t draw(struct ullnic_card* card) { return mix(&card->random); }

/* The daemon's choice is random, except for a connection that follows one in TIME-WAIT: few of them
 * would ever reach the end of the sequence space. Linked in its place (-Wl,--wrap). */
static uint64_t wrap;
static uint64_t isn_state;

uint32_t __wrap_ullnic_initial_sequence(const ip_addr_t* local_ip, uint16_t local_port,
                                        const ip_addr_t* remote_ip, uint16_t remote_port);
uint32_t __wrap_ullnic_initial_sequence(const ip_addr_t* local_ip, uint16_t local_port,
                                        const ip_addr_t* remote_ip, uint16_t remote_port) {
  uint32_t sequence;
  if (time_wait_sequence(local_ip, local_port, remote_ip, remote_port, &sequence)) return sequence;
  uint64_t chance = mix(&isn_state);
  uint64_t end = wrap != 0 ? wrap : chance & 1 ? UINT64_C(1) << 31 : UINT64_C(1) << 32;
  return (uint32_t)(end - 1 - (chance >> 1) % 65536);
}

static bool happens(struct ullnic_card* card, double chance) {
  return chance > 0 && (double)(draw(card) >> 11) * 0x1p-53 < chance;
}

struct held* hold(const void* data, size_t len, uint8_t type) {
  struct held* held = malloc(sizeof(*held) + len);
  if (held == NULL) abort();
  *held = (struct held){
      .len = (uint16_t)len, .type = type, .ticks = now_us() * (1000000 / ULLNIC_TICK_PS)};
  memcpy(held->data, data, len);
  return held;
}

void push(struct ullnic_port* port, struct held* held) {
  held->next = NULL;
  *port->last = held;
  port->last = &held->next;
}

static void transmit(struct ullnic_port* port, const void* data, size_t len) {
  uint8_t frame[LONGEST] = {0};
  memcpy(frame, data, len);
  if (len < 60) len = 60;
  if (write(port->tap, frame, len) < 0) { /* the interface is down: like an unplugged cable */
  }
}

void leave(struct ullnic_port* port, const void* data, size_t len) {
  struct ullnic_card* card = port->card;
  if (happens(card, card->drop_out)) {
    card->dropped_out++;
    return;
  }
  if (port->swapped_out == NULL && happens(card, card->swap)) {
    port->swapped_out = hold(data, len, 0);
    card->swapped++;
    return;
  }
  transmit(port, data, len);
  if (happens(card, card->dup)) {
    transmit(port, data, len);
    card->doubled++;
  }
  if (port->swapped_out != NULL) {
    transmit(port, port->swapped_out->data, port->swapped_out->len);
    free(port->swapped_out);
    port->swapped_out = NULL;
  }
}

/* Returns a descriptor, or -1. */
static int open_line(const char* device) {
  if (device[0] == '@') return atoi(device + 1);
  struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
  snprintf(request.ifr_name, IFNAMSIZ, "%s", device);
  int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  return tap >= 0 && ioctl(tap, TUNSETIFF, &request) < 0 ? -1 : tap;
}

static bool parse(struct ullnic_card* card, char* text) {
  char* state = NULL;
  char* devices = strtok_r(text, ",", &state);
  for (char* key; (key = strtok_r(NULL, ",", &state)) != NULL;) {
    char* value = strchr(key, '=');
    if (value == NULL) return false;
    *value++ = '\0';
    if (strcmp(key, "seed") == 0)
      card->random = strtoull(value, NULL, 0);
    else if (strcmp(key, "drop_in") == 0)
      card->drop_in = atof(value);
    else if (strcmp(key, "drop_out") == 0)
      card->drop_out = atof(value);
    else if (strcmp(key, "dup") == 0)
      card->dup = atof(value);
    else if (strcmp(key, "swap") == 0)
      card->swap = atof(value);
    else if (strcmp(key, "engines") == 0)
      card->engines = (unsigned)strtoul(value, NULL, 0);
    else if (strcmp(key, "orders") == 0)
      card->orders = card->orders_to = atoi(value);
    else if (strcmp(key, "orders_to") == 0)
      card->orders_to = atoi(value);
    else if (strcmp(key, "order_count") == 0)
      card->order_count = (unsigned)atoi(value);
    else if (strcmp(key, "order_bytes") == 0)
      card->order_bytes = (unsigned)atoi(value);
    else if (strcmp(key, "order_gap_us") == 0)
      card->order_gap_us = (unsigned)atoi(value);
    else if (strcmp(key, "lag_us") == 0)
      card->lag_us = (unsigned)atoi(value);
    else if (strcmp(key, "queue_us") == 0)
      card->queue_us = (unsigned)atoi(value);
    else if (strcmp(key, "lwip_slower") == 0)
      setenv("ULLNIC_FAKE_LWIP_SLOWER", value, 1); /* for fake_clock.c */
    else if (strcmp(key, "wrap") == 0)
      wrap = strtoull(value, NULL, 0);
    else if (strcmp(key, "refuse") == 0)
      card->refuse = atoi(value);
    else if (strcmp(key, "stats") == 0)
      card->stats = fopen(value, "we"); /* no file can be opened at the end */
    else if (strcmp(key, "dma") == 0)
      card->dma = open(value, O_RDWR | O_CLOEXEC); /* as above */
    else if (strcmp(key, "gate") == 0)
      snprintf(card->gate, sizeof(card->gate), "%s", value);
    else if (strcmp(key, "dry") == 0)
      setenv("ULLNIC_FAKE_DRY", value, 1); /* for fake_random.c */
    else if (strcmp(key, "full") == 0)
      setenv("ULLNIC_FAKE_FULL", value, 1); /* for fake_memory.c */
    else if (strcmp(key, "fails") == 0)
      setenv("ULLNIC_FAKE_FAILS", value, 1); /* for fake_calls.c */
    else if (strcmp(key, "id_end") == 0)
      setenv("ULLNIC_FAKE_ID_END", value, 1); /* for fake_random.c */
    else if (strcmp(key, "late_orders") == 0)
      card->late_orders = (unsigned)atoi(value);
    else if (strcmp(key, "late_gap_us") == 0)
      card->late_gap_us = (unsigned)atoi(value);
    else if (strcmp(key, "lose_mirror") == 0)
      card->lose_mirror = (unsigned)atoi(value);
    else
      return false;
  }
  for (char* device = strtok_r(devices, "+", &state); device != NULL;
       device = strtok_r(NULL, "+", &state)) {
    struct ullnic_port* port = &card->port[card->ports];
    port->card = card;
    port->number = card->ports++;
    port->tap = open_line(device);
    if (port->tap < 0) return false;
  }
  return card->ports > 0;
}

/* Registers that keep what is written. */
static uint32_t registers[ULLNIC_BAR_SIZE / 4];

/* Programs that read it through the daemon find a card. */
static void describe(const struct ullnic_card* card) {
  registers[ULLNIC_CARD_REGISTER(ID) / 4] = CARD_REGS__ID__ID_reset;
  registers[ULLNIC_CARD_REGISTER(VERSION) / 4] = (uint32_t)CARD_REGS__VERSION__MAJOR_reset
                                                 << CARD_REGS__VERSION__MAJOR_bp;
  registers[ULLNIC_CARD_REGISTER(CARD) / 4] = card->ports << CARD_REGS__CARD__PORTS_bp;
}

int ullnic_open(const char* name, ullnic_t** opened) {
  if (name == NULL || strncmp(name, "fake:", 5) != 0) return fail(EINVAL, "give fake:TAP...");
  struct ullnic_card* card = calloc(1, sizeof(*card));
  char text[512];
  *card = (struct ullnic_card){.engines = 0xff, .orders = -1, .orders_to = -1, .refuse = -1};
  card->order_count = 1000000;
  card->order_bytes = 64;
  card->order_gap_us = 1000;
  snprintf(text, sizeof(text), "%s", name + 5);
  if (!parse(card, text))
    return fail(EINVAL, "%s: wrong, or no TAP device: %s", name, strerror(errno));
  isn_state = ~card->random; /* separate from the faults, which remain those of the seed */
  describe(card);
  *opened = card;
  return 0;
}

void ullnic_close(ullnic_t* card) {
  if (card == NULL) return;
  unsigned enabled = 0;
  for (unsigned p = 0; p < card->ports; p++) {
    for (int id = 0; id < CONNECTIONS; id++) enabled += card->port[p].connections[id].enabled;
  }
  FILE* file = card->stats;
  if (file == NULL) return;
  fprintf(file,
          "{\"orders_sent\": %llu, \"no_conn\": %llu, \"enabled\": %u, \"dropped_in\": %llu, "
          "\"dropped_out\": %llu, \"doubled\": %llu, \"swapped\": %llu, \"payloads\": %llu, "
          "\"acks\": %llu, \"raw_payloads\": %llu, \"beyond_window\": %llu, "
          "\"disables\": %llu, \"early_disables\": %llu}\n",
          (unsigned long long)card->orders_sent, (unsigned long long)card->no_conn, enabled,
          (unsigned long long)card->dropped_in, (unsigned long long)card->dropped_out,
          (unsigned long long)card->doubled, (unsigned long long)card->swapped,
          (unsigned long long)card->payloads, (unsigned long long)card->acks,
          (unsigned long long)card->raw_payloads, (unsigned long long)card->beyond_window,
          (unsigned long long)card->disables, (unsigned long long)card->early_disables);
  fclose(file);
}

/* Its clock is CLOCK_MONOTONIC. */
unsigned ullnic_tick_ps(const ullnic_t* card) {
  (void)card;
  return ULLNIC_TICK_PS;
}

unsigned ullnic_ports(const ullnic_t* card) { return card->ports; }

uint32_t ullnic_tcp_enables(const ullnic_t* card) {
  return card->engines & ((1u << card->ports) - 1);
}

int ullnic_read32(ullnic_t* card, uint32_t address, uint32_t* value) {
  (void)card;
  if (address % 4 != 0 || address >= ULLNIC_BAR_SIZE)
    return fail(EINVAL, "no register at %u", address);
  *value = registers[address / 4];
  return 0;
}

int ullnic_write32(ullnic_t* card, uint32_t address, uint32_t value) {
  (void)card;
  if (address % 4 != 0 || address >= ULLNIC_BAR_SIZE)
    return fail(EINVAL, "no register at %u", address);
  registers[address / 4] = value;
  return 0;
}

/* Without a file: words that identify the queue, so that replies can be distinguished. What a short
 * file does not have cannot be read. */
int ullnic_dma_read_queue(ullnic_t* card, unsigned queue, struct ullnic_dma_queue* state) {
  if (queue >= QUEUES) return fail(EINVAL, "no queue %u; give one from 0 to 2047", queue);
  *state = (struct ullnic_dma_queue){.status_interval = ~queue};
  if (card->dma > 0) {
    off_t place = (off_t)sizeof(*state) * (card->dma_looks++ & 1);
    if (pread(card->dma, state, sizeof(*state), place) != (ssize_t)sizeof(*state))
      return fail(EIO, "queue %u: the card does not answer", queue);
  }
  state->queue = queue;
  return 0;
}

int ullnic_dma_read_errors(ullnic_t* card, struct ullnic_dma_errors* errors) {
  *errors = (struct ullnic_dma_errors){.glbl_err_stat = 1u << 9, .h2c_first_err_qid = 7};
  off_t place = 2 * sizeof(struct ullnic_dma_queue);
  if (card->dma > 0 && pread(card->dma, errors, sizeof(*errors), place) != (ssize_t)sizeof(*errors))
    return fail(EIO, "errors: the card does not answer");
  return 0;
}

/* After the errors in the file. */
int ullnic_dma_read_events(ullnic_t* card, unsigned first, unsigned count,
                           struct ullnic_dma_event* events) {
  off_t place = 2 * sizeof(struct ullnic_dma_queue) + sizeof(struct ullnic_dma_errors);
  if (first > ULLNIC_DMA_EVENTS || count > ULLNIC_DMA_EVENTS - first)
    return fail(EINVAL, "a trace has 64 events, not %u from %u on", count, first);
  ssize_t bytes = (ssize_t)(count * sizeof(*events));
  if (card->dma <= 0 ||
      pread(card->dma, events, (size_t)bytes, place + first * (off_t)sizeof(*events)) != bytes)
    return fail(EIO, "events: the card does not answer");
  return 0;
}

/* Changes the registers in the file. */
int ullnic_dma_watch(ullnic_t* card, unsigned ticks, unsigned queue) {
  struct ullnic_dma_errors errors;
  if (ticks > ULLNIC_DMA_MOST_TICKS) return fail(EINVAL, "no limit of %u ticks", ticks);
  if (ullnic_dma_read_errors(card, &errors) != 0) return -EIO;
  if (!(errors.extensions >> 17 & 1)) return fail(ENOTSUP, "its DMA has no watchdog");
  errors.watchdog[0] = ticks != 0;
  if (queue != ULLNIC_DMA_EVERY_QUEUE) errors.watchdog[0] |= 2 | queue << 16;
  if (ticks != 0) {
    errors.watchdog[1] = ticks;
    errors.watchdog[3] = 0;
  }
  pwrite(card->dma, &errors, sizeof(errors), 2 * sizeof(struct ullnic_dma_queue));
  return 0;
}

int ullnic_port_open(ullnic_t* card, unsigned number, ullnic_port_t** opened) {
  struct ullnic_port* port = &card->port[number];
  port->last = &port->first;
  port->queued_last = &port->queued;
  port->poller = epoll_create1(EPOLL_CLOEXEC);
  port->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(port->poller, EPOLL_CTL_ADD, port->tap, &event);
  event.events = EPOLLIN | EPOLLET;
  epoll_ctl(port->poller, EPOLL_CTL_ADD, port->timer, &event);
  if (card->orders >= 0 || card->queue_us > 0) {
    long gap_ns = (card->queue_us > 0 ? card->queue_us : card->order_gap_us) * 1000L + 1000;
    struct itimerspec times = {.it_interval = {.tv_nsec = gap_ns}, .it_value = {.tv_nsec = gap_ns}};
    timerfd_settime(port->timer, 0, &times, NULL);
  }
  *opened = port;
  return 0;
}

void ullnic_port_close(ullnic_port_t* port) { (void)port; }

int ullnic_port_fd(ullnic_port_t* port) { return port->poller; }

int ullnic_port_arm(ullnic_port_t* port) {
  struct epoll_event event;
  user_logic(port);
  if (port->first != NULL) return port->first->due_us <= now_us();
  return epoll_wait(port->poller, &event, 1, 0) > 0;
}

int ullnic_send_raw(ullnic_port_t* port, const void* frame, size_t len) {
  if (len < 14 || len > LONGEST) return fail(EINVAL, "a frame of %zu bytes", len);
  user_logic(port);
  /* Sometimes the ring is full. */
  if (draw(port->card) % 64 == 0) return fail(EAGAIN, "full");
  const uint8_t* f = frame;
  if (len > 58 && f[12] == 0x81) f += 4; /* with a VLAN tag */
  if (len > 54 && f[12] == 8 && f[13] == 0 && f[23] == 6) {
    unsigned payload = ((unsigned)f[16] << 8 | f[17]) - 20 - (f[46] >> 4) * 4u;
    port->card->raw_payloads += payload > 0;
  }
  leave(port, frame, len);
  return 0;
}

int ullnic_send_payload(ullnic_port_t* port, uint16_t id, const void* payload, size_t len) {
  user_logic(port);
  /* Sometimes the ring is full. */
  if (draw(port->card) % 64 == 0) return fail(EAGAIN, "full");
  if (port->card->queue_us > 0 && len > 0) {
    struct held* queued = hold(payload, len, 0);
    queued->due_us = now_us() + port->card->queue_us;
    queued->ticks = id;
    queued->next = NULL;
    *port->queued_last = queued;
    port->queued_last = &queued->next;
  } else if (software_send(port, id, payload, len))
    (*(len > 0 ? &port->card->payloads : &port->card->acks))++;
  user_logic(port);
  return 0;
}

/* False: the TAP interface has been deleted. */
static bool take_from_line(struct ullnic_port* port) {
  struct ullnic_card* card = port->card;
  uint8_t frame[LONGEST];
  ssize_t len = 0;
  for (int i = 0; i < RING && (len = read(port->tap, frame, sizeof(frame))) > 0; i++) {
    struct stat there;
    bool shut = card->gate[0] != '\0' && stat(card->gate, &there) == 0;
    if (shut || happens(card, card->drop_in)) {
      card->dropped_in++;
      continue;
    }
    learn_window(frame, (size_t)len);
    struct held* held = hold(frame, (size_t)len, ULLNIC_FRAME_RECEIVED);
    if (port->swapped_in == NULL && happens(card, card->swap)) {
      port->swapped_in = held;
      card->swapped++;
      continue;
    }
    push(port, held);
    if (happens(card, card->dup)) {
      push(port, hold(frame, (size_t)len, ULLNIC_FRAME_RECEIVED));
      card->doubled++;
    }
    if (port->swapped_in != NULL) push(port, port->swapped_in);
    port->swapped_in = NULL;
  }
  return len >= 0 || errno != EBADFD;
}

int ullnic_receive(ullnic_port_t* port, struct ullnic_frame* frame) {
  free(port->given);
  port->given = NULL;
  user_logic(port);
  if (port->first == NULL && !take_from_line(port)) return fail(ENODEV, "the card went away");
  if (port->first == NULL) {
    /* A frame to be swapped without a following one. */
    if (port->swapped_out != NULL) {
      transmit(port, port->swapped_out->data, port->swapped_out->len);
      free(port->swapped_out);
      port->swapped_out = NULL;
    }
    if (port->swapped_in == NULL) return 0;
    push(port, port->swapped_in);
    port->swapped_in = NULL;
  }
  if (port->first->due_us > 0 && port->first->due_us > now_us()) {
    if (port->first->next == NULL) take_from_line(port);
    return 0;
  }
  struct held* held = port->given = port->first;
  port->first = held->next;
  if (port->first == NULL) port->last = &port->first;
  *frame = (struct ullnic_frame){.data = held->data,
                                 .len = held->len,
                                 .type = held->type,
                                 .port = (uint8_t)port->number,
                                 .seq = port->seq++,
                                 .timestamp = held->ticks};
  return 1;
}
