(** Connections that hold by themselves: the owner completes them inside a carrier of open cells,
    whatever the opponent does. Virtual connections and bridges are built of these. *)

From Coq Require Import Arith NArith List Bool Lia Wf_nat.
From Skolemate Require Import Cells Game Goals Symmetry Stones Boards.
Import ListNotations.
Open Scope N_scope.

Definition take (carrier c m : N) : N := without carrier (put (one c) m).

Lemma mem_take carrier c m x :
  mem (take carrier c m) x = mem carrier x && negb (c =? x) && negb (m =? x).
Proof.
  unfold take. rewrite mem_without, mem_put, mem_one, negb_orb.
  now destruct (mem carrier x), (c =? x), (m =? x).
Qed.

Definition grows (P : N -> Prop) : Prop := forall own own', inside own own' -> P own -> P own'.

(** [P] holds within [k] rounds: in each the opponent takes a cell of the carrier, and the owner
    another. *)
Fixpoint full (P : N -> Prop) (k : nat) (carrier own : N) : Prop :=
  P own \/
  match k with
  | O => False
  | S k => (exists c, mem carrier c = true) /\
      forall c, mem carrier c = true ->
        exists m, m <> c /\ mem carrier m = true /\ full P k (take carrier c m) (put own m)
  end.

(** The same with one more move by the owner first. *)
Definition semi (P : N -> Prop) (carrier own : N) : Prop :=
  exists m k, mem carrier m = true /\ full P k (without carrier (one m)) (put own m).

Lemma full_now (P : N -> Prop) k carrier own : P own -> full P k carrier own.
Proof. intros H. destruct k; now left. Qed.

Lemma full_imp (P Q : N -> Prop) k : forall carrier own, (forall o, P o -> Q o) ->
  full P k carrier own -> full Q k carrier own.
Proof.
  induction k as [| k IH]; intros carrier own H [F | F]; try (left; now apply H).
  right. destruct F as [E F]. split; [exact E |]. intros c C.
  destruct (F c C) as (m & D & M & G). exists m. auto.
Qed.

Lemma full_more (P : N -> Prop) k : grows P -> forall carrier own carrier' own',
  inside carrier carrier' -> inside own own' -> full P k carrier own -> full P k carrier' own'.
Proof.
  intros Gr. induction k as [| k IH]; intros carrier own carrier' own' I J [F | F];
    try (left; now apply (Gr own)). right. destruct F as [(c0 & C0) F].
  split; [exists c0; now apply I |]. intros c C.
  destruct (mem carrier c) eqn:E.
  - destruct (F c E) as (m & D & M & G). exists m. split; [exact D |]. split; [now apply I |].
    apply (IH (take carrier c m) (put own m)); [| now apply inside_put | exact G].
    intros x. rewrite !mem_take, !andb_true_iff. intros [[X Y] Z]. auto.
  - destruct (F c0 C0) as (m & D & M & G). exists m. split; [congruence |].
    split; [now apply I |].
    apply (IH (take carrier c0 m) (put own m)); [| now apply inside_put | exact G].
    intros x. rewrite !mem_take, !andb_true_iff. intros [[X Y] Z]. repeat split; auto.
    destruct (N.eqb_spec c x) as [<- |]; [congruence | reflexivity].
Qed.

Lemma full_rounds (P : N -> Prop) k : forall carrier own, full P k carrier own -> full P (S k) carrier own.
Proof.
  induction k as [| k IH]; intros carrier own [F | F]; try (now left).
  right. destruct F as [E F]. split; [exact E |]. intros c C.
  destruct (F c C) as (m & D & M & G). exists m. auto.
Qed.

Lemma full_and_now (P Q : N -> Prop) k : grows P -> forall carrier own, P own ->
  full Q k carrier own -> full (fun o => P o /\ Q o) k carrier own.
Proof.
  intros Gr. induction k as [| k IH]; intros carrier own H [F | F]; try (now left).
  right. destruct F as [E F]. split; [exact E |]. intros c C.
  destruct (F c C) as (m & D & M & G). exists m. repeat split; auto.
  apply IH; [| exact G]. apply (Gr own); [apply inside_put_r, inside_refl | exact H].
