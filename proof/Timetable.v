(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Allgather, reduce-scatter and allreduce from one timetable, on any Cayley graph of an abelian group.

    A timetable says how node 0 broadcasts P packets: in round r, packet j goes over port p of node w. It uses a port once a round, whatever the
    node, for all nodes broadcast alike and their broadcasts must not meet on a link; it sends no packet on before the round after its
    arrival; and every packet arrives once at every node.

    Translated by all nodes, it is an allgather. In reverse order, over the opposite links, sums are moved instead of copied, and it is a
    reduce-scatter: what a node has of a sum leaves in the round in which the packet would have come. One after the other, they are an allreduce.

    Bounds. Every node must receive, or send, P (n - 1) packets over its d ports; in an allreduce a packet takes 2 (n - 1) hops at least. So if
    T rounds are ceil(P (n - 1) / d), nothing is shorter; the allreduce of 2 T rounds is optimal or takes one round more than that bound.

    The definitions [timetable], [allgather_of], [reduce_scatter_of] and [allreduce_of] say what the plans are. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Late Plan Tally Translate Simulate Valid Lower Checker Rounds.
Import ListNotations.
Open Scope N_scope.

(** Packet j, from node w, over port p. *)
Definition entry := (N * node * N)%type.

Record timetable (s : shape) (P T : N) (opposite : N -> N) (table : N -> list entry) : Prop := {
  ports_once : forall r, r < T -> NoDup (map (fun e => snd e) (table r));
  in_bounds : forall r j w p, r < T -> In (j, w, p) (table r) -> j < P /\ w < size s /\ p < degree s;
  in_time : forall r j w p, r < T -> In (j, w, p) (table r) ->
    w = 0 \/ exists r' w' p', r' < r /\ In (j, w', p') (table r') /\ next s (w', p') = w;
  everywhere : forall v j, v < size s -> v <> 0 -> j < P -> exists r w p, r < T /\ In (j, w, p) (table r) /\ next s (w, p) = v;
  not_home : forall r j w p, r < T -> In (j, w, p) (table r) -> next s (w, p) <> 0;
  once : forall r r' j w w' p p', r < T -> r' < T -> In (j, w, p) (table r) -> In (j, w', p') (table r') -> next s (w, p) = next s (w', p') ->
    r = r' /\ w = w' /\ p = p';
  way_back : forall w p, w < size s -> p < degree s -> opposite p < degree s /\ next s (next s (w, p), opposite p) = w;
  one_way_back : forall p p', p < degree s -> p' < degree s -> opposite p = opposite p' -> p = p' }.

(** The packets of a node are known by it and their numbers; a sum that ends at a node, too. *)
Definition own (P : N) : traffics := Symmetric (map (fun j => (0, j)) (range P)).
Definition spread (table : N -> list entry) (r : N) : round := map (fun e : entry => let '(j, w, p) := e in ((0, 0, j), (w, p))) (table r).
Definition collect (s : shape) (T : N) (opposite : N -> N) (table : N -> list entry) (r : N) : round :=
  map (fun e : entry => let '(j, w, p) := e in ((0, 0, j), (next s (w, p), opposite p))) (table (T - 1 - r)).

Definition allgather_of s P T table : plan :=
  PlanOf s (all_ports (degree s)) Spread (own P) All 0 P [] (map (spread table) (range T)).
Definition reduce_scatter_of s P T opposite table : plan :=
  PlanOf s (all_ports (degree s)) Collect (own P) All 0 P (map (collect s T opposite table) (range T)) [].
Definition allreduce_of s P T opposite table : plan :=
  PlanOf s (all_ports (degree s)) Share (own P) All 0 P (map (collect s T opposite table) (range T)) (map (spread table) (range T)).

Section Timetable.
  Variables (s : shape) (P T : N) (opposite : N -> N) (table : N -> list entry).
  Hypotheses (ok : sound_shape s All) (intact : failures s = None) (plan_ok : timetable s P T opposite table).
  Notation n := (size s).
  Notation d := (degree s).
  Notation W := (network_of s).
  Notation "x ⊕ y" := (add (moduli s) x y) (at level 50).
  Let positive : positive_moduli (moduli s) := proj1 ok.

  Lemma size_pos : 0 < n. Proof. now apply order_pos. Qed.
  Lemma onto u o : u < n -> o < n -> exists v, v < n /\ u = v ⊕ o.
  Proof. intros Hu Ho. exists (sub (moduli s) u o). split; [now apply sub_lt|]. symmetry. now apply sub_add. Qed.

  (** Node v, if node 0 broadcasts, has packet j before round r. *)
  Definition reached (r v j : N) : Prop := v = 0 \/ exists r' w p, r' < r /\ In (j, w, p) (table r') /\ next s (w, p) = v.

  Lemma reached_sender r j w p : r < T -> In (j, w, p) (table r) -> reached r w j.
  Proof. intros Hr H. exact (in_time _ _ _ _ _ plan_ok r j w p Hr H). Qed.
  Lemma reached_all v j : v < n -> j < P -> reached T v j.
  Proof. intros Hv Hj. destruct (N.eq_dec v 0); [now left|right]. now apply (everywhere _ _ _ _ _ plan_ok). Qed.
  Lemma reached_more r v j : reached r v j -> reached (r + 1) v j.
  Proof. intros [|(r' & w & p & L & H)]; [now left|right]. exists r', w, p. split; [lia|exact H]. Qed.

  Lemma in_spread r q y p : In (q, (y, p)) (expand s All (spread table r)) <->
    exists g j w, g < n /\ In (j, w, p) (table r) /\ q = (g, g, j) /\ y = w ⊕ g.
  Proof.
    rewrite in_expand. split.
    - intros (g & q0 & v0 & Hg & H & -> & ->). apply every_translation in Hg; auto.
      apply in_map_iff in H as (((j, w), p') & E & H). injection E as <- <- <-.
      exists g, j, w. cbn [move]. rewrite !add_0_l by assumption. auto.
    - intros (g & j & w & Hg & H & -> & ->). exists g, (0, 0, j), w. rewrite every_translation. cbn [move]. rewrite !add_0_l by assumption.
      repeat split; auto. apply in_map_iff. now exists (j, w, p).
  Qed.
  Lemma in_collect r q y p' : In (q, (y, p')) (expand s All (collect s T opposite table r)) <->
    exists g j w p, g < n /\ In (j, w, p) (table (T - 1 - r)) /\ q = (g, g, j) /\ y = next s (w, p) ⊕ g /\ p' = opposite p.
  Proof.
    rewrite in_expand. split.
    - intros (g & q0 & v0 & Hg & H & -> & ->). apply every_translation in Hg; auto.
      apply in_map_iff in H as (((j, w), p) & E & H). injection E as <- <- <-.
      exists g, j, w, p. cbn [move]. rewrite !add_0_l by assumption. auto.
    - intros (g & j & w & p & Hg & H & -> & -> & ->). exists g, (0, 0, j), (next s (w, p)). rewrite every_translation. cbn [move].
      rewrite !add_0_l by assumption. repeat split; auto. apply in_map_iff. now exists (j, w, p).
  Qed.

  Lemma spread_within r : r < T -> within W (all_ports d) (expand s All (spread table r)).
  Proof.
    intros Hr. apply ports_within; auto.
    - intros h Hh. apply in_map_iff in Hh as (((j, w), p) & <- & H). apply (in_bounds _ _ _ _ _ plan_ok) in H; tauto.
    - unfold spread. rewrite map_map. erewrite map_ext; [now apply (ports_once _ _ _ _ _ plan_ok r)|]. intros ((j, w), p). reflexivity.
  Qed.
  Lemma collect_within r : r < T -> within W (all_ports d) (expand s All (collect s T opposite table r)).
  Proof.
    intros Hr. apply ports_within; auto.
    - intros h Hh. apply in_map_iff in Hh as (((j, w), p) & <- & H). apply (in_bounds _ _ _ _ _ plan_ok) in H; [|lia]. cbn [fst snd].
      split; [now apply (next_lt s All)|]. apply (way_back _ _ _ _ _ plan_ok w p); tauto.
    - unfold collect. rewrite map_map. rewrite (map_ext _ (fun e : entry => opposite (snd e))) by (intros ((j, w), p); reflexivity).
      rewrite <- (map_map (fun e : entry => snd e) opposite). apply NoDup_map_inj; [|apply (ports_once _ _ _ _ _ plan_ok); lia].
      intros p p' Hp Hp' E. apply in_map_iff in Hp as (((j, w), p1) & <- & H), Hp' as (((j', w'), p2) & <- & H').
      apply (in_bounds _ _ _ _ _ plan_ok) in H, H'; try lia. apply (one_way_back _ _ _ _ _ plan_ok); tauto.
  Qed.

  Lemma traffic_iff o t j L k : traffic (problem_of s L k (own P)) (o, t, j) <-> o < n /\ t = o /\ j < P.
  Proof.
    cbn [problem_of traffic traffic_of own]. split.
    - intros (Ho & Ht & H). apply in_map_iff in H as (j' & E & Hj). injection E as E ->. apply range_In in Hj. repeat split; auto.
      rewrite <- (sub_add (moduli s) positive t o) by assumption. rewrite <- E. now apply add_0_l.
    - intros (Ho & -> & Hj). repeat split; auto. apply in_map_iff. exists j. split; [|now apply range_In].
      f_equal. unfold sub. symmetry. now apply add_neg.
  Qed.

  (** * Copies: who has all that goes into a packet hands it on *)

  (** [C o]: the nodes that contribute to the packets of node o. *)
  Definition informed (C : node -> node -> Prop) (r : N) (H : holding) : Prop :=
    forall o j v u, o < n -> j < P -> v < n -> reached r v j -> C o u -> H (o, o, j) u (v ⊕ o).

  Lemma spread_step k (C : node -> node -> Prop) r H : let Pb := problem_of s (all_ports d) k (own P) in (forall o, C o o) ->
    (forall o j u v, demand Pb (o, o, j) u v -> C o u) -> r < T -> informed C r H ->
    let R := expand s All (spread table r) in legal Pb true R H /\ within (net Pb) (lim Pb) R /\ informed C (r + 1) (after (net Pb) true R H).
  Proof.
    intros Pb CC DC Hr I. cbn zeta.
    assert (S : forall g j w p u, g < n -> In (j, w, p) (table r) -> C g u -> H (g, g, j) u (w ⊕ g)).
    { intros g j w p u Hg HIn Hu. destruct (in_bounds _ _ _ _ _ plan_ok _ _ _ _ Hr HIn) as (Hj & Hw & _). apply I; auto.
      now apply (reached_sender r j w p). }
    split; [split; [|split]|split].
    - intros q (y, p) Hh. apply in_spread in Hh as (g & j & w & Hg & HIn & -> & ->). exists g. cbn [net Pb problem_of network_of src fst].
      eapply S; eauto.
    - discriminate.
    - intros _ q (y, p) u v Hh D. apply in_spread in Hh as (g & j & w & Hg & HIn & -> & ->). eapply S; eauto.
    - now apply spread_within.
    - intros o j v u Ho Hj Hv [->|(r' & w & p & L & HIn & E)] Hu; [right; split; [|now left]; apply I; auto; now left|].
      destruct (N.eq_dec r' r) as [->|NE].
      + left. exists (w ⊕ o, p). split; [|split].
        * apply in_spread. exists o, j, w. auto.
        * cbn [net Pb problem_of network_of dst]. rewrite next_shift with (r := All) by assumption. exact (f_equal (fun x => x ⊕ o) E).
        * cbn [net Pb problem_of network_of src fst]. eapply S; eauto.
      + right. split; [|now left]. apply I; auto. right. exists r', w, p. split; [lia|auto].
  Qed.

  (** * Sums: every contribution is at a node that the packet would have reached *)
  Definition gathered (r : N) (H : holding) : Prop :=
    forall o j v, o < n -> j < P -> v < n ->
      (exists v', v' < n /\ reached r v' j /\ H (o, o, j) (v ⊕ o) (v' ⊕ o)) /\ (reached r v j -> H (o, o, j) (v ⊕ o) (v ⊕ o)).

  Lemma collect_step k r H : let Pb := problem_of s (all_ports d) k (own P) in r < T -> gathered (T - r) H ->
    let R := expand s All (collect s T opposite table r) in
    legal Pb false R H /\ within (net Pb) (lim Pb) R /\ gathered (T - (r + 1)) (after (net Pb) false R H).
  Proof.
    intros Pb Hr I. cbn zeta. set (e := T - 1 - r). replace (T - r) with (e + 1) in I by lia. replace (T - (r + 1)) with e by lia.
    assert (He : e < T) by lia.
    assert (stays : forall o j v u, o < n -> v < n -> reached e v j -> H (o, o, j) u (v ⊕ o) ->
      after W false (expand s All (collect s T opposite table r)) H (o, o, j) u (v ⊕ o)).
    { intros o j v u Ho Hv HR HH. right. split; [exact HH|]. right. intros (y, p') Hh E. cbn [network_of src fst] in E.
      apply in_collect in Hh as (g & j' & w & p & Hg & HIn & Q & -> & _). fold e in HIn. injection Q as <- _ <-.
      apply (add_cancel (moduli s) positive) in E; auto; try now apply (next_lt s All).
      destruct HR as [->|(r' & w' & p2 & L & HIn' & E')].
      - now apply (not_home _ _ _ _ _ plan_ok e j w p He HIn).
      - destruct (once _ _ _ _ _ plan_ok e r' j w w' p p2) as (X & _); auto; [lia|congruence|lia]. }
    split; [split; [|split]|split].
    - intros q (y, p') Hh. apply in_collect in Hh as (g & j & w & p & Hg & HIn & -> & -> & ->). fold e in HIn.
      destruct (in_bounds _ _ _ _ _ plan_ok _ _ _ _ He HIn) as (Hj & Hw & Hp).
      exists (next s (w, p) ⊕ g). cbn [net Pb problem_of network_of src fst]. apply I; auto; [now apply (next_lt s All)|].
      right. exists e, w, p. split; [lia|auto].
    - intros _ q (y, p1) (y', p2) Hh Hh' E. cbn in E. subst y'.
      apply in_collect in Hh as (g & j & w & p & Hg & HIn & -> & -> & ->), Hh' as (g' & j' & w' & p' & Hg' & HIn' & Q & E & ->).
      injection Q as <- _ <-. fold e in HIn, HIn'. apply (add_cancel (moduli s) positive) in E; auto; try now apply (next_lt s All).
      destruct (once _ _ _ _ _ plan_ok e e j w w' p p') as (_ & _ & ->); auto.
    - discriminate.
    - now apply collect_within.
    - intros o j v Ho Hj Hv. destruct (I o j v Ho Hj Hv) as ((v' & Hv' & HR & HH) & Own). split.
      + destruct HR as [->|(r' & w & p & L & HIn & E)].
        * exists 0. split; [assumption|]. split; [now left|]. apply stays; auto. now left.
        * destruct (N.eq_dec r' e) as [->|NE].
          -- destruct (in_bounds _ _ _ _ _ plan_ok _ _ _ _ He HIn) as (_ & Hw & Hp). destruct (way_back _ _ _ _ _ plan_ok w p Hw Hp) as (_ & B).
             exists w. split; [assumption|]. split; [now apply (reached_sender e j w p)|]. left. exists (v' ⊕ o, opposite p). split; [|split].
             ++ apply in_collect. exists o, j, w, p. fold e. rewrite E. auto.
             ++ cbn [net Pb problem_of network_of dst]. rewrite next_shift with (r := All) by assumption.
                rewrite <- E. exact (f_equal (fun x => x ⊕ o) B).
             ++ exact HH.
          -- exists v'. split; [assumption|].
             assert (reached e v' j) by (right; exists r', w, p; split; [lia|auto]). split; [assumption|]. now apply stays.
      + intros HR'. apply stays; auto. apply Own. now apply reached_more.
  Qed.

  Lemma gathered_start k : k = Collect \/ k = Share -> gathered T (start (problem_of s (all_ports d) k (own P))).
  Proof.
    intros K o j v Ho Hj Hv. assert (X : start (problem_of s (all_ports d) k (own P)) (o, o, j) (v ⊕ o) (v ⊕ o)).
    { split; [reflexivity|]. split; [apply every_node; auto; now apply add_lt|]. split; [now apply traffic_iff|]. destruct K as [-> | ->]; exact I. }
    split; [|auto]. exists v. split; [assumption|]. split; [now apply reached_all|exact X].
  Qed.
  Lemma gathered_end H o j u : gathered 0 H -> o < n -> j < P -> u < n -> H (o, o, j) u o.
  Proof.
    intros I Ho Hj Hu. destruct (onto u o Hu Ho) as (v & Hv & ->). destruct (I o j v Ho Hj Hv) as ((v' & Hv' & [->|(r' & _ & _ & L & _)] & HH) & _).
    - now rewrite add_0_l in HH by assumption.
    - now apply N.nlt_0_r in L.
  Qed.

  (** * The three plans are valid *)

  Theorem allgather_of_valid : valid (problem_of_plan (allgather_of s P T table)) (rounds_of_plan (allgather_of s P T table)).
  Proof.
    unfold rounds_of_plan, problem_of_plan, schedule, allgather_of. cbn [on under task moved replicated moves copies map]. rewrite app_nil_l, map_map.
    apply (valid_by_invariant _ true (fun r => expand s All (spread table r)) T (informed (fun o u => u = o))).
    - intros o j v u Ho Hj Hv [->|(r' & _ & _ & L & _)] ->; [|now apply N.nlt_0_r in L]. rewrite add_0_l by assumption.
      split; [reflexivity|]. split; [now apply every_node|]. split; [now apply traffic_iff|reflexivity].
    - intros r H Hr I. apply (spread_step Spread); auto. intros o j u v D. apply D.
    - intros H I ((o, t), j) u v (D & _ & Hv & ->). apply traffic_iff in D as (Ho & -> & Hj). apply every_node in Hv; auto.
      destruct (onto v o Hv Ho) as (v' & Hv' & ->). apply I; auto. now apply reached_all.
  Qed.
  Theorem reduce_scatter_of_valid :
    valid (problem_of_plan (reduce_scatter_of s P T opposite table)) (rounds_of_plan (reduce_scatter_of s P T opposite table)).
  Proof.
    unfold rounds_of_plan, problem_of_plan, schedule, reduce_scatter_of. cbn [on under task moved replicated moves copies map].
    rewrite app_nil_r, map_map.
    apply (valid_by_invariant _ false (fun r => expand s All (collect s T opposite table r)) T (fun r => gathered (T - r))).
    - rewrite N.sub_0_r. apply gathered_start. now left.
    - intros r H Hr I. now apply (collect_step Collect).
    - intros H I ((o, t), j) u v (D & Hu & _ & ->). apply traffic_iff in D as (Ho & -> & Hj). apply every_node in Hu; auto.
      rewrite N.sub_diag in I. now apply gathered_end.
  Qed.
  Theorem allreduce_of_valid : valid (problem_of_plan (allreduce_of s P T opposite table)) (rounds_of_plan (allreduce_of s P T opposite table)).
  Proof.
    unfold rounds_of_plan, problem_of_plan, schedule, allreduce_of. cbn [on under task moved replicated moves copies]. rewrite !map_map.
    apply (run_by_invariant _ false (fun r => expand s All (collect s T opposite table r)) T (fun r => gathered (T - r))).
    - intros r H Hr I. now apply (collect_step Share).
    - intros H I. rewrite N.sub_diag in I. rewrite <- (app_nil_r (map _ _)).
      apply (run_by_invariant _ true (fun r => expand s All (spread table r)) T (informed (fun o u => u < n \/ u = o))).
      + intros r H' Hr I'. apply (spread_step Share); auto. intros o j u v (_ & Hu & _). left. now apply every_node in Hu.
      + intros H' I' ((o, t), j) u v (D & Hu & Hv & _). apply traffic_iff in D as (Ho & -> & Hj). apply every_node in Hu, Hv; auto.
        destruct (onto v o Hv Ho) as (v' & Hv' & ->). apply I'; auto. now apply reached_all.
      + intros o j v u Ho Hj Hv [->|(r' & _ & _ & L & _)] Hu; [|now apply N.nlt_0_r in L]. rewrite add_0_l by assumption.
        apply gathered_end; auto. destruct Hu as [| ->]; assumption.
    - rewrite N.sub_0_r. apply gathered_start. now right.
  Qed.

  (** * Bounds *)

  (** The packets and the nodes that they must get to, or come from. *)
  Lemma own_pairs : exists Q : list (packet * node), NoDup Q /\ len Q = P * n * (n - 1) /\
    forall k, In k Q -> exists o j, o < n /\ j < P /\ snd k < n /\ fst k = (o, o, j) /\ snd k <> o.
  Proof.
    exists (map (fun k : packet * N => (fst k, snd k ⊕ snd (fst (fst k))))
      (list_prod (map (fun k : N * N => (fst k, fst k, snd k)) (list_prod (range n) (range P))) (map N.succ (range (n - 1))))).
    pose proof size_pos as N0. split; [|split].
    - apply NoDup_map_inj.
      + intros (q, v) (q', v') Hk Hk' E. apply in_prod_iff in Hk as (Hq & Hv), Hk' as (Hq' & Hv'). cbn [fst snd] in E. injection E as -> E. f_equal.
        apply in_map_iff in Hv as (a & <- & Ha), Hv' as (a' & <- & Ha'). apply range_In in Ha, Ha'.
        apply in_map_iff in Hq' as ((o, j) & <- & Ho). apply in_prod_iff in Ho as (Ho & _). apply range_In in Ho. cbn [fst snd] in E.
        apply (add_cancel (moduli s) positive _ _ o); auto; change (order (moduli s)) with n; lia.
      + apply NoDup_prod; apply NoDup_map_inj; try apply range_once.
        * intros (o, j) (o', j') _ _ E. cbn in E. congruence.
        * apply NoDup_prod; apply range_once.
        * intros; lia.
    - rewrite len_map, len_prod, !len_map, len_prod, !len_range. lia.
    - intros k Hk. apply in_map_iff in Hk as ((q, v) & <- & Hk). apply in_prod_iff in Hk as (Hq & Hv).
      apply in_map_iff in Hq as ((o, j) & <- & Ho). apply in_prod_iff in Ho as (Ho & Hj). apply range_In in Ho, Hj.
      apply in_map_iff in Hv as (a & <- & Ha). apply range_In in Ha. cbn [fst snd]. exists o, j. repeat split; auto; [now apply add_lt|].
      intros E. assert (X : N.succ a = 0); [|lia].
      apply (add_cancel (moduli s) positive _ _ o); auto; try (change (order (moduli s)) with n; lia). now rewrite (add_0_l _ o).
  Qed.

  Lemma capacity_all : most_used W (all_ports d) = n * d.
  Proof. unfold most_used. cbn [all_ports half_duplex Model.ports]. f_equal. now apply len_nodes. Qed.

  (** P (n - 1) packets over d ports. *)
  Lemma copies_bound k c : k = Spread \/ k = Collect -> competes (problem_of s (all_ports d) k (own P)) c -> P * (n - 1) <= len c * d.
  Proof.
    intros K (HW & HP). pose proof size_pos as N0. destruct own_pairs as (Q & D & L & HQ).
    assert (E : forall l, In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W)) by now apply link_ends.
    enough (X : len Q <= len c * (1 * (n * d))) by (rewrite L in X; nia).
    rewrite <- capacity_all. destruct K as [-> | ->].
    - apply (reception_bound W (all_ports d) c 1 Q (fun k => fst (fst (fst k)))); auto using nodes_once, links_once.
      intros k Hk. destruct (HQ k Hk) as (o & j & Ho & Hj & Hv & F & NE). rewrite F. cbn [fst snd]. split; [congruence|]. apply HP.
      split; [now apply traffic_iff|]. split; [now apply every_node|]. split; [now apply every_node|reflexivity].
    - replace (len c) with (len (rev c)) by (unfold len; now rewrite rev_length).
      apply (reception_bound (reversed W) (all_ports d) (rev c) 1 Q (fun k => fst (fst (fst k)))).
      + apply nodes_once.
      + apply links_once.
      + intros l Hl. cbn. apply and_comm. now apply E.
      + intros R HR. apply within_reversed, HW. now apply in_rev.
      + reflexivity.
      + exact D.
      + intros k Hk. destruct (HQ k Hk) as (o & j & Ho & Hj & Hv & F & NE). rewrite F. cbn [fst snd]. split; [congruence|]. apply path_reversed, HP.
        split; [now apply traffic_iff|]. split; [now apply every_node|]. split; [now apply every_node|reflexivity].
  Qed.
  Lemma sums_bound c : competes (problem_of s (all_ports d) Share (own P)) c -> 2 * (P * (n - 1)) <= len c * d.
  Proof.
    intros (HW & HP). pose proof size_pos as N0.
    set (Q := map (fun k : N * N => (fst k, fst k, snd k)) (list_prod (range n) (range P))).
    assert (L : len Q = n * P).
    { unfold Q. now rewrite len_map, len_prod, !len_range. }
    enough (X : len Q * (2 * (len (nodes W) - 1)) <= len c * (1 * (n * d))) by (rewrite L, (len_nodes s) in X by assumption; nia).
    rewrite <- capacity_all. apply (gossip_bound W (all_ports d) c 1 Q).
    - apply nodes_once.
    - intros E. apply (f_equal (@len node)) in E. rewrite (len_nodes s) in E by assumption. unfold len in E. cbn in E. lia.
    - apply links_once.
    - now apply link_ends.
    - exact HW.
    - reflexivity.
    - apply NoDup_map_inj; [|apply NoDup_prod; apply range_once]. intros (o, j) (o', j') _ _ E. cbn in E. congruence.
    - intros q u v Hq Hu Hv. apply in_map_iff in Hq as ((o, j) & <- & Ho). apply in_prod_iff in Ho as (Ho & Hj). apply range_In in Ho, Hj.
      apply HP. split; [now apply traffic_iff|]. split; [exact Hu|]. split; [exact Hv|exact I].
  Qed.

  Lemma allgather_of_rounds : len (rounds_of_plan (allgather_of s P T table)) = T.
  Proof. unfold rounds_of_plan, schedule, allgather_of. cbn [moves copies map]. rewrite app_nil_l, !len_map. apply len_range. Qed.
  Lemma reduce_scatter_of_rounds : len (rounds_of_plan (reduce_scatter_of s P T opposite table)) = T.
  Proof. unfold rounds_of_plan, schedule, reduce_scatter_of. cbn [moves copies map]. rewrite app_nil_r, !len_map. apply len_range. Qed.
  Lemma allreduce_of_rounds : len (rounds_of_plan (allreduce_of s P T opposite table)) = 2 * T.
  Proof. unfold rounds_of_plan, schedule, allreduce_of. cbn [moves copies]. rewrite len_app, !len_map, len_range. lia. Qed.

  (** * Optimal, if the timetable wastes less than one round of a node *)
  Hypothesis tight : T * d < P * (n - 1) + d.

  Theorem allgather_of_optimal : optimal (problem_of_plan (allgather_of s P T table)) (rounds_of_plan (allgather_of s P T table)).
  Proof.
    split; [apply allgather_of_valid|]. intros c C. pose proof (copies_bound Spread c (or_introl eq_refl) C) as B.
    pose proof allgather_of_rounds as L. assert (X : T <= len c) by nia. unfold len in *. lia.
  Qed.
  Theorem reduce_scatter_of_optimal :
    optimal (problem_of_plan (reduce_scatter_of s P T opposite table)) (rounds_of_plan (reduce_scatter_of s P T opposite table)).
  Proof.
    split; [apply reduce_scatter_of_valid|]. intros c C. pose proof (copies_bound Collect c (or_intror eq_refl) C) as B.
    pose proof reduce_scatter_of_rounds as L. assert (X : T <= len c) by nia. unfold len in *. lia.
  Qed.
  (** No schedule of an allreduce saves more than one round. *)
  Theorem allreduce_of_bound c : competes (problem_of_plan (allreduce_of s P T opposite table)) c ->
    2 * T <= len c + 1 /\ (2 * (P * (n - 1)) + d - 1) / d <= len c.
  Proof.
    intros C. pose proof (sums_bound c C) as B. split; [nia|].
    destruct (N.eq_dec d 0) as [Z|NZ]; [rewrite Z; destruct (2 * (P * (n - 1)) + 0 - 1); cbn; lia|].
    apply N.lt_succ_r, N.div_lt_upper_bound; [assumption|]. nia.
  Qed.
  Theorem allreduce_of_optimal : 2 * T = (2 * (P * (n - 1)) + d - 1) / d ->
    optimal (problem_of_plan (allreduce_of s P T opposite table)) (rounds_of_plan (allreduce_of s P T opposite table)).
  Proof.
    intros E. split; [apply allreduce_of_valid|]. intros c C. destruct (allreduce_of_bound c C) as (_ & B). pose proof allreduce_of_rounds as L.
    unfold len in *. lia.
  Qed.
End Timetable.
