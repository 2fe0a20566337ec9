// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine's user: connections and listeners over its sessions, and the packets that it has sent.
//
// A listener has one listening session; when a SYN has matched it, the next free one replaces it.
// The engine does not report the peer: it is the sender of the last SYN delivered to the port.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "capture/pcapng_writer.h"
#include "packetdrill/engine.h"
#include "packetdrill/ether.h"
#include "packetdrill/flags.h"
#include "packetdrill/timeline.h"

namespace ullnic::packetdrill {

struct Connection {
  int session = -1;  // -1: it is over
  uint32_t peer_ip = 0;
  uint16_t peer_port = 0, local_port = 0;
  bool connected = false;  // it has been
  bool peer_closed = false;
  int error = 0;  // errno of its end, until reported

  std::deque<uint8_t> rx;
  size_t rx_limit = SIZE_MAX;  // a segment is read from the engine while fewer bytes wait here
  bool rx_wanted = false;      // or once, because there is a reader
  bool discard = false;        // received data is discarded

  std::deque<uint8_t> tx;  // not passed to the engine yet
  uint16_t mss = 0;        // of segments to send
  uint32_t credit = 0, most_credit = 0;
  bool close = false;        // after tx
  bool close_given = false;  // DO_CLOSE
  bool abort_given = false;  // DO_ABORT
  bool orphan = false;       // closed by its user: received data is refused

  bool over() const { return session < 0; }
};
using ConnectionPtr = std::shared_ptr<Connection>;

struct Listener {
  uint16_t port = 0;
  int backlog = 0;
  bool open = true;
  std::deque<ConnectionPtr> waiting;  // to be accepted
};
using ListenerPtr = std::shared_ptr<Listener>;

// A packet that was sent, without Ethernet.
struct SentPacket {
  Bytes bytes;
  int64_t time_ps;
};

class Sessions final : public EngineUser {
 public:
  explicit Sessions(const Flags& flags);

  Timeline& timeline() { return timeline_; }
  const Engine& engine() const { return engine_; }

  // Runs until the engine is at rest, with a limit: it may send forever.
  void Settle();

  // Sets the local address, unless a flag has set it.
  void Bound(uint32_t ip);
  void Deliver(View packet);
  std::deque<SentPacket>& sent() { return sent_; }

  ListenerPtr Listen(uint16_t port, int backlog);
  void Close(const ListenerPtr& listener);
  bool port_used(uint16_t port) const;
  // Null: no session is free.
  ConnectionPtr Connect(uint32_t ip, uint16_t port, uint16_t local_port);
  // Sends FIN after all written data. The connection can still be read.
  void Finish(const ConnectionPtr& connection);
  void Abort(const ConnectionPtr& connection);
  // Discards received data; further data is refused with a reset.
  void Abandon(const ConnectionPtr& connection);
  State state(const Connection& connection) const;

  // EngineUser.
  void OnFrame(Bytes frame, uint64_t first_word_cycle) override;
  void OnEvent(Event event, int session) override;
  void OnState(State state, int session) override;
  void OnCredit(uint32_t bytes, int session) override;
  bool Wants(int session) override;
  void OnSegment(Bytes payload, int session) override;

 private:
  struct Slot {
    ListenerPtr listener;
    ConnectionPtr connection;
    bool ordered = false;  // LISTEN or CONNECT issued, not yet visible in its state
  };
  using Tuple = std::tuple<uint32_t, uint16_t, uint16_t>;  // peer, its port, ours

  int FreeSlot() const;
  void Tend(const ListenerPtr& listener);
  void Accepting(int session);
  void Over(int session, int error);
  void Pump(Connection& connection);
  void Capture(View frame, Direction direction, int64_t time_ps);

  std::array<Slot, kSessions> slots_;
  std::map<uint16_t, Syn> last_syn_;       // by local port
  bool stamps_;                            // the engine has timestamps
  std::map<Tuple, uint16_t> offered_mss_;  // by connection: bytes of payload in a segment
  std::deque<SentPacket> sent_;
  std::unique_ptr<PcapngWriter> capture_;
  Engine engine_;
  Timeline timeline_;
  bool address_given_;
};

}  // namespace ullnic::packetdrill
