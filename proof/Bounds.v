(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Prices: if every link rises at most its price, the packets cannot climb more than the rounds pay. This is one half of the duality of
    linear programs, and proves the bounds degree, distance-sum, port-sum and work of docs/bounds.md. *)
From Coq Require Import NArith List Lia Bool Permutation.
From Isotrope Require Import Model.
Import ListNotations.
Open Scope N_scope.

(** * Sums over lists *)

Fixpoint sum {A} (f : A -> N) (l : list A) : N :=
  match l with [] => 0 | a :: l => f a + sum f l end.

Lemma sum_app {A} (f : A -> N) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; cbn; lia. Qed.
Lemma sum_le {A} (f g : A -> N) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; cbn; intros H; [lia|].
  pose proof (H a (or_introl eq_refl)). assert (sum f l <= sum g l) by (apply IH; intros; apply H; now right). lia.
Qed.
Lemma sum_eq {A} (f g : A -> N) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof. intros H. apply N.le_antisymm; apply sum_le; intros x Hx; rewrite (H x Hx); lia. Qed.
Lemma sum_plus {A} (f g : A -> N) l : sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l; cbn; lia. Qed.
Lemma sum_const {A} c (l : list A) : sum (fun _ => c) l = c * len l.
Proof. unfold len. induction l; cbn [sum length]; lia. Qed.
Lemma sum_scale {A} c (f : A -> N) (l : list A) : sum (fun x => c * f x) l = c * sum f l.
Proof. induction l; cbn; lia. Qed.
Lemma sum_zero {A} (l : list A) : sum (fun _ => 0) l = 0.
Proof. rewrite sum_const. lia. Qed.
Lemma sum_elem {A} (f : A -> N) l x : In x l -> f x <= sum f l.
Proof. induction l; cbn; intros []; [subst; lia|]. specialize (IHl H). lia. Qed.
Lemma sum_swap {A B} (f : A -> B -> N) l m :
  sum (fun x => sum (f x) m) l = sum (fun y => sum (fun x => f x y) l) m.
Proof.
  induction l; cbn; [now rewrite sum_zero|]. rewrite sum_plus, IHl. reflexivity.
Qed.
Lemma sum_map {A B} (f : B -> N) (g : A -> B) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l; cbn; congruence. Qed.
Lemma len_filter {A} (p : A -> bool) l : len (filter p l) = sum (fun x => if p x then 1 else 0) l.
Proof. unfold len in *. induction l as [|a l IH]; [reflexivity|]. cbn [sum filter]. destruct (p a); cbn [length]; lia. Qed.
Lemma len_cons {A} (a : A) l : len (a :: l) = 1 + len l.
Proof. unfold len; cbn [length]; lia. Qed.
Lemma len_app {A} (l m : list A) : len (l ++ m) = len l + len m.
Proof. unfold len; rewrite app_length; lia. Qed.
Lemma len_map {A B} (f : A -> B) l : len (map f l) = len l.
Proof. unfold len; now rewrite map_length. Qed.
Lemma len_incl {A} (l m : list A) : NoDup l -> incl l m -> len l <= len m.
Proof. intros D I. unfold len. pose proof (NoDup_incl_length D I). lia. Qed.

(** At most one element of a list without repetitions is a given one. *)
Lemma sum_pick {A} (dec : forall x y : A, {x = y} + {x <> y}) (f : A -> N) a l : NoDup l ->
  sum (fun x => if dec a x then f x else 0) l = (if in_dec dec a l then f a else 0).
Proof.
  intros D; induction D as [|b l Nb D IH]; [reflexivity|].
  cbn [sum]. rewrite IH.
  destruct (dec a b) as [->|E].
  - destruct (in_dec dec b l); [easy|]. destruct (in_dec dec b (b :: l)); [lia|]. exfalso; apply n0; now left.
  - destruct (in_dec dec a l), (in_dec dec a (b :: l)); try lia; cbn in *; intuition congruence.
Qed.

Lemma sum_count {A} (dec : forall x y : A, {x = y} + {x <> y}) (f : A -> N) l m : NoDup m -> incl l m ->
  sum f l = sum (fun x => N.of_nat (count_occ dec l x) * f x) m.
