(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Cuts: every packet that must get into a set of nodes takes a link into it, and a node of the set receives on so many links a round. Of one
    node this is the bound by degree, around failures too; of more, the bound by cut of docs/bounds.md. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Model Bounds.
Import ListNotations.
Open Scope N_scope.

Section Cut.
  Variables (W : network) (L : limits) (inside : node -> bool).
  Hypothesis nodes_once : NoDup (nodes W).
  Hypothesis ends : forall l, In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W).

  Definition enters (l : link) : bool := negb (inside (src W l)) && inside (dst W l).
  (** The links on which node v can receive from outside in a round. *)
  Definition entrances (v : node) : N := N.min (ports L) (len (filter (fun l => enters l && (dst W l =? v)) (links W))).
  Definition entrance : N := sum (fun v => if inside v then entrances v else 0) (nodes W).

  Lemma len_filter_le {A} (p q : A -> bool) l : (forall x, In x l -> p x = true -> q x = true) -> len (filter p l) <= len (filter q l).
  Proof. intros H. rewrite !len_filter. apply sum_le. intros x Hx. specialize (H x Hx). destruct (p x); [rewrite H; lia|destruct (q x); lia]. Qed.

  Lemma entering_links R : within W L R -> len (filter enters (used R)) <= entrance.
  Proof.
    intros HW. assert (U : forall l, In l (used R) -> In l (links W)) by (intros l; now apply (used_links W L)).
    rewrite (sum_group (dst W) (filter enters (used R)) (nodes W) nodes_once).
    - apply sum_le. intros v _. destruct (inside v) eqn:EV.
      + unfold entrances. apply N.min_glb.
        * transitivity (receives W R v); [|apply HW]. unfold receives.
          assert (X : forall l, filter (fun x => dst W x =? v) (filter enters l) = filter (fun x => enters x && (dst W x =? v)) l).
          { induction l as [|x l IH]; [reflexivity|]. cbn [filter]. destruct (enters x); cbn [filter andb]; now rewrite IH. }
          rewrite X. apply len_filter_le. intros x _ H. now apply andb_true_iff in H.
        * apply len_incl; [apply NoDup_filter, NoDup_filter, NoDup_nodup|]. intros l Hl. apply filter_In in Hl. destruct Hl as (Hl & E).
          apply filter_In in Hl. destruct Hl as (Hl & F). apply filter_In. split; auto. now rewrite F.
      + apply N.eq_le_incl. transitivity (len (@nil link)); [|reflexivity]. f_equal.
        destruct (filter (fun x => dst W x =? v) (filter enters (used R))) as [|l ls] eqn:EF; [reflexivity|]. exfalso.
        assert (I : In l (filter (fun x => dst W x =? v) (filter enters (used R)))) by (rewrite EF; now left).
        apply filter_In in I. destruct I as (I & E). apply filter_In in I. destruct I as (_ & F). apply N.eqb_eq in E. unfold enters in F.
        rewrite E, EV, andb_false_r in F. discriminate.
    - intros l Hl. apply filter_In in Hl. now apply ends, U.
  Qed.

  Lemma entering_hops R K : within W L R -> per_link L = Some K ->
    sum (fun h : hop => if enters (snd h) then 1 else 0) R <= K * entrance.
  Proof.
    intros HW EK. pose proof (entering_links R HW) as E. pose proof HW as (_ & HK & _).
    replace (sum (fun h : hop => if enters (snd h) then 1 else 0) R) with (sum (fun l => if enters l then 1 else 0) (map snd R))
      by apply (sum_map (fun l => if enters l then 1 else 0) snd R).
    rewrite (sum_count link_dec _ (map snd R) (used R)); [|apply NoDup_nodup|intros x; apply nodup_In].
    transitivity (K * len (filter enters (used R))); [|apply N.mul_le_mono_l; exact E]. rewrite len_filter, <- sum_scale.
    apply sum_le. intros l _. specialize (HK K l EK). destruct (enters l); lia.
  Qed.

  (** Packets that get from a node outside to one inside. *)
  Theorem cut_bound s K (Q : list packet) (from to : packet -> node) :
    (forall R, In R s -> within W L R) -> per_link L = Some K -> NoDup Q ->
    (forall q, In q Q -> inside (from q) = false /\ inside (to q) = true /\ path W s q (from q) (to q)) ->
    len Q <= len s * (K * entrance).
  Proof.
    intros HW EK D HP. set (level := fun v => if inside v then 1 else 0).
    set (I := map (fun q => Item q (from q) (to q) level) Q).
    assert (X : sum (fun i => lev i (Bounds.to i) - lev i (Bounds.from i)) I <= sum (fun R => sum (fun h => if enters (snd h) then 1 else 0) R) s).
    { apply (items_bound W s I (fun l => if enters l then 1 else 0)); unfold I.
      - intros i Hi. apply in_map_iff in Hi. destruct Hi as (q & <- & Hq). apply HP, Hq.
      - intros R q l _ _. rewrite sum_map. cbn [pk lev]. transitivity (sum (fun q' => if packet_dec q q' then (if enters l then 1 else 0) else 0) Q).
        + apply sum_le. intros q' _. destruct (packet_dec q q'); [|lia]. unfold rise, level, enters.
          destruct (inside (src W l)), (inside (dst W l)); cbn; lia.
        + rewrite (sum_pick packet_dec (fun _ => if enters l then 1 else 0)) by assumption. destruct (in_dec _ _ _); lia. }
    unfold I in X. rewrite sum_map in X. cbn [lev Bounds.to Bounds.from] in X. rewrite (sum_eq _ (fun _ => 1)), sum_const, N.mul_1_l in X.
    - etransitivity; [exact X|]. rewrite (N.mul_comm (len s)), <- sum_const. apply sum_le. intros R HR. now apply entering_hops; auto.
    - intros q Hq. destruct (HP q Hq) as (A & B & _). unfold level. now rewrite A, B.
  Qed.
End Cut.
