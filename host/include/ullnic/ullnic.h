/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file ullnic.h
 * User-space driver of an ullnic card: registers, frames in both directions, interrupts.
 *
 * The card is a PCI function reached through Linux VFIO or through a virtual card's vfio-user
 * socket; only the name that is opened differs. The library starts no threads. A virtual card that
 * does not respond blocks a call that accesses registers for at most 20 s; the call then returns
 * -ETIMEDOUT.
 *
 * **Errors.** A call that can fail returns 0 or a positive result, or -errno; ullnic_last_error()
 * then returns cause and remedy. -ENODEV means that the card is gone (the virtual card ended or the
 * device was unbound): every later call returns -ENODEV, too, until the card is closed and
 * reopened.
 *
 * **Threads.** A port belongs to one thread at a time, or to two: one that sends (ullnic_send_*)
 * and one that receives (ullnic_receive(), ullnic_port_arm()). Different ports of one card may be
 * used by different threads. Any thread may access registers. ullnic_port_close() is the last call
 * for a port, ullnic_close() the last of all.
 *
 * **Processes.** A card is held by one process at a time. A child made by fork() must not use it.
 */
#ifndef ULLNIC_ULLNIC_H
#define ULLNIC_ULLNIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Longest frame that the card sends or receives, in bytes, without FCS. */
#define ULLNIC_MAX_FRAME 9618
/** Maximum number of ports of a card. */
#define ULLNIC_MAX_PORTS 8
/** Capacity of a port's send ring, in frames. */
#define ULLNIC_SEND_FRAMES 255
/** Receive buffers of a port: a frame uses one for each 2 KiB of its bytes and a 16-byte header. */
#define ULLNIC_RECEIVE_BUFFERS 2047
/** Tick of a card's timestamps, in picoseconds: its host clock of 250 MHz. */
#define ULLNIC_TICK_PS 4000
/** The same of a tester (ullnic_kind() is ULLNIC_KIND_TESTER). */
#define ULLNIC_TESTER_TICK_PS 250

/** An open card. (Not struct ullnic, which would clash with the project's C++ namespace.) */
typedef struct ullnic_card ullnic_t;
/** An open port of a card: its queues and rings. */
typedef struct ullnic_port ullnic_port_t;

/** Type of a frame that ullnic_receive() returns. */
enum ullnic_frame_type {
  /** Received from the line, with a correct FCS. */
  ULLNIC_FRAME_RECEIVED = 0,
  /** Mirror of an accelerated frame that was sent. */
  ULLNIC_FRAME_SENT = 1,
  /** Mirror of one that was sent with a bad FCS; SEQ does not include it. */
  ULLNIC_FRAME_SENT_BAD = 2,
};

/** A frame that was received, or the mirror of one that the transmit engine sent. */
struct ullnic_frame {
  /** Starts at the destination address, without FCS, contiguous. */
  const uint8_t* data;
  /** Bytes. */
  uint16_t len;
  /** enum ullnic_frame_type */
  uint8_t type;
  /** Number of the port. */
  uint8_t port;
  /** Sequence number of the frame on this port since the card's reset, modulo 2^32, without
   * gaps. */
  uint32_t seq;
  /**
   * Start of the frame, or for a mirror the time when its last word was sent; since the card's
   * reset, in ticks of ullnic_tick_ps().
   */
  uint64_t timestamp;
};

/**
 * Opens a card for this process exclusively.
 *
 * @param name `vfio-user:PATH` (socket of a virtual card), `vfio:DDDD:BB:DD.F` (PCI address of a
 *        device bound to vfio-pci), `ullnicd:PATH` (the card that the daemon with this socket
 *        holds: registers, and ports that only send; without PATH: $ULLNICD_SOCKET or
 *        /run/ullnicd.sock), or NULL for the value of the environment variable ULLNIC_CARD.
 * @param[out] card set only if 0 is returned
 * @return 0, or
 *   -EINVAL the name is not one of these forms; -ENOENT no such socket or device;
 *   -ECONNREFUSED nothing listens on the socket; -EBUSY another program holds the card;
 *   -ENXIO the device exists but is not an ullnic card; -EPROTO the protocol version differs;
 *   -EACCES no permission; -ETIMEDOUT no response; -ENODEV the card disappeared meanwhile;
 *   -ENOMEM no memory, or the limit of locked memory is too low.
 */
int ullnic_open(const char* name, ullnic_t** card);

/** Closes the card and each of its ports that is still open. NULL is ignored. */
void ullnic_close(ullnic_t* card);

/**
 * Cause and remedy, in one line, of this thread's last call that failed. Never NULL; empty before
 * the first failure. Valid until this thread's next failure.
 */
const char* ullnic_last_error(void);

/** Version of the library, "major.minor.patch". */
const char* ullnic_version(void);

/**
 * Reads a word of the card's registers (BAR2, see ullnic/card.h). Waits for the completion, about 1
 * us. An unimplemented address reads as all ones.
 *
 * @param address bytes, a multiple of 4
 * @return 0; -EINVAL the address is outside the BAR or not a multiple of 4; -ENODEV; -ETIMEDOUT
 */
int ullnic_read32(ullnic_t* card, uint32_t address, uint32_t* value);

