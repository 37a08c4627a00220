(** Positions in an order, and maps from positions. *)

From Coq Require Import NArith Lia OrderedType FMapAVL FMapFacts.
From Skolemate Require Import Game.
Open Scope N_scope.

Module PositionOrder <: OrderedType.
  Definition t := position.
  Definition eq := @Logic.eq position.
  Definition lt (p q : position) : Prop :=
    black p < black q \/ black p = black q /\
    (white p < white q \/ white p = white q /\ clock p < clock q).
  Definition eq_refl := @Logic.eq_refl position.
  Definition eq_sym := @Logic.eq_sym position.
  Definition eq_trans := @Logic.eq_trans position.
  Lemma lt_trans p q r : lt p q -> lt q r -> lt p r.
  Proof. unfold lt. lia. Qed.
  Lemma lt_not_eq p q : lt p q -> ~ eq p q.
  Proof. unfold lt, eq. intros L E. subst. lia. Qed.

  Definition order (p q : position) : comparison :=
    match N.compare (black p) (black q) with
    | Eq => match N.compare (white p) (white q) with
            | Eq => N.compare (clock p) (clock q)
            | c => c
            end
    | c => c
    end.

  Lemma order_spec p q : CompareSpec (eq p q) (lt p q) (lt q p) (order p q).
  Proof.
    unfold order, lt, eq. destruct p as [a b c], q as [a' b' c']; simpl.
    destruct (N.compare_spec a a'); try (constructor; lia).
    destruct (N.compare_spec b b'); try (constructor; lia).
    destruct (N.compare_spec c c'); constructor; subst; try lia. reflexivity.
  Qed.

  Definition compare (p q : position) : Compare lt eq p q.
  Proof.
    destruct (order p q) eqn:E.
    - apply EQ. pose proof (order_spec p q) as S. rewrite E in S. now inversion S.
    - apply LT. pose proof (order_spec p q) as S. rewrite E in S. now inversion S.
    - apply GT. pose proof (order_spec p q) as S. rewrite E in S. now inversion S.
  Defined.

  Definition eq_dec (p q : position) : {eq p q} + {~ eq p q}.
  Proof.
    destruct (compare p q) as [L | E | L].
    - right. now apply lt_not_eq.
    - now left.
    - right. intros E. now apply (lt_not_eq _ _ L).
  Defined.
End PositionOrder.

Module Positions := FMapAVL.Make PositionOrder.
Module Facts := WFacts_fun PositionOrder Positions.
