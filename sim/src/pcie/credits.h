// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Flow control credits of one kind, as a transmitter counts them.
#pragma once

#include "pcie/link_settings.h"

namespace ullnic::pcie {

struct CreditCount {
  int headers = 0;
  int data = 0;
};

class Credits {
 public:
  explicit Credits(CreditLimit limit) : limit_(limit) {}

  bool Have(int data) const {
    return (limit_.headers == kInfinite || used_.headers < limit_.headers) &&
           (limit_.data == kInfinite || used_.data + data <= limit_.data);
  }
  void Use(int data) {
    ++used_.headers;
    used_.data += data;
  }
  void Return(CreditCount count) {
    used_.headers -= count.headers;
    used_.data -= count.data;
  }
  int used_headers() const { return used_.headers; }

 private:
  CreditLimit limit_;
  CreditCount used_;
};

}  // namespace ullnic::pcie
