(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* Certificates of lower bounds. Nothing here is trusted: the proved checker accepts a certificate or refuses it. *)
open Plan_file

let table levels =
  let t = ref Checker.none in
  Array.iteri (fun v l -> if l > 0 then t := Checker.set !t (Numbers.n v) (Numbers.n l)) levels;
  !t

(* Weights of opposite ports alike: those of the file, all 1, and every choice of 0 and 1. *)
let weights f =
  let degree = Array.length f.group.generators in
  let of_file = match f.bound with Some { weights = Some w; _ } when Array.length w = degree -> [w] | _ -> [] in
  let pair = Array.init degree (fun p ->
    let minus = negative f.group.moduli f.group.generators.(p) in
    let rec first q =
      if f.group.generators.(q) = f.group.generators.(p) || f.group.generators.(q) = minus then q else first (q + 1) in
    first 0) in
  let classes = List.sort_uniq compare (Array.to_list pair) in
  let choices = if List.length classes > 6 then [] else
    List.fold_left (fun all c -> List.concat_map (fun chosen -> [chosen; c :: chosen]) all) [[]] classes in
  of_file @ [Array.make degree 1] @
  List.filter_map (fun chosen -> if chosen = [] then None else Some (Array.map (fun c -> if List.mem c chosen then 1 else 0) pair)) choices

let prices f = match f.kind, f.traffic with
  | Checker.Deliver, Checker.Symmetric _ when f.intact ->
      List.to_seq (weights f) |> Seq.concat_map (fun w ->
        let levels = table (weighted f.group w) in
        let sorted = List.sort (fun a b -> compare b a) (Array.to_list w) in
        let c = Numbers.int f.limits.Checker.ports in
        let price least =
          Checker.Price (levels, Array.to_list (Array.map (fun x -> Numbers.n (max 0 (x - least))) w), Numbers.n least) in
        let threshold = List.nth sorted (c - 1) in
        List.to_seq (if f.limits.Checker.half_duplex || c < Array.length w then [price threshold; price 0] else [price 0]))
  | _ -> Seq.empty

(* Whether few rounds may be too few to tell all nodes; so no huge power is computed. *)
let may_double f rounds =
  let c = Numbers.int f.limits.Checker.ports in
  let rec grow known t = known < f.group.size && (t = 0 || grow (known * (c + 1)) (t - 1)) in
  grow 1 rounds

(* What the last packets to leave node u, or to come to it if [back], have still to go: only certificates of [rounds] rounds or more. *)
type view = { far : int array; deepest : int; count : int array; living : int list }  (* count: nodes at distance j or more *)

let view (f : Plan_file.t) u =
  let living = List.filter f.alive (List.init f.group.size Fun.id) in
  let far = distances f.group f.works f.alive u in  (* links work both ways *)
  if List.exists (fun v -> far.(v) < 0) living then None
  else let deepest, count = farther far living in Some { far = Array.map (max 0) far; deepest; count; living }

(* Rounds that pass before the last of [count] packets leaves node u, over the ports that failures have left. Links work both ways. *)
let early (f : Plan_file.t) u count = match f.limits.Checker.per_link with
  | None -> 0
  | Some k ->
      let leads p = f.works u p && f.alive (f.group.next u p) in
      let left = List.length (List.filter leads (List.init (Array.length f.group.generators) Fun.id)) in
      (count - 1) / Numbers.times (Numbers.int k) (max 1 (min left (Numbers.int f.limits.Checker.ports)))

(* Too many nodes too far away, if few rounds are left after the first ones. *)
let distant (f : Plan_file.t) rounds back u v first =
  let left = rounds - 1 - first in
  if left < 0 || left > 1000 then [] else
  let reached = reached_by (Numbers.int f.limits.Checker.ports) left in
  match List.find_opt (fun j -> v.count.(j) > reached j) (List.init v.deepest succ) with
  | None -> []
  | Some j -> [Checker.Distant (back, Numbers.n u, Numbers.n first, Numbers.n j, table v.far)]

