(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The hypercube of any dimension d as a network of [Plan.v]: nodes 0 .. 2^d - 1, and port j of a node leads to the node whose number differs
    in bit j, as in docs/plan-file.md. A reader of the theorems on families must believe [cube]. The rest is about bits, and proves that the
    group is the exclusive or. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Lower Rounds.
Import ListNotations.
Open Scope N_scope.

Definition cube (d : N) : shape := Shape (repeat 2 (N.to_nat d)) (map (fun j => 2 ^ j) (range d)) None.

(** * Bits *)

(** The number below 2^d whose bit i is f i. *)
Fixpoint number (d : nat) (f : N -> bool) : N :=
  match d with
  | O => 0
  | S e => if f (N.of_nat e) then N.setbit (number e f) (N.of_nat e) else number e f
  end.
Definition bits (d : N) (f : N -> bool) : N := number (N.to_nat d) f.

Lemma bits_spec d f i : N.testbit (bits d f) i = (i <? d) && f i.
Proof.
  assert (X : forall e, N.testbit (number e f) i = (i <? N.of_nat e) && f i).
  { induction e as [|e IH]; cbn [number]; [now rewrite N.bits_0; destruct i|].
    assert (Y : N.testbit (if f (N.of_nat e) then N.setbit (number e f) (N.of_nat e) else number e f) i =
      ((N.of_nat e =? i) && f i) || N.testbit (number e f) i).
    { destruct (f (N.of_nat e)) eqn:F.
      - rewrite N.setbit_eqb. destruct (N.eqb_spec (N.of_nat e) i); [subst; now rewrite F|reflexivity].
      - destruct (N.eqb_spec (N.of_nat e) i); [subst; now rewrite F|reflexivity]. }
    rewrite Y, IH. destruct (N.eqb_spec (N.of_nat e) i), (N.ltb_spec i (N.of_nat e)), (N.ltb_spec i (N.of_nat (S e))), (f i); try lia; reflexivity. }
  unfold bits. rewrite X. now rewrite N2Nat.id.
Qed.

Lemma below_bits d x : x < 2 ^ d <-> forall i, d <= i -> N.testbit x i = false.
Proof.
  split.
  - intros H i Hi. rewrite <- (N.mod_small x (2 ^ d)) by assumption. now apply N.mod_pow2_bits_high.
  - intros H. replace x with (x mod 2 ^ d); [apply N.mod_lt, N.pow_nonzero; lia|].
    apply N.bits_inj. intros i. destruct (N.lt_ge_cases i d).
    + now apply N.mod_pow2_bits_low.
    + rewrite N.mod_pow2_bits_high by assumption. symmetry. auto.
Qed.
Lemma high_bit d x i : x < 2 ^ d -> d <= i -> N.testbit x i = false.
Proof. intros H. now apply below_bits. Qed.
Lemma bits_lt d f : bits d f < 2 ^ d.
Proof. apply below_bits. intros i Hi. rewrite bits_spec. destruct (N.ltb_spec i d); [lia|reflexivity]. Qed.
Lemma bits_eq d f x : x < 2 ^ d -> (forall i, i < d -> f i = N.testbit x i) -> bits d f = x.
Proof.
  intros Hx H. apply N.bits_inj. intros i. rewrite bits_spec. destruct (N.ltb_spec i d) as [L|L]; cbn [andb]; [auto|].
  symmetry. now apply (high_bit d).
Qed.
Lemma bits_ext d f g : (forall i, i < d -> f i = g i) -> bits d f = bits d g.
Proof. intros H. apply bits_eq; [apply bits_lt|]. intros i Hi. rewrite bits_spec. destruct (N.ltb_spec i d); [now apply H|lia]. Qed.
Lemma same_bits d x y : x < 2 ^ d -> y < 2 ^ d -> (forall i, i < d -> N.testbit x i = N.testbit y i) -> x = y.
Proof. intros Hx Hy H. rewrite <- (bits_eq d (N.testbit x) x), <- (bits_eq d (N.testbit x) y); auto. Qed.

Lemma pow_pos d : 0 < 2 ^ d.
Proof. apply N.neq_0_lt_0, N.pow_nonzero. lia. Qed.
Lemma pow_lt i d : i < d -> 2 ^ i < 2 ^ d.
Proof. intros. apply N.pow_lt_mono_r; lia. Qed.
Lemma lxor_lt d x y : x < 2 ^ d -> y < 2 ^ d -> N.lxor x y < 2 ^ d.
Proof. intros Hx Hy. apply below_bits. intros i Hi. now rewrite N.lxor_spec, (high_bit d x), (high_bit d y). Qed.
Lemma pow_bit i j : N.testbit (2 ^ i) j = (i =? j).
Proof. apply N.pow2_bits_eqb. Qed.
Lemma flip_bit x i j : N.testbit (N.lxor x (2 ^ i)) j = xorb (N.testbit x j) (i =? j).
Proof. now rewrite N.lxor_spec, pow_bit. Qed.
Lemma lxor_cancel x y : N.lxor (N.lxor x y) y = x.
Proof. now rewrite N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r. Qed.
Lemma lxor_cancel_l x y : N.lxor x (N.lxor x y) = y.
Proof. now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l. Qed.

(** * The group of the hypercube is the exclusive or *)

Lemma order_twos d : order (repeat 2 d) = 2 ^ N.of_nat d.
Proof.
  induction d as [|d IH]; [reflexivity|]. cbn [repeat order]. rewrite IH.
  replace (N.of_nat (S d)) with (N.succ (N.of_nat d)) by lia. now rewrite N.pow_succ_r'.
Qed.
Lemma twos_positive d : positive_moduli (repeat 2 d).
Proof. intros m H. apply repeat_spec in H. lia. Qed.

Lemma add_twos d : forall x y, x < 2 ^ N.of_nat d -> y < 2 ^ N.of_nat d -> add (repeat 2 d) x y = N.lxor x y.
Proof.
  induction d as [|d IH]; intros x y Hx Hy.
  - cbn in *. now replace x with 0 by lia; replace y with 0 by lia.
  - cbn [repeat add]. rewrite order_twos. set (q := 2 ^ N.of_nat d) in *.
    assert (Hq : q <> 0) by (apply N.pow_nonzero; lia).
    assert (Q : 2 ^ N.of_nat (S d) = 2 * q) by (replace (N.of_nat (S d)) with (N.succ (N.of_nat d)) by lia; apply N.pow_succ_r').
    rewrite Q in *. rewrite IH by (apply N.mod_lt; assumption).
    rewrite (N.div_mod (N.lxor x y) q) by assumption.
    assert (E1 : N.lxor x y mod q = N.lxor (x mod q) (y mod q)).
    { unfold q. rewrite <- !N.land_ones. apply N.bits_inj. intros i. rewrite !N.lxor_spec, !N.land_spec, N.lxor_spec.
      now destruct (N.testbit x i), (N.testbit y i), (N.testbit (N.ones (N.of_nat d)) i). }
    assert (E2 : N.lxor x y / q = N.lxor (x / q) (y / q)) by (unfold q; rewrite <- !N.shiftr_div_pow2; apply N.shiftr_lxor).
    rewrite E1, E2. assert (x / q < 2) by (apply N.div_lt_upper_bound; lia). assert (y / q < 2) by (apply N.div_lt_upper_bound; lia).
    assert (C : forall z, z < 2 -> z = 0 \/ z = 1) by lia.
    assert (E3 : N.lxor (x / q) (y / q) = (x / q + y / q) mod 2) by (destruct (C _ H) as [-> | ->], (C _ H0) as [-> | ->]; reflexivity).
    rewrite E3. lia.
Qed.

Section Cube.
  Variable d : N.
  Notation n := (2 ^ d).
  Notation W := (network_of (cube d)).

  Lemma cube_size : size (cube d) = n.
  Proof. unfold size, cube. cbn [moduli]. now rewrite order_twos, N2Nat.id. Qed.
  Lemma cube_degree : degree (cube d) = d.
  Proof. unfold degree, cube. cbn [generators]. now rewrite len_map, len_range. Qed.
  Lemma cube_positive : positive_moduli (moduli (cube d)).
  Proof. apply twos_positive. Qed.
  Lemma cube_add x y : x < n -> y < n -> add (moduli (cube d)) x y = N.lxor x y.
  Proof. intros. apply add_twos; now rewrite N2Nat.id. Qed.
  Lemma cube_sub x y : x < n -> y < n -> sub (moduli (cube d)) x y = N.lxor x y.
  Proof.
    intros Hx Hy. pose proof cube_positive as P. pose proof cube_size as S. unfold size in S.
    rewrite <- (add_sub (moduli (cube d)) P (N.lxor x y) y) by (rewrite S; auto using lxor_lt).
    rewrite (cube_add (N.lxor x y) y) by auto using lxor_lt. now rewrite lxor_cancel.
  Qed.
  Lemma cube_generator p : p < d -> nth (N.to_nat p) (generators (cube d)) 0 = 2 ^ p.
  Proof. intros H. apply nth_error_nth. cbn [cube generators]. now apply (map_nth_error (fun j => 2 ^ j)), nth_range. Qed.

  (** Port p of node v leads to the node that differs in bit p. *)
  Theorem cube_next v p : v < n -> p < d -> next (cube d) (v, p) = N.lxor v (2 ^ p).
  Proof. intros. unfold next. cbn [fst snd]. rewrite cube_generator by assumption. apply cube_add; auto using pow_lt. Qed.

  Lemma cube_sound : sound_shape (cube d) All.
  Proof.
    split; [apply cube_positive|]. split; [split|exact I].
    - intros g Hg. apply in_map_iff in Hg as (j & <- & Hj). rewrite cube_size. apply pow_lt. now apply range_In.
    - reflexivity.
  Qed.

  Theorem cube_nodes v : In v (nodes W) <-> v < n.
  Proof. rewrite every_node, cube_size by reflexivity. tauto. Qed.
  Theorem cube_links v p : In (v, p) (links W) <-> v < n /\ p < d.
  Proof. rewrite (every_link _ d), cube_size by auto using cube_degree. tauto. Qed.

  Lemma in_shifts R q v p : (forall o t j w p', In ((o, t, j), (w, p')) R -> o = 0 /\ t < n /\ w < n) ->
    In (q, (v, p)) (expand (cube d) All R) <->
    exists g t j w, g < n /\ In ((0, t, j), (w, p)) R /\ q = (g, N.lxor t g, j) /\ v = N.lxor w g.
  Proof.
    intros HR. rewrite in_expand. assert (T : forall g, In g (translations (cube d) All) <-> g < n).
    { intros g. unfold translations. rewrite filter_In, range_In, cube_size. cbn. tauto. }
    split.
    - intros (g & ((o, t), j) & w & Hg & Hh & -> & ->). apply T in Hg. destruct (HR _ _ _ _ _ Hh) as (-> & Ht & Hw).
      exists g, t, j, w. cbn [move]. rewrite !cube_add by (auto using pow_pos). now rewrite N.lxor_0_l.
    - intros (g & t & j & w & Hg & Hh & -> & ->). destruct (HR _ _ _ _ _ Hh) as (_ & Ht & Hw).
      exists g, (0, t, j), w. rewrite T. cbn [move]. rewrite !cube_add by (auto using pow_pos). now rewrite N.lxor_0_l.
  Qed.

  Theorem cube_within R : (forall h, In h R -> fst (snd h) < n /\ snd (snd h) < d) -> NoDup (map (fun h : hop => snd (snd h)) R) ->
    within W (all_ports d) (expand (cube d) All R).
  Proof. intros H. apply ports_within; auto using cube_sound, cube_degree. now rewrite cube_size. Qed.
End Cube.
