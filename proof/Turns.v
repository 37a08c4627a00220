(** Pairs that block in games with any schedule, if the player never places two stones in a
    row: also with several stones of the owner a turn, or with a restricted first stone. *)

From Coq Require Import Arith NArith List Bool Lia Wf_nat.
From Skolemate Require Import Cells Game Goals Symmetry Stones Boards Cover Local Links Blocking.
Import ListNotations.
Open Scope N_scope.

Section Turns.
  Variable g : positional.
  Hypothesis distinct_cells : distinct 0 (cells g) = true.
  Variable who : player.
  Notation r := (positional_rules g).
  Notation owner := (opponent who).

  Definition ahead (p : position) : list player := skipn (N.to_nat (clock p)) (schedule g).

  Fixpoint never_twice (l : list player) : bool :=
    match l with
    | a :: (b :: _) as l' => negb (same a who && same b who) && never_twice l'
    | _ => true
    end.

  (** The stones that the player places in the next [n] plies. *)
  Fixpoint stones_in (n : nat) (l : list player) : nat :=
    match n, l with
    | S n, a :: l => (if same a who then 1 else 0) + stones_in n l
    | _, _ => 0
    end.

  Lemma turn_ahead p : turn_at g p = hd_error (ahead p).
  Proof.
    unfold turn_at, ahead. generalize (N.to_nat (clock p)). intros i. revert i.
    induction (schedule g) as [| a l IH]; intros [| i]; simpl; auto.
  Qed.

  Lemma ahead_place pl p c : ahead (place pl p c) = tl (ahead p).
  Proof.
    unfold ahead. replace (clock (place pl p c)) with (N.succ (clock p)) by now destruct pl.
    rewrite N2Nat.inj_succ. generalize (N.to_nat (clock p)). intros i. revert i.
    induction (schedule g) as [| a l IH]; intros [| i]; simpl; auto. apply IH.
  Qed.

  Lemma never_twice_tl l : never_twice l = true -> never_twice (tl l) = true.
  Proof.
    destruct l as [| a [| b l]]; [easy | easy |]. simpl. intros H. now apply andb_true_iff in H.
  Qed.

  Hypothesis has_goal : goal_of g who <> None.
  Variable ps : pairs.
  Hypothesis distinct_pairs : NoDup (pair_cells ps).
  Hypothesis pairs_on : forall c, In c (pair_cells ps) -> In c (cells g).
  Variable by_distance : bool.

  Lemma pairs_hold n : forall k p, fits g p -> never_twice (ahead p) = true ->
    (stones_in n (ahead p) <= k)%nat ->
    holds_off (cells g) (goal_of g who) ps by_distance k (stones owner p) (stones who p) ->
    ~ wins r who n p.
  Proof.
    assert (goal_of g (opponent owner) <> None) as HasGoal by now rewrite opp_opp.
    assert (forall p, ~ met (goal_of g who) (stones who p) -> ~ won r who p) as NotWon.
    { intros p M. pose proof (not_won_yet g owner HasGoal p) as X. rewrite opp_opp in X.
      now apply X. }
    assert (forall n p, ~ met (goal_of g who) (stones who p) -> turn_at g p = None ->
      ~ wins r who n p) as Nobody.
    { intros m p M T. pose proof (nobodys_turn g owner HasGoal m p) as X.
      rewrite opp_opp in X. now apply X. }
    induction n as [n IH] using lt_wf_ind. intros k p F Tw L H W.
    pose proof (holds_off_unmet (cells g) _ ps by_distance k _ _ H) as M.
    pose proof (NotWon p M) as NW.
    destruct n as [| n]; [destruct W as [W | []]; contradiction |].
    destruct W as [W | [_ W]]; [contradiction |].
    destruct W as [(T & c & q & I & W) | [(T & Ne & W) | (_ & _ & [])]].
    - (* the player places a stone *)
      pose proof (fits_after g distinct_cells p c q F I) as Fq.
      simpl in T. apply in_placements in I. destruct I as (pl & T' & Ic & Al & ->).
      rewrite T in T'. injection T' as <-. set (q := place who p c) in *.
      pose proof T as Ta. rewrite turn_ahead in Ta.
      destruct (ahead p) as [| a l] eqn:Ap; [discriminate |]. injection Ta as ->.
      simpl in L. rewrite (proj2 (same_spec who who) eq_refl) in L.
      destruct k as [| k]; [lia |].
      assert (ahead q = l) as Aq by (unfold q; now rewrite ahead_place, Ap).
      pose proof (allowed_open g p c Al) as Oc.
      apply (open_stones owner) in Oc. rewrite opp_opp in Oc. destruct Oc as [Oo Oe].
      assert (stones who q = put (stones who p) c) as Sw by apply stones_place.
      assert (stones owner q = stones owner p) as So by apply stones_place_other.
      assert (~ met (goal_of g who) (stones who q)) as Mq.
      { rewrite Sw. now apply (holds_off_one (cells g) _ ps distinct_pairs pairs_on by_distance k
          (stones owner p)). }
      destruct l as [| b l].
      { apply (Nobody n q Mq); [now rewrite turn_ahead, Aq | exact W]. }
      assert (b = owner) as ->.
      { simpl in Tw. rewrite (proj2 (same_spec who who) eq_refl) in Tw. simpl in Tw.
        apply andb_true_iff in Tw. destruct Tw as [Tw _]. now destruct b, who. }
      assert (turn_at g q = Some owner) as Tq by now rewrite turn_ahead, Aq.
      destruct n as [| n]; [destruct W as [W | []]; now apply (NotWon q) |].
      destruct W as [W | [_ W]]; [now apply (NotWon q) |].
      destruct W as [(X & _) | [(_ & Ne & W) | (_ & _ & [])]].
      { simpl in X. rewrite Tq in X. now destruct who. }
      destruct (holds_off_answer (cells g) (goal_of g who) ps distinct_pairs pairs_on by_distance k
                  (stones owner p) (stones who p) c H) as (o & A & Ho); [now repeat split |].
      rewrite <- Sw, <- So in Ho. rewrite <- Sw in A.
      assert (exists x, In (x, place owner q x) (placements g q) /\
        holds_off (cells g) (goal_of g who) ps by_distance k (put (stones owner q) x) (stones who
            q)) as (x & Ix & Hx).
      { assert (holds_off (cells g) (goal_of g who) ps by_distance k (stones owner q) (stones who
          q) ->
          exists x, In (x, place owner q x) (placements g q) /\
            holds_off (cells g) (goal_of g who) ps by_distance k (put (stones owner q) x) (stones
                who q)) as Any.
        { intros Hq. simpl in Ne. destruct (placements g q) as [| [x y] rest] eqn:Pq; [easy |].
          assert (In (x, y) (placements g q)) as Ixy by (rewrite Pq; now left).
          apply in_placements in Ixy. destruct Ixy as (pl & Tp & _ & Ax & ->).
          rewrite Tq in Tp. injection Tp as <-. exists x. split; [now left |].
          apply holds_off_more; [| exact Hq]. apply (allowed_open g) in Ax.
          apply (open_stones owner) in Ax. rewrite opp_opp in Ax. apply Ax. }
        destruct o as [m |]; [| now apply Any]. simpl in Ho. destruct A as [Im Em].
        destruct (mem (stones owner q) m) eqn:Om.
        - apply Any. now rewrite (put_mem _ _ Om) in Ho.
        - exists m. split; [| exact Ho]. apply in_placements. exists owner.
          repeat split; try assumption. unfold allowed.
          assert (is_open q m = true) as Op.
          { apply (open_stones owner). now rewrite opp_opp. }
          unfold is_open in Op. rewrite Op. simpl. destruct (first_cells g); [| reflexivity].
          unfold q. replace (clock (place who p c)) with (N.succ (clock p)) by now destruct who.
          destruct (N.eqb_spec (N.succ (clock p)) 0); [lia | reflexivity]. }
      specialize (W x _ Ix). pose proof (fits_after g distinct_cells q x _ Fq Ix) as Fx.
      apply (IH n) with (k := k) (p := place owner q x); try assumption; [lia | | |].
      + rewrite ahead_place, Aq. simpl. apply never_twice_tl in Tw. simpl in Tw.
        destruct l; [reflexivity |]. now apply andb_true_iff in Tw.
      + rewrite ahead_place, Aq. simpl. simpl in L.
        replace (same owner who) with false in L by now destruct who. simpl in L. lia.
      + rewrite stones_place. pose proof (stones_place_other owner q x) as X.
        rewrite opp_opp in X. now rewrite X.
    - (* the owner places any stone *)
      simpl in Ne, T. destruct (placements g p) as [| [x y] rest] eqn:Pp; [easy |].
      assert (In (x, y) (placements g p)) as I by (rewrite Pp; now left).
      specialize (W x y). simpl in W. rewrite Pp in W. specialize (W (or_introl eq_refl)).
      pose proof (fits_after g distinct_cells p x y F I) as Fy.
      apply in_placements in I. destruct I as (pl & T' & _ & Ax & ->).
      rewrite T in T'. injection T' as <-.
      assert (ahead (place owner p x) = tl (ahead p)) as At by apply ahead_place.
      apply (IH n) with (k := k) (p := place owner p x); try assumption; [lia | | |].
      + rewrite At. now apply never_twice_tl.
      + rewrite At. pose proof T as Ta. rewrite turn_ahead in Ta.
        destruct (ahead p) as [| a l]; [discriminate |]. injection Ta as ->. simpl in L.
        replace (same owner who) with false in L by now destruct who. exact L.
      + rewrite stones_place. pose proof (stones_place_other owner p x) as X.
        rewrite opp_opp in X. rewrite X. apply holds_off_more; [| exact H].
        apply (allowed_open g) in Ax. apply (open_stones owner) in Ax. rewrite opp_opp in Ax.
        apply Ax.
  Qed.
End Turns.
