(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Distances on a ring of k >= 3 nodes, with their sum floor(k^2 / 4), and the reflection x -> -x. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Translate Rounds.
Import ListNotations.
Open Scope N_scope.

(** The distance of node c from node 0. *)
Definition around (k c : N) : N := N.min c (k - c).

Lemma around_sum k : sum (around k) (range k) = k * k / 4.
Proof.
  assert (X : forall k, sum (around k) (range k) = k * k / 4 /\ sum (around (k + 1)) (range (k + 1)) = (k + 1) * (k + 1) / 4); [|apply X].
  clear k. assert (next : forall k, sum (around (k + 2)) (range (k + 2)) = sum (around k) (range k) + (k + 1)).
  { intros k. assert (F : forall m, sum (around (k + 2)) (range (N.succ m)) = sum (fun c => around (k + 2) (N.succ c)) (range m)).
    { induction m as [|m IH] using N.peano_ind; [change (range (N.succ 0)) with [0]; change (range 0) with (@nil N); cbn [sum]; unfold around; lia|].
      rewrite (range_succ (N.succ m)), sum_app, IH, range_succ, sum_app. reflexivity. }
    replace (k + 2) with (N.succ (k + 1)) at 2 by lia. rewrite F.
    rewrite (sum_eq _ (fun c => around k c + 1)) by (intros c Hc; apply range_In in Hc; unfold around; lia).
    rewrite sum_plus, sum_const, len_range, N.add_1_r, range_succ, sum_app. cbn [sum]. unfold around. lia. }
  assert (square : forall k, (k + 2) * (k + 2) / 4 = k * k / 4 + (k + 1)).
  { intros k. replace ((k + 2) * (k + 2)) with (k * k + (k + 1) * 4) by lia. now rewrite N.div_add. }
  induction k as [|k (A & B)] using N.peano_ind; [split; reflexivity|]. rewrite <- N.add_1_r. split; [exact B|].
  replace (k + 1 + 1) with (k + 2) by lia. now rewrite next, A, square.
Qed.

Section Around.
  Variable k : N.
  Hypothesis three : 3 <= k.
  Let k0 : k <> 0. Proof. lia. Qed.

  (** x -> -x modulo k, twice, and of a sum. *)
  Lemma minus_twice c : c < k -> (k - (k - c) mod k) mod k = c.
  Proof.
    intros H. destruct (N.eq_dec c 0) as [->|]; [rewrite N.sub_0_r, N.mod_same, N.sub_0_r by assumption; now apply N.mod_same|].
    rewrite (N.mod_small (k - c)) by lia. rewrite N.mod_small by lia. lia.
  Qed.
  Lemma minus_sum b c : b < k -> c < k -> (k - (b + c) mod k) mod k = ((k - b) mod k + (k - c) mod k) mod k.
  Proof.
    intros Hb Hc. rewrite <- N.add_mod by assumption. pose proof (N.mod_lt (b + c) k k0) as L. pose proof (N.div_mod (b + c) k k0) as D.
    assert (Q : (b + c) / k < 2) by (apply N.div_lt_upper_bound; lia).
    set (q := (b + c) / k) in *. set (r := (b + c) mod k) in *. clearbody q r.
    destruct (N.eq_dec q 0) as [->|].
    - replace (k - b + (k - c)) with (k - r + 1 * k) by lia. now rewrite N.mod_add.
    - assert (q = 1) as -> by lia. f_equal. lia.
  Qed.

  Lemma minus_cases c : c < k -> c = 0 /\ (k - c) mod k = 0 \/ c <> 0 /\ (k - c) mod k = k - c.
  Proof.
    intros H. destruct (N.eq_dec c 0) as [->|NZ]; [left|right].
    - rewrite N.sub_0_r. split; [reflexivity|now apply N.mod_same].
    - split; [assumption|]. apply N.mod_small. lia.
  Qed.

  Lemma around_step c e : c < k -> e = 1 \/ e = k - 1 -> around k ((c + e) mod k) <= around k c + 1.
  Proof.
    intros H E. unfold around. destruct E as [-> | ->].
    - destruct (N.eq_dec c (k - 1)) as [->|]; [replace (k - 1 + 1) with k by lia; rewrite N.mod_same by assumption; lia|].
      rewrite N.mod_small by lia. lia.
    - destruct (N.eq_dec c 0) as [->|]; [rewrite N.add_0_l, N.mod_small by lia; lia|].
      replace (c + (k - 1)) with (c - 1 + 1 * k) by lia. rewrite N.mod_add, N.mod_small by lia. lia.
  Qed.
  (** Back over the port of the shorter way. *)
  Lemma around_back c u : c < k -> c <> 0 -> u < k -> (u + (if 2 * c <=? k then 1 else k - 1)) mod k = c -> around k u + 1 = around k c.
  Proof.
    intros H NZ Hu E. unfold around. destruct (N.leb_spec (2 * c) k).
    - destruct (N.eq_dec u (k - 1)) as [->|].
      + replace (k - 1 + 1) with k in E by lia. rewrite N.mod_same in E by assumption. lia.
      + rewrite N.mod_small in E by lia. lia.
    - destruct (N.eq_dec u 0) as [->|].
      + rewrite N.add_0_l, N.mod_small in E by lia. lia.
      + replace (u + (k - 1)) with (u - 1 + 1 * k) in E by lia. rewrite N.mod_add, N.mod_small in E by lia. lia.
  Qed.
  Lemma around_0 : around k 0 = 0. Proof. unfold around. lia. Qed.
End Around.