Proof.
  intros D; induction l as [|a l IH]; intros I.
  - cbn. symmetry. transitivity (sum (fun _ : A => 0) m); [now apply sum_eq|apply sum_zero].
  - cbn [sum]. rewrite IH by (intros x Hx; apply I; now right).
    transitivity (sum (fun x => if dec a x then f x else 0) m + sum (fun x => N.of_nat (count_occ dec l x) * f x) m).
    + rewrite sum_pick by assumption. destruct (in_dec dec a m); [reflexivity|]. exfalso. apply n, I. now left.
    + rewrite <- sum_plus. apply sum_eq. intros x _. cbn [count_occ]. destruct (dec a x); lia.
Qed.

Lemma sum_group {A} (f : A -> N) (l : list A) (ks : list N) : NoDup ks -> (forall x, In x l -> In (f x) ks) ->
  len l = sum (fun k => len (filter (fun x => f x =? k) l)) ks.
Proof.
  intros D I.
  transitivity (sum (fun _ : A => 1) l); [rewrite sum_const; lia|].
  transitivity (sum (fun x => sum (fun k => if N.eq_dec (f x) k then 1 else 0) ks) l).
  - apply sum_eq. intros x Hx. rewrite sum_pick by assumption. destruct (in_dec _ _ _); [reflexivity|]. exfalso; auto.
  - rewrite sum_swap. apply sum_eq. intros k _. rewrite len_filter. apply sum_eq. intros x _.
    destruct (N.eq_dec (f x) k), (N.eqb_spec (f x) k); congruence.
Qed.

(** * What a round carries *)

Section Capacity.
  Variables (W : network) (L : limits).
  Hypothesis nodes_once : NoDup (nodes W).
  Hypothesis links_once : NoDup (links W).
  Hypothesis ends : forall l, In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W).

  Definition most_used : N := if half_duplex L then len (nodes W) / 2 else len (nodes W) * ports L.

  Lemma used_links R l : within W L R -> In l (used R) -> In l (links W).
  Proof. intros (H & _) HIn. apply nodup_In, in_map_iff in HIn. destruct HIn as (h & <- & Hh). auto. Qed.

  Lemma used_le R : within W L R -> len (used R) <= most_used.
  Proof.
    intros HW. pose proof HW as (_ & _ & HP).
    assert (S : len (used R) = sum (sends W R) (nodes W)).
    { apply sum_group; auto. intros l Hl. apply ends. eapply used_links; eauto. }
    assert (D : len (used R) = sum (receives W R) (nodes W)).
    { apply sum_group; auto. intros l Hl. apply ends. eapply used_links; eauto. }
    unfold most_used. destruct (half_duplex L) eqn:E.
    - apply N.div_le_lower_bound; [lia|].
      assert (sum (fun v => sends W R v + receives W R v) (nodes W) <= sum (fun _ => 1) (nodes W)).
      { apply sum_le. intros v _. now apply HP. }
      rewrite sum_plus, sum_const in H. lia.
    - rewrite S, N.mul_comm, <- sum_const. apply sum_le. intros v _. now apply HP.
  Qed.

  (** A link of price [w l], at most [a l] for the link and [g] for a message. *)
  Lemma round_price R K w a g : within W L R -> per_link L = Some K -> (forall l, In l (links W) -> w l <= a l + g) ->
    sum (fun h : hop => w (snd h)) R <= K * (sum a (links W) + g * most_used).
  Proof.
    intros HW EK Hw. pose proof (used_le R HW) as HU. pose proof HW as (_ & HK & _).
    replace (sum (fun h : hop => w (snd h)) R) with (sum w (map snd R)) by apply (sum_map w snd R).
    rewrite (sum_count link_dec w (map snd R) (used R)); [|apply NoDup_nodup|intros x; apply nodup_In].
    transitivity (K * sum w (used R)).
    - rewrite <- sum_scale. apply sum_le. intros l _. specialize (HK K l EK). nia.
    - assert (sum w (used R) <= sum a (links W) + g * most_used); [|nia].
      transitivity (sum (fun l => a l + g) (used R)).
      + apply sum_le. intros l Hl. apply Hw. eapply used_links; eauto.
      + rewrite sum_plus, sum_const.
        assert (sum a (used R) <= sum a (links W)); [|nia].
        rewrite (sum_count link_dec a (used R) (links W)); auto; [|intros x Hx; eapply used_links; eauto].
        apply sum_le. intros l _.
        assert (count_occ link_dec (used R) l <= 1)%nat by (apply NoDup_count_occ, NoDup_nodup). nia.
  Qed.

  Lemma sent_at R K c u : within W L R -> per_link L = Some K -> sends W R u <= c ->
    len (filter (fun h : hop => src W (snd h) =? u) R) <= K * c.
  Proof.
    intros HW EK HC. pose proof HW as (_ & HK & _).
    rewrite len_filter.
    transitivity (sum (fun l => if src W l =? u then 1 else 0) (map snd R)); [rewrite sum_map; reflexivity|].
    rewrite (sum_count link_dec _ (map snd R) (used R)); [|apply NoDup_nodup|intros x; apply nodup_In].
    transitivity (K * sends W R u); [|apply N.mul_le_mono_l; exact HC].
    unfold sends. rewrite len_filter, <- sum_scale. apply sum_le. intros l _. specialize (HK K l EK). nia.
  Qed.

  Lemma sent_by R K u : within W L R -> per_link L = Some K ->
    len (filter (fun h : hop => src W (snd h) =? u) R) <= K * ports L.
  Proof. intros HW EK. apply sent_at; auto. destruct HW as (_ & _ & HP). now destruct (HP u). Qed.
