(** Nodes about single positions: a table of proved bounds, and what a further line adds to it.

    Nothing here depends on the kind of game. A line is right if each position after it has a
    sufficient bound in the table or by the rules; or, for a defence without end, is promised: some
    later line proves it. Once no promise is left open, everything in the table is true. *)

From Coq Require Import NArith List Bool Lia Wf_nat.
From Skolemate Require Import Cells Game Positions.
Import ListNotations.
Open Scope N_scope.

(** * Bounds *)

(** The plies for which a claim is proved at a position. *)
Inductive bound := Plies (n : N) | Ever.

Definition within (d : nat) (b : bound) : Prop :=
  match b with Plies n => (d <= N.to_nat n)%nat | Ever => True end.

Definition table := Positions.t bound.

Section Table.
  Variable r : rules.
  Variable who : player.   (* whose win is claimed, or denied *)
  Variable win : bool.     (* which of these *)

  Definition owner : player := if win then who else opponent who.

  (** What a bound says: a win within so many plies; or no win within so many, or ever. *)
  Definition proves (b : bound) (p : position) : Prop :=
    if win then match b with Plies n => wins r who (N.to_nat n) p | Ever => False end
    else forall d, within d b -> ~ wins r who d p.

  (** The same, as far as the first [k] plies go. *)
  Definition proves_to (k : nat) (b : bound) (p : position) : Prop :=
    if win then proves b p else forall d, (d <= k)%nat -> within d b -> ~ wins r who d p.

  Definition no_win_before (k : nat) (p : position) : Prop :=
    forall d, (d < k)%nat -> ~ wins r who d p.

  (** Positions that the table is about; every move leads from such a position to such positions. *)
  Variable fits : position -> Prop.
  Hypothesis fits_after : forall p m q, fits p -> In (m, q) (moves r p) -> fits q.

  (** Who has won: [Some None] if nobody has; [None] if that could not be decided. *)
  Variable judge : position -> option (option player).
  Hypothesis judge_won : forall p w, judge p = Some (Some w) ->
    won r w p /\ ~ won r (opponent w) p.
  Hypothesis judge_open : forall p, judge p = Some None -> ~ over r p.

  Variable can_move : position -> bool.
  Hypothesis can_move_spec : forall p, can_move p = true <-> moves r p <> [].

  Variable stuck : position -> bool.
  Hypothesis stuck_spec : forall p, stuck p = true <-> stuck_loses r p.

  (** Symmetries, which keep who wins when. *)
  Variable symmetry : Type.
  Variable image : symmetry -> position -> position.
  Variable keeps : symmetry -> Prop.
  Hypothesis image_fits : forall s p, keeps s -> fits p -> fits (image s p).
  Hypothesis image_wins : forall s p d, keeps s -> fits p -> wins r who d (image s p) <-> wins r who d p.

  Definition has_turn (pl : player) (p : position) : bool :=
    match turn r p with Some t => same t pl | None => false end.

  Lemma has_turn_spec pl p : has_turn pl p = true <-> turn r p = Some pl.
  Proof.
    unfold has_turn. destruct (turn r p) as [t |].
    - rewrite same_spec. split; [now intros -> | now injection 1].
    - now split.
  Qed.

  (** The bound that follows from the rules alone. *)
  Definition by_rules (p : position) : option bound :=
    match judge p with
    | None => None
    | Some (Some w) => if Bool.eqb (same w who) win then Some (if win then Plies 0 else Ever) else None
    | Some None =>
        if can_move p then (if win then None else Some (Plies 0))
        else if stuck p && has_turn (opponent who) p then Some (Plies (if win then 1 else 0))
        else if win then None else Some Ever
    end.

  Lemma not_won p : judge p = Some None -> ~ won r who p.
  Proof. intros J W. apply (judge_open p J). unfold over. destruct who; auto. Qed.

  Lemma by_rules_right p b : by_rules p = Some b -> proves b p.
  Proof.
    unfold by_rules, proves. destruct (judge p) as [[w |] |] eqn:J; [| | discriminate].
    - destruct (judge_won p w J) as [W L].
      destruct (same w who) eqn:S, win; try discriminate; simpl; intros [= <-].
      + apply same_spec in S. subst w. now left.
      + assert (~ won r who p) as NW.
        { intros X. destruct w, who; try discriminate S; exact (L X). }
        intros [| d] _ [X | X]; try contradiction.
        destruct X as [X _]. apply X. destruct w; [now left | now right].
    - pose proof (not_won p J) as NW.
      destruct (can_move p) eqn:C.
      + destruct win; intros [= <-]. intros d D. simpl in D. assert (d = 0)%nat as -> by lia.
        intros [X | []]. contradiction.
      + assert (moves r p = []) as E.
        { destruct (moves r p) eqn:E; [reflexivity |].
          assert (can_move p = true) by (apply can_move_spec; now rewrite E). congruence. }
        destruct (stuck p && has_turn (opponent who) p) eqn:K.
        * apply andb_true_iff in K. destruct K as [K T].
          apply stuck_spec in K. apply has_turn_spec in T.
          destruct win; intros [= <-]; simpl.
          -- right. split; [now apply judge_open |]. right; right. auto.
          -- intros d D. assert (d = 0)%nat as -> by lia. intros [X | []]. contradiction.
        * destruct win; intros [= <-]. intros d _ X. destruct d as [| d].
          { destruct X as [X | []]. contradiction. }
          destruct X as [X | (_ & X)]; [contradiction |]. rewrite E in X.
          destruct X as [(_ & m & q & [] & _) | [(_ & X & _) | (T & _ & X)]]; [congruence |].
          apply has_turn_spec in T. apply stuck_spec in X. rewrite T, X in K. discriminate.
  Qed.

  Definition enough (b left : bound) : bool :=
    match b, left with
    | Plies n, Plies m => if win then n <=? m else m <=? n
    | Ever, _ => negb win
    | Plies _, Ever => false
    end.

  (** * A line *)

  (** A position after a move: whether its bound is [Ever], and whether that is a promise. *)
  Definition after (t : table) (left : bound) (q : position) : option (bool * list position) :=
    match (match Positions.find q t with Some b => Some b | None => by_rules q end) with
    | None => None
    | Some b =>
        if enough b left then Some (match b with Ever => true | _ => false end, [])
        else match left with
             | Ever => if win then None else Some (true, [q])
             | Plies _ => None
             end
    end.

  Fixpoint lookup (m : N) (via : list (N * symmetry)) : option symmetry :=
    match via with
    | [] => None
    | (n, s) :: rest => if n =? m then Some s else lookup m rest
    end.

  Definition seen (via : list (N * symmetry)) (m : N) (q : position) : position :=
    match lookup m via with Some s => image s q | None => q end.

  Fixpoint all_after (t : table) (left : bound) (via : list (N * symmetry))
      (ms : list (N * position)) : option (bool * list position) :=
    match ms with
    | [] => Some (true, [])
    | (m, q) :: rest =>
        match after t left (seen via m q) with
        | None => None
        | Some (ever, new) =>
            match all_after t left via rest with
            | None => None
            | Some (ever', new') => Some (ever && ever', new ++ new')
            end
        end
    end.

  Definition ply_less (left : bound) : option bound :=
    match left with
    | Plies n => if n =? 0 then None else Some (Plies (N.pred n))
    | Ever => if win then None else Some Ever
    end.

  (** A line about one position: the owner's move, or, on the opponent's turn, every move. *)
  Definition single (t : table) (p : position) (left : bound) (move : option N)
      (via : list (N * symmetry)) : option (bound * list position) :=
    match judge p, ply_less left with
    | Some None, Some left' =>
        let ms := match move with
                  | Some m => filter (fun mq => fst mq =? m) (moves r p)
                  | None => moves r p
                  end in
        let mine := match move with Some _ => true | None => false end in
        if has_turn (if mine then owner else opponent owner) p
           && match ms with [] => false | _ => true end
        then match all_after t left' via ms with
             | Some (ever, new) => Some (if ever && negb win then Ever else left, new)
             | None => None
             end
        else None
    | _, _ => None
    end.

  (** Everything in the table is true as far as the promises are kept. *)
  Definition sound (t : table) (promised : position -> Prop) : Prop :=
    forall k, (forall q, promised q -> fits q -> no_win_before k q) ->
    forall p b, Positions.find p t = Some b -> fits p -> proves_to k b p.

  Lemma after_right t promised left q ever new k :
    sound t promised -> fits q ->
    (forall x, promised x \/ In x new -> fits x -> no_win_before k x) ->
    after t left q = Some (ever, new) ->
    if win then exists n, left = Plies n /\ wins r who (N.to_nat n) q
    else forall d, (d < k)%nat -> within d left \/ ever = true -> ~ wins r who d q.
  Proof.
    intros T F P. unfold after.
    set (found := match Positions.find q t with Some b => Some b | None => by_rules q end).
    destruct found as [b |] eqn:E; [| discriminate].
    destruct (enough b left) eqn:L.
    - intros [= <- <-].
      assert (proves_to k b q) as B.
      { subst found. destruct (Positions.find q t) as [b' |] eqn:X.
        - injection E as ->. apply (T k); auto.
        - apply by_rules_right in E. unfold proves_to. destruct win eqn:Wn; [exact E |].
          unfold proves in E. rewrite Wn in E. auto. }
      unfold proves_to, proves in B. unfold enough in L. destruct win.
      + destruct b as [n |]; [| contradiction]. destruct left as [m |]; [| discriminate].
        exists m. split; [reflexivity |]. apply N.leb_le in L.
        apply (wins_within _ _ (N.to_nat n)); [lia | exact B].
      + intros d D X. apply B; [lia |]. destruct b as [n |]; [| exact I].
        destruct left as [m |]; [| discriminate]. apply N.leb_le in L.
        destruct X as [X | X]; [simpl in *; lia | discriminate].
    - destruct left as [n |]; [discriminate |]. destruct win; [discriminate |].
      intros [= <- <-] d D _. apply (P q); [right; now left | exact F | exact D].
  Qed.

  Lemma seen_fits via m q :
    (forall n s, In (n, s) via -> keeps s) -> fits q -> fits (seen via m q).
  Proof.
    intros K F. unfold seen. destruct (lookup m via) as [s |] eqn:E; [| exact F].
    apply image_fits; [| exact F]. clear F.
    induction via as [| [n s'] via IH]; [discriminate |]. simpl in E.
    destruct (n =? m); [injection E as -> | apply IH; [| exact E]].
    - apply (K n). now left.
    - intros n' s'' I. apply (K n'). now right.
  Qed.

  Lemma seen_wins via m q d :
    (forall n s, In (n, s) via -> keeps s) -> fits q ->
    wins r who d (seen via m q) <-> wins r who d q.
  Proof.
    intros K F. unfold seen. destruct (lookup m via) as [s |] eqn:E; [| reflexivity].
    apply image_wins; [| exact F].
    induction via as [| [n s'] via IH]; [discriminate |]. simpl in E.
    destruct (n =? m); [injection E as -> | apply IH; [| exact E]].
    - apply (K n). now left.
    - intros n' s'' I. apply (K n'). now right.
  Qed.

  Lemma all_after_right t promised left via ms ever new k :
    sound t promised ->
    (forall n s, In (n, s) via -> keeps s) ->
    (forall m q, In (m, q) ms -> fits q) ->
    (forall x, promised x \/ In x new -> fits x -> no_win_before k x) ->
    all_after t left via ms = Some (ever, new) ->
    forall m q, In (m, q) ms ->
    if win then exists n, left = Plies n /\ wins r who (N.to_nat n) q
    else forall d, (d < k)%nat -> within d left \/ ever = true -> ~ wins r who d q.
  Proof.
    intros T K. revert ever new.
    induction ms as [| [m q] ms IH]; intros ever new F P E m' q' I; [destruct I |].
    simpl in E. destruct (after t left (seen via m q)) as [[e n] |] eqn:A; [| discriminate].
    destruct (all_after t left via ms) as [[e' n'] |] eqn:B; [| discriminate].
    injection E as <- <-. destruct I as [X | I].
    - injection X as <- <-.
      assert (fits q) as Fq by (apply (F m); now left).
      pose proof (after_right t promised left (seen via m q) e n k T
                    (seen_fits via m q K Fq)
                    ltac:(intros x [H | H]; apply P; [now left | right; apply in_or_app; now left])
                    A) as R.
      destruct win.
      + destruct R as (n0 & -> & W). exists n0. split; [reflexivity |].
        now apply (seen_wins via m q _ K Fq).
      + intros d D X. rewrite <- (seen_wins via m q d K Fq). apply R; [exact D |].
        destruct X as [X | X]; [now left | right]. now apply andb_true_iff in X.
    - pose proof (IH e' n' (fun a b i => F a b (or_intror i))
                    ltac:(intros x [H | H]; apply P; [now left | right; apply in_or_app; now right])
                    eq_refl m' q' I) as R.
      destruct win; [exact R |].
      intros d D X. apply R; [exact D |].
      destruct X as [X | X]; [now left | right]. now apply andb_true_iff in X.
  Qed.

  Lemma opponent_other pl : opponent pl <> pl.
  Proof. destruct pl; discriminate. Qed.

  Lemma single_right t promised p left move via b new k :
    sound t promised ->
    (forall n s, In (n, s) via -> keeps s) ->
    (forall x, promised x \/ In x new -> fits x -> no_win_before k x) ->
    single t p left move via = Some (b, new) ->
    fits p -> proves_to k b p.
  Proof.
    intros T K P E F. unfold single in E.
    destruct (judge p) as [[w |] |] eqn:J; try discriminate.
    destruct (ply_less left) as [left' |] eqn:L; [| discriminate].
    set (ms := match move with
               | Some m => filter (fun mq => fst mq =? m) (moves r p) | None => moves r p end) in *.
    destruct (has_turn _ p && _) eqn:H; [| discriminate].
    destruct (all_after t left' via ms) as [[ever new'] |] eqn:A; [| discriminate].
    injection E as <- <-. apply andb_true_iff in H. destruct H as [H N].
    apply has_turn_spec in H.
    assert (forall m q, In (m, q) ms -> In (m, q) (moves r p)) as Sub.
    { intros m q I. subst ms. destruct move; [apply filter_In in I; apply I | exact I]. }
    assert (exists m q, In (m, q) ms) as (m0 & q0 & I0).
    { destruct ms as [| [m q] ms']; [discriminate |]. exists m, q. now left. }
    pose proof (all_after_right t promised left' via ms ever new' k T K
      (fun m q i => fits_after p m q F (Sub m q i)) P A) as R.
    clear T K P A N. pose proof (not_won p J) as NW. pose proof (judge_open p J) as O.
    unfold proves_to, proves, owner in *. destruct win eqn:Wn.
    - (* a win *)
      rewrite andb_false_r.
      destruct left as [n |]; simpl in L; rewrite ?Wn in L; [| discriminate].
      destruct (N.eqb_spec n 0) as [| Z]; [discriminate |]. injection L as <-.
      replace (N.to_nat n) with (S (N.to_nat (N.pred n))) by lia.
      right. split; [exact O |]. destruct move as [m |].
      + left. split; [exact H |]. destruct (R m0 q0 I0) as (n' & [= <-] & W).
        exists m0, q0. split; [now apply Sub | exact W].
      + right; left. split; [exact H |]. split.
        * intros X. subst ms. rewrite X in I0. destruct I0.
        * intros m q I. destruct (R m q I) as (n' & [= <-] & W). exact W.
    - (* no win *)
      rewrite andb_true_r. intros d D B X. destruct d as [| d].
      { destruct X as [X | []]. contradiction. }
      assert (within d left' \/ ever = true) as B'.
      { destruct ever; [now right | left]. destruct left as [n |]; simpl in L; rewrite ?Wn in L.
        - destruct (N.eqb_spec n 0); [discriminate |]. injection L as <-. simpl in *. lia.
        - injection L as <-. exact I. }
      assert (d < k)%nat as D' by lia.
      destruct X as [X | (_ & X)]; [contradiction |]. rewrite opp_opp in H.
      destruct move as [m |].
      + destruct X as [(X & _) | [(_ & _ & X) | (_ & X & _)]].
        * rewrite X in H. injection H as H. now apply (opponent_other who).
        * apply (R m0 q0 I0 d D' B'). apply (X m0). now apply Sub.
        * apply Sub in I0. rewrite X in I0. destruct I0.
      + destruct X as [(_ & m & q & I & W) | [(X & _) | (X & _)]].
        * exact (R m q I d D' B' W).
        * rewrite X in H. injection H as H. now apply (opponent_other who).
        * rewrite X in H. injection H as H. now apply (opponent_other who).
  Qed.

  (** * Adding to the table *)

  Definition better (b b' : bound) : bound :=
    match b, b' with
    | Plies n, Plies m => Plies (if win then N.min n m else N.max n m)
    | _, _ => Ever
    end.

  Definition add (p : position) (b : bound) (t : table) : table :=
    Positions.add p (match Positions.find p t with Some b' => better b b' | None => b end) t.

  Definition is_ever (t : table) (p : position) : Prop := Positions.find p t = Some Ever.

  Lemma better_right k b b' p :
    proves_to k b p -> proves_to k b' p -> proves_to k (better b b') p.
  Proof.
    unfold proves_to, proves, better. destruct win.
    - destruct b as [n |], b' as [m |]; try easy. intros H H'.
      destruct (N.min_spec n m) as [[_ ->] | [_ ->]]; assumption.
    - intros H H' d D W. destruct b as [n |], b' as [m |]; try (apply H; easy); try (apply H'; easy).
      simpl in W. destruct (N.max_spec n m) as [[_ E] | [_ E]]; rewrite E in W; auto.
  Qed.

  (** A bound that holds as far as the promises are kept may be added; a promise about the position
      itself is kept once its bound is [Ever]. *)
  Lemma add_sound t promised promised' p b :
    sound t promised ->
    (forall k, (forall q, promised q \/ promised' q -> fits q -> no_win_before k q) ->
       fits p -> proves_to k b p) ->
    forall rest : position -> Prop,
    (forall q, promised q \/ promised' q ->
       rest q \/ Positions.find q (add p b t) = Some Ever) ->
    sound (add p b t) rest.
  Proof.
    intros T B rest Rest k. induction k as [k IH] using lt_wf_ind. intros P.
    (* Each promise is open still, or kept by the table itself at smaller depths. *)
    assert (forall q, promised q \/ promised' q -> fits q -> no_win_before k q) as All.
    { intros q Q F. destruct (Rest q Q) as [H | H]; [now apply P |].
      intros d D. assert (proves_to d Ever q) as X.
      { apply (IH d D); [| exact H | exact F]. intros x X Fx e E. apply (P x X Fx). lia. }
      unfold proves_to, proves in X. destruct win; [destruct X |]. apply X; [lia | exact I]. }
    intros q c E F. unfold add in E. rewrite Facts.add_o in E.
    destruct (PositionOrder.eq_dec p q) as [X | X].
    - injection E as <-. unfold PositionOrder.eq in X. subst q.
      destruct (Positions.find p t) as [b' |] eqn:Found; [| now apply B].
      apply better_right; [now apply B |]. apply (T k); auto.
    - apply (T k); auto.
  Qed.

  (** The table with the promises that are open. *)
  Definition promises := Positions.t unit.
  Definition book := (table * promises)%type.
  Definition open_in (ps : promises) (q : position) : Prop := Positions.find q ps <> None.
  Definition book_sound (b : book) : Prop := sound (fst b) (open_in (snd b)).

  Definition record (bk : book) (p : position) (b : bound) (new : list position) : book :=
    let t := add p b (fst bk) in
    let ps := fold_left (fun ps q => Positions.add q tt ps) new (snd bk) in
    (t, match Positions.find p t with Some Ever => Positions.remove p ps | _ => ps end).

  Lemma open_fold new : forall ps q, open_in ps q \/ In q new ->
    open_in (fold_left (fun ps q => Positions.add q tt ps) new ps) q.
  Proof.
    induction new as [| x new IH]; intros ps q; simpl; [now intros [H | []] |].
    intros H. apply IH. destruct H as [H | [<- | H]]; [left | left | now right].
    - unfold open_in in *. rewrite Facts.add_o. now destruct (PositionOrder.eq_dec x q).
    - unfold open_in. rewrite Facts.add_o.
      destruct (PositionOrder.eq_dec x x) as [_ | X]; [easy | now destruct X].
  Qed.

  Lemma record_sound bk p b new : book_sound bk ->
    (forall k, (forall x, open_in (snd bk) x \/ In x new -> fits x -> no_win_before k x) ->
       fits p -> proves_to k b p) ->
    book_sound (record bk p b new).
  Proof.
    intros T B. unfold book_sound, record. cbn [fst snd].
    apply (add_sound _ (open_in (snd bk)) (fun q => In q new) p b T B).
    intros q Q. apply open_fold in Q.
    destruct (Positions.find p (add p b (fst bk))) as [[n |] |] eqn:E; try now left.
    destruct (PositionOrder.eq_dec p q) as [X | X]; [right | left].
    - unfold PositionOrder.eq in X. now subst q.
    - unfold open_in in *. rewrite Facts.remove_o.
      now destruct (PositionOrder.eq_dec p q).
  Qed.

  Definition empty_book : book := (Positions.empty _, Positions.empty _).

  Lemma empty_book_sound : book_sound empty_book.
  Proof.
    intros k _ p b. unfold empty_book. cbn [fst]. now rewrite Facts.empty_o.
  Qed.

  Definition add_single (bk : book) (p : position) (left : bound) (move : option N)
      (via : list (N * symmetry)) : option book :=
    match single (fst bk) p left move via with
    | Some (b, new) => Some (record bk p b new)
    | None => None
    end.

  Lemma add_single_sound bk p left move via bk' : book_sound bk ->
    (forall n s, In (n, s) via -> keeps s) ->
    add_single bk p left move via = Some bk' -> book_sound bk'.
  Proof.
    intros T K. unfold add_single.
    destruct (single (fst bk) p left move via) as [[b new] |] eqn:E; [| discriminate].
    intros [= <-]. apply record_sound; [exact T |]. intros k H F.
    exact (single_right (fst bk) _ p left move via b new k T K H E F).
  Qed.

  (** What follows about a position once no promise is open. *)
  Definition conclude (bk : book) (p : position) (left : bound) : option bound :=
    if Positions.is_empty (snd bk) then
      match (match Positions.find p (fst bk) with Some b => Some b | None => by_rules p end) with
      | Some b => if enough b left then Some b else None
      | None => None
      end
    else None.

  Lemma sound_end t : sound t (fun _ => False) ->
    forall p b, Positions.find p t = Some b -> fits p -> proves b p.
  Proof.
    intros T p b E F. unfold proves. destruct win eqn:Wn.
    - pose proof (T O (fun _ X => match X with end) p b E F) as X.
      unfold proves_to, proves in X. now rewrite Wn in X.
    - intros d D. pose proof (T d (fun _ X => match X with end) p b E F) as X.
      unfold proves_to in X. rewrite Wn in X. now apply X.
  Qed.

  Lemma conclude_right bk p left b : book_sound bk -> fits p ->
    conclude bk p left = Some b -> proves b p /\ enough b left = true.
  Proof.
    intros T F. unfold conclude. destruct (Positions.is_empty (snd bk)) eqn:E; [| discriminate].
    assert (sound (fst bk) (fun _ => False)) as T'.
    { intros k _. apply T. intros q Q. exfalso. apply Q.
      apply Positions.is_empty_2 in E. destruct (Positions.find q (snd bk)) eqn:X; [| reflexivity].
      apply Positions.find_2 in X. now apply E in X. }
    destruct (Positions.find p (fst bk)) as [b' |] eqn:X.
    - destruct (enough b' left) eqn:N; [| discriminate]. intros [= <-]. split; [| exact N].
      exact (sound_end _ T' p b' X F).
    - destruct (by_rules p) as [b' |] eqn:Y; [| discriminate].
      destruct (enough b' left) eqn:N; [| discriminate]. intros [= <-]. split; [| exact N].
      now apply by_rules_right.
  Qed.

  (** The claim itself. *)
  Definition claimed (depth : N) (p : position) : Prop :=
    if win then wins r who (N.to_nat depth) p else ~ wins r who (N.to_nat depth) p.

  Lemma enough_claimed b depth p : proves b p -> enough b (Plies depth) = true -> claimed depth p.
  Proof.
    unfold proves, enough, claimed. destruct win, b as [n |]; try easy.
    - rewrite N.leb_le. intros W L. apply (wins_within _ _ (N.to_nat n)); [lia | exact W].
    - rewrite N.leb_le. intros W L. apply W. simpl. lia.
    - intros W _. now apply W.
  Qed.
End Table.
