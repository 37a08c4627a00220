(** Sets and paths that the enemy does not complete in time: blocked by pairs, or too far. *)

From Coq Require Import Arith NArith List Bool Lia.
From Skolemate Require Import Cells Game Goals Symmetry Stones Boards Local Links.
Import ListNotations.
Open Scope N_scope.

(** * Pairs against listed sets *)

Section Blocking.
  Variable board : list N.
  Hypothesis distinct_board : NoDup board.
  Variable own_goal : option goal.
  Variable sets : list N.
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
    revert enemy. induction l as [| c l IH]; intros enemy; simpl; [now split; [left | intros [| []]] |].
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

  Variable by_distance : bool.  (* whether sets may also be blocked by being far *)

  Definition holds_off (k : nat) (own enemy : N) : Prop :=
    apart own enemy /\
    forall w, In w sets -> blocked (fun w e => by_distance = true /\ far k w e) own enemy w.

  Lemma holds_off_unmet k own enemy : holds_off k own enemy -> ~ met (Some (Owns sets)) enemy.
  Proof.
    intros [A B] (w & I & W).
    destruct (B w I) as [(c & M & X) | [(a & b & _ & M & _ & E & _) | [_ X]]].
    - pose proof (W c M) as Y. rewrite (A c X) in Y. discriminate.
    - rewrite (W a M) in E. discriminate.
    - apply (X []); [simpl; lia | exact W].
  Qed.

  Lemma holds_off_one k own enemy c : holds_off (S k) own enemy -> mem own c = false ->
    ~ met (Some (Owns sets)) (put enemy c).
  Proof.
    intros [A B] Oc (w & I & W).
    destruct (B w I) as [(d & M & X) | [(a & b & P & Ma & Mb & Ea & Eb) | [_ X]]].
    - pose proof (W d M) as Y. rewrite mem_put, (A d X) in Y. simpl in Y.
      apply N.eqb_eq in Y. congruence.
    - pose proof (W a Ma) as Ya. pose proof (W b Mb) as Yb. rewrite mem_put, Ea in Ya.
      rewrite mem_put, Eb in Yb. simpl in Ya, Yb. apply N.eqb_eq in Ya, Yb.
      apply (distinct_pair a b P). congruence.
    - apply (X [c]); [simpl; lia | exact W].
  Qed.

  Lemma holds_off_more k own enemy x : mem enemy x = false -> holds_off k own enemy ->
    holds_off k (put own x) enemy.
  Proof.
    intros E [A B]. split; [now apply apart_put_l |]. intros w I.
    destruct (B w I) as [(c & M & X) | X]; [left | now right].
    exists c. split; [exact M |]. now rewrite mem_put, X.
  Qed.

  Lemma holds_off_fewer k k' own enemy : (k' <= k)%nat -> holds_off k own enemy ->
    holds_off k' own enemy.
  Proof.
    intros L [A B]. split; [exact A |]. intros w I.
    destruct (B w I) as [X | [X | [X Y]]]; [now left | now right; left | right; right].
    split; [exact X | now apply (far_fewer k)].
  Qed.

  (** The answer to a stone in a pair is the other cell; otherwise none is needed. *)
  Lemma holds_off_answer k own enemy c : holds_off (S k) own enemy -> free board own enemy c ->
    exists o, may_add board o (put enemy c) /\ holds_off k (with_stone own o) (put enemy c).
  Proof.
    intros H (Bc & Oc & Ec). pose proof H as [A B].
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
    split; [exact Ao |]. intros w I.
    destruct (B w I) as [(d & M & X) | [(a & b & P & Ma & Mb & Ea & Eb) | [X Y]]].
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
    safe board own_goal (Some (Owns sets)) n own enemy.
  Proof.
    induction n as [n IH] using Wf_nat.lt_wf_ind. intros k own enemy L H.
    apply safe_unfold. split; [now apply (holds_off_unmet k own) |]. right.
    destruct n as [| n]; [exact I |]. destruct k as [| k]; [lia |]. split.
    - intros c (_ & Oc & _). now apply (holds_off_one k own).
    - destruct n as [| n]; [exact I |]. split.
      + exists None. split; [exact I |]. apply (IH n) with (k := k); [lia | lia |].
        apply (holds_off_fewer (S k)); [lia | exact H].
      + intros c F. destruct (holds_off_answer k own enemy c H F) as (o & A & G).
        exists o. split; [exact A |]. apply (IH n) with (k := k); [lia | lia | exact G].
  Qed.
