(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Networks that an automorphism turns: all collectives among all nodes are optimal at once, for every number of packets that the degree
    divides. Of these networks are rings, hypercubes, square tori and hexagonal meshes.

    Such a network is a Cayley graph of an abelian group with an automorphism [sigma] that permutes the d generators in one cycle, [tau] of their
    ports. It turns a path from node 0 into d paths whose i-th hops are on d different ports. So d packets that do the same, each turned
    once more than the one before, use all ports in every round:

    - Allgather: packet j follows one list of the nodes, parents first, turned j times: n - 1 rounds. Reduce-scatter and allreduce follow from
      [Timetable].
    - Alltoall: for every node y, packet j to y, turned j times, follows the shortest path to y, turned j times: as many rounds as the sum of all
      distances. No schedule has fewer hops.

    The definitions [rotation], [tree], [shortest], [turned_table] and [exchange_round] say what the networks and the plans are. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Places Timetable.
Import ListNotations.
Open Scope N_scope.

Definition generator (s : shape) (p : N) : node := nth (N.to_nat p) (generators s) 0.

(** An automorphism of order d that turns port p into port tau p, p into d different ports. *)
Record rotation (s : shape) (sigma : node -> node) (tau : N -> N) : Prop := {
  turns_nodes : forall x, x < size s -> sigma x < size s;
  turns_sums : forall x y, x < size s -> y < size s -> sigma (add (moduli s) x y) = add (moduli s) (sigma x) (sigma y);
  turns_ports : forall p, p < degree s -> tau p < degree s /\ sigma (generator s p) = generator s (tau p);
  turns_apart : forall p j j', p < degree s -> j < degree s -> j' < degree s -> N.iter j tau p = N.iter j' tau p -> j = j';
  turns_back : forall x, x < size s -> N.iter (degree s) sigma x = x }.

(** Every node but 0 comes from a node of a lower level over a port. *)
Definition before (s : shape) (port : node -> N) (v : node) : node := sub (moduli s) v (generator s (port v)).
Record tree (s : shape) (level : node -> N) (port : node -> N) : Prop := {
  tree_port : forall v, v < size s -> v <> 0 -> port v < degree s;
  tree_down : forall v, v < size s -> v <> 0 -> level (before s port v) < level v }.

(** The tree has shortest paths: the level is the distance from node 0. *)
Record shortest (s : shape) (level : node -> N) (port : node -> N) : Prop := {
  short_root : level 0 = 0;
  short_port : forall v, v < size s -> v <> 0 -> port v < degree s;
  short_down : forall v, v < size s -> v <> 0 -> level (before s port v) + 1 = level v;
  short_step : forall v p, v < size s -> p < degree s -> level (next s (v, p)) <= level v + 1 }.

(** The nodes but 0, by level. *)
Definition by_level (s : shape) (level : node -> N) : list node :=
  flat_map (fun h => filter (fun v => (level v =? h) && negb (v =? 0)) (range (size s))) (range (sum level (range (size s)) + 1)).

(** Round r reaches one node y, and with packet j of d, that node turned j times. *)
Definition turned_table (s : shape) (sigma : node -> node) (tau : N -> N) (port : node -> N) (order : list node) (r : N) : list entry :=
  let y := nth (N.to_nat (r mod (size s - 1))) order 0 in
  map (fun j => (r / (size s - 1) * degree s + j, N.iter j sigma (before s port y), N.iter j tau (port y))) (range (degree s)).

(** The node at level i on the path to y. *)
Definition on_path (s : shape) (level port : node -> N) (y i : N) : node := N.iter (level y - i) (before s port) y.

(** For one node y after the other, in [span] y rounds: its level or none. In part b, packet j to y turned j times has the number [num] b j. *)
Definition exchange_round (s : shape) (sigma : node -> node) (tau : N -> N) (level port span : node -> N) (num : N -> N -> N) (k : N) : round :=
  let all := sum span (range (size s)) in
  flat_map (fun y => let i := k mod all - sum span (range y) in
    if (sum span (range y) <=? k mod all) && (k mod all <? sum span (range y) + span y) then
      map (fun j => ((0, N.iter j sigma y, num (k / all) j),
                     (N.iter j sigma (on_path s level port y i), N.iter j tau (port (on_path s level port y (i + 1)))))) (range (degree s))
    else []) (range (size s)).
Definition exchange_of (s : shape) (P T : N) (rounds : N -> round) : plan :=
  PlanOf s (all_ports (degree s)) Deliver (Symmetric (list_prod (filter (fun x => 0 <? x) (range (size s))) (range P))) All 0 P
    (map rounds (range T)) [].

Section Rotational.
  Variables (s : shape) (sigma : node -> node) (tau : N -> N).
  Hypotheses (ok : sound_shape s All) (intact : failures s = None) (rot : rotation s sigma tau).
  Notation n := (size s).
  Notation d := (degree s).
  Notation W := (network_of s).
  Notation "x ⊕ y" := (add (moduli s) x y) (at level 50).
  Notation turn j x := (N.iter j sigma x).
  Notation turn_port j p := (N.iter j tau p).
  Let positive : positive_moduli (moduli s) := proj1 ok.
  Hypothesis some_port : 1 <= d.

  Lemma n_positive : 0 < n. Proof. now apply order_pos. Qed.
  Lemma turn_lt j x : x < n -> turn j x < n.
  Proof. intros H. induction j as [|j IH] using N.peano_ind; [exact H|]. rewrite N.iter_succ. now apply (turns_nodes _ _ _ rot). Qed.
  Lemma turn_add j x y : x < n -> y < n -> turn j (x ⊕ y) = turn j x ⊕ turn j y.
  Proof.
    intros Hx Hy. induction j as [|j IH] using N.peano_ind; [reflexivity|]. rewrite !N.iter_succ, IH. apply (turns_sums _ _ _ rot); now apply turn_lt.
  Qed.
  Lemma generator_lt p : generator s p < n.
  Proof. now apply (gen_lt s All). Qed.
  Lemma turn_generator j p : p < d -> turn_port j p < d /\ turn j (generator s p) = generator s (turn_port j p).
  Proof.
    intros Hp. induction j as [|j (A & B)] using N.peano_ind; [split; [exact Hp|reflexivity]|].
    rewrite !N.iter_succ, B. now apply (turns_ports _ _ _ rot).
  Qed.
  Lemma turn_next j v p : v < n -> p < d -> next s (turn j v, turn_port j p) = turn j (next s (v, p)).
  Proof.
    intros Hv Hp. unfold next. cbn [fst snd]. fold (generator s p) (generator s (turn_port j p)).
    rewrite turn_add by (auto; apply generator_lt). f_equal. symmetry. now apply turn_generator.
  Qed.
  Lemma turn_back j x : j <= d -> x < n -> turn (d - j) (turn j x) = x.
  Proof. intros Hj Hx. rewrite <- N.iter_add. replace (d - j + j) with d by lia. now apply (turns_back _ _ _ rot). Qed.
  Lemma turn_forth j x : j <= d -> x < n -> turn j (turn (d - j) x) = x.
  Proof. intros Hj Hx. rewrite <- N.iter_add. replace (j + (d - j)) with d by lia. now apply (turns_back _ _ _ rot). Qed.
  Lemma turn_inj j x y : j <= d -> x < n -> y < n -> turn j x = turn j y -> x = y.
  Proof. intros Hj Hx Hy E. rewrite <- (turn_back j x), <- (turn_back j y), E; auto. Qed.
  Lemma turn_0 j : turn j 0 = 0.
  Proof.
    pose proof n_positive as N0. assert (L : turn j 0 < n) by now apply turn_lt.
    apply (add_cancel (moduli s) positive _ _ (turn j 0)); auto. rewrite (add_0_l _ (turn j 0)) by assumption.
    rewrite <- turn_add by assumption. now rewrite add_0_l.
  Qed.
  Lemma turn_nonzero j x : j <= d -> x < n -> x <> 0 -> turn j x <> 0.
  Proof. intros Hj Hx NZ E. apply NZ. apply (turn_inj j); auto using n_positive. now rewrite turn_0. Qed.
  Lemma before_lt port v : before s port v < n.
  Proof. now apply sub_lt. Qed.
  Lemma next_before port v : v < n -> next s (before s port v, port v) = v.
  Proof. intros Hv. unfold next, before. cbn [fst snd]. apply sub_add; auto. apply generator_lt. Qed.

  (** * Allgather *)

  Section Tree.
    Variables (level port : node -> N).
    Hypothesis T : tree s level port.
    Let order := by_level s level.

    Lemma order_In v : In v order <-> v < n /\ v <> 0.
    Proof.
      unfold order, by_level. rewrite in_flat_map. split.
      - intros (h & _ & H). apply filter_In in H as (H & E). apply range_In in H. apply andb_true_iff in E as (_ & E).
        split; [assumption|]. intros ->. discriminate.
      - intros (H & NZ). exists (level v). split; [apply range_In; pose proof (sum_elem level (range n) v ltac:(now apply range_In)); lia|].
        apply filter_In. split; [now apply range_In|]. rewrite N.eqb_refl. cbn [andb]. apply negb_true_iff. now apply N.eqb_neq.
    Qed.
    Lemma order_once : NoDup order.
    Proof.
      unfold order, by_level. induction (sum level (range n) + 1) as [|m IH] using N.peano_ind; [constructor|].
      rewrite range_succ, flat_map_app. cbn [flat_map]. rewrite app_nil_r. apply NoDup_join; auto; [apply NoDup_filter, range_once|].
      intros v Hv Hv'. apply in_flat_map in Hv as (h & Hh & Hv). apply range_In in Hh. apply filter_In in Hv as (_ & E), Hv' as (_ & E').
      apply andb_true_iff in E as (E & _), E' as (E' & _). apply N.eqb_eq in E, E'. lia.
    Qed.
    Lemma order_len : len order = n - 1.
    Proof.
      pose proof n_positive. transitivity (len (map N.succ (range (n - 1)))); [|now rewrite len_map, len_range].
      apply N.le_antisymm; apply len_incl.
      - apply order_once.
      - intros v Hv. apply order_In in Hv as (Hv & NZ). apply N.neq_0_lt_0 in NZ. apply in_map_iff. exists (v - 1).
        split; [lia|]. apply range_In. lia.
      - apply NoDup_map_inj; [intros; lia|apply range_once].
      - intros v Hv. apply in_map_iff in Hv as (u & <- & Hu). apply range_In in Hu. apply order_In. split; [lia|]. apply N.neq_0_lt_0. lia.
    Qed.
    Lemma order_rises v w i i' : at_ order i v -> at_ order i' w -> level w < level v -> i' < i.
    Proof.
      unfold order, by_level. set (f := fun h => filter (fun v => (level v =? h) && negb (v =? 0)) (range n)).
      assert (F : forall h u, In u (f h) -> level u = h).
      { intros h u Hu. apply filter_In in Hu as (_ & E). apply andb_true_iff in E as (E & _). now apply N.eqb_eq. }
      induction (sum level (range n) + 1) as [|m IH] using N.peano_ind; [intros H; now apply at_In in H|].
      rewrite range_succ, flat_map_app. cbn [flat_map]. rewrite app_nil_r, !at_app. intros [(L & H)|(L & H)] [(L' & H')|(L' & H')] E; auto; [|lia|].
      - apply at_In in H, H'. apply F in H'. apply in_flat_map in H as (h & Hh & H). apply range_In in Hh. apply F in H. lia.
      - apply at_In, F in H. apply at_In, F in H'. lia.
    Qed.

    Variables (a : N) (opposite : N -> N).
    Hypothesis opposites : forall p, p < d -> opposite p < d /\ generator s p ⊕ generator s (opposite p) = 0.
    Hypothesis opposites_apart : forall p p', p < d -> p' < d -> opposite p = opposite p' -> p = p'.
    Notation table := (turned_table s sigma tau port order).
    Notation rounds := (a * (n - 1)).

    Lemma table_In r q w p : r < rounds -> In (q, w, p) (table r) <->
      exists k i j y, k < a /\ r = k * (n - 1) + i /\ at_ order i y /\ j < d /\ y < n /\ y <> 0 /\
        q = k * d + j /\ w = turn j (before s port y) /\ p = turn_port j (port y).
    Proof.
      intros Hr. assert (N1 : n - 1 <> 0) by (intros E; rewrite E in Hr; lia). unfold turned_table. rewrite in_map_iff. split.
      - intros (j & E & Hj). apply range_In in Hj. injection E as <- <- <-. pose proof (N.mod_lt r (n - 1) N1) as M. rewrite <- order_len in M.
        destruct (at_exists order (r mod (n - 1))) as (y & A); [now rewrite order_len in *|].
        assert (Hy : In y order) by now apply at_In in A. apply order_In in Hy. exists (r / (n - 1)), (r mod (n - 1)), j, y.
        assert (E : nth (N.to_nat (r mod (n - 1))) order 0 = y) by now apply nth_error_nth. rewrite E.
        split; [now apply N.div_lt_upper_bound; [|rewrite N.mul_comm]|]. split; [symmetry; now apply quotient|]. tauto.
      - intros (k & i & j & y & Hk & -> & A & Hj & _ & _ & -> & -> & ->). exists j. split; [|now apply range_In].
        pose proof (at_len _ _ _ A) as L. rewrite order_len in L. rewrite split_div, split_mod by lia.
        assert (E : nth (N.to_nat i) order 0 = y) by now apply nth_error_nth. now rewrite E.
    Qed.
    Lemma table_next j y : j < d -> y < n -> y <> 0 -> next s (turn j (before s port y), turn_port j (port y)) = turn j y.
    Proof.
      intros Hj Hy NZ. rewrite turn_next; [now rewrite next_before|apply before_lt|now apply (tree_port _ _ _ T)].
    Qed.

    Theorem turned_timetable : timetable s (a * d) rounds opposite table.
    Proof.
      split.
      - intros r Hr. unfold turned_table. rewrite map_map. cbn [snd]. set (y := nth _ _ _).
        assert (In y order) as Hy.
        { assert (N1 : n - 1 <> 0) by (intros E; rewrite E in Hr; lia). apply nth_In.
          pose proof (N.mod_lt r (n - 1) N1) as M. rewrite <- order_len in M at 2.
          unfold len in M. lia. }
        apply order_In in Hy as (Hy & NZ). apply NoDup_map_inj; [|apply range_once].
        intros j j' Hj Hj' E. apply range_In in Hj, Hj'. apply (turns_apart _ _ _ rot (port y)); auto. now apply (tree_port _ _ _ T).
      - intros r q w p Hr H. apply (table_In r) in H as (k & i & j & y & Hk & _ & _ & Hj & Hy & NZ & -> & -> & ->); [|assumption].
        split; [nia|]. split; [apply turn_lt, before_lt|]. apply turn_generator. now apply (tree_port _ _ _ T).
      - intros r q w p Hr H. apply (table_In r) in H as (k & i & j & y & Hk & -> & A & Hj & Hy & NZ & -> & -> & ->); [|assumption].
        destruct (N.eq_dec (before s port y) 0) as [E|NE]; [left; rewrite E; apply turn_0|right].
        destruct (In_at order (before s port y)) as (i' & A'); [apply order_In; split; [apply before_lt|assumption]|].
        pose proof (order_rises _ _ _ _ A A' (tree_down _ _ _ T y Hy NZ)) as L. pose proof (before_lt port y) as Lb.
        exists (k * (n - 1) + i'), (turn j (before s port (before s port y))), (turn_port j (port (before s port y))).
        split; [lia|]. split; [|now apply table_next]. apply table_In; [lia|]. exists k, i', j, (before s port y). auto 12.
      - intros v q Hv NZ Hq. assert (Hj : q mod d < d) by (apply N.mod_lt; lia). set (j := q mod d) in *. set (y := turn (d - j) v).
        assert (Hy : y < n) by now apply turn_lt. assert (NZy : y <> 0) by (apply turn_nonzero; auto; lia).
        destruct (In_at order y) as (i & A); [now apply order_In|]. pose proof (at_len _ _ _ A) as L. rewrite order_len in L.
        assert (Hk : q / d < a) by (apply N.div_lt_upper_bound; lia).
        exists (q / d * (n - 1) + i), (turn j (before s port y)), (turn_port j (port y)). split; [nia|]. split.
        + apply table_In; [nia|]. exists (q / d), i, j, y. assert (q = q / d * d + j) by (symmetry; apply quotient; lia). auto 12.
        + rewrite table_next by assumption. apply turn_forth; [lia|assumption].
      - intros r q w p Hr H. apply (table_In r) in H as (k & i & j & y & Hk & _ & _ & Hj & Hy & NZ & _ & -> & ->); [|assumption].
        rewrite table_next by assumption. apply turn_nonzero; auto; lia.
      - intros r r' q w w' p p' Hr Hr' H H' E.
        apply (table_In r) in H as (k & i & j & y & Hk & -> & A & Hj & Hy & NZ & -> & -> & ->); [|assumption].
        apply (table_In r') in H' as (k' & i' & j' & y' & Hk' & -> & A' & Hj' & Hy' & NZ' & Q & -> & ->); [|assumption].
        assert (k' = k) as ->.
        { rewrite <- (split_div d k j), <- (split_div d k' j') by lia. now rewrite Q. }
        assert (j' = j) as -> by lia. rewrite !table_next in E by assumption. apply (turn_inj j) in E; auto; [|lia]. subst y'.
        rewrite (at_once order i i' y) by (auto using order_once). auto.
      - intros w p Hw Hp. destruct (opposites p Hp) as (Ho & E). split; [assumption|]. unfold next. cbn [fst snd].
        fold (generator s p) (generator s (opposite p)). rewrite add_assoc, E by assumption. now apply add_0_r.
      - exact opposites_apart.
    Qed.
    Lemma turned_tight : rounds * d < a * d * (n - 1) + d.
    Proof. nia. Qed.
  End Tree.

  (** * Alltoall *)

  Section Exchange.
    Variables (level port span : node -> N) (num : N -> N -> N) (a P : N).
    Hypothesis S : shortest s level port.
    Hypothesis whole : forall y, span y = level y \/ span y = 0.
    Hypothesis num_lt : forall b j, b < a -> j < d -> num b j < P.
    Hypothesis apart : forall y y' b b' j j', y < n -> y' < n -> 0 < span y -> 0 < span y' -> j < d -> j' < d ->
      turn j y = turn j' y' -> num b j = num b' j' -> y = y' /\ b = b' /\ j = j'.
    Hypothesis covered : forall x q, x < n -> x <> 0 -> q < P -> exists y b j, y < n /\ 0 < span y /\ b < a /\ j < d /\ turn j y = x /\ num b j = q.
    Hypothesis even : a * sum span (range n) * d <= P * sum level (range n).
    Notation before := (before s port).
    Notation on_path := (on_path s level port).
    Notation "'begin' y" := (sum span (range y)) (at level 9).
    Notation all := (sum span (range n)).
    Let rounds := a * all.
    Notation the_round := (exchange_round s sigma tau level port span num).
    Notation hops k := (expand s All (the_round k)).
    Let the_plan := exchange_of s P rounds the_round.
    Let Pb := problem_of_plan the_plan.

    Lemma level_0 v : v < n -> level v = 0 -> v = 0.
    Proof. intros Hv E. destruct (N.eq_dec v 0) as [|NZ]; [assumption|]. pose proof (short_down _ _ _ S v Hv NZ). lia. Qed.
    Lemma up_level m : forall y, y < n -> m <= level y -> N.iter m before y < n /\ level (N.iter m before y) = level y - m.
    Proof.
      induction m as [|m IH] using N.peano_ind; intros y Hy L; [split; [exact Hy|cbn; lia]|]. rewrite N.iter_succ.
      destruct (IH y Hy ltac:(lia)) as (A & B). split; [apply before_lt|].
      assert (NZ : N.iter m before y <> 0) by (intros E; rewrite E, (short_root _ _ _ S) in B; lia). pose proof (short_down _ _ _ S _ A NZ). lia.
    Qed.
    Lemma path_lt y i : y < n -> i <= level y -> on_path y i < n /\ level (on_path y i) = i.
    Proof. intros Hy Hi. destruct (up_level (level y - i) y Hy ltac:(lia)) as (A & B). split; [exact A|]. unfold Rotational.on_path. lia. Qed.
    Lemma path_begin y : y < n -> on_path y 0 = 0.
    Proof. intros Hy. destruct (path_lt y 0 Hy ltac:(lia)) as (A & B). now apply level_0. Qed.
    Lemma path_end y : on_path y (level y) = y.
    Proof. unfold Rotational.on_path. now rewrite N.sub_diag. Qed.
    Lemma path_next y i : y < n -> i < level y ->
      port (on_path y (i + 1)) < d /\ next s (on_path y i, port (on_path y (i + 1))) = on_path y (i + 1).
    Proof.
      intros Hy Hi. destruct (path_lt y (i + 1) Hy ltac:(lia)) as (A & B).
      assert (NZ : on_path y (i + 1) <> 0) by (intros E; rewrite E, (short_root _ _ _ S) in B; lia).
      split; [now apply (short_port _ _ _ S)|]. replace (on_path y i) with (before (on_path y (i + 1))); [now apply next_before|].
      unfold Rotational.on_path. replace (level y - i) with (N.succ (level y - (i + 1))) by lia. now rewrite N.iter_succ.
    Qed.

    Lemma begin_end y : y < n -> begin y + span y <= all.
    Proof.
      intros Hy. assert (X : forall m, N.succ y <= m -> begin y + span y <= begin m); [|apply X; lia].
      induction m as [|m IH] using N.peano_ind; intros L; [lia|]. rewrite range_succ, sum_app. cbn [sum].
      destruct (N.eq_dec y m) as [->|]; [lia|]. specialize (IH ltac:(lia)). lia.
    Qed.
    Lemma begin_apart y y' : y < y' -> begin y + span y <= begin y'.
    Proof.
      intros L. induction y' as [|m IH] using N.peano_ind; [lia|]. rewrite range_succ, sum_app. cbn [sum].
      destruct (N.eq_dec y m) as [->|]; [lia|]. specialize (IH ltac:(lia)). lia.
    Qed.

    Lemma traffic_iff o x q : traffic Pb (o, x, q) <-> o < n /\ q < P /\ exists y, 0 < y /\ y < n /\ x = y ⊕ o.
    Proof.
      unfold Pb, problem_of_plan, the_plan, exchange_of. cbn [problem_of traffic traffic_of on moved]. split.
      - intros (Ho & Hx & H). apply in_prod_iff in H as (H & Hq). apply filter_In in H as (H & L). apply range_In in H, Hq. apply N.ltb_lt in L.
        repeat split; auto. exists (sub (moduli s) x o). repeat split; auto. symmetry. now apply sub_add.
      - intros (Ho & Hq & y & L & Hy & ->). split; [assumption|]. split; [now apply add_lt|]. rewrite add_sub by assumption.
        apply in_prod_iff. rewrite filter_In, !range_In, N.ltb_lt. auto.
    Qed.

    Lemma span_le y : span y <= level y.
    Proof. destruct (whole y) as [-> | ->]; lia. Qed.
    Lemma span_level y : 0 < span y -> level y = span y.
    Proof. destruct (whole y) as [-> | ->]; lia. Qed.
    Lemma span_nonzero y : 0 < span y -> y <> 0.
    Proof. intros H ->. pose proof (span_le 0) as L. rewrite (short_root _ _ _ S) in L. lia. Qed.

    (** In part b, packet j to y turned j times is on step k - (b all + begin y). *)
    Definition place (k b y j : N) : node := turn j (on_path y (N.min (k - (b * all + begin y)) (level y))).
    Definition placed (k : N) (H : holding) : Prop :=
      forall o y b j, o < n -> 0 < span y -> y < n -> b < a -> j < d -> H (o, turn j y ⊕ o, num b j) o (place k b y j ⊕ o).

    Lemma hop_of k Q v p : all <> 0 -> In (Q, (v, p)) (hops k) <->
      exists o b y i j, o < n /\ y < n /\ j < d /\ i < span y /\ k = b * all + (begin y + i) /\
        Q = (o, turn j y ⊕ o, num b j) /\ v = turn j (on_path y i) ⊕ o /\ p = turn_port j (port (on_path y (i + 1))).
    Proof.
      intros A0. rewrite in_expand. unfold exchange_round. split.
      - intros (g & q0 & v0 & Hg & H & -> & ->). apply every_translation in Hg; auto. cbn zeta in H. apply in_flat_map in H as (y & Hy & H).
        apply range_In in Hy. destruct ((begin y <=? k mod all) && (k mod all <? begin y + span y)) eqn:B; [|easy].
        apply andb_true_iff in B as (B1 & B2). apply N.leb_le in B1. apply N.ltb_lt in B2.
        apply in_map_iff in H as (j & E & Hj). apply range_In in Hj. injection E as <- <- <-.
        exists g, (k / all), y, (k mod all - begin y), j. cbn [move]. rewrite add_0_l by assumption. repeat split; auto; [lia|].
        pose proof (quotient k all A0) as Z. set (u := k mod all) in *. set (w := k / all * all) in *. clearbody u w. lia.
      - intros (o & b & y & i & j & Ho & Hy & Hj & Hi & -> & -> & -> & ->). pose proof (begin_end y Hy) as L.
        exists o, (0, turn j y, num b j), (turn j (on_path y i)). cbn [move]. rewrite every_translation, add_0_l by assumption.
        repeat split; auto. cbn zeta. rewrite split_div, split_mod by lia. apply in_flat_map. exists y. split; [now apply range_In|].
        replace ((begin y <=? begin y + i) && (begin y + i <? begin y + span y)) with true.
        2:{ symmetry. apply andb_true_iff. rewrite N.leb_le, N.ltb_lt. lia. }
        apply in_map_iff. exists j. split; [|now apply range_In]. now replace (begin y + i - begin y) with i by lia.
    Qed.

    Lemma exchange_within k : all <> 0 -> within W (all_ports d) (hops k).
    Proof.
      intros A0. apply ports_within; auto.
      - intros (Q, (v, p)) Hh. cbn [fst snd]. assert (X : In (move s 0 Q, (v ⊕ 0, p)) (hops k)).
        { apply in_expand. exists 0, Q, v. repeat split; auto. apply every_translation; auto using n_positive. }
        unfold exchange_round in Hh. cbn zeta in Hh. apply in_flat_map in Hh as (y & Hy & Hh). apply range_In in Hy.
        destruct ((begin y <=? k mod all) && (k mod all <? begin y + span y)) eqn:B; [|easy].
        apply andb_true_iff in B as (B1 & B2). apply N.leb_le in B1. apply N.ltb_lt in B2.
        apply in_map_iff in Hh as (j & E & Hj). apply range_In in Hj. injection E as _ <- <-.
        pose proof (span_le y). destruct (path_next y (k mod all - begin y) Hy) as (Hp & _); [lia|]. split; [|now apply turn_generator].
        apply turn_lt. apply path_lt; auto. lia.
      - unfold exchange_round. cbn zeta.
        assert (Z : forall l, NoDup l -> incl l (range n) -> NoDup (map (fun h : hop => snd (snd h)) (flat_map (fun y =>
          if (begin y <=? k mod all) && (k mod all <? begin y + span y) then
            map (fun j => ((0, turn j y, num (k / all) j), (turn j (on_path y (k mod all - begin y)),
              turn_port j (port (on_path y (k mod all - begin y + 1)))))) (range d) else []) l))).
        { induction 1 as [|y l Ny D IH]; intros I; [constructor|]. cbn [flat_map]. rewrite map_app.
          assert (Hy : y < n) by (apply range_In, I; now left). apply NoDup_join.
          - destruct ((begin y <=? k mod all) && (k mod all <? begin y + span y)) eqn:B; [|constructor].
            apply andb_true_iff in B as (B1 & B2). apply N.leb_le in B1. apply N.ltb_lt in B2.
            rewrite map_map. cbn [snd]. pose proof (span_le y). destruct (path_next y (k mod all - begin y) Hy) as (Hp & _); [lia|].
            apply NoDup_map_inj; [|apply range_once]. intros j j' Hj Hj' E. apply range_In in Hj, Hj'. now apply (turns_apart _ _ _ rot _ j j' Hp).
          - apply IH. intros x Hx. apply I. now right.
          - intros p Hp Hp'. destruct ((begin y <=? k mod all) && (k mod all <? begin y + span y)) eqn:B; [|easy].
            apply andb_true_iff in B as (B1 & B2). apply N.leb_le in B1. apply N.ltb_lt in B2. clear Hp.
            apply in_map_iff in Hp' as (h & _ & Hh). apply in_flat_map in Hh as (y' & Hy' & Hh).
            destruct ((begin y' <=? k mod all) && (k mod all <? begin y' + span y')) eqn:B'; [|easy].
            apply andb_true_iff in B' as (B1' & B2'). apply N.leb_le in B1'. apply N.ltb_lt in B2'.
            destruct (N.lt_total y y') as [X|[->|X]]; [|now apply Ny|]; apply begin_apart in X; lia. }
        apply Z; [apply range_once|intros x Hx; exact Hx].
    Qed.

    Lemma exchange_step k H : k < rounds -> placed k H ->
      legal Pb false (hops k) H /\ within (net Pb) (lim Pb) (hops k) /\ placed (k + 1) (after (net Pb) false (hops k) H).
    Proof.
      intros Hk I. assert (A0 : all <> 0) by (unfold rounds in Hk; intros E; rewrite E in Hk; lia).
      assert (Same : forall o o' y y' b b' j j', o < n -> y < n -> y' < n -> 0 < span y -> 0 < span y' -> j < d -> j' < d ->
        (o, turn j y ⊕ o, num b j) = (o', turn j' y' ⊕ o', num b' j') -> o = o' /\ y = y' /\ b = b' /\ j = j').
      { intros o o' y y' b b' j j' Ho Hy Hy' Hs Hs' Hj Hj' E. injection E as <- E1 E2. split; [reflexivity|].
        apply (add_cancel (moduli s) positive) in E1; auto using turn_lt. }
      assert (At : forall b y i j, i <= level y -> place (b * all + (begin y + i)) b y j = turn j (on_path y i)).
      { intros b y i j Hi. unfold place. do 2 f_equal. lia. }
      split; [split; [|split]|split].
      - intros Q (v, p) Hh. apply (hop_of k) in Hh as (o & b & y & i & j & Ho & Hy & Hj & Hi & -> & -> & -> & ->); [|assumption].
        exists o. cbn [net Pb problem_of_plan the_plan exchange_of on problem_of network_of src fst].
        pose proof (span_le y). rewrite <- (At b y i j) by lia.
        assert (Hb : b < a) by (unfold rounds in Hk; nia). assert (L : 0 < span y) by lia. now apply I.
      - intros _ Q (v, p) (v', p') Hh Hh' E. cbn in E. subst v'.
        apply (hop_of k) in Hh as (o & b & y & i & j & Ho & Hy & Hj & Hi & K & -> & -> & ->); [|assumption].
        apply (hop_of k) in Hh' as (o' & b' & y' & i' & j' & Ho' & Hy' & Hj' & Hi' & K' & Q & _ & ->); [|assumption].
        apply Same in Q as (<- & <- & <- & <-); auto; try lia. assert (i = i') as <- by lia. reflexivity.
      - discriminate.
      - now apply exchange_within.
      - intros o y b j Ho L0 Hy Hb Hj. specialize (I o y b j Ho L0 Hy Hb Hj). pose proof (span_level y L0) as Lv.
        set (base := b * all + begin y) in *.
        destruct (N.le_gt_cases base k) as [L1|L1]; [destruct (N.lt_ge_cases k (base + span y)) as [L2|L2]|].
        + (* on its way *)
          set (i := k - base). assert (K : k = b * all + (begin y + i)) by (unfold i, base; lia). assert (Hi : i < span y) by (unfold i; lia).
          destruct (path_next y i Hy ltac:(lia)) as (Hp & Nx). destruct (path_lt y i Hy ltac:(lia)) as (Hv & _).
          left. exists (turn j (on_path y i) ⊕ o, turn_port j (port (on_path y (i + 1)))). split; [|split].
          * apply hop_of; [assumption|]. exists o, b, y, i, j. auto 10.
          * cbn [net Pb problem_of_plan the_plan exchange_of on problem_of network_of dst]. rewrite next_shift with (r := All) by assumption.
            rewrite turn_next by assumption. replace (k + 1) with (b * all + (begin y + (i + 1))) by lia. rewrite At by lia.
            exact (f_equal (fun v => turn j v ⊕ o) Nx).
          * cbn [net Pb problem_of_plan the_plan exchange_of on problem_of network_of src fst]. rewrite <- (At b y i j), <- K by lia. exact I.
        + (* there *)
          assert (E : place (k + 1) b y j = place k b y j) by (unfold place; do 2 f_equal; fold base; lia). rewrite E.
          right. split; [exact I|]. right. intros (v, p) Hh _.
          apply (hop_of k) in Hh as (o' & b' & y' & i' & j' & Ho' & Hy' & Hj' & Hi' & K' & Q & _); [|assumption].
          apply Same in Q as (<- & <- & <- & <-); auto; unfold base in *; lia.
        + (* not yet *)
          assert (E : place (k + 1) b y j = place k b y j) by (unfold place; do 2 f_equal; fold base; lia). rewrite E.
          right. split; [exact I|]. right. intros (v, p) Hh _.
          apply (hop_of k) in Hh as (o' & b' & y' & i' & j' & Ho' & Hy' & Hj' & Hi' & K' & Q & _); [|assumption].
          apply Same in Q as (<- & <- & <- & <-); auto; unfold base in *; lia.
    Qed.

    Theorem exchange_valid : valid Pb (rounds_of_plan the_plan).
    Proof.
      unfold rounds_of_plan, schedule, the_plan, exchange_of. cbn [on replicated moves copies map]. rewrite app_nil_r, map_map.
      apply (valid_by_invariant Pb false (fun k => hops k) rounds placed).
      - intros o y b j Ho L0 Hy Hb Hj. unfold place. rewrite N.sub_0_l, N.min_0_l, path_begin, turn_0, add_0_l by assumption.
        split; [reflexivity|]. split; [now apply every_node|]. split; [|reflexivity]. apply traffic_iff. split; [assumption|].
        split; [now apply num_lt|]. exists (turn j y). repeat split; [|now apply turn_lt].
        apply N.neq_0_lt_0, turn_nonzero; auto using span_nonzero; lia.
      - intros k H Hk. now apply exchange_step.
      - intros H I ((o, x), q) u v (T & _ & _ & -> & ->). apply traffic_iff in T as (Ho & Hq & x0 & L0 & Hx0 & ->).
        destruct (covered x0 q Hx0 ltac:(lia) Hq) as (y & b & j & Hy & L & Hb & Hj & <- & <-).
        specialize (I o y b j Ho L Hy Hb Hj). unfold place in I. pose proof (begin_end y Hy) as E. rewrite <- (span_level y L) in E.
        rewrite N.min_r, path_end in I by (unfold rounds; nia). exact I.
    Qed.

    (** The packets need as many hops as the distances say. *)
    Lemma exchange_bound c : competes Pb c -> rounds <= len c.
    Proof.
      intros (HW & HP). pose proof n_positive as N0.
      set (Q := list_prod (list_prod (range n) (map N.succ (range (n - 1)))) (range P)).
      assert (InQ : forall k, In k Q -> fst (fst k) < n /\ 0 < snd (fst k) /\ snd (fst k) < n /\ snd k < P).
      { intros ((o, y), q) Hk. unfold Q in Hk. rewrite !in_prod_iff, in_map_iff, !range_In in Hk. destruct Hk as ((Ho & u & <- & Hu) & Hq).
        apply range_In in Hu. cbn [fst snd]. repeat split; auto; lia. }
      set (I := map (fun k : N * N * N => let '(o, y, q) := k in Item (o, y ⊕ o, q) o (y ⊕ o) (fun v => level (sub (moduli s) v o))) Q).
      assert (X : sum (fun i => lev i (to i) - lev i (from i)) I <=
        len c * (1 * (sum (fun _ : link => 0) (links W) + 1 * most_used W (all_ports d)))).
      { apply (price_bound W (all_ports d) c 1 I).
        - apply nodes_once.
        - apply links_once.
        - now apply link_ends.
        - exact HW.
        - reflexivity.
        - unfold I. rewrite map_map. apply NoDup_map_inj.
          + intros ((o, y), q) ((o', y'), q') Hk Hk' E. apply InQ in Hk as (Ho & _ & Hy & _), Hk' as (_ & _ & Hy' & _). cbn in *.
            injection E as -> E ->. apply (add_cancel (moduli s) positive) in E; auto. now subst.
          + apply NoDup_prod; [apply NoDup_prod|]; try apply range_once. apply NoDup_map_inj; [intros; lia|apply range_once].
        - intros i Hi. apply in_map_iff in Hi as (((o, y), q) & <- & Hk). apply InQ in Hk as (Ho & L & Hy & Hq). cbn in *. apply HP.
          split; [apply traffic_iff; split; [exact Ho|split; [exact Hq|exists y; auto]]|]. split; [apply every_node; auto|].
          split; [apply every_node; auto; now apply add_lt|split; reflexivity].
        - intros i (v, p) Hi Hl. apply in_map_iff in Hi as (((o, y), q) & <- & Hk). apply InQ in Hk as (Ho & _).
          apply (every_link s d) in Hl as (Hv & Hp); auto. unfold rise. cbn [lev network_of dst src fst snd].
          replace (sub (moduli s) (next s (v, p)) o) with (next s (sub (moduli s) v o, p)).
          + pose proof (short_step _ _ _ S (sub (moduli s) v o) p ltac:(now apply sub_lt) Hp). lia.
          + unfold next, sub. cbn [fst snd]. now apply add_shift. }
      assert (Z : sum (fun i => lev i (to i) - lev i (from i)) I = n * P * sum level (range n)).
      { unfold I. rewrite sum_map. rewrite (sum_eq _ (fun k : N * N * N => level (snd (fst k)))).
        - unfold Q. assert (F : forall (l m : list N) (f : N -> N) (x : list N),
            sum (fun k : N * N * N => f (snd (fst k))) (list_prod (list_prod l m) x) = len l * len x * sum f m).
          { intros l m f x. assert (G : forall l' : list (N * N), sum (fun k : N * N * N => f (snd (fst k))) (list_prod l' x) =
              len x * sum (fun k => f (snd k)) l').
            { induction l' as [|k l' IH]; [cbn; lia|]. cbn [list_prod sum]. rewrite sum_app, sum_map, IH. cbn [fst]. rewrite sum_const. lia. }
            rewrite G, sum_prod. lia. }
          rewrite F, !len_range. f_equal. rewrite sum_map.
          assert (R : forall m, sum level (range (N.succ m)) = sum (fun x => level (N.succ x)) (range m)).
          { induction m as [|m IH] using N.peano_ind; [cbn; now rewrite (short_root _ _ _ S)|].
            rewrite (range_succ (N.succ m)), sum_app, IH, range_succ, sum_app. cbn [sum]. reflexivity. }
          rewrite <- R. now replace (N.succ (n - 1)) with n by lia.
        - intros ((o, y), q) Hk. apply InQ in Hk as (Ho & _ & Hy & _). cbn [fst snd lev to from] in *. rewrite add_sub by assumption.
          unfold sub. rewrite add_neg, (short_root _ _ _ S) by assumption. lia. }
      rewrite Z, sum_zero, capacity_all in X by assumption. unfold rounds.
      assert (Y : P * sum level (range n) <= len c * d) by (apply (N.mul_le_mono_pos_l _ _ n N0); lia).
      apply (N.mul_le_mono_pos_r _ _ d); lia.
    Qed.

    Theorem exchange_optimal : optimal Pb (rounds_of_plan the_plan) /\ len (rounds_of_plan the_plan) = a * all.
    Proof.
      assert (E : len (rounds_of_plan the_plan) = rounds).
      { unfold rounds_of_plan, schedule, the_plan, exchange_of. cbn [on replicated moves copies map]. now rewrite app_nil_r, !len_map, len_range. }
      split; [split; [exact exchange_valid|]|exact E]. intros c C. pose proof (exchange_bound c C). unfold len in *. lia.
    Qed.
  End Exchange.
End Rotational.

(** * The theorems *)

Section Theorems.
  Variables (s : shape) (sigma : node -> node) (tau : N -> N) (level port : node -> N) (opposite : N -> N) (a : N).
  Hypotheses (ok : sound_shape s All) (intact : failures s = None) (rot : rotation s sigma tau) (some_port : 1 <= degree s).
  Notation n := (size s).
  Notation d := (degree s).
  Definition turned := turned_table s sigma tau port (by_level s level).
  Definition turned_allgather : plan := allgather_of s (a * d) (a * (n - 1)) turned.
  Definition turned_reduce_scatter : plan := reduce_scatter_of s (a * d) (a * (n - 1)) opposite turned.
  Definition turned_allreduce : plan := allreduce_of s (a * d) (a * (n - 1)) opposite turned.
  (** All nodes y, and packet b d + j. *)
  Definition turned_alltoall : plan :=
    exchange_of s (a * d) (a * sum level (range n)) (exchange_round s sigma tau level port level (fun b j => b * d + j)).
  (** One node y of those that are turns of each other. *)
  Definition first_turn (y : node) : bool := forallb (fun j => y <=? N.iter j sigma y) (range d).
  Definition first_level (y : node) : N := if first_turn y then level y else 0.
  Definition free_alltoall : plan :=
    exchange_of s a (a * sum first_level (range n)) (exchange_round s sigma tau level port first_level (fun b _ => b)).

  Section Opposite.
    Hypothesis down : tree s level port.
    Hypothesis opposites : forall p, p < d -> opposite p < d /\ add (moduli s) (generator s p) (generator s (opposite p)) = 0.
    Hypothesis opposites_apart : forall p p', p < d -> p' < d -> opposite p = opposite p' -> p = p'.
    Let table_ok : timetable s (a * d) (a * (n - 1)) opposite turned.
    Proof. now apply turned_timetable. Qed.
    Let tight : a * (n - 1) * d < a * d * (n - 1) + d.
    Proof. nia. Qed.

    (** a d packets of every node get to all nodes in a (n - 1) rounds, and no schedule takes fewer. *)
    Theorem turned_allgather_optimal :
      optimal (problem_of_plan turned_allgather) (rounds_of_plan turned_allgather) /\ len (rounds_of_plan turned_allgather) = a * (n - 1).
    Proof. split; [now apply allgather_of_optimal with (opposite := opposite)|apply allgather_of_rounds]. Qed.
    Theorem turned_reduce_scatter_optimal :
      optimal (problem_of_plan turned_reduce_scatter) (rounds_of_plan turned_reduce_scatter) /\
      len (rounds_of_plan turned_reduce_scatter) = a * (n - 1).
    Proof. split; [now apply reduce_scatter_of_optimal|apply reduce_scatter_of_rounds]. Qed.
    Theorem turned_allreduce_optimal :
      optimal (problem_of_plan turned_allreduce) (rounds_of_plan turned_allreduce) /\ len (rounds_of_plan turned_allreduce) = 2 * (a * (n - 1)).
    Proof.
      split; [apply allreduce_of_optimal; auto|apply allreduce_of_rounds].
      replace (2 * (a * d * (n - 1)) + d - 1) with (2 * (a * (n - 1)) * d + (d - 1)) by nia.
      rewrite N.div_add_l, N.div_small by lia. lia.
    Qed.
  End Opposite.

  Hypothesis S : shortest s level port.
  Let shortest_positive y : y < n -> 0 < level y -> y <> 0.
  Proof. intros _ H ->. rewrite (short_root _ _ _ S) in H. lia. Qed.
  Let positive_shortest y : y < n -> y <> 0 -> 0 < level y.
  Proof. intros Hy NZ. pose proof (short_down _ _ _ S y Hy NZ). lia. Qed.

  (** a d packets from every node to every other take a times the sum of the distances, and no schedule takes fewer rounds. *)
  Theorem turned_alltoall_optimal :
    optimal (problem_of_plan turned_alltoall) (rounds_of_plan turned_alltoall) /\
    len (rounds_of_plan turned_alltoall) = a * sum level (range n).
  Proof.
    apply exchange_optimal; auto.
    - intros b j Hb Hj. nia.
    - intros y y' b b' j j' Hy Hy' _ _ Hj Hj' E E2.
      assert (b = b') as <- by (rewrite <- (split_div d b j), <- (split_div d b' j'), E2 by lia; reflexivity).
      assert (j = j') as <- by lia. apply (turn_inj s sigma tau) in E; auto. lia.
    - intros x q Hx NZ Hq. exists (N.iter (d - q mod d) sigma x), (q / d), (q mod d).
      assert (Hj : q mod d < d) by (apply N.mod_lt; lia). assert (Hy : N.iter (d - q mod d) sigma x < n) by now apply (turn_lt s sigma tau).
      split; [assumption|]. split; [apply positive_shortest; auto; apply (turn_nonzero s sigma tau); auto; apply N.le_sub_l|].
      split; [apply N.div_lt_upper_bound; lia|]. split; [assumption|].
      split; [apply (turn_forth s sigma tau); auto; now apply N.lt_le_incl|]. apply quotient. lia.
    - lia.
  Qed.

  (** If no node but 0 stays in its place, a packets take a / d times the sum of the distances, and no schedule takes fewer rounds. *)
  Hypothesis free : forall y j j', y < n -> y <> 0 -> j < d -> j' < d -> N.iter j sigma y = N.iter j' sigma y -> j = j'.

  Lemma level_turn_le j y : y < n -> level (N.iter j sigma y) <= level y.
  Proof.
    assert (X : forall h y, y < n -> level y = h -> level (N.iter j sigma y) <= h).
    { induction h as [|h IH] using N.peano_ind; intros v Hv E.
      - assert (v = 0) as -> by (destruct (N.eq_dec v 0) as [|NZ]; [assumption|]; pose proof (positive_shortest v Hv NZ); lia).
        rewrite (turn_0 s sigma tau) by assumption. rewrite (short_root _ _ _ S). lia.
      - assert (NZ : v <> 0) by (intros ->; rewrite (short_root _ _ _ S) in E; lia).
        pose proof (short_down _ _ _ S v Hv NZ) as D. pose proof (short_port _ _ _ S v Hv NZ) as Hp. pose proof (before_lt s ok port v) as Lb.
        assert (Nx : next s (N.iter j sigma (before s port v), N.iter j tau (port v)) = N.iter j sigma v).
        { rewrite (turn_next s sigma tau) by assumption. f_equal. now apply next_before. }
        rewrite <- Nx.
        etransitivity; [apply (short_step _ _ _ S); [now apply (turn_lt s sigma tau)|now apply (turn_generator s sigma tau)]|].
        specialize (IH _ Lb ltac:(lia)). lia. }
    intros Hy. now apply X.
  Qed.
  Lemma first_exists x : x < n -> exists y j, y < n /\ j < d /\ first_turn y = true /\ N.iter j sigma y = x.
  Proof.
    (* the least of all turns *)
    assert (X : forall m y, y < n -> y <= m -> exists k, first_turn (N.iter k sigma y) = true).
    { induction m as [|m IH] using N.peano_ind; intros y Hy L.
      - exists 0. cbn. unfold first_turn. apply forallb_forall. intros j _. apply N.leb_le. lia.
      - destruct (first_turn y) eqn:E; [exists 0; exact E|].
        destruct (existsb (fun j => N.iter j sigma y <? y) (range d)) eqn:F.
        + apply existsb_exists in F as (j & _ & F). apply N.ltb_lt in F.
          destruct (IH (N.iter j sigma y)) as (k & Hk); [now apply (turn_lt s sigma tau)|lia|].
          exists (k + j). now rewrite N.iter_add.
        + exfalso. enough (first_turn y = true) by congruence. unfold first_turn. apply forallb_forall. intros j Hj. apply N.leb_le.
          destruct (N.lt_ge_cases (N.iter j sigma y) y) as [G|]; [exfalso|assumption].
          enough (existsb (fun j => N.iter j sigma y <? y) (range d) = true) by congruence.
          apply existsb_exists. exists j. split; [assumption|]. now apply N.ltb_lt. }
    intros Hx. destruct (X x x Hx ltac:(lia)) as (k & Hk).
    assert (P : forall m z, z < n -> N.iter (m * d) sigma z = z).
    { induction m as [|m IH] using N.peano_ind; intros z Hz; [reflexivity|].
      rewrite N.mul_succ_l, N.iter_add, (turns_back _ _ _ rot) by assumption. now apply IH. }
    set (y := N.iter k sigma x) in *. assert (Hy : y < n) by now apply (turn_lt s sigma tau).
    assert (M : k mod d < d) by (apply N.mod_lt; lia).
    exists y, ((d - k mod d) mod d). split; [assumption|]. split; [apply N.mod_lt; lia|]. split; [assumption|].
    unfold y. rewrite <- N.iter_add.
    assert (Z : exists m, (d - k mod d) mod d + k = m * d).
    { pose proof (quotient k d ltac:(lia)) as K. destruct (N.eq_dec (k mod d) 0) as [E|NE].
      - rewrite E, N.sub_0_r, N.mod_same by lia. exists (k / d). rewrite E, N.add_0_r in K. rewrite N.add_0_l. now symmetry.
      - rewrite (N.mod_small (d - k mod d)) by (set (u := k mod d) in *; clearbody u; lia). exists (k / d + 1).
        set (u := k mod d) in *. set (v := k / d) in *. clearbody u v. nia. }
    destruct Z as (m & ->). now apply P.
  Qed.
  Lemma first_same y y' j j' : y < n -> y' < n -> j < d -> j' < d -> first_turn y = true -> first_turn y' = true ->
    N.iter j sigma y = N.iter j' sigma y' -> y = y'.
  Proof.
    intros Hy Hy' Hj Hj' F F' E. unfold first_turn in F, F'. rewrite forallb_forall in F, F'.
    assert (X : forall u v i i', u < n -> v < n -> i < d -> i' < d -> (forall j, In j (range d) -> (u <=? N.iter j sigma u) = true) ->
      N.iter i sigma u = N.iter i' sigma v -> u <= v).
    { intros u v i i' Hu Hv Hi Hi' G Q. assert (R : v = N.iter (d - i' + i) sigma u).
      { rewrite N.iter_add, Q. symmetry. apply (turn_back s sigma tau); auto. lia. }
      destruct (N.lt_ge_cases (d - i' + i) d) as [L|L].
      - rewrite R. apply N.leb_le, G. now apply range_In.
      - replace (d - i' + i) with (i - i' + d) in R by lia. rewrite N.iter_add, (turns_back _ _ _ rot) in R by assumption.
        rewrite R. apply N.leb_le, G. apply range_In. lia. }
    apply N.le_antisymm; [now apply (X y y' j j')|]. now apply (X y' y j' j).
  Qed.

  Lemma level_turn j y : j < d -> y < n -> level (N.iter j sigma y) = level y.
  Proof.
    intros Hj Hy. apply N.le_antisymm; [now apply level_turn_le|].
    assert (B : N.iter (d - j) sigma (N.iter j sigma y) = y) by (apply (turn_back s sigma tau); auto; lia).
    rewrite <- B at 1. apply level_turn_le. now apply (turn_lt s sigma tau).
  Qed.
  Lemma first_level_spec y : y < n -> 0 < first_level y -> first_turn y = true /\ level y = first_level y /\ y <> 0.
  Proof.
    intros Hy H. unfold first_level in *. destruct (first_turn y); [|lia]. split; [reflexivity|]. split; [reflexivity|]. now apply shortest_positive.
  Qed.
  Lemma first_apart y y' j j' : y < n -> y' < n -> 0 < first_level y -> 0 < first_level y' -> j < d -> j' < d ->
    N.iter j sigma y = N.iter j' sigma y' -> y = y' /\ j = j'.
  Proof.
    intros Hy Hy' H H' Hj Hj' E. destruct (first_level_spec y Hy H) as (F & _ & NZ), (first_level_spec y' Hy' H') as (F' & _).
    assert (y = y') as <- by now apply (first_same y y' j j'). split; [reflexivity|]. now apply (free y).
  Qed.
  Lemma sum_if (f : N -> N) q l : sum f (filter q l) = sum (fun x => if q x then f x else 0) l.
  Proof. induction l as [|x l IH]; [reflexivity|]. cbn [filter sum]. rewrite <- IH. destruct (q x); reflexivity. Qed.
  Lemma sum_incl (f : N -> N) (l m : list N) : NoDup l -> NoDup m -> incl l m -> sum f l <= sum f m.
  Proof.
    intros D D' I. rewrite (sum_count N.eq_dec f l m D' I). apply sum_le. intros x _.
    assert (count_occ N.eq_dec l x <= 1)%nat by now apply NoDup_count_occ. nia.
  Qed.
  (** The first turns have a d-th of all levels. *)
  Lemma first_sum : sum first_level (range n) * d = sum level (range n).
  Proof.
    set (Y := filter (fun y => 0 <? first_level y) (range n)).
    set (M := map (fun k : N * N => N.iter (snd k) sigma (fst k)) (list_prod Y (range d))).
    assert (HY : forall y, In y Y <-> y < n /\ 0 < first_level y) by (intros y; unfold Y; now rewrite filter_In, range_In, N.ltb_lt).
    assert (SY : sum first_level (range n) = sum level Y).
    { unfold Y. rewrite sum_if. apply sum_eq. intros y _. unfold first_level. destruct (first_turn y); [|reflexivity].
      destruct (N.ltb_spec 0 (level y)); lia. }
    assert (SM : sum level M = sum level Y * d).
    { unfold M. rewrite sum_map. rewrite (sum_eq _ (fun k : N * N => level (fst k))).
      - clear. induction Y as [|y l IH]; [reflexivity|]. cbn [list_prod sum]. rewrite sum_app, sum_map, IH. cbn [fst].
        rewrite sum_const, len_range. lia.
      - intros (y, j) Hk. apply in_prod_iff in Hk as (Hy & Hj). apply HY in Hy as (Hy & _). apply range_In in Hj. now apply level_turn. }
    assert (DM : NoDup M).
    { unfold M. apply NoDup_map_inj; [|apply NoDup_prod; [apply NoDup_filter|]; apply range_once].
      intros (y, j) (y', j') Hk Hk' E. apply in_prod_iff in Hk as (Hy & Hj), Hk' as (Hy' & Hj'). apply HY in Hy as (Hy & L), Hy' as (Hy' & L').
      apply range_In in Hj, Hj'. cbn [fst snd] in E. destruct (first_apart y y' j j') as (-> & ->); auto. }
    rewrite SY, <- SM. apply N.le_antisymm.
    - apply sum_incl; auto; [apply range_once|]. intros x Hx. apply in_map_iff in Hx as ((y, j) & <- & Hk). apply in_prod_iff in Hk as (Hy & _).
      apply HY in Hy as (Hy & _). apply range_In. now apply (turn_lt s sigma tau).
    - transitivity (sum level (filter (fun x => negb (x =? 0)) (range n))).
      + rewrite sum_if. apply sum_le. intros x _. destruct (N.eqb_spec x 0) as [->|]; cbn [negb]; [|lia]. rewrite (short_root _ _ _ S). lia.
      + apply sum_incl; auto; [apply NoDup_filter, range_once|]. intros x Hx. apply filter_In in Hx as (Hx & NZ). apply range_In in Hx.
        apply negb_true_iff, N.eqb_neq in NZ. destruct (first_exists x Hx) as (y & j & Hy & Hj & F & <-). apply in_map_iff. exists (y, j).
        split; [reflexivity|]. apply in_prod_iff. split; [apply HY|now apply range_In]. split; [assumption|]. unfold first_level. rewrite F.
        apply positive_shortest; auto. intros ->. apply NZ. now apply (turn_0 s sigma tau).
  Qed.

  Theorem free_alltoall_optimal :
    optimal (problem_of_plan free_alltoall) (rounds_of_plan free_alltoall) /\
    len (rounds_of_plan free_alltoall) = a * (sum level (range n) / d).
  Proof.
    assert (E : sum first_level (range n) = sum level (range n) / d) by (rewrite <- first_sum; symmetry; apply N.div_mul; lia).
    rewrite <- E. apply exchange_optimal; auto.
    - intros y. unfold first_level. destruct (first_turn y); auto.
    - intros y y' b b' j j' Hy Hy' H H' Hj Hj' E1 E2. destruct (first_apart y y' j j') as (-> & ->); auto.
    - intros x q Hx NZ Hq. destruct (first_exists x Hx) as (y & j & Hy & Hj & F & <-). exists y, q, j. repeat split; auto.
      unfold first_level. rewrite F. apply positive_shortest; auto. intros ->. apply NZ. now apply (turn_0 s sigma tau).
    - rewrite <- first_sum. lia.
  Qed.
End Theorems.
