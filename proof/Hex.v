(** On a Hex board at most one player joins the borders.

    A path from the top to the bottom separates the cells at its left from those at its right: for a
    cell beside the path, count the steps of the path from the cell's row to the next that lie to
    the right of the cell. Neighbours have the same parity; it is odd in the first column, and even
    in the last. *)

From Coq Require Import ZArith NArith List Bool Lia.
From Skolemate Require Import Cells Game Goals Symmetry.
Import ListNotations.
Open Scope Z_scope.

Definition spot := (Z * Z)%type.  (* column and row *)

Definition adjacent (p q : spot) : bool :=
  let (a, u) := p in let (b, v) := q in
  ((v =? u) && ((b =? a + 1) || (b =? a - 1))) ||
  ((v =? u + 1) && ((b =? a) || (b =? a - 1))) ||
  ((v =? u - 1) && ((b =? a) || (b =? a + 1))).

Fixpoint steps (l : list spot) : list (spot * spot) :=
  match l with
  | p :: (q :: _) as l' => (p, q) :: steps l'
  | _ => []
  end.

Definition parity (f : spot -> spot -> bool) (l : list spot) : bool :=
  fold_right (fun pq b => xorb (f (fst pq) (snd pq)) b) false (steps l).

Definition walk (l : list spot) : Prop := forall p q, In (p, q) (steps l) -> adjacent p q = true.

Lemma steps_in l p q : In (p, q) (steps l) -> In p l /\ In q l.
Proof.
  induction l as [| a l IH]; [intros [] |]. destruct l as [| b l]; [intros [] |].
  intros [E | I].
  - injection E as <- <-. split; [now left | right; now left].
  - apply IH in I. split; right; apply I.
Qed.

Lemma parity_same f f' l : (forall p q, In (p, q) (steps l) -> f p q = f' p q) ->
  parity f l = parity f' l.
Proof.
  unfold parity. induction (steps l) as [| [p q] s IH]; intros H; [reflexivity |]. simpl.
  rewrite (H p q (or_introl eq_refl)), IH; [reflexivity |]. intros a b I. apply H. now right.
Qed.

