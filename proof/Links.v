(** Links and pairs: virtual connections in a graph, bridges, and pairing strategies. *)

From Coq Require Import Arith NArith List Bool Lia.
From Skolemate Require Import Cells Game Goals Symmetry Stones Boards Local.
Import ListNotations.
Open Scope N_scope.

(** * Links *)

(** A point is a cell, or a border: at the left of a link the first, at its right the last. *)
Definition point := option N.

(** A way: cells, each with the gap before it, and the gap after the last one. A gap is an earlier
    link by its number, or nothing where the points are neighbours. *)
Record way := Way { steps : list (option N * N); last_gap : option N }.
Record link := Link { left_point : point; right_point : point; ways : list way }.

Section Links.
  Variable graph : list (N * N).
  Variables first last : N.
  Notation goal := (Some (Path graph first last)).

  Definition around (l : point) : N :=
    match l with None => first | Some c => near graph (one c) end.

  (** Two points are linked by stones between them; the points themselves may be open. *)
  Definition linked (l r : point) (own : N) : Prop :=
    match r with
    | Some d => mem (around l) d = true \/ exists e, joined graph (around l) own e /\ beside graph e d
    | None => (exists e, joined graph (around l) own e /\ mem last e = true) \/
              (exists c, l = Some c /\ mem last c = true)
    end.

  Lemma linked_grows l r : grows (linked l r).
  Proof.
    intros own own' I. destruct r as [d |]; simpl.
    - intros [M | (e & J & B)]; [now left | right]. exists e. split; [| exact B].
      exact (joined_more _ _ _ _ _ I J).
    - intros [(e & J & M) | H]; [left | now right]. exists e. split; [| exact M].
      exact (joined_more _ _ _ _ _ I J).
  Qed.

  Lemma linked_joined l d own : linked l (Some d) own -> mem own d = true ->
    joined graph (around l) own d.
  Proof.
    intros [M | (e & J & B)] O; [now apply joined_from | now apply (joined_step _ _ _ e)].
  Qed.

  Lemma joined_on l d own e : joined graph (around l) own d ->
    joined graph (around (Some d)) own e -> joined graph (around l) own e.
  Proof.
    intros D J. induction J as [e F M | e f J IH B M].
    - simpl in F. apply near_spec in F. destruct F as (c & C & B).
      rewrite mem_one in C. apply N.eqb_eq in C. subst c. now apply (joined_step _ _ _ d).
    - now apply (joined_step _ _ _ e).
  Qed.

  Lemma linked_on l d r own : linked l (Some d) own -> mem own d = true ->
    linked (Some d) r own -> linked l r own.
  Proof.
    intros L M R. pose proof (linked_joined l d own L M) as J. destruct r as [f |]; simpl in *.
    - right. destruct R as [R | (e & K & B)].
      + exists d. split; [exact J |]. apply near_spec in R. destruct R as (c & C & B).
        rewrite mem_one in C. apply N.eqb_eq in C. now subst c.
      + exists e. split; [now apply (joined_on l d) | exact B].
    - left. destruct R as [(e & K & B) | (c & [= <-] & B)].
      + exists e. split; [now apply (joined_on l d) | exact B].
      + now exists d.
  Qed.

  Lemma linked_goal own : linked None None own <-> met goal own.
  Proof.
    simpl. split; [intros [H | (c & [=] & _)]; exact H | now left].
  Qed.

  Section Node.
    Variables own enemy : N.

    Definition neighbours_b (l r : point) : bool :=
      let reached := flood graph (around l) own in
      match r with
      | Some d => mem (around l) d || mem (near graph reached) d
      | None => negb (apart_b reached last) || match l with Some c => mem last c | None => false end
      end.

    Lemma neighbours_right l r : neighbours_b l r = true -> linked l r own.
    Proof.
      unfold neighbours_b. destruct r as [d |]; simpl; rewrite orb_true_iff.
      - intros [M | M]; [now left | right]. apply near_spec in M. destruct M as (e & E & B).
        exists e. split; [now apply flood_joined | exact B].
      - intros [M | M]; [left | right].
        + rewrite negb_true_iff in M. apply not_empty in M. destruct M as [e M].
          rewrite mem_common, andb_true_iff in M. exists e. split; [now apply flood_joined | apply M].
        + destruct l as [c |]; [now exists c | discriminate].
    Qed.

    (** The values of the links so far. *)
    Definition known := list (point * point * option value).

    Definition known_right (ks : known) : Prop :=
      forall l r v, In (l, r, Some v) ks -> has (linked l r) own v.

    Definition point_eqb (a b : point) : bool :=
      match a, b with
      | Some c, Some d => c =? d
      | None, None => true
      | _, _ => false
      end.

    Lemma point_eqb_spec a b : point_eqb a b = true -> a = b.
    Proof. destruct a, b; simpl; try easy. rewrite N.eqb_eq. now intros ->. Qed.

    Definition gap_value (ks : known) (l r : point) (gap : option N) : option value :=
      match gap with
      | None => if neighbours_b l r then Some (0, true) else None
      | Some k =>
          match nth_error ks (N.to_nat k) with
          | Some (l', r', v) => if point_eqb l l' && point_eqb r r' then v else None
          | None => None
          end
      end.

    Lemma gap_right ks l r gap v : known_right ks -> gap_value ks l r gap = Some v ->
      has (linked l r) own v.
    Proof.
      intros K. destruct gap as [k |]; simpl.
      - destruct (nth_error ks (N.to_nat k)) as [[[l' r'] v'] |] eqn:E; [| discriminate].
        destruct (point_eqb l l' && point_eqb r r') eqn:X; [| discriminate].
        apply andb_true_iff in X. destruct X as [X Y].
        apply point_eqb_spec in X, Y. subst l' r'. intros ->. apply (K l r v).
        now apply nth_error_In in E.
      - destruct (neighbours_b l r) eqn:B; [| discriminate]. intros [= <-].
        exists O. left. now apply neighbours_right.
    Qed.

    Definition cell_value (c : N) : option value :=
      if mem own c then Some (0, true) else if mem enemy c then None else Some (one c, false).

    Lemma cell_right c v : cell_value c = Some v -> has (fun o => mem o c = true) own v.
    Proof.
      unfold cell_value. destruct (mem own c) eqn:M.
      - intros [= <-]. exists 0%nat. now left.
      - destruct (mem enemy c); [discriminate |]. intros [= <-]. exists c, 0%nat.
        cbn [fst]. split; [rewrite mem_one; apply N.eqb_refl |]. left. apply mem_put_same.
    Qed.

    Definition both (v w : option value) : option value :=
      match v, w with Some v, Some w => and_value v w | _, _ => None end.

    Fixpoint way_value (ks : known) (l r : point) (cs : list (option N * N)) (gap : option N)
        : option value :=
      match cs with
      | [] => gap_value ks l r gap
      | (g, c) :: cs =>
          both (gap_value ks l (Some c) g) (both (cell_value c) (way_value ks (Some c) r cs gap))
      end.

    Lemma way_right ks r gap cs : known_right ks -> forall l v,
      way_value ks l r cs gap = Some v -> has (linked l r) own v.
    Proof.
      intros K. induction cs as [| [g c] cs IH]; intros l v; simpl; [now apply gap_right |].
      destruct (gap_value ks l (Some c) g) as [v1 |] eqn:E1; [| discriminate].
      destruct (cell_value c) as [v2 |] eqn:E2; [| discriminate].
      destruct (way_value ks (Some c) r cs gap) as [v3 |] eqn:E3; [| discriminate].
      simpl. destruct (and_value v2 v3) as [v4 |] eqn:E4; [| discriminate].
      intros E5. apply gap_right in E1; [| exact K]. apply cell_right in E2. apply IH in E3.
      assert (grows (fun o => mem o c = true)) as Gc by (intros a b I; apply I).
      pose proof (and_right _ _ own v2 v3 v4 Gc (linked_grows _ _) E2 E3 E4) as E6.
      pose proof (and_right _ _ own v1 v4 v (linked_grows _ _)
                    (grows_and _ _ Gc (linked_grows _ _)) E1 E6 E5) as E7.
      revert E7. apply has_imp. intros o (A & B & C). now apply (linked_on l c r).
    Qed.

    Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
      match l with
      | [] => Some []
      | Some a :: l => match all_some l with Some l => Some (a :: l) | None => None end
      | None :: _ => None
      end.

    Lemma all_some_in {A} (l : list (option A)) l' a : all_some l = Some l' -> In a l' ->
      In (Some a) l.
    Proof.
      revert l'. induction l as [| [b |] l IH]; simpl; intros l'; [| | discriminate].
      - intros [= <-] [].
      - destruct (all_some l) as [l0 |]; [| discriminate]. intros [= <-] [<- | I]; auto.
        right. now apply (IH l0).
    Qed.

    (** Every way must hold. *)
    Definition link_value (ks : known) (k : link) : option value :=
      match all_some (map (fun w => way_value ks (left_point k) (right_point k) (steps w) (last_gap w))
                        (ways k)) with
      | Some vs => or_value vs
      | None => None
      end.

    Lemma link_right ks k v : known_right ks -> link_value ks k = Some v ->
      has (linked (left_point k) (right_point k)) own v.
    Proof.
      intros K. unfold link_value. destruct (all_some _) as [vs |] eqn:E; [| discriminate].
      apply or_right; [apply linked_grows |]. intros w I. apply (all_some_in _ _ _ E) in I.
      apply in_map_iff in I. destruct I as (y & W & _). now apply (way_right ks _ _ _ K _ _ W).
    Qed.

    Fixpoint links_known (ks : known) (ls : list link) : known :=
      match ls with
      | [] => ks
      | k :: ls =>
          links_known (ks ++ [(left_point k, right_point k, link_value ks k)]) ls
      end.

    Lemma links_known_right ls : forall ks, known_right ks -> known_right (links_known ks ls).
    Proof.
      induction ls as [| k ls IH]; intros ks K; [exact K |]. simpl. apply IH.
      intros l r v I. apply in_app_or in I. destruct I as [I | [I | []]]; [now apply K |].
      injection I as <- <- E. now apply (link_right ks).
    Qed.

    (** The carrier of the full connection between the borders that the last link gives. *)
    Definition links_carrier (ls : list link) : option N :=
      match rev (links_known [] ls) with
      | (None, None, Some (carrier, true)) :: _ => Some carrier
      | _ => None
      end.

    Lemma links_carrier_right ls carrier : links_carrier ls = Some carrier ->
      exists k, full (met goal) k carrier own.
    Proof.
      unfold links_carrier. destruct (rev _) as [| [[[l |] [r |]] [[c [|]] |]] rest] eqn:E; try discriminate.
      intros [= ->]. assert (In (None, None, Some (carrier, true)) (rev (links_known [] ls))) as I.
      { rewrite E. apply in_eq. }
      apply in_rev in I.
      pose proof (links_known_right ls [] (fun _ _ _ X => match X with end) _ _ _ I) as (k & F).
      exists k. apply (full_imp (linked None None)); [apply linked_goal | exact F].
    Qed.
  End Node.
End Links.

(** * Pairs *)

Definition pairs := list (N * N).
Definition pair_cells (ps : pairs) : list N := flat_map (fun ab => [fst ab; snd ab]) ps.
Definition hits (own : N) (ps : pairs) : Prop :=
  forall a b, In (a, b) ps -> mem own a = true \/ mem own b = true.

Lemma pair_cells_app ps qs : pair_cells (ps ++ qs) = pair_cells ps ++ pair_cells qs.
Proof. apply flat_map_app. Qed.

Lemma in_pair_cells ps c : In c (pair_cells ps) <-> exists a b, In (a, b) ps /\ (c = a \/ c = b).
Proof.
  unfold pair_cells. rewrite in_flat_map. split.
  - intros ([a b] & I & [<- | [<- | []]]); exists a, b; auto.
  - intros (a & b & I & [-> | ->]); exists (a, b); split; simpl; auto.
Qed.

(** The owner gets one cell of each pair. *)
Lemma pairs_full (P : N -> Prop) n : forall ps own, length ps = n -> NoDup (pair_cells ps) ->
  (forall own', inside own own' -> hits own' ps -> P own') ->
  full P n (set_of (pair_cells ps)) own.
Proof.
  induction n as [| n IH]; intros ps own L D H.
  - left. destruct ps; [| discriminate]. apply H; [apply inside_refl | now intros a b []].
  - right. split.
    { destruct ps as [| [a b] ps]; [discriminate |]. exists a. apply mem_set_of. now left. }
    intros c C. apply mem_set_of, in_pair_cells in C. destruct C as (a & b & I & C).
    apply in_split in I. destruct I as (l1 & l2 & ->).
    rewrite pair_cells_app in D. simpl in D.
    assert (a <> b /\ ~ In a (pair_cells (l1 ++ l2)) /\ ~ In b (pair_cells (l1 ++ l2)) /\
            NoDup (pair_cells (l1 ++ l2))) as (AB & Na & Nb & D').
    { rewrite pair_cells_app. pose proof D as D1. apply NoDup_remove in D1. destruct D1 as [D1 N1].
      apply NoDup_remove in D1. destruct D1 as [D2 N2].
      repeat split; try assumption.
      - intros ->. apply N1. apply in_or_app. right. now left.
      - intros X. apply N1. apply in_app_or in X. apply in_or_app.
        destruct X; [now left | right; now right]. }
    assert (length (l1 ++ l2) = n) as L'.
    { rewrite app_length in *. simpl in L. lia. }
    assert (forall m, m = a \/ m = b -> m <> c ->
      full P n (take (set_of (pair_cells (l1 ++ (a, b) :: l2))) c m) (put own m)) as G.
    { intros m M Mc. assert (full P n (set_of (pair_cells (l1 ++ l2))) (put own m)) as F.
      { apply IH; [exact L' | exact D' |]. intros own' I Hi. apply H.
        - apply (inside_trans _ (put own m)); [apply inside_put_r, inside_refl | exact I].
        - intros x y X. apply in_app_or in X. destruct X as [X | [X | X]].
          + apply Hi. apply in_or_app. now left.
          + injection X as <- <-. assert (mem own' m = true) as Y by apply I, mem_put_same.
            destruct M as [<- | <-]; auto.
          + apply Hi. apply in_or_app. now right. }
      replace (take (set_of (pair_cells (l1 ++ (a, b) :: l2))) c m)
        with (set_of (pair_cells (l1 ++ l2))); [exact F |].
      apply same_set. intros x. apply eq_true_iff_eq.
      rewrite mem_take, !andb_true_iff, !mem_set_of, !pair_cells_app, !negb_true_iff, !N.eqb_neq.
      rewrite pair_cells_app in Na, Nb. simpl. rewrite !in_app_iff in *. simpl. split.
      - intros X. repeat split; [tauto | |].
        + intros <-. destruct C as [-> | ->]; tauto.
        + intros <-. destruct M as [-> | ->]; tauto.
      - intros [[X Y] Z]. destruct X as [X | [X | [X | X]]]; auto; subst x;
          destruct C as [-> | ->], M as [-> | ->]; congruence. }
    assert (In (a, b) (l1 ++ (a, b) :: l2)) as In0 by (apply in_or_app; right; now left).
    destruct C as [-> | ->].
    + exists b. split; [congruence |]. split; [| apply G; auto; congruence].
      apply mem_set_of, in_pair_cells. exists a, b. auto.
    + exists a. split; [congruence |]. split; [| apply G; auto].
      apply mem_set_of, in_pair_cells. exists a, b. auto.
Qed.

Section Bridges.
  Variable graph : list (N * N).
  Variables first last : N.
  Variable own : N.
  Notation goal := (Some (Path graph first last)).

  Definition at_last (c : N) : bool :=
    mem last c || negb (apart_b (flood graph (near graph (one c)) own) last).

  (** Whether the borders get joined, with one cell of each pair: [reached] are the cells to which
      the first border is linked, whichever cells these are. *)
  Fixpoint bridges (fuel : pairs) (ps : pairs) (reached : N) : bool :=
    match fuel with
    | [] => false
    | _ :: fuel =>
        let near_by ab := mem reached (fst ab) && mem reached (snd ab) in
        let inner := filter near_by ps in
        let rest := filter (fun ab => negb (near_by ab)) ps in
        let beyond := map (fun ab => common (flood graph (near graph (one (fst ab))) own)
                                            (flood graph (near graph (one (snd ab))) own)) inner in
        existsb (fun ab => at_last (fst ab) && at_last (snd ab)) inner
        || existsb (fun s => negb (apart_b s last)) beyond
        || bridges fuel rest (fold_left (fun s b => union s (near graph b)) beyond reached)
    end.

  Definition met_by_pairs (ps : pairs) : bool :=
    met_b goal own || bridges ps ps (union first (near graph (flood graph first own))).

  Lemma bridges_right all fuel : forall ps reached,
    (forall ab, In ab ps -> In ab all) ->
    (forall own', inside own own' -> hits own' all ->
       forall d, mem reached d = true -> linked graph first last None (Some d) own') ->
    bridges fuel ps reached = true ->
    forall own', inside own own' -> hits own' all -> met goal own'.
  Proof.
    induction fuel as [| x fuel IH]; intros ps reached Sub R; [discriminate |]. simpl.
    set (near_by := fun ab : N * N => mem reached (fst ab) && mem reached (snd ab)).
    set (inner := filter near_by ps). set (rest := filter (fun ab => negb (near_by ab)) ps).
    intros B own' I H.
    assert (forall ab, In ab inner -> In ab ps /\ mem reached (fst ab) = true /\
      mem reached (snd ab) = true) as Inner.
    { intros ab X. apply filter_In in X. now rewrite <- andb_true_iff. }
    assert (forall ab, In ab rest -> In ab all) as Rest.
    { intros ab X. apply Sub. now apply filter_In in X. }
    (* The cell of an inner pair that the owner gets is joined to the first border. *)
    assert (forall o, inside own o -> hits o all -> forall ab, In ab inner ->
      exists c, (c = fst ab \/ c = snd ab) /\ joined graph first o c) as Gets.
    { intros o Io Ho [a b] X. destruct (Inner _ X) as (Y & Ra & Rb). simpl in *.
      destruct (Ho a b (Sub _ Y)) as [M | M].
      - exists a. split; [now left |].
        apply (linked_joined graph first last None a); [now apply R | exact M].
      - exists b. split; [now right |].
        apply (linked_joined graph first last None b); [now apply R | exact M]. }
    (* So are the stones beyond it. *)
    assert (forall o, inside own o -> hits o all -> forall ab, In ab inner -> forall e,
      mem (common (flood graph (near graph (one (fst ab))) own)
                  (flood graph (near graph (one (snd ab))) own)) e = true ->
      joined graph first o e) as Beyond.
    { intros o Io Ho ab X e M. destruct (Gets o Io Ho ab X) as (c & C & J).
      rewrite mem_common, andb_true_iff in M. destruct M as [Ma Mb].
      apply (joined_on graph first None c o e J). simpl.
      apply (joined_more _ _ own); [exact Io |].
      destruct C as [-> | ->]; now apply flood_joined. }
    rewrite !orb_true_iff, !existsb_exists in B.
    destruct B as [[(ab & X & B) | (s & X & B)] | B].
    - apply andb_true_iff in B. destruct (Gets own' I H ab X) as (c & C & J).
      assert (at_last c = true) as L by (destruct B, C as [-> | ->]; assumption).
      unfold at_last in L. apply orb_true_iff in L. destruct L as [L | L]; [now exists c |].
      rewrite negb_true_iff in L. apply not_empty in L. destruct L as [e L].
      rewrite mem_common, andb_true_iff in L. destruct L as [L L']. exists e.
      split; [| exact L']. apply (joined_on graph first None c own' e J). simpl.
      apply (joined_more _ _ own); [exact I |]. now apply flood_joined.
    - apply in_map_iff in X. destruct X as (ab & <- & X). rewrite negb_true_iff in B.
      apply not_empty in B. destruct B as [e B]. rewrite mem_common, andb_true_iff in B.
      destruct B as [B L]. exists e. split; [now apply (Beyond own' I H ab X) | exact L].
    - apply (IH rest _ Rest) with (2 := B); [| exact I | exact H].
      intros o Io Ho d. clear B.
      set (beyond := map _ inner).
      assert (forall l s, (forall b, In b l -> In b beyond) ->
        (mem s d = true -> linked graph first last None (Some d) o) ->
        mem (fold_left (fun s b => union s (near graph b)) l s) d = true ->
        linked graph first last None (Some d) o) as F.
      { induction l as [| b l IHl]; intros s Sl Hs; simpl; [exact Hs |].
        apply IHl; [intros y Y; apply Sl; now right |].
        rewrite mem_union, orb_true_iff. intros [M | M]; [now apply Hs |].
        apply near_spec in M. destruct M as (e & Me & Be). simpl. right. exists e.
        split; [| exact Be]. assert (In b beyond) as Y by (apply Sl; now left).
        apply in_map_iff in Y. destruct Y as (ab & <- & X). now apply (Beyond o Io Ho ab X). }
      apply (F beyond reached); [easy |]. now apply R.
  Qed.

  Lemma met_by_pairs_right ps : met_by_pairs ps = true ->
    forall own', inside own own' -> hits own' ps -> met goal own'.
  Proof.
    unfold met_by_pairs. rewrite orb_true_iff. intros [M | B] own' I H.
    - apply (met_more _ own); [exact I | now apply met_right].
    - apply (bridges_right ps ps ps) with (3 := B); try assumption; [easy |].
      intros o Io Ho d. rewrite mem_union, orb_true_iff. simpl. intros [M | M]; [now left | right].
      apply near_spec in M. destruct M as (e & E & X). exists e. split; [| exact X].
      apply (joined_more _ _ own); [exact Io | now apply flood_joined].
  Qed.
End Bridges.
