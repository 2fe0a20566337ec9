// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of ate_early with the MAC's transmitter, in order, relative to the project's root (-f).
-F cores/common/common.f
-F cores/macpcs/macpcs.f
-F cores/ate/ate.f
cores/ate/synth/ate_early_with_mac.sv
