(** Nodes with pairs: pairs that complete the owner's path, and pairs that block the enemy. *)

From Coq Require Import Arith NArith ZArith List Bool Lia.
From Skolemate Require Import
  Cells Game Table Goals Symmetry Stones Boards Cover Local Links Blocking Paths Turns Hex Covering.
Import ListNotations.
Open Scope N_scope.

Section Pairing.
  Variable g : positional.
  Variable who : player.
  Variable win : bool.

  Notation r := (positional_rules g).
  Notation owner := (owner who win).
  Notation enemy := (opponent owner).
  Notation own_goal := (goal_of g owner).
  Notation enemy_goal := (goal_of g enemy).
  Notation board := (set_of (cells g)).
  Notation Proves := (proves r who win).
  Notation Covers := (covers g who win).
  Notation Free := (is_free g).
  Notation About := (about g who win).

  Variables is_monotone is_exclusive : bool.

  (** Pairs that complete the owner's path; [mine]: the owner is to move. *)
  Definition by_bridges (own : N) (left : bound) (ps : pairs) (mine : bool) : option bound :=
    match own_goal, ps with
    | Some (Path graph first last), _ :: rest =>
        if is_monotone && is_exclusive && met_by_pairs graph first last own ps
        then if win then
               let plies := if mine then 1 + 2 * N.of_nat (length rest)
                            else 2 * N.of_nat (length ps) in
               if enough win (Plies plies) left then Some left else None
             else Some Ever
        else None
    | _, _ => None
    end.

  (** Pairs that keep the player, who is not to win, from the goal: for ever, or with the stones of
      the plies left. *)
  Definition by_blocking (own enemy : N) (left : bound) (ps : pairs) (mine : bool) : option bound :=
    match left, enemy_goal with
    | Plies n, Some _ =>
        let stones := N.div2 (if mine then n else n + 1) in
        if is_monotone && negb win then
          if obstructed (cells g) enemy_goal own enemy ps None then Some Ever
          else if obstructed (cells g) enemy_goal own enemy ps (Some stones) then Some left
          else None
        else None
    | _, _ => None
    end.

  Definition by_pairs (own enemy : N) (left : bound) (ps : pairs) (mine : bool) : option bound :=
    if distinct 0 (pair_cells ps) && forallb (Free own enemy) (pair_cells ps)
    then match by_bridges own left ps mine with
         | Some b => Some b
         | None => by_blocking own enemy left ps mine
         end
    else None.

  (** Pairs that block at this very position, whatever the schedule. *)
  Definition by_turns (p : position) (left : bound) (ps : pairs) : option bound :=
    let own := stones owner p in
    let enemy := stones enemy p in
    match left, enemy_goal with
    | Plies n, Some _ =>
        if negb win && distinct 0 (pair_cells ps) && forallb (Free own enemy) (pair_cells ps)
           && never_twice who (ahead g p)
        then if obstructed (cells g) enemy_goal own enemy ps None then Some Ever
             else
               let plies := N.to_nat (N.min n (N.of_nat (length (schedule g)))) in
               let stones := N.of_nat (stones_in who plies (ahead g p)) in
               if obstructed (cells g) enemy_goal own enemy ps (Some stones) then Some left
               else None
        else None
    | _, _ => None
    end.

  (** * What they prove is true *)

  Hypothesis distinct_cells : distinct 0 (cells g) = true.
  Hypothesis monotone_known : is_monotone = true -> monotone g who win = true.
  Hypothesis exclusive_known : is_exclusive = true ->
    exists coords width height, exclusive g who win coords width height = true.
  Notation Good := (good (cells g) own_goal enemy_goal).
  Notation Safe := (safe (cells g) own_goal enemy_goal).

  Lemma pairs_on_board own en ps : forallb (Free own en) (pair_cells ps) = true ->
    on_board (cells g) (set_of (pair_cells ps)) /\ apart (set_of (pair_cells ps)) en.
  Proof.
    rewrite forallb_forall. intros F. split; intros c; rewrite mem_set_of; intros I;
      specialize (F c I); apply is_free_right in F; apply F.
  Qed.

  Lemma bridges_about own en left ps mine b :
    on_board (cells g) own -> on_board (cells g) en -> apart own en -> ~ met enemy_goal en ->
    distinct 0 (pair_cells ps) = true -> forallb (Free own en) (pair_cells ps) = true ->
    by_bridges own left ps mine = Some b ->
    About mine own en b /\ (mine = false -> Covers (Cover own en b)).
  Proof.
    intros Oo Oe A Un D Fr. unfold by_bridges.
    destruct own_goal as [[| graph first last] |] eqn:G; try discriminate.
    destruct ps as [| [a0 b0] rest]; [discriminate |]. set (ps := (a0, b0) :: rest) in *.
    destruct (is_monotone && is_exclusive && met_by_pairs graph first last own ps) eqn:E;
        [| discriminate].
    rewrite !andb_true_iff in E. destruct E as [[M X] P].
    pose proof (met_by_pairs_right graph first last own ps P) as Met. rewrite <- G in Met.
    apply (distinct_spec _ 0) in D. destruct D as [D _].
    destruct (pairs_on_board own en ps Fr) as [Ob Ap].
    pose proof (pairs_full (met own_goal) (length ps) ps own eq_refl D Met) as F.
    intros B. assert (mine = false -> Covers (Cover own en b)) as Cov.
    { intros ->. apply (full_covers g who win is_exclusive exclusive_known own en (length ps) _
        (length ps + length ps) b X Oo Oe A Ob Ap F);
        [lia |]. destruct win; [| now injection B as <-].
      destruct left as [n |]; cbv beta iota delta [enough] in B; [| discriminate].
      destruct (N.leb_spec (2 * N.of_nat (length ps)) n); [| discriminate].
      injection B as <-. exists n. split; [reflexivity | lia]. }
    split; [| exact Cov]. destruct mine.
    2: { exact (covers_about g who win is_monotone distinct_cells monotone_known (Cover own en b)
        M (Cov eq_refl)). }
    clear Cov. intros p Fp T So Se.
    pose proof (monotone_right g who win is_monotone monotone_known M) as (Fc & Al & Go & Fi).
    pose proof (exclusive_right g who win is_exclusive exclusive_known X) as Excl.
    unfold proves. destruct win eqn:W.
    - destruct left as [n |]; cbv beta iota delta [enough] in B; [| discriminate].
      destruct (N.leb_spec (1 + 2 * N.of_nat (length rest)) n) as [L |]; [| discriminate].
      injection B as <-. subst own en. unfold Table.owner in *.
      assert (free (cells g) (stones who p) (stones (opponent who) p) a0) as (Ia & Oa & Ea).
      { apply is_free_right. rewrite forallb_forall in Fr. apply Fr. now left. }
      assert (NoDup (pair_cells rest)) as D'.
      { unfold ps in D. simpl in D. inversion D as [| ? ? _ D2]. now inversion D2. }
      assert (forallb (Free (put (stones who p) a0) (stones (opponent who) p)) (pair_cells rest) =
          true) as Fr'.
      { apply forallb_forall. intros c I. rewrite forallb_forall in Fr.
        assert (free (cells g) (stones who p) (stones (opponent who) p) c) as (Ic & Oc & Ec).
        { apply is_free_right, Fr. now right; right. }
        apply is_free_right. repeat split; try assumption. rewrite mem_put, Oc. simpl.
        apply N.eqb_neq. intros ->. unfold ps in D. simpl in D. inversion D as [| ? ? N1 _].
        apply N1. now right. }
      destruct (pairs_on_board _ _ rest Fr') as [Ob' Ap'].
      assert (full (met (goal_of g who)) (length rest) (set_of (pair_cells rest)) (put (stones who
          p) a0)) as F'.
      { apply pairs_full; [reflexivity | exact D' |]. intros own' I H. apply Met.
        - apply (inside_trans _ (put (stones who p) a0)); [apply inside_put_r, inside_refl | exact I].
        - intros x y [E | E]; [| now apply H]. injection E as <- <-. left. apply I, mem_put_same. }
      apply (wins_within r who (S (length rest + length rest))); [lia |].
      apply (good_wins_first g distinct_cells Fc who Al (Fi eq_refl) _ p (Some a0)); try assumption.
      { now split. }
      apply (full_good (cells g) (goal_of g who) (goal_of g (opponent who))) with
        (carrier := set_of (pair_cells rest)); try assumption.
      + now apply (on_board_put (cells g)).
      + now apply apart_put_l.
    - injection B as <-. intros d _. subst own en. unfold Table.owner in *.
      rewrite opp_opp in *.
      pose proof (safe_holds_first g distinct_cells Fc (opponent who) Al) as H. rewrite opp_opp in H.
      apply (H Go d p None); try assumption; [exact Logic.I |]. intros m _. simpl.
      apply (good_safe (cells g) (goal_of g (opponent who)) (goal_of g who) (length ps + length ps)).
      apply (full_good (cells g) (goal_of g (opponent who)) (goal_of g who)) with
        (carrier := set_of (pair_cells ps)); try assumption.
  Qed.

  (** What is safe for all depths that a bound allows, with the owner or the enemy to move. *)
  Lemma safe_about own en (mine : bool) b : is_monotone = true -> win = false ->
    on_board (cells g) own -> on_board (cells g) en -> ~ met enemy_goal en ->
    (forall d, within d b -> forall m : nat, (if mine then m < d else m <= d)%nat -> Safe m own en) ->
    About mine own en b /\ (mine = false -> Covers (Cover own en b)).
  Proof.
    intros M W Oo Oe Un H. pose proof (monotone_right g who win is_monotone monotone_known M) as
        (Fc & Al & Go & _).
    assert (mine = false -> Covers (Cover own en b)) as Cov.
    { intros Mf. unfold covers. cbn [its_own its_enemy its_bound].
      split; [exact Oo |]. split; [exact Oe |]. rewrite W. intros d Wd.
      assert (Safe d own en) as Y by (apply (H d Wd); rewrite Mf; lia). now rewrite W in Y. }
    split; [| exact Cov]. destruct mine.
    2: { exact (covers_about g who win is_monotone distinct_cells monotone_known (Cover own en b)
        M (Cov eq_refl)). }
    intros p Fp T So Se. unfold proves. rewrite W. intros d Wd.
    specialize (H d Wd). subst own en. unfold Table.owner in *. rewrite W in *. rewrite opp_opp in *.
    pose proof (safe_holds_first g distinct_cells Fc (opponent who) Al) as X. rewrite opp_opp in X.
    now apply (X Go d p None).
  Qed.

  Lemma stones_enough (mine : bool) n d (m : nat) : within d (Plies n) ->
    (if mine then m < d else m <= d)%nat ->
    let k := N.to_nat (N.div2 (if mine then n else n + 1)) in (m <= k + k)%nat.
  Proof.
    simpl. rewrite N.div2_div. intros W H. destruct mine.
    - pose proof (N.div_mod n 2). pose proof (N.mod_lt n 2). lia.
    - pose proof (N.div_mod (n + 1) 2). pose proof (N.mod_lt (n + 1) 2). lia.
  Qed.

  Lemma blocking_about own en left ps mine b :
    on_board (cells g) own -> on_board (cells g) en -> apart own en -> ~ met enemy_goal en ->
    distinct 0 (pair_cells ps) = true -> forallb (Free own en) (pair_cells ps) = true ->
    by_blocking own en left ps mine = Some b ->
    About mine own en b /\ (mine = false -> Covers (Cover own en b)).
  Proof.
    intros Oo Oe A Un D Fr. unfold by_blocking. cbv zeta. destruct left as [n |]; [| discriminate].
    destruct enemy_goal as [goal |] eqn:G; [| discriminate]. rewrite <- G in *.
    destruct (is_monotone && negb win) eqn:E; [| discriminate].
    apply andb_true_iff in E. destruct E as [M W]. apply negb_true_iff in W.
    apply (distinct_spec _ 0) in D. destruct D as [D _].
    assert (forall c, In c (pair_cells ps) -> free (cells g) own en c) as Pf.
    { intros c I. rewrite forallb_forall in Fr. now apply is_free_right, Fr. }
    assert (forall k, obstructed (cells g) enemy_goal own en ps k = true ->
      forall m n, (m <= n + n)%nat -> (forall k', k = Some k' -> n = N.to_nat k') -> Safe m own
          en) as H.
    { intros k O m j L K.
      apply (holds_off_safe (cells g) own_goal enemy_goal ps D (fun c I => proj1 (Pf c I))
               (match k with Some _ => true | None => false end) m j own en L).
      split; [exact A |]. split; [exact Oe |]. intros w Ow Mw.
      pose proof (obstructed_right (cells g) (distinct_board g distinct_cells) enemy_goal own en ps
                    Pf A k O w Ow Mw) as B. unfold far_by in B.
      destruct k as [k |]; [now rewrite (K k eq_refl) |].
      destruct B as [B | [B | [B _]]]; [now left | now right; left | discriminate]. }
    destruct (obstructed (cells g) enemy_goal own en ps None) eqn:All.
    - intros [= <-]. apply safe_about; try assumption. intros d _ m _.
      apply (H None All m m); [lia | discriminate].
    - match goal with |- (if ?test then _ else _) = _ -> _ => destruct test eqn:All' end;
        [| discriminate]. intros [= <-].
      apply safe_about; try assumption. intros d Wd m Lm.
      apply (H _ All' m (N.to_nat (N.div2 (if mine then n else n + 1)))).
      + now apply (stones_enough mine n d m).
      + now intros k' [= <-].
  Qed.

  Lemma stones_in_most l : forall n d L, (d <= n)%nat -> (length l <= L)%nat ->
    (stones_in who d l <= stones_in who (Nat.min n L) l)%nat.
  Proof.
    induction l as [| a l IH]; intros n d L Dn Ll; [destruct d, (Nat.min n L); simpl; lia |].
    simpl in Ll. destruct d as [| d]; [simpl; lia |]. destruct n as [| n]; [lia |].
    destruct L as [| L]; [lia |]. simpl. specialize (IH n d L). lia.
  Qed.

  Lemma turns_right p left ps b : on_board (cells g) (stones enemy p) ->
    apart (stones owner p) (stones enemy p) ->
    by_turns p left ps = Some b -> fits g p -> Proves b p.
  Proof.
    unfold by_turns. cbv zeta. intros Oe A. destruct left as [n |]; [| discriminate].
    destruct enemy_goal as [goal |] eqn:G; [| discriminate]. rewrite <- G.
    destruct (negb win && _ && _ && _) eqn:E; [| discriminate].
    rewrite !andb_true_iff, negb_true_iff in E. destruct E as [[[W D] Fr] Tw].
    assert (forall c, In c (pair_cells ps) ->
      free (cells g) (stones owner p) (stones enemy p) c) as Pf.
    { intros c I. rewrite forallb_forall in Fr. now apply is_free_right, Fr. }
    apply (distinct_spec _ 0) in D. destruct D as [D _].
    intros B F. unfold proves. rewrite W. intros d Wd.
    assert (forall k n, obstructed (cells g) enemy_goal (stones owner p) (stones enemy p) ps k =
        true ->
      (stones_in who d (ahead g p) <= n)%nat -> (forall k', k = Some k' -> n = N.to_nat k') ->
      ~ wins r who d p) as H.
    { intros k j O L K.
      pose proof (obstructed_right (cells g) (distinct_board g distinct_cells) enemy_goal _ _ ps
                    Pf A k O) as X.
      assert (holds_off (cells g) enemy_goal ps (match k with Some _ => true | None => false end) j
                (stones owner p) (stones enemy p)) as Y.
      { split; [exact A |]. split; [exact Oe |]. intros w Ow Mw. specialize (X w Ow Mw).
        unfold far_by in X. destruct k as [k |]; [now rewrite (K k eq_refl) |].
        destruct X as [X | [X | [X _]]]; [now left | now right; left | discriminate]. }
      clear - distinct_cells G W D Pf F Tw L Y. unfold Table.owner in *. rewrite W in *.
      rewrite opp_opp in *. assert (goal_of g who <> None) as Go by now rewrite G.
      exact (pairs_hold g distinct_cells who Go ps D (fun c I => proj1 (Pf c I)) _ d j p F Tw L Y). }
    destruct (obstructed _ _ _ _ _ None) eqn:All.
    - apply (H None (stones_in who d (ahead g p)) All (le_n _)). discriminate.
    - match type of B with (if ?test then _ else _) = _ => destruct test eqn:All' end;
        [| discriminate]. injection B as <-. simpl in Wd.
      refine (H _ _ All' _ (fun k' e => match e with eq_refl => eq_refl end)).
      rewrite Nat2N.id, N2Nat.inj_min, Nat2N.id.
      apply stones_in_most; [exact Wd |]. unfold ahead. rewrite skipn_length. lia.
  Qed.
End Pairing.
