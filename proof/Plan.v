(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Plans as the plan file has them: a Cayley graph of an abelian group with its failures, traffic, and listed hops that stand for all their
    translations. Definitions only; a reader of the theorems must believe them. *)
From Coq Require Import NArith List Bool.
From Isotrope Require Import Group Model.
Import ListNotations.
Open Scope N_scope.

(** * A problem of the plan file *)

Record shape := Shape {
  moduli : list N; generators : list N;
  failures : option ((node -> bool) * (link -> bool)) }.  (* the nodes and links that work; None: all *)

Inductive traffics :=
  | Symmetric (blocks : list (N * N))     (* from every node o, to o + delta, number j *)
  | Listed (packets : list packet).

(** 0, 1, ..., n - 1, counted down. *)
Definition range (n : N) : list N := snd (N.iter n (fun '(i, l) => (N.pred i, N.pred i :: l)) (n, [])).

Definition size (s : shape) := order (moduli s).
Definition degree (s : shape) := len (generators s).
Definition alive (s : shape) v := match failures s with None => true | Some (a, _) => a v end.
Definition works (s : shape) l := match failures s with None => true | Some (_, w) => w l end.
Definition next (s : shape) (l : link) : node := add (moduli s) (fst l) (nth (N.to_nat (snd l)) (generators s) 0).
Definition exists_link s l := works s l && alive s (fst l) && alive s (next s l).
Definition all_links (n d : N) : list link := flat_map (fun v => map (fun p => (v, p)) (range d)) (range n).

Definition network_of (s : shape) : network :=
  Network (filter (alive s) (range (size s))) (filter (exists_link s) (all_links (size s) (degree s))) fst (next s).

Definition traffic_of (s : shape) (t : traffics) : packet -> Prop := fun '(o, d, j) =>
  o < size s /\ d < size s /\
  match t with
  | Symmetric blocks => In (sub (moduli s) d o, j) blocks
  | Listed packets => In (o, d, j) packets
  end.

Definition problem_of (s : shape) (L : limits) (k : kind) (t : traffics) : problem :=
  Problem (network_of s) L k (traffic_of s t).

(** * Replication: the listed hops, translated by every element of a set *)

Inductive replication := All | Once | Even (chosen : list bool).

(** Nodes of one class are translations of each other. *)
Definition class (s : shape) (r : replication) (v : node) : N :=
  match r with All => 0 | Once => v | Even chosen => parity (moduli s) chosen v end.

Definition translations (s : shape) (r : replication) : list N := filter (fun g => class s r g =? 0) (range (size s)).

Definition shift (s : shape) (g : N) (h : hop) : hop :=
  let '((o, d, j), (v, p)) := h in ((add (moduli s) o g, add (moduli s) d g, j), (add (moduli s) v g, p)).

Definition expand (s : shape) (r : replication) (R : round) : round :=
  flat_map (fun g => map (shift s g) R) (translations s r).

(** The rounds of a plan: first those whose senders keep nothing, then those whose senders keep what they send. *)
Definition schedule (s : shape) (r : replication) (moves copies : list round) : list (bool * round) :=
  map (fun R => (false, expand s r R)) moves ++ map (fun R => (true, expand s r R)) copies.
