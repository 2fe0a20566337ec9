// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Options per port: "PORT=WHAT".
#pragma once

#include <string>
#include <vector>

namespace ullnic {

// The value for each port, `otherwise` where none is given. Throws UserError for a port that does
// not exist or is given twice; `option`: its name for the message.
std::vector<std::string> ByPort(const std::vector<std::string>& given, unsigned ports,
                                const std::string& option, const std::string& otherwise);

}  // namespace ullnic
