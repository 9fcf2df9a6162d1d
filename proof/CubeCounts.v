(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Two facts on numbers that the order of an allgather needs: d does not divide 2^d - 1, and between the first two and the last two levels
    every level of a hypercube of 5 or more dimensions has at least 2 d nodes. *)
From Coq Require Import NArith PeanoNat List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Translate Lower Rounds Cube CubeRotate.
Import ListNotations.
Open Scope N_scope.

(** * No d >= 2 divides 2^d - 1 *)

(** The least divisor p > 1 of d, and the least o >= 1 with 2^o = 1 modulo p: as o divides d and o < p, it is 1; so p divides 2 - 1. *)
Theorem no_divisor d : 2 <= d -> (2 ^ d - 1) mod d <> 0.
Proof.
  intros Hd Z.
  destruct (first_from_spec (N.to_nat (d - 2)) (fun p => d mod p =? 0) 2) as (P1 & P2 & P3).
  { replace (2 + N.of_nat (N.to_nat (d - 2))) with d by lia. apply N.eqb_eq. now apply N.mod_same; lia. }
  set (p := first_from (N.to_nat (d - 2)) (fun p => d mod p =? 0) 2) in *. clearbody p. apply N.eqb_eq in P2.
  assert (p0 : p <> 0) by lia.
  assert (D : 2 ^ d mod p = 1).
  { assert (X : 2 ^ d = 1 + (2 ^ d - 1)) by (pose proof (pow_pos d); lia). rewrite X.
    apply N.mod_divide in Z; [|lia]. apply N.mod_divide in P2; [|assumption].
    assert (Y : (2 ^ d - 1) mod p = 0) by (apply N.mod_divide; [assumption|]; eapply N.divide_trans; eauto).
    rewrite <- N.add_mod_idemp_r, Y, N.add_0_r by assumption. apply N.mod_small. lia. }
  destruct (first_from_spec (N.to_nat (d - 1)) (fun o => 2 ^ o mod p =? 1) 1) as (O1 & O2 & O3).
  { replace (1 + N.of_nat (N.to_nat (d - 1))) with d by lia. now apply N.eqb_eq. }
  set (o := first_from (N.to_nat (d - 1)) (fun o => 2 ^ o mod p =? 1) 1) in *. clearbody o. apply N.eqb_eq in O2.
  assert (O4 : forall i, 0 < i < o -> 2 ^ i mod p <> 1) by (intros i Hi E; apply N.eqb_eq in E; rewrite O3 in E; [discriminate|lia]).
  assert (M : forall q, 2 ^ (o * q) mod p = 1).
  { induction q as [|q IH] using N.peano_ind; [rewrite N.mul_0_r; cbn [N.pow]; now apply N.mod_small; lia|].
    rewrite N.mul_succ_r, N.pow_add_r, N.mul_mod, IH, O2 by assumption. apply N.mod_small. lia. }
  assert (E : d mod o = 0).
  { destruct (N.eq_dec (d mod o) 0); [assumption|]. exfalso. pose proof (N.mod_lt d o ltac:(lia)) as L.
    apply (O4 (d mod o)); [now split; [apply N.neq_0_lt_0|]|].
    rewrite (N.div_mod d o) in D by lia. rewrite N.pow_add_r, N.mul_mod, M, N.mul_1_l, N.mod_mod in D by assumption. exact D. }
  (* the o powers are different and not 0 modulo p, so o < p *)
  assert (L : o <= p - 1).
  { transitivity (len (map (fun i => 2 ^ i mod p) (range o))); [rewrite len_map, len_range; lia|].
    transitivity (len (map N.succ (range (p - 1)))); [|rewrite len_map, len_range; lia]. apply len_incl.
    - apply NoDup_map_inj; [|apply range_once].
      assert (S : forall i j, i < j -> j < o -> 2 ^ i mod p <> 2 ^ j mod p).
      { intros i j Hij Hj X. apply (O4 (j - i)); [lia|].
        assert (Y : (2 ^ (o - i) * 2 ^ i) mod p = (2 ^ (o - i) * 2 ^ j) mod p) by (rewrite N.mul_mod, X, <- N.mul_mod; auto).
        rewrite <- !N.pow_add_r in Y. replace (o - i + i) with o in Y by lia. replace (o - i + j) with (o + (j - i)) in Y by lia.
        rewrite N.pow_add_r, (N.mul_mod (2 ^ o)), O2, N.mul_1_l, N.mod_mod in Y by assumption. congruence. }
      intros i j Hi Hj X. apply range_In in Hi, Hj. destruct (N.lt_total i j) as [K|[K|K]]; [exfalso; now apply (S i j)|assumption|].
      exfalso; now apply (S j i).
    - intros x Hx. apply in_map_iff in Hx as (i & <- & Hi). apply range_In in Hi. pose proof (N.mod_lt (2 ^ i) p p0).
      assert (2 ^ i mod p <> 0).
      { intros X. replace o with (i + (o - i)) in O2 by lia. rewrite N.pow_add_r, N.mul_mod, X, N.mul_0_l, N.mod_0_l in O2 by assumption. lia. }
      set (y := 2 ^ i mod p) in *. clearbody y. apply in_map_iff. exists (y - 1). split; [lia|]. apply range_In. lia. }
  destruct (N.eq_dec o 1) as [->|].
  - change (2 ^ 1) with 2 in O2. destruct (N.eq_dec p 2) as [->|]; [discriminate|]. rewrite N.mod_small in O2 by lia. lia.
  - assert (X : (d mod o =? 0) = false) by (apply P3; lia). rewrite E in X. discriminate.
