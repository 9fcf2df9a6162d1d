(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The check of lower bounds, and its soundness. Distances and prices come from outside, as a certificate; the check reads them once over all
    links. A wrong certificate can only be refused. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Late Cut Far Plan Tally Translate.
Import ListNotations.
Open Scope N_scope.

(** * Certificates *)
Inductive certificate :=
  | Price (levels : table) (prices : list N) (message : N)
  | Receptions
  | Gossip
  | Late (back : bool) (u : node) (early far distance : N) (levels : table)
  | Doubling (back : bool) (u : node) (early : N)
  | Reach (back : bool) (u : node)
  | Distant (back : bool) (u : node) (early j : N) (levels : table)
  | Into (back : bool) (inside : table) (one other : node).  (* a cut, with a node inside and one outside *)

Section Lower.
  Variables (s : shape) (L : limits) (k : kind) (tr : traffics).
  Notation n := (size s).
  Notation W := (network_of s).

  Fixpoint increasing {A} (f : A -> N) (low : N) (l : list A) : bool :=
    match l with [] => true | x :: l => (low <=? f x) && increasing f (f x + 1) l end.
  Definition number_bound (l : list N) : N := fold_left N.max l 0 + 1.

  Definition packet_key (J : N) (q : packet) : N := let '(o, d, j) := q in (o * n + d) * J + j.
  Definition block_key (J : N) (b : N * N) : N := fst b * J + snd b.
  Definition packets_once : bool :=
    match tr with
    | Symmetric blocks => match failures s with None => true | Some _ => false end &&
                          increasing (block_key (number_bound (map snd blocks))) 0 blocks && forallb (fun b => fst b <? n) blocks
    | Listed packets => increasing (packet_key (number_bound (map snd packets))) 0 packets &&
                        forallb (fun q => (fst (fst q) <? n) && (snd (fst q) <? n) && alive s (fst (fst q)) && alive s (snd (fst q))) packets
    end.

  (** The packets of node 0, and all packets. *)
  Definition packet_of (o : node) (b : N * N) : packet := (o, add (moduli s) o (fst b), snd b).
  Definition own_packets : list packet :=
    match tr with Symmetric blocks => map (packet_of 0) blocks | Listed packets => packets end.
  Definition all_packets : list packet :=
    match tr with Symmetric blocks => map (fun x => packet_of (fst x) (snd x)) (list_prod (range n) blocks) | Listed packets => packets end.
  Definition packets : N := match tr with Symmetric blocks => n * len blocks | Listed packets => len packets end.

  Definition living : N := len (filter (alive s) (range n)).
  Definition capacity : N := if half_duplex L then living / 2 else living * ports L.

  (** No schedule of fewer than T rounds: what T - 1 rounds carry is less than what must be carried. *)
  Definition too_little (T need carried : N) : bool :=
    match per_link L with None => false | Some K => (T - 1) * (K * carried) <? need end.

  Definition ends_of (back : bool) (q : packet) : node * node :=
    let '(o, d, _) := q in if back then (d, o) else (o, d).
  Definition working (v : node) : bool := (v <? n) && alive s v.
  Definition late_packets (back : bool) (u far distance : N) (levels : table) : list packet :=
    match k with
    | Deliver => filter (fun q => let '(a, b) := ends_of back q in (a =? u) && (distance <=? get levels b)) own_packets
    | Spread | Collect => filter (fun q => fst (ends_of back q) =? u) own_packets
    | Share => all_packets
    end.
  Definition oriented (back : bool) : bool := match k, back with Spread, true | Collect, false => false | _, _ => true end.
  (** The links on which u sends in a round, or receives if [back]: around failures those that are left. *)
  Definition outgoing (back : bool) (u : node) : N :=
    match failures s with
    | None => ports L
    | Some _ => N.min (ports L) (len (filter (fun l => (if back then next s l else fst l) =? u) (links W)))
    end.
  Definition leave_late (back : bool) (u : node) (early : N) (Q : list packet) : bool :=
    match per_link L with None => (early =? 0) && (0 <? len Q) | Some K => early * (K * outgoing back u) <? len Q end.

  (** The nodes at the other ends of the packets of u. *)
  Definition marked (back : bool) (l : list packet) (m : table) : table :=
    fold_left (fun m q => set m (snd (ends_of back q)) 1) l m.
  Definition reaches_all (back : bool) (u : node) : bool :=
    let m := marked back (filter (fun q => fst (ends_of back q) =? u) own_packets) none in
    forallb (fun v => (v =? u) || negb (get m v =? 0)) (filter (alive s) (range n)).

  (** The packets that must get into a set of nodes, over links or against them. The hub is the node of a packet from or to which all nodes have
      a path. *)
  Definition is_inside (m : table) (v : node) : bool := negb (get m v =? 0).
  Definition hub (q : packet) : node := fst (ends_of (match k with Collect => true | _ => false end) q).
  Definition outward (back : bool) : bool := match k with Collect => back | _ => negb back end.
  Definition goes (back : bool) (one other : node) (q : packet) : node * node :=
    match k with
    | Deliver => ends_of back q
    | Share => (other, one)
    | Spread | Collect => if outward back then (hub q, one) else (other, hub q)
    end.
  Definition must_enter (back : bool) (m : table) (one other : node) (q : packet) : bool :=
    negb (is_inside m (fst (goes back one other q))) && is_inside m (snd (goes back one other q)).
  Definition facing (back : bool) : network := if back then reversed W else W.

  Definition lower (T : N) (c : certificate) : bool :=
    packets_once &&
    match c with
    | Price levels prices message =>
        match k, tr with
        | Deliver, Symmetric blocks =>
            forallb (fun l => get levels (next s l) - get levels (fst l) <=? nth (N.to_nat (snd l)) prices 0 + message)
                    (all_links n (degree s)) &&
            too_little T (n * sum (fun b => get levels (fst b) - get levels 0) blocks)
                         (n * sum (fun p => nth (N.to_nat p) prices 0) (range (degree s)) + message * capacity)
        | _, _ => false
        end
    | Receptions =>
        match k with
        | Spread | Collect => too_little T (packets * (living - 1)) capacity
        | _ => false
        end
    | Gossip => match k with Share => (0 <? living) && too_little T (packets * (2 * (living - 1))) capacity | _ => false end
    | Late back u early far distance levels =>
        oriented back && working u && working far && (get levels u =? 0) &&
        match k with Deliver => true | _ => distance <=? get levels far end &&
        forallb (fun l => let '(a, b) := if back then (next s l, fst l) else (fst l, next s l) in get levels b <=? get levels a + 1)
                (links W) &&
        leave_late back u early (late_packets back u far distance levels) && (0 <? distance) && (T <=? early + distance)
    | Doubling back u early =>
        oriented back && working u &&
        match k with Deliver => false | _ => true end &&
        leave_late back u early (late_packets back u 0 0 none) && ((ports L + 1) ^ (T - 1 - early) <? living)
    | Reach back u =>
        working u && match k with Deliver => true | _ => false end && reaches_all back u && ((ports L + 1) ^ (T - 1) <? living)
    | Distant back u early j levels =>
        working u && (get levels u =? 0) &&
        forallb (fun l => let '(a, b) := if back then (next s l, fst l) else (fst l, next s l) in get levels b <=? get levels a + 1) (links W) &&
        match k with
        | Deliver => (early =? 0) && reaches_all back u
        | _ => oriented back && leave_late back u early (late_packets back u 0 0 none)
        end &&
        (sum (fun x => x) (skipn (N.to_nat j) (rows (ports L) (N.to_nat (T - 1 - early)))) <?
         len (filter (fun v => j <=? get levels v) (filter (alive s) (range n))))
    | Into back m one other =>
        working one && working other &&
        too_little T (len (filter (must_enter back m one other) all_packets)) (entrance (facing back) L (is_inside m))
    end.

  (** * Soundness *)
  Lemma increasing_once {A} (f : A -> N) l : forall low, increasing f low l = true -> NoDup l /\ forall x, In x l -> low <= f x.
  Proof.
    induction l as [|x l IH]; cbn [increasing]; intros low H; [split; [constructor|intros y []]|].
    rewrite andb_true_iff, N.leb_le in H. destruct H as (A1 & A2). destruct (IH _ A2) as (D & B). split.
    - constructor; auto. intros X. specialize (B x X). lia.
    - intros y [<-|Hy]; auto. specialize (B y Hy). lia.
  Qed.

  Lemma NoDup_map_inj {A B} (f : A -> B) l : (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
  Proof.
    intros I D; induction D as [|x l Nx D IH]; cbn [map]; constructor.
    - intros H. apply in_map_iff in H. destruct H as (y & E & Hy). apply Nx.
      rewrite (I x y); auto; [now left|now right].
    - apply IH. intros; apply I; auto; now right.
  Qed.
  Lemma NoDup_join {A} (l m : list A) : NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
  Proof.
    intros D D' X; induction D as [|x l Nx D IH]; cbn [app]; auto. constructor.
    - rewrite in_app_iff. intros [H|H]; [auto|]. now apply (X x (or_introl eq_refl)).
    - apply IH. intros y Hy. apply X. now right.
  Qed.
  Lemma NoDup_prod {A B} (l : list A) (m : list B) : NoDup l -> NoDup m -> NoDup (list_prod l m).
  Proof.
    intros D D'; induction D as [|x l Nx D IH]; cbn [list_prod]; [constructor|]. apply NoDup_join; auto.
    - apply NoDup_map_inj; auto. intros; congruence.
    - intros z Hz Hl. apply in_map_iff in Hz. destruct Hz as (y & <- & _). apply in_prod_iff in Hl. tauto.
  Qed.

  Lemma sum_filter {A} (f : A -> N) p l : sum f (filter p l) <= sum f l.
  Proof. induction l as [|x l IH]; cbn [filter sum]; [lia|]. destruct (p x); cbn [sum]; lia. Qed.

  Lemma sum_prod {A B} (f : B -> N) (l : list A) (m : list B) : sum (fun x => f (snd x)) (list_prod l m) = len l * sum f m.
  Proof.
    induction l as [|x l IH]; cbn [list_prod sum]; [reflexivity|]. rewrite sum_app, sum_map, len_cons, IH.
    change (sum (fun y : B => f (snd (x, y))) m) with (sum f m). lia.
  Qed.

  Lemma sum_links (f : N -> N) vs ps : sum (fun l : N * N => f (snd l)) (flat_map (fun v : N => map (fun p => (v, p)) ps) vs) = len vs * sum f ps.
  Proof.
    induction vs as [|v vs IH]; cbn [flat_map sum]; [reflexivity|]. rewrite sum_app, sum_map, len_cons, IH.
    change (sum (fun p : N => f (snd (v, p))) ps) with (sum f ps). lia.
  Qed.

  Hypothesis pos : positive_moduli (moduli s).
  Hypothesis gens : forall g, In g (generators s) -> g < n.

  Lemma node_iff v : In v (nodes W) <-> working v = true.
  Proof. unfold working. cbn [network_of nodes]. rewrite filter_In, range_In, andb_true_iff, N.ltb_lt. tauto. Qed.
  Lemma nodes_once : NoDup (nodes W). Proof. apply NoDup_filter, range_once. Qed.
  Lemma link_In v p : In (v, p) (all_links n (degree s)) <-> v < n /\ p < degree s.
  Proof.
    unfold all_links. rewrite in_flat_map. split.
    - intros (v' & Hv & H). apply in_map_iff in H. destruct H as (p' & E & Hp). injection E; intros; subst.
      now rewrite !range_In in *.
    - intros (Hv & Hp). exists v. rewrite range_In. split; auto. apply in_map_iff. exists p. rewrite range_In. auto.
  Qed.
  Lemma links_once : NoDup (links W).
  Proof.
    apply NoDup_filter. unfold all_links. assert (D : forall m, NoDup (map (fun x : N * N => (fst x, snd x)) (list_prod m (range (degree s)))) ->
      flat_map (fun v => map (fun p => (v, p)) (range (degree s))) m = map (fun x : N * N => (fst x, snd x)) (list_prod m (range (degree s)))).
    { induction m as [|v m IH]; cbn [flat_map list_prod map]; [reflexivity|]. rewrite map_app, map_map. intros DD. f_equal.
      apply IH. clear -DD. induction (map _ (range (degree s))) as [|y ys IHy]; [exact DD|]. inversion DD; auto. }
    assert (X : NoDup (map (fun x : N * N => (fst x, snd x)) (list_prod (range n) (range (degree s))))).
    { apply NoDup_map_inj; [intros (a, b) (c, d) _ _ E; exact E|]. apply NoDup_prod; apply range_once. }
    rewrite D; exact X.
  Qed.
  Lemma link_ends l : In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W).
  Proof.
    intros H. apply filter_In in H. destruct H as (H & E). destruct l as (v, p). apply link_In in H.
    unfold exists_link in E. rewrite !andb_true_iff in E. rewrite !node_iff. unfold working. cbn [network_of src dst fst] in *.
    rewrite !andb_true_iff, !N.ltb_lt. split; [tauto|]. split; [now apply add_lt|tauto].
  Qed.
  Lemma capacity_used : capacity = most_used W L.
  Proof. reflexivity. Qed.

  Hypothesis once : packets_once = true.
  Let P := problem_of s L k tr.

  Lemma all_once : NoDup all_packets /\ len all_packets = packets /\
    forall q, In q all_packets -> traffic_of s tr q /\ In (fst (fst q)) (nodes W) /\ In (snd (fst q)) (nodes W).
  Proof.
    unfold packets_once, all_packets, packets in *. destruct tr as [blocks|ps].
    - rewrite !andb_true_iff, forallb_forall in once. destruct once as ((F & I) & B). apply increasing_once in I. destruct I as (D & _).
      destruct (failures s) eqn:EF; [discriminate|]. clear F.
      assert (AL : forall v, v < n -> In v (nodes W)).
      { intros v Hv. apply node_iff. unfold working, alive. rewrite EF, andb_true_r. now apply N.ltb_lt. }
      assert (BL : forall o b, In (o, b) (list_prod (range n) blocks) -> o < n /\ fst b < n /\ In b blocks).
      { intros o b H. apply in_prod_iff in H. rewrite range_In in H. destruct H as (Ho & Hb). specialize (B _ Hb). apply N.ltb_lt in B. auto. }
      split; [|split].
      + apply NoDup_map_inj; [|apply NoDup_prod; auto; apply range_once].
        intros (o, (x, j)) (o', (x', j')) H H' E. apply BL in H. apply BL in H'. unfold packet_of in E. cbn [fst snd] in *.
        injection E. intros -> EX ->. f_equal. f_equal. rewrite (add_comm _ o' x), (add_comm _ o' x') in EX.
        apply (add_cancel (moduli s) pos) in EX; tauto.
      + rewrite len_map. unfold len. rewrite prod_length. rewrite Nnat.Nat2N.inj_mul. f_equal. apply len_range.
      + intros q Hq. apply in_map_iff in Hq. destruct Hq as ((o, b) & <- & H). apply BL in H. unfold packet_of. cbn [fst snd].
        assert (add (moduli s) o (fst b) < n) by now apply add_lt. split; [|split; apply AL; tauto].
        unfold traffic_of. split; [tauto|]. split; [assumption|]. rewrite add_comm, add_sub by tauto. destruct b; tauto.
    - rewrite !andb_true_iff, forallb_forall in once. destruct once as (I & B). apply increasing_once in I. destruct I as (D & _).
      split; [exact D|]. split; [reflexivity|]. intros q Hq. specialize (B _ Hq). rewrite !andb_true_iff, !N.ltb_lt in B.
      destruct q as ((o, d), j). unfold traffic_of. cbn [fst snd] in *. rewrite !node_iff. unfold working.
      rewrite !andb_true_iff, !N.ltb_lt. tauto.
  Qed.

  Lemma own_all q : In q own_packets -> In q all_packets.
  Proof.
    unfold own_packets, all_packets. destruct tr as [blocks|ps]; auto. intros H. apply in_map_iff in H. destruct H as (b & <- & H).
    apply in_map_iff. exists (0, b). split; auto. apply in_prod_iff. split; auto. apply range_In. now apply order_pos.
  Qed.
  Lemma own_once : NoDup own_packets.
  Proof.
    unfold own_packets, packets_once in *. destruct tr as [blocks|ps].
    - rewrite !andb_true_iff, forallb_forall in once. destruct once as ((F & I) & B). apply increasing_once in I. destruct I as (D & _).
      apply NoDup_map_inj; auto. intros (x, j) (x', j') H H' E. unfold packet_of in E. cbn [fst snd] in E.
      pose proof (B _ H) as X. pose proof (B _ H') as X'. apply N.ltb_lt in X, X'. cbn [fst] in *.
      rewrite !add_0_l in E by auto. congruence.
    - rewrite andb_true_iff in once. destruct once as (I & _). now apply increasing_once in I.
  Qed.

  Section Competitor.
    Variable c : list round.
    Hypothesis comp : competes P c.

    Lemma within_c : forall R, In R c -> within W L R. Proof. apply comp. Qed.

    Lemma too_little_sound T need carried : (forall K, per_link L = Some K -> need <= len c * (K * carried)) ->
      too_little T need carried = true -> T <= len c.
    Proof.
      unfold too_little. intros H. destruct (per_link L) as [K|]; [|discriminate]. rewrite N.ltb_lt. specialize (H K eq_refl).
      intros F. destruct (N.le_gt_cases T (len c)) as [|G]; auto. exfalso.
      assert (len c * (K * carried) <= (T - 1) * (K * carried)) by (apply N.mul_le_mono_r; lia). lia.
    Qed.

    (** Along the links, or against them. *)
    Definition net_of (back : bool) := if back then reversed W else W.
    Definition rounds_of (back : bool) := if back then rev c else c.
    Lemma within_of back R : In R (rounds_of back) -> within (net_of back) L R.
    Proof.
      unfold rounds_of, net_of. destruct back; [|apply within_c]. intros H. apply in_rev in H. now apply within_reversed, within_c.
    Qed.
    Lemma len_of back : len (rounds_of back) = len c.
    Proof. unfold rounds_of, len. destruct back; [now rewrite rev_length|reflexivity]. Qed.
    Lemma path_of (back : bool) q u v : demand P q u v ->
      path (net_of back) (rounds_of back) q (if back then v else u) (if back then u else v).
    Proof.
      intros D. pose proof (proj2 comp q u v D) as X. unfold net_of, rounds_of. destruct back; [now apply path_reversed|exact X].
    Qed.

    Lemma outgoing_sends back u R : within (net_of back) L R -> sends (net_of back) R u <= outgoing back u.
    Proof.
      intros HW. pose proof HW as (_ & _ & HP). destruct (HP u) as (HS & _). unfold outgoing. destruct (failures s); [|exact HS].
      apply N.min_glb; [exact HS|]. unfold sends. apply len_incl; [apply NoDup_filter, NoDup_nodup|]. intros l Hl. apply filter_In in Hl.
      destruct Hl as (Hl & E). apply filter_In. split.
      - apply (used_links (net_of back) L R l HW) in Hl. unfold net_of in Hl. destruct back; exact Hl.
      - unfold net_of in E. destruct back; exact E.
    Qed.

    Lemma late_sound back u early far distance levels : oriented back = true -> working u = true -> working far = true ->
      leave_late back u early (late_packets back u far distance levels) = true ->
      exists q, In q (late_packets back u far distance levels) /\
        forall v, path (net_of back) (rounds_of back) q u v -> path (net_of back) (skipn (N.to_nat early) (rounds_of back)) q u v.
    Proof.
      intros _ _ _. set (Q := late_packets back u far distance levels).
      assert (D : NoDup Q).
      { unfold Q, late_packets. destruct k; try apply NoDup_filter; try apply own_once. apply all_once. }
      unfold leave_late. destruct (per_link L) as [K|] eqn:EK.
      - rewrite N.ltb_lt. intros H. apply (late_packet_at (net_of back) L K (outgoing back u)); auto; [apply within_of| |rewrite N2Nat.id; exact H].
        intros R HR. now apply outgoing_sends, within_of.
      - rewrite andb_true_iff, N.eqb_eq, N.ltb_lt. intros (-> & H). destruct Q as [|q Q]; [discriminate|]. exists q. split; [now left|]. auto.
    Qed.

    (** Every late packet must get from u to the far node, or to its own end. *)
    Lemma late_demand back u far distance levels q : oriented back = true -> working u = true -> working far = true ->
      In q (late_packets back u far distance levels) ->
      match k with
      | Deliver => exists v, path (net_of back) (rounds_of back) q u v /\ distance <= get levels v
      | _ => forall v, working v = true -> path (net_of back) (rounds_of back) q u v
      end.
    Proof.
      intros O Wu Wf Hq. apply node_iff in Wu. unfold late_packets in Hq.
      assert (IA : In q all_packets) by (destruct k; try (apply filter_In in Hq; destruct Hq as (Hq & _); apply own_all); exact Hq).
      destruct all_once as (_ & _ & A). specialize (A _ IA). destruct A as (HT & Ho & Hd). destruct q as ((o, d), j). cbn [fst snd] in *.
      assert (KC : k = Deliver \/ k = Spread \/ k = Collect \/ k = Share) by (destruct k; tauto).
      assert (DM : forall a b, In a (nodes W) -> In b (nodes W) ->
         match k with Deliver => a = o /\ b = d | Spread => a = o | Collect => b = d | Share => True end -> demand P (o, d, j) a b).
      { intros a b Ha Hb X. split; [exact HT|]. split; [exact Ha|]. split; [exact Hb|exact X]. }
      unfold oriented in O. destruct KC as [EK|[EK|[EK|EK]]]; rewrite EK in *.
      - apply filter_In in Hq. destruct Hq as (_ & Hq). unfold ends_of in Hq. destruct back; rewrite andb_true_iff, N.eqb_eq, N.leb_le in Hq;
          destruct Hq as (<- & Hl).
        + exists o. split; auto. apply (path_of true (o, d, j) o d), DM; auto.
        + exists d. split; auto. apply (path_of false (o, d, j) o d), DM; auto.
      - apply filter_In in Hq. destruct Hq as (_ & Hq). destruct back; [discriminate|]. cbn [ends_of fst] in Hq. apply N.eqb_eq in Hq. subst u.
        intros v Hv. apply node_iff in Hv. apply (path_of false (o, d, j) o v), DM; auto.
      - apply filter_In in Hq. destruct Hq as (_ & Hq). destruct back; [|discriminate]. cbn [ends_of fst] in Hq. apply N.eqb_eq in Hq. subst u.
        intros v Hv. apply node_iff in Hv. apply (path_of true (o, d, j) v d), DM; auto.
      - intros v Hv. apply node_iff in Hv. destruct back; [apply (path_of true (o, d, j) v u)|apply (path_of false (o, d, j) u v)]; apply DM; auto.
    Qed.

    Lemma skip_len back early : len (skipn (N.to_nat early) (rounds_of back)) = len c - early.
    Proof. rewrite <- (len_of back). unfold len. rewrite skipn_length. lia. Qed.
    Lemma skip_within back early R : In R (skipn (N.to_nat early) (rounds_of back)) -> within (net_of back) L R.
    Proof.
      intros H. apply within_of. rewrite <- (firstn_skipn (N.to_nat early) (rounds_of back)). apply in_or_app. now right.
    Qed.

    Theorem late_rounds T back u early far distance levels : oriented back = true -> working u = true -> working far = true ->
      get levels u = 0 -> (k <> Deliver -> distance <= get levels far) ->
      (forall l, In l (links W) -> let '(a, b) := if back then (next s l, fst l) else (fst l, next s l) in get levels b <= get levels a + 1) ->
      leave_late back u early (late_packets back u far distance levels) = true -> 0 < distance -> T <= early + distance -> T <= len c.
    Proof.
      intros O Wu Wf L0 LF LL HL HD HT.
      destruct (late_sound back u early far distance levels O Wu Wf HL) as (q & Hq & HP).
      pose proof (late_demand back u far distance levels q O Wu Wf Hq) as X.
      assert (Y : exists v, path (net_of back) (rounds_of back) q u v /\ distance <= get levels v).
      { destruct k; try exact X; exists far; split; try (now apply X); apply LF; discriminate. }
      destruct Y as (v & Hv & Hd). apply HP in Hv.
      pose proof (distance_bound (net_of back) L (get levels) q _ (skip_within back early)) as B.
      rewrite skip_len in B. assert (get levels v <= get levels u + (len c - early)); [|lia].
      apply B; auto. intros l Hl. unfold net_of in *. destruct back; cbn [reversed links src dst network_of] in *; apply (LL l Hl).
    Qed.

    Theorem doubling_rounds T back u early : oriented back = true -> working u = true -> k <> Deliver ->
      leave_late back u early (late_packets back u 0 0 none) = true -> (ports L + 1) ^ (T - 1 - early) < living -> T <= len c.
    Proof.
      intros O Wu NK HL HT. assert (exists q, In q (late_packets back u 0 0 none) /\
        forall v, path (net_of back) (rounds_of back) q u v -> path (net_of back) (skipn (N.to_nat early) (rounds_of back)) q u v).
      { pose proof (late_sound back u early u 0 none O Wu Wu) as X. unfold late_packets in *. destruct k; try easy; apply X; exact HL. }
      destruct H as (q & Hq & HP).
      assert (X : forall v, working v = true -> path (net_of back) (rounds_of back) q u v).
      { pose proof (late_demand back u u 0 none q O Wu Wu) as X. unfold late_packets in *. destruct k; try easy; exact (X Hq). }
      pose proof (doubling_bound (net_of back) L q _ (skip_within back early) [u] (nodes W) nodes_once) as B.
      rewrite skip_len in B. change (len [u]) with 1 in B. rewrite N.mul_1_l in B.
      assert (living <= (ports L + 1) ^ (len c - early)).
      { apply B. intros v Hv. exists u. split; [now left|]. apply HP, X. now apply node_iff. }
      destruct (N.le_gt_cases T (len c)) as [|G]; auto. exfalso.
      assert ((ports L + 1) ^ (len c - early) <= (ports L + 1) ^ (T - 1 - early)); [|lia].
      apply N.pow_le_mono_r; lia.
    Qed.

    Lemma marked_spec back l : forall m v, get (marked back l m) v <> 0 -> get m v <> 0 \/ exists q, In q l /\ snd (ends_of back q) = v.
    Proof.
      unfold marked. induction l as [|q l IH]; cbn [fold_left]; intros m v H; [now left|].
      apply IH in H. destruct H as [H|(q' & Hq & E)]; [|right; exists q'; split; auto; now right].
      rewrite get_set in H. destruct (N.eqb_spec (snd (ends_of back q)) v) as [E|]; [|now left]. right. exists q. split; auto. now left.
    Qed.

    Lemma reached_all back u : k = Deliver -> reaches_all back u = true ->
      forall v, In v (nodes W) -> exists q, path (net_of back) (rounds_of back) q u v.
    Proof.
      intros EK HR v Hv. unfold reaches_all in HR. cbv zeta in HR. rewrite forallb_forall in HR. specialize (HR v Hv).
      apply orb_true_iff in HR. destruct HR as [HR|HR].
      - apply N.eqb_eq in HR. subst v. exists (0, 0, 0). clear. induction (rounds_of back); cbn; auto.
      - apply negb_true_iff, N.eqb_neq, marked_spec in HR. destruct HR as [HR|(q & Hq & E)]; [now rewrite get_none in HR|].
        apply filter_In in Hq. destruct Hq as (Hq & Eu). apply N.eqb_eq in Eu. exists q.
        destruct all_once as (_ & _ & A). destruct (A q (own_all q Hq)) as (HT' & Ho & Hd). destruct q as ((o, d), j).
        assert (DM : demand P (o, d, j) o d).
        { split; [exact HT'|]. split; [exact Ho|]. split; [exact Hd|]. cbn [P problem_of what]. rewrite EK. auto. }
        pose proof (path_of back (o, d, j) o d DM) as X. destruct back; cbn [ends_of fst snd] in *; subst; exact X.
    Qed.

    Theorem reach_rounds T back u : k = Deliver -> working u = true -> reaches_all back u = true ->
      (ports L + 1) ^ (T - 1) < living -> T <= len c.
    Proof.
      intros EK Wu HR HT. destruct (N.le_gt_cases T (len c)) as [|G]; auto. exfalso.
      assert (living <= (ports L + 1) ^ len (rounds_of back)).
      { apply (reach_bound (net_of back) L (rounds_of back) u (nodes W)); [apply within_of|apply nodes_once|]. now apply reached_all. }
      rewrite len_of in H. assert ((ports L + 1) ^ len c <= (ports L + 1) ^ (T - 1)); [|lia]. apply N.pow_le_mono_r; lia.
    Qed.

    Theorem distant_rounds T (back : bool) u early j levels : working u = true -> get levels u = 0 ->
      (forall l, In l (links W) -> let '(a, b) := if back then (next s l, fst l) else (fst l, next s l) in get levels b <= get levels a + 1) ->
      match k with
      | Deliver => early = 0 /\ reaches_all back u = true
      | _ => oriented back = true /\ leave_late back u early (late_packets back u 0 0 none) = true
      end ->
      sum (fun x => x) (skipn (N.to_nat j) (rows (ports L) (N.to_nat (T - 1 - early)))) < len (filter (fun v => j <=? get levels v) (nodes W)) ->
      T <= len c.
    Proof.
      intros Wu L0 LL HK HT. destruct (N.le_gt_cases T (len c)) as [|G]; auto. exfalso.
      assert (X : exists s' : list round, (forall R, In R s' -> within (net_of back) L R) /\ len s' = len c - early /\
                  forall v, In v (nodes W) -> exists q, path (net_of back) s' q u v).
      { assert (KC : k = Deliver \/ k <> Deliver) by (destruct k; auto; right; discriminate). destruct KC as [EK|NK].
        - rewrite EK in HK. destruct HK as (-> & HR). exists (rounds_of back). rewrite len_of, N.sub_0_r. split; [apply within_of|]. split; [reflexivity|].
          now apply reached_all.
        - assert (Y : exists q, In q (late_packets back u 0 0 none) /\
            (forall v, path (net_of back) (rounds_of back) q u v -> path (net_of back) (skipn (N.to_nat early) (rounds_of back)) q u v) /\
            (forall v, working v = true -> path (net_of back) (rounds_of back) q u v)).
          { pose proof (late_sound back u early u 0 none) as A. pose proof (fun q => late_demand back u u 0 none q) as B.
            assert (O : oriented back = true /\ leave_late back u early (late_packets back u 0 0 none) = true) by (destruct k; try easy; exact HK).
            destruct O as (O1 & O2). destruct (A O1 Wu Wu O2) as (q & Hq & HP). exists q. split; auto. split; auto.
            specialize (B q O1 Wu Wu Hq). destruct k; try easy; exact B. }
          destruct Y as (q & _ & HP & HA). exists (skipn (N.to_nat early) (rounds_of back)). split; [apply skip_within|]. split; [apply skip_len|].
          intros v Hv. exists q. apply HP, HA. now apply node_iff. }
      destruct X as (s' & WI & LN & HV).
      assert (len (filter (fun v => j <=? get levels v) (nodes W)) <= sum (fun x => x) (skipn (N.to_nat j) (rows (ports L) (N.to_nat (T - 1 - early))))); [|lia].
      apply (far_bound (net_of back) L (get levels) s' u (N.to_nat j)); auto.
      - intros l Hl. unfold net_of in *. destruct back; cbn [reversed links src dst network_of] in *; apply (LL l Hl).
      - unfold len in LN, G. lia.
      - apply NoDup_filter, nodes_once.
      - intros v Hv. apply filter_In in Hv. destruct Hv as (Hv & Hj). apply N.leb_le in Hj. split; [lia|auto].
    Qed.

    Theorem receptions_rounds T : k = Spread \/ k = Collect -> too_little T (packets * (living - 1)) capacity = true -> T <= len c.
    Proof.
      intros EK. apply too_little_sound. intros K EL. destruct all_once as (D & LN & A).
      set (back := match k with Collect => true | _ => false end).
      set (home := fun q : packet => fst (ends_of back q)).
      set (Q := filter (fun x => negb (snd x =? home (fst x))) (list_prod all_packets (nodes W))).
      assert (LQ : len Q = packets * (living - 1)).
      { unfold Q. assert (HH : forall q, In q all_packets -> In (home q) (nodes W)).
        { intros ((o, d), j) Hq. destruct (A _ Hq) as (_ & X & Y). unfold home. cbn [ends_of fst snd] in *. now destruct back. }
        rewrite <- LN. clear D LN A Q. induction all_packets as [|q l IH]; [reflexivity|].
        cbn [list_prod]. rewrite filter_app, len_app.
        etransitivity; [eapply f_equal2; [reflexivity|apply IH; intros; apply HH; now right]|]. rewrite len_cons.
        match goal with |- ?z + _ = _ => assert (Z : z + 1 = living); [|revert Z; generalize z; intros; rewrite N.mul_add_distr_r; lia] end.
        specialize (HH q (or_introl eq_refl)). unfold living. rewrite len_filter, sum_map. cbn [fst snd].
        assert (X : sum (fun v => if N.eq_dec (home q) v then 1 else 0) (nodes W) = 1).
        { rewrite (sum_pick N.eq_dec (fun _ => 1)) by apply nodes_once. destruct (in_dec N.eq_dec (home q) (nodes W)); easy. }
        assert (Y : sum (fun v => (if negb (v =? home q) then 1 else 0) + (if N.eq_dec (home q) v then 1 else 0)) (nodes W) = 1 * len (nodes W)).
        { rewrite <- sum_const. apply sum_eq. intros v _.
          destruct (N.eqb_spec v (home q)) as [E|E], (N.eq_dec (home q) v) as [E'|E']; cbn; congruence. }
        rewrite sum_plus, X, N.mul_1_l in Y. exact Y. }
      rewrite <- LQ, <- (len_of back), capacity_used.
      assert (MU : most_used W L = most_used (net_of back) L) by (unfold net_of; now destruct back). rewrite MU.
      apply (reception_bound (net_of back) L (rounds_of back) K Q (fun x => home (fst x))); auto.
      - unfold net_of. destruct back; apply nodes_once.
      - unfold net_of. destruct back; apply links_once.
      - intros l Hl. unfold net_of in *. destruct back; cbn [reversed links src dst nodes] in *; destruct (link_ends l Hl); auto.
      - apply within_of.
      - apply NoDup_filter, NoDup_prod; auto. apply nodes_once.
      - intros (q, v) Hx. apply filter_In in Hx. destruct Hx as (Hx & NE). apply negb_true_iff, N.eqb_neq in NE. cbn [fst snd] in *.
        apply in_prod_iff in Hx. destruct Hx as (Hq & Hv). split; [auto|]. destruct (A _ Hq) as (HT & Ho & Hd).
        destruct q as ((o, d), j). unfold home. cbn [ends_of fst snd] in *.
        destruct EK as [EK|EK]; assert (EB : back = match k with Collect => true | _ => false end) by reflexivity; rewrite EK in EB.
        + rewrite EB. apply (path_of false (o, d, j) o v). split; auto. split; auto. split; auto. cbn [P problem_of what]. now rewrite EK.
        + rewrite EB. apply (path_of true (o, d, j) v d). split; auto. split; auto. split; auto. cbn [P problem_of what]. now rewrite EK.
    Qed.

    Theorem cut_rounds T back m one other : working one = true -> working other = true ->
      too_little T (len (filter (must_enter back m one other) all_packets)) (entrance (facing back) L (is_inside m)) = true -> T <= len c.
    Proof.
      intros W1 W2. apply too_little_sound. intros K EL. destruct all_once as (D & _ & A). apply node_iff in W1, W2.
      rewrite <- (len_of back). change (facing back) with (net_of back).
      apply (cut_bound (net_of back) L (is_inside m)) with (from := fun q => fst (goes back one other q)) (to := fun q => snd (goes back one other q)); auto.
      - unfold net_of. destruct back; apply nodes_once.
      - intros l Hl. unfold net_of in *. destruct back; cbn [reversed links src dst nodes] in *; destruct (link_ends l Hl); auto.
      - apply within_of.
      - now apply NoDup_filter.
      - intros q Hq. apply filter_In in Hq. destruct Hq as (Hq & M). unfold must_enter in M. apply andb_true_iff in M. destruct M as (M1 & M2).
        apply negb_true_iff in M1. split; [exact M1|]. split; [exact M2|]. clear M1 M2. destruct (A q Hq) as (HT & Ho & Hd).
        assert (DM : forall a b, In a (nodes W) -> In b (nodes W) ->
          match k, q with Deliver, (o, d, _) => a = o /\ b = d | Spread, (o, _, _) => a = o | Collect, (_, d, _) => b = d | Share, _ => True end ->
          demand P q a b).
        { intros a b Ha Hb X. split; [exact HT|]. split; [exact Ha|]. split; [exact Hb|exact X]. }
        destruct q as ((o, d), j). cbn [fst snd] in Ho, Hd. unfold goes, outward, hub.
        assert (KC : k = Deliver \/ k = Spread \/ k = Collect \/ k = Share) by (destruct k; tauto).
        destruct KC as [EK|[EK|[EK|EK]]]; rewrite EK in DM |- *; destruct back; cbn [negb ends_of fst snd].
        + apply (path_of true (o, d, j) o d), DM; auto.
        + apply (path_of false (o, d, j) o d), DM; auto.
        + apply (path_of true (o, d, j) o other), DM; auto.
        + apply (path_of false (o, d, j) o one), DM; auto.
        + apply (path_of true (o, d, j) one d), DM; auto.
        + apply (path_of false (o, d, j) other d), DM; auto.
        + apply (path_of true (o, d, j) one other), DM; auto.
        + apply (path_of false (o, d, j) other one), DM; auto.
    Qed.

    Theorem gossip_rounds T : k = Share -> 0 < living -> too_little T (packets * (2 * (living - 1))) capacity = true -> T <= len c.
    Proof.
      intros EK HN. apply too_little_sound. intros K EL. destruct all_once as (D & <- & A). rewrite capacity_used.
      apply (gossip_bound W L c K all_packets); auto using nodes_once, links_once, link_ends, within_c.
      - change living with (len (nodes W)) in HN. destruct (nodes W); [cbn in HN; lia|discriminate].
      - intros q u v Hq Hu Hv. apply comp. destruct (A _ Hq) as (HT & _). split; auto. split; auto. split; auto.
        cbn [P problem_of what]. rewrite EK. now destruct q as ((o, d), j).
    Qed.

    Theorem price_rounds T levels prices message blocks : k = Deliver -> tr = Symmetric blocks ->
      (forall l, In l (all_links n (degree s)) -> get levels (next s l) - get levels (fst l) <= nth (N.to_nat (snd l)) prices 0 + message) ->
      too_little T (n * sum (fun b => get levels (fst b) - get levels 0) blocks)
                   (n * sum (fun p => nth (N.to_nat p) prices 0) (range (degree s)) + message * capacity) = true -> T <= len c.
    Proof.
      intros EK ET HR. apply too_little_sound. intros K EL. destruct all_once as (D & _ & A).
      set (lv := fun o x => get levels (sub (moduli s) x o)).
      set (I := map (fun x => Item (packet_of (fst x) (snd x)) (fst x) (add (moduli s) (fst x) (fst (snd x))) (lv (fst x))) (list_prod (range n) blocks)).
      assert (PK : map pk I = all_packets).
      { unfold I, all_packets. rewrite ET, map_map. reflexivity. }
      assert (BL : forall o b, In (o, b) (list_prod (range n) blocks) -> o < n /\ fst b < n).
      { intros o b H. apply in_prod_iff in H. rewrite range_In in H. destruct H as (Ho & Hb). split; auto.
        unfold packets_once in once. rewrite ET in once. rewrite !andb_true_iff, forallb_forall in once. destruct once as (_ & B).
        now apply N.ltb_lt, B. }
      pose proof (price_bound W L c K I (fun l => nth (N.to_nat (snd l)) prices 0) message nodes_once links_once link_ends within_c EL) as B.
      assert (SA : sum (fun l : link => nth (N.to_nat (snd l)) prices 0) (links W) <= n * sum (fun p => nth (N.to_nat p) prices 0) (range (degree s))).
      { cbn [network_of links]. transitivity (sum (fun l : link => nth (N.to_nat (snd l)) prices 0) (all_links n (degree s))).
        - apply sum_filter.
        - apply N.eq_le_incl. unfold all_links. etransitivity; [apply (sum_links (fun p => nth (N.to_nat p) prices 0))|]. now rewrite len_range. }
      etransitivity; [|etransitivity; [apply B|]].
      - unfold I. rewrite sum_map. cbn [to from lev].
        rewrite (sum_eq _ (fun x : N * (N * N) => get levels (fst (snd x)) - get levels 0)).
        + rewrite (sum_prod (fun b : N * N => get levels (fst b) - get levels 0)), len_range. lia.
        + intros (o, b) H. destruct (BL o b H) as (Ho & Hb). cbn [fst snd]. unfold lv. unfold sub at 2. rewrite add_neg by auto.
          rewrite add_comm, add_sub by auto. reflexivity.
      - rewrite PK. exact D.
      - intros i Hi. unfold I in Hi. apply in_map_iff in Hi. destruct Hi as ((o, b) & <- & H). cbn [pk from to fst snd].
        apply comp. assert (HA : In (packet_of o b) all_packets).
        { unfold all_packets. rewrite ET. apply in_map_iff. exists (o, b). auto. }
        destruct (A _ HA) as (HT & Ho & Hd). unfold packet_of in *. cbn [fst snd] in *. split; auto. split; auto. split; auto.
        cbn [P problem_of what]. rewrite EK. auto.
      - intros i (v, p) Hi Hl. unfold I in Hi. apply in_map_iff in Hi. destruct Hi as ((o, b) & <- & H). destruct (BL o b H) as (Ho & _).
        apply filter_In in Hl. destruct Hl as (Hl & _). apply link_In in Hl. unfold rise, lv. cbn [lev fst snd network_of src dst].
        specialize (HR (sub (moduli s) v o, p)). cbn [fst snd] in HR.
        replace (sub (moduli s) (next s (v, p)) o) with (next s (sub (moduli s) v o, p)).
        + apply HR, link_In. split; [now apply sub_lt|tauto].
        + unfold next, sub. cbn [fst snd]. now apply add_shift.
      - rewrite capacity_used in *. apply N.mul_le_mono_l, N.mul_le_mono_l. lia.
    Qed.
  End Competitor.
End Lower.

Theorem lower_sound s L k tr T cert : positive_moduli (moduli s) -> lower s L k tr T cert = true ->
  forall c, competes (problem_of s L k tr) c -> T <= len c.
Proof.
  intros pos H c C. unfold lower in H. rewrite andb_true_iff in H. destruct H as (once & H). destruct cert as [levels prices message| | |back u early far distance levels|back u early|back u|back u early j levels|back m one other].
  - destruct k eqn:EK; try discriminate. destruct tr eqn:ET; try discriminate. rewrite andb_true_iff, forallb_forall in H. destruct H as (A & B).
    eapply price_rounds; eauto. intros l Hl. now apply N.leb_le, A.
  - eapply receptions_rounds; eauto; destruct k; try discriminate; auto.
  - destruct k eqn:EK; try discriminate. rewrite andb_true_iff, N.ltb_lt in H. eapply gossip_rounds; eauto; tauto.
  - rewrite !andb_true_iff, forallb_forall in H.
    destruct H as ((((((((H1 & H2) & H3) & H4) & H5) & H6) & H7) & H8) & H9).
    apply N.eqb_eq in H4. apply N.ltb_lt in H8. apply N.leb_le in H9.
    eapply late_rounds with (levels := levels) (u := u) (far := far) (distance := distance); try eassumption.
    + intros NK. destruct k; try congruence; now apply N.leb_le in H5.
    + intros l Hl. specialize (H6 l Hl). destruct back; now apply N.leb_le.
  - rewrite !andb_true_iff in H. destruct H as ((((H1 & H2) & H3) & H4) & H5). apply N.ltb_lt in H5.
    eapply doubling_rounds; eauto. destruct k; discriminate.
  - rewrite !andb_true_iff in H. destruct H as (((H1 & H2) & H3) & H4). apply N.ltb_lt in H4.
    eapply reach_rounds; eauto. now destruct k.
  - rewrite !andb_true_iff, forallb_forall in H. destruct H as ((((H1 & H2) & H3) & H4) & H5). apply N.eqb_eq in H2. apply N.ltb_lt in H5.
    apply (distant_rounds s L k tr) with (back := back) (u := u) (early := early) (j := j) (levels := levels); auto.
    + intros l Hl. specialize (H3 l Hl). destruct back; now apply N.leb_le.
    + destruct k; apply andb_true_iff in H4; destruct H4 as (A & B); split; auto; now apply N.eqb_eq.
  - rewrite !andb_true_iff in H. destruct H as ((H1 & H2) & H3).
    apply (cut_rounds s L k tr) with (back := back) (m := m) (one := one) (other := other); auto.
Qed.