let last_packet (f : Plan_file.t) back u v count distance =
  let farthest = List.find (fun w -> v.far.(w) = v.deepest) v.living in
  Checker.Late (back, Numbers.n u, Numbers.n (early f u count), Numbers.n farthest, Numbers.n distance, table v.far)

(* Packets with one destination each; [ends]: the other ends of those of u. The distance that gives most is tried. *)
let personal (f : Plan_file.t) rounds back u v ends =
  let packets = Array.make (v.deepest + 2) 0 in
  List.iter (fun w -> packets.(v.far.(w)) <- packets.(v.far.(w)) + 1) ends;
  for j = v.deepest - 1 downto 1 do packets.(j) <- packets.(j) + packets.(j + 1) done;
  let value j = if packets.(j) = 0 then 0 else early f u packets.(j) + j in
  let best = List.fold_left (fun best j -> if value j > value best then j else best) 0 (List.init v.deepest succ) in
  let late = if best > 0 && value best >= rounds then [last_packet f back u v packets.(best) best] else [] in
  let doubling = if may_double f (rounds - 1) then [Checker.Reach (back, Numbers.n u)] else [] in
  late @ doubling @ (if List.length ends >= List.length v.living - 1 then distant f rounds back u v 0 else [])

(* [count] packets that all nodes must get from u, or u from all nodes. *)
let shared (f : Plan_file.t) rounds back u v count =
  if count = 0 || v.deepest = 0 then [] else
  let first = early f u count in
  let late = if first + v.deepest >= rounds then [last_packet f back u v count v.deepest] else [] in
  let doubling = if may_double f (max 0 (rounds - 1 - first)) then [Checker.Doubling (back, Numbers.n u, Numbers.n first)] else [] in
  late @ doubling @ distant f rounds back u v first

let late (f : Plan_file.t) rounds =
  let packets = match f.traffic with
    | Checker.Symmetric l -> Numbers.list (fun (d, _) -> 0, Numbers.int d) l
    | Checker.Listed l -> Numbers.list (fun ((o, d), _) -> Numbers.int o, Numbers.int d) l in
  let oriented back (o, d) = if back then d, o else o, d in
  let living = List.filter f.alive (List.init f.group.size Fun.id) in
  let starts back = match f.kind, f.traffic with
    | Checker.Share, Checker.Symmetric _ -> [0]
    | Checker.Share, _ -> living
    | _ -> List.sort_uniq compare (List.rev_map (fun q -> fst (oriented back q)) packets) in
  let from back u =
    let ends = lazy (List.filter_map (fun q -> let a, b = oriented back q in if a = u then Some b else None) packets) in
    match view f u, f.kind, f.traffic with
    | None, _, _ -> []
    | Some v, Checker.Deliver, _ -> personal f rounds back u v (List.filter (fun w -> w <> u) (Lazy.force ends))
    | Some v, Checker.Share, Checker.Symmetric _ -> shared f rounds back u v (Numbers.times (List.length packets) (List.length living))
    | Some v, Checker.Share, _ -> shared f rounds back u v (List.length packets)
    | Some v, _, _ -> shared f rounds back u v (List.length (Lazy.force ends)) in
  let backs = match f.kind, f.traffic with
    | Checker.Deliver, Checker.Listed _ -> [false; true] | Checker.Collect, _ -> [true] | _ -> [false] in
  List.to_seq backs |> Seq.concat_map (fun back -> Seq.concat_map (fun u -> List.to_seq (from back u)) (List.to_seq (starts back)))