Qed.

(** * Levels have many nodes *)

(** The nodes of weight w, by the rule of Pascal. *)
Fixpoint choose (d w : nat) : list N :=
  match d, w with
  | _, O => [0]
  | O, S _ => []
  | S d, S v => choose d w ++ map (fun x => N.setbit x (N.of_nat d)) (choose d v)
  end.

Lemma choose_sound d : forall w, NoDup (choose d w) /\ forall x, In x (choose d w) -> x < 2 ^ N.of_nat d /\ weight (N.of_nat d) x = N.of_nat w.
Proof.
  induction d as [|d IH]; intros w.
  - destruct w; cbn; (split; [repeat constructor; easy|]); intros x []; subst; [split; [lia|reflexivity]|easy].
  - destruct w as [|v].
    + cbn [choose]. split; [repeat constructor; easy|]. intros x [<-|[]]. split; [apply pow_pos|apply weight_zero].
    + destruct (IH (S v)) as (A & B). destruct (IH v) as (C & D). cbn [choose].
      assert (H : forall x, In x (choose d v) -> N.testbit x (N.of_nat d) = false) by (intros x Hx; apply (high_bit (N.of_nat d)); [now apply D|lia]).
      assert (U : forall e x, weight (N.succ e) x = weight e x + (if N.testbit x e then 1 else 0)).
      { intros e x. unfold weight. rewrite range_succ, filter_app, len_app. cbn [filter]. destruct (N.testbit x e); cbn; reflexivity. }
      replace (N.of_nat (S d)) with (N.succ (N.of_nat d)) by lia. rewrite N.pow_succ_r'. split.
      * apply NoDup_join; auto.
        -- apply NoDup_map_inj; auto. intros x y Hx Hy E.
           assert (X : forall x, In x (choose d v) -> x = N.clearbit (N.setbit x (N.of_nat d)) (N.of_nat d)).
           { intros z Hz. apply N.bits_inj. intros i. rewrite N.clearbit_eqb, N.setbit_eqb. destruct (N.eqb_spec (N.of_nat d) i) as [<-|];
               cbn [negb orb]; [rewrite andb_false_r; now apply H|now rewrite andb_true_r]. }
           rewrite (X x Hx), (X y Hy), E. reflexivity.
        -- intros x Hx Hy. apply in_map_iff in Hy as (y & <- & _). apply B in Hx as (Hx & _).
           assert (E : N.testbit (N.setbit y (N.of_nat d)) (N.of_nat d) = true) by (rewrite N.setbit_eqb, N.eqb_refl; reflexivity).
           rewrite (high_bit (N.of_nat d)) in E; [discriminate|assumption|lia].
      * intros x Hx. apply in_app_or in Hx as [Hx|Hx]; rewrite U.
        -- apply B in Hx as (Hx & W). rewrite W, (high_bit (N.of_nat d)) by (assumption || lia). lia.
        -- apply in_map_iff in Hx as (y & <- & Hy). pose proof (D y Hy) as (Ly & W). split.
           ++ rewrite <- N.pow_succ_r'. apply below_bits. intros i Hi. rewrite N.setbit_eqb, (high_bit (N.of_nat d) y) by (assumption || lia).
              destruct (N.eqb_spec (N.of_nat d) i); [lia|reflexivity].
           ++ rewrite N.setbit_eqb, N.eqb_refl. cbn [orb].
              assert (E : weight (N.of_nat d) (N.setbit y (N.of_nat d)) = weight (N.of_nat d) y).
              { unfold weight. f_equal. apply filter_ext_in. intros i Hi. apply range_In in Hi. rewrite N.setbit_eqb.
                destruct (N.eqb_spec (N.of_nat d) i); [lia|reflexivity]. }
              rewrite E, W. lia.
