// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "packetdrill/sessions.h"

#include <algorithm>
#include <cerrno>

namespace ullnic::packetdrill {
namespace {

constexpr uint32_t kDefaultIp = 0xc0a80002;          // 192.168.0.2
constexpr uint16_t kLeastMss = 28, kMostMss = 1460;  // the engine's
constexpr uint16_t kStampBytes = 12;                 // per segment, if timestamps are negotiated
constexpr int64_t kSettlePs = 20'000'000;

int ErrnoOf(Event event) {
  switch (event) {
    case Event::kReset:
      return ECONNRESET;
    case Event::kTimedOut:
      return ETIMEDOUT;
    case Event::kRefused:
      return ECONNREFUSED;
    case Event::kUnreachable:
      return EHOSTUNREACH;
    default:
      return 0;
  }
}

}  // namespace

Sessions::Sessions(const Flags& flags)
    : stamps_(flags.settings.size == EngineSize::kFull),
      engine_(flags.settings, *this),
      timeline_(engine_, flags.settle_cycles),
      address_given_(flags.settings.ip != 0) {
  if (!address_given_) engine_.SetAddress(kDefaultIp);
  if (flags.pcapng.empty()) return;
  capture_ = std::make_unique<PcapngWriter>(
      PcapngWriter::Config{.path = flags.pcapng, .if_name = "engine"});
}

void Sessions::Settle() {
  timeline_.Touch();
  const int64_t until = timeline_.now_ps() + kSettlePs;
  while (!timeline_.AtRest() && timeline_.Step(until)) {
  }
}

void Sessions::Bound(uint32_t ip) {
  if (address_given_ || ip == 0) return;
  engine_.SetAddress(ip);
  address_given_ = true;
}

void Sessions::Capture(View frame, Direction direction, int64_t time_ps) {
  if (capture_) capture_->Write(Bytes(frame.begin(), frame.end()), time_ps, direction);
}

void Sessions::Deliver(View packet) {
  if (!IsIpv4(packet)) return;
  Bound(Destination(packet));
  if (const auto syn = SynOf(packet)) {
    // Payload of a segment: the engine also offers timestamps.
    const auto mss = static_cast<uint16_t>(std::clamp(syn->mss, kLeastMss, kMostMss) -
                                           (syn->stamps && stamps_ ? kStampBytes : 0));
    offered_mss_[{syn->peer_ip, syn->peer_port, syn->local_port}] = mss;
    if (!syn->ack) last_syn_[syn->local_port] = *syn;
  }
  Bytes frame = WithEthernet(packet, Settings().mac);
  Capture(frame, Direction::kInbound, timeline_.now_ps());
  engine_.Deliver(std::move(frame));
}

void Sessions::OnFrame(Bytes frame, uint64_t first_word_cycle) {
  const Period word = LinePeriod(32);
  const auto cycles = static_cast<int64_t>(engine_.cycles() - first_word_cycle);
  const int64_t time_ps = timeline_.now_ps() - cycles * word.num_ps / word.den;
  Capture(frame, Direction::kOutbound, time_ps);
  if (auto answer = ArpAnswer(frame)) {
    engine_.Deliver(std::move(*answer));
  } else if (const auto packet = Ipv4Of(frame)) {
    sent_.push_back({Bytes(packet->begin(), packet->end()), time_ps});
  }
}

// --- Commands

int Sessions::FreeSlot() const {
  for (int i = 0; i < kSessions; ++i) {
    const Slot& slot = slots_[i];
    if (engine_.state(i) == State::kClosed && !slot.listener && !slot.connection && !slot.ordered) {
      return i;
    }
  }
  return -1;
}

ListenerPtr Sessions::Listen(uint16_t port, int backlog) {
  auto listener = std::make_shared<Listener>(Listener{.port = port, .backlog = backlog});
  Tend(listener);
  return listener;
}

void Sessions::Close(const ListenerPtr& listener) {
  listener->open = false;
  for (const ConnectionPtr& each : listener->waiting) Abort(each);
  listener->waiting.clear();
  Tend(listener);
}

bool Sessions::port_used(uint16_t port) const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return (slot.listener && slot.listener->port == port) ||
           (slot.connection && slot.connection->local_port == port);
  });
}

// One session listens while fewer connections wait than the backlog; none, if it is closed.
void Sessions::Tend(const ListenerPtr& listener) {
  bool listens = false;
  auto waiting = listener->waiting.size();
  for (int i = 0; i < kSessions; ++i) {
    Slot& slot = slots_[i];
    if (slot.listener != listener) continue;
    const State state = engine_.state(i);
    if (state == State::kSynRcvd && listener->open) ++waiting;
    const bool surplus = !listener->open || listens;
    if (state == State::kSynRcvd && !listener->open) engine_.Give({Command::kAbort, i});
    if (state == State::kListen && surplus) engine_.Give({Command::kAbort, i});
    listens |= state == State::kListen || slot.ordered;
  }
  const auto most = static_cast<size_t>(std::max(listener->backlog, 0)) + 1;
  if (!listener->open || listens || waiting >= most) return;
  const int free = FreeSlot();
  if (free < 0) return;
  slots_[free].listener = listener;
  slots_[free].ordered = true;
  engine_.Give({.command = Command::kListen, .session = free, .local_port = listener->port});
}

