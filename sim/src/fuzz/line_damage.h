// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Damage below the MAC: sync headers, block types and payloads, whole blocks, preamble, gap, FCS.
#pragma once

#include "core/rng.h"
#include "partner/frame_encoder.h"

namespace ullnic::fuzz {

// The frame must not be received as good: its FCS is bad, or it is a runt.
void DamageLine(partner::WireFrame& frame, Rng& rng);

}  // namespace ullnic::fuzz