(* Cuts: single nodes, and the nodes between two coordinates of an axis, or below one in large networks. Only those that give [rounds] or more. *)
let cuts (f : Plan_file.t) rounds =
  let size = f.group.size in
  match f.limits.Checker.per_link with
  | None -> Seq.empty
  | Some room ->
      let room = Numbers.int room and ports = Numbers.int f.limits.Checker.ports in
      let packets = lazy (match f.traffic with
        | Checker.Listed l when Numbers.times size (List.length l) <= 1 lsl 26 ->
            Some (Numbers.list (fun ((o, d), _) -> Numbers.int o, Numbers.int d) l)
        | Checker.Symmetric l when Numbers.times (size * size) (List.length l) <= 1 lsl 26 ->
            Some (List.concat_map (fun (b, _) -> List.init size (fun o -> o, add f.group.moduli o (Numbers.int b))) l)
        | _ -> None) in
      let degree = Array.length f.group.generators in
      let living = List.filter f.alive (List.init size Fun.id) in
      let certificate (inside, members, back) =
        match Lazy.force packets, List.find_opt inside members, List.find_opt (fun v -> not (inside v)) living with
        | Some packets, Some one, Some other ->
            let goes (o, d) = match f.kind with
              | Checker.Deliver -> if back then d, o else o, d
              | Checker.Share -> other, one
              | Checker.Spread -> if back then other, o else o, one
              | Checker.Collect -> if back then d, one else other, d in
            let enter = List.fold_left (fun c q -> let a, b = goes q in if not (inside a) && inside b then c + 1 else c) 0 packets in
            (* Links work both ways, so as many lead into a node as out of it. *)
            let entrances v =
              let count = ref 0 in
              for p = 0 to degree - 1 do
                let w = f.group.next v p in
                if f.works v p && f.alive w && not (inside w) then incr count
              done;
              min ports !count in
            let entrance = List.fold_left (fun s v -> s + entrances v) 0 members in
            if entrance > 0 && Numbers.ceil_div enter (Numbers.times room entrance) >= rounds then
              let m = List.fold_left (fun m v -> Checker.set m (Numbers.n v) (Numbers.n 1)) Checker.none members in
              Some (Checker.Into (back, m, Numbers.n one, Numbers.n other))
            else None
        | _ -> None in
      let both (inside, members) = List.to_seq [inside, members, false; inside, members, true] in
      let singles = if size > 1 lsl 12 then Seq.empty else Seq.map (fun v -> (fun w -> w = v), [v]) (List.to_seq living) in
      let slabs = if size > 1 lsl 12 then Seq.empty else
        Array.to_seq (Array.mapi (fun a m -> a, m) f.group.moduli) |> Seq.concat_map (fun (a, m) ->
          let slab low high =
            let inside v = let x = (coordinates f.group.moduli v).(a) in low <= x && x < high in
            inside, List.filter inside living in
          List.to_seq (List.init (if size > 512 then 1 else m) Fun.id) |> Seq.concat_map (fun low ->
            List.to_seq (List.init (m - low) (fun i -> low + i + 1)) |> Seq.filter (fun high -> high - low < m) |> Seq.map (slab low))) in
      Seq.filter_map certificate (Seq.concat_map both (Seq.append singles slabs))

let all f rounds =
  let counts = match f.kind with
    | Checker.Spread | Checker.Collect -> [Checker.Receptions]
    | Checker.Share -> [Checker.Gossip]
    | Checker.Deliver -> [] in
  let first, second = match f.bound with  (* what is likely comes first *)
    | Some { kind = "distance" | "doubling" | "degree"; _ } -> (fun () -> late f rounds ()), (fun () -> prices f ())
    | _ -> (fun () -> prices f ()), (fun () -> late f rounds ()) in
  Seq.append (List.to_seq counts) (Seq.append first (Seq.append second (fun () -> cuts f rounds ())))

let rec first holds s = match s () with
  | Seq.Nil -> None
  | Seq.Cons (c, s) -> if holds c then Some c else first holds s

(* A barrier needs one vector of the parts, however many the plan sends. *)
let bounded f (plan : Checker.plan) =
  if f.collective <> "barrier" then f, plan else
  let node = let rec first v = if f.alive v then v else first (v + 1) in Numbers.n (first 0) in
  let traffic = Checker.Listed (List.init f.parts (fun j -> (node, node), Numbers.n j)) in
  { f with traffic }, { plan with Checker.moved = traffic }

(* A certificate that no schedule takes fewer than [rounds] rounds. *)
let certificate f plan rounds =
  let f, plan = bounded f plan in
  first (fun c -> Checker.is_bound plan (Numbers.n rounds) c) (all f rounds)
let proves f plan rounds = rounds = 0 || certificate f plan rounds <> None
