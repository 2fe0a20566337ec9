// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A PCI function served over the vfio-user protocol: QEMU's vfio-user-pci and libullnic are its
// clients, one at a time. It never blocks: Poll() does what can be done and returns.
//
// Requests are executed one after the other, so that accesses keep their order; a read that waits
// for the card delays only later ones. When the client disconnects, its memory and interrupts are
// released and the function is reset, as by the kernel's VFIO; then the next one may connect.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vfio/config_space.h"
#include "vfio/dma_map.h"
#include "vfio/intx_line.h"
#include "vfio/irq_lines.h"
#include "vfio/message_stream.h"
#include "vfio/negotiation.h"
#include "vfio/pci_device.h"

namespace ullnic::vfio {

struct ServerCounters {
  uint64_t clients = 0;
  uint64_t clients_refused = 0;  // while another was connected
  uint64_t requests = 0;
  uint64_t requests_refused = 0;
  uint64_t broken_connections = 0;
};

class Server {
 public:
  // Log messages: a client connected or disconnected, a request was refused and why.
  using Log = std::function<void(const std::string&)>;

  // Listens on `path`; replaces a socket that no process serves any more. Throws UserError.
  Server(const std::string& path, PciDevice& device, Log log = nullptr);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Call Poll() when one is readable.
  std::vector<int> poll_fds() const { return {events_.get()}; }
  // True: something was done.
  bool Poll();
  // Poll() has more to do, whatever the descriptors show; or the client waits for the card's reply.
  bool HasWork() const { return busy_ || more_ || (client_ && client_->flushed() == waits_); }
  bool connected() const { return client_ != nullptr; }

  DmaMap& memory() { return memory_; }
  // False: no such vector.
  bool Interrupt(unsigned vector) { return irqs_.Raise(vector); }
  // Level of the legacy interrupt, maybe the same as before.
  void SetIntx(bool is_asserted);

  // Of a virtual function: its physical one enables it and its memory space, or not. While it is
  // absent, reads return all ones and writes are dropped; it is reset when it becomes absent.
  void Enable(bool is_present, bool has_memory);

  // How long a client may leave its replies unread.
  void set_unread_limit(std::chrono::milliseconds limit) { unread_limit_ = limit; }

  const ServerCounters& counters() const { return counters_; }
  uint64_t interrupts_skipped() const { return irqs_.skipped(); }
  const std::string& last_refusal() const { return last_refusal_; }

 private:
  struct Write {
    RegionAccess access;
    std::vector<uint8_t> data;
  };

  void AcceptClients();
  void ServeRefused();
  void Watch(int fd, uint32_t events, int operation);
  void WatchClient();
  void Disconnect();
  void Handle(Message& message);
  void HandleVersion(const Message& message);
  void HandleDmaMap(const Message& message);
  void HandleDmaUnmap(const Message& message);
  void HandleInfo(const Message& message);
  void HandleSetIrqs(Message& message);
  void HandleRead(const Message& message);
  void HandleWrite(const Message& message);
  void HandleWriteMulti(const Message& message);
  bool CheckAccess(const Header& header, const RegionAccess& access, bool write);
  void ReadWords(const Header& header, RegionAccess access, std::vector<uint8_t> words);
  void NextWrite(const Header& header, const std::vector<uint8_t>& reply);
  bool IsAbsent(uint32_t region) const;
  void ResetDevice();
  void FollowVirtual();

  void Reply(const Header& request, std::span<const uint8_t> body);
  template <typename T>
  void ReplyWith(const Header& request, const T& body);
  void Refuse(const Header& request, int error, std::string reason);
  void Say(const std::string& what) const;

  std::string path_;
  PciDevice& device_;
  Log log_;
  PciIdentity identity_;
  Fd listener_;
  Fd events_;  // epoll: the listener, the connections, and the time for unread replies
  Fd unread_timer_;
  std::chrono::milliseconds unread_limit_{10'000};
  std::unique_ptr<MessageStream> client_;
  std::deque<MessageStream> refused_;  // connections that wait for their refusal
  ConfigSpace config_;
  // The client has reset the function, as QEMU does before its guest runs.
  bool guest_runs_ = false;
  bool is_present_, has_memory_;
  VirtualState virtual_state_;
  DmaMap memory_;
  IrqLines irqs_;
  IntxLine intx_;
  std::deque<Write> writes_;      // of the current request
  std::optional<Limits> limits_;  // once the version was negotiated
  bool busy_ = false;             // the device has not replied yet
  bool more_ = false;             // the last Poll ended before the requests did
  bool waits_ = false;            // for the client to read, and watched only for that
  bool drop_ = false;             // the client is disconnected once its reply has been sent
  ServerCounters counters_;
  std::string last_refusal_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // for replies that arrive after the end
};

}  // namespace ullnic::vfio
