(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** Far nodes: in r rounds, at most C(r, l) c^l nodes are reached by l hops, as each of the nodes that know tells c others a round and the rounds
    of the hops can be chosen; and a node at distance j takes j hops or more. *)
From Coq Require Import NArith PeanoNat List Lia Bool.
From Isotrope Require Import Model Bounds.
Import ListNotations.
Open Scope N_scope.

(** The row C(r, 0) c^0, ..., C(r, r) c^r, from the row before it. *)
Fixpoint raise (c before : N) (row : list N) : list N :=
  match row with [] => [c * before] | a :: row => (a + c * before) :: raise c a row end.
Fixpoint rows (c : N) (r : nat) : list N := match r with O => [1] | S r => raise c 0 (rows c r) end.

Lemma raise_nth c row : forall before l, nth l (raise c before row) 0 = nth l row 0 + c * match l with O => before | S l => nth l row 0 end.
Proof.
  induction row as [|a row IH]; intros before l; cbn [raise].
  - destruct l as [|[|l]]; cbn; lia.
  - destruct l as [|l]; cbn [nth]; [reflexivity|]. rewrite IH. destruct l; reflexivity.
Qed.
Lemma rows_step c r l : nth l (rows c (S r)) 0 = nth l (rows c r) 0 + match l with O => 0 | S l => c * nth l (rows c r) 0 end.
Proof. cbn [rows]. rewrite raise_nth. destruct l; lia. Qed.
Lemma rows_length c r : length (rows c r) = S r.
Proof.
  induction r as [|r IH]; [reflexivity|]. cbn [rows].
  assert (X : forall row b, length (raise c b row) = S (length row)) by (induction row as [|a row IHr]; intros b; cbn; auto).
  now rewrite X, IH.
Qed.
Lemma rows_grow c l r r' : (r <= r')%nat -> nth l (rows c r) 0 <= nth l (rows c r') 0.
Proof. induction 1 as [|r' _ IH]; [lia|]. rewrite rows_step. lia. Qed.

Lemma sum_skipn row : forall j, sum (fun l => nth l row 0) (seq j (length row - j)) = sum (fun x => x) (skipn j row).
Proof.
  induction row as [|a row IH]; intros j; [destruct j; reflexivity|]. destruct j as [|j].
  - cbn [length Nat.sub seq sum skipn nth]. rewrite <- seq_shift, sum_map. cbn [nth]. specialize (IH 0%nat). rewrite Nat.sub_0_r in IH.
    cbn [skipn] in IH. now rewrite IH.
  - cbn [length Nat.sub skipn]. rewrite <- seq_shift, sum_map. cbn [nth]. apply IH.
Qed.

Section Far.
  Variables (W : network) (L : limits).
  Definition told (R : round) (U : list node) : list node := flat_map (fun u => map (dst W) (filter (fun l => src W l =? u) (used R))) U.

  (** Where exactly l hops lead from U. *)
  Fixpoint reach (s : list round) (l : nat) (U : list node) : list node :=
    match s with
    | [] => match l with O => U | S _ => [] end
    | R :: s => reach s l U ++ match l with O => [] | S l => reach s l (told R U) end
    end.

  Lemma told_len R U : within W L R -> len (told R U) <= len U * ports L.
  Proof.
    intros (_ & _ & HP). unfold told. induction U as [|u U IH]; [cbn; lia|]. cbn [flat_map]. rewrite len_app, len_map, len_cons.
    destruct (HP u) as (HS & _). unfold sends in HS. lia.
  Qed.

  Lemma reach_len s : (forall R, In R s -> within W L R) -> forall r, (length s <= r)%nat -> forall l U,
    len (reach s l U) <= len U * nth l (rows (ports L) r) 0.
  Proof.
    induction s as [|R s IH]; intros HW r Hr l U.
    - cbn [reach]. destruct l as [|l]; [|cbn; lia]. pose proof (rows_grow (ports L) 0 0 r ltac:(lia)) as X. cbn [rows nth] in X. nia.
    - cbn [length] in Hr. destruct r as [|r]; [lia|]. assert (HW' : forall R, In R s -> within W L R) by (intros; apply HW; now right).
      specialize (IH HW' r ltac:(lia)). cbn [reach]. rewrite len_app, rows_step. pose proof (IH l U) as A. destruct l as [|l]; [cbn; lia|].
      pose proof (IH l (told R U)) as B. pose proof (told_len R U (HW R (or_introl eq_refl))) as C.
      set (x := nth l (rows (ports L) r) 0) in *. set (y := nth (S l) (rows (ports L) r) 0) in *.
      assert (len (told R U) * x <= len U * ports L * x) by (apply N.mul_le_mono_r; exact C). nia.
  Qed.

  Lemma path_reach lev q s : (forall R, In R s -> within W L R) -> (forall l, In l (links W) -> lev (dst W l) <= lev (src W l) + 1) ->
    forall U u v, In u U -> path W s q u v -> exists l, (l <= length s)%nat /\ In v (reach s l U) /\ lev v <= lev u + N.of_nat l.
  Proof.
    intros HW HL. induction s as [|R s IH]; cbn [path]; intros U u v Hu HP.
    - subst. exists O. cbn. split; [lia|]. split; [exact Hu|lia].
    - assert (HW' : forall R, In R s -> within W L R) by (intros; apply HW; now right). destruct HP as [HP | (l & HIn & E & HP)].
      + destruct (IH HW' U u v Hu HP) as (n & A & B & C). exists n. cbn [length reach]. split; [lia|]. split; [apply in_or_app; now left|exact C].
      + assert (HT : In (dst W l) (told R U)).
        { apply in_flat_map. exists u. split; auto. apply in_map, filter_In. split; [|now apply N.eqb_eq]. apply nodup_In.
          now apply (in_map snd) in HIn. }
        destruct (IH HW' _ _ v HT HP) as (n & A & B & C). exists (S n). cbn [length reach]. split; [lia|]. split; [apply in_or_app; now right|].
        destruct (HW R (or_introl eq_refl)) as (X & _). specialize (HL l (X _ HIn)). rewrite E in HL. lia.
  Qed.

  Theorem far_bound lev s u j r V : (forall R, In R s -> within W L R) -> (forall l, In l (links W) -> lev (dst W l) <= lev (src W l) + 1) ->
    (length s <= r)%nat -> lev u = 0 -> NoDup V -> (forall v, In v V -> N.of_nat j <= lev v /\ exists q, path W s q u v) ->
    len V <= sum (fun x => x) (skipn j (rows (ports L) r)).
  Proof.
    intros HW HL Hr H0 D HV. transitivity (len (flat_map (fun l => reach s l [u]) (seq j (length (rows (ports L) r) - j)))).
    - apply len_incl; auto. intros v Hv. destruct (HV v Hv) as (Hj & q & HP).
      destruct (path_reach lev q s HW HL [u] u v (or_introl eq_refl) HP) as (l & A & B & C). apply in_flat_map. exists l. split; auto.
      apply in_seq. rewrite rows_length. lia.
    - rewrite <- sum_skipn. generalize (seq j (length (rows (ports L) r) - j)). intros ls. induction ls as [|l ls IH]; [cbn; lia|].
      cbn [flat_map sum]. rewrite len_app. pose proof (reach_len s HW r Hr l [u]) as X. change (len [u]) with 1 in X. lia.
  Qed.
End Far.
