(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The check of rounds with what does not change computed once: the size, the degree, and a table of neighbours. It is proved equal to the
    check of [Valid.v]. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid.
Import ListNotations.
Open Scope N_scope.

(** * Neighbours from a table *)
Definition neighbours (s : shape) (d : N) : table :=
  fold_left (fun m l => set m (fst l * d + snd l) (next s l + 1)) (all_links (size s) d) none.

Definition neighbour (s : shape) (d : N) (t : table) (l : link) : node :=
  if snd l <? d then match get t (fst l * d + snd l) with 0 => next s l | Npos w => Pos.pred_N w end else next s l.

Lemma all_links_port n d l : In l (all_links n d) -> snd l < d.
Proof.
  intros H. apply in_flat_map in H. destruct H as (v & _ & H). apply in_map_iff in H. destruct H as (p & <- & H). now apply range_In.
Qed.

Lemma neighbour_next s d l : neighbour s d (neighbours s d) l = next s l.
Proof.
  unfold neighbour. destruct (N.ltb_spec (snd l) d) as [Hd|]; [|reflexivity].
  assert (X : forall ls m, (forall l, In l ls -> snd l < d) ->
    (get m (fst l * d + snd l) = 0 \/ get m (fst l * d + snd l) = next s l + 1) ->
    let m' := fold_left (fun m l => set m (fst l * d + snd l) (next s l + 1)) ls m in
    get m' (fst l * d + snd l) = 0 \/ get m' (fst l * d + snd l) = next s l + 1).
  { induction ls as [|k ls IH]; intros m HL HM; [exact HM|]. cbn [fold_left]. apply IH; [intros; apply HL; now right|].
    rewrite get_set. destruct (N.eqb_spec (fst k * d + snd k) (fst l * d + snd l)) as [E|]; [|exact HM]. right.
    pose proof (HL k (or_introl eq_refl)) as Hk. destruct k as (v, p), l as (w, q). cbn [fst snd] in *.
    assert (v = w) by (rewrite <- (split_div d v p), E, split_div by lia; reflexivity).
    assert (p = q) by (rewrite <- (split_mod d v p), E, split_mod by lia; reflexivity). now subst. }
  destruct (X (all_links (size s) d) none) as [E|E].
  - intros k. apply all_links_port.
  - left. apply get_none.
  - unfold neighbours. cbv zeta in E. rewrite E. reflexivity.
  - unfold neighbours. cbv zeta in E. rewrite E. destruct (next s l); [reflexivity|].
    cbn [N.add]. now rewrite Pos.add_1_r, Pos.pred_N_succ.
Qed.

(** * The check of rounds *)
Lemma tally_ext {A} (f g : A -> N) c l : (forall x, f x = g x) -> forall m, tally f c m l = tally g c m l.
Proof. intros E. induction l as [|x l IH]; intros m; cbn [tally]; [reflexivity|]. rewrite E. cbv zeta. now rewrite IH. Qed.
Lemma distinct_ext {A} (f g : A -> N) l : (forall x, f x = g x) -> forall m acc, distinct f m l acc = distinct g m l acc.
Proof. intros E. induction l as [|x l IH]; intros m acc; cbn [distinct]; [reflexivity|]. rewrite E, !IH. reflexivity. Qed.

Section Fast.
  Variables (s : shape) (r : replication) (odd J : N) (L : limits).
  Variables (n d : N) (nx : link -> node).
  Hypothesis Hn : n = size s.
  Hypothesis Hd : d = degree s.
  Hypothesis Hx : forall l, nx l = next s l.

  Definition key_at (q : packet) (v : node) : N := let '(o, e, j) := q in ((o * n + e) * J + j) * n + v.
  Definition hop_at (h : hop) : bool :=
    let '((o, e, j), (v, _)) := h in
    match r with All => o =? 0 | Once => o <? n | Even _ => (o =? 0) || (o =? odd) end && (e <? n) && (j <? J) && (v <? n).

  Fixpoint take_at (keep : bool) (R : round) (m : table) : option table :=
    match R with
    | [] => Some m
    | h :: R => let k := key_at (fst h) (fst (snd h)) in
        if hop_at h then if get m k =? 0 then None else take_at keep R (if keep then m else clear m k) else None
    end.
  Fixpoint give_at (R : round) (m : table) : table :=
    match R with [] => m | h :: R => give_at R (set m (key_at (fst h) (nx (snd h))) 1) end.

  Definition code_at (l : link) : N := class s r (fst l) * d + snd l.
  Definition target_at (l : link) : N := match r with All => 0 | Once => nx l | Even c => parity (moduli s) c (nx l) end.
  Definition link_at (l : link) : bool :=
    (fst l <? n) && (snd l <? d) && match failures s with None => true | Some _ => exists_link s l end.

  Definition round_at (R : round) : bool :=
    let used := rev_append (rev_append (map snd R) []) [] in
    forallb link_at used &&
    match per_link L with
    | None => true
    | Some K => match tally code_at K none used with Some _ => true | None => false end
    end &&
    let messages := distinct code_at none used [] in
    if half_duplex L then
      (1 <=? ports L) &&
      match tally (source s r) 1 none messages with
      | Some m => match tally target_at 1 m messages with Some _ => true | None => false end
      | None => false
      end
    else
      match tally (source s r) (ports L) none messages, tally target_at (ports L) none messages with
      | Some _, Some _ => true
      | _, _ => false
      end.

  Fixpoint play_at (keep : bool) (rounds : list round) (m : table) : option table :=
    match rounds with
    | [] => Some m
    | R :: rounds =>
        if round_at R then match take_at keep R m with Some m1 => play_at keep rounds (give_at R m1) | None => None end else None
    end.

  Lemma key_same q v : key_at q v = key s J q v.
  Proof. destruct q as ((o, e), j). unfold key_at, key. now rewrite Hn. Qed.
  Lemma hop_same h : hop_at h = hop_ok s r odd J h.
  Proof. destruct h as (((o, e), j), (v, p)). unfold hop_at, hop_ok, packet_ok, is_rep. cbn [fst snd]. now rewrite Hn. Qed.
  Lemma take_same keep R : forall m, take_at keep R m = take s r odd J keep R m.
  Proof. induction R as [|h R IH]; intros m; [reflexivity|]. cbn [take_at take]. cbv zeta. now rewrite hop_same, key_same, IH. Qed.
  Lemma give_same R : forall m, give_at R m = give s J R m.
  Proof. induction R as [|h R IH]; intros m; [reflexivity|]. cbn [give_at give]. now rewrite IH, Hx, key_same. Qed.
  Lemma target_same l : target_at l = target s r l.
  Proof. unfold target_at, target, class. rewrite Hx. now destruct r. Qed.
  Lemma code_same l : code_at l = code s r l. Proof. unfold code_at, code. now rewrite Hd. Qed.
  Lemma link_same l : link_at l = in_range s l && exists_link s l.
  Proof.
    unfold link_at, in_range. rewrite Hn, Hd. f_equal. unfold exists_link, works, alive. destruct (failures s) as [(a, w)|]; reflexivity.
  Qed.
  Lemma round_same R : round_at R = round_ok s r L R.
  Proof.
    unfold round_at, round_ok. rewrite !rev_append_rev, !app_nil_r, rev_involutive. cbv zeta.
    rewrite (distinct_ext code_at (code s r) _ code_same).
    f_equal; [f_equal|].
    - induction (map snd R) as [|l ls IH]; [reflexivity|]. cbn [forallb]. now rewrite link_same, IH.
    - destruct (per_link L); [|reflexivity]. now rewrite (tally_ext code_at (code s r) _ _ code_same).
    - destruct (half_duplex L).
      + f_equal. destruct (tally (source s r) 1 none _); [|reflexivity]. now rewrite (tally_ext target_at (target s r) _ _ target_same).
      + now rewrite (tally_ext target_at (target s r) _ _ target_same).
  Qed.
  Lemma play_same keep rounds : forall m, play_at keep rounds m = play s r odd J L keep rounds m.
  Proof.
    induction rounds as [|R rounds IH]; intros m; [reflexivity|]. cbn [play_at play]. rewrite round_same, take_same.
    destruct (round_ok s r L R); [|reflexivity]. destruct (take s r odd J keep R m); [|reflexivity]. now rewrite give_same, IH.
  Qed.
End Fast.

(** The largest table of neighbours. *)
Definition largest : N := 262144.

Definition check_fast (s : shape) (r : replication) (odd J : N) (L : limits) (k : kind) (tr : traffics) (moves copies : list round) : bool :=
  let n := size s in
  let d := degree s in
  let nx := if n * d <=? largest then (let t := neighbours s d in neighbour s d t) else next s in
  shape_ok s r && odd_ok s r odd && small_ok s r odd J tr &&
  match play_at s r odd J L n d nx false moves (begin_with s J (starts s r odd k tr) none) with
  | None => false
  | Some m =>
      match k with Collect | Share => gathered s r odd J tr m | _ => true end &&
      match k, copies with Collect, _ :: _ => false | _, _ => true end &&
      match play_at s r odd J L n d nx true copies m with
      | None => false
      | Some m => match k with Deliver => arrived s r odd J k tr m | Collect => true | _ => everywhere s r odd J k tr m end
      end
  end.

Theorem check_fast_same s r odd J L k tr moves copies :
  check_fast s r odd J L k tr moves copies = check_valid s r odd J L k tr moves copies.
Proof.
  unfold check_fast, check_valid. cbv zeta. set (nx := if _ : bool then _ else _).
  assert (HX : forall l, nx l = next s l) by (intros l; unfold nx; destruct (_ <=? _); [apply neighbour_next|reflexivity]).
  rewrite (play_same s r odd J L (size s) (degree s) nx eq_refl eq_refl HX).
  destruct (play s r odd J L false moves _) as [m|]; [|reflexivity].
  now rewrite (play_same s r odd J L (size s) (degree s) nx eq_refl eq_refl HX).
Qed.
