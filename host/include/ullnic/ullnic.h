/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file ullnic.h
 * User-space driver of an ullnic card: registers, frames both ways, interrupts.
 *
 * The card is a PCI function behind Linux VFIO or a virtual card's vfio-user socket; nothing above
 * the name that is opened can tell which. No thread runs inside. A virtual card that has stopped
 * can hold up a call that accesses registers, for 20 s at most: then it gives -ETIMEDOUT.
 *
 * **Errors.** A call that can fail gives 0 (or a positive result) or -errno, and leaves a sentence
 * that names cause and remedy for ullnic_last_error(). -ENODEV means that the card went away (the
 * virtual card ended, the device was unbound): every later call gives -ENODEV, too, until the card
 * is closed and opened anew.
 *
 * **Threads.** A port belongs to one thread at a time, or to two: one that sends (ullnic_send_*)
 * and one that receives (ullnic_receive(), ullnic_port_arm()). Different ports of one card may be
 * used by different threads. Register access may come from any thread. ullnic_port_close() is the
 * last call for a port, ullnic_close() the last of all.
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

/** Longest frame that the card takes or gives, in bytes, without FCS. */
#define ULLNIC_MAX_FRAME 9618
/** Most ports that a card has. */
#define ULLNIC_MAX_PORTS 8
/** Frames that a port's send ring holds. */
#define ULLNIC_SEND_FRAMES 255
/** Receive buffers of a port: a frame takes one for each 2 KiB of itself and its 16-byte header. */
#define ULLNIC_RECEIVE_BUFFERS 2047
/** Tick of a card's timestamps, in picoseconds: its host clock of 250 MHz. */
#define ULLNIC_TICK_PS 4000
/** The same of a tester (ullnic_kind() is ULLNIC_KIND_TESTER). */
#define ULLNIC_TESTER_TICK_PS 250

/** An open card. (A struct ullnic could not stand beside the namespace of the project's C++.) */
typedef struct ullnic_card ullnic_t;
/** An open port of a card: its queues and rings. */
typedef struct ullnic_port ullnic_port_t;

/** What a frame that was received is. */
enum ullnic_frame_type {
  /** It came from the line, with a right FCS. */
  ULLNIC_FRAME_RECEIVED = 0,
  /** Mirror of an accelerated frame that left. */
  ULLNIC_FRAME_SENT = 1,
  /** Mirror of one that left with a wrong FCS and does not count in SEQ. */
  ULLNIC_FRAME_SENT_BAD = 2,
};

/** A frame that was received, or the mirror of one that the transmit engine sent. */
struct ullnic_frame {
  /** From the destination address on, without FCS, in one piece. */
  const uint8_t* data;
  /** Bytes. */
  uint16_t len;
  /** enum ullnic_frame_type */
  uint8_t type;
  /** Number of the port. */
  uint8_t port;
  /** Number of this frame on this port since the card's reset, modulo 2^32. There are no gaps. */
  uint32_t seq;
  /**
   * When the frame began, for a mirror when its last word left, since the card's reset; in ticks of
   * ullnic_tick_ps().
   */
  uint64_t timestamp;
};

/**
 * Opens a card and takes it for this process.
 *
 * @param name `vfio-user:PATH` (socket of a virtual card), `vfio:DDDD:BB:DD.F` (PCI address of a
 *        device bound to vfio-pci), `ullnicd:PATH` (the card that the daemon with this socket
 *        holds: registers, and ports that only send; without PATH: $ULLNICD_SOCKET or
 *        /run/ullnicd.sock), or NULL for the value of the environment variable ULLNIC_CARD.
 * @param[out] card set only with 0
 * @return 0, or
 *   -EINVAL the name is not one of these forms; -ENOENT no such socket or device;
 *   -ECONNREFUSED nothing listens on the socket; -EBUSY another program holds the card;
 *   -ENXIO it is there but is not an ullnic card; -EPROTO it speaks another version;
 *   -EACCES no right to it; -ETIMEDOUT it does not answer; -ENODEV it went away meanwhile;
 *   -ENOMEM no memory, or the limit of locked memory is too low.
 */
int ullnic_open(const char* name, ullnic_t** card);

/** Closes the card and each of its ports that is still open; NULL is fine. */
void ullnic_close(ullnic_t* card);

/**
 * What went wrong in the last call of this thread that failed: cause and remedy in one line.
 * Never NULL; empty before the first failure. Valid until this thread's next failure.
 */
const char* ullnic_last_error(void);

/** Version of the library, "major.minor.patch". */
const char* ullnic_version(void);

/**
 * Reads a word of the card's registers (BAR2, see ullnic/card.h). Waits for the answer, about 1 us.
 * An address with nothing behind it reads as all ones.
 *
 * @param address bytes, a multiple of 4
 * @return 0; -EINVAL the address is outside the BAR or not a multiple of 4; -ENODEV; -ETIMEDOUT
 */
int ullnic_read32(ullnic_t* card, uint32_t address, uint32_t* value);

/**
 * Writes a word of the card's registers. Posted: it returns before the card has it, in the order of
 * the calls; a later ullnic_read32() sees its effect. Errors as of ullnic_read32().
 */
