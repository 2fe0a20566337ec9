// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Main loop of a program that is only a DMA on a socket.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "program/host_events.h"
#include "qdma/endpoint.h"

namespace ullnic::qdma {

void PrintClientEvent(const std::string& what);
// Serves the functions of one card until the host ends it. now_ps: the time of the DMA's timers.
// Prints the counters, of several functions as a list.
void Serve(const std::vector<Endpoint*>& endpoints, HostEvents& host,
           const std::function<int64_t()>& now_ps);

}  // namespace ullnic::qdma