End Capacity.

(** * Price: the packets pay for the levels that they climb *)

Definition packet_dec : forall a b : packet, {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

Definition prod_eq_dec : forall a b : packet * node, {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

Definition rise (W : network) (lev : node -> N) (l : link) := lev (dst W l) - lev (src W l).

Lemma path_rise W lev q s : forall u v, path W s q u v ->
  lev v <= lev u + sum (fun R => sum (fun h => if packet_dec (fst h) q then rise W lev (snd h) else 0) R) s.
Proof.
  induction s as [|R s IH]; cbn [path sum]; intros u v HP; [subst; lia|].
  destruct HP as [HP | (l & Hl & E & HP)]; specialize (IH _ _ HP); [lia|].
  pose proof (sum_elem (fun h : hop => if packet_dec (fst h) q then rise W lev (snd h) else 0) R _ Hl) as HE.
  cbn [fst snd] in HE. destruct (packet_dec q q); [|easy]. unfold rise at 1 in HE. rewrite E in HE. unfold hop, rise in *. lia.
Qed.

Record item := Item { pk : packet; from : node; to : node; lev : node -> N }.

Theorem items_bound W s (I : list item) w :
  (forall i, In i I -> path W s (pk i) (from i) (to i)) ->
  (forall R q l, In R s -> In (q, l) R -> sum (fun i => if packet_dec q (pk i) then rise W (lev i) l else 0) I <= w l) ->
  sum (fun i => lev i (to i) - lev i (from i)) I <= sum (fun R => sum (fun h => w (snd h)) R) s.
Proof.
  intros HP Hw.
  transitivity (sum (fun i => sum (fun R => sum (fun h : hop => if packet_dec (fst h) (pk i) then rise W (lev i) (snd h) else 0) R) s) I).
  - apply sum_le. intros i Hi. pose proof (path_rise W (lev i) (pk i) s _ _ (HP i Hi)). unfold hop in *. lia.
  - rewrite sum_swap. apply sum_le. intros R HR. rewrite sum_swap. apply sum_le. intros (q, l) Hh. cbn [fst snd].
    now apply (Hw R).
Qed.

Lemma rounds_price W L s K w a g : NoDup (nodes W) -> NoDup (links W) ->
  (forall l, In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W)) ->
  (forall R, In R s -> within W L R) -> per_link L = Some K -> (forall l, In l (links W) -> w l <= a l + g) ->
  sum (fun R => sum (fun h : hop => w (snd h)) R) s <= len s * (K * (sum a (links W) + g * most_used W L)).
Proof.
  intros. rewrite (N.mul_comm (len s)), <- sum_const. apply sum_le. intros R HR. apply round_price; auto.
Qed.

(** One item per packet: the distance-sum, port-sum, degree and work bounds of deliveries. *)
Theorem price_bound W L s K (I : list item) a g : NoDup (nodes W) -> NoDup (links W) ->
  (forall l, In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W)) ->
  (forall R, In R s -> within W L R) -> per_link L = Some K ->
  NoDup (map pk I) -> (forall i, In i I -> path W s (pk i) (from i) (to i)) ->
  (forall i l, In i I -> In l (links W) -> rise W (lev i) l <= a l + g) ->
  sum (fun i => lev i (to i) - lev i (from i)) I <= len s * (K * (sum a (links W) + g * most_used W L)).
