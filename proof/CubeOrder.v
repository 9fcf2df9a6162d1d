(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** In which order node 0 of the hypercube reaches the nodes with its packets in an allgather of b < d packets a node.

    Convention. An order is a list of slots (x, j), x odd: slot i is port i mod d in round i / d. It takes packet j over that port to node
    rot i x, which has bit i mod d because x has bit 0. An order is [orderly] if every packet gets to every node and none is sent before
    the round after its arrival.

    Method. Nodes go by weight, as in Bertsekas et al. 1991, Section 2, and those that are rotations of each other follow one another, so
    that slots i, i + 1, ... with the same x meet all of a class. The first class of a weight is that of the run of ones [head], and its d
    slots a packet keep all others of the weight away from those of the weight before, which their packets come from. A node of the class of
    the head comes from a node of the class of the head before. If b >= 2, the head is a run that ends at the port of its slot, so the slots of
    the two differ by 1 modulo d, and by more than 1: by more than d. If b = 1, it is a run that begins at the port; the slots differ by
    -1 modulo d, and by at least d because a weight has 2 d nodes or more, but at the ends and for d = 4; and node 2^d - 1 has the last slot,
    which is not the last of a round because d does not divide 2^d - 1 ([CubeCounts]). *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Translate Lower Rounds Places Cube CubeRotate CubeCounts.
Import ListNotations.
Open Scope N_scope.

(** * What an order must satisfy *)

Notation slot := (N * N)%type.

Record orderly (d b : N) (l : list slot) : Prop := {
  slots_odd : forall i x j, at_ l i (x, j) -> x < 2 ^ d /\ N.testbit x 0 = true /\ j < b;
  slots_later : forall i x j, at_ l i (x, j) -> rot d i (N.lxor x 1) = 0 \/
    exists i' x', at_ l i' (x', j) /\ i' / d < i / d /\ rot d i' x' = rot d i (N.lxor x 1);
  slots_reach : forall t j, t < 2 ^ d -> t <> 0 -> j < b -> exists i x, at_ l i (x, j) /\ rot d i x = t;
  slots_few : len l <= b * (2 ^ d - 1) }.

