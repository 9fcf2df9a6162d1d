(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* Groups Z_m1 x ... x Z_mr, and the networks that names stand for: docs/plan-file.md, "Network". *)

exception Refused = Json.Refused
exception Outside of string  (* not covered *)

let refuse place text = raise (Refused (place ^ ": " ^ text))
let outside text = raise (Outside text)

let most_nodes = 1 lsl 26
let most_ports = 65535
let most_links = 1 lsl 32
let most_covered = 1 lsl 22  (* nodes of a plan that is checked here; a list of more takes gigabytes *)

(* * Groups *)
let order place moduli =
  if Array.length moduli = 0 || Array.length moduli > 64 then refuse place "a group has 1 to 64 moduli";
  Array.fold_left (fun a m ->
    if m = 0 then refuse place "a modulus is 0";
    if a * m > most_nodes then refuse place "the network has more than 2^26 nodes" else a * m) 1 moduli
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

(* * Names *)

(* A family without its rates: moduli, and a list of ports for every axis, each port with its rate. [axes]: ports belong to coordinates. *)
type factor = { moduli : int array; ports : (int * int) list; opened : int list; unnamed : bool }
type t = { moduli : int array; generators : int array; opened : int list }

let place = "network.name"
let whole s =
  if s = "" || not (String.for_all (fun c -> c >= '0' && c <= '9') s) then refuse place (Printf.sprintf "\"%s\" is not a whole number" s);
  match int_of_string_opt ("0u" ^ s) with
  | Some i when i >= 0 && i <= most_nodes -> i
  | _ -> refuse place (s ^ " is more than 2^26")
let wholes c s = Array.of_list (List.map whole (String.split_on_char c s))

(* Every step and its negative. *)
let paired moduli steps =
  let seen = Hashtbl.create 16 in
  List.concat_map (fun g ->
    let minus = negative moduli g in
    if g = 0 then refuse place "a port leads from every node to itself";
    if Hashtbl.mem seen g then refuse place "two ports lead to the same neighbours";
    Hashtbl.add seen g (); Hashtbl.replace seen minus ();
    if minus = g then [g] else [g; minus]) steps

let unit moduli a c = node moduli (Array.mapi (fun b _ -> if a = b then c else 0) moduli)
let longer moduli = List.filter (fun a -> moduli.(a) > 2) (List.init (Array.length moduli) Fun.id)

let torus moduli =
  ignore (order place moduli);
  paired moduli (List.filter_map (fun a -> if moduli.(a) > 1 then Some (unit moduli a 1) else None)
                   (List.init (Array.length moduli) Fun.id))

let twisted moduli =
  ignore (order place moduli);
  let k = Array.fold_left min max_int moduli in
  if Array.exists (fun m -> m <> k && m <> 2 * k) moduli || not (Array.exists (fun m -> m = 2 * k) moduli) then
    refuse place "a twisted torus has extents k and 2k, at least one of each";
  paired moduli (List.init (Array.length moduli) (fun a ->
    let step = Array.map (fun m -> if moduli.(a) = k && m <> k then 2 * k - 1 else 0) moduli in
    step.(a) <- 1 mod moduli.(a);
    node moduli step))

let between what low high n = if n < low || n > high then refuse place (Printf.sprintf "%s is %d to %d" what low high)

(* One factor without its rates. *)
let simple name =
  let family, rest = match String.index_opt name ':' with
    | Some i when i + 1 < String.length name -> String.sub name 0 i, String.sub name (i + 1) (String.length name - i - 1)
    | Some i -> String.sub name 0 i, ""
    | None -> name, "" in
  let known = ["hypercube"; "torus"; "ring"; "hexmesh"; "twisted-torus"; "circulant"; "complete"; "cayley"; "line"; "mesh"] in
  if not (List.mem family known) then refuse place (Printf.sprintf "\"%s\" is no family of networks" family);
  if rest = "" then refuse place "the parameters are missing";
  let closed moduli generators = { moduli; ports = List.map (fun g -> g, 1) generators; opened = []; unnamed = false } in
  let two () = match String.split_on_char ':' rest with [a; b] -> a, b | _ -> refuse place "two parameters are needed" in
  match family with
  | "hypercube" -> let d = whole rest in between "d" 1 26 d; closed (Array.make d 2) (List.init d (fun j -> 1 lsl j))
  | "torus" -> let m = wholes 'x' rest in closed m (torus m)
  | "ring" -> let m = [|whole rest|] in closed m (torus m)
  | "mesh" -> let m = wholes 'x' rest in { (closed m (torus m)) with opened = longer m }
  | "line" -> let m = [|whole rest|] in { (closed m (torus m)) with opened = longer m }
  | "complete" -> let n = whole rest in between "N" 1 65536 n; closed [|n|] (List.init (n - 1) succ)
  | "hexmesh" ->
      let n = whole rest in
      between "n" 2 4730 n;
      let p = 3 * n * (n - 1) + 1 in
      closed [|p|] (paired [|p|] [1; p - (3 * n - 2); p - (3 * n - 1)])
  | "circulant" ->
      let n, steps = two () in
      let m = [|whole n|] in
      ignore (order place m);
      closed m (paired m (List.map (fun s -> s mod m.(0)) (Array.to_list (wholes ',' steps))))
  | "twisted-torus" when String.contains rest ',' || String.contains rest '/' -> outside ("lattices given by their basis, as " ^ name)
  | "twisted-torus" -> let m = wholes 'x' rest in closed m (twisted m)
  | _ ->
      let moduli, rows = two () in
      let m = wholes 'x' moduli in
      ignore (order place m);
      let generators = List.map (fun row ->
        let x = wholes ',' row in
        if Array.length x <> Array.length m then refuse place "a generator has one number per modulus";
        Array.iteri (fun a c -> if c >= m.(a) then refuse place "a coordinate is not below its modulus") x;
        node m x) (String.split_on_char '/' rows) in
      { (closed m generators) with unnamed = true }

