(** Nodes that cover many positions: what they say, and replies and links that prove it. *)

From Coq Require Import Arith NArith ZArith List Bool Lia.
From Skolemate Require Import Cells Game Table Goals Symmetry Stones Boards Cover Local Links Hex.
Import ListNotations.
Open Scope N_scope.

Section Covering.
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

  (** Whether extra stones of the owner never hurt. *)
  Definition monotone : bool :=
    match first_cells g with None => true | Some _ => false end
    && alternate (schedule g)
    && match goal_of g who with None => false | Some _ => true end
    && (fills g || negb win).

  (** Whether the enemy cannot win any more once the owner's path is complete. Where the cells of a
      Hex board are is a hint, which is checked. *)
  Definition exclusive (coords : list (N * spot)) (width height : Z) : bool :=
    match enemy_goal with None => true | Some _ => false end
    || hex_board (cells g) coords width height
       && crossing (cells g) coords width height own_goal enemy_goal.

  (** Both are found out once. *)
  Variables is_monotone is_exclusive : bool.

  (** * Covering nodes *)

  Record cover := Cover { its_own : N; its_enemy : N; its_bound : bound }.

  Definition covers (c : cover) : Prop :=
    on_board (cells g) (its_own c) /\ on_board (cells g) (its_enemy c) /\
    if win then match its_bound c with
                | Plies n => good (cells g) own_goal enemy_goal (N.to_nat n) (its_own c) (its_enemy c)
                | Ever => False
                end
    else forall d, within d (its_bound c) ->
           safe (cells g) own_goal enemy_goal d (its_own c) (its_enemy c).

  Definition turned_cover (s : permutation) (c : cover) : cover :=
    Cover (image s (its_own c)) (image s (its_enemy c)) (its_bound c).

  Definition free_cells (own enemy : N) : list N :=
    filter (fun c => negb (mem (union own enemy) c)) (cells g).

  Definition is_free (own enemy m : N) : bool := mem board m && negb (mem (union own enemy) m).

  Definition two_less (left : bound) : option bound :=
    match left with
    | Plies n => if n <? 2 then None else Some (Plies (n - 2))
    | Ever => None
    end.

  Definition fitting (own enemy : N) (left : bound) (m : N) (t : option cover) : bool :=
    is_free own enemy m &&
    match t with
    | None => met_b own_goal (put own m)
    | Some c => inside_b (its_own c) (put own m) && inside_b enemy (its_enemy c)
                && enough win (its_bound c) left
    end.

  Definition answers (c : N) (mt : N * option cover) : bool :=
    negb (fst mt =? c) && match snd mt with None => true | Some t => mem (its_enemy t) c end.

  Definition endless (mt : N * option cover) : bool :=
    match snd mt with
    | None => true
    | Some t => match its_bound t with Ever => true | Plies _ => false end
    end.

  Definition by_replies (own enemy : N) (left : bound) (rs : list (N * option cover)) : option
      bound :=
    match two_less left with
    | None => None
    | Some left' =>
        let free := free_cells own enemy in
        if is_monotone
           && unmet_by_one enemy_goal enemy free
           && match rs with [] => false | _ => true end
           && forallb (fun mt => fitting own enemy left' (fst mt) (snd mt)) rs
           && forallb (fun c => existsb (answers c) rs) free
        then Some (if negb win && forallb endless rs then Ever else left)
        else None
    end.

  Definition by_links (own enemy : N) (left : bound) (ls : list link) : option bound :=
    match own_goal with
    | Some (Path graph first last) =>
        match links_carrier graph first last own enemy ls with
        | Some carrier =>
            if is_monotone && is_exclusive && inside_b carrier board && apart_b carrier enemy
            then if win then
                   if enough win (Plies (N.of_nat (count (cells g) carrier))) left then Some left
                   else None
                 else Some Ever
            else None
        | None => None
        end
    | _ => None
    end.

  (** * What they prove is true *)

  Hypothesis distinct_cells : distinct 0 (cells g) = true.
  Hypothesis monotone_known : is_monotone = true -> monotone = true.
  Hypothesis exclusive_known : is_exclusive = true ->
    exists coords width height, exclusive coords width height = true.
  Notation Good := (good (cells g) own_goal enemy_goal).
  Notation Safe := (safe (cells g) own_goal enemy_goal).

  Lemma distinct_board : NoDup (cells g).
  Proof. now apply (distinct_spec _ 0). Qed.

  Lemma monotone_right : is_monotone = true ->
    first_cells g = None /\ alternate (schedule g) = true /\ goal_of g who <> None /\
    (win = true -> fills g = true).
  Proof.
    intros M. apply monotone_known in M. revert M.
    unfold monotone. rewrite !andb_true_iff, orb_true_iff, negb_true_iff. intros [[[F A] G] W].
    destruct (first_cells g); [discriminate |]. destruct (goal_of g who); [| discriminate].
    repeat split; try easy. intros X. destruct W; congruence.
  Qed.

  Lemma exclusive_right : is_exclusive = true -> forall own en,
    on_board (cells g) own -> on_board (cells g) en -> apart own en ->
    met own_goal own -> ~ met enemy_goal en.
  Proof.
    intros E own en Oo Oe A M. apply exclusive_known in E.
    destruct E as (coords & width & height & E). unfold exclusive in E. apply orb_true_iff in E.
    destruct E as [E | E].
    - destruct enemy_goal; [discriminate | easy].
    - apply andb_true_iff in E. destruct E as [B C].
      exact (crossing_exclusive (cells g) coords width height B _ _ own en C Oo Oe A M).
  Qed.

  Lemma inside_on_board a : inside_b a board = true -> on_board (cells g) a.
  Proof. rewrite inside_b_spec. intros I c M. apply mem_set_of. now apply I. Qed.

  Lemma is_free_right own en m : is_free own en m = true <-> free (cells g) own en m.
  Proof.
    unfold is_free, free. rewrite andb_true_iff, mem_set_of, negb_true_iff, mem_union, orb_false_iff.
    tauto.
  Qed.

  Lemma free_cells_right own en c : In c (free_cells own en) <-> free (cells g) own en c.
  Proof.
    unfold free_cells, free. rewrite filter_In, negb_true_iff, mem_union, orb_false_iff. tauto.
  Qed.

  Lemma replies_right own en left ts b :
    on_board (cells g) own -> on_board (cells g) en -> ~ met enemy_goal en ->
    (forall m c, In (m, Some c) ts -> covers c) ->
    by_replies own en left ts = Some b -> covers (Cover own en b).
  Proof.
    intros Oo Oe Unmet T. unfold by_replies. destruct left as [n |]; [| discriminate]. simpl two_less.
    destruct (N.ltb_spec n 2) as [| L]; [discriminate |].
    destruct (_ && forallb (fun c => existsb (answers c) ts) (free_cells own en)) eqn:E;
        [| discriminate].
    rewrite !andb_true_iff in E. destruct E as [[[[Mono One] Some0] Fit] Ans].
    rewrite forallb_forall in Fit, Ans.
    intros X. unfold covers. cbn [its_own its_enemy its_bound]. split; [exact Oo |].
    split; [exact Oe |].
    assert (forall c, free (cells g) own en c -> ~ met enemy_goal (put en c)) as By1.
    { intros c F. apply (unmet_by_one_right _ _ _ c One). now apply free_cells_right. }
    assert (exists m t, In (m, t) ts) as (m0 & t0 & I0).
    { destruct ts as [| [m t] ts']; [discriminate |]. exists m, t. now left. }
    assert (forall m t, In (m, t) ts -> free (cells g) own en m) as Free.
    { intros m t I. specialize (Fit _ I). unfold fitting in Fit. apply andb_true_iff in Fit.
      now apply is_free_right. }
    (* The reply after a stone of the enemy, or after none. *)
    assert (forall c, free (cells g) own en c -> exists m t, In (m, t) ts /\ m <> c /\
      forall k, t = Some k -> mem (its_enemy k) c = true) as Answer.
    { intros c F. specialize (Ans c (proj2 (free_cells_right own en c) F)).
      apply existsb_exists in Ans. destruct Ans as ([m t] & I & A). exists m, t.
      unfold answers in A. simpl in A. rewrite andb_true_iff, negb_true_iff, N.eqb_neq in A.
      destruct A as [A A']. repeat split; auto. intros k ->. exact A'. }
    clear Ans One Some0.
    assert (forall m t en', In (m, t) ts -> (forall k, t = Some k -> inside en' (its_enemy k)) ->
      ~ met enemy_goal en' ->
      (win = true -> Good (N.to_nat (n - 2)) (put own m) en') /\
      (win = false -> forall d, within d (if endless (m, t) then Ever else Plies (n - 2)) ->
        Safe d (put own m) en')) as After.
    { intros m t en' I Sub Un. specialize (Fit _ I). unfold fitting in Fit. simpl in Fit.
      apply andb_true_iff in Fit. destruct Fit as [_ Fit]. destruct t as [c |].
      - rewrite !andb_true_iff, !inside_b_spec in Fit. destruct Fit as [[In1 In2] En].
        pose proof (T m c I) as (_ & _ & C). specialize (Sub c eq_refl). unfold endless. simpl.
        unfold enough in En. split; intros W; rewrite W in *.
        + destruct (its_bound c) as [nb |]; [| contradiction]. apply N.leb_le in En.
          apply (good_within _ _ _ (N.to_nat nb)); [lia |].
          exact (good_covers _ _ _ _ _ _ _ _ In1 Sub C).
        + intros d Wd. apply (safe_covers _ _ _ _ (its_own c) (its_enemy c)); auto. apply C.
          destruct (its_bound c) as [nb |]; [| exact I0 || exact Logic.I].
          simpl in *. apply N.leb_le in En. lia.
      - apply met_right in Fit. split; intros W.
        + apply good_unfold. split; [exact Un | now left].
        + intros d _. apply safe_unfold. split; [exact Un | now left]. }
    assert (forall m t, In (m, t) ts -> forall k, t = Some k -> inside en (its_enemy k)) as Given.
    { intros m t I k ->. specialize (Fit _ I). unfold fitting in Fit. simpl in Fit.
      rewrite !andb_true_iff, !inside_b_spec in Fit. apply Fit. }
    destruct win eqn:W.
    - cbn [negb andb] in X. injection X as <-.
      replace (N.to_nat n) with (S (S (N.to_nat (n - 2)))) by lia. apply good_unfold.
      split; [exact Unmet | right]. split.
      + exists (Some m0). destruct (Free m0 t0 I0) as (B & _ & F0). split; [now split |].
        apply (After m0 t0 en I0 (Given m0 t0 I0) Unmet). reflexivity.
      + intros c F. destruct (Answer c F) as (m & t & I & D & A). exists (Some m).
        destruct (Free m t I) as (B & _ & Fm). split.
        { split; [exact B |]. rewrite mem_put, Fm. simpl. apply N.eqb_neq. congruence. }
        apply (After m t (put en c) I); [| now apply By1 | reflexivity].
        intros k Hk. apply put_inside; [now apply (Given m t I) | now apply A].
    - cbn [negb andb] in X. injection X as <-. intros d Wd. apply safe_unfold.
      split; [exact Unmet | right]. destruct d as [| d]; [exact Logic.I |].
      split; [exact By1 |]. destruct d as [| d]; [exact Logic.I |].
      assert (forall m t, In (m, t) ts -> within d (if endless (m, t) then Ever else Plies (n - 2)))
        as Wt.
      { intros m t I. destruct (endless (m, t)) eqn:Em; [exact Logic.I |].
        destruct (forallb endless ts) eqn:All.
        - rewrite forallb_forall in All. rewrite (All _ I) in Em. discriminate.
        - simpl in *. lia. }
      split.
      + exists (Some m0). destruct (Free m0 t0 I0) as (B & _ & F0). split; [now split |].
        apply (After m0 t0 en I0 (Given m0 t0 I0) Unmet); [reflexivity | now apply Wt].
      + intros c F. destruct (Answer c F) as (m & t & I & D & A). exists (Some m).
        destruct (Free m t I) as (B & _ & Fm). split.
        { split; [exact B |]. rewrite mem_put, Fm. simpl. apply N.eqb_neq. congruence. }
        apply (After m t (put en c) I); [| now apply By1 | reflexivity | now apply Wt].
        intros k Hk. apply put_inside; [now apply (Given m t I) | now apply A].
  Qed.

  (** A connection that holds by itself. *)
  Lemma full_covers own en k carrier n b :
    is_exclusive = true -> on_board (cells g) own -> on_board (cells g) en -> apart own en ->
    on_board (cells g) carrier -> apart carrier en ->
    full (met own_goal) k carrier own -> (k + k <= n)%nat ->
    (if win then exists m, b = Plies m /\ (n <= N.to_nat m)%nat else b = Ever) ->
    covers (Cover own en b).
  Proof.
    intros X Oo Oe A Oc Ac F L B.
    pose proof (full_good (cells g) own_goal enemy_goal (exclusive_right X) k carrier own en
                  Oo Oe Oc A Ac F) as G.
    unfold covers. cbn [its_own its_enemy its_bound]. split; [exact Oo |]. split; [exact Oe |].
    destruct win.
    - destruct B as (m & -> & B). apply (good_within _ _ _ (k + k)); [lia | exact G].
    - subst b. intros d _. exact (good_safe _ _ _ _ _ _ G d).
  Qed.

  Lemma links_right own en left ls b :
    on_board (cells g) own -> on_board (cells g) en -> apart own en ->
    by_links own en left ls = Some b -> covers (Cover own en b).
  Proof.
    intros Oo Oe A. unfold by_links. destruct own_goal as [[| graph first last] |] eqn:G;
        try discriminate.
    destruct (links_carrier graph first last own en ls) as [carrier |] eqn:C; [| discriminate].
    destruct (is_monotone && is_exclusive && inside_b carrier board && apart_b carrier en) eqn:E;
      [| discriminate].
    rewrite !andb_true_iff, apart_b_spec in E. destruct E as [[[M X] I] Ap].
    apply inside_on_board in I. apply links_carrier_right in C. destruct C as (k & F).
    rewrite <- G in F. apply (full_count (cells g) distinct_board) in F; [| exact I].
    intros B. apply (full_covers own en _ carrier (count (cells g) carrier) b X Oo Oe A I Ap F).
    - pose proof (Nat.div2_odd (count (cells g) carrier)). lia.
    - destruct win eqn:W; [| now injection B as <-].
      destruct left as [n |]; simpl in B; [| discriminate].
      destruct (N.leb_spec (N.of_nat (count (cells g) carrier)) n); [| discriminate].
      injection B as <-. exists n. split; [reflexivity | lia].
  Qed.

  (** What a covering node says about positions of the game, and pairs where the owner is to move. *)
  Definition about (mine : bool) (own en : N) (b : bound) : Prop :=
    forall p, fits g p -> turn_at g p = Some (if mine then owner else enemy) ->
    stones owner p = own -> stones enemy p = en -> Proves b p.

  Lemma covers_about c : is_monotone = true -> covers c -> about false (its_own c) (its_enemy c)
      (its_bound c).
  Proof.
    intros M (_ & _ & C) p F T So Se. apply monotone_right in M. destruct M as (Fc & Al & Go & Fi).
    unfold proves. unfold Table.owner in *. destruct win.
    - destruct (its_bound c) as [n |]; [| exact C].
      apply (good_wins g distinct_cells Fc who Al (Fi eq_refl)); try assumption. now rewrite So, Se.
    - intros d Wd. rewrite opp_opp in *.
      pose proof (safe_holds g distinct_cells Fc (opponent who) Al) as H. rewrite opp_opp in H.
      apply (H Go); try assumption. rewrite So, Se. now apply C.
  Qed.

  Lemma turned_covers s c : keeps g s -> covers c -> covers (turned_cover s c).
  Proof.
    intros K (Oo & Oe & C). unfold keeps, keeps_b in K. rewrite !andb_true_iff in K.
    destruct K as [[[P Kb] Kw] _].
    assert (keeps_goal (cells g) s own_goal = true /\ keeps_goal (cells g) s enemy_goal = true) as
        [Ko Ke].
    { destruct owner; simpl; now split. }
    unfold covers, turned_cover. cbn [its_own its_enemy its_bound].
    split; [now apply image_on_board |]. split; [now apply image_on_board |].
    destruct win.
    - destruct (its_bound c); [now apply good_image | exact C].
    - intros d Wd. apply safe_image; auto.
  Qed.
End Covering.
