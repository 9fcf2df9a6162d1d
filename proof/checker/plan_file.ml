(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* The plan file as a plan of the proof. The reader is not proved: docs/plan-file.md is its specification. It refuses what the format
   refuses, and says by name what the proof does not cover. *)
open Json

exception Wrong of string    (* a plan that can be read and is not valid *)

let refuse = Names.refuse
let outside = Names.outside
let wrong text = raise (Wrong text)
let add = Names.add
let sub = Names.sub
let negative = Names.negative
let coordinates = Names.coordinates

type group = { moduli : int array; generators : int array; size : int; next : int -> int -> int }  (* a node, a port *)

type claims = { rounds : int; hops : int; optimal : bool option; link_load : int list option }
type bound = { kind : string; value : int; weights : int array option }

(* What the bounds distinguish. One_to_each: a packet of its own for every node, or from it. *)
type pattern = One_to_all | All_to_all | Reduced | One_to_each | Isotropic | Task

(* An exchange: node b is that of the packets of the vector, and a node adds the values of its result. *)
type exchange = { b : int; result : Checker.n -> Checker.n -> Checker.n list; messages : Checker.message list list }

type t = {
  network : string; group : group; collective : string; parts : int; root : int; pattern : pattern;
  alive : int -> bool; works : int -> int -> bool; intact : bool;
  limits : Checker.limits; replication : Checker.replication; odd : int;
  kind : Checker.kind; traffic : Checker.traffics; numbers : int;
  stated : bool;  (* whether the plan states the traffic of isotropic or task *)
  moves : Checker.round list; copies : Checker.round list; exchange : exchange option;
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

let read_group place version members (implied : Names.t option) =
  let listed key = Option.map (items (place ^ "." ^ key)) (find members key) in
  let moduli = match listed "moduli", implied with
    | Some l, _ -> Array.of_list (Numbers.list (number (place ^ ".moduli")) l)
    | None, Some n -> n.moduli
    | None, None -> refuse place "moduli are missing" in
  let size = Names.order (place ^ ".moduli") moduli in
  let generators = match listed "generators", implied with
    | Some l, _ ->
        Array.of_list (Numbers.list (fun v ->
          let place = place ^ ".generators" in
          let x = Array.of_list (numbers place v) in
          if Array.length x <> Array.length moduli then refuse place "a generator has one number per modulus";
          Array.iteri (fun a c -> if c >= moduli.(a) then refuse place "a coordinate is not below its modulus") x;
          Names.node moduli x) l)
    | None, Some n -> n.generators
    | None, None -> refuse place "generators are missing" in
  (match implied with
   | Some n -> if n.moduli <> moduli || n.generators <> generators then refuse place "moduli or generators are not those of the name"
   | None -> ());
  Names.check (place ^ ".generators") version moduli generators;
  let steps = Array.map (Names.adder moduli) generators in
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

(* Least sums of weights of ports, from node 0 of an intact network. *)
let weighted group weights =
  let far = Array.make group.size max_int in
  let module Q = Set.Make (struct type t = int * int let compare = compare end) in
  let queue = ref (Q.singleton (0, 0)) in
  far.(0) <- 0;
  while not (Q.is_empty !queue) do
    let (l, v) as least = Q.min_elt !queue in
    queue := Q.remove least !queue;
    if far.(v) = l then
      Array.iteri (fun p weight ->
        let w = group.next v p in
        if l + weight < far.(w) then (far.(w) <- l + weight; queue := Q.add (far.(w), w) !queue)) weights
  done;
  Array.map (fun l -> if l = max_int then 0 else l) far

(* The most nodes that are reached by j hops or more in r rounds, for every j: sums of C(r, l) c^l. *)
let reached_by c r =
  let row = Array.make (r + 2) 0 in
  row.(0) <- 1;
  for _ = 1 to r do
    for l = r downto 1 do row.(l) <- Numbers.plus row.(l) (Numbers.times c row.(l - 1)) done
  done;
  for l = r - 1 downto 0 do row.(l) <- Numbers.plus row.(l) row.(l + 1) done;
  fun j -> if j > r then 0 else row.(j)

(* The number of nodes at distance j or more, for every j. *)
let farther far living =
  let deepest = List.fold_left (fun a v -> max a far.(v)) 0 living in
  let count = Array.make (deepest + 2) 0 in
  List.iter (fun v -> count.(far.(v)) <- count.(far.(v)) + 1) living;
  for j = deepest - 1 downto 0 do count.(j) <- count.(j) + count.(j + 1) done;
  deepest, count

let plan_keys version =
  ["format"; "network"; "failed"; "collective"; "root"; "parts"; "ports"; "rounds"; "stages"; "bound"; "claims"]
  @ if version = 2 then
      ["overlay"; "open_axes"; "edges"; "destinations"; "deliveries"; "aggregation"; "window"; "chains"; "shares"; "waiting"; "barriers"; "step_limits"]
    else []

let flag place = function Bool b -> b | _ -> refuse place "true or false is needed"
let pairs place v = Numbers.list (function List [a; b] -> number place a, number place b | _ -> refuse place "a pair is needed") (items place v)
let triples place v =
  Numbers.list (function List [a; b; c] -> number place a, number place b, number place c | _ -> refuse place "three numbers are needed")
    (items place v)

(* * What works *)

(* The port that leads back over the link of port p: copy k of a generator goes with copy k of its negative. *)
let opposites group =
  let copies = Hashtbl.create 16 in
  Array.iteri (fun p g -> Hashtbl.replace copies g (p :: Option.value ~default:[] (Hashtbl.find_opt copies g))) group.generators;
  let of_generator g = Array.of_list (List.rev (Hashtbl.find copies g)) in
  let ranks = Hashtbl.create 16 in
  Array.map (fun g ->
    let k = Option.value ~default:0 (Hashtbl.find_opt ranks g) in
    Hashtbl.replace ranks g (k + 1);
    (of_generator (negative group.moduli g)).(k)) group.generators

type working = { alive : int -> bool; works : int -> int -> bool; intact : bool; survivors : int;
                 lacks : bool }  (* open axes, or edges *)

let read_open_axes group (implied : Names.t option) members =
  let axes = match find members "open_axes" with None -> [] | Some l -> numbers "open_axes" l in
  (match implied with
   | Some n when n.opened <> [] && axes <> n.opened -> refuse "open_axes" "the open axes are not those of the name"
   | _ -> ());
  if axes <> List.sort_uniq compare axes then refuse "open_axes" "axes are listed in ascending order, each once";
  let steps = Array.map (coordinates group.moduli) group.generators in
  List.iter (fun a ->
    if a >= Array.length group.moduli || group.moduli.(a) < 3 then refuse "open_axes" "an axis of modulus 3 or more is needed";
    let m = group.moduli.(a) in
    if Array.exists (fun x -> x.(a) > 1 && x.(a) < m - 1) steps then refuse "open_axes" "a link leads more than one step along the axis") axes;
  let closing v p =
    let x = coordinates group.moduli v in
    List.exists (fun a -> (steps.(p).(a) = 1 && x.(a) = group.moduli.(a) - 1) || (steps.(p).(a) > 1 && x.(a) = 0)) axes in
  axes <> [], closing

(* The links of "edges", both ways. *)
let read_edges group opposite members =
  Option.map (fun l ->
    let edges = pairs "edges" l in
    if edges = [] then refuse "edges" "there is at least one";
    let links = Hashtbl.create 64 in
    ignore (List.fold_left (fun (before, copies) (low, high) ->
      if high >= group.size then refuse "edges" "there is no node of this number";
      if low >= high then refuse "edges" "the lower node comes first";
      if (low, high) < before then refuse "edges" "edges are listed in ascending order";
      let generator = sub group.moduli high low in
      let copies = if (low, high) = before then copies else
        List.filter (fun p -> group.generators.(p) = generator) (List.init (Array.length group.generators) Fun.id) in
      match copies with
      | [] -> refuse "edges" "the network has no such link"
      | p :: rest -> Hashtbl.replace links (low, p) (); Hashtbl.replace links (high, opposite.(p)) (); (low, high), rest) ((0, 0), []) edges);
    links) (find members "edges")

(* Whether the links that work join all nodes that do. *)
let are_joined group working =
  let living = List.filter working.alive (List.init group.size Fun.id) in
  let seen = Array.make group.size false in
  let rec visit = function
    | [] -> ()
    | v :: rest ->
        let next = List.filter_map (fun p ->
          let w = group.next v p in
          if working.works v p && working.alive w && not seen.(w) then (seen.(w) <- true; Some w) else None)
          (List.init (Array.length group.generators) Fun.id) in
        visit (List.rev_append next rest) in
  (match living with [] -> () | v :: _ -> seen.(v) <- true; visit [v]);
  List.for_all (fun v -> seen.(v)) living

(* [over] is the network whose ports hops use: with an overlay, the machine routes messages round the links that [group] lacks. *)
let read_working group over implied members =
  let opposite = opposites group in
  let degree = Array.length group.generators in
  let dead = Hashtbl.create 16 and cut = Hashtbl.create 16 in
  Option.iter (fun v ->
    let f = keys "failed" ["nodes"; "links"] v in
    Option.iter (fun l -> List.iter (fun v ->
      if v >= group.size then wrong "failed.nodes: there is no node of this number";
      Hashtbl.replace dead v ()) (numbers "failed.nodes" l)) (find f "nodes");
    Option.iter (fun l -> List.iter (fun (v, p) ->
      if v >= group.size || p >= degree then wrong "failed.links: there is no such link";
      Hashtbl.replace cut (v, p) ();
      Hashtbl.replace cut (group.next v p, opposite.(p)) ()) (pairs "failed.links" l)) (find f "links")) (find members "failed");
  let opened, closing = read_open_axes group implied members in
  let edges = read_edges group opposite members in
  let lacks = opened || edges <> None in
  let intact = Hashtbl.length dead = 0 && Hashtbl.length cut = 0 && not lacks in
  let working =
    { alive = (fun v -> not (Hashtbl.mem dead v)); intact; lacks; survivors = group.size - Hashtbl.length dead;
      works = (fun v p -> intact || not (Hashtbl.mem cut (v, p) || (opened && closing v p)) &&
                                    (match edges with None -> true | Some l -> Hashtbl.mem l (v, p))) } in
  if over == group then working
  else if not (are_joined group working) then wrong "no links join some of the nodes, so the machine cannot route between them"
  else { working with intact = Hashtbl.length dead = 0; lacks = false; works = (fun _ _ -> true) }

(* * The task, and its limits *)
let collectives =
  ["broadcast", One_to_all; "reduce", One_to_all; "allgather", All_to_all; "reduce-scatter", All_to_all; "scatter", One_to_each;
   "gather", One_to_each; "alltoall", Isotropic; "isotropic", Isotropic; "task", Task; "allreduce", Reduced; "barrier", Reduced]
let aliases =
  ["single-node-broadcast", "broadcast"; "single-node-scatter", "scatter"; "personalized", "scatter"; "multinode-broadcast", "allgather";
   "total-exchange", "alltoall"; "global-sum", "allreduce"; "prefix-sum", "scan"]
let rooted = ["broadcast"; "scatter"; "gather"; "reduce"]

let read_collective version size members =
  let name = text "collective" (need "plan" members "collective") in
  let name = Option.value ~default:name (List.assoc_opt name aliases) in
  let distance s = if s <> "" && String.for_all (fun c -> c >= '0' && c <= '9') s then Numbers.of_digits s else None in
  match String.split_on_char ':' name with
  | ["neighborhood"; a; b] ->
      (match distance a, distance b with
       | Some a, Some b when 1 <= a && a <= b && b < size -> name, Isotropic, Some (a, b)
       | _ -> refuse "collective" "neighborhood:K:L needs 1 <= K <= L, below the number of nodes")
  | _ ->
      if List.mem name ["scan"; "exscan"] then
        if version = 2 then outside ("the collective " ^ name) else refuse "collective" (name ^ " belongs to version 2");
      match List.assoc_opt name collectives with
      | Some pattern -> name, pattern, None
      | None -> refuse "collective" (Printf.sprintf "\"%s\" is not a collective" name)

let read_root size collective alive members =
  match find members "root", List.mem collective rooted with
  | Some v, true ->
      let r = number "root" v in
      if r >= size then wrong "root: there is no node of this number";
      if not (alive r) then wrong "the root has failed";
      r
  | None, false -> 0
  | None, true -> refuse "root" "the root is missing"
  | Some _, false -> refuse "root" "the collective has no root"

(* Whether rounds are strict, and the limits of a round. *)
let read_limits degree members =
  let strict = match find members "rounds" with
    | None | Some (Text "strict") -> true | Some (Text "combining") -> false
    | _ -> refuse "rounds" "rounds are \"strict\" or \"combining\"" in
  let per_link = match find members "aggregation", strict with
    | None, true -> Some 1
    | None, false -> None
    | Some v, false -> 
        let a = wide "aggregation" v in
        if a < 2 || a = Numbers.huge then refuse "aggregation" "2 packets or more, below 2^64 - 1" else Some a
    | Some _, true -> refuse "aggregation" "strict rounds have no aggregation" in
  let ports, half_duplex = match find members "ports" with
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
  strict, { Checker.per_link = Option.map Numbers.n per_link; ports = Numbers.n ports; half_duplex }

(* Keys that say when packets move are not covered; their form is checked. *)
let read_execution members =
  Option.iter (fun v ->
    let window = number "window" v in
    if window < 1 || window > 4 then refuse "window" "the window is 1 to 4";
    let all_ports = match find members "ports" with
      | Some (Object ports) -> find ports "model" = Some (Text "all-port") | Some _ -> false | None -> true in
    let one_stage = match find members "stages" with Some (List [_]) -> true | _ -> false in
    let flow = List.mem (find members "collective") [Some (Text "broadcast"); Some (Text "reduce")] in
    if window > 1 && not (flow && all_ports && one_stage && find members "rounds" <> Some (Text "combining")) then
      refuse "window" "only broadcasts and reduces with strict rounds over all ports have a window") (find members "window");
  Option.iter (fun v ->
    let parts = match find members "parts" with None -> 1 | Some p -> number "parts" p in
    let n = number "chains" v in
    if n = 0 || parts mod n <> 0 then refuse "chains" "the chains divide the parts";
    if n > 32 then refuse "chains" "at most 32 chains are allowed";
    if n > 1 && find members "rounds" <> Some (Text "combining") then refuse "chains" "strict rounds have no chains") (find members "chains");
  Option.iter (fun l ->
    let weights = Numbers.list (number "shares") (items "shares" l) in
    if List.length weights = 1 || List.mem 0 weights || List.fold_left ( + ) 0 weights >= 1 lsl 32 then
      refuse "shares" "two weights or more are needed, from 1 on, less than 2^32 in all";
    if weights <> [] && find members "rounds" <> Some (Text "combining") then refuse "shares" "strict rounds have no shares";
    if weights <> [] && (match find members "chains" with Some c -> number "chains" c > 1 | None -> false) then
      refuse "shares" "shares and chains do not go together") (find members "shares");
  Option.iter (fun l -> ignore (Numbers.list (wide "barriers") (items "barriers" l))) (find members "barriers");
  Option.iter (fun v ->
    let m = keys "step_limits" ["sends"; "load"] v in
    List.iter (fun k -> ignore (number ("step_limits." ^ k) (need "step_limits" m k))) ["sends"; "load"]) (find members "step_limits");
  let waits = match find members "waiting" with None -> true | Some v -> flag "waiting" v in
  if not waits then Some "waiting: false"
  else List.find_map (fun k -> if find members k <> None then Some ("the key " ^ k) else None) ["barriers"; "step_limits"]

(* * Stages *)
type replication = Replicated of Checker.replication | Symmetric of int list * int list  (* translations, reflections: axes *)
type stage = { flow : string; replicated : Checker.replication; listed : (int * int option * int * int) array option;
               rounds : (int * int * int) list list; sums : (int * int list) array; results : int list array }

let read_replication place version group v =
  let axes list =
    let chosen = Array.make (Array.length group.moduli) false in
    if list = [] then refuse place "an axis is needed";
    List.iter (fun a ->
      if a >= Array.length chosen then refuse place "there is no such axis";
      if chosen.(a) then refuse place "an axis is repeated";
      if group.moduli.(a) mod 2 = 1 then refuse place "the modulus of the axis is odd";
      chosen.(a) <- true) list;
    Replicated (Checker.Even (Array.to_list chosen)) in
  match v with
  | None | Some (Text "none") -> Replicated Checker.Once
  | Some (Text "all") -> Replicated Checker.All
  | Some (Object [("even_axis", a)]) -> axes [number place a]
  | Some (Object [("even_axes", l)]) when version = 2 -> axes (numbers place l)
  | Some (Object l) when version = 2 && List.for_all (fun (k, _) -> k = "translations" || k = "reflections") l ->
      let axes key = match find l key with None -> [] | Some v -> numbers place v in
      let translations = axes "translations" and reflections = axes "reflections" in
      let all = translations @ reflections in
      if all = [] then refuse place "an axis is needed";
      if List.exists (fun a -> a >= Array.length group.moduli) all then refuse place "there is no such axis";
      if List.length (List.sort_uniq compare all) < List.length all then refuse place "an axis is repeated";
      if List.exists (fun a -> group.moduli.(a) mod 2 = 1) reflections then refuse place "the modulus of a reflected axis is odd";
      Symmetric (translations, reflections)
  | _ -> refuse place "the replication is \"none\", \"all\", an even axis, or translations and reflections"

(* The symmetries of a stage, each as its images of nodes and ports. The k-th port of a generator has the k-th port of its mirror image. *)
let symmetries place group translations reflections =
  let mirrored axis =
    let taken = Array.make (Array.length group.generators) false in
    let image g =
      let x = coordinates group.moduli g in
      x.(axis) <- (group.moduli.(axis) - x.(axis)) mod group.moduli.(axis);
      let g = Names.node group.moduli x in
      let rec from p =
        if p = Array.length taken then refuse place "a link has no mirror image"
        else if taken.(p) || group.generators.(p) <> g then from (p + 1)
        else (taken.(p) <- true; p) in
      from 0 in
    let ports = Array.map image group.generators in
    let node v =
      let x = coordinates group.moduli v in
      x.(axis) <- group.moduli.(axis) - 1 - x.(axis);
      Names.node group.moduli x in
    node, fun p -> ports.(p) in
  let moved axis by =
    let shift = Array.make (Array.length group.moduli) 0 in
    shift.(axis) <- by;
    add group.moduli (Names.node group.moduli shift), Fun.id in
  let compose (f, g) (f', g') = (fun v -> f' (f v)), (fun p -> g' (g p)) in
  let along axis steps all = List.concat_map (fun s -> List.map (compose s) (steps axis)) all in
  let translated = List.fold_left (fun all axis -> along axis (fun a -> List.init group.moduli.(a) (moved a)) all)
    [Fun.id, Fun.id] translations in
  List.fold_left (fun all axis -> along axis (fun a -> [(Fun.id, Fun.id); mirrored a]) all) translated reflections

(* All packets and hops of a symmetric stage. *)
let with_images symmetries packets rounds =
  let size = List.length symmetries in
  let hops = List.fold_left (fun a r -> a + List.length r) 0 rounds in
  if Numbers.times size (max hops (Array.length packets)) > 1 lsl 28 then refuse "stages" "more than 2^28 images";
  let packet (o, d, b, j) = Array.of_list (Numbers.list (fun (f, _) -> f o, Option.map f d, b, j) symmetries) in
  let hop (i, from, p) = List.mapi (fun e (f, g) -> i * size + e, f from, g p) symmetries in
  Array.concat (Array.to_list (Array.map packet packets)), Numbers.list (List.concat_map hop) rounds

let read_packets place size parts v =
  let place = place ^ ".packets" in
  Array.of_list (Numbers.list (function
    | List [o; d; b; j] ->
        let node v = let x = number place v in if x >= size then wrong (place ^ ": there is no node of this number") else x in
        let part = number place j in
        if part >= parts then wrong (place ^ ": there is no part of this number");
        node o, (match d with Text "all" -> None | d -> Some (node d)), number place b, part
    | _ -> refuse place "a packet is [origin, to, block, part]") (items place v))

let read_hops place size degree v =
  let place = place ^ ".hops" in
  let hop = function
    | List [i; f; p] ->
        let i = number place i and f = number place f and p = number place p in
        if f >= size then wrong (place ^ ": there is no node of this number");
        if p >= degree then wrong (place ^ ": there is no port of this number");
        i, f, p
    | _ -> refuse place "a hop is [packet, from, port]" in
  Numbers.list (fun r -> Numbers.list hop (items place r)) (items place v)

(* The sums and the results of an exchange, which lists no packets. *)
let read_sums place parts members =
  if find members "packets" <> None then refuse (place ^ ".packets") "an exchange has sums instead";
  let list key f = match find members key with
    | None -> [||]
    | Some v -> Array.of_list (Numbers.list f (items (place ^ "." ^ key) v)) in
  let sum = function
    | List [j; l] ->
        let j = number (place ^ ".sums") j in
        if j >= parts then refuse (place ^ ".sums") "there is no part of this number";
        j, numbers (place ^ ".sums") l
    | _ -> refuse (place ^ ".sums") "a sum is [part, values]" in
  let sums = list "sums" sum in
  if Array.exists (fun (_, l) -> l = []) sums then wrong "a sum has no value";
  sums, list "result" (numbers (place ^ ".result"))

let read_stage version group degree parts index v =
  let place = Printf.sprintf "stages[%d]" index in
  let members = keys place (["flow"; "replication"; "packets"; "hops"] @ if version = 2 then ["sums"; "result"] else []) v in
  let flow = Option.map (text (place ^ ".flow")) (find members "flow") in
  (match flow with
   | Some ("exchange" | "reduce-then-copy" as f) when version = 1 -> refuse (place ^ ".flow") (f ^ " belongs to version 2")
   | Some "reduce-then-copy" -> outside "the flow reduce-then-copy"
   | Some ("copy" | "move" | "combine" | "exchange") | None -> ()
   | Some f -> refuse (place ^ ".flow") (Printf.sprintf "\"%s\" is not a flow" f));
  let exchanges = flow = Some "exchange" in
  if not exchanges then List.iter (fun k -> match find members k with
    | None | Some (List []) -> ()
    | Some _ -> refuse place (k ^ " belongs to the flow exchange")) ["sums"; "result"];
  let sums, results = if exchanges then read_sums place parts members else [||], [||] in
  let listed = if exchanges then None else Option.map (read_packets place group.size parts) (find members "packets") in
  let rounds = read_hops place group.size degree (need place members "hops") in
  let stage replicated listed rounds = { flow = Option.value ~default:"" flow; replicated; listed; rounds; sums; results } in
  match read_replication (place ^ ".replication") version group (find members "replication"), listed with
  | Replicated r, _ -> stage r listed rounds
  | Symmetric (translations, reflections), Some packets ->
      let packets, rounds = with_images (symmetries place group translations reflections) packets rounds in
      stage Checker.Once (Some packets) rounds
  | Symmetric _, None -> refuse place "a symmetric stage lists its packets, and is no exchange"

(* The stages with their flows; a sum at every node takes two. *)
let read_stages version group degree parts pattern collective intact members =
  let stages = List.mapi (read_stage version group degree parts) (items "stages" (need "plan" members "stages")) in
  if stages = [] then refuse "stages" "there is at least one stage";
  let first = List.hd stages in
  let sums = pattern = Reduced in
  let combines i = i = 0 && (sums || List.mem collective ["reduce"; "reduce-scatter"]) in
  let flow_of i s = if s.flow <> "" then s.flow else if combines i then "combine"
    else if sums || List.mem collective ["broadcast"; "allgather"; "reduce"; "reduce-scatter"] then "copy" else "move" in
  let stages = List.mapi (fun i s -> { s with flow = flow_of i s }) stages in
  List.iteri (fun i s ->
    if s.flow = "exchange" then begin
      if not sums then wrong "an exchange leaves every node with the sum of all";
      if List.length stages > 1 then wrong "an exchange is the only stage"
    end
    else if (s.flow = "combine") <> combines i then wrong (Printf.sprintf "stages[%d].flow does not fit the collective" i);
    if s.replicated <> first.replicated then wrong "the stages have different replications") stages;
  if first.replicated <> Checker.Once && List.mem collective rooted then wrong "a collective with a root is not replicated";
  if first.replicated <> Checker.Once && not intact then wrong "a plan with failures is not replicated";
  (match stages, sums with
   | [_], false | [_; _], true | [{ flow = "exchange"; _ }], true -> ()
   | [_], true -> wrong "the collective takes two stages"
   | _, true -> outside "more than two stages of a sum"
   | _, false -> outside "several stages of a collective that is no sum");
  stages

(* * Packets *)

type packets = Listed_packets of (int * int option * int * int) array | Implied of (unit -> (int * int option * int * int) array)

(* Those of a stage: listed, or implied by the collective. An empty list is a list if nothing is implied. *)
let packets_of group parts collective root index stage =
  let once = stage.replicated = Checker.Once and all = stage.replicated = Checker.All in
  let each f () = Array.init parts f in
  let per_node f () = Array.init (group.size * parts) (fun i -> f (i / parts) (i mod parts)) in
  let whole o j = o, (if stage.flow = "combine" then Some o else None), 0, j in
  let implied = match collective with
    | ("broadcast" | "reduce") when once -> Some (each (whole root))
    | ("allgather" | "reduce-scatter") when all -> Some (each (whole 0))
    | ("allreduce" | "barrier") when (once || all) && stage.flow <> "move" -> Some (each (whole 0))
    | "alltoall" when all -> Some (per_node (fun x j -> 0, Some x, x, j))
    | "scatter" when once -> Some (per_node (fun x j -> root, Some (add group.moduli root x), x, j))
    | "gather" when once -> Some (per_node (fun x j -> add group.moduli root x, Some root, 0, j))
    | _ -> None in
  match stage.listed, implied with
  | Some l, _ when Array.length l > 0 -> Listed_packets l
  | _, Some f -> Implied f
  | Some l, None -> Listed_packets l
  | None, None -> refuse (Printf.sprintf "stages[%d].packets" index) "the collective does not imply the packets"

(* A stage with fewer hops than its packets need delivers nothing; this comes before memory is spent on packets that a small file implies. *)
let packets_of group parts collective root working index stage =
  let others = working.survivors - 1 in
  let hops = List.fold_left (fun a r -> a + List.length r) 0 stage.rounds in
  let suffice needed = if needed > hops then wrong "the hops are too few to deliver the packets" in
  match packets_of group parts collective root index stage with
  | Implied packets -> suffice (Numbers.times parts others); packets ()
  | Listed_packets packets ->
      let least (o, d, _, _) = match d with
        | None -> others
        | Some d -> if stage.flow = "combine" then others else if o = d then 0 else 1 in
      suffice (Array.fold_left (fun a q -> Numbers.plus a (least q)) 0 packets);
      packets

let check_packets collective root working stage packets =
  let listed = match stage.listed with Some l -> Array.length l > 0 | None -> false in
  Array.iter (fun (o, d, _, _) ->
    if listed && (not (working.alive o) || (match d with Some d -> not (working.alive d) | None -> false)) then
      wrong "a listed packet begins or ends at a failed node";
    if stage.replicated = Checker.All && o <> 0 then wrong "a listed packet of a replicated plan has origin 0";
    (match stage.flow, d with
     | "combine", Some d -> if d <> o then wrong "a combined packet ends at its origin"
     | ("combine" | "move"), None -> wrong "a packet that is moved or combined has one destination"
     | _ -> ());
    let fits = match collective with
      | "broadcast" -> o = root && d = None
      | "scatter" -> o = root && d <> None
      | "gather" | "reduce" -> d = Some root
      | "allgather" -> d = None
      | "allreduce" | "barrier" -> stage.flow = "combine" || d = None
      | _ -> d <> None in
    if not fits then wrong "a packet is no part of the collective") packets

(* The second stage of a sum begins where the first one ends. *)
let check_chain packets later =
  if Array.length later <> Array.length packets then wrong "the stages have different numbers of packets";
  Array.iteri (fun i (o, _, _, _) ->
    let _, e, _, _ = packets.(i) in
    if e <> None && Some o <> e then wrong "a packet of the second stage begins elsewhere") later

(* Packets of the proof: origin and destination, moved to node 0 or to the odd node, and a number. Blocks are told apart only if an origin
   and a destination have several. *)
type relative = { packed : (int * int * int) array; shifts : int array; odd : int }

let parity group chosen =
  let chosen = Array.of_list chosen in
  fun v -> let x = coordinates group.moduli v in
    let sum = ref 0 in
    Array.iteri (fun a c -> if c then sum := !sum + x.(a)) chosen;
    !sum mod 2

let relative group parts collective replication packets =
  let chosen = match replication with Checker.Even c -> c | _ -> [] in
  let parity = parity group chosen in
  let odd = if chosen = [] then 0 else let rec first v = if v >= group.size || parity v = 1 then v else first (v + 1) in first 0 in
  let shifts = Array.map (fun (o, _, _, _) -> match replication with
    | Checker.Even _ -> sub group.moduli (if parity o = 0 then 0 else odd) o
    | _ -> 0) packets in
  let counts_blocks = List.mem collective ["isotropic"; "task"] ||
                      (replication = Checker.Once && List.mem collective ["allreduce"; "barrier"]) in
  let blocks = Hashtbl.create 64 and count = Hashtbl.create 64 and seen = Hashtbl.create 64 in
  let number key b =
    if not counts_blocks then 0 else
    match Hashtbl.find_opt blocks (key, b) with
    | Some n -> n
    | None ->
        let n = Option.value ~default:0 (Hashtbl.find_opt count key) in
        Hashtbl.replace blocks (key, b) n; Hashtbl.replace count key (n + 1); n in
  let packed = Array.mapi (fun i (o, d, b, j) ->
    let d = Option.value ~default:o d in
    let g = shifts.(i) in
    let o, d = if g = 0 then o, d else add group.moduli o g, add group.moduli d g in
    let q = o, d, number (o, d) b * parts + j in
    if Hashtbl.mem seen q then outside "a packet that is listed twice";
    Hashtbl.add seen q ();
    q) packets in
  { packed; shifts; odd }

(* The hops of a stage, moved with their packets. *)
let rounds_of group relative =
  let packed = Numbers.list (fun (o, d, j) -> (Numbers.n o, Numbers.n d), Numbers.n j) (Array.to_list relative.packed) |> Array.of_list in
  let nodes = if group.size <= 1 lsl 21 then Array.init group.size Numbers.n else [||] in
  let node v = if v < Array.length nodes then nodes.(v) else Numbers.n v in
  let ports = Array.init (Array.length group.generators) Numbers.n in
  fun stage -> Numbers.list (Numbers.list (fun (i, f, p) ->
    if i >= Array.length packed then wrong "a hop names a packet that does not exist";
    let g = relative.shifts.(i) in
    packed.(i), (node (if g = 0 then f else add group.moduli f g), ports.(p)))) stage.rounds

(* * Exchanges *)
let read_exchange group parts working stage =
  let hops = List.fold_left (fun a r -> a + List.length r) 0 stage.rounds in
  if hops > (1 lsl 31) / group.size / group.size then outside "an exchange of more than 2^31 hops times nodes times nodes";
  let classes, class_of = match stage.replicated with
    | Checker.Once -> group.size, Fun.id
    | Checker.All -> 1, (fun _ -> 0)
    | Checker.Even c -> 2, parity group c in
  let given = Array.length stage.results in
  if given <> parts && given <> parts * classes then wrong "the result has one list per part, or one per part and class of nodes";
  let results = Array.map (Numbers.list Numbers.n) stage.results in
  let result j v =
    let j = Numbers.int j in
    if j >= parts then [] else results.(if given = parts then j else j * classes + class_of (Numbers.int v)) in
  let sums = Array.map (fun (j, l) -> Numbers.n j, Numbers.list Numbers.n l) stage.sums in
  let message (i, f, p) =
    if i >= Array.length sums then wrong "a hop names a sum that does not exist";
    let part, adds = sums.(i) in
    { Checker.part; adds; over = (Numbers.n f, Numbers.n p) } in
  let b = let rec first v = if v >= group.size || working.alive v then v else first (v + 1) in first 0 in
  if b >= group.size then wrong "every node has failed";
  { b; result; messages = Numbers.list (Numbers.list message) stage.rounds }

(* * Traffic: what the collective asks for *)
let listed l = Checker.Listed (Numbers.list (fun (o, d, j) -> (Numbers.n o, Numbers.n d), Numbers.n j) (List.sort_uniq compare l))
let symmetric l = Checker.Symmetric (Numbers.list (fun (d, j) -> Numbers.n d, Numbers.n j) (List.sort_uniq compare l))

(* The traffic that the plan states must be what it lists: packets by class of the origin and relative destination. *)
let check_stated group parts working relative replication members =
  let stated = match find members "destinations", find members "deliveries" with
    | None, None -> None
    | Some l, _ -> Some (Numbers.list (fun (d, b) -> None, d, b) (pairs "destinations" l))
    | None, Some l -> Some (Numbers.list (fun (o, d, b) -> Some o, d, b) (triples "deliveries" l)) in
  Option.iter (fun stated ->
    List.iter (fun (o, d, _) ->
      if Option.value ~default:0 o >= group.size || d >= group.size then wrong "the traffic names a node that does not exist") stated;
    let origins = match replication with
      | Checker.All -> [0] | Checker.Even _ -> [0; relative.odd]
      | Checker.Once -> List.filter working.alive (List.init group.size Fun.id) in
    let moved o = match replication with
      | Checker.All -> 0 | Checker.Once -> o
      | Checker.Even c -> if parity group c o = 0 then 0 else relative.odd in
    let wanted = Hashtbl.create 64 and found = Hashtbl.create 64 in
    let add_to table key n = Hashtbl.replace table key (n + Option.value ~default:0 (Hashtbl.find_opt table key)) in
    List.iter (fun (o, d, blocks) ->
      let want o d = if o <> d && blocks > 0 && working.alive o && working.alive d then
        add_to wanted (moved o, sub group.moduli d o) (blocks * parts) in
      match o with
      | Some o -> want o d
      | None -> List.iter (fun o -> want o (add group.moduli o d)) origins) stated;
    Array.iter (fun (o, d, _) -> if o <> d then add_to found (moved o, sub group.moduli d o) 1) relative.packed;
    let contents t = List.sort compare (Hashtbl.fold (fun k n l -> (k, n) :: l) t []) in
    if contents wanted <> contents found then wrong "the packets are not those of the traffic that the plan states") stated

(* Every part of every block must be there; this comes before memory is spent on what a small file asks for. *)
let check_number parts collective working replication packets =
  let n = working.survivors in
  let origins = match replication with Checker.Once -> n | Checker.All -> 1 | Checker.Even _ -> 2 in
  let blocks = match collective with
    | "isotropic" | "task" -> 0
    | "scatter" | "gather" -> n - 1
    | "allgather" | "reduce-scatter" -> origins
    | "alltoall" -> Numbers.times origins (n - 1)
    | _ -> if n = 1 && String.starts_with ~prefix:"neighborhood" collective then 0 else 1 in
  if Numbers.times blocks parts > Array.length packets then wrong "packets of the collective are missing";
  if String.contains collective ':' && not working.intact && n > 1 lsl 13 then outside "neighbourhoods around failures in more than 2^13 nodes"

let traffic_of group parts collective root neighbourhood working relative replication =
  let all = Array.to_list relative.packed in
  let range n f = List.init n f in
  let living = List.filter working.alive (range group.size Fun.id) in
  let per_part f = List.concat_map f (range parts Fun.id) in
  let others f = per_part (fun j -> List.filter_map (fun v -> if v = root then None else Some (f v j)) living) in
  let all_pairs keep = List.concat_map (fun o -> List.concat_map (fun d ->
    if o <> d && keep o d then range parts (fun j -> o, d, j) else []) living) living in
  let numbers o = List.sort_uniq compare (List.filter_map (fun (o', _, j) -> if o' = o then Some j else None) all) in
  match collective with
  | "broadcast" | "reduce" -> listed (range parts (fun j -> root, root, j))
  | "allgather" | "reduce-scatter" ->
      if working.intact then symmetric (range parts (fun j -> 0, j)) else listed (per_part (fun j -> Numbers.list (fun o -> o, o, j) living))
  | "scatter" -> listed (others (fun v j -> root, v, j))
  | "gather" -> listed (others (fun v j -> v, root, j))
  | "alltoall" when working.intact -> symmetric (per_part (fun j -> range (group.size - 1) (fun v -> v + 1, j)))
  | "alltoall" -> listed (all_pairs (fun _ _ -> true))
  | "allreduce" | "barrier" ->
      (match replication with
       | Checker.Once ->
           let blocks = List.sort_uniq compare (Numbers.list (fun (o, _, j) -> o, j / parts) all) in
           if all = [] || List.length all <> Numbers.times parts (List.length blocks) then wrong "a block lacks a part";
           listed all
       | _ ->
           let own = numbers 0 in
           (match replication with
            | Checker.Even _ when own <> numbers relative.odd -> outside "sums that differ between the classes of nodes"
            | _ -> ());
           if own <> range parts Fun.id then wrong "a block lacks a part";
           symmetric (Numbers.list (fun j -> 0, j) own))
  | "isotropic" when replication <> Checker.Once ->
      let blocks o = List.sort_uniq compare (List.filter_map (fun (o', d, j) ->
        if o' = o && d <> o then Some (sub group.moduli d o, j) else None) all) in
      (match replication with
       | Checker.Even _ when blocks relative.odd <> blocks 0 -> outside "traffic that differs between the classes of nodes"
       | _ -> ());
      symmetric (blocks 0)
  | "isotropic" | "task" -> listed (List.filter (fun (o, d, _) -> o <> d) all)
  | _ ->
      let low, high = Option.get neighbourhood in
      let far = distances group (fun _ _ -> true) (fun _ -> true) 0 in
      let near d = far.(d) >= low && far.(d) <= high in
      let near_ones = List.filter near (range group.size Fun.id) in
      if working.intact then symmetric (per_part (fun j -> Numbers.list (fun v -> v, j) near_ones))
      else listed (all_pairs (fun o d -> near (sub group.moduli d o)))

(* * What the plan says of itself *)
let read_bound version members =
  Option.map (fun v ->
    let m = keys "bound" (["kind"; "value"; "because"] @ if version = 2 then ["weights"] else []) v in
    Option.iter (fun b -> ignore (text "bound.because" b)) (find m "because");
    let kind = text "bound.kind" (need "bound" m "kind") in
    if kind = "" then refuse "bound.kind" "the kind is empty";
    { kind; value = wide "bound.value" (need "bound" m "value");
      weights = Option.map (fun w -> Array.of_list (numbers "bound.weights" w)) (find m "weights") }) (find members "bound")

let read_claims strict members =
  Option.map (fun v ->
    let m = keys "claims" ["rounds"; "hops"; "optimal"; "link_load"] v in
    { rounds = wide "claims.rounds" (need "claims" m "rounds"); hops = wide "claims.hops" (need "claims" m "hops");
      optimal = Option.map (flag "claims.optimal") (find m "optimal");
      link_load = (match find m "link_load", strict with
        | None, true -> None
        | Some _, true -> refuse "claims.link_load" "strict rounds have no loads"
        | None, false -> refuse "claims.link_load" "the loads are missing"
        | Some l, false -> Some (Numbers.list (wide "claims.link_load") (items "claims.link_load" l))) }) (find members "claims")

(* The largest number of packets on one link, by round. *)
let loads_of group replication stages =
  let class_of = match replication with
    | Checker.Once -> Fun.id | Checker.All -> (fun _ -> 0) | Checker.Even c -> parity group c in
  let load round =
    let seen = Hashtbl.create 64 in
    List.fold_left (fun most (_, f, p) ->
      let l = class_of f, p in
      let c = 1 + Option.value ~default:0 (Hashtbl.find_opt seen l) in
      Hashtbl.replace seen l c; max most c) 0 round in
  List.concat_map (fun s -> Numbers.list load s.rounds) stages

(* * The file *)
let version_of = function
  | Object m -> (match find m "format" with
      | Some (Text "isotrope-plan/1") -> 1 | Some (Text "isotrope-plan/2") -> 2
      | _ -> refuse "format" "the format is \"isotrope-plan/1\" or \"isotrope-plan/2\"")
  | _ -> refuse "plan" "an object is needed"

(* The name of the network, what the name implies, its group, and that over which hops go. *)
let read_networks version members =
  let net = keys "network" ["name"; "moduli"; "generators"] (need "plan" members "network") in
  let name = text "network.name" (need "network" net "name") in
  let implied = if name = "cayley" then None else Some (Names.read name) in
  let base = read_group "network" version net implied in
  name, implied, base, match find members "overlay" with
  | None -> base
  | Some v ->
      let g = read_group "overlay" version (keys "overlay" ["moduli"; "generators"] v) None in
      if g.size <> base.size then refuse "overlay" "the overlay has other nodes than the network";
      g

let of_json document =
  let version = version_of document in
  let members = keys "plan" (plan_keys version) document in
  let name, implied, machine, group = read_networks version members in
  let degree = Array.length group.generators in
  let working = read_working machine group implied members in
  let collective, pattern, neighbourhood = read_collective version group.size members in
  let root = read_root group.size collective working.alive members in
  let parts = match find members "parts" with None -> 1 | Some v -> number "parts" v in
  if parts = 0 || parts > (most - 1) / group.size then refuse "parts" "at least 1, and nodes times parts below 2^32";
  if find members "destinations" <> None && collective <> "isotropic" then refuse "destinations" "they belong to isotropic";
  if find members "deliveries" <> None && collective <> "task" then refuse "deliveries" "they belong to task";
  let strict, limits = read_limits degree members in
  let timed = read_execution members in
  let bound = read_bound version members and claims = read_claims strict members in
  if working.lacks && (neighbourhood <> None || collective = "isotropic") then wrong "the collective is defined on all links of the group";
  let stages = read_stages version group degree parts pattern collective working.intact members in
  Option.iter outside timed;
  let first = List.hd stages in
  let replication = first.replicated in
  let exchange = if first.flow = "exchange" then Some (read_exchange group parts working first) else None in
  let relative, traffic = match exchange with
    | Some { b; _ } -> { packed = [||]; shifts = [||]; odd = 0 }, listed (List.init parts (fun j -> b, b, j))
    | None ->
        let packets = packets_of group parts collective root working 0 first in
        check_packets collective root working first packets;
        (match stages with
         | [_; second] ->
             let later = packets_of group parts collective root working 1 second in
             check_packets collective root working second later;
             check_chain packets later
         | _ -> ());
        check_number parts collective working replication packets;
        let relative = relative group parts collective replication packets in
        check_stated group parts working relative replication members;
        relative, traffic_of group parts collective root neighbourhood working relative replication in
  let kind = match pattern with
    | One_to_all | All_to_all -> if first.flow = "combine" then Checker.Collect else Checker.Spread
    | Reduced -> Checker.Share
    | One_to_each | Isotropic | Task -> Checker.Deliver in
  (* Traffic that is listed node by node is a task. *)
  let pattern = if collective = "isotropic" && replication = Checker.Once then Task else pattern in
  let rounds_of = rounds_of group relative in
  let moves, copies = List.partition (fun s -> s.flow <> "copy") (if exchange = None then stages else []) in
  let all_rounds = List.concat_map (fun s -> s.rounds) stages in
  { network = name; group; collective; parts; root; alive = working.alive; works = working.works; intact = working.intact; limits; replication;
    pattern; odd = relative.odd; kind; traffic; exchange;
    numbers = if exchange <> None then parts else 1 + Array.fold_left (fun a (_, _, j) -> max a j) 0 relative.packed;
    moves = List.concat_map rounds_of moves; copies = List.concat_map rounds_of copies;
    stated = find members "destinations" <> None || find members "deliveries" <> None;
    bound; claims; counted_rounds = List.length all_rounds; counted_hops = List.fold_left (fun a r -> a + List.length r) 0 all_rounds;
    loads = if strict then [] else loads_of group replication stages }

(* The plan of the proof. *)
let plan f : Checker.plan =
  let on = { Checker.moduli = Array.to_list (Array.map Numbers.n f.group.moduli);
             generators = Array.to_list (Array.map Numbers.n f.group.generators);
             failures = if f.intact then None
               else Some ((fun v -> f.alive (Numbers.int v)), (fun (v, p) -> f.works (Numbers.int v) (Numbers.int p))) } in
  { Checker.on; under = f.limits; task = f.kind; moved = f.traffic; replicated = f.replication; odd = Numbers.n f.odd;
    numbers = Numbers.n f.numbers; moves = f.moves; copies = f.copies }

let is_valid f plan = match f.exchange with
  | None -> Checker.is_valid plan
  | Some e -> Checker.is_exchange plan (Numbers.n e.b) e.result e.messages
