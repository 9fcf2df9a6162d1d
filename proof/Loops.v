(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Functions on long lists, and loops over all numbers below n, in constant stack: each is proved equal to the function of the library or of
    [Plan.v] that it stands for. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Model Bounds Plan Tally Translate.
Import ListNotations.
Open Scope N_scope.

(** * Lists *)
Definition map_loop {A B} (f : A -> B) (l : list A) : list B := rev_append (fold_left (fun a x => f x :: a) l []) [].
Definition filter_loop {A} (p : A -> bool) (l : list A) : list A :=
  rev_append (fold_left (fun a x => if p x then x :: a else a) l []) [].
Definition flat_map_loop {A B} (f : A -> list B) (l : list A) : list B := rev_append (fold_left (fun a x => rev_append (f x) a) l []) [].
Definition len_loop {A} (l : list A) : N := fold_left (fun c _ => N.succ c) l 0.
Definition sum_loop {A} (f : A -> N) (l : list A) : N := fold_left (fun c x => c + f x) l 0.

Lemma map_loop_same {A B} (f : A -> B) l : map_loop f l = map f l.
Proof.
  unfold map_loop. rewrite rev_append_rev, app_nil_r.
  assert (X : forall a, rev (fold_left (fun a x => f x :: a) l a) = rev a ++ map f l); [|apply (X [])].
  induction l as [|x l IH]; intros a; cbn [fold_left map]; [now rewrite app_nil_r|]. rewrite IH. cbn [rev]. now rewrite <- app_assoc.
Qed.
Lemma filter_loop_same {A} (p : A -> bool) l : filter_loop p l = filter p l.
Proof.
  unfold filter_loop. rewrite rev_append_rev, app_nil_r.
  assert (X : forall a, rev (fold_left (fun a x => if p x then x :: a else a) l a) = rev a ++ filter p l); [|apply (X [])].
  induction l as [|x l IH]; intros a; cbn [fold_left filter]; [now rewrite app_nil_r|]. rewrite IH. destruct (p x); [|reflexivity].
  cbn [rev]. now rewrite <- app_assoc.
Qed.
Lemma flat_map_loop_same {A B} (f : A -> list B) l : flat_map_loop f l = flat_map f l.
Proof.
  unfold flat_map_loop. rewrite rev_append_rev, app_nil_r.
  assert (X : forall a, rev (fold_left (fun a x => rev_append (f x) a) l a) = rev a ++ flat_map f l); [|apply (X [])].
  induction l as [|x l IH]; intros a; cbn [fold_left flat_map]; [now rewrite app_nil_r|].
  rewrite IH, rev_append_rev, rev_app_distr, rev_involutive. now rewrite <- app_assoc.
Qed.
Lemma len_loop_same {A} (l : list A) : len_loop l = len l.
Proof.
  unfold len_loop. assert (X : forall c, fold_left (fun c _ => N.succ c) l c = c + len l); [|now rewrite X].
  induction l as [|x l IH]; intros c; cbn [fold_left]; [unfold len; cbn; lia|]. rewrite IH, len_cons. lia.
Qed.
Lemma sum_loop_same {A} (f : A -> N) l : sum_loop f l = sum f l.
Proof.
  unfold sum_loop. assert (X : forall c, fold_left (fun c x => c + f x) l c = c + sum f l); [|now rewrite X].
  induction l as [|x l IH]; intros c; cbn [fold_left sum]; [lia|]. rewrite IH. lia.
Qed.

(** * All numbers below n *)
Definition below (p : N -> bool) (x : N * bool) : N * bool := let i := fst x in (N.succ i, if snd x then p i else false).
Definition all_below (n : N) (p : N -> bool) : bool := snd (N.iter n (below p) (0, true)).

Lemma all_below_same n p : all_below n p = forallb p (range n).
Proof.
  assert (X : forall k, let x := N.iter k (below p) (0, true) in
    fst x = k /\ (snd x = true <-> forall i, i < k -> p i = true)).
  { induction k as [|k IH] using N.peano_ind; [cbn; split; [reflexivity|split; [lia|reflexivity]]|].
    rewrite N.iter_succ. destruct (N.iter k _ _) as (i, b). unfold below. cbn [fst snd] in *. destruct IH as (-> & IH). split; [reflexivity|].
    destruct b.
    - split.
      + intros H i Hi. assert (C : i < k \/ i = k) by lia. destruct C as [C|C]; [now apply IH|now subst].
      + intros H. apply H. lia.
    - split; [discriminate|]. intros H. apply IH. intros i Hi. apply H. lia. }
  destruct (X n) as (_ & S). unfold all_below. apply eq_true_iff_eq. rewrite S, forallb_forall.
  split; intros H i Hi; apply H; [now apply range_In in Hi|now apply range_In].
Qed.

Lemma forallb_filter {A} (p f : A -> bool) l : forallb f (filter p l) = forallb (fun x => if p x then f x else true) l.
Proof. induction l as [|x l IH]; cbn [filter forallb]; [reflexivity|]. destruct (p x); cbn [forallb]; now rewrite IH. Qed.
Lemma forallb_same {A} (f g : A -> bool) l : (forall x, In x l -> f x = g x) -> forallb f l = forallb g l.
Proof.
  induction l as [|x l IH]; cbn [forallb]; intros H; [reflexivity|]. rewrite (H x (or_introl eq_refl)), IH; [reflexivity|].
  intros; apply H; now right.
Qed.
Lemma forallb_map {A B} (f : B -> bool) (g : A -> B) l : forallb f (map g l) = forallb (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. now rewrite IH. Qed.
Lemma forallb_flat_map {A B} (f : B -> bool) (g : A -> list B) l : forallb f (flat_map g l) = forallb (fun x => forallb f (g x)) l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. now rewrite forallb_app, IH. Qed.

(** All links of n nodes of degree d. *)
Lemma all_links_below n d f : forallb f (all_links n d) = all_below n (fun v => all_below d (fun p => f (v, p))).
Proof.
  unfold all_links. rewrite forallb_flat_map, all_below_same. apply forallb_same. intros v _. now rewrite forallb_map, all_below_same.
Qed.
