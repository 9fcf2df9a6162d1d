(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The three theorems about a plan: valid, bounded, optimal. The program isotrope-checker is extracted from [is_valid] and [is_bound]. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Fast Lower FastLower.
Import ListNotations.
Open Scope N_scope.

(** What a plan file says. [odd] is a node of odd parity, [numbers] exceeds the numbers of all packets. *)
Record plan := PlanOf {
  on : shape; under : limits; task : kind; moved : traffics;
  replicated : replication; odd : N; numbers : N;
  moves : list round; copies : list round }.

Definition problem_of_plan (p : plan) : problem := problem_of (on p) (under p) (task p) (moved p).
Definition rounds_of_plan (p : plan) : list (bool * round) := schedule (on p) (replicated p) (moves p) (copies p).

Definition is_valid (p : plan) : bool :=
  check_fast (on p) (replicated p) (odd p) (numbers p) (under p) (task p) (moved p) (moves p) (copies p).
Definition is_bound (p : plan) (T : N) (c : certificate) : bool := lower_fast (on p) (under p) (task p) (moved p) T c.

(** A valid plan solves its problem. *)
Theorem valid_plan p : is_valid p = true -> valid (problem_of_plan p) (rounds_of_plan p).
Proof. unfold is_valid. rewrite check_fast_same. apply check_valid_sound. Qed.

(** No schedule of the problem takes fewer rounds than the bound. *)
Theorem bound_holds p T c : is_valid p = true -> is_bound p T c = true ->
  forall s, competes (problem_of_plan p) s -> T <= len s.
Proof.
  intros V B. unfold is_valid in V. rewrite check_fast_same in V. unfold check_valid in V. rewrite !andb_true_iff in V.
  destruct V as (((V & _) & _) & _). destruct (shape_ok_sound _ _ V) as (P & (G & _) & _).
  unfold is_bound in B. rewrite lower_fast_same in B by assumption. now apply (lower_sound (on p) (under p) (task p) (moved p) T c).
Qed.

(** A valid plan whose rounds are a bound is optimal. *)
Theorem optimal_plan p c : is_valid p = true -> is_bound p (len (moves p) + len (copies p)) c = true ->
  optimal (problem_of_plan p) (rounds_of_plan p).
Proof.
  intros V B. split; [now apply valid_plan|]. intros s C. pose proof (bound_holds p _ c V B s C) as X.
  unfold rounds_of_plan, schedule. rewrite app_length, !map_length. unfold len in X. lia.
Qed.
