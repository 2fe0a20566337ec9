// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies to and from memory that another process shares and may truncate: access to the missing
// pages raises SIGBUS. Here that is a failed copy.
#pragma once

#include <cstddef>

namespace ullnic::vfio {

// Writes are visible in the order of the calls, and an aligned write of 8 bytes is atomic. False:
// part of the memory no longer exists.
bool CopyToShared(void* to, const void* from, size_t bytes);
bool CopyFromShared(void* to, const void* from, size_t bytes);

}  // namespace ullnic::vfio
