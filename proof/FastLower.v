(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The check of lower bounds with what does not change computed once, and in constant stack. It is proved equal to the check of [Lower.v]. *)
From Coq Require Import NArith List Lia Bool.
From Isotrope Require Import Group Model Bounds Late Cut Far Plan Tally Translate Lower Loops Step Fast.
Import ListNotations.
Open Scope N_scope.

Section FastLower.
  Variables (s : shape) (L : limits) (k : kind) (tr : traffics).
  Variables (n d : N) (nx : link -> node) (nodes_at : list node).
  Hypothesis positive : positive_moduli (moduli s).
  Hypothesis Hn : n = size s.
  Hypothesis Hd : d = degree s.
  Hypothesis Hx : forall l, nx l = next s l.
  Hypothesis Hl : nodes_at = filter (alive s) (range n).

  Definition numbers_at (l : list N) : N := fold_left N.max l 0 + 1.
  Definition key_of (J : N) (q : packet) : N := let '(o, d, j) := q in (o * n + d) * J + j.
  Definition once_at : bool :=
    match tr with
    | Symmetric blocks => match failures s with None => true | Some _ => false end &&
                          increasing (block_key (numbers_at (map_loop snd blocks))) 0 blocks && forallb (fun b => fst b <? n) blocks
    | Listed packets => increasing (key_of (numbers_at (map_loop snd packets))) 0 packets &&
                        forallb (fun q => (fst (fst q) <? n) && (snd (fst q) <? n) && alive s (fst (fst q)) && alive s (snd (fst q))) packets
    end.

  Definition packet_by (o : node) (b : N * N) : packet := (o, shifted s n o (fst b), snd b).
  Definition own_at : list packet := match tr with Symmetric blocks => map_loop (packet_by 0) blocks | Listed packets => packets end.
  Definition all_at : list packet :=
    match tr with Symmetric blocks => flat_map_loop (fun o => map_loop (packet_by o) blocks) (range n) | Listed packets => packets end.
  Definition packets_at : N := match tr with Symmetric blocks => n * len_loop blocks | Listed packets => len_loop packets end.
  Definition living_at : N := len_loop nodes_at.
  Definition capacity_at : N := if half_duplex L then living_at / 2 else living_at * ports L.
  Definition working_at (v : node) : bool := (v <? n) && alive s v.

  Definition late_at (back : bool) (u far distance : N) (levels : table) : list packet :=
    match k with
    | Deliver => filter_loop (fun q => let '(a, b) := ends_of back q in (a =? u) && (distance <=? get levels b)) own_at
    | Spread | Collect => filter_loop (fun q => fst (ends_of back q) =? u) own_at
    | Share => all_at
    end.
  Definition link_exists (l : link) : bool :=
    match failures s with None => true | Some (a, w) => w l && a (fst l) && a (nx l) end.

  Definition links_at : list link := filter_loop link_exists (flat_map_loop (fun v => map_loop (fun p => (v, p)) (range d)) (range n)).
  Definition outgoing_at (back : bool) (u : node) : N :=
    match failures s with
    | None => ports L
    | Some _ => N.min (ports L) (len_loop (filter_loop (fun l => (if back then nx l else fst l) =? u) links_at))
    end.
  Definition leave_at (back : bool) (u : node) (early : N) (Q : list packet) : bool :=
    match per_link L with None => (early =? 0) && (0 <? len_loop Q) | Some K => early * (K * outgoing_at back u) <? len_loop Q end.
  Definition reaches_at (back : bool) (u : node) : bool :=
    let m := marked back (filter_loop (fun q => fst (ends_of back q) =? u) own_at) none in
    forallb (fun v => (v =? u) || negb (get m v =? 0)) nodes_at.
  (** The links into a set; every node of the set receives on some. *)
  Definition entrance_at (back : bool) (m : table) : N :=
    let start := fun l => if back then nx l else fst l in
    let finish := fun l => if back then fst l else nx l in
    let into := filter_loop (fun l => negb (is_inside m (start l)) && is_inside m (finish l)) links_at in
    sum_loop (fun v => if is_inside m v then N.min (ports L) (len_loop (filter_loop (fun l => finish l =? v) into)) else 0) nodes_at.

  Definition lower_at (T : N) (c : certificate) : bool :=
    once_at &&
    match c with
    | Price levels prices message =>
        match k, tr with
        | Deliver, Symmetric blocks =>
            all_below n (fun v => let low := get levels v in
              all_below d (fun p => get levels (nx (v, p)) - low <=? nth (N.to_nat p) prices 0 + message)) &&
            too_little L T (n * (let z := get levels 0 in sum_loop (fun b => get levels (fst b) - z) blocks))
                           (n * sum_loop (fun p => nth (N.to_nat p) prices 0) (range d) + message * capacity_at)
        | _, _ => false
        end
    | Receptions =>
        match k with
        | Spread | Collect => too_little L T (packets_at * (living_at - 1)) capacity_at
        | _ => false
        end
    | Gossip => match k with Share => (0 <? living_at) && too_little L T (packets_at * (2 * (living_at - 1))) capacity_at | _ => false end
    | Late back u early far distance levels =>
        oriented k back && working_at u && working_at far && (get levels u =? 0) &&
        match k with Deliver => true | _ => distance <=? get levels far end &&
        all_below n (fun v => let low := get levels v in
          all_below d (fun p => let l := (v, p) in
            if link_exists l then let high := get levels (nx l) in (if back then low <=? high + 1 else high <=? low + 1) else true)) &&
        leave_at back u early (late_at back u far distance levels) && (0 <? distance) && (T <=? early + distance)
    | Doubling back u early =>
        oriented k back && working_at u &&
        match k with Deliver => false | _ => true end &&
        leave_at back u early (late_at back u 0 0 none) && ((ports L + 1) ^ (T - 1 - early) <? living_at)
    | Reach back u =>
        working_at u && match k with Deliver => true | _ => false end && reaches_at back u && ((ports L + 1) ^ (T - 1) <? living_at)
    | Distant back u early j levels =>
        working_at u && (get levels u =? 0) &&
        all_below n (fun v => let low := get levels v in
          all_below d (fun p => let l := (v, p) in
            if link_exists l then let high := get levels (nx l) in (if back then low <=? high + 1 else high <=? low + 1) else true)) &&
        match k with
        | Deliver => (early =? 0) && reaches_at back u
        | _ => oriented k back && leave_at back u early (late_at back u 0 0 none)
        end &&
        (sum (fun x => x) (skipn (N.to_nat j) (rows (ports L) (N.to_nat (T - 1 - early)))) <?
         len_loop (filter_loop (fun v => j <=? get levels v) nodes_at))
    | Into back m one other =>
        working_at one && working_at other &&
        too_little L T (len_loop (filter_loop (must_enter k back m one other) all_at)) (entrance_at back m)
    end.

  Lemma packet_by_same o b : packet_by o b = packet_of s o b.
  Proof. unfold packet_by, packet_of. now rewrite (shifted_same s n Hn positive). Qed.
  Lemma own_same : own_at = own_packets s tr.
  Proof. unfold own_at, own_packets. destruct tr; [|reflexivity]. rewrite map_loop_same. apply map_ext, packet_by_same. Qed.
  Lemma all_same : all_at = all_packets s tr.
  Proof.
    unfold all_at, all_packets. destruct tr as [blocks|]; [|reflexivity]. rewrite flat_map_loop_same, Hn.
    induction (range (size s)) as [|o l IH]; [reflexivity|]. cbn [flat_map list_prod]. rewrite map_app, map_map, IH, map_loop_same. f_equal.
    apply map_ext. intros b. apply packet_by_same.
  Qed.
  Lemma once_same : once_at = packets_once s tr.
  Proof.
    unfold once_at, packets_once, numbers_at, number_bound. destruct tr; rewrite map_loop_same, Hn; [reflexivity|].
    f_equal. unfold key_of, packet_key. rewrite Hn. reflexivity.
  Qed.
  Lemma packets_same : packets_at = packets s tr.
  Proof. unfold packets_at, packets. destruct tr; now rewrite len_loop_same, ?Hn. Qed.
  Lemma living_same : living_at = living s.
  Proof. unfold living_at, living. now rewrite len_loop_same, Hl, Hn. Qed.
  Lemma capacity_same : capacity_at = capacity s L.
  Proof. unfold capacity_at, capacity. now rewrite living_same. Qed.
  Lemma working_same v : working_at v = working s v.
  Proof. unfold working_at, working. now rewrite Hn. Qed.
  Lemma late_same back u far distance levels : late_at back u far distance levels = late_packets s k tr back u far distance levels.
  Proof. unfold late_at, late_packets. destruct k; rewrite ?filter_loop_same, ?own_same; auto using all_same. Qed.
  Lemma exists_same l : link_exists l = exists_link s l.
  Proof. unfold link_exists, exists_link, works, alive. destruct (failures s) as [(a, w)|]; [now rewrite Hx|reflexivity]. Qed.
  Lemma links_same : links_at = links (network_of s).
  Proof.
    unfold links_at. rewrite filter_loop_same, flat_map_loop_same. cbn [network_of links]. unfold all_links. rewrite <- Hn, <- Hd.
    rewrite (filter_ext link_exists (exists_link s)) by apply exists_same. f_equal. apply flat_map_ext. intros v. apply map_loop_same.
  Qed.
  Lemma leave_same back u early Q : leave_at back u early Q = leave_late s L back u early Q.
  Proof.
    assert (O : outgoing_at back u = outgoing s L back u).
    { unfold outgoing_at, outgoing. destruct (failures s); [|reflexivity]. rewrite len_loop_same, filter_loop_same, links_same. f_equal. f_equal.
      apply filter_ext. intros l. now rewrite Hx. }
    unfold leave_at, leave_late. now rewrite len_loop_same, O.
  Qed.
  Lemma reaches_same back u : reaches_at back u = reaches_all s tr back u.
  Proof. unfold reaches_at, reaches_all. now rewrite filter_loop_same, own_same, Hl, Hn. Qed.
  Lemma entrance_same back m : entrance_at back m = entrance (facing s back) L (is_inside m).
  Proof.
    unfold entrance_at, entrance. cbv zeta. rewrite sum_loop_same.
    assert (NB : nodes (facing s back) = nodes_at) by (unfold facing; destruct back; cbn [reversed nodes network_of]; now rewrite Hl, Hn).
    rewrite NB. apply sum_eq. intros v _. destruct (is_inside m v); [|reflexivity]. unfold entrances. f_equal.
    rewrite len_loop_same, !filter_loop_same, links_same. f_equal.
    assert (X : forall (p q : link -> bool) l, filter q (filter p l) = filter (fun x => p x && q x) l).
    { intros p q. induction l as [|x l IH]; [reflexivity|]. cbn [filter]. destruct (p x); cbn [filter andb]; now rewrite IH. }
    rewrite X. unfold facing. destruct back; cbn [reversed links]; apply filter_ext; intros l; unfold enters; cbn [reversed src dst network_of]; now rewrite Hx.
  Qed.

  Theorem lower_same T c : lower_at T c = lower s L k tr T c.
  Proof.
    unfold lower_at, lower. rewrite once_same. f_equal.
    destruct c as [levels prices message| | |back u early far distance levels|back u early|back u|back u early j levels|back m one other].
    - destruct k; try reflexivity. destruct tr as [blocks|]; [|reflexivity]. cbv zeta.
      rewrite !sum_loop_same, capacity_same, <- Hn, <- Hd, all_links_below. f_equal. rewrite !all_below_same. apply forallb_same. intros v _.
      rewrite !all_below_same. apply forallb_same. intros p _. now rewrite Hx.
    - now rewrite packets_same, living_same, capacity_same.
    - now rewrite packets_same, living_same, capacity_same.
    - rewrite !working_same, late_same, leave_same. do 4 f_equal. cbn [network_of links].
      rewrite forallb_filter, all_links_below, <- Hn, <- Hd, !all_below_same. apply forallb_same. intros v _.
      rewrite !all_below_same. apply forallb_same. intros p _. cbv zeta. rewrite exists_same, Hx. cbn [fst]. now destruct back.
    - now rewrite working_same, late_same, leave_same, living_same.
    - now rewrite working_same, reaches_same, living_same.
    - rewrite working_same, reaches_same, late_same, leave_same, len_loop_same, filter_loop_same, Hl, <- Hn. do 3 f_equal.
      cbn [network_of links]. rewrite forallb_filter, all_links_below, <- Hn, <- Hd, !all_below_same. apply forallb_same. intros v _.
      rewrite !all_below_same. apply forallb_same. intros p _. cbv zeta. rewrite exists_same, Hx. cbn [fst]. now destruct back.
    - now rewrite !working_same, len_loop_same, filter_loop_same, all_same, entrance_same.
  Qed.
End FastLower.

Definition lower_fast (s : shape) (L : limits) (k : kind) (tr : traffics) (T : N) (c : certificate) : bool :=
  let n := size s in
  let nx := let ps := ports_of s in step s n ps in
  lower_at s L k tr n (degree s) nx (filter_loop (alive s) (range n)) T c.

Theorem lower_fast_same s L k tr T c : positive_moduli (moduli s) -> (forall g, In g (generators s) -> g < size s) ->
  lower_fast s L k tr T c = lower s L k tr T c.
Proof.
  intros P G. unfold lower_fast. cbv zeta. apply lower_same; auto; [intros l; now apply step_next|apply filter_loop_same].
Qed.
