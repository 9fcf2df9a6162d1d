(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The check of validity, and its soundness: if [check_valid] says true, the plan solves its problem. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate.
Import ListNotations.
Open Scope N_scope.

Section Valid.
  Variables (s : shape) (r : replication) (odd J : N) (L : limits) (k : kind) (tr : traffics).
  Notation n := (size s).
  Notation held := (held s J).
  Notation T := (translations s r).

  Definition shape_ok : bool :=
    forallb (fun m => 0 <? m) (moduli s) && forallb (fun g => g <? n) (generators s) &&
    match r, failures s with Once, _ => true | _, None => true | _, Some _ => false end &&
    match r with Even chosen => forallb (fun x => negb (snd x) || (fst x mod 2 =? 0)) (combine (moduli s) chosen) | _ => true end.

  Definition small : list packet :=
    match tr with
    | Symmetric blocks => flat_map (fun o => map (fun b => (o, add (moduli s) o (fst b), snd b)) blocks) (reps s r odd)
    | Listed packets => packets
    end.
  Definition small_ok : bool :=
    match tr with
    | Symmetric blocks => forallb (fun b => fst b <? n) blocks
    | Listed _ => match r with Once => true | _ => false end
    end && forallb (packet_ok s r odd J) small.

  Definition origin (q : packet) : node := fst (fst q).
  Definition starts : list (packet * node) :=
    match k with
    | Deliver | Spread => map (fun q => (q, origin q)) (filter (fun q => alive s (origin q)) small)
    | Collect | Share => flat_map (fun q => map (fun v => (q, v)) (filter (alive s) (range n))) small
    end.
  Definition begin_with (l : list (packet * node)) (m : table) : table :=
    fold_left (fun m x => set m (key s J (fst x) (snd x)) 1) l m.

  Fixpoint play (keep : bool) (rounds : list round) (m : table) : option table :=
    match rounds with
    | [] => Some m
    | R :: rounds =>
        if round_ok s r L R
        then match take s r odd J keep R m with Some m1 => play keep rounds (give s J R m1) | None => None end
        else None
    end.

  Definition holds (m : table) q v : bool := negb (get m (key s J q v) =? 0).
  Definition gathered (m : table) : bool :=
    forallb (fun q => forallb (fun v => (v =? snd (fst q)) || negb (holds m q v)) (range n)) small.
  Definition everywhere (m : table) : bool :=
    forallb (fun q => forallb (fun v => holds m q v) (filter (alive s) (range n))) (map fst starts).
  Definition arrived (m : table) : bool :=
    forallb (fun q => negb (alive s (snd (fst q))) || holds m q (snd (fst q))) (map fst starts).

  Definition check_valid (moves copies : list round) : bool :=
    shape_ok && odd_ok s r odd && small_ok &&
    match play false moves (begin_with starts none) with
    | None => false
    | Some m =>
        match k with Collect | Share => gathered m | _ => true end &&
        match k, copies with Collect, _ :: _ => false | _, _ => true end &&
        match play true copies m with
        | None => false
        | Some m => match k with Deliver => arrived m | Collect => true | _ => everywhere m end
        end
    end.

  Lemma shape_ok_sound : shape_ok = true -> sound_shape s r.
  Proof.
    unfold shape_ok. rewrite !andb_true_iff, !forallb_forall. intros (((A & B) & C) & D). split; [|split; [split|]].
    - intros m Hm. now apply N.ltb_lt, A.
    - intros g Hg. now apply N.ltb_lt, B.
    - intros NE. destruct r; [|congruence|]; destruct (failures s); congruence.
    - destruct r; auto. rewrite forallb_forall in D. intros m Hm. specialize (D _ Hm). cbn [fst snd negb orb] in D. now apply N.eqb_eq.
  Qed.

  Section Sound.
    Hypothesis ok : sound_shape s r.
    Hypothesis rep : odd_ok s r odd = true.
    Hypothesis small_true : small_ok = true.
    Let P : positive_moduli (moduli s) := pos s r ok.
    Let Pb := problem_of s L k tr.
    Notation move := (move s).
    Notation "x ⊕ g" := (add (moduli s) x g) (at level 50).

    Lemma small_packet q : In q small -> packet_ok s r odd J q = true.
    Proof. unfold small_ok in small_true. rewrite andb_true_iff, !forallb_forall in small_true. apply small_true. Qed.
    Lemma T_lt g : In g T -> g < n. Proof. apply translations_lt. Qed.
    Lemma once_0 g : r = Once -> In g T -> g = 0.
    Proof. intros E Hg. apply filter_In in Hg. destruct Hg as (_ & X). rewrite E in X. cbn in X. now apply N.eqb_eq. Qed.

    Lemma covered q : traffic_of s tr q -> exists q0 g, In q0 small /\ In g T /\ q = move g q0.
    Proof.
      destruct q as ((o, d), j). intros (Ho & Hd & X). unfold small_ok, small in *. destruct tr as [blocks|packets].
      - destruct (rep_cover s r odd ok rep o Ho) as (o' & Hr & R & C).
        pose proof (is_rep_lt s r odd ok rep o' R) as Ho'.
        exists (o', o' ⊕ sub (moduli s) d o, j), (sub (moduli s) o o'). split; [|split].
        + apply in_flat_map. exists o'. split; auto. apply in_map_iff. exists (sub (moduli s) d o, j). auto.
        + apply (class_sub s r ok); auto.
        + cbn [Translate.move]. f_equal. f_equal.
          * rewrite add_comm. symmetry. now apply sub_add.
          * rewrite add_shift by exact P. rewrite (add_comm _ o'), sub_add by auto. rewrite add_comm. symmetry. now apply sub_add.
      - destruct r eqn:ER; try discriminate. exists (o, d, j), 0. split; auto. split.
        + apply filter_In. split; [apply range_In, n_pos with (r := Once)|reflexivity]. exact ok.
        + cbn [Translate.move]. rewrite !add_0_r; auto.
    Qed.

    Lemma small_traffic q g : In q small -> In g T -> traffic_of s tr (move g q).
    Proof.
      intros Hq Hg. pose proof (small_packet q Hq) as K. pose proof (T_lt g Hg) as HG. unfold small_ok, small in *.
      destruct q as ((o, d), j). unfold packet_ok in K. rewrite !andb_true_iff, !N.ltb_lt in K.
      pose proof (is_rep_lt s r odd ok rep o (proj1 (proj1 K))) as Ho.
      cbn [Translate.move]. unfold traffic_of. split; [apply add_lt, P|]. split; [apply add_lt, P|].
      destruct tr as [blocks|packets].
      - rewrite andb_true_iff, !forallb_forall in small_true. destruct small_true as (B & _).
        apply in_flat_map in Hq. destruct Hq as (o' & _ & Hq). apply in_map_iff in Hq. destruct Hq as ((b, j') & E & Hb).
        specialize (B _ Hb). cbn [fst snd] in *. apply N.ltb_lt in B. injection E as -> <- ->.
        replace (sub (moduli s) (o ⊕ b ⊕ g) (o ⊕ g)) with b; auto.
        rewrite add_shift by exact P. rewrite (add_comm _ (o ⊕ g) b). symmetry. apply add_sub; auto. apply add_lt, P.
      - assert (ER : r = Once) by (destruct r; [discriminate|reflexivity|discriminate]).
        rewrite (once_0 g ER Hg), !add_0_r; tauto.
    Qed.

    Lemma alive_shift v g : v < n -> In g T -> alive s (v ⊕ g) = alive s v.
    Proof.
      intros Hv Hg. assert (C : r = Once \/ r <> Once) by (destruct r; (now left) || (right; discriminate)).
      destruct C as [ER|NE]; [rewrite (once_0 g ER Hg), add_0_r; auto|].
      pose proof ok as (_ & (_ & F) & _). unfold alive. now rewrite F.
    Qed.
    Lemma node_In v : In v (nodes (network_of s)) <-> v < n /\ alive s v = true.
    Proof. cbn [network_of nodes]. rewrite filter_In, range_In. tauto. Qed.

    Lemma begin_held l : (forall x, In x l -> packet_ok s r odd J (fst x) = true /\ snd x < n) ->
      forall m q v, packet_ok s r odd J q = true -> v < n -> held (begin_with l m) q v <-> held m q v \/ In (q, v) l.
    Proof.
      unfold begin_with. induction l as [|(q0, v0) l IH]; cbn [fold_left]; intros HL m q v Hq Hv; [cbn; tauto|].
      rewrite IH by (auto; intros; apply HL; now right). unfold Simulate.held at 1. rewrite get_set. cbn [fst snd].
      destruct (HL _ (or_introl eq_refl)) as (Hq0 & Hv0). cbn [fst snd] in *.
      destruct (N.eqb_spec (key s J q0 v0) (key s J q v)) as [K|K].
      - apply (key_inj s r odd) in K; auto. destruct K as (-> & ->). split; [intros _; right; now left|left; lia].
      - cbn [In]. split; [intros [A|A]; auto|]. intros [A|[A|A]]; auto. exfalso. apply K. injection A; intros; now subst.
    Qed.

    Lemma starts_ok x : In x starts -> packet_ok s r odd J (fst x) = true /\ snd x < n /\ In (fst x) small.
    Proof.
      assert (A : forall q, In q small -> origin q < n).
      { intros q Hq. pose proof (small_packet q Hq) as K. destruct q as ((o, d), j). unfold packet_ok in K. rewrite !andb_true_iff in K.
        apply (is_rep_lt s r odd ok rep). tauto. }
      unfold starts. destruct k; intros H;
        try (apply in_map_iff in H; destruct H as (q & <- & H); apply filter_In in H; destruct H as (H & _); cbn [fst snd];
             split; [now apply small_packet|split; auto]);
        apply in_flat_map in H; destruct H as (q & H & Hv); apply in_map_iff in Hv; destruct Hv as (v & <- & Hv); cbn [fst snd];
        apply node_In in Hv; (split; [now apply small_packet|tauto]).
    Qed.

    Lemma started q v : packet_ok s r odd J q = true -> v < n -> held (begin_with starts none) q v <-> In (q, v) starts.
    Proof.
      intros Hq Hv. rewrite begin_held; auto; [|intros x Hx; destruct (starts_ok x Hx); tauto].
      unfold Simulate.held at 1. rewrite get_none. split; [|auto]. intros [H|H]; [now destruct H|exact H].
    Qed.

    Lemma origin_move g q : origin (move g q) = origin q ⊕ g.
    Proof. now destruct q as ((o, d), j). Qed.

    Lemma start_told g q u x : packet_ok s r odd J q = true -> In g T -> x < n -> start Pb (move g q) u (x ⊕ g) ->
      In (q, x) starts.
    Proof.
      intros Hq Hg Hx (E & Hu & HT & HK). cbn [Pb problem_of traffic what net] in *.
      assert (S : In q small).
      { destruct (covered _ HT) as (q0 & g0 & Hq0 & Hg0 & EQ).
        destruct (move_inj s r odd J ok rep _ _ _ _ Hg Hg0 Hq (small_packet _ Hq0) EQ) as (_ & ->). exact Hq0. }
      subst u. apply node_In in Hu. rewrite alive_shift in Hu by auto.
      unfold starts. destruct k.
      1,2: destruct q as ((o, d), j); cbn [Translate.move] in HK;
           assert (o < n) by (unfold packet_ok in Hq; rewrite !andb_true_iff in Hq; apply (is_rep_lt s r odd ok rep); tauto);
           assert (x = o) by (apply (add_cancel (moduli s) P x o g); auto; now apply T_lt); subst x;
           apply in_map_iff; exists (o, d, j); split; auto; apply filter_In; split; auto; tauto.
      1,2: apply in_flat_map; exists q; split; auto; apply in_map_iff; exists x; split; auto; apply node_In; tauto.
    Qed.

    Lemma start_tells g q v : In (q, v) starts -> In g T ->
      start Pb (move g q) (v ⊕ g) (v ⊕ g) /\ (match k with Deliver | Spread => v = origin q | _ => True end).
    Proof.
      intros H Hg. destruct (starts_ok _ H) as (Hq & Hv & Hs). cbn [fst snd] in *.
      assert (X : alive s v = true /\ match k with Deliver | Spread => v = origin q | _ => True end).
      { unfold starts in H. destruct k.
        1,2: apply in_map_iff in H; destruct H as (q' & E & H); apply filter_In in H; injection E as -> <-; tauto.
        1,2: apply in_flat_map in H; destruct H as (q' & H & Hw); apply in_map_iff in Hw; destruct Hw as (w & E & Hw);
             injection E as -> ->; apply node_In in Hw; tauto. }
      destruct X as (A & B). split; [|exact B]. split; [reflexivity|]. cbn [Pb problem_of traffic what net]. split; [|split].
      - apply node_In. rewrite alive_shift by auto. split; auto. apply add_lt, P.
      - now apply small_traffic.
      - destruct k; auto; destruct q as ((o, d), j); cbn [Translate.move]; unfold origin in B; cbn [fst] in B; now subst.
    Qed.

    (** Rounds that the table plays are rounds that run. *)
    Definition somewhere (H : holding) := forall q g u, packet_ok s r odd J q = true -> In g T ->
      start Pb (move g q) u u -> exists x, x < n /\ H (move g q) u (x ⊕ g).

    Lemma play_run keep F : carried F -> (forall H q v, F H q v -> exists u, H q u v) ->
      (keep = true -> forall H q u v x, demand Pb q u v -> F H q x -> H q u x) ->
      forall rounds m m' H, play keep rounds m = Some m' -> tells s r odd J F m H ->
      exists H', tells s r odd J F m' H' /\ (told s r odd J m H -> told s r odd J m' H') /\ (somewhere H -> somewhere H') /\
        forall rest, run Pb rest H' -> run Pb (map (fun R => (keep, expand s r R)) rounds ++ rest) H.
    Proof.
      intros C X K. induction rounds as [|R rounds IH]; cbn [play map app]; intros m m' H E HT.
      - injection E as <-. exists H. auto.
      - destruct (round_ok s r L R) eqn:RO; [|discriminate]. destruct (take s r odd J keep R m) as [m1|] eqn:TK; [|discriminate].
        assert (TR : tells s r odd J F (give s J R m1) (after (network_of s) keep (expand s r R) H)).
        { apply (tells_round s r odd J ok rep (network_of s) eq_refl keep R m m1 H TK F C HT). }
        destruct (IH _ _ _ E TR) as (H' & T1 & T2 & T3 & T4). exists H'. split; [exact T1|]. split; [|split].
        + intros TD. apply T2. apply (told_round s r odd J ok rep (network_of s) eq_refl keep R m m1 H TK TD).
        + intros S. apply T3. intros q g u Hq Hg Hu. apply (kept_somewhere s r odd J ok rep (network_of s) eq_refl keep R m m1 H TK); auto.
        + intros rest HR. cbn [run]. split; [|split].
          * apply (legal_round s r odd J ok rep (network_of s) eq_refl keep R m m1 H TK Pb F eq_refl C HT X). intros KE. now apply K.
          * now apply round_ok_within.
          * now apply T4.
    Qed.

    Lemma holds_held m q v : holds m q v = true <-> held m q v.
    Proof. unfold holds, Simulate.held. rewrite negb_true_iff, N.eqb_neq. tauto. Qed.

    Lemma unmove q u v : demand Pb q u v -> exists q0 g v0, In q0 small /\ In g T /\ q = move g q0 /\ v0 < n /\ alive s v0 = true /\ v = v0 ⊕ g.
    Proof.
      intros (HT & _ & Hv & _). destruct (covered _ HT) as (q0 & g & Hq & Hg & ->). apply node_In in Hv.
      exists q0, g, (sub (moduli s) v g). pose proof (T_lt g Hg). repeat split; auto.
      - apply sub_lt, P.
      - rewrite <- (alive_shift _ g), sub_add; try tauto. apply sub_lt, P.
      - symmetry. now apply sub_add.
    Qed.

    Lemma start_of q u v : demand Pb q u v -> start Pb q u u.
    Proof. intros (HT & Hu & _ & HK). split; [reflexivity|]. split; auto. split; auto. destruct (what Pb), q as ((o, d), j); tauto. Qed.
    Definition F1 (H : holding) q v := H q (origin q) v.
    Definition F2 (H : holding) q v := traffic_of s tr q /\ exists u, H q u v.
    Definition F3 (H : holding) q v := (exists u, H q u v) /\ forall u, In u (nodes (network_of s)) -> H q u v.

    Lemma carried_1 : carried F1. Proof. intros H H' q a b M X. now apply M. Qed.
    Lemma carried_2 : carried F2. Proof. intros H H' q a b M (A & u & X). split; auto. exists u. now apply M. Qed.
    Lemma carried_3 : carried F3. Proof. intros H H' q a b M ((u & X) & A). split; [exists u|intros v Hv]; auto. Qed.

    Lemma F1_some (H : holding) q v : F1 H q v -> exists u, H q u v. Proof. intros X. now exists (origin q). Qed.

    Let m0 := begin_with starts none.

    Lemma told_start : told s r odd J m0 (start Pb).
    Proof. intros q g u x Hq Hg Hx Hs. apply started; auto. now apply start_told with (g := g) (u := u). Qed.

    Lemma somewhere_start : somewhere (start Pb).
    Proof.
      intros q g u Hq Hg Hs. pose proof Hs as (_ & Hu & _). cbn [Pb problem_of net] in Hu. apply node_In in Hu.
      pose proof (T_lt g Hg). exists (sub (moduli s) u g). split; [apply sub_lt, P|]. now rewrite sub_add.
    Qed.

    Lemma gathered_at m H q u v : somewhere H -> told s r odd J m H -> gathered m = true -> In q small ->
      forall g, In g T -> start Pb (move g q) u u -> v = snd (fst q) -> H (move g q) u (v ⊕ g).
    Proof.
      intros S TD G Hq g Hg Hu ->. destruct (S q g u (small_packet q Hq) Hg Hu) as (x & Hx & HH).
      pose proof (TD q g u x (small_packet q Hq) Hg Hx HH) as K.
      unfold gathered in G. rewrite forallb_forall in G. specialize (G q Hq). rewrite forallb_forall in G.
      specialize (G x (proj2 (range_In _ _) Hx)). apply orb_true_iff in G. destruct G as [G|G].
      - apply N.eqb_eq in G. now subst.
      - apply negb_true_iff in G. apply holds_held in K. congruence.
    Qed.

    Theorem sound moves copies :
      match play false moves m0 with
      | None => false
      | Some m =>
          match k with Collect | Share => gathered m | _ => true end &&
          match k, copies with Collect, _ :: _ => false | _, _ => true end &&
          match play true copies m with
          | None => false
          | Some m => match k with Deliver => arrived m | Collect => true | _ => everywhere m end
          end
      end = true -> run Pb (schedule s r moves copies) (start Pb).
    Proof.
      destruct (play false moves m0) as [m|] eqn:E1; [|discriminate].
      destruct (play true copies m) as [m2|] eqn:E2; [|rewrite andb_false_r; discriminate].
      rewrite !andb_true_iff. intros ((G & CO) & FI). unfold schedule.
      assert (KC : k = Deliver \/ k = Spread \/ k = Collect \/ k = Share) by (destruct k; tauto).
      destruct KC as [EK|[EK|[EK|EK]]]; rewrite EK in FI, CO, G.
      1,2:
        assert (TS : tells s r odd J F1 m0 (start Pb)) by
          (intros q v g Hq Hv Hg Hh; apply started in Hh; auto; destruct (start_tells g q v Hh Hg) as (A & B); rewrite EK in B;
           unfold F1; rewrite origin_move, <- B; exact A);
        assert (KD : forall H q u v x, demand Pb q u v -> F1 H q x -> H q u x) by
          (intros H ((o, d), j) u v x (_ & _ & _ & D) X; cbn [Pb problem_of what] in D; rewrite EK in D; unfold F1, origin in X; cbn [fst] in X;
           (destruct D as (-> & _) || subst u); exact X);
        destruct (play_run false F1 carried_1 F1_some (fun _ => KD) _ _ _ _ E1 TS) as (H1 & T1 & _ & _ & R1);
        destruct (play_run true F1 carried_1 F1_some (fun _ => KD) _ _ _ _ E2 T1) as (H2 & T2 & _ & _ & R2);
        apply R1; rewrite <- (app_nil_r (map _ copies)); apply R2; cbn [run]; intros q u v D;
        destruct (unmove q u v D) as (q0 & g & v0 & Hq & Hg & -> & Hv & Av & ->);
        apply (KD H2 _ _ (v0 ⊕ g)); auto; apply T2; auto using small_packet;
        assert (Hs : In q0 (map fst starts)) by
          (destruct D as (_ & Hu & _ & D); cbn [Pb problem_of what net] in *; rewrite EK in D;
           apply in_map_iff; exists (q0, origin q0); split; auto; unfold starts; rewrite EK; apply in_map_iff; exists q0; split; auto;
           apply filter_In; split; auto; destruct q0 as ((o, d), j); cbn [Translate.move] in D; unfold origin; cbn [fst];
           pose proof (small_packet _ Hq) as SP; unfold packet_ok in SP; rewrite !andb_true_iff in SP;
           apply node_In in Hu; rewrite <- (alive_shift o g) by (auto; apply (is_rep_lt s r odd ok rep); tauto);
           ((destruct D as (<- & _)) || (rewrite <- D)); tauto).
      - destruct D as (_ & _ & _ & D). cbn [Pb problem_of what] in D. rewrite EK in D. destruct q0 as ((o, d), j).
        cbn [Translate.move] in D. destruct D as (_ & D).
        pose proof (small_packet _ Hq) as SP. unfold packet_ok in SP. rewrite !andb_true_iff, !N.ltb_lt in SP.
        assert (v0 = d) by (apply (add_cancel (moduli s) P v0 d g); try tauto; now apply T_lt). subst v0.
        unfold arrived in FI. rewrite forallb_forall in FI. specialize (FI _ Hs). cbn [fst snd] in FI. rewrite Av in FI. cbn in FI.
        now apply holds_held.
      - unfold everywhere in FI. rewrite forallb_forall in FI. specialize (FI _ Hs). rewrite forallb_forall in FI.
        apply holds_held, FI, node_In. auto.
      - destruct copies; [|discriminate].
        assert (TS : tells s r odd J F2 m0 (start Pb)).
        { intros q v g Hq Hv Hg Hh. apply started in Hh; auto. destruct (start_tells g q v Hh Hg) as (A & _). split; [apply A|eauto]. }
        destruct (play_run false F2 carried_2 (fun H q v X => proj2 X) ltac:(discriminate) _ _ _ _ E1 TS) as (H1 & T1 & T2 & T3 & R1).
        apply R1. cbn [map run]. intros q u v D. destruct (unmove q u v D) as (q0 & g & v0 & Hq & Hg & -> & Hv & Av & ->).
        pose proof (start_of _ _ _ D) as SO. destruct D as (_ & _ & _ & D). cbn [Pb problem_of what] in D. rewrite EK in D.
        pose proof (small_packet _ Hq) as SP. destruct q0 as ((o, d), j). cbn [Translate.move] in D.
        unfold packet_ok in SP. rewrite !andb_true_iff, !N.ltb_lt in SP.
        assert (v0 = d) by (apply (add_cancel (moduli s) P v0 d g); try tauto; now apply T_lt).
        apply (gathered_at m H1 (o, d, j)); auto; [apply T3, somewhere_start|apply T2, told_start].
      - assert (TS : tells s r odd J F2 m0 (start Pb)).
        { intros q v g Hq Hv Hg Hh. apply started in Hh; auto. destruct (start_tells g q v Hh Hg) as (A & _). split; [apply A|eauto]. }
        destruct (play_run false F2 carried_2 (fun H q v X => proj2 X) ltac:(discriminate) _ _ _ _ E1 TS) as (H1 & T1 & T2 & T3 & R1).
        assert (TT : tells s r odd J F3 m H1).
        { intros q v g Hq Hv Hg Hh. destruct (T1 q v g Hq Hv Hg Hh) as (HT & X). split; [exact X|]. intros u Hu.
          destruct (covered _ HT) as (q0 & g0 & Hq0 & Hg0 & EQ).
          destruct (move_inj s r odd J ok rep _ _ _ _ Hg Hg0 Hq (small_packet _ Hq0) EQ) as (_ & <-).
          apply (gathered_at m H1 q); auto; [apply T3, somewhere_start|apply T2, told_start| |].
          - split; [reflexivity|]. split; [exact Hu|]. split; [exact HT|]. cbn [Pb problem_of what]. now rewrite EK.
          - unfold gathered in G. rewrite forallb_forall in G. specialize (G q Hq0). rewrite forallb_forall in G.
            specialize (G v (proj2 (range_In _ _) Hv)). apply orb_true_iff in G. destruct G as [G|G]; [now apply N.eqb_eq|].
            apply negb_true_iff in G. apply holds_held in Hh. congruence. }
        assert (KD : forall H q u v x, demand Pb q u v -> F3 H q x -> H q u x).
        { intros H q u v x (_ & Hu & _) (_ & X). now apply X. }
        destruct (play_run true F3 carried_3 (fun H q v X => proj1 X) (fun _ => KD) _ _ _ _ E2 TT) as (H2 & U1 & _ & _ & R2).
        apply R1. rewrite <- (app_nil_r (map _ copies)). apply R2. cbn [run]. intros q u v D.
        destruct (unmove q u v D) as (q0 & g & v0 & Hq & Hg & -> & Hv & Av & ->).
        apply (KD H2 _ _ (v0 ⊕ g)); auto. apply U1; auto using small_packet.
        unfold everywhere in FI. rewrite forallb_forall in FI.
        assert (Hs : In q0 (map fst starts)).
        { apply in_map_iff. exists (q0, v0). split; auto. unfold starts. rewrite EK. apply in_flat_map. exists q0. split; auto.
          apply in_map_iff. exists v0. split; auto. now apply node_In. }
        specialize (FI _ Hs). rewrite forallb_forall in FI. apply holds_held, FI, node_In. auto.
    Qed.
  End Sound.

  Theorem check_valid_sound moves copies : check_valid moves copies = true ->
    valid (problem_of s L k tr) (schedule s r moves copies).
  Proof.
    unfold check_valid. rewrite !andb_true_iff. intros (((A & B) & C) & D).
    apply sound; auto. now apply shape_ok_sound.
  Qed.
End Valid.
