(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Prints what the main theorems rest on. Every answer must be 'Closed under the global context': no axiom, nothing admitted. *)
From Isotrope Require Model Bounds Late Cut Far Translate Valid Lower Exchange Checker Rounds Timetable
  Cube CubeAlltoall CubeCounts CubeOrder CubeAllgather Ring Rotational SquareTorus
  RingAlltoall Hexmesh Distance HexmeshAlltoall.

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
Print Assumptions Rounds.ports_within.
Print Assumptions Timetable.allgather_of_optimal.
Print Assumptions Timetable.reduce_scatter_of_optimal.
Print Assumptions Timetable.allreduce_of_optimal.
Print Assumptions Timetable.allreduce_of_bound.
Print Assumptions Cube.cube_next.
Print Assumptions CubeAlltoall.alltoall_optimal.
Print Assumptions CubeCounts.no_divisor.
Print Assumptions CubeOrder.order_orderly.
Print Assumptions CubeAllgather.allgather_optimal.
Print Assumptions CubeAllgather.reduce_scatter_optimal.
Print Assumptions CubeAllgather.allreduce_optimal.
Print Assumptions CubeAllgather.allreduce_multiple.
Print Assumptions CubeAllgather.allreduce_nearly_optimal.
Print Assumptions Ring.ring_allgather_optimal.
Print Assumptions Ring.ring_reduce_scatter_optimal.
Print Assumptions Ring.ring_allreduce_optimal.
Print Assumptions Ring.ring_allreduce_nearly_optimal.
Print Assumptions Rotational.turned_allgather_optimal.
Print Assumptions Rotational.turned_reduce_scatter_optimal.
Print Assumptions Rotational.turned_allreduce_optimal.
Print Assumptions Rotational.turned_alltoall_optimal.
Print Assumptions Rotational.free_alltoall_optimal.
Print Assumptions SquareTorus.torus_allgather_optimal.
Print Assumptions SquareTorus.torus_reduce_scatter_optimal.
Print Assumptions SquareTorus.torus_allreduce_optimal.
Print Assumptions SquareTorus.torus_alltoall_optimal.
Print Assumptions SquareTorus.odd_torus_alltoall_optimal.
Print Assumptions RingAlltoall.ring_alltoall_optimal.
Print Assumptions RingAlltoall.odd_ring_alltoall_optimal.
Print Assumptions Hexmesh.hexmesh_allgather_optimal.
Print Assumptions Hexmesh.hexmesh_reduce_scatter_optimal.
Print Assumptions Hexmesh.hexmesh_allreduce_optimal.
Print Assumptions Distance.distance_shortest.
Print Assumptions HexmeshAlltoall.hexmesh_alltoall_optimal.
