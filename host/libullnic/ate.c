/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Registers of the TCP transmit engine.
 */
#include "ullnic/ate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "checksum.h"
#include "error.h"
#include "internal.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "registers in network order are written as a little-endian host stores bytes"
#endif

enum {
  LOADED = 0x80,  // in the copy of a control register: the connection's other registers are written
  IP_SEED = 0xc506,  // of the partial checksums: constant header fields
  TCP_SEED = 0x501a,
  WINDOW_CONNECTIONS = 512,  // of the public window
};

/** Register of the counters, in the order of struct ullnic_ate_counters. */
static const uint8_t counter_numbers[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 7};
_Static_assert(sizeof counter_numbers * 4 == sizeof(struct ullnic_ate_counters),
               "one number for each counter");

/** Reads the engine's identity and parameters. */
static int look_at_engine(struct ullnic_card* card, unsigned port) {
  struct ul_ate* ate = &card->ate[port];
  const uint32_t base = ULLNIC_ATE_BASE(port);
  uint32_t id = 0;
  uint32_t version = 0;
  uint32_t capability = 0;
  int result = ullnic_read32(card, base + ULLNIC_ATE_ENGINE_ID, &id);
  if (result == 0) {
    result = ullnic_read32(card, base + ULLNIC_ATE_ENGINE_VERSION, &version);
  }
  if (result == 0) {
    result = ullnic_read32(card, base + ULLNIC_ATE_ENGINE_CAPABILITY, &capability);
  }
  if (result != 0) {
    return result;
  }
  if (id != ULLNIC_ATE_ENGINE_MAGIC || version >> 16 != ULLNIC_ATE_ENGINE_MAJOR) {
    return ul_fail(EPROTO,
                   "%s: the engine of port %u has ID 0x%08x, version %u, this library knows "
                   "0x%08x, version %u; use one that fits",
                   card->name, port, id, version >> 16, ULLNIC_ATE_ENGINE_MAGIC,
                   ULLNIC_ATE_ENGINE_MAJOR);
  }
  const unsigned max_payload = capability >> 16;
  if (max_payload > UL_MAX_PAYLOAD) {
    return ul_fail(EPROTO,
                   "%s: the engine of port %u takes %u bytes at once, this library sends %u at "
                   "most; use one that fits",
                   card->name, port, max_payload, UL_MAX_PAYLOAD);
  }
  const unsigned connections = (capability & 0xffff) + 1;
  ate->connections = connections < WINDOW_CONNECTIONS ? connections : WINDOW_CONNECTIONS;
  ate->max_payload = max_payload;
  return 0;
}

