(** What a game is, and what it means that a player wins within so many plies. *)

From Coq Require Import NArith List Bool Lia.
From Skolemate Require Import Cells.
Import ListNotations.
Open Scope N_scope.

Inductive player := Black | White.

Definition opponent (pl : player) : player :=
  match pl with Black => White | White => Black end.

Definition same (a b : player) : bool :=
  match a, b with Black, Black | White, White => true | _, _ => false end.

Lemma same_spec a b : same a b = true <-> a = b.
Proof. destruct a, b; split; intros H; try reflexivity; discriminate H. Qed.

Lemma opp_opp pl : opponent (opponent pl) = pl.
Proof. now destruct pl. Qed.

(** A position: both players' stones, and a number that tells whose turn it is. In positional
    games this is the number of plies since the start; where pieces move, 0 for Black to move and 1
    for White. *)
Record position := At { black : N; white : N; clock : N }.

Definition stones (pl : player) (p : position) : N :=
  match pl with Black => black p | White => white p end.

(** The rules of a game: whose turn it is, the moves (each with its name and the position after it),
    who has won, and whether a player without a move has lost. *)
Record rules := Rules {
  turn : position -> option player;
  moves : position -> list (N * position);
  won : player -> position -> Prop;
  stuck_loses : position -> Prop
}.

