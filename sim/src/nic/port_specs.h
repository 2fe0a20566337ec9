// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that are given by port: "PORT=WHAT".
#pragma once

#include <string>
#include <vector>

namespace ullnic {

// What is given for each port, `otherwise` where nothing is. Throws UserError for a port that is
// not there or is given twice; `option`: the name to tell of.
std::vector<std::string> ByPort(const std::vector<std::string>& given, unsigned ports,
                                const std::string& option, const std::string& otherwise);

}  // namespace ullnic
