(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Alltoall of the ring of m >= 3 nodes, optimal: any number of packets if m is odd, an even number else. The reflection x -> -x is an
    automorphism that swaps the two ports, so it is an instance of [Rotational]; for odd m it leaves no node but 0 in its place. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Timetable Around Ring Rotational.
Import ListNotations.
Open Scope N_scope.

Definition reflection (m x : N) : N := (m - x) mod m.
(** The port of the last hop of a shortest path. *)
Definition short_way (m x : N) : N := if 2 * x <=? m then 0 else 1.

(** 2 a packets, and a packets. *)
Definition ring_alltoall_plan (m a : N) : plan := turned_alltoall (ring m) (reflection m) other_port (around m) (short_way m) a.
Definition odd_ring_alltoall_plan (m a : N) : plan := free_alltoall (ring m) (reflection m) other_port (around m) (short_way m) a.

Section RingAlltoall.
  Variable m : N.
  Hypothesis three : 3 <= m.

  Lemma two p : p < 2 -> p = 0 \/ p = 1.
  Proof. lia. Qed.
  Lemma reflection_lt x : reflection m x < m.
  Proof. apply N.mod_lt. lia. Qed.
  Theorem ring_rotation : rotation (ring m) (reflection m) other_port.
  Proof.
    split; rewrite ?ring_size, ?ring_degree by assumption.
    - intros x _. apply reflection_lt.
    - intros x y Hx Hy. rewrite !ring_add by assumption. now apply minus_sum.
    - intros p Hp. destruct (two p Hp) as [-> | ->]; (split; [reflexivity|]).
      + change (reflection m 1 = m - 1). apply N.mod_small. lia.
      + change (reflection m (m - 1) = 1). unfold reflection. replace (m - (m - 1)) with 1 by lia. apply N.mod_small. lia.
    - intros p j j' Hp Hj Hj' E.
      destruct (two p Hp) as [-> | ->], (two j Hj) as [-> | ->], (two j' Hj') as [-> | ->]; try reflexivity; discriminate E.
    - intros x Hx. change (reflection m (reflection m x) = x). now apply minus_twice.
  Qed.
  Theorem ring_shortest : shortest (ring m) (around m) (short_way m).
  Proof.
    assert (P : forall v, short_way m v < 2) by (intros v; unfold short_way; destruct (2 * v <=? m); lia).
    split; rewrite ?ring_size, ?ring_degree by assumption.
    - now apply around_0.
    - intros v _ _. apply P.
    - intros v Hv NZ. pose proof (before_lt (ring m) (ring_sound m three) (short_way m) v) as L.
      pose proof (next_before (ring m) (ring_sound m three) (short_way m) v) as E. rewrite ring_size in L, E by assumption. specialize (E Hv).
      apply around_back; auto. unfold short_way in E at 2.
      destruct (2 * v <=? m); [rewrite ring_up in E by assumption|rewrite ring_down in E by assumption]; exact E.
    - intros v p Hv Hp. destruct (two p Hp) as [-> | ->]; [rewrite ring_up by assumption|rewrite ring_down by assumption]; apply around_step; auto.
  Qed.
  Lemma ring_sum : sum (around m) (range (size (ring m))) = m * m / 4.
  Proof. rewrite ring_size by assumption. apply around_sum. Qed.

  (** 2 a packets from every node to every other take a floor(m^2 / 4) rounds, and no schedule takes fewer. *)
  Theorem ring_alltoall_optimal a :
    optimal (problem_of_plan (ring_alltoall_plan m a)) (rounds_of_plan (ring_alltoall_plan m a)) /\
    len (rounds_of_plan (ring_alltoall_plan m a)) = a * (m * m / 4).
  Proof.
    rewrite <- ring_sum. apply turned_alltoall_optimal; auto using ring_sound, ring_rotation, ring_shortest. rewrite ring_degree. lia.
  Qed.
  (** If m is odd, a packets take a (m^2 - 1) / 8 rounds, and no schedule takes fewer. *)
  Theorem odd_ring_alltoall_optimal a : N.odd m = true ->
    optimal (problem_of_plan (odd_ring_alltoall_plan m a)) (rounds_of_plan (odd_ring_alltoall_plan m a)) /\
    len (rounds_of_plan (odd_ring_alltoall_plan m a)) = a * (m * m / 4 / 2).
  Proof.
    intros Odd. rewrite <- ring_sum. apply free_alltoall_optimal; auto using ring_sound, ring_rotation, ring_shortest; [rewrite ring_degree; lia|].
    intros y j j' Hy NZ Hj Hj' E. rewrite ring_size in Hy by assumption. apply N.odd_spec in Odd as (h & Hh).
    destruct (minus_cases m three y Hy) as [(Z & _)|(_ & M)]; [easy|]. rewrite ring_degree in Hj, Hj'.
    destruct (two j Hj) as [-> | ->], (two j' Hj') as [-> | ->]; try reflexivity; exfalso; cbn [N.iter Pos.iter] in E; unfold reflection in E; lia.
  Qed.
End RingAlltoall.
