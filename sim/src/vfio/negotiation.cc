// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/negotiation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "vfio/protocol.h"

namespace ullnic::vfio {
namespace {

using nlohmann::json;

constexpr uint64_t kPageSizes = ~uint64_t{4095};  // every power of two from 4096 on

Refusal Invalid(std::string reason) { return {EINVAL, std::move(reason)}; }

// The version data: a JSON object that ends with a zero byte, or nothing. Discarded if malformed.
json ParseData(std::span<const uint8_t> data) {
  if (data.empty()) return json::object();
  if (data.back() != 0) return json(json::value_t::discarded);
  const auto* text = reinterpret_cast<const char*>(data.data());
  return json::parse(text, text + std::strlen(text), nullptr, false);
}

// Writes the common limit into `limit` and into the reply. False: the proposal is not a number.
template <typename Combine>
bool Agree(const json& proposed, const char* name, json& reply, uint64_t& limit, Combine combine) {
  const auto it = proposed.find(name);
  if (it == proposed.end()) return true;
  if (!it->is_number_unsigned()) return false;
  limit = combine(it->get<uint64_t>());
  reply[name] = limit;
  return true;
}

}  // namespace

std::variant<Agreement, Refusal> Negotiate(std::span<const uint8_t> body) {
  uint16_t version[2];  // major, minor
  if (body.size() < sizeof version) return Invalid("the version request is shorter than 4 bytes");
  std::memcpy(version, body.data(), sizeof version);
  if (version[0] != kVersionMajor) {
    return Invalid(
        fmt::format("the client proposes version {}.{} of the protocol; this server speaks {}.0 to "
                    "{}.{}",
                    version[0], version[1], kVersionMajor, kVersionMajor, kVersionMinor));
  }
  const json data = ParseData(body.subspan(sizeof version));
  if (!data.is_object()) {
    return Invalid("the version data are no JSON object that ends with a zero byte");
  }
  // By reference: copying JSON recurses as deep as the client has nested it.
  const json none = json::object();
  const auto entry = data.find("capabilities");
  const json& proposed = entry == data.end() ? none : *entry;
  if (!proposed.is_object()) return Invalid("the capabilities are no JSON object");

  Agreement agreement{version[0], std::min(version[1], kVersionMinor), {}, {}};
  Limits& limits = agreement.limits;
  json reply = json::object();
  const auto at_most = [](uint64_t ours) {
    return [ours](uint64_t theirs) { return std::min(ours, theirs); };
  };
  // A client that receives no descriptors may still send one with each DMA map.
  const auto fds = [](uint64_t theirs) {
    return std::clamp<uint64_t>(theirs, 1, kMaxFdsPerMessage);
  };
  const auto pages = [](uint64_t theirs) { return theirs & kPageSizes; };
  const char* malformed = nullptr;
  const auto agree = [&](const char* name, uint64_t& limit, auto combine) {
    if (!Agree(proposed, name, reply, limit, combine)) malformed = name;
  };
  agree("max_msg_fds", limits.max_msg_fds, fds);
  agree("max_data_xfer_size", limits.max_data_xfer_size, at_most(kMaxTransferBytes));
  agree("max_dma_maps", limits.max_dma_maps, at_most(kMaxDmaMaps));
  agree("pgsizes", limits.pgsizes, pages);
  if (malformed != nullptr) {
    return Invalid(fmt::format("the capability {} is no whole number of 0 or more", malformed));
  }
  if (limits.pgsizes == 0) return Invalid("the client has no page size of 4096 bytes or more");
  if (const auto it = proposed.find("write_multiple"); it != proposed.end()) {
    if (!it->is_boolean())
      return Invalid("the capability write_multiple is neither true nor false");
    reply["write_multiple"] = *it;
  }
  agreement.capabilities = json{{"capabilities", std::move(reply)}}.dump();
  return agreement;
}

}  // namespace ullnic::vfio