Qed.

Lemma choose_1 d : forall w, (1 <= w -> w < d -> d <= length (choose d w))%nat.
Proof.
  induction d as [|d IH]; intros w H1 H2; [lia|]. destruct w as [|v]; [lia|]. cbn [choose]. rewrite app_length, map_length.
  assert (P : forall e u, (u <= e)%nat -> (1 <= length (choose e u))%nat).
  { induction e as [|e IHe]; intros u Hu; destruct u as [|u]; cbn [choose length]; try lia. rewrite app_length, map_length.
    specialize (IHe u ltac:(lia)). lia. }
  destruct (Nat.eq_dec (S v) d) as [E|].
  - pose proof (P d (S v) ltac:(lia)). destruct v as [|v].
    + assert (d = 1)%nat by lia. subst d. cbn. lia.
    + specialize (IH (S v) ltac:(lia) ltac:(lia)). lia.
  - specialize (IH (S v) ltac:(lia) ltac:(lia)). pose proof (P d v ltac:(lia)). lia.
Qed.
Lemma choose_2 d : (5 <= d)%nat -> forall w, (2 <= w -> w + 2 <= d -> 2 * d <= length (choose d w))%nat.
Proof.
  intros Hd. induction Hd as [|d Hd IH]; intros w H1 H2.
  - assert (C : (w = 2 \/ w = 3)%nat) by lia. destruct C as [-> | ->]; vm_compute; lia.
  - destruct w as [|v]; [lia|]. cbn [choose]. rewrite app_length, map_length.
    destruct (Nat.eq_dec v 1) as [->|].
    + specialize (IH 2%nat ltac:(lia) ltac:(lia)). pose proof (choose_1 d 1 ltac:(lia) ltac:(lia)). lia.
    + specialize (IH v ltac:(lia) ltac:(lia)). pose proof (choose_1 d (S v) ltac:(lia) ltac:(lia)). lia.
Qed.

Theorem many_nodes d w : 5 <= d -> 2 <= w -> w + 2 <= d ->
  exists V, NoDup V /\ (forall x, In x V -> x < 2 ^ d /\ weight d x = w) /\ 2 * d <= len V.
Proof.
  intros Hd Hw Hwd. exists (choose (N.to_nat d) (N.to_nat w)). destruct (choose_sound (N.to_nat d) (N.to_nat w)) as (A & B).
  rewrite !N2Nat.id in B. split; [assumption|]. split; [assumption|]. unfold len.
  pose proof (choose_2 (N.to_nat d) ltac:(lia) (N.to_nat w) ltac:(lia) ltac:(lia)). lia.
Qed.
