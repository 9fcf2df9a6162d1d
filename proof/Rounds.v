(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** What the theorems on families share: ranges, rounds that hand on an invariant, and rounds with one listed hop a port, which translated by
    all nodes use every link once. A reader of the theorems must believe [all_ports]. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Lower.
Import ListNotations.
Open Scope N_scope.

(** One packet on a link in a round; a node, which has d links, may use all. *)
Definition all_ports (d : N) : limits := Limits (Some 1) d false.

(** * Ranges, and the rounds of a list of rounds one after the other *)

Lemma range_seq n : range n = map N.of_nat (seq 0 (N.to_nat n)).
Proof.
  assert (X : forall k, k <= n -> N.iter k (fun '(i, l) => (N.pred i, N.pred i :: l)) (n, []) =
    (n - k, map N.of_nat (seq (N.to_nat (n - k)) (N.to_nat k)))).
  { induction k as [|k IH] using N.peano_ind; intros Hk; [cbn; now rewrite N.sub_0_r|].
    rewrite N.iter_succ, IH by lia. replace (N.pred (n - k)) with (n - N.succ k) by lia. f_equal.
    replace (N.to_nat (N.succ k)) with (S (N.to_nat k)) by lia. cbn [seq map]. f_equal; [lia|].
    replace (S (N.to_nat (n - N.succ k))) with (N.to_nat (n - k)) by lia. reflexivity. }
  unfold range. rewrite X by lia. cbn [snd]. rewrite N.sub_diag. reflexivity.
Qed.

Lemma nth_range n i : i < n -> nth_error (range n) (N.to_nat i) = Some i.
Proof.
  intros H. rewrite range_seq. rewrite map_nth_error with (d := N.to_nat i); [now rewrite N2Nat.id|].
  rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. reflexivity.
Qed.

Lemma range_succ n : range (N.succ n) = range n ++ [n].
Proof.
  rewrite !range_seq. replace (N.to_nat (N.succ n)) with (S (N.to_nat n)) by lia.
  rewrite seq_S, map_app. cbn. now rewrite N2Nat.id.
Qed.

Lemma len_prod {A B} (l : list A) (m : list B) : len (list_prod l m) = len l * len m.
Proof. unfold len. rewrite prod_length. apply Nat2N.inj_mul. Qed.

(** What holds before the first of some rounds and is handed on by every one holds after the last. *)
Theorem run_by_invariant P keep (f : N -> round) T (I : N -> holding -> Prop) rest :
  (forall r H, r < T -> I r H -> legal P keep (f r) H /\ within (net P) (lim P) (f r) /\ I (r + 1) (after (net P) keep (f r) H)) ->
  (forall H, I T H -> run P rest H) -> forall H, I 0 H -> run P (map (fun r => (keep, f r)) (range T) ++ rest) H.
Proof.
  intros step last H0 I0. rewrite range_seq, map_map.
  assert (X : forall k a H, N.of_nat (a + k) = T -> I (N.of_nat a) H -> run P (map (fun i => (keep, f (N.of_nat i))) (seq a k) ++ rest) H).
  { induction k as [|k IH]; intros a H E HI; cbn [seq map run app].
    - replace (N.of_nat a) with T in HI by lia. exact (last H HI).
    - destruct (step (N.of_nat a) H ltac:(lia) HI) as (L & W & HI'). repeat split; try apply L; try apply W; auto.
      apply IH; [lia|]. now replace (N.of_nat (S a)) with (N.of_nat a + 1) by lia. }
  apply X; [lia|assumption].
Qed.
Corollary valid_by_invariant P keep (f : N -> round) T (I : N -> holding -> Prop) :
  I 0 (start P) ->
  (forall r H, r < T -> I r H -> legal P keep (f r) H /\ within (net P) (lim P) (f r) /\ I (r + 1) (after (net P) keep (f r) H)) ->
  (forall H, I T H -> forall q u v, demand P q u v -> H q u v) ->
  valid P (map (fun r => (keep, f r)) (range T)).
Proof. intros. unfold valid. rewrite <- (app_nil_r (map _ _)). now apply (run_by_invariant P keep f T I). Qed.

(** * Division, for [lia] does not know it *)

Lemma quotient k m : m <> 0 -> k / m * m + k mod m = k.
Proof. intros H. pose proof (N.div_mod k m H) as E. rewrite N.mul_comm in E. congruence. Qed.
Lemma remainder k m : m <> 0 -> k - k / m * m = k mod m.
Proof. intros H. pose proof (quotient k m H). set (a := k / m * m) in *. set (b := k mod m) in *. clearbody a b. lia. Qed.

(** * One listed hop a port *)

Section Rounds.
  Variables (s : shape) (d : N).
  Hypotheses (ok : sound_shape s All) (intact : failures s = None) (ports_d : degree s = d).
  Notation n := (size s).
  Notation W := (network_of s).
  Let positive : positive_moduli (moduli s) := proj1 ok.

  Lemma every_node v : In v (nodes W) <-> v < n.
  Proof. cbn [network_of nodes]. rewrite filter_In, range_In. unfold alive. rewrite intact. tauto. Qed.
  Lemma every_link v p : In (v, p) (links W) <-> v < n /\ p < d.
  Proof. cbn [network_of links]. rewrite filter_In, link_In, ports_d. unfold exists_link, works, alive. rewrite intact. tauto. Qed.
  Lemma len_nodes : len (nodes W) = n.
  Proof.
    assert (F : forall l : list N, filter (alive s) l = l).
    { induction l as [|v l IH]; [reflexivity|]. cbn [filter]. unfold alive at 1. rewrite intact. f_equal. exact IH. }
    cbn [network_of nodes]. transitivity (len (range n)); [f_equal; apply F|]. exact (len_range _).
  Qed.
  Lemma every_translation g : In g (translations s All) <-> g < n.
  Proof. unfold translations. rewrite filter_In, range_In. cbn. tauto. Qed.
  Lemma next_sub v p : v < n -> sub (moduli s) (next s (v, p)) (nth (N.to_nat p) (generators s) 0) = v.
  Proof. intros Hv. unfold next. cbn [fst snd]. apply add_sub; auto. now apply (gen_lt s All). Qed.

  (** Listed hops on different ports, translated by all nodes, use every link once at most. *)
  Theorem ports_within R : (forall h, In h R -> fst (snd h) < n /\ snd (snd h) < d) -> NoDup (map (fun h : hop => snd (snd h)) R) ->
    within W (all_ports d) (expand s All R).
  Proof.
    intros HR D.
    assert (L : forall h, In h (expand s All R) -> In (snd h) (links W)).
    { intros (q, (v, p)) Hh. apply in_expand in Hh as (g & q0 & v0 & Hg & Hh & -> & ->). apply every_link. cbn [snd].
      destruct (HR _ Hh) as (A & B). cbn [fst snd] in A, B. split; [|exact B]. now apply add_lt. }
    split; [exact L|]. split.
    - intros K l E. inversion E; subst K.
      assert (X : NoDup (map snd (expand s All R))); [|apply (NoDup_count_occ link_dec) with (x := l) in X; lia].
      unfold expand. assert (TL : forall g, In g (translations s All) -> g < n) by (intros g; now rewrite every_translation).
      assert (T : NoDup (translations s All)) by apply NoDup_filter, range_once.
      revert TL. induction T as [|g gs Ng T IH]; intros TL; [constructor|]. cbn [flat_map]. rewrite map_app.
      apply NoDup_join.
      + rewrite map_map. apply (NoDup_map_inv snd). rewrite map_map.
        erewrite map_ext; [exact D|]. intros (((o, t), j), (v, p)). reflexivity.
      + apply IH. intros x Hx. apply TL. now right.
      + intros x Hx Hy. apply in_map_iff in Hx as (h & Eh & Hh). apply in_map_iff in Hh as ((((o, t), j), (v, p)) & <- & Hh).
        apply in_map_iff in Hy as (h' & Eh' & Hh'). apply in_flat_map in Hh' as (g' & Hg' & Hh').
        apply in_map_iff in Hh' as ((((o', t'), j'), (v', p')) & <- & Hh'). cbn in Eh, Eh'. subst x. injection Eh' as Ev Ep. subst p'.
        assert (EH : (o, t, j, (v, p)) = (o', t', j', (v', p))).
        { clear -D Hh Hh'. induction R as [|a R IH]; [easy|]. cbn in D. inversion D; subst.
          destruct Hh as [->|Hh], Hh' as [E|Hh']; auto.
          - exfalso. apply H1. cbn. apply in_map_iff. now exists (o', t', j', (v', p)).
          - subst a. exfalso. apply H1. cbn. apply in_map_iff. now exists (o, t, j, (v, p)). }
        assert (v' = v) by congruence. subst v'. destruct (HR _ Hh) as (A & _). cbn in A.
        assert (Hg : g < n) by (apply TL; now left). assert (Hg2 : g' < n) by (apply TL; now right).
        apply Ng. replace g with g'; [assumption|]. apply (add_cancel (moduli s) positive g' g v); auto. rewrite !(add_comm _ _ v). exact Ev.
    - intros v. assert (U : forall l, In l (used (expand s All R)) -> In l (links W)).
      { intros l Hl. apply nodup_In, in_map_iff in Hl as (h & <- & Hh). auto. }
      split; [|split; [|discriminate]]; cbn [all_ports Model.ports].
      + unfold sends. transitivity (len (map (fun p => (v, p)) (range d))); [|rewrite len_map, len_range; lia].
        apply len_incl; [apply NoDup_filter, NoDup_nodup|]. intros (w, p) Hl. apply filter_In in Hl as (Hl & E).
        apply N.eqb_eq in E. cbn in E. subst w. apply U, every_link in Hl. apply in_map_iff. exists p. split; auto. now apply range_In.
      + unfold receives.
        transitivity (len (map (fun p => (sub (moduli s) v (nth (N.to_nat p) (generators s) 0), p)) (range d))); [|rewrite len_map, len_range; lia].
        apply len_incl; [apply NoDup_filter, NoDup_nodup|]. intros (w, p) Hl. apply filter_In in Hl as (Hl & E).
        apply N.eqb_eq in E. apply U, every_link in Hl. destruct Hl as (Hw & Hp). cbn [network_of dst] in E. subst v.
        apply in_map_iff. exists p. split; [now rewrite next_sub|]. now apply range_In.
  Qed.
End Rounds.
