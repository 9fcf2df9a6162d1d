(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* The plan file as a plan of the proof. The reader is not proved: docs/plan-file.md is its specification. It refuses what the format
   refuses, and says by name what the proof does not cover. *)
open Json

exception Outside of string  (* not covered by the proof *)
exception Wrong of string    (* a plan that can be read and is not valid *)

let refuse place text = raise (Refused (place ^ ": " ^ text))
let outside text = raise (Outside text)
let wrong text = raise (Wrong text)

type group = { moduli : int array; generators : int array; size : int; next : int -> int -> int }  (* a node, a port *)

type claims = { rounds : int; hops : int; optimal : bool option; link_load : int list option }
type bound = { kind : string; value : int; weights : int list option }

type t = {
  network : string; group : group; collective : string; parts : int;
  alive : int -> bool; works : int -> int -> bool; intact : bool;
  limits : Checker.limits; replication : Checker.replication; odd : int;
  kind : Checker.kind; traffic : Checker.traffics; numbers : int;
  moves : Checker.round list; copies : Checker.round list;
  bound : bound option; claims : claims option; counted_rounds : int; counted_hops : int; loads : int list }

(* Access with places. *)
let most = 1 lsl 32
let keys place allowed = function
  | Object members ->
      List.iter (fun (k, _) -> if not (List.mem k allowed) then refuse place (Printf.sprintf "\"%s\" is an unknown key" k)) members;
      members
  | _ -> refuse place "an object is needed"
let find members key = List.assoc_opt key members
let need place members key =
  match find members key with Some v -> v | None -> refuse place (Printf.sprintf "the key \"%s\" is missing" key)
let wide place = function Number i -> i | _ -> refuse place "a whole number is needed"
let number place v = let i = wide place v in if i >= most then refuse place "the number is 2^32 or more" else i
let text place = function Text s -> s | _ -> refuse place "a text is needed"
let items place = function List l -> l | _ -> refuse place "a list is needed"
let numbers place v = Numbers.list (number place) (items place v)

(* The group. *)
let order moduli = Array.fold_left (fun a m -> let r = a * m in if r >= most || m >= most then refuse "network" "2^32 nodes or more" else r) 1 moduli
let coordinates g v =
  let rest = ref v in
  let x = Array.make (Array.length g) 0 in
  for a = Array.length g - 1 downto 0 do x.(a) <- !rest mod g.(a); rest := !rest / g.(a) done;
  x
let node g x = let v = ref 0 in Array.iteri (fun a m -> v := !v * m + x.(a)) g; !v
let add g v w = let x = coordinates g v and y = coordinates g w in node g (Array.mapi (fun a m -> (x.(a) + y.(a)) mod m) g)
let negative g v = node g (Array.mapi (fun a c -> (g.(a) - c) mod g.(a)) (coordinates g v))
let sub g v w = add g v (negative g w)

(* v + g for one g and many v: only the coordinates that g changes are looked at. *)
let adder moduli g =
  let weight = ref 1 in
  let changes = ref [] in
  let x = coordinates moduli g in
  for a = Array.length moduli - 1 downto 0 do
    if x.(a) > 0 then changes := (!weight, moduli.(a), x.(a)) :: !changes;
    weight := !weight * moduli.(a)
  done;
  let changes = !changes in
  fun v -> List.fold_left (fun w (q, m, c) -> if v / q mod m + c < m then w + c * q else w - (m - c) * q) v changes

let split c s = String.split_on_char c s
let whole place s = match int_of_string_opt s with
  | Some i when i > 0 && s.[0] <> '0' && String.for_all (fun c -> c >= '0' && c <= '9') s -> i
  | _ -> refuse place (Printf.sprintf "\"%s\" is not a number of a network" s)

let circulant name =
  match split ':' name with
  | ["circulant"; n; jumps] ->
      let place = "network.name" in
      let n = whole place n in
      Some ([|n|], List.concat_map (fun j -> let j = whole place j in if 2 * j = n then [j] else [j; n - j]) (split ',' jumps), [])
  | _ -> None

