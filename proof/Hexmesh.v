(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Allgather, reduce-scatter and allreduce of the hexagonal mesh with n >= 2 nodes a side, wrapped, for P = 6 a packets: optimal, as [Rotational]
    says, for a turn by 60 degrees is an automorphism and turns the six ports in a cycle.

    Convention. The mesh is the circulant graph of p = 3 n^2 - 3 n + 1 nodes of Chen et al. 1990; its ports lead to +1, -1, -(3n - 2), 3n - 2,
    -(3n - 1), 3n - 1 modulo p, as in docs/plan-file.md. Multiplication by u = 3n - 1 is the turn: u^2 = u - 1 and u^3 = -1 modulo p. A packet
    goes along +1 through all nodes. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Places Timetable Rotational.
Import ListNotations.
Open Scope N_scope.

Definition hex_size (n : N) : N := 3 * n * n - 3 * n + 1.
Definition hexmesh (n : N) : shape :=
  let p := hex_size n in Shape [p] [1; p - 1; p - (3 * n - 2); 3 * n - 2; p - (3 * n - 1); 3 * n - 1] None.

Definition sixth (n x : N) : N := ((3 * n - 1) * x) mod hex_size n.
Definition sixth_port (p : N) : N := match p with 0 => 5 | 5 => 3 | 3 => 1 | 1 => 4 | 4 => 2 | _ => 0 end.
Definition hex_opposite (p : N) : N := match p with 0 => 1 | 1 => 0 | 2 => 3 | 3 => 2 | 4 => 5 | _ => 4 end.

Definition hexmesh_allgather_plan (n a : N) : plan := turned_allgather (hexmesh n) (sixth n) sixth_port (fun v => v) (fun _ => 0) a.
Definition hexmesh_reduce_scatter_plan (n a : N) : plan :=
  turned_reduce_scatter (hexmesh n) (sixth n) sixth_port (fun v => v) (fun _ => 0) hex_opposite a.
Definition hexmesh_allreduce_plan (n a : N) : plan := turned_allreduce (hexmesh n) (sixth n) sixth_port (fun v => v) (fun _ => 0) hex_opposite a.

Section Hexmesh.
  Variable n : N.
  Hypothesis two : 2 <= n.
  Notation p := (hex_size n).
  Notation u := (3 * n - 1).

  (** With n = m + 2 there are no differences. *)
  Lemma in_m : exists m, n = m + 2 /\ p = 3 * m * m + 9 * m + 7 /\ u = 3 * m + 5 /\ 3 * n - 2 = 3 * m + 4.
  Proof.
    assert (E : exists m, n = m + 2) by (exists (n - 2); lia). destruct E as (m & E). exists m. unfold hex_size. rewrite E. repeat split; nia.
  Qed.
  Lemma p_big : 3 * n - 1 < p /\ 1 < p.
  Proof. destruct in_m as (m & _ & -> & -> & _). nia. Qed.
  Lemma p_0 : p <> 0. Proof. pose proof p_big. lia. Qed.

  Lemma hex_shape_size : size (hexmesh n) = p.
  Proof. unfold size, hexmesh. cbn [moduli order]. apply N.mul_1_r. Qed.
  Lemma hex_degree : degree (hexmesh n) = 6.
  Proof. reflexivity. Qed.
  Lemma hex_add x y : add (moduli (hexmesh n)) x y = (x + y) mod p.
  Proof. unfold hexmesh. cbn [moduli add order]. rewrite !N.div_1_r, N.mul_1_r. apply N.add_0_r. Qed.
  Lemma six q : q < 6 -> q = 0 \/ q = 1 \/ q = 2 \/ q = 3 \/ q = 4 \/ q = 5.
  Proof. lia. Qed.
  Definition hex_generator (q : N) : N := match q with 0 => 1 | 1 => p - 1 | 2 => p - (3 * n - 2) | 3 => 3 * n - 2 | 4 => p - u | _ => u end.
  Lemma hex_generators q : q < 6 -> generator (hexmesh n) q = hex_generator q /\ hex_generator q < p.
  Proof.
    intros H. pose proof p_big. destruct (six q H) as [-> | [-> | [-> | [-> | [-> | ->]]]]]; (split; [reflexivity|cbn [hex_generator]; lia]).
  Qed.
  Lemma hex_sound : sound_shape (hexmesh n) All.
  Proof.
    pose proof p_big. split; [intros m [<-|[]]; lia|]. split; [split|exact I]; [|reflexivity]. rewrite hex_shape_size.
    intros g Hg. unfold hexmesh in Hg. cbn [generators] in Hg. repeat destruct Hg as [<-|Hg]; try lia. easy.
  Qed.

  Lemma mod_is M x q r : x = q * M + r -> r < M -> x mod M = r.
  Proof. intros -> H. apply split_mod; lia. Qed.

  Lemma sixth_generator q : q < 6 -> sixth n (hex_generator q) = hex_generator (sixth_port q).
  Proof.
    intros H. unfold sixth. pose proof p_big as (B & _).
    assert (L : hex_generator (sixth_port q) < p) by (apply hex_generators; destruct (six q H) as [-> | [-> | [-> | [-> | [-> | ->]]]]]; reflexivity).
    destruct in_m as (m & Hn & Hp & Hu & Hv).
    destruct (six q H) as [-> | [-> | [-> | [-> | [-> | ->]]]]]; cbn [sixth_port hex_generator] in *; rewrite ?Hu, ?Hv, ?Hp in *.
    - apply (mod_is _ _ 0); nia.
    - apply (mod_is _ _ (3 * m + 4)); nia.
    - apply (mod_is _ _ (3 * m + 2)); nia.
    - apply (mod_is _ _ 2); nia.
    - apply (mod_is _ _ (3 * m + 1)); nia.
    - apply (mod_is _ _ 3); nia.
  Qed.
  Lemma sixth_six x : x < p -> N.iter 6 (sixth n) x = x.
  Proof.
    intros Hx. change (sixth n (sixth n (sixth n (sixth n (sixth n (sixth n x))))) = x). unfold sixth.
    assert (step : forall c, (u * ((c * x) mod p)) mod p = (u * c * x) mod p).
    { intros c. now rewrite N.mul_mod_idemp_r, N.mul_assoc by apply p_0. }
    rewrite !step. replace (u * (u * (u * (u * (u * u)))) * x) with ((u * u * u) * (u * u * u) * x) by ring.
    assert (Q : exists q, (u * u * u) * (u * u * u) = q * p + 1).
    { destruct in_m as (m & _ & Hp & Hu & _). assert (C : exists c, u * u * u = c * p + (p - 1) /\ 1 < p).
      { exists (9 * m + 17). rewrite Hp, Hu. split; nia. }
      destruct C as (c & -> & L). set (P := p) in *. clearbody P.
      exists (c * (c * P + (P - 1)) + c * (P - 1) + (P - 2)). nia. }
    destruct Q as (q & ->). replace ((q * p + 1) * x) with (x + q * x * p) by ring. rewrite N.mod_add by apply p_0. now apply N.mod_small.
  Qed.

  Theorem hex_rotation : rotation (hexmesh n) (sixth n) sixth_port.
  Proof.
    split; rewrite ?hex_shape_size, ?hex_degree.
    - intros x _. apply N.mod_lt, p_0.
    - intros x y _ _. rewrite !hex_add. unfold sixth. rewrite N.mul_mod_idemp_r by apply p_0. rewrite <- N.add_mod by apply p_0. f_equal. lia.
    - intros q Hq. assert (Hr : sixth_port q < 6) by (destruct (six q Hq) as [-> | [-> | [-> | [-> | [-> | ->]]]]]; reflexivity).
      split; [assumption|]. rewrite (proj1 (hex_generators q Hq)), (proj1 (hex_generators _ Hr)). now apply sixth_generator.
    - intros q j j' Hq Hj Hj' E.
      destruct (six q Hq) as [-> | [-> | [-> | [-> | [-> | ->]]]]], (six j Hj) as [-> | [-> | [-> | [-> | [-> | ->]]]]],
        (six j' Hj') as [-> | [-> | [-> | [-> | [-> | ->]]]]]; try reflexivity; discriminate E.
    - exact sixth_six.
  Qed.
  Lemma hex_tree : tree (hexmesh n) (fun v => v) (fun _ => 0).
  Proof.
    split; rewrite ?hex_shape_size, ?hex_degree; [intros; lia|]. intros v Hv NZ. apply N.neq_0_lt_0 in NZ.
    pose proof (before_lt (hexmesh n) hex_sound (fun _ => 0) v) as L. pose proof (next_before (hexmesh n) hex_sound (fun _ => 0) v) as E.
    rewrite hex_shape_size in L, E. specialize (E Hv). unfold next in E. cbn [fst snd] in E. rewrite hex_add in E.
    change (nth (N.to_nat 0) (generators (hexmesh n)) 0) with 1 in E. set (w := before _ _ v) in *. clearbody w.
    destruct (N.eq_dec (w + 1) p) as [F|]; [rewrite F, N.mod_same in E by apply p_0; lia|]. rewrite N.mod_small in E by lia. lia.
  Qed.
  Lemma hex_opposites q : q < degree (hexmesh n) -> hex_opposite q < degree (hexmesh n) /\
    add (moduli (hexmesh n)) (generator (hexmesh n) q) (generator (hexmesh n) (hex_opposite q)) = 0.
  Proof.
    rewrite hex_degree. intros Hq. pose proof p_big.
    assert (Hr : hex_opposite q < 6) by (destruct (six q Hq) as [-> | [-> | [-> | [-> | [-> | ->]]]]]; reflexivity).
    split; [assumption|]. rewrite (proj1 (hex_generators q Hq)), (proj1 (hex_generators _ Hr)), hex_add.
    replace (hex_generator q + hex_generator (hex_opposite q)) with p; [apply N.mod_same, p_0|].
    destruct (six q Hq) as [-> | [-> | [-> | [-> | [-> | ->]]]]]; cbn [hex_opposite hex_generator]; lia.
  Qed.
  Lemma hex_opposites_apart q q' : q < degree (hexmesh n) -> q' < degree (hexmesh n) -> hex_opposite q = hex_opposite q' -> q = q'.
  Proof.
    rewrite hex_degree. intros Hq Hq' E.
    destruct (six q Hq) as [-> | [-> | [-> | [-> | [-> | ->]]]]], (six q' Hq') as [-> | [-> | [-> | [-> | [-> | ->]]]]];
      try reflexivity; discriminate E.
  Qed.
  Lemma hex_port : 1 <= degree (hexmesh n).
  Proof. rewrite hex_degree. lia. Qed.

  Variable a : N.

  (** 6 a packets of every node get to all nodes in a (p - 1) = 3 a n (n - 1) rounds, and no schedule takes fewer. *)
  Theorem hexmesh_allgather_optimal :
    optimal (problem_of_plan (hexmesh_allgather_plan n a)) (rounds_of_plan (hexmesh_allgather_plan n a)) /\
    len (rounds_of_plan (hexmesh_allgather_plan n a)) = a * (p - 1).
  Proof.
    rewrite <- hex_shape_size. apply turned_allgather_optimal with (opposite := hex_opposite);
      eauto using hex_sound, hex_rotation, hex_tree, hex_opposites, hex_opposites_apart, hex_port.
  Qed.
  Theorem hexmesh_reduce_scatter_optimal :
    optimal (problem_of_plan (hexmesh_reduce_scatter_plan n a)) (rounds_of_plan (hexmesh_reduce_scatter_plan n a)) /\
    len (rounds_of_plan (hexmesh_reduce_scatter_plan n a)) = a * (p - 1).
  Proof.
    rewrite <- hex_shape_size. apply turned_reduce_scatter_optimal;
      eauto using hex_sound, hex_rotation, hex_tree, hex_opposites, hex_opposites_apart, hex_port.
  Qed.
  Theorem hexmesh_allreduce_optimal :
    optimal (problem_of_plan (hexmesh_allreduce_plan n a)) (rounds_of_plan (hexmesh_allreduce_plan n a)) /\
    len (rounds_of_plan (hexmesh_allreduce_plan n a)) = 2 * (a * (p - 1)).
  Proof.
    rewrite <- hex_shape_size. apply turned_allreduce_optimal;
      eauto using hex_sound, hex_rotation, hex_tree, hex_opposites, hex_opposites_apart, hex_port.
  Qed.
End Hexmesh.
