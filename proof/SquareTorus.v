(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Allgather, reduce-scatter, allreduce and alltoall of the torus of k by k nodes, for every k >= 3 and P = 4 a packets: optimal, as
    [Rotational] says, for a quarter turn of the torus is an automorphism and turns the four ports in a cycle. The sum of all distances, which
    is the rounds of an alltoall for a = 1, is 2 k floor(k^2 / 4).

    Convention. Node x k + y has the coordinates (x, y); ports 0 to 3 lead to x + 1, x - 1, y + 1, y - 1, modulo k. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Places Timetable Around Rotational.
Import ListNotations.
Open Scope N_scope.

Definition square_torus (k : N) : shape := Shape [k; k] [k; (k - 1) * k; 1; k - 1] None.

(** A quarter turn: (x, y) becomes (-y, x). *)
Definition quarter (k v : N) : N := ((k - v mod k) mod k) * k + v / k.
Definition quarter_port (p : N) : N := match p with 0 => 2 | 2 => 1 | 1 => 3 | _ => 0 end.
(** The distance, and the last hop of a shortest path: on the first axis, if any. *)
Definition torus_level (k v : N) : N := around k (v / k) + around k (v mod k).
Definition torus_port (k v : N) : N :=
  let x := v / k in let y := v mod k in
  if x =? 0 then (if 2 * y <=? k then 2 else 3) else (if 2 * x <=? k then 0 else 1).
Definition torus_opposite (p : N) : N := match p with 0 => 1 | 1 => 0 | 2 => 3 | _ => 2 end.

Definition torus_allgather_plan (k a : N) : plan := turned_allgather (square_torus k) (quarter k) quarter_port (torus_level k) (torus_port k) a.
Definition torus_reduce_scatter_plan (k a : N) : plan :=
  turned_reduce_scatter (square_torus k) (quarter k) quarter_port (torus_level k) (torus_port k) torus_opposite a.
Definition torus_allreduce_plan (k a : N) : plan :=
  turned_allreduce (square_torus k) (quarter k) quarter_port (torus_level k) (torus_port k) torus_opposite a.
Definition torus_alltoall_plan (k a : N) : plan := turned_alltoall (square_torus k) (quarter k) quarter_port (torus_level k) (torus_port k) a.

Definition odd_torus_alltoall_plan (k a : N) : plan := free_alltoall (square_torus k) (quarter k) quarter_port (torus_level k) (torus_port k) a.

(** * Sums over rows *)

Lemma range_add m i : range (m + i) = range m ++ map (fun x => m + x) (range i).
Proof.
  induction i as [|i IH] using N.peano_ind; [now rewrite N.add_0_r, app_nil_r|].
  rewrite N.add_succ_r, !range_succ, map_app, IH, <- app_assoc. reflexivity.
Qed.
Lemma sum_rows k (f g : N -> N) m : 0 < k ->
  sum (fun v => f (v / k) + g (v mod k)) (range (m * k)) = k * sum f (range m) + m * sum g (range k).
Proof.
  intros Hk. induction m as [|m IH] using N.peano_ind; [cbn; lia|].
  rewrite N.mul_succ_l, range_add, sum_app, sum_map, IH, range_succ, sum_app. cbn [sum].
  rewrite (sum_eq (fun x => f ((m * k + x) / k) + g ((m * k + x) mod k)) (fun x => f m + g x)).
  - rewrite sum_plus, sum_const, len_range. lia.
  - intros x Hx. apply range_In in Hx. now rewrite split_div, split_mod.
Qed.
Section Torus.
  Variable k : N.
  Hypothesis three : 3 <= k.
  Notation s := (square_torus k).
  Let k0 : k <> 0. Proof. lia. Qed.

  Lemma torus_size : size s = k * k.
  Proof. unfold size. cbn [square_torus moduli order]. lia. Qed.
  Lemma torus_degree : degree s = 4.
  Proof. reflexivity. Qed.

  (** A node is its coordinates. *)
  Lemma xy v : v < k * k -> v = v / k * k + v mod k /\ v / k < k /\ v mod k < k.
  Proof. intros H. split; [symmetry; now apply quotient|]. split; [now apply N.div_lt_upper_bound|now apply N.mod_lt]. Qed.
  Lemma xy_same v w : v < k * k -> w < k * k -> v / k = w / k -> v mod k = w mod k -> v = w.
  Proof. intros Hv Hw E F. destruct (xy v Hv) as (-> & _), (xy w Hw) as (-> & _). congruence. Qed.
  Lemma torus_add v w : add (moduli s) v w = (v / k + w / k) mod k * k + (v mod k + w mod k) mod k.
  Proof. cbn [square_torus moduli add order]. rewrite !N.mul_1_r, !N.div_1_r. lia. Qed.
  Lemma torus_sound : sound_shape s All.
  Proof.
    split; [intros m [<-|[<-|[]]]; lia|]. split; [split|exact I]; [|reflexivity]. rewrite torus_size. intros g [<-|[<-|[<-|[<-|[]]]]]; nia.
  Qed.
  Lemma add_xy v w : let u := add (moduli s) v w in u / k = (v / k + w / k) mod k /\ u mod k = (v mod k + w mod k) mod k.
  Proof.
    cbn zeta. rewrite torus_add. pose proof (N.mod_lt (v mod k + w mod k) k k0).
    split; [apply split_div; [lia|assumption]|apply split_mod; [lia|assumption]].
  Qed.
  Lemma quarter_xy v : v < k * k -> quarter k v / k = (k - v mod k) mod k /\ quarter k v mod k = v / k.
  Proof. intros H. destruct (xy v H) as (_ & A & B). unfold quarter. split; [apply split_div; lia|apply split_mod; lia]. Qed.
  Lemma quarter_lt v : v < k * k -> quarter k v < k * k.
  Proof. intros H. destruct (xy v H) as (_ & A & B). unfold quarter. pose proof (N.mod_lt (k - v mod k) k k0). nia. Qed.

  Definition coordinates (p : N) : N * N := match p with 0 => (1, 0) | 1 => (k - 1, 0) | 2 => (0, 1) | _ => (0, k - 1) end.
  Lemma four p : p < 4 -> p = 0 \/ p = 1 \/ p = 2 \/ p = 3.
  Proof. lia. Qed.
  Lemma generator_xy p : p < 4 -> generator s p < k * k /\ generator s p / k = fst (coordinates p) /\ generator s p mod k = snd (coordinates p).
  Proof.
    intros H. destruct (four p H) as [-> | [-> | [-> | ->]]]; cbn [coordinates fst snd].
    - change (generator s 0) with k. rewrite N.div_same, N.mod_same by assumption. split; [nia|auto].
    - change (generator s 1) with ((k - 1) * k). rewrite N.div_mul, N.mod_mul by assumption. split; [nia|auto].
    - change (generator s 2) with 1. rewrite N.div_small, N.mod_small by lia. split; [nia|auto].
    - change (generator s 3) with (k - 1). rewrite N.div_small, N.mod_small by lia. split; [nia|auto].
  Qed.

  Theorem torus_rotation : rotation s (quarter k) quarter_port.
  Proof.
    split; rewrite ?torus_size, ?torus_degree.
    - exact quarter_lt.
    - intros v w Hv Hw. pose proof (add_lt (moduli s) v w (proj1 torus_sound)) as L.
      change (order (moduli s)) with (size s) in L. rewrite torus_size in L.
      destruct (xy v Hv) as (_ & A & B), (xy w Hw) as (_ & A' & B'). pose proof (quarter_lt v Hv) as Qv. pose proof (quarter_lt w Hw) as Qw.
      destruct (quarter_xy _ L) as (X & Y). destruct (quarter_xy v Hv) as (X1 & Y1), (quarter_xy w Hw) as (X2 & Y2).
      destruct (add_xy v w) as (X3 & Y3). destruct (add_xy (quarter k v) (quarter k w)) as (X4 & Y4).
      pose proof (add_lt (moduli s) (quarter k v) (quarter k w) (proj1 torus_sound)) as L'.
      change (order (moduli s)) with (size s) in L'. rewrite torus_size in L'. apply xy_same; auto using quarter_lt.
      + rewrite X, Y3, X4, X1, X2. apply minus_sum; auto.
      + rewrite Y, X3, Y4, Y1, Y2. reflexivity.
    - intros p Hp. destruct (generator_xy p Hp) as (L & X & Y).
      assert (Hq : quarter_port p < 4) by (destruct (four p Hp) as [-> | [-> | [-> | ->]]]; reflexivity).
      split; [assumption|]. destruct (generator_xy _ Hq) as (L' & X' & Y'). destruct (quarter_xy _ L) as (X2 & Y2).
      apply xy_same; auto using quarter_lt.
      + rewrite X2, Y, X'. destruct (four p Hp) as [-> | [-> | [-> | ->]]]; cbn [quarter_port coordinates fst snd].
        * rewrite N.sub_0_r. now apply N.mod_same.
        * rewrite N.sub_0_r. now apply N.mod_same.
        * apply N.mod_small. lia.
        * replace (k - (k - 1)) with 1 by lia. apply N.mod_small. lia.
      + rewrite Y2, X, Y'. destruct (four p Hp) as [-> | [-> | [-> | ->]]]; reflexivity.
    - intros p j j' Hp Hj Hj' E.
      destruct (four p Hp) as [-> | [-> | [-> | ->]]], (four j Hj) as [-> | [-> | [-> | ->]]], (four j' Hj') as [-> | [-> | [-> | ->]]];
        try reflexivity; discriminate E.
    - intros v Hv. change (N.iter 4 (quarter k) v) with (quarter k (quarter k (quarter k (quarter k v)))).
      pose proof (quarter_lt _ Hv) as H1. pose proof (quarter_lt _ H1) as H2. pose proof (quarter_lt _ H2) as H3. pose proof (quarter_lt _ H3) as H4.
      destruct (quarter_xy _ Hv) as (X1 & Y1), (quarter_xy _ H1) as (X2 & Y2), (quarter_xy _ H2) as (X3 & Y3), (quarter_xy _ H3) as (X4 & Y4).
      destruct (xy v Hv) as (_ & A & B). apply xy_same; auto.
      + rewrite X4, Y3, X2, Y1. apply minus_twice; auto.
      + rewrite Y4, X3, Y2, X1. apply minus_twice; auto.
  Qed.

  Theorem torus_shortest : shortest s (torus_level k) (torus_port k).
  Proof.
    split; rewrite ?torus_size, ?torus_degree.
    - unfold torus_level. rewrite N.div_0_l, N.mod_0_l by assumption. now rewrite (around_0 k three).
    - intros v _ _. unfold torus_port. destruct (_ =? 0), (2 * _ <=? k); lia.
    - intros v Hv NZ. set (w := before s (torus_port k) v).
      assert (Lw : w < k * k) by (rewrite <- torus_size; apply before_lt, torus_sound).
      assert (Hp : torus_port k v < 4) by (unfold torus_port; destruct (v / k =? 0), (2 * (v mod k) <=? k), (2 * (v / k) <=? k); reflexivity).
      assert (E : add (moduli s) w (generator s (torus_port k v)) = v).
      { pose proof (next_before s torus_sound (torus_port k) v) as X. rewrite torus_size in X. now apply X. }
      destruct (add_xy w (generator s (torus_port k v))) as (X & Y). rewrite E in X, Y.
      destruct (generator_xy _ Hp) as (_ & GX & GY). rewrite GX in X. rewrite GY in Y.
      destruct (xy v Hv) as (Ev & A & B), (xy w Lw) as (_ & A' & B'). unfold torus_level. unfold torus_port in X, Y.
      destruct (N.eqb_spec (v / k) 0) as [Z|NX].
      + assert (NY : v mod k <> 0) by (intros F; apply NZ; rewrite Ev, Z, F; reflexivity).
        assert (E1 : w / k = 0).
        { destruct (2 * (v mod k) <=? k); cbn [coordinates fst] in X; rewrite N.add_0_r, N.mod_small in X by assumption; congruence. }
        rewrite Z, E1, (around_0 k three), !N.add_0_l. apply (around_back k three); auto.
        destruct (2 * (v mod k) <=? k); cbn [coordinates snd] in Y; now symmetry.
      + assert (E1 : w mod k = v mod k).
        { destruct (2 * (v / k) <=? k); cbn [coordinates snd] in Y; rewrite N.add_0_r, (N.mod_small (w mod k)) in Y by assumption; congruence. }
        rewrite E1. assert (around k (w / k) + 1 = around k (v / k)); [|lia]. apply (around_back k three); auto.
        destruct (2 * (v / k) <=? k); cbn [coordinates fst] in X; now symmetry.
    - intros v p Hv Hp. unfold next. cbn [fst snd]. fold (generator s p). destruct (add_xy v (generator s p)) as (X & Y).
      destruct (generator_xy p Hp) as (_ & GX & GY). destruct (xy v Hv) as (_ & A & B). unfold torus_level. rewrite X, Y, GX, GY.
      destruct (four p Hp) as [-> | [-> | [-> | ->]]]; cbn [coordinates fst snd]; rewrite ?N.add_0_r, ?(N.mod_small (v mod k)),
        ?(N.mod_small (v / k)) by assumption.
      + pose proof (around_step k three (v / k) 1 A (or_introl eq_refl)). lia.
      + pose proof (around_step k three (v / k) (k - 1) A (or_intror eq_refl)). lia.
      + pose proof (around_step k three (v mod k) 1 B (or_introl eq_refl)). lia.
      + pose proof (around_step k three (v mod k) (k - 1) B (or_intror eq_refl)). lia.
  Qed.
  Lemma torus_tree : tree s (torus_level k) (torus_port k).
  Proof.
    destruct torus_shortest as [_ A B _]. split; [exact A|]. intros v Hv NZ. specialize (B v Hv NZ). lia.
  Qed.
  Lemma torus_opposites p : p < degree s ->
    torus_opposite p < degree s /\ add (moduli s) (generator s p) (generator s (torus_opposite p)) = 0.
  Proof.
    rewrite torus_degree. intros Hp. assert (Hq : torus_opposite p < 4) by (destruct (four p Hp) as [-> | [-> | [-> | ->]]]; reflexivity).
    split; [assumption|]. rewrite torus_add. destruct (generator_xy p Hp) as (_ & -> & ->), (generator_xy _ Hq) as (_ & -> & ->).
    destruct (four p Hp) as [-> | [-> | [-> | ->]]]; cbn [torus_opposite coordinates fst snd]; rewrite ?N.add_0_l, ?N.mod_0_l by assumption.
    - replace (1 + (k - 1)) with k by lia. now rewrite N.mod_same.
    - replace (k - 1 + 1) with k by lia. now rewrite N.mod_same.
    - replace (1 + (k - 1)) with k by lia. now rewrite N.mod_same.
    - replace (k - 1 + 1) with k by lia. now rewrite N.mod_same.
  Qed.
  Lemma torus_opposites_apart p p' : p < degree s -> p' < degree s -> torus_opposite p = torus_opposite p' -> p = p'.
  Proof.
    rewrite torus_degree. intros Hp Hp' E. destruct (four p Hp) as [-> | [-> | [-> | ->]]], (four p' Hp') as [-> | [-> | [-> | ->]]];
      try reflexivity; discriminate E.
  Qed.
  (** If k is odd, only node 0 stays in its place. *)
  Lemma torus_free v j j' : N.odd k = true -> v < k * k -> v <> 0 -> j < 4 -> j' < 4 -> N.iter j (quarter k) v = N.iter j' (quarter k) v -> j = j'.
  Proof.
    intros Odd Hv NZ Hj Hj' E. apply N.odd_spec in Odd as (h & Hh).
    pose proof (quarter_lt _ Hv) as H1. pose proof (quarter_lt _ H1) as H2.
    destruct (quarter_xy _ Hv) as (X1 & Y1), (quarter_xy _ H1) as (X2 & Y2), (quarter_xy _ H2) as (X3 & Y3).
    rewrite Y1 in X2. rewrite X1 in Y2. rewrite Y2, minus_twice in X3 by (auto; now apply N.mod_lt). rewrite X2 in Y3.
    destruct (xy v Hv) as (Ev & A & B). set (x := v / k) in *. set (y := v mod k) in *.
    assert (N : x <> 0 \/ y <> 0) by (destruct (N.eq_dec x 0) as [Zx|]; [right; intros Zy; apply NZ; rewrite Ev, Zx, Zy; reflexivity|now left]).
    destruct (minus_cases k three x A) as [(Cx & Mx)|(Cx & Mx)], (minus_cases k three y B) as [(Cy & My)|(Cy & My)];
      rewrite Mx, ?My in *; try (exfalso; lia);
      (assert (S : forall i, i < 4 -> N.iter i (quarter k) v / k = match i with 0 => x | 1 => (k - y) mod k | 2 => (k - x) mod k | _ => y end /\
                 N.iter i (quarter k) v mod k = match i with 0 => y | 1 => x | 2 => (k - y) mod k | _ => (k - x) mod k end)
         by (intros i Hi; destruct (four i Hi) as [-> | [-> | [-> | ->]]]; cbn [N.iter Pos.iter]; rewrite ?Mx, ?My; auto));
      destruct (S j Hj) as (P & Q), (S j' Hj') as (P' & Q'); rewrite E in P, Q; rewrite P in P'; rewrite Q in Q'; rewrite Mx, My in *;
      destruct (four j Hj) as [-> | [-> | [-> | ->]]], (four j' Hj') as [-> | [-> | [-> | ->]]]; try reflexivity; exfalso; lia.
  Qed.
  Lemma torus_sum : sum (torus_level k) (range (size s)) = 2 * k * (k * k / 4).
  Proof. rewrite torus_size. unfold torus_level. rewrite sum_rows, around_sum by lia. lia. Qed.
End Torus.

(** * The theorems *)

Section Theorems.
  Variables k a : N.
  Hypothesis three : 3 <= k.
  Let some_port : 1 <= degree (square_torus k). Proof. rewrite torus_degree. lia. Qed.

  (** 4 a packets of every node get to all nodes in a (k^2 - 1) rounds, and no schedule takes fewer. *)
  Theorem torus_allgather_optimal :
    optimal (problem_of_plan (torus_allgather_plan k a)) (rounds_of_plan (torus_allgather_plan k a)) /\
    len (rounds_of_plan (torus_allgather_plan k a)) = a * (k * k - 1).
  Proof.
    rewrite <- (torus_size k three) at 1. apply turned_allgather_optimal with (opposite := torus_opposite);
      eauto using torus_sound, torus_rotation, torus_tree, torus_opposites, torus_opposites_apart.
  Qed.
  Theorem torus_reduce_scatter_optimal :
    optimal (problem_of_plan (torus_reduce_scatter_plan k a)) (rounds_of_plan (torus_reduce_scatter_plan k a)) /\
    len (rounds_of_plan (torus_reduce_scatter_plan k a)) = a * (k * k - 1).
  Proof.
    rewrite <- (torus_size k three) at 1. apply turned_reduce_scatter_optimal;
      eauto using torus_sound, torus_rotation, torus_tree, torus_opposites, torus_opposites_apart.
  Qed.
  Theorem torus_allreduce_optimal :
    optimal (problem_of_plan (torus_allreduce_plan k a)) (rounds_of_plan (torus_allreduce_plan k a)) /\
    len (rounds_of_plan (torus_allreduce_plan k a)) = 2 * (a * (k * k - 1)).
  Proof.
    rewrite <- (torus_size k three) at 1. apply turned_allreduce_optimal;
      eauto using torus_sound, torus_rotation, torus_tree, torus_opposites, torus_opposites_apart.
  Qed.
  (** 4 a packets from every node to every other take 2 a k floor(k^2 / 4) rounds, and no schedule takes fewer. *)
  Theorem torus_alltoall_optimal :
    optimal (problem_of_plan (torus_alltoall_plan k a)) (rounds_of_plan (torus_alltoall_plan k a)) /\
    len (rounds_of_plan (torus_alltoall_plan k a)) = a * (2 * k * (k * k / 4)).
  Proof.
    rewrite <- (torus_sum k three). apply turned_alltoall_optimal; auto using torus_sound, torus_rotation, torus_shortest.
  Qed.
  (** If k is odd, any number a of packets from every node to every other takes a / 4 times that sum, and no schedule takes fewer rounds. *)
  Theorem odd_torus_alltoall_optimal : N.odd k = true ->
    optimal (problem_of_plan (odd_torus_alltoall_plan k a)) (rounds_of_plan (odd_torus_alltoall_plan k a)) /\
    len (rounds_of_plan (odd_torus_alltoall_plan k a)) = a * (2 * k * (k * k / 4) / 4).
  Proof.
    intros Odd. rewrite <- (torus_sum k three). apply free_alltoall_optimal; auto using torus_sound, torus_rotation, torus_shortest.
    intros y j j' Hy NZ Hj Hj'. rewrite torus_size in Hy by assumption. now apply torus_free.
  Qed.
End Theorems.
