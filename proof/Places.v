(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Places in a list, counted from 0 in binary numbers: orders say what goes where in time. *)
From Coq Require Import NArith List Lia.
From Isotrope Require Import Model Bounds Plan Translate Rounds.
Import ListNotations.
Open Scope N_scope.

Definition at_ {A} (l : list A) (i : N) (a : A) : Prop := nth_error l (N.to_nat i) = Some a.

Lemma at_len {A} (l : list A) i a : at_ l i a -> i < len l.
Proof. unfold at_, len. intros H. assert (N.to_nat i < length l)%nat; [|lia]. apply nth_error_Some. congruence. Qed.
Lemma at_app {A} (l m : list A) i a : at_ (l ++ m) i a <-> (i < len l /\ at_ l i a) \/ (len l <= i /\ at_ m (i - len l) a).
Proof.
  unfold at_, len. destruct (N.lt_ge_cases i (N.of_nat (length l))).
  - rewrite nth_error_app1 by lia. split; [auto|]. intros [(_ & E)|]; [assumption|lia].
  - rewrite nth_error_app2 by lia. replace (N.to_nat (i - N.of_nat (length l))) with (N.to_nat i - length l)%nat by lia.
    split; [auto|]. intros [|(_ & E)]; [lia|assumption].
Qed.
Lemma at_app_r {A} (l m : list A) i a : at_ m i a -> at_ (l ++ m) (len l + i) a.
Proof. intros H. apply at_app. right. split; [lia|]. now replace (len l + i - len l) with i by lia. Qed.
Lemma at_app_l {A} (l m : list A) i a : at_ l i a -> at_ (l ++ m) i a.
Proof. intros H. apply at_app. left. split; [now apply at_len in H|assumption]. Qed.
Lemma len_repeat {A} (a : A) k : len (repeat a (N.to_nat k)) = k.
Proof. unfold len. rewrite repeat_length. lia. Qed.
Lemma at_repeat {A} (a c : A) k i : at_ (repeat a (N.to_nat k)) i c <-> i < k /\ c = a.
Proof.
  split.
  - intros H. split; [apply at_len in H; now rewrite len_repeat in H|]. apply nth_error_In in H. now apply repeat_spec in H.
  - intros (H & ->). unfold at_. rewrite nth_error_nth' with (d := a) by (rewrite repeat_length; lia). now rewrite nth_repeat.
Qed.
Lemma at_In {A} (l : list A) i a : at_ l i a -> In a l.
Proof. apply nth_error_In. Qed.
Lemma at_exists {A} (l : list A) i : i < len l -> exists a, at_ l i a.
Proof. unfold at_, len. intros H. destruct (nth_error l (N.to_nat i)) eqn:E; [eauto|]. apply nth_error_None in E. lia. Qed.
Lemma at_same {A} (l : list A) i a b : at_ l i a -> at_ l i b -> a = b.
Proof. unfold at_. congruence. Qed.
Lemma at_map {A B} (f : A -> B) l i c : at_ (map f l) i c <-> exists a, at_ l i a /\ c = f a.
Proof.
  unfold at_. split.
  - intros H. destruct (nth_error l (N.to_nat i)) as [a|] eqn:E.
    + rewrite (map_nth_error f _ _ E) in H. exists a. split; congruence.
    + apply nth_error_None in E. assert (X : nth_error (map f l) (N.to_nat i) <> None) by congruence.
      apply nth_error_Some in X. rewrite map_length in X. lia.
  - intros (a & E & ->). now apply map_nth_error.
Qed.
Lemma at_range n i a : at_ (range n) i a <-> i < n /\ a = i.
Proof.
  split.
  - intros H. pose proof (at_len _ _ _ H) as L. rewrite len_range in L. split; auto.
    pose proof (nth_range n i L). unfold at_ in H. congruence.
  - intros (H & ->). now apply nth_range.
Qed.
Lemma at_once {A} (l : list A) i i' a : NoDup l -> at_ l i a -> at_ l i' a -> i = i'.
Proof.
  intros D H H'. pose proof (at_len _ _ _ H) as L. unfold at_, len in *. rewrite NoDup_nth_error in D.
  assert (N.to_nat i = N.to_nat i') by (apply D; [lia|congruence]). lia.
Qed.
Lemma In_at {A} (l : list A) a : In a l -> exists i, at_ l i a.
Proof. intros H. apply In_nth_error in H as (i & H). exists (N.of_nat i). unfold at_. now rewrite Nat2N.id. Qed.
