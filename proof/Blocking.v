(** Goals that the enemy does not meet in time: everything that meets them has a stone of the owner,
    contains a pair, or is too far. *)

From Coq Require Import Arith NArith List Bool Lia.
From Skolemate Require Import Cells Game Goals Symmetry Stones Boards Local Links.
Import ListNotations.
Open Scope N_scope.

Section Blocking.
  Variable board : list N.
  Hypothesis distinct_board : NoDup board.
  Variables own_goal enemy_goal : option goal.
  Variable ps : pairs.
  Hypothesis distinct_pairs : NoDup (pair_cells ps).
  Hypothesis pairs_on_board : forall c, In c (pair_cells ps) -> In c board.

  (** More than [k] further stones are needed. *)
  Definition far (k : nat) (w enemy : N) : Prop :=
    forall l, (length l <= k)%nat -> ~ inside w (fold_left put l enemy).

  Lemma far_fewer k k' w enemy : (k' <= k)%nat -> far k w enemy -> far k' w enemy.
  Proof. intros L F l H. apply F. lia. Qed.

  Lemma far_put k w enemy c : far (S k) w enemy -> far k w (put enemy c).
  Proof. intros F l H. apply (F (c :: l)). simpl. lia. Qed.

  Lemma mem_puts l enemy x : mem (fold_left put l enemy) x = true <-> mem enemy x = true \/ In x l.
  Proof.
    revert enemy. induction l as [| c l IH]; intros enemy; simpl; [now split;
        [left | intros [| []]] |].
    rewrite IH, mem_put, orb_true_iff, N.eqb_eq. tauto.
  Qed.

  Lemma far_count k w enemy : (k < count board (without w enemy))%nat -> far k w enemy.
  Proof.
    intros L l H I. unfold count in L.
    assert (incl (filter (mem (without w enemy)) board) l) as X.
    { intros x X. apply filter_In in X. destruct X as [_ X].
      rewrite mem_without, andb_true_iff, negb_true_iff in X. destruct X as [X Y].
      apply I, mem_puts in X. destruct X as [X |]; [congruence | assumption]. }
    apply NoDup_incl_length in X; [lia | now apply NoDup_filter].
  Qed.

  (** A set is blocked by a stone of the owner, by a pair, or because it is far. *)
  Definition blocked (far_away : N -> N -> Prop) (own enemy w : N) : Prop :=
    (exists c, mem w c = true /\ mem own c = true) \/
    (exists a b, In (a, b) ps /\ mem w a = true /\ mem w b = true /\
       mem enemy a = false /\ mem enemy b = false) \/
    far_away w enemy.

  Lemma blocked_more (far_away : N -> N -> Prop) own enemy w w' :
    (forall e, far_away w e -> far_away w' e) -> inside w w' ->
    blocked far_away own enemy w -> blocked far_away own enemy w'.
  Proof.
    intros F I [(c & M & O) | [(a & b & P & Ma & Mb & E) | X]].
    - left. exists c. auto.
    - right; left. exists a, b. auto.
    - right; right. auto.
  Qed.

  Lemma far_more k w w' enemy : inside w w' -> far k w enemy -> far k w' enemy.
  Proof. intros I F l L J. apply (F l L). exact (inside_trans _ _ _ I J). Qed.

  Lemma distinct_pair a b : In (a, b) ps -> a <> b.
  Proof.
    intros I E. apply in_split in I. destruct I as (l1 & l2 & ->).
    rewrite pair_cells_app in distinct_pairs. simpl in distinct_pairs.
    apply NoDup_remove in distinct_pairs. destruct distinct_pairs as [_ X].
    apply X. apply in_or_app. right. left. now symmetry.
  Qed.

  Lemma same_pair a b a' b' c : In (a, b) ps -> In (a', b') ps -> (c = a \/ c = b) ->
    (c = a' \/ c = b') -> (a, b) = (a', b').
  Proof.
    intros I I' C C'. apply in_split in I. destruct I as (l1 & l2 & ->).
    apply in_app_or in I'. destruct I' as [X | [X | X]]; [exfalso | exact X | exfalso];
      rewrite pair_cells_app in distinct_pairs; simpl in distinct_pairs;
      (assert (In c (pair_cells l1 ++ pair_cells l2)) as Y;
       [ apply in_or_app; (left; apply in_pair_cells; now exists a', b') ||
                          (right; apply in_pair_cells; now exists a', b') |]);
      pose proof (NoDup_remove _ _ _ distinct_pairs) as [D1 N1];
      pose proof (NoDup_remove _ _ _ D1) as [D2 N2];
      (destruct C as [-> | ->]; [apply N1 | apply N2]);
      apply in_app_or in Y; apply in_or_app; destruct Y; auto; right; now right.
  Qed.

  Definition partner (c : N) : option N :=
    match find (fun ab => (fst ab =? c) || (snd ab =? c)) ps with
    | Some (a, b) => Some (if a =? c then b else a)
    | None => None
    end.

  Lemma partner_of a b c : In (a, b) ps -> (c = a \/ c = b) ->
    partner c = Some (if a =? c then b else a).
  Proof.
    intros I C. unfold partner. destruct (find _ ps) as [[a' b'] |] eqn:F.
    - apply find_some in F. destruct F as [I' F]. simpl in F.
      rewrite orb_true_iff, !N.eqb_eq in F.
      assert ((a, b) = (a', b')) as X.
      { apply (same_pair a b a' b' c); auto. destruct F; auto. }
      now injection X as <- <-.
    - pose proof (find_none _ _ F _ I) as X. simpl in X. rewrite orb_false_iff, !N.eqb_neq in X.
      destruct X, C; congruence.
  Qed.

  Variable by_distance : bool.  (* whether it may also be blocked by being far *)

  Definition holds_off (k : nat) (own enemy : N) : Prop :=
    apart own enemy /\ on_board board enemy /\
    forall w, on_board board w -> met enemy_goal w ->
      blocked (fun w e => by_distance = true /\ far k w e) own enemy w.

  Lemma holds_off_unmet k own enemy : holds_off k own enemy -> ~ met enemy_goal enemy.
  Proof.
    intros (A & O & B) W.
    destruct (B enemy O W) as [(c & M & X) | [(a & b & _ & M & _ & E & _) | [_ X]]].
    - rewrite (A c X) in M. discriminate.
    - congruence.
    - apply (X []); [simpl; lia | apply inside_refl].
  Qed.

  Lemma holds_off_one k own enemy c : holds_off (S k) own enemy -> In c board ->
    mem own c = false -> ~ met enemy_goal (put enemy c).
  Proof.
    intros (A & O & B) I Oc W.
    destruct (B _ (on_board_put board enemy c O I) W)
      as [(d & M & X) | [(a & b & P & Ma & Mb & Ea & Eb) | [_ X]]].
    - rewrite mem_put, (A d X) in M. simpl in M. apply N.eqb_eq in M. congruence.
    - rewrite mem_put, Ea in Ma. rewrite mem_put, Eb in Mb. simpl in Ma, Mb.
      apply N.eqb_eq in Ma, Mb. apply (distinct_pair a b P). congruence.
    - apply (X [c]); [simpl; lia | apply inside_refl].
  Qed.

  Lemma holds_off_more k own enemy x : mem enemy x = false -> holds_off k own enemy ->
    holds_off k (put own x) enemy.
  Proof.
    intros E (A & O & B). split; [now apply apart_put_l |]. split; [exact O |]. intros w Ow W.
    destruct (B w Ow W) as [(c & M & X) | X]; [left | now right].
    exists c. split; [exact M |]. now rewrite mem_put, X.
  Qed.

  Lemma holds_off_fewer k k' own enemy : (k' <= k)%nat -> holds_off k own enemy ->
    holds_off k' own enemy.
  Proof.
    intros L (A & O & B). split; [exact A |]. split; [exact O |]. intros w Ow W.
    destruct (B w Ow W) as [X | [X | [X Y]]]; [now left | now right; left | right; right].
    split; [exact X | now apply (far_fewer k)].
  Qed.

  (** The answer to a stone in a pair is the other cell; otherwise none is needed. *)
  Lemma holds_off_answer k own enemy c : holds_off (S k) own enemy -> free board own enemy c ->
    exists o, may_add board o (put enemy c) /\ holds_off k (with_stone own o) (put enemy c).
  Proof.
    intros H (Bc & Oc & Ec). pose proof H as (A & O & B).
    assert (apart own (put enemy c)) as A'.
    { apply apart_sym, apart_put_l; [now apply apart_sym | exact Oc]. }
    set (o := match partner c with
              | Some m => if mem own m || mem (put enemy c) m then None else Some m
              | None => None
              end).
    exists o. split.
    { unfold o. destruct (partner c) as [m |] eqn:Pm; [| exact I].
      destruct (mem own m || mem (put enemy c) m) eqn:X; [exact I |].
      apply orb_false_iff in X. split; [| apply X]. apply pairs_on_board, in_pair_cells.
      unfold partner in Pm. destruct (find _ ps) as [[a b] |] eqn:F; [| discriminate].
      apply find_some in F. exists a, b. split; [apply F |]. injection Pm as <-.
      destruct (a =? c); auto. }
    assert (apart (with_stone own o) (put enemy c)) as Ao.
    { unfold o. destruct (partner c) as [m |]; [| exact A'].
      destruct (mem own m || mem (put enemy c) m) eqn:X; [exact A' |].
      apply orb_false_iff in X. apply apart_put_l; [exact A' | apply X]. }
    assert (inside own (with_stone own o)) as In1.
    { destruct o; [apply inside_put_r |]; apply inside_refl. }
    split; [exact Ao |]. split; [now apply on_board_put |]. intros w Ow W.
    destruct (B w Ow W) as [(d & M & X) | [(a & b & P & Ma & Mb & Ea & Eb) | [X Y]]].
    - left. exists d. split; [exact M | now apply In1].
    - pose proof (distinct_pair a b P) as D.
      destruct (N.eqb_spec a c) as [-> | Na].
      + left. exists b. split; [exact Mb |]. unfold o.
        rewrite (partner_of c b c P (or_introl eq_refl)), N.eqb_refl.
        destruct (mem own b) eqn:Ob; [exact Ob |]. rewrite mem_put, Eb. simpl.
        destruct (N.eqb_spec c b); [congruence |]. apply mem_put_same.
      + destruct (N.eqb_spec b c) as [-> | Nb].
        * left. exists a. split; [exact Ma |]. unfold o.
          rewrite (partner_of a c c P (or_intror eq_refl)).
          destruct (N.eqb_spec a c); [congruence |].
          destruct (mem own a) eqn:Oa; [exact Oa |]. rewrite mem_put, Ea. simpl.
          destruct (N.eqb_spec c a); [congruence |]. apply mem_put_same.
        * right; left. exists a, b. rewrite !mem_put, Ea, Eb. repeat split; auto; simpl;
            apply N.eqb_neq; congruence.
    - right; right. split; [exact X | now apply far_put].
  Qed.

  Lemma holds_off_safe n : forall k own enemy, (n <= k + k)%nat -> holds_off k own enemy ->
    safe board own_goal enemy_goal n own enemy.
  Proof.
    induction n as [n IH] using Wf_nat.lt_wf_ind. intros k own enemy L H.
    apply safe_unfold. split; [now apply (holds_off_unmet k own) |]. right.
    destruct n as [| n]; [exact I |]. destruct k as [| k]; [lia |]. split.
    - intros c (Bc & Oc & _). now apply (holds_off_one k own).
    - destruct n as [| n]; [exact I |]. split.
      + exists None. split; [exact I |]. apply (IH n) with (k := k); [lia | lia |].
        apply (holds_off_fewer (S k)); [lia | exact H].
      + intros c F. destruct (holds_off_answer k own enemy c H F) as (o & A & G).
        exists o. split; [exact A |]. apply (IH n) with (k := k); [lia | lia | exact G].
  Qed.
End Blocking.