(** The slots of every packet reach every node, so there are no fewer, and if there are no more, each reaches another. *)
Section Count.
  Variables (d b : N) (l : list slot).
  Hypothesis positive : 1 <= d.
  Hypothesis reach : forall t j, t < 2 ^ d -> t <> 0 -> j < b -> exists i x, at_ l i (x, j) /\ rot d i x = t.
  Let goal (i : N) : N * N := match nth_error l (N.to_nat i) with Some (x, j) => (rot d i x, j) | None => (0, 0) end.
  Let all : list (N * N) := list_prod (map N.succ (range (2 ^ d - 1))) (range b).

  Lemma all_once : NoDup all /\ len all = b * (2 ^ d - 1) /\ incl all (map goal (range (len l))).
  Proof.
    pose proof (pow_pos d). unfold all. split; [|split].
    - apply NoDup_prod; [apply NoDup_map_inj|]; try apply range_once. intros; lia.
    - rewrite len_prod, len_map, !len_range. lia.
    - intros (t, j) Hq. apply in_prod_iff in Hq as (Ht & Hj). apply range_In in Hj. apply in_map_iff in Ht as (u & <- & Hu). apply range_In in Hu.
      destruct (reach (N.succ u) j ltac:(lia) ltac:(lia) Hj) as (i & x & A & E). apply in_map_iff. exists i. split.
      + unfold goal, at_ in *. rewrite A. now rewrite E.
      + apply range_In. now apply at_len in A.
  Qed.
  Lemma slots_many : b * (2 ^ d - 1) <= len l.
  Proof.
    destruct all_once as (D & L & I). rewrite <- L. transitivity (len (map goal (range (len l)))); [now apply len_incl|].
    rewrite len_map, len_range. lia.
  Qed.
  Lemma reach_once i i' x x' j : len l <= b * (2 ^ d - 1) -> at_ l i (x, j) -> at_ l i' (x', j) -> rot d i x = rot d i' x' -> i = i'.
  Proof.
    intros F A A' E. destruct all_once as (D & L & I).
    assert (X : NoDup (map goal (range (len l)))).
    { apply (NoDup_incl_NoDup D); [|exact I]. assert (Y : len (map goal (range (len l))) <= len all) by (rewrite len_map, len_range; lia).
      revert Y. generalize (map goal (range (len l))) all. unfold len. lia. }
    rewrite NoDup_nth_error in X. pose proof (at_len _ _ _ A) as Li. pose proof (at_len _ _ _ A') as Li'.
    assert (Z : forall k, k < len l -> nth_error (map goal (range (len l))) (N.to_nat k) = Some (goal k)).
    { intros k Hk. now apply map_nth_error, nth_range. }
    assert (G : goal i = goal i') by (unfold goal, at_ in *; rewrite A, A'; congruence).
    specialize (X (N.to_nat i) (N.to_nat i')). rewrite !Z in X by assumption. rewrite map_length in X.
    pose proof (len_range (len l)) as LR. unfold len at 1 in LR. assert (N.to_nat i = N.to_nat i') by (apply X; [lia|now rewrite G]). lia.
  Qed.
End Count.
Lemma slots_once d b l : 1 <= d -> orderly d b l ->
  forall i i' x x' j, at_ l i (x, j) -> at_ l i' (x', j) -> rot d i x = rot d i' x' -> i = i'.
Proof. intros Hd O i i' x x' j. apply (reach_once d b l Hd (slots_reach _ _ _ O)). apply (slots_few _ _ _ O). Qed.

(** Orders one after the other, with the packets of the second numbered from [b] on. *)
Lemma orderly_app d b b' l l' : 1 <= d -> orderly d b l -> orderly d b' l' -> len l mod d = 0 ->
  orderly d (b + b') (l ++ map (fun s => (fst s, b + snd s)) l').
Proof.
  intros Hd O O' M. assert (d0 : d <> 0) by lia.
  assert (Q : forall i, (len l + i) / d = len l / d + i / d).
  { intros i. pose proof (N.div_mod (len l) d d0) as E. rewrite M, N.add_0_r in E. rewrite E at 1.
    rewrite N.mul_comm, N.div_add_l by assumption. reflexivity. }
  assert (R : forall i x, rot d (len l + i) x = rot d i x).
  { intros i x. apply rot_mod. now rewrite <- N.add_mod_idemp_l, M, N.add_0_l. }
  assert (S : forall i x j, at_ (l ++ map (fun s => (fst s, b + snd s)) l') i (x, j) <->
    at_ l i (x, j) \/ exists i' j', i = len l + i' /\ j = b + j' /\ at_ l' i' (x, j')).
  { intros i x j. rewrite at_app. split.
    - intros [(_ & H)|(L & H)]; [now left|]. right. apply at_map in H as ((x', j') & H & E). cbn in E. injection E as -> ->.
      exists (i - len l), j'. repeat split; auto. lia.
    - intros [H|(i' & j' & -> & -> & H)]; [left; split; auto; now apply at_len in H|]. right. split; [lia|].
      replace (len l + i' - len l) with i' by lia. apply at_map. exists (x, j'). auto. }
  split.
  - intros i x j H. apply S in H as [H|(i' & j' & -> & -> & H)]; [apply (slots_odd _ _ _ O) in H|apply (slots_odd _ _ _ O') in H]; intuition lia.
  - intros i x j H. apply S in H as [H|(i' & j' & -> & -> & H)].
    + destruct (slots_later _ _ _ O _ _ _ H) as [E|(i' & x' & A & B)]; [now left|]. right. exists i', x'. split; auto. apply S. now left.
    + destruct (slots_later _ _ _ O' _ _ _ H) as [E|(i2 & x' & A & B & C)]; rewrite R; [now left|]. right. exists (len l + i2), x'.
      split; [|split; [rewrite !Q; lia|now rewrite R]]. apply S. right. exists i2, j'. auto.
  - intros t j Ht NZ Hj. destruct (N.lt_ge_cases j b) as [L|L].
    + destruct (slots_reach _ _ _ O t j Ht NZ L) as (i & x & A & E). exists i, x. split; auto. apply S. now left.
    + destruct (slots_reach _ _ _ O' t (j - b) Ht NZ ltac:(lia)) as (i & x & A & E). exists (len l + i), x. split; [|now rewrite R].
      apply S. right. exists i, (j - b). repeat split; auto. lia.
  - rewrite len_app, len_map. pose proof (slots_few _ _ _ O). pose proof (slots_few _ _ _ O'). lia.
Qed.

(** * Stretches: every slot of a list, several times *)

Definition stretch (p : N -> N) (l : list slot) : list slot := flat_map (fun r => repeat r (N.to_nat (p (fst r)))) l.

Lemma stretch_app p l m : stretch p (l ++ m) = stretch p l ++ stretch p m.
Proof. apply flat_map_app. Qed.
Lemma stretch_run p l r : In r l -> exists c, forall i, i < p (fst r) -> at_ (stretch p l) (c + i) r.
Proof.
  induction l as [|a l IH]; [easy|]. cbn [stretch flat_map]. intros [->|H].
  - exists 0. intros i Hi. apply at_app_l. rewrite N.add_0_l. now apply at_repeat.
  - destruct (IH H) as (c & Hc). exists (p (fst a) + c). intros i Hi. rewrite <- N.add_assoc.
    rewrite <- (len_repeat a (p (fst a))) at 2. apply at_app_r. now apply Hc.
Qed.
Lemma stretch_In p l i r : at_ (stretch p l) i r -> In r l.
Proof. intros H. apply at_In, in_flat_map in H as (a & Ha & H). apply repeat_spec in H. now subst. Qed.
Lemma stretch_near p l r : NoDup l -> forall i i', at_ (stretch p l) i r -> at_ (stretch p l) i' r -> i <= i' -> i' - i < p (fst r).
Proof.
  intros D. induction D as [|a l Na D IH]; cbn [stretch flat_map]; intros i i' H H' L; [unfold at_ in H; now destruct (N.to_nat i)|].
  rewrite at_app, at_repeat, len_repeat in H, H'.
  destruct H as [(_ & Hi & ->)|(Li & H)], H' as [(_ & Hi' & E)|(Li' & H')]; try lia.
  - apply stretch_In in H'. easy.
  - specialize (IH _ _ H H'). lia.
Qed.
(** The slots of one x, packet after packet. *)
Lemma at_packets p x b : len (stretch p (map (pair x) (range b))) = b * p x /\
  forall i r, at_ (stretch p (map (pair x) (range b))) i r -> exists j k, j < b /\ k < p x /\ i = j * p x + k /\ r = (x, j).
Proof.
  induction b as [|b (IHl & IH)] using N.peano_ind; [split; [reflexivity|]; intros i r H; unfold at_ in H; now destruct (N.to_nat i)|].
  assert (E : stretch p (map (pair x) (range (N.succ b))) = stretch p (map (pair x) (range b)) ++ repeat (x, b) (N.to_nat (p x))).
  { rewrite range_succ, map_app, stretch_app. cbn [map stretch flat_map]. now rewrite app_nil_r. }
  rewrite E. split; [rewrite len_app, len_repeat, IHl; lia|]. intros i r H. apply at_app in H as [(_ & H)|(L & H)].
  - destruct (IH _ _ H) as (j & k & A). exists j, k. intuition lia.
  - apply at_repeat in H as (H & ->). rewrite IHl in *. exists b, (i - b * p x). repeat split; lia.
Qed.

(** * The order *)

(** A run of w ones that begins at bit 0 (b = 1), or ends there. *)
Definition head (d b w : N) : N := if b =? 1 then N.ones w else rot d (d + 1 - w) (N.ones w).
Definition others (d b w : N) : list N :=
  filter (fun x => least d x && (weight d x =? w) && negb (existsb (fun k => rot d k (head d b w) =? x) (range d))) (range (2 ^ d)).
(** One number of every class, by weight. *)
Definition level (d b w : N) : list N := head d b w :: others d b w.
Definition classes (d b : N) : list N := flat_map (fun w => level d b (w + 1)) (range d).
(** The slots: class after class, packet after packet, as many as the class counts. *)
Definition order (d b : N) : list slot := stretch (period d) (list_prod (classes d b) (range b)).

Lemma prod_app {A B} (l l' : list A) (m : list B) : list_prod (l ++ l') m = list_prod l m ++ list_prod l' m.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [list_prod app]. now rewrite IH, app_assoc. Qed.

Lemma mod_moves d a e : 0 < e < d -> (a + e) mod d <> a mod d.
Proof.
  intros H E. pose proof (N.div_mod (a + e) d ltac:(lia)) as A. pose proof (N.div_mod a d ltac:(lia)) as B. rewrite E in A.
  set (u := (a + e) / d) in *. set (v := a / d) in *. set (r := a mod d) in *. clearbody u v r.
  assert (u = v \/ u < v \/ v < u) as [->|[|]] by lia; nia.
Qed.

Section Order.
  Variables d b : N.
  Hypotheses (positive : 1 <= d) (some : 1 <= b) (fewer : b < d).
  Notation n := (2 ^ d).
  Notation p := (period d).
  Let d0 : d <> 0 := d_0 d positive.

  Lemma head_lt w : w <= d -> head d b w < n.
  Proof. intros H. unfold head. destruct (b =? 1); [now apply ones_lt|apply rot_lt]. Qed.
  Lemma head_rot w : w <= d -> exists a, head d b w = rot d a (N.ones w).
  Proof. intros H. unfold head. destruct (b =? 1); [exists 0; now rewrite rot_0 by (auto; now apply ones_lt)|eauto]. Qed.
  Lemma head_weight w : w <= d -> weight d (head d b w) = w.
  Proof. intros H. destruct (head_rot w H) as (a & ->). rewrite weight_rot by (auto; now apply ones_lt). now apply weight_ones. Qed.
  Lemma head_odd w : 1 <= w -> w <= d -> N.testbit (head d b w) 0 = true.
  Proof.
    intros H1 H. unfold head. destruct (b =? 1); [apply N.ones_spec_low; lia|].
    rewrite <- (N.mod_same d) by auto. replace d with (w - 1 + (d + 1 - w)) at 3 by lia. rewrite rot_bit by lia. apply N.ones_spec_low. lia.
  Qed.
  Lemma head_period w : 1 <= w -> w < d -> p (head d b w) = d.
  Proof. intros H1 H. destruct (head_rot w ltac:(lia)) as (a & ->). now apply ones_period. Qed.
  Lemma head_period_pos w : w <= d -> 1 <= p (head d b w).
  Proof. intros H. apply period_spec; auto. now apply head_lt. Qed.

  Lemma others_In w x : In x (others d b w) <-> x < n /\ least d x = true /\ weight d x = w /\ forall k, rot d k (head d b w) <> x.
  Proof.
    unfold others. rewrite filter_In, range_In, !andb_true_iff, negb_true_iff, N.eqb_eq. split.
    - intros (H & (L & W) & X). repeat split; auto. intros k E.
      enough (existsb (fun k => rot d k (head d b w) =? x) (range d) = true) by congruence. apply existsb_exists. exists (k mod d).
      split; [apply range_In; now apply mod_d_lt|]. apply N.eqb_eq. rewrite <- E. apply rot_mod. now apply N.mod_mod.
    - intros (H & L & W & X). repeat split; auto. destruct (existsb _ _) eqn:E; [|reflexivity]. exfalso.
      apply existsb_exists in E as (k & _ & E). apply N.eqb_eq in E. now apply (X k).
  Qed.
  Lemma level_In w x : 1 <= w -> w <= d -> In x (level d b w) -> x < n /\ N.testbit x 0 = true /\ weight d x = w.
  Proof.
    intros H1 H [<-|Hx]; [repeat split; auto using head_lt, head_odd, head_weight|].
    apply others_In in Hx as (A & B & C & _). repeat split; auto. apply (least_odd d); auto. intros ->. rewrite weight_zero in C. lia.
  Qed.
  Lemma classes_In x : In x (classes d b) <-> exists w, 1 <= w <= d /\ In x (level d b w).
  Proof.
    unfold classes. rewrite in_flat_map. split.
    - intros (w & Hw & H). apply range_In in Hw. exists (w + 1). split; [lia|assumption].
    - intros (w & Hw & H). exists (w - 1). split; [apply range_In; lia|]. now replace (w - 1 + 1) with w by lia.
  Qed.
  Lemma classes_ok x : In x (classes d b) -> x < n /\ N.testbit x 0 = true.
  Proof. intros H. apply classes_In in H as (w & Hw & H). apply level_In in H; tauto. Qed.

  (** Every node is a rotation of one number of the list. *)
  Lemma classes_cover t : t < n -> t <> 0 -> exists x k, In x (classes d b) /\ rot d k x = t.
  Proof.
    intros Ht NZ. set (w := weight d t).
    assert (Hw : 1 <= w <= d).
    { split; [|apply weight_le]. destruct (N.eq_dec w 0) as [E|]; [|lia]. exfalso. apply NZ. now apply (weight_0 d). }
    destruct (existsb (fun k => rot d k (head d b w) =? t) (range d)) eqn:X.
    - apply existsb_exists in X as (k & _ & E). apply N.eqb_eq in E. exists (head d b w), k. split; auto. apply classes_In.
      exists w. split; auto. now left.
    - destruct (least_exists d positive t Ht) as (k & L). exists (rot d k t), (d - k mod d). split; [|now apply rot_back].
      apply classes_In. exists w. split; auto. right. apply others_In. split; [apply rot_lt|]. split; [assumption|].
      split; [now apply weight_rot|]. intros k' E. enough (existsb (fun k => rot d k (head d b w) =? t) (range d) = true) by congruence.
      apply existsb_exists. exists ((d - k mod d + k') mod d). split; [apply range_In; now apply mod_d_lt|]. apply N.eqb_eq.
      rewrite (rot_mod d _ (d - k mod d + k')) by now apply N.mod_mod. rewrite <- rot_rot, E by assumption. now apply rot_back.
  Qed.
  Lemma classes_apart x x' k k' : In x (classes d b) -> In x' (classes d b) -> rot d k x = rot d k' x' -> x = x'.
  Proof.
    intros H H' E0. assert (E : rot d (d - k' mod d + k) x = x').
    { rewrite <- rot_rot, E0 by assumption. apply rot_back; auto. now apply classes_ok in H'. }
    clear E0. set (i := d - k' mod d + k) in *. clearbody i. clear k k'.
    apply classes_In in H as (w & Hw & H), H' as (w' & Hw' & H').
    pose proof (level_In w x ltac:(lia) ltac:(lia) H) as (A & _ & B). pose proof (level_In w' x' ltac:(lia) ltac:(lia) H') as (A' & _ & B').
    assert (Ew : w' = w) by (rewrite <- B, <- B', <- E; now apply weight_rot). rewrite Ew in H'.
    destruct H as [<-|H], H' as [<-|H'].
    - reflexivity.
    - apply others_In in H' as (_ & _ & _ & X). now apply X in E.
    - apply others_In in H as (_ & _ & _ & X). exfalso. apply (X (d - i mod d)). rewrite <- E. now apply rot_back.
    - apply others_In in H as (_ & L & _), H' as (_ & L' & _). rewrite <- E in L'. rewrite <- E. symmetry. now apply least_unique.
  Qed.
  Lemma classes_once : NoDup (classes d b).
  Proof.
    unfold classes. assert (X : forall m, m <= d -> NoDup (flat_map (fun w => level d b (w + 1)) (range m))); [|apply X; lia].
    induction m as [|m IH] using N.peano_ind; intros Hm; [constructor|]. rewrite range_succ, flat_map_app. cbn [flat_map]. rewrite app_nil_r.
    apply NoDup_join; [apply IH; lia| |].
    - constructor; [|apply NoDup_filter, range_once]. intros H. apply others_In in H as (_ & _ & _ & X). apply (X 0), rot_0; auto. apply head_lt. lia.
    - intros x Hx Hy. apply in_flat_map in Hx as (w & Hw & Hx). apply range_In in Hw.
      apply level_In in Hx; [|lia|lia]. apply level_In in Hy; [|lia|lia]. destruct Hx as (_ & _ & E1), Hy as (_ & _ & E2). lia.
  Qed.
  Lemma runs_once : NoDup (list_prod (classes d b) (range b)).
  Proof. apply NoDup_prod; [apply classes_once|apply range_once]. Qed.

  Lemma order_In i x j : at_ (order d b) i (x, j) -> In x (classes d b) /\ j < b.
  Proof. intros H. apply stretch_In, in_prod_iff in H as (H & Hj). now apply range_In in Hj. Qed.
  Lemma order_reach t j : t < n -> t <> 0 -> j < b -> exists i x, at_ (order d b) i (x, j) /\ rot d i x = t.
  Proof.
    intros Ht NZ Hj. destruct (classes_cover t Ht NZ) as (x & k & Hx & E).
    destruct (stretch_run p (list_prod (classes d b) (range b)) (x, j)) as (c & Hc); [apply in_prod_iff; now rewrite range_In|].
    destruct (period_meets d positive x k c) as (i & Hi & F); [now apply classes_ok in Hx|]. exists (c + i), x. split; [now apply Hc|congruence].
  Qed.
  Lemma order_once i i' x x' j : at_ (order d b) i (x, j) -> at_ (order d b) i' (x', j) -> rot d i x = rot d i' x' -> i = i'.
  Proof.
    assert (X : forall i i' x x', at_ (order d b) i (x, j) -> at_ (order d b) i' (x', j) -> rot d i x = rot d i' x' -> i <= i' -> i = i').
    { intros u v y y' H H' E L. assert (y = y').
      { apply order_In in H as (H & _), H' as (H' & _). apply (classes_apart y y' u v); auto. }
      subst y'. pose proof (stretch_near p _ _ runs_once _ _ H H' L) as N. apply (period_apart d positive y); auto.
      apply order_In in H as (H & _). now apply classes_ok in H. }
    intros H H' E. destruct (N.le_ge_cases i i') as [L|L]; [eauto|]. symmetry. eapply X; eauto.
  Qed.
  Lemma order_few : len (order d b) <= b * (n - 1).
  Proof.
    pose proof (pow_pos d). set (f := fun i => match nth_error (order d b) (N.to_nat i) with Some (x, j) => (rot d i x, j) | None => (0, 0) end).
    transitivity (len (map f (range (len (order d b))))); [rewrite len_map, len_range; lia|].
    transitivity (len (list_prod (map N.succ (range (n - 1))) (range b))).
    - apply len_incl.
      + apply NoDup_map_inj; [|apply range_once]. intros i i' Hi Hi' E. apply range_In in Hi, Hi'.
        destruct (at_exists _ _ Hi) as ((x, j) & A), (at_exists _ _ Hi') as ((x', j') & A'). unfold f in E. rewrite A, A' in E.
        injection E as E <-. eapply order_once; eauto.
      + intros q Hq. apply in_map_iff in Hq as (i & <- & Hi). apply range_In in Hi. destruct (at_exists _ _ Hi) as ((x, j) & A).
        unfold f. rewrite A. apply order_In in A as (Hx & Hj). apply classes_ok in Hx as (Lx & O). apply in_prod_iff. rewrite range_In. split; auto.
        pose proof (rot_lt d i x). assert (rot d i x <> 0).
        { apply rot_nonzero; auto. intros ->. now rewrite N.bits_0 in O. }
        apply in_map_iff. exists (rot d i x - 1). split; [lia|]. apply range_In. lia.
    - rewrite len_prod, len_map, !len_range. lia.
  Qed.

  (** * Where the levels lie *)

  (** Slots of weights up to w. *)
  Definition upto (w : N) : list slot := stretch p (list_prod (flat_map (fun w => level d b (w + 1)) (range w)) (range b)).
  Definition end_of (w : N) : N := len (upto w).
  Lemma upto_succ w : upto (w + 1) = upto w ++ stretch p (map (pair (head d b (w + 1))) (range b)) ++
    stretch p (list_prod (others d b (w + 1)) (range b)).
  Proof.
    unfold upto. rewrite N.add_1_r at 1. rewrite range_succ, flat_map_app, prod_app, stretch_app. f_equal. cbn [flat_map].
    rewrite app_nil_r. unfold level. cbn [list_prod]. apply stretch_app.
  Qed.
  Lemma end_succ w : end_of w + b * p (head d b (w + 1)) <= end_of (w + 1).
  Proof. unfold end_of. rewrite upto_succ, !len_app. rewrite (proj1 (at_packets p _ b)). lia. Qed.
  Lemma end_d : end_of d = len (order d b). Proof. reflexivity. Qed.

  (** A slot of weight w is one of the first, b times the class of the head, or one of the others. *)
  Lemma place_of i x j : at_ (order d b) i (x, j) -> let w := weight d x in let s := p (head d b w) in
    1 <= w <= d /\ j < b /\ i < end_of w /\
    ((x = head d b w /\ exists k, k < s /\ i = end_of (w - 1) + j * s + k) \/ (In x (others d b w) /\ end_of (w - 1) + b * s <= i)).
  Proof.
    assert (X : forall m, m <= d -> at_ (upto m) i (x, j) -> exists w, let s := p (head d b w) in
      1 <= w <= m /\ weight d x = w /\ j < b /\ i < end_of w /\
      ((x = head d b w /\ exists k, k < s /\ i = end_of (w - 1) + j * s + k) \/ (In x (others d b w) /\ end_of (w - 1) + b * s <= i))).
    { induction m as [|m IH] using N.peano_ind; intros Hm H; [unfold at_ in H; cbn in H; now destruct (N.to_nat i)|].
      rewrite <- N.add_1_r in *. pose proof (at_len _ _ _ H) as L. fold (end_of (m + 1)) in L. rewrite upto_succ in H.
      apply at_app in H as [(_ & H)|(L1 & H)].
      - destruct (IH ltac:(lia) H) as (w & A & B). exists w. split; [lia|]. exact B.
      - exists (m + 1). cbn zeta. replace (m + 1 - 1) with m by lia. fold (end_of m) in L1, H. split; [lia|].
        apply at_app in H as [(_ & H)|(L2 & H)].
        + destruct (at_packets p (head d b (m + 1)) b) as (_ & P). destruct (P _ _ H) as (j' & k & Hj & Hk & E & F). injection F as -> ->.
          split; [apply head_weight; lia|]. split; [assumption|]. split; [assumption|]. left. split; auto. exists k. split; auto. lia.
        + rewrite (proj1 (at_packets p _ b)) in *. apply stretch_In, in_prod_iff in H as (H & Hj). apply range_In in Hj.
          assert (W : weight d x = m + 1) by (apply others_In in H; tauto). repeat split; auto. right. split; auto. lia. }
    intros H. destruct (X d ltac:(lia) H) as (w & A & B & C). cbn zeta in *. rewrite B. split; [lia|exact C].
  Qed.

  (** A level between the ends has 2 d slots a packet, if d >= 5. *)
  Lemma level_long w : 5 <= d -> 2 <= w -> w + 2 <= d -> end_of (w - 1) + 2 * d <= end_of w.
  Proof.
    intros Hd H2 Hw. destruct (many_nodes d w Hd H2 Hw) as (V & D & HV & L).
    set (f := fun k => let i := end_of (w - 1) + k in match nth_error (order d b) (N.to_nat i) with Some (x, _) => rot d i x | None => 0 end).
    enough (len V <= end_of w - end_of (w - 1)) by lia.
    transitivity (len (map f (range (end_of w - end_of (w - 1))))); [|rewrite len_map, len_range; lia]. apply len_incl; auto.
    intros t Ht. apply HV in Ht as (Ht & W). destruct (order_reach t 0 Ht) as (i & x & A & E); [intros ->; rewrite weight_zero in W; lia|lia|].
    destruct (place_of _ _ _ A) as (_ & _ & B & C).
    assert (Wx : weight d x = w).
    { apply order_In in A as (A & _). apply classes_ok in A as (A & _). rewrite <- W, <- E. symmetry. now apply weight_rot. }
    rewrite Wx in *. assert (end_of (w - 1) <= i) by (destruct C as [(_ & k & _ & ->)|(_ & C)]; lia).
    apply in_map_iff. exists (i - end_of (w - 1)). split; [|apply range_In; lia]. unfold f. cbn zeta.
    replace (end_of (w - 1) + (i - end_of (w - 1))) with i by lia.
    unfold at_ in A. rewrite A. exact E.
  Qed.

  (** The last level is the node 2^d - 1. *)
  Lemma last_level : end_of d = end_of (d - 1) + b * p (head d b d).
  Proof.
    assert (O : others d b d = []).
    { destruct (others d b d) as [|x l] eqn:E; [reflexivity|]. exfalso. assert (H : In x (others d b d)) by (rewrite E; now left).
      apply others_In in H as (Lx & _ & W & X). apply (X 0). destruct (head_rot d ltac:(lia)) as (a & ->).
      rewrite !ones_fixed by assumption. symmetry. now apply weight_full. }
    pose proof (upto_succ (d - 1)) as U. replace (d - 1 + 1) with d in U by lia. unfold end_of. rewrite U, O, !len_app, (proj1 (at_packets p _ b)).
    cbn. lia.
  Qed.

  Lemma later_round i i' : i' + d <= i -> i' / d < i / d.
  Proof.
    intros H. apply N.lt_le_trans with ((i' + 1 * d) / d); [rewrite N.div_add by auto; lia|]. apply N.div_le_mono; [auto|lia].
  Qed.

  (** The parent of a node of the head is a node of the head before. *)
  Lemma head_parent w : 2 <= w -> w <= d ->
    N.lxor (head d b w) 1 = rot d (if b =? 1 then 1 else d - 1) (head d b (w - 1)).
  Proof.
    intros H2 H. unfold head. destruct (b =? 1); [apply ones_lowest; auto; lia|]. rewrite rot_rot by assumption.
    replace 1 with (2 ^ ((w - 1 + (d + 1 - w)) mod d)) at 2 by (replace (w - 1 + (d + 1 - w)) with d by lia; now rewrite N.mod_same).
    rewrite <- rot_pow by (auto; lia). rewrite <- rot_lxor by assumption. rewrite (ones_highest d positive w) by lia. apply rot_mod.
    replace (d - 1 + (d + 1 - (w - 1))) with (d + 1 - w + 1 * d) by lia. now rewrite N.mod_add.
  Qed.

  Lemma order_later i x j : at_ (order d b) i (x, j) -> rot d i (N.lxor x 1) = 0 \/
    exists i' x', at_ (order d b) i' (x', j) /\ i' / d < i / d /\ rot d i' x' = rot d i (N.lxor x 1).
  Proof.
    intros H. destruct (N.eq_dec (rot d i (N.lxor x 1)) 0) as [E|NZ]; [now left|right].
    destruct (place_of i x j H) as (Hw & Hj & Hi & C). set (w := weight d x) in *. cbn zeta in *.
    destruct (classes_ok x ltac:(now apply order_In in H)) as (Lx & Ox).
    assert (L1 : N.lxor x 1 < n) by (apply lxor_lt; auto; change 1 with (2 ^ 0) at 1; apply pow_lt; lia).
    assert (W1 : weight d (N.lxor x 1) + 1 = w) by (apply (weight_clear d x 0); [lia|assumption]).
    destruct (order_reach (rot d i (N.lxor x 1)) j (rot_lt _ _ _) NZ Hj) as (i' & x' & H' & E). exists i', x'. split; [assumption|].
    split; [|assumption].
    destruct (place_of i' x' j H') as (Hw' & _ & Hi' & C'). cbn zeta in *.
    destruct (classes_ok x' ltac:(now apply order_In in H')) as (Lx' & Ox').
    assert (W' : weight d x' = w - 1).
    { rewrite <- (weight_rot d positive i' x' Lx'), E, (weight_rot d positive i _ L1). lia. }
    rewrite W' in *. replace (w - 1 - 1) with (w - 2) in * by lia.
    destruct C as [(Ex & k & Hk & Ei)|(Ho & Ei)].
    2:{ (* not of the head: a class lies between *)
      assert (w <> d).
      { intros F. apply others_In in Ho as (_ & _ & Wx & X). apply (X (d - 0 mod d)). rewrite F in *.
        destruct (head_rot d ltac:(lia)) as (a & ->). rewrite !ones_fixed by assumption. symmetry. now apply weight_full. }
      rewrite head_period in Ei by lia. apply later_round. nia. }
    (* of the head: the parent is of the head before *)
    rewrite Ex in E. rewrite head_parent in E by lia. rewrite rot_rot in E by assumption.
    assert (Ex' : x' = head d b (w - 1)).
    { eapply classes_apart; [now apply order_In in H'| |exact E]. apply classes_In. exists (w - 1). split; [lia|now left]. }
    destruct C' as [(_ & k' & Hk' & Ei')|(Ho & _)].
    2:{ exfalso. apply others_In in Ho as (_ & _ & _ & X). apply (X 0). rewrite rot_0; auto. apply head_lt. lia. }
    pose proof (end_succ (w - 2)) as SS. replace (w - 2 + 1) with (w - 1) in SS by lia.
    rewrite head_period in * by lia.
    (* their slots differ by 1 or -1 modulo d *)
    assert (M : i' mod d = (i + (if b =? 1 then 1 else d - 1)) mod d).
    { set (e := i + (if b =? 1 then 1 else d - 1)) in *. subst x'.
      assert (LH : head d b (w - 1) < n) by (apply head_lt; lia).
      pose proof (mod_d_lt d positive i') as A. pose proof (mod_d_lt d positive e) as B.
      rewrite (rot_mod d i' (i' mod d)), (rot_mod d e (e mod d)) in E by (symmetry; now apply N.mod_mod).
      set (u := i' mod d) in *. set (v := e mod d) in *. clearbody u v. pose proof (head_period (w - 1) ltac:(lia) ltac:(lia)) as P.
      destruct (N.le_ge_cases u v); [|symmetry]; apply (period_apart d positive (head d b (w - 1))); auto; rewrite P; lia. }
    assert (J : j * d + d <= b * d) by nia. destruct (N.eqb_spec b 1) as [B1|B2].
    - (* one packet: by at least d - 1 *)
      assert (j = 0) by lia. subst j. destruct (N.le_gt_cases (i' + d) i) as [|F]; [now apply later_round|].
      assert (D : i + 1 = i' + d).
      { destruct (N.eq_dec (i + 1) (i' + d)); [assumption|]. exfalso. apply (mod_moves d i' (i + 1 - i') ltac:(lia)).
        replace (i' + (i + 1 - i')) with (i + 1) by lia. now symmetry. }
      destruct (N.eq_dec w 2) as [E2|NE2].
      + rewrite E2 in *. change (end_of (2 - 2)) with 0 in *. rewrite (N.div_small i') by lia. apply N.div_str_pos. lia.
      + destruct (N.eq_dec w d) as [Ed|NEd].
        * assert (Z : (i + 1) mod d <> 0).
          { assert (s1 : p (head d b w) = 1).
            { rewrite Ed. destruct (head_rot d ltac:(lia)) as (a & ->). now apply ones_period_1. }
            replace (i + 1) with (n - 1); [apply no_divisor; lia|].
            pose proof (slots_many d b (order d b) positive order_reach) as A1. pose proof order_few as A2.
            pose proof last_level as A3. rewrite end_d, B1 in *. rewrite Ed in *. lia. }
          rewrite <- M in Z. pose proof (N.div_mod i' d d0) as A. set (q := i' / d) in *. set (r := i' mod d) in *. clearbody q r.
          apply N.lt_le_trans with (q + 1); [lia|]. apply N.div_le_lower_bound; [exact d0|]. nia.
        * destruct (N.le_gt_cases 5 d) as [D5|].
          -- pose proof (level_long (w - 1) D5 ltac:(lia) ltac:(lia)) as X. replace (w - 1 - 1) with (w - 2) in X by lia. lia.
          -- assert (D4 : d = 4) by lia. assert (W3 : w = 3) by lia.
             assert (V : end_of 1 = 4 /\ end_of 2 = 10) by (unfold end_of, upto; rewrite D4, B1; split; vm_compute; reflexivity).
             rewrite W3 in *. change (3 - 1) with 2 in *. change (3 - 2) with 1 in *. destruct V as (V1 & V2). rewrite V1, V2, D4 in *.
             replace i' with 7 by lia. replace i with 10 by lia. reflexivity.
    - (* more packets: by more than 1 *)
      assert (D : i' + 2 <= i) by (pose proof (head_period_pos w ltac:(lia)); destruct (N.eq_dec j 0); nia).
      destruct (N.le_gt_cases (i' + d) i) as [|F]; [now apply later_round|]. exfalso.
      apply (mod_moves d i' (i - 1 - i') ltac:(lia)). replace (i' + (i - 1 - i')) with (i - 1) by lia. rewrite M.
      replace (i + (d - 1)) with (i - 1 + 1 * d) by lia. symmetry. now apply N.mod_add.
  Qed.

  Theorem order_orderly : orderly d b (order d b).
  Proof.
    split.
    - intros i x j H. apply order_In in H as (H & Hj). apply classes_ok in H. tauto.
    - apply order_later.
    - apply order_reach.
    - apply order_few.
  Qed.
End Order.
