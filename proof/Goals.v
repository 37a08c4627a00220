(** Goals, decided: sets are counted, and paths flooded. *)

From Coq Require Import NArith List Bool Lia.
From Skolemate Require Import Cells Game.
Import ListNotations.
Open Scope N_scope.

(** * Floods *)

Definition near (graph : list (N * N)) (s : N) : N :=
  fold_left (fun found cn => if mem s (fst cn) then union found (snd cn) else found) graph 0.

Lemma near_spec graph s d : mem (near graph s) d = true <->
  exists c, mem s c = true /\ beside graph c d.
Proof.
  unfold near. assert (forall l found,
    mem (fold_left (fun found cn => if mem s (fst cn) then union found (snd cn) else found) l found)
      d = true <-> mem found d = true \/ exists c, mem s c = true /\ beside l c d) as H.
  { induction l as [| [c n] l IH]; intros found; simpl.
    - split; [now left | intros [M | (c & _ & n & [] & _)]; exact M].
    - rewrite IH. destruct (mem s c) eqn:E.
      + rewrite mem_union, orb_true_iff. split.
        * intros [[M | M] | (c' & M & n' & I & M')]; [now left | right | right].
          -- exists c. split; [exact E |]. exists n. split; [now left | exact M].
          -- exists c'. split; [exact M |]. exists n'. split; [now right | exact M'].
        * intros [M | (c' & M & n' & [I | I] & M')]; [now left; left | |].
          -- injection I as <- <-. now left; right.
          -- right. exists c'. split; [exact M |]. now exists n'.
      + split.
        * intros [M | (c' & M & n' & I & M')]; [now left | right].
          exists c'. split; [exact M |]. exists n'. split; [now right | exact M'].
        * intros [M | (c' & M & n' & [I | I] & M')]; [now left | |].
          -- injection I as <- <-. congruence.
          -- right. exists c'. split; [exact M |]. now exists n'. }
  rewrite H, mem_0. split; [now intros [| X] | now right].
Qed.

Fixpoint grow (fuel : list (N * N)) (graph : list (N * N)) (own reached : N) : N :=
  match fuel with
  | [] => reached
  | _ :: fuel =>
      let more := union reached (common (near graph reached) own) in
      if more =? reached then reached else grow fuel graph own more
  end.

(** The cells that are joined to [from] within [own]. *)
Definition flood (graph : list (N * N)) (from own : N) : N :=
  grow graph graph own (common from own).

Lemma flood_joined graph from own c :
  mem (flood graph from own) c = true -> joined graph from own c.
Proof.
  unfold flood. generalize graph at 1 as fuel. intros fuel.
  assert (forall c, mem (common from own) c = true -> joined graph from own c) as H.
  { intros d. rewrite mem_common, andb_true_iff. intros [M M']. now apply joined_from. }
  revert H. generalize (common from own). induction fuel as [| x fuel IH]; simpl; intros s H M.
  - now apply H.
  - destruct (_ =? s); [now apply H |]. apply (IH _) in M; [exact M |].
    intros d. rewrite mem_union, mem_common, orb_true_iff, andb_true_iff.
    intros [D | [D O]]; [now apply H |]. apply near_spec in D. destruct D as (e & E & B).
    apply (joined_step _ _ _ e); auto.
Qed.

Definition closed (graph : list (N * N)) (from own reached : N) : bool :=
  inside_b (common from own) reached && inside_b (common (near graph reached) own) reached.

Lemma closed_joined graph from own reached c : closed graph from own reached = true ->
  joined graph from own c -> mem reached c = true.
Proof.
  unfold closed. rewrite andb_true_iff, !inside_b_spec. intros [A B] J.
  induction J as [c F M | c d J IH E M].
  - apply A. rewrite mem_common, F, M. reflexivity.
  - apply B. rewrite mem_common, M, andb_true_r. apply near_spec. now exists c.
Qed.

(** * Whether a goal is met: surely, or surely not *)

Definition met_b (g : option goal) (own : N) : bool :=
  match g with
  | None => false
  | Some (Owns sets) => existsb (fun w => inside_b w own) sets
  | Some (Path graph first last) => negb (apart_b (flood graph first own) last)
  end.

Definition unmet_b (g : option goal) (own : N) : bool :=
  match g with
  | None => true
  | Some (Owns sets) => negb (existsb (fun w => inside_b w own) sets)
  | Some (Path graph first last) =>
      let reached := flood graph first own in
      apart_b reached last && closed graph first own reached
  end.

Lemma met_right g own : met_b g own = true -> met g own.
Proof.
  destruct g as [[sets | graph first last] |]; simpl; [| | discriminate].
  - rewrite existsb_exists. intros (w & I & W). exists w. now rewrite <- inside_b_spec.
  - rewrite negb_true_iff. intros H. apply not_empty in H. destruct H as [c H].
    rewrite mem_common, andb_true_iff in H. destruct H as [F L]. exists c.
    split; [now apply flood_joined | exact L].
Qed.

Lemma unmet_right g own : unmet_b g own = true -> ~ met g own.
Proof.
  destruct g as [[sets | graph first last] |]; simpl; [| | now intros _].
  - rewrite negb_true_iff. intros H (w & I & W). apply inside_b_spec in W.
    assert (existsb (fun w => inside_b w own) sets = true); [| congruence].
    apply existsb_exists. now exists w.
  - rewrite andb_true_iff, apart_b_spec. intros [A C] (c & J & L).
    apply (closed_joined _ _ _ _ _ C) in J. rewrite (A c J) in L. discriminate.
Qed.

(** * One more stone *)

(** Whether no single further stone on a cell of [free] meets a goal that is not met. *)
Definition unmet_by_one (g : option goal) (own : N) (free : list N) : bool :=
  match g with
  | Some (Owns sets) =>
      forallb (fun w => let missing := without w own in
                 negb (empty (N.land missing (N.pred missing)))
                 || negb (existsb (mem missing) free || empty missing)) sets
  | _ => forallb (fun c => unmet_b g (put own c)) free
  end.

Lemma land_pred_one c : N.land (one c) (N.pred (one c)) = 0.
Proof.
  unfold one. rewrite N.shiftl_1_l. rewrite <- N.ones_equiv, N.land_ones.
  apply N.mod_same. apply N.pow_nonzero. discriminate.
Qed.

Lemma unmet_by_one_right g own free c :
  unmet_by_one g own free = true -> In c free -> ~ met g (put own c).
Proof.
  intros H F. destruct g as [[sets | graph first last] |]; [| | easy].
  - intros (w & I & W). simpl in H. rewrite forallb_forall in H. specialize (H w I).
    set (missing := without w own) in *.
    assert (forall d, mem missing d = true -> d = c) as Only.
    { intros d D. unfold missing in D. rewrite mem_without, andb_true_iff in D.
      destruct D as [D O]. apply W in D. rewrite mem_put in D.
      destruct (mem own d); [discriminate |]. symmetry. now apply N.eqb_eq. }
    destruct (mem missing c) eqn:E.
    + assert (missing = one c) as X.
      { apply same_set. intros d. rewrite mem_one. destruct (N.eqb_spec c d) as [<- | D]; [exact E |].
        destruct (mem missing d) eqn:M; [| reflexivity]. now rewrite (Only d M) in D. }
      rewrite X, land_pred_one in H. simpl in H. rewrite negb_true_iff, orb_false_iff in H.
      destruct H as [H _]. rewrite <- X in H.
      assert (existsb (mem missing) free = true); [| congruence].
      apply existsb_exists. now exists c.
    + assert (missing = 0) as X.
      { apply same_set. intros d. rewrite mem_0. destruct (mem missing d) eqn:M; [| reflexivity].
        rewrite (Only d M) in M. congruence. }
      rewrite X in H. simpl in H. rewrite orb_true_r in H. discriminate.
  - simpl in H. rewrite forallb_forall in H. apply unmet_right, H, F.
Qed.

(** * A goal is met, or it is not: no axiom is needed for that *)

Lemma inside_le s t : inside s t -> s <= t.
Proof. intros I. apply N.ldiff_le. apply inside_b_spec in I. now apply N.eqb_eq in I. Qed.

Lemma reached_exists graph from own : exists reached,
  closed graph from own reached = true /\
  forall c, mem reached c = true -> joined graph from own c.
Proof.
  assert (forall fuel s, (N.to_nat own < N.to_nat s + fuel)%nat -> inside s own ->
    inside (common from own) s -> (forall c, mem s c = true -> joined graph from own c) ->
    exists reached, closed graph from own reached = true /\
      forall c, mem reached c = true -> joined graph from own c) as H.
  { induction fuel as [| fuel IH]; intros s L I F J.
    - apply inside_le in I. lia.
    - set (more := union s (common (near graph s) own)).
      assert (inside s more) as S.
      { intros c M. unfold more. now rewrite mem_union, M. }
      destruct (N.eq_dec more s) as [E | E].
      + exists s. split; [| exact J]. unfold closed. rewrite andb_true_iff, !inside_b_spec.
        split; [exact F |]. intros c M. rewrite <- E. unfold more. rewrite mem_union, M.
        apply orb_true_r.
      + apply (IH more).
        * apply inside_le in S. lia.
        * intros c. unfold more. rewrite mem_union, mem_common, orb_true_iff, andb_true_iff.
          intros [M | [_ M]]; auto.
        * exact (inside_trans _ _ _ F S).
        * intros c. unfold more. rewrite mem_union, mem_common, orb_true_iff, andb_true_iff.
          intros [M | [M O]]; [now apply J |]. apply near_spec in M. destruct M as (e & E' & B).
          apply (joined_step _ _ _ e); auto. }
  apply (H (S (N.to_nat own)) (common from own)); [lia | | apply inside_refl |].
  - intros c. rewrite mem_common, andb_true_iff. tauto.
  - intros c. rewrite mem_common, andb_true_iff. intros [M M']. now apply joined_from.
Qed.

Lemma met_or_not g own : met g own \/ ~ met g own.
Proof.
  destruct g as [[sets | graph first last] |]; [| | now right].
  - destruct (met_b (Some (Owns sets)) own) eqn:E; [left; now apply met_right | right].
    apply unmet_right. simpl in *. now rewrite E.
  - destruct (reached_exists graph first own) as (reached & C & J).
    destruct (apart_b reached last) eqn:A.
    + right. intros (c & K & L). apply apart_b_spec in A.
      apply (closed_joined _ _ _ _ _ C) in K. rewrite (A c K) in L. discriminate.
    + left. apply not_empty in A. destruct A as [c M]. rewrite mem_common, andb_true_iff in M.
      exists c. split; [apply J; apply M | apply M].
Qed.
