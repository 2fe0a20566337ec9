// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "qdma/endpoint.h"

#include <nlohmann/json.hpp>

namespace ullnic::qdma {
namespace {

constexpr unsigned kUserBar = 2;

}  // namespace

Endpoint::Endpoint(const std::string& socket_path, UserSide& user, std::function<int64_t()> now_ps,
                   vfio::Server::Log log)
    : device_(*this, user, std::move(now_ps)), server_(socket_path, *this, std::move(log)) {}

// The identifiers that the drivers' tables list for physical function 0 (pci_ids.h).
vfio::PciIdentity Endpoint::identity() const {
  vfio::PciIdentity id;
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
  return id;
}

void Endpoint::ReadBar(unsigned bar, uint64_t offset, std::function<void(uint32_t)> done) {
  const auto address = static_cast<uint32_t>(offset);
  if (bar == kUserBar) return device_.ReadUser(address, std::move(done));
  done(device_.ReadConfig(address));
}

void Endpoint::WriteBar(unsigned bar, uint64_t offset, uint32_t value, std::function<void()> done) {
  const auto address = static_cast<uint32_t>(offset);
  if (bar == kUserBar) return device_.WriteUser(address, value, std::move(done));
  device_.WriteConfig(address, value);
  done();
}

bool Endpoint::Poll() {
  bool done = server_.Poll();
  done |= device_.Poll();
  return done;
}

nlohmann::json Endpoint::Describe() const {
  const Counters& c = device_.counters();
  const vfio::ServerCounters& s = server_.counters();
  return {{"h2c_packets", c.h2c_packets},
          {"h2c_bytes", c.h2c_bytes},
          {"c2h_packets", c.c2h_packets},
          {"c2h_bytes", c.c2h_bytes},
          {"descriptors", c.descriptors},
          {"completions", c.completions},
          {"status_writes", c.status_writes},
          {"h2c_interrupts", c.h2c_interrupts},
          {"c2h_interrupts", c.c2h_interrupts},
          {"error_interrupts", c.error_interrupts},
          {"interrupts_lost", c.interrupts_lost},
          {"interrupts_skipped", server_.interrupts_skipped()},
          {"context_commands", c.context_commands},
          {"context_errors", c.context_errors},
          {"doorbells", c.doorbells},
          {"doorbells_out_of_range", c.doorbells_out_of_range},
          {"doorbells_ignored", c.doorbells_ignored},
          {"unmapped_accesses", c.unmapped_accesses},
          {"queue_errors", c.queue_errors},
          {"user_reads", c.user_reads},
          {"user_writes", c.user_writes},
          {"resets", c.resets},
          {"clients", s.clients},
          {"clients_refused", s.clients_refused},
          {"requests", s.requests},
          {"requests_refused", s.requests_refused},
          {"broken_connections", s.broken_connections}};
}

}  // namespace ullnic::qdma