/** A previous owner may have been killed with connections open. */
static int take_connections(struct ullnic_card* card, unsigned port) {
  struct ul_ate* ate = &card->ate[port];
  ate->control = calloc(ate->connections, 1);
  if (ate->control == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  int result = 0;
  for (unsigned conn = 0; result == 0 && conn < ate->connections; ++conn) {
    result = ullnic_write32(card, ULLNIC_CONNECTION_BASE(port, conn) + ULLNIC_ATE_CONTROL, 0);
  }
  return result != 0 ? result : ullnic_ate_set_strict(card, port, false);
}

int ul_ate_start(struct ullnic_card* card) {
  int result = 0;
  for (unsigned port = 0; result == 0 && port < card->ports; ++port) {
    if (card->tcp_enables >> port & 1) {
      result = look_at_engine(card, port);
      if (result == 0) {
        result = take_connections(card, port);
      }
    }
  }
  return result;
}

void ul_ate_end(struct ullnic_card* card) {
  for (unsigned port = 0; port < ULLNIC_MAX_PORTS; ++port) {
    free(card->ate[port].control);
  }
}

/** For reading its parameters and counters. */
static int find_engine(struct ullnic_card* card, unsigned port, struct ul_ate** ate) {
  if (port >= card->ports) {
    return ul_fail(EINVAL, "%s: no port %u; it has 0 to %u", card->name, port, card->ports - 1);
  }
  *ate = &card->ate[port];
  // The engine of a card that a daemon owns is read on first use.
  if ((*ate)->connections == 0 && (card->tcp_enables >> port & 1) != 0) {
    const int result = look_at_engine(card, port);
    if (result != 0) {
      return result;
    }
  }
  return (*ate)->connections != 0
             ? 0
             : ul_fail(EOPNOTSUPP, "%s: port %u has no TCP transmit engine; take another",
                       card->name, port);
}

/** For changes. */
static int find_own_engine(struct ullnic_card* card, unsigned port, struct ul_ate** ate) {
  return card->transport->owned_elsewhere
             ? ul_fail(EOPNOTSUPP, "%s: the daemon owns its engines; ask it", card->name)
             : find_engine(card, port, ate);
}

/** Finds the copy of the connection's control register. */
static int find(struct ullnic_card* card, unsigned port, unsigned conn, uint8_t** control) {
  struct ul_ate* ate;
  const int result = find_own_engine(card, port, &ate);
  if (result != 0) {
    return result;
  }
  if (conn >= ate->connections) {
    return ul_fail(EINVAL, "%s: connection %u: the engine of port %u has 0 to %u", card->name, conn,
                   port, ate->connections - 1);
  }
  *control = &ate->control[conn];
  return 0;
}

static int find_loaded(struct ullnic_card* card, unsigned port, unsigned conn, uint8_t** control) {
  const int result = find(card, port, conn, control);
  if (result != 0 || **control & LOADED) {
    return result;
  }
  return ul_fail(EINVAL,
                 "%s: connection %u of port %u is not set up; call ullnic_ate_setup() first",
                 card->name, conn, port);
}

static int write_register(struct ullnic_card* card, unsigned port, unsigned conn, uint32_t offset,
                          uint32_t value) {
  return ullnic_write32(card, ULLNIC_CONNECTION_BASE(port, conn) + offset, value);
}

static int write_control(struct ullnic_card* card, unsigned port, unsigned conn, uint8_t control) {
  return write_register(card, port, conn, ULLNIC_ATE_CONTROL, control & (uint8_t)~LOADED);
}

/** The same; the engine has the value on return. */
static int write_control_now(struct ullnic_card* card, unsigned port, unsigned conn,
                             uint8_t control) {
  const uint32_t address = ULLNIC_CONNECTION_BASE(port, conn) + ULLNIC_ATE_CONTROL;
  uint32_t there = 0;
  int result = write_control(card, port, conn, control);
  if (result == 0) {
    result = ullnic_read32(card, address, &there);
  }
  if (result == 0 && there != (control & (uint8_t)~LOADED)) {
    return ul_fail(EIO,
                   "%s: the engine of port %u did not take the control word of connection %u "
                   "(0x%x); reset the card",
                   card->name, port, conn, there);
  }
  return result;
}

int ullnic_ate_connections(ullnic_t* card, unsigned port, unsigned* connections) {
  UL_ONE_DEADLINE();
  struct ul_ate* ate;
  const int result = find_engine(card, port, &ate);
  if (result == 0) {
    *connections = ate->connections;
  }
  return result;
}

int ullnic_ate_max_payload(ullnic_t* card, unsigned port, unsigned* bytes) {
  UL_ONE_DEADLINE();
  struct ul_ate* ate;
  const int result = find_engine(card, port, &ate);
  if (result == 0) {
    *bytes = ate->max_payload;
  }
  return result;
}

static uint32_t word_at(const uint8_t* bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/** Sums are over 16-bit words in network order, as numbers. */
static uint32_t partial_checksums(const struct ullnic_ate_connection* c) {
  const uint32_t local = ntohl(c->local_ip);
  const uint32_t peer = ntohl(c->peer_ip);
  const uint32_t addresses = (local >> 16) + (local & 0xffff) + (peer >> 16) + (peer & 0xffff);
  const uint32_t ports = (uint32_t)ntohs(c->local_port) + ntohs(c->peer_port);
  return (uint32_t)ul_fold(TCP_SEED + addresses + ports) << 16 | ul_fold(IP_SEED + addresses);
}

int ullnic_ate_setup(ullnic_t* card, unsigned port, unsigned conn,
                     const struct ullnic_ate_connection* c) {
  UL_ONE_DEADLINE();
  uint8_t* control;
  int result = find(card, port, conn, &control);
  if (result != 0) {
    return result;
  }
  if (*control & ULLNIC_ATE_ENABLE) {
    return ul_fail(EBUSY, "%s: connection %u of port %u is enabled; disable it first", card->name,
                   conn, port);
  }
  if (c->vlan != ULLNIC_ATE_NO_VLAN && (c->vlan < 0 || c->vlan > 0xffff)) {
    return ul_fail(EINVAL, "VLAN tag %d is not in 0 to 65535", c->vlan);
  }
  uint8_t macs[12];
  memcpy(macs, c->peer_mac, 6);
  memcpy(macs + 6, c->local_mac, 6);
  const struct {
    uint32_t offset, value;
  } registers[] = {
      {ULLNIC_ATE_MAC_0, word_at(macs)},
      {ULLNIC_ATE_MAC_1, word_at(macs + 4)},
      {ULLNIC_ATE_MAC_2, word_at(macs + 8)},
      {ULLNIC_ATE_PART_CSUM, partial_checksums(c)},
      {ULLNIC_ATE_SRC_IP, c->local_ip},
      {ULLNIC_ATE_DST_IP, c->peer_ip},
      {ULLNIC_ATE_TCP_PORTS, c->local_port | (uint32_t)c->peer_port << 16},
      {ULLNIC_ATE_SEQ, htonl(c->seq)},
      {ULLNIC_ATE_ACK, htonl(c->ack)},
      {ULLNIC_ATE_WINDOW, (uint32_t)htons(c->window) << 16},
      {ULLNIC_ATE_MAX_SEQ, htonl(c->max_seq)},
      {ULLNIC_ATE_VLAN,
       c->vlan == ULLNIC_ATE_NO_VLAN ? 0 : ULLNIC_ATE_VLAN_TAGGED | (uint32_t)c->vlan},
  };
  *control = 0;
  result = write_control(card, port, conn, *control);
  for (unsigned i = 0; result == 0 && i < sizeof registers / sizeof *registers; ++i) {
    result = write_register(card, port, conn, registers[i].offset, registers[i].value);
  }
  if (result == 0) {
    *control = LOADED | (c->check_max_seq ? ULLNIC_ATE_CHECK : 0);
  }
  return result;
}

int ullnic_ate_enable(ullnic_t* card, unsigned port, unsigned conn) {
  UL_ONE_DEADLINE();
  uint8_t* control;
  const int result = find_loaded(card, port, conn, &control);
  if (result != 0) {
    return result;
  }
  *control |= ULLNIC_ATE_ENABLE;
  return write_control_now(card, port, conn, *control);
}

int ullnic_ate_disable(ullnic_t* card, unsigned port, unsigned conn) {
  UL_ONE_DEADLINE();
  uint8_t* control;
  const int result = find(card, port, conn, &control);
  if (result != 0) {
    return result;
  }
  *control &= (uint8_t)~ULLNIC_ATE_ENABLE;
  return write_control_now(card, port, conn, *control);
}

int ullnic_ate_update(ullnic_t* card, unsigned port, unsigned conn, uint32_t ack, uint16_t window) {
  UL_ONE_DEADLINE();
  uint8_t* control;
  int result = find_loaded(card, port, conn, &control);
  if (result != 0) {
    return result;
  }
  const uint8_t flipped = *control ^ ULLNIC_ATE_BANK;
  const uint32_t bank = flipped & ULLNIC_ATE_BANK ? ULLNIC_ATE_BANK_BYTES : 0;
  result = write_register(card, port, conn, ULLNIC_ATE_ACK + bank, htonl(ack));
  if (result == 0) {
    result =
        write_register(card, port, conn, ULLNIC_ATE_WINDOW + bank, (uint32_t)htons(window) << 16);
  }
  if (result == 0) {
    result = write_control(card, port, conn, flipped);
  }
  if (result == 0) {
    *control = flipped;
  }
  return result;
}

int ullnic_ate_set_max_seq(ullnic_t* card, unsigned port, unsigned conn, uint32_t max_seq) {
  uint8_t* control;
  const int result = find_loaded(card, port, conn, &control);
  return result != 0 ? result
                     : write_register(card, port, conn, ULLNIC_ATE_MAX_SEQ, htonl(max_seq));
}

int ullnic_ate_read_seq(ullnic_t* card, unsigned port, unsigned conn, uint32_t* seq) {
  UL_ONE_DEADLINE();
  uint8_t* control;
  uint32_t value = 0;
  int result = find(card, port, conn, &control);
  if (result == 0) {
    result = ullnic_read32(card, ULLNIC_CONNECTION_BASE(port, conn) + ULLNIC_ATE_SEQ, &value);
  }
  if (result == 0) {
    *seq = ntohl(value);
  }
  return result;
}

int ullnic_ate_set_strict(ullnic_t* card, unsigned port, bool strict) {
  UL_ONE_DEADLINE();
  struct ul_ate* ate;
  const int result = find_own_engine(card, port, &ate);
  return result != 0
             ? result
             : ullnic_write32(card, ULLNIC_ATE_BASE(port) + ULLNIC_ATE_ENGINE_CONTROL, strict);
}

int ullnic_ate_read_counters(ullnic_t* card, unsigned port, struct ullnic_ate_counters* counters) {
  UL_ONE_DEADLINE();
  struct ul_ate* ate;
  uint32_t values[sizeof counter_numbers];
  int result = find_engine(card, port, &ate);
  for (unsigned i = 0; result == 0 && i < sizeof counter_numbers; ++i) {
    result = ullnic_read32(
        card, ULLNIC_ATE_BASE(port) + ULLNIC_ATE_ENGINE_COUNTERS + 4u * counter_numbers[i],
        &values[i]);
  }
  if (result == 0) {
    memcpy(counters, values, sizeof *counters);
  }
  return result;
}
