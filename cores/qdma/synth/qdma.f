// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// For ./ullnic lint, relative to the project's root.
-F cores/common/common.f
-F cores/qdma/qdma.f
