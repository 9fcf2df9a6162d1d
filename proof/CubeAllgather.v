(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The multinode broadcast (allgather) of the hypercube, for every dimension d >= 1 and every number P of packets per node: a plan of
    ceil(P (2^d - 1) / d) rounds is valid, and no schedule takes fewer.

    Method. Slot i is port i mod d in round i / d, and every node uses it alike: it sends on packet j of the node that the slot, moved to node
    0, says. Of d packets together, every packet follows one list of all nodes, 1, 2, ..., each reached from a smaller one, packet j with its
    bits rotated by j: the d packets use the d ports in every round ([batch]). P mod d packets are left; [CubeOrder] orders them, by weights
    and rotations as in Bertsekas et al. 1991, Section 2.

    Bound. Every node must receive P (2^d - 1) packets over d ports.

    The definitions [low], [batch], [slots], [allgather_round] and [allgather_plan], with [rot], [period], [least], [weight] of [CubeRotate] and
    [head], [others], [classes], [order] of [CubeOrder], say what the plan is; the theorem is [allgather_optimal]. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Cube CubeRotate CubeOrder.
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

(** Round r: node 0's packets, over the ports of its slots; x - 1 is x without bit 0. *)
Definition allgather_round (d : N) (l : list slot) (r : N) : round :=
  flat_map (fun m => match nth_error l (N.to_nat (r * d + m)) with
    | Some (x, j) => [((0, 0, j), (rot d m (N.lxor x 1), m))]
    | None => []
    end) (range d).

(** From every node to all others, P packets. *)
Definition allgather_traffic (P : N) : traffics := Symmetric (map (fun j => (0, j)) (range P)).
Definition allgather_rounds (d P : N) : N := (P * (2 ^ d - 1) + d - 1) / d.
Definition allgather_plan (d P : N) : plan :=
  PlanOf (cube d) (all_ports d) Spread (allgather_traffic P) All 0 P [] (map (allgather_round d (slots d P)) (range (allgather_rounds d P))).

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

(** * The plan is valid, and no schedule is shorter *)

Section Allgather.
  Variables d P : N.
  Hypothesis positive : 1 <= d.
  Notation n := (2 ^ d).
  Notation W := (network_of (cube d)).
  Let l := slots d P.
  Let Pb := problem_of_plan (allgather_plan d P).
  Notation hops r := (expand (cube d) All (allgather_round d l r)).

  Lemma traffic_iff o t j : traffic Pb (o, t, j) <-> o < n /\ t = o /\ j < P.
  Proof.
    unfold Pb, problem_of_plan, allgather_plan. cbn [problem_of traffic traffic_of on moved allgather_traffic]. rewrite cube_size. split.
    - intros (Ho & Ht & H). rewrite cube_sub, in_map_iff in H by assumption. destruct H as (j' & E & Hj). injection E as E ->.
      apply range_In in Hj. symmetry in E. apply N.lxor_eq in E. auto.
    - intros (Ho & -> & Hj). repeat split; auto. rewrite cube_sub, N.lxor_nilpotent by assumption. apply in_map_iff. exists j. split; auto.
      now apply range_In.
  Qed.

  (** Before round r, node t (if node 0 sends) has packet j. *)
  Definition reached (r t j : N) : Prop := t = 0 \/ exists i x, at_ l i (x, j) /\ i / d < r /\ rot d i x = t.
  Definition informed (r : N) (H : holding) : Prop := forall o t j, o < n -> j < P -> reached r t j -> H (o, o, j) o (N.lxor t o).

  Lemma in_round r h : In h (allgather_round d l r) <->
    exists m x j, m < d /\ at_ l (r * d + m) (x, j) /\ h = ((0, 0, j), (rot d m (N.lxor x 1), m)).
  Proof.
    unfold allgather_round. rewrite in_flat_map. split.
    - intros (m & Hm & H). apply range_In in Hm. destruct (nth_error l (N.to_nat (r * d + m))) as [(x, j)|] eqn:E; [|easy].
      destruct H as [<-|[]]. exists m, x, j. auto.
    - intros (m & x & j & Hm & A & ->). exists m. split; [now apply range_In|]. unfold at_ in A. rewrite A. now left.
  Qed.
  Lemma hop_of r q v m : In (q, (v, m)) (hops r) <->
    exists o x j, o < n /\ m < d /\ at_ l (r * d + m) (x, j) /\ q = (o, o, j) /\ v = N.lxor (rot d m (N.lxor x 1)) o.
  Proof.
    rewrite in_shifts.
    - split.
      + intros (g & t & j & w & Hg & Hh & -> & ->). apply in_round in Hh as (m' & x & j' & Hm & A & E). injection E as -> -> -> ->.
        exists g, x, j'. rewrite N.lxor_0_l. auto.
      + intros (o & x & j & Ho & Hm & A & -> & ->). exists o, 0, j, (rot d m (N.lxor x 1)). rewrite N.lxor_0_l. repeat split; auto.
        apply in_round. exists m, x, j. auto.
    - intros o t j w p Hh. apply in_round in Hh as (m' & x & j' & _ & _ & E). injection E as -> -> _ -> _. repeat split; auto using pow_pos.
      apply rot_lt.
  Qed.

  Lemma step r H : informed r H -> legal Pb true (hops r) H /\ within (net Pb) (lim Pb) (hops r) /\ informed (r + 1) (after (net Pb) true (hops r) H).
  Proof.
    intros I. assert (d0 : d <> 0) by lia. pose proof (slots_orderly d positive P) as O. fold l in O.
    assert (K : forall m, m < d -> (r * d + m) / d = r) by (intros m Hm; rewrite N.div_add_l, N.div_small by auto; lia).
    assert (T : forall m x, rot d (r * d + m) x = rot d m x).
    { intros m x. apply rot_mod. now rewrite N.add_comm, N.mod_add. }
    assert (S : forall o m x j, o < n -> m < d -> at_ l (r * d + m) (x, j) -> H (o, o, j) o (N.lxor (rot d m (N.lxor x 1)) o)).
    { intros o m x j Ho Hm A. apply I; auto; [apply (slots_odd _ _ _ O) in A; tauto|].
      destruct (slots_later _ _ _ O _ _ _ A) as [E|(i' & x' & A' & L & E)]; rewrite T in E; [now left|]. rewrite K in L by assumption.
      right. exists i', x'. auto. }
    split; [split; [|split]|split].
    - intros q (v, m) Hh. apply hop_of in Hh as (o & x & j & Ho & Hm & A & -> & ->). exists o. now apply S.
    - discriminate.
    - intros _ q (v, m) u w Hh D. apply hop_of in Hh as (o & x & j & Ho & Hm & A & -> & ->). destruct D as (_ & _ & _ & ->). now apply S.
    - apply cube_within.
      + intros h Hh. apply in_round in Hh as (m & x & j & Hm & A & ->). cbn [fst snd]. split; [apply rot_lt|assumption].
      + unfold allgather_round. assert (X : NoDup (range d)) by apply range_once. induction X as [|m ms Nm X IH]; [constructor|].
        cbn [flat_map]. destruct (nth_error l (N.to_nat (r * d + m))) as [(x, j)|]; cbn [app map snd]; [|exact IH].
        constructor; [|exact IH]. intros Hm. apply Nm. apply in_map_iff in Hm as (h & E & Hh). apply in_flat_map in Hh as (m' & Hm & Hh).
        destruct (nth_error l (N.to_nat (r * d + m'))) as [(x', j')|]; [|easy]. destruct Hh as [<-|[]]. cbn in E. now subst.
    - intros o t j Ho Hj [->|(i & x & A & L & E)].
      + right. split; [|now left]. apply I; auto. now left.
      + destruct (N.eq_dec (i / d) r) as [Er|NE].
        * left. set (m := i mod d). assert (Hm : m < d) by now apply N.mod_lt.
          assert (Ei : i = r * d + m) by (rewrite <- Er; symmetry; now apply quotient).
          rewrite Ei in A, E. rewrite T in E. exists (N.lxor (rot d m (N.lxor x 1)) o, m). split; [|split].
          -- apply hop_of. exists o, x, j. auto.
          -- cbn [net Pb problem_of_plan allgather_plan on problem_of network_of dst].
             rewrite cube_next; [|apply lxor_lt; [apply rot_lt|assumption]|assumption]. rewrite rot_lxor by assumption.
             change 1 with (2 ^ 0). rewrite (rot_pow d positive m 0) by lia. rewrite N.add_0_l, (N.mod_small m) by assumption.
             rewrite E, !N.lxor_assoc. f_equal.
             rewrite (N.lxor_comm o), <- N.lxor_assoc, N.lxor_nilpotent. apply N.lxor_0_l.
          -- now apply S.
        * right. split; [|now left]. apply I; auto. right. exists i, x. repeat split; auto. lia.
  Qed.

  Lemma allgather_valid : valid Pb (rounds_of_plan (allgather_plan d P)).
  Proof.
    unfold rounds_of_plan, schedule, allgather_plan. cbn [on replicated moves copies map]. rewrite app_nil_l, map_map. fold l.
    pose proof (slots_orderly d positive P) as O. fold l in O.
    apply (valid_by_invariant Pb true (fun r => hops r) (allgather_rounds d P) informed).
    - intros o t j Ho Hj [->|(i & x & _ & L & _)]; [|now apply N.nlt_0_r in L]. rewrite N.lxor_0_l.
      split; [reflexivity|]. split; [now apply cube_nodes|].
      split; [now apply traffic_iff|reflexivity].
    - intros r H _. apply step.
    - intros H I ((o, t), j) u v (T & _ & Hv & ->). apply traffic_iff in T as (Ho & -> & Hj). apply cube_nodes in Hv.
      rewrite <- (lxor_cancel v o). apply I; auto. destruct (N.eq_dec (N.lxor v o) 0) as [|NZ]; [now left|right].
      destruct (slots_reach _ _ _ O (N.lxor v o) j) as (i & x & A & E); auto using lxor_lt. exists i, x. split; auto. split; auto.
      apply at_len in A. pose proof (slots_few _ _ _ O) as F. unfold allgather_rounds. apply N.div_lt_upper_bound; [lia|].
      set (c := P * (2 ^ d - 1)) in *. clearbody c. pose proof (N.div_mod (c + d - 1) d ltac:(lia)) as X.
      pose proof (N.mod_lt (c + d - 1) d ltac:(lia)) as Y. set (q := (c + d - 1) / d) in *. set (e := (c + d - 1) mod d) in *. clearbody q e. lia.
  Qed.

  Lemma allgather_bound s : competes Pb s -> allgather_rounds d P <= len s.
  Proof.
    intros (HW & HP). pose proof (pow_pos d) as N0.
    set (Q := map (fun k : N * N * N => let '(o, t, j) := k in ((o, o, j), N.lxor t o))
      (list_prod (list_prod (range n) (map N.succ (range (n - 1)))) (range P))).
    assert (X : len Q <= len s * (1 * most_used W (all_ports d))).
    { apply (reception_bound W (all_ports d) s 1 Q (fun k => fst (fst (fst k)))).
      - apply nodes_once.
      - apply links_once.
      - apply link_ends, cube_positive.
      - exact HW.
      - reflexivity.
      - unfold Q. apply NoDup_map_inj.
        + intros ((o, t), j) ((o', t'), j') _ _ E. assert (o = o' /\ j = j') as (-> & ->) by (split; congruence).
          assert (F : N.lxor t o' = N.lxor t' o') by congruence. f_equal. f_equal. now rewrite <- (lxor_cancel t o'), F, lxor_cancel.
        + apply NoDup_prod; [apply NoDup_prod|]; try apply range_once. apply NoDup_map_inj; [intros; lia|apply range_once].
      - intros k Hk. unfold Q in Hk. apply in_map_iff in Hk as (((o, t), j) & <- & Hk). rewrite !in_prod_iff, in_map_iff, !range_In in Hk.
        destruct Hk as ((Ho & u & <- & Hu) & Hj). apply range_In in Hu. cbn [fst snd].
        assert (Lt : N.lxor (N.succ u) o < n) by (apply lxor_lt; [lia|assumption]). split.
        + intros E. assert (Z : N.lxor (N.lxor (N.succ u) o) o = 0) by (rewrite <- E; apply N.lxor_nilpotent). rewrite lxor_cancel in Z. lia.
        + apply HP. split; [now apply traffic_iff|]. split; [now apply cube_nodes|]. split; [now apply cube_nodes|reflexivity]. }
    unfold most_used in X. cbn [all_ports half_duplex Model.ports] in X. rewrite cube_len_nodes in X.
    assert (L : len Q = n * (n - 1) * P).
    { unfold Q. rewrite len_map. unfold len. rewrite !prod_length, map_length.
      pose proof (len_range n). pose proof (len_range (n - 1)). pose proof (len_range P). unfold len in *. lia. }
    rewrite L in X. assert (Y : P * (n - 1) <= len s * d) by nia. unfold allgather_rounds.
    apply N.lt_succ_r, N.div_lt_upper_bound; [lia|]. nia.
  Qed.
End Allgather.

(** The multinode broadcast of the d-cube, P packets a node, takes ceil(P (2^d - 1) / d) rounds, and no schedule takes fewer. *)
Theorem allgather_optimal d P : 1 <= d ->
  optimal (problem_of_plan (allgather_plan d P)) (rounds_of_plan (allgather_plan d P)) /\
  len (rounds_of_plan (allgather_plan d P)) = (P * (2 ^ d - 1) + d - 1) / d.
Proof.
  intros Hd. assert (E : len (rounds_of_plan (allgather_plan d P)) = allgather_rounds d P).
  { unfold rounds_of_plan, schedule, allgather_plan. cbn [on replicated moves copies map]. now rewrite app_nil_l, !len_map, len_range. }
  split; [split; [now apply allgather_valid|]|exact E]. intros s C. pose proof (allgather_bound d P Hd s C). unfold len in *. lia.
Qed.
