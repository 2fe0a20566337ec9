// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/irq_lines.h"

#include <fmt/format.h>

#include <cerrno>

#include "vfio/event_fd.h"

namespace ullnic::vfio {

void IrqLines::Deliver(Line& line) {
  if (line.masked || line.event.get() < 0) {
    line.pending = true;
    return;
  }
  line.pending = false;
  skipped_ += !SignalEventFd(line.event.get());
}

bool IrqLines::Raise(unsigned vector) {
  if (vector >= lines_.size()) return false;
  ++raised_;
  Deliver(lines_[vector]);
  return true;
}

std::optional<Refusal> IrqLines::Set(const IrqSet& set, std::span<const uint8_t> data,
                                     std::vector<Fd>& fds) {
  const uint32_t kind = set.flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
  const uint32_t action = set.flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
  if (set.start > lines_.size() || set.count > lines_.size() - set.start) {
    return Refusal{EINVAL, fmt::format("interrupt vectors {} to {}: there are {}", set.start,
                                       uint64_t{set.start} + set.count, lines_.size())};
  }
  const auto range = std::span(lines_).subspan(set.start, set.count);
  if (kind == VFIO_IRQ_SET_DATA_EVENTFD && action == VFIO_IRQ_SET_ACTION_TRIGGER) {
    if (!fds.empty() && fds.size() != set.count) {
      return Refusal{EINVAL,
                     fmt::format("{} eventfds for {} interrupt vectors", fds.size(), set.count)};
    }
    for (const Fd& fd : fds) {
      if (!IsEventFd(fd.get())) {
        return Refusal{EINVAL, "an interrupt's file descriptor is no eventfd"};
      }
    }
    for (size_t i = 0; i < range.size(); ++i) {
      range[i].event = fds.empty() ? Fd() : std::move(fds[i]);
      if (range[i].pending && range[i].event.get() >= 0) Deliver(range[i]);
    }
    return std::nullopt;
  }
  if (kind == VFIO_IRQ_SET_DATA_NONE && action == VFIO_IRQ_SET_ACTION_TRIGGER && set.count == 0) {
    Clear();
    return std::nullopt;
  }
  if (kind == VFIO_IRQ_SET_DATA_BOOL && data.size() < set.count) {
    return Refusal{
        EINVAL, fmt::format("{} bytes of flags for {} interrupt vectors", data.size(), set.count)};
  }
  if (kind != VFIO_IRQ_SET_DATA_NONE && kind != VFIO_IRQ_SET_DATA_BOOL) {
    return Refusal{EINVAL, fmt::format("interrupt request with flags {:#x}", set.flags)};
  }
  for (size_t i = 0; i < range.size(); ++i) {
    if (kind == VFIO_IRQ_SET_DATA_BOOL && data[i] == 0) continue;
    switch (action) {
      case VFIO_IRQ_SET_ACTION_TRIGGER:
        Deliver(range[i]);
        break;
      case VFIO_IRQ_SET_ACTION_MASK:
        range[i].masked = true;
        break;
      case VFIO_IRQ_SET_ACTION_UNMASK:
        range[i].masked = false;
        if (range[i].pending) Deliver(range[i]);
        break;
      default:
        return Refusal{EINVAL, fmt::format("interrupt request with flags {:#x}", set.flags)};
    }
  }
  return std::nullopt;
}

uint32_t IrqLines::PendingBits(unsigned word) const {
  uint32_t bits = 0;
  for (size_t i = 0; i < 32 && word * 32 + i < lines_.size(); ++i) {
    bits |= uint32_t{lines_[word * 32 + i].pending} << i;
  }
  return bits;
}

void IrqLines::ClearPending() {
  for (Line& line : lines_) line.pending = false;
}

void IrqLines::Clear() {
  for (Line& line : lines_) line = Line();
}

}  // namespace ullnic::vfio
