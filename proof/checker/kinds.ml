(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* The values of the kinds of bounds, as the table of docs/plan-file.md, "Bound", defines them. They are compared with what a plan states;
   no value is a proof. Numbers saturate (numbers.ml). *)
open Plan_file

type value =
  | Value of int
  | Absent      (* the kind says nothing about the problem *)
  | Unknown     (* not computed here *)

let unknown = ["cut"; "paths"; "prices"; "tracks"]
let all = ["degree"; "distance"; "distance-sum"; "port-sum"; "doubling"; "ramp"; "root-sends"; "work"; "gossip"; "fronts"; "far-nodes"] @ unknown

type view = {
  f : Plan_file.t;
  n : int; living : int list;
  unlimited : bool; room : int;          (* packets of a message; 1 if any number *)
  c : int; parts : int;                  (* B of the page *)
  ports : int array;                     (* of every node; around failures fewer *)
  symmetric : bool; personal : bool;
  packets : (int * int) list Lazy.t;     (* origin and destination, a packet each; of node 0 if symmetric *)
  from : int -> int array }              (* distances *)

let packet_list f = match f.traffic with
  | Checker.Symmetric l -> Numbers.list (fun (d, _) -> 0, Numbers.int d) l
  | Checker.Listed l -> Numbers.list (fun ((o, d), _) -> Numbers.int o, Numbers.int d) l

let view f =
  let degree = Array.length f.group.generators in
  let living = List.filter f.alive (List.init f.group.size Fun.id) in
  let c = Numbers.int f.limits.Checker.ports in
  let working v =
    let count = ref 0 in
    for p = 0 to degree - 1 do if f.works v p && f.alive (f.group.next v p) then incr count done;
    min c !count in
  let room, unlimited = match f.limits.Checker.per_link with None -> 1, true | Some k -> Numbers.int k, false in
  let blocks = match f.collective, f.traffic with
    | "allreduce", Checker.Symmetric l -> f.group.size * List.length l
    | "allreduce", Checker.Listed l -> List.length l
    | _ -> f.parts in
  { f; n = List.length living; living; unlimited; room; c; parts = if unlimited then 1 else blocks;
    ports = if f.intact then Array.make f.group.size c else Array.init f.group.size (fun v -> if f.alive v then working v else 0);
    symmetric = f.intact && f.pattern <> Task;
    personal = (match f.pattern with One_to_each | Isotropic | Task -> true | _ -> false);
    packets = lazy (packet_list f);
    from = (let last = ref (-1, [||]) in fun u ->  (* callers ask node by node *)
      if fst !last <> u then last := u, distances f.group f.works f.alive u;
      snd !last) }

let connected v = match v.living with
  | [] -> false
  | first :: _ -> let far = v.from first in List.for_all (fun u -> far.(u) >= 0) v.living

let largest f l = List.fold_left (fun a x -> max a (f x)) 0 l
let per_round v u packets = Numbers.ceil_div packets (Numbers.times v.ports.(u) v.room)
let together v = Numbers.times (if v.f.limits.Checker.half_duplex then v.n / 2 else Array.fold_left ( + ) 0 v.ports) v.room

(* How many packets every node sends and receives. *)
let loads v =
  let sent = Array.make v.f.group.size 0 and received = Array.make v.f.group.size 0 in
  let half = v.f.limits.Checker.half_duplex in
  List.iter (fun (o, d) ->
    if o <> d then begin
      sent.(o) <- sent.(o) + 1;
      if half then sent.(d) <- sent.(d) + 1 else received.(d) <- received.(d) + 1
    end) (Lazy.force v.packets);
  sent, received

let degree v =
  if v.unlimited || v.f.pattern = Reduced then Absent
  else if v.personal && not (v.symmetric && v.f.pattern = Isotropic) then
    let sent, received = loads v in
    Value (largest (fun u -> max (per_round v u sent.(u)) (per_round v u received.(u))) v.living)
  else if v.personal then Value (per_round v 0 (List.length (Lazy.force v.packets)))
  else
    let packets = if v.f.pattern = One_to_all then v.parts else Numbers.times (v.n - 1) v.parts in
    Value (largest (fun u -> if v.f.pattern = One_to_all && u = v.f.root then 0 else per_round v u packets) v.living)

(* The largest of ceil(packets at distance j or more / room) - 1 + j. [far]: distances, one a packet, or with a count. *)
let last_of rounds counts =
  let best = ref 0 and packets = ref 0 in
  List.iter (fun (j, count) ->
    packets := Numbers.plus !packets count;
    if j > 0 && !packets > 0 then best := max !best (Numbers.plus (rounds !packets) (j - 1)))
    (List.sort (fun a b -> compare b a) counts);
  !best

let spread_far v far each = List.filter_map (fun u -> if far.(u) > 0 then Some (far.(u), each) else None) v.living
let eccentricity v u = let far = v.from u in largest (fun w -> far.(w)) v.living

