(** Positional games: who has won, how many cells are open, and symmetries. *)

From Coq Require Import Arith NArith List Bool Lia.
From Skolemate Require Import Cells Game Goals Symmetry.
Import ListNotations.
Open Scope N_scope.

Section Stones.
  Variable g : positional.
  Hypothesis distinct_cells : distinct 0 (cells g) = true.

  Notation r := (positional_rules g).

  (** * Who has won *)

  Definition judge (p : position) : option (option player) :=
    if met_b (goal_of g Black) (black p) then Some (Some Black)
    else if negb (unmet_b (goal_of g Black) (black p)) then None
    else if met_b (goal_of g White) (white p) then Some (Some White)
    else if negb (unmet_b (goal_of g White) (white p)) then None
    else match turn_at g p, goal_of g Black, goal_of g White with
         | Some _, _, _ => Some None
         | None, None, _ => Some (Some Black)
         | None, _, None => Some (Some White)
         | None, _, _ => Some None
         end.

  Lemma judge_won p w : judge p = Some (Some w) -> won r w p /\ ~ won r (opponent w) p.
  Proof.
    unfold judge. simpl.
    destruct (met_b (goal_of g Black) (black p)) eqn:B.
    { intros [= <-]. apply met_right in B. simpl. tauto. }
    destruct (unmet_b (goal_of g Black) (black p)) eqn:B'; [| discriminate]. simpl.
    apply unmet_right in B'.
    destruct (met_b (goal_of g White) (white p)) eqn:W.
    { intros [= <-]. apply met_right in W. simpl. tauto. }
    destruct (unmet_b (goal_of g White) (white p)) eqn:W'; [| discriminate]. simpl.
    apply unmet_right in W'.
    destruct (turn_at g p) eqn:T; [discriminate |].
    destruct (goal_of g Black) as [gb |] eqn:Gb, (goal_of g White) as [gw |] eqn:Gw;
      intros [= <-]; simpl; rewrite ?Gb, ?Gw, ?T.
    - split; [split; [exact B' | right; easy] |]. intros [X | (X & _)]; [exact (B' X) | easy].
    - split; [right; easy |]. intros (_ & [X | (X & _)]); [exact (W' X) | easy].
    - split; [right; easy |]. intros (_ & [X | (_ & X & _)]); [exact X | easy].
  Qed.

  Lemma judge_open p : judge p = Some None -> ~ over r p.
  Proof.
    unfold judge, over. simpl.
    destruct (met_b (goal_of g Black) (black p)); [discriminate |].
    destruct (unmet_b (goal_of g Black) (black p)) eqn:B'; [| discriminate]. simpl.
    destruct (met_b (goal_of g White) (white p)); [discriminate |].
    destruct (unmet_b (goal_of g White) (white p)) eqn:W'; [| discriminate]. simpl.
    apply unmet_right in B', W'.
    destruct (turn_at g p) eqn:T.
    - intros _ [[X | (_ & X & _)] | (_ & [X | (_ & _ & X)])]; easy.
    - destruct (goal_of g Black) as [gb |], (goal_of g White) as [gw |]; try discriminate.
      intros _ [[X | (X & _)] | (_ & [X | (X & _)])]; easy.
  Qed.

  (** * Moves *)

  Definition can_move (p : position) : bool :=
    match turn_at g p with None => false | Some _ => existsb (allowed g p) (cells g) end.

  Lemma can_move_spec p : can_move p = true <-> moves r p <> [].
  Proof.
    unfold can_move. simpl. unfold placements. destruct (turn_at g p); [| easy].
    rewrite existsb_exists. split.
    - intros (c & I & A) E. apply map_eq_nil in E.
      assert (In c (filter (allowed g p) (cells g))) as X by now apply filter_In.
      rewrite E in X. destruct X.
    - intros E. destruct (filter (allowed g p) (cells g)) as [| c l] eqn:F; [easy |].
      exists c. apply filter_In. rewrite F. now left.
  Qed.

  Lemma in_placements p m q : In (m, q) (placements g p) <->
    exists pl, turn_at g p = Some pl /\ In m (cells g) /\ allowed g p m = true /\ q = place pl p m.
  Proof.
    unfold placements. destruct (turn_at g p) as [pl |]; [| split; [easy | now intros (pl & X & _)]].
    rewrite in_map_iff. split.
    - intros (c & [= <- <-] & F). apply filter_In in F. exists pl. tauto.
    - intros (pl' & [= <-] & I & A & ->). exists m. split; [reflexivity |]. now apply filter_In.
  Qed.

  (** * The turns fit the open cells *)

  Definition is_open (p : position) (c : N) : bool := negb (mem (taken p) c).
  Definition open_cells (p : position) : list N := filter (is_open p) (cells g).
  Definition turns_left (p : position) : nat := length (schedule g) - N.to_nat (clock p).

  (** Whether the board is full when the turns are over. *)
  Definition fills : bool :=
    Nat.eqb (turns_left (start g)) (length (open_cells (start g))).

  Definition fits (p : position) : Prop :=
    on_board (cells g) (black p) /\ on_board (cells g) (white p) /\ apart (black p) (white p) /\
    (turns_left p <= length (open_cells p))%nat /\
    (fills = true -> turns_left p = length (open_cells p)).

  Definition fits_start : bool :=
    let board := set_of (cells g) in
    inside_b (black (start g)) board && inside_b (white (start g)) board &&
    apart_b (black (start g)) (white (start g)) &&
    Nat.leb (turns_left (start g)) (length (open_cells (start g))).

  Lemma fits_start_right : fits_start = true -> fits (start g).
  Proof.
    unfold fits_start, fits. rewrite !andb_true_iff, !inside_b_spec, apart_b_spec, Nat.leb_le.
    intros [[[B W] A] L]. repeat split; try assumption.
    - intros c M. apply mem_set_of. now apply B.
    - intros c M. apply mem_set_of. now apply W.
    - unfold fills. now rewrite Nat.eqb_eq.
  Qed.

  Lemma turn_left p : turn_at g p <> None <-> (0 < turns_left p)%nat.
  Proof. unfold turn_at, turns_left. rewrite nth_error_Some. lia. Qed.

  Lemma turns_left_place pl p c :
    turn_at g p <> None -> turns_left p = S (turns_left (place pl p c)).
  Proof.
    unfold turn_at. rewrite nth_error_Some. unfold turns_left. destruct pl; simpl; lia.
  Qed.

  Lemma taken_place pl p c : taken (place pl p c) = put (taken p) c.
  Proof.
    apply same_set. intros d. unfold taken. destruct pl; simpl;
      rewrite !mem_union, !mem_put, !mem_union; now destruct (mem (black p) d), (mem (white p) d), (c =? d).
  Qed.

  Lemma filter_less (f f' : N -> bool) c l : NoDup l -> In c l -> f c = true ->
    (forall d, f' d = f d && negb (c =? d)) -> length (filter f l) = S (length (filter f' l)).
  Proof.
    intros D I F H. induction l as [| d l IH]; [destruct I |].
    inversion D as [| ? ? Nd D']; subst. simpl. rewrite (H d).
    destruct (N.eqb_spec c d) as [<- | X].
    - rewrite F. simpl. f_equal. f_equal. apply filter_ext_in. intros e E.
      rewrite H. destruct (N.eqb_spec c e) as [<- |]; [contradiction |]. now rewrite andb_true_r.
    - destruct I as [<- | I]; [easy |]. rewrite andb_true_r.
      destruct (f d); simpl; [f_equal |]; now apply IH.
  Qed.

  Lemma open_cells_place pl p c : In c (cells g) -> is_open p c = true ->
    length (open_cells p) = S (length (open_cells (place pl p c))).
  Proof.
    intros I O. apply (filter_less _ _ c); [| exact I | exact O |].
    - now apply (distinct_spec _ 0).
    - intros d. unfold is_open. rewrite taken_place, mem_put. apply negb_orb.
  Qed.

  Lemma allowed_open p c : allowed g p c = true -> is_open p c = true.
  Proof. unfold allowed. rewrite andb_true_iff. now intros [X _]. Qed.

  Lemma fits_place pl p c : fits p -> turn_at g p = Some pl -> In c (cells g) ->
    is_open p c = true -> fits (place pl p c).
  Proof.
    intros (B & W & A & L & E) T I O. assert (turn_at g p <> None) as T' by now rewrite T.
    pose proof (turns_left_place pl p c T') as X. pose proof (open_cells_place pl p c I O) as Y.
    unfold is_open, taken in O. rewrite negb_true_iff, mem_union, orb_false_iff in O.
    destruct O as [Ob Ow].
    assert (forall s, on_board (cells g) s -> on_board (cells g) (put s c)) as Put.
    { intros s S d. rewrite mem_put, orb_true_iff, N.eqb_eq. intros [M | <-]; auto. }
    unfold fits. repeat split; try lia; try (intros Z; specialize (E Z); lia);
      destruct pl; simpl; auto.
    - now apply apart_put_l.
    - apply apart_sym, apart_put_l; [now apply apart_sym | exact Ob].
  Qed.

  Lemma fits_after p m q : fits p -> In (m, q) (moves r p) -> fits q.
  Proof.
    simpl. rewrite in_placements. intros F (pl & T & I & A & ->).
    apply fits_place; auto using allowed_open.
  Qed.

  Lemma full_board p : fits p -> fills = true -> turn_at g p = None ->
    forall c, In c (cells g) -> is_open p c = false.
  Proof.
    intros (_ & _ & _ & _ & E) F T c I. specialize (E F).
    assert (turns_left p = 0)%nat as Z.
    { destruct (turns_left p) eqn:X; [reflexivity |].
      exfalso. apply (proj2 (turn_left p)); [lia | exact T]. }
    rewrite Z in E. destruct (is_open p c) eqn:O; [| reflexivity].
    assert (In c (open_cells p)) as X by now apply filter_In.
    destruct (open_cells p); [destruct X | discriminate].
  Qed.

  Lemma room p pl : fits p -> turn_at g p = Some pl ->
    exists c, In c (cells g) /\ is_open p c = true.
  Proof.
    intros (_ & _ & _ & L & _) T.
    assert (0 < turns_left p)%nat by (apply turn_left; now rewrite T).
    destruct (open_cells p) as [| c l] eqn:E; [simpl in L; lia |].
    exists c. apply (filter_In (is_open p)). fold (open_cells p). rewrite E. now left.
  Qed.

  (** * Symmetries *)

  Definition keeps_b (s : permutation) : bool :=
    permutes (cells g) s &&
    keeps_goal (cells g) s (goal_of g Black) && keeps_goal (cells g) s (goal_of g White) &&
    match first_cells g with
    | None => true
    | Some f => inside_b f (set_of (cells g)) && (image s f =? f)
    end.

  Definition keeps (s : permutation) : Prop := keeps_b s = true.

  Definition turned (s : permutation) (p : position) : position :=
    At (image s (black p)) (image s (white p)) (clock p).

  Lemma turned_open s p c d : keeps s -> In (c, d) s -> is_open (turned s p) d = is_open p c.
  Proof.
    intros K I. unfold keeps, keeps_b in K. rewrite !andb_true_iff in K.
    destruct K as [[[P _] _] _]. unfold is_open, taken. simpl. rewrite !mem_union.
    now rewrite !(mem_image_of (cells g) s P c d _ I).
  Qed.

  Lemma turned_place s p pl c d : keeps s -> In (c, d) s ->
    turned s (place pl p c) = place pl (turned s p) d.
  Proof.
    intros K I. unfold keeps, keeps_b in K. rewrite !andb_true_iff in K.
    destruct K as [[[P _] _] _].
    destruct pl; unfold turned; simpl; now rewrite (image_put (cells g) s P _ c d I).
  Qed.

  Lemma turned_count s p : keeps s -> length (open_cells (turned s p)) = length (open_cells p).
  Proof.
    intros K. pose proof K as K'. unfold keeps, keeps_b in K. rewrite !andb_true_iff in K.
    destruct K as [[[P _] _] _].
    assert (NoDup (open_cells p) /\ NoDup (open_cells (turned s p))) as [D D'].
    { split; apply NoDup_filter; now apply (distinct_spec _ 0). }
    set (f c := hd 0 (map snd (filter (fun cd => fst cd =? c) s))).
    assert (forall c d, In (c, d) s -> f c = d) as F.
    { intros c d I. unfold f. destruct (filter (fun cd => fst cd =? c) s) as [| [c' d'] l] eqn:E.
      - assert (In (c, d) []) as X; [| destruct X].
        rewrite <- E. apply filter_In. split; [exact I |]. apply N.eqb_refl.
      - assert (In (c', d') s /\ c' =? c = true) as [I' X].
        { apply filter_In with (f := fun cd => fst cd =? c). rewrite E. now left. }
        apply N.eqb_eq in X. subst c'. simpl. exact (permutes_once (cells g) s P c d' d I' I). }
    rewrite <- (map_length f (open_cells p)). apply Nat.le_antisymm.
    - apply NoDup_incl_length; [exact D' |]. intros d X. apply filter_In in X. destruct X as [I O].
      destruct (permutes_from (cells g) s P d I) as (c & J & C).
      apply in_map_iff. exists c. split; [now apply F |]. apply filter_In. split; [exact C |].
      now rewrite <- (turned_open s p c d K' J).
    - apply NoDup_incl_length.
      + assert (forall l, NoDup l -> (forall c, In c l -> In c (cells g)) -> NoDup (map f l)) as H.
        { induction l as [| c l IH]; simpl; intros Dl Sub; [constructor |].
          inversion Dl as [| ? ? Nc Dl']; subst. constructor; [| apply IH; auto].
          rewrite in_map_iff. intros (c' & E & I).
          destruct (permutes_to (cells g) s P c (Sub c (or_introl eq_refl))) as (d & J & _).
          destruct (permutes_to (cells g) s P c' (Sub c' (or_intror I))) as (d' & J' & _).
          rewrite (F c d J), (F c' d' J') in E. subst d'.
          now rewrite (permutes_one (cells g) s P c c' d J J') in Nc. }
        apply H; [exact D |]. intros c X. now apply filter_In in X.
      + intros d X. apply in_map_iff in X. destruct X as (c & <- & X).
        apply filter_In in X. destruct X as [I O].
        destruct (permutes_to (cells g) s P c I) as (d & J & Dd).
        rewrite (F c d J). apply filter_In. split; [exact Dd |].
        now rewrite (turned_open s p c d K' J).
  Qed.

  Lemma turned_fits s p : keeps s -> fits p -> fits (turned s p).
  Proof.
    intros K (B & W & A & L & E). pose proof K as K'. unfold keeps, keeps_b in K.
    rewrite !andb_true_iff in K. destruct K as [[[P _] _] _].
    unfold fits. rewrite (turned_count s p K'). repeat split; try assumption.
    - apply (image_on_board (cells g) s P).
    - apply (image_on_board (cells g) s P).
    - intros d M. simpl in *. apply mem_image in M. destruct M as (c & I & M).
      rewrite (mem_image_of (cells g) s P c d _ I). now apply A.
  Qed.

  Lemma turned_alike s p p' : keeps s -> fits p /\ p' = turned s p ->
    turn_at g p = turn_at g p' /\ (forall pl, has_won g pl p <-> has_won g pl p') /\
    (False <-> False) /\
    (forall m q, In (m, q) (placements g p) ->
       exists m' q', In (m', q') (placements g p') /\ fits q /\ q' = turned s q) /\
    (forall m' q', In (m', q') (placements g p') ->
       exists m q, In (m, q) (placements g p) /\ fits q /\ q' = turned s q).
  Proof.
    intros K [F ->]. pose proof K as K'. unfold keeps, keeps_b in K.
    rewrite !andb_true_iff in K. destruct K as [[[P Gb] Gw] Fc].
    assert (forall c d, In (c, d) s -> allowed g (turned s p) d = allowed g p c) as Al.
    { intros c d I. unfold allowed. fold (is_open (turned s p) d). fold (is_open p c).
      rewrite (turned_open s p c d K' I). f_equal. destruct (first_cells g) as [f |]; [| reflexivity].
      apply andb_true_iff in Fc. destruct Fc as [_ Fc]. apply N.eqb_eq in Fc.
      simpl. f_equal. rewrite <- Fc at 1. apply (mem_image_of (cells g) s P c d f I). }
    destruct F as (B & W & A & L & E).
    assert (fits p) as F by now unfold fits.
    pose proof (keeps_goal_right (cells g) s P _ (black p) Gb B) as Mb.
    pose proof (keeps_goal_right (cells g) s P _ (white p) Gw W) as Mw.
    split; [reflexivity |]. split.
    { intros [|]; unfold has_won; change (turn_at g (turned s p)) with (turn_at g p);
        unfold turned; simpl; rewrite Mb, Mw; reflexivity. }
    split; [reflexivity |]. split.
    - intros m q H. pose proof (fits_after p m q F H) as Fq. apply in_placements in H.
      destruct H as (pl & T & I & Am & ->). destruct (permutes_to (cells g) s P m I) as (d & J & D).
      exists d, (turned s (place pl p m)). split; [| now split]. apply in_placements.
      exists pl. repeat split; [exact T | exact D | now rewrite (Al m d J) |].
      now apply turned_place.
    - intros d q H. apply in_placements in H. destruct H as (pl & T & D & Ad & ->).
      destruct (permutes_from (cells g) s P d D) as (c & J & C).
      assert (In (c, place pl p c) (placements g p)) as H.
      { apply in_placements. exists pl. repeat split; [exact T | exact C |].
        now rewrite <- (Al c d J). }
      exists c, (place pl p c). split; [exact H |]. split; [exact (fits_after p _ _ F H) |].
      symmetry. now apply turned_place.
  Qed.

  Lemma turned_wins s pl p d : keeps s -> fits p -> wins r pl d (turned s p) <-> wins r pl d p.
  Proof.
    intros K F. symmetry. apply (alike_wins r (fun p p' => fits p /\ p' = turned s p)).
    - intros p0 p' H. exact (turned_alike s p0 p' K H).
    - now split.
  Qed.
End Stones.
