(* skolemate-verified RULES STRATEGY: check a strategy by the proved checker.

   Unproved: this file, json.ml and sha256.ml read the two files into the types of the theorem. RULES
   is the canonical text of the game (docs/strategy-format.md); the strategy names its SHA-256.

   Exit code 0: accepted, the theorem holds for this file. 1: rejected. 2: no strategy, or another
   game's. 3: not covered by the theorem. *)

module Integer = Z  (* Zarith's; the extracted file has a Z of its own *)
open Checker
module Z = Integer

exception Not_covered of string

let wrong = Json.wrong
let number what = function Json.Int n when Z.sign n >= 0 -> n | _ -> wrong (what ^ " is no number")
let plies what value =
  let n = number what value in
  if Z.numbits n > 31 then wrong (what ^ " is too large") else n

let text what = function Json.Text s -> s | _ -> wrong (what ^ " is no text")
let items what = function Json.List l -> l | _ -> wrong (what ^ " is no list")
let player = function
  | Json.Text "black" -> Black
  | Json.Text "white" -> White
  | _ -> wrong "a player is black or white"

let option f = function Json.Null -> None | value -> Some (f value)
let turn_clock = function Black -> Z.zero | White -> Z.one

(* --- the game -------------------------------------------------------------------------------- *)

type game =
  | Placing of positional
  | Moving of moving

type rules = {
  names : string array;
  cell : string -> Z.t;  (* the number of a cell, by its name *)
  move : player -> string -> Z.t;
  first_black : Z.t;
  first_white : Z.t;
  game : game;
}

let goal count = function
  | Json.Null -> None
  | Json.List (Json.Text "sets" :: sets) -> Some (Owns (List.map (number "a set") sets))
  | Json.List [ Json.Text "path"; Json.List near; first; last ] when List.length near = count ->
      let graph = List.mapi (fun c n -> (Z.of_int c, number "a neighbour" n)) near in
      Some (Path (graph, number "a border" first, number "a border" last))
  | _ -> wrong "the rules have an unknown goal"

let pattern value =
  match List.map (number "a mask") (items "a pattern" value) with
  | [ has_black; has_white; has_any; not_black; not_white ] ->
      { has_black; has_white; has_any; not_black; not_white }
  | _ -> wrong "a pattern has five masks"

let patterned = function
  | Json.List [] | Json.List (Json.Text "patterns" :: _) -> true
  | _ -> false

let patterns = function
  | Json.Null -> None
  | Json.List [] -> Some []
  | Json.List (Json.Text "patterns" :: l) -> Some (List.map pattern l)
  | _ -> wrong "the rules have an unknown goal"

let action value =
  match items "an action" value with
  | [ Json.Text name; needs; opens; blackens; whitens ] ->
      ( name,
        { needs = pattern needs; opens = number "a mask" opens;
          blackens = number "a mask" blackens; whitens = number "a mask" whitens } )
  | _ -> wrong "an action is a name, a pattern and three masks"

(* In a positional game every move places a stone on an open cell, and that is all. *)
let is_stone cell pl (name, a) =
  let stone = Z.shift_left Z.one (Z.to_int (cell name)) in
  let black, white = match pl with Black -> (stone, Z.zero) | White -> (Z.zero, stone) in
  List.for_all2 Z.equal
    [ a.needs.has_black; a.needs.has_white; a.needs.has_any; a.needs.not_black; a.needs.not_white;
      a.opens; a.blackens; a.whitens ]
    [ Z.zero; Z.zero; Z.zero; stone; stone; Z.zero; black; white ]

(* The number of a move, by its name; of a name that no move has, a number that no move has. *)
let by_name listed =
  let numbers = Hashtbl.create 256 in
  List.iteri (fun n (name, _) -> Hashtbl.replace numbers name (Z.of_int n)) listed;
  if Hashtbl.length numbers <> List.length listed then wrong "two actions have one name";
  let none = Z.of_int (List.length listed) in
  fun name -> Option.value (Hashtbl.find_opt numbers name) ~default:none

let rules json =
  match json with
  | Json.List
      [ Json.List names; Json.List [ black; white; first ]; to_move; schedule; stuck;
        Json.List [ actions_b; actions_w ]; Json.List [ goal_b; goal_w ] ] ->
      let names = Array.of_list (List.map (text "a cell") names) in
      let count = Array.length names in
      let numbers = Hashtbl.create (2 * count) in
      Array.iteri (fun c name -> Hashtbl.replace numbers name (Z.of_int c)) names;
      if Hashtbl.length numbers <> count then wrong "two cells have one name";
      let cell name =
        match Hashtbl.find_opt numbers name with
        | Some c -> c
        | None -> wrong (name ^ " is no cell") in
      let first_black = number "the black stones" black
      and first_white = number "the white stones" white in
      let actions_b = List.map action (items "actions" actions_b)
      and actions_w = List.map action (items "actions" actions_w) in
      let loses = match stuck with
        | Json.Text "draw" -> false
        | Json.Text "loses" -> true
        | _ -> wrong "stuck is draw or loses" in
      let start clock = { black = first_black; white = first_white; clock } in
      let moving turns first_stones clock =
        let aims_b = patterns goal_b and aims_w = patterns goal_w in
        let named_b = by_name actions_b and named_w = by_name actions_w in
        let numbered l = List.mapi (fun n (_, a) -> (Z.of_int n, a)) l in
        let numbered_b = numbered actions_b and numbered_w = numbered actions_w in
        ( Moving {
            board_of = Z.pred (Z.shift_left Z.one count);
            actions = (function Black -> numbered_b | White -> numbered_w);
            aims = (function Black -> aims_b | White -> aims_w);
            turns;
            first_stones;
            moving_start = start clock;
            loses_when_stuck = loses;
          },
          function Black -> named_b | White -> named_w ) in
      let game, move =
        match schedule with
        | Json.List l ->
            if List.length actions_b <> count || List.length actions_w <> count || loses
               || not (List.for_all (is_stone cell Black) actions_b)
               || not (List.for_all (is_stone cell White) actions_w)
            then raise (Not_covered "a schedule of turns with other moves than stones");
            let turns = List.map player l and first = option (number "the first cells") first in
            if patterned goal_b || patterned goal_w then moving (Some turns) first Z.zero
            else
              let goal_b = goal count goal_b and goal_w = goal count goal_w in
              ( Placing {
                  cells = List.init count Z.of_int;
                  goal_of = (function Black -> goal_b | White -> goal_w);
                  schedule = turns;
                  first_cells = first;
                  start = start Z.zero;
                },
                fun _ name -> cell name )
        | Json.Null ->
            if first <> Json.Null then raise (Not_covered "first cells without a schedule");
            moving None None (turn_clock (player to_move))
        | _ -> wrong "the schedule is a list of players, or null" in
      { names; cell; move; first_black; first_white; game }
  | Json.List [ Json.List _; Json.List _; Json.Int _; Json.List _ ] ->
      raise (Not_covered "rules as a propositional network (GDL)")
  | _ -> wrong "these are no rules of a game"

(* Where the cells of a board with names such as b3 are: a hint, which the checker checks. *)
let places names =
  let place name =
    let x = ref 0 and y = ref 0 in
    String.iter
      (function
        | 'a' .. 'z' as c -> x := (26 * !x) + Char.code c - 96
        | '0' .. '9' as c -> y := (10 * !y) + Char.code c - 48
        | _ -> ())
      name;
    (!x - 1, !y - 1) in
  let listed = Array.map place names in
  let most f = Array.fold_left (fun m p -> max m (f p + 1)) 0 listed in
  let coords = List.mapi (fun c (x, y) -> (Z.of_int c, (Z.of_int x, Z.of_int y)))
      (Array.to_list listed) in
  (coords, Z.of_int (most fst), Z.of_int (most snd))

(* --- lines ----------------------------------------------------------------------------------- *)

let cell rules value = rules.cell (text "a cell" value)

let step rules (cells, gap) = function
  | Json.Text name -> ((gap, rules.cell name) :: cells, None)
  | Json.Int k when gap = None && Z.sign k >= 0 -> (cells, Some k)
  | _ -> wrong "a way is cells with earlier links between them"

let way rules value =
  let cells, gap = List.fold_left (step rules) ([], None) (items "a way" value) in
  { steps = List.rev cells; last_gap = gap }

let link rules value =
  match items "a link" value with
  | left :: right :: ways ->
      { left_point = option (cell rules) left; right_point = option (cell rules) right;
        ways = List.map (way rules) ways }
  | _ -> wrong "links are points and ways"

let reply rules value =
  let reply m reply_node reply_via reply_omits =
    { reply_move = cell rules m; reply_node; reply_via; reply_omits } in
  let node = number "a node" and symmetry = number "a symmetry" in
  match items "a reply" value with
  | [ m ] -> reply m None None Z.zero
  | [ m; k ] -> reply m (Some (node k)) None Z.zero
  | [ m; k; s ] -> reply m (Some (node k)) (Some (symmetry s)) Z.zero
  | [ m; k; s; Json.List (_ :: _ as omitted) ] ->
      let add set c = Z.logor set (Z.shift_left Z.one (Z.to_int (cell rules c))) in
      reply m (option node k) (option symmetry s) (List.fold_left add Z.zero omitted)
  | _ -> wrong "replies are moves with earlier nodes"

let pair rules value =
  match items "a pair" value with
  | [ a; b ] -> (cell rules a, cell rules b)
  | _ -> wrong "pairs are pairs of cells"

let filled what l = if l = [] then wrong (what ^ " are missing") else l

(* The position with these stones. *)
let placed rules turn black white =
  match rules.game with
  | Moving { turns = None } -> { black; white; clock = turn_clock turn }
  | Moving { turns = Some schedule } | Placing { schedule } ->
      let plies =
        Z.popcount (Z.logor black white)
        - Z.popcount (Z.logor rules.first_black rules.first_white) in
      (* With fewer stones than at the start it is no position of the game: nobody's turn. *)
      let clock = if plies < 0 then List.length schedule else plies in
      { black; white; clock = Z.of_int clock }

(* The position, and the blank cells, on which the player to move is given stones. *)
let position rules turn letters =
  if String.length letters <> Array.length rules.names then wrong "at needs a letter for each cell";
  let stones letter =
    if String.length letters <= 62 then begin
      let found = ref 0 in
      String.iteri (fun c l -> if l = letter then found := !found lor (1 lsl c)) letters;
      Z.of_int !found
    end
    else begin
      let found = ref Z.zero in
      String.iteri
        (fun c l -> if l = letter then found := Z.logor !found (Z.shift_left Z.one c)) letters;
      !found
    end in
  let known = function 'X' | 'O' | '.' | '?' -> () | _ -> wrong "at has the letters X, O, . and ?" in
  String.iter known letters;
  let blank = if String.contains letters '?' then stones '?' else Z.zero in
  let given pl = if turn = pl then blank else Z.zero in
  let black = Z.logor (stones 'X') (given Black) and white = Z.logor (stones 'O') (given White) in
  (placed rules turn black white, blank)

(* A map: where some cells go. *)
let map rules entries =
  let size = Array.length rules.names in
  let where = Array.make size None and taken = Array.make size false in
  List.iter
    (fun (from, image) ->
      let image = Z.to_int (cell rules image) in
      if taken.(image) then wrong "a map takes different cells to different cells";
      taken.(image) <- true;
      where.(Z.to_int (rules.cell from)) <- Some image)
    entries;
  if Array.for_all Option.is_some where then wrong "a map does not take all cells";
  where

let keys = [ "at"; "turn"; "left"; "move"; "pairs"; "via"; "replies"; "links" ]

let line rules = function
  | Json.Object [ ("symmetry", images) ] ->
      let images = List.map (cell rules) (items "a symmetry" images) in
      if List.length images <> Array.length rules.names then wrong "a symmetry names every cell once";
      Symmetry (List.mapi (fun c image -> (Z.of_int c, image)) images)
  | Json.Object entries ->
      List.iter
        (fun (key, _) ->
          if not (List.mem key keys) then raise (Not_covered ("a line with the key " ^ key)))
        entries;
      let entry key =
        match List.assoc_opt key entries with Some v -> v | None -> wrong (key ^ " is missing") in
      let turn = player (entry "turn") in
      let at, blank = position rules turn (text "at" (entry "at")) in
      let left = match entry "left" with Json.Null -> Ever | n -> Plies (plies "left" n) in
      let via =
        match List.assoc_opt "via" entries with
        | None -> []
        | Some (Json.Object l) ->
            List.map (fun (m, k) -> (rules.move turn m, number "a symmetry" k)) l
        | Some _ -> wrong "via gives the number of a symmetry for each move that needs one" in
      let plan =
        match List.filter (fun (k, _) -> List.mem k [ "move"; "pairs"; "replies"; "links" ]) entries with
        | [] -> Every
        | [ ("move", m) ] -> Move (rules.move turn (text "a move" m))
        | [ ("pairs", l) ] -> Pairing (List.map (pair rules) (items "pairs" l))
        | [ ("replies", l) ] ->
            Replies (blank, List.map (reply rules) (filled "replies" (items "replies" l)))
        | [ ("links", l) ] -> Linking (List.map (link rules) (filled "links" (items "links" l)))
        | _ -> wrong "a node has a move, or pairs, replies or links, and no two of them" in
      (match plan with
       | Replies _ -> ()
       | _ -> if Z.sign blank <> 0 then wrong "only a node with replies leaves cells blank");
      Node0 (at, turn, left, plan, via)
  | _ -> wrong "a line is a JSON object"

(* --- the file -------------------------------------------------------------------------------- *)

let whole file =
  let stream = open_in_bin file in
  let content = really_input_string stream (in_channel_length stream) in
  close_in stream;
  content

let longest = (1 lsl 24) - 1

type header = { game : string; content : string; who : player; win : bool; depth : Z.t }

let header names = function
  | Json.Object entries ->
      let entry key =
        match List.assoc_opt key entries with Some v -> v | None -> wrong (key ^ " is missing") in
      if entry "format" <> Json.Text "skolemate strategy" then wrong "this is no strategy";
      (match entry "version" with
       | Json.Int n when Z.equal n Z.one -> ()
       | Json.Int n when Z.gt n Z.one ->
           raise (Not_covered ("version " ^ Z.to_string n ^ " of the format"))
       | _ -> wrong "the version is a number");
      if entry "cells" <> Json.Text (String.concat " " (Array.to_list names)) then
        wrong "the cells in the header are not those of the rules";
      {
        game = text "game" (entry "game");
        content = text "content" (entry "content");
        who = player (entry "player");
        win = (match entry "verdict" with
            | Json.Text "WIN" -> true
            | Json.Text "NO_WIN" -> false
            | _ -> wrong "the verdict is WIN or NO_WIN");
        depth = plies "depth" (entry "depth");
      }
  | _ -> wrong "this is no strategy"

(* The sessions of both theorems: [read] fails where a line is not proved. *)
type session = { read : line -> bool; close : unit -> bool option }

let placing rules header g =
  let who = header.who and win = header.win in
  let coords, width, height = places rules.names in
  let session = ref (open0 g who win coords width height) in
  {
    read = (fun ln ->
        match read g who win !session ln with
        | Some after -> session := after; true
        | None -> false);
    close = (fun () -> close g who win header.depth !session);
  }

(* What stands for the lines of a file: see cards.ml. *)
let unfolding (rules : rules) header =
  let owner = if header.win then header.who else opponent header.who in
  let races = match rules.game with
    | Placing { goal_of } -> (match goal_of (opponent owner) with Some (Owns _) -> true | _ -> false)
    | Moving _ -> false in
  Cards.unfolding (Array.length rules.names) owner races (placed rules)

let moving rules header g =
  let who = header.who and win = header.win in
  let board = List.init (Array.length rules.names) Z.of_int in
  let session = ref moving_open in
  let accept ln =
    match moving_read g board who win !session ln with
    | Some after -> session := after; true
    | None -> false in
  {
    read = (function
        | Symmetry s -> accept (Turned s)
        | Node0 (p, turn, left, Move m, via) -> accept (Single (p, turn, left, Some m, via))
        | Node0 (p, turn, left, Every, via) -> accept (Single (p, turn, left, None, via))
        | Node0 _ -> false);
    close = (fun () -> moving_close g who win header.depth !session);
  }

let check rules_file strategy_file =
  let canonical = whole rules_file in
  let rules = rules (Json.parse canonical) in
  let stream = open_in_bin strategy_file in
  let number = ref 0 and nodes = ref 0 in
  let next () =
    incr number;
    let line = input_line stream in
    if String.length line >= longest then wrong "this line is far too long for a strategy";
    line in
  try
    let header = header rules.names (Json.parse (next ())) in
    if header.content <> Sha256.digest canonical then wrong "it is tied to another game";
    let session = match rules.game with
      | Placing g -> placing rules header g
      | Moving g -> moving rules header g in
    let place, plain = unfolding rules header in
    (try
       while true do
         let accepted =
           match Json.parse (next ()) with
           | Json.Object [ ("map", Json.Object entries) ] -> place false (map rules entries); true
           | Json.Object entries when List.mem_assoc "map" entries ->
               wrong "a map says where some cells go, and has nothing else"
           | entry ->
               match line rules entry with
               | Symmetry images as ln ->
                   place true (Array.of_list (List.map (fun (_, c) -> Some (Z.to_int c)) images));
                   session.read ln
               | ln -> incr nodes; List.for_all session.read (plain ln) in
         if not accepted then raise Cards.No_image
       done
     with
     | End_of_file -> ()
     | Cards.No_image ->
         Printf.printf "rejected: line %d is not proved\n" !number;
         raise Exit);
    match session.close () with
    | Some ever ->
        Printf.printf "accepted: %s %s %s%s; %d node%s\n"
          (if header.win then "WIN" else "NO_WIN")
          (Z.to_string header.depth)
          (match header.who with Black -> "black" | White -> "white")
          (if ever then ", at any depth" else "")
          !nodes (if !nodes = 1 then "" else "s");
        0
    | None -> print_endline "rejected: the claim does not follow from the lines"; 1
  with
  | Json.Wrong why ->
      Printf.printf "no strategy: line %d: %s\n" !number why;
      2
  | Not_covered what ->
      Printf.printf "not covered: line %d: %s\n" !number what;
      3
  | Exit -> 1

let () =
  exit
    (match Sys.argv with
     | [| _; rules; strategy |] -> (
         try check rules strategy with
         | Not_covered what -> Printf.printf "not covered: %s\n" what; 3
         | Json.Wrong why -> Printf.printf "no rules: %s\n" why; 2
         | Sys_error why -> prerr_endline why; 2)
     | _ -> prerr_endline "usage: skolemate-verified RULES STRATEGY"; 2)
