(** Boards on which every cell without a stone is open and the players place one stone each in turn:
    what the owner achieves there, the enemy being to move. Extra stones of the owner, and missing
    stones of the enemy, never hurt. *)

From Coq Require Import Arith NArith List Bool Lia Wf_nat.
From Skolemate Require Import Cells Game Goals Symmetry.
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
