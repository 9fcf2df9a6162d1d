(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(** The program of the proof. Numbers are binary, booleans, lists, options and pairs are those of OCaml; no other type is replaced. *)
From Coq Require Import Extraction ExtrOcamlBasic NArith.
From Isotrope Require Import Model Plan Lower Checker Tally Exchange.
Extraction Language OCaml.
Extraction "checker.ml" is_valid is_bound is_exchange Message set get none range size degree next working PlanOf Shape.
