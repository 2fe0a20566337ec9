/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Opening and closing a card, and its registers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "call.h"
#include "error.h"
#include "internal.h"
#include "ullnic/card.h"

#define CARD_VARIABLE "ULLNIC_CARD"

const char* ullnic_version(void) { return ULLNIC_VERSION; }

static const char* after(const char* text, const char* prefix) {
  const size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

int ul_transport_open(const char* name, struct ul_transport** transport) {
  const char* rest = after(name, "vfio-user:");
  if (rest != NULL) {
    return ul_vfio_user_open(name, rest, transport);
  }
  rest = after(name, "vfio:");
  if (rest != NULL) {
    return ul_vfio_open(name, rest, transport);
  }
  rest = after(name, "ullnicd:");
  if (rest != NULL) {
    return ul_ullnicd_open(name, rest, transport);
  }
  return ul_fail(
      EINVAL,
      "%s: not a card's name; one is vfio-user:PATH (socket of a virtual card), "
      "vfio:0000:01:00.0 (PCI address) or ullnicd:PATH (the card that the daemon with this "
      "socket owns)",
      name);
}

/** Reads the longest frame that each port accepts; cards before version 1.1 lack the register. */
static int look_at_max_frames(struct ullnic_card* card, uint32_t minor) {
  int result = 0;
  for (unsigned port = 0; result == 0 && port < card->ports; ++port) {
    card->max_frame[port] = ULLNIC_MAX_FRAME;
    if (minor >= 1) {
      result =
          ullnic_read32(card, ULLNIC_HOST_PATH_REGISTER(port, MAX_FRAME), &card->max_frame[port]);
    }
  }
  return result;
}

static int look_at_card(struct ullnic_card* card) {
  uint32_t id = 0;
  uint32_t version = 0;
  uint32_t kind = 0;
  if (card->transport->bar_size[UL_BAR_CARD] < ULLNIC_BAR_SIZE) {
    return ul_fail(ENXIO, "%s: its BAR2 is too small for an ullnic card; give another", card->name);
  }
  int result = ullnic_read32(card, ULLNIC_CARD_REGISTER(ID), &id);
  if (result == 0) {
    result = ullnic_read32(card, ULLNIC_CARD_REGISTER(VERSION), &version);
  }
  if (result == 0) {
    result = ullnic_read32(card, ULLNIC_CARD_REGISTER(CARD), &kind);
  }
  if (result == 0) {
    result = ullnic_read32(card, ULLNIC_CARD_REGISTER(TCP_ENABLES), &card->tcp_enables);
  }
  if (result != 0) {
    return result;
  }
  if (id != CARD_REGS__ID__ID_reset) {
    return ul_fail(ENXIO, "%s: behind its DMA is no ullnic card (ID 0x%08x); give another",
                   card->name, id);
  }
  if (version >> CARD_REGS__VERSION__MAJOR_bp != CARD_REGS__VERSION__MAJOR_reset) {
    return ul_fail(EPROTO,
                   "%s: its registers have version %u.%u, this library knows %u; use one that "
                   "fits",
                   card->name, version >> CARD_REGS__VERSION__MAJOR_bp,
                   version & CARD_REGS__VERSION__MINOR_bm, CARD_REGS__VERSION__MAJOR_reset);
  }
  const unsigned ports = (kind & CARD_REGS__CARD__PORTS_bm) >> CARD_REGS__CARD__PORTS_bp;
  card->kind = kind & CARD_REGS__CARD__KIND_bm;
  card->tcp_enables &= CARD_REGS__TCP_ENABLES__PORTS_bm;
  if (ports == 0 || ports > ULLNIC_MAX_PORTS || card->tcp_enables >> ports != 0 ||
      (ports > card->transport->vectors && !card->transport->owned_elsewhere)) {
    return ul_fail(EPROTO,
                   "%s: %u ports, engines at 0x%x, %u interrupts: that does not go together; "
                   "use a library that fits the card",
                   card->name, ports, card->tcp_enables, card->transport->vectors);
  }
  card->ports = ports;
  return look_at_max_frames(card, version & CARD_REGS__VERSION__MINOR_bm);
}

static int make_interrupts(struct ullnic_card* card) {
  for (unsigned port = 0; port < card->ports; ++port) {
    card->interrupt[port] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (card->interrupt[port] < 0) {
      return ul_fail(errno, "%s: no eventfd: %s", card->name, strerror(errno));
    }
  }
  return card->transport->ops->set_vectors(card->transport, card->interrupt, card->ports);
}

static int start(struct ullnic_card* card, const char* name) {
  static const uint16_t ring_entries[UL_RING_KINDS] = {
      [UL_RING_H2C] = UL_SEND_SLOTS + 1,
      [UL_RING_C2H] = UL_BUFFERS + 1,
      [UL_RING_COMPLETION] = UL_BUFFERS + 1,
  };
  card->name = strdup(name);
  if (card->name == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  int result = ul_transport_open(card->name, &card->transport);
  if (result == 0 && card->transport->owned_elsewhere) {
    return look_at_card(card);
  }
  if (result == 0) {
    result = ul_qdma_start(&card->qdma, card->transport, ULLNIC_MAX_PORTS, ring_entries,
                           UL_BUFFER_BYTES);
  }
  if (result == 0) {
    result = look_at_card(card);
  }
  if (result == 0) {
    result = make_interrupts(card);
  }
  return result != 0 ? result : ul_ate_start(card);
}

int ullnic_open(const char* name, ullnic_t** opened) {
  UL_ONE_DEADLINE();
  if (name == NULL) {
    name = getenv(CARD_VARIABLE);
  }
  if (name == NULL || name[0] == '\0') {
    return ul_fail(EINVAL, "no card is named; set " CARD_VARIABLE ", as in " CARD_VARIABLE
                           "=vfio-user:/path/to/socket");
  }
  struct ullnic_card* card = calloc(1, sizeof *card);
  if (card == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  pthread_mutex_init(&card->lock, NULL);
  memset(card->interrupt, -1, sizeof card->interrupt);
  const int result = start(card, name);
  if (result != 0) {
    ullnic_close(card);
    return result;
  }
  *opened = card;
  return 0;
}

void ullnic_close(ullnic_t* card) {
  UL_ONE_DEADLINE();
  if (card == NULL) {
    return;
  }
  for (unsigned port = 0; port < card->ports; ++port) {
    ullnic_port_close(card->port[port]);
  }
  ul_ate_end(card);
  if (card->transport != NULL) {
    card->transport->ops->close(card->transport);
  }
  for (unsigned port = 0; port < ULLNIC_MAX_PORTS; ++port) {
    if (card->interrupt[port] >= 0) {
      close(card->interrupt[port]);
    }
  }
  pthread_mutex_destroy(&card->lock);
  free(card->name);
  free(card);
}

static int check_address(const ullnic_t* card, uint32_t address) {
  if (address % 4 == 0 && address < ULLNIC_BAR_SIZE) {
    return 0;
  }
  return ul_fail(EINVAL, "%s: no register at 0x%x: addresses are multiples of 4 below 0x%x",
                 card->name, address, ULLNIC_BAR_SIZE);
}

int ullnic_read32(ullnic_t* card, uint32_t address, uint32_t* value) {
  const int result = check_address(card, address);
  return result != 0 ? result
                     : card->transport->ops->read32(card->transport, UL_BAR_CARD, address, value);
}

int ullnic_write32(ullnic_t* card, uint32_t address, uint32_t value) {
  const int result = check_address(card, address);
  return result != 0 ? result
                     : card->transport->ops->write32(card->transport, UL_BAR_CARD, address, value);
}

unsigned ullnic_ports(const ullnic_t* card) { return card->ports; }
uint32_t ullnic_tcp_enables(const ullnic_t* card) { return card->tcp_enables; }
uint32_t ullnic_kind(const ullnic_t* card) { return card->kind; }

unsigned ullnic_max_frame(const ullnic_t* card, unsigned port) {
  return port < card->ports ? card->max_frame[port] : 0;
}

unsigned ullnic_tick_ps(const ullnic_t* card) {
  return card->kind == ULLNIC_KIND_TESTER ? ULLNIC_TESTER_TICK_PS : ULLNIC_TICK_PS;
}
