(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Distances from node 0 in any connected Cayley graph of an abelian group, by definition instead of by formula: the least k such that k hops lead to
    the node. They are the levels of a tree of shortest paths. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Lower Rounds CubeRotate Rotational.
Import ListNotations.
Open Scope N_scope.

(** At most k hops lead from node 0 to v. *)
Fixpoint within_hops (s : shape) (k : nat) (v : node) : bool :=
  match k with
  | O => v =? 0
  | S k => within_hops s k v || existsb (fun p => within_hops s k (sub (moduli s) v (generator s p))) (range (degree s))
  end.
Definition distance (s : shape) (v : node) : N := first_from (N.to_nat (size s)) (fun k => within_hops s (N.to_nat k) v) 0.
(** The first port that a shortest path may end with. *)
Definition last_hop (s : shape) (v : node) : N :=
  first_from (N.to_nat (degree s - 1)) (fun p => distance s (sub (moduli s) v (generator s p)) + 1 =? distance s v) 0.

Section Distance.
  Variable s : shape.
  Hypothesis ok : sound_shape s All.
  Hypothesis connected : forall v, v < size s -> within_hops s (N.to_nat (size s)) v = true.
  Notation n := (size s).
  Let positive : positive_moduli (moduli s) := proj1 ok.

  Lemma distance_spec v : v < n -> within_hops s (N.to_nat (distance s v)) v = true /\
    forall k, k < distance s v -> within_hops s (N.to_nat k) v = false.
  Proof.
    intros Hv. destruct (first_from_spec (N.to_nat n) (fun k => within_hops s (N.to_nat k) v) 0) as (_ & B & C).
    - rewrite N2Nat.id. now apply connected.
    - split; [exact B|]. intros k Hk. apply C. split; [apply N.le_0_l|exact Hk].
  Qed.
  Lemma distance_le v k : v < n -> within_hops s (N.to_nat k) v = true -> distance s v <= k.
  Proof.
    intros Hv H. destruct (N.le_gt_cases (distance s v) k) as [|L]; [assumption|]. destruct (distance_spec v Hv) as (_ & C).
    rewrite C in H by assumption. discriminate.
  Qed.
  Lemma hops_more v p k : p < degree s ->
    within_hops s (N.to_nat k) (sub (moduli s) v (generator s p)) = true -> within_hops s (N.to_nat (k + 1)) v = true.
  Proof.
    intros Hp H. replace (N.to_nat (k + 1)) with (S (N.to_nat k)) by lia. cbn [within_hops]. apply orb_true_iff. right.
    apply existsb_exists. exists p. split; [now apply range_In|exact H].
  Qed.

  Theorem distance_shortest : shortest s (distance s) (last_hop s).
  Proof.
    assert (N0 : 0 < n) by now apply order_pos.
    assert (Z : distance s 0 = 0).
    { assert (distance s 0 <= 0) by (apply distance_le; auto). lia. }
    assert (down : forall v, v < n -> v <> 0 -> exists p, p < degree s /\ distance s (sub (moduli s) v (generator s p)) + 1 = distance s v).
    { intros v Hv NZ. destruct (distance_spec v Hv) as (A & B).
      assert (D0 : distance s v <> 0) by (intros E; rewrite E in A; cbn in A; apply N.eqb_eq in A; now apply NZ).
      replace (N.to_nat (distance s v)) with (S (N.to_nat (distance s v - 1))) in A by lia. cbn [within_hops] in A.
      rewrite B in A by lia. cbn [orb] in A. apply existsb_exists in A as (p & Hp & A). apply range_In in Hp. exists p. split; [assumption|].
      set (w := sub (moduli s) v (generator s p)) in *. assert (Hw : w < n) by now apply sub_lt.
      pose proof (distance_le w _ Hw A). destruct (distance_spec w Hw) as (A' & _). apply (hops_more v p) in A'; [|assumption].
      apply distance_le in A'; [|assumption]. lia. }
    assert (port : forall v, v < n -> v <> 0 ->
      last_hop s v < degree s /\ distance s (sub (moduli s) v (generator s (last_hop s v))) + 1 = distance s v).
    { intros v Hv NZ. destruct (down v Hv NZ) as (p & Hp & E). set (f := fun p => distance s (sub (moduli s) v (generator s p)) + 1 =? distance s v).
      assert (X : forall fuel k, k <= p -> p < k + N.of_nat (S fuel) -> let r := first_from fuel f k in r < k + N.of_nat (S fuel) /\ f r = true \/
        r = k + N.of_nat fuel /\ p = r).
      { induction fuel as [|fuel IH]; intros k L1 L2; cbn [first_from]; [right; lia|].
        destruct (f k) eqn:F; [left; cbn zeta; split; [lia|exact F]|].
        destruct (N.eq_dec k p) as [->|NE]; [unfold f in F; apply N.eqb_neq in F; easy|].
        destruct (IH (N.succ k)) as [(A & B)|(A & B)]; [lia|lia|left; cbn zeta in *; split; [lia|exact B]|right; cbn zeta in *; lia]. }
      destruct (X (N.to_nat (degree s - 1)) 0) as [(A & B)|(A & B)]; [lia|lia| |]; cbn zeta in *;
        change (first_from (N.to_nat (degree s - 1)) f 0) with (last_hop s v) in *.
      - split; [lia|]. now apply N.eqb_eq.
      - rewrite <- B. auto. }
    split.
    - exact Z.
    - intros v Hv NZ. now apply port.
    - intros v Hv NZ. now apply port.
    - intros v p Hv Hp. destruct (distance_spec v Hv) as (A & _). apply distance_le; [now apply (next_lt s All)|].
      apply (hops_more _ p); [assumption|].
      unfold next. cbn [fst snd]. fold (generator s p). rewrite add_sub; auto. now apply (gen_lt s All).
  Qed.
End Distance.
