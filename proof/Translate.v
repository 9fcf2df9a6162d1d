(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Checking one node of every class is enough: if the listed hops of a round respect links and ports class by class, their translations
    respect them at every node. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally.
Import ListNotations.
Open Scope N_scope.

Lemma range_spec n : forall k, k <= n ->
  let x := N.iter k (fun '(i, l) => (N.pred i, N.pred i :: l)) (n, []) in
  fst x = n - k /\ (forall v, In v (snd x) <-> n - k <= v < n) /\ NoDup (snd x) /\ len (snd x) = k.
Proof.
  induction k as [|k IH] using N.peano_ind; intros Hk.
  - cbn. repeat split; try lia; try easy. constructor.
  - rewrite N.iter_succ. destruct (IH ltac:(lia)) as (F & I & D & C).
    destruct (N.iter k _ _) as (i, l). cbn [fst snd] in *. subst i. split; [lia|]. split; [|split].
    + intros v. cbn [In]. rewrite I. lia.
    + constructor; auto. rewrite I. lia.
    + rewrite len_cons. lia.
Qed.
Lemma range_In n v : In v (range n) <-> v < n.
Proof. destruct (range_spec n n ltac:(lia)) as (_ & I & _). unfold range. rewrite I. lia. Qed.
Lemma range_once n : NoDup (range n).
Proof. now destruct (range_spec n n ltac:(lia)) as (_ & _ & D & _). Qed.
Lemma len_range n : len (range n) = n.
Proof. now destruct (range_spec n n ltac:(lia)) as (_ & _ & _ & C). Qed.

(** What the numbers of a plan must satisfy for translations to be symmetries. *)
Definition sound_shape (s : shape) (r : replication) : Prop :=
  positive_moduli (moduli s) /\ ((forall g, In g (generators s) -> g < size s) /\ (r <> Once -> failures s = None)) /\
  match r with Even chosen => even_moduli (moduli s) chosen | _ => True end.

Section Translate.
  Variables (s : shape) (r : replication).
  Hypothesis ok : sound_shape s r.
  Notation n := (size s).
  Notation "x + y" := (add (moduli s) x y).
  Notation gen p := (nth (N.to_nat p) (generators s) 0).
  Lemma pos : positive_moduli (moduli s). Proof. exact (proj1 ok). Qed.
  Hint Resolve pos : core.

  Lemma gen_lt p : gen p < n.
  Proof.
    destruct ok as (_ & (Hg & _) & _). destruct (nth_in_or_default (N.to_nat p) (generators s) 0) as [H|H]; [auto|].
    rewrite H. apply order_pos; auto.
  Qed.
  Lemma next_add v p : next s (v, p) = v + gen p. Proof. reflexivity. Qed.
  Lemma next_lt l : next s l < n. Proof. apply add_lt; auto. Qed.
  Lemma next_shift v p g : next s (v + g, p) = next s (v, p) + g.
  Proof. unfold next. cbn [fst snd]. apply add_shift; auto. Qed.

  Lemma class_cong v w a : v < n -> w < n -> a < n -> class s r v = class s r w -> class s r (v + a) = class s r (w + a).
  Proof.
    pose proof pos as Hpos. destruct ok as (_ & _ & He). intros Hv Hw Ha. destruct r; cbn [class] in *; [reflexivity|congruence|].
    rewrite !parity_add by assumption. congruence.
  Qed.
  Lemma class_next v w p : class s r v = class s r w -> class s r (next s (v, p)) = class s r (next s (w, p)).
  Proof.
    pose proof pos as Hpos. destruct ok as (_ & _ & He). destruct r; cbn [class] in *; [reflexivity|congruence|].
    unfold next; cbn [fst snd]. rewrite !parity_add by assumption. congruence.
  Qed.
  Lemma class_shift v g : v < n -> In g (translations s r) -> class s r (v + g) = class s r v.
  Proof.
    pose proof pos as Hpos. destruct ok as (_ & _ & He). intros Hv Hg. apply filter_In in Hg. destruct Hg as (Hg & E). apply N.eqb_eq in E.
    destruct r; cbn [class] in *; [reflexivity| |].
    - subst. apply add_0_r; assumption.
    - rewrite parity_add, E, N.add_0_r by assumption. apply N.mod_small, parity_lt.
  Qed.
  Lemma translations_lt g : In g (translations s r) -> g < n.
  Proof. intros H. apply filter_In in H. now apply range_In. Qed.
  Lemma translations_once : NoDup (translations s r).
  Proof. apply NoDup_filter, range_once. Qed.
  Lemma class_sub v w : v < n -> w < n -> class s r v = class s r w -> In (sub (moduli s) v w) (translations s r).
  Proof.
    pose proof pos as Hpos. destruct ok as (_ & _ & He). intros Hv Hw E. apply filter_In. split; [apply range_In, sub_lt; assumption|].
    apply N.eqb_eq. destruct r; cbn [class] in *; [reflexivity| |].
    - subst. unfold sub. apply add_neg; assumption.
    - pose proof (parity_add (moduli s) chosen (sub (moduli s) v w) w Hpos He) as P.
      rewrite sub_add in P by assumption. rewrite E in P.
      pose proof (parity_lt (moduli s) chosen (sub (moduli s) v w)). pose proof (parity_lt (moduli s) chosen w).
      assert (C1 : parity (moduli s) chosen w = 0 \/ parity (moduli s) chosen w = 1) by lia.
      assert (C2 : parity (moduli s) chosen (sub (moduli s) v w) = 0 \/ parity (moduli s) chosen (sub (moduli s) v w) = 1) by lia.
      destruct C2 as [C2|C2]; [assumption|]. rewrite C2 in P. destruct C1 as [C1|C1]; rewrite C1 in P; discriminate.
  Qed.

  Definition move (g : N) (q : packet) : packet := let '(o, d, j) := q in (o + g, d + g, j).

  Lemma in_expand R q v p : In (q, (v, p)) (expand s r R) <->
    exists g q0 v0, In g (translations s r) /\ In (q0, (v0, p)) R /\ q = move g q0 /\ v = v0 + g.
  Proof.
    unfold expand. rewrite in_flat_map. split.
    - intros (g & Hg & H). apply in_map_iff in H. destruct H as ((((o, d), j), (v0, p0)) & E & H). inversion E; subst.
      exists g, (o, d, j), v0. auto.
    - intros (g & ((o, d), j) & v0 & Hg & H & -> & ->). exists g. split; auto. apply in_map_iff.
      exists ((o, d, j), (v0, p)). auto.
  Qed.

  (** * Links and ports of one node a class *)
  Definition code (l : link) : N := (class s r (fst l) * degree s + snd l)%N.
  Definition source (l : link) := class s r (fst l).
  Definition target (l : link) := class s r (next s l).
  Definition in_range (l : link) : bool := (fst l <? n) && (snd l <? degree s).

  Lemma code_inj l l' : in_range l = true -> in_range l' = true -> code l = code l' -> source l = source l' /\ snd l = snd l'.
  Proof.
    unfold in_range, code, source. rewrite !andb_true_iff, !N.ltb_lt. intros (_ & H) (_ & H') E.
    pose proof (split_div (degree s) (class s r (fst l)) (snd l) ltac:(lia) H).
    pose proof (split_div (degree s) (class s r (fst l')) (snd l') ltac:(lia) H').
    pose proof (split_mod (degree s) (class s r (fst l)) (snd l) ltac:(lia) H).
    pose proof (split_mod (degree s) (class s r (fst l')) (snd l') ltac:(lia) H').
    rewrite E in *. split; congruence.
  Qed.

  Definition round_ok (L : limits) (R : round) : bool :=
    let used := map snd R in
    forallb (fun l => in_range l && exists_link s l) used &&
    match per_link L with
    | None => true
    | Some K => match tally code K none used with Some _ => true | None => false end
    end &&
    let messages := distinct code none used [] in
    if half_duplex L then
      (1 <=? ports L) &&
      match tally source 1 none messages with
      | Some m => match tally target 1 m messages with Some _ => true | None => false end
      | None => false
      end
    else
      match tally source (ports L) none messages, tally target (ports L) none messages with
      | Some _, Some _ => true
      | _, _ => false
      end.

  Variable R : round.
  Hypothesis ranges : forall l, In l (map snd R) -> in_range l = true.
  Let E := expand s r R.
  Let messages := distinct code none (map snd R) [].

  Lemma used_origin l : In l (used E) ->
    exists g v, In g (translations s r) /\ In (v, snd l) (map snd R) /\ fst l = v + g /\ v < n /\ snd l < degree s.
  Proof.
    intros H. apply nodup_In, in_map_iff in H. destruct H as ((q, (v, p)) & <- & H). cbn [snd fst].
    apply in_expand in H. destruct H as (g & q0 & v0 & Hg & H & _ & ->).
    exists g, v0. apply (in_map snd) in H. cbn [snd] in H. pose proof (ranges _ H) as X.
    unfold in_range in X. rewrite andb_true_iff, !N.ltb_lt in X. cbn in X. tauto.
  Qed.

  Lemma used_range l : In l (used E) -> in_range l = true.
  Proof.
    intros H. destruct (used_origin l H) as (g & v & Hg & _ & F & Hv & Hp). unfold in_range.
    rewrite andb_true_iff, !N.ltb_lt. split; [|assumption]. rewrite F. apply add_lt; auto.
  Qed.

  Lemma used_message l : In l (used E) -> exists m, In m messages /\ code m = code l /\ source m = source l /\ target m = target l.
  Proof.
    intros H. destruct (used_origin l H) as (g & v & Hg & HIn & F & Hv & Hp).
    assert (S : source l = source (v, snd l)).
    { unfold source. cbn [fst]. rewrite F. now apply class_shift. }
    destruct (distinct_spec code (map snd R) none []) as (_ & D).
    { intros k Hk. now rewrite get_none in Hk. }
    destruct (D _ HIn) as (m & Hm & C). exists m. split; auto.
    assert (M : In m (map snd R)).
    { clear -Hm. assert (X : forall l t acc, (forall y, In y acc -> In y (map snd R)) -> (forall y, In y l -> In y (map snd R)) ->
        In m (distinct code t l acc) -> In m (map snd R)).
      { induction l as [|x l IH]; cbn [distinct]; intros t acc HA HL HM; [auto|].
        assert (HL' : forall y, In y l -> In y (map snd R)) by (intros; apply HL; now right).
        destruct (get t (code x) =? 0); eapply IH in HM; eauto.
        intros y [<-|Hy]; auto. apply HL. now left. }
      apply (X (map snd R) none []); auto. intros y []. }
    destruct (code_inj m (v, snd l) (ranges _ M) (ranges _ HIn) C) as (C1 & C2).
    split; [unfold code in *; rewrite C; cbn [fst snd]; unfold source in S; cbn [fst] in S; congruence|].
    split; [congruence|]. unfold target. destruct m as (mv, mp), l as (lv, lp). cbn [fst snd] in *. subst mp.
    apply class_next. unfold source in *. cbn [fst] in *. congruence.
  Qed.

  Lemma count_messages (end_ : link -> node) (role : link -> N) x :
    (forall l m, code m = code l -> source m = source l -> target m = target l -> role m = role l) ->
    (forall l l', In l (used E) -> In l' (used E) -> end_ l = x -> end_ l' = x -> snd l = snd l' -> fst l = fst l') ->
    (forall l, In l (used E) -> role l = class s r (end_ l)) ->
    len (filter (fun l => end_ l =? x) (used E)) <= len (filter (fun m => role m =? class s r x) messages).
  Proof.
    intros HR HI HC. set (A := filter (fun l => end_ l =? x) (used E)).
    rewrite <- (len_map code A), <- (len_map code (filter (fun m => role m =? class s r x) messages)).
    assert (HA : forall l, In l A -> In l (used E) /\ end_ l = x).
    { intros l Hl. apply filter_In in Hl. destruct Hl as (Hl & Ex). now apply N.eqb_eq in Ex. }
    apply len_incl.
    - assert (DA : NoDup A) by (apply NoDup_filter, NoDup_nodup). clearbody A.
      induction DA as [|l A Nl DA IH]; [constructor|]. cbn [map]. constructor; [|apply IH; intros; apply HA; now right].
      intros H. apply in_map_iff in H. destruct H as (l' & C & Hl'). apply Nl.
      destruct (HA l (or_introl eq_refl)) as (U & X), (HA l' (or_intror Hl')) as (U' & X').
      destruct (code_inj l' l (used_range _ U') (used_range _ U) C) as (_ & P).
      assert (l' = l) by (destruct l as (a, b), l' as (a', b'); cbn [snd fst] in *; f_equal; [|assumption];
        exact (HI (a', b') (a, b) U' U X' X P)). now subst.
    - intros c Hc. apply in_map_iff in Hc. destruct Hc as (l & <- & Hl). destruct (HA l Hl) as (U & X).
      destruct (used_message l U) as (m & Hm & C & S & T). apply in_map_iff. exists m. split; auto.
      apply filter_In. split; auto. apply N.eqb_eq. rewrite (HR l m C S T), (HC l U). congruence.
  Qed.

  Lemma sends_le x : sends (network_of s) E x <= len (filter (fun m => source m =? class s r x) messages).
  Proof. apply count_messages; auto. intros. cbn in *. congruence. Qed.

  Lemma receives_le x : receives (network_of s) E x <= len (filter (fun m => target m =? class s r x) messages).
  Proof.
    apply count_messages; auto. intros (v, p) (v', p') U U' X X' P. cbn [fst snd network_of dst] in *. subst p'.
    pose proof (used_range _ U) as H. pose proof (used_range _ U') as H'.
    unfold in_range in *. rewrite andb_true_iff, !N.ltb_lt in *. cbn [fst snd] in *.
    apply (add_cancel (moduli s) pos v v' (gen p)); try tauto; [apply gen_lt|].
    unfold next in *. cbn [fst snd] in *. congruence.
  Qed.

  Lemma link_count l : N.of_nat (count_occ link_dec (map snd E) l) <= len (filter (fun m => code m =? code l) (map snd R)).
  Proof.
    assert (C : forall L, N.of_nat (count_occ link_dec L l) = sum (fun m => if link_dec m l then 1 else 0) L).
    { induction L as [|m L IH]; [reflexivity|]. cbn [count_occ sum]. destruct (link_dec m l); lia. }
    rewrite C, len_filter. unfold E, expand. clear C.
    assert (X : forall T, sum (fun m => if link_dec m l then 1 else 0) (map snd (flat_map (fun g => map (shift s g) R) T)) =
                sum (fun g => sum (fun m => if link_dec (fst m + g, snd m) l then 1 else 0) (map snd R)) T).
    { induction T as [|g T IH]; [reflexivity|]. cbn [flat_map sum]. rewrite map_app, sum_app. f_equal; [|exact IH].
      rewrite !map_map. rewrite !sum_map. apply sum_eq. intros (((o, d), j), (v, p)) _. reflexivity. }
    etransitivity; [apply N.eq_le_incl, X|]. rewrite sum_swap. apply sum_le. intros (v, p) Hm. cbn [fst snd].
    pose proof (ranges _ Hm) as B. unfold in_range in B. rewrite andb_true_iff, !N.ltb_lt in B. cbn [fst snd] in B.
    destruct (N.eqb_spec (code (v, p)) (code l)) as [EC|NC].
    - transitivity (sum (fun g => if N.eq_dec (sub (moduli s) (fst l) v) g then 1 else 0) (translations s r)).
      + apply sum_le. intros g Hg. destruct (link_dec (v + g, p) l) as [<-|]; [|lia]. cbn [fst].
        rewrite (add_comm (moduli s) v g). rewrite add_sub by (first [exact pos | exact (proj1 B) | now apply translations_lt]).
        destruct (N.eq_dec g g); [lia|easy].
      + rewrite (sum_pick N.eq_dec (fun _ => 1)) by apply translations_once. destruct (in_dec _ _ _); lia.
    - rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros g Hg.
      destruct (link_dec (v + g, p) l) as [<-|]; [|reflexivity]. exfalso. apply NC. unfold code. cbn [fst snd].
      rewrite class_shift; tauto.
  Qed.
End Translate.

Theorem round_ok_within s r L R : sound_shape s r -> round_ok s r L R = true ->
  within (network_of s) L (expand s r R).
Proof.
  intros ok. unfold round_ok. rewrite !andb_true_iff. intros ((HL & HK) & HP).
  rewrite forallb_forall in HL.
  assert (ranges : forall l, In l (map snd R) -> in_range s l = true).
  { intros l Hl. specialize (HL l Hl). rewrite andb_true_iff in HL. tauto. }
  split; [|split].
  - intros (q, (v, p)) Hh. pose proof Hh as Hx. apply in_expand in Hh. destruct Hh as (g & q0 & v0 & Hg & Hh & -> & ->).
    cbn [snd network_of links]. apply filter_In.
    pose proof (HL (v0, p) (in_map snd _ _ Hh)) as B. rewrite andb_true_iff in B. destruct B as (B & X).
    unfold in_range in B. rewrite andb_true_iff, !N.ltb_lt in B. cbn [fst snd] in B.
    split.
    + unfold all_links. apply in_flat_map. exists (add (moduli s) v0 g). split; [apply range_In, add_lt, ok|].
      apply in_map_iff. exists p. split; auto. now apply range_In.
    + destruct ok as (Hpos & (Hgen & HF) & He). destruct r.
      * unfold exists_link, works, alive. rewrite (HF ltac:(discriminate)). reflexivity.
      * apply filter_In in Hg. destruct Hg as (Hg & Eg). apply N.eqb_eq in Eg. cbn [class] in Eg. subst g.
        rewrite add_0_r; tauto.
      * unfold exists_link, works, alive. rewrite (HF ltac:(discriminate)). reflexivity.
  - intros K l EK. rewrite EK in HK. destruct (tally (code s r) K none (map snd R)) eqn:T; [|discriminate].
    etransitivity; [apply link_count; auto|]. apply (tally_count _ _ _ _ T).
  - intros v. pose proof (sends_le s r ok R ranges v) as S. pose proof (receives_le s r ok R ranges v) as V.
    set (ms := distinct (code s r) none (map snd R) []) in *.
    destruct (half_duplex L).
    + rewrite andb_true_iff in HP. destruct HP as (H1 & HP). apply N.leb_le in H1.
      destruct (tally (source s r) 1 none ms) as [m1|] eqn:T1; [|discriminate].
      destruct (tally (target s r) 1 m1 ms) as [m2|] eqn:T2; [|discriminate].
      destruct (tally_spec _ _ _ _ _ T1 (class s r v)) as (A1 & B1). destruct (tally_spec _ _ _ _ _ T2 (class s r v)) as (A2 & B2).
      rewrite get_none in *. lia.
    + destruct (tally (source s r) (ports L) none ms) eqn:T1; [|discriminate].
      destruct (tally (target s r) (ports L) none ms) eqn:T2; [|discriminate].
      pose proof (tally_count _ _ _ _ T1 (class s r v)). pose proof (tally_count _ _ _ _ T2 (class s r v)).
      split; [lia|]. split; [lia|discriminate].
Qed.
