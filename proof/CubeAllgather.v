(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The multinode broadcast (allgather) of the hypercube, its reduce-scatter and its allreduce, for every dimension d >= 1 and every number P of
    packets per node: plans of ceil(P (2^d - 1) / d) rounds are valid, and no schedule takes fewer; the allreduce takes twice as many, at most one
    more than any schedule.

    Method. Slot i is port i mod d in round i / d, and says which packet of node 0 goes over it, and to which node; all nodes do alike
    ([Timetable]). Of d packets together, every packet follows one list of all nodes, 1, 2, ..., each reached from a smaller one, packet j with
    its bits rotated by j: the d packets use the d ports in every round ([batch]). P mod d packets are left; [CubeOrder] orders them, by
    weights and rotations as in Bertsekas et al. 1991, Section 2.

    The definitions [low], [batch], [slots] and [cube_table], with [rot], [period], [least], [weight] of [CubeRotate], [head], [others], [classes],
    [order] of [CubeOrder] and those of [Timetable], say what the plans are; the theorems stand at the end. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Places Timetable Cube CubeRotate CubeOrder.
Import ListNotations.
Open Scope N_scope.

(** The lowest bit of t. *)
Definition low (d t : N) : N := first_from (N.to_nat d) (N.testbit t) 0.
(** The slots of d packets: in round t - 1, packet j reaches the node rot j t. *)
Definition row (d t : N) : list slot := let k := d - low d t in map (fun m => (rot d k t, (m + k) mod d)) (range d).
Definition batch (d : N) : list slot := flat_map (fun r => row d (r + 1)) (range (2 ^ d - 1)).
Definition shifted (b : N) (l : list slot) : list slot := map (fun s => (fst s, b + snd s)) l.
Definition batches (d a : N) : list slot := flat_map (fun k => shifted (k * d) (batch d)) (range a).
Definition slots (d P : N) : list slot := batches d (P / d) ++ shifted (P / d * d) (order d (P mod d)).

(** Round r of node 0, over the ports of its slots; x - 1 is x without bit 0. *)
Definition cube_table (d : N) (l : list slot) (r : N) : list entry :=
  flat_map (fun m => match nth_error l (N.to_nat (r * d + m)) with Some (x, j) => [(j, rot d m (N.lxor x 1), m)] | None => [] end) (range d).
Definition cube_rounds (d P : N) : N := (P * (2 ^ d - 1) + d - 1) / d.

(** A link leads back over the port of the same number. *)
Definition allgather_plan (d P : N) : plan := allgather_of (cube d) P (cube_rounds d P) (cube_table d (slots d P)).
Definition reduce_scatter_plan (d P : N) : plan := reduce_scatter_of (cube d) P (cube_rounds d P) (fun p => p) (cube_table d (slots d P)).
Definition allreduce_plan (d P : N) : plan := allreduce_of (cube d) P (cube_rounds d P) (fun p => p) (cube_table d (slots d P)).

(** * The slots are orderly *)

Lemma at_rows {A} (f : N -> list A) d N0 : (forall r, r < N0 -> len (f r) = d) -> len (flat_map f (range N0)) = N0 * d /\
  forall i a, at_ (flat_map f (range N0)) i a <-> exists r m, r < N0 /\ m < d /\ i = r * d + m /\ at_ (f r) m a.
Proof.
  induction N0 as [|N0 IH] using N.peano_ind; intros L.
  - split; [reflexivity|]. intros i a. split; [intros H; apply at_In in H; easy|intros (r & m & H & _); lia].
  - destruct (IH (fun r Hr => L r ltac:(lia))) as (IHl & IHa). rewrite range_succ, flat_map_app. cbn [flat_map]. rewrite app_nil_r.
    split; [rewrite len_app, IHl, L; lia|]. intros i a. rewrite at_app, IHl. split.
    + intros [(_ & H)|(Hi & H)].
      * apply IHa in H as (r & m & Hr & X). exists r, m. split; [lia|exact X].
      * exists N0, (i - N0 * d). pose proof (at_len _ _ _ H) as X. rewrite L in X by lia. repeat split; [lia|lia|lia|assumption].
    + intros (r & m & Hr & Hm & -> & H). destruct (N.eq_dec r N0) as [->|].
      * right. split; [lia|]. now replace (N0 * d + m - N0 * d) with m by lia.
      * left. split; [nia|]. apply IHa. exists r, m. repeat split; auto. lia.
Qed.

Section Batch.
  Variable d : N.
  Hypothesis positive : 1 <= d.
  Notation n := (2 ^ d).
  Let d0 : d <> 0 := d_0 d positive.

  Lemma low_spec t : t < n -> t <> 0 -> low d t < d /\ N.testbit t (low d t) = true.
  Proof.
    intros Ht NZ. assert (B : N.testbit t (low d t) = true).
    { destruct (N.testbit t (low d t)) eqn:E; [reflexivity|]. exfalso. apply NZ. apply (same_bits d); auto using pow_pos. intros i Hi.
      rewrite N.bits_0. destruct (N.testbit t i) eqn:F; [|reflexivity]. exfalso. revert E Hi. unfold low.
      assert (X : forall fuel k, k <= i -> i < k + N.of_nat fuel -> N.testbit t (first_from fuel (N.testbit t) k) = true).
      { induction fuel as [|fuel IH]; intros k H1 H2; [lia|]. cbn [first_from]. destruct (N.testbit t k) eqn:G; [assumption|].
        apply IH; [|lia]. destruct (N.eq_dec k i) as [->|]; [congruence|lia]. }
      intros E Hi. rewrite X in E by lia. discriminate. }
    split; [|assumption]. destruct (N.lt_ge_cases (low d t) d) as [|L]; [assumption|]. now rewrite (high_bit d t) in B by assumption.
  Qed.

  Lemma len_row t : len (row d t) = d.
  Proof. unfold row. now rewrite len_map, len_range. Qed.
  Lemma len_batch : len (batch d) = (n - 1) * d.
  Proof. apply (at_rows (fun r => row d (r + 1))). intros; apply len_row. Qed.

  (** In round r, port m takes packet j = m - low to the node rot j (r + 1). *)
  Lemma at_batch i x j : at_ (batch d) i (x, j) <-> exists r m, let k := d - low d (r + 1) in
    r < n - 1 /\ m < d /\ i = r * d + m /\ x = rot d k (r + 1) /\ j = (m + k) mod d.
  Proof.
    destruct (at_rows (fun r => row d (r + 1)) d (n - 1)) as (_ & H); [intros; apply len_row|]. unfold batch. rewrite H. clear H. split.
    - intros (r & m & Hr & Hm & E & A). unfold row in A. apply at_map in A as (m' & A & F). apply at_range in A as (_ & ->).
      injection F as -> ->. exists r, m. auto.
    - intros (r & m & Hr & Hm & E & -> & ->). exists r, m. repeat split; auto. unfold row.
      apply at_map. exists m. split; [now apply at_range|reflexivity].
  Qed.
  Lemma batch_reach t j : t < n -> t <> 0 -> j < d -> exists i x, at_ (batch d) i (x, j) /\ i / d = t - 1 /\ rot d i x = rot d j t.
  Proof.
    intros Ht NZ Hj. destruct (low_spec t Ht NZ) as (Hl & _). set (k := d - low d t). set (m := (j + low d t) mod d).
    assert (Hm : m < d) by now apply N.mod_lt.
    assert (J : (m + k) mod d = j).
    { unfold m, k. rewrite N.add_mod_idemp_l by auto. replace (j + low d t + (d - low d t)) with (j + 1 * d) by lia.
      rewrite N.mod_add by auto. now apply N.mod_small. }
    exists ((t - 1) * d + m), (rot d k t). split; [|split].
    - apply at_batch. exists (t - 1), m. cbn zeta. replace (t - 1 + 1) with t by lia. fold k. rewrite J. repeat split; auto. lia.
    - rewrite N.div_add_l, N.div_small by auto. lia.
    - rewrite rot_rot by assumption. apply rot_mod. replace ((t - 1) * d + m + k) with (m + k + (t - 1) * d) by lia. rewrite N.mod_add by auto.
      now rewrite J, N.mod_small.
  Qed.

  Lemma batch_orderly : orderly d d (batch d).
  Proof.
    split.
    - intros i x j H. apply at_batch in H as (r & m & Hr & Hm & _ & -> & ->). destruct (low_spec (r + 1)) as (Hl & B); [lia|lia|].
      split; [apply rot_lt|]. split; [|now apply N.mod_lt].
      set (k := low d (r + 1)) in *. replace 0 with ((k + (d - k)) mod d) by (replace (k + (d - k)) with d by lia; now apply N.mod_same).
      now rewrite rot_bit.
    - intros i x j H. apply at_batch in H as (r & m & Hr & Hm & -> & -> & ->). destruct (low_spec (r + 1)) as (Hl & B); [lia|lia|].
      set (t := r + 1) in *. set (k := d - low d t). set (t' := N.lxor t (2 ^ low d t)).
      assert (E : rot d (r * d + m) (N.lxor (rot d k t) 1) = rot d ((m + k) mod d) t').
      { replace 1 with (2 ^ ((low d t + k) mod d)) at 1 by (unfold k; replace (low d t + (d - low d t)) with d by lia; now rewrite N.mod_same).
        rewrite <- rot_pow, <- rot_lxor, rot_rot by assumption. apply rot_mod. rewrite N.mod_mod by auto.
        replace (r * d + m + k) with (m + k + r * d) by lia. now rewrite N.mod_add by auto. }
      rewrite E. destruct (N.eq_dec t' 0) as [Z|NZ]; [left; rewrite Z; now apply rot_zero|right].
      assert (L : t' < t).
      { assert (t' + 2 ^ low d t = t) as <-; [|pose proof (pow_pos (low d t)); lia]. unfold t'. rewrite N.add_nocarry_lxor, lxor_cancel; auto.
        apply N.bits_inj. intros c. rewrite N.land_spec, flip_bit, pow_bit, N.bits_0. destruct (N.eqb_spec (low d t) c) as [<-|]; [now rewrite B|].
        apply andb_false_r. }
      destruct (batch_reach t' ((m + k) mod d)) as (i' & x' & A & F & G); [lia|assumption|now apply N.mod_lt|].
      exists i', x'. split; [assumption|]. split; [|assumption]. rewrite F, N.div_add_l, N.div_small by auto. lia.
    - intros t j Ht NZ Hj. destruct (batch_reach (rot d (d - j mod d) t) j) as (i & x & A & _ & E); [apply rot_lt|now apply rot_nonzero|assumption|].
      exists i, x. split; [assumption|]. rewrite E, rot_rot, N.add_comm by assumption. rewrite <- rot_rot by assumption. now apply rot_back.
    - rewrite len_batch. lia.
  Qed.

  Lemma nothing_orderly : orderly d 0 [].
  Proof.
    split; [intros i x j H; now apply at_In in H|intros i x j H; now apply at_In in H|intros; lia|cbn; lia].
  Qed.
  Lemma batches_orderly a : orderly d (a * d) (batches d a) /\ len (batches d a) mod d = 0.
  Proof.
    unfold batches. induction a as [|a (IH & M)] using N.peano_ind; [split; [exact nothing_orderly|apply N.mod_0_l; auto]|].
    rewrite range_succ, flat_map_app. cbn [flat_map]. rewrite app_nil_r, N.mul_succ_l. split.
    - apply orderly_app; auto using batch_orderly.
    - unfold shifted. rewrite len_app, len_map, len_batch. now rewrite N.mod_add by auto.
  Qed.
  Theorem slots_orderly P : orderly d P (slots d P).
  Proof.
    destruct (batches_orderly (P / d)) as (A & M). pose proof (mod_d_lt d positive P) as L.
    assert (E : P / d * d + P mod d = P) by now apply quotient.
    rewrite <- E at 1. apply orderly_app; auto. destruct (N.eq_dec (P mod d) 0) as [->|NZ].
    - replace (order d 0) with (@nil slot); [exact nothing_orderly|]. unfold order. cbn [range N.iter snd].
      induction (classes d 0) as [|x l IH]; [reflexivity|exact IH].
    - apply order_orderly; auto. set (b := P mod d) in *. clearbody b. lia.
  Qed.
End Batch.

(** * The slots are a timetable *)

Section Table.
  Variables d P : N.
  Hypothesis positive : 1 <= d.
  Notation n := (2 ^ d).
  Let d0 : d <> 0 := d_0 d positive.
  Let l := slots d P.
  Let O : orderly d P l := slots_orderly d positive P.
  Notation T := (cube_rounds d P).
  Notation table := (cube_table d l).

  Lemma in_table r j w m : In (j, w, m) (table r) <-> exists x, m < d /\ at_ l (r * d + m) (x, j) /\ w = rot d m (N.lxor x 1).
  Proof.
    unfold cube_table. rewrite in_flat_map. split.
    - intros (m' & Hm & H). apply range_In in Hm. destruct (nth_error l (N.to_nat (r * d + m'))) as [(x, j')|] eqn:E; [|easy].
      destruct H as [H|[]]. injection H as -> <- ->. exists x. auto.
    - intros (x & Hm & A & ->). exists m. split; [now apply range_In|]. unfold at_ in A. rewrite A. now left.
  Qed.
  Lemma rot_slot r m x : rot d (r * d + m) x = rot d m x.
  Proof. apply rot_mod. now rewrite N.add_comm, N.mod_add. Qed.
  Lemma slot_arrives x m : x < n -> m < d -> next (cube d) (rot d m (N.lxor x 1), m) = rot d m x.
  Proof.
    intros Hx Hm. rewrite cube_next by (assumption || apply rot_lt). rewrite rot_lxor by assumption. change 1 with (2 ^ 0).
    rewrite (rot_pow d positive m 0) by lia. rewrite N.add_0_l, (N.mod_small m) by assumption. apply lxor_cancel.
  Qed.
  Lemma slot_time i : i < len l -> i / d < T /\ i mod d < d /\ i / d * d + i mod d = i.
  Proof.
    intros Hi. split; [|split; [now apply N.mod_lt|now apply quotient]]. pose proof (slots_few _ _ _ O) as F. fold l in F.
    unfold cube_rounds. apply N.div_lt_upper_bound; [assumption|].
    set (c := P * (2 ^ d - 1)) in *. clearbody c. pose proof (N.div_mod (c + d - 1) d d0) as X.
    pose proof (N.mod_lt (c + d - 1) d d0) as Y. set (q := (c + d - 1) / d) in *. set (e := (c + d - 1) mod d) in *. clearbody q e. lia.
  Qed.
  Lemma slot_nonzero i x j : at_ l i (x, j) -> x < n /\ j < P /\ x <> 0.
  Proof.
    intros A. destruct (slots_odd _ _ _ O _ _ _ A) as (Hx & B & Hj). repeat split; auto. intros ->. now rewrite N.bits_0 in B.
  Qed.
  Lemma slot_once r r' m m' x x' j : m < d -> m' < d -> at_ l (r * d + m) (x, j) -> at_ l (r' * d + m') (x', j) -> rot d m x = rot d m' x' ->
    r = r' /\ m = m'.
  Proof.
    intros Hm Hm' A A' E. rewrite <- (rot_slot r m), <- (rot_slot r' m') in E. pose proof (slots_once d P l positive O _ _ _ _ _ A A' E) as F.
    split; [rewrite <- (split_div d r m), <- (split_div d r' m'), F by lia; reflexivity|].
    rewrite <- (split_mod d r m), <- (split_mod d r' m'), F by lia. reflexivity.
  Qed.

  Theorem cube_timetable : timetable (cube d) P T (fun p => p) table.
  Proof.
    assert (G : degree (cube d) = d) by apply cube_degree. split; rewrite ?G, ?cube_size.
    - intros r _. unfold cube_table. assert (X : NoDup (range d)) by apply range_once. induction X as [|m ms Nm X IH]; [constructor|].
      cbn [flat_map]. destruct (nth_error l (N.to_nat (r * d + m))) as [(x, j)|]; cbn [app map snd]; [|exact IH].
      constructor; [|exact IH]. intros Hm. apply Nm. apply in_map_iff in Hm as (h & E & Hh). apply in_flat_map in Hh as (m' & Hm & Hh).
      destruct (nth_error l (N.to_nat (r * d + m'))) as [(x', j')|]; [|easy]. destruct Hh as [<-|[]]. cbn in E. now subst.
    - intros r j w m _ H. apply in_table in H as (x & Hm & A & ->). apply slot_nonzero in A as (_ & Hj & _). repeat split; auto. apply rot_lt.
    - intros r j w m Hr H. apply in_table in H as (x & Hm & A & ->).
      destruct (slots_later _ _ _ O _ _ _ A) as [E|(i' & x' & A' & L & E)]; rewrite rot_slot in E; [now left|right].
      destruct (slot_time i' (at_len _ _ _ A')) as (_ & M & Q). exists (i' / d), (rot d (i' mod d) (N.lxor x' 1)), (i' mod d).
      split; [rewrite N.div_add_l, (N.div_small m), N.add_0_r in L by assumption; exact L|]. split; [apply in_table; exists x'; rewrite Q; auto|].
      rewrite slot_arrives by (try apply slot_nonzero in A'; tauto). rewrite <- E, <- (rot_slot (i' / d)). now rewrite Q.
    - intros v j Hv NZ Hj. destruct (slots_reach _ _ _ O v j Hv NZ Hj) as (i & x & A & E).
      destruct (slot_time i (at_len _ _ _ A)) as (L & M & Q). exists (i / d), (rot d (i mod d) (N.lxor x 1)), (i mod d). split; [assumption|].
      split; [apply in_table; exists x; rewrite Q; auto|]. rewrite slot_arrives by (try apply slot_nonzero in A; tauto).
      rewrite <- E, <- (rot_slot (i / d)). now rewrite Q.
    - intros r j w m _ H. apply in_table in H as (x & Hm & A & ->). apply slot_nonzero in A as (Hx & _ & NZ). rewrite slot_arrives by assumption.
      now apply rot_nonzero.
    - intros r r' j w w' m m' _ _ H H' E. apply in_table in H as (x & Hm & A & ->), H' as (x' & Hm' & A' & ->).
      pose proof (slot_nonzero _ _ _ A) as (Hx & _). pose proof (slot_nonzero _ _ _ A') as (Hx' & _). rewrite !slot_arrives in E by assumption.
      destruct (slot_once r r' m m' x x' j) as (-> & ->); auto. repeat split. pose proof (at_same _ _ _ _ A A') as F. injection F as ->. reflexivity.
    - intros w m Hw Hm. split; [assumption|]. rewrite (cube_next d w m) by assumption.
      rewrite cube_next; [apply lxor_cancel|apply lxor_lt; [assumption|now apply pow_lt]|assumption].
    - auto.
  Qed.
  Lemma cube_tight : T * degree (cube d) < P * (size (cube d) - 1) + degree (cube d).
  Proof.
    rewrite cube_degree, cube_size. unfold cube_rounds. set (c := P * (n - 1)). clearbody c.
    pose proof (N.mul_div_le (c + d - 1) d d0) as X. set (q := (c + d - 1) / d) in *. clearbody q. lia.
  Qed.
End Table.

(** * The theorems *)

(** The multinode broadcast of the d-cube, P packets a node, takes ceil(P (2^d - 1) / d) rounds, and no schedule takes fewer. *)
Theorem allgather_optimal d P : 1 <= d ->
  optimal (problem_of_plan (allgather_plan d P)) (rounds_of_plan (allgather_plan d P)) /\
  len (rounds_of_plan (allgather_plan d P)) = (P * (2 ^ d - 1) + d - 1) / d.
Proof.
  intros Hd. split; [|apply allgather_of_rounds].
  apply allgather_of_optimal with (opposite := fun p => p); auto using cube_sound, cube_timetable, cube_tight.
Qed.

(** So does the reduce-scatter: node o ends with P sums, to which every node contributes. *)
Theorem reduce_scatter_optimal d P : 1 <= d ->
  optimal (problem_of_plan (reduce_scatter_plan d P)) (rounds_of_plan (reduce_scatter_plan d P)) /\
  len (rounds_of_plan (reduce_scatter_plan d P)) = (P * (2 ^ d - 1) + d - 1) / d.
Proof.
  intros Hd. split; [|apply reduce_scatter_of_rounds]. apply reduce_scatter_of_optimal; auto using cube_sound, cube_timetable, cube_tight.
Qed.

(** The allreduce of 2^d P sums takes twice as many, and no schedule saves more than one round. *)
Theorem allreduce_nearly_optimal d P : 1 <= d ->
  valid (problem_of_plan (allreduce_plan d P)) (rounds_of_plan (allreduce_plan d P)) /\
  len (rounds_of_plan (allreduce_plan d P)) = 2 * ((P * (2 ^ d - 1) + d - 1) / d) /\
  forall s, competes (problem_of_plan (allreduce_plan d P)) s -> len (rounds_of_plan (allreduce_plan d P)) <= len s + 1.
Proof.
  intros Hd. assert (E : len (rounds_of_plan (allreduce_plan d P)) = 2 * ((P * (2 ^ d - 1) + d - 1) / d)) by apply allreduce_of_rounds.
  split; [apply allreduce_of_valid; auto using cube_sound, cube_timetable|]. split; [exact E|]. intros s C. rewrite E.
  apply (allreduce_of_bound (cube d) P (cube_rounds d P) (fun p => p) (cube_table d (slots d P))); auto using cube_sound, cube_timetable, cube_tight.
Qed.

(** None saves any, if 2 ceil(c / d) = ceil(2 c / d) for c = P (2^d - 1): always if d divides P. *)
Theorem allreduce_optimal d P : 1 <= d -> let c := P * (2 ^ d - 1) in 2 * ((c + d - 1) / d) = (2 * c + d - 1) / d ->
  optimal (problem_of_plan (allreduce_plan d P)) (rounds_of_plan (allreduce_plan d P)).
Proof.
  intros Hd c E. apply allreduce_of_optimal; auto using cube_sound, cube_timetable, cube_tight. rewrite cube_size, cube_degree. exact E.
Qed.
Corollary allreduce_multiple d k : 1 <= d ->
  optimal (problem_of_plan (allreduce_plan d (k * d))) (rounds_of_plan (allreduce_plan d (k * d))).
Proof.
  intros Hd. apply allreduce_optimal; [assumption|].
  assert (X : forall a, (a * d + d - 1) / d = a).
  { intros a. replace (a * d + d - 1) with (a * d + (d - 1)) by lia. rewrite N.div_add_l, N.div_small by lia. lia. }
  replace (k * d * (2 ^ d - 1)) with (k * (2 ^ d - 1) * d) by lia. rewrite N.mul_assoc, !X. reflexivity.
Qed.
