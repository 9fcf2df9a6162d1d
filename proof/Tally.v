(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Finite maps of numbers, and counting with them in one pass over a list. *)
From Coq Require Import NArith List Lia Bool FMapPositive FMapFacts.
From Isotrope Require Import Model Bounds.
Import ListNotations.
Open Scope N_scope.

(** * Finite maps of numbers *)
Module P := PositiveMap.
Definition table := P.t N.
Definition get (m : table) (k : N) : N := match P.find (N.succ_pos k) m with Some c => c | None => 0 end.
Definition set (m : table) (k c : N) : table := P.add (N.succ_pos k) c m.
Definition clear (m : table) (k : N) : table := P.remove (N.succ_pos k) m.
Definition none : table := P.empty N.

Lemma succ_pos_inj a b : N.succ_pos a = N.succ_pos b -> a = b.
Proof. intros E. apply (f_equal Npos) in E. rewrite !N.succ_pos_spec in E. lia. Qed.
Lemma get_set m k c i : get (set m k c) i = if k =? i then c else get m i.
Proof.
  unfold get, set. destruct (N.eqb_spec k i) as [->|NE]; [now rewrite P.gss|].
  rewrite P.gso; [reflexivity|]. intros E. apply succ_pos_inj in E; congruence.
Qed.
Lemma get_clear m k i : get (clear m k) i = if k =? i then 0 else get m i.
Proof.
  unfold get, clear. destruct (N.eqb_spec k i) as [->|NE]; [now rewrite P.grs|].
  rewrite P.gro; [reflexivity|]. intros E. apply succ_pos_inj in E; congruence.
Qed.
Lemma get_none i : get none i = 0.
Proof. unfold get, none. now rewrite P.gempty. Qed.

(** * Counting: at most [c] elements of every value of [f] *)
Section Tally.
  Context {A : Type} (f : A -> N) (c : N).
  Fixpoint tally (m : table) (l : list A) : option table :=
    match l with
    | [] => Some m
    | x :: l => let k := f x in let a := get m k + 1 in if a <=? c then tally (set m k a) l else None
    end.

  Lemma tally_spec l : forall m m', tally m l = Some m' -> forall k,
    get m' k = get m k + len (filter (fun x => f x =? k) l) /\ (get m k <= c -> get m' k <= c).
  Proof.
    induction l as [|x l IH]; cbn [tally filter]; intros m m' E k.
    - inversion E; subst. unfold len; cbn. lia.
    - destruct (N.leb_spec (get m (f x) + 1) c); [|discriminate]. specialize (IH _ _ E k).
      rewrite get_set in IH. destruct IH as (I1 & I2).
      destruct (N.eqb_spec (f x) k) as [Ek|]; [rewrite len_cons; rewrite Ek in *|]; lia.
  Qed.

  Lemma tally_count l m' : tally none l = Some m' -> forall k, len (filter (fun x => f x =? k) l) <= c.
  Proof. intros E k. destruct (tally_spec _ _ _ E k) as (I1 & I2). rewrite get_none in *. lia. Qed.
End Tally.

(** * One element of every value of [f] *)
Section Distinct.
  Context {A : Type} (f : A -> N).
  Fixpoint distinct (m : table) (l acc : list A) : list A :=
    match l with
    | [] => acc
    | x :: l => if get m (f x) =? 0 then distinct (set m (f x) 1) l (x :: acc) else distinct m l acc
    end.
  Lemma distinct_spec l : forall m acc, (forall k, get m k <> 0 -> exists y, In y acc /\ f y = k) ->
    (forall y, In y acc -> In y (distinct m l acc)) /\
    (forall x, In x l -> exists y, In y (distinct m l acc) /\ f y = f x).
  Proof.
    induction l as [|x l IH]; cbn [distinct]; intros m acc HM; [split; [auto|easy]|].
    destruct (N.eqb_spec (get m (f x)) 0) as [E|NE].
    - assert (HM' : forall k, get (set m (f x) 1) k <> 0 -> exists y, In y (x :: acc) /\ f y = k).
      { intros k. rewrite get_set. destruct (N.eqb_spec (f x) k) as [<-|].
        - intros _. exists x. split; auto. now left.
        - intros Hk. destruct (HM k Hk) as (y & Hy & F). exists y. split; auto. now right. }
      destruct (IH _ _ HM') as (I1 & I2). split; [intros y Hy; apply I1; now right|].
      intros y [<-|Hy]; [|now apply I2]. exists x. split; auto. apply I1. now left.
    - destruct (IH _ _ HM) as (I1 & I2). split; [exact I1|]. intros y [<-|Hy]; [|now apply I2].
      destruct (HM _ NE) as (z & Hz & F). exists z. split; auto.
  Qed.
End Distinct.
