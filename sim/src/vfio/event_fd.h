// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Eventfds of the client.
#pragma once

namespace ullnic::vfio {

bool IsEventFd(int fd);
// Adds 1, without waiting. False: the counter is full, so that its owner has one to read.
bool SignalEventFd(int fd);

}  // namespace ullnic::vfio
