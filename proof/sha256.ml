(* SHA-256 (FIPS 180-4). Unproved. *)

let primes =
  let rec next found n =
    if List.length found = 64 then List.rev found
    else next (if List.exists (fun p -> n mod p = 0) found then found else n :: found) (n + 1) in
  next [] 2

(* The first 32 bits of the fractional part of a root: of the root of p times 2^64, or of the cube
   root of p times 2^96, the lower half of the integer. *)
let fraction root p =
  let shifted = Z.shift_left (Z.of_int p) (32 * root) in
  Z.to_int (Z.logand (Z.root shifted root) (Z.of_string "4294967295"))

let rounds = Array.of_list (List.map (fraction 3) primes)
let initial = Array.of_list (List.map (fraction 2) (List.filteri (fun i _ -> i < 8) primes))
let word n = n land 0xFFFFFFFF
let rotated x n = word ((x lsr n) lor (x lsl (32 - n)))

let padded text =
  let size = String.length text in
  let zeros = (119 - (size mod 64)) mod 64 in
  let length = Bytes.create 8 in
  Bytes.set_int64_be length 0 (Int64.of_int (8 * size));
  text ^ "\x80" ^ String.make zeros '\000' ^ Bytes.to_string length

let digest text =
  let text = padded text in
  let state = Array.copy initial in
  let w = Array.make 64 0 in
  for block = 0 to (String.length text / 64) - 1 do
    for i = 0 to 15 do
      w.(i) <- word (Int32.to_int (String.get_int32_be text ((64 * block) + (4 * i))))
    done;
    for i = 16 to 63 do
      let x = w.(i - 15) and y = w.(i - 2) in
      let s = rotated x 7 lxor rotated x 18 lxor (x lsr 3) in
      let t = rotated y 17 lxor rotated y 19 lxor (y lsr 10) in
      w.(i) <- word (w.(i - 16) + s + w.(i - 7) + t)
    done;
    let v = Array.copy state in
    for i = 0 to 63 do
      let e = v.(4) and a = v.(0) in
      let s = rotated e 6 lxor rotated e 11 lxor rotated e 25 in
      let choice = (e land v.(5)) lxor (lnot e land v.(6)) in
      let first = v.(7) + s + word choice + rounds.(i) + w.(i) in
      let t = rotated a 2 lxor rotated a 13 lxor rotated a 22 in
      let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      Array.blit v 0 v 1 7;
      v.(4) <- word (v.(4) + first);
      v.(0) <- word (first + t + majority)
    done;
    Array.iteri (fun i x -> state.(i) <- word (x + v.(i))) state
  done;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list state))
