(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** What a schedule is, what competes with it, and what optimal means. These definitions, with [Plan.v], are all that a reader of the
    theorems must believe.

    A hop sends a packet over a link in a round. The competitor of a plan is any list of rounds within the ports along which every
    packet may get where it must: it may copy, move or add packets, send what it does not hold (in vain), and need not be symmetric. Coding
    (sums of different packets) and a finer splitting of blocks are excluded: packets are units. *)
From Coq Require Import NArith List.
Import ListNotations.
Open Scope N_scope.

(** * Networks and rounds *)

Definition node := N.
Definition link := (node * N)%type.             (* a sender and its port *)
Definition packet := (node * node * N)%type.    (* origin, destination, number *)
Definition hop := (packet * link)%type.
Definition round := list hop.

Record network := Network { nodes : list node; links : list link; src : link -> node; dst : link -> node }.

Record limits := Limits {
  per_link : option N;    (* packets that a link carries in a round; None: any number *)
  ports : N;              (* links on which a node sends, and on which it receives, in a round *)
  half_duplex : bool }.   (* a node uses one link in a round, to send or to receive *)

Definition link_dec : forall a b : link, {a = b} + {a <> b}.
Proof. decide equality; apply N.eq_dec. Defined.

Definition len {A} (l : list A) : N := N.of_nat (length l).
Definition used (R : round) : list link := nodup link_dec (map snd R).
Definition sends W R v := len (filter (fun l => src W l =? v) (used R)).
Definition receives W R v := len (filter (fun l => dst W l =? v) (used R)).

Definition within (W : network) (L : limits) (R : round) : Prop :=
  (forall h, In h R -> In (snd h) (links W)) /\
  (forall K l, per_link L = Some K -> N.of_nat (count_occ link_dec (map snd R) l) <= K) /\
  (forall v, sends W R v <= ports L /\ receives W R v <= ports L /\
             (half_duplex L = true -> sends W R v + receives W R v <= 1)).

(** * Problems *)

Inductive kind := Deliver | Spread | Collect | Share.

Record problem := Problem { net : network; lim : limits; what : kind; traffic : packet -> Prop }.

(** [demand P q u v]: what node u contributes to packet q must get to node v. *)
Definition demand (P : problem) (q : packet) (u v : node) : Prop :=
  traffic P q /\ In u (nodes (net P)) /\ In v (nodes (net P)) /\
  match what P, q with
  | Deliver, (o, t, _) => u = o /\ v = t
  | Spread,  (o, _, _) => u = o
  | Collect, (_, t, _) => v = t
  | Share, _ => True
  end.

(** * What competes: any rounds along which everything may get where it must *)

Fixpoint path (W : network) (s : list round) (q : packet) (u v : node) : Prop :=
  match s with
  | [] => u = v
  | R :: s => path W s q u v \/ exists l, In (q, l) R /\ src W l = u /\ path W s q (dst W l) v
  end.

Definition competes (P : problem) (s : list round) : Prop :=
  (forall R, In R s -> within (net P) (lim P) R) /\
  (forall q u v, demand P q u v -> path (net P) s q u v).

(** * What a valid schedule is: stronger *)

(** [H q u v]: what node v holds of packet q contains what node u contributes to the packet. *)
Definition holding := packet -> node -> node -> Prop.

(** If [keep], a sender keeps what it sends (flow copy); else it does not (flows move and combine). *)
Definition after (W : network) (keep : bool) (R : round) (H : holding) : holding := fun q u x =>
  (exists l, In (q, l) R /\ dst W l = x /\ H q u (src W l)) \/
  (H q u x /\ (keep = true \/ forall l, In (q, l) R -> src W l <> x)).

(** Every sender holds something of the packet; what is not kept is sent once. A sum is kept only when it is complete, so no
    contribution is added twice. *)
