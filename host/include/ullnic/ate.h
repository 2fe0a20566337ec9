/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file ate.h
 * Registers of the TCP transmit engine (cores/ate): software owns the connections, hardware sends
 * on them.
 *
 * A connection belongs to one thread at a time. All calls return 0 or the errors of
 * ullnic_read32(); also -EINVAL for a connection that the port's engine does not have, and
 * -EOPNOTSUPP for a port without an engine.
 */
#ifndef ULLNIC_ATE_H
#define ULLNIC_ATE_H

#include <stdbool.h>
#include <stdint.h>

#include "ullnic/card.h"
#include "ullnic/ullnic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Registers of a connection, from ULLNIC_CONNECTION_BASE(port, conn) on; contents in network
 * order. */
enum ullnic_ate_register {
  ULLNIC_ATE_MAC_0 = 0,      /**< peer's MAC address, bytes 0-3 */
  ULLNIC_ATE_MAC_1 = 4,      /**< bytes 4-5; own MAC address, bytes 0-1 */
  ULLNIC_ATE_MAC_2 = 8,      /**< bytes 2-5 */
  ULLNIC_ATE_PART_CSUM = 12, /**< partial checksums as numbers: TCP in the upper half, IP */
  ULLNIC_ATE_SRC_IP = 16,
  ULLNIC_ATE_DST_IP = 20,
  ULLNIC_ATE_TCP_PORTS = 24, /**< own port in the lower half */
  ULLNIC_ATE_SEQ = 28,
  ULLNIC_ATE_ACK = 32,     /**< bank 0; bank 1 is ULLNIC_ATE_BANK_BYTES above */
  ULLNIC_ATE_WINDOW = 36,  /**< in the upper half */
  ULLNIC_ATE_CONTROL = 48, /**< ULLNIC_ATE_ENABLE, _CHECK, _BANK */
  ULLNIC_ATE_MAX_SEQ = 52,
  ULLNIC_ATE_VLAN = 56, /**< tag, with ULLNIC_ATE_VLAN_TAGGED */
};
#define ULLNIC_ATE_BANK_BYTES 8u
#define ULLNIC_ATE_ENABLE 1u
#define ULLNIC_ATE_CHECK 2u
#define ULLNIC_ATE_BANK 4u
#define ULLNIC_ATE_VLAN_TAGGED (1u << 16)

/** Registers of a port's engine, from ULLNIC_ATE_BASE(port) on. */
enum ullnic_ate_engine_register {
  ULLNIC_ATE_ENGINE_ID = 0x00, /**< ULLNIC_ATE_ENGINE_MAGIC */
  ULLNIC_ATE_ENGINE_VERSION = 0x04,
  ULLNIC_ATE_ENGINE_CAPABILITY = 0x08, /**< longest payload 31:16, connections - 1 */
  ULLNIC_ATE_ENGINE_CONTROL = 0x0c,    /**< bit 0: strict */
  ULLNIC_ATE_ENGINE_COUNTERS = 0x40,   /**< 4 bytes each, see struct ullnic_ate_counters */
};
#define ULLNIC_ATE_ENGINE_MAGIC 0x41544530u
#define ULLNIC_ATE_ENGINE_MAJOR 1u

/** Value of `vlan` for a connection whose frames carry no tag. */
#define ULLNIC_ATE_NO_VLAN (-1)

/** Settings of a connection. Everything except addresses and ports is in host order. */
struct ullnic_ate_connection {
  uint8_t local_mac[6];
  uint8_t peer_mac[6]; /**< of the next hop */
  uint32_t local_ip;   /**< network order, as in struct in_addr */
  uint32_t peer_ip;    /**< network order */
  uint16_t local_port; /**< network order, as in struct sockaddr_in */
  uint16_t peer_port;  /**< network order */
  uint32_t seq;        /**< of the next byte */
  uint32_t ack;        /**< next byte expected from the peer */
  uint16_t window;     /**< value of the header field: already scaled */
  bool check_max_seq;  /**< window_available and tx_credit respect max_seq */
  uint32_t max_seq;    /**< one past the last byte that may be sent */
  int vlan;            /**< tag control information (0 to 0xffff), or ULLNIC_ATE_NO_VLAN */
};

/** Counters of a port's engine: frames since the card's reset, modulo 2^32. */
struct ullnic_ate_counters {
  uint32_t sent_user;  /**< accelerated frames of user logic */
  uint32_t sent_host;  /**< payloads of software */
  uint32_t sent_raw;   /**< frames of software, and raw frames of user logic */
  uint32_t no_conn;    /**< dropped: connection not enabled or nonexistent */
  uint32_t no_room;    /**< dropped: no room in the mirror */
  uint32_t no_window;  /**< strict mode, dropped: window closed */
  uint32_t bad_late;   /**< bad FCS: metadata too late or not held */
  uint32_t bad_length; /**< bad FCS: length does not match the words */
  uint32_t bad_window; /**< strict mode, bad FCS: payload beyond the window */
  uint32_t bad_raw;    /**< bad FCS: raw frame too long or malformed */
  uint32_t bad_chunk;  /**< dropped: malformed chunk of software */
  uint32_t aborted;    /**< of these, started and ended with a bad FCS; 0 if VERSION < 1.1 */
  uint32_t no_frame;   /**< dropped, engine with HOLD: length does not match the words */
};

/** Number of connections of a port's engine; also for a card that ullnicd holds. */
int ullnic_ate_connections(ullnic_t* card, unsigned port, unsigned* connections);
/** Longest payload of a port's engine, in bytes; also for a card that ullnicd holds. */
int ullnic_ate_max_payload(ullnic_t* card, unsigned port, unsigned* bytes);

/**
 * Writes all registers of a connection that is not enabled; computes the partial checksums. Call
 * ullnic_ate_enable() next. -EBUSY: it is enabled (disable it, and wait until SEQ no longer
 * changes).
 */
int ullnic_ate_setup(ullnic_t* card, unsigned port, unsigned conn,
                     const struct ullnic_ate_connection* connection);
/**
 * Enables the connection. When the call returns, the card has the setting: a payload handed over
 * afterwards finds the connection enabled. -EINVAL: it was not set up.
 */
int ullnic_ate_enable(ullnic_t* card, unsigned port, unsigned conn);
/**
 * Disables the connection: no frame starts after the call returns. One in progress is completed, so
 * SEQ may still change for one frame time.
 */
int ullnic_ate_disable(ullnic_t* card, unsigned port, unsigned conn);

/**
 * Sets acknowledgement number and window (as in the header) of all frames from now on. The change
 * is atomic: the idle bank is written, then the bank bit is flipped. Posted. -EINVAL: it was not
 * set up.
 */
int ullnic_ate_update(ullnic_t* card, unsigned port, unsigned conn, uint32_t ack, uint16_t window);
/** Sets MAX_SEQ, one past the last byte that may be sent. Posted. */
int ullnic_ate_set_max_seq(ullnic_t* card, unsigned port, unsigned conn, uint32_t max_seq);
/** Reads the engine's current sequence number of the next byte. */
int ullnic_ate_read_seq(ullnic_t* card, unsigned port, unsigned conn, uint32_t* seq);

/** Strict mode: user logic's payload beyond MAX_SEQ is never sent. Off after the card's reset. */
int ullnic_ate_set_strict(ullnic_t* card, unsigned port, bool strict);
/** Reads the engine's counters; also for a card that ullnicd holds. */
int ullnic_ate_read_counters(ullnic_t* card, unsigned port, struct ullnic_ate_counters* counters);

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_ATE_H */
