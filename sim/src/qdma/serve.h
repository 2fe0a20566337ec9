// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program does that is nothing but a DMA on a socket.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "program/host_events.h"
#include "qdma/endpoint.h"

namespace ullnic::qdma {

void PrintClientEvent(const std::string& what);
// Until the host wants it to end. now_ps: the time of the DMA's timers. Prints the counters.
void Serve(Endpoint& endpoint, HostEvents& host, const std::function<int64_t()>& now_ps);

}  // namespace ullnic::qdma
