(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Prints what the main theorems rest on. Every answer must be 'Closed under the global context': no axiom, nothing admitted. *)
From Isotrope Require Model Bounds Late Cut Far Translate Valid Lower Exchange Checker.

Print Assumptions Model.valid_competes.
Print Assumptions Model.moved_once.
Print Assumptions Bounds.price_bound.
Print Assumptions Bounds.reception_bound.
Print Assumptions Late.distance_bound.
Print Assumptions Late.doubling_bound.
Print Assumptions Late.reach_bound.
Print Assumptions Late.late_packet_at.
Print Assumptions Late.gossip_bound.
Print Assumptions Late.path_reversed.
Print Assumptions Cut.cut_bound.
Print Assumptions Far.far_bound.
Print Assumptions Translate.round_ok_within.
Print Assumptions Valid.check_valid_sound.
Print Assumptions Lower.lower_sound.
Print Assumptions Exchange.exchange_competes.
Print Assumptions Exchange.check_exchange_sound.
Print Assumptions Checker.valid_plan.
Print Assumptions Checker.bound_holds.
Print Assumptions Checker.optimal_plan.
Print Assumptions Checker.exchange_plan.
Print Assumptions Checker.optimal_exchange_plan.
