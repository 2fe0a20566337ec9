// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/dma_map.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "vfio/guarded_copy.h"

namespace ullnic::vfio {
namespace {

constexpr uint32_t kReadable = 1;
constexpr uint32_t kWritable = 2;

}  // namespace

std::optional<Refusal> DmaMap::Map(const DmaMapRequest& request, const Fd* fd) {
  const uint64_t last = request.address + request.size - 1;
  if (request.size == 0 || last < request.address || request.address % 4096 != 0 ||
      request.size % 4096 != 0) {
    return Refusal{EINVAL, fmt::format("DMA map of {:#x} bytes at {:#x}: whole pages are needed",
                                       request.size, request.address)};
  }
  if ((request.flags & (kReadable | kWritable)) == 0) {
    return Refusal{
        EINVAL, fmt::format("DMA map at {:#x} may be neither read nor written", request.address)};
  }
  const auto next = ranges_.lower_bound(request.address);
  if ((next != ranges_.end() && next->first <= last) ||
      (next != ranges_.begin() &&
       std::prev(next)->first + (std::prev(next)->second.size - 1) >= request.address)) {
    return Refusal{EEXIST, fmt::format("DMA map at {:#x} overlaps another", request.address)};
  }
  Range range{request.size, nullptr, (request.flags & kReadable) != 0,
              (request.flags & kWritable) != 0};
  if (fd != nullptr) {
    struct stat about{};
    if (fstat(fd->get(), &about) == 0 && S_ISREG(about.st_mode) &&
        (request.offset > static_cast<uint64_t>(about.st_size) ||
         request.size > static_cast<uint64_t>(about.st_size) - request.offset)) {
      return Refusal{
          EINVAL, fmt::format("DMA map at {:#x} goes beyond the end of its file", request.address)};
    }
    const int protection =
        (range.readable ? PROT_READ : 0) | (range.writable ? PROT_READ | PROT_WRITE : 0);
    void* memory = mmap(nullptr, request.size, protection, MAP_SHARED, fd->get(),
                        static_cast<off_t>(request.offset));
    if (memory == MAP_FAILED) {
      const int error = errno;
      return Refusal{error, fmt::format("cannot map {:#x} bytes for DMA at {:#x}: {}", request.size,
                                        request.address, strerror(error))};
    }
    range.memory = static_cast<uint8_t*>(memory);
  }
  ranges_.emplace(request.address, range);
  return std::nullopt;
}

std::optional<Refusal> DmaMap::Unmap(uint64_t address, uint64_t size) {
  const uint64_t last = address + size - 1;
  const auto begin = ranges_.lower_bound(address);
  auto end = begin;
  while (end != ranges_.end() && end->first <= last) ++end;
  const auto reaches_beyond = [last](const auto& entry) {
    return entry.first + (entry.second.size - 1) > last;
  };
  const bool cuts_first = begin != ranges_.begin() &&
                          std::prev(begin)->first + (std::prev(begin)->second.size - 1) >= address;
  if (size == 0 || last < address || begin == end || cuts_first ||
      reaches_beyond(*std::prev(end))) {
    return Refusal{ENOENT, fmt::format("DMA unmap of {:#x} bytes at {:#x}: there is no map, or one "
                                       "that is only partly within",
                                       size, address)};
  }
  for (auto it = begin; it != end; ++it) Release(it->second);
  ranges_.erase(begin, end);
  return std::nullopt;
}

void DmaMap::Release(const Range& range) {
  if (range.memory != nullptr) munmap(range.memory, range.size);
}

void DmaMap::Clear() {
  for (const auto& [address, range] : ranges_) Release(range);
  ranges_.clear();
}

template <typename Copy>
bool DmaMap::Walk(uint64_t address, size_t bytes, bool write, Copy copy) {
  if (bytes != 0 && address + (bytes - 1) < address) return false;
  size_t done = 0;
  while (done < bytes) {
    const uint64_t at = address + done;
    auto it = ranges_.upper_bound(at);
    if (it == ranges_.begin()) return false;
    --it;
    const Range& range = it->second;
    const uint64_t offset = at - it->first;
    if (offset >= range.size || range.memory == nullptr) return false;
    if (!(write ? range.writable : range.readable)) return false;
    const size_t piece = std::min<uint64_t>(bytes - done, range.size - offset);
    if (!copy(range.memory + offset, done, piece)) return false;
    done += piece;
  }
  return true;
}

bool DmaMap::Read(uint64_t address, std::span<uint8_t> data) {
  return Walk(address, data.size(), false, [data](uint8_t* memory, size_t at, size_t bytes) {
    return CopyFromShared(data.data() + at, memory, bytes);
  });
}

bool DmaMap::Write(uint64_t address, std::span<const uint8_t> data) {
  return Walk(address, data.size(), true, [data](uint8_t* memory, size_t at, size_t bytes) {
    return CopyToShared(memory, data.data() + at, bytes);
  });
}

}  // namespace ullnic::vfio
