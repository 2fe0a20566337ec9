// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Implementation of each request of the protocol.

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <variant>

#include "vfio/server.h"

namespace ullnic::vfio {
namespace {

template <typename T>
bool Take(const Message& message, T& value) {
  if (message.body.size() < sizeof value) return false;
  std::memcpy(&value, message.body.data(), sizeof value);
  return true;
}

template <typename T>
std::span<const uint8_t> BytesOf(const T& value) {
  return {reinterpret_cast<const uint8_t*>(&value), sizeof value};
}

constexpr char kTooShort[] = "the request is shorter than its kind needs";

}  // namespace

template <typename T>
void Server::ReplyWith(const Header& request, const T& body) {
  Reply(request, BytesOf(body));
}

void Server::Handle(Message& message) {
  const Header& header = message.header;
  ++counters_.requests;
  if ((header.flags & kTypeMask) != kTypeCommand) {
    ++counters_.requests_refused;  // an unsolicited reply
    return;
  }
  if (!limits_ && header.command != kVersion) {
    drop_ = true;
    return Refuse(header, EPROTO, "the first request must negotiate the version");
  }
  const uint64_t max_fds = limits_ ? limits_->max_msg_fds : Limits().max_msg_fds;
  if (message.too_many_fds || message.fds.size() > max_fds) {
    return Refuse(header, EINVAL,
                  fmt::format("request {} has more file descriptors than the {} that were agreed "
                              "(max_msg_fds)",
                              header.command, max_fds));
  }
  switch (header.command) {
    case kVersion:
      return HandleVersion(message);
    case kDmaMap:
      return HandleDmaMap(message);
    case kDmaUnmap:
      return HandleDmaUnmap(message);
    case kGetInfo:
    case kGetRegionInfo:
    case kGetIrqInfo:
      return HandleInfo(message);
    case kSetIrqs:
      return HandleSetIrqs(message);
    case kRegionRead:
      return HandleRead(message);
    case kRegionWrite:
      return HandleWrite(message);
    case kRegionWriteMulti:
      return HandleWriteMulti(message);
    case kReset:
      guest_runs_ = true;
      ResetDevice();
      return Reply(header, {});
    default:
      return Refuse(header, ENOTSUP, fmt::format("request {} is not supported", header.command));
  }
}

void Server::HandleVersion(const Message& message) {
  const auto refuse = [&](int error, std::string reason) {
    drop_ = true;
    Refuse(message.header, error, std::move(reason));
  };
  if (limits_) return refuse(EINVAL, "the version was negotiated already");
  const auto result = Negotiate(message.body);
  if (const auto* refusal = std::get_if<Refusal>(&result)) {
    return refuse(refusal->error, refusal->reason);
  }
  const auto& agreement = std::get<Agreement>(result);
  limits_ = agreement.limits;
  const uint16_t version[2] = {agreement.major, agreement.minor};
  const auto bytes = BytesOf(version);
  std::vector<uint8_t> body(bytes.begin(), bytes.end());
  body.insert(body.end(), agreement.capabilities.begin(), agreement.capabilities.end());
  body.push_back(0);
  Reply(message.header, body);
}

void Server::HandleDmaMap(const Message& message) {
  DmaMapRequest request;
  if (!Take(message, request)) return Refuse(message.header, EINVAL, kTooShort);
  if (message.fds.size() > 1) {
    return Refuse(message.header, EINVAL, "a DMA map has one file descriptor or none");
  }
  const uint64_t page = limits_->page_bytes();
  if (request.address % page != 0 || request.size % page != 0) {
    return Refuse(message.header, EINVAL,
                  fmt::format("DMA map of {:#x} bytes at {:#x}: no whole pages of the {:#x} bytes "
                              "that were agreed (pgsizes)",
                              request.size, request.address, page));
  }
  if (memory_.ranges() >= limits_->max_dma_maps) {
    return Refuse(message.header, ENOSPC,
                  fmt::format("more DMA maps than the {} that were agreed (max_dma_maps)",
                              limits_->max_dma_maps));
  }
  if (const auto refusal =
          memory_.Map(request, message.fds.empty() ? nullptr : message.fds.data())) {
    return Refuse(message.header, refusal->error, refusal->reason);
  }
  if (message.fds.empty()) {
    Say(
        fmt::format("DMA map at {:#x} has no file descriptor: transfers into it will fail, share "
                    "the memory instead",
                    request.address));
  }
  Reply(message.header, {});
}

void Server::HandleDmaUnmap(const Message& message) {
  DmaUnmapRequest request;
  if (!Take(message, request)) return Refuse(message.header, EINVAL, kTooShort);
  if (request.flags == VFIO_DMA_UNMAP_FLAG_ALL && request.address == 0 && request.size == 0) {
    memory_.Clear();
    return ReplyWith(message.header, request);
  }
  if (request.flags != 0) {
    return Refuse(message.header, ENOTSUP,
                  fmt::format("DMA unmap of {:#x} bytes at {:#x} with flags {:#x}: only 0 is "
                              "supported, and 2 (all) with address and size 0",
                              request.size, request.address, request.flags));
  }
  if (const auto refusal = memory_.Unmap(request.address, request.size)) {
    return Refuse(message.header, refusal->error, refusal->reason);
  }
  ReplyWith(message.header, request);
}

void Server::HandleInfo(const Message& message) {
  const Header& header = message.header;
  if (header.command == kGetInfo) {
    return ReplyWith(header,
                     DeviceInfo{sizeof(DeviceInfo), VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
                                VFIO_PCI_NUM_REGIONS, VFIO_PCI_NUM_IRQS});
  }
  if (header.command == kGetRegionInfo) {
    RegionInfo info;
    if (!Take(message, info)) return Refuse(header, EINVAL, kTooShort);
    if (info.index >= VFIO_PCI_NUM_REGIONS) {
      return Refuse(header, EINVAL, fmt::format("there is no region {}", info.index));
    }
    uint64_t bytes = 0;
    if (info.index < identity_.bar_bytes.size()) bytes = identity_.bar_bytes[info.index];
    if (info.index == VFIO_PCI_CONFIG_REGION_INDEX) bytes = ConfigSpace::kBytes;
    const uint32_t flags =
        bytes != 0 ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0;
    return ReplyWith(header, RegionInfo{sizeof(RegionInfo), flags, info.index, 0, bytes, 0});
  }
  IrqInfo info;
  if (!Take(message, info)) return Refuse(header, EINVAL, kTooShort);
  if (info.index >= VFIO_PCI_NUM_IRQS) {
    return Refuse(header, EINVAL, fmt::format("there is no kind of interrupt {}", info.index));
  }
  IrqInfo reply{sizeof(IrqInfo), 0, info.index, 0};
  if (info.index == VFIO_PCI_MSIX_IRQ_INDEX) {
    reply.flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE;
    reply.count = identity_.msix_vectors;
  } else if (info.index == VFIO_PCI_INTX_IRQ_INDEX && identity_.has_intx) {
    reply.flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED;
    reply.count = 1;
  }
  ReplyWith(header, reply);
}

void Server::HandleSetIrqs(Message& message) {
  IrqSet set;
  if (!Take(message, set)) return Refuse(message.header, EINVAL, kTooShort);
  const bool is_intx = set.index == VFIO_PCI_INTX_IRQ_INDEX && identity_.has_intx;
  if (set.index != VFIO_PCI_MSIX_IRQ_INDEX && !is_intx) {
    // A client may disable absent interrupts.
    if (set.count == 0 && set.index < VFIO_PCI_NUM_IRQS) return Reply(message.header, {});
    return Refuse(message.header, EINVAL,
                  fmt::format("interrupts of kind {} are not there", set.index));
  }
  const auto data = std::span(message.body).subspan(sizeof set);
  if (const auto refusal =
          is_intx ? intx_.Set(set, data, message.fds) : irqs_.Set(set, data, message.fds)) {
    return Refuse(message.header, refusal->error, refusal->reason);
  }
  Reply(message.header, {});
}

bool Server::CheckAccess(const Header& header, const RegionAccess& access, bool write) {
  const bool config = access.region == VFIO_PCI_CONFIG_REGION_INDEX;
  uint64_t bytes = config ? ConfigSpace::kBytes : 0;
  if (access.region < identity_.bar_bytes.size()) bytes = identity_.bar_bytes[access.region];
  if (access.offset > bytes || access.count > bytes - access.offset || access.count == 0) {
    Refuse(header, EINVAL,
           fmt::format("access to {} bytes at {:#x} of region {}, which has {:#x}", access.count,
                       access.offset, access.region, bytes));
    return false;
  }
  if (access.count > limits_->max_data_xfer_size) {
    Refuse(header, EINVAL,
           fmt::format("access to {} bytes: {} were agreed (max_data_xfer_size)", access.count,
                       limits_->max_data_xfer_size));
    return false;
  }
  if (config) return true;
  // Registers are words; a part of one can be read, but not written.
  const uint32_t count = access.count;
  const bool size = count == 4 || count == 8 || (!write && (count == 1 || count == 2));
  if (!size || access.offset % std::min(count, 4u) != 0) {
    Refuse(header, EINVAL,
           fmt::format("{} of {} bytes at {:#x} of BAR {}: registers are accessed by 4 or 8 bytes "
                       "at multiples of 4",
                       write ? "write" : "read", count, access.offset, access.region));
    return false;
  }
  return true;
}

void Server::HandleRead(const Message& message) {
  RegionAccess access;
  if (!Take(message, access)) return Refuse(message.header, EINVAL, kTooShort);
  if (!CheckAccess(message.header, access, false)) return;
  if (IsAbsent(access.region) || access.region == VFIO_PCI_CONFIG_REGION_INDEX) {
    std::vector<uint8_t> body(sizeof access + access.count, 0xff);
    std::memcpy(body.data(), &access, sizeof access);
    if (!IsAbsent(access.region)) {
      config_.Read(static_cast<uint32_t>(access.offset), std::span(body).subspan(sizeof access),
                   guest_runs_ ? ConfigSpace::Reader::kGuest : ConfigSpace::Reader::kClient);
    }
    return Reply(message.header, body);
  }
  busy_ = true;
  ReadWords(message.header, access, {});
}

// Reads the words that the access touches, one after the other, then replies.
void Server::ReadWords(const Header& header, RegionAccess access, std::vector<uint8_t> words) {
  const uint64_t first = access.offset & ~uint64_t{3};
  const size_t skipped = access.offset - first;
  if (words.size() >= skipped + access.count) {
    busy_ = false;
    std::vector<uint8_t> body(sizeof access + access.count);
    std::memcpy(body.data(), &access, sizeof access);
    std::memcpy(body.data() + sizeof access, words.data() + skipped, access.count);
    return Reply(header, body);
  }
  const std::weak_ptr<char> alive = alive_;
  auto answer = [this, alive, header, access, words](uint32_t value) mutable {
    if (alive.expired()) return;
    const auto bytes = BytesOf(value);
    words.insert(words.end(), bytes.begin(), bytes.end());
    ReadWords(header, access, std::move(words));
  };
  // Pending interrupts are known here, not in the device.
  const uint64_t at = first + words.size();
  const uint64_t pending_word = (at - identity_.msix_pending) / 4;
  if (access.region == identity_.msix_bar && at >= identity_.msix_pending &&
      pending_word < (identity_.msix_vectors + 63) / 64 * 2) {
    return answer(irqs_.PendingBits(static_cast<unsigned>(pending_word)));
  }
  device_.ReadBar(access.region, at, std::move(answer));
}

void Server::HandleWrite(const Message& message) {
  RegionAccess access;
  if (!Take(message, access)) return Refuse(message.header, EINVAL, kTooShort);
  if (!CheckAccess(message.header, access, true)) return;
  const auto data = std::span(message.body).subspan(sizeof access);
  if (data.size() < access.count) return Refuse(message.header, EINVAL, kTooShort);
  writes_.push_back({access, {data.begin(), data.begin() + access.count}});
  const auto bytes = BytesOf(access);
  NextWrite(message.header, {bytes.begin(), bytes.end()});
}

void Server::HandleWriteMulti(const Message& message) {
  uint64_t count = 0;
  if (!Take(message, count) || count > (message.body.size() - sizeof count) / sizeof(MultiWrite)) {
    return Refuse(message.header, EINVAL, kTooShort);
  }
  for (uint64_t i = 0; i < count; ++i) {
    MultiWrite write;
    std::memcpy(&write, message.body.data() + sizeof count + i * sizeof write, sizeof write);
    if (write.access.count > sizeof write.data) {
      writes_.clear();
      return Refuse(message.header, EINVAL, "a write of several has more than 8 bytes");
    }
    if (!CheckAccess(message.header, write.access, true)) return writes_.clear();
    const auto data = BytesOf(write.data).first(write.access.count);
    writes_.push_back({write.access, {data.begin(), data.end()}});
  }
  const auto bytes = BytesOf(count);
  NextWrite(message.header, {bytes.begin(), bytes.end()});
}

// Executes the rest of the request word by word, then replies. If the card completes a write before
// its call returns, the loop continues, not the callback: a request of many writes would otherwise
// recurse as deep.
void Server::NextWrite(const Header& header, const std::vector<uint8_t>& reply) {
  enum class Answer { kInCall, kThere, kLater };
  busy_ = true;
  while (!writes_.empty()) {
    Write& write = writes_.front();
    if (IsAbsent(write.access.region)) {
      writes_.pop_front();
      continue;
    }
    if (write.access.region == VFIO_PCI_CONFIG_REGION_INDEX) {
      if (config_.Write(static_cast<uint32_t>(write.access.offset), write.data)) ResetDevice();
      intx_.SetDisabled(config_.intx_disabled());
      FollowVirtual();
      writes_.pop_front();
      continue;
    }
    uint32_t value = 0;
    std::memcpy(&value, write.data.data(), sizeof value);
    const unsigned bar = write.access.region;
    const uint64_t offset = write.access.offset;
    write.access.offset += sizeof value;
    write.data.erase(write.data.begin(), write.data.begin() + sizeof value);
    if (write.data.empty()) writes_.pop_front();
    const std::weak_ptr<char> alive = alive_;
    const auto answer = std::make_shared<Answer>(Answer::kInCall);
    device_.WriteBar(bar, offset, value, [this, alive, header, reply, answer] {
      if (*answer == Answer::kInCall) {
        *answer = Answer::kThere;
      } else if (!alive.expired()) {
        NextWrite(header, reply);
      }
    });
    if (*answer == Answer::kInCall) {
      *answer = Answer::kLater;
      return;
    }
  }
  busy_ = false;
  Reply(header, reply);
}

}  // namespace ullnic::vfio
