(* Images of nodes under maps: see docs/strategy-format.md, "Maps".

   Each image is written out as a node of its own, which the proved checker judges like all others.
   So nothing in this file needs to be believed. *)

module Integer = Z
open Checker
module Z = Integer

exception No_image

let most_images = 1_000_000
let small z = if Z.fits_int z then Z.to_int z else max_int

(* Two functions: the first takes symmetries and maps, and the second turns the next node of the file
   into nodes without maps. [races]: the enemy has listed sets. [placed]: a position with stones. *)
let unfolding size owner races placed =
  let all = List.init size Fun.id in
  let maps = Hashtbl.create 64 and symmetries = ref 0 and began = ref false in
  let nodes = Hashtbl.create 64 and numbers = Hashtbl.create 64 and images = Hashtbl.create 64 in
  let next () = Hashtbl.length numbers + Hashtbl.length images in
  let sides at = if owner = Black then (at.black, at.white) else (at.white, at.black) in
  let needed at = List.filter (fun c -> not (Z.testbit (snd (sides at)) c)) all in
  let moved where cells =
    let images = List.filter_map (fun c -> where.(c)) cells in
    List.fold_left (fun set c -> Z.logor set (Z.shift_left Z.one c)) Z.zero images in
  let node n =
    match Hashtbl.find nodes n with
    | Node0 (at, turn, left, Replies (_, replies), _) -> (at, turn, left, replies)
    | _ -> raise No_image in
  (* The name of an image: the node, and where its cells go. *)
  let name (n, where) =
    let at, _, _, _ = node n in
    let go c = match where.(c) with Some i -> string_of_int i | None -> raise No_image in
    String.concat " " (string_of_int n :: List.map go (needed at)) in
  let later where via =
    match via with
    | None -> where
    | Some v -> Array.map (fun c -> Option.bind c (fun c -> where.(c))) (Hashtbl.find maps (small v)) in
  let write (n, where) =
    let at, turn, left, replies = node n in
    let cells = needed at and own, _ = sides at in
    let stones = moved where (List.filter (Z.testbit own) all) in
    let given = Z.logxor (Z.pred (Z.shift_left Z.one size)) (moved where cells) in
    let reply r =
      let number k = Z.of_int (Hashtbl.find images (name (small k, later where r.reply_via))) in
      {
        reply_move =
          (match where.(Z.to_int r.reply_move) with Some c -> Z.of_int c | None -> raise No_image);
        reply_node = Option.map number r.reply_node;
        reply_via = None;
        reply_omits = moved where (List.filter (Z.testbit r.reply_omits) cells);
      } in
    let black, white = if owner = Black then (stones, given) else (given, stones) in
    let plan = Replies ((if races then given else Z.zero), List.map reply replies) in
    Node0 (placed turn black white, turn, left, plan, []) in
  let fresh_images first =
    let fresh = Hashtbl.create 64 in
    let rec visit = function
      | [] -> ()
      | ((n, where) as one) :: waiting when
          not (Hashtbl.mem images (name one) || Hashtbl.mem fresh (name one)) ->
          Hashtbl.replace fresh (name one) one;
          if Hashtbl.length images + Hashtbl.length fresh > most_images then raise No_image;
          let _, _, _, replies = node n in
          let lead r = Option.map (fun k -> (small k, later where r.reply_via)) r.reply_node in
          visit (List.rev_append (List.filter_map lead replies) waiting)
      | _ :: waiting -> visit waiting in
    visit [ first ];
    (* A node leads to earlier ones. *)
    let earlier (_, (a, _)) (_, (b, _)) = compare a b in
    List.map
      (fun (name, one) ->
        let written = write one in
        Hashtbl.replace images name (next ());
        written)
      (List.sort earlier (List.of_seq (Hashtbl.to_seq fresh))) in
  let place is_symmetry where =
    let turned = !symmetries = Hashtbl.length maps in
    if (if is_symmetry then not turned else !began) then raise No_image;
    Hashtbl.replace maps (Hashtbl.length maps) where;
    if is_symmetry then incr symmetries in
  let unfolded ln =
    let before = ref [] in
    let reply r =
      match (r.reply_node, r.reply_via) with
      | None, _ -> r
      | Some k, _ when small k >= Hashtbl.length nodes -> raise No_image
      | Some k, Some v when small v >= !symmetries && small v < Hashtbl.length maps ->
          let one = (small k, Hashtbl.find maps (small v)) in
          before := !before @ fresh_images one;
          { r with reply_node = Some (Z.of_int (Hashtbl.find images (name one))); reply_via = None }
      | Some k, _ -> { r with reply_node = Some (Z.of_int (Hashtbl.find numbers (small k))) } in
    let last = match ln with
      | Node0 (at, turn, left, Replies (blank, replies), via) ->
          Node0 (at, turn, left, Replies (blank, List.map reply replies), via)
      | other -> other in
    let number = next () in
    Hashtbl.replace nodes (Hashtbl.length nodes) ln;
    Hashtbl.replace numbers (Hashtbl.length numbers) number;
    !before @ [ last ] in
  let plain ln =
    began := true;
    if Hashtbl.length maps = !symmetries then [ ln ] else unfolded ln in
  (place, plain)
