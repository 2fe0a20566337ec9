# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# After macpcs_xdc.tcl, where the design has macpcs_managed: the scope is then that module, which contains macpcs and
# has crossings of its own.  A design that has a bare macpcs beside it names the instances instead: take SCOPED_TO_REF
# off again and set SCOPED_TO_CELLS to their paths.
#
# No vendor's tool has read this file.

set_property SCOPED_TO_REF macpcs_managed [get_files macpcs.xdc]
