(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* isotrope-checker: a plan file, checked by the program that is extracted from the proof. *)
let usage = "Usage: isotrope-checker [--theorem] FILE
Check a plan file (.json) with the program that Coq extracted from the proofs.

  FILE         a plan, or - for stdin
  --theorem    print a file for Coq instead, whose theorem says that the plan is optimal

Exit status: 0 the plan is valid and its claims are proved; 1 the plan is not valid, or a claim is false;
             2 the file cannot be read; 3 the proof does not cover the plan, or not its claims.
"

let read_all channel =
  let b = Buffer.create 65536 in
  (try while true do Buffer.add_channel b channel 1 done with End_of_file -> ());
  Buffer.contents b

let contents name =
  if name = "-" then read_all stdin
  else begin
    let channel = open_in_bin name in
    let text = really_input_string channel (in_channel_length channel) in
    close_in channel; text
  end

let report network words = Printf.printf "%s%s\n" network words

exception False of string

let check name =
  let f = Plan_file.of_json (Json.read (contents name)) in
  let plan = Plan_file.plan f in
  let title = Printf.sprintf "%s on %s: " f.Plan_file.collective f.Plan_file.network in
  let rounds = f.Plan_file.counted_rounds in
  if not (Checker.is_valid plan) then (report title "not valid"; 1)
  else begin
    try
      let claim what said found = if said <> found then raise (False (Printf.sprintf "the plan claims %d %s and has %d" said what found)) in
      Option.iter (fun (c : Plan_file.claims) ->
        claim "rounds" c.rounds rounds; claim "hops" c.hops f.Plan_file.counted_hops;
        match c.link_load with
        | Some l when l <> [] && l <> f.Plan_file.loads -> raise (False "the claimed loads of links are false")
        | _ -> ()) f.Plan_file.claims;
      let claimed = match f.Plan_file.claims with Some { optimal; _ } -> optimal | None -> None in
      let value = Option.map (fun (b : Plan_file.bound) -> b.value) f.Plan_file.bound in
      (match value with
       | Some v when v > rounds -> raise (False (Printf.sprintf "the plan refutes its own bound of %d rounds" v))
       | _ -> ());
      let optimal = Certificates.proves f plan rounds in
      let bounded = optimal && value = Some rounds || match value with None -> true | Some v -> Certificates.proves f plan v in
      if optimal && claimed = Some false then raise (False "the plan claims not to be optimal, and is");
      if optimal then (if value <> None && value <> Some rounds then raise (False "the bound is not the largest"));
      if optimal then (report title (Printf.sprintf "valid, optimal: proved, no schedule takes fewer than %d rounds" rounds); 0)
      else if claimed = Some true then (report title (Printf.sprintf "valid in %d rounds; optimality is not proved here" rounds); 3)
      else if bounded then
        (report title (Printf.sprintf "valid in %d rounds%s" rounds
          (match value with Some v -> Printf.sprintf "; proved, no schedule takes fewer than %d" v | None -> "")); 0)
      else (report title (Printf.sprintf "valid in %d rounds; its bound is not proved here" rounds); 3)
    with False text -> report title ("valid, but " ^ text); 1
  end

let theorem name =
  let f = Plan_file.of_json (Json.read (contents name)) in
  let plan = Plan_file.plan f in
  match Certificates.certificate f plan f.Plan_file.counted_rounds with
  | Some c when Checker.is_valid plan -> Theorem.print f plan c; 0
  | _ -> prerr_endline ("isotrope-checker: " ^ name ^ ": not proved valid and optimal, so there is no theorem"); 1

let answer work name =
  try work name with
  | Json.Refused text -> Printf.eprintf "isotrope-checker: %s: %s\n" name text; 2
  | Plan_file.Wrong text -> report "" ("not valid: " ^ text); 1
  | Plan_file.Outside text -> report "" ("not covered by the proof: " ^ text); 3
  | Sys_error text -> Printf.eprintf "isotrope-checker: %s\n" text; 2
  | Stack_overflow | Out_of_memory -> Printf.eprintf "isotrope-checker: %s: the plan is too large\n" name; 3

let () =
  (* Plans of a million hops leave much that lives long: fewer collections of more. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 200 };
  let status = match Sys.argv with
    | [| _; ("-h" | "--help") |] -> print_string usage; 0
    | [| _; name |] -> answer check name
    | [| _; "--theorem"; name |] -> answer theorem name
    | _ -> prerr_string usage; 2 in
  exit status
