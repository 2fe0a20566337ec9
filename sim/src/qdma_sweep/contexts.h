// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The contexts of a queue pair as a driver writes them, with the settings of the published results.
#pragma once

#include "qdma/context.h"
#include "qdma_sweep/queue.h"

namespace ullnic::qdma_sweep {

// The driver uses only the first entry of the tables of sizes, counts and timers.
inline constexpr uint32_t kSizeIndex = 0;
inline constexpr auto kTrigger = qdma::cmpl::kUserTimerCount;

qdma::ContextWords FunctionMap(unsigned queues);
qdma::ContextWords SoftwareContext(unsigned function, uint64_t ring, unsigned descriptor_bytes,
                                   bool fetch_credits);
qdma::ContextWords PrefetchContext(bool is_inline);
qdma::ContextWords CompletionContext(unsigned function, uint64_t ring, unsigned entry_bytes);
// The doorbell of a completion ring.
uint32_t CidxDoorbell(unsigned cidx);

}  // namespace ullnic::qdma_sweep
