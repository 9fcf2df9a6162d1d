(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The total exchange (alltoall) of the hypercube, for every dimension d >= 1 and every number P of packets per pair of nodes: a plan of
    P 2^(d-1) rounds is valid, and no schedule takes fewer.

    Method. All nodes do the same, so let x be the exclusive or of the two ends of a packet: it must cross the ports that are the bits of x, in
    any order. Give x and its complement, which have no bit in common, the number h(x) < 2^(d-1) of their pair. The packet crosses bit b in
    round h(x) + b modulo 2^(d-1). In a round port b then serves one pair, and of that pair the one number that has bit b; and as d <= 2^(d-1),
    a packet crosses its bits in different rounds. So every link carries one packet in every round.

    Bound. Half of all packets must cross port 0 of some node, and there are 2^d such links.

    The definitions [pair], [turn], [passing], [crossed], [alltoall_round] and [alltoall_plan] say what the plan is; the theorem is
    [alltoall_optimal]. The number of rounds is that of Bertsekas et al. 1991, Section 4; the order of the hops is not theirs. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Lower Checker Rounds Cube.
Import ListNotations.
Open Scope N_scope.

(** The number of the pair of x and its complement. *)
Definition pair (d x : N) : N := if N.testbit x (d - 1) then N.lnot x d else x.
(** The round in which the packets to x cross bit b. *)
Definition turn (d x b : N) : N := (pair d x + b) mod 2 ^ (d - 1).
(** Which packet crosses bit b in round r. *)
Definition passing (d r b : N) : N :=
  let y := (r + (2 ^ (d - 1) - b)) mod 2 ^ (d - 1) in if N.testbit y b then y else N.lnot y d.
(** What the packet to x has crossed before round r: where it is, if node 0 sent it. *)
Definition crossed (d r x : N) : N := bits d (fun b => N.testbit x b && (turn d x b <? r)).

(** Round k: part k / 2^(d-1) of every packet, and its round r. *)
Definition alltoall_round (d k : N) : round :=
  let r := k mod 2 ^ (d - 1) in
  map (fun b => let x := passing d r b in ((0, x, k / 2 ^ (d - 1)), (crossed d r x, b))) (range d).

(** From every node to every other, P packets. *)
Definition alltoall_traffic (d P : N) : traffics := Symmetric (list_prod (filter (fun x => 0 <? x) (range (2 ^ d))) (range P)).
Definition alltoall_plan (d P : N) : plan :=
  PlanOf (cube d) (all_ports d) Deliver (alltoall_traffic d P) All 0 P (map (alltoall_round d) (range (P * 2 ^ (d - 1)))) [].

Lemma dimension_le d : 1 <= d -> d <= 2 ^ (d - 1).
Proof.
  intros H. replace d with (N.succ (d - 1)) at 1 by lia. induction (d - 1) as [|e IH] using N.peano_ind; [cbn; lia|].
  rewrite N.pow_succ_r'. pose proof (pow_pos e). lia.
Qed.

Section Alltoall.
  Variables d P : N.
  Hypothesis positive : 1 <= d.
  Notation n := (2 ^ d).
  Notation half := (2 ^ (d - 1)).
  Notation W := (network_of (cube d)).

  Lemma half_pos : half <> 0. Proof. apply N.pow_nonzero. lia. Qed.
  Lemma twice : n = 2 * half.
  Proof. replace d with (N.succ (d - 1)) at 1 by lia. apply N.pow_succ_r'. Qed.

  Lemma lnot_lt x : x < n -> N.lnot x d < n.
  Proof. intros H. apply lxor_lt; auto. rewrite N.ones_equiv. pose proof (pow_pos d). lia. Qed.
  Lemma pair_lt x : x < n -> pair d x < half.
  Proof.
    intros H. apply below_bits. intros i Hi. unfold pair.
    destruct (N.testbit x (d - 1)) eqn:E; destruct (N.eq_dec i (d - 1)) as [->|NE].
    - rewrite N.lnot_spec_low by lia. now rewrite E.
    - apply (high_bit d); [now apply lnot_lt|lia].
    - exact E.
    - apply (high_bit d); [assumption|lia].
  Qed.

  Lemma turn_lt x b : turn d x b < half.
  Proof. apply N.mod_lt, half_pos. Qed.
  Lemma turn_once x b b' : b < d -> b' < d -> turn d x b = turn d x b' -> b = b'.
  Proof.
    intros Hb Hb' E. pose proof (dimension_le d positive). pose proof half_pos. unfold turn in E.
    rewrite (N.add_mod _ b), (N.add_mod _ b'), (N.mod_small b), (N.mod_small b') in E by lia.
    pose proof (N.mod_lt (pair d x) half ltac:(lia)) as A. set (a := pair d x mod half) in *.
    pose proof (N.div_mod (a + b) half ltac:(lia)) as E1. pose proof (N.div_mod (a + b') half ltac:(lia)) as E2. rewrite E in E1.
    assert ((a + b) / half < 2) by (apply N.div_lt_upper_bound; lia). assert ((a + b') / half < 2) by (apply N.div_lt_upper_bound; lia).
    set (u := (a + b) / half) in *. set (v := (a + b') / half) in *. clearbody u v.
    assert (C : u = v \/ u = 0 /\ v = 1 \/ u = 1 /\ v = 0) by lia.
    destruct C as [-> | [(-> & ->) | (-> & ->)]]; lia.
  Qed.

  Lemma passing_crosses r b : r < half -> b < d ->
    passing d r b < n /\ N.testbit (passing d r b) b = true /\ turn d (passing d r b) b = r.
  Proof.
    intros Hr Hb. pose proof (dimension_le d positive). pose proof half_pos as HP. pose proof twice. unfold passing.
    set (y := (r + (half - b)) mod half). assert (Hy : y < half) by (apply N.mod_lt; assumption).
    assert (T : (y + b) mod half = r).
    { unfold y. rewrite N.add_mod_idemp_l by assumption. replace (r + (half - b) + b) with (r + 1 * half) by lia.
      rewrite N.mod_add by assumption. now apply N.mod_small. }
    assert (top : N.testbit y (d - 1) = false) by (apply (high_bit (d - 1)); [assumption|lia]).
    destruct (N.testbit y b) eqn:E.
    - repeat split; [lia|assumption|]. unfold turn, pair. now rewrite top.
    - repeat split; [apply lnot_lt; lia| |].
      + rewrite N.lnot_spec_low by assumption. now rewrite E.
      + unfold turn, pair. rewrite N.lnot_spec_low by lia. rewrite top. cbn [negb]. now rewrite N.lnot_involutive.
  Qed.

  Lemma passing_turn x b : x < n -> b < d -> N.testbit x b = true -> passing d (turn d x b) b = x.
  Proof.
    intros Hx Hb B. pose proof (dimension_le d positive). pose proof half_pos. unfold passing, turn.
    rewrite N.add_mod_idemp_l by assumption. replace (pair d x + b + (half - b)) with (pair d x + 1 * half) by lia.
    rewrite N.mod_add, N.mod_small by (try apply pair_lt; assumption). unfold pair. destruct (N.testbit x (d - 1)) eqn:E.
    - rewrite N.lnot_spec_low by assumption. rewrite B. cbn [negb]. apply N.lnot_involutive.
    - now rewrite B.
  Qed.

  Lemma crossed_lt r x : crossed d r x < n. Proof. apply bits_lt. Qed.
  Lemma crossed_none x : crossed d 0 x = 0.
  Proof. apply bits_eq; [apply pow_pos|]. intros i _. rewrite N.bits_0. destruct (N.ltb_spec (turn d x i) 0); [lia|apply andb_false_r]. Qed.
  Lemma crossed_all r x : x < n -> half <= r -> crossed d r x = x.
  Proof.
    intros Hx Hr. apply bits_eq; [assumption|]. intros i _. pose proof (turn_lt x i).
    destruct (N.ltb_spec (turn d x i) r); [apply andb_true_r|lia].
  Qed.
  Lemma crossed_next x b : b < d -> N.testbit x b = true ->
    crossed d (turn d x b + 1) x = N.lxor (crossed d (turn d x b) x) (2 ^ b).
  Proof.
    intros Hb B. apply (same_bits d); [apply crossed_lt|apply lxor_lt; [apply crossed_lt|now apply pow_lt]|]. intros i Hi.
    rewrite flip_bit. unfold crossed. rewrite !bits_spec. destruct (N.ltb_spec i d); [|lia]. cbn [andb].
    destruct (N.eqb_spec b i) as [<-|NE].
    - rewrite B. cbn [andb]. destruct (N.ltb_spec (turn d x b) (turn d x b + 1)), (N.ltb_spec (turn d x b) (turn d x b)); try lia; reflexivity.
    - assert (turn d x i <> turn d x b) by (intros E; apply NE; symmetry; eapply turn_once; eauto).
      destruct (N.ltb_spec (turn d x i) (turn d x b + 1)), (N.ltb_spec (turn d x i) (turn d x b)); try lia; now rewrite xorb_false_r.
  Qed.

  (** Where packet j to x is before round k. *)
  Definition place (k j x : N) : N := crossed d (k - j * half) x.

  Lemma place_stays k j x : (forall b, b < d -> N.testbit x b = true -> k <> j * half + turn d x b) -> place (k + 1) j x = place k j x.
  Proof.
    intros H. apply bits_ext. intros b Hb. destruct (N.testbit x b) eqn:B; [|reflexivity]. cbn [andb]. specialize (H b Hb B).
    destruct (N.ltb_spec (turn d x b) (k + 1 - j * half)), (N.ltb_spec (turn d x b) (k - j * half)); try reflexivity; lia.
  Qed.

  Let Pb := problem_of_plan (alltoall_plan d P).

  Lemma traffic_iff o t j : traffic Pb (o, t, j) <-> o < n /\ t < n /\ o <> t /\ j < P.
  Proof.
    unfold Pb, problem_of_plan, alltoall_plan. cbn [problem_of traffic traffic_of on moved alltoall_traffic]. rewrite cube_size.
    assert (NZ : 0 < N.lxor t o <-> o <> t).
    { split; [intros H <-; rewrite N.lxor_nilpotent in H; lia|].
      intros NE. destruct (N.eq_dec (N.lxor t o) 0) as [E|]; [|lia]. apply N.lxor_eq in E. congruence. }
    split; intros (Ho & Ht & H); repeat split; auto.
    - rewrite cube_sub, in_prod_iff, filter_In, N.ltb_lt in H by assumption. tauto.
    - rewrite cube_sub, in_prod_iff, range_In in H by assumption. tauto.
    - rewrite cube_sub, in_prod_iff, filter_In, !range_In, N.ltb_lt by assumption. split; [split; [now apply lxor_lt|tauto]|tauto].
  Qed.

  Definition placed (k : N) (H : holding) : Prop :=
    forall o x j, o < n -> 0 < x -> x < n -> j < P -> H (o, N.lxor x o, j) o (N.lxor (place k j x) o).

  Notation hops k := (expand (cube d) All (alltoall_round d k)).

  Lemma hop_of k q v b : In (q, (v, b)) (hops k) <->
    exists o, let x := passing d (k mod half) b in
      o < n /\ b < d /\ q = (o, N.lxor x o, k / half) /\ v = N.lxor (place k (k / half) x) o.
  Proof.
    pose proof half_pos. assert (K : k - k / half * half = k mod half) by exact (remainder k half half_pos).
    rewrite in_shifts.
    - unfold alltoall_round, place. rewrite K. split.
      + intros (g & t & j & w & Hg & Hh & -> & ->). apply in_map_iff in Hh as (b' & E & Hb). apply range_In in Hb. injection E as <- <- <- ->.
        exists g. auto.
      + intros (o & Ho & Hb & -> & ->). exists o, (passing d (k mod half) b), (k / half), (crossed d (k mod half) (passing d (k mod half) b)).
        split; auto. split; auto. apply in_map_iff. exists b. split; auto. now apply range_In.
    - intros o t j w p Hh. apply in_map_iff in Hh as (b' & E & Hb). apply range_In in Hb. injection E as <- <- <- <- <-.
      split; auto. split; [|apply crossed_lt]. apply passing_crosses; auto. now apply N.mod_lt.
  Qed.

  Lemma step k H : k < P * half -> placed k H ->
    legal Pb false (hops k) H /\ within (net Pb) (lim Pb) (hops k) /\ placed (k + 1) (after (net Pb) false (hops k) H).
  Proof.
    intros Hk I. pose proof half_pos as HP. assert (Hr : k mod half < half) by (apply N.mod_lt; assumption).
    assert (J : forall o x j l, o < n -> x < n -> In ((o, N.lxor x o, j), l) (hops k) ->
      x = passing d (k mod half) (snd l) /\ j = k / half /\ snd l < d /\
      k = j * half + turn d x (snd l) /\ N.testbit x (snd l) = true).
    { intros o x j (v, b) Ho Hx Hh. apply hop_of in Hh as (o' & _ & Hb & E & _). injection E as <- E ->. cbn [snd].
      assert (X : x = passing d (k mod half) b) by (rewrite <- (lxor_cancel x o), E, lxor_cancel; reflexivity).
      destruct (passing_crosses _ _ Hr Hb) as (_ & B & T). rewrite <- X in *. repeat split; auto.
      rewrite T. pose proof (quotient k half HP). lia. }
    split; [split; [|split]|split].
    - intros q (v, b) Hh. apply hop_of in Hh as (o & Ho & Hb & -> & ->). exists o. destruct (passing_crosses _ _ Hr Hb) as (Hx & B & _).
      apply I; auto.
      + destruct (N.eq_dec (passing d (k mod half) b) 0) as [E|]; [|lia]. rewrite E, N.bits_0 in B. discriminate.
      + now apply N.div_lt_upper_bound; [|rewrite N.mul_comm].
    - intros _ q (v, b) (v', b') Hh Hh' E. cbn in E. subst v'. apply hop_of in Hh as (o & Ho & Hb & -> & _).
      apply J in Hh' as (_ & _ & Hb' & K' & _); auto; [|now apply passing_crosses].
      destruct (passing_crosses _ _ Hr Hb) as (_ & _ & T). cbn [snd] in *. f_equal.
      apply (turn_once (passing d (k mod half) b)); auto. rewrite T. pose proof (quotient k half HP). lia.
    - discriminate.
    - apply cube_within.
      + intros h Hh. apply in_map_iff in Hh as (b & <- & Hb). apply range_In in Hb. cbn [fst snd]. split; [apply crossed_lt|assumption].
      + unfold alltoall_round. rewrite map_map. cbn [snd]. rewrite map_id. apply range_once.
    - intros o x j Ho Hx0 Hx Hj. specialize (I o x j Ho Hx0 Hx Hj).
      destruct (existsb (fun b => N.testbit x b && (k =? j * half + turn d x b)) (range d)) eqn:X.
      + apply existsb_exists in X as (b & Hb & X). apply range_In in Hb. apply andb_true_iff in X as (B & X). apply N.eqb_eq in X.
        pose proof (turn_lt x b). assert (Q : k / half = j) by (rewrite X; apply split_div; auto; lia).
        assert (M : k mod half = turn d x b) by (rewrite X; apply split_mod; auto; lia).
        left. exists (N.lxor (place k j x) o, b). split; [|split].
        * apply hop_of. exists o. rewrite M, passing_turn, Q by assumption. auto.
        * cbn [net Pb problem_of_plan alltoall_plan on problem_of network_of dst].
          rewrite cube_next; [|apply lxor_lt; [apply crossed_lt|assumption]|assumption].
          unfold place. replace (k - j * half) with (turn d x b) by lia. replace (k + 1 - j * half) with (turn d x b + 1) by lia.
          rewrite crossed_next by assumption. rewrite !N.lxor_assoc. f_equal. apply N.lxor_comm.
        * exact I.
      + right. rewrite place_stays.
        * split; [exact I|]. right. intros (v, b) Hh _. destruct (J _ _ _ _ Ho Hx Hh) as (_ & _ & Hb & E & B). cbn [snd] in *.
          enough (existsb (fun b => N.testbit x b && (k =? j * half + turn d x b)) (range d) = true) by congruence.
          apply existsb_exists. exists b. split; [now apply range_In|]. rewrite B. now apply N.eqb_eq.
        * intros b Hb B E. enough (existsb (fun b => N.testbit x b && (k =? j * half + turn d x b)) (range d) = true) by congruence.
          apply existsb_exists. exists b. split; [now apply range_In|]. rewrite B. now apply N.eqb_eq.
  Qed.

  Lemma alltoall_valid : valid Pb (rounds_of_plan (alltoall_plan d P)).
  Proof.
    unfold rounds_of_plan, schedule, alltoall_plan. cbn [on replicated moves copies map]. rewrite app_nil_r, map_map.
    apply (valid_by_invariant Pb false (fun k => hops k) (P * half) placed).
    - intros o x j Ho Hx0 Hx Hj. unfold place. rewrite N.sub_0_l, crossed_none, N.lxor_0_l. unfold start.
      split; [reflexivity|]. split; [now apply cube_nodes|]. split; [|reflexivity]. apply traffic_iff. repeat split; auto using lxor_lt.
      intros E. assert (X : N.lxor (N.lxor x o) o = 0) by (rewrite <- E; apply N.lxor_nilpotent). rewrite lxor_cancel in X. lia.
    - intros k H Hk. now apply step.
    - intros H I ((o, t), j) u v (T & _ & _ & -> & ->). apply traffic_iff in T as (Ho & Ht & NE & Hj).
      specialize (I o (N.lxor t o) j). unfold place in I. rewrite crossed_all, lxor_cancel in I; auto using lxor_lt; [|nia].
      apply I; auto using lxor_lt. destruct (N.eq_dec (N.lxor t o) 0) as [E|]; [|lia]. apply N.lxor_eq in E. congruence.
  Qed.

  (** Packets that differ in bit 0 from their origin cross port 0. *)
  Lemma alltoall_bound s : competes Pb s -> P * half <= len s.
  Proof.
    intros (HW & HP). pose proof (pow_pos (d - 1)) as HH. pose proof twice.
    set (Q := list_prod (list_prod (range n) (map (fun y => 2 * y + 1) (range half))) (range P)).
    assert (InQ : forall k, In k Q -> fst (fst k) < n /\ snd (fst k) < n /\ N.testbit (snd (fst k)) 0 = true /\ snd k < P).
    { intros ((o, x), j) Hk. unfold Q in Hk. rewrite !in_prod_iff, in_map_iff, !range_In in Hk. destruct Hk as ((Ho & y & <- & Hy) & Hj).
      rewrite range_In in Hy. cbn [fst snd]. repeat split; auto; [lia|]. apply N.testbit_odd_0. }
    set (I := map (fun k : N * N * N => let '(o, x, j) := k in Item (o, N.lxor x o, j) o (N.lxor x o) (fun v => N.b2n (N.testbit (N.lxor v o) 0))) Q).
    assert (X : sum (fun i => lev i (to i) - lev i (from i)) I <=
      len s * (1 * (sum (fun l : link => if snd l =? 0 then 1 else 0) (links W) + 0 * most_used W (all_ports d)))).
    { apply (price_bound W (all_ports d) s 1 I).
      - apply nodes_once.
      - apply links_once.
      - apply link_ends, cube_positive.
      - exact HW.
      - reflexivity.
      - unfold I. rewrite map_map. apply NoDup_map_inj.
        + intros ((o, x), j) ((o', x'), j') _ _ E. cbn in E. injection E as -> E ->. f_equal. f_equal.
          now rewrite <- (lxor_cancel x o'), E, lxor_cancel.
        + apply NoDup_prod; [apply NoDup_prod|]; try apply range_once. apply NoDup_map_inj; [intros; lia|apply range_once].
      - intros i Hi. apply in_map_iff in Hi as (((o, x), j) & <- & Hk). apply InQ in Hk as (Ho & Hx & B & Hj). cbn in *. apply HP.
        split; [|split; [now apply cube_nodes|split; [apply cube_nodes; now apply lxor_lt|split; reflexivity]]].
        apply traffic_iff. repeat split; auto using lxor_lt.
        intros E. assert (Z : N.lxor (N.lxor x o) o = 0) by (rewrite <- E; apply N.lxor_nilpotent). rewrite lxor_cancel in Z. subst x. discriminate.
      - intros i (v, p) Hi Hl. apply in_map_iff in Hi as (((o, x), j) & <- & Hk). apply cube_links in Hl as (Hv & Hp).
        unfold rise. cbn [lev network_of dst src fst snd]. rewrite cube_next by assumption. rewrite !N.lxor_spec, pow_bit.
        destruct (N.eqb_spec p 0), (N.testbit v 0), (N.testbit o 0); cbn; lia. }
    assert (S : sum (fun i => lev i (to i) - lev i (from i)) I = n * half * P).
    { unfold I. rewrite sum_map. rewrite (sum_eq _ (fun _ => 1)).
      - unfold Q. rewrite sum_const, !len_prod, len_map, !len_range. lia.
      - intros ((o, x), j) Hk. apply InQ in Hk as (_ & _ & B & _). cbn [fst snd lev to from] in *.
        rewrite lxor_cancel, N.lxor_nilpotent, B. reflexivity. }
    assert (A : sum (fun l : link => if snd l =? 0 then 1 else 0) (links W) <= n).
    { cbn [network_of links]. etransitivity; [apply sum_filter|]. unfold all_links.
      rewrite (sum_links (fun p => if p =? 0 then 1 else 0)), len_range, cube_size.
      assert (sum (fun p => if p =? 0 then 1 else 0) (range (degree (cube d))) <= 1); [|nia].
      rewrite <- len_filter. change 1 with (len [0]). apply len_incl; [apply NoDup_filter, range_once|].
      intros p Hp. apply filter_In in Hp as (_ & E). apply N.eqb_eq in E. now left. }
    rewrite S in X. pose proof (pow_pos d). nia.
  Qed.
End Alltoall.

(** The total exchange of the d-cube, P packets per pair, takes P 2^(d-1) rounds, and no schedule takes fewer. *)
Theorem alltoall_optimal d P : 1 <= d ->
  optimal (problem_of_plan (alltoall_plan d P)) (rounds_of_plan (alltoall_plan d P)) /\
  len (rounds_of_plan (alltoall_plan d P)) = P * 2 ^ (d - 1).
Proof.
  intros Hd. assert (E : len (rounds_of_plan (alltoall_plan d P)) = P * 2 ^ (d - 1)).
  { unfold rounds_of_plan, schedule, alltoall_plan. cbn [on replicated moves copies map]. now rewrite app_nil_r, !len_map, len_range. }
  split; [split; [now apply alltoall_valid|]|exact E]. intros s C. pose proof (alltoall_bound d P Hd s C). unfold len in *. lia.
Qed.