Definition legal (P : problem) (keep : bool) (R : round) (H : holding) : Prop :=
  (forall q l, In (q, l) R -> exists u, H q u (src (net P) l)) /\
  (keep = false -> forall q l l', In (q, l) R -> In (q, l') R -> src (net P) l = src (net P) l' -> l = l') /\
  (keep = true -> forall q l u v, In (q, l) R -> demand P q u v -> H q u (src (net P) l)).

Definition start (P : problem) : holding := fun q u v =>
  u = v /\ In u (nodes (net P)) /\ traffic P q /\
  match what P, q with (Deliver | Spread), (o, _, _) => u = o | _, _ => True end.

Fixpoint run (P : problem) (s : list (bool * round)) (H : holding) : Prop :=
  match s with
  | [] => forall q u v, demand P q u v -> H q u v
  | (keep, R) :: s => legal P keep R H /\ within (net P) (lim P) R /\ run P s (after (net P) keep R H)
  end.

Definition valid (P : problem) (s : list (bool * round)) : Prop := run P s (start P).

Definition optimal (P : problem) (s : list (bool * round)) : Prop :=
  valid P s /\ forall s', competes P s' -> (length s <= length s')%nat.

(** * Sanity: a valid schedule competes, and no part of a sum is ever in two places before it is complete *)

Lemma after_path W keep R H q u x : after W keep R H q u x ->
  exists y, H q u y /\ path W [R] q y x.
Proof.
  intros [(l & Hl & E & Hu) | (Hx & _)]; [exists (src W l)|exists x]; split; auto; cbn; auto.
  right. exists l. auto.
Qed.

Lemma path_app W s1 s2 q u w v : path W s1 q u w -> path W s2 q w v -> path W (s1 ++ s2) q u v.
Proof.
  revert u; induction s1 as [|R s1 IH]; cbn; intros u H1 H2; [now subst|].
  destruct H1 as [H1 | (l & Hl & E & H1)]; [left; auto|right; exists l; auto].
Qed.

Lemma run_paths P s : forall H, run P s H -> forall q u v, demand P q u v ->
  exists y, H q u y /\ path (net P) (map snd s) q y v.
Proof.
  induction s as [|(keep, R) s IH]; cbn; intros H HR q u v D; [exists v; auto|].
  destruct HR as (_ & _ & HR). destruct (IH _ HR q u v D) as (y & Hy & Py).
  destruct (after_path _ _ _ _ _ _ _ Hy) as (z & Hz & Pz). exists z. split; auto.
  exact (path_app _ [R] _ _ _ _ _ Pz Py).
Qed.

Lemma run_within P s : forall H, run P s H -> forall R, In R (map snd s) -> within (net P) (lim P) R.
Proof.
  induction s as [|(keep, R0) s IH]; cbn; intros H HR R HIn; [easy|].
  destruct HR as (_ & W & HR). destruct HIn as [E|HIn]; [now subst|]. eapply IH; eauto.
Qed.

Theorem valid_competes P s : valid P s -> competes P (map snd s).
Proof.
  intros V. split.
  - intros R HR. eapply run_within; eauto.
  - intros q u v D. destruct (run_paths _ _ _ V q u v D) as (y & (E & _) & Hp). now subst.
Qed.

(** While nothing is kept, every contribution is in one place. *)
Definition one_place (H : holding) := forall q u v v', H q u v -> H q u v' -> v = v'.

Theorem moved_once P R H : legal P false R H -> one_place H -> one_place (after (net P) false R H).
Proof.
  intros (_ & L & _) O q u v v' H1 H2.
  destruct H1 as [(l & Hl & E & Hu) | (Hx & [K|K])]; [|discriminate|];
  destruct H2 as [(l' & Hl' & E' & Hu') | (Hx' & [K'|K'])]; try discriminate.
  - rewrite (L eq_refl q l l') in E; auto; [congruence|]. eapply O; eauto.
  - exfalso. apply (K' l Hl). eapply O; eauto.
  - exfalso. apply (K l' Hl'). eapply O; eauto.
  - eapply O; eauto.
Qed.

Lemma start_one_place P : one_place (start P).
Proof. intros q u v v' (E & _) (E' & _). congruence. Qed.
