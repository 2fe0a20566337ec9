// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "partner/line_codec.h"

namespace ullnic::partner {

bool LineReceiver::TestHeader() {
  const auto header = static_cast<uint8_t>(bits_ & 3);
  const bool good = header == kDataHeader || header == kControlHeader;
  ++headers_;
  if (!good) {
    ++bad_in_window_;
    bad_headers_ += block_lock_;
    if (!block_lock_ || bad_in_window_ == kMaxBadHeaders) {
      if (block_lock_) {
        ++lock_losses_;
        decoder_.LoseLock();
      }
      block_lock_ = false;
      settled_ = false;
      headers_ = 0;
      bad_in_window_ = 0;
      return false;
    }
  }
  if (headers_ == kWindowBlocks) {
    if (bad_in_window_ == 0) block_lock_ = true;
    headers_ = 0;
    bad_in_window_ = 0;
  }
  return true;
}

}  // namespace ullnic::partner
