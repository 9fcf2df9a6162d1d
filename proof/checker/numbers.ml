(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* Numbers of the machine as numbers of the proof, and back. *)
open Checker

let rec positive i = if i = 1 then XH else if i land 1 = 1 then XI (positive (i lsr 1)) else XO (positive (i lsr 1))
let n i = if i = 0 then N0 else Npos (positive i)
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> 2 * of_positive p + 1
let int = function N0 -> 0 | Npos p -> of_positive p
let list f l = List.rev (List.rev_map f l)
