// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the card, in order, relative to the project's root: a tool that is run there reads them with -f.
-F cores/common/common.f
-F cores/macpcs/macpcs.f
-F cores/toe/toe.f
-F cores/toe/toe_axil.f
cards/toe/rtl/app_pkg.sv
cards/toe/rtl/app_orders.sv
cards/toe/rtl/app_merge.sv
cards/toe/rtl/app_generator.sv
cards/toe/rtl/app_http.sv
cards/toe/rtl/toe_apps.sv
cards/toe/rtl/order_merge.sv
cards/toe/rtl/toe_setup.sv
cards/toe/rtl/toe_card.sv
