(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* isotrope-checker: plan files, checked by the program that is extracted from the proof. *)
let usage = "Usage: isotrope-checker [--theorem] FILE...
Check plan files (.json) with the program that Coq extracted from the proofs.

  FILE         a plan, or - for stdin; of several, each has a line: its exit status, its name and the verdict
  --theorem    print a file for Coq instead, whose theorem says that the plan is optimal

Exit status: 0 the plan is valid and its claims are proved; 1 the plan is not valid, or a claim is false;
             2 the file cannot be read; 3 the proof does not cover the plan, or not its claims.
Of several plans, 1 if any has it, else 2, else 3.
"

let read_all channel =
  let b = Buffer.create 65536 in
  (try while true do Buffer.add_channel b channel 1 done with End_of_file -> ());
  Buffer.contents b

let contents name =
  if name = "-" then read_all stdin
  else begin
    let channel = open_in_bin name in
    Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))
  end

exception False of string
let false_if condition text = if condition then raise (False text)

(* Holds what the plan says of its rounds, hops and loads against the counts. *)
let check_counts (f : Plan_file.t) =
  let claim what said found = false_if (said <> found) (Printf.sprintf "the plan claims %d %s and has %d" said what found) in
  Option.iter (fun (c : Plan_file.claims) ->
    claim "rounds" c.rounds f.counted_rounds; claim "hops" c.hops f.counted_hops;
    match c.link_load with
    | Some l -> false_if (l <> [] && l <> f.loads) "the claimed loads of links are false"
    | None -> ()) f.claims

(* Holds the stated bound against the value of its kind; what is not covered. *)
let check_bound (f : Plan_file.t) view =
  match f.bound with
  | None -> []
  | Some b ->
      false_if (b.value > f.counted_rounds) (Printf.sprintf "the plan refutes its own bound of %d rounds" b.value);
      false_if (b.weights <> None && b.weights <> Some [||] && b.kind <> "port-sum") ("a bound of kind " ^ b.kind ^ " has no weights");
      match Kinds.value (Lazy.force view) b.kind with
      | Kinds.Value v -> false_if (v <> b.value) (Printf.sprintf "its %s bound is %d, not %d" b.kind v b.value); []
      | Kinds.Absent -> raise (False ("there is no " ^ b.kind ^ " bound for it"))
      | Kinds.Unknown -> ["the value of its " ^ b.kind ^ " bound"]

(* Whether a kind of the format gives the rounds of the plan. *)
let meets_bound (f : Plan_file.t) view =
  let stated = match f.bound with Some b -> [b.kind] | None -> [] in
  List.exists (fun kind -> Kinds.value (Lazy.force view) kind = Kinds.Value f.counted_rounds) (stated @ List.map fst Kinds.values)

(* Holds the claim of optimality against the kinds of the format; what is not covered. *)
let check_optimal (f : Plan_file.t) view optimal =
  let claimed = Option.bind f.claims (fun (c : Plan_file.claims) -> c.optimal) in
  match claimed with
  | None -> []
  | Some claimed ->
      let others () = match Kinds.undecided (Lazy.force view) with
        | [] -> None
        | kinds -> Some ("whether the bounds " ^ String.concat ", " kinds ^ " give its rounds") in
      match claimed, meets_bound f view with
      | true, true -> if optimal then [] else ["that it is optimal"]
      | true, false -> (match others () with Some o -> [o] | None -> raise (False "the plan claims to be optimal, and no bound says so"))
      | false, true -> raise (False "the plan claims not to be optimal, and is")
      | false, false -> Option.to_list (others ())

let check name =
  let f = Plan_file.of_json (Json.read (contents name)) in
  let plan = Plan_file.plan f in
  let title = Printf.sprintf "%s on %s: " f.collective f.network in
  if not (Plan_file.is_valid f plan) then 1, title ^ "not valid"
  else
    try
      check_counts f;
      let view = lazy (Kinds.view f) in
      let value = check_bound f view in
      let optimal = Certificates.proves f plan f.counted_rounds in
      let missing = value @ check_optimal f view optimal in
      let bounded = match f.bound with
        | Some b when not optimal -> if Certificates.proves f plan b.value then Some b.value else None
        | _ -> None in
      let missing = match f.bound with Some _ when not optimal && bounded = None -> missing @ ["that its bound holds"] | _ -> missing in
      let words = if optimal then Printf.sprintf "valid, optimal: proved, no schedule takes fewer than %d rounds" f.counted_rounds
        else Printf.sprintf "valid in %d rounds" f.counted_rounds ^
             (match bounded with Some v -> Printf.sprintf "; proved, no schedule takes fewer than %d" v | None -> "") in
      if missing = [] then 0, title ^ words else 3, title ^ words ^ "; not covered: " ^ String.concat ", " missing
    with False text -> 1, title ^ "valid, but " ^ text

let theorem name =
  let f = Plan_file.of_json (Json.read (contents name)) in
  let plan = Plan_file.plan f in
  match Certificates.certificate f plan f.counted_rounds with
  | Some c when f.collective <> "barrier" && f.exchange = None && Checker.is_valid plan -> Theorem.print f plan c; 0, ""
  | _ -> 2, "not proved valid and optimal, so there is no theorem"

let answer work name =
  try work name with
  | Json.Refused text | Sys_error text -> 2, text
  | Plan_file.Wrong text -> 1, "not valid: " ^ text
  | Names.Outside text -> 3, "not covered by the proof: " ^ text
  | Stack_overflow | Out_of_memory -> 3, "not covered: the plan is too large for this machine"

let one work name =
  let status, words = answer work name in
  if status = 2 then Printf.eprintf "isotrope-checker: %s: %s\n" name words else if words <> "" then print_endline words;
  status

let several names =
  List.fold_left (fun worst name ->
    let status, words = answer check name in
    Printf.printf "%d %s: %s\n%!" status name words;
    let rank = function 1 -> 3 | 2 -> 2 | 3 -> 1 | _ -> 0 in
    if rank status > rank worst then status else worst) 0 names

let () =
  (* Plans of a million hops leave much that lives long: fewer collections of more. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 200 };
  exit (match List.tl (Array.to_list Sys.argv) with
    | ["-h"] | ["--help"] -> print_string usage; 0
    | [] -> prerr_string usage; 2
    | ["--theorem"; name] -> one theorem name
    | names when List.exists (fun n -> String.length n > 1 && n.[0] = '-') names -> prerr_string usage; 2
    | [name] -> one check name
    | names -> several names)
