(** From boards to positions: what holds on the board of a covering node holds at all positions of the
    game that it covers. *)

From Coq Require Import Arith NArith List Bool Lia Wf_nat.
From Skolemate Require Import Cells Game Goals Symmetry Stones Boards.
Import ListNotations.
Open Scope N_scope.

Section Positions.
  Variable g : positional.
  Hypothesis distinct_cells : distinct 0 (cells g) = true.
  Hypothesis no_first : first_cells g = None.
  Variable owner : player.
  Notation enemy := (opponent owner).
  Notation r := (positional_rules g).
  Notation own_goal := (goal_of g owner).
  Notation enemy_goal := (goal_of g enemy).

  Fixpoint alternate (l : list player) : bool :=
    match l with
    | a :: (b :: _) as l' => negb (same a b) && alternate l'
    | _ => true
    end.

  Hypothesis alternates : alternate (schedule g) = true.

  Lemma turn_after p c a pl : turn_at g p = Some a ->
    turn_at g (place pl p c) = None \/ turn_at g (place pl p c) = Some (opponent a).
  Proof.
    unfold turn_at. replace (clock (place pl p c)) with (N.succ (clock p)) by now destruct pl.
    rewrite N2Nat.inj_succ. generalize (N.to_nat (clock p)) as i. revert alternates.
    induction (schedule g) as [| x l IH]; intros Alt i T; [now destruct i |].
    destruct i as [| i].
    - injection T as ->. simpl. destruct l as [| y l]; [now left | right].
      simpl in *. apply andb_true_iff in Alt. destruct Alt as [Alt _].
      now destruct a, y.
    - simpl in T. change (nth_error (x :: l) (S (S i))) with (nth_error l (S i)).
      apply IH; [| exact T]. destruct l as [| y l]; [reflexivity |].
      simpl in Alt. now apply andb_true_iff in Alt.
  Qed.

  Lemma stones_place pl p c : stones pl (place pl p c) = put (stones pl p) c.
  Proof. now destruct pl. Qed.

  Lemma stones_place_other pl p c : stones (opponent pl) (place pl p c) = stones (opponent pl) p.
  Proof. now destruct pl. Qed.

  Lemma open_stones p c :
    is_open p c = true <-> mem (stones owner p) c = false /\ mem (stones enemy p) c = false.
  Proof.
    unfold is_open, taken. rewrite negb_true_iff, mem_union, orb_false_iff.
    destruct owner; simpl; tauto.
  Qed.

  Lemma has_met p pl : met (goal_of g pl) (stones pl p) ->
    ~ met (goal_of g (opponent pl)) (stones (opponent pl) p) -> won r pl p.
  Proof. destruct pl; simpl; tauto. Qed.

  Lemma not_over p : ~ met own_goal (stones owner p) -> ~ met enemy_goal (stones enemy p) ->
    turn_at g p <> None -> ~ over r p.
  Proof. destruct owner; unfold over; simpl; tauto. Qed.

  Lemma move_to p pl c : turn_at g p = Some pl -> In c (cells g) -> is_open p c = true ->
    In (c, place pl p c) (moves r p).
  Proof.
    intros T I O. simpl. apply in_placements. exists pl. repeat split; try assumption.
    unfold allowed. rewrite no_first, andb_true_r. exact O.
  Qed.

  Lemma moves_to p m q : In (m, q) (moves r p) ->
    exists pl, turn_at g p = Some pl /\ In m (cells g) /\ is_open p m = true /\ q = place pl p m.
  Proof.
    simpl. rewrite in_placements. intros (pl & T & I & A & ->). exists pl.
    repeat split; auto. now apply (allowed_open g).
  Qed.

  Section Win.
    Hypothesis fill : fills g = true.
    Notation Good := (good (cells g) own_goal enemy_goal).

    Lemma full_good n p : fits g p -> turn_at g p = None ->
      Good n (stones owner p) (stones enemy p) -> won r owner p.
    Proof.
      intros F T G. apply has_met.
      - apply (good_full _ _ _ n _ (stones enemy p)) in G; [exact G |]. intros c I.
        pose proof (full_board g p F fill T c I) as X.
        destruct (mem (stones owner p) c) eqn:O; [now left |].
        destruct (mem (stones enemy p) c) eqn:E; [now right |].
        rewrite (proj2 (open_stones p c) (conj O E)) in X. discriminate.
      - apply good_unfold in G. now destruct G.
    Qed.

    (** The stone that the owner adds, or any other if that is there already. *)
    Lemma stone_to_add n p o : fits g p -> turn_at g p = Some owner ->
      may_add (cells g) o (stones enemy p) ->
      Good n (with_stone (stones owner p) o) (stones enemy p) ->
      exists c, In c (cells g) /\ is_open p c = true /\
        Good n (put (stones owner p) c) (stones enemy p).
    Proof.
      intros F T A G. destruct o as [m |].
      - destruct A as [I M]. simpl in G. destruct (mem (stones owner p) m) eqn:O.
        + rewrite (put_mem _ _ O) in G. destruct (room g p owner F T) as (c & Ic & Oc).
          exists c. repeat split; try assumption.
          apply (good_covers _ _ _ n (stones owner p) (stones enemy p));
            auto using inside_put_r, inside_refl.
        + exists m. repeat split; try assumption. now apply open_stones.
      - destruct (room g p owner F T) as (c & Ic & Oc). exists c. repeat split; try assumption.
        apply (good_covers _ _ _ n (stones owner p) (stones enemy p));
          auto using inside_put_r, inside_refl.
    Qed.

    Lemma good_wins n : forall p, fits g p -> turn_at g p = Some enemy ->
      Good n (stones owner p) (stones enemy p) -> wins r owner n p.
    Proof.
      induction n as [n IH] using lt_wf_ind. intros p F T G.
      pose proof G as G'. apply good_unfold in G'. destruct G' as [E G'].
      destruct (met_or_not own_goal (stones owner p)) as [M | M].
      { apply (wins_within r owner 0); [lia |]. left. now apply has_met. }
      destruct G' as [G' | G']; [contradiction |].
      destruct n as [| [| n]]; [destruct G' | destruct G' |]. destruct G' as [_ G'].
      right. split; [apply not_over; try assumption; now rewrite T |].
      right; left. split; [exact T |]. split.
      { destruct (room g p enemy F T) as (c & I & O). intros X.
        pose proof (move_to p enemy c T I O) as Y. rewrite X in Y. destruct Y. }
      intros m q H. pose proof (fits_after g distinct_cells p m q F H) as Fq.
      apply moves_to in H. destruct H as (pl & T' & I & O & ->).
      rewrite T in T'. injection T' as <-. apply open_stones in O. destruct O as [O O'].
      destruct (G' m (conj I (conj O O'))) as (o & A & Go). clear G'.
      set (q := place enemy p m) in *.
      assert (stones enemy q = put (stones enemy p) m) as Se by apply stones_place.
      assert (stones owner q = stones owner p) as So.
      { unfold q. rewrite <- (opp_opp owner) at 1. rewrite stones_place_other.
        now rewrite opp_opp. }
      rewrite <- Se, <- So in Go. rewrite <- Se in A. rewrite <- So in M.
      destruct (turn_after p m enemy enemy T) as [Tq | Tq]; fold q in Tq.
      - (* the board is full *)
        apply (wins_within r owner 0); [lia |]. left. apply (full_good n); try assumption.
        destruct o as [x |]; [| exact Go]. destruct A as [Ix Mx].
        pose proof (full_board g q Fq fill Tq x Ix) as X.
        destruct (mem (stones owner q) x) eqn:Y; [simpl in Go; now rewrite (put_mem _ _ Y) in Go |].
        rewrite (proj2 (open_stones q x) (conj Y Mx)) in X. discriminate.
      - rewrite opp_opp in Tq.
        pose proof (stone_to_add n q o Fq Tq A Go) as (x & Ix & Ox & Gx).
        right. split.
        { apply not_over; [exact M | | now rewrite Tq].
          apply good_unfold in Gx. now destruct Gx. }
        left. split; [exact Tq |]. exists x, (place owner q x).
        split; [now apply move_to |].
        pose proof (fits_after g distinct_cells q x _ Fq (move_to q owner x Tq Ix Ox)) as Fx.
        rewrite <- (stones_place owner q x), <- (stones_place_other owner q x) in Gx.
        destruct (turn_after q x owner owner Tq) as [Tx | Tx].
        + apply (wins_within r owner 0); [lia |]. left. now apply (full_good n).
        + apply IH; [lia | exact Fx | exact Tx | exact Gx].
    Qed.

    (** With the owner to move. *)
    Lemma good_wins_first n p o : fits g p -> turn_at g p = Some owner ->
      ~ met enemy_goal (stones enemy p) -> may_add (cells g) o (stones enemy p) ->
      Good n (with_stone (stones owner p) o) (stones enemy p) -> wins r owner (S n) p.
    Proof.
      intros F T E A G.
      destruct (met_or_not own_goal (stones owner p)) as [M | M].
      { left. now apply has_met. }
      pose proof (stone_to_add n p o F T A G) as (x & Ix & Ox & Gx).
      right. split; [apply not_over; [exact M | exact E | now rewrite T] |].
      left. split; [exact T |]. exists x, (place owner p x). split; [now apply move_to |].
      pose proof (fits_after g distinct_cells p x _ F (move_to p owner x T Ix Ox)) as Fx.
      rewrite <- (stones_place owner p x), <- (stones_place_other owner p x) in Gx.
      destruct (turn_after p x owner owner T) as [Tx | Tx].
      - apply (wins_within r owner 0); [lia |]. left. now apply (full_good n).
      - now apply good_wins.
    Qed.
  End Win.

  Section NoWin.
    Hypothesis has_goal : enemy_goal <> None.
    Notation Safe := (safe (cells g) own_goal enemy_goal).

    Lemma not_won_yet p : ~ met enemy_goal (stones enemy p) -> ~ won r enemy p.
    Proof.
      clear - has_goal. destruct owner; simpl in *; intros M.
      - intros (_ & [X | (X & _)]); [exact (M X) | exact (has_goal X)].
      - intros [X | (X & _)]; [exact (M X) | exact (has_goal X)].
    Qed.

    Lemma nobodys_turn n p : ~ met enemy_goal (stones enemy p) -> turn_at g p = None ->
      ~ wins r enemy n p.
    Proof.
      intros M T W. pose proof (not_won_yet p M) as NW.
      destruct n; destruct W as [W | W]; try contradiction.
      destruct W as [_ [(X & _) | [(X & _) | (X & _)]]]; simpl in X; congruence.
    Qed.

    Lemma safe_stone_to_add n p o : fits g p -> turn_at g p = Some owner ->
      may_add (cells g) o (stones enemy p) ->
      Safe n (with_stone (stones owner p) o) (stones enemy p) ->
      exists c, In c (cells g) /\ is_open p c = true /\
        Safe n (put (stones owner p) c) (stones enemy p).
    Proof.
      intros F T A G. destruct o as [m |].
      - destruct A as [I M]. simpl in G. destruct (mem (stones owner p) m) eqn:O.
        + rewrite (put_mem _ _ O) in G. destruct (room g p owner F T) as (c & Ic & Oc).
          exists c. repeat split; try assumption.
          apply (safe_covers _ _ _ n (stones owner p) (stones enemy p));
            auto using inside_put_r, inside_refl.
        + exists m. repeat split; try assumption. now apply open_stones.
      - destruct (room g p owner F T) as (c & Ic & Oc). exists c. repeat split; try assumption.
        apply (safe_covers _ _ _ n (stones owner p) (stones enemy p));
          auto using inside_put_r, inside_refl.
    Qed.

    Lemma safe_holds n : forall p, fits g p -> turn_at g p = Some enemy ->
      Safe n (stones owner p) (stones enemy p) -> ~ wins r enemy n p.
    Proof.
      induction n as [n IH] using lt_wf_ind. intros p F T G W.
      apply safe_unfold in G. destruct G as [E G]. pose proof (not_won_yet p E) as NW.
      destruct n as [| n]; [destruct W as [W | []]; contradiction |].
      destruct W as [W | [O W]]; [contradiction |].
      destruct G as [G | [Now G]].
      { apply O. pose proof (has_met p owner G E) as X. unfold over. destruct owner; auto. }
      destruct W as [(_ & m & q & H & W) | [(X & _) | (X & _)]];
        [| simpl in X; rewrite T in X; now destruct owner
         | simpl in X; rewrite T in X; now destruct owner].
      pose proof (fits_after g distinct_cells p m q F H) as Fq.
      apply moves_to in H. destruct H as (pl & T' & I & Om & ->).
      rewrite T in T'. injection T' as <-. apply open_stones in Om. destruct Om as [Oo Oe].
      set (q := place enemy p m) in *.
      assert (stones enemy q = put (stones enemy p) m) as Se by apply stones_place.
      assert (stones owner q = stones owner p) as So.
      { unfold q. rewrite <- (opp_opp owner) at 1. rewrite stones_place_other.
        now rewrite opp_opp. }
      assert (~ met enemy_goal (stones enemy q)) as Eq.
      { rewrite Se. apply Now. now repeat split. }
      destruct (turn_after p m enemy enemy T) as [Tq | Tq]; fold q in Tq.
      { now apply (nobodys_turn n q Eq Tq). }
      rewrite opp_opp in Tq.
      destruct n as [| n]; [destruct W as [W | []]; now apply (not_won_yet q) |].
      destruct W as [W | [Oq W]]; [now apply (not_won_yet q) |].
      destruct G as [_ G]. destruct (G m (conj I (conj Oo Oe))) as (o & A & Go). clear G.
      rewrite <- Se, <- So in Go. rewrite <- Se in A.
      pose proof (safe_stone_to_add n q o Fq Tq A Go) as (x & Ix & Ox & Gx).
      destruct W as [(X & _) | [(_ & _ & W) | (_ & _ & [])]];
        [simpl in X; rewrite Tq in X; now destruct owner |].
      pose proof (move_to q owner x Tq Ix Ox) as H.
      specialize (W _ _ H). pose proof (fits_after g distinct_cells q x _ Fq H) as Fx.
      rewrite <- (stones_place owner q x), <- (stones_place_other owner q x) in Gx.
      destruct (turn_after q x owner owner Tq) as [Tx | Tx].
      - apply (nobodys_turn n (place owner q x)); [| exact Tx | exact W].
        apply safe_unfold in Gx. now destruct Gx.
      - apply (IH n) with (p := place owner q x); try assumption. lia.
    Qed.

    (** With the owner to move. *)
    Lemma safe_holds_first n p o : fits g p -> turn_at g p = Some owner ->
      ~ met enemy_goal (stones enemy p) -> may_add (cells g) o (stones enemy p) ->
      (forall m, (m < n)%nat -> Safe m (with_stone (stones owner p) o) (stones enemy p)) ->
      ~ wins r enemy n p.
    Proof.
      intros F T E A G W. pose proof (not_won_yet p E) as NW.
      destruct n as [| n]; [destruct W as [W | []]; contradiction |].
      destruct W as [W | [O W]]; [contradiction |].
      assert (n < S n)%nat as L by lia.
      pose proof (safe_stone_to_add n p o F T A (G n L)) as (x & Ix & Ox & Gx).
      destruct W as [(X & _) | [(_ & _ & W) | (_ & _ & [])]];
        [simpl in X; rewrite T in X; now destruct owner |].
      pose proof (move_to p owner x T Ix Ox) as H.
      specialize (W _ _ H). pose proof (fits_after g distinct_cells p x _ F H) as Fx.
      rewrite <- (stones_place owner p x), <- (stones_place_other owner p x) in Gx.
      destruct (turn_after p x owner owner T) as [Tx | Tx].
      - apply (nobodys_turn n (place owner p x)); [| exact Tx | exact W].
        apply safe_unfold in Gx. now destruct Gx.
      - now apply (safe_holds n (place owner p x)).
    Qed.
  End NoWin.
End Positions.
