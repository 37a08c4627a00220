(** Paths that the enemy does not complete in time: every path has a stone of the owner, contains a
    pair, or is too far. Also the same for listed sets, as one function. *)

From Coq Require Import Arith NArith List Bool Lia Wf_nat.
From Skolemate Require Import Cells Game Goals Symmetry Stones Boards Local Links Blocking.
Import ListNotations.
Open Scope N_scope.

(** * Too far *)

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

  (** No [k] further stones meet the goal. *)
  Lemma apart_by_right k l : apart own enemy -> apart_by k = true -> (length l <= k)%nat ->
    (forall c, In c l -> mem own c = false) ->
    ~ met (Some (Path graph first last)) (fold_left put l enemy).
  Proof.
    intros A. unfold apart_by. destruct (layers k (flood graph first enemy)) as [| a rest] eqn:E;
        [discriminate |].
    pose proof (layers_length k (flood graph first enemy)) as Len. rewrite E in Len.
    set (ls := a :: rest) in *. rewrite !andb_true_iff, inside_b_spec.
    intros [[[C F0] F1] L] Ll H (c & J & Lc).
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
          rewrite mem_without, Fd. simpl. now rewrite (H d X).
      - destruct (mem enemy f) eqn:Me.
        + apply IH. assert (mem own f = false) as Of by (apply apart_sym in A; now apply A).
          pose proof (proj2 (level_step ls d f C B Of) Me). lia.
        + destruct (Put f M) as [X | X]; [congruence |].
          pose proof (proj1 (level_step ls d f C B (H f X))) as Y.
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

(** * Every path, step by step *)

(** Paths are followed from the first border on, until they are blocked. A step never goes to a
    cell beside an earlier one, or back to the first border: such a path has a shorter one in it. *)
