(** The checker for positional games: a function that reads a strategy line by line, and the theorem
    that what it accepts is true. *)

From Coq Require Import Arith NArith ZArith List Bool Lia OrderedTypeEx.
From Skolemate Require Import
  Cells Game Table Goals Symmetry Stones Boards Cover Local Links Blocking Turns Hex Covering Pairing
  Zones.
Import ListNotations.
Open Scope N_scope.

(** * Lines *)

(** A reply: a move, and the number of the node that Covers the position after it, perhaps under a
    symmetry; without a node the move meets the goal. It does not answer the moves that it omits. *)
Record reply := Reply {
  reply_move : N;
  reply_node : option N;
  reply_via : option N;
  reply_omits : N
}.

Inductive plan :=
  | Move (m : N)
  | Every
  | Pairing (ps : pairs)
  | Replies (blank : N) (rs : list reply)  (* the blank cells are among the enemy's stones *)
  | Linking (ls : list link).

Inductive line :=
  | Symmetry (s : permutation)
  | Node (p : position) (turn : player) (left : bound) (what : plan) (via : list (N * N)).

Section Checker.
  Variable g : positional.
  Variable who : player.
  Variable win : bool.

  Notation r := (positional_rules g).
  Notation owner := (owner who win).
  Notation enemy := (opponent owner).
  Notation own_goal := (goal_of g owner).
  Notation enemy_goal := (goal_of g enemy).
  Notation board := (set_of (cells g)).
  Notation Proves := (proves r who win).
  Notation Covers := (covers g who win).
  Notation Holds := (holds g who win).
  Notation About := (about g who win).

  (** Whether the game is monotone, and the owner's path exclusive, is found out once. *)
  Variables is_monotone is_exclusive : bool.

  (** * The state, and a step *)

  Record state := State {
    its_book : book;
    its_covers : Numbers.t zone;
    its_symmetries : list permutation;
    its_count : N
  }.

  Definition nth_symmetry (st : state) (k : N) : option permutation :=
    nth_error (its_symmetries st) (N.to_nat k).

  Definition target (st : state) (rp : reply) : option response :=
    match reply_node rp with
    | None => Some (reply_move rp, reply_omits rp, None)
    | Some k =>
        match Numbers.find k (its_covers st), reply_via rp with
        | Some z, None => Some (reply_move rp, reply_omits rp, Some z)
        | Some z, Some v =>
            match nth_symmetry st v with
            | Some s => Some (reply_move rp, reply_omits rp, Some (turned_zone s z))
            | None => None
            end
        | None, _ => None
        end
    end.

  Fixpoint viewed (st : state) (via : list (N * N)) : option (list (N * permutation)) :=
    match via with
    | [] => Some []
    | (m, k) :: via =>
        match nth_symmetry st k, viewed st via with
        | Some s, Some rest => Some ((m, s) :: rest)
        | _, _ => None
        end
    end.

  Definition add_single_node (st : state) (p : position) (left : bound) (move : option N)
      (via : list (N * N)) : option state :=
    match viewed st via with
    | None => None
    | Some via =>
        match add_single r who win (judge g) (can_move g) (fun _ => false) permutation turned
                (its_book st) p left move via with
        | None => None
        | Some bk => Some (State bk (its_covers st) (its_symmetries st) (its_count st + 1))
        end
    end.

  (** A node that Covers; its bound also goes into the table if its turn is the game's. *)
  Definition add_cover (st : state) (p : position) (mine : bool) (b : bound) : state :=
    let own := stones owner p in
    let enemy := stones enemy p in
    State
      (if has_turn r (if mine then owner else opponent owner) p
       then record win (its_book st) p b [] else its_book st)
      (if mine then its_covers st
       else Numbers.add (its_count st) (Zone (Cover own enemy b) 0 []) (its_covers st))
      (its_symmetries st) (its_count st + 1).

  (** A node with blank cells: it is about no position of its own. *)
  Definition add_zone (st : state) (z : zone) : state :=
    State (its_book st) (Numbers.add (its_count st) z (its_covers st))
      (its_symmetries st) (its_count st + 1).

  Definition may_cover (own enemy : N) (left : bound) : bool :=
    inside_b own board && inside_b enemy board && apart_b own enemy
    && unmet_b own_goal own && unmet_b enemy_goal enemy
    && match left with Plies n => negb (n =? 0) | Ever => false end.

  Definition step (st : state) (ln : line) : option state :=
    match ln with
    | Symmetry s =>
        if keeps_b g s
        then Some (State (its_book st) (its_covers st) (its_symmetries st ++ [s]) (its_count st))
        else None
    | Node p turn plies what via =>
        let mine := same turn owner in
        let own := stones owner p in
        let enemy := stones enemy p in
        let covering b := if may_cover own enemy plies
                          then match b with Some b => Some (add_cover st p mine b) | None => None end
                          else None in
        match what with
        | Move m => if mine then add_single_node st p plies (Some m) via else None
        | Every => if mine then None else add_single_node st p plies None via
        | Pairing ps =>
            match covering (by_pairs g who win is_monotone is_exclusive own enemy plies ps mine) with
            | Some st => Some st
            | None =>
                if negb is_monotone && may_cover own enemy plies && has_turn r turn p then
                  match by_turns g who win p plies ps with
                  | Some b => Some (State (record win (its_book st) p b []) (its_covers st)
                                      (its_symmetries st) (its_count st + 1))
                  | None => None
                  end
                else None
            end
        | Replies blank rs =>
            if mine then None
            else
              let found := match all_some (map (target st) rs) with
                           | Some ts => by_replies g who win is_monotone own enemy blank plies ts
                           | None => None
                           end in
              if empty blank
              then covering (match found with Some (b, []) => Some b | _ => None end)
              else if inside_b own board && inside_b enemy board && apart_b own enemy
              then match found with
                   | Some (b, ds) => Some (add_zone st (Zone (Cover own enemy b) blank ds))
                   | None => None
                   end
              else None
        | Linking ls => if mine then None else covering (by_links g who win is_monotone
            is_exclusive own enemy plies ls)
        end
    end.

  Definition begin : state := State empty_book (Numbers.empty _) [] 0.

  (** Whether the lines prove the claim; and if so, whether there is no win at any depth. *)
  Definition finish (st : state) (depth : N) : option bool :=
    if distinct 0 (cells g) && fits_start g then
      match conclude r who win (judge g) (can_move g) (fun _ => false) (its_book st) (start g)
              (Plies depth) with
      | Some b => Some (negb win && match b with
                        | Ever => true
                        | Plies n => N.of_nat (length (schedule g)) <=? n
                        end)
      | None => None
      end
    else None.

  (** * What it accepts is true *)

  Hypothesis distinct_cells : distinct 0 (cells g) = true.
  Hypothesis monotone_known : is_monotone = true -> monotone g who win = true.
  Hypothesis exclusive_known : is_exclusive = true ->
    exists coords width height, exclusive g who win coords width height = true.

  Notation Sound := (book_sound r who win (fits g)).

  Definition right (st : state) : Prop :=
    Sound (its_book st) /\
    (forall k z, Numbers.find k (its_covers st) = Some z -> Holds z) /\
    (forall s, In s (its_symmetries st) -> keeps g s).

  Lemma proves_proves_to k b p : Proves b p -> proves_to r who win k b p.
  Proof. unfold proves_to. destruct win eqn:W; unfold proves; rewrite ?W; auto. Qed.

  Lemma target_right st rp m o t : right st -> target st rp = Some (m, o, t) ->
    forall z, t = Some z -> Holds z.
  Proof.
    intros (_ & C & K) E c ->. unfold target in E. destruct (reply_node rp) as [k |];
        [| discriminate].
    destruct (Numbers.find k (its_covers st)) as [z' |] eqn:F; [| discriminate].
    destruct (reply_via rp) as [v |].
    - destruct (nth_symmetry st v) as [s |] eqn:N; [| discriminate]. injection E as _ _ <-.
      apply turned_holds; [exact distinct_cells | | now apply (C k)]. apply K.
      now apply nth_error_In in N.
    - injection E as _ _ <-. now apply (C k).
  Qed.

  Lemma viewed_right st via via' : right st -> viewed st via = Some via' ->
    forall n s, In (n, s) via' -> keeps g s.
  Proof.
    intros (_ & _ & K). revert via'. induction via as [| [m k] via IH]; simpl; intros via'.
    - intros [= <-] n s [].
    - destruct (nth_symmetry st k) as [s' |] eqn:N; [| discriminate].
      destruct (viewed st via) as [rest |]; [| discriminate]. intros [= <-] n s [E | I].
      + injection E as <- <-. apply K. now apply nth_error_In in N.
      + now apply (IH rest eq_refl n).
  Qed.

  Lemma add_single_node_right st p left move via st' : right st ->
    add_single_node st p left move via = Some st' -> right st'.
  Proof.
    intros R. unfold add_single_node. destruct (viewed st via) as [via' |] eqn:V; [| discriminate].
    pose proof (viewed_right st via via' R V) as K. destruct R as (B & C & S).
    destruct (add_single _ _ _ _ _ _ _ _ _ _ _ _ _) as [bk |] eqn:E; [| discriminate].
    intros [= <-]. split; [| now split]. cbn [its_book].
    apply (add_single_sound r who win (fits g) (fits_after g distinct_cells)
             (judge g) (judge_won g) (judge_open g) (can_move g) (can_move_spec g)
             (fun _ => false) (fun _ => conj (fun x => False_ind _ (diff_false_true x))
                                             (fun x => False_ind _ x))
             permutation turned (keeps g) (turned_fits g distinct_cells)
             (fun s p d k f => turned_wins g distinct_cells s who p d k f)
             (its_book st) p left move via' bk B K E).
  Qed.

  Lemma add_cover_right st p mine b : right st ->
    About mine (stones owner p) (stones enemy p) b ->
    (mine = false -> Covers (Cover (stones owner p) (stones enemy p) b)) ->
    right (add_cover st p mine b).
  Proof.
    intros (B & C & S) A Cov. split; [| split].
    - unfold add_cover. cbn [its_book].
      destruct (has_turn r (if mine then owner else enemy) p) eqn:T; [| exact B].
      apply has_turn_spec in T. apply record_sound; [exact B |]. intros k _ F.
      apply proves_proves_to. now apply A.
    - unfold add_cover. cbn [its_covers]. intros k c. destruct mine; [apply C |].
      rewrite NumberFacts.add_o. destruct (N_as_OT.eq_dec (its_count st) k); [| apply C].
      intros [= <-]. now apply covers_holds, Cov.
    - exact S.
  Qed.

  Lemma add_zone_right st z : right st -> Holds z -> right (add_zone st z).
  Proof.
    intros (B & C & S) H. split; [exact B |]. split; [| exact S]. unfold add_zone.
    cbn [its_covers]. intros k z'. rewrite NumberFacts.add_o.
    destruct (N_as_OT.eq_dec (its_count st) k); [| apply C]. intros [= <-]. exact H.
  Qed.

  Lemma step_right st ln st' : right st -> step st ln = Some st' -> right st'.
  Proof.
    intros R. destruct ln as [s | p turn left what via]; simpl.
    - destruct (keeps_b g s) eqn:K; [| discriminate]. intros [= <-]. destruct R as (B & C & S).
      split; [exact B |]. split; [exact C |]. cbn [its_symmetries]. intros s' I.
      apply in_app_or in I. destruct I as [I | [<- | []]]; [now apply S | exact K].
    - set (own := stones owner p). set (en := stones enemy p). set (mine := same turn owner).
      assert (forall ob, (forall b, may_cover own en left = true -> ob = Some b ->
          About mine own en b /\ (mine = false -> Covers (Cover own en b))) ->
        (if may_cover own en left
         then match ob with Some b => Some (add_cover st p mine b) | None => None end
         else None) = Some st' -> right st') as H.
      { intros ob H. destruct (may_cover own en left); [| discriminate].
        destruct ob as [b |]; [| discriminate]. intros [= <-].
        destruct (H b eq_refl eq_refl) as [A Cov]. now apply add_cover_right. }
      assert (may_cover own en left = true -> on_board (cells g) own /\ on_board (cells g) en /\
        apart own en /\ ~ met enemy_goal en) as May.
      { unfold may_cover. rewrite !andb_true_iff, apart_b_spec. intros [[[[[Oo Oe] A] _] U] _].
        repeat split; auto using inside_on_board. now apply unmet_right. }
      destruct what as [m | | ps | blank rs | ls].
      + destruct mine; [now apply add_single_node_right | discriminate].
      + destruct mine; [discriminate | now apply add_single_node_right].
      + match goal with |- (match ?first with Some _ => _ | None => _ end) = _ -> _ =>
          destruct first as [st1 |] eqn:E1 end.
        * intros [= ->]. revert E1. apply H. intros b Mc. destruct (May Mc) as (Oo & Oe & A & U).
          unfold by_pairs.
          destruct (distinct 0 (pair_cells ps) && forallb (is_free g own en) (pair_cells ps)) eqn:D;
            [| discriminate].
          apply andb_true_iff in D. destruct D as [D F].
          destruct (by_bridges g who win is_monotone is_exclusive own left ps mine) as [b' |] eqn:B.
          -- intros [= <-]. now apply (bridges_about g who win is_monotone is_exclusive distinct_cells
                                        monotone_known exclusive_known own en left ps).
          -- now apply (blocking_about g who win is_monotone is_exclusive distinct_cells
                          monotone_known exclusive_known own en left ps).
        * destruct (negb is_monotone && may_cover own en left && has_turn r turn p) eqn:Mc;
            [| discriminate].
          rewrite !andb_true_iff in Mc. destruct Mc as [[_ Mc] _].
          destruct (May Mc) as (_ & Oe & A & _).
          destruct (by_turns g who win p left ps) as [b |] eqn:B; [| discriminate]. intros [= <-].
          destruct R as (Bk & C & S). split; [| now split]. cbn [its_book].
          apply record_sound; [exact Bk |]. intros k _ F. apply proves_proves_to.
          exact (turns_right g who win distinct_cells p left ps b Oe A B F).
      + destruct mine; [discriminate |].
        destruct (all_some (map (target st) rs)) as [ts |] eqn:T.
        2: { destruct (empty blank); [now destruct (may_cover own en left) |]. now destruct (_ && _ && _). }
        assert (forall m o z, In (m, o, Some z) ts -> Holds z) as Ts.
        { intros m o z I. apply (all_some_in _ _ _ T) in I. apply in_map_iff in I.
          destruct I as (rp & E & _). now apply (target_right st rp m o (Some z) R E). }
        destruct (empty blank) eqn:Bl.
        * apply N.eqb_eq in Bl. subst blank. apply H. intros b Mc.
          destruct (May Mc) as (Oo & Oe & A & U).
          destruct (by_replies _ _ _ _ _ _ _ _ _) as [[b' [|]] |] eqn:B; try discriminate.
          intros [= ->].
          assert (Covers (Cover own en b)) as C.
          { apply holds_covers; [exact A |].
            exact (replies_right g who win is_monotone distinct_cells own en 0 left ts b []
                     Oo Oe (fun _ => U) Ts B). }
          split; [| easy]. apply (covers_about g who win is_monotone distinct_cells monotone_known
              (Cover own en b)); [| exact C].
          unfold by_replies in B. destruct (two_less left); [| discriminate].
          destruct is_monotone; [reflexivity | discriminate].
        * destruct (inside_b own board && inside_b en board && apart_b own en) eqn:Mc;
            [| discriminate].
          rewrite !andb_true_iff in Mc. destruct Mc as [[Oo Oe] _].
          destruct (by_replies _ _ _ _ _ _ _ _ _) as [[b ds] |] eqn:B; [| discriminate].
          intros [= <-]. apply add_zone_right; [exact R |].
          apply (replies_right g who win is_monotone distinct_cells own en blank left ts b ds);
            auto using inside_on_board.
          intros ->. discriminate.
      + destruct mine; [discriminate |]. apply H. intros b Mc B.
        destruct (May Mc) as (Oo & Oe & A & U).
        pose proof (links_right g who win is_monotone is_exclusive distinct_cells exclusive_known
            own en left ls b Oo Oe A B) as C.
        split; [| easy]. apply (covers_about g who win is_monotone distinct_cells monotone_known
            (Cover own en b)); [| exact C].
        unfold by_links in B. destruct own_goal as [[| graph first last] |]; try discriminate.
        destruct (links_carrier graph first last own en ls); [| discriminate].
        destruct is_monotone; [reflexivity | discriminate].
  Qed.
End Checker.

(** * The theorem *)

(** A session reads lines one after the other. *)
Record session := Session { says_monotone : bool; says_exclusive : bool; its_state : state }.

Definition open (g : positional) (who : player) (win : bool) (coords : list (N * spot))
    (width height : Z) : session :=
  Session (monotone g who win) (exclusive g who win coords width height) begin.

Definition read (g : positional) (who : player) (win : bool) (s : session) (ln : line)
    : option session :=
  match step g who win (says_monotone s) (says_exclusive s) (its_state s) ln with
  | Some st => Some (Session (says_monotone s) (says_exclusive s) st)
  | None => None
  end.

Definition close (g : positional) (who : player) (win : bool) (depth : N) (s : session)
    : option bool := finish g who win (its_state s) depth.

Fixpoint read_all (g : positional) (who : player) (win : bool) (s : session) (lines : list line)
    : option session :=
  match lines with
  | [] => Some s
  | ln :: lines =>
      match read g who win s ln with
      | Some s => read_all g who win s lines
      | None => None
      end
  end.

Definition check (g : positional) (who : player) (win : bool) (depth : N)
    (coords : list (N * spot)) (width height : Z) (lines : list line) : option bool :=
  match read_all g who win (open g who win coords width height) lines with
  | Some s => close g who win depth s
  | None => None
  end.

Lemma read_all_right g who win lines : distinct 0 (cells g) = true ->
  forall s s', (says_monotone s = true -> monotone g who win = true) ->
  (says_exclusive s = true -> exists coords width height,
     exclusive g who win coords width height = true) ->
  right g who win (its_state s) -> read_all g who win s lines = Some s' ->
  right g who win (its_state s').
Proof.
  intros D. induction lines as [| ln lines IH]; simpl; intros s s' M X R; [now intros [= <-] |].
  unfold read. destruct (step _ _ _ _ _ _ _) as [st1 |] eqn:E; [| discriminate].
  apply IH; [exact M | exact X |].
  exact (step_right g who win (says_monotone s) (says_exclusive s) D M X (its_state s) ln st1 R E).
Qed.

(** No win takes longer than there are turns. *)
Lemma wins_turns g pl d p : wins (positional_rules g) pl d p ->
  wins (positional_rules g) pl (turns_left g p) p.
Proof.
  apply wins_timed; [intros q; apply turn_left |]. intros q m q' T I. simpl in T, I.
  apply in_placements in I. destruct I as (a & _ & _ & _ & ->).
  rewrite (turns_left_place g a q m T). lia.
Qed.

(** A strategy that is accepted proves its claim: the player wins within [depth] plies from the
    start; or does not, and, if the result says so, at no depth at all. *)
Theorem check_right g who win depth coords width height lines ever :
  check g who win depth coords width height lines = Some ever ->
  if win then wins (positional_rules g) who (N.to_nat depth) (start g)
  else ~ wins (positional_rules g) who (N.to_nat depth) (start g) /\
       (ever = true -> forall d, ~ wins (positional_rules g) who d (start g)).
Proof.
  unfold check. destruct (read_all _ _ _ _ _) as [s |] eqn:E; [| discriminate].
  unfold close, finish. destruct (distinct 0 (cells g) && fits_start g) eqn:F; [| discriminate].
  apply andb_true_iff in F. destruct F as [D F]. apply fits_start_right in F.
  assert (right g who win begin) as R0.
  { split; [apply empty_book_sound |]. split; [| now intros t []]. intros k c.
    unfold begin. cbn [its_covers]. now rewrite NumberFacts.empty_o. }
  destruct (read_all_right g who win lines D (open g who win coords width height) s) as (B & _);
    [easy | intros X; now exists coords, width, height | exact R0 | exact E |].
  destruct (conclude _ _ _ _ _ _ _ _ _) as [b |] eqn:C; [| discriminate]. intros [= <-].
  apply (conclude_right (positional_rules g) who win (fits g)
           (judge g) (judge_won g) (judge_open g) (can_move g) (can_move_spec g)
           (fun _ => false) (fun _ => conj (fun x => False_ind _ (diff_false_true x))
                                           (fun x => False_ind _ x))
           permutation turned (keeps g)
           (fun s p d k f => turned_wins g D s who p d k f)) in C; [| exact B | exact F].
  destruct C as [P En]. pose proof (enough_claimed _ _ _ _ _ _ P En) as Cl.
  unfold claimed in Cl. destruct win; [exact Cl |]. split; [exact Cl |]. simpl.
  intros Ev d W. unfold proves in P. destruct b as [n |].
  - apply N.leb_le in Ev. apply wins_turns in W. revert W. apply P. simpl. unfold turns_left. lia.
  - exact (P d Logic.I W).
Qed.

(** The same for files written by `skolemate check --coq`, whose proofs are computations. *)
Definition accepts (g : positional) (who : player) (win : bool) (depth : N)
    (coords : list (N * spot)) (width height : Z) (lines : list line) : bool :=
  match check g who win depth coords width height lines with Some _ => true | None => false end.

Theorem accepts_right g who win depth coords width height lines :
  accepts g who win depth coords width height lines = true ->
  if win then wins (positional_rules g) who (N.to_nat depth) (start g)
  else ~ wins (positional_rules g) who (N.to_nat depth) (start g).
Proof.
  unfold accepts. destruct (check _ _ _ _ _ _ _ _) as [ever |] eqn:E; [| discriminate].
  intros _. apply check_right in E. destruct win; [exact E | exact (proj1 E)].
Qed.
