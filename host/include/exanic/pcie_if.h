/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file pcie_if.h
 * Numbers that programs share with a card. The registers are those that exanic_register_read() and
 * exanic_register_write() support; the names of others are in absent_registers.h.
 */
#ifndef EXANIC_PCIE_IF_H
#define EXANIC_PCIE_IF_H

#include <stddef.h>
#include <stdint.h>

#include "exanic/absent_registers.h"

#ifndef PAGE_SIZE
#define PAGE_SIZE 4096UL
#endif

enum {
  EXANIC_ATE_ENGINES_PER_PORT = 512, /**< connections; ullnic_ate_connections() has the card's */
  EXANIC_TX_CMD_FIFO_SIZE_DIVISOR = 512, /**< a buffer's bytes per frame in flight */
  EXANIC_TX_REGION_MAX_NUM_PAGES = 512,
  EXANIC_RX_CHUNK_SIZE = 128,
  EXANIC_RX_CHUNK_PAYLOAD_SIZE = 120,
  EXANIC_RX_DMA_NUM_PAGES = 512, /**< of a receive buffer's ring: 2 MiB */
  EXANIC_RX_NUM_CHUNKS = EXANIC_RX_DMA_NUM_PAGES * 4096 / EXANIC_RX_CHUNK_SIZE,
  EXANIC_NUM_FILTERS_PER_REGION = 256, /**< of a port: so many IP and so many MAC filters */
};

/** Registers of a card. */
enum {
  REG_EXANIC_PCIE_IF_VER = 0,       /**< 1; a write does nothing, which programs use as a barrier */
  REG_EXANIC_HW_ID = 1,             /**< exanic_hardware_id_t */
  REG_EXANIC_FUNCTION_ID = 8,       /**< exanic_function_id_t */
  REG_EXANIC_HW_TIME = 9,           /**< lower 32 bits of the card's clock */
  REG_EXANIC_CLK_HZ = 13,           /**< its ticks per second */
  REG_EXANIC_CAPS = 14,             /**< exanic_caps_t */
  REG_EXANIC_HW_TIME_HI = 15,       /**< upper 32 bits of the card's clock */
  REG_EXANIC_PORTS_ATE_STATUS = 19, /**< bit i: port i has a transmit engine */
  REG_EXANIC_NUM_FILTER_BUFFERS = 33,
};
#define REG_EXANIC_OFFSET(reg) ((reg) * sizeof(uint32_t))
#define REG_EXANIC_INDEX(reg) (reg)

/** Registers of a port. */
enum {
  REG_PORT_ENABLED = 0,
  REG_PORT_SPEED = 1,              /**< Mbit/s */
  REG_PORT_STATUS = 2,             /**< exanic_port_status_t */
  REG_PORT_FLAGS = 4,              /**< exanic_port_flags_t, read-only */
  REG_PORT_TX_SUPPORTED_TYPES = 7, /**< bits of exanic_tx_type_id_t */
  /** Write-only: offset in the region of the struct tx_chunk to send. */
  REG_PORT_TX_COMMAND = 8,
  REG_PORT_TX_REGION_OFFSET = 9,
  REG_PORT_TX_REGION_SIZE = 10, /**< bytes of all exanic_tx_t::buffer of the port together */
  REG_PORT_TX_LAST_TIME = 11,   /**< exanic_get_tx_timestamp() */
};
#define REG_PORT_INDEX(port, reg) \
  (((port) >= 8 ? 0x1200u + ((port) - 8u) * 0x40u : 0x200u + (port) * 0x40u) / 4u + (reg))
#define REG_PORT_OFFSET(port, reg) (REG_PORT_INDEX(port, reg) * sizeof(uint32_t))

/** Counters of a port, as of exanic_get_port_stats(). */
enum {
  REG_PORT_STAT_TX = 1,
  REG_PORT_STAT_RX = 2,
  REG_PORT_STAT_RX_IGNORED = 3,
  REG_PORT_STAT_RX_ERROR = 4,
  REG_PORT_STAT_RX_DROPPED = 5,
};
#define REG_PORT_STAT_INDEX(port, reg) \
  (((port) >= 8 ? 0x1400u + ((port) - 8u) * 0x40u : 0x400u + (port) * 0x40u) / 4u + (reg))
#define REG_PORT_STAT_OFFSET(port, reg) (REG_PORT_STAT_INDEX(port, reg) * sizeof(uint32_t))

/**
 * Registers of a connection of a port's transmit engine, in bytes, as enum ullnic_ate_register of
 * ullnic/ate.h: the card has them at the same offsets.
 */
