(* JSON as strategies use it: strict, numbers are integers, no key twice. Unproved. *)

type t =
  | Null
  | Bool of bool
  | Int of Z.t
  | Text of string
  | List of t list
  | Object of (string * t) list

exception Wrong of string

let wrong what = raise (Wrong what)

let utf8 buffer code = Buffer.add_utf_8_uchar buffer (Uchar.of_int code)

let parse text =
  let size = String.length text in
  let at = ref 0 in
  let peek () = if !at < size then text.[!at] else '\000' in
  let rec blank () =
    match peek () with ' ' | '\t' | '\n' | '\r' -> incr at; blank () | _ -> () in
  let expect c = if peek () = c then incr at else wrong "this line is not JSON" in
  let hex () =
    if !at + 4 > size then wrong "this line is not JSON";
    let digits = String.sub text !at 4 in
    String.iter
      (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> wrong "this line is not JSON")
      digits;
    at := !at + 4;
    int_of_string ("0x" ^ digits) in
  let escaped buffer =
    let c = peek () in
    incr at;
    match c with
    | '"' | '\\' | '/' -> Buffer.add_char buffer c
    | 'b' -> Buffer.add_char buffer '\b'
    | 'f' -> Buffer.add_char buffer '\012'
    | 'n' -> Buffer.add_char buffer '\n'
    | 'r' -> Buffer.add_char buffer '\r'
    | 't' -> Buffer.add_char buffer '\t'
    | 'u' ->
        let code = hex () in
        if code >= 0xD800 && code < 0xDC00 then begin
          expect '\\'; expect 'u';
          let low = hex () in
          if low < 0xDC00 || low > 0xDFFF then wrong "half of a character is no text";
          utf8 buffer (0x10000 + ((code - 0xD800) lsl 10) + (low - 0xDC00))
        end
        else if code >= 0xDC00 && code < 0xE000 then wrong "half of a character is no text"
        else utf8 buffer code
    | _ -> wrong "this line is not JSON" in
  let text_value () =
    expect '"';
    let from = !at in
    while !at < size && text.[!at] <> '"' && text.[!at] <> '\\' && text.[!at] >= ' ' do incr at done;
    if peek () = '"' && !at < size then begin
      incr at;
      String.sub text from (!at - 1 - from)
    end
    else begin
      let buffer = Buffer.create 64 in
      Buffer.add_string buffer (String.sub text from (!at - from));
      let rec more () =
        if !at >= size then wrong "this line is not JSON";
        match text.[!at] with
        | '"' -> incr at
        | '\\' -> incr at; escaped buffer; more ()
        | c when c >= ' ' -> Buffer.add_char buffer c; incr at; more ()
        | _ -> wrong "this line is not JSON" in
      more ();
      Buffer.contents buffer
    end in
  let number () =
    let from = !at in
    if peek () = '-' then incr at;
    let digits = !at in
    while (match peek () with '0' .. '9' -> true | _ -> false) do incr at done;
    let length = !at - digits in
    if length = 0 || (length > 1 && text.[digits] = '0') then wrong "this line is not JSON";
    (match peek () with '.' | 'e' | 'E' -> wrong "a number is an integer here" | _ -> ());
    if length < 18 then Z.of_int (int_of_string (String.sub text from (!at - from)))
    else Z.of_string (String.sub text from (!at - from)) in
  let word w value =
    if !at + String.length w <= size && String.sub text !at (String.length w) = w then begin
      at := !at + String.length w;
      value
    end
    else wrong "this line is not JSON" in
  let rec value depth =
    if depth > 100 then wrong "this line is nested too deeply";
    blank ();
    let found =
      match peek () with
      | '{' ->
          incr at;
          blank ();
          if peek () = '}' then (incr at; Object []) else Object (entries depth [])
      | '[' ->
          incr at;
          blank ();
          if peek () = ']' then (incr at; List []) else List (items depth [])
      | '"' -> Text (text_value ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> Int (number ()) in
    blank ();
    found
  and items depth found =
    let found = value (depth + 1) :: found in
    if peek () = ',' then (incr at; items depth found)
    else (expect ']'; List.rev found)
  and entries depth found =
    blank ();
    let key = text_value () in
    if List.mem_assoc key found then wrong ("the key " ^ key ^ " is given twice");
    blank ();
    expect ':';
    let found = (key, value (depth + 1)) :: found in
    if peek () = ',' then (incr at; entries depth found)
    else (expect '}'; List.rev found) in
  let found = value 0 in
  if !at < size then wrong "this line is not JSON";
  found
