(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Bounds that are no prices: distance, doubling, the last packet to leave a node, 2 (n - 1) hops of a sum at every node, and the reversal of
    rounds, by which bounds on sending are bounds on receiving and bounds on broadcasts bounds on reductions. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Model Bounds.
Import ListNotations.
Open Scope N_scope.

(** * Distance: a path of T rounds climbs at most T levels *)
Theorem distance_bound W L lev q s : (forall R, In R s -> within W L R) ->
  (forall l, In l (links W) -> lev (dst W l) <= lev (src W l) + 1) ->
  forall u v, path W s q u v -> lev v <= lev u + len s.
Proof.
  intros HW Hl. induction s as [|R s IH]; cbn [path]; intros u v HP; [subst; lia|].
  rewrite len_cons. assert (HW' : forall R, In R s -> within W L R) by (intros; apply HW; now right).
  destruct HP as [HP | (l & HIn & E & HP)]; specialize (IH HW' _ _ HP); [lia|].
  destruct (HW R (or_introl eq_refl)) as (X & _). specialize (Hl l (X _ HIn)). subst. lia.
Qed.

(** * Doubling: the nodes that a packet reaches *)
Theorem doubling_bound W L q s : (forall R, In R s -> within W L R) ->
  forall U V, NoDup V -> (forall v, In v V -> exists u, In u U /\ path W s q u v) ->
  len V <= len U * (ports L + 1) ^ len s.
Proof.
  intros HW. induction s as [|R s IH]; intros U V D HV.
  - cbn [path] in HV. rewrite N.pow_0_r, N.mul_1_r. apply len_incl; auto.
    intros v Hv. destruct (HV v Hv) as (u & Hu & ->). assumption.
  - assert (HW' : forall R, In R s -> within W L R) by (intros; apply HW; now right).
    set (U' := U ++ flat_map (fun u => map (dst W) (filter (fun l => src W l =? u) (used R))) U).
    assert (HU : len U' <= len U * (ports L + 1)).
    { unfold U'. rewrite len_app.
      assert (len (flat_map (fun u => map (dst W) (filter (fun l => src W l =? u) (used R))) U) <= len U * ports L); [|lia].
      clear HV U'. induction U as [|u U IHU]; [cbn; lia|]. cbn [flat_map]. rewrite len_app, len_map, len_cons.
      destruct (HW R (or_introl eq_refl)) as (_ & _ & HP). destruct (HP u) as (HS & _). unfold sends in HS. lia. }
    specialize (IH HW' U' V D). rewrite len_cons, N.pow_add_r, N.pow_1_r.
    assert (len V <= len U' * (ports L + 1) ^ len s).
    { apply IH. intros v Hv. destruct (HV v Hv) as (u & Hu & [HP | (l & HIn & E & HP)]).
      - exists u. split; auto. unfold U'. apply in_or_app. now left.
      - exists (dst W l). split; auto. unfold U'. apply in_or_app. right. apply in_flat_map. exists u. split; auto.
        apply in_map, filter_In. split; [|now apply N.eqb_eq]. apply nodup_In. now apply (in_map snd) in HIn. }
    nia.
Qed.

(** The same for packets of all kinds together: what a node holds says nothing of its packet. *)
Definition blurred (q : packet) (s : list round) : list round := map (map (fun h : hop => (q, snd h))) s.

Lemma blurred_links (q : packet) (R : round) : map snd (map (fun h : hop => (q, snd h)) R) = map snd R.
Proof. rewrite map_map. apply map_ext. reflexivity. Qed.
Lemma blurred_within W L q s : (forall R, In R s -> within W L R) -> forall R, In R (blurred q s) -> within W L R.
Proof.
  intros HW R HR. apply in_map_iff in HR. destruct HR as (R0 & <- & HR). destruct (HW R0 HR) as (A & B & C).
  unfold within, sends, receives, used in *. rewrite blurred_links. split; [|split; [exact B|exact C]].
  intros h Hh. apply in_map_iff in Hh. destruct Hh as (h0 & <- & Hh). exact (A h0 Hh).
Qed.
Lemma blurred_path W q q' s : forall u v, path W s q u v -> path W (blurred q' s) q' u v.
Proof.
  induction s as [|R s IH]; cbn [path blurred map]; intros u v HP; [exact HP|].
  destruct HP as [HP | (l & Hl & E & HP)]; [left; apply IH; exact HP|]. right. exists l. split; [|split; [exact E|apply IH; exact HP]].
  apply in_map_iff. exists (q, l). auto.
Qed.

Theorem reach_bound W L s u V : (forall R, In R s -> within W L R) -> NoDup V ->
  (forall v, In v V -> exists q, path W s q u v) -> len V <= (ports L + 1) ^ len s.
Proof.
  intros HW D HV. set (q := (0, 0, 0) : packet).
  pose proof (doubling_bound W L q (blurred q s) (blurred_within W L q s HW) [u] V D) as B.
  change (len [u]) with 1 in B. rewrite N.mul_1_l in B. replace (len (blurred q s)) with (len s) in B.
  - apply B. intros v Hv. exists u. split; [now left|]. destruct (HV v Hv) as (q0 & HP). eapply blurred_path; eauto.
  - unfold len, blurred. now rewrite map_length.
Qed.

(** * The last packet: if more packets start at u than can leave it in t rounds, one of them leaves later *)
Lemma missing {A} (dec : forall x y : A, {x = y} + {x <> y}) (Q l : list A) :
  NoDup Q -> len l < len Q -> exists k, In k Q /\ ~ In k l.
Proof.
  intros D HL. destruct (Forall_Exists_dec (fun k => In k l) (fun k => in_dec dec k l) Q) as [F|E].
  - exfalso. rewrite Forall_forall in F. pose proof (len_incl Q l D F). lia.
  - apply Exists_exists in E. destruct E as (k & Hk & N). now exists k.
Qed.

Lemma path_not_sent W q u t : forall s v,
  (forall R l, In R (firstn t s) -> In (q, l) R -> src W l <> u) -> path W s q u v -> path W (skipn t s) q u v.
Proof.
  induction t as [|t IH]; intros s v HN HP; [exact HP|]. destruct s as [|R s]; [exact HP|].
  cbn [skipn]. apply IH.
  - intros R' l HR. apply HN. now right.
  - destruct HP as [HP | (l & HIn & E & _)]; [exact HP|]. exfalso. apply (HN R l); auto. now left.
Qed.

Theorem late_packet_at W L K c s t u (Q : list packet) : (forall R, In R s -> within W L R) -> per_link L = Some K ->
  (forall R, In R s -> sends W R u <= c) -> NoDup Q -> N.of_nat t * (K * c) < len Q ->
  exists q, In q Q /\ forall v, path W s q u v -> path W (skipn t s) q u v.
Proof.
  intros HW EK HC D HT.
  set (sent := flat_map (fun R => map fst (filter (fun h : hop => src W (snd h) =? u) R)) (firstn t s)).
  assert (HS : len sent <= N.of_nat t * (K * c)).
  { assert (X : forall s', (forall R, In R s' -> within W L R /\ sends W R u <= c) ->
      len (flat_map (fun R => map fst (filter (fun h : hop => src W (snd h) =? u) R)) s') <= len s' * (K * c)).
    { induction s' as [|R s' IH]; intros HW'; [cbn; lia|]. cbn [flat_map]. rewrite len_app, len_map, len_cons.
      destruct (HW' R (or_introl eq_refl)) as (HW1 & HC1). pose proof (sent_at W L R K c u HW1 EK HC1).
      assert (len (flat_map (fun R => map fst (filter (fun h : hop => src W (snd h) =? u) R)) s') <= len s' * (K * c))
        by (apply IH; intros; apply HW'; now right).
      unfold hop in *. lia. }
    etransitivity; [apply X|].
    - intros R HR. assert (In R s) by (rewrite <- (firstn_skipn t s); apply in_or_app; now left). auto.
    - pose proof (firstn_le_length t s). apply N.mul_le_mono_r. unfold len. lia. }
  destruct (missing packet_dec Q sent D (N.le_lt_trans _ _ _ HS HT)) as (q & Hq & HN). exists q. split; auto.
  intros v. apply path_not_sent. intros R l HR HIn E. apply HN. unfold sent. apply in_flat_map. exists R. split; auto.
  apply in_map_iff. exists (q, l). split; auto. apply filter_In. split; auto. now apply N.eqb_eq.
Qed.

Corollary late_packet W L K s t u (Q : list packet) : (forall R, In R s -> within W L R) -> per_link L = Some K ->
  NoDup Q -> N.of_nat t * (K * ports L) < len Q ->
  exists q, In q Q /\ forall v, path W s q u v -> path W (skipn t s) q u v.
Proof.
  intros HW EK. apply (late_packet_at W L K (ports L)); auto. intros R HR. destruct (HW R HR) as (_ & _ & HP). now destruct (HP u).
Qed.

(** * Gossip: a sum at every node costs 2 (n - 1) hops, by any rounds *)
Ltac hlia := unfold hop, node in *; lia.

Section Gossip.
  Variables (W : network) (q : packet).
  Definition of_packet (h : hop) : bool := if packet_dec (fst h) q then true else false.

  (** One hop at a time, in reverse order: the head is the last hop. *)
  Fixpoint back (s : list hop) (u v : node) : Prop :=
    match s with
    | [] => u = v
    | h :: s => back s u v \/ (fst h = q /\ dst W (snd h) = v /\ back s u (src W (snd h)))
    end.

  Lemma back_app s1 s2 u w v : back s1 u w -> back s2 w v -> back (s2 ++ s1) u v.
  Proof.
    intros H1. revert v; induction s2 as [|h s2 IH]; cbn; intros v H2; [now subst|].
    destruct H2 as [H2 | (E & F & H2)]; auto.
  Qed.
  Lemma back_stay s u : back s u u.
  Proof. induction s; cbn; auto. Qed.
  Lemma back_in (R : round) l : In (q, l) R -> back R (src W l) (dst W l).
  Proof.
    induction R as [|h R IH]; intros []; cbn; [|left; auto].
    subst. right. cbn. repeat split; auto. apply back_stay.
  Qed.
  Lemma path_back s u v : path W s q u v -> back (concat (rev s)) u v.
  Proof.
    revert u; induction s as [|R s IH]; cbn [path rev]; intros u HP; [exact HP|].
    rewrite concat_app. cbn [concat]. rewrite app_nil_r.
    destruct HP as [HP | (l & HIn & E & HP)]; eapply back_app; eauto; [apply back_stay|].
    subst. now apply back_in.
  Qed.

  Variable ns : list node.
  Hypothesis once : NoDup ns.
  Notation hops s := (len (filter of_packet s)).
  Definition knows (s : list hop) v := forall u, In u ns -> back s u v.

  Lemma back_sender s u v : back s u v -> u <> v -> exists h, In h (filter of_packet s) /\ src W (snd h) = u.
  Proof.
    revert v; induction s as [|h s IH]; cbn [back]; intros v HB NE; [easy|].
    assert (C : (exists h', In h' (filter of_packet s) /\ src W (snd h') = u) \/ (fst h = q /\ src W (snd h) = u)).
    { destruct HB as [HB | (E & F & HB)]; [left; eauto|].
      destruct (N.eq_dec u (src W (snd h))) as [->|]; [now right|]. left; eauto. }
    cbn [filter]. unfold of_packet at 1 2. destruct C as [(h' & Hh & E) | (E & F)].
    - exists h'. destruct (packet_dec (fst h) q); split; auto. now right.
    - exists h. destruct (packet_dec (fst h) q); [|easy]. split; auto. now left.
  Qed.

  Lemma first_knower s v : In v ns -> knows s v -> len ns <= hops s + 1.
  Proof.
    intros Hv HK. transitivity (len (v :: map (fun h => src W (snd h)) (filter of_packet s))).
    - apply len_incl; auto. intros u Hu. destruct (N.eq_dec u v) as [->|NE]; [now left|]. right.
      destruct (back_sender s u v (HK u Hu) NE) as (h & Hh & <-). now apply (in_map (fun h => src W (snd h))).
    - rewrite len_cons, len_map. hlia.
  Qed.

  Lemma knowers s : forall V, NoDup V -> V <> [] -> incl V ns -> (forall v, In v V -> knows s v) ->
    len ns + len V <= hops s + 2.
  Proof.
    induction s as [|h s IH]; intros V DV NV IV HV.
    - destruct V as [|v V]; [easy|]. assert (len ns <= 1).
      { transitivity (len [v]); [|unfold len; cbn; hlia]. apply len_incl; auto. intros u Hu. left. symmetry.
        apply (HV v (or_introl eq_refl) u Hu). }
      assert (len (v :: V) <= len ns) by (apply len_incl; auto). cbn [filter]. change (len (@nil hop)) with 0. hlia.
    - assert (ONE : len V <= 1 -> len ns + len V <= hops (h :: s) + 2).
      { intros. destruct V as [|v V]; [easy|].
        pose proof (first_knower (h :: s) v (IV v (or_introl eq_refl)) (HV v (or_introl eq_refl))) as X. cbn [filter] in X |- *. hlia. }
      cbn [filter]. unfold of_packet at 1. destruct (packet_dec (fst h) q) as [E|NE].
      + set (V' := remove N.eq_dec (dst W (snd h)) V).
        assert (LV : len V <= 1 + len V').
        { transitivity (len (dst W (snd h) :: V')); [|rewrite len_cons; hlia]. apply len_incl; auto.
          intros v Hv. destruct (N.eq_dec v (dst W (snd h))) as [->|]; [now left|]. right. now apply in_in_remove. }
        destruct V' as [|v0 V0] eqn:EV.
        * cbn [filter] in ONE. unfold of_packet at 1 in ONE. destruct (packet_dec (fst h) q); [|easy]. apply ONE.
          unfold len in LV |- *. cbn [length] in LV. hlia.
        * rewrite <- EV in *. unfold V' in *.
          assert (X : len ns + len (remove N.eq_dec (dst W (snd h)) V) <= hops s + 2).
          { apply IH.
            - clear -DV. induction DV as [|a V Na DV IHV]; cbn; [constructor|]. destruct (N.eq_dec _ _); auto. constructor; auto.
              intros X. apply in_remove in X. easy.
            - rewrite EV; easy.
            - intros v Hv. apply in_remove in Hv. now apply IV.
            - intros v Hv u Hu. apply in_remove in Hv. destruct Hv as (Hv & NE).
              destruct (HV v Hv u Hu) as [HB | (_ & F & _)]; [exact HB|congruence]. }
          rewrite len_cons. hlia.
      + apply IH; auto. intros v Hv u Hu. destruct (HV v Hv u Hu) as [HB | (F & _)]; [exact HB|easy].
  Qed.
End Gossip.

Lemma filter_concat {A} (p : A -> bool) s : len (filter p (concat s)) = sum (fun R => len (filter p R)) s.
Proof. induction s; cbn [concat sum]; [reflexivity|]. rewrite filter_app, len_app. hlia. Qed.
Lemma sum_rev {A} (f : A -> N) s : sum f (rev s) = sum f s.
Proof. induction s; cbn [rev sum]; [reflexivity|]. rewrite sum_app. cbn [sum]. hlia. Qed.

(** For every packet, 2 (n - 1) hops. *)
Theorem gossip_hops W s q ns : NoDup ns -> ns <> [] -> (forall u v, In u ns -> In v ns -> path W s q u v) ->
  2 * (len ns - 1) <= sum (fun R => len (filter (of_packet q) R)) s.
Proof.
  intros D NE HP. pose proof (knowers W q ns D (concat (rev s)) ns D NE (fun _ x => x)) as X.
  rewrite filter_concat, sum_rev in X.
  assert (len ns + len ns <= sum (fun R => len (filter (of_packet q) R)) s + 2).
  { apply X. intros v Hv u Hu. apply path_back. auto. }
  hlia.
Qed.

Theorem gossip_bound W L s K (Q : list packet) : NoDup (nodes W) -> nodes W <> [] -> NoDup (links W) ->
  (forall l, In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W)) ->
  (forall R, In R s -> within W L R) -> per_link L = Some K ->
  NoDup Q -> (forall q u v, In q Q -> In u (nodes W) -> In v (nodes W) -> path W s q u v) ->
  len Q * (2 * (len (nodes W) - 1)) <= len s * (K * most_used W L).
Proof.
  intros HN HNE HL HE HW EK HD HP.
  transitivity (sum (fun q => sum (fun R => len (filter (of_packet q) R)) s) Q).
  - rewrite N.mul_comm, <- sum_const. apply sum_le. intros q Hq. apply (gossip_hops W); auto.
  - rewrite sum_swap. transitivity (sum (fun R => sum (fun _ : hop => 1) R) s).
    + apply sum_le. intros R HR. rewrite (sum_eq _ (fun q => sum (fun h => if of_packet q h then 1 else 0) R)) by (intros; apply len_filter).
      rewrite sum_swap. apply sum_le. intros h _. unfold of_packet.
      rewrite (sum_eq _ (fun q => if packet_dec (fst h) q then 1 else 0)) by (intros q _; now destruct (packet_dec (fst h) q)).
      rewrite (sum_pick packet_dec (fun _ => 1)) by assumption. destruct (in_dec _ _ _); hlia.
    + etransitivity; [apply (rounds_price W L s K (fun _ => 1) (fun _ => 0) 1); auto; intros; lia|].
      rewrite sum_zero. hlia.
Qed.

(** * Reversal: rounds in reverse order on the network of reversed links *)
Definition reversed (W : network) := Network (nodes W) (links W) (dst W) (src W).

Lemma path_last W s R q u v : path W (s ++ [R]) q u v ->
  path W s q u v \/ exists l, In (q, l) R /\ dst W l = v /\ path W s q u (src W l).
Proof.
  revert u; induction s as [|R0 s IH]; cbn [app path]; intros u HP.
  - destruct HP as [HP | (l & HIn & E & HP)]; [now left|]. right. exists l. auto.
  - destruct HP as [HP | (l & HIn & E & HP)]; apply IH in HP; destruct HP as [HP | (l' & HIn' & E' & HP)].
    + left; now left.
    + right. exists l'. auto.
    + left. right. exists l. auto.
    + right. exists l'. repeat split; auto. right. exists l. auto.
Qed.

Theorem path_reversed W s q u v : path W s q u v -> path (reversed W) (rev s) q v u.
Proof.
  revert v; induction s as [|R s IH] using rev_ind; intros v HP; [cbn in *; congruence|].
  rewrite rev_app_distr. cbn [rev app path]. apply path_last in HP.
  destruct HP as [HP | (l & HIn & E & HP)]; [left; auto|]. right. exists l. auto.
Qed.

Theorem within_reversed W L R : within W L R -> within (reversed W) L R.
Proof.
  intros (H1 & H2 & H3). split; [exact H1|]. split; [exact H2|]. intros v. destruct (H3 v) as (A & B & C).
  unfold sends, receives in *. cbn [reversed src dst]. split; [exact B|]. split; [exact A|]. intros E. specialize (C E). hlia.
Qed.
