(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Alltoall of the hexagonal mesh with n >= 2 nodes a side, for every n and every number of packets: optimal, as [Rotational] says, for no turn by
    60, 120 or 180 degrees leaves a node but 0 in its place. The rounds for one packet a pair are a sixth of the sum of all distances. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Timetable Rotational Distance Hexmesh.
Import ListNotations.
Open Scope N_scope.

Definition hexmesh_alltoall_plan (n a : N) : plan :=
  free_alltoall (hexmesh n) (sixth n) sixth_port (distance (hexmesh n)) (last_hop (hexmesh n)) a.

Section HexmeshAlltoall.
  Variable n : N.
  Hypothesis two : 2 <= n.
  Notation p := (hex_size n).
  Notation u := (3 * n - 1).
  Notation s := (hexmesh n).

  Lemma hops_up k v : within_hops s k v = true -> forall m, within_hops s (k + m) v = true.
  Proof.
    intros H. induction m as [|m IH]; [now replace (k + 0)%nat with k by lia|]. replace (k + S m)%nat with (S (k + m)) by lia.
    cbn [within_hops]. now rewrite IH.
  Qed.
  Lemma hex_connected v : v < size s -> within_hops s (N.to_nat (size s)) v = true.
  Proof.
    rewrite hex_shape_size. pose proof (p_big n two) as (B & _). intros Hv.
    assert (X : v < p -> within_hops s (N.to_nat v) v = true).
    { clear Hv. induction v as [|v IH] using N.peano_ind; intros Hv; [reflexivity|]. rewrite <- N.add_1_r in *.
      apply (hops_more s (v + 1) 0 v); [rewrite hex_degree; lia|].
      replace (sub (moduli s) (v + 1) (generator s 0)) with v; [apply IH; lia|].
      change (generator s 0) with 1. replace (v + 1) with (add (moduli s) v 1) by (rewrite hex_add; apply N.mod_small; lia).
      symmetry. apply add_sub; [exact (proj1 (hex_sound n two))| |]; change (order (moduli s)) with (size s); rewrite hex_shape_size; lia. }
    replace (N.to_nat p) with (N.to_nat v + (N.to_nat p - N.to_nat v))%nat by lia. now apply hops_up, X.
  Qed.

  Lemma divides_small y : y < p -> (exists q, y = q * p) -> y = 0.
  Proof. intros H (q & E). destruct (N.eq_dec q 0) as [->|]; [lia|]. exfalso. nia. Qed.
  Lemma iterates y : y < p -> N.iter 2 (sixth n) y = ((3 * n - 2) * y) mod p /\ N.iter 3 (sixth n) y = ((p - 1) * y) mod p.
  Proof.
    intros Hy. pose proof (p_0 n two) as p0. destruct (in_m n two) as (m & Hn & Hp & Hu & Hv).
    change (N.iter 2 (sixth n) y) with (sixth n (sixth n y)). change (N.iter 3 (sixth n) y) with (sixth n (sixth n (sixth n y))). unfold sixth.
    assert (step : forall c, (u * ((c * y) mod p)) mod p = (u * c * y) mod p) by (intros c; now rewrite N.mul_mod_idemp_r, N.mul_assoc by assumption).
    rewrite !step. split.
    - assert (E : u * u = 3 * n - 2 + 3 * p) by (rewrite Hu, Hv, Hp; nia). rewrite E.
      replace ((3 * n - 2 + 3 * p) * y) with ((3 * n - 2) * y + 3 * y * p) by ring. now apply N.mod_add.
    - assert (E : u * (u * u) = p - 1 + (9 * m + 17) * p) by (rewrite Hu, Hp; nia). rewrite E.
      replace ((p - 1 + (9 * m + 17) * p) * y) with ((p - 1) * y + (9 * m + 17) * y * p) by ring. now apply N.mod_add.
  Qed.
  Lemma fixed_2 y : y < p -> N.iter 2 (sixth n) y = y -> y = 0.
  Proof.
    intros Hy E. rewrite (proj1 (iterates y Hy)) in E. pose proof (N.div_mod ((3 * n - 2) * y) p (p_0 n two)) as D. rewrite E in D.
    set (q := (3 * n - 2) * y / p) in *. clearbody q. apply divides_small; [assumption|]. exists (y - n * q).
    assert (F : p = n * (3 * n - 3) + 1) by (unfold hex_size; nia).
    assert (G : (3 * n - 3) * y = p * q) by nia.
    assert (H : y = p * y - n * (p * q)) by (rewrite <- G, F; nia). rewrite H at 1. rewrite N.mul_sub_distr_r. f_equal; ring.
  Qed.
  Lemma fixed_3 y : y < p -> N.iter 3 (sixth n) y = y -> y = 0.
  Proof.
    intros Hy E. rewrite (proj2 (iterates y Hy)) in E. pose proof (N.div_mod ((p - 1) * y) p (p_0 n two)) as D. rewrite E in D.
    pose proof (p_big n two) as (_ & B). set (q := (p - 1) * y / p) in *. clearbody q.
    assert (G : 2 * y = (y - q) * p) by nia. destruct (N.eq_dec (y - q) 0) as [Z|]; [rewrite Z in G; lia|].
    destruct (N.eq_dec (y - q) 1) as [O|]; [|nia]. rewrite O in G. exfalso.
    assert (F : exists k, p = 2 * k + 1).
    { destruct (in_m n two) as (m & _ & Hp & _). destruct (N.Even_or_Odd m) as [(k & Hk)|(k & Hk)].
      - exists (6 * k * k + 9 * k + 3). rewrite Hp, Hk. nia.
      - exists (6 * k * k + 15 * k + 9). rewrite Hp, Hk. nia. }
    destruct F as (k & F). lia.
  Qed.
  Lemma fixed i y : y < p -> 0 < i -> i < 6 -> N.iter i (sixth n) y = y -> y = 0.
  Proof.
    intros Hy H0 H6 E. assert (C : i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5) by lia.
    pose proof (sixth_six n two y Hy) as S6. destruct C as [-> | [-> | [-> | [-> | ->]]]].
    - apply fixed_2; [assumption|]. change 2 with (1 + 1). now rewrite N.iter_add, E.
    - now apply fixed_2.
    - now apply fixed_3.
    - apply fixed_2; [assumption|]. rewrite <- E at 1. rewrite <- N.iter_add. exact S6.
    - apply fixed_2; [assumption|]. change 2 with (1 + 1). rewrite N.iter_add.
      assert (F : N.iter 1 (sixth n) y = y) by (rewrite <- E at 1; rewrite <- N.iter_add; exact S6). now rewrite !F.
  Qed.
  Lemma hex_free y j j' : y < p -> y <> 0 -> j < 6 -> j' < 6 -> N.iter j (sixth n) y = N.iter j' (sixth n) y -> j = j'.
  Proof.
    assert (X : forall i i', y < p -> y <> 0 -> i' < 6 -> i < i' -> N.iter i (sixth n) y <> N.iter i' (sixth n) y).
    { intros i i' Hy NZ Hi' L E. apply NZ, (fixed (i' - i)); auto; [lia|lia|].
      pose proof (sixth_six n two y Hy) as S6. apply (f_equal (N.iter (6 - i) (sixth n))) in E. rewrite <- !N.iter_add in E.
      replace (6 - i + i) with 6 in E by lia. replace (6 - i + i') with (i' - i + 6) in E by lia. rewrite N.iter_add, S6 in E. congruence. }
    intros Hy NZ Hj Hj' E. destruct (N.lt_total j j') as [L|[L|L]]; [exfalso; now apply (X j j')|assumption|exfalso; now apply (X j' j)].
  Qed.

  (** a packets from every node to every other take a / 6 times the sum of the distances, and no schedule takes fewer rounds. *)
  Theorem hexmesh_alltoall_optimal a :
    optimal (problem_of_plan (hexmesh_alltoall_plan n a)) (rounds_of_plan (hexmesh_alltoall_plan n a)) /\
    len (rounds_of_plan (hexmesh_alltoall_plan n a)) = a * (sum (distance s) (range (size s)) / 6).
  Proof.
    apply (free_alltoall_optimal s (sixth n) sixth_port (distance s) (last_hop s) a (hex_sound n two));
      auto using hex_rotation, hex_port, hex_sound.
    - apply distance_shortest; [now apply hex_sound|exact hex_connected].
    - intros y j j' Hy NZ Hj Hj'. rewrite hex_shape_size in Hy. now apply hex_free.
  Qed.
End HexmeshAlltoall.
