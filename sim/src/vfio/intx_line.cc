// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "vfio/intx_line.h"

#include <fmt/format.h>

#include <cerrno>

#include "vfio/event_fd.h"

namespace ullnic::vfio {

void IntxLine::Deliver() {
  if (!is_asserted_ || is_disabled_ || is_masked_ || event_.get() < 0) return;
  is_masked_ = true;
  SignalEventFd(event_.get());
}

void IntxLine::SetLevel(bool is_asserted) {
  is_asserted_ = is_asserted;
  Deliver();
}

void IntxLine::SetDisabled(bool is_disabled) {
  is_disabled_ = is_disabled;
  Deliver();
}

void IntxLine::Clear() {
  event_ = Fd();
  is_masked_ = false;
}

std::optional<Refusal> IntxLine::Set(const IrqSet& set, std::span<const uint8_t> data,
                                     std::vector<Fd>& fds) {
  const uint32_t kind = set.flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
  const uint32_t action = set.flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
  const auto refuse = [&] {
    return Refusal{EINVAL, fmt::format("INTx request with flags {:#x}, {} from {} on", set.flags,
                                       set.count, set.start)};
  };
  if (kind == VFIO_IRQ_SET_DATA_NONE && action == VFIO_IRQ_SET_ACTION_TRIGGER && set.count == 0) {
    Clear();
    return std::nullopt;
  }
  if (set.start != 0 || set.count != 1) return refuse();
  if (kind == VFIO_IRQ_SET_DATA_EVENTFD && action == VFIO_IRQ_SET_ACTION_TRIGGER) {
    if (fds.size() > 1 || (fds.size() == 1 && !IsEventFd(fds[0].get()))) return refuse();
    Clear();
    if (!fds.empty()) event_ = std::move(fds[0]);
    Deliver();
    return std::nullopt;
  }
  if (kind != VFIO_IRQ_SET_DATA_NONE && (kind != VFIO_IRQ_SET_DATA_BOOL || data.empty())) {
    return refuse();
  }
  if (kind == VFIO_IRQ_SET_DATA_BOOL && data[0] == 0) return std::nullopt;
  switch (action) {
    case VFIO_IRQ_SET_ACTION_TRIGGER:  // for tests of the client
      if (event_.get() >= 0) SignalEventFd(event_.get());
      return std::nullopt;
    case VFIO_IRQ_SET_ACTION_MASK:
      is_masked_ = true;
      return std::nullopt;
    case VFIO_IRQ_SET_ACTION_UNMASK:
      is_masked_ = false;
      Deliver();
      return std::nullopt;
    default:
      return refuse();
  }
}

}  // namespace ullnic::vfio
