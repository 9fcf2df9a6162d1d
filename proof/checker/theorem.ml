(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* A plan as a theorem of Coq, closed by computation: no extraction and no OCaml is left to trust, but this text. *)
open Checker
open Plan_file

let n x = string_of_int (Numbers.int x)
let list f l = "[" ^ String.concat "; " (Numbers.list f l) ^ "]"
let packet ((o, d), j) = Printf.sprintf "(%s, %s, %s)" (n o) (n d) (n j)
let hop (q, (v, p)) = Printf.sprintf "(%s, (%s, %s))" (packet q) (n v) (n p)
let rounds l = "[" ^ String.concat ";\n   " (Numbers.list (list hop) l) ^ "]"
let levels (f : Plan_file.t) t =
  let rows = List.filter_map (fun v -> match get t (Numbers.n v) with N0 -> None | l -> Some (Printf.sprintf "(%d, %s)" v (n l)))
    (List.init f.group.size Fun.id) in
  "(table_of [" ^ String.concat "; " rows ^ "])"
let certificate f = function
  | Price (t, w, g) -> Printf.sprintf "Price %s %s %s" (levels f t) (list n w) (n g)
  | Receptions -> "Receptions"
  | Gossip -> "Gossip"
  | Late (b, u, e, far, d, t) -> Printf.sprintf "Late %b %s %s %s %s %s" b (n u) (n e) (n far) (n d) (levels f t)
  | Doubling (b, u, e) -> Printf.sprintf "Doubling %b %s %s" b (n u) (n e)
  | Distant (b, u, e, j, t) -> Printf.sprintf "Distant %b %s %s %s %s" b (n u) (n e) (n j) (levels f t)
  | Into (b, m, one, other) -> Printf.sprintf "Into %b %s %s %s" b (levels f m) (n one) (n other)
  | Reach (b, u) -> Printf.sprintf "Reach %b %s" b (n u)

let print (f : Plan_file.t) (p : plan) c =
  if not f.intact then outside "theorems of plans with failures";
  let traffic = match p.moved with
    | Symmetric l -> "Symmetric " ^ list (fun (d, j) -> Printf.sprintf "(%s, %s)" (n d) (n j)) l
    | Listed l -> "Listed " ^ list packet l in
  let replication = match p.replicated with
    | All -> "All" | Once -> "Once" | Even c -> "(Even " ^ list string_of_bool c ^ ")" in
  let kind = match p.task with Deliver -> "Deliver" | Spread -> "Spread" | Collect -> "Collect" | Share -> "Share" in
  Printf.printf
    "(* SPDX-FileCopyrightText: The Isotrope authors\n   SPDX-License-Identifier: Apache-2.0 *)\n\
     (** %s on %s: %d rounds, and no schedule takes fewer. Written by isotrope-checker --theorem. *)\n\
     From Coq Require Import NArith List.\nFrom Isotrope Require Import Model Plan Tally Lower Checker.\nImport ListNotations.\nOpen Scope N_scope.\n\n\
     Definition table_of (l : list (N * N)) : table := fold_left (fun m x => set m (fst x) (snd x)) l none.\n\
     Definition the_plan : plan := PlanOf\n  (Shape %s %s None)\n  (Limits %s %s %b) %s\n  (%s)\n  %s %s %s\n  %s\n  %s.\n\n\
     Theorem it_is_optimal : optimal (problem_of_plan the_plan) (rounds_of_plan the_plan).\n\
     Proof. apply optimal_plan with (c := %s); vm_compute; reflexivity. Qed.\n\nPrint Assumptions it_is_optimal.\n"
    f.collective f.network f.counted_rounds
    (list n p.on.moduli) (list n p.on.generators)
    (match p.under.per_link with None -> "None" | Some k -> "(Some " ^ n k ^ ")") (n p.under.ports) p.under.half_duplex kind traffic
    replication (n p.odd) (n p.numbers) (rounds p.moves) (rounds p.copies) (certificate f c)