Section Wins.
  Variable r : rules.

  Definition over (p : position) : Prop := won r Black p \/ won r White p.

  (** The definition of docs/rules.md. A player wins within [d] plies from a position if it is won
      for that player; or if nobody has won, a ply is left, and: the player is to move and some
      move leads to a position won within one ply less; or the opponent is to move, has a move, and
      every move does; or the opponent is to move, has no move, and has lost by that. *)
  Fixpoint wins (pl : player) (d : nat) (p : position) : Prop :=
    won r pl p \/
    match d with
    | O => False
    | S d => ~ over p /\
        (turn r p = Some pl /\ (exists m q, In (m, q) (moves r p) /\ wins pl d q) \/
         turn r p = Some (opponent pl) /\ moves r p <> [] /\
           (forall m q, In (m, q) (moves r p) -> wins pl d q) \/
         turn r p = Some (opponent pl) /\ moves r p = [] /\ stuck_loses r p)
    end.

  Lemma wins_more pl d : forall p, wins pl d p -> wins pl (S d) p.
  Proof.
    induction d as [| d IH]; intros p W.
    - left. destruct W as [W | []]. exact W.
    - change (wins pl (S (S d)) p) with
        (won r pl p \/ ~ over p /\
        (turn r p = Some pl /\ (exists m q, In (m, q) (moves r p) /\ wins pl (S d) q) \/
         turn r p = Some (opponent pl) /\ moves r p <> [] /\
           (forall m q, In (m, q) (moves r p) -> wins pl (S d) q) \/
         turn r p = Some (opponent pl) /\ moves r p = [] /\ stuck_loses r p)).
      destruct W as [W | [O [(T & m & q & I & W) | [(T & E & W) | W]]]].
      + now left.
      + right. split; [exact O |]. left. split; [exact T |]. exists m, q. auto.
      + right. split; [exact O |]. right; left. split; [exact T |]. split; [exact E |].
        intros m q I. apply IH, (W m q I).
      + right. split; [exact O |]. now right; right.
  Qed.

  Lemma wins_within pl d e p : (d <= e)%nat -> wins pl d p -> wins pl e p.
  Proof. intros L W. induction L; [exact W | now apply wins_more]. Qed.

  (** No win takes longer than there are turns, where these are counted. *)
  Lemma wins_timed (left : position -> nat) :
    (forall p, turn r p <> None -> (0 < left p)%nat) ->
    (forall p m q, turn r p <> None -> In (m, q) (moves r p) -> (left q < left p)%nat) ->
    forall pl d p, wins pl d p -> wins pl (left p) p.
  Proof.
    intros Some0 Less pl d. induction d as [| d IH]; intros p [W | W];
      try (now apply (wins_within _ 0); [lia | left]); try contradiction.
    destruct W as [Ov W].
    assert (turn r p <> None) as T.
    { destruct W as [(T & _) | [(T & _) | (T & _)]]; rewrite T; discriminate. }
    pose proof (Some0 p T) as Z. destruct (left p) as [| k] eqn:K; [lia |].
    assert (forall m q, In (m, q) (moves r p) -> wins pl d q -> wins pl k q) as Next.
    { intros m q I Wq. pose proof (Less p m q T I). apply (wins_within pl (left q)); [lia | now apply IH]. }
    right. split; [exact Ov |]. destruct W as [(Tp & m & q & I & W) | [(Tp & Ne & W) | W]].
    - left. split; [exact Tp |]. exists m, q. split; [exact I |]. now apply (Next m).
    - right; left. split; [exact Tp |]. split; [exact Ne |]. intros m q I.
      apply (Next m q I). now apply (W m).
    - now right; right.
  Qed.

  (** Positions that are alike, and lead to positions that are alike, are won within the same plies:
      so a symmetry keeps who wins when. *)
  Lemma alike_wins (alike : position -> position -> Prop) :
    (forall p p', alike p p' ->
       turn r p = turn r p' /\ (forall pl, won r pl p <-> won r pl p') /\
       (stuck_loses r p <-> stuck_loses r p') /\
       (forall m q, In (m, q) (moves r p) ->
          exists m' q', In (m', q') (moves r p') /\ alike q q') /\
       (forall m' q', In (m', q') (moves r p') ->
          exists m q, In (m, q) (moves r p) /\ alike q q')) ->
    forall pl d p p', alike p p' -> wins pl d p <-> wins pl d p'.
  Proof.
    intros H pl d. induction d as [| d IH]; intros p p' A;
      destruct (H p p' A) as (T & W & K & F & B).
    - simpl. rewrite (W pl). reflexivity.
    - assert (over p <-> over p') as O by (unfold over; rewrite !W; reflexivity).
      assert (moves r p = [] <-> moves r p' = []) as E.
      { split; intros E.
        - destruct (moves r p') as [| [m q] l]; [reflexivity |].
          destruct (B m q (or_introl eq_refl)) as (m' & q' & I & _). rewrite E in I. destruct I.
        - destruct (moves r p) as [| [m q] l]; [reflexivity |].
          destruct (F m q (or_introl eq_refl)) as (m' & q' & I & _). rewrite E in I. destruct I. }
      simpl. rewrite <- T, (W pl), O, E, K.
      split; (intros [X | (X & [(X1 & m & q & I & Wq) | [(X1 & X2 & Wq) | X1]])]; [now left | | |]);
        right; (split; [exact X |]).
      + destruct (F m q I) as (m' & q' & I' & A'). left. split; [exact X1 |].
        exists m', q'. split; [exact I' |]. now apply (IH q q').
      + right; left. repeat split; try assumption. intros m' q' I'.
        destruct (B m' q' I') as (m & q & I & A'). apply (IH q q' A'), (Wq m q I).
      + now right; right.
      + destruct (B m q I) as (m' & q' & I' & A'). left. split; [exact X1 |].
        exists m', q'. split; [exact I' |]. now apply (IH q' q).
      + right; left. repeat split; try assumption. intros m' q' I'.
        destruct (F m' q' I') as (m & q & I & A'). apply (IH q' q A'), (Wq m q I).
      + now right; right.
  Qed.
End Wins.

(** * Goals *)

(** A player's goal: to own one of some sets; or to own a path from one border to another in a
    graph, which lists for each cell its neighbours. *)
Inductive goal :=
  | Owns (sets : list N)
  | Path (graph : list (N * N)) (first last : N).

Definition beside (graph : list (N * N)) (c d : N) : Prop :=
  exists near, In (c, near) graph /\ mem near d = true.

(** The cells of [own] to which a path within [own] leads from the cells [from]. *)
Inductive joined (graph : list (N * N)) (from own : N) : N -> Prop :=
  | joined_from c : mem from c = true -> mem own c = true -> joined graph from own c
  | joined_step c d :
      joined graph from own c -> beside graph c d -> mem own d = true -> joined graph from own d.

Definition met (g : option goal) (own : N) : Prop :=
  match g with
  | None => False
  | Some (Owns sets) => exists w, In w sets /\ inside w own
  | Some (Path graph first last) => exists c, joined graph first own c /\ mem last c = true
  end.

Lemma joined_more graph from own own' c :
  inside own own' -> joined graph from own c -> joined graph from own' c.
Proof.
  intros I J. induction J as [c F M | c d J IH B M].
  - apply joined_from; auto.
  - apply (joined_step _ _ _ c); auto.
Qed.

Lemma met_more g own own' : inside own own' -> met g own -> met g own'.
Proof.
  intros I. destruct g as [[sets | graph first last] |]; simpl; [| | easy].
  - intros (w & W & J). exists w. split; [exact W |]. exact (inside_trans _ _ _ J I).
  - intros (c & J & L). exists c. split; [| exact L]. exact (joined_more _ _ _ _ _ I J).
Qed.

(** * Positional games *)

(** The players claim cells in the order of [schedule], which begins at the start; the first stone
    may be restricted to some cells. A player without a goal is the Breaker, who has won when the
    turns are over and the other has not. *)
Record positional := Positional {
  cells : list N;
  goal_of : player -> option goal;
  schedule : list player;
  first_cells : option N;
  start : position
}.

Section Positional.
  Variable g : positional.

  Definition turn_at (p : position) : option player := nth_error (schedule g) (N.to_nat (clock p)).

  Definition taken (p : position) : N := union (black p) (white p).

  Definition allowed (p : position) (c : N) : bool :=
    negb (mem (taken p) c) &&
    match first_cells g with Some f => negb (clock p =? 0) || mem f c | None => true end.

  Definition place (pl : player) (p : position) (c : N) : position :=
    match pl with
    | Black => At (put (black p) c) (white p) (N.succ (clock p))
    | White => At (black p) (put (white p) c) (N.succ (clock p))
    end.

  Definition placements (p : position) : list (N * position) :=
    match turn_at p with
    | None => []
    | Some pl => map (fun c => (c, place pl p c)) (filter (allowed p) (cells g))
    end.

  Definition has_won (pl : player) (p : position) : Prop :=
    match pl with
    | Black => met (goal_of g Black) (black p) \/
        goal_of g Black = None /\ turn_at p = None /\ ~ met (goal_of g White) (white p)
    | White => ~ met (goal_of g Black) (black p) /\
        (met (goal_of g White) (white p) \/
         goal_of g White = None /\ goal_of g Black <> None /\ turn_at p = None)
    end.

  Definition positional_rules : rules :=
    Rules turn_at placements has_won (fun _ => False).
End Positional.
