// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies to and from memory that another process shares and may take away: a file that is made
// shorter raises SIGBUS in whoever touches the missing pages. Here that is a failed copy.
#pragma once

#include <cstddef>

namespace ullnic::vfio {

// Writes are seen in the order of the calls, and 8 bytes to a multiple of 8 at once. False: a part
// of the memory is no longer there.
bool CopyToShared(void* to, const void* from, size_t bytes);
bool CopyFromShared(void* to, const void* from, size_t bytes);

}  // namespace ullnic::vfio