let by_end v =
  let ends = Hashtbl.create 64 in
  List.iter (fun (o, d) -> if o <> d then begin
    let j = (v.from o).(d) in
    List.iter (fun key -> Hashtbl.replace ends key ((j, 1) :: Option.value ~default:[] (Hashtbl.find_opt ends key))) [true, o; false, d]
  end) (List.sort compare (Lazy.force v.packets));
  Hashtbl.fold (fun (_, u) counts best -> max best (last_of (per_round v u) counts)) ends 0

let distance v =
  let half = v.f.limits.Checker.half_duplex in
  let reach () = largest (fun (o, d) -> (v.from o).(d)) (List.sort compare (Lazy.force v.packets)) in
  let contributions () = largest (fun u ->
    let far = v.from u in
    largest (fun w -> if w = u then 0 else
      Numbers.ceil_div v.parts (Numbers.times (min v.ports.(u) v.ports.(w)) v.room) - 1 + far.(w)) v.living) v.living in
  Value (
    if v.personal then
      if v.unlimited || (not v.f.intact && half) then reach ()
      else if v.symmetric then
        let far = match v.f.pattern with One_to_each -> v.from v.f.root | _ -> v.from 0 in
        let end_of (o, d) = match v.f.pattern with One_to_each -> if o = v.f.root then d else o | _ -> d in
        last_of (per_round v 0) (Numbers.list (fun q -> far.(end_of q), 1) (Lazy.force v.packets))
      else by_end v
    else if v.symmetric then
      let last = per_round v 0 v.parts - 1 + eccentricity v 0 in
      if v.f.pattern = All_to_all && not v.unlimited then max last (last_of (per_round v 0) (spread_far v (v.from 0) v.parts)) else last
    else match v.f.pattern with
      | One_to_all ->
          let far = v.from v.f.root in
          largest (fun u -> if u = v.f.root then 0 else
            last_of (fun p -> Numbers.ceil_div p (Numbers.times (min v.ports.(u) v.ports.(v.f.root)) v.room)) [far.(u), v.parts]) v.living
      | All_to_all when not v.unlimited -> largest (fun u -> last_of (per_round v u) (spread_far v (v.from u) v.parts)) v.living
      | _ -> contributions ())

let hops v = List.fold_left (fun sum (o, d) -> sum + (v.from o).(d)) 0 (List.sort compare (Lazy.force v.packets))

let distance_sum v =
  if v.unlimited || not v.personal then Absent
  else if not v.symmetric then Value (Numbers.ceil_div (hops v) (together v))
  else if v.f.pattern = Isotropic then Value (Numbers.ceil_div (hops v) (Numbers.times v.c v.room))
  else Absent

let growth n c = let rec go t known = if known >= n then t else go (t + 1) (known * (c + 1)) in go 0 1

let known_everywhere v =
  let aggregated = v.unlimited || v.room > 1 in
  match v.f.pattern with
  | One_to_all | Reduced -> true
  | All_to_all -> aggregated
  | One_to_each -> aggregated && v.symmetric
  | Isotropic | Task -> aggregated && v.symmetric && v.f.collective = "alltoall"

let doubling v =
  if not (known_everywhere v) then Absent
  else if v.symmetric then
    Value ((if v.personal then 1 else Numbers.ceil_div v.parts (Numbers.times v.c v.room)) - 1 + growth v.n v.c)
  else Value (growth v.n (Array.fold_left max 0 v.ports))

(* Only the first of the numbers i of the page; the others count if a node does not send on all ports. *)
let far_nodes v =
  if not (v.symmetric && known_everywhere v) then Absent
  else if v.c < Array.length v.f.group.generators then Unknown
  else
    let start = match v.f.pattern with One_to_all | One_to_each -> v.f.root | _ -> 0 in
    let deepest, count = farther (v.from start) v.living in
    let suffices r =
      let reached = reached_by v.c r in
      let rec all j = j > deepest || (count.(j) <= reached j && all (j + 1)) in
      all 0 in
    let rec least r = if suffices r then r else least (r + 1) in
    let last = if v.personal then 1 else Numbers.ceil_div v.parts (Numbers.times v.c v.room) in
    let value = last - 1 + least 0 in
    let of_kind = function Value x -> x | _ -> 0 in
    if value <= max (of_kind (distance v)) (of_kind (doubling v)) then Absent else Value value

let work v =
  if v.unlimited || (v.personal && not v.symmetric) then Absent
  else
    let origin = if v.personal then hops v else Numbers.times (v.n - 1) (if v.f.pattern = Reduced then Numbers.times 2 v.parts else v.parts) in
    if v.f.limits.Checker.half_duplex then
      Value (Numbers.ceil_div (match v.f.pattern with All_to_all | Isotropic -> Numbers.times v.n origin | _ -> origin) (together v))
    else if v.f.pattern = Reduced then Value (Numbers.ceil_div origin (together v))
    else Absent

let all_learn v = match v.f.pattern with All_to_all | Reduced -> true | _ -> v.f.collective = "alltoall"
let half_of v = (v.n + 1) / 2

