(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Exchanges: a node keeps every value that it receives, and sends sums of them. A value is the list of the nodes whose contributions were
    added, so to add is to append, and what is added twice is twice in the list. The definitions before the first lemma are to be believed; then a
    check of a plan is proved to find them true. The check follows all nodes, with sets as numbers in binary. *)
From Coq Require Import NArith List Lia Bool FMapPositive.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Loops Step Simulate Valid Fast.
Import ListNotations.
Open Scope N_scope.

(** * Definitions *)

(** A message of a part of the vector: which values the sender adds, by number, and the link. *)
Record message := Message { part : N; adds : list N; over : link }.
Definition value := list node.
Definition values := N -> node -> list value.  (* by part and node, in the order of their numbers *)

Definition picked (H : values) (j : N) (v : node) (is : list N) : list value := map (fun i => nth (N.to_nat i) (H j v) []) is.
Definition may_add (H : values) j v is : Prop := (forall i, In i is -> i < len (H j v)) /\ NoDup (concat (picked H j v is)).

(** What node v receives of part j, in the order of the messages. *)
Definition received (W : network) (R : list message) (H : values) j v : list value :=
  map (fun m => concat (picked H (part m) (src W (over m)) (adds m)))
      (filter (fun m => (part m =? j) && (dst W (over m) =? v)) R).

(** The parts of one vector are packets, which differ in their numbers. *)
Definition hops_of (b : node) (R : list message) : round := map (fun m => ((b, b, part m), over m)) R.

Fixpoint exchanged (P : problem) (b : node) (result : N -> node -> list N) (s : list (list message)) (H : values) : Prop :=
  match s with
  | [] => forall j v, traffic P (b, b, j) -> In v (nodes (net P)) ->
      may_add H j v (result j v) /\ incl (nodes (net P)) (concat (picked H j v (result j v)))
  | R :: s =>
      (forall m, In m R -> may_add H (part m) (src (net P) (over m)) (adds m)) /\
      within (net P) (lim P) (hops_of b R) /\
      exchanged P b result s (fun j v => H j v ++ received (net P) R H j v)
  end.

Definition valid_exchange P b result s : Prop := exchanged P b result s (fun _ v => [[v]]).