End Blocking.

(** * Goals out of reach *)

Section Reach.
  Variable board : list N.
  Variables own_goal enemy_goal : option goal.

  (** No [k] further stones meet the enemy's goal. *)
  Definition out_of_reach (k : nat) (own enemy : N) : Prop :=
    forall l, (length l <= k)%nat -> (forall c, In c l -> In c board /\ mem own c = false) ->
    ~ met enemy_goal (fold_left put l enemy).

  Lemma out_of_reach_safe n : forall k own enemy, (n <= k + k)%nat -> out_of_reach k own enemy ->
    safe board own_goal enemy_goal n own enemy.
  Proof.
    induction n as [n IH] using Wf_nat.lt_wf_ind. intros k own enemy L R.
    apply safe_unfold. split; [apply (R []); [simpl; lia | now intros c []] |]. right.
    destruct n as [| n]; [exact I |]. destruct k as [| k]; [lia |].
    assert (forall c, free board own enemy c -> out_of_reach k own (put enemy c)) as Next.
    { intros c (B & O & _) l Ll H. apply (R (c :: l)); [simpl; lia |].
      intros d [<- | D]; [now split | now apply H]. }
    split.
    - intros c F. apply (Next c F []); [simpl; lia | now intros d []].
    - destruct n as [| n]; [exact I |]. split.
      + exists None. split; [exact I |]. apply (IH n) with (k := k); [lia | lia |].
        intros l Ll. apply R. lia.
      + intros c F. exists None. split; [exact I |].
        apply (IH n) with (k := k); [lia | lia | now apply Next].
  Qed.

  (** A goal that is not met even with all cells that the owner does not have. *)
  Lemma walled k own enemy : on_board board enemy -> apart own enemy ->
    ~ met enemy_goal (without (set_of board) own) -> out_of_reach k own enemy.
  Proof.
    intros O A W l _ H M. apply W. apply (met_more _ (fold_left put l enemy)); [| exact M].
    intros c. rewrite mem_puts, mem_without, andb_true_iff, negb_true_iff, mem_set_of.
    intros [X | X]; [| now apply H]. split; [now apply O |]. apply apart_sym in A. now apply A.
  Qed.
End Reach.

(** The distance between the borders: in layers, each with the cells that one stone more reaches. *)
Section Distance.
  Variable graph : list (N * N).
  Variables first last : N.
  Variables own enemy : N.

  Definition next_layer (a : N) : N :=
    let grown := union a (without (union first (near graph a)) own) in
    flood graph grown (union grown enemy).

  Fixpoint layers (k : nat) (a : N) : list N :=
    match k with O => [a] | S k => a :: layers k (next_layer a) end.

  (** The number of layers before the first that contains a cell. *)
  Fixpoint level (ls : list N) (c : N) : nat :=
    match ls with [] => O | a :: ls => if mem a c then O else S (level ls c) end.

  Fixpoint consistent (ls : list N) : bool :=
    match ls with
    | [] => true
    | a :: rest =>
        inside_b (common (near graph a) enemy) a &&
        match rest with b :: _ => inside_b (without (near graph a) own) b | [] => true end &&
        consistent rest
    end.

  Definition apart_by (k : nat) : bool :=
    match layers k (flood graph first enemy) with
    | a :: rest =>
        consistent (a :: rest) && inside_b (common first enemy) a &&
        match rest with b :: _ => inside_b (without first own) b | [] => true end &&
        forallb (fun a => apart_b a last) (a :: rest)
    | [] => false
    end.

  Lemma layers_length k : forall a, length (layers k a) = S k.
  Proof. induction k as [| k IH]; intros a; simpl; [reflexivity | now rewrite IH]. Qed.

  Lemma level_step ls c d : consistent ls = true -> beside graph c d -> mem own d = false ->
    (level ls d <= S (level ls c))%nat /\ (mem enemy d = true -> (level ls d <= level ls c)%nat).
  Proof.
    intros C B O. induction ls as [| a rest IH]; [simpl; lia |].
    simpl in C. rewrite !andb_true_iff, !inside_b_spec in C. destruct C as [[C1 C2] C3].
    specialize (IH C3). simpl. destruct (mem a c) eqn:Mc.
    - assert (mem (near graph a) d = true) as Nd by (apply near_spec; now exists c).
      split.
      + destruct (mem a d); [lia |]. destruct rest as [| b rest]; [simpl; lia |].
        rewrite inside_b_spec in C2. simpl.
        assert (mem b d = true) as ->; [| lia].
        apply C2. now rewrite mem_without, Nd, O.
      + intros E. assert (mem a d = true) as ->; [| lia]. apply C1. now rewrite mem_common, Nd, E.
    - destruct IH as [I1 I2]. split.
      + destruct (mem a d); lia.
      + intros E. specialize (I2 E). destruct (mem a d); lia.
  Qed.

  Lemma apart_by_right board k : apart own enemy -> apart_by k = true ->
    out_of_reach board (Some (Path graph first last)) k own enemy.
  Proof.
    intros A. unfold apart_by. destruct (layers k (flood graph first enemy)) as [| a rest] eqn:E; [discriminate |].
    pose proof (layers_length k (flood graph first enemy)) as Len. rewrite E in Len.
    set (ls := a :: rest) in *. rewrite !andb_true_iff, inside_b_spec.
    intros [[[C F0] F1] L] l Ll H (c & J & Lc).
    assert (forall d, mem (fold_left put l enemy) d = true -> mem enemy d = true \/ In d l) as Put.
    { intros d. now rewrite mem_puts. }
    (* Each level up to that of a joined cell is that of some new stone. *)
    assert (forall d, joined graph first (fold_left put l enemy) d ->
      forall i, (1 <= i <= level ls d)%nat -> exists e, In e l /\ level ls e = i) as Each.
    { intros d Jd. induction Jd as [d Fd M | d f Jd IH B M]; intros i Hi.
      - destruct (mem enemy d) eqn:Me.
        + exfalso. assert (mem a d = true) as X by (apply F0; now rewrite mem_common, Fd, Me).
          unfold ls in Hi. simpl in Hi. rewrite X in Hi. lia.
        + destruct (Put d M) as [X | X]; [congruence |]. exists d. split; [exact X |].
          assert (level ls d <= 1)%nat; [| lia]. unfold ls. simpl. destruct (mem a d); [lia |].
          destruct rest as [| b rest]; [simpl; lia |]. rewrite inside_b_spec in F1. simpl.
          assert (mem b d = true) as ->; [| lia]. apply F1.
          rewrite mem_without, Fd. simpl. now rewrite (proj2 (H d X)).
      - destruct (mem enemy f) eqn:Me.
        + apply IH. assert (mem own f = false) as Of by (apply apart_sym in A; now apply A).
          pose proof (proj2 (level_step ls d f C B Of) Me). lia.
        + destruct (Put f M) as [X | X]; [congruence |].
          pose proof (proj1 (level_step ls d f C B (proj2 (H f X)))) as Y.
          destruct (Nat.eq_dec i (level ls f)) as [-> | D]; [now exists f |]. apply IH. lia. }
    assert (level ls c = S k) as Top.
    { rewrite <- Len. clear - L Lc. induction ls as [| x ls IH]; [reflexivity |]. simpl in *.
      apply andb_true_iff in L. destruct L as [L1 L2]. rewrite apart_b_spec in L1.
      destruct (mem x c) eqn:M; [rewrite (L1 c M) in Lc; discriminate |]. now rewrite IH. }
    assert (incl (seq 1 (S k)) (map (level ls) l)) as Inc.
    { intros i I. apply in_seq in I. destruct (Each c J i) as (e & Ie & <-); [lia |].
      now apply in_map. }
    apply NoDup_incl_length in Inc; [| apply seq_NoDup].
    rewrite seq_length, map_length in Inc. lia.
  Qed.
End Distance.
