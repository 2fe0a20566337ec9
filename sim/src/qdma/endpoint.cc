// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/endpoint.h"

#include <nlohmann/json.hpp>

#include "qdma/device.h"
#include "qdma/registers.h"

namespace ullnic::qdma {
namespace {

constexpr uint16_t kVirtualDevice = 0xa03f;

}  // namespace

vfio::PciIdentity PhysicalFunction(unsigned vfs, bool has_intx) {
  vfio::PciIdentity id;
  id.has_intx = has_intx;
  id.vendor = 0x10ee;
  id.device = 0x903f;
  id.subsystem_vendor = 0x10ee;
  id.subsystem = 0x0007;
  id.class_code = 0x058000;
  id.bar_bytes[0] = reg::kBar0Bytes;
  id.bar_bytes[kUserBar] = reg::kUserBarBytes;
  id.msix_vectors = reg::kMsixVectors;
  id.msix_bar = 0;
  id.msix_table = reg::kMsixTable;
  id.msix_pending = reg::kMsixPending;
  if (vfs > 0) {
    id.virtual_functions = {vfs, kVirtualDevice, {reg::kVirtualBar0Bytes}};
  }
  return id;
}

vfio::PciIdentity VirtualFunction() {
  vfio::PciIdentity id = PhysicalFunction(0, false);
  id.is_virtual = true;
  id.device = kVirtualDevice;
  id.bar_bytes = {reg::kVirtualBar0Bytes};
  id.msix_vectors = reg::kVirtualMsixVectors;
  id.msix_table = reg::kVirtualMsixTable;
  id.msix_pending = reg::kVirtualMsixPending;
  return id;
}

Endpoint::Endpoint(const std::string& socket_path, const MakeDma& make, vfio::Server::Log log,
                   vfio::PciIdentity identity)
    : identity_(identity), dma_(make(*this)), server_(socket_path, *this, std::move(log)) {}

Endpoint::Endpoint(const std::string& socket_path, UserSide& user, std::function<int64_t()> now_ps,
                   vfio::Server::Log log)
    : Endpoint(
          socket_path,
          [&](HostSide& host) { return std::make_unique<Device>(host, user, std::move(now_ps)); },
          std::move(log), PhysicalFunction(0, false)) {}

void Endpoint::ReadBar(unsigned bar, uint64_t offset, std::function<void(uint32_t)> done) {
  dma_->Read(bar, static_cast<uint32_t>(offset), std::move(done));
}

void Endpoint::WriteBar(unsigned bar, uint64_t offset, uint32_t value, std::function<void()> done) {
  dma_->Write(bar, static_cast<uint32_t>(offset), value, std::move(done));
}

bool Endpoint::Poll() {
  bool done = server_.Poll();
  done |= dma_->Poll();
  return done;
}

nlohmann::json Endpoint::Describe() const {
  const vfio::ServerCounters& s = server_.counters();
  nlohmann::json json = dma_->Describe();
  json.update({{"interrupts_skipped", server_.interrupts_skipped()},
               {"clients", s.clients},
               {"clients_refused", s.clients_refused},
               {"requests", s.requests},
               {"requests_refused", s.requests_refused},
               {"broken_connections", s.broken_connections}});
  return json;
}

}  // namespace ullnic::qdma