enum {
  REG_ATE_BASE = 0x40000,
  REG_ATE_DMAC_HI = 0,
  REG_ATE_DMAC_HI_SMAC_LO = 4,
  REG_ATE_SMAC_LO = 8,
  REG_ATE_PART_CSUM = 12,
  REG_ATE_SRC_IP = 16,
  REG_ATE_DST_IP = 20,
  REG_ATE_SRC_DST_PORT = 24,
  REG_ATE_SEQ = 28,
  REG_ATE_ACK = 32,
  REG_ATE_WINDOW = 36,
  REG_ATE_ACK_2 = 40,
  REG_ATE_WINDOW_2 = 44,
  REG_ATE_CTL = 48, /**< REG_ATE_CTL_ENABLE and so on */
  REG_ATE_MAX_SEQ = 52,
};
enum {
  REG_ATE_CTL_ENABLE = 1,
  REG_ATE_CTL_CHECK_MAX_SEQ = 2,
  REG_ATE_CTL_ACK_WIN_SEL = 4,
};
#define REG_ATE_CONN_ID_OFFSET 6
#define REG_ATE_PORT_OFFSET 15
/** In bytes; exanic_register_write() takes a quarter of it. */
#define REG_ATE_OFFSET(port, ate_id, whichreg) \
  (REG_ATE_BASE +                              \
   (((port) << REG_ATE_PORT_OFFSET) | ((ate_id) << REG_ATE_CONN_ID_OFFSET) | (whichreg)))

/** Products that programs ask for by name. */
typedef enum {
  EXANIC_HW_X4 = 2,
  EXANIC_HW_X2 = 3,
  EXANIC_HW_X10 = 4,
  EXANIC_HW_X10_GM = 5,
  EXANIC_HW_X40 = 6,
  EXANIC_HW_X10_HPT = 7,
  EXANIC_HW_V5P = 8,
  EXANIC_HW_X25 = 9,
  EXANIC_HW_X100 = 10,
  EXANIC_HW_V9P = 11,
  EXANIC_HW_V9P_3 = 12,
} exanic_hardware_id_t;

typedef enum {
  EXANIC_FUNCTION_NIC = 0, /**< every card of ours */
  EXANIC_FUNCTION_FIREWALL = 1,
  EXANIC_FUNCTION_FORWARDER = 2,
  EXANIC_FUNCTION_DEVKIT = 3,
  EXANIC_FUNCTION_PTP_GM = 4,
  EXANIC_FUNCTION_RECOVERY = (int)0x80000000,
} exanic_function_id_t;

/** Type of the contents of a struct tx_chunk. */
typedef enum {
  EXANIC_TX_TYPE_RAW = 1,       /**< a frame without FCS */
  EXANIC_TX_TYPE_TCP_ACCEL = 2, /**< payload of a connection of the transmit engine */
} exanic_tx_type_id_t;

/** Capabilities. Our cards set EXANIC_CAP_ATE (if a port has an engine), _HW_TIME_HI and _10G. */
typedef enum {
  EXANIC_CAP_RX_MSI = 0x00000001,
  EXANIC_CAP_STEER_TWO = 0x00000002,
  EXANIC_CAP_HOT_RELOAD = 0x00000004,
  EXANIC_CAP_JTAG_ACCESS = 0x00000008,
  EXANIC_CAP_ATE = 0x00000010,
  EXANIC_CAP_HW_TIME_HI = 0x00000100,
  EXANIC_CAP_CLK_ADJ_EXT = 0x00000200,
  EXANIC_CAP_LED_ID = 0x00000400,
  EXANIC_CAP_RX_IRQ = EXANIC_CAP_RX_MSI,
  EXANIC_CAP_BRIDGING = 0x00010000,
  EXANIC_CAP_MIRRORING = 0x00020000,
  EXANIC_CAP_DISABLE_TX_PADDING = 0x00040000,
  EXANIC_CAP_DISABLE_TX_CRC = 0x00080000,
  EXANIC_CAP_EXT_MIRRORING = 0x00100000,
  EXANIC_CAP_100M = 0x01000000,
  EXANIC_CAP_1G = 0x02000000,
  EXANIC_CAP_10G = 0x04000000,
  EXANIC_CAP_40G = 0x08000000,
  EXANIC_CAP_100G = 0x10000000,
  EXANIC_CAP_25G = 0x20000000,
  EXANIC_CAP_25G_S = 0x40000000,
} exanic_caps_t;

#define IS_25G_SUPPORTED(caps) (((caps) & (EXANIC_CAP_25G | EXANIC_CAP_25G_S)) != 0)

