(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Rotations of the d bits of a node of the hypercube, which are symmetries of it: they carry port i to port i + k modulo d. The rotations of
    a number form its class (a necklace); [least] chooses one number of every class, and [period] counts the class. [weight] counts the bits,
    which is the distance from node 0. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Translate Lower Cube.
Import ListNotations.
Open Scope N_scope.

(** The least number from k on that satisfies f, at most [fuel] later. *)
Fixpoint first_from (fuel : nat) (f : N -> bool) (k : N) : N :=
  match fuel with O => k | S fuel => if f k then k else first_from fuel f (N.succ k) end.

Lemma first_from_spec fuel f : forall k, f (k + N.of_nat fuel) = true ->
  let r := first_from fuel f k in k <= r <= k + N.of_nat fuel /\ f r = true /\ forall i, k <= i < r -> f i = false.
Proof.
  induction fuel as [|fuel IH]; intros k H; cbn [first_from].
  - rewrite N.add_0_r in *. repeat split; auto; lia.
  - destruct (f k) eqn:E; [repeat split; auto; lia|].
    destruct (IH (N.succ k)) as (A & B & C); [now replace (N.succ k + N.of_nat fuel) with (k + N.of_nat (S fuel)) by lia|].
    cbn zeta. repeat split; [lia|lia|assumption|]. intros i Hi. destruct (N.eq_dec i k) as [->|]; [assumption|]. apply C. lia.
Qed.

(** Bit i of x is bit i + k (modulo d) of its rotation by k. *)
Definition rot (d k x : N) : N := bits d (fun i => N.testbit x ((i + (d - k mod d)) mod d)).
Definition weight (d x : N) : N := len (filter (N.testbit x) (range d)).
Definition least (d x : N) : bool := forallb (fun k => x <=? rot d k x) (range d).
Definition period (d x : N) : N := first_from (N.to_nat (d - 1)) (fun k => rot d k x =? x) 1.

Lemma ones_bit k i : N.testbit (N.ones k) i = (i <? k).
Proof. destruct (N.ltb_spec i k); [now apply N.ones_spec_low|now apply N.ones_spec_high]. Qed.

Section Rotate.
  Variable d : N.
  Hypothesis positive : 1 <= d.
  Notation n := (2 ^ d).
  Lemma d_0 : d <> 0. Proof. lia. Qed.
  Hint Resolve d_0 : core.

  Lemma mod_d_lt k : k mod d < d. Proof. now apply N.mod_lt. Qed.
  Lemma back_and_forth i k : i < d -> ((i + (d - k mod d)) mod d + k) mod d = i.
  Proof.
    intros Hi. rewrite N.add_mod_idemp_l, <- N.add_mod_idemp_r by auto. pose proof (mod_d_lt k).
    replace (i + (d - k mod d) + k mod d) with (i + 1 * d) by lia. rewrite N.mod_add by auto. now apply N.mod_small.
  Qed.
  Lemma forth_and_back j k : j < d -> ((j + k) mod d + (d - k mod d)) mod d = j.
  Proof.
    intros Hj. rewrite N.add_mod_idemp_l by auto. rewrite <- N.add_assoc, (N.add_comm k), N.add_assoc.
    rewrite <- N.add_mod_idemp_r by auto. pose proof (mod_d_lt k).
    replace (j + (d - k mod d) + k mod d) with (j + 1 * d) by lia. rewrite N.mod_add by auto. now apply N.mod_small.
  Qed.

  Lemma rot_lt k x : rot d k x < n. Proof. apply bits_lt. Qed.
  Lemma rot_bit k x j : j < d -> N.testbit (rot d k x) ((j + k) mod d) = N.testbit x j.
  Proof.
    intros Hj. unfold rot. rewrite bits_spec, forth_and_back by assumption.
    pose proof (mod_d_lt (j + k)). destruct (N.ltb_spec ((j + k) mod d) d); [reflexivity|lia].
  Qed.
  Lemma rot_unique k x y : y < n -> (forall j, j < d -> N.testbit y ((j + k) mod d) = N.testbit x j) -> y = rot d k x.
  Proof.
    intros Hy H. apply (same_bits d); [assumption|apply rot_lt|]. intros i Hi.
    rewrite <- (back_and_forth i k Hi). rewrite rot_bit by apply mod_d_lt. apply H, mod_d_lt.
  Qed.
  Lemma rot_mod k k' x : k mod d = k' mod d -> rot d k x = rot d k' x.
  Proof. unfold rot. now intros ->. Qed.
  Lemma rot_0 x : x < n -> rot d 0 x = x.
  Proof. intros H. symmetry. apply rot_unique; [assumption|]. intros j Hj. now rewrite N.add_0_r, N.mod_small. Qed.
  Lemma rot_rot a b x : rot d a (rot d b x) = rot d (a + b) x.
  Proof.
    apply rot_unique; [apply rot_lt|]. intros j Hj. rewrite <- (rot_bit b x j Hj).
    rewrite <- (rot_bit a (rot d b x) ((j + b) mod d)) by apply mod_d_lt. f_equal.
    rewrite N.add_mod_idemp_l by auto. f_equal. lia.
  Qed.
  Lemma rot_multiple m x : x < n -> rot d (m * d) x = x.
  Proof. intros H. rewrite (rot_mod _ 0); [now apply rot_0|]. rewrite N.mod_mul, N.mod_0_l; auto. Qed.
  Lemma rot_back k x : x < n -> rot d (d - k mod d) (rot d k x) = x.
  Proof.
    intros H. rewrite rot_rot, (rot_mod _ 0); [now apply rot_0|]. rewrite <- N.add_mod_idemp_r by auto. pose proof (mod_d_lt k).
    replace (d - k mod d + k mod d) with (1 * d) by lia. rewrite N.mod_mul, N.mod_0_l; auto.
  Qed.
  Lemma rot_inj k x y : x < n -> y < n -> rot d k x = rot d k y -> x = y.
  Proof. intros Hx Hy E. rewrite <- (rot_back k x), <- (rot_back k y), E; auto. Qed.
  Lemma rot_lxor k x y : rot d k (N.lxor x y) = N.lxor (rot d k x) (rot d k y).
  Proof.
    symmetry. apply rot_unique; [apply lxor_lt; apply rot_lt|]. intros j Hj. rewrite !N.lxor_spec, !rot_bit by assumption. reflexivity.
  Qed.
  Lemma rot_pow k i : i < d -> rot d k (2 ^ i) = 2 ^ ((i + k) mod d).
  Proof.
    intros Hi. symmetry. apply rot_unique; [apply pow_lt, mod_d_lt|]. intros j Hj. rewrite !pow_bit.
    destruct (N.eqb_spec i j) as [->|NE]; [apply N.eqb_refl|]. apply N.eqb_neq. intros E. apply NE.
    rewrite <- (forth_and_back i k Hi), <- (forth_and_back j k Hj). now rewrite E.
  Qed.
  Lemma rot_zero k : rot d k 0 = 0.
  Proof. symmetry. apply rot_unique; [apply pow_pos|]. intros j _. now rewrite !N.bits_0. Qed.
  Lemma rot_nonzero k x : x < n -> x <> 0 -> rot d k x <> 0.
  Proof. intros H NZ E. apply NZ. apply (rot_inj k); auto using pow_pos. now rewrite rot_zero. Qed.

  (** * Weights *)

  Lemma weight_rot_le k x : weight d (rot d k x) <= weight d x.
  Proof.
    unfold weight. transitivity (len (map (fun j => (j + k) mod d) (filter (N.testbit x) (range d)))); [|now rewrite len_map].
    apply len_incl; [apply NoDup_filter, range_once|]. intros i Hi. apply filter_In in Hi as (Hi & B). apply range_In in Hi.
    apply in_map_iff. exists ((i + (d - k mod d)) mod d). split; [now apply back_and_forth|]. apply filter_In. split; [apply range_In, mod_d_lt|].
    rewrite <- (rot_bit k) by apply mod_d_lt. now rewrite back_and_forth.
  Qed.
  Lemma weight_rot k x : x < n -> weight d (rot d k x) = weight d x.
  Proof.
    intros H. apply N.le_antisymm; [apply weight_rot_le|]. rewrite <- (rot_back k x H) at 1. apply weight_rot_le.
  Qed.
  Lemma weight_clear x i : i < d -> N.testbit x i = true -> weight d (N.lxor x (2 ^ i)) + 1 = weight d x.
  Proof.
    intros Hi B. unfold weight.
    assert (C : forall j, N.testbit (N.lxor x (2 ^ i)) j = true <-> N.testbit x j = true /\ j <> i).
    { intros j. rewrite flip_bit. destruct (N.eqb_spec i j) as [<-|NE].
      - rewrite B. cbn. split; [easy|]. intros (_ & []). reflexivity.
      - rewrite xorb_false_r. split; [|tauto]. intros. split; auto. }
    rewrite N.add_comm, <- len_cons with (a := i). apply N.le_antisymm; apply len_incl.
    - constructor; [|apply NoDup_filter, range_once]. intros X. apply filter_In in X as (_ & X). now apply C in X.
    - intros j [<-|X]; apply filter_In; [now rewrite range_In|]. apply filter_In in X as (X & Y). apply C in Y. tauto.
    - apply NoDup_filter, range_once.
    - intros j X. apply filter_In in X as (X & Y). destruct (N.eq_dec j i) as [->|NE]; [now left|]. right. apply filter_In. split; auto. now apply C.
  Qed.
  Lemma weight_0 x : x < n -> weight d x = 0 -> x = 0.
  Proof.
    intros H E. apply (same_bits d); [assumption|apply pow_pos|]. intros i Hi. rewrite N.bits_0.
    destruct (N.testbit x i) eqn:B; [|reflexivity]. pose proof (weight_clear x i Hi B). lia.
  Qed.
  Lemma weight_zero : weight d 0 = 0.
  Proof. unfold weight. induction (range d); [reflexivity|]. cbn [filter]. now rewrite N.bits_0. Qed.
  Lemma weight_le x : weight d x <= d.
  Proof.
    unfold weight. transitivity (len (range d)); [|now rewrite len_range]. apply len_incl; [apply NoDup_filter, range_once|].
    intros i Hi. now apply filter_In in Hi.
  Qed.
  Lemma weight_full x : x < n -> weight d x = d -> x = N.ones d.
  Proof.
    intros H E. assert (L : N.ones d < n) by (rewrite N.ones_equiv; pose proof (pow_pos d); lia).
    apply (same_bits d); auto. intros i Hi. rewrite N.ones_spec_low by assumption. destruct (N.testbit x i) eqn:B; [reflexivity|]. exfalso.
    assert (B' : N.testbit (N.lxor x (2 ^ i)) i = true) by (rewrite flip_bit, B, N.eqb_refl; reflexivity).
    pose proof (weight_clear _ i Hi B') as X. rewrite lxor_cancel in X. pose proof (weight_le (N.lxor x (2 ^ i))). lia.
  Qed.
  Lemma weight_ones k : k <= d -> weight d (N.ones k) = k.
  Proof.
    intros H. unfold weight. transitivity (len (range k)); [|apply len_range]. apply N.le_antisymm; apply len_incl.
    - apply NoDup_filter, range_once.
    - intros i Hi. apply filter_In in Hi as (_ & B). apply range_In. destruct (N.lt_ge_cases i k); auto.
      now rewrite N.ones_spec_high in B by assumption.
    - apply range_once.
    - intros i Hi. apply range_In in Hi. apply filter_In. split; [apply range_In; lia|]. now apply N.ones_spec_low.
  Qed.
  Lemma ones_lt k : k <= d -> N.ones k < n.
  Proof. intros H. apply below_bits. intros i Hi. apply N.ones_spec_high. lia. Qed.

  (** * Classes *)

  Lemma least_le x k : least d x = true -> x <= rot d k x.
  Proof.
    intros H. unfold least in H. rewrite forallb_forall in H. specialize (H (k mod d)). rewrite N.leb_le, range_In in H.
    rewrite (rot_mod k (k mod d)); [apply H, mod_d_lt|]. now rewrite N.mod_mod.
  Qed.
  Lemma least_exists x : x < n -> exists k, least d (rot d k x) = true.
  Proof.
    induction x as [x IH] using (well_founded_induction N.lt_wf_0). intros H.
    destruct (least d x) eqn:E; [exists 0; now rewrite rot_0|].
    destruct (existsb (fun k => rot d k x <? x) (range d)) eqn:X.
    - apply existsb_exists in X as (k & _ & L). apply N.ltb_lt in L. destruct (IH _ L (rot_lt k x)) as (k' & Hk).
      exists (k' + k). now rewrite <- rot_rot.
    - exfalso. enough (least d x = true) by congruence. unfold least. apply forallb_forall. intros k Hk. apply N.leb_le.
      destruct (N.lt_ge_cases (rot d k x) x) as [L|]; [|assumption]. exfalso.
      enough (existsb (fun k => rot d k x <? x) (range d) = true) by congruence. apply existsb_exists. exists k. split; auto. now apply N.ltb_lt.
  Qed.
  Lemma least_unique x k : x < n -> least d x = true -> least d (rot d k x) = true -> rot d k x = x.
  Proof.
    intros H L L'. apply N.le_antisymm; [|now apply least_le]. rewrite <- (rot_back k x H) at 2. now apply least_le.
  Qed.
  Lemma least_odd x : x < n -> x <> 0 -> least d x = true -> N.testbit x 0 = true.
  Proof.
    intros H NZ L. destruct (N.testbit x 0) eqn:B; [reflexivity|]. exfalso.
    assert (E : N.div2 x = rot d (d - 1) x).
    { apply rot_unique; [rewrite N.div2_div; apply N.div_lt_upper_bound; lia|]. intros j Hj. rewrite N.div2_spec, N.shiftr_spec by apply N.le_0_l.
      destruct (N.eq_dec j 0) as [->|NE].
      - rewrite N.add_0_l, N.mod_small by lia. rewrite B. apply (high_bit d); [assumption|lia].
      - replace (j + (d - 1)) with (j - 1 + 1 * d) by lia. rewrite N.mod_add, N.mod_small by lia. f_equal. lia. }
    pose proof (least_le x (d - 1) L) as X. rewrite <- E, N.div2_div in X. assert (x / 2 < x) by (apply N.div_lt; lia). lia.
  Qed.

  Lemma period_spec x : x < n -> 1 <= period d x <= d /\ rot d (period d x) x = x /\ forall k, 0 < k < period d x -> rot d k x <> x.
  Proof.
    intros H. destruct (first_from_spec (N.to_nat (d - 1)) (fun k => rot d k x =? x) 1) as (A & B & C).
    - replace (1 + N.of_nat (N.to_nat (d - 1))) with (1 * d) by lia. apply N.eqb_eq. now apply rot_multiple.
    - fold (period d x) in *. split; [lia|]. split; [now apply N.eqb_eq|]. intros k Hk E. apply N.eqb_eq in E. rewrite C in E; [discriminate|lia].
  Qed.
  Lemma rot_period m x : x < n -> rot d (m * period d x) x = x.
  Proof.
    intros H. destruct (period_spec x H) as (_ & E & _). induction m as [|m IH] using N.peano_ind; [now apply rot_0|].
    rewrite N.mul_succ_l, <- rot_rot, E. exact IH.
  Qed.
  Lemma rot_mod_period k k' x : x < n -> k mod period d x = k' mod period d x -> rot d k x = rot d k' x.
  Proof.
    intros H E. destruct (period_spec x H) as (HP & _ & _). set (p := period d x) in *.
    assert (X : forall k, rot d k x = rot d (k mod p) x).
    { intros i. rewrite (N.div_mod i p) at 1 by lia. rewrite N.add_comm, <- rot_rot, N.mul_comm. unfold p. now rewrite rot_period. }
    now rewrite X, E, <- X.
  Qed.
  (** A class is met by as many consecutive rotations as it counts. *)
  Lemma period_meets x k c : x < n -> exists i, i < period d x /\ rot d (c + i) x = rot d k x.
  Proof.
    intros H. destruct (period_spec x H) as (HP & _ & _). set (p := period d x) in *.
    assert (P0 : p <> 0) by lia. pose proof (N.mod_lt c p P0).
    exists ((k + (p - c mod p)) mod p). split; [now apply N.mod_lt|]. apply rot_mod_period; auto. fold p.
    rewrite N.add_mod_idemp_r by assumption. rewrite <- N.add_mod_idemp_l by assumption.
    replace (c mod p + (k + (p - c mod p))) with (k + 1 * p) by lia. now rewrite N.mod_add.
  Qed.
  Lemma period_apart x i i' : x < n -> i <= i' -> i' - i < period d x -> rot d i x = rot d i' x -> i = i'.
  Proof.
    intros H L D E. destruct (N.eq_dec i i'); [assumption|]. exfalso. destruct (period_spec x H) as (_ & _ & X).
    apply (X (i' - i)); [lia|]. symmetry. apply (rot_inj i); auto using rot_lt. rewrite rot_rot. rewrite E. f_equal. lia.
  Qed.

  (** Rotations of k < d consecutive ones are different. *)
  Lemma ones_turned k j : 1 <= k -> k < d -> 0 < j -> j < d -> rot d j (N.ones k) <> N.ones k.
  Proof.
    intros H1 Hk Hj Hjd E.
    pose proof (rot_bit j (N.ones k) (d - j) ltac:(lia)) as X. pose proof (rot_bit j (N.ones k) (d - j - 1) ltac:(lia)) as Y.
    rewrite E, !ones_bit in X, Y. replace (d - j + j) with (1 * d) in X by lia. rewrite N.mod_mul in X by auto.
    replace (d - j - 1 + j) with (d - 1) in Y by lia. rewrite N.mod_small in Y by lia.
    destruct (N.ltb_spec 0 k), (N.ltb_spec (d - j) k), (N.ltb_spec (d - 1) k), (N.ltb_spec (d - j - 1) k); try discriminate; lia.
  Qed.
  Lemma ones_period k a : 1 <= k -> k < d -> period d (rot d a (N.ones k)) = d.
  Proof.
    intros H1 Hk. pose proof (ones_lt k ltac:(lia)) as L. destruct (period_spec (rot d a (N.ones k)) (rot_lt _ _)) as (P & E & _).
    set (p := period d (rot d a (N.ones k))) in *. destruct (N.eq_dec p d); [assumption|]. exfalso.
    apply (ones_turned k p H1 Hk ltac:(lia) ltac:(lia)). apply (rot_inj a); auto using rot_lt.
    rewrite rot_rot, N.add_comm, <- rot_rot. exact E.
  Qed.
  Lemma ones_fixed k : rot d k (N.ones d) = N.ones d.
  Proof. symmetry. apply rot_unique; [apply ones_lt; lia|]. intros j Hj. rewrite !N.ones_spec_low; auto using mod_d_lt. Qed.
  Lemma ones_period_1 a : period d (rot d a (N.ones d)) = 1.
  Proof.
    rewrite ones_fixed. destruct (period_spec (N.ones d) (ones_lt d ltac:(lia))) as (P & _ & X).
    destruct (N.eq_dec (period d (N.ones d)) 1); [assumption|]. exfalso. apply (X 1); [lia|apply ones_fixed].
  Qed.
  (** A run of ones without its lowest, and without its highest. *)
  Lemma ones_lowest k : 1 <= k -> k <= d -> N.lxor (N.ones k) 1 = rot d 1 (N.ones (k - 1)).
  Proof.
    intros H1 Hk. change 1 with (2 ^ 0) at 1. apply rot_unique; [apply lxor_lt; [now apply ones_lt|apply pow_lt; lia]|].
    intros j Hj. rewrite flip_bit, !ones_bit. destruct (N.eq_dec j (d - 1)) as [->|].
    - replace (d - 1 + 1) with (1 * d) by lia. rewrite N.mod_mul by auto.
      destruct (N.ltb_spec 0 k), (N.ltb_spec (d - 1) (k - 1)); try lia; reflexivity.
    - rewrite N.mod_small by lia. destruct (N.eqb_spec 0 (j + 1)); [lia|].
      destruct (N.ltb_spec (j + 1) k), (N.ltb_spec j (k - 1)); try lia; reflexivity.
  Qed.
  Lemma ones_highest k : 1 <= k -> k <= d -> N.lxor (N.ones k) (2 ^ (k - 1)) = N.ones (k - 1).
  Proof.
    intros H1 Hk. apply N.bits_inj. intros i. rewrite flip_bit, !ones_bit.
    destruct (N.eqb_spec (k - 1) i), (N.ltb_spec i k), (N.ltb_spec i (k - 1)); try lia; reflexivity.
  Qed.
End Rotate.
