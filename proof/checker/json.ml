(* SPDX-FileCopyrightText: The Isotrope authors
   SPDX-License-Identifier: Apache-2.0 *)
(* JSON (RFC 8259), strict: repeated keys, signs, fractions and anything after the document are errors. Numbers are below 2^64; the largest
   are read as smaller ones (numbers.ml). Lists are read without deep recursion. *)
type t = Null | Bool of bool | Number of int | Text of string | List of t list | Object of (string * t) list

exception Refused of string

let refuse text line column = raise (Refused (Printf.sprintf "line %d, column %d: %s" line column text))

let deepest = 32

let read (text : string) : t =
  let length = String.length text in
  let at = ref 0 and line = ref 1 and start = ref 0 in
  let fail what = refuse what !line (!at - !start + 1) in
  let peek () = if !at < length then text.[!at] else '\000' in
  let next () = incr at in
  let rec blanks () =
    if !at < length then
      match text.[!at] with
      | ' ' | '\t' | '\r' -> next (); blanks ()
      | '\n' -> next (); incr line; start := !at; blanks ()
      | _ -> () in
  let expect c = if !at < length && peek () = c then next () else fail (Printf.sprintf "'%c' is missing" c) in
  let word w value =
    if !at + String.length w <= length && String.sub text !at (String.length w) = w then (at := !at + String.length w; value)
    else fail "a value is missing" in
  let number () =
    let first = !at in
    while !at < length && peek () >= '0' && peek () <= '9' do next () done;
    let digits = String.sub text first (!at - first) in
    if digits = "" then fail "numbers are whole and without sign";
    if String.length digits > 1 && digits.[0] = '0' then fail "a number begins with 0";
    (match peek () with '.' | 'e' | 'E' -> fail "numbers are whole" | _ -> ());
    match Numbers.of_digits digits with Some n -> n | None -> fail "the number is 2^64 or more" in
  let hex () =
    if !at + 4 > length then fail "\\u needs four digits";
    match int_of_string_opt ("0x" ^ String.sub text !at 4) with
    | Some n when not (String.contains (String.sub text !at 4) '_') -> at := !at + 4; n
    | _ -> fail "\\u needs four digits" in
  let string () =
    expect '"';
    let b = Buffer.create 16 in
    let rec go () =
      if !at >= length then fail "a text does not end";
      match peek () with
      | '"' -> next ()
      | '\\' ->
          next ();
          (match peek () with
           | ('"' | '\\' | '/') as c -> next (); Buffer.add_char b c
           | 'b' -> next (); Buffer.add_char b '\b'
           | 'f' -> next (); Buffer.add_char b '\012'
           | 'n' -> next (); Buffer.add_char b '\n'
           | 'r' -> next (); Buffer.add_char b '\r'
           | 't' -> next (); Buffer.add_char b '\t'
           | 'u' ->
               next ();
               let unit = hex () in
               if unit >= 0xD800 && unit < 0xDC00 then begin
                 expect '\\'; expect 'u';
                 let low = hex () in
                 if low < 0xDC00 || low > 0xDFFF then fail "half of a surrogate pair";
                 Buffer.add_utf_8_uchar b (Uchar.of_int (0x10000 + ((unit - 0xD800) lsl 10) + (low - 0xDC00)))
               end else if unit >= 0xDC00 && unit < 0xE000 then fail "half of a surrogate pair"
               else Buffer.add_utf_8_uchar b (Uchar.of_int unit)
           | _ -> fail "an unknown escape");
          go ()
      | c when c < ' ' -> fail "a control character in a text"
      | c -> next (); Buffer.add_char b c; go () in
    go ();
    Buffer.contents b in
  let rec value depth =
    if depth > deepest then fail "values are nested too deep";
    blanks ();
    let result =
      match peek () with
      | '{' ->
          next (); blanks ();
          let seen = Hashtbl.create 16 in
          let rec members all =
            blanks ();
            let key = string () in
            if Hashtbl.mem seen key then fail (Printf.sprintf "the key \"%s\" is repeated" key);
            Hashtbl.add seen key ();
            blanks (); expect ':';
            let v = value (depth + 1) in
            let all = (key, v) :: all in
            if peek () = ',' then (next (); members all) else (expect '}'; List.rev all) in
          if peek () = '}' then (next (); Object []) else Object (members [])
      | '[' ->
          next (); blanks ();
          let rec elements all =
            let v = value (depth + 1) in
            let all = v :: all in
            if peek () = ',' then (next (); elements all) else (expect ']'; List.rev all) in
          if peek () = ']' then (next (); List []) else List (elements [])
      | '"' -> Text (string ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> Number (number ()) in
    blanks ();
    result in
  let document = value 0 in
  if !at < length then fail "something follows the document";
  document