(* Moduli, generators and open axes of the names that the reader knows. *)
let named name =
  let place = "network.name" in
  let axes extents =
    let g = Array.of_list extents in
    let gens = List.concat (List.mapi (fun a m ->
      let unit c = node g (Array.mapi (fun b _ -> if a = b then c else 0) g) in
      if m = 1 then [] else if m = 2 then [unit 1] else [unit 1; unit (m - 1)]) extents) in
    g, gens in
  let opened extents = List.concat (List.mapi (fun a m -> if m > 2 then [a] else []) extents) in
  match circulant name, String.index_opt name ':' with
  | Some c, _ -> Some c
  | None, None -> None
  | None, Some i ->
      let family = String.sub name 0 i and rest = String.sub name (i + 1) (String.length name - i - 1) in
      if String.contains rest '@' then outside ("networks with rates in their names, as " ^ name)
      else if String.contains rest ':' then outside ("products of networks, as " ^ name)
      else match family with
      | "hypercube" ->
          let d = whole place rest in
          if d > 31 then refuse place "a hypercube has at most 31 dimensions";
          Some (Array.make d 2, List.init d (fun j -> 1 lsl j), [])
      | "torus" -> let e = List.map (whole place) (split 'x' rest) in let g, gens = axes e in Some (g, gens, [])
      | "mesh" -> let e = List.map (whole place) (split 'x' rest) in let g, gens = axes e in Some (g, gens, opened e)
      | "ring" -> let e = [whole place rest] in let g, gens = axes e in Some (g, gens, [])
      | "line" -> let e = [whole place rest] in let g, gens = axes e in Some (g, gens, opened e)
      | "complete" -> let n = whole place rest in Some ([|n|], List.init (n - 1) succ, [])
      | "hexmesh" ->
          let n = whole place rest in
          let p = 3 * n * n - 3 * n + 1 in
          let m x = ((x mod p) + p) mod p in
          Some ([|p|], [m 1; m (-1); m (-(3 * n - 2)); m (3 * n - 2); m (-(3 * n - 1)); m (3 * n - 1)], [])
      | _ -> None

let read_group place version members implied =
  let listed key = Option.map (items (place ^ "." ^ key)) (find members key) in
  let moduli = match listed "moduli", implied with
    | Some l, _ -> Array.of_list (Numbers.list (number (place ^ ".moduli")) l)
    | None, Some (g, _, _) -> g
    | None, None -> refuse place "moduli are missing" in
  if Array.exists (fun m -> m = 0) moduli then refuse (place ^ ".moduli") "a modulus is 0";
  let size = order moduli in
  let generators = match listed "generators", implied with
    | Some l, _ ->
        Array.of_list (Numbers.list (fun v ->
          let place = place ^ ".generators" in
          let x = Array.of_list (numbers place v) in
          if Array.length x <> Array.length moduli then refuse place "a generator has one number per modulus";
          Array.iteri (fun a c -> if c >= moduli.(a) then refuse place "a coordinate is not below its modulus") x;
          node moduli x) l)
    | None, Some (_, gens, _) -> Array.of_list gens
    | None, None -> refuse place "generators are missing" in
  (match implied with
   | Some (g, gens, _) ->
       if g <> moduli || Array.of_list gens <> generators then refuse place "moduli or generators are not those of the name"
   | None -> ());
  let times = Hashtbl.create 16 in
  let count g = Option.value ~default:0 (Hashtbl.find_opt times g) in
  Array.iter (fun g -> Hashtbl.replace times g (count g + 1)) generators;
  Array.iter (fun g ->
    if g = 0 then refuse (place ^ ".generators") "a generator is 0";
    if count g > 1 && version = 1 then refuse (place ^ ".generators") "a generator is repeated";
    if count (negative moduli g) <> count g then refuse (place ^ ".generators") "the negative of a generator is missing") generators;
  let steps = Array.map (adder moduli) generators in
  { moduli; generators; size; next = (fun v p -> steps.(p) v) }