/**
 * Writes a word of the card's registers. Posted: it returns before the card has the word. Writes
 * stay in order, and a later ullnic_read32() sees their effect. Errors as of ullnic_read32().
 */
int ullnic_write32(ullnic_t* card, uint32_t address, uint32_t value);

/** Number of ports, 1 to ULLNIC_MAX_PORTS. */
unsigned ullnic_ports(const ullnic_t* card);
/** Bit mask of the ports that have a TCP transmit engine. */
uint32_t ullnic_tcp_enables(const ullnic_t* card);
/** Kind of the card, ULLNIC_KIND_* of ullnic/card.h. */
uint32_t ullnic_kind(const ullnic_t* card);
/**
 * Longest frame that a port sends, in bytes without FCS: ULLNIC_MAX_FRAME, or less with a TCP
 * transmit engine. 0 if there is no such port.
 */
unsigned ullnic_max_frame(const ullnic_t* card, unsigned port);
/** Tick of the card's timestamps, in picoseconds. */
unsigned ullnic_tick_ps(const ullnic_t* card);

/**
 * Creates a port's queues and starts both directions. Frames that the card buffered before the port
 * was opened are received first; their timestamps show it.
 *
 * If a daemon holds the card (`ullnicd:`), the daemon must have an address for the port.
 * ullnic_send_raw() hands frames to the daemon; ullnic_receive(), ullnic_port_arm() and
 * ullnic_send_payload() return -EOPNOTSUPP.
 *
 * @param port 0 to ullnic_ports() - 1
 * @return 0; -EINVAL no such port; -EBUSY already open; -ENOMEM; -EIO the card rejected the queues;
 *   -ENODEV
 */
int ullnic_port_open(ullnic_t* card, unsigned port, ullnic_port_t** opened);

/** Stops both directions and frees the memory. Frames still in the send ring are lost. NULL is
 * ignored. */
void ullnic_port_close(ullnic_port_t* port);

/**
 * Queues a frame for transmission. The frame is copied; frames are sent in the order of the calls.
 *
 * A port with a TCP transmit engine has a lower limit, 1518 bytes by default, which its register
 * MAX_FRAME states. A card before version 1.1 lacks the register and counts a longer frame in
 * CHUNKS_REFUSED.
 *
 * @param frame from the destination address on, without FCS; the card pads it to 60 bytes
 * @param len bytes, 14 to ULLNIC_MAX_FRAME
 * @return 0; -EAGAIN the ring is full: try again later; -EINVAL the length is out of range;
 *   -EMSGSIZE the frame is too long for this port; -EIO the card stopped the ring (close the port);
 *   -ENODEV
 */
int ullnic_send_raw(ullnic_port_t* port, const void* frame, size_t len);

/** A segment of a frame for ullnic_send_gather(). */
struct ullnic_piece {
  const void* data;
  /** Bytes; may be 0. */
  size_t len;
};

/** As ullnic_send_raw(), for a frame in `count` segments, in this order. */
int ullnic_send_gather(ullnic_port_t* port, const struct ullnic_piece* pieces, unsigned count);

/**
 * Hands payload to the TCP transmit engine, which prepends the connection's headers with its next
 * sequence number. A connection that is not enabled is not reported here (the engine counts
 * NO_CONN); a frame that was sent is received as ULLNIC_FRAME_SENT.
 *
 * @param conn connection, 0 to the port's ullnic_ate_connections() - 1
 * @param len bytes, 0 (a pure ACK) to the port's ullnic_ate_max_payload(), 1460 by default
 * @return 0; -EAGAIN as of ullnic_send_raw(); -EMSGSIZE the payload is too long; -EINVAL no such
 *   connection; -EOPNOTSUPP the port has no engine; -ENODEV
 */
int ullnic_send_payload(ullnic_port_t* port, uint16_t conn, const void* payload, size_t len);

/**
 * Batches sends: until ullnic_send_release() the doorbell is written only when the ring is full.
 * Saves a register write per frame in bursts.
 */
void ullnic_send_hold(ullnic_port_t* port);
/** Writes the doorbell for all sends since ullnic_send_hold(). Returns 0 or -ENODEV. */
int ullnic_send_release(ullnic_port_t* port);
/** Number of frames in the send ring that the card has not fetched yet. */
unsigned ullnic_send_pending(ullnic_port_t* port);

/**
 * Returns the oldest received frame. Reads host memory only; never sleeps.
 *
 * @param[out] frame valid until the port's next ullnic_receive(), ullnic_port_arm() or
 *   ullnic_port_close()
 * @return 1 a frame; 0 none; -ENODEV the card is gone (frames that had arrived are returned first);
 *   -EPROTO the card violated the format: the port must be closed
 */
int ullnic_receive(ullnic_port_t* port, struct ullnic_frame* frame);

/**
 * Returns a descriptor for poll(), select() or epoll. It is readable when ullnic_receive() may
 * return a frame or the card is gone; spurious wakeups occur. Call ullnic_port_arm() before each
 * wait. Do not read from it; the port closes it.
 */
int ullnic_port_fd(ullnic_port_t* port);

/**
 * Requests an interrupt for the next frame.
 *
 * @return 0 armed: wait on ullnic_port_fd(); 1 frames are already available, do not wait; -ENODEV
 */
int ullnic_port_arm(ullnic_port_t* port);

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_ULLNIC_H */
