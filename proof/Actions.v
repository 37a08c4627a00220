(** Games whose moves are patterns and effects: pieces move, stones fall, dominoes lie; or stones are
    placed, and who completes a pattern may lose by it (misère). *)

From Coq Require Import NArith List Bool Lia.
From Skolemate Require Import Cells Game Table Goals Symmetry.
Import ListNotations.
Open Scope N_scope.

(** A condition on the board: cells that must, or must not, have stones of a colour. *)
Record pattern := Pattern {
  has_black : N; has_white : N; has_any : N; not_black : N; not_white : N
}.

Definition holds (c : pattern) (p : position) : bool :=
  inside_b (has_black c) (black p) && inside_b (has_white c) (white p) &&
  inside_b (has_any c) (union (black p) (white p)) &&
  apart_b (not_black c) (black p) && apart_b (not_white c) (white p).

Record action := Action { needs : pattern; opens : N; blackens : N; whitens : N }.

(** The players alternate, or have turns in the order of a schedule, which begins at the start; then
    the first stone may be restricted to some cells. A player without a goal ([None]) is the Breaker,
    who has won when the turns are over, or the board is full, and the other has not. *)
Record moving := Moving {
  board_of : N;
  actions : player -> list (N * action);   (* with their names *)
  aims : player -> option (list pattern);
  turns : option (list player);
  first_stones : option N;                  (* has a meaning only if there is a schedule *)
  moving_start : position;
  loses_when_stuck : bool
}.