(* Distances from u over links that work; -1: not reached. *)
let distances group works alive u =
  let far = Array.make group.size (-1) in
  let queue = Queue.create () in
  far.(u) <- 0; Queue.add u queue;
  while not (Queue.is_empty queue) do
    let v = Queue.pop queue in
    for p = 0 to Array.length group.generators - 1 do
      if works v p then begin
        let w = group.next v p in
        if far.(w) < 0 && alive w then (far.(w) <- far.(v) + 1; Queue.add w queue)
      end
    done
  done;
  far

let plan_keys version =
  ["format"; "network"; "failed"; "collective"; "root"; "parts"; "ports"; "rounds"; "stages"; "bound"; "claims"]
  @ if version = 2 then
      ["overlay"; "open_axes"; "edges"; "destinations"; "deliveries"; "aggregation"; "window"; "waiting"; "barriers"; "step_limits"]
    else []

type stage = { flow : string; replicated : Checker.replication; listed : (int * int option * int * int) array option;
               rounds : (int * int * int) list list }

let read_replication place version group v =
  let axes list =
    let chosen = Array.make (Array.length group.moduli) false in
    if list = [] then refuse place "an axis is needed";
    List.iter (fun a ->
      if a >= Array.length chosen then refuse place "there is no such axis";
      if chosen.(a) then refuse place "an axis is repeated";
      if group.moduli.(a) mod 2 = 1 then refuse place "the modulus of the axis is odd";
      chosen.(a) <- true) list;
    Checker.Even (Array.to_list chosen) in
  match v with
  | None | Some (Text "none") -> Checker.Once
  | Some (Text "all") -> Checker.All
  | Some (Object [("even_axis", a)]) -> axes [number place a]
  | Some (Object [("even_axes", l)]) when version = 2 -> axes (numbers place l)
  | _ -> refuse place "the replication is \"none\", \"all\" or an even axis"

let read_stage version group degree index v =
  let place = Printf.sprintf "stages[%d]" index in
  let members = keys place (["flow"; "replication"; "packets"; "hops"] @ if version = 2 then ["sums"; "result"] else []) v in
  let flow = Option.map (text (place ^ ".flow")) (find members "flow") in
  (match flow with
   | Some ("exchange" | "reduce-then-copy" as f) when version = 2 -> outside ("the flow " ^ f)
   | Some ("copy" | "move" | "combine") | None -> ()
   | Some f -> refuse (place ^ ".flow") (Printf.sprintf "\"%s\" is not a flow" f));
  if find members "sums" <> None || find members "result" <> None then refuse place "sums and results belong to the flow exchange";
  let listed = Option.map (fun l -> Array.of_list (Numbers.list (fun v ->
    let place = place ^ ".packets" in
    match v with
    | List [o; d; b; j] ->
        let below what v = let x = number place v in if x >= group.size then wrong (place ^ ": there is no " ^ what ^ " of this number") else x in
        below "node" o, (match d with Text "all" -> None | d -> Some (below "node" d)), number place b, number place j
    | _ -> refuse place "a packet is [origin, to, block, part]") (items (place ^ ".packets") l))) (find members "packets") in
  let hop v =
    let place = place ^ ".hops" in
    match v with
    | List [i; f; p] ->
        let i = number place i and f = number place f and p = number place p in
        if f >= group.size then wrong (place ^ ": there is no node of this number");
        if p >= degree then wrong (place ^ ": there is no port of this number");
        i, f, p
    | _ -> refuse place "a hop is [packet, from, port]" in
  let rounds = Numbers.list (fun r -> Numbers.list hop (items (place ^ ".hops") r)) (items (place ^ ".hops") (need place members "hops")) in
  { flow = Option.value ~default:"" flow; replicated = read_replication (place ^ ".replication") version group (find members "replication"); listed; rounds }