(* phi^t >= m: phi^t = a + b phi, and b phi >= m - a if b^2 + b (m - a) >= (m - a)^2. *)
let gossip v =
  if not (v.f.limits.Checker.half_duplex && all_learn v) then Absent
  else
    let m = half_of v in
    let rec go t a b = if a >= m || b * b + b * (m - a) >= (m - a) * (m - a) then t else go (t + 1) b (a + b) in
    Value (2 + go 0 1 0)

let fronts v =
  if not (v.f.limits.Checker.half_duplex && all_learn v && v.f.intact && Array.length v.f.group.generators = 2) then Absent
  else
    let m = half_of v in
    let rec root r = if r * r >= 4 * m then r else root (r + 1) in
    Value (m + root 0 - 1)

let ramp v =
  if v.unlimited || not (v.symmetric && v.f.pattern = One_to_all) then Absent
  else begin
    let half = v.f.limits.Checker.half_duplex in
    let messages = Numbers.ceil_div (Numbers.times (v.n - 1) v.parts) v.room in
    let far = v.from v.f.root in
    let at = Array.make (1 + eccentricity v v.f.root) 0 in
    List.iter (fun u -> at.(far.(u)) <- at.(far.(u)) + 1) v.living;
    let most = if half then v.n / 2 else v.c * (v.n - 1) in
    let rec go t spread near sent room =
      if sent >= messages then t
      else if room >= most then t + Numbers.ceil_div (messages - sent) most
      else
        let senders = min spread near in
        let near = if t + 1 < Array.length at then near + at.(t + 1) else near in
        let spread = min v.n (spread * (v.c + 1)) in
        let room = if half then min senders (near / 2) else v.c * min senders (near - 1) in
        go (t + 1) spread near (sent + room) room in
    Value (go 0 1 1 0 0)
  end

let root_sends v =
  let degree = Array.length v.f.group.generators in
  if v.unlimited || not (v.symmetric && v.f.pattern = One_to_all) || v.n < 3 || v.n * degree * degree > 1 lsl 22 then Absent
  else begin
    let without w = w <> v.f.root in
    let height = List.fold_left (fun best p ->
      let far = distances v.f.group v.f.works without (v.f.group.next v.f.root p) in
      if List.for_all (fun u -> u = v.f.root || far.(u) >= 0) v.living then min best (1 + largest (fun u -> far.(u)) v.living) else best)
      max_int (List.init degree Fun.id) in
    let room = Numbers.times v.c v.room in
    let suffices t =
      let once = if height = max_int || t + 1 <= height then 0 else Numbers.times (t + 1 - height) room in
      Numbers.times 2 v.parts <= Numbers.plus (Numbers.times room t) (min v.parts once) in
    let rec least low high = if low >= high then high else
      let middle = (low + high) / 2 in if suffices middle then least low middle else least (middle + 1) high in
    Value (least 0 (Numbers.ceil_div (Numbers.times 2 v.parts) room))
  end

(* With the weights that the plan states; without weights another program's choice decides. *)
let port_sum v =
  match v.f.bound with
  | Some { weights = Some w; _ } when v.symmetric && v.f.pattern = Isotropic && not v.unlimited ->
      let heaviest = List.filteri (fun i _ -> i < v.c) (List.sort (fun a b -> compare b a) (Array.to_list w)) in
      let capacity = Numbers.times (List.fold_left ( + ) 0 heaviest) v.room in
      if Array.length w <> Array.length v.f.group.generators || capacity = 0 then Absent
      else if v.room > 1 || (v.f.collective = "isotropic" && not v.f.stated) then Unknown
      else
        let far = weighted v.f.group w in
        let length = List.fold_left (fun sum (_, d) -> sum + far.(d)) 0 (Lazy.force v.packets) in
        Value (Numbers.ceil_div length capacity)
  | _ -> if v.f.intact && v.personal && v.f.pattern <> One_to_each && not v.unlimited then Unknown else Absent

let values = ["degree", degree; "distance", distance; "distance-sum", distance_sum; "port-sum", port_sum; "doubling", doubling;
              "ramp", ramp; "root-sends", root_sends; "work", work; "gossip", gossip; "fronts", fronts; "far-nodes", far_nodes]

(* The value of a kind. A network of one node has the degree bound 0 and no other; one that is cut in pieces has none. *)
let value v kind =
  if v.n = 1 then (if kind = "degree" then Value 0 else Absent)
  else if not (connected v) then Absent
  else match List.assoc_opt kind values with
    | Some f -> f v
    | None -> if List.mem kind unknown then Unknown else Absent

(* The kinds that may say more than is computed here. *)
let undecided v =
  if v.n = 1 || not (connected v) then []
  else
    let copies = Array.length v.f.group.generators > List.length (List.sort_uniq compare (Array.to_list v.f.group.generators)) in
    List.filter_map (fun (kind, applies) -> if applies then Some kind else None)
      ["far-nodes", far_nodes v = Unknown; "port-sum", port_sum v = Unknown;
       "cut", not v.unlimited && (v.f.pattern = One_to_each || not v.f.intact || copies);
       "paths", v.f.pattern = One_to_all && v.c > 1 && not v.unlimited; "prices", (v.f.pattern = Task || (v.f.collective = "alltoall" && not v.f.intact)) && not v.unlimited]
