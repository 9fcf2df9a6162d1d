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
    let rec first q = if f.group.generators.(q) = f.group.generators.(p) || f.group.generators.(q) = minus then q else first (q + 1) in first 0) in
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

(* Only certificates of [rounds] rounds or more. *)
let late f rounds =
  let k = match f.limits.Checker.per_link with None -> None | Some k -> Some (Numbers.int k) in
  let c = Numbers.int f.limits.Checker.ports in
  let packets = match f.traffic with
    | Checker.Symmetric l -> Numbers.list (fun (d, j) -> 0, Numbers.int d, Numbers.int j) l
    | Checker.Listed l -> Numbers.list (fun ((o, d), j) -> Numbers.int o, Numbers.int d, Numbers.int j) l in
  let early count = match k with None -> 0 | Some k -> (count - 1) / Numbers.times k c in
  let living = List.filter f.alive (List.init f.group.size Fun.id) in
  let starts back = match f.kind, f.traffic with
    | Checker.Share, Checker.Symmetric _ -> [0]
    | Checker.Share, _ -> living
    | _ -> List.sort_uniq compare (List.rev_map (fun (o, d, _) -> if back then d else o) packets) in
  let from back u =
    let far = distances f.group f.works f.alive u in  (* links work both ways *)
    let ends = match f.kind with
      | Checker.Deliver -> List.filter_map (fun (o, d, _) -> let a, b = if back then d, o else o, d in if a = u then Some far.(b) else None) packets
      | Checker.Share -> (match f.traffic with Checker.Symmetric l -> List.concat_map (fun _ -> packets) (if l = [] then [] else living) | _ -> packets) |> Numbers.list (fun _ -> -1)
      | _ -> List.filter_map (fun (o, d, _) -> if (if back then d else o) = u then Some (-1) else None) packets in
    let deepest = List.fold_left (fun a v -> max a far.(v)) 0 living in
    let last = List.find_opt (fun v -> far.(v) = deepest) living in
    match last with
    | None -> Seq.empty
    | Some last ->
        let far = Array.map (max 0) far in
        (* Too many nodes too far away, if few rounds are left after the first [early]. *)
        let distant early =
          let left = rounds - 1 - early in
          if left < 0 || left > 1000 then [] else
          let reached = reached_by c left in
          let deepest, count = farther far living in
          match List.find_opt (fun j -> count.(j) > reached j) (List.init deepest succ) with
          | None -> []
          | Some j -> [Checker.Distant (back, Numbers.n u, Numbers.n early, Numbers.n j, table far)] in
        let certificate distance count = Checker.Late (back, Numbers.n u, Numbers.n (early count), Numbers.n last, Numbers.n distance, table far) in
        (match f.kind with
         | Checker.Deliver ->
             let count = Array.make (deepest + 2) 0 in
             List.iter (fun l -> if l > 0 then count.(l) <- count.(l) + 1) ends;
             for j = deepest - 1 downto 1 do count.(j) <- count.(j) + count.(j + 1) done;
             let best = ref None in
             for j = 1 to deepest do
               if count.(j) > 0 then
                 let value = early count.(j) + j in
                 match !best with Some (v, _) when v >= value -> () | _ -> if value >= rounds then best := Some (value, j)
             done;
             List.to_seq ((match !best with None -> [] | Some (_, j) -> [certificate j count.(j)]) @ (if may_double f (rounds - 1) then [Checker.Reach (back, Numbers.n u)] else []) @
                         (if List.length ends >= List.length living - 1 then distant 0 else []))
         | _ ->
             let count = List.length ends in
             if count = 0 || deepest = 0 then Seq.empty
             else List.to_seq ((if early count + deepest >= rounds then [certificate deepest count] else [])
                               @ (if may_double f (max 0 (rounds - 1 - early count)) then [Checker.Doubling (back, Numbers.n u, Numbers.n (early count))] else [])
                               @ distant (early count))) in
  let backs = match f.kind, f.traffic with
    | Checker.Deliver, Checker.Listed _ -> [false; true] | Checker.Collect, _ -> [true] | _ -> [false] in
  List.to_seq backs |> Seq.concat_map (fun back -> Seq.concat_map (from back) (List.to_seq (starts back)))

(* Cuts: single nodes, and the nodes up to a coordinate of an axis. Only those that give [rounds] or more. *)
let cuts f rounds =
  let size = f.group.size in
  match f.limits.Checker.per_link with
  | None -> Seq.empty
  | Some room ->
      let room = Numbers.int room and ports = Numbers.int f.limits.Checker.ports in
      let packets = lazy (match f.traffic with
        | Checker.Listed l when Numbers.times size (List.length l) <= 1 lsl 26 -> Some (Numbers.list (fun ((o, d), _) -> Numbers.int o, Numbers.int d) l)
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
          List.to_seq (List.init (max 0 (m - 1)) succ) |> Seq.map (fun below ->
            let inside v = (coordinates f.group.moduli v).(a) < below in
            inside, List.filter inside living)) in
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