let collectives = ["broadcast"; "scatter"; "gather"; "reduce"; "allgather"; "alltoall"; "reduce-scatter"; "allreduce"; "barrier"; "isotropic"; "task"]
let rooted = ["broadcast"; "scatter"; "gather"; "reduce"]

let of_json document =
  let top = "plan" in
  let version = match document with
    | Object m -> (match find m "format" with
        | Some (Text "isotrope-plan/1") -> 1 | Some (Text "isotrope-plan/2") -> 2
        | _ -> refuse "format" "the format is \"isotrope-plan/1\" or \"isotrope-plan/2\"")
    | _ -> refuse top "an object is needed" in
  let members = keys top (plan_keys version) document in
  let net = keys "network" ["name"; "moduli"; "generators"] (need top members "network") in
  let name = text "network.name" (need "network" net "name") in
  let implied = named name in
  let base = read_group "network" version net implied in
  let group = match find members "overlay" with
    | None -> base
    | Some v ->
        let g = read_group "overlay" version (keys "overlay" ["moduli"; "generators"] v) None in
        if g.size <> base.size then refuse "overlay" "the overlay has other nodes than the network";
        g in
  let degree = Array.length group.generators in
  let size = group.size in
  List.iter (fun k -> if find members k <> None then outside ("the key " ^ k)) ["edges"; "barriers"; "step_limits"];
  (match find members "waiting" with None | Some (Bool true) -> () | Some (Bool false) -> outside "waiting: false"
   | _ -> refuse "waiting" "true or false is needed");
  (match find members "window" with None -> () | Some v -> if number "window" v = 0 then refuse "window" "the window is at least 1");

  (* Links and nodes that work. *)
  let open_axes = match find members "open_axes" with None -> [] | Some l -> numbers "open_axes" l in
  (match implied with
   | Some (_, _, o) when o <> [] && open_axes <> o -> refuse "open_axes" "the open axes are not those of the name"
   | _ -> ());
  List.iter (fun a ->
    if a >= Array.length base.moduli || base.moduli.(a) < 3 then refuse "open_axes" "an axis of modulus 3 or more is needed") open_axes;
  if open_axes <> List.sort_uniq compare open_axes then refuse "open_axes" "axes are listed in ascending order";
  if open_axes <> [] && find members "overlay" <> None then outside "an overlay beside open axes";
  let dead = Hashtbl.create 16 and cut = Hashtbl.create 16 in
  let opposite p =
    let g = group.generators.(p) in
    let rank = ref 0 in
    for q = 0 to p - 1 do if group.generators.(q) = g then incr rank done;
    let minus = negative group.moduli g in
    let result = ref (-1) and left = ref !rank in
    Array.iteri (fun q h -> if h = minus then (if !left = 0 && !result < 0 then result := q; decr left)) group.generators;
    !result in
  (match find members "failed" with
   | None -> ()
   | Some v ->
       let f = keys "failed" ["nodes"; "links"] v in
       Option.iter (fun l -> List.iter (fun v ->
         if v >= size then wrong "failed.nodes: there is no node of this number";
         Hashtbl.replace dead v ()) (numbers "failed.nodes" l)) (find f "nodes");
       Option.iter (fun l -> List.iter (function
         | List [v; p] ->
             let v = number "failed.links" v and p = number "failed.links" p in
             if v >= size || p >= degree then wrong "failed.links: there is no such link";
             if find members "overlay" <> None then refuse "failed.links" "links of an overlay do not fail";
             Hashtbl.replace cut (v, p) ();
             Hashtbl.replace cut (add group.moduli v group.generators.(p), opposite p) ()
         | _ -> refuse "failed.links" "a link is [node, port]") (items "failed.links" l)) (find f "links"));
  let is_open v p = open_axes <> [] &&
    (let x = coordinates group.moduli v and g = coordinates group.moduli group.generators.(p) in
     List.exists (fun a -> (g.(a) = 1 && x.(a) = group.moduli.(a) - 1) || (g.(a) > 1 && x.(a) = 0)) open_axes) in
  let intact = Hashtbl.length dead = 0 && Hashtbl.length cut = 0 && open_axes = [] in
  let alive v = not (Hashtbl.mem dead v) in
  let works v p = intact || not (Hashtbl.mem cut (v, p) || is_open v p) in

  (* The task. *)
  let collective = text "collective" (need top members "collective") in
  let neighbourhood = match split ':' collective with
    | ["neighborhood"; a; b] -> Some (whole "collective" a, whole "collective" b)
    | _ -> None in
  if List.mem collective ["scan"; "exscan"] then outside ("the collective " ^ collective);
  if neighbourhood = None && not (List.mem collective collectives) then
    refuse "collective" (Printf.sprintf "\"%s\" is not a collective" collective);
  let root = match find members "root", List.mem collective rooted with
    | Some v, true -> let r = number "root" v in if r >= size then wrong "root: there is no node of this number" else r
    | None, false -> 0
    | None, true -> refuse "root" "the root is missing"
    | Some _, false -> refuse "root" "the collective has no root" in
  if not (alive root) && List.mem collective rooted then wrong "the root has failed";
  let parts = match find members "parts" with None -> 1 | Some v -> number "parts" v in
  if parts = 0 then refuse "parts" "there is at least one part";
  let strict = match find members "rounds" with
    | None | Some (Text "strict") -> true | Some (Text "combining") -> false
    | _ -> refuse "rounds" "rounds are \"strict\" or \"combining\"" in
  let per_link = match find members "aggregation", strict with
    | None, true -> Some 1
    | None, false -> None
    | Some v, false -> let a = wide "aggregation" v in if a < 2 then refuse "aggregation" "at least 2 packets" else Some a
    | Some _, true -> refuse "aggregation" "strict rounds have no aggregation" in
  let ports, half = match find members "ports" with
    | None -> degree, false
    | Some v ->
        let m = keys "ports" ["model"; "k"] v in
        let model = text "ports.model" (need "ports" m "model") in
        if model <> "k-port" && find m "k" <> None then refuse "ports" "k belongs to the model k-port";
        (match model with
         | "all-port" -> degree, false
         | "one-port" -> 1, false
         | "half-duplex" -> 1, true
         | "k-port" ->
             let k = number "ports.k" (need "ports" m "k") in
             if k = 0 || k > degree then refuse "ports.k" "k is 1 to the degree";
             k, false
         | _ -> refuse "ports.model" (Printf.sprintf "\"%s\" is not a port model" model)) in
  let limits = { Checker.per_link = Option.map Numbers.n per_link; ports = Numbers.n ports; half_duplex = half } in

  (* The stages. *)
  let stages = List.mapi (read_stage version group degree) (items "stages" (need top members "stages")) in
  if stages = [] then refuse "stages" "there is at least one stage";
  let first = List.hd stages in
  let sums = List.mem collective ["allreduce"; "barrier"] in
  (match stages, sums with
   | [_], false | [_; _], true -> ()
   | [_], true -> wrong "the collective takes two stages"
   | _, true -> outside "more than two stages of a sum"
   | _, false -> outside "several stages of a collective that is no sum");
  let collects = List.mem collective ["reduce"; "reduce-scatter"] in
  let flow_of i s = if s.flow <> "" then s.flow else if collects || (sums && i = 0) then "combine"
    else if sums || List.mem collective ["broadcast"; "allgather"] then "copy" else "move" in
  List.iteri (fun i s ->
    let combines = flow_of i s = "combine" in
    if combines <> (collects || (sums && i = 0)) then wrong (Printf.sprintf "stages[%d].flow does not fit the collective" i);
    if s.replicated <> first.replicated then wrong "the stages have different replications") stages;
  let replication = first.replicated in
  if replication <> Checker.Once && List.mem collective rooted then wrong "a collective with a root is not replicated";
  if replication <> Checker.Once && not intact then wrong "a plan with failures is not replicated";
  if not intact && (neighbourhood <> None || collective = "isotropic") && open_axes <> [] then
    refuse "open_axes" "the collective is defined on closed axes";

  (* Packets: origin, destination or all, block, part. *)
  let range n f = List.init n f in
  let implied_packets () =
    let per_node f = Array.init (size * parts) (fun i -> f (i / parts) (i mod parts)) in
    let once = replication = Checker.Once and all = replication = Checker.All in
    match collective with
    | "broadcast" when once -> Array.init parts (fun j -> root, None, 0, j)
    | "reduce" when once -> Array.init parts (fun j -> root, Some root, 0, j)
    | "allgather" when all -> Array.init parts (fun j -> 0, None, 0, j)
    | "reduce-scatter" when all -> Array.init parts (fun j -> 0, Some 0, 0, j)
    | "allreduce" | "barrier" when once || all -> Array.init parts (fun j -> 0, Some 0, 0, j)
    | "alltoall" when all -> per_node (fun x j -> 0, Some x, x, j)
    | "scatter" when once -> per_node (fun x j -> root, Some (add group.moduli root x), x, j)
    | "gather" when once -> per_node (fun x j -> add group.moduli root x, Some root, x, j)
    | _ -> refuse "stages[0].packets" "the collective does not imply the packets" in
  let packets = match first.listed with Some l when Array.length l > 0 -> l | _ -> implied_packets () in
  Array.iter (fun (_, _, _, j) -> if j >= parts then wrong "a packet names a part that does not exist") packets;
  (match stages with
   | [_; second] ->
       (match second.listed with
        | Some l when Array.length l > 0 ->
            if Array.length l <> Array.length packets then wrong "the stages have different numbers of packets";
            Array.iteri (fun i (o, d, _, _) ->
              let _, e, _, _ = packets.(i) in
              if d <> None then outside "a second stage that does not copy to all nodes";
              if Some o <> e then wrong "a packet of the second stage begins elsewhere") l
        | _ -> if first.listed <> None && first.listed <> Some [||] && replication <> Checker.Once && replication <> Checker.All then
                 refuse "stages[1].packets" "the packets are missing")
   | _ -> ());
  let to_all = List.mem collective ["broadcast"; "allgather"] in
  let blocks = Hashtbl.create 64 in  (* number of a block among those of its origin and destination *)
  let count = Hashtbl.create 64 in
  let destination i = match packets.(i) with
    | _, None, _, _ when not to_all -> wrong "a packet of the collective has one destination"
    | _, Some _, _, _ when to_all -> wrong "a packet of the collective goes to all nodes"
    | o, d, _, _ -> Option.value ~default:o d in
  Array.iteri (fun i (o, _, b, _) ->
    let d = destination i in
    if not (Hashtbl.mem blocks (o, d, b)) then begin
      let c = Option.value ~default:0 (Hashtbl.find_opt count (o, d)) in
      Hashtbl.replace blocks (o, d, b) c; Hashtbl.replace count (o, d) (c + 1)
    end) packets;
  let chosen = match replication with Checker.Even c -> c | _ -> [] in
  let parity v = let x = coordinates group.moduli v in
    List.fold_left ( + ) 0 (List.mapi (fun a c -> if c then x.(a) else 0) chosen) mod 2 in
  let odd = let rec first v = if v >= size then 0 else if parity v = 1 then v else first (v + 1) in if chosen = [] then 0 else first 0 in
  let shift_of o = match replication with
    | Checker.Once -> 0
    | Checker.All -> if o <> 0 then wrong "a listed packet of a replicated plan has origin 0" else 0
    | Checker.Even _ -> sub group.moduli (if parity o = 0 then 0 else odd) o in
  let shifts = Array.map (fun (o, _, _, _) -> shift_of o) packets in
  let relative = Array.mapi (fun i (o, _, b, j) ->
    let d = destination i in
    let number = Hashtbl.find blocks (o, d, b) * parts + j in
    let g = shifts.(i) in
    add group.moduli o g, add group.moduli d g, number) packets in
  let numbers_used = 1 + Array.fold_left (fun a (_, _, j) -> max a j) 0 relative in
  let packed = Array.map (fun (o, d, j) -> (Numbers.n o, Numbers.n d), Numbers.n j) relative in
  let node_numbers = if size <= 1 lsl 21 then Array.init size Numbers.n else [||] in
  let node_n v = if v < Array.length node_numbers then node_numbers.(v) else Numbers.n v in
  let port_n = Array.init degree Numbers.n in
  let rounds_of s = Numbers.list (Numbers.list (fun (i, f, p) ->
    if i >= Array.length packed then wrong "a hop names a packet that does not exist";
    packed.(i), (node_n (if shifts.(i) = 0 then f else add group.moduli f shifts.(i)), port_n.(p)))) s.rounds in

  (* The traffic that the collective asks for. *)
  let nodes = range size Fun.id in
  let living = List.filter alive nodes in
  let per_part f = List.concat_map (fun j -> f j) (range parts Fun.id) in
  let listed l = Checker.Listed (Numbers.list (fun (o, d, j) -> (Numbers.n o, Numbers.n d), Numbers.n j) (List.sort_uniq compare l)) in
  let symmetric l = Checker.Symmetric (Numbers.list (fun (d, j) -> Numbers.n d, Numbers.n j) (List.sort_uniq compare l)) in
  let own = List.filter (fun (o, _, _) -> o = 0) (Array.to_list relative) in
  let of_own () =
    let blocks o = List.sort_uniq compare (List.filter_map (fun (o', d, j) ->
      if o' = o && d <> o then Some (sub group.moduli d o, j) else None) (Array.to_list relative)) in
    if chosen <> [] && blocks odd <> blocks 0 then outside "traffic that differs between the classes of nodes";
    symmetric (blocks 0) in
  let pairs keep = List.concat_map (fun o -> List.concat_map (fun d -> if o <> d && keep o d then range parts (fun j -> o, d, j) else []) living) living in
  let kind, traffic =
    let own_numbers () = List.sort_uniq compare (Numbers.list (fun (_, _, j) -> j) own) in
    match collective with
    | "broadcast" -> Checker.Spread, listed (range parts (fun j -> root, root, j))
    | "reduce" -> Checker.Collect, listed (range parts (fun j -> root, root, j))
    | "allgather" | "reduce-scatter" ->
        (if collects then Checker.Collect else Checker.Spread),
        if intact then symmetric (range parts (fun j -> 0, j)) else listed (per_part (fun j -> Numbers.list (fun o -> o, o, j) living))
    | "scatter" -> Checker.Deliver, listed (per_part (fun j -> List.filter_map (fun v -> if v = root then None else Some (root, v, j)) living))
    | "gather" -> Checker.Deliver, listed (per_part (fun j -> List.filter_map (fun v -> if v = root then None else Some (v, root, j)) living))
    | "alltoall" ->
        Checker.Deliver,
        if intact then symmetric (per_part (fun j -> List.filter_map (fun v -> if v = 0 then None else Some (v, j)) nodes)) else listed (pairs (fun _ _ -> true))
    | "allreduce" | "barrier" ->
        Array.iter (fun (o, d, _) -> if o <> d then wrong "a packet of a sum ends where it begins") relative;
        Checker.Share,
        if replication = Checker.Once then begin
          let l = List.sort_uniq compare (Array.to_list relative) in
          if List.length l mod parts <> 0 then wrong "a block lacks a part";
          listed l
        end else begin
          let l = own_numbers () in
          if chosen <> [] && l <> List.sort_uniq compare (List.filter_map (fun (o, _, j) -> if o = odd then Some j else None) (Array.to_list relative)) then
            outside "sums that differ between the classes of nodes";
          if List.length l mod parts <> 0 then wrong "a block lacks a part";
          symmetric (Numbers.list (fun j -> 0, j) l)
        end
    | "isotropic" | "task" ->
        (match find members "destinations", find members "deliveries" with
         | None, None -> ()
         | _ -> outside "traffic that the plan states beside its packets");
        Checker.Deliver, if collective = "isotropic" && replication <> Checker.Once then of_own ()
                         else listed (List.filter (fun (o, d, _) -> o <> d) (Array.to_list relative))
    | _ ->
        let low, high = Option.get neighbourhood in
        let far = distances group (fun _ _ -> true) (fun _ -> true) 0 in
        let near d = far.(d) >= low && far.(d) <= high in
        Checker.Deliver,
        if intact then symmetric (per_part (fun j -> List.filter_map (fun v -> if v > 0 && near v then Some (v, j) else None) nodes))
        else listed (pairs (fun o d -> near (sub group.moduli d o))) in

  (* What the plan says of itself. *)
  let counted_rounds = List.fold_left (fun a (s : stage) -> a + List.length s.rounds) 0 stages in
  let counted_hops = List.fold_left (fun a (s : stage) -> List.fold_left (fun a r -> a + List.length r) a s.rounds) 0 stages in
  let class_of v = match replication with Checker.Once -> v | Checker.All -> 0 | Checker.Even _ -> parity v in
  let load round =
    let seen = Hashtbl.create 64 in
    List.fold_left (fun most (_, f, p) ->
      let l = class_of f, p in
      let c = 1 + Option.value ~default:0 (Hashtbl.find_opt seen l) in
      Hashtbl.replace seen l c; max most c) 0 round in
  let loads = if strict then [] else List.concat_map (fun (s : stage) -> Numbers.list load s.rounds) stages in
  let bound = Option.map (fun v ->
    let m = keys "bound" (["kind"; "value"; "because"] @ if version = 2 then ["weights"] else []) v in
    Option.iter (fun b -> ignore (text "bound.because" b)) (find m "because");
    { kind = text "bound.kind" (need "bound" m "kind"); value = wide "bound.value" (need "bound" m "value");
      weights = Option.map (numbers "bound.weights") (find m "weights") }) (find members "bound") in
  let claims = Option.map (fun v ->
    let m = keys "claims" ["rounds"; "hops"; "optimal"; "link_load"] v in
    { rounds = wide "claims.rounds" (need "claims" m "rounds"); hops = wide "claims.hops" (need "claims" m "hops");
      optimal = Option.map (function Bool b -> b | _ -> refuse "claims.optimal" "true or false is needed") (find m "optimal");
      link_load = (match find m "link_load", strict with
        | None, true -> None
        | Some _, true -> refuse "claims.link_load" "strict rounds have no loads"
        | None, false -> refuse "claims.link_load" "the loads are missing"
        | Some l, false -> Some (Numbers.list (wide "claims.link_load") (items "claims.link_load" l))) }) (find members "claims") in
  let moving = List.map2 (fun i s -> flow_of i s <> "copy", rounds_of s) (List.mapi (fun i _ -> i) stages) stages in
  { network = name; group; collective; parts; alive; works; intact; limits; replication; odd; kind; traffic; numbers = numbers_used;
    moves = List.concat_map (fun (m, r) -> if m then r else []) moving;
    copies = List.concat_map (fun (m, r) -> if m then [] else r) moving;
    bound; claims; counted_rounds; counted_hops; loads }

(* The plan of the proof. *)
let plan f : Checker.plan =
  let on = { Checker.moduli = Array.to_list (Array.map Numbers.n f.group.moduli);
             generators = Array.to_list (Array.map Numbers.n f.group.generators);
             failures = if f.intact then None
               else Some ((fun v -> f.alive (Numbers.int v)), (fun (v, p) -> f.works (Numbers.int v) (Numbers.int p))) } in
  { Checker.on; under = f.limits; task = f.kind; moved = f.traffic; replicated = f.replication; odd = Numbers.n f.odd;
    numbers = Numbers.n f.numbers; moves = f.moves; copies = f.copies }