/** Bits of exanic_get_port_status(). */
typedef enum {
  EXANIC_PORT_STATUS_ENABLED = 0x01,
  EXANIC_PORT_STATUS_SFP = 0x02,    /**< never set: the card does not detect modules */
  EXANIC_PORT_STATUS_SIGNAL = 0x04, /**< set together with the next one */
  EXANIC_PORT_STATUS_LINK = 0x08,
  EXANIC_PORT_STATUS_AUTONEG_DONE = 0x10, /**< never set: 10GBASE-R has none */
  EXANIC_PORT_STATUS_RX_TIME_BAD = 0x20,
  EXANIC_PORT_STATUS_TX_TIME_BAD = 0x40, /**< the card has no transmit timestamps */
  EXANIC_PORT_RX_UNSUPPORTED = 0x01000000,
  EXANIC_PORT_TX_UNSUPPORTED = 0x02000000,
  EXANIC_PORT_NOT_IMPLEMENTED = (int)0x80000000,
} exanic_port_status_t;

/** Bits of REG_PORT_FLAGS. */
typedef enum {
  EXANIC_PORT_FLAG_PROMISCUOUS = 0x01, /**< always set: every frame is received */
  EXANIC_PORT_FLAG_FORCE_BASER_FEC = 0x02,
  EXANIC_PORT_FLAG_FORCE_RS_FEC = 0x04,
  EXANIC_PORT_FLAG_AUTONEG_ENABLE = 0x08,
  EXANIC_PORT_FLAG_LOOPBACK = 0x10,
  EXANIC_PORT_FLAG_DISABLE_TX_PADDING = 0x20,
  EXANIC_PORT_FLAG_DISABLE_TX_CRC = 0x40,
} exanic_port_flags_t;

/** Kind of the filter that matched, in the upper half of rx_chunk_info::frame_status. */
enum {
  EXANIC_FILTER_REGION_MAC = 0,
  EXANIC_FILTER_REGION_IP = 1,
};

/** Fields that exanic_enable_flow_hashing() hashes. Both directions of a flow go to one buffer. */
enum rx_hash_function {
  EXANIC_RX_HASH_FUNCTION_PORT = 0,
  EXANIC_RX_HASH_FUNCTION_IP = 1,
  EXANIC_RX_HASH_FUNCTION_PORT_IP = 2,
};

/** How exanic_mac_filter_t matches a VLAN tag. */
enum vlan_match_method {
  EXANIC_VLAN_MATCH_METHOD_ALL = 0,      /**< with a tag or without */
  EXANIC_VLAN_MATCH_METHOD_SPECIFIC = 1, /**< with this VLAN's */
  EXANIC_VLAN_MATCH_METHOD_NOT_VLAN = 2, /**< without */
  EXANIC_VLAN_MATCH_METHOD_ALL_VLAN = 3, /**< with any */
};

typedef enum {
  EXANIC_FIREWALL_DISABLE = 0,
  EXANIC_FIREWALL_ENABLE = 1,
  EXANIC_FIREWALL_TRANSPARENT = 2,
} exanic_firewall_state_t;

/** Name of a product; NULL if unknown. */
static inline const char* exanic_hardware_id_str(exanic_hardware_id_t id) {
  switch (id) {
    case EXANIC_HW_X4:
      return "ExaNIC X4";
    case EXANIC_HW_X2:
      return "ExaNIC X2";
    case EXANIC_HW_X10:
      return "ExaNIC X10";
    case EXANIC_HW_X10_GM:
      return "ExaNIC X10-GM";
    case EXANIC_HW_X40:
      return "ExaNIC X40";
    case EXANIC_HW_X10_HPT:
      return "ExaNIC X10-HPT";
    case EXANIC_HW_V5P:
      return "ExaNIC V5P";
    case EXANIC_HW_X25:
      return "ExaNIC X25";
    case EXANIC_HW_X100:
      return "ExaNIC X100";
    case EXANIC_HW_V9P:
      return "ExaNIC V9P";
    case EXANIC_HW_V9P_3:
      return "ExaNIC V9P-3";
    default:
      return NULL;
  }
}

/** Name of a card's function; NULL if unknown. */
static inline const char* exanic_function_id_str(exanic_function_id_t type) {
  switch (type) {
    case EXANIC_FUNCTION_NIC:
      return "network interface";
    case EXANIC_FUNCTION_FIREWALL:
      return "firewall";
    case EXANIC_FUNCTION_FORWARDER:
      return "forwarding device";
    case EXANIC_FUNCTION_DEVKIT:
      return "customer application";
    case EXANIC_FUNCTION_PTP_GM:
      return "PTP grandmaster";
    case EXANIC_FUNCTION_RECOVERY:
      return "recovery image";
    default:
      return NULL;
  }
}

/** Name of a chunk's type; NULL if unknown. */
static inline const char* exanic_tx_type_id_str(exanic_tx_type_id_t type_id) {
  switch (type_id) {
    case EXANIC_TX_TYPE_RAW:
      return "raw";
    case EXANIC_TX_TYPE_TCP_ACCEL:
      return "tcp_accel";
    default:
      return NULL;
  }
}

#endif /* EXANIC_PCIE_IF_H */
