(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The check of plans with what does not change computed once, and in constant stack. It is proved equal to the check of [Valid.v]. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Plan Tally Translate Simulate Valid Loops Step.
Import ListNotations.
Open Scope N_scope.

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

(** * Packets, and where they begin and end *)
Section Packets.
  Variables (s : shape) (r : replication) (odd J : N) (k : kind) (tr : traffics).
  Variables (n : N) (living : list node) (small_q : list packet).
  Hypothesis Hn : n = size s.
  Hypothesis positive : positive_moduli (moduli s).
  Hypothesis Hl : living = filter (alive s) (range n).
  Hypothesis Hs : small_q = small s r odd tr.

  Definition shifted (o x : N) : N := if (o =? 0) && (x <? n) then x else add (moduli s) o x.
  Definition small_at : list packet :=
    match tr with
    | Symmetric blocks => flat_map_loop (fun o => map_loop (fun b => (o, shifted o (fst b), snd b)) blocks) (reps s r odd)
    | Listed packets => packets
    end.
  Definition packet_at (q : packet) : bool :=
    let '(o, d, j) := q in
    match r with All => o =? 0 | Once => o <? n | Even _ => (o =? 0) || (o =? odd) end && (d <? n) && (j <? J).
  Definition small_ok_at : bool :=
    match tr with
    | Symmetric blocks => forallb (fun b => fst b <? n) blocks
    | Listed _ => match r with Once => true | _ => false end
    end && forallb packet_at small_q.

  Definition begin_at : table :=
    match k with
    | Deliver | Spread =>
        fold_left (fun m q => if alive s (origin q) then set m (key_at J n q (origin q)) 1 else m) small_q none
    | Collect | Share => fold_left (fun m q => fold_left (fun m v => set m (key_at J n q v) 1) living m) small_q none
    end.
  Definition holds_at (m : table) q v : bool := negb (get m (key_at J n q v) =? 0).
  Definition gathered_at (m : table) : bool :=
    forallb (fun q => all_below n (fun v => if v =? snd (fst q) then true else negb (holds_at m q v))) small_q.
  Definition everywhere_at (m : table) : bool :=
    match k, living with
    | (Collect | Share), [] => true
    | (Collect | Share), _ => forallb (fun q => forallb (fun v => holds_at m q v) living) small_q
    | (Deliver | Spread), _ => forallb (fun q => if alive s (origin q) then forallb (fun v => holds_at m q v) living else true) small_q
    end.
  Definition arrived_at (m : table) : bool :=
    forallb (fun q => if alive s (origin q) then negb (alive s (snd (fst q))) || holds_at m q (snd (fst q)) else true) small_q.

  Lemma shifted_same o x : shifted o x = add (moduli s) o x.
  Proof.
    unfold shifted. destruct (N.eqb_spec o 0) as [->|]; [|reflexivity]. destruct (N.ltb_spec x n) as [H|]; [|reflexivity].
    cbn [andb]. symmetry. apply add_0_l; [exact positive|now rewrite Hn in H].
  Qed.
  Lemma small_same : small_at = small s r odd tr.
  Proof.
    clear Hs.
    unfold small_at, small. destruct tr as [blocks|packets]; [|reflexivity]. rewrite flat_map_loop_same. apply flat_map_ext. intros o.
    rewrite map_loop_same. apply map_ext. intros b. now rewrite shifted_same.
  Qed.
  Lemma packet_same q : packet_at q = packet_ok s r odd J q.
  Proof. destruct q as ((o, d), j). unfold packet_at, packet_ok, is_rep. now rewrite Hn. Qed.
  Lemma small_ok_same : small_ok_at = small_ok s r odd J tr.
  Proof.
    unfold small_ok_at, small_ok. rewrite Hn, Hs. f_equal. apply forallb_same. intros q _. apply packet_same.
  Qed.

  Lemma begin_same : begin_at = begin_with s J (starts s r odd k tr) none.
  Proof.
    assert (KEY : forall q v, key_at J n q v = key s J q v) by (intros ((o, d), j) v; unfold key_at, key; now rewrite Hn).
    assert (A : forall l m, fold_left (fun m q => if alive s (origin q) then set m (key_at J n q (origin q)) 1 else m) l m =
      begin_with s J (map (fun q => (q, origin q)) (filter (fun q => alive s (origin q)) l)) m).
    { induction l as [|q l IH]; intros m; [reflexivity|]. cbn [fold_left filter]. rewrite IH. destruct (alive s (origin q)); [|reflexivity].
      unfold begin_with. cbn [map fold_left fst snd]. now rewrite KEY. }
    assert (B : forall q l m, fold_left (fun m v => set m (key_at J n q v) 1) l m = begin_with s J (map (fun v => (q, v)) l) m).
    { intros q. induction l as [|v l IH]; intros m; [reflexivity|]. cbn [fold_left map]. rewrite IH. unfold begin_with. cbn [fold_left fst snd].
      now rewrite KEY. }
    assert (C : forall l m, fold_left (fun m q => fold_left (fun m v => set m (key_at J n q v) 1) living m) l m =
      begin_with s J (flat_map (fun q => map (fun v => (q, v)) living) l) m).
    { induction l as [|q l IH]; intros m; [reflexivity|]. cbn [fold_left flat_map]. rewrite IH, B. unfold begin_with. now rewrite fold_left_app. }
    unfold begin_at, starts. rewrite <- Hs. destruct k; first [apply A|rewrite C, Hl, Hn; reflexivity].
  Qed.

  Lemma holds_same m q v : holds_at m q v = holds s J m q v.
  Proof. destruct q as ((o, d), j). unfold holds_at, holds, key_at, key. now rewrite Hn. Qed.
  Lemma gathered_same m : gathered_at m = gathered s r odd J tr m.
  Proof.
    unfold gathered_at, gathered. rewrite <- Hs. apply forallb_same. intros q _. rewrite all_below_same, <- Hn. apply forallb_same. intros v _.
    rewrite holds_same. now destruct (v =? snd (fst q)).
  Qed.
  Lemma arrived_same m : k = Deliver -> arrived_at m = arrived s r odd J k tr m.
  Proof.
    intros ->. unfold arrived_at, arrived, starts. rewrite <- Hs, map_map. cbn [fst]. rewrite forallb_map, forallb_filter. apply forallb_same.
    intros q _. now rewrite holds_same.
  Qed.
  Lemma everywhere_same m : everywhere_at m = everywhere s r odd J k tr m.
  Proof.
    assert (F : forall q, forallb (fun v => holds_at m q v) living = forallb (fun v => holds s J m q v) living)
      by (intros q; apply forallb_same; intros; apply holds_same).
    assert (A : forall l, forallb (fun q => if alive s (origin q) then forallb (fun v => holds_at m q v) living else true) l =
      forallb (fun q => forallb (fun v => holds s J m q v) living) (map fst (map (fun q => (q, origin q)) (filter (fun q => alive s (origin q)) l)))).
    { intros l. rewrite map_map. cbn [fst]. rewrite forallb_map, forallb_filter. apply forallb_same. intros q _. now rewrite F. }
    assert (B : forall (v : node) vs l, forallb (fun q => forallb (fun v => holds_at m q v) living) l =
      forallb (fun q => forallb (fun v => holds s J m q v) living) (map fst (flat_map (fun q => map (fun v => (q, v)) (v :: vs)) l))).
    { intros v vs. induction l as [|q l IH]; [reflexivity|]. cbn [forallb flat_map]. rewrite map_app, forallb_app, <- IH, map_map, F. cbn [fst].
      f_equal. destruct (forallb (fun v0 => holds s J m q v0) living) eqn:E.
      - symmetry. apply forallb_forall. intros q' Hq. apply in_map_iff in Hq. destruct Hq as (w & <- & _). exact E.
      - cbn [map forallb]. now rewrite E. }
    assert (C : forall l : list packet, forallb (fun q => forallb (fun v => holds s J m q v) living) (map fst (flat_map (fun q => map (fun v : node => (q, v)) []) l)) = true).
    { induction l as [|q l IH]; [reflexivity|exact IH]. }
    unfold everywhere_at, everywhere, starts. rewrite <- Hs, <- Hn, <- Hl.
    destruct k; try apply A; destruct living as [|v vs]; [symmetry; apply (C small_q)|apply B|symmetry; apply (C small_q)|apply B].
  Qed.
End Packets.

Definition check_fast (s : shape) (r : replication) (odd J : N) (L : limits) (k : kind) (tr : traffics) (moves copies : list round) : bool :=
  let n := size s in
  let d := degree s in
  let nx := let ps := ports_of s in step s n ps in
  let living := filter_loop (alive s) (range n) in
  let small_q := small_at s r odd tr n in
  shape_ok s r && odd_ok s r odd && small_ok_at r odd J tr n small_q &&
  match play_at s r odd J L n d nx false moves (begin_at s J k n living small_q) with
  | None => false
  | Some m =>
      match k with Collect | Share => gathered_at J n small_q m | _ => true end &&
      match k, copies with Collect, _ :: _ => false | _, _ => true end &&
      match play_at s r odd J L n d nx true copies m with
      | None => false
      | Some m =>
          match k with Deliver => arrived_at s J n small_q m | Collect => true | _ => everywhere_at s J k n living small_q m end
      end
  end.

Theorem check_fast_same s r odd J L k tr moves copies :
  check_fast s r odd J L k tr moves copies = check_valid s r odd J L k tr moves copies.
Proof.
  unfold check_fast, check_valid. cbv zeta. destruct (shape_ok s r) eqn:OK; [|reflexivity].
  destruct (shape_ok_sound s r OK) as (P & (G & _) & _).
  assert (HX : forall l, step s (size s) (ports_of s) l = next s l) by (intros l; now apply step_next).
  rewrite filter_loop_same, (small_same s r odd tr (size s) eq_refl P).
  rewrite (small_ok_same s r odd J tr (size s) _ eq_refl eq_refl).
  rewrite (begin_same s r odd J k tr (size s) _ _ eq_refl eq_refl eq_refl).
  rewrite (play_same s r odd J L (size s) (degree s) _ eq_refl eq_refl HX).
  destruct (play s r odd J L false moves _) as [m|]; [|reflexivity].
  rewrite (gathered_same s r odd J tr (size s) _ eq_refl eq_refl).
  rewrite (play_same s r odd J L (size s) (degree s) _ eq_refl eq_refl HX).
  destruct (play s r odd J L true copies m) as [m'|]; [|reflexivity].
  rewrite (everywhere_same s r odd J k tr (size s) _ _ eq_refl eq_refl eq_refl).
  destruct k; try reflexivity. now rewrite (arrived_same s r odd J Deliver tr (size s) _ eq_refl eq_refl m' eq_refl).
Qed.
