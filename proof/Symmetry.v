(** Permutations of the cells, and when they keep a goal. *)

From Coq Require Import NArith List Bool Lia.
From Skolemate Require Import Cells Game Goals.
Import ListNotations.
Open Scope N_scope.

Definition permutation := list (N * N).

Definition image (s : permutation) (t : N) : N :=
  fold_left (fun found cd => if mem t (fst cd) then put found (snd cd) else found) s 0.

Lemma mem_image s t e : mem (image s t) e = true <->
  exists c, In (c, e) s /\ mem t c = true.
Proof.
  unfold image. assert (forall l found,
    mem (fold_left (fun found cd => if mem t (fst cd) then put found (snd cd) else found) l found)
      e = true <-> mem found e = true \/ exists c, In (c, e) l /\ mem t c = true) as H.
  { induction l as [| [c d] l IH]; intros found; simpl.
    - split; [now left | intros [M | (c & [] & _)]; exact M].
    - rewrite IH. destruct (mem t c) eqn:E.
      + rewrite mem_put, orb_true_iff, N.eqb_eq. split.
        * intros [[M | <-] | (c' & I & M)]; [now left | right | right].
          -- exists c. auto.
          -- exists c'. auto.
        * intros [M | (c' & [I | I] & M)]; [now left; left | |].
          -- injection I as <- <-. now left; right.
          -- right. now exists c'.
      + split.
        * intros [M | (c' & I & M)]; [now left | right; exists c'; auto].
        * intros [M | (c' & [I | I] & M)]; [now left | |].
          -- injection I as <- <-. congruence.
          -- right. now exists c'. }
  rewrite H, mem_0. split; [now intros [| X] | now right].
Qed.

Fixpoint distinct (seen : N) (l : list N) : bool :=
  match l with
  | [] => true
  | c :: l => negb (mem seen c) && distinct (put seen c) l
  end.

Lemma distinct_spec l : forall seen, distinct seen l = true ->
  NoDup l /\ forall c, In c l -> mem seen c = false.
Proof.
  induction l as [| c l IH]; simpl; intros seen.
  - intros _. split; [constructor | now intros c []].
  - rewrite andb_true_iff, negb_true_iff. intros [M D]. apply IH in D. destruct D as [D F].
    split.
    + constructor; [| exact D]. intros I. specialize (F c I).
      rewrite mem_put_same in F. discriminate.
    + intros d [<- | I]; [exact M |]. specialize (F d I). rewrite mem_put in F.
      now apply orb_false_iff in F.
Qed.

Definition set_of (l : list N) : N := fold_left put l 0.

Lemma mem_set_of l c : mem (set_of l) c = true <-> In c l.
Proof.
  unfold set_of. assert (forall l found, mem (fold_left put l found) c = true <->
    mem found c = true \/ In c l) as H.
  { induction l0 as [| d l0 IH]; intros found; simpl; [now split; [left | intros [| []]] |].
    rewrite IH, mem_put, orb_true_iff, N.eqb_eq. split.
    - now intros [[M | <-] | I]; [left | right; left | right; right].
    - now intros [M | [<- | I]]; [left; left | left; right | right]. }
  rewrite H, mem_0. split; [now intros [| X] | now right].
Qed.

Section Permutation.
  Variable board : list N.
  Let whole := set_of board.
  Variable s : permutation.

  Definition permutes : bool :=
    (set_of (map fst s) =? whole) && (set_of (map snd s) =? whole) &&
    distinct 0 (map fst s) && distinct 0 (map snd s).

  Hypothesis P : permutes = true.

  Lemma permutes_to c : In c board -> exists d, In (c, d) s /\ In d board.
  Proof.
    intros I. unfold permutes in P. rewrite !andb_true_iff, !N.eqb_eq in P.
    destruct P as [[[A B] _] _]. apply mem_set_of in I. fold whole in I. rewrite <- A in I.
    apply mem_set_of in I. apply in_map_iff in I. destruct I as ([c' d] & <- & I).
    exists d. split; [exact I |]. apply mem_set_of. fold whole. rewrite <- B.
    apply mem_set_of, in_map_iff. now exists (c', d).
  Qed.

  Lemma permutes_from d : In d board -> exists c, In (c, d) s /\ In c board.
  Proof.
    intros I. unfold permutes in P. rewrite !andb_true_iff, !N.eqb_eq in P.
    destruct P as [[[A B] _] _]. apply mem_set_of in I. fold whole in I. rewrite <- B in I.
    apply mem_set_of in I. apply in_map_iff in I. destruct I as ([c d'] & <- & I).
    exists c. split; [exact I |]. apply mem_set_of. fold whole. rewrite <- A.
    apply mem_set_of, in_map_iff. now exists (c, d').
  Qed.

  Lemma NoDup_pairs {A B} (f : A -> B) l x y : NoDup (map f l) -> In x l -> In y l -> f x = f y ->
    x = y.
  Proof.
    induction l as [| z l IH]; simpl; intros D X Y E; [destruct X |].
    inversion D as [| ? ? N D']; subst. destruct X as [-> | X], Y as [-> | Y]; auto.
    - exfalso. apply N. rewrite E. now apply in_map.
    - exfalso. apply N. rewrite <- E. now apply in_map.
  Qed.

  Lemma permutes_once c d d' : In (c, d) s -> In (c, d') s -> d = d'.
  Proof.
    intros I I'. unfold permutes in P. rewrite !andb_true_iff in P. destruct P as [[_ A] _].
    apply distinct_spec in A. destruct A as [A _].
    now injection (NoDup_pairs fst s (c, d) (c, d') A I I' eq_refl).
  Qed.

  Lemma permutes_one c c' d : In (c, d) s -> In (c', d) s -> c = c'.
  Proof.
    intros I I'. unfold permutes in P. rewrite !andb_true_iff in P. destruct P as [_ A].
    apply distinct_spec in A. destruct A as [A _].
    now injection (NoDup_pairs snd s (c, d) (c', d) A I I' eq_refl).
  Qed.

  Lemma mem_image_of c d t : In (c, d) s -> mem (image s t) d = mem t c.
  Proof.
    intros I. apply eq_true_iff_eq. rewrite mem_image. split.
    - intros (c' & I' & M). now rewrite (permutes_one c c' d I I').
    - intros M. now exists c.
  Qed.

  Lemma image_inside t u : inside t u -> inside (image s t) (image s u).
  Proof.
    intros H d. rewrite !mem_image. intros (c & I & M). exists c. auto.
  Qed.

  Definition on_board (t : N) : Prop := forall c, mem t c = true -> In c board.

  Lemma image_on_board t : on_board (image s t).
  Proof.
    intros d M. apply mem_image in M. destruct M as (c & I & _).
    unfold permutes in P. rewrite !andb_true_iff, !N.eqb_eq in P. destruct P as [[[_ B] _] _].
    apply mem_set_of. fold whole. rewrite <- B. apply mem_set_of, in_map_iff. now exists (c, d).
  Qed.

  Lemma inside_image t u : on_board t -> inside (image s t) (image s u) -> inside t u.
  Proof.
    intros O H c M. destruct (permutes_to c (O c M)) as (d & I & _).
    rewrite <- (mem_image_of c d u I). apply H. now rewrite (mem_image_of c d t I).
  Qed.

  Lemma image_put t c d : In (c, d) s -> image s (put t c) = put (image s t) d.
  Proof.
    intros I. apply same_set. intros e. apply eq_true_iff_eq.
    rewrite mem_image, mem_put, orb_true_iff, N.eqb_eq, mem_image. split.
    - intros (c' & I' & M). rewrite mem_put, orb_true_iff, N.eqb_eq in M.
      destruct M as [M | <-]; [left; now exists c' | right].
      exact (permutes_once c d e I I').
    - intros [(c' & I' & M) | <-].
      + exists c'. split; [exact I' |]. now rewrite mem_put, M.
      + exists c. split; [exact I |]. apply mem_put_same.
  Qed.

  (** * Symmetries of goals *)

  Definition pair_eqb (a b : N * N) : bool := (fst a =? fst b) && (snd a =? snd b).

  Definition moved (a : N * N) : N * N := (image s (one (fst a)), image s (snd a)).

  Definition off_board (t : N) : bool := negb (inside_b t whole).

  Definition undirected (graph : list (N * N)) : bool :=
    forallb (fun cn => forallb (fun d => negb (mem (snd cn) d) ||
      existsb (fun dn => (fst dn =? d) && mem (snd dn) (fst cn)) graph) board) graph.

  Definition keeps_goal (g : option goal) : bool :=
    match g with
    | None => true
    | Some (Owns sets) =>
        forallb (fun w => inside_b w whole && existsb (N.eqb (image s w)) sets
                          && existsb (fun v => image s v =? w) sets) sets
    | Some (Path graph first last) =>
        forallb (fun cn => mem whole (fst cn) && inside_b (snd cn) whole
          && existsb (fun dn => pair_eqb (moved cn) (one (fst dn), snd dn)) graph
          && existsb (fun dn => pair_eqb (moved dn) (one (fst cn), snd cn)) graph) graph
        && inside_b first whole && inside_b last whole
        && ((image s first =? first) && (image s last =? last)
            || (image s first =? last) && (image s last =? first) && undirected graph)
    end.

  Lemma one_inj c d : one c = one d -> c = d.
  Proof.
    intros E. assert (mem (one c) c = true) as M by (rewrite mem_one; apply N.eqb_refl).
    rewrite E, mem_one in M. symmetry. now apply N.eqb_eq.
  Qed.

  Lemma image_one c d : In (c, d) s -> image s (one c) = one d.
  Proof.
    intros I. replace (one c) with (put 0 c) by apply N.lor_0_l.
    rewrite (image_put 0 c d I). replace (image s 0) with 0; [apply N.lor_0_l |].
    symmetry. apply same_set. intros e. rewrite mem_0. destruct (mem (image s 0) e) eqn:M; [| easy].
    apply mem_image in M. destruct M as (c' & _ & M). now rewrite mem_0 in M.
  Qed.

  (** A path can be walked backwards. *)
  Lemma joined_back graph a b own c :
    (forall c d, beside graph c d -> mem own d = true -> beside graph d c) ->
    joined graph a own c -> joined graph b own c -> exists e, mem a e = true /\ joined graph b own e.
  Proof.
    intros U J. induction J as [c F M | c d J IH B M]; intros K.
    - now exists c.
    - apply IH. apply (joined_step _ _ _ d); [exact K | now apply U |].
      destruct J; assumption.
  Qed.

  Section Graph.
    Variable graph : list (N * N).
    Hypothesis G : forallb (fun cn => mem whole (fst cn) && inside_b (snd cn) whole
      && existsb (fun dn => pair_eqb (moved cn) (one (fst dn), snd dn)) graph
      && existsb (fun dn => pair_eqb (moved dn) (one (fst cn), snd cn)) graph) graph = true.

    Lemma beside_image c d c' d' : beside graph c d -> In (c, c') s -> In (d, d') s ->
      beside graph c' d'.
    Proof.
      intros (n & I & M) C D. rewrite forallb_forall in G. specialize (G _ I). simpl in G.
      rewrite !andb_true_iff, !existsb_exists in G.
      destruct G as [[_ ([e n'] & I' & E)] _]. unfold pair_eqb in E. simpl in E.
      rewrite andb_true_iff, !N.eqb_eq in E. destruct E as [E E'].
      rewrite (image_one c c' C) in E. apply one_inj in E. subst e.
      exists n'. split; [exact I' |]. rewrite <- E'. now rewrite (mem_image_of d d' n D).
    Qed.

    Lemma image_beside c d c' d' : beside graph c' d' -> In (c, c') s -> In (d, d') s ->
      beside graph c d.
    Proof.
      intros (n & I & M) C D. rewrite forallb_forall in G. pose proof (G _ I) as H. simpl in H.
      rewrite !andb_true_iff, !existsb_exists in H.
      destruct H as [_ ([e n'] & I' & E)]. unfold pair_eqb in E. simpl in E.
      rewrite andb_true_iff, !N.eqb_eq in E. destruct E as [E E'].
      specialize (G _ I'). simpl in G. rewrite !andb_true_iff in G. destruct G as [[[W _] _] _].
      apply mem_set_of in W. destruct (permutes_to e W) as (e' & J & _).
      rewrite (image_one e e' J) in E. apply one_inj in E. subst e'.
      rewrite (permutes_one c e c' C J). exists n'. split; [exact I' |].
      now rewrite <- (mem_image_of d d' n' D), E'.
    Qed.

    Lemma joined_image from own c d : on_board own ->
      joined graph from own c -> In (c, d) s -> joined graph (image s from) (image s own) d.
    Proof.
      intros O J. revert d. induction J as [c F M | c e J IH B M]; intros d I.
      - apply joined_from; now rewrite (mem_image_of c d _ I).
      - assert (In c board) as C by (apply O; destruct J; assumption).
        destruct (permutes_to c C) as (c' & I' & _).
        apply (joined_step _ _ _ c' d); [now apply IH | | now rewrite (mem_image_of e d _ I)].
        now apply (beside_image c e).
    Qed.

    Lemma image_joined from own d : on_board own ->
      joined graph (image s from) (image s own) d ->
      exists c, In (c, d) s /\ joined graph from own c.
    Proof.
      intros O J. induction J as [d F M | d e J (c & I & IH) B M].
      - apply mem_image in M. destruct M as (c & I & M). exists c. split; [exact I |].
        apply joined_from; [| exact M]. now rewrite <- (mem_image_of c d _ I).
      - apply mem_image in M. destruct M as (f & I' & M). exists f. split; [exact I' |].
        apply (joined_step _ _ _ c f); [exact IH | | exact M].
        now apply (image_beside c f d e).
    Qed.
  End Graph.

  Lemma keeps_goal_right g own : keeps_goal g = true -> on_board own ->
    met g (image s own) <-> met g own.
  Proof.
    intros K O. destruct g as [[sets | graph first last] |]; simpl; [| | easy].
    - simpl in K. rewrite forallb_forall in K. pose proof K as K'. split; intros (w & I & W).
      + specialize (K w I). rewrite !andb_true_iff, !existsb_exists in K.
        destruct K as [_ (v & J & E)]. apply N.eqb_eq in E. subst w.
        exists v. split; [exact J |]. apply inside_image; [| exact W].
        specialize (K' v J). rewrite !andb_true_iff, inside_b_spec in K'.
        destruct K' as [[V _] _]. intros c M. apply mem_set_of. now apply V.
      + specialize (K w I). rewrite !andb_true_iff, !existsb_exists in K.
        destruct K as [[_ (v & J & E)] _]. apply N.eqb_eq in E. subst v.
        exists (image s w). split; [exact J |]. now apply image_inside.
    - simpl in K. rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, !N.eqb_eq in K.
      destruct K as [[[G F] L] [[E E'] | [[E E'] U]]].
      + split; intros (d & J & M).
        * rewrite <- E in J. apply (image_joined graph G first own d O) in J.
          destruct J as (c & I & J). exists c. split; [exact J |].
          rewrite <- E' in M. now rewrite (mem_image_of c d _ I) in M.
        * assert (In d board) as D by (apply O; destruct J; assumption).
          destruct (permutes_to d D) as (e & I & _). exists e. split.
          -- rewrite <- E. now apply (joined_image graph G first own d).
          -- rewrite <- E'. now rewrite (mem_image_of d e _ I).
      + assert (forall own', on_board own' -> forall c d, beside graph c d -> mem own' d = true ->
          beside graph d c) as U'.
        { intros own' O' c d (n & I & M) D. unfold undirected in U. rewrite forallb_forall in U.
          specialize (U _ I). rewrite forallb_forall in U. specialize (U d (O' d D)).
          simpl in U. rewrite M in U. simpl in U. rewrite existsb_exists in U.
          destruct U as ([d' n'] & I' & X). simpl in X. rewrite andb_true_iff, N.eqb_eq in X.
          destruct X as [-> X]. now exists n'. }
        split; intros (d & J & M).
        * (* walk the image back, from the last border to the first *)
          assert (joined graph last (image s own) d) as K.
          { apply joined_from; [exact M | destruct J; assumption]. }
          destruct (joined_back graph first last (image s own) d
                      (U' _ (image_on_board own)) J K) as (e & Fe & Je).
          rewrite <- E in Je. apply (image_joined graph G first own e O) in Je.
          destruct Je as (c & I & Jc). exists c. split; [exact Jc |].
          rewrite <- E' in Fe. now rewrite (mem_image_of c e _ I) in Fe.
        * assert (joined graph last own d) as K.
          { apply joined_from; [exact M | destruct J; assumption]. }
          destruct (joined_back graph first last own d (U' _ O) J K) as (e & Fe & Je).
          assert (In e board) as D by (apply O; destruct Je; assumption).
          destruct (permutes_to e D) as (f & I & _). exists f. split.
          -- rewrite <- E'. now apply (joined_image graph G last own e).
          -- rewrite <- E. now rewrite (mem_image_of e f _ I).
  Qed.
End Permutation.