Section Walk.
  Variable board : list N.
  Variable graph : list (N * N).
  Variables first last : N.
  Variable stopped : N -> bool.  (* whether the cells so far are blocked *)

  (** The number of steps that are left, if each continuation of a path is blocked in time. *)
  Fixpoint walk (fuel : list (N * N)) (steps c path closed : N) : option N :=
    match fuel with
    | [] => None
    | _ :: fuel =>
        if steps =? 0 then None
        else if stopped path then Some (N.pred steps)
        else if mem last c then None
        else
          let beside := near graph (one c) in
          let next := filter (fun d => mem (without beside (union closed first)) d) board in
          fold_left (fun left d => match left with
                                   | Some steps => walk fuel steps d (put path d) (union closed
                                       beside)
                                   | None => None
                                   end) next (Some (N.pred steps))
    end.

  Definition all_stopped (steps : N) : bool :=
    match fold_left (fun left c => match left with
                                   | Some steps => walk graph steps c (one c) 0
                                   | None => None
                                   end) (filter (mem first) board) (Some steps) with
    | Some _ => true
    | None => false
    end.

  Lemma fold_each (f : N -> N -> option N) l : forall o b,
    fold_left (fun left d => match left with Some n => f n d | None => None end) l o = Some b ->
    forall d, In d l -> exists n n', f n d = Some n'.
  Proof.
    assert (forall l, fold_left (fun left d => match left with Some n => f n d | None => None end) l
      None = None) as Z by (clear; induction l; auto).
    induction l as [| c l IH]; intros o b E d I; [destruct I |]. simpl in E.
    destruct o as [n |]; [| rewrite Z in E; discriminate].
    destruct (f n c) as [n' |] eqn:F; [| rewrite Z in E; discriminate].
    destruct I as [<- | I]; [now exists n, n' | now apply (IH (Some n') b)].
  Qed.

  (** From a cell along a list of cells to the last border. *)
  Fixpoint leads (c : N) (l : list N) : Prop :=
    match l with
    | [] => mem last c = true
    | d :: l => beside graph c d /\ leads d l
    end.

  Variable w : N.
  Hypothesis w_on_board : on_board board w.
  Variable G : Prop.
  Hypothesis stopped_right : forall path, inside path w -> stopped path = true -> G.

  Definition way (c : N) (l : list N) : Prop :=
    leads c l /\ forall d, In d (c :: l) -> mem w d = true.

  (** A way from the first border with at most [n] cells. *)
  Definition shorter (n : nat) : Prop :=
    exists c l, mem first c = true /\ way c l /\ (S (length l) <= n)%nat.

  Lemma walk_right fuel : forall steps c path closed rest,
    walk fuel steps c path closed = Some rest ->
    forall (m : nat) post,
    (forall l, way c l -> shorter (m + S (length l))) ->
    (forall d l, mem closed d = true -> way d l -> shorter (m + S (length l))) ->
    inside path w -> way c post ->
    (forall n, (n < m + S (length post))%nat -> shorter n -> G) -> G.
  Proof.
    induction fuel as [| x fuel IH]; intros steps c path closed rest E m post Reach Closed In_w
        Way Less;
      [discriminate |].
    simpl in E. destruct (steps =? 0); [discriminate |].
    destruct (stopped path) eqn:St; [now apply (stopped_right path) |].
    destruct (mem last c) eqn:Lc; [discriminate |].
    destruct Way as [Le Iw]. destruct post as [| d post]; [simpl in Le; congruence |].
    destruct Le as [Bd Le].
    assert (way d post) as Wd by (split; [exact Le | intros e He; apply Iw; now right]).
    assert (mem w d = true) as Md by (apply Iw; right; now left).
    destruct (mem closed d) eqn:Cd.
    { apply (Less (m + S (length post))%nat); [simpl; lia | now apply Closed with (d := d)]. }
    destruct (mem first d) eqn:Fd.
    { apply (Less (S (length post))); [simpl; lia |]. exists d, post. auto. }
    assert (mem (near graph (one c)) d = true) as Nd.
    { apply near_spec. exists c. split; [now rewrite mem_one, N.eqb_refl | exact Bd]. }
    destruct (fold_each (fun n d => walk fuel n d (put path d) (union closed (near graph (one c))))
                _ _ _ E d) as (n & n' & E').
    { apply filter_In. split; [now apply w_on_board |].
      now rewrite mem_without, mem_union, Nd, Cd, Fd. }
    assert (forall e l, beside graph c e -> way e l -> shorter (S m + S (length l))) as Next.
    { intros e l B [Y Z]. replace (S m + S (length l))%nat with (m + S (length (e :: l)))%nat
        by (simpl; lia). apply Reach. split; [now split |].
      intros f [<- | F]; [apply Iw; now left | now apply Z]. }
    apply (IH n d (put path d) (union closed (near graph (one c))) n' E' (S m) post).
    - intros l. now apply Next.
    - intros e l. rewrite mem_union, orb_true_iff. intros [Ce | Ce] We.
      + destruct (Closed e l Ce We) as (c0 & l0 & F0 & W0 & L0). exists c0, l0. split; [exact F0 |].
        split; [exact W0 | lia].
      + apply near_spec in Ce. destruct Ce as (c' & Oc & B). rewrite mem_one in Oc.
        apply N.eqb_eq in Oc. subst c'. now apply (Next e l).
    - now apply put_inside.
    - exact Wd.
    - intros k Lk. apply Less. simpl. lia.
  Qed.

  Lemma joined_way c : joined graph first w c -> forall l, way c l ->
    exists n, shorter n.
  Proof.
    intros J. induction J as [c F M | c d J IH B M]; intros l W.
    - exists (S (length l)), c, l. auto.
    - apply (IH (d :: l)). destruct W as [W1 W2]. split; [now split |].
      intros e [<- | E]; [now destruct J | now apply W2].
  Qed.

  Lemma all_stopped_right steps : all_stopped steps = true ->
    met (Some (Path graph first last)) w -> G.
  Proof.
    unfold all_stopped. destruct (fold_left _ _ _) as [rest |] eqn:E; [| discriminate].
    intros _ (c & J & L).
    assert (forall n, shorter n -> G) as Any.
    { induction n as [n IH] using lt_wf_ind. intros (c0 & l0 & F0 & W0 & L0).
      destruct (fold_each (fun n c => walk graph n c (one c) 0) _ _ _ E c0) as (k & k' & E').
      { apply filter_In. split; [| exact F0]. apply w_on_board, (proj2 W0). now left. }
      apply (walk_right _ _ _ _ _ _ E' 0 l0).
      - intros l Wl. exists c0, l. auto.
      - intros d l. now rewrite mem_0.
      - intros d. rewrite mem_one, N.eqb_eq. intros <-. apply (proj2 W0). now left.
      - exact W0.
      - intros k0 Lk. apply IH. simpl in Lk. lia. }
    destruct (joined_way c J []) as (n & Sh); [| now apply (Any n)].
    split; [exact L |]. intros d [<- | []]. now destruct J.
  Qed.
End Walk.

(** * Whether a goal is blocked *)

Section Obstructed.
  Variable board : list N.
  Hypothesis distinct_board : NoDup board.
  Variable enemy_goal : option goal.
  Variables own enemy : N.
  Variable ps : pairs.

  (** How many steps along paths are tried. *)
  Definition most_steps : N := 1000000.

  (** A stone of the owner or a pair in it; or more open cells than [k]. *)
  Definition is_blocked (k : option N) (w : N) : bool :=
    negb (apart_b w own) || existsb (fun ab => mem w (fst ab) && mem w (snd ab)) ps
    || match k with
       | Some k => k <? N.of_nat (count board (without w enemy))
       | None => false
       end.

  (** The enemy does not meet the goal: with [k] more stones, or ever. *)
  Definition obstructed (k : option N) : bool :=
    match enemy_goal with
    | None => true
    | Some (Owns sets) => forallb (is_blocked k) sets
    | Some (Path graph first last) =>
        unmet_b enemy_goal (without (set_of board) own)
        || match k with
           | Some k => (k <=? N.of_nat (length board))
                       && apart_by graph first last own enemy (N.to_nat k)
           | None => false
           end
        || match ps with [] => false | _ => all_stopped board graph first last (is_blocked k)
            most_steps end
    end.

  Hypothesis pairs_free : forall c, In c (pair_cells ps) -> free board own enemy c.
  Hypothesis apart_stones : apart own enemy.

  Definition far_by (k : option N) : N -> N -> Prop :=
    fun w e => match k with Some _ => true | None => false end = true /\
      far (match k with Some k => N.to_nat k | None => O end) w e.

  Lemma is_blocked_right k w : is_blocked k w = true -> blocked ps (far_by k) own enemy w.
  Proof.
    unfold is_blocked. rewrite !orb_true_iff. intros [[B | B] | B].
    - left. rewrite negb_true_iff in B. apply not_empty in B. destruct B as [c B].
      rewrite mem_common, andb_true_iff in B. now exists c.
    - right; left. apply existsb_exists in B. destruct B as ([a b] & I & B).
      apply andb_true_iff in B. destruct B as [Ba Bb]. exists a, b.
      assert (free board own enemy a /\ free board own enemy b) as [(_ & _ & Ea) (_ & _ & Eb)].
      { split; apply pairs_free, in_pair_cells; exists a, b; auto. }
      now repeat split.
    - right; right. destruct k as [k |]; [| discriminate]. split; [reflexivity |].
      apply (far_count board distinct_board). apply N.ltb_lt in B. lia.
  Qed.

  Lemma obstructed_right k : obstructed k = true -> forall w, on_board board w -> met enemy_goal w ->
    blocked ps (far_by k) own enemy w.
  Proof.
    assert (forall v w, inside v w -> blocked ps (far_by k) own enemy v ->
      blocked ps (far_by k) own enemy w) as More.
    { intros v w I. apply blocked_more; [| exact I]. intros e [T F]. split; [exact T |].
      now apply (far_more _ v). }
    unfold obstructed. destruct enemy_goal as [[sets | graph first last] |]; intros O w Ow M.
    - destruct M as (v & I & W). rewrite forallb_forall in O. apply (More v w W).
      now apply is_blocked_right, O.
    - rewrite !orb_true_iff in O. destruct O as [[O | O] | O].
      + (* walled in *)
        destruct (apart_b w own) eqn:A.
        * exfalso. apply (unmet_right _ _ O). apply (met_more _ w); [| exact M].
          intros c C. rewrite mem_without, (proj2 (mem_set_of board c) (Ow c C)). simpl.
          apply apart_b_spec in A. now rewrite (A c C).
        * left. apply not_empty in A. destruct A as [c A]. rewrite mem_common, andb_true_iff in A.
          now exists c.
      + (* too far *)
        destruct k as [k |]; [| discriminate]. apply andb_true_iff in O. destruct O as [_ O].
        destruct (apart_b w own) eqn:A.
        * right; right. split; [reflexivity |]. intros l L I.
          set (l' := filter (mem w) l).
          assert (inside w (fold_left put l' enemy)) as I'.
          { intros c C. pose proof (I c C) as X. apply mem_puts in X. apply mem_puts.
            destruct X as [X | X]; [now left | right]. now apply filter_In. }
          apply (apart_by_right graph first last own enemy (N.to_nat k) l' apart_stones O).
          -- assert (length l' <= length l)%nat; [| lia]. unfold l'. clear.
             induction l as [| c l IH]; simpl; [lia |]. destruct (mem w c); simpl; lia.
          -- intros c C. apply filter_In in C. apply apart_b_spec in A. now apply A.
          -- exact (met_more _ _ _ I' M).
        * left. apply not_empty in A. destruct A as [c A]. rewrite mem_common, andb_true_iff in A.
          now exists c.
      + (* pairs on every path *)
        assert (all_stopped board graph first last (is_blocked k) most_steps = true) as S
          by (destruct ps; [discriminate | exact O]).
        apply (all_stopped_right board graph first last (is_blocked k) w Ow _) with (2 := S);
          [| exact M].
        intros path I B. apply (More path w I). now apply is_blocked_right.
    - destruct M.
  Qed.
End Obstructed.
