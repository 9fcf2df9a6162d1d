(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The neighbour of a node by the few coordinates that a port changes: one division each, and not one for every modulus. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Plan.
Import ListNotations.
Open Scope N_scope.

(** The coordinates of g that are not 0: their weight in the number of a node, their modulus, and their value. *)
Fixpoint changes (ms : list N) (g : N) : list (N * N * N) :=
  match ms with
  | [] => []
  | m :: rest => let q := order rest in let c := g / q in let l := changes rest (g mod q) in if c =? 0 then l else (q, m, c) :: l
  end.

Definition change (v x : N) (t : N * N * N) : N :=
  let '(q, m, c) := t in let y := x + c * q in if (v / q) mod m + c <? m then y else y - m * q.
Definition changed (v : N) (l : list (N * N * N)) : N := fold_left (change v) l v.

Lemma changes_add ms : positive_moduli ms -> forall v g h h', v < order ms -> g < order ms ->
  fold_left (change (h * order ms + v)) (changes ms g) (h' * order ms + v) = h' * order ms + add ms v g.
Proof.
  induction ms as [|m ms IH]; intros P v g h h' Hv Hg; [cbn in *; lia|].
  destruct (positive_tail _ _ P) as (Hm & Hms & Hq). cbn [order changes add]. set (q := order ms) in *. cbv zeta.
  assert (V : v = v / q * q + v mod q) by (symmetry; now apply rejoin).
  assert (Lv : v / q < m) by (apply div_lt; [exact Hq|exact Hv]). assert (Lg : g / q < m) by (apply div_lt; [exact Hq|exact Hg]).
  pose proof (N.mod_lt v q ltac:(lia)) as Rv. pose proof (N.mod_lt g q ltac:(lia)) as Rg.
  set (a := v / q) in *. set (c := g / q) in *.
  assert (X : h * (m * q) + v = (h * m + a) * q + v mod q) by (rewrite V at 1; ring). rewrite X.
  assert (D : ((h * m + a) * q + v mod q) / q mod m = a).
  { rewrite split_div by assumption. rewrite N.add_comm, N.mod_add by lia. now apply N.mod_small. }
  assert (Y : forall b, h' * (m * q) + (b * q + add ms (v mod q) (g mod q)) = (h' * m + b) * q + add ms (v mod q) (g mod q)) by (intros; ring).
  rewrite Y. assert (Z : h' * (m * q) + v = (h' * m + a) * q + v mod q) by (rewrite V at 1; ring). rewrite Z.
  destruct (N.eqb_spec c 0) as [E|NE].
  - rewrite E, N.add_0_r, (N.mod_small a m) by exact Lv. apply (IH Hms); assumption.
  - cbn [fold_left change]. rewrite D. cbv zeta. destruct (N.ltb_spec (a + c) m) as [F|F].
    + rewrite (N.mod_small (a + c) m) by exact F.
      replace ((h' * m + a) * q + v mod q + c * q) with ((h' * m + (a + c)) * q + v mod q) by ring. apply (IH Hms); assumption.
    + assert (M : (a + c) mod m = a + c - m).
      { replace (a + c) with (a + c - m + 1 * m) at 1 by (rewrite N.mul_1_l; apply N.sub_add; exact F).
        rewrite N.mod_add by lia. apply N.mod_small. lia. }
      rewrite M. replace ((h' * m + a) * q + v mod q + c * q - m * q) with ((h' * m + (a + c - m)) * q + v mod q).
      * apply (IH Hms); assumption.
      * assert (E : a + c = m + (a + c - m)) by lia. set (b := a + c - m) in *.
        replace ((h' * m + a) * q + v mod q + c * q) with (h' * m * q + (a + c) * q + v mod q) by ring. rewrite E.
        replace (h' * m * q + (m + b) * q + v mod q) with (m * q + ((h' * m + b) * q + v mod q)) by ring.
        assert (S : forall A B, A + B - A = B) by (intros; lia). now rewrite S.
Qed.

Lemma changed_add ms v g : positive_moduli ms -> v < order ms -> g < order ms -> changed v (changes ms g) = add ms v g.
Proof. intros P Hv Hg. pose proof (changes_add ms P v g 0 0 Hv Hg) as X. rewrite N.mul_0_l, !N.add_0_l in X. exact X. Qed.

(** [ports s] is computed once, [step] for every hop. *)
Definition ports_of (s : shape) : list (list (N * N * N)) := map (changes (moduli s)) (generators s).
Definition step (s : shape) (n : N) (ps : list (list (N * N * N))) (l : link) : node :=
  if fst l <? n then changed (fst l) (nth (N.to_nat (snd l)) ps []) else next s l.

Lemma changes_0 ms : positive_moduli ms -> changes ms 0 = [].
Proof.
  induction ms as [|m ms IH]; intros P; [reflexivity|]. destruct (positive_tail _ _ P) as (Hm & Hms & Hq). cbn [changes]. cbv zeta.
  rewrite N.div_0_l, N.mod_0_l by lia. now apply IH.
Qed.

Theorem step_next s l : positive_moduli (moduli s) -> (forall g, In g (generators s) -> g < size s) ->
  step s (size s) (ports_of s) l = next s l.
Proof.
  intros P G. unfold step. destruct (N.ltb_spec (fst l) (size s)) as [H|H]; [|reflexivity].
  unfold ports_of, next. rewrite <- (changes_0 (moduli s) P), map_nth. apply changed_add; auto.
  destruct (nth_in_or_default (N.to_nat (snd l)) (generators s) 0) as [I|E]; [now apply G|]. rewrite E. now apply order_pos.
Qed.