int ullnic_write32(ullnic_t* card, uint32_t address, uint32_t value);

/** Number of ports, 1 to ULLNIC_MAX_PORTS. */
unsigned ullnic_ports(const ullnic_t* card);
/** Bit mask of the ports that have a TCP transmit engine. */
uint32_t ullnic_tcp_enables(const ullnic_t* card);
/** Kind of the card, ULLNIC_KIND_* of ullnic/card.h. */
uint32_t ullnic_kind(const ullnic_t* card);
/**
 * Longest frame, in bytes without FCS, that a port sends: ULLNIC_MAX_FRAME, or less with a TCP
 * transmit engine. 0: there is no such port.
 */
unsigned ullnic_max_frame(const ullnic_t* card, unsigned port);
/** Picoseconds of a tick of its timestamps. */
unsigned ullnic_tick_ps(const ullnic_t* card);

/**
 * Makes a port's queues and starts both directions. Frames that the card kept while nobody listened
 * come first; their timestamps tell.
 *
 * Of a card that a daemon holds (`ullnicd:`): the daemon must have an address for the port;
 * ullnic_send_raw() hands frames to it, and ullnic_receive(), ullnic_port_arm() and
 * ullnic_send_payload() give -EOPNOTSUPP.
 *
 * @param port 0 to ullnic_ports() - 1
 * @return 0; -EINVAL no such port; -EBUSY it is open already; -ENOMEM; -EIO the card refused the
 *   queues; -ENODEV
 */
int ullnic_port_open(ullnic_t* card, unsigned port, ullnic_port_t** opened);

/** Stops both directions and gives the memory back; what is still in the send ring is lost. NULL is
 * fine. */
void ullnic_port_close(ullnic_port_t* port);

/**
 * Hands a frame to the card. The frame is copied; it leaves in the order of the calls.
 *
 * A port with a TCP transmit engine takes shorter frames than one without, 1518 bytes by default:
 * its register MAX_FRAME tells (a card before version 1.1 does not, and counts a longer one in
 * CHUNKS_REFUSED).
 *
 * @param frame from the destination address on, without FCS; the card pads it to 60 bytes
 * @param len bytes, 14 to ULLNIC_MAX_FRAME
 * @return 0; -EAGAIN the ring is full: try again later; -EINVAL the length is out of range;
 *   -EMSGSIZE this port does not take a frame of that length; -EIO the card stopped the ring (close
 * the port); -ENODEV
 */
int ullnic_send_raw(ullnic_port_t* port, const void* frame, size_t len);

/** A part of a frame. */
struct ullnic_piece {
  const void* data;
  /** Bytes; 0 is fine. */
  size_t len;
};

/** As ullnic_send_raw(), of a frame that is in `count` pieces, in this order. */
int ullnic_send_gather(ullnic_port_t* port, const struct ullnic_piece* pieces, unsigned count);

/**
 * Hands payload to the TCP transmit engine, which puts the connection's headers and its next
 * sequence number in front. Nothing says here that the connection was not enabled (the engine
 * counts NO_CONN): what was sent comes back as a frame of type ULLNIC_FRAME_SENT.
 *
 * @param conn connection, 0 to the port's ullnic_ate_connections() - 1
 * @param len bytes, 0 (a pure ACK) to the port's ullnic_ate_max_payload(), 1460 by default
 * @return 0; -EAGAIN as of ullnic_send_raw(); -EMSGSIZE the payload is too long; -EINVAL no such
 *   connection; -EOPNOTSUPP the port has no engine; -ENODEV
 */
int ullnic_send_payload(ullnic_port_t* port, uint16_t conn, const void* payload, size_t len);

/**
 * Collects sends: until ullnic_send_release() the card is told of them only when the ring is full.
 * Saves a register write a frame in bursts.
 */
void ullnic_send_hold(ullnic_port_t* port);
/** Tells the card of all sends since ullnic_send_hold(). 0 or -ENODEV. */
int ullnic_send_release(ullnic_port_t* port);
/** Frames in the send ring that the card has not fetched yet. */
unsigned ullnic_send_pending(ullnic_port_t* port);

/**
 * The oldest frame that waits. Looks into memory only, never sleeps.
 *
 * @param[out] frame its data are valid until the port's next ullnic_receive(), ullnic_port_arm() or
 *   ullnic_port_close()
 * @return 1 a frame; 0 none; -ENODEV the card went away (frames that had arrived come first);
 *   -EPROTO the card broke the format: the port must be closed
 */
int ullnic_receive(ullnic_port_t* port, struct ullnic_frame* frame);

/**
 * A descriptor for poll(), select() or epoll: readable when ullnic_receive() may give something or
 * the card went away. It can be readable for no reason. Call ullnic_port_arm() before each wait.
 * Do not read from it; the port closes it.
 */
int ullnic_port_fd(ullnic_port_t* port);

/**
 * Asks the card for an interrupt on the next frame.
 *
 * @return 0 armed: sleep on ullnic_port_fd(); 1 frames wait already, do not sleep; -ENODEV
 */
int ullnic_port_arm(ullnic_port_t* port);

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_ULLNIC_H */
