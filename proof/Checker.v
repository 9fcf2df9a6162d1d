(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The three theorems about a plan: valid, bounded, optimal; and the same of an exchange. The program isotrope-checker is extracted from
    [is_valid], [is_exchange] and [is_bound]. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Fast Lower FastLower Exchange.
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

(** An exchange: a plan without other rounds, whose packets are the parts of one vector at node b. *)
Definition is_exchange (p : plan) (b : node) (result : N -> node -> list N) (rounds : list (list message)) : bool :=
  match task p, moved p with
  | Share, Listed tr => check_exchange (on p) (replicated p) (under p) b (numbers p) tr result rounds
  | _, _ => false
  end.
Definition rounds_of_exchange (p : plan) (rounds : list (list message)) := map (expand_messages (on p) (replicated p)) rounds.

Theorem exchange_plan p b result rounds : is_exchange p b result rounds = true ->
  valid_exchange (problem_of_plan p) b result (rounds_of_exchange p rounds) /\
  competes (problem_of_plan p) (map (hops_of b) (rounds_of_exchange p rounds)).
Proof.
  unfold is_exchange, problem_of_plan. destruct (task p) eqn:ET; try discriminate. destruct (moved p) as [|tr] eqn:EM; [discriminate|].
  intros C. destruct (check_exchange_sound _ _ _ _ _ _ _ _ C) as (V & T). split; [exact V|]. now apply exchange_competes with (result := result).
Qed.

Theorem optimal_exchange_plan p b result rounds c : is_exchange p b result rounds = true -> is_bound p (len rounds) c = true ->
  optimal_exchange (problem_of_plan p) b result (rounds_of_exchange p rounds).
Proof.
  intros E B. split; [now apply exchange_plan|]. intros s C. unfold is_exchange in E.
  destruct (task p) eqn:ET; try discriminate. destruct (moved p) as [|tr] eqn:EM; [discriminate|].
  unfold check_exchange in E. cbv zeta in E. rewrite !andb_true_iff in E. destruct E as ((OK & _) & _).
  destruct (shape_ok_sound _ _ OK) as (P & (G & _) & _). unfold is_bound in B. rewrite lower_fast_same in B by assumption.
  pose proof (lower_sound _ _ _ _ _ _ P B s C) as X. unfold rounds_of_exchange. rewrite map_length. unfold len in X. lia.
Qed.
