(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* Numbers of the machine as numbers of the proof, and back. *)
open Checker

let rec positive i = if i = 1 then XH else if i land 1 = 1 then XI (positive (i lsr 1)) else XO (positive (i lsr 1))
let n i = if i = 0 then N0 else Npos (positive i)
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> 2 * of_positive p + 1
let int = function N0 -> 0 | Npos p -> of_positive p

(* No plan that fits into memory has 2^62 - 2 of anything, so larger numbers compare as this one does; [huge] stands for 2^64 - 1 alone. *)
let huge = max_int
let of_digits s =
  match Int64.of_string_opt ("0u" ^ s) with
  | None -> None
  | Some -1L -> Some huge
  | Some i -> Some (if Int64.unsigned_compare i (Int64.of_int huge) >= 0 then huge - 1 else Int64.to_int i)
let times a b = if a > 0 && b > huge / a then huge else a * b
let plus a b = if a > huge - b then huge else a + b
let ceil_div a b = if a = 0 then 0 else 1 + (a - 1) / b
let list f l = List.rev (List.rev_map f l)
