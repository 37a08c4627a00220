(** Nodes that cover many positions: what they say, and links that prove it. *)

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
End Covering.
