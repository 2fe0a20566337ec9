// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card's PCIe function on a socket: a DMA behind a vfio-user server. A simulation calls Poll() in
// its loop, and sleeps on poll_fds() when there is nothing to do.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "qdma/dma.h"
#include "qdma/host_side.h"
#include "qdma/user_side.h"
#include "vfio/server.h"

namespace ullnic::qdma {

// Identities in the drivers' tables (pci_ids.h): physical function 0, with up to `vfs` virtual ones
// by its SR-IOV capability, and one of these. The RTL has the legacy interrupt.
vfio::PciIdentity PhysicalFunction(unsigned vfs = 0, bool has_intx = true);
vfio::PciIdentity VirtualFunction();

class Endpoint final : private vfio::PciDevice, private HostSide {
 public:
  // Makes the DMA for a host that outlives it.
  using MakeDma = std::function<std::unique_ptr<Dma>(HostSide& host)>;

  // Throws UserError.
  Endpoint(const std::string& socket_path, const MakeDma& make, vfio::Server::Log log = nullptr,
           vfio::PciIdentity identity = PhysicalFunction());
  // With the functional model. The user side must outlive this. now_ps: time for the completion
  // timers.
  Endpoint(const std::string& socket_path, UserSide& user, std::function<int64_t()> now_ps,
           vfio::Server::Log log = nullptr);

  // True: something was done.
  bool Poll();
  // The simulation must continue, and Poll() must be called again.
  bool HasWork() const { return server_.HasWork() || dma_->HasWork(); }
  std::optional<int64_t> next_deadline_ps() const { return dma_->next_deadline_ps(); }
  std::vector<int> poll_fds() const { return server_.poll_fds(); }
  bool connected() const { return server_.connected(); }
  // Of a physical function: called when its virtual functions are enabled or disabled.
  void set_on_virtual(std::function<void(const vfio::VirtualState&)> call) {
    on_virtual_ = std::move(call);
  }

  const vfio::Server& server() const { return server_; }
  vfio::Server& server() { return server_; }
  nlohmann::json Describe() const;  // counters, for reports

 private:
  vfio::PciIdentity identity() const override { return identity_; }
  void ReadBar(unsigned bar, uint64_t offset, std::function<void(uint32_t)> done) override;
  void WriteBar(unsigned bar, uint64_t offset, uint32_t value, std::function<void()> done) override;
  void Reset() override { dma_->Reset(); }
  void EnableVirtual(const vfio::VirtualState& state) override {
    if (on_virtual_) on_virtual_(state);
  }

  bool ReadHost(uint64_t address, std::span<uint8_t> data) override {
    return server_.memory().Read(address, data);
  }
  bool WriteHost(uint64_t address, std::span<const uint8_t> data) override {
    return server_.memory().Write(address, data);
  }
  bool Interrupt(unsigned vector) override { return server_.Interrupt(vector); }
  void SetIntx(bool is_asserted) override { server_.SetIntx(is_asserted); }

  vfio::PciIdentity identity_;
  std::function<void(const vfio::VirtualState&)> on_virtual_;
  std::unique_ptr<Dma> dma_;
  vfio::Server server_;
};

}  // namespace ullnic::qdma
