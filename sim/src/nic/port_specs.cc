// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0

#include "nic/port_specs.h"

#include <fmt/format.h>

#include <charconv>

#include "core/user_error.h"

namespace ullnic {

std::vector<std::string> ByPort(const std::vector<std::string>& given, unsigned ports,
                                const std::string& option, const std::string& otherwise) {
  std::vector<std::string> values(ports, otherwise);
  std::vector<bool> seen(ports);
  for (const std::string& text : given) {
    const auto fail = [&](const std::string& why) {
      throw UserError(fmt::format("--{} {}: {}", option, text, why),
                      fmt::format("--{} PORT=WHAT, PORT from 0 to {}", option, ports - 1));
    };
    const size_t equals = text.find('=');
    if (equals == std::string::npos) fail("there is no '='");
    unsigned port = 0;
    const char* end = text.data() + equals;
    const auto [stop, error] = std::from_chars(text.data(), end, port);
    if (error != std::errc() || stop != end) fail("no number of a port before the '='");
    if (port >= ports) fail("the card has no such port");
    if (seen[port]) fail("this port is given twice");
    seen[port] = true;
    values[port] = text.substr(equals + 1);
  }
  return values;
}

}  // namespace ullnic