Section Moving.
  Variable g : moving.

  Definition alternating (p : position) : player := if clock p =? 0 then Black else White.

  Definition mover (p : position) : option player :=
    match turns g with
    | Some l => nth_error l (N.to_nat (clock p))
    | None => Some (alternating p)
    end.

  Definition placed (a : action) : N := union (blackens a) (whitens a).

  Definition after_action (a : action) (p : position) : position :=
    let changed := union (opens a) (placed a) in
    At (union (without (black p) changed) (blackens a))
       (union (without (white p) changed) (whitens a))
       (match turns g with Some _ => N.succ (clock p) | None => if clock p =? 0 then 1 else 0 end).

  Definition legal (p : position) (a : action) : bool :=
    holds (needs a) p &&
    match turns g, first_stones g with
    | Some _, Some f => negb (clock p =? 0) || inside_b (placed a) f
    | _, _ => true
    end.

  Definition plays (p : position) : list (N * position) :=
    match mover p with
    | Some pl => map (fun na => (fst na, after_action (snd na) p))
                   (filter (fun na => legal p (snd na)) (actions g pl))
    | None => []
    end.

  Definition attained (pl : player) (p : position) : bool :=
    match aims g pl with Some cs => existsb (fun c => holds c p) cs | None => false end.

  Definition full_b (p : position) : bool := inside_b (board_of g) (union (black p) (white p)).

  (** Black's goal is looked at first; where the players alternate, that of the player who has just
      moved. *)
  Definition winner (p : position) : option player :=
    let first := match turns g with Some _ => Black | None => opponent (alternating p) end in
    let ended := match turns g with
                 | Some _ => match mover p with None => true | Some _ => false end
                 | None => full_b p
                 end in
    if attained first p then Some first
    else if attained (opponent first) p then Some (opponent first)
    else if ended then
      match aims g Black, aims g White with
      | None, _ => Some Black
      | _, None => Some White
      | _, _ => None
      end
    else None.

  (** Whether an action does nothing but place one own stone on an open cell. *)
  Definition one_stone (pl : player) (a : action) : bool :=
    let own := match pl with Black => blackens a | White => whitens a end in
    let other := match pl with Black => whitens a | White => blackens a end in
    negb (empty own) && empty (common own (N.pred own)) && empty other && empty (opens a) &&
    inside_b own (common (not_black (needs a)) (not_white (needs a))).

  (** Where there is a goal to reach and all actions are such stones, a full board is a draw, also if
      a player without a move loses otherwise. *)
  Definition draws_when_full : bool :=
    existsb (fun pl => match aims g pl with Some (_ :: _) => true | _ => false end) [Black; White] &&
    forallb (fun pl => forallb (fun na => one_stone pl (snd na)) (actions g pl)) [Black; White].

  Definition stuck_b (p : position) : bool :=
    loses_when_stuck g && negb (full_b p && draws_when_full).

  Definition moving_rules : rules :=
    Rules mover plays (fun pl p => winner p = Some pl)
      (fun p => stuck_b p = true).

  Definition moving_judge (p : position) : option (option player) := Some (winner p).

  Lemma moving_judge_won p w : moving_judge p = Some (Some w) ->
    won moving_rules w p /\ ~ won moving_rules (opponent w) p.
  Proof.
    unfold moving_judge. simpl. intros [= ->]. split; [reflexivity |]. intros [= X].
    now destruct w.
  Qed.

  Lemma moving_judge_open p : moving_judge p = Some None -> ~ over moving_rules p.
  Proof. unfold moving_judge, over. simpl. intros [= ->]. now intros [|]. Qed.

  Definition can_play (p : position) : bool :=
    match mover p with
    | Some pl => existsb (fun na => legal p (snd na)) (actions g pl)
    | None => false
    end.

  Lemma can_play_spec p : can_play p = true <-> moves moving_rules p <> [].
  Proof.
    unfold can_play. simpl. unfold plays. destruct (mover p) as [pl |]; [| easy].
    rewrite existsb_exists. split.
    - intros (na & I & H) E. apply map_eq_nil in E.
      assert (In na (filter (fun na => legal p (snd na)) (actions g pl))) as X by now apply filter_In.
      rewrite E in X. destruct X.
    - intros E. destruct (filter _ _) as [| na l] eqn:F; [easy |]. exists na.
      apply filter_In with (f := fun na => legal p (snd na)). rewrite F. now left.
  Qed.

  (** * Symmetries: permutations of the cells that map actions to actions and goals to goals *)

  Section Symmetry.
    Variable board : list N.
    Variable s : permutation.
    Hypothesis P : permutes board s = true.

    Definition moved_pattern (c : pattern) : pattern :=
      Pattern (image s (has_black c)) (image s (has_white c)) (image s (has_any c))
        (image s (not_black c)) (image s (not_white c)).

    Definition moved_action (a : action) : action :=
      Action (moved_pattern (needs a)) (image s (opens a)) (image s (blackens a))
        (image s (whitens a)).

    Definition same_pattern (c d : pattern) : bool :=
      (has_black c =? has_black d) && (has_white c =? has_white d) && (has_any c =? has_any d) &&
      (not_black c =? not_black d) && (not_white c =? not_white d).

    Definition same_action (a b : action) : bool :=
      same_pattern (needs a) (needs b) && (opens a =? opens b) && (blackens a =? blackens b) &&
      (whitens a =? whitens b).

    Lemma same_pattern_spec c d : same_pattern c d = true -> c = d.
    Proof.
      unfold same_pattern. rewrite !andb_true_iff, !N.eqb_eq. destruct c, d; simpl.
      now intros [[[[-> ->] ->] ->] ->].
    Qed.

    Lemma same_action_spec a b : same_action a b = true -> a = b.
    Proof.
      unfold same_action. rewrite !andb_true_iff, !N.eqb_eq. destruct a, b; simpl.
      intros [[[X ->] ->] ->]. now rewrite (same_pattern_spec _ _ X).
    Qed.

    Definition pattern_on (c : pattern) : bool :=
      let whole := set_of board in
      inside_b (has_black c) whole && inside_b (has_white c) whole && inside_b (has_any c) whole &&
      inside_b (not_black c) whole && inside_b (not_white c) whole.

    (** All images are there, and everything there is an image. *)
    Definition onto {A} (f : A -> A) (eq : A -> A -> bool) (l : list A) : bool :=
      forallb (fun a => existsb (eq (f a)) l && existsb (fun b => eq (f b) a) l) l.

    Definition keeps_moving_b : bool :=
      (image s (board_of g) =? board_of g) && inside_b (board_of g) (set_of board) &&
      match first_stones g with Some f => image s f =? f | None => true end &&
      forallb (fun pl =>
        onto moved_action same_action (map snd (actions g pl)) &&
        forallb (fun a => pattern_on (needs a) && inside_b (placed a) (set_of board))
          (map snd (actions g pl)) &&
        match aims g pl with
        | None => true
        | Some cs => onto moved_pattern same_pattern cs && forallb pattern_on cs
        end) [Black; White].

    Definition moved_position (p : position) : position :=
      At (image s (black p)) (image s (white p)) (clock p).

    Lemma inside_b_image t u : inside_b t (set_of board) = true ->
      inside_b (image s t) (image s u) = inside_b t u.
    Proof.
      intros O. apply eq_true_iff_eq. rewrite !inside_b_spec. split.
      - apply (inside_image board s P). intros c M. apply inside_b_spec in O.
        apply mem_set_of. now apply O.
      - apply image_inside.
    Qed.

    Lemma apart_b_image t u : inside_b t (set_of board) = true ->
      apart_b (image s t) (image s u) = apart_b t u.
    Proof.
      intros O. apply eq_true_iff_eq. rewrite !apart_b_spec. apply inside_b_spec in O. split.
      - intros A c M. assert (In c board) as B by (apply mem_set_of; now apply O).
        destruct (permutes_to board s P c B) as (d & I & _).
        rewrite <- (mem_image_of board s P c d u I). apply A.
        now rewrite (mem_image_of board s P c d t I).
      - intros A d M. apply mem_image in M. destruct M as (c & I & M).
        rewrite (mem_image_of board s P c d u I). now apply A.
    Qed.

    Lemma image_union t u : image s (union t u) = union (image s t) (image s u).
    Proof.
      apply same_set. intros d. apply eq_true_iff_eq.
      rewrite mem_union, orb_true_iff, !mem_image. split.
      - intros (c & I & M). rewrite mem_union, orb_true_iff in M. destruct M; [left | right];
          now exists c.
      - intros [(c & I & M) | (c & I & M)]; exists c; (split; [exact I |]);
          rewrite mem_union, M; [reflexivity | apply orb_true_r].
    Qed.

    Lemma image_without t u : image s (without t u) = without (image s t) (image s u).
    Proof.
      apply same_set. intros d. apply eq_true_iff_eq.
      rewrite mem_without, andb_true_iff, negb_true_iff, !mem_image. split.
      - intros (c & I & M). rewrite mem_without, andb_true_iff, negb_true_iff in M.
        destruct M as [M U]. split; [now exists c |]. now rewrite (mem_image_of board s P c d u I).
      - intros [(c & I & M) U]. exists c. split; [exact I |].
        rewrite (mem_image_of board s P c d u I) in U. now rewrite mem_without, M, U.
    Qed.

    Lemma holds_image c p : pattern_on c = true ->
      holds (moved_pattern c) (moved_position p) = holds c p.
    Proof.
      unfold pattern_on, holds. rewrite !andb_true_iff. intros [[[[A B] C] D] E]. simpl.
      rewrite <- image_union, !inside_b_image, !apart_b_image by assumption. reflexivity.
    Qed.

    Lemma after_image a p :
      after_action (moved_action a) (moved_position p) = moved_position (after_action a p).
    Proof.
      unfold after_action, moved_position, moved_action, placed. simpl.
      now rewrite !image_union, !image_without, !image_union.
    Qed.

    Hypothesis K : keeps_moving_b = true.

    Lemma onto_image {A} (f : A -> A) eq (l : list A) : (forall a b, eq a b = true -> a = b) ->
      onto f eq l = true ->
      (forall a, In a l -> In (f a) l) /\ (forall a, In a l -> exists b, In b l /\ f b = a).
    Proof.
      intros E O. unfold onto in O. rewrite forallb_forall in O. split; intros a I.
      - specialize (O a I). rewrite andb_true_iff, !existsb_exists in O.
        destruct O as [(b & J & X) _]. apply E in X. now subst b.
      - specialize (O a I). rewrite andb_true_iff, !existsb_exists in O.
        destruct O as [_ (b & J & X)]. apply E in X. now exists b.
    Qed.

    Lemma keeps_moving pl :
      onto moved_action same_action (map snd (actions g pl)) = true /\
      (forall a, In a (map snd (actions g pl)) ->
         pattern_on (needs a) = true /\ inside_b (placed a) (set_of board) = true) /\
      (forall cs, aims g pl = Some cs ->
         onto moved_pattern same_pattern cs = true /\ forall c, In c cs -> pattern_on c = true).
    Proof.
      unfold keeps_moving_b in K. rewrite !andb_true_iff in K. destruct K as [_ X].
      rewrite forallb_forall in X. assert (In pl [Black; White]) as I by (destruct pl; simpl; auto).
      specialize (X pl I). rewrite !andb_true_iff in X. destruct X as [[A B] C].
      split; [exact A |]. split.
      { intros a Ia. apply andb_true_iff. revert a Ia. now apply forallb_forall. }
      intros cs E. rewrite E in C.
      apply andb_true_iff in C. destruct C as [C D]. split; [exact C | now apply forallb_forall].
    Qed.

    Lemma attained_image pl p : attained pl (moved_position p) = attained pl p.
    Proof.
      unfold attained. destruct (keeps_moving pl) as (_ & _ & X).
      destruct (aims g pl) as [cs |]; [| reflexivity]. destruct (X cs eq_refl) as [O On].
      apply (onto_image _ _ _ same_pattern_spec) in O. destruct O as [F B].
      apply eq_true_iff_eq. rewrite !existsb_exists. split.
      - intros (c & I & H). destruct (B c I) as (d & J & <-). exists d. split; [exact J |].
        now rewrite (holds_image d p (On d J)) in H.
      - intros (c & I & H). exists (moved_pattern c). split; [now apply F |].
        now rewrite (holds_image c p (On c I)).
    Qed.

    Lemma full_image p : full_b (moved_position p) = full_b p.
    Proof.
      unfold keeps_moving_b in K. rewrite !andb_true_iff, N.eqb_eq in K.
      destruct K as [[[E On] _] _]. unfold full_b. simpl. rewrite <- image_union.
      rewrite <- E at 1. now apply inside_b_image.
    Qed.

    Lemma winner_image p : winner (moved_position p) = winner p.
    Proof.
      unfold winner. change (mover (moved_position p)) with (mover p).
      change (alternating (moved_position p)) with (alternating p).
      now rewrite !attained_image, full_image.
    Qed.

    Lemma legal_image a p : pattern_on (needs a) = true -> inside_b (placed a) (set_of board) =
        true ->
      legal (moved_position p) (moved_action a) = legal p a.
    Proof.
      intros On Op. unfold legal. change (needs (moved_action a)) with (moved_pattern (needs a)).
      rewrite (holds_image _ p On). f_equal. destruct (turns g); [| reflexivity].
      unfold keeps_moving_b in K. rewrite !andb_true_iff in K. destruct K as [[_ E] _].
      destruct (first_stones g) as [f |]; [| reflexivity]. apply N.eqb_eq in E.
      change (clock (moved_position p)) with (clock p). f_equal.
      replace (placed (moved_action a)) with (image s (placed a)) by apply image_union.
      rewrite <- E at 1. now apply inside_b_image.
    Qed.

    Lemma moved_wins pl d p : wins moving_rules pl d (moved_position p) <-> wins moving_rules pl d p.
    Proof.
      symmetry. apply (alike_wins moving_rules (fun p p' => p' = moved_position p)); [| reflexivity].
      clear p. intros p p' ->. split; [reflexivity |]. simpl.
      split; [intros w; now rewrite winner_image |].
      split; [unfold stuck_b; now rewrite full_image |]. unfold plays.
      change (mover (moved_position p)) with (mover p). destruct (mover p) as [mv |]; [| easy].
      destruct (keeps_moving mv) as (O & On & _).
      apply (onto_image _ _ _ same_action_spec) in O. destruct O as [F B]. split.
      - intros m q I. apply in_map_iff in I. destruct I as ([n a] & [= <- <-] & I).
        apply filter_In in I. destruct I as [I H]. simpl in H.
        assert (In a (map snd (actions g mv))) as Ia by (apply in_map_iff; now exists (n, a)).
        pose proof (F a Ia) as J. apply in_map_iff in J. destruct J as ([n' a'] & E & J).
        simpl in E. subst a'. exists n', (moved_position (after_action a p)).
        split; [| reflexivity]. apply in_map_iff. exists (n', moved_action a).
        split; [simpl; now rewrite after_image |]. apply filter_In. split; [exact J |]. simpl.
        destruct (On a Ia) as [On1 On2]. now rewrite (legal_image a p On1 On2).
      - intros m q I. apply in_map_iff in I. destruct I as ([n a] & [= <- <-] & I).
        apply filter_In in I. destruct I as [I H]. simpl in H.
        assert (In a (map snd (actions g mv))) as Ia by (apply in_map_iff; now exists (n, a)).
        destruct (B a Ia) as (b & Ib & <-). pose proof Ib as J.
        apply in_map_iff in J. destruct J as ([n' b'] & E & J). simpl in E. subst b'.
        exists n', (after_action b p). split; [| apply after_image].
        apply in_map_iff. exists (n', b). split; [reflexivity |]. apply filter_In.
        split; [exact J |]. simpl. simpl in H. destruct (On b Ib) as [On1 On2].
        now rewrite (legal_image b p On1 On2) in H.
    Qed.
  End Symmetry.
End Moving.

(** * The checker *)

Inductive moving_line :=
  | Turned (s : permutation)
  | Single (p : position) (turn : player) (plies : bound) (move : option N) (via : list (N * N)).

Section Checker.
  Variable g : moving.
  Variable board : list N.
  Variable who : player.
  Variable win : bool.
  Notation r := (moving_rules g).

  Definition moving_keeps (s : permutation) : Prop :=
    permutes board s = true /\ keeps_moving_b g board s = true.

  Record moving_state := MovingState { its_table : book; its_turns : list permutation }.

  Fixpoint turns_of (st : moving_state) (via : list (N * N)) : option (list (N * permutation)) :=
    match via with
    | [] => Some []
    | (m, k) :: via =>
        match nth_error (its_turns st) (N.to_nat k), turns_of st via with
        | Some s, Some rest => Some ((m, s) :: rest)
        | _, _ => None
        end
    end.

  Definition moving_read (st : moving_state) (ln : moving_line) : option moving_state :=
    match ln with
    | Turned s =>
        if permutes board s && keeps_moving_b g board s
        then Some (MovingState (its_table st) (its_turns st ++ [s]))
        else None
    | Single p turn plies move via =>
        match turns_of st via with
        | None => None
        | Some via =>
            if has_turn r turn p then
              match add_single r who win (moving_judge g) (can_play g) (stuck_b g) permutation
                      moved_position (its_table st) p plies move via with
              | Some bk => Some (MovingState bk (its_turns st))
              | None => None
              end
            else None
        end
    end.

  Definition moving_open : moving_state := MovingState empty_book [].

  Definition moving_close (depth : N) (st : moving_state) : option bool :=
    match conclude r who win (moving_judge g) (can_play g) (stuck_b g) (its_table st)
            (moving_start g) (Plies depth) with
    | Some b => Some (negb win && match b, turns g with
                      | Ever, _ => true
                      | Plies n, Some l => N.of_nat (length l) <=? n
                      | Plies _, None => false
                      end)
    | None => None
    end.

  Fixpoint moving_read_all (st : moving_state) (lines : list moving_line) : option moving_state :=
    match lines with
    | [] => Some st
    | ln :: lines =>
        match moving_read st ln with Some st => moving_read_all st lines | None => None end
    end.

  Definition moving_check (depth : N) (lines : list moving_line) : option bool :=
    match moving_read_all moving_open lines with
    | Some st => moving_close depth st
    | None => None
    end.

  Notation everywhere := (fun _ : position => True).

  Definition moving_right (st : moving_state) : Prop :=
    book_sound r who win everywhere (its_table st) /\ forall s, In s (its_turns st) -> moving_keeps s.

  Lemma turns_right st via via' : moving_right st -> turns_of st via = Some via' ->
    forall n s, In (n, s) via' -> moving_keeps s.
  Proof.
    intros [_ K]. revert via'. induction via as [| [m k] via IH]; simpl; intros via'.
    - intros [= <-] n s [].
    - destruct (nth_error (its_turns st) (N.to_nat k)) as [s' |] eqn:E; [| discriminate].
      destruct (turns_of st via) as [rest |]; [| discriminate]. intros [= <-] n s [X | I].
      + injection X as <- <-. apply K. now apply nth_error_In in E.
      + now apply (IH rest eq_refl n).
  Qed.

  Lemma moving_read_right st ln st' : moving_right st -> moving_read st ln = Some st' ->
    moving_right st'.
  Proof.
    intros R. destruct ln as [s | p turn plies move via]; simpl.
    - destruct (permutes board s && keeps_moving_b g board s) eqn:E; [| discriminate].
      apply andb_true_iff in E. intros [= <-]. destruct R as [B K]. split; [exact B |].
      simpl. intros s' I. apply in_app_or in I. destruct I as [I | [<- | []]];
          [now apply K | exact E].
    - destruct (turns_of st via) as [via' |] eqn:V; [| discriminate].
      destruct (has_turn r turn p); [| discriminate].
      destruct (add_single _ _ _ _ _ _ _ _ _ _ _ _ _) as [bk |] eqn:E; [| discriminate].
      intros [= <-]. pose proof (turns_right st via via' R V) as K. destruct R as [B S].
      split; [| exact S]. cbn [its_table].
      apply (add_single_sound r who win everywhere (fun _ _ _ _ _ => I)
               (moving_judge g) (moving_judge_won g) (moving_judge_open g)
               (can_play g) (can_play_spec g) (stuck_b g) (fun _ => iff_refl _)
               permutation moved_position moving_keeps (fun _ _ _ _ => I)
               (fun s p d k _ => moved_wins g board s (proj1 k) (proj2 k) who d p)
               (its_table st) p plies move via' bk B K E).
  Qed.

  (** No win takes longer than there are turns, if they are counted. *)
  Lemma moving_timed l pl d p : turns g = Some l -> wins r pl d p -> wins r pl (length l) p.
  Proof.
    intros E W. apply (wins_within r pl (length l - N.to_nat (clock p))); [lia |]. revert W.
    apply (wins_timed r (fun p => length l - N.to_nat (clock p))%nat).
    - intros q T. simpl in T. unfold mover in T. rewrite E in T. apply nth_error_Some in T. lia.
    - intros q m q' T I. simpl in T, I. unfold plays in I. unfold mover in T. rewrite E in T.
      apply nth_error_Some in T. destruct (mover g q); [| destruct I].
      apply in_map_iff in I. destruct I as (na & [= _ <-] & _). unfold after_action. rewrite E.
      simpl. lia.
  Qed.

  (** A strategy that is accepted proves its claim. *)
  Theorem moving_check_right depth lines ever : moving_check depth lines = Some ever ->
    if win then wins r who (N.to_nat depth) (moving_start g)
    else ~ wins r who (N.to_nat depth) (moving_start g) /\
         (ever = true -> forall d, ~ wins r who d (moving_start g)).
  Proof.
    unfold moving_check. destruct (moving_read_all moving_open lines) as [st |] eqn:E;
        [| discriminate].
    assert (moving_right st) as [B _].
    { assert (moving_right moving_open) as R by (split; [apply empty_book_sound | now intros s []]).
      revert R E. generalize moving_open. induction lines as [| ln lines IH]; simpl; intros st0 R.
      - now intros [= <-].
      - destruct (moving_read st0 ln) as [st1 |] eqn:X; [| discriminate].
        apply IH. now apply (moving_read_right st0 ln). }
    unfold moving_close. destruct (conclude _ _ _ _ _ _ _ _ _) as [b |] eqn:C; [| discriminate].
    intros [= <-].
    apply (conclude_right r who win everywhere
             (moving_judge g) (moving_judge_won g) (moving_judge_open g)
             (can_play g) (can_play_spec g) (stuck_b g) (fun _ => iff_refl _)
             permutation moved_position moving_keeps
             (fun s p d k _ => moved_wins g board s (proj1 k) (proj2 k) who d p)) in C;
      [| exact B | exact I].
    destruct C as [P En]. pose proof (enough_claimed _ _ _ _ _ _ P En) as Cl.
    unfold claimed in Cl. destruct win; [exact Cl |]. split; [exact Cl |]. simpl.
    intros Ev d W. unfold proves in P. destruct b as [n |]; [| exact (P d I W)].
    destruct (turns g) as [l |] eqn:T; [| discriminate]. apply N.leb_le in Ev.
    apply (moving_timed l) in W; [| exact T]. revert W. apply P. simpl. lia.
  Qed.
End Checker.

(** The same for files written by `skolemate check --coq`, whose proofs are computations. *)
Definition moving_accepts (g : moving) (board : list N) (who : player) (win : bool) (depth : N)
    (lines : list moving_line) : bool :=
  match moving_check g board who win depth lines with Some _ => true | None => false end.

Theorem moving_accepts_right g board who win depth lines :
  moving_accepts g board who win depth lines = true ->
  if win then wins (moving_rules g) who (N.to_nat depth) (moving_start g)
  else ~ wins (moving_rules g) who (N.to_nat depth) (moving_start g).
Proof.
  unfold moving_accepts. destruct (moving_check _ _ _ _ _ _) as [ever |] eqn:E; [| discriminate].
  intros _. apply moving_check_right in E. destruct win; [exact E | exact (proj1 E)].
Qed.
