(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The groups Z_m1 x ... x Z_mr. An element is a number, row-major in its coordinates: the last coordinate counts fastest, as in
    docs/plan-file.md. [add], [neg] and [order] are definitions that a reader must believe; the rest proves the laws of an abelian group,
    and that the parity of chosen coordinates of even moduli is a homomorphism. *)
From Coq Require Import NArith List Lia.
Import ListNotations.
Open Scope N_scope.

Fixpoint order (moduli : list N) : N :=
  match moduli with [] => 1 | m :: rest => m * order rest end.

Fixpoint add (moduli : list N) (x y : N) : N :=
  match moduli with
  | [] => 0
  | m :: rest =>
      let q := order rest in
      ((x / q + y / q) mod m) * q + add rest (x mod q) (y mod q)
  end.

Fixpoint neg (moduli : list N) (x : N) : N :=
  match moduli with
  | [] => 0
  | m :: rest => let q := order rest in ((m - x / q) mod m) * q + neg rest (x mod q)
  end.

Definition sub moduli x y := add moduli x (neg moduli y).

Fixpoint parity (moduli : list N) (chosen : list bool) (x : N) : N :=
  match moduli, chosen with
  | m :: rest, c :: chosen =>
      let q := order rest in
      ((if c then x / q else 0) + parity rest chosen (x mod q)) mod 2
  | _, _ => 0
  end.

Definition positive_moduli (ms : list N) := forall m, In m ms -> 0 < m.

Lemma order_pos ms : positive_moduli ms -> 0 < order ms.
Proof.
  induction ms as [|m ms IH]; cbn; intros H; [lia|].
  assert (0 < m) by (apply H; now left).
  assert (0 < order ms) by (apply IH; intros k Hk; apply H; now right). nia.
Qed.

Lemma positive_tail m ms : positive_moduli (m :: ms) -> 0 < m /\ positive_moduli ms /\ 0 < order ms.
Proof.
  intros H. assert (positive_moduli ms) by (intros k Hk; apply H; now right).
  split; [apply H; now left|]. split; [assumption|]. now apply order_pos.
Qed.

Lemma split_div q a b : 0 < q -> b < q -> (a * q + b) / q = a.
Proof. intros. rewrite N.div_add_l by lia. rewrite N.div_small by lia. lia. Qed.
Lemma split_mod q a b : 0 < q -> b < q -> (a * q + b) mod q = b.
Proof. intros. rewrite N.add_comm, N.mod_add by lia. apply N.mod_small; lia. Qed.
Lemma div_lt x m q : 0 < q -> x < m * q -> x / q < m.
Proof. intros. apply N.div_lt_upper_bound; lia. Qed.
Lemma rejoin x q : 0 < q -> x / q * q + x mod q = x.
Proof. intros. pose proof (N.div_mod x q ltac:(lia)). lia. Qed.

Lemma add_lt ms x y : positive_moduli ms -> add ms x y < order ms.
Proof.
  revert x y; induction ms as [|m ms IH]; cbn; intros x y H; [lia|].
  destruct (positive_tail _ _ H) as (Hm & Hms & Hq).
  specialize (IH (x mod order ms) (y mod order ms) Hms).
  pose proof (N.mod_lt (x / order ms + y / order ms) m ltac:(lia)). nia.
Qed.

Lemma neg_lt ms x : positive_moduli ms -> neg ms x < order ms.
Proof.
  revert x; induction ms as [|m ms IH]; cbn; intros x H; [lia|].
  destruct (positive_tail _ _ H) as (Hm & Hms & Hq).
  specialize (IH (x mod order ms) Hms).
  pose proof (N.mod_lt (m - x / order ms) m ltac:(lia)). nia.
Qed.

Lemma add_comm ms x y : add ms x y = add ms y x.
Proof.
  revert x y; induction ms as [|m ms IH]; cbn; intros; [reflexivity|].
  now rewrite IH, (N.add_comm (x / _)).
Qed.

Lemma add_assoc ms x y z : positive_moduli ms -> add ms (add ms x y) z = add ms x (add ms y z).
Proof.
  revert x y z; induction ms as [|m ms IH]; cbn; intros x y z H; [reflexivity|].
  destruct (positive_tail _ _ H) as (Hm & Hms & Hq).
  rewrite !split_div, !split_mod by (try apply add_lt; assumption).
  rewrite IH by assumption. rewrite N.add_mod_idemp_l, N.add_mod_idemp_r by lia.
  now rewrite N.add_assoc.
Qed.

