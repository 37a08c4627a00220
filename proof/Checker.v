(** The checker for positional games: a function that reads a strategy line by line, and the theorem
    that what it accepts is true. *)

From Coq Require Import Arith NArith ZArith List Bool Lia FMapAVL FMapFacts OrderedTypeEx.
From Skolemate Require Import Cells Game Table Goals Symmetry Stones Boards Cover Local Links Blocking Turns Hex.
Import ListNotations.
Open Scope N_scope.

Module Numbers := FMapAVL.Make N_as_OT.
Module NumberFacts := WFacts_fun N_as_OT Numbers.

(** * Lines *)

(** A reply: a move, and the number of the node that covers the position after it, perhaps under a
    symmetry; without a node the move meets the goal. *)
Record reply := Reply { reply_move : N; reply_node : option N; reply_via : option N }.

Inductive plan :=
  | Move (m : N)
  | Every
  | Pairing (ps : pairs)
  | Replies (rs : list reply)
  | Linking (ls : list link).

Inductive line :=
  | Symmetry (s : permutation)
  | Node (p : position) (turn : player) (left : bound) (what : plan) (via : list (N * N)).

Section Checker.
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

  Definition by_replies (own enemy : N) (left : bound) (rs : list (N * option cover)) : option bound :=
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

  Definition is_blocked (own enemy : N) (ps : pairs) (w : N) : bool :=
    negb (apart_b w own) || existsb (fun ab => mem w (fst ab) && mem w (snd ab)) ps.

  (** The player, who is not to win, completes no set in time, because of pairs or because it is too
      far; or no path, because it is. *)
  Definition by_blocking (own enemy : N) (left : bound) (ps : pairs) (mine : bool) : option bound :=
    match left with
    | Plies n =>
        let stones := N.div2 (if mine then n else n + 1) in
        if is_monotone && negb win then
          if unmet_b enemy_goal (without board own) then Some Ever
          else
            match enemy_goal with
            | Some (Owns sets) =>
                if forallb (is_blocked own enemy ps) sets then Some Ever
                else if forallb (fun w => is_blocked own enemy ps w
                       || (stones <? N.of_nat (count (cells g) (without w enemy)))) sets
                     then Some left
                     else None
            | Some (Path graph first last) =>
                if (stones <=? N.of_nat (length (cells g)))
                   && apart_by graph first last own enemy (N.to_nat stones)
                then Some left
                else None
            | None => None
            end
        else None
    | Ever => None
    end.

  Definition by_pairs (own enemy : N) (left : bound) (ps : pairs) (mine : bool) : option bound :=
    if distinct 0 (pair_cells ps) && forallb (is_free own enemy) (pair_cells ps)
    then match by_bridges own left ps mine with
         | Some b => Some b
         | None => by_blocking own enemy left ps mine
         end
    else None.

  (** Pairs that block at this very position, whatever the schedule. *)
  Definition by_turns (p : position) (left : bound) (ps : pairs) : option bound :=
    let own := stones owner p in
    let enemy := stones enemy p in
    match enemy_goal, left with
    | Some (Owns sets), Plies n =>
        if negb win && distinct 0 (pair_cells ps) && forallb (is_free own enemy) (pair_cells ps)
           && never_twice who (ahead g p)
        then if forallb (is_blocked own enemy ps) sets then Some Ever
             else
               let plies := N.to_nat (N.min n (N.of_nat (length (schedule g)))) in
               let stones := N.of_nat (stones_in who plies (ahead g p)) in
               if forallb (fun w => is_blocked own enemy ps w
                     || (stones <? N.of_nat (count (cells g) (without w enemy)))) sets
               then Some left
               else None
        else None
    | _, _ => None
    end.

  (** * The state, and a step *)

  Record state := State {
    its_book : book;
    its_covers : Numbers.t cover;
    its_symmetries : list permutation;
    its_count : N
  }.

  Definition nth_symmetry (st : state) (k : N) : option permutation :=
    nth_error (its_symmetries st) (N.to_nat k).

  Definition target (st : state) (rp : reply) : option (N * option cover) :=
    match reply_node rp with
    | None => Some (reply_move rp, None)
    | Some k =>
        match Numbers.find k (its_covers st), reply_via rp with
        | Some c, None => Some (reply_move rp, Some c)
        | Some c, Some v =>
            match nth_symmetry st v with
            | Some s => Some (reply_move rp, Some (turned_cover s c))
            | None => None
            end
        | None, _ => None
        end
    end.

  Fixpoint viewed (st : state) (via : list (N * N)) : option (list (N * permutation)) :=
    match via with
    | [] => Some []
    | (m, k) :: via =>
        match nth_symmetry st k, viewed st via with
        | Some s, Some rest => Some ((m, s) :: rest)
        | _, _ => None
        end
    end.

  Definition add_single_node (st : state) (p : position) (left : bound) (move : option N)
      (via : list (N * N)) : option state :=
    match viewed st via with
    | None => None
    | Some via =>
        match add_single r who win (judge g) (can_move g) (fun _ => false) permutation turned
                (its_book st) p left move via with
        | None => None
        | Some bk => Some (State bk (its_covers st) (its_symmetries st) (its_count st + 1))
        end
    end.

  (** A node that covers; its bound also goes into the table if its turn is the game's. *)
  Definition add_cover (st : state) (p : position) (mine : bool) (b : bound) : state :=
    let own := stones owner p in
    let enemy := stones enemy p in
    State
      (if has_turn r (if mine then owner else opponent owner) p
       then record win (its_book st) p b [] else its_book st)
      (if mine then its_covers st
       else Numbers.add (its_count st) (Cover own enemy b) (its_covers st))
      (its_symmetries st) (its_count st + 1).

  Definition may_cover (own enemy : N) (left : bound) : bool :=
    inside_b own board && inside_b enemy board && apart_b own enemy
    && unmet_b own_goal own && unmet_b enemy_goal enemy
    && match left with Plies n => negb (n =? 0) | Ever => false end.

  Definition step (st : state) (ln : line) : option state :=
    match ln with
    | Symmetry s =>
        if keeps_b g s
        then Some (State (its_book st) (its_covers st) (its_symmetries st ++ [s]) (its_count st))
        else None
    | Node p turn plies what via =>
        let mine := same turn owner in
        let own := stones owner p in
        let enemy := stones enemy p in
        let covering b := if may_cover own enemy plies
                          then match b with Some b => Some (add_cover st p mine b) | None => None end
                          else None in
        match what with
        | Move m => if mine then add_single_node st p plies (Some m) via else None
        | Every => if mine then None else add_single_node st p plies None via
        | Pairing ps =>
            match covering (by_pairs own enemy plies ps mine) with
            | Some st => Some st
            | None =>
                if may_cover own enemy plies && has_turn r turn p then
                  match by_turns p plies ps with
                  | Some b => Some (State (record win (its_book st) p b []) (its_covers st)
                                      (its_symmetries st) (its_count st + 1))
                  | None => None
                  end
                else None
            end
        | Replies rs =>
            if mine then None
            else covering (match all_some (map (target st) rs) with
                           | Some ts => by_replies own enemy plies ts
                           | None => None
                           end)
        | Linking ls => if mine then None else covering (by_links own enemy plies ls)
        end
    end.

  Definition begin : state := State empty_book (Numbers.empty _) [] 0.

  (** Whether the lines prove the claim; and if so, whether there is no win at any depth. *)
  Definition finish (st : state) (depth : N) : option bool :=
    if distinct 0 (cells g) && fits_start g then
      match conclude r who win (judge g) (can_move g) (fun _ => false) (its_book st) (start g)
              (Plies depth) with
      | Some b => Some (negb win && match b with
                        | Ever => true
                        | Plies n => N.of_nat (length (schedule g)) <=? n
                        end)
      | None => None
      end
    else None.

  (** * What it accepts is true *)

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
    destruct E as (coords & width & height & E). unfold exclusive in E. apply orb_true_iff in E. destruct E as [E | E].
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
    destruct (_ && forallb (fun c => existsb (answers c) ts) (free_cells own en)) eqn:E; [| discriminate].
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
    intros Oo Oe A. unfold by_links. destruct own_goal as [[| graph first last] |] eqn:G; try discriminate.
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

  Lemma covers_about c : is_monotone = true -> covers c -> about false (its_own c) (its_enemy c) (its_bound c).
  Proof.
    intros M (_ & _ & C) p F T So Se. apply monotone_right in M. destruct M as (Fc & Al & Go & Fi).
    unfold proves. unfold Table.owner in *. destruct win.
    - destruct (its_bound c) as [n |]; [| exact C].
      apply (good_wins g distinct_cells Fc who Al (Fi eq_refl)); try assumption. now rewrite So, Se.
    - intros d Wd. rewrite opp_opp in *.
      pose proof (safe_holds g distinct_cells Fc (opponent who) Al) as H. rewrite opp_opp in H.
      apply (H Go); try assumption. rewrite So, Se. now apply C.
  Qed.

  Lemma pairs_on_board own en ps : forallb (is_free own en) (pair_cells ps) = true ->
    on_board (cells g) (set_of (pair_cells ps)) /\ apart (set_of (pair_cells ps)) en.
  Proof.
    rewrite forallb_forall. intros F. split; intros c; rewrite mem_set_of; intros I;
      specialize (F c I); apply is_free_right in F; apply F.
  Qed.

  Lemma bridges_about own en left ps mine b :
    on_board (cells g) own -> on_board (cells g) en -> apart own en -> ~ met enemy_goal en ->
    distinct 0 (pair_cells ps) = true -> forallb (is_free own en) (pair_cells ps) = true ->
    by_bridges own left ps mine = Some b ->
    about mine own en b /\ (mine = false -> covers (Cover own en b)).
  Proof.
    intros Oo Oe A Un D Fr. unfold by_bridges.
    destruct own_goal as [[| graph first last] |] eqn:G; try discriminate.
    destruct ps as [| [a0 b0] rest]; [discriminate |]. set (ps := (a0, b0) :: rest) in *.
    destruct (is_monotone && is_exclusive && met_by_pairs graph first last own ps) eqn:E; [| discriminate].
    rewrite !andb_true_iff in E. destruct E as [[M X] P].
    pose proof (met_by_pairs_right graph first last own ps P) as Met. rewrite <- G in Met.
    apply (distinct_spec _ 0) in D. destruct D as [D _].
    destruct (pairs_on_board own en ps Fr) as [Ob Ap].
    pose proof (pairs_full (met own_goal) (length ps) ps own eq_refl D Met) as F.
    intros B. assert (mine = false -> covers (Cover own en b)) as Cov.
    { intros ->. apply (full_covers own en (length ps) _ (length ps + length ps) b X Oo Oe A Ob Ap F);
        [lia |]. destruct win; [| now injection B as <-].
      destruct left as [n |]; cbv beta iota delta [enough] in B; [| discriminate].
      destruct (N.leb_spec (2 * N.of_nat (length ps)) n); [| discriminate].
      injection B as <-. exists n. split; [reflexivity | lia]. }
    split; [| exact Cov]. destruct mine.
    2: { exact (covers_about (Cover own en b) M (Cov eq_refl)). }
    clear Cov. intros p Fp T So Se.
    pose proof (monotone_right M) as (Fc & Al & Go & Fi).
    unfold proves. destruct win eqn:W.
    - destruct left as [n |]; cbv beta iota delta [enough] in B; [| discriminate].
      destruct (N.leb_spec (1 + 2 * N.of_nat (length rest)) n) as [L |]; [| discriminate].
      injection B as <-. subst own en. unfold Table.owner in *.
      assert (free (cells g) (stones who p) (stones (opponent who) p) a0) as (Ia & Oa & Ea).
      { apply is_free_right. rewrite forallb_forall in Fr. apply Fr. now left. }
      assert (NoDup (pair_cells rest)) as D'.
      { unfold ps in D. simpl in D. inversion D as [| ? ? _ D2]. now inversion D2. }
      assert (forallb (is_free (put (stones who p) a0) (stones (opponent who) p)) (pair_cells rest) = true) as Fr'.
      { apply forallb_forall. intros c I. rewrite forallb_forall in Fr.
        assert (free (cells g) (stones who p) (stones (opponent who) p) c) as (Ic & Oc & Ec).
        { apply is_free_right, Fr. now right; right. }
        apply is_free_right. repeat split; try assumption. rewrite mem_put, Oc. simpl.
        apply N.eqb_neq. intros ->. unfold ps in D. simpl in D. inversion D as [| ? ? N1 _].
        apply N1. now right. }
      destruct (pairs_on_board _ _ rest Fr') as [Ob' Ap'].
      assert (full (met (goal_of g who)) (length rest) (set_of (pair_cells rest)) (put (stones who p) a0)) as F'.
      { apply pairs_full; [reflexivity | exact D' |]. intros own' I H. apply Met.
        - apply (inside_trans _ (put (stones who p) a0)); [apply inside_put_r, inside_refl | exact I].
        - intros x y [E | E]; [| now apply H]. injection E as <- <-. left. apply I, mem_put_same. }
      apply (wins_within r who (S (length rest + length rest))); [lia |].
      apply (good_wins_first g distinct_cells Fc who Al (Fi eq_refl) _ p (Some a0)); try assumption.
      { now split. }
      apply (full_good (cells g) (goal_of g who) (goal_of g (opponent who))) with
        (carrier := set_of (pair_cells rest)); try assumption.
      + intros o e. pose proof (exclusive_right X o e) as Y. unfold Table.owner in Y. rewrite W in Y. exact Y.
      + now apply (on_board_put (cells g)).
      + now apply apart_put_l.
    - injection B as <-. intros d _. subst own en. unfold Table.owner in *.
      rewrite opp_opp in *.
      pose proof (safe_holds_first g distinct_cells Fc (opponent who) Al) as H. rewrite opp_opp in H.
      apply (H Go d p None); try assumption; [exact Logic.I |]. intros m _. simpl.
      apply (good_safe (cells g) (goal_of g (opponent who)) (goal_of g who) (length ps + length ps)).
      apply (full_good (cells g) (goal_of g (opponent who)) (goal_of g who)) with
        (carrier := set_of (pair_cells ps)); try assumption.
      intros o e. pose proof (exclusive_right X o e) as Y. unfold Table.owner in Y.
      rewrite W, opp_opp in Y. exact Y.
  Qed.

  Lemma blocked_right own en ps w f : forallb (is_free own en) (pair_cells ps) = true ->
    is_blocked own en ps w = true -> blocked ps f own en w.
  Proof.
    intros Fr. unfold is_blocked. rewrite orb_true_iff. intros [B | B].
    - left. rewrite negb_true_iff in B. apply not_empty in B. destruct B as [c B].
      rewrite mem_common, andb_true_iff in B. now exists c.
    - right; left. apply existsb_exists in B. destruct B as ([a b] & I & B).
      apply andb_true_iff in B. destruct B as [Ba Bb]. exists a, b.
      rewrite forallb_forall in Fr.
      assert (free (cells g) own en a /\ free (cells g) own en b) as [(_ & _ & Ea) (_ & _ & Eb)].
      { split; apply is_free_right, Fr, in_pair_cells; exists a, b; auto. }
      now repeat split.
  Qed.

  (** What is safe for all depths that a bound allows, with the owner or the enemy to move. *)
  Lemma safe_about own en (mine : bool) b : is_monotone = true -> win = false ->
    on_board (cells g) own -> on_board (cells g) en -> ~ met enemy_goal en ->
    (forall d, within d b -> forall m : nat, (if mine then m < d else m <= d)%nat -> Safe m own en) ->
    about mine own en b /\ (mine = false -> covers (Cover own en b)).
  Proof.
    intros M W Oo Oe Un H. pose proof (monotone_right M) as (Fc & Al & Go & _).
    assert (mine = false -> covers (Cover own en b)) as Cov.
    { intros Mf. unfold covers. cbn [its_own its_enemy its_bound].
      split; [exact Oo |]. split; [exact Oe |]. rewrite W. intros d Wd.
      assert (Safe d own en) as Y by (apply (H d Wd); rewrite Mf; lia). now rewrite W in Y. }
    split; [| exact Cov]. destruct mine.
    2: { exact (covers_about (Cover own en b) M (Cov eq_refl)). }
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
    distinct 0 (pair_cells ps) = true -> forallb (is_free own en) (pair_cells ps) = true ->
    by_blocking own en left ps mine = Some b ->
    about mine own en b /\ (mine = false -> covers (Cover own en b)).
  Proof.
    intros Oo Oe A Un D Fr. unfold by_blocking. cbv zeta. destruct left as [n |]; [| discriminate].
    destruct (is_monotone && negb win) eqn:E; [| discriminate].
    apply andb_true_iff in E. destruct E as [M W]. apply negb_true_iff in W.
    apply (distinct_spec _ 0) in D. destruct D as [D _].
    destruct (pairs_on_board own en ps Fr) as [Ob _].
    assert (forall c, In c (pair_cells ps) -> In c (cells g)) as Ob'.
    { intros c I. apply Ob. now apply mem_set_of. }
    destruct (unmet_b enemy_goal (without board own)) eqn:Walls.
    { intros [= <-]. apply safe_about; try assumption. intros d _ m _.
      apply (out_of_reach_safe (cells g) own_goal enemy_goal m m); [lia |].
      apply walled; try assumption. now apply unmet_right. }
    destruct enemy_goal as [[sets | graph first last] |] eqn:G; [| | discriminate].
    - rewrite <- G in Un.
      assert (forall f k, (forall w, In w sets -> blocked ps (fun w e => f = true /\ far k w e) own en w) ->
        forall m, (m <= k + k)%nat -> Safe m own en) as H.
      { intros f k B m L. rewrite G.
        apply (holds_off_safe (cells g) own_goal sets ps D Ob' f m k own en L). now split. }
      destruct (forallb (is_blocked own en ps) sets) eqn:All.
      + intros [= <-]. apply safe_about; try assumption. intros d _ m _.
        apply (H false m); [| lia]. intros w I. rewrite forallb_forall in All.
        now apply blocked_right, All.
      + match goal with |- (if ?test then _ else _) = _ -> _ => destruct test eqn:All' end;
          [| discriminate]. intros [= <-].
        apply safe_about; try assumption. intros d Wd m Lm.
        apply (H true (N.to_nat (N.div2 (if mine then n else n + 1))));
          [| now apply (stones_enough mine n d m)].
        intros w I. rewrite forallb_forall in All'. specialize (All' w I).
        apply orb_true_iff in All'. destruct All' as [Y | Y]; [now apply blocked_right |].
        right; right. split; [reflexivity |]. apply (far_count (cells g) distinct_board).
        apply N.ltb_lt in Y. lia.
    - destruct (_ && apart_by _ _ _ _ _ _) eqn:X; [| discriminate]. intros [= <-].
      apply andb_true_iff in X. destruct X as [_ X]. rewrite <- G in Un.
      apply safe_about; try assumption. intros d Wd m Lm. rewrite G.
      apply (out_of_reach_safe (cells g) own_goal _ m (N.to_nat (N.div2 (if mine then n else n + 1)))).
      + now apply (stones_enough mine n d m).
      + now apply apart_by_right.
  Qed.

  Lemma stones_in_most l : forall n d L, (d <= n)%nat -> (length l <= L)%nat ->
    (stones_in who d l <= stones_in who (Nat.min n L) l)%nat.
  Proof.
    induction l as [| a l IH]; intros n d L Dn Ll; [destruct d, (Nat.min n L); simpl; lia |].
    simpl in Ll. destruct d as [| d]; [simpl; lia |]. destruct n as [| n]; [lia |].
    destruct L as [| L]; [lia |]. simpl. specialize (IH n d L). lia.
  Qed.

  Lemma turns_right p left ps b : apart (stones owner p) (stones enemy p) ->
    by_turns p left ps = Some b -> fits g p -> Proves b p.
  Proof.
    unfold by_turns. cbv zeta. intros A.
    destruct enemy_goal as [[sets |] |] eqn:G; try discriminate.
    destruct left as [n |]; [| discriminate].
    destruct (negb win && _ && _ && _) eqn:E; [| discriminate].
    rewrite !andb_true_iff, negb_true_iff in E. destruct E as [[[W D] Fr] Tw].
    pose proof (proj1 (pairs_on_board _ _ ps Fr)) as Ob.
    assert (forall c, In c (pair_cells ps) -> In c (cells g)) as Ob'.
    { intros c I. apply Ob. now apply mem_set_of. }
    apply (distinct_spec _ 0) in D. destruct D as [D _].
    intros B F. unfold proves. rewrite W. intros d Wd.
    assert (forall f k, (stones_in who d (ahead g p) <= k)%nat ->
      (forall w, In w sets ->
         blocked ps (fun w e => f = true /\ far k w e) (stones owner p) (stones enemy p) w) ->
      ~ wins r who d p) as H.
    { intros f k L X. assert (holds_off sets ps f k (stones owner p) (stones enemy p)) as Y by now split.
      clear - distinct_cells G W D Ob' F Tw L Y. unfold Table.owner in *. rewrite W in *.
      rewrite opp_opp in *.
      exact (pairs_hold g distinct_cells who sets G ps D Ob' f d k p F Tw L Y). }
    destruct (forallb (is_blocked (stones owner p) (stones enemy p) ps) sets) eqn:All.
    - apply (H false _ (le_n _)). intros w I. rewrite forallb_forall in All.
      now apply blocked_right, All.
    - match type of B with (if ?test then _ else _) = _ => destruct test eqn:All' end;
        [| discriminate]. injection B as <-. simpl in Wd.
      apply (H true _ (stones_in_most (ahead g p) (N.to_nat n) d (length (schedule g)) Wd
                         ltac:(unfold ahead; rewrite skipn_length; lia))).
      intros w I. rewrite forallb_forall in All'. specialize (All' w I).
      apply orb_true_iff in All'. destruct All' as [Y | Y]; [now apply blocked_right |].
      right; right. split; [reflexivity |]. apply (far_count (cells g) distinct_board).
      apply N.ltb_lt in Y. rewrite N2Nat.inj_min, Nat2N.id in Y. lia.
  Qed.

  (** * The state stays right *)

  Notation Sound := (book_sound r who win (fits g)).

  Definition right (st : state) : Prop :=
    Sound (its_book st) /\
    (forall k c, Numbers.find k (its_covers st) = Some c -> covers c) /\
    (forall s, In s (its_symmetries st) -> keeps g s).

  Lemma proves_proves_to k b p : Proves b p -> proves_to r who win k b p.
  Proof. unfold proves_to. destruct win eqn:W; unfold proves; rewrite ?W; auto. Qed.

  Lemma turned_covers s c : keeps g s -> covers c -> covers (turned_cover s c).
  Proof.
    intros K (Oo & Oe & C). unfold keeps, keeps_b in K. rewrite !andb_true_iff in K.
    destruct K as [[[P Kb] Kw] _].
    assert (keeps_goal (cells g) s own_goal = true /\ keeps_goal (cells g) s enemy_goal = true) as [Ko Ke].
    { destruct owner; simpl; now split. }
    unfold covers, turned_cover. cbn [its_own its_enemy its_bound].
    split; [now apply image_on_board |]. split; [now apply image_on_board |].
    destruct win.
    - destruct (its_bound c); [now apply good_image | exact C].
    - intros d Wd. apply safe_image; auto.
  Qed.

  Lemma target_right st rp m t : right st -> target st rp = Some (m, t) ->
    forall c, t = Some c -> covers c.
  Proof.
    intros (_ & C & K) E c ->. unfold target in E. destruct (reply_node rp) as [k |]; [| discriminate].
    destruct (Numbers.find k (its_covers st)) as [c' |] eqn:F; [| discriminate].
    destruct (reply_via rp) as [v |].
    - destruct (nth_symmetry st v) as [s |] eqn:N; [| discriminate]. injection E as _ <-.
      apply turned_covers; [| now apply (C k)]. apply K. now apply nth_error_In in N.
    - injection E as _ <-. now apply (C k).
  Qed.

  Lemma viewed_right st via via' : right st -> viewed st via = Some via' ->
    forall n s, In (n, s) via' -> keeps g s.
  Proof.
    intros (_ & _ & K). revert via'. induction via as [| [m k] via IH]; simpl; intros via'.
    - intros [= <-] n s [].
    - destruct (nth_symmetry st k) as [s' |] eqn:N; [| discriminate].
      destruct (viewed st via) as [rest |]; [| discriminate]. intros [= <-] n s [E | I].
      + injection E as <- <-. apply K. now apply nth_error_In in N.
      + now apply (IH rest eq_refl n).
  Qed.

  Lemma add_single_node_right st p left move via st' : right st ->
    add_single_node st p left move via = Some st' -> right st'.
  Proof.
    intros R. unfold add_single_node. destruct (viewed st via) as [via' |] eqn:V; [| discriminate].
    pose proof (viewed_right st via via' R V) as K. destruct R as (B & C & S).
    destruct (add_single _ _ _ _ _ _ _ _ _ _ _ _ _) as [bk |] eqn:E; [| discriminate].
    intros [= <-]. split; [| now split]. cbn [its_book].
    apply (add_single_sound r who win (fits g) (fits_after g distinct_cells)
             (judge g) (judge_won g) (judge_open g) (can_move g) (can_move_spec g)
             (fun _ => false) (fun _ => conj (fun x => False_ind _ (diff_false_true x))
                                             (fun x => False_ind _ x))
             permutation turned (keeps g) (turned_fits g distinct_cells)
             (fun s p d k f => turned_wins g distinct_cells s who p d k f)
             (its_book st) p left move via' bk B K E).
  Qed.

  Lemma add_cover_right st p mine b : right st ->
    about mine (stones owner p) (stones enemy p) b ->
    (mine = false -> covers (Cover (stones owner p) (stones enemy p) b)) ->
    right (add_cover st p mine b).
  Proof.
    intros (B & C & S) A Cov. split; [| split].
    - unfold add_cover. cbn [its_book].
      destruct (has_turn r (if mine then owner else enemy) p) eqn:T; [| exact B].
      apply has_turn_spec in T. apply record_sound; [exact B |]. intros k _ F.
      apply proves_proves_to. now apply A.
    - unfold add_cover. cbn [its_covers]. intros k c. destruct mine; [apply C |].
      rewrite NumberFacts.add_o. destruct (N_as_OT.eq_dec (its_count st) k); [| apply C].
      intros [= <-]. now apply Cov.
    - exact S.
  Qed.

  Lemma step_right st ln st' : right st -> step st ln = Some st' -> right st'.
  Proof.
    intros R. destruct ln as [s | p turn left what via]; simpl.
    - destruct (keeps_b g s) eqn:K; [| discriminate]. intros [= <-]. destruct R as (B & C & S).
      split; [exact B |]. split; [exact C |]. cbn [its_symmetries]. intros s' I.
      apply in_app_or in I. destruct I as [I | [<- | []]]; [now apply S | exact K].
    - set (own := stones owner p). set (en := stones enemy p). set (mine := same turn owner).
      assert (forall ob, (forall b, may_cover own en left = true -> ob = Some b ->
          about mine own en b /\ (mine = false -> covers (Cover own en b))) ->
        (if may_cover own en left
         then match ob with Some b => Some (add_cover st p mine b) | None => None end
         else None) = Some st' -> right st') as H.
      { intros ob H. destruct (may_cover own en left); [| discriminate].
        destruct ob as [b |]; [| discriminate]. intros [= <-].
        destruct (H b eq_refl eq_refl) as [A Cov]. now apply add_cover_right. }
      assert (may_cover own en left = true -> on_board (cells g) own /\ on_board (cells g) en /\
        apart own en /\ ~ met enemy_goal en) as May.
      { unfold may_cover. rewrite !andb_true_iff, apart_b_spec. intros [[[[[Oo Oe] A] _] U] _].
        repeat split; auto using inside_on_board. now apply unmet_right. }
      destruct what as [m | | ps | rs | ls].
      + destruct mine; [now apply add_single_node_right | discriminate].
      + destruct mine; [discriminate | now apply add_single_node_right].
      + match goal with |- (match ?first with Some _ => _ | None => _ end) = _ -> _ =>
          destruct first as [st1 |] eqn:E1 end.
        * intros [= ->]. revert E1. apply H. intros b Mc. destruct (May Mc) as (Oo & Oe & A & U).
          unfold by_pairs.
          destruct (distinct 0 (pair_cells ps) && forallb (is_free own en) (pair_cells ps)) eqn:D;
            [| discriminate].
          apply andb_true_iff in D. destruct D as [D F].
          destruct (by_bridges own left ps mine) as [b' |] eqn:B.
          -- intros [= <-]. now apply (bridges_about own en left ps).
          -- now apply (blocking_about own en left ps).
        * destruct (may_cover own en left && has_turn r turn p) eqn:Mc; [| discriminate].
          apply andb_true_iff in Mc. destruct Mc as [Mc _]. destruct (May Mc) as (_ & _ & A & _).
          destruct (by_turns p left ps) as [b |] eqn:B; [| discriminate]. intros [= <-].
          destruct R as (Bk & C & S). split; [| now split]. cbn [its_book].
          apply record_sound; [exact Bk |]. intros k _ F. apply proves_proves_to.
          exact (turns_right p left ps b A B F).
      + destruct mine; [discriminate |]. apply H. intros b Mc.
        destruct (May Mc) as (Oo & Oe & A & U).
        destruct (all_some (map (target st) rs)) as [ts |] eqn:T; [| discriminate]. intros B.
        assert (covers (Cover own en b)) as C.
        { apply (replies_right own en left ts b Oo Oe U); [| exact B]. intros m c I.
          apply (all_some_in _ _ _ T) in I. apply in_map_iff in I. destruct I as (rp & E & _).
          now apply (target_right st rp m (Some c) R E). }
        split; [| easy]. apply (covers_about (Cover own en b)); [| exact C].
        unfold by_replies in B. destruct (two_less left); [| discriminate].
        destruct is_monotone; [reflexivity | discriminate].
      + destruct mine; [discriminate |]. apply H. intros b Mc B.
        destruct (May Mc) as (Oo & Oe & A & U).
        pose proof (links_right own en left ls b Oo Oe A B) as C.
        split; [| easy]. apply (covers_about (Cover own en b)); [| exact C].
        unfold by_links in B. destruct own_goal as [[| graph first last] |]; try discriminate.
        destruct (links_carrier graph first last own en ls); [| discriminate].
        destruct is_monotone; [reflexivity | discriminate].
  Qed.
End Checker.

(** * The theorem *)

(** A session reads lines one after the other. *)
Record session := Session { says_monotone : bool; says_exclusive : bool; its_state : state }.

Definition open (g : positional) (who : player) (win : bool) (coords : list (N * spot))
    (width height : Z) : session :=
  Session (monotone g who win) (exclusive g who win coords width height) begin.

Definition read (g : positional) (who : player) (win : bool) (s : session) (ln : line)
    : option session :=
  match step g who win (says_monotone s) (says_exclusive s) (its_state s) ln with
  | Some st => Some (Session (says_monotone s) (says_exclusive s) st)
  | None => None
  end.

Definition close (g : positional) (who : player) (win : bool) (depth : N) (s : session)
    : option bool := finish g who win (its_state s) depth.

Fixpoint read_all (g : positional) (who : player) (win : bool) (s : session) (lines : list line)
    : option session :=
  match lines with
  | [] => Some s
  | ln :: lines =>
      match read g who win s ln with
      | Some s => read_all g who win s lines
      | None => None
      end
  end.

Definition check (g : positional) (who : player) (win : bool) (depth : N)
    (coords : list (N * spot)) (width height : Z) (lines : list line) : option bool :=
  match read_all g who win (open g who win coords width height) lines with
  | Some s => close g who win depth s
  | None => None
  end.

Lemma read_all_right g who win lines : distinct 0 (cells g) = true ->
  forall s s', (says_monotone s = true -> monotone g who win = true) ->
  (says_exclusive s = true -> exists coords width height,
     exclusive g who win coords width height = true) ->
  right g who win (its_state s) -> read_all g who win s lines = Some s' ->
  right g who win (its_state s').
Proof.
  intros D. induction lines as [| ln lines IH]; simpl; intros s s' M X R; [now intros [= <-] |].
  unfold read. destruct (step _ _ _ _ _ _ _) as [st1 |] eqn:E; [| discriminate].
  apply IH; [exact M | exact X |].
  exact (step_right g who win (says_monotone s) (says_exclusive s) D M X (its_state s) ln st1 R E).
Qed.

(** No win takes longer than there are turns. *)
Lemma wins_turns g pl d : forall p, wins (positional_rules g) pl d p ->
  wins (positional_rules g) pl (turns_left g p) p.
Proof.
  induction d as [| d IH]; intros p [W | W]; try (now apply (wins_within _ _ 0); [lia | left]);
    try contradiction.
  destruct W as [Ov W].
  assert (turn_at g p <> None -> exists k, turns_left g p = S k) as T.
  { intros T. apply turn_left in T. exists (pred (turns_left g p)). lia. }
  assert (forall m q k, turns_left g p = S k -> In (m, q) (moves (positional_rules g) p) ->
    wins (positional_rules g) pl d q -> wins (positional_rules g) pl k q) as Next.
  { intros m q k K I Wq. simpl in I. apply in_placements in I.
    destruct I as (a & Ta & _ & _ & ->).
    pose proof (turns_left_place g a p m) as E. rewrite Ta in E.
    specialize (E ltac:(discriminate)). apply IH in Wq.
    replace k with (turns_left g (place a p m)) by lia. exact Wq. }
  destruct W as [(Tp & m & q & I & W) | [(Tp & Ne & W) | (Tp & _ & [])]].
  - destruct T as (k & K); [simpl in Tp; now rewrite Tp |]. rewrite K. right.
    split; [exact Ov |]. left. split; [exact Tp |]. exists m, q. split; [exact I |].
    now apply (Next m q k).
  - destruct T as (k & K); [simpl in Tp; now rewrite Tp |]. rewrite K. right.
    split; [exact Ov |]. right; left. split; [exact Tp |]. split; [exact Ne |].
    intros m q I. apply (Next m q k K I). now apply (W m).
Qed.

(** A strategy that is accepted proves its claim: the player wins within [depth] plies from the
    start; or does not, and, if the result says so, at no depth at all. *)
Theorem check_right g who win depth coords width height lines ever :
  check g who win depth coords width height lines = Some ever ->
  if win then wins (positional_rules g) who (N.to_nat depth) (start g)
  else ~ wins (positional_rules g) who (N.to_nat depth) (start g) /\
       (ever = true -> forall d, ~ wins (positional_rules g) who d (start g)).
Proof.
  unfold check. destruct (read_all _ _ _ _ _) as [s |] eqn:E; [| discriminate].
  unfold close, finish. destruct (distinct 0 (cells g) && fits_start g) eqn:F; [| discriminate].
  apply andb_true_iff in F. destruct F as [D F]. apply fits_start_right in F.
  assert (right g who win begin) as R0.
  { split; [apply empty_book_sound |]. split; [| now intros t []]. intros k c.
    unfold begin. cbn [its_covers]. now rewrite NumberFacts.empty_o. }
  destruct (read_all_right g who win lines D (open g who win coords width height) s) as (B & _);
    [easy | intros X; now exists coords, width, height | exact R0 | exact E |].
  destruct (conclude _ _ _ _ _ _ _ _ _) as [b |] eqn:C; [| discriminate]. intros [= <-].
  apply (conclude_right (positional_rules g) who win (fits g)
           (judge g) (judge_won g) (judge_open g) (can_move g) (can_move_spec g)
           (fun _ => false) (fun _ => conj (fun x => False_ind _ (diff_false_true x))
                                           (fun x => False_ind _ x))
           permutation turned (keeps g)
           (fun s p d k f => turned_wins g D s who p d k f)) in C; [| exact B | exact F].
  destruct C as [P En]. pose proof (enough_claimed _ _ _ _ _ _ P En) as Cl.
  unfold claimed in Cl. destruct win; [exact Cl |]. split; [exact Cl |]. simpl.
  intros Ev d W. unfold proves in P. destruct b as [n |].
  - apply N.leb_le in Ev. apply wins_turns in W. revert W. apply P. simpl. unfold turns_left. lia.
  - exact (P d Logic.I W).
Qed.

(** The same for files written by `skolemate check --coq`, whose proofs are computations. *)
Definition accepts (g : positional) (who : player) (win : bool) (depth : N)
    (coords : list (N * spot)) (width height : Z) (lines : list line) : bool :=
  match check g who win depth coords width height lines with Some _ => true | None => false end.

Theorem accepts_right g who win depth coords width height lines :
  accepts g who win depth coords width height lines = true ->
  if win then wins (positional_rules g) who (N.to_nat depth) (start g)
  else ~ wins (positional_rules g) who (N.to_nat depth) (start g).
Proof.
  unfold accepts. destruct (check _ _ _ _ _ _ _ _) as [ever |] eqn:E; [| discriminate].
  intros _. apply check_right in E. destruct win; [exact E | exact (proj1 E)].
Qed.