Qed.

Lemma grows_and (P Q : N -> Prop) : grows P -> grows Q -> grows (fun o => P o /\ Q o).
Proof. intros A B own own' I [X Y]. split; [now apply (A own) | now apply (B own)]. Qed.

(** Parts with disjoint carriers: the owner answers in the part in which the opponent moved. *)
Lemma full_and (P Q : N -> Prop) n : grows P -> grows Q ->
  forall k l carrier carrier' own, (k + l <= n)%nat -> apart carrier carrier' ->
  full P k carrier own -> full Q l carrier' own ->
  full (fun o => P o /\ Q o) n (union carrier carrier') own.
Proof.
  intros GP GQ. pose proof (grows_and P Q GP GQ) as GPQ.
  assert (forall n k (R : N -> Prop) c o, (k <= n)%nat -> full R k c o -> full R n c o) as Up.
  { intros n' k R c o L F. induction L; [exact F | now apply full_rounds]. }
  assert (forall a b, inside a (union a b) /\ inside b (union a b)) as Un.
  { intros a b. split; intros x X; rewrite mem_union, X; [reflexivity | apply orb_true_r]. }
  induction n as [| n IH]; intros k l carrier carrier' own L A F G.
  { assert (k = 0 /\ l = 0)%nat as [-> ->] by lia.
    destruct F as [F | []], G as [G | []]. now left. }
  destruct k as [| k].
  { destruct F as [F | []]. apply (Up _ l); [lia |].
    apply (full_more _ _ GPQ carrier' own); [apply Un | apply inside_refl |].
    now apply full_and_now. }
  destruct l as [| l].
  { destruct G as [G | []]. apply (Up _ (S k)); [lia |].
    apply (full_more _ _ GPQ carrier own); [apply Un | apply inside_refl |].
    apply (full_imp (fun o => Q o /\ P o)); [tauto |]. now apply full_and_now. }
  pose proof F as F0. pose proof G as G0.
  destruct F as [F | [F1 F]].
  { apply (Up _ (S l)); [lia |].
    apply (full_more _ _ GPQ carrier' own); [apply Un | apply inside_refl |].
    now apply full_and_now. }
  destruct G as [G | [G1 G]].
  { apply (Up _ (S k)); [lia |].
    apply (full_more _ _ GPQ carrier own); [apply Un | apply inside_refl |].
    apply (full_imp (fun o => Q o /\ P o)); [tauto |]. now apply full_and_now. }
  right. split.
  { destruct F1 as [c C]. exists c. now rewrite mem_union, C. }
  intros c C. rewrite mem_union, orb_true_iff in C. destruct C as [C | C].
  - destruct (F c C) as (m & D & M & H). exists m. split; [exact D |].
    split; [now rewrite mem_union, M |].
    apply (full_more _ _ GPQ (union (take carrier c m) carrier') (put own m)).
    + intros x. rewrite mem_take, !mem_union, mem_take, orb_true_iff, !andb_true_iff.
      intros [[[X Y] Z] | X]; [rewrite X; auto |].
      rewrite X, orb_true_r. repeat split.
      * destruct (N.eqb_spec c x) as [<- |]; [| reflexivity]. now rewrite (A c C) in X.
      * destruct (N.eqb_spec m x) as [<- |]; [| reflexivity]. now rewrite (A m M) in X.
    + apply inside_refl.
    + apply (IH k (S l)); [lia | | exact H |].
      * apply (apart_inside _ _ _ _ A); [| apply inside_refl].
        intros x. rewrite mem_take, !andb_true_iff. tauto.
      * apply (full_more _ _ GQ carrier' own);
          [apply inside_refl | apply inside_put_r, inside_refl | exact G0].
  - destruct (G c C) as (m & D & M & H). exists m. split; [exact D |].
    split; [rewrite mem_union, M; apply orb_true_r |].
    apply (full_more _ _ GPQ (union carrier (take carrier' c m)) (put own m)).
    + intros x. rewrite mem_take, !mem_union, mem_take, orb_true_iff, !andb_true_iff.
      intros [X | [[X Y] Z]]; [| rewrite X, orb_true_r; auto].
      rewrite X. repeat split.
      * destruct (N.eqb_spec c x) as [<- |]; [| reflexivity]. now rewrite (A c X) in C.
      * destruct (N.eqb_spec m x) as [<- |]; [| reflexivity]. now rewrite (A m X) in M.
    + apply inside_refl.
    + apply (IH (S k) l); [lia | | | exact H].
      * apply (apart_inside _ _ _ _ A); [apply inside_refl |].
        intros x. rewrite mem_take, !andb_true_iff. tauto.
      * apply (full_more _ _ GP carrier own);
          [apply inside_refl | apply inside_put_r, inside_refl | exact F0].
Qed.

(** * Values of connections: a carrier, and whether it is full or semi *)

Definition value := (N * bool)%type.

Definition has (P : N -> Prop) (own : N) (v : value) : Prop :=
  if snd v then exists k, full P k (fst v) own else semi P (fst v) own.

Lemma has_imp (P Q : N -> Prop) own v : (forall o, P o -> Q o) -> has P own v -> has Q own v.
Proof.
  intros H. unfold has. destruct (snd v).
  - intros (k & F). exists k. now apply (full_imp P).
  - intros (m & k & M & F). exists m, k. split; [exact M |]. now apply (full_imp P).
Qed.

Lemma semi_imp (P Q : N -> Prop) carrier own : (forall o, P o -> Q o) ->
  semi P carrier own -> semi Q carrier own.
Proof. exact (fun H => has_imp P Q own (carrier, false) H). Qed.

Lemma semi_more (P : N -> Prop) carrier carrier' own : grows P -> inside carrier carrier' ->
  semi P carrier own -> semi P carrier' own.
Proof.
  intros Gr I (m & k & M & F). exists m, k. split; [now apply I |].
  apply (full_more _ _ Gr (without carrier (one m)) (put own m));
    [| apply inside_refl | exact F].
  intros x. rewrite !mem_without, !andb_true_iff. intros [X Y]. auto.
Qed.

(** All parts are needed; at most one is semi. *)
Definition and_value (v w : value) : option value :=
  if apart_b (fst v) (fst w) && (snd v || snd w)
  then Some (union (fst v) (fst w), snd v && snd w)
  else None.

Lemma semi_full (P Q : N -> Prop) carrier carrier' own : grows P -> grows Q ->
  apart carrier carrier' -> semi P carrier own -> (exists k, full Q k carrier' own) ->
  semi (fun o => P o /\ Q o) (union carrier carrier') own.
Proof.
  intros GP GQ A (m & k & M & F) (l & G). exists m, (k + l)%nat.
  split; [now rewrite mem_union, M |].
  apply (full_more _ _ (grows_and P Q GP GQ)
           (union (without carrier (one m)) carrier') (put own m)).
  - intros x. rewrite mem_without, !mem_union, mem_without, mem_one, orb_true_iff, !andb_true_iff.
    intros [[X Y] | X]; [rewrite X; auto |]. rewrite X, orb_true_r. split; [reflexivity |].
    destruct (N.eqb_spec m x) as [<- |]; [| reflexivity]. now rewrite (A m M) in X.
  - apply inside_refl.
  - apply (full_and P Q (k + l) GP GQ k l); [lia | | exact F |].
    + apply (apart_inside _ _ _ _ A); [| apply inside_refl].
      intros x. rewrite mem_without, andb_true_iff. tauto.
    + apply (full_more _ _ GQ carrier' own);
        [apply inside_refl | apply inside_put_r, inside_refl | exact G].
Qed.

Lemma union_comm a b : union a b = union b a.
Proof. apply N.lor_comm. Qed.

Lemma and_right (P Q : N -> Prop) own v w u : grows P -> grows Q ->
  has P own v -> has Q own w -> and_value v w = Some u -> has (fun o => P o /\ Q o) own u.
Proof.
  intros GP GQ. destruct v as [c f], w as [c' f']. unfold and_value, has. simpl.
  destruct (apart_b c c') eqn:A; [| discriminate]. apply apart_b_spec in A.
  destruct f, f'; simpl; intros F G; [| | | discriminate]; intros [= <-]; simpl.
  - destruct F as (k & F), G as (l & G). exists (k + l)%nat.
    now apply (full_and P Q (k + l) GP GQ k l).
  - rewrite union_comm. apply semi_imp with (P := fun o => Q o /\ P o); [tauto |].
    apply semi_full; auto using apart_sym.
  - now apply semi_full.
Qed.

(** Alternatives, all of which hold: full if one is, or if no cell is in the carriers of all. *)
Definition or_value (vs : list value) : option value :=
  match vs with
  | [] => None
  | v :: _ =>
      let all := fold_left (fun s w => union s (fst w)) vs 0 in
      let shared := fold_left (fun s w => common s (fst w)) vs (fst v) in
      Some (all, existsb snd vs || empty shared)
  end.

Lemma mem_all vs x : forall s, mem (fold_left (fun s (w : value) => union s (fst w)) vs s) x = true <->
  mem s x = true \/ exists v, In v vs /\ mem (fst v) x = true.
Proof.
  induction vs as [| v vs IH]; intros s; simpl.
  - split; [now left | intros [M | (v & [] & _)]; exact M].
  - rewrite IH, mem_union, orb_true_iff. split.
    + intros [[M | M] | (w & I & M)]; [now left | right; exists v; auto | right; exists w; auto].
    + intros [M | (w & [<- | I] & M)]; [now left; left | now left; right | right; now exists w].
Qed.

Lemma not_shared vs x : forall s, mem (fold_left (fun s (w : value) => common s (fst w)) vs s) x = false ->
  mem s x = false \/ exists v, In v vs /\ mem (fst v) x = false.
Proof.
  induction vs as [| v vs IH]; intros s; simpl; [now left |].
  intros M. destruct (IH _ M) as [X | (w & I & X)]; [| right; exists w; auto].
  rewrite mem_common, andb_false_iff in X. destruct X as [X | X]; [now left | right].
  exists v. auto.
Qed.

Lemma or_right (P : N -> Prop) own vs u : grows P ->
  (forall v, In v vs -> has P own v) -> or_value vs = Some u -> has P own u.
Proof.
  intros Gr H E. destruct vs as [| v0 vs']; [discriminate |].
  set (vs := v0 :: vs') in *.
  set (all := fold_left (fun s (w : value) => union s (fst w)) vs 0).
  set (shared := fold_left (fun s (w : value) => common s (fst w)) vs (fst v0)).
  assert (u = (all, existsb snd vs || empty shared)) as -> by now injection E as <-. clear E.
  assert (forall v, In v vs -> inside (fst v) all) as Sub.
  { intros v I x M. apply mem_all. right. now exists v. }
  unfold has. cbn [fst snd].
  destruct (existsb snd vs) eqn:E; cbn [orb].
  - apply existsb_exists in E. destruct E as ([c f] & I & S). simpl in S. subst f.
    pose proof (H _ I) as X. unfold has in X. simpl in X. destruct X as (k & F). exists k.
    apply (full_more _ _ Gr c own); [exact (Sub _ I) | apply inside_refl | exact F].
  - assert (forall v, In v vs -> semi P (fst v) own) as Semi.
    { intros [c f] I. pose proof (H _ I) as X. unfold has in X. cbn [fst snd] in *.
      destruct f; [| exact X].
      assert (existsb snd vs = true); [| congruence]. apply existsb_exists. now exists (c, true). }
    clear H. destruct (empty shared) eqn:Z.
    + (* wherever the opponent moves, one way is left *)
      rewrite empty_spec in Z.
      assert (forall c, mem all c = true -> exists v, In v vs /\ mem (fst v) c = false) as Way.
      { intros c _. destruct (not_shared vs c (fst v0) (Z c)) as [X | X]; [| exact X].
        exists v0. split; [now left | exact X]. }
      (* one number of rounds for all ways *)
      assert (exists k, forall v, In v vs -> exists m, mem (fst v) m = true /\
        full P k (without (fst v) (one m)) (put own m)) as (k & K).
      { clear - Semi. induction vs as [| v vs IH]; [exists O; now intros v [] |].
        destruct IH as (k & K); [intros w I; apply Semi; now right |].
        destruct (Semi v (or_introl eq_refl)) as (m & l & M & F). exists (k + l)%nat.
        assert (forall n R c o, full P R c o -> full P (R + n) c o) as Up.
        { induction n; intros R c o X; [now rewrite Nat.add_0_r |].
          rewrite Nat.add_succ_r. now apply full_rounds, IHn. }
        intros w [<- | I].
        - exists m. split; [exact M |]. rewrite Nat.add_comm. now apply Up.
        - destruct (K w I) as (m' & M' & F'). exists m'. split; [exact M' |]. now apply Up. }
      exists (S k). right. split.
      { destruct (K v0 (or_introl eq_refl)) as (m & M & _). exists m.
        apply (Sub v0); [now left | exact M]. }
      intros c C. destruct (Way c C) as (v & I & X). destruct (K v I) as (m & M & F).
      exists m. split; [congruence |]. split; [now apply (Sub v I) |].
      apply (full_more _ _ Gr (without (fst v) (one m)) (put own m));
        [| apply inside_refl | exact F].
      intros x. rewrite mem_without, mem_one, mem_take, !andb_true_iff. intros [Y Z'].
      repeat split; [now apply (Sub v I) | | exact Z'].
      destruct (N.eqb_spec c x) as [<- |]; [congruence | reflexivity].
    + apply (semi_more P (fst v0)); [exact Gr | apply Sub; now left | apply Semi; now left].
Qed.

(** * Carriers and plies *)

Section Plies.
  Variable board : list N.
  Hypothesis distinct_board : NoDup board.

  Definition count (s : N) : nat := length (filter (mem s) board).

  Lemma count_take carrier c m : on_board board carrier -> mem carrier c = true ->
    mem carrier m = true -> m <> c -> count carrier = S (S (count (take carrier c m))).
  Proof.
    intros O C M D. unfold count.
    rewrite (Stones.filter_less _ (mem (without carrier (one c))) c board distinct_board (O c C) C).
    2: { intros d. now rewrite mem_without, mem_one. }
    f_equal.
    apply (Stones.filter_less _ _ m board distinct_board (O m M)).
    - rewrite mem_without, mem_one, M. simpl. rewrite negb_true_iff. apply N.eqb_neq. congruence.
    - intros d. now rewrite mem_take, mem_without, mem_one.
  Qed.

  (** Each round uses two cells of the carrier. *)
  Lemma full_count (P : N -> Prop) k : forall carrier own, on_board board carrier ->
    full P k carrier own -> full P (Nat.div2 (count carrier)) carrier own.
  Proof.
    induction k as [| k IH]; intros carrier own O [F | F]; try (now apply full_now); try contradiction.
    destruct F as [(c0 & C0) F]. destruct (F c0 C0) as (m0 & D0 & M0 & _).
    rewrite (count_take carrier c0 m0 O C0 M0 D0). simpl. right.
    split; [now exists c0 |]. intros c C. destruct (F c C) as (m & D & M & G).
    exists m. split; [exact D |]. split; [exact M |].
    assert (on_board board (take carrier c m)) as O'.
    { intros x. rewrite mem_take, !andb_true_iff. intros [[X _] _]. now apply O. }
    apply IH in G; [| exact O'].
    replace (count (take carrier c0 m0)) with (count (take carrier c m)); [exact G |].
    pose proof (count_take carrier c0 m0 O C0 M0 D0).
    pose proof (count_take carrier c m O C M D). lia.
  Qed.

  Lemma full_union (P : N -> Prop) k : grows P -> forall carrier own, full P k carrier own ->
    P (union own carrier).
  Proof.
    intros Gr. induction k as [| k IH]; intros carrier own [F | F];
      try (apply (Gr own); [| exact F]; intros x X; now rewrite mem_union, X);
      try contradiction.
    destruct F as [(c & C) F]. destruct (F c C) as (m & D & M & G). apply IH in G.
    apply (Gr _ (union own carrier)) in G; [exact G |].
    intros x. rewrite !mem_union, mem_put, mem_take, !orb_true_iff, !andb_true_iff, N.eqb_eq.
    intros [[X | <-] | [[X _] _]]; auto.
  Qed.

  Variables own_goal enemy_goal : option goal.

  (** At most one player meets the goal. *)
  Hypothesis exclusive : forall own enemy, on_board board own -> on_board board enemy ->
    apart own enemy -> met own_goal own -> ~ met enemy_goal enemy.

  Lemma full_good k : forall carrier own enemy,
    on_board board own -> on_board board enemy -> on_board board carrier ->
    apart own enemy -> apart carrier enemy ->
    full (met own_goal) k carrier own -> good board own_goal enemy_goal (k + k) own enemy.
  Proof.
    assert (grows (met own_goal)) as Gr by (intros a b I; now apply met_more).
    induction k as [| k IH]; intros carrier own enemy Oo Oe Oc A C F.
    { destruct F as [F | []]. simpl. split; [| now left]. now apply (exclusive own). }
    rewrite Nat.add_succ_r. simpl. split.
    { apply (exclusive (union own carrier)); [| exact Oe | | now apply (full_union _ (S k))].
      - intros x. rewrite mem_union, orb_true_iff. intros [X | X]; auto.
      - intros x. rewrite mem_union, orb_true_iff. intros [X | X]; auto. }
    destruct F as [F | [(c0 & C0) F]]; [now left | right].
    assert (forall a, on_board board a -> forall x, In x board -> on_board board (put a x)) as Op.
    { intros a Oa x Ix y. rewrite mem_put, orb_true_iff, N.eqb_eq. intros [Y | <-]; auto. }
    assert (forall c m, on_board board (take carrier c m)) as Ot.
    { intros c m x. rewrite mem_take, !andb_true_iff. intros [[X _] _]. now apply Oc. }
    assert (forall c m, apart (take carrier c m) enemy) as At.
    { intros c m x. rewrite mem_take, !andb_true_iff. intros [[X _] _]. now apply C. }
    split.
    - destruct (F c0 C0) as (m & D & M & G). exists (Some m). split; [split; auto |]. simpl.
      apply (IH (take carrier c0 m)); auto using apart_put_l.
    - intros c (B & Mo & Me).
      assert (forall m c', m <> c -> mem carrier m = true -> mem (take carrier c' m) c = false ->
        full (met own_goal) k (take carrier c' m) (put own m) ->
        exists o, may_add board o (put enemy c) /\
          good board own_goal enemy_goal (k + k) (with_stone own o) (put enemy c)) as Go.
      { intros m c' D M T G. exists (Some m).
        assert (mem (put enemy c) m = false) as X.
        { rewrite mem_put, (C m M). simpl. apply N.eqb_neq. congruence. }
        split; [split; auto |]. simpl. apply (IH (take carrier c' m)); auto.
        - apply apart_put_l; [| exact X]. apply apart_sym, apart_put_l; auto using apart_sym.
        - apply apart_sym, apart_put_l; auto using apart_sym. }
      destruct (mem carrier c) eqn:E.
      + destruct (F c E) as (m & D & M & G). apply (Go m c); auto.
        rewrite mem_take, N.eqb_refl. simpl. now rewrite andb_false_r.
      + destruct (F c0 C0) as (m & D & M & G). apply (Go m c0); auto; [congruence |].
        now rewrite mem_take, E.
  Qed.

  Lemma good_safe n : forall own enemy, good board own_goal enemy_goal n own enemy ->
    forall m, safe board own_goal enemy_goal m own enemy.
  Proof.
    induction n as [n IH] using lt_wf_ind. intros own enemy G m.
    apply good_unfold in G. apply safe_unfold. destruct G as [E G]. split; [exact E |].
    destruct G as [G | G]; [now left | right]. destruct n as [| [| n]]; [destruct G | destruct G |].
    destruct G as [(o & A & G) C]. destruct m as [| m]; [exact I |]. split.
    - intros c F. destruct (C c F) as (o' & _ & G'). apply good_unfold in G'. now destruct G'.
    - destruct m as [| m]; [exact I |]. split.
      + exists o. split; [exact A |]. apply (IH n); [lia | exact G].
      + intros c F. destruct (C c F) as (o' & A' & G'). exists o'. split; [exact A' |].
        apply (IH n); [lia | exact G'].
  Qed.
End Plies.
