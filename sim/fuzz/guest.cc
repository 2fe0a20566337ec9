// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "guest.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "qdma/registers.h"
#include "vfio/protocol.h"

namespace ullnic::fuzz {
namespace {

template <typename T>
std::span<const uint8_t> BytesOf(const T& value) {
  return {reinterpret_cast<const uint8_t*>(&value), sizeof value};
}

void Append(Bytes& to, std::span<const uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

[[noreturn]] void Wrong(const char* what) {
  std::fprintf(stderr, "ERROR: %s\n", what);
  std::abort();
}

}  // namespace

SharedMemory::SharedMemory() : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
  if (ftruncate(file_.get(), kBytes) != 0) Wrong("no memory to share");
  void* at = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) Wrong("no memory to share");
  memory_ = static_cast<uint8_t*>(at);
}

SharedMemory::~SharedMemory() { munmap(memory_, kBytes); }

void SharedMemory::Write(size_t offset, std::span<const uint8_t> data) {
  if (offset >= bytes_) return;
  std::memcpy(memory_ + offset, data.data(), std::min(data.size(), bytes_ - offset));
}

void SharedMemory::Cut(size_t bytes) {
  bytes_ = std::min(bytes, kBytes);
  if (ftruncate(file_.get(), static_cast<off_t>(bytes_)) != 0) Wrong("a file cannot be cut");
}

Guest::Guest(const std::string& path)
    : socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 &&
      errno != EAGAIN) {
    Wrong("the server does not listen");
  }
}

void Guest::Send(std::span<const uint8_t> bytes, const std::vector<int>& fds) {
  iovec piece{const_cast<uint8_t*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(32 * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
  }
  // Data beyond the socket's room is dropped: a client that sends part of a message.
  [[maybe_unused]] const ssize_t sent = sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
}

void Guest::Request(uint16_t command, std::span<const uint8_t> body, const std::vector<int>& fds,
                    uint32_t flags, int32_t size_error) {
  const auto size =
      static_cast<uint32_t>(sizeof(vfio::Header) + body.size()) + static_cast<uint32_t>(size_error);
  Bytes message;
  Append(message, BytesOf(vfio::Header{++id_, command, size, flags, 0}));
  Append(message, body);
  Send(message, fds);
}

void Guest::Negotiate(std::span<const uint8_t> json) {
  Bytes body = {0, 0, 1, 0};
  Append(body, json);
  body.push_back(0);
  Request(vfio::kVersion, body);
}

void Guest::WriteRegisters(const std::vector<std::pair<uint32_t, uint32_t>>& writes) {
  Bytes body;
  Append(body, BytesOf(uint64_t{writes.size()}));
  for (const auto& [address, value] : writes) {
    Append(body, BytesOf(vfio::MultiWrite{{address, 0, 4}, value}));
  }
  Request(vfio::kRegionWriteMulti, body, {}, vfio::kNoReply);
}

bool Guest::Read() {
  uint8_t buffer[4096];
  ssize_t got = 0;
  while ((got = recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT)) > 0) {
    Append(in_, {buffer, static_cast<size_t>(got)});
    vfio::Header header;
    while (in_.size() >= sizeof header) {
      std::memcpy(&header, in_.data(), sizeof header);
      const bool failed = (header.flags & vfio::kError) != 0;
      if ((header.flags & vfio::kTypeMask) != vfio::kTypeReply || header.size < sizeof header ||
          header.size > vfio::kMaxMessageBytes || failed != (header.error != 0)) {
        Wrong("what the server sends is no reply");
      }
      if (in_.size() < header.size) break;
      in_.erase(in_.begin(), in_.begin() + header.size);
    }
  }
  return got < 0 && errno == EAGAIN;
}

std::vector<std::pair<uint32_t, uint32_t>> ContextCommand(unsigned operation, unsigned selector,
                                                          unsigned qid,
                                                          std::span<const uint32_t> words) {
  std::vector<std::pair<uint32_t, uint32_t>> writes;
  for (uint32_t i = 0; i < words.size() && i < 8; ++i) {
    writes.emplace_back(qdma::reg::kContextData + 4 * i, words[i]);
    writes.emplace_back(qdma::reg::kContextMask + 4 * i, ~0u);
  }
  writes.emplace_back(qdma::reg::kContextCommand, qid << 7 | operation << 5 | selector << 1);
  return writes;
}

// As in host/libullnic/qdma.c.
std::vector<std::pair<uint32_t, uint32_t>> StartQueue(unsigned qid, unsigned vector) {
  const QueuePlaces places(qid);
  const auto at = [](size_t offset) {
    return static_cast<uint32_t>(SharedMemory::kAddress + offset);
  };
  const auto completions = at(places.completions());
  std::vector<std::pair<uint32_t, uint32_t>> writes;
  const auto add = [&writes](const std::vector<std::pair<uint32_t, uint32_t>>& more) {
    writes.insert(writes.end(), more.begin(), more.end());
  };
  add(ContextCommand(1, 12, 0, std::vector<uint32_t>{0, 2048}));
  for (uint32_t kind = 0; kind < 3; ++kind) {
    writes.emplace_back(qdma::reg::kRingSizes + 4 * kind, kRingEntries + 1);
  }
  writes.emplace_back(qdma::reg::kBufferSizes, 2048);
  const std::vector<uint32_t> all = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const uint32_t selector : all) add(ContextCommand(0, selector, qid, {}));
  add(ContextCommand(
      1, 6, qid,
      std::vector<uint32_t>{4 | 1u << 27 | 2u << 28, completions >> 6, 0, 1u << 28,
                            2 | vector << 4 | 1u << 18, (completions >> 2 & 0xf) << 14}));
  add(ContextCommand(1, 7, qid, std::vector<uint32_t>{0, 1u << 13}));
  add(ContextCommand(1, 0, qid,
                     std::vector<uint32_t>{0, 1 | 2 | 3 << 5 | 1 << 12, at(places.c2h()), 0}));
  add(ContextCommand(
      1, 1, qid,
      std::vector<uint32_t>{0, 1 | 4 | 8 | 3 << 5 | 1 << 16 | 1 << 20, at(places.h2c()), 0}));
  return writes;
}

}  // namespace ullnic::fuzz