Lemma parity_xor f f' l :
  parity (fun p q => xorb (f p q) (f' p q)) l = xorb (parity f l) (parity f' l).
Proof.
  unfold parity. induction (steps l) as [| [p q] s IH]; [reflexivity |]. simpl. rewrite IH.
  now destruct (f p q), (f' p q), (fold_right (fun pq b => xorb (f (fst pq) (snd pq)) b) false s),
    (fold_right (fun pq b => xorb (f' (fst pq) (snd pq)) b) false s).
Qed.

Lemma parity_ends (r : spot -> bool) p l :
  parity (fun p q => xorb (r p) (r q)) (p :: l) = xorb (r p) (r (last (p :: l) p)).
Proof.
  revert p. induction l as [| q l IH]; intros p; [now rewrite xorb_nilpotent |].
  change (parity (fun p q => xorb (r p) (r q)) (p :: q :: l))
    with (xorb (xorb (r p) (r q)) (parity (fun p q => xorb (r p) (r q)) (q :: l))).
  rewrite IH. change (last (p :: q :: l) p) with (last (q :: l) p).
  replace (last (q :: l) p) with (last (q :: l) q).
  - now destruct (r p), (r q), (r (last (q :: l) q)).
  - clear. generalize q at 1 3. revert q. induction l as [| x l IH]; intros q q'; [reflexivity |].
    change (last (q' :: x :: l) q) with (last (x :: l) q).
    change (last (q' :: x :: l) p) with (last (x :: l) p). apply IH.
Qed.

Definition crosses (y x : Z) (p q : spot) : bool :=
  (snd p =? y) && (snd q =? y + 1) && (x <? fst p) ||
  (snd q =? y) && (snd p =? y + 1) && (x <? fst q).

Ltac decide_places :=
  repeat match goal with
  | H : context [?a =? ?b] |- _ => destruct (Z.eqb_spec a b)
  | H : context [?a <? ?b] |- _ => destruct (Z.ltb_spec a b)
  | |- context [?a =? ?b] => destruct (Z.eqb_spec a b)
  | |- context [?a <? ?b] => destruct (Z.ltb_spec a b)
  | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
  end; simpl in *; try discriminate; try reflexivity; exfalso; subst; lia.

Section Trail.
  Variables width height : Z.
  Variable top : spot.            (* the head of the list: beyond the last row *)
  Variable trail : list spot.
  Notation l := (top :: trail).
  Hypothesis trail_walk : walk l.
  Hypothesis begins : snd top = height.
  Hypothesis ends : snd (last l top) = -1.
  Hypothesis on_board : forall p, In p l -> 0 <= fst p < width.

  Lemma down x y x' : 0 <= y -> y + 1 < height -> x' = x \/ x' = x - 1 ->
    ~ In (x, y) l -> ~ In (x', y + 1) l ->
    parity (crosses y x) l = parity (crosses (y + 1) x') l.
  Proof.
    intros Y Y' X A B.
    set (r := fun p : spot => (snd p =? y + 1) && (x' <? fst p)).
    assert (parity (fun p q => xorb (crosses y x p q) (crosses (y + 1) x' p q)) l
            = parity (fun p q => xorb (r p) (r q)) l) as E.
    { apply parity_same. intros p q I. pose proof (trail_walk p q I) as W.
      apply steps_in in I. destruct I as [Ip Iq].
      assert (p <> (x, y) /\ q <> (x, y) /\ p <> (x', y + 1) /\ q <> (x', y + 1))
        as (N1 & N2 & N3 & N4) by (repeat split; intros ->; contradiction).
      destruct p as [a u], q as [b v].
      assert ((a <> x \/ u <> y) /\ (b <> x \/ v <> y) /\ (a <> x' \/ u <> y + 1) /\
              (b <> x' \/ v <> y + 1)) as M.
      { repeat split;
          match goal with |- ?s <> ?t \/ ?m <> ?n =>
            destruct (Z.eq_dec s t); [right; intros ->; subst; contradiction | now left] end. }
      clear N1 N2 N3 N4 Ip Iq A B. unfold crosses, r, adjacent in *. simpl in *.
      assert ((v = u /\ (b = a + 1 \/ b = a - 1)) \/ (v = u + 1 /\ (b = a \/ b = a - 1)) \/
              (v = u - 1 /\ (b = a \/ b = a + 1))) as W'.
      { rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !Z.eqb_eq in W. tauto. }
      clear W. decide_places. }
    rewrite parity_xor, parity_ends in E.
    assert (r top = false) as R1.
    { unfold r. rewrite begins. destruct (Z.eqb_spec height (y + 1)); [lia | reflexivity]. }
    assert (r (last l top) = false) as R2.
    { unfold r. rewrite ends. destruct (Z.eqb_spec (-1) (y + 1)); [lia | reflexivity]. }
    rewrite R1, R2 in E. simpl in E. now apply xorb_eq in E.
  Qed.

  Lemma along x y : ~ In (x + 1, y) l -> parity (crosses y x) l = parity (crosses y (x + 1)) l.
  Proof.
    intros A. apply parity_same. intros p q I. apply steps_in in I. destruct I as [Ip Iq].
    destruct p as [a u], q as [b v].
    assert ((a <> x + 1 \/ u <> y) /\ (b <> x + 1 \/ v <> y)) as M.
    { split; match goal with |- ?s <> ?t \/ ?m <> ?n =>
        destruct (Z.eq_dec s t); [right; intros ->; subst; contradiction | now left] end. }
    clear Ip Iq A. unfold crosses. simpl. decide_places.
  Qed.

  Lemma first_column y : 0 <= y < height -> ~ In (0, y) l -> parity (crosses y 0) l = true.
  Proof.
    intros Y A. set (r := fun p : spot => snd p <=? y).
    rewrite (parity_same _ (fun p q => xorb (r p) (r q))).
    - rewrite parity_ends. unfold r. rewrite begins, ends.
      destruct (Z.leb_spec height y); [lia |]. destruct (Z.leb_spec (-1) y); [reflexivity | lia].
    - intros p q I. pose proof (trail_walk p q I) as W. apply steps_in in I. destruct I as [Ip Iq].
      pose proof (on_board p Ip). pose proof (on_board q Iq). destruct p as [a u], q as [b v].
      assert ((a <> 0 \/ u <> y) /\ (b <> 0 \/ v <> y)) as M.
      { split; match goal with |- ?s <> ?t \/ ?m <> ?n =>
          destruct (Z.eq_dec s t); [right; intros ->; subst; contradiction | now left] end. }
      clear Ip Iq A. unfold crosses, r, adjacent in *. simpl in *.
      assert ((v = u \/ v = u + 1) \/ v = u - 1) as W'.
      { rewrite !orb_true_iff, !andb_true_iff, !Z.eqb_eq in W. tauto. }
      clear W. decide_places.
  Qed.

  Lemma last_column y : parity (crosses y (width - 1)) l = false.
  Proof.
    rewrite (parity_same _ (fun p q => xorb false false)).
    - now rewrite (parity_ends (fun _ => false)).
    - intros p q I. apply steps_in in I. destruct I as [Ip Iq].
      pose proof (on_board p Ip). pose proof (on_board q Iq). unfold crosses. decide_places.
  Qed.

  (** Neighbours beside the path have the same parity. *)
  Lemma neighbours p q : adjacent p q = true -> 0 <= snd p < height -> 0 <= snd q < height ->
    ~ In p l -> ~ In q l ->
    parity (crosses (snd p) (fst p)) l = parity (crosses (snd q) (fst q)) l.
  Proof.
    destruct p as [a u], q as [b v]. simpl. intros W Hp Hq Np Nq.
    rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !Z.eqb_eq in W.
    destruct W as [[[-> [-> | ->]] | [-> [-> | ->]]] | [-> [-> | ->]]].
    - now apply along.
    - replace a with (a - 1 + 1) at 1 by lia. symmetry. apply along.
      now replace (a - 1 + 1) with a by lia.
    - apply down; auto; lia.
    - apply down; auto; lia.
    - replace u with (u - 1 + 1) at 1 by lia. symmetry. apply down; auto; try lia.
      now replace (u - 1 + 1) with u by lia.
    - replace u with (u - 1 + 1) at 1 by lia. symmetry. apply down; auto; try lia.
      now replace (u - 1 + 1) with u by lia.
  Qed.
End Trail.

(** * Boards whose cells have places *)

Section HexBoard.
  Variable board : list N.
  Variable coords : list (N * spot).
  Variables width height : Z.

  Definition coord (c : N) : spot :=
    match find (fun cp => N.eqb (fst cp) c) coords with Some (_, p) => p | None => (0, 0) end.

  (** A graph of which all edges join neighbours in Hex; the borders are in the rows or columns
      that they should be in. *)
  Definition hex_graph (graph : list (N * N)) : bool :=
    forallb (fun cn => forallb (fun d => negb (mem (snd cn) d) || adjacent (coord (fst cn)) (coord d))
                         board) graph.

  Definition border (s : N) (at_border : spot -> bool) : bool :=
    forallb (fun c => negb (mem s c) || at_border (coord c)) board.

  Definition same_place (p q : spot) : bool := (fst p =? fst q) && (snd p =? snd q).

  Definition hex_board : bool :=
    forallb (fun c => let (x, y) := coord c in
       (0 <=? x) && (x <? width) && (0 <=? y) && (y <? height)) board &&
    forallb (fun c => forallb (fun d => N.eqb c d || negb (same_place (coord c) (coord d))) board) board.

  Definition vertical (g : option goal) : bool :=
    match g with
    | Some (Path graph first last) =>
        hex_graph graph && border first (fun p => snd p =? 0)
        && border last (fun p => snd p =? height - 1)
    | _ => false
    end.

  Definition horizontal (g : option goal) : bool :=
    match g with
    | Some (Path graph first last) =>
        hex_graph graph && border first (fun p => fst p =? 0)
        && border last (fun p => fst p =? width - 1)
    | _ => false
    end.

  Hypothesis B : hex_board = true.

  Lemma coord_bounds c : In c board -> 0 <= fst (coord c) < width /\ 0 <= snd (coord c) < height.
  Proof.
    intros I. unfold hex_board in B. apply andb_true_iff in B. destruct B as [X _].
    rewrite forallb_forall in X. specialize (X c I). destruct (coord c) as [x y]. simpl.
    rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in X. lia.
  Qed.

  Lemma coord_inj c d : In c board -> In d board -> coord c = coord d -> c = d.
  Proof.
    intros C D E. unfold hex_board in B. apply andb_true_iff in B. destruct B as [_ X].
    rewrite forallb_forall in X. specialize (X c C). rewrite forallb_forall in X.
    specialize (X d D). rewrite E in X. unfold same_place in X. rewrite !Z.eqb_refl in X.
    simpl in X. rewrite orb_false_r in X. now apply N.eqb_eq.
  Qed.

  Lemma hex_beside graph c d : hex_graph graph = true -> beside graph c d -> In d board ->
    adjacent (coord c) (coord d) = true.
  Proof.
    intros H (n & I & M) D. unfold hex_graph in H. rewrite forallb_forall in H.
    specialize (H _ I). rewrite forallb_forall in H. specialize (H d D). simpl in H.
    now rewrite M in H.
  Qed.

  Lemma at_border s f c : border s f = true -> In c board -> mem s c = true -> f (coord c) = true.
  Proof.
    intros H C M. unfold border in H. rewrite forallb_forall in H. specialize (H c C).
    now rewrite M in H.
  Qed.

  Lemma walk_more p q l : adjacent p q = true -> walk (q :: l) -> walk (p :: q :: l).
  Proof. intros A W x y [E | I]; [now injection E as <- <- | now apply W]. Qed.

  Lemma last_more (p q : spot) l d d' : last (p :: q :: l) d = last (q :: l) d'.
  Proof.
    change (last (p :: q :: l) d) with (last (q :: l) d). revert q.
    induction l as [| x l IH]; intros q; [reflexivity |].
    change (last (q :: x :: l) d) with (last (x :: l) d).
    change (last (q :: x :: l) d') with (last (x :: l) d'). apply IH.
  Qed.

  Lemma vertical_trail graph first own c : hex_graph graph = true ->
    border first (fun p => snd p =? 0) = true -> on_board board own ->
    joined graph first own c ->
    exists t, walk (coord c :: t) /\ snd (last (coord c :: t) (coord c)) = -1 /\
      forall p, In p (coord c :: t) -> 0 <= fst p < width /\
        (snd p = -1 \/ exists d, mem own d = true /\ p = coord d).
  Proof.
    intros H F O J. induction J as [c Fc M | c d J (t & W & L & A) E M].
    - exists [(fst (coord c), -1)].
      pose proof (at_border _ _ c F (O c M) Fc) as R. apply Z.eqb_eq in R.
      pose proof (coord_bounds c (O c M)) as [X _]. split; [| split].
      + intros p q [I | []]. injection I as <- <-. unfold adjacent.
        destruct (coord c) as [x y]. simpl in *. subst y. rewrite Z.eqb_refl. reflexivity.
      + reflexivity.
      + intros p [<- | [<- | []]]; (split; [exact X |]); [right; now exists c | now left].
    - exists (coord c :: t). split; [| split].
      + apply walk_more; [| exact W].
        assert (adjacent (coord c) (coord d) = true) as Ad by now apply (hex_beside graph c d H E), O.
        clear - Ad. destruct (coord c) as [a u], (coord d) as [b v]. unfold adjacent in *.
        rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !Z.eqb_eq in *. lia.
      + now rewrite (last_more _ _ _ _ (coord c)).
      + intros p [<- | I]; [| now apply A]. split; [now apply (coord_bounds d), O | right].
        now exists d.
  Qed.

  Lemma one_connected g g' own own' : vertical g = true -> horizontal g' = true ->
    on_board board own -> on_board board own' -> apart own own' ->
    met g own -> ~ met g' own'.
  Proof.
    destruct g as [[|graph first last_row] |]; try discriminate.
    destruct g' as [[|graph' first' last_column'] |]; try discriminate. simpl.
    rewrite !andb_true_iff. intros [[H F] L] [[H' F'] L'] O O' Ap (c & J & Lc) (e & K & Le).
    destruct (vertical_trail graph first own c H F O J) as (t & W & E & A).
    assert (In c board) as C by (apply O; destruct J; assumption).
    pose proof (at_border _ _ c L C Lc) as Rc. apply Z.eqb_eq in Rc.
    set (top := (fst (coord c), height)).
    assert (walk (top :: coord c :: t)) as W1.
    { apply walk_more; [| exact W]. unfold adjacent, top. destruct (coord c) as [x y].
      simpl in *. rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !Z.eqb_eq. lia. }
    assert (snd (last (top :: coord c :: t) top) = -1) as E1
      by now rewrite (last_more _ _ _ _ (coord c)).
    assert (forall p, In p (top :: coord c :: t) -> 0 <= fst p < width) as On.
    { intros p [<- | I]; [| now apply A]. simpl. now apply coord_bounds. }
    assert (forall d, mem own' d = true -> ~ In (coord d) (top :: coord c :: t)) as Beside.
    { intros d D I. pose proof (coord_bounds d (O' d D)) as [_ Y]. destruct I as [X | I].
      - rewrite <- X in Y. simpl in Y. lia.
      - destruct (A _ I) as [_ [X | (d' & D' & X)]]; [lia |].
        apply coord_inj in X; auto. subst d'. rewrite (Ap d D') in D. discriminate. }
    assert (forall d, joined graph' first' own' d ->
      parity (crosses (snd (coord d)) (fst (coord d))) (top :: coord c :: t) = true) as P.
    { intros d Jd. induction Jd as [d Fd M | d f Jd IH Bf M].
      - pose proof (at_border _ _ d F' (O' d M) Fd) as X. apply Z.eqb_eq in X. rewrite X.
        apply (first_column width height top (coord c :: t) W1 eq_refl E1 On).
        + now apply coord_bounds, O'.
        + rewrite <- X. rewrite <- surjective_pairing. now apply Beside.
      - assert (mem own' d = true) as D by (destruct Jd; assumption).
        rewrite <- IH. symmetry.
        apply (neighbours height top (coord c :: t) W1 eq_refl E1).
        + now apply (hex_beside graph' d f H' Bf), O'.
        + now apply coord_bounds, O'.
        + now apply coord_bounds, O'.
        + now apply Beside.
        + now apply Beside. }
    assert (mem own' e = true) as Me by (destruct K; assumption).
    pose proof (at_border _ _ e L' (O' e Me) Le) as X. apply Z.eqb_eq in X.
    pose proof (P e K) as Y. rewrite X in Y.
    rewrite (last_column width top (coord c :: t) On) in Y. discriminate.
  Qed.

  (** One goal goes from top to bottom, the other from left to right. *)
  Definition crossing (g g' : option goal) : bool :=
    vertical g && horizontal g' || vertical g' && horizontal g.

  Lemma crossing_exclusive g g' own own' : crossing g g' = true ->
    on_board board own -> on_board board own' -> apart own own' ->
    met g own -> ~ met g' own'.
  Proof.
    unfold crossing. rewrite orb_true_iff, !andb_true_iff. intros [[V H] | [V H]] O O' A M M'.
    - exact (one_connected g g' own own' V H O O' A M M').
    - exact (one_connected g' g own' own V H O' O (apart_sym _ _ A) M' M).
  Qed.
End HexBoard.
