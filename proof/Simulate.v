(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** One round of the listed hops on a table of what is held, and what the table says of all translated packets. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate.
Import ListNotations.
Open Scope N_scope.

Section Simulate.
  Variables (s : shape) (r : replication) (odd J : N).
  Notation n := (size s).

  (** One node a class. *)
  Definition is_rep (o : node) : bool :=
    match r with All => o =? 0 | Once => o <? n | Even _ => (o =? 0) || (o =? odd) end.
  Definition reps : list node := match r with All => [0] | Once => range n | Even _ => [0; odd] end.
  Definition odd_ok : bool := match r with Even _ => (class s r odd =? 1) && (odd <? n) | _ => true end.

  Definition key (q : packet) (v : node) : N := let '(o, d, j) := q in ((o * n + d) * J + j) * n + v.
  Definition packet_ok (q : packet) : bool := let '(o, d, j) := q in is_rep o && (d <? n) && (j <? J).
  Definition hop_ok (h : hop) : bool := packet_ok (fst h) && (fst (snd h) <? n).

  Fixpoint take (keep : bool) (R : round) (m : table) : option table :=
    match R with
    | [] => Some m
    | h :: R =>
        let k := key (fst h) (fst (snd h)) in
        if hop_ok h then if get m k =? 0 then None else take keep R (if keep then m else clear m k) else None
    end.
  Fixpoint give (R : round) (m : table) : table :=
    match R with [] => m | h :: R => give R (set m (key (fst h) (next s (snd h))) 1) end.

  Hypothesis ok : sound_shape s r.
  Hypothesis rep : odd_ok = true.
  Let P : positive_moduli (moduli s) := pos s r ok.

  Lemma n_pos : 0 < n. Proof. apply order_pos, P. Qed.
  Lemma is_rep_lt o : is_rep o = true -> o < n.
  Proof.
    pose proof n_pos. unfold odd_ok, is_rep in *. destruct r; rewrite ?orb_true_iff, ?N.eqb_eq, ?N.ltb_lt; try lia.
    apply andb_true_iff in rep. destruct rep as (_ & X). apply N.ltb_lt in X. lia.
  Qed.
  Lemma class_0 : class s r 0 = 0.
  Proof. pose proof P. destruct r; cbn; auto. now apply parity_0. Qed.
  Lemma rep_unique o o' : is_rep o = true -> is_rep o' = true -> class s r o = class s r o' -> o = o'.
  Proof.
    pose proof class_0 as Z. unfold odd_ok, is_rep in *. destruct r as [| |ch]; rewrite ?orb_true_iff, ?N.eqb_eq; cbn [class]; try congruence.
    apply andb_true_iff in rep. destruct rep as (X & _). apply N.eqb_eq in X. cbn [class] in *.
    intros [->| ->] [->| ->] E; congruence.
  Qed.
  Lemma rep_cover o : o < n -> exists o', In o' reps /\ is_rep o' = true /\ class s r o' = class s r o.
  Proof.
    pose proof class_0 as Z. intros Ho. unfold odd_ok, is_rep, reps in *. destruct r as [| |ch].
    - exists 0. split; [now left|]. now rewrite N.eqb_refl.
    - exists o. rewrite range_In, N.ltb_lt. auto.
    - apply andb_true_iff in rep. destruct rep as (X & _). apply N.eqb_eq in X. cbn [class] in *.
      pose proof (parity_lt (moduli s) ch o).
      assert (C : parity (moduli s) ch o = 0 \/ parity (moduli s) ch o = 1) by lia. destruct C as [C|C].
      + exists 0. split; [now left|]. cbn. split; [reflexivity|congruence].
      + exists odd. split; [right; now left|]. rewrite N.eqb_refl, orb_true_r. split; [reflexivity|congruence].
  Qed.
  Lemma reps_rep o : In o reps -> is_rep o = true.
  Proof.
    unfold reps, is_rep. destruct r; cbn [In]; rewrite ?range_In, ?N.ltb_lt, ?orb_true_iff, ?N.eqb_eq; intuition.
  Qed.
  Lemma reps_once : NoDup reps.
  Proof.
    pose proof class_0 as Z. unfold odd_ok, reps in *. destruct r as [| |ch].
    - repeat constructor. auto.
    - apply range_once.
    - apply andb_true_iff in rep. destruct rep as (X & _). apply N.eqb_eq in X. constructor; [|repeat constructor; auto].
      intros [E|[]]. subst. congruence.
  Qed.

  Lemma move_inj g g' q q' : In g (translations s r) -> In g' (translations s r) -> packet_ok q = true -> packet_ok q' = true ->
    move s g q = move s g' q' -> g = g' /\ q = q'.
  Proof.
    intros Hg Hg'. destruct q as ((o, d), j), q' as ((o', d'), j'). unfold packet_ok. rewrite !andb_true_iff, !N.ltb_lt.
    intros ((Ho & Hd) & Hj) ((Ho' & Hd') & Hj') E. cbn [move] in E. injection E as E1 E2 E3.
    pose proof (is_rep_lt _ Ho). pose proof (is_rep_lt _ Ho').
    assert (o = o').
    { apply rep_unique; auto. rewrite <- (class_shift s r ok o g), <- (class_shift s r ok o' g') by auto. congruence. }
    subst o'. rewrite (add_comm _ o g), (add_comm _ o g') in E1.
    assert (g = g') by (apply (add_cancel (moduli s) P g g' o); auto; eapply translations_lt; eauto). subst g'. split; auto.
    assert (d = d') by (apply (add_cancel (moduli s) P d d' g); auto; eapply translations_lt; eauto). congruence.
  Qed.

  Lemma key_inj q q' v v' : packet_ok q = true -> packet_ok q' = true -> v < n -> v' < n -> key q v = key q' v' -> q = q' /\ v = v'.
  Proof.
    destruct q as ((o, d), j), q' as ((o', d'), j'). unfold packet_ok, key. rewrite !andb_true_iff, !N.ltb_lt.
    intros ((_ & Hd) & Hj) ((_ & Hd') & Hj') Hv Hv' E.
    assert (S : forall a b a' b' m, b < m -> b' < m -> a * m + b = a' * m + b' -> a = a' /\ b = b').
    { intros a b a' b' m Hb Hb' F. split.
      - rewrite <- (split_div m a b), <- (split_div m a' b') by lia. congruence.
      - rewrite <- (split_mod m a b), <- (split_mod m a' b') by lia. congruence. }
    apply S in E; auto. destruct E as (E & ->). apply S in E; auto. destruct E as (E & ->). apply S in E; auto.
    destruct E as (-> & ->). auto.
  Qed.

  Definition held (m : table) q v := get m (key q v) <> 0.

  Lemma take_spec keep R : forall m m', take keep R m = Some m' ->
    (forall h, In h R -> hop_ok h = true /\ held m (fst h) (fst (snd h))) /\
    (forall q v, packet_ok q = true -> v < n ->
       (held m' q v <-> held m q v /\ (keep = true \/ forall p, ~ In (q, (v, p)) R))) /\
    (keep = false -> forall q v p p', In (q, (v, p)) R -> In (q, (v, p')) R -> p = p').
  Proof.
    induction R as [|(q0, (v0, p0)) R IH]; cbn [take fst snd]; intros m m' E.
    - inversion E; subst. split; [intros h []|]. split; [|intros _ q v p p' []].
      intros q v _ _. split; [|tauto]. intros H. split; [exact H|right; intros p []].
    - cbv zeta in E. match type of E with (if ?b then _ else _) = _ => destruct b eqn:HO; [|discriminate] end.
      match type of E with (if ?b then _ else _) = _ => destruct b eqn:HH; [discriminate|] end. apply N.eqb_neq in HH.
      assert (HO' : packet_ok q0 = true /\ v0 < n).
      { unfold hop_ok in HO. rewrite andb_true_iff, N.ltb_lt in HO. exact HO. }
      destruct HO' as (Q0 & V0). destruct (IH _ _ E) as (I1 & I2 & I3).
      assert (KEY : forall q v, packet_ok q = true -> v < n -> held (clear m (key q0 v0)) q v <-> held m q v /\ (q, v) <> (q0, v0)).
      { intros q v Hq Hv. unfold held. rewrite get_clear. destruct (N.eqb_spec (key q0 v0) (key q v)) as [K|K].
        - apply key_inj in K; auto. destruct K as (-> & ->). tauto.
        - split; [|tauto]. intros X. split; [exact X|]. intros Z. apply K. congruence. }
      assert (BACK : forall h, In h R -> hop_ok h = true /\ held m (fst h) (fst (snd h)) /\ (keep = false -> (fst h, fst (snd h)) <> (q0, v0))).
      { intros (q, (v, p)) Hh. destruct (I1 _ Hh) as (A & B). split; auto. cbn [fst snd] in *.
        destruct keep; [split; [exact B|discriminate]|].
        unfold hop_ok in A. rewrite andb_true_iff, N.ltb_lt in A. apply KEY in B; try tauto. }
      split; [|split].
      + intros h [<-|Hh]; [split; [exact HO|exact HH]|]. destruct (BACK h Hh) as (A & B & _). auto.
      + intros q v Hq Hv. rewrite (I2 q v Hq Hv). destruct keep; [tauto|]. rewrite (KEY q v Hq Hv).
        split.
        * intros ((A & B) & [C|C]); [discriminate|]. split; [exact A|]. right. intros p [Z|Z]; [apply B; injection Z; intros; now subst|now apply (C p)].
        * intros (A & [C|C]); [discriminate|]. split; [split; [exact A|]|].
          -- intros Z. injection Z; intros; subst. apply (C p0). now left.
          -- right. intros p Hp. apply (C p). now right.
      + intros K q v p p' [Z|Z] [Z'|Z'].
        * injection Z; injection Z'; intros; congruence.
        * destruct (BACK _ Z') as (_ & _ & X). destruct (X K). injection Z; intros; now subst.
        * destruct (BACK _ Z) as (_ & _ & X). destruct (X K). injection Z'; intros; now subst.
        * eapply I3; eauto.
  Qed.

  Lemma give_spec R : forall m, (forall h, In h R -> packet_ok (fst h) = true) -> forall q x, packet_ok q = true -> x < n ->
    (held (give R m) q x <-> held m q x \/ exists l, In (q, l) R /\ next s l = x).
  Proof.
    induction R as [|(q0, l0) R IH]; cbn [give fst snd]; intros m HR q x Hq Hx.
    - split; [tauto|]. intros [H|(l & [] & _)]. exact H.
    - rewrite IH by (auto; intros; apply HR; now right). unfold held at 1. rewrite get_set.
      destruct (N.eqb_spec (key q0 (next s l0)) (key q x)) as [K|K].
      + apply key_inj in K; auto; [|exact (HR _ (or_introl eq_refl))|apply (next_lt s r ok)]. destruct K as (-> & <-).
        split; [|lia]. intros _. right. exists l0. split; auto. now left.
      + split.
        * intros [H|(l & Hl & E)]; [now left|]. right. exists l. split; auto. now right.
        * intros [H|(l & [Z|Hl] & E)]; [now left| |right; eauto]. exfalso. apply K. injection Z; intros; now subst.
  Qed.

  (** * One round of the listed hops, and of their translations *)
  Variable W : network.
  Hypothesis HW : W = network_of s.

  Section Round.
    Variables (keep : bool) (R : round) (m m1 : table) (H : holding).
    Hypothesis taken : take keep R m = Some m1.
    Let E := expand s r R.
    Let H' := after W keep E H.
    Notation T := (translations s r).
    Notation "x ⊕ g" := (add (moduli s) x g) (at level 50).

    Lemma hops_ok q v p : In (q, (v, p)) R -> packet_ok q = true /\ v < n /\ held m q v.
    Proof.
      intros Hh. destruct (take_spec _ _ _ _ taken) as (A & _). destruct (A _ Hh) as (X & Y). unfold hop_ok in X.
      rewrite andb_true_iff, N.ltb_lt in X. cbn [fst snd] in *. tauto.
    Qed.

    (** The hops of a translated packet are the translated hops of the packet. *)
    Lemma hops_of q g v p : packet_ok q = true -> In g T -> In (move s g q, (v, p)) E <->
      exists v0, In (q, (v0, p)) R /\ v = v0 ⊕ g.
    Proof.
      intros Hq Hg. unfold E. rewrite in_expand. split.
      - intros (g' & q' & v' & Hg' & Hh & EQ & ->). destruct (hops_ok _ _ _ Hh) as (Hq' & _).
        destruct (move_inj _ _ _ _ Hg Hg' Hq Hq' EQ) as (-> & ->). eauto.
      - intros (v0 & Hh & ->). exists g, q, v0. auto.
    Qed.

    Lemma stays q g x : packet_ok q = true -> In g T -> x < n ->
      ((keep = true \/ forall l, In (move s g q, l) E -> src W l <> x ⊕ g) <-> (keep = true \/ forall p, ~ In (q, (x, p)) R)).
    Proof.
      intros Hq Hg Hx. rewrite HW. cbn [network_of src]. split; (intros [K|K]; [now left|right]).
      - intros p Hp. apply (K (x ⊕ g, p)); [|reflexivity]. apply hops_of; eauto.
      - intros (v, p) Hl Ev. cbn [fst] in Ev. subst v. apply hops_of in Hl; auto. destruct Hl as (v0 & Hl & Ev).
        destruct (hops_ok _ _ _ Hl) as (_ & Hv & _).
        assert (x = v0) by (apply (add_cancel (moduli s) P x v0 g); auto; eapply translations_lt; eauto). subst. eapply K; eauto.
    Qed.

    Lemma arrives q g u x : packet_ok q = true -> In g T -> x < n -> H' (move s g q) u (x ⊕ g) <->
      (exists v p, In (q, (v, p)) R /\ next s (v, p) = x /\ H (move s g q) u (v ⊕ g)) \/
      (H (move s g q) u (x ⊕ g) /\ (keep = true \/ forall p, ~ In (q, (x, p)) R)).
    Proof.
      intros Hq Hg Hx. unfold H', after. rewrite (stays q g x Hq Hg Hx).
      assert (X : (exists l, In (move s g q, l) E /\ dst W l = x ⊕ g /\ H (move s g q) u (src W l)) <->
                  (exists v p, In (q, (v, p)) R /\ next s (v, p) = x /\ H (move s g q) u (v ⊕ g))); [|tauto].
      rewrite HW. cbn [network_of src dst]. split.
      - intros ((v, p) & Hl & Ed & Hu). apply hops_of in Hl; auto. destruct Hl as (v0 & Hl & ->). exists v0, p. split; auto.
        cbn [fst] in Hu. rewrite (next_shift s r ok) in Ed. split; [|exact Hu].
        apply (add_cancel (moduli s) P _ _ g); auto; [apply (next_lt s r ok)|eapply translations_lt; eauto].
      - intros (v & p & Hl & Ed & Hu). exists (v ⊕ g, p). split; [apply hops_of; eauto|]. rewrite (next_shift s r ok). split; [exact (f_equal (fun y => y ⊕ g) Ed)|exact Hu].
    Qed.

    (** What the table says is so. *)
    Definition tells (F : holding -> packet -> node -> Prop) (m : table) (H : holding) :=
      forall q v g, packet_ok q = true -> v < n -> In g T -> held m q v -> F H (move s g q) (v ⊕ g).
    Definition carried (F : holding -> packet -> node -> Prop) :=
      forall (H H' : holding) q a b, (forall u, H q u a -> H' q u b) -> F H q a -> F H' q b.

    Lemma tells_round F : carried F -> tells F m H -> tells F (give R m1) H'.
    Proof.
      intros C HT q v g Hq Hv Hg Hh. destruct (take_spec _ _ _ _ taken) as (A & B & _).
      apply give_spec in Hh; auto.
      - destruct Hh as [Hh|((w, p) & Hl & Ed)].
        + apply B in Hh; auto. destruct Hh as (Hh & K). eapply C; [|apply (HT q v g); auto].
          intros u Hu. apply arrives; auto.
        + destruct (hops_ok _ _ _ Hl) as (_ & Hw & Hs). eapply C; [|apply (HT q w g); auto].
          intros u Hu. apply arrives; auto. left. eauto.
      - intros (q', (v', p')) Hh'. destruct (hops_ok _ _ _ Hh') as (X & _). exact X.
    Qed.

    (** What is so, the table says. *)
    Definition told (m : table) (H : holding) :=
      forall q g u x, packet_ok q = true -> In g T -> x < n -> H (move s g q) u (x ⊕ g) -> held m q x.

    Lemma told_round : told m H -> told (give R m1) H'.
    Proof.
      intros HT q g u x Hq Hg Hx Hh. destruct (take_spec _ _ _ _ taken) as (A & B & _).
      apply give_spec; auto.
      - intros (q', (v', p')) Hh'. destruct (hops_ok _ _ _ Hh') as (X & _). exact X.
      - apply arrives in Hh; auto. destruct Hh as [(v & p & Hl & Ed & Hu)|(Hu & K)]; [right; eauto|left].
        apply B; auto. split; auto. eapply HT; eauto.
    Qed.

    (** Nothing is lost. *)
    Lemma kept_somewhere q g u : packet_ok q = true -> In g T ->
      (exists x, x < n /\ H (move s g q) u (x ⊕ g)) -> exists x, x < n /\ H' (move s g q) u (x ⊕ g).
    Proof.
      intros Hq Hg (x & Hx & Hu).
      destruct (Exists_dec (fun h : hop => fst h = q /\ fst (snd h) = x) R) as [X|X].
      { intros h. destruct (packet_dec (fst h) q), (N.eq_dec (fst (snd h)) x); try (now left); right; tauto. }
      - apply Exists_exists in X. destruct X as ((q', (v, p)) & Hh & E1 & E2). cbn [fst snd] in *. rewrite E1, E2 in Hh.
        exists (next s (x, p)). split; [apply (next_lt s r ok)|]. apply arrives; auto; [apply (next_lt s r ok)|]. left. eauto.
      - exists x. split; auto. apply arrives; auto. right. split; auto. right. intros p Hp. apply X, Exists_exists.
        exists (q, (x, p)). auto.
    Qed.

    Lemma legal_round Pb F : net Pb = W -> carried F -> tells F m H ->
      (forall H q v, F H q v -> exists u, H q u v) ->
      (keep = true -> forall q u v x, demand Pb q u v -> F H q x -> H q u x) ->
      legal Pb keep E H.
    Proof.
      intros HN C HT HF HK. destruct (take_spec _ _ _ _ taken) as (A & B & D).
      assert (S : forall q v p, In (q, (v, p)) E -> F H q v).
      { intros q v p Hh. unfold E in Hh. rewrite in_expand in Hh. destruct Hh as (g & q0 & v0 & Hg & Hh & -> & ->).
        destruct (hops_ok _ _ _ Hh) as (Hq & Hv & Hm). now apply HT. }
      split; [|split].
      - intros q (v, p) Hh. rewrite HN, HW. cbn [network_of src fst]. eapply HF, S; eauto.
      - intros K q (v, p) (v', p') Hh Hh' EQ. rewrite HN, HW in EQ. cbn [network_of src fst] in EQ. subst v'. f_equal.
        unfold E in Hh. rewrite in_expand in Hh. destruct Hh as (g & q0 & v0 & Hg & Hh & -> & ->).
        destruct (hops_ok _ _ _ Hh) as (Hq & Hv & _). apply hops_of in Hh'; auto. destruct Hh' as (v1 & Hh' & EV).
        destruct (hops_ok _ _ _ Hh') as (_ & Hv1 & _).
        assert (v0 = v1) by (apply (add_cancel (moduli s) P v0 v1 g); auto; eapply translations_lt; eauto). subst. eapply D; eauto.
      - intros K q (v, p) u w Hh HD. rewrite HN, HW. cbn [network_of src fst]. eapply HK; eauto.
    Qed.
  End Round.
End Simulate.
