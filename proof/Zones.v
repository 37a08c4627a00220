(** Nodes with replies. Where both players have winning sets, such a node may leave cells blank: on
    these the enemy may have stones, as long as each of the enemy's sets lacks enough of them. *)

From Coq Require Import Arith NArith List Bool Lia FMapAVL FMapFacts OrderedTypeEx.
From Skolemate Require Import
  Cells Game Table Goals Symmetry Stones Boards Cover Local Links Covering.
Import ListNotations.
Open Scope N_scope.

Module Numbers := FMapAVL.Make N_as_OT.
Module NumberFacts := WFacts_fun N_as_OT Numbers.

(** * Sets and how many cells they lack *)

(** Winning sets with numbers: a position is far enough from each of them. *)
Definition dangers := list (N * N).

(** For each set the largest of its numbers. *)
Definition raise_to (m : Numbers.t N) (wd : N * N) : Numbers.t N :=
  let (w, d) := wd in
  match Numbers.find w m with
  | Some d' => if d <=? d' then m else Numbers.add w d m
  | None => Numbers.add w d m
  end.

Definition largest (l : dangers) : dangers :=
  Numbers.elements (fold_left raise_to l (Numbers.empty N)).

Lemma raise_to_keeps l : forall m w d, Numbers.find w m = Some d ->
  exists d', d <= d' /\ Numbers.find w (fold_left raise_to l m) = Some d'.
Proof.
  induction l as [| [v e] l IH]; intros m w d F; simpl; [exists d; split; [lia | exact F] |].
  assert (exists d1, d <= d1 /\ Numbers.find w (raise_to m (v, e)) = Some d1) as (d1 & L & F1).
  { unfold raise_to. destruct (N.eq_dec v w) as [-> | D].
    - rewrite F. destruct (N.leb_spec e d) as [L | L]; [exists d; split; [lia | exact F] |].
      exists e. split; [lia |]. now apply NumberFacts.add_eq_o.
    - exists d. split; [lia |]. destruct (Numbers.find v m) as [d0 |];
        [destruct (e <=? d0); [exact F |] |]; rewrite NumberFacts.add_neq_o; assumption. }
  destruct (IH _ w d1 F1) as (d2 & L2 & F2). exists d2. split; [lia | exact F2].
Qed.

Lemma largest_right l w d : In (w, d) l -> exists d', d <= d' /\ In (w, d') (largest l).
Proof.
  intros I. unfold largest.
  assert (exists d', d <= d' /\
    Numbers.find w (fold_left raise_to l (Numbers.empty N)) = Some d') as (d' & L & F).
  { generalize (Numbers.empty N). induction l as [| [v e] l IH]; intros m; [destruct I |].
    cbn [fold_left]. destruct I as [E | I]; [| now apply IH]. injection E as -> ->.
    assert (exists d1, d <= d1 /\ Numbers.find w (raise_to m (w, d)) = Some d1) as (d1 & L & F).
    { unfold raise_to. destruct (Numbers.find w m) as [d0 |] eqn:F.
      - destruct (N.leb_spec d d0) as [L | L]; [exists d0; now split |].
        exists d. split; [lia |]. now apply NumberFacts.add_eq_o.
      - exists d. split; [lia |]. now apply NumberFacts.add_eq_o. }
    destruct (raise_to_keeps l _ w d1 F) as (d2 & L2 & F2). exists d2. split; [lia | exact F2]. }
  exists d'. split; [exact L |]. apply Numbers.find_2, Numbers.elements_1, InA_alt in F.
  destruct F as ([w' e'] & [E1 E2] & F). simpl in E1, E2. now subst.
Qed.

Section Counts.
  Variable board : list N.

  Lemma count_cover s t u : (forall c, mem s c = true -> mem t c = true \/ mem u c = true) ->
    (count board s <= count board t + count board u)%nat.
  Proof.
    intros H. unfold count. induction board as [| c l IH]; simpl; [lia |]. specialize (H c).
    destruct (mem s c); [destruct (H eq_refl) as [-> | ->] |];
      destruct (mem t c), (mem u c); simpl; lia.
  Qed.

  Lemma count_inside s t : inside s t -> (count board s <= count board t)%nat.
  Proof.
    intros H. unfold count. induction board as [| c l IH]; simpl; [lia |]. specialize (H c).
    destruct (mem s c); [rewrite H by reflexivity; simpl; lia |]. destruct (mem t c); simpl; lia.
  Qed.

  Lemma count_none s : (forall c, mem s c = false) -> count board s = 0%nat.
  Proof.
    intros H. unfold count. induction board as [| c l IH]; simpl; [reflexivity |]. now rewrite H.
  Qed.

  Hypothesis distinct_board : NoDup board.

  Lemma count_one s x : (forall c, mem s c = true -> c = x) -> (count board s <= 1)%nat.
  Proof.
    intros H. unfold count. change 1%nat with (length [x]). apply NoDup_incl_length.
    - now apply NoDup_filter.
    - intros c I. apply filter_In in I. left. symmetry. now apply H.
  Qed.

  Lemma map_NoDup (f : N -> N) l :
    (forall a b, In a l -> In b l -> f a = f b -> a = b) -> NoDup l -> NoDup (map f l).
  Proof.
    induction l as [| a l IH]; intros H D; simpl; [constructor |]. inversion D as [| ? ? A D']; subst.
    constructor.
    - intros I. apply in_map_iff in I. destruct I as (b & E & I). apply A.
      rewrite (H a b); [exact I | now left | now right | now symmetry].
    - apply IH; [| exact D']. intros b c B C. apply H; now right.
  Qed.

  Lemma count_image s t : permutes board s = true ->
    (count board (image s t) <= count board t)%nat.
  Proof.
    intros P. unfold count.
    set (from d := match find (fun cd => snd cd =? d) s with Some cd => fst cd | None => 0 end).
    assert (forall d, In d board -> In (from d, d) s) as From.
    { intros d B. destruct (permutes_from board s P d B) as (c & I & _). unfold from.
      destruct (find (fun cd => snd cd =? d) s) as [[c' d'] |] eqn:F.
      - apply find_some in F. destruct F as [F E]. apply N.eqb_eq in E. simpl in *. now subst.
      - pose proof (find_none _ _ F _ I) as X. simpl in X. now rewrite N.eqb_refl in X. }
    rewrite <- (map_length from (filter (mem (image s t)) board)). apply NoDup_incl_length.
    - apply map_NoDup; [| now apply NoDup_filter]. intros a b A B E.
      apply filter_In in A, B. destruct A as [A _], B as [B _]. apply From in A, B.
      rewrite E in A. exact (permutes_once board s P _ a b A B).
    - intros c I. apply in_map_iff in I. destruct I as (d & <- & I). apply filter_In in I.
      destruct I as [B M]. apply From in B. rewrite (mem_image_of board s P _ d t B) in M.
      apply filter_In. split; [| exact M]. clear M. unfold permutes in P.
      rewrite !andb_true_iff, !N.eqb_eq in P. destruct P as [[[W _] _] _].
      apply mem_set_of. rewrite <- W. apply mem_set_of, in_map_iff. now exists (from d, d).
  Qed.
End Counts.

Section Zones.
  Variable g : positional.
  Variable who : player.
  Variable win : bool.

  Notation owner := (owner who win).
  Notation enemy := (opponent owner).
  Notation own_goal := (goal_of g owner).
  Notation enemy_goal := (goal_of g enemy).
  Notation board := (set_of (cells g)).
  Notation Good := (good (cells g) own_goal enemy_goal).
  Notation Safe := (safe (cells g) own_goal enemy_goal).
  Notation Covers := (covers g who win).

  Variable is_monotone : bool.

  (** * Zones *)

  (** A node that covers: its board, on which the enemy has the blank cells, and its dangers. *)
  Record zone := Zone { its_cover : cover; its_blank : N; its_dangers : dangers }.

  Definition against (z : zone) : N := without (its_enemy (its_cover z)) (its_blank z).

  Definition lasts (own en : N) (b : bound) : Prop :=
    if win then match b with Plies n => Good (N.to_nat n) own en | Ever => False end
    else forall d, within d b -> Safe d own en.

  (** Each set without a stone of the owner lacks enough stones, those of [given] not counted. *)
  Definition far (ds : dangers) (own given : N) : Prop :=
    forall w d, In (w, d) ds -> apart w own ->
    (N.to_nat d <= count (cells g) (without w given))%nat.

  Definition holds (z : zone) : Prop :=
    on_board (cells g) (its_own (its_cover z)) /\ on_board (cells g) (its_enemy (its_cover z)) /\
    forall own en, on_board (cells g) own -> inside (its_own (its_cover z)) own ->
    inside en (its_enemy (its_cover z)) -> apart own en ->
    far (its_dangers z) own (union en (against z)) -> lasts own en (its_bound (its_cover z)).

  Definition turned_zone (s : permutation) (z : zone) : zone :=
    Zone (turned_cover s (its_cover z)) (image s (its_blank z))
      (map (fun wd => (image s (fst wd), snd wd)) (its_dangers z)).

  (** A reply: the move, the moves that it omits, and the node after it. *)
  Definition response := (N * N * option zone)%type.

  (** The moves that each reply answers: those that no earlier one does. *)
  Fixpoint answered (moves : N) (rs : list response) : list (response * N) :=
    match rs with
    | [] => []
    | (m, omits, t) :: rs =>
        let given := match t with
                     | Some z => common moves (its_enemy (its_cover z))
                     | None => moves
                     end in
        let x := without given (union (one m) omits) in
        ((m, omits, t), x) :: answered (without moves x) rs
    end.

  Definition fits_reply (own enemy : N) (left : bound) (rx : response * N) : bool :=
    let '(m, _, t, _) := rx in
    is_free g own enemy m &&
    match t with
    | None => met_b own_goal (put own m)
    | Some z => inside_b (its_own (its_cover z)) (put own m)
                && inside_b enemy (its_enemy (its_cover z))
                && enough win (its_bound (its_cover z)) left
    end.

  Definition without_end (rx : response * N) : bool :=
    let '(_, _, t, _) := rx in
    match t with
    | None => true
    | Some z => match its_bound (its_cover z) with Ever => true | Plies _ => false end
    end.

  Definition number (s : N) : N := if empty s then 0 else N.of_nat (count (cells g) s).

  (** What the node after a reply needs, before it. *)
  Definition needed (own given : N) (rx : response * N) : dangers :=
    let '(m, _, t, x) := rx in
    match t with
    | Some z =>
        if empty x then []
        else
          let more := without (against z) given in
          let rest := without x more in
          map (fun wd => (fst wd, snd wd + number (common (fst wd) more)
                                  + (if apart_b (fst wd) rest then 0 else 1)))
            (filter (fun wd => negb (mem (fst wd) m) && apart_b (fst wd) own) (its_dangers z))
    | None => []
    end.

  Definition dangers_of (sets : list N) (own given zone : N) (rxs : list (response * N)) : dangers :=
    largest (filter (fun wd => negb (snd wd <=? number (common (fst wd) zone)))
      (map (fun w => (w, 2)) (filter (fun w => apart_b w own) sets)
       ++ flat_map (needed own given) rxs)).

  Definition harmless (rx : response * N) : bool :=
    let '(_, _, t, _) := rx in
    match t with Some z => match its_dangers z with [] => true | _ => false end | None => true end.

  Definition by_replies (own enemy blank : N) (left : bound) (rs : list response)
      : option (bound * dangers) :=
    match two_less left with
    | None => None
    | Some left' =>
        let given := without enemy blank in
        let moves := filter (fun c => negb (mem (union own given) c)) (cells g) in
        let rxs := answered (set_of moves) rs in
        if is_monotone
           && existsb (fun rx => negb (empty (snd rx))) rxs
           && forallb (fits_reply own enemy left') rxs
           && forallb (fun c => existsb (fun rx => mem (snd rx) c) rxs) moves
        then
          let b := if negb win && forallb without_end rxs then Ever else left in
          match enemy_goal with
          | Some (Owns sets) =>
              let zone := without board (union own enemy) in
              Some (b, dangers_of sets own given zone rxs)
          | _ =>
              if empty blank && forallb harmless rxs
                 && unmet_by_one enemy_goal enemy (free_cells g own enemy)
              then Some (b, [])
              else None
          end
        else None
    end.

  (** * What they prove is true *)

  Hypothesis distinct_cells : distinct 0 (cells g) = true.

  Lemma lasts_covers own en own' en' b : inside own own' -> inside en' en ->
    lasts own en b -> lasts own' en' b.
  Proof.
    unfold lasts. intros I J. destruct win.
    - destruct b; [| easy]. now apply good_covers.
    - intros H d D. apply (safe_covers _ _ _ _ own en); auto.
  Qed.

  (** Other covering nodes have no blank cells, and no dangers. *)
  Lemma covers_holds c : Covers c -> holds (Zone c 0 []).
  Proof.
    intros (Oo & Oe & C). split; [exact Oo |]. split; [exact Oe |]. cbn [its_cover].
    intros own en _ I J _ _. exact (lasts_covers _ _ _ _ _ I J C).
  Qed.

  Lemma holds_covers c : apart (its_own c) (its_enemy c) -> holds (Zone c 0 []) -> Covers c.
  Proof.
    intros A (Oo & Oe & C). cbn [its_cover] in *. split; [exact Oo |]. split; [exact Oe |].
    apply C; try assumption; try apply inside_refl. intros w d [].
  Qed.

  Lemma number_right s : N.to_nat (number s) = count (cells g) s.
  Proof.
    unfold number. destruct (empty s) eqn:E; [| lia]. rewrite empty_spec in E.
    now rewrite count_none.
  Qed.

  Lemma turned_holds s z : keeps g s -> holds z -> holds (turned_zone s z).
  Proof.
    intros K (Oo & Oe & C). unfold keeps, keeps_b in K. rewrite !andb_true_iff in K.
    destruct K as [[[P Kb] Kw] _].
    assert (keeps_goal (cells g) s own_goal = true /\ keeps_goal (cells g) s enemy_goal = true) as
        [Ko Ke].
    { destruct owner; simpl; now split. }
    unfold holds, turned_zone, turned_cover, against.
    cbn [its_cover its_own its_enemy its_bound its_blank its_dangers].
    split; [now apply image_on_board |]. split; [now apply image_on_board |].
    intros own en Oown I J A F.
    assert (on_board (cells g) en) as Oen.
    { intros c M. apply J in M. now apply (image_on_board (cells g) s P) in M. }
    set (back t := image (map (fun cd => (snd cd, fst cd)) s) t).
    assert (forall t c, mem (back t) c = true <-> exists d, In (c, d) s /\ mem t d = true) as Back.
    { intros t c. unfold back. rewrite mem_image. split; intros (d & X & M); exists d; split;
        try exact M.
      - apply in_map_iff in X. destruct X as ([a b] & E & X). simpl in E. now injection E as <- <-.
      - apply in_map_iff. now exists (c, d). }
    assert (forall t c d, In (c, d) s -> mem (back t) c = mem t d) as Mem.
    { intros t c d X. apply eq_true_iff_eq. rewrite Back. split; [| intros M; now exists d].
      intros (d' & X' & M). now rewrite (permutes_once (cells g) s P c d d' X X'). }
    assert (forall t, on_board (cells g) t -> image s (back t) = t) as Image.
    { intros t O. apply same_set. intros d. apply eq_true_iff_eq. rewrite mem_image. split.
      - intros (c & X & M). now rewrite (Mem t c d X) in M.
      - intros M. destruct (permutes_from (cells g) s P d (O d M)) as (c & X & _). exists c.
        split; [exact X |]. now rewrite (Mem t c d X). }
    assert (forall t, on_board (cells g) (back t)) as On.
    { intros t c M. apply Back in M. destruct M as (d & X & _). unfold permutes in P.
      rewrite !andb_true_iff, !N.eqb_eq in P. destruct P as [[[W _] _] _].
      apply mem_set_of. rewrite <- W. apply mem_set_of, in_map_iff. now exists (c, d). }
    assert (lasts (back own) (back en) (its_bound (its_cover z))) as L.
    { apply C.
      - apply On.
      - apply (inside_image (cells g) s P); [exact Oo |]. now rewrite Image.
      - apply (inside_image (cells g) s P); [apply On |]. now rewrite Image.
      - intros c M. apply Back in M. destruct M as (d & X & M). rewrite (Mem en c d X). now apply A.
      - intros w d W Aw.
        assert (apart (image s w) own) as Ai.
        { intros e M. apply mem_image in M. destruct M as (c & X & M).
          rewrite <- (Mem own c e X). now apply Aw. }
        assert (In (image s w, d) (map (fun wd => (image s (fst wd), snd wd)) (its_dangers z))) as Wi.
        { apply in_map_iff. now exists (w, d). }
        specialize (F _ _ Wi Ai).
        refine (Nat.le_trans _ _ _ F (Nat.le_trans _ _ _ _
          (count_image (cells g) (distinct_board g distinct_cells) s _ P))).
        apply count_inside. intros e. rewrite mem_without, andb_true_iff, negb_true_iff, mem_union,
          orb_false_iff, mem_without, !mem_image.
        intros [(c & X & M) [N1 N2]]. exists c. split; [exact X |].
        rewrite mem_without, M, mem_union, (Mem en c e X), N1. simpl. unfold against.
        rewrite mem_without. rewrite !(mem_image_of (cells g) s P c e _ X) in N2. now rewrite N2. }
    rewrite <- (Image own Oown), <- (Image en Oen). unfold lasts in *. destruct win.
    - destruct (its_bound (its_cover z)); [| exact L]. apply good_image; auto.
    - intros d D. apply safe_image; auto.
  Qed.

  Lemma answered_right rs : forall moves m o t x, In (m, o, t, x) (answered moves rs) ->
    In (m, o, t) rs /\ mem x m = false /\
    forall z, t = Some z -> inside x (its_enemy (its_cover z)).
  Proof.
    induction rs as [| [[m' o'] t'] rs IH]; intros moves m o t x I; [destruct I |].
    cbn [answered] in I. cbv zeta in I. remember (without _ (union (one m') o')) as x' eqn:Ex.
    destruct I as [E | I].
    - injection E as <- <- <- <-. subst x'. split; [now left |]. split.
      + rewrite mem_without, mem_union, mem_one, N.eqb_refl. simpl. apply andb_false_r.
      + intros z -> c. rewrite mem_without, mem_common, !andb_true_iff. now intros [[_ M] _].
    - apply IH in I. destruct I as (I & R). split; [now right | exact R].
  Qed.

  Lemma replies_right own0 en0 blank left rs b ds :
    on_board (cells g) own0 -> on_board (cells g) en0 ->
    (blank = 0 -> ~ met enemy_goal en0) ->
    (forall m o z, In (m, o, Some z) rs -> holds z) ->
    by_replies own0 en0 blank left rs = Some (b, ds) ->
    holds (Zone (Cover own0 en0 b) blank ds).
  Proof.
    intros Oo Oe Unmet T. unfold by_replies. destruct left as [n |]; [| discriminate].
    simpl two_less. destruct (N.ltb_spec n 2) as [| L]; [discriminate |].
    set (given := without en0 blank).
    set (moves := filter (fun c => negb (mem (union own0 given) c)) (cells g)).
    set (rxs := answered (set_of moves) rs).
    destruct (is_monotone && _ && _ && _) eqn:E; [| discriminate].
    rewrite !andb_true_iff in E. destruct E as [[[_ Some0] Fit] Ans].
    rewrite forallb_forall in Fit, Ans. apply existsb_exists in Some0.
    destruct Some0 as ([[[m0 o0] t0] x0] & I0 & NE0). cbn [snd] in NE0. apply negb_true_iff in NE0.
    set (b' := if negb win && forallb without_end rxs then Ever else Plies n). intros X.
    split; [exact Oo |]. split; [exact Oe |].
    unfold against. cbn [its_cover its_own its_enemy its_bound its_blank its_dangers]. fold given.
    intros own en Oown I J A F.
    assert (forall m o t x, In (m, o, t, x) rxs -> free (cells g) own0 en0 m) as Free.
    { intros m o t x Ir. specialize (Fit _ Ir). unfold fits_reply in Fit. apply andb_true_iff in Fit.
      now apply is_free_right. }
    assert (inside given en0) as Jg.
    { intros c. unfold given. rewrite mem_without, andb_true_iff. tauto. }
    (* The enemy has no set, and gets none by a stone; and what later nodes need is there. *)
    assert (b = b' /\ ~ met enemy_goal en /\
      (forall c, free (cells g) own en c -> ~ met enemy_goal (put en c)) /\
      (forall m o z x y en', In (m, o, Some z, x) rxs -> empty x = false ->
        (forall c, mem en' c = true ->
           mem en c = true \/ mem given c = true \/ mem x c = true /\ c = y) ->
        far (its_dangers z) (put own m) (union en' (against z)))) as (-> & By0 & By1 & Far).
    { destruct enemy_goal as [[sets | graph first last] |] eqn:Goal.
      2, 3: destruct (empty blank && forallb harmless rxs && _) eqn:H; [| discriminate];
        injection X as <- <-; rewrite !andb_true_iff in H; destruct H as [[Bl H] One];
        apply N.eqb_eq in Bl; rewrite forallb_forall in H;
        (split; [reflexivity |]); (split; [intros M; apply (Unmet Bl);
          now apply (met_more _ en) |]);
        (split; [intros c (B & O & Fc) M; destruct (mem en0 c) eqn:Ec;
           [apply (Unmet Bl); apply (met_more _ (put en c)); [now apply put_inside | exact M]
           | apply (unmet_by_one_right _ _ _ c One);
             [apply free_cells_right; repeat split; [exact B | | exact Ec];
              destruct (mem own0 c) eqn:Y; [apply I in Y; congruence | reflexivity]
             | apply (met_more _ (put en c)); [now apply inside_put | exact M]]]
         | intros m o z x y en' Ir _ _ w d W; specialize (H _ Ir); simpl in H;
           destruct (its_dangers z); [destruct W | discriminate]]).
      set (zone := without board (union own0 en0)) in *.
      injection X as <- <-.
      assert (far (map (fun w => (w, 2)) (filter (fun w => apart_b w own0) sets)
               ++ flat_map (needed own0 given) rxs) own (union en given)) as All.
      { intros w d W Aw. destruct (N.leb_spec d (number (common w zone))) as [S | S].
        - apply Nat.le_trans with (count (cells g) (common w zone)).
          { rewrite <- number_right. lia. }
          apply count_inside. intros c. rewrite mem_common, mem_without, andb_true_iff. unfold zone.
          rewrite mem_without, andb_true_iff, negb_true_iff, mem_union, orb_false_iff.
          intros [-> [_ [_ N]]]. simpl. rewrite negb_true_iff, mem_union, orb_false_iff. split.
          + destruct (mem en c) eqn:Y; [apply J in Y; congruence | reflexivity].
          + destruct (mem given c) eqn:Y; [apply Jg in Y; congruence | reflexivity].
        - destruct (largest_right (filter (fun wd => negb (snd wd <=? number (common (fst wd) zone)))
            (map (fun w => (w, 2)) (filter (fun w => apart_b w own0) sets)
             ++ flat_map (needed own0 given) rxs)) w d) as (d' & Ld & W').
          { apply filter_In. split; [exact W |]. simpl. rewrite negb_true_iff. apply N.leb_gt.
            exact S. }
          specialize (F w d' W' Aw). lia. }
      assert (forall w c, In w sets -> apart w own -> inside w (put en c) -> False) as Two.
      { intros w c W Aw Iw. assert (2 <= 1)%nat as Bad; [| lia].
        apply Nat.le_trans with (count (cells g) (without w (union en given))).
        - change 2%nat with (N.to_nat 2). apply All; [| exact Aw]. apply in_or_app. left.
          apply in_map_iff. exists w. split; [reflexivity |]. apply filter_In. split; [exact W |].
          apply apart_b_spec. apply (apart_inside w own); [exact Aw | apply inside_refl | exact I].
        - apply (count_one (cells g) (distinct_board g distinct_cells) _ c). intros e.
          rewrite mem_without, mem_union, andb_true_iff, negb_true_iff, orb_false_iff.
          intros [M [N _]]. apply Iw in M. rewrite mem_put, N in M. simpl in M.
          symmetry. now apply N.eqb_eq. }
      split; [reflexivity |]. split; [| split].
      - intros (w & W & Iw). apply (Two w 0 W).
        + apply apart_sym. apply (apart_inside own en); [exact A | apply inside_refl | exact Iw].
        + now apply inside_put_r.
      - intros c (_ & Oc & _) (w & W & Iw). apply (Two w c W); [| exact Iw].
        apply (apart_inside (put en c) own); [| exact Iw | apply inside_refl].
        apply apart_put_l; [now apply apart_sym | exact Oc].
      - intros m o z x y en' Ir NE En w e W Aw.
        assert (mem w m = false) as Wm.
        { destruct (mem w m) eqn:Y; [| reflexivity]. apply Aw in Y. now rewrite mem_put_same in Y. }
        assert (apart w own) as Awo.
        { apply (apart_inside w (put own m)); [exact Aw | apply inside_refl |].
          apply inside_put_r, inside_refl. }
        set (more := without (against z) given). set (rest := without x more).
        assert (N.to_nat (e + number (common w more) + (if apart_b w rest then 0 else 1)) <=
          count (cells g) (without w (union en given)))%nat as D.
        { apply All; [| exact Awo]. apply in_or_app. right. apply in_flat_map.
          exists (m, o, Some z, x). split; [exact Ir |]. unfold needed. rewrite NE.
          apply in_map_iff. exists (w, e). split; [reflexivity |]. apply filter_In.
          split; [exact W |]. simpl. rewrite Wm. simpl. apply apart_b_spec.
          apply (apart_inside w own); [exact Awo | apply inside_refl | exact I]. }
        rewrite !N2Nat.inj_add, number_right in D.
        set (last := common (common w rest) (one y)).
        assert (count (cells g) last <= N.to_nat (if apart_b w rest then 0 else 1))%nat as One.
        { destruct (apart_b w rest) eqn:Y.
          - rewrite (count_none (cells g)); [lia |]. intros c. unfold last. rewrite !mem_common.
            apply apart_b_spec in Y. destruct (mem w c) eqn:M; [| reflexivity]. now rewrite (Y c M).
          - apply (count_one (cells g) (distinct_board g distinct_cells) _ y). intros c. unfold last.
            rewrite !mem_common, mem_one, !andb_true_iff, N.eqb_eq. now intros [_ ->]. }
        pose proof (count_cover (cells g) (without w (union en given))
          (without w (union en' (against z))) (union (common w more) last)) as C1.
        pose proof (count_cover (cells g) (union (common w more) last) (common w more) last) as C2.
        assert (forall c, mem (without w (union en given)) c = true ->
          mem (without w (union en' (against z))) c = true \/
          mem (union (common w more) last) c = true) as Sub.
        { intros c. rewrite !mem_without, !mem_union, !andb_true_iff, !negb_true_iff, !orb_false_iff.
          intros [M [N1 N2]]. destruct (mem (against z) c) eqn:Y.
          - right. apply orb_true_iff. left. unfold more. now rewrite mem_common, M, mem_without, Y, N2.
          - destruct (mem en' c) eqn:Y'; [| now left]. right. apply orb_true_iff. right.
            destruct (En c Y') as [Z | [Z | [Z ->]]]; [congruence | congruence |].
            unfold last, rest, more. rewrite !mem_common, mem_one, !mem_without, M, Z, Y, N.eqb_refl.
            reflexivity. }
        specialize (C1 Sub). assert (forall c, mem (union (common w more) last) c = true ->
          mem (common w more) c = true \/ mem last c = true) as Sub2.
        { intros c. rewrite mem_union, orb_true_iff. tauto. }
        specialize (C2 Sub2). lia. }
    (* The reply after a stone, or after none. *)
    assert (forall m o t x y en', In (m, o, t, x) rxs -> empty x = false ->
      (forall c, mem en' c = true ->
         mem en c = true \/ mem given c = true \/ mem x c = true /\ c = y) ->
      apart own en' -> ~ met enemy_goal en' ->
      may_add (cells g) (Some m) en' /\
      (win = true -> Good (N.to_nat (n - 2)) (put own m) en') /\
      (win = false -> forall d, within d (if without_end (m, o, t, x) then Ever else Plies (n - 2)) ->
        Safe d (put own m) en')) as After.
    { intros m o t x y en' Ir NE En A' Un. pose proof (Fit _ Ir) as Ft.
      destruct (Free m o t x Ir) as (Bm & _ & Fm).
      destruct (answered_right _ _ _ _ _ _ Ir) as (Irs & Xm & Xe).
      unfold fits_reply in Ft. apply andb_true_iff in Ft. destruct Ft as [_ Ft].
      assert (mem en' m = false) as Em.
      { destruct (mem en' m) eqn:Y; [| reflexivity].
        destruct (En m Y) as [Z | [Z | [Z _]]]; [apply J in Z | apply Jg in Z |]; congruence. }
      split; [now split |]. destruct t as [z |].
      - rewrite !andb_true_iff, !inside_b_spec in Ft. destruct Ft as [[In1 In2] Eno].
        assert (lasts (put own m) en' (its_bound (its_cover z))) as La.
        { destruct (T m o z Irs) as (_ & _ & H). apply H.
          - now apply on_board_put.
          - apply (inside_trans _ (put own0 m)); [exact In1 | now apply inside_put].
          - intros c M. destruct (En c M) as [Z | [Z | [Z _]]]; [| | now apply (Xe z)]; apply In2;
              [now apply J | now apply Jg].
          - now apply apart_put_l.
          - exact (Far m o z x y en' Ir NE En). }
        unfold lasts in La. unfold without_end, enough in *. split; intros W; rewrite W in *.
        + destruct (its_bound (its_cover z)) as [nb |]; [| contradiction]. apply N.leb_le in Eno.
          apply (good_within _ _ _ (N.to_nat nb)); [lia | exact La].
        + intros d Wd. apply La. destruct (its_bound (its_cover z)) as [nb |]; [| exact Logic.I].
          simpl in *. apply N.leb_le in Eno. lia.
      - apply met_right in Ft.
        assert (met own_goal (put own m)) as Met.
        { apply (met_more _ (put own0 m)); [now apply inside_put | exact Ft]. }
        split; intros W.
        + apply good_unfold. split; [exact Un | now left].
        + intros d _. apply safe_unfold. split; [exact Un | now left]. }
    assert (exists m o t x, In (m, o, t, x) rxs /\ may_add (cells g) (Some m) en /\
      (win = true -> Good (N.to_nat (n - 2)) (put own m) en) /\
      (win = false -> forall d, within d (if without_end (m, o, t, x) then Ever else Plies (n - 2)) ->
        Safe d (put own m) en)) as Pass.
    { exists m0, o0, t0, x0. split; [exact I0 |]. apply (After m0 o0 t0 x0 0 en); auto. }
    assert (forall c, free (cells g) own en c -> exists m o t x, In (m, o, t, x) rxs /\
      may_add (cells g) (Some m) (put en c) /\
      (win = true -> Good (N.to_nat (n - 2)) (put own m) (put en c)) /\
      (win = false -> forall d, within d (if without_end (m, o, t, x) then Ever else Plies (n - 2)) ->
        Safe d (put own m) (put en c))) as Stone.
    { intros c Fc. pose proof Fc as (Bc & Oc & Ec).
      assert (apart own (put en c)) as Ac.
      { apply apart_sym, apart_put_l; [now apply apart_sym | exact Oc]. }
      destruct (mem given c) eqn:Gc.
      - exists m0, o0, t0, x0. split; [exact I0 |]. apply (After m0 o0 t0 x0 0); auto.
        intros e. rewrite mem_put, orb_true_iff, N.eqb_eq. intros [Z | <-]; auto.
      - assert (In c moves) as Mc.
        { unfold moves. apply filter_In. split; [exact Bc |].
          rewrite negb_true_iff, mem_union, Gc, orb_false_r.
          destruct (mem own0 c) eqn:Y; [apply I in Y; congruence | reflexivity]. }
        specialize (Ans c Mc). apply existsb_exists in Ans.
        destruct Ans as ([[[m o] t] x] & Ir & Xc). cbn [snd] in Xc. exists m, o, t, x.
        split; [exact Ir |]. apply (After m o t x c); auto.
        + destruct (empty x) eqn:Y; [| reflexivity]. rewrite empty_spec in Y. now rewrite Y in Xc.
        + intros e. rewrite mem_put, orb_true_iff, N.eqb_eq. intros [Z | <-]; auto. }
    clear After Far F. unfold lasts. unfold b'. destruct win eqn:W.
    - cbn [negb andb]. replace (N.to_nat n) with (S (S (N.to_nat (n - 2)))) by lia.
      apply good_unfold. split; [exact By0 | right]. split.
      + destruct Pass as (m & o & t & x & _ & Ma & G & _). exists (Some m). auto.
      + intros c Fc. destruct (Stone c Fc) as (m & o & t & x & _ & Ma & G & _). exists (Some m). auto.
    - cbn [negb andb]. intros d Wd. apply safe_unfold. split; [exact By0 | right].
      destruct d as [| d]; [exact Logic.I |]. split; [exact By1 |].
      destruct d as [| d]; [exact Logic.I |].
      assert (forall m o t x, In (m, o, t, x) rxs ->
        within d (if without_end (m, o, t, x) then Ever else Plies (n - 2))) as Wt.
      { intros m o t x Ir. destruct (without_end (m, o, t, x)) eqn:Em; [exact Logic.I |].
        destruct (forallb without_end rxs) eqn:Al.
        - rewrite forallb_forall in Al. rewrite (Al _ Ir) in Em. discriminate.
        - simpl in *. lia. }
      split.
      + destruct Pass as (m & o & t & x & Ir & Ma & _ & G). exists (Some m). split; [exact Ma |].
        apply G; [reflexivity | now apply Wt].
      + intros c Fc. destruct (Stone c Fc) as (m & o & t & x & Ir & Ma & _ & G). exists (Some m).
        split; [exact Ma |]. apply G; [reflexivity | now apply (Wt m o t x)].
  Qed.
End Zones.
