(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Allgather, reduce-scatter and allreduce of the ring of N nodes, for every N >= 3 and every number P of packets per node: plans of
    ceil(P (N - 1) / 2) rounds are valid, and no schedule takes fewer; the allreduce takes twice as many, at most one more than any schedule.

    Method. Two packets take N - 1 rounds: one goes all the way round over port 0, upwards, the other over port 1, downwards. A packet that
    is left goes both ways, N / 2 nodes upwards and (N - 1) / 2 downwards, rounded down.

    The definitions [ring] and [ring_table], with those of [Timetable], say what the plans are; the theorems stand at the end. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Timetable.
Import ListNotations.
Open Scope N_scope.

(** Port 0 leads from v to v + 1, port 1 to v - 1, modulo m >= 3. *)
Definition ring (m : N) : shape := Shape [m] [1; m - 1] None.

(** How many nodes packet j reaches over port p: all, none, or half of them if j has no partner. *)
Definition steps (m P j p : N) : N :=
  let up := if 2 * (j / 2) + 1 <? P then (if j mod 2 =? 0 then m - 1 else 0) else m / 2 in
  if p =? 0 then up else m - 1 - up.
(** The node that has gone i steps over port p from node 0. *)
Definition gone (m p i : N) : N := if p =? 0 then i else (m - i) mod m.
(** In round r, packet j is on its step r - j / 2 * (m - 1). *)
Definition ring_packet (m P r j : N) : list entry :=
  let s := j / 2 * (m - 1) in
  flat_map (fun p => if (s <=? r) && (r <? s + steps m P j p) then [(j, gone m p (r - s), p)] else []) [0; 1].
Definition ring_table (m P r : N) : list entry := flat_map (ring_packet m P r) (range P).
Definition ring_rounds (m P : N) : N := (P * (m - 1) + 1) / 2.
Definition other_port (p : N) : N := 1 - p.

Definition ring_allgather_plan (m P : N) : plan := allgather_of (ring m) P (ring_rounds m P) (ring_table m P).
Definition ring_reduce_scatter_plan (m P : N) : plan := reduce_scatter_of (ring m) P (ring_rounds m P) other_port (ring_table m P).
Definition ring_allreduce_plan (m P : N) : plan := allreduce_of (ring m) P (ring_rounds m P) other_port (ring_table m P).

Section Ring.
  Variables m P : N.
  Hypothesis three : 3 <= m.

  Lemma ring_size : size (ring m) = m.
  Proof. unfold size. cbn [ring moduli order]. lia. Qed.
  Lemma ring_degree : degree (ring m) = 2.
  Proof. reflexivity. Qed.
  Lemma ring_add x y : add (moduli (ring m)) x y = (x + y) mod m.
  Proof. cbn [ring moduli add order]. rewrite !N.div_1_r. lia. Qed.
  Lemma ring_sound : sound_shape (ring m) All.
  Proof.
    split; [intros k [<-|[]]; lia|]. split; [split|exact I]; [|reflexivity]. rewrite ring_size. intros g [<-|[<-|[]]]; lia.
  Qed.
  Lemma ring_up v : next (ring m) (v, 0) = (v + 1) mod m.
  Proof. unfold next. cbn [fst snd]. apply ring_add. Qed.
  Lemma ring_down v : next (ring m) (v, 1) = (v + (m - 1)) mod m.
  Proof. unfold next. cbn [fst snd]. apply ring_add. Qed.

  Lemma gone_lt p i : i < m -> gone m p i < m.
  Proof. intros H. unfold gone. destruct (p =? 0); [assumption|]. apply N.mod_lt. lia. Qed.
  Lemma gone_0 p : gone m p 0 = 0.
  Proof. unfold gone. destruct (p =? 0); [reflexivity|]. rewrite N.sub_0_r. apply N.mod_same. lia. Qed.
  Lemma gone_next p i : p < 2 -> i + 1 < m -> next (ring m) (gone m p i, p) = gone m p (i + 1).
  Proof.
    intros Hp Hi. assert (C : p = 0 \/ p = 1) by lia. destruct C as [-> | ->]; unfold gone; cbn [N.eqb].
    - rewrite ring_up. apply N.mod_small. lia.
    - rewrite ring_down, N.add_mod_idemp_l by lia. replace (m - i + (m - 1)) with (m - (i + 1) + 1 * m) by lia. now rewrite N.mod_add by lia.
  Qed.
  Lemma gone_down i : 0 < i -> i < m -> gone m 1 i = m - i.
  Proof. intros H0 H. unfold gone. cbn [N.eqb]. apply N.mod_small. lia. Qed.

  (** Both ways together reach all other nodes. *)
  Lemma steps_all j : steps m P j 0 + steps m P j 1 = m - 1.
  Proof.
    unfold steps. cbn [N.eqb]. pose proof (N.mul_div_le m 2 ltac:(lia)). set (h := m / 2) in *. clearbody h.
    destruct (2 * (j / 2) + 1 <? P), (j mod 2 =? 0); lia.
  Qed.
  Lemma steps_le j p : steps m P j p <= m - 1.
  Proof. pose proof (steps_all j) as H. unfold steps in *. cbn [N.eqb] in H. destruct (p =? 0); lia. Qed.
  Lemma steps_end j p : j < P -> j / 2 * (m - 1) + steps m P j p <= ring_rounds m P.
  Proof.
    intros Hj. unfold ring_rounds. apply N.div_le_lower_bound; [lia|]. pose proof (N.mul_div_le j 2 ltac:(lia)) as J. pose proof (steps_le j p) as L.
    unfold steps in *. pose proof (N.mul_div_le m 2 ltac:(lia)) as M1. pose proof (N.div_mod m 2 ltac:(lia)) as M2.
    pose proof (N.mod_lt m 2 ltac:(lia)) as M3.
    set (q := j / 2) in *. set (h := m / 2) in *. set (e := m mod 2) in *. clearbody q h e.
    destruct (N.ltb_spec (2 * q + 1) P); [|destruct (p =? 0); nia].
    etransitivity; [apply N.mul_le_mono_l, N.add_le_mono_l, L|]. nia.
  Qed.

  Lemma in_ring_packet r j k w p : In (k, w, p) (ring_packet m P r j) <->
    k = j /\ exists i, p < 2 /\ i < steps m P j p /\ r = j / 2 * (m - 1) + i /\ w = gone m p i.
  Proof.
    unfold ring_packet. cbn zeta. set (s := j / 2 * (m - 1)). rewrite in_flat_map. split.
    - intros (p' & Hp & H). assert (Hq : p' < 2) by (destruct Hp as [<-|[<-|[]]]; reflexivity).
      destruct ((s <=? r) && (r <? s + steps m P j p')) eqn:B; [|easy].
      apply andb_true_iff in B as (L1 & L2). apply N.leb_le in L1. apply N.ltb_lt in L2. destruct H as [H|[]]. injection H as <- <- <-.
      split; [reflexivity|]. exists (r - s). repeat split; auto; lia.
    - intros (-> & i & Hp & Hi & -> & ->). exists p. split; [assert (C : p = 0 \/ p = 1) by lia; destruct C as [-> | ->]; cbn; auto|].
      replace ((s <=? s + i) && (s + i <? s + steps m P j p)) with true.
      2:{ symmetry. apply andb_true_iff. rewrite N.leb_le, N.ltb_lt. lia. }
      left. now replace (s + i - s) with i by lia.
  Qed.
  Lemma in_ring_table r j w p : In (j, w, p) (ring_table m P r) <->
    exists i, j < P /\ p < 2 /\ i < steps m P j p /\ r = j / 2 * (m - 1) + i /\ w = gone m p i.
  Proof.
    unfold ring_table. rewrite in_flat_map. split.
    - intros (k & Hk & H). apply range_In in Hk. apply in_ring_packet in H as (-> & i & H). exists i. auto.
    - intros (i & Hj & H). exists j. split; [now apply range_In|]. apply in_ring_packet. eauto.
  Qed.

  (** Two packets of a pair go different ways, and pairs follow one another. *)
  Lemma port_once j j' p i i' : j < P -> j' < P -> p < 2 -> i < steps m P j p -> i' < steps m P j' p ->
    j / 2 * (m - 1) + i = j' / 2 * (m - 1) + i' -> j = j'.
  Proof.
    intros Hj Hj' Hp Hi Hi' E. pose proof (steps_le j p) as L. pose proof (steps_le j' p) as L'.
    assert (Q : j / 2 = j' / 2).
    { rewrite <- (split_div (m - 1) (j / 2) i), <- (split_div (m - 1) (j' / 2) i'), E by lia. reflexivity. }
    destruct (N.eq_dec j j'); [assumption|]. exfalso. unfold steps in *.
    pose proof (N.div_mod j 2 ltac:(lia)) as J. pose proof (N.div_mod j' 2 ltac:(lia)) as J'.
    pose proof (N.mod_lt j 2 ltac:(lia)). pose proof (N.mod_lt j' 2 ltac:(lia)). rewrite Q in *.
    set (q := j' / 2) in *. set (e := j mod 2) in *. set (e' := j' mod 2) in *. clearbody q e e'.
    destruct (N.ltb_spec (2 * q + 1) P); [|lia].
    destruct (N.eqb_spec e 0), (N.eqb_spec e' 0), (N.eqb_spec p 0); lia.
  Qed.

  Theorem ring_timetable : timetable (ring m) P (ring_rounds m P) other_port (ring_table m P).
  Proof.
    assert (SL : forall j p i, i < steps m P j p -> i + 1 < m) by (intros j p i H; pose proof (steps_le j p); lia).
    split; rewrite ?ring_degree, ?ring_size.
    - intros r _.
      assert (X : forall l, NoDup l -> incl l (range P) -> NoDup (map (fun e : entry => snd e) (flat_map (ring_packet m P r) l))).
      { induction 1 as [|j l Nj D IH]; intros IL; [constructor|]. cbn [flat_map]. rewrite map_app. apply NoDup_join.
        - unfold ring_packet. cbn [flat_map]. destruct (_ && _), (_ && _); cbn; repeat constructor; cbn; intuition discriminate.
        - apply IH. intros x Hx. apply IL. now right.
        - intros p Hp Hp'. apply in_map_iff in Hp as (((j1, w1), p1) & <- & Hp), Hp' as (((j2, w2), p2) & E & Hp'). cbn in E. subst p2.
          apply in_ring_packet in Hp as (-> & i & Hp & Hi & E & _). apply in_flat_map in Hp' as (j' & Hj' & Hp').
          apply in_ring_packet in Hp' as (_ & i' & _ & Hi' & E' & _). cbn [snd] in *.
          apply Nj. rewrite (port_once j j' p1 i i'); auto; [apply range_In, IL; now left|apply range_In, IL; now right|congruence]. }
      apply X; [apply range_once|intros x Hx; exact Hx].
    - intros r j w p _ H. apply in_ring_table in H as (i & Hj & Hp & Hi & _ & ->). repeat split; auto. apply gone_lt. specialize (SL _ _ _ Hi). lia.
    - intros r j w p Hr H. apply in_ring_table in H as (i & Hj & Hp & Hi & -> & ->).
      destruct (N.eq_dec i 0) as [->|NZ]; [left; apply gone_0|right]. exists (j / 2 * (m - 1) + (i - 1)), (gone m p (i - 1)), p.
      split; [apply N.add_lt_mono_l; lia|]. split; [apply in_ring_table; exists (i - 1); repeat split; auto; lia|]. specialize (SL _ _ _ Hi).
      rewrite gone_next by lia. f_equal. lia.
    - intros v j Hv NZ Hj. apply N.neq_0_lt_0 in NZ. pose proof (steps_all j) as A.
      assert (C : exists p i, p < 2 /\ i < steps m P j p /\ gone m p (i + 1) = v).
      { destruct (N.le_gt_cases v (steps m P j 0)).
        - exists 0, (v - 1). split; [lia|]. split; [lia|]. unfold gone. cbn [N.eqb]. lia.
        - exists 1, (m - v - 1). split; [lia|]. split; [lia|]. rewrite gone_down by lia. lia. }
      destruct C as (p & i & Hp & Hi & E). exists (j / 2 * (m - 1) + i), (gone m p i), p. pose proof (steps_end j p Hj) as T.
      split; [eapply N.lt_le_trans; [apply N.add_lt_mono_l, Hi|exact T]|].
      split; [apply in_ring_table; exists i; auto|]. rewrite gone_next; auto. now apply SL in Hi.
    - intros r j w p _ H. apply in_ring_table in H as (i & Hj & Hp & Hi & _ & ->). specialize (SL _ _ _ Hi). rewrite gone_next by assumption.
      assert (C : p = 0 \/ p = 1) by lia. destruct C as [-> | ->]; [unfold gone; cbn [N.eqb]; lia|]. rewrite gone_down by lia. lia.
    - intros r r' j w w' p p' _ _ H H' E. apply in_ring_table in H as (i & Hj & Hp & Hi & -> & ->), H' as (i' & _ & Hp' & Hi' & -> & ->).
      pose proof (SL _ _ _ Hi). pose proof (SL _ _ _ Hi'). rewrite !gone_next in E by assumption. pose proof (steps_all j) as A.
      assert (C : p = 0 \/ p = 1) by lia. assert (C' : p' = 0 \/ p' = 1) by lia. unfold gone in E at 1 2.
      destruct C as [-> | ->], C' as [-> | ->]; cbn [N.eqb] in E; rewrite ?N.mod_small in E by lia.
      + assert (i = i') as <- by lia. auto.
      + exfalso. lia.
      + exfalso. lia.
      + assert (i = i') as <- by lia. auto.
    - intros w p Hw Hp. unfold other_port. split; [lia|]. assert (C : p = 0 \/ p = 1) by lia.
      destruct C as [-> | ->]; cbn [N.sub]; [change (1 - 0) with 1; rewrite ring_up, ring_down|change (1 - 1) with 0; rewrite ring_down, ring_up];
        rewrite N.add_mod_idemp_l by lia.
      + replace (w + 1 + (m - 1)) with (w + 1 * m) by lia. rewrite N.mod_add by lia. now apply N.mod_small.
      + replace (w + (m - 1) + 1) with (w + 1 * m) by lia. rewrite N.mod_add by lia. now apply N.mod_small.
    - unfold other_port. intros; lia.
  Qed.
  Lemma ring_tight : ring_rounds m P * degree (ring m) < P * (size (ring m) - 1) + degree (ring m).
  Proof.
    rewrite ring_degree, ring_size. unfold ring_rounds. set (c := P * (m - 1)). clearbody c.
    pose proof (N.mul_div_le (c + 1) 2 ltac:(lia)) as X. set (q := (c + 1) / 2) in *. clearbody q. lia.
  Qed.
End Ring.

(** * The theorems *)

(** The allgather of the ring of m nodes, P packets a node, takes ceil(P (m - 1) / 2) rounds, and no schedule takes fewer. *)
Theorem ring_allgather_optimal m P : 3 <= m ->
  optimal (problem_of_plan (ring_allgather_plan m P)) (rounds_of_plan (ring_allgather_plan m P)) /\
  len (rounds_of_plan (ring_allgather_plan m P)) = (P * (m - 1) + 1) / 2.
Proof.
  intros H. split; [|apply allgather_of_rounds].
  apply allgather_of_optimal with (opposite := other_port); auto using ring_sound, ring_timetable, ring_tight.
Qed.

(** So does the reduce-scatter of P sums a node. *)
Theorem ring_reduce_scatter_optimal m P : 3 <= m ->
  optimal (problem_of_plan (ring_reduce_scatter_plan m P)) (rounds_of_plan (ring_reduce_scatter_plan m P)) /\
  len (rounds_of_plan (ring_reduce_scatter_plan m P)) = (P * (m - 1) + 1) / 2.
Proof.
  intros H. split; [|apply reduce_scatter_of_rounds]. apply reduce_scatter_of_optimal; auto using ring_sound, ring_timetable, ring_tight.
Qed.

(** The allreduce of m P sums takes twice as many: none fewer if m is odd or P even, and at most one more than any schedule. *)
Theorem ring_allreduce_nearly_optimal m P : 3 <= m ->
  valid (problem_of_plan (ring_allreduce_plan m P)) (rounds_of_plan (ring_allreduce_plan m P)) /\
  len (rounds_of_plan (ring_allreduce_plan m P)) = 2 * ((P * (m - 1) + 1) / 2) /\
  forall s, competes (problem_of_plan (ring_allreduce_plan m P)) s -> len (rounds_of_plan (ring_allreduce_plan m P)) <= len s + 1.
Proof.
  intros H. assert (E : len (rounds_of_plan (ring_allreduce_plan m P)) = 2 * ((P * (m - 1) + 1) / 2)) by apply allreduce_of_rounds.
  split; [apply allreduce_of_valid; auto using ring_sound, ring_timetable|]. split; [exact E|]. intros s C. rewrite E.
  apply (allreduce_of_bound (ring m) P (ring_rounds m P) other_port (ring_table m P)); auto using ring_sound, ring_timetable, ring_tight.
Qed.
Theorem ring_allreduce_optimal m P : 3 <= m -> N.even (P * (m - 1)) = true ->
  optimal (problem_of_plan (ring_allreduce_plan m P)) (rounds_of_plan (ring_allreduce_plan m P)).
Proof.
  intros H Ev. apply allreduce_of_optimal; auto using ring_sound, ring_timetable, ring_tight.
  rewrite ring_degree, ring_size by assumption. unfold ring_rounds. apply N.even_spec in Ev as (k & ->).
  replace (2 * k + 1) with (k * 2 + 1) by lia. replace (2 * (2 * k) + 2 - 1) with (2 * k * 2 + 1) by lia.
  rewrite !N.div_add_l by lia. change (1 / 2) with 0. lia.
Qed.