Lemma add_0_l ms x : positive_moduli ms -> x < order ms -> add ms 0 x = x.
Proof.
  revert x; induction ms as [|m ms IH]; cbn -[N.modulo N.div]; intros x H Hx; [lia|].
  destruct (positive_tail _ _ H) as (Hm & Hms & Hq).
  rewrite N.div_0_l, N.mod_0_l by lia. rewrite IH; [|assumption|now apply N.mod_lt; lia].
  rewrite N.add_0_l, N.mod_small by now apply div_lt. now apply rejoin.
Qed.

Lemma add_neg ms x : positive_moduli ms -> x < order ms -> add ms x (neg ms x) = 0.
Proof.
  revert x; induction ms as [|m ms IH]; cbn -[N.modulo N.div]; intros x H Hx; [lia|].
  destruct (positive_tail _ _ H) as (Hm & Hms & Hq).
  rewrite split_div, split_mod by (try apply neg_lt; assumption).
  rewrite IH; [|assumption|now apply N.mod_lt; lia].
  rewrite N.add_mod_idemp_r by lia. pose proof (div_lt _ _ _ Hq Hx).
  replace (x / order ms + (m - x / order ms)) with (1 * m) by lia. rewrite N.mod_mul by lia. lia.
Qed.

Definition even_moduli ms (chosen : list bool) := forall m, In (m, true) (combine ms chosen) -> m mod 2 = 0.

Lemma mod_mod_2 a m : 0 < m -> m mod 2 = 0 -> (a mod m) mod 2 = a mod 2.
Proof.
  intros Hm H. pose proof (N.div_mod a m ltac:(lia)) as E. pose proof (N.div_mod m 2 ltac:(lia)) as F.
  rewrite H, N.add_0_r in F.
  rewrite E at 2. rewrite F at 2. rewrite <- N.mul_assoc, N.add_comm, (N.mul_comm 2), N.mod_add by lia. reflexivity.
Qed.

Lemma parity_lt ms cs x : parity ms cs x < 2.
Proof. destruct ms, cs; cbn; try lia; apply N.mod_lt; lia. Qed.

Lemma parity_add ms cs x y : positive_moduli ms -> even_moduli ms cs ->
  parity ms cs (add ms x y) = (parity ms cs x + parity ms cs y) mod 2.
Proof.
  revert cs x y; induction ms as [|m ms IH]; intros cs x y H He; [reflexivity|].
  destruct cs as [|c cs]; [reflexivity|].
  destruct (positive_tail _ _ H) as (Hm & Hms & Hq). cbn -[N.modulo N.div].
  rewrite split_div, split_mod by (try apply add_lt; assumption).
  rewrite IH; [|assumption|intros k Hk; apply He; now right].
  rewrite <- N.add_mod by lia.
  destruct c.
  - rewrite N.add_mod, mod_mod_2, <- N.add_mod by (try lia; apply He; now left).
    rewrite N.add_mod_idemp_r by lia. f_equal. lia.
  - rewrite !N.add_0_l, N.mod_mod by lia. reflexivity.
Qed.

Lemma parity_0 ms cs : positive_moduli ms -> parity ms cs 0 = 0.
Proof.
  revert cs; induction ms as [|m ms IH]; intros [|c cs] H; try reflexivity.
  destruct (positive_tail _ _ H) as (Hm & Hms & Hq). cbn -[N.modulo N.div].
  rewrite N.div_0_l, N.mod_0_l, IH by (assumption || lia). now destruct c.
Qed.

Section Laws.
  Variable ms : list N.
  Hypothesis pos : positive_moduli ms.
  Notation n := (order ms).
  Notation "x ++' y" := (add ms x y) (at level 50).

  Lemma add_0_r x : x < n -> add ms x 0 = x.
  Proof. intros. rewrite add_comm. now apply add_0_l. Qed.
  Lemma sub_lt x y : sub ms x y < n. Proof. now apply add_lt. Qed.
  Lemma sub_add x y : x < n -> y < n -> add ms (sub ms x y) y = x.
  Proof.
    intros. unfold sub. rewrite add_assoc, (add_comm ms (neg ms y)), add_neg by assumption. now apply add_0_r.
  Qed.
  Lemma add_sub x y : x < n -> y < n -> sub ms (add ms x y) y = x.
  Proof. intros. unfold sub. rewrite add_assoc, add_neg by assumption. now apply add_0_r. Qed.
  Lemma add_cancel x y z : x < n -> y < n -> z < n -> add ms x z = add ms y z -> x = y.
  Proof. intros Hx Hy Hz E. rewrite <- (add_sub x z), <- (add_sub y z) by assumption. now rewrite E. Qed.
  Lemma add_shift v g a : add ms (add ms v g) a = add ms (add ms v a) g.
  Proof. rewrite !add_assoc by assumption. now rewrite (add_comm ms g). Qed.
End Laws.