Definition optimal_exchange P b result s : Prop :=
  valid_exchange P b result s /\ forall s', competes P s' -> (length s <= length s')%nat.

(** A message stands for the same message of every node of its class, in the order of the list. *)
Definition expand_messages (s : shape) (r : replication) (R : list message) : list message :=
  flat_map (fun m => map (fun g => Message (part m) (adds m) (add (moduli s) (fst (over m)) g, snd (over m))) (translations s r)) R.

(** * An exchange competes *)
Lemma picked_In H j v is u : may_add H j v is -> In u (concat (picked H j v is)) -> exists x, In x (H j v) /\ In u x.
Proof.
  intros (B & _) I. apply in_concat in I. destruct I as (x & Ix & Iu). apply in_map_iff in Ix. destruct Ix as (i & <- & Hi).
  exists (nth (N.to_nat i) (H j v) []). split; auto. apply nth_In. specialize (B i Hi). unfold len in B. lia.
Qed.

Lemma exchanged_paths P b result s : forall H, exchanged P b result s H -> forall j u v,
  traffic P (b, b, j) -> In u (nodes (net P)) -> In v (nodes (net P)) ->
  exists y x, In x (H j y) /\ In u x /\ path (net P) (map (hops_of b) s) (b, b, j) y v.
Proof.
  induction s as [|R s IH]; cbn [exchanged map path]; intros H E j u v T Hu Hv.
  - destruct (E j v T Hv) as (M & I). destruct (picked_In _ _ _ _ u M (I u Hu)) as (x & Hx & Iu). exists v, x. auto.
  - destruct E as (M & _ & E). destruct (IH _ E j u v T Hu Hv) as (y & x & Hx & Iu & Hp). cbv beta in Hx. apply in_app_iff in Hx.
    destruct Hx as [Hx|Hx]; [exists y, x; auto|]. unfold received in Hx. apply in_map_iff in Hx. destruct Hx as (m & <- & Hm).
    apply filter_In in Hm. destruct Hm as (Hm & C). apply andb_true_iff in C. destruct C as (C1 & C2). apply N.eqb_eq in C1, C2.
    destruct (picked_In _ _ _ _ u (M m Hm) Iu) as (x & Hx & Ix). rewrite C1 in Hx. exists (src (net P) (over m)), x.
    split; [exact Hx|]. split; [exact Ix|]. right. exists (over m). split; [|split; [reflexivity|now rewrite C2]].
    apply in_map_iff. exists m. rewrite C1. auto.
Qed.

Lemma exchanged_within P b result s : forall H, exchanged P b result s H -> forall R, In R (map (hops_of b) s) -> within (net P) (lim P) R.
Proof.
  induction s as [|R0 s IH]; cbn [exchanged map In]; intros H E R HR; [easy|]. destruct E as (_ & W & E).
  destruct HR as [<-|HR]; [exact W|]. eapply IH; eauto.
Qed.

Theorem exchange_competes P b result s : (forall q, traffic P q -> exists j, q = (b, b, j)) ->
  valid_exchange P b result s -> competes P (map (hops_of b) s).
Proof.
  intros T V. split; [exact (exchanged_within P b result s _ V)|]. intros q u v (HT & Hu & Hv & _).
  destruct (T q HT) as (j & ->). destruct (exchanged_paths P b result s _ V j u v HT Hu Hv) as (y & x & [<-|[]] & [<-|[]] & Hp). exact Hp.
Qed.

(** * Sets as numbers *)
Definition bit (v : node) : N := N.shiftl 1 v.
Definition mask (x : value) : N := fold_right (fun v m => N.lor (bit v) m) 0 x.

Lemma bit_spec v i : N.testbit (bit v) i = (v =? i).
Proof.
  unfold bit. destruct (N.eqb_spec v i) as [->|NE].
  - rewrite N.shiftl_spec_high by lia. now rewrite N.sub_diag.
  - destruct (N.lt_ge_cases i v) as [L|G]; [now apply N.shiftl_spec_low|]. rewrite N.shiftl_spec_high by lia.
    destruct (i - v) eqn:E; [lia|]. now destruct p.
Qed.
Lemma mask_spec x i : N.testbit (mask x) i = true <-> In i x.
Proof.
  induction x as [|v x IH]; cbn [mask fold_right In]; [rewrite N.bits_0; easy|]. fold (mask x).
  rewrite N.lor_spec, orb_true_iff, IH, bit_spec, N.eqb_eq. tauto.
Qed.
Lemma mask_app x y : mask (x ++ y) = N.lor (mask x) (mask y).
Proof. induction x as [|v x IH]; [reflexivity|]. cbn [app mask fold_right]. fold (mask (x ++ y)). fold (mask x). now rewrite IH, N.lor_assoc. Qed.
Lemma mask_disjoint x y : N.land (mask x) (mask y) = 0 -> forall v, In v x -> ~ In v y.
Proof.
  intros E v Hx Hy. apply mask_spec in Hx, Hy. assert (X : N.testbit (N.land (mask x) (mask y)) v = true) by (rewrite N.land_spec, Hx, Hy; reflexivity).
  rewrite E, N.bits_0 in X. discriminate.
Qed.

(** The sum of values by number; none if a number is too large or a contribution would be added twice. *)
Fixpoint total (l : list N) (is : list N) (sum : N) : option N :=
  match is with
  | [] => Some sum
  | i :: is =>
      if i <? len_loop l then
        let x := nth (N.to_nat i) l 0 in
        if N.land sum x =? 0 then total l is (N.lor sum x) else None
      else None
  end.

Lemma NoDup_append {A} (x y : list A) : NoDup x -> NoDup y -> (forall v, In v x -> ~ In v y) -> NoDup (x ++ y).
Proof.
  intros D D' X; induction D as [|a x Na D IH]; cbn [app]; auto. constructor.
  - rewrite in_app_iff. intros [H|H]; [auto|]. exact (X a (or_introl eq_refl) H).
  - apply IH. intros v Hv. apply X. now right.
Qed.

Lemma total_spec (l : list value) is : Forall (@NoDup node) l -> forall x z, NoDup x -> total (map mask l) is (mask x) = Some z ->
  (forall i, In i is -> i < len l) /\ NoDup (x ++ concat (map (fun i => nth (N.to_nat i) l []) is)) /\
  z = mask (x ++ concat (map (fun i => nth (N.to_nat i) l []) is)).
Proof.
  intros F. induction is as [|i is IH]; cbn [total map concat]; intros x z D E.
  - injection E as <-. rewrite app_nil_r. split; [easy|auto].
  - rewrite len_loop_same, len_map in E. destruct (N.ltb_spec i (len l)) as [Hi|]; [|discriminate]. cbv zeta in E.
    replace (nth (N.to_nat i) (map mask l) 0) with (mask (nth (N.to_nat i) l [])) in E by (symmetry; apply (map_nth mask l [])).
    set (y := nth (N.to_nat i) l []) in *.
    destruct (N.eqb_spec (N.land (mask x) (mask y)) 0) as [Z|]; [|discriminate]. rewrite <- mask_app in E.
    assert (Dy : NoDup y).
    { apply (proj1 (Forall_forall (@NoDup node) l) F). apply nth_In. unfold len in Hi. lia. }
    destruct (IH (x ++ y) z) as (A & B & C); [now apply NoDup_append; auto; apply mask_disjoint|exact E|].
    rewrite <- app_assoc in B, C. split; [|auto]. intros k [<-|Hk]; auto.
Qed.

(** * The check *)
Module T := PositiveMap.
Section Check.
  Variables (s : shape) (L : limits) (b : node) (J : N).
  Variables (n d : N) (nx : link -> node).
  Hypothesis Hn : n = size s.
  Hypothesis Hd : d = degree s.
  Hypothesis Hx : forall l, nx l = next s l.
  Notation W := (network_of s).

  Definition place (j : N) (v : node) : N := j * n + v.
  Definition values_at (t : T.t (list N)) j v : list N := match T.find (N.succ_pos (place j v)) t with Some l => l | None => [bit v] end.
  Definition put (t : T.t (list N)) (a : N * node * N) : T.t (list N) :=
    let '(j, v, x) := a in T.add (N.succ_pos (place j v)) (rev_append (rev_append (values_at t j v) []) [x]) t.

  (** The sums of a round, all from values of earlier rounds, latest first. *)
  Fixpoint sent (t : T.t (list N)) (R : list message) (acc : list (N * node * N)) : option (list (N * node * N)) :=
    match R with
    | [] => Some acc
    | m :: R =>
        if part m <? J then
          match total (values_at t (part m) (fst (over m))) (adds m) 0 with
          | Some x => sent t R ((part m, nx (over m), x) :: acc)
          | None => None
          end
        else None
    end.

  Definition round_fits (R : list message) : bool :=
    forallb (fun m => (fst (over m) <? n) && (b <? n)) R && round_at s Once L n d nx (map_loop (fun m => ((b, b, part m), over m)) R).

  Fixpoint follow (ts : list node) (rounds : list (list message)) (t : T.t (list N)) : option (T.t (list N)) :=
    match rounds with
    | [] => Some t
    | R :: rounds =>
        let E := flat_map_loop (fun m => map_loop (fun g => Message (part m) (adds m) (add (moduli s) (fst (over m)) g, snd (over m))) ts) R in
        if round_fits E then
          match sent t E [] with
          | Some a => follow ts rounds (fold_left put (rev_append a []) t)
          | None => None
          end
        else None
    end.

  Definition complete (result : N -> node -> list N) (living : list node) (t : T.t (list N)) : bool :=
    let all := fold_left (fun m v => N.lor m (bit v)) living 0 in
    all_below J (fun j => forallb (fun v =>
      match total (values_at t j v) (result j v) 0 with Some x => N.land all x =? all | None => false end) living).

  (** What the table says. *)
  Definition tells (t : T.t (list N)) (H : values) : Prop :=
    forall j v, j < J -> v < n -> values_at t j v = map mask (H j v) /\ Forall (@NoDup node) (H j v).

  Lemma place_inj j v j' v' : v < n -> v' < n -> place j v = place j' v' -> j = j' /\ v = v'.
  Proof.
    unfold place. intros Hv Hv' E. split.
    - rewrite <- (split_div n j v), <- (split_div n j' v') by lia. congruence.
    - rewrite <- (split_mod n j v), <- (split_mod n j' v') by lia. congruence.
  Qed.

  Lemma put_values t j v x j' v' : v < n -> v' < n ->
    values_at (put t (j, v, x)) j' v' = if (j =? j') && (v =? v') then values_at t j' v' ++ [x] else values_at t j' v'.
  Proof.
    intros Hv Hv'. unfold put, values_at at 1. destruct (N.eqb_spec j j') as [->|NE]; [destruct (N.eqb_spec v v') as [->|NE]|]; cbn [andb].
    - rewrite T.gss. rewrite !rev_append_rev, app_nil_r, rev_involutive. reflexivity.
    - rewrite T.gso; [reflexivity|]. intros E. apply succ_pos_inj, place_inj in E; auto. now apply NE.
    - rewrite T.gso; [reflexivity|]. intros E. apply succ_pos_inj, place_inj in E; auto. now apply NE.
  Qed.

  Lemma puts_values j v : v < n -> forall a, (forall y, In y a -> snd (fst y) < n) -> forall t,
    values_at (fold_left put a t) j v = values_at t j v ++ map snd (filter (fun y => (fst (fst y) =? j) && (snd (fst y) =? v)) a).
  Proof.
    intros Hv. induction a as [|((j', v'), x) a IH]; intros HA t; cbn [fold_left filter]; [now rewrite app_nil_r|].
    rewrite IH by (intros; apply HA; now right). rewrite put_values; auto; [|exact (HA _ (or_introl eq_refl))]. cbn [fst snd].
    destruct ((j' =? j) && (v' =? v)); [|reflexivity]. cbn [map snd]. now rewrite <- app_assoc.
  Qed.

  Lemma sent_spec t H : tells t H -> forall R, (forall m, In m R -> fst (over m) < n) -> forall acc a, sent t R acc = Some a ->
    (forall m, In m R -> part m < J /\ may_add H (part m) (fst (over m)) (adds m)) /\
    rev a = rev acc ++ map (fun m => (part m, next s (over m), mask (concat (picked H (part m) (fst (over m)) (adds m))))) R.
  Proof.
    intros HT. induction R as [|m R IH]; cbn [sent map]; intros HR acc a E; [injection E as <-; rewrite app_nil_r; split; [easy|reflexivity]|].
    destruct (N.ltb_spec (part m) J) as [HJ|]; [|discriminate].
    destruct (HT (part m) (fst (over m)) HJ (HR m (or_introl eq_refl))) as (V & F). rewrite V in E.
    destruct (total (map mask (H (part m) (fst (over m)))) (adds m) 0) as [x|] eqn:ET; [|discriminate].
    destruct (total_spec _ _ F [] x (NoDup_nil _) ET) as (A & B & C). cbn [app] in B, C.
    destruct (IH (fun m' Hm => HR m' (or_intror Hm)) _ _ E) as (I1 & I2). split.
    - intros m' [<-|Hm]; auto. split; auto. split; auto.
    - rewrite I2. cbn [rev]. rewrite <- app_assoc, Hx, C. reflexivity.
  Qed.

  Hypothesis positive : positive_moduli (moduli s).
  Hypothesis gens : forall g, In g (generators s) -> g < n.

  Lemma node_iff v : In v (nodes W) <-> v < n /\ alive s v = true.
  Proof. cbn [network_of nodes]. rewrite filter_In, range_In, Hn. tauto. Qed.

  Lemma only_zero : translations s Once = [0].
  Proof.
    assert (D : NoDup (translations s Once)) by (apply NoDup_filter, range_once).
    assert (I : forall g, In g (translations s Once) <-> g = 0).
    { intros g. unfold translations. rewrite filter_In, range_In. cbn [class]. rewrite N.eqb_eq. split; [tauto|]. intros ->. split; auto.
      now apply order_pos. }
    destruct (translations s Once) as [|g [|g' l]].
    - destruct (proj2 (I 0) eq_refl).
    - now rewrite (proj1 (I g) (or_introl eq_refl)).
    - exfalso. inversion D as [|? ? N1 _]. apply N1. left.
      rewrite (proj1 (I g') (or_intror (or_introl eq_refl))). symmetry. apply I. now left.
  Qed.

  Lemma round_fits_within R : round_fits R = true -> within W L (hops_of b R) /\ forall m, In m R -> fst (over m) < n.
  Proof.
    unfold round_fits. rewrite andb_true_iff, forallb_forall, map_loop_same. intros (B & RO).
    assert (RG : forall m, In m R -> fst (over m) < n /\ b < n).
    { intros m Hm. specialize (B m Hm). rewrite andb_true_iff, !N.ltb_lt in B. exact B. }
    split; [|intros m Hm; apply RG, Hm].
    rewrite (round_same s Once L n d nx Hn Hd Hx) in RO.
    assert (OK : sound_shape s Once).
    { split; [exact positive|]. split; [|exact I]. split; [now rewrite <- Hn|congruence]. }
    pose proof (round_ok_within s Once L _ OK RO) as X.
    replace (expand s Once (map (fun m => ((b, b, part m), over m)) R)) with (hops_of b R) in X; [exact X|].
    unfold expand. rewrite only_zero. cbn [flat_map]. rewrite app_nil_r, map_map. apply map_ext_in. intros m Hm.
    destruct (RG m Hm) as (V & Bn). destruct (over m) as (v, p). cbn [shift fst] in *. rewrite Hn in *. now rewrite !add_0_r.
  Qed.

  Lemma next_below l : next s l < n.
  Proof. rewrite Hn. now apply add_lt. Qed.

  Variable tr : list packet.
  Hypothesis Htr : forall j, In (b, b, j) tr -> j < J.
  Let P := problem_of s L Share (Listed tr).

  Lemma complete_sound result t H : tells t H -> complete result (filter (alive s) (range n)) t = true ->
    forall j v, traffic P (b, b, j) -> In v (nodes W) ->
      may_add H j v (result j v) /\ incl (nodes W) (concat (picked H j v (result j v))).
  Proof.
    intros HT C j v (_ & _ & HJ) Hv. apply Htr in HJ. pose proof Hv as Hv'. apply node_iff in Hv'. destruct Hv' as (Vn & Va).
    unfold complete in C. rewrite all_below_same, forallb_forall in C. specialize (C j (proj2 (range_In _ _) HJ)).
    rewrite forallb_forall in C.
    specialize (C v (proj2 (filter_In _ _ _) (conj (proj2 (range_In n v) Vn) Va))).
    destruct (HT j v HJ Vn) as (V & F). rewrite V in C.
    destruct (total (map mask (H j v)) (result j v) 0) as [x|] eqn:ET; [|discriminate].
    destruct (total_spec _ _ F [] x (NoDup_nil _) ET) as (A & B & E). cbn [app] in B, E. split; [split; auto|].
    intros u Hu. apply mask_spec. apply N.eqb_eq in C.
    assert (ALL : forall l m, N.testbit (fold_left (fun m v => N.lor m (bit v)) l m) u = N.testbit m u || existsb (fun v => v =? u) l).
    { induction l as [|w l IH]; intros m; cbn [fold_left existsb]; [now rewrite orb_false_r|]. rewrite IH, N.lor_spec, bit_spec. now rewrite orb_assoc. }
    assert (X : N.testbit (fold_left (fun m v => N.lor m (bit v)) (filter (alive s) (range n)) 0) u = true).
    { rewrite ALL. apply orb_true_iff. right. apply existsb_exists. exists u. split; [|apply N.eqb_refl].
      apply node_iff in Hu. apply filter_In. now rewrite range_In. }
    rewrite <- C, N.land_spec in X. apply andb_true_iff in X. destruct X as (_ & X). unfold picked. rewrite <- E. exact X.
  Qed.

  Lemma follow_sound r result rounds : forall t t' H, follow (translations s r) rounds t = Some t' -> tells t H ->
    complete result (filter (alive s) (range n)) t' = true ->
    exchanged P b result (map (expand_messages s r) rounds) H.
  Proof.
    induction rounds as [|R rounds IH]; cbn [follow map exchanged]; intros t t' H E HT C.
    - injection E as <-. intros j v T Hv. now apply (complete_sound result t).
    - cbv zeta in E. set (E0 := flat_map_loop _ R) in E.
      assert (EE : E0 = expand_messages s r R).
      { unfold E0, expand_messages. rewrite flat_map_loop_same. apply flat_map_ext. intros m. now rewrite map_loop_same. }
      rewrite EE in E. clear E0 EE. destruct (round_fits (expand_messages s r R)) eqn:RF; [|discriminate].
      destruct (round_fits_within _ RF) as (WI & RG). destruct (sent t (expand_messages s r R) []) as [a|] eqn:ES; [|discriminate].
      destruct (sent_spec t H HT _ RG _ _ ES) as (M & RA). cbn [rev app] in RA.
      split; [intros m Hm; apply M, Hm|]. split; [exact WI|].
      rewrite rev_append_rev, app_nil_r, RA in E. eapply IH; [exact E| |exact C].
      intros j v Hj Hv. destruct (HT j v Hj Hv) as (V & F). rewrite puts_values; auto.
      + rewrite V. cbn [P problem_of net network_of]. split.
        * rewrite map_app. f_equal. unfold received. cbn [network_of src dst]. rewrite map_map.
          generalize (expand_messages s r R). clear. intros R.
          induction R as [|m R IH]; [reflexivity|]. cbn [map filter fst snd].
          destruct ((part m =? j) && (next s (over m) =? v)); cbn [map snd]; now rewrite IH.
        * apply Forall_app. split; [exact F|]. unfold received. apply Forall_forall. intros x Hxx. apply in_map_iff in Hxx.
          destruct Hxx as (m & <- & Hm). apply filter_In in Hm. destruct Hm as (Hm & _). exact (proj2 (proj2 (M m Hm))).
      + intros y Hy. apply in_map_iff in Hy. destruct Hy as (m & <- & _). cbn [fst snd]. apply next_below.
  Qed.
End Check.

Definition check_exchange (s : shape) (r : replication) (L : limits) (b J : N) (tr : list packet) (result : N -> node -> list N)
    (rounds : list (list message)) : bool :=
  let n := size s in
  let nx := let ps := ports_of s in step s n ps in
  shape_ok s r && forallb (fun q => let '(o, d, j) := q in (o =? b) && (d =? b) && (j <? J)) tr &&
  match follow s L b J n (degree s) nx (filter_loop (fun g => class s r g =? 0) (range n)) rounds (PositiveMap.empty _) with
  | Some t => complete J n result (filter_loop (alive s) (range n)) t
  | None => false
  end.

Theorem check_exchange_sound s r L b J tr result rounds : check_exchange s r L b J tr result rounds = true ->
  valid_exchange (problem_of s L Share (Listed tr)) b result (map (expand_messages s r) rounds) /\
  forall q, traffic (problem_of s L Share (Listed tr)) q -> exists j, q = (b, b, j).
Proof.
  unfold check_exchange. cbv zeta. rewrite !andb_true_iff, forallb_forall, !filter_loop_same. intros ((OK & T) & F).
  destruct (shape_ok_sound s r OK) as (P & (G & _) & _).
  assert (HX : forall l, step s (size s) (ports_of s) l = next s l) by (intros l; now apply step_next).
  assert (TR : forall q, In q tr -> exists j, q = (b, b, j) /\ j < J).
  { intros ((o, d), j) Hq. specialize (T _ Hq). cbn in T. rewrite !andb_true_iff, !N.eqb_eq, N.ltb_lt in T. destruct T as ((-> & ->) & HJ). eauto. }
  split.
  - destruct (follow s L b J (size s) (degree s) (step s (size s) (ports_of s)) (filter (fun g => class s r g =? 0) (range (size s))) rounds
      (PositiveMap.empty (list N))) as [t|] eqn:EF; [|discriminate].
    unfold valid_exchange. apply (follow_sound s L b J (size s) (degree s) (step s (size s) (ports_of s)) eq_refl eq_refl HX P G tr) with
      (t := PositiveMap.empty (list N)) (t' := t); auto.
    + intros j Hj. destruct (TR _ Hj) as (j' & E & HJ). now injection E as ->.
    + intros j v _ _. unfold values_at. rewrite PositiveMap.gempty. cbn [map mask fold_right]. rewrite N.lor_0_r. split; [reflexivity|].
      repeat constructor. easy.
  - intros ((o, d), j) (_ & _ & Hq). destruct (TR _ Hq) as (j' & E & _). eauto.
Qed.