ConnectionPtr Sessions::Connect(uint32_t ip, uint16_t port, uint16_t local_port) {
  const int free = FreeSlot();
  if (free < 0) return nullptr;
  auto connection = std::make_shared<Connection>();
  connection->session = free;
  connection->peer_ip = ip;
  connection->peer_port = port;
  connection->local_port = local_port;
  slots_[free].connection = connection;
  slots_[free].ordered = true;
  engine_.Give({Command::kConnect, free, ip, port, local_port});
  return connection;
}

void Sessions::Finish(const ConnectionPtr& connection) {
  connection->close = true;
  if (!connection->over()) Pump(*connection);
}

void Sessions::Abort(const ConnectionPtr& connection) {
  connection->tx.clear();
  if (connection->over() || connection->abort_given) return;
  connection->abort_given = true;
  engine_.Give({Command::kAbort, connection->session});
}

void Sessions::Abandon(const ConnectionPtr& connection) {
  connection->orphan = true;
  connection->rx.clear();
}

State Sessions::state(const Connection& connection) const {
  return connection.over() ? State::kClosed : engine_.state(connection.session);
}

// --- Notifications of the engine

void Sessions::OnEvent(Event event, int session) {
  const ConnectionPtr connection = slots_[session].connection;
  switch (event) {
    case Event::kConnected:
      if (!connection || connection->connected) return;
      connection->connected = true;
      if (const auto offered = offered_mss_.find(
              {connection->peer_ip, connection->peer_port, connection->local_port});
          offered != offered_mss_.end()) {
        connection->mss = offered->second;
      }
      if (const ListenerPtr& listener = slots_[session].listener; listener && listener->open) {
        listener->waiting.push_back(connection);
        Tend(listener);
      }
      return;
    case Event::kPeerClosed:
      if (connection) connection->peer_closed = true;
      return;
    case Event::kTxDropped:
    case Event::kTxCut:
    case Event::kTxLate:
      return;
    case Event::kBadCommand:
      // For a connect: its tuple is in use. Else it was for a connection that has just ended.
      if (connection && !connection->connected && !slots_[session].listener) {
        Over(session, EADDRNOTAVAIL);
      }
      return;
    default:
      Over(session, ErrnoOf(event));
  }
}

void Sessions::Over(int session, int error) {
  Slot& slot = slots_[session];
  slot.ordered = false;
  if (!slot.connection) return;
  slot.connection->session = -1;
  slot.connection->error = error;
  slot.connection->tx.clear();
  slot.connection = nullptr;
}

// A SYN has matched a listening session.
void Sessions::Accepting(int session) {
  Over(session, 0);  // of the previous one, from TIME_WAIT
  const ListenerPtr listener = slots_[session].listener;
  const Syn& syn = last_syn_[listener->port];
  auto connection = std::make_shared<Connection>();
  connection->session = session;
  connection->peer_ip = syn.peer_ip;
  connection->peer_port = syn.peer_port;
  connection->local_port = listener->port;
  slots_[session].connection = connection;
}

void Sessions::OnState(State state, int session) {
  Slot& slot = slots_[session];
  slot.ordered = false;
  const ListenerPtr listener = slot.listener;
  if (state == State::kSynRcvd && listener) Accepting(session);
  // A connection ends with an event, except one that the peer has opened and that was never
  // connected.
  const bool ended = state == State::kListen || state == State::kClosed;
  if (ended && listener && slot.connection && !slot.connection->connected) Over(session, 0);
  if (state == State::kClosed) slot.listener = nullptr;
  if (listener) Tend(listener);
}

// --- Data

bool Sessions::Wants(int session) {
  const ConnectionPtr& connection = slots_[session].connection;
  return !connection || connection->orphan || connection->discard || connection->rx_wanted ||
         connection->rx.size() < connection->rx_limit;
}

void Sessions::OnSegment(Bytes payload, int session) {
  const ConnectionPtr connection = slots_[session].connection;
  if (!connection || payload.empty()) return;
  connection->rx_wanted = false;
  if (connection->orphan) {
    Abort(connection);  // RFC 9293, 3.6.1: data are lost, and the peer must be informed
  } else if (!connection->discard) {
    connection->rx.insert(connection->rx.end(), payload.begin(), payload.end());
  }
}

void Sessions::OnCredit(uint32_t bytes, int session) {
  Connection* connection = slots_[session].connection.get();
  if (connection == nullptr || engine_.giving(session)) return;
  connection->credit = bytes;
  connection->most_credit = std::max(connection->most_credit, bytes);
  Pump(*connection);
}

// A full segment, or all data, or half of the largest window seen so far (RFC 9293, 3.8.6.2.1,
// without Nagle, which the engine does not have).
void Sessions::Pump(Connection& c) {
  if (c.close_given || c.abort_given || engine_.giving(c.session)) return;
  if (!c.tx.empty()) {
    if (!c.connected) return;
    const auto wanted = static_cast<uint32_t>(std::min<size_t>(c.tx.size(), c.mss));
    const uint32_t bytes = std::min(wanted, c.credit);
    if (bytes == 0 || (bytes < wanted && bytes < c.most_credit / 2)) return;
    engine_.Give(Bytes(c.tx.begin(), c.tx.begin() + bytes), c.session);
    c.tx.erase(c.tx.begin(), c.tx.begin() + bytes);
    c.credit = 0;
  } else if (c.close) {
    c.close_given = true;
    engine_.Give({Command::kClose, c.session});
  }
}

}  // namespace ullnic::packetdrill
