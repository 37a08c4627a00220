(** Nodes that cover positions: extra stones of the owner, and missing stones of the opponent, never
    hurt.

    Such a node is about a board on which every cell without a stone is open and the players place
    one stone each in turn. [good] and [safe] say what it proves there, the opponent being to move;
    the theorems below carry it over to all positions of the game that it covers. *)

From Coq Require Import Arith NArith List Bool Lia Wf_nat.
From Skolemate Require Import Cells Game Goals Stones.
Import ListNotations.
Open Scope N_scope.

Section Board.
  Variable board : list N.
  Variables own_goal enemy_goal : option goal.

  (** A stone that the owner may add, or none. *)
  Definition with_stone (own : N) (o : option N) : N :=
    match o with Some m => put own m | None => own end.
  Definition may_add (o : option N) (enemy : N) : Prop :=
    match o with Some m => In m board /\ mem enemy m = false | None => True end.
  Definition free (own enemy c : N) : Prop :=
    In c board /\ mem own c = false /\ mem enemy c = false.

  (** The owner meets the goal within [n] plies, whatever the opponent does, who may also pass. *)
  Fixpoint good (n : nat) (own enemy : N) : Prop :=
    ~ met enemy_goal enemy /\
    (met own_goal own \/
     match n with
     | S (S n) =>
         (exists o, may_add o enemy /\ good n (with_stone own o) enemy) /\
         (forall c, free own enemy c ->
            exists o, may_add o (put enemy c) /\ good n (with_stone own o) (put enemy c))
     | _ => False
     end).

  (** The opponent does not meet the goal within [n] plies. *)
  Fixpoint safe (n : nat) (own enemy : N) : Prop :=
    ~ met enemy_goal enemy /\
    (met own_goal own \/
     match n with
     | O => True
     | S n =>
         (forall c, free own enemy c -> ~ met enemy_goal (put enemy c)) /\
         match n with
         | O => True
         | S n =>
             (exists o, may_add o enemy /\ safe n (with_stone own o) enemy) /\
             (forall c, free own enemy c ->
                exists o, may_add o (put enemy c) /\ safe n (with_stone own o) (put enemy c))
         end
     end).

  Lemma good_unfold n own enemy : good n own enemy <->
    ~ met enemy_goal enemy /\
    (met own_goal own \/
     match n with
     | S (S n) =>
         (exists o, may_add o enemy /\ good n (with_stone own o) enemy) /\
         (forall c, free own enemy c ->
            exists o, may_add o (put enemy c) /\ good n (with_stone own o) (put enemy c))
     | _ => False
     end).
  Proof. destruct n as [| [| n]]; reflexivity. Qed.

  Lemma safe_unfold n own enemy : safe n own enemy <->
    ~ met enemy_goal enemy /\
    (met own_goal own \/
     match n with
     | O => True
     | S n =>
         (forall c, free own enemy c -> ~ met enemy_goal (put enemy c)) /\
         match n with
         | O => True
         | S n =>
             (exists o, may_add o enemy /\ safe n (with_stone own o) enemy) /\
             (forall c, free own enemy c ->
                exists o, may_add o (put enemy c) /\ safe n (with_stone own o) (put enemy c))
         end
     end).
  Proof. destruct n as [| [| n]]; reflexivity. Qed.

  Lemma with_stone_inside own own' o : inside own own' ->
    inside (with_stone own o) (with_stone own' o).
  Proof. intros I. destruct o; [now apply inside_put | exact I]. Qed.

  Lemma may_add_inside o enemy enemy' : inside enemy' enemy -> may_add o enemy -> may_add o enemy'.
  Proof.
    intros I. destruct o as [m |]; [| easy]. simpl. intros [B M]. split; [exact B |].
    destruct (mem enemy' m) eqn:E; [| reflexivity]. apply I in E. congruence.
  Qed.

  Lemma good_covers n : forall own enemy own' enemy', inside own own' -> inside enemy' enemy ->
    good n own enemy -> good n own' enemy'.
  Proof.
    induction n as [n IH] using lt_wf_ind. intros own enemy own' enemy' I J.
    rewrite !good_unfold. intros [E G]. split; [intros M; now apply E, (met_more _ enemy') |].
    destruct G as [G | G]; [left; now apply (met_more _ own) | right].
    destruct n as [| [| n]]; [exact G | exact G |]. destruct G as [(o & A & G) C]. split.
    - exists o. split; [now apply (may_add_inside o enemy) |].
      apply (IH n) with (own := with_stone own o) (enemy := enemy);
        auto using with_stone_inside.
    - intros c (B & O & F). destruct (mem enemy c) eqn:M.
      + exists o. assert (inside (put enemy' c) enemy) as K by now apply put_inside.
        split; [now apply (may_add_inside o enemy) |].
        apply (IH n) with (own := with_stone own o) (enemy := enemy); auto using with_stone_inside.
      + assert (free own enemy c) as X.
        { repeat split; [exact B | | exact M]. destruct (mem own c) eqn:Y; [| reflexivity].
          apply I in Y. congruence. }
        destruct (C c X) as (o' & A' & G'). exists o'.
        assert (inside (put enemy' c) (put enemy c)) as K by now apply inside_put.
        split; [now apply (may_add_inside o' (put enemy c)) |].
        apply (IH n) with (own := with_stone own o') (enemy := put enemy c);
          auto using with_stone_inside.
  Qed.

  Lemma safe_covers n : forall own enemy own' enemy', inside own own' -> inside enemy' enemy ->
    safe n own enemy -> safe n own' enemy'.
  Proof.
    induction n as [n IH] using lt_wf_ind. intros own enemy own' enemy' I J.
    rewrite !safe_unfold. intros [E G]. split; [intros M; now apply E, (met_more _ enemy') |].
    destruct G as [G | G]; [left; now apply (met_more _ own) | right].
    destruct n as [| n]; [exact G |]. destruct G as [Now G].
    assert (forall c, free own' enemy' c -> mem enemy c = false -> free own enemy c) as Free.
    { intros c (B & O & _) M. repeat split; [exact B | | exact M].
      destruct (mem own c) eqn:Y; [| reflexivity]. apply I in Y. congruence. }
    split.
    { intros c F M. destruct (mem enemy c) eqn:X.
      - apply E. apply (met_more _ (put enemy' c)); [now apply put_inside | exact M].
      - apply (Now c); [now apply Free |].
        apply (met_more _ (put enemy' c)); [now apply inside_put | exact M]. }
    destruct n as [| n]; [exact G |]. destruct G as [(o & A & G) C]. split.
    - exists o. split; [now apply (may_add_inside o enemy) |].
      apply (IH n) with (own := with_stone own o) (enemy := enemy);
        auto using with_stone_inside.
    - intros c F. destruct (mem enemy c) eqn:M.
      + exists o. assert (inside (put enemy' c) enemy) as K by now apply put_inside.
        split; [now apply (may_add_inside o enemy) |].
        apply (IH n) with (own := with_stone own o) (enemy := enemy); auto using with_stone_inside.
      + destruct (C c (Free c F M)) as (o' & A' & G'). exists o'.
        assert (inside (put enemy' c) (put enemy c)) as K by now apply inside_put.
        split; [now apply (may_add_inside o' (put enemy c)) |].
        apply (IH n) with (own := with_stone own o') (enemy := put enemy c);
          auto using with_stone_inside.
  Qed.

  Lemma good_more n : forall own enemy, good n own enemy -> good (S n) own enemy.
  Proof.
    induction n as [n IH] using lt_wf_ind. intros own enemy.
    rewrite (good_unfold n), (good_unfold (S n)). intros [E G]. split; [exact E |].
    destruct G as [G | G]; [now left | right].
    destruct n as [| [| n]]; [destruct G | destruct G |]. destruct G as [(o & A & G) C]. split.
    - exists o. split; [exact A |]. apply IH; [lia | exact G].
    - intros c F. destruct (C c F) as (o' & A' & G'). exists o'. split; [exact A' |].
      apply IH; [lia | exact G'].
  Qed.

  Lemma good_within n m own enemy : (n <= m)%nat -> good n own enemy -> good m own enemy.
  Proof. intros L G. induction L; [exact G | now apply good_more]. Qed.

  Lemma good_full n : forall own enemy,
    (forall c, In c board -> mem own c = true \/ mem enemy c = true) ->
    good n own enemy -> met own_goal own.
  Proof.
    induction n as [n IH] using lt_wf_ind. intros own enemy F. rewrite good_unfold.
    intros [E [G | G]]; [exact G |]. destruct n as [| [| n]]; [destruct G | destruct G |].
    destruct G as [(o & A & G) _]. apply (IH n) with (enemy := enemy); [lia | exact F |].
    destruct o as [m |]; [| exact G]. simpl in A, G. destruct A as [B M].
    destruct (F m B) as [X | X]; [| congruence]. now rewrite (put_mem own m X) in G.
  Qed.

  (** Symmetries of both goals keep all this. *)
  Section Image.
    Variable s : permutation.
    Hypothesis P : permutes board s = true.
    Hypothesis Ko : keeps_goal board s own_goal = true.
    Hypothesis Ke : keeps_goal board s enemy_goal = true.

    Lemma with_stone_image own o enemy : may_add o enemy ->
      exists o', may_add o' (image s enemy) /\
        image s (with_stone own o) = with_stone (image s own) o'.
    Proof.
      destruct o as [m |]; [| now exists None]. intros [B M].
      destruct (permutes_to board s P m B) as (m' & I & B'). exists (Some m'). simpl.
      rewrite (mem_image_of board s P m m' _ I), (image_put board s P _ m m' I). auto.
    Qed.

    Lemma free_image own enemy c : free (image s own) (image s enemy) c ->
      exists c', In (c', c) s /\ free own enemy c'.
    Proof.
      intros (B & O & E). destruct (permutes_from board s P c B) as (c' & I & B').
      exists c'. split; [exact I |].
      rewrite (mem_image_of board s P c' c _ I) in O. rewrite (mem_image_of board s P c' c _ I) in E.
      now repeat split.
    Qed.

    Lemma on_board_put a c : on_board board a -> In c board -> on_board board (put a c).
    Proof. intros A C x. rewrite mem_put, orb_true_iff, N.eqb_eq. intros [X | <-]; auto. Qed.

    Lemma on_board_with a o enemy : on_board board a -> may_add o enemy ->
      on_board board (with_stone a o).
    Proof. destruct o; [intros A [B _]; now apply on_board_put | easy]. Qed.

    Lemma good_image n : forall own enemy, on_board board own -> on_board board enemy ->
      good n own enemy -> good n (image s own) (image s enemy).
    Proof.
      induction n as [n IH] using lt_wf_ind. intros own enemy Oo Oe.
      rewrite !good_unfold, (keeps_goal_right board s P _ _ Ko Oo),
        (keeps_goal_right board s P _ _ Ke Oe).
      intros [E G]. split; [exact E |]. destruct G as [G | G]; [now left | right].
      destruct n as [| [| n]]; [exact G | exact G |]. destruct G as [(o & A & G) C]. split.
      - destruct (with_stone_image own o enemy A) as (o' & A' & X). exists o'.
        split; [exact A' |]. rewrite <- X. apply IH; eauto using on_board_with; lia.
      - intros c F. destruct (free_image own enemy c F) as (c' & I & F').
        destruct (C c' F') as (o2 & Ao & Go).
        destruct (with_stone_image own o2 (put enemy c') Ao) as (o' & A' & X). exists o'.
        rewrite <- (image_put board s P enemy c' c I). split; [exact A' |]. rewrite <- X.
        apply IH; [lia | now apply (on_board_with own o2 (put enemy c')) | | exact Go].
        apply on_board_put; [exact Oe | apply F'].
    Qed.

    Lemma safe_image n : forall own enemy, on_board board own -> on_board board enemy ->
      safe n own enemy -> safe n (image s own) (image s enemy).
    Proof.
      induction n as [n IH] using lt_wf_ind. intros own enemy Oo Oe.
      rewrite !safe_unfold, (keeps_goal_right board s P _ _ Ko Oo),
        (keeps_goal_right board s P _ _ Ke Oe).
      intros [E G]. split; [exact E |]. destruct G as [G | G]; [now left | right].
      destruct n as [| n]; [exact G |]. destruct G as [Now G]. split.
      { intros c F. destruct (free_image own enemy c F) as (c' & I & F').
        rewrite <- (image_put board s P enemy c' c I).
        rewrite (keeps_goal_right board s P _ _ Ke); [now apply Now |].
        apply on_board_put; [exact Oe | apply F']. }
      destruct n as [| n]; [exact G |]. destruct G as [(o & A & G) C]. split.
      - destruct (with_stone_image own o enemy A) as (o' & A' & X). exists o'.
        split; [exact A' |]. rewrite <- X. apply IH; eauto using on_board_with; lia.
      - intros c F. destruct (free_image own enemy c F) as (c' & I & F').
        destruct (C c' F') as (o2 & Ao & Go).
        destruct (with_stone_image own o2 (put enemy c') Ao) as (o' & A' & X). exists o'.
        rewrite <- (image_put board s P enemy c' c I). split; [exact A' |]. rewrite <- X.
        apply IH; [lia | now apply (on_board_with own o2 (put enemy c')) | | exact Go].
        apply on_board_put; [exact Oe | apply F'].
    Qed.
  End Image.
End Board.

(** * From boards to positions *)

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