Proof.
  intros HN HL HE HW EK HD HP Hr.
  etransitivity; [apply (items_bound W s I (fun l => a l + g)); auto|].
  - intros R q l HR Hh. assert (Hl : In l (links W)) by (destruct (HW R HR) as (X & _); exact (X _ Hh)).
    clear HP. induction I as [|i I IH]; [cbn; lia|]. cbn [map] in HD. inversion HD; subst.
    cbn [sum]. destruct (packet_dec q (pk i)) as [->|NE].
    + assert (Z : sum (fun j => if packet_dec (pk i) (pk j) then rise W (lev j) l else 0) I = 0).
      { transitivity (sum (fun _ : item => 0) I); [|apply sum_zero]. apply sum_eq. intros j Hj.
        destruct (packet_dec (pk i) (pk j)) as [E|]; [|reflexivity]. exfalso. apply H1. rewrite E. now apply in_map. }
      rewrite Z. specialize (Hr i l (or_introl eq_refl) Hl). lia.
    + rewrite N.add_0_l. apply IH; auto. intros; apply Hr; auto. now right.
  - apply (rounds_price W L s K (fun l => a l + g) a g); auto. intros; lia.
Qed.

(** * Receptions: every pair of a packet and a node that must get it costs a hop *)
Theorem reception_bound W L s K (Q : list (packet * node)) (from : packet * node -> node) :
  NoDup (nodes W) -> NoDup (links W) ->
  (forall l, In l (links W) -> In (src W l) (nodes W) /\ In (dst W l) (nodes W)) ->
  (forall R, In R s -> within W L R) -> per_link L = Some K ->
  NoDup Q -> (forall k, In k Q -> from k <> snd k /\ path W s (fst k) (from k) (snd k)) ->
  len Q <= len s * (K * most_used W L).
Proof.
  intros HN HL HE HW EK HD HP.
  set (I := map (fun k => Item (fst k) (from k) (snd k) (fun x => if x =? snd k then 1 else 0)) Q).
  assert (X : sum (fun i => lev i (to i) - lev i (Bounds.from i)) I <=
              len s * (K * (sum (fun _ => 0) (links W) + 1 * most_used W L))).
  { etransitivity; [apply (items_bound W s I (fun _ => 1)); unfold I|].
    - intros i Hi. apply in_map_iff in Hi as (k & <- & Hk). now apply HP.
    - intros R q l HR Hh. rewrite sum_map. cbn [pk lev].
      transitivity (sum (fun k : packet * node => if prod_eq_dec (q, dst W l) k then 1 else 0) Q).
      + apply sum_le. intros (q', v) _. cbn [fst snd]. unfold rise.
        destruct (packet_dec q q') as [->|]; [|lia]. destruct (prod_eq_dec _ _) as [E|NE].
        * destruct (dst W l =? v), (src W l =? v); lia.
        * destruct (N.eqb_spec (dst W l) v) as [E|]; [exfalso; apply NE; congruence|]. destruct (src W l =? v); lia.
      + rewrite (sum_pick prod_eq_dec (fun _ => 1)) by assumption. destruct (in_dec _ _ _); lia.
    - apply (rounds_price W L s K (fun _ => 1) (fun _ => 0) 1); auto. intros; lia. }
  rewrite sum_zero in X. unfold I in X. rewrite sum_map in X.
  rewrite (sum_eq _ (fun _ => 1)), sum_const in X; [lia|].
  intros k Hk. cbn [lev to Bounds.from]. rewrite N.eqb_refl. destruct (HP k Hk) as (NE & _).
  destruct (N.eqb_spec (from k) (snd k)); [easy|lia].
Qed.