let rated name text f =
  let rates = List.map (fun s -> let r = whole s in between "a rate" 1 64 r; r) (String.split_on_char ',' text) in
  match rates with
  | [r] -> { f with ports = List.map (fun (g, _) -> g, r) f.ports }
  | _ ->
      let family = List.hd (String.split_on_char ':' name) in
      if f.unnamed || not (List.mem family ["torus"; "mesh"; "ring"; "line"; "twisted-torus"]) then refuse place "links without axes have one rate";
      if List.length rates <> Array.length f.moduli then refuse place "there is one rate for each axis, or one for all";
      let rec go ports rates extents = match rates, extents, ports with
        | _ :: rates, 1 :: extents, _ when family <> "twisted-torus" -> go ports rates extents
        | r :: rates, _ :: extents, (g, _) :: rest ->
            if negative f.moduli g = g then (g, r) :: go rest rates extents
            else (match rest with (h, _) :: rest -> (g, r) :: (h, r) :: go rest rates extents | [] -> [])
        | _ -> [] in
      { f with ports = go f.ports rates (Array.to_list f.moduli) }

(* A factor ends before an x between its last digit and the name of the next family. *)
let factors name =
  let n = String.length name in
  let digit c = c >= '0' && c <= '9' and letter c = c >= 'a' && c <= 'z' in
  let rec go first i =
    if i + 1 >= n then [String.sub name first (n - first)]
    else if name.[i] = 'x' && digit name.[i - 1] && letter name.[i + 1] then String.sub name first (i - first) :: go (i + 1) (i + 1)
    else go first (i + 1) in
  go 0 1

let read name =
  if String.length name > 4 && String.sub name 0 4 = "tpu:" then outside ("names of TPU slices, as " ^ name);
  let read_factor name = match String.index_opt name '@' with
    | None -> simple name
    | Some i -> let plain = String.sub name 0 i in rated plain (String.sub name (i + 1) (String.length name - i - 1)) (simple plain) in
  let all = List.map read_factor (factors name) in
  let moduli = Array.concat (List.map (fun (f : factor) -> f.moduli) all) in
  let size = order place moduli in
  let _, _, ports, opened = List.fold_left (fun (first, stride, ports, opened) (f : factor) ->
    let stride = stride / order place f.moduli in
    first + Array.length f.moduli, stride,
    List.rev_append (List.concat_map (fun (g, r) -> List.init r (fun _ -> g * stride)) f.ports) ports,
    List.rev_append (List.map (fun a -> first + a) f.opened) opened) (0, size, [], []) all in
  { moduli; generators = Array.of_list (List.rev ports); opened = List.rev opened }

(* What every group with generators satisfies, named or not. *)
let check place version moduli generators =
  let size = order place moduli in
  if Array.length generators > most_ports then refuse place "a node has at most 65535 ports";
  if size * Array.length generators > most_links then refuse place "the network has more than 2^32 directed links";
  let times = Hashtbl.create 16 in
  let count g = Option.value ~default:0 (Hashtbl.find_opt times g) in
  Array.iter (fun g -> Hashtbl.replace times g (count g + 1)) generators;
  Array.iter (fun g ->
    if g = 0 then refuse place "a generator is 0";
    if count g > 1 && version = 1 then refuse place "a generator is repeated";
    if count (negative moduli g) <> count g then refuse place "the negative of a generator is missing") generators;
  if size > most_covered then outside "networks of more than 2^22 nodes";
  (* Together they reach all nodes: the nodes reached by the first generators are a subgroup, and cosets join it. *)
  let reached = Bytes.make size '\000' in
  Bytes.set reached 0 '\001';
  let members = ref [0] and count = ref 1 in
  Array.iter (fun g ->
    if Bytes.get reached g = '\000' then begin
      let subgroup = !members in
      let by = adder moduli g in
      let rec cosets representative =
        if Bytes.get reached representative = '\000' then begin
          let plus = adder moduli representative in
          List.iter (fun v -> let w = plus v in Bytes.set reached w '\001'; incr count; members := w :: !members) subgroup;
          cosets (by representative)
        end in
      cosets g
    end) generators;
  if !count < size then refuse place "the generators do not reach all nodes"
