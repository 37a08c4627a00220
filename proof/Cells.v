(** Sets of cells as binary numbers: bit [c] of a set says whether cell [c] is in it. *)

From Coq Require Import NArith List Bool Lia.
Import ListNotations.
Open Scope N_scope.

Definition mem (s c : N) : bool := N.testbit s c.
Definition one (c : N) : N := N.shiftl 1 c.
Definition put (s c : N) : N := N.lor s (one c).
Definition union (s t : N) : N := N.lor s t.
Definition common (s t : N) : N := N.land s t.
Definition without (s t : N) : N := N.ldiff s t.
Definition empty (s : N) : bool := N.eqb s 0.

(** As relations: what the theorems speak about. *)
Definition inside (s t : N) : Prop := forall c, mem s c = true -> mem t c = true.
Definition apart (s t : N) : Prop := forall c, mem s c = true -> mem t c = false.

Definition inside_b (s t : N) : bool := empty (without s t).
Definition apart_b (s t : N) : bool := empty (common s t).

Lemma mem_one c d : mem (one c) d = (c =? d).
Proof.
  unfold mem, one.
  destruct (N.lt_ge_cases d c) as [L | L].
  - rewrite N.shiftl_spec_low by assumption. symmetry. apply N.eqb_neq. lia.
  - rewrite N.shiftl_spec_high' by assumption.
    destruct (N.eqb_spec c d) as [-> | D].
    + now rewrite N.sub_diag.
    + assert (exists k, d - c = N.succ k) as [k ->] by (exists (N.pred (d - c)); lia).
      destruct k; reflexivity.
Qed.

Lemma mem_put s c d : mem (put s c) d = mem s d || (c =? d).
Proof. unfold put. unfold mem at 1. rewrite N.lor_spec. f_equal. apply mem_one. Qed.

Lemma mem_union s t c : mem (union s t) c = mem s c || mem t c.
Proof. apply N.lor_spec. Qed.

Lemma mem_common s t c : mem (common s t) c = mem s c && mem t c.
Proof. apply N.land_spec. Qed.

Lemma mem_without s t c : mem (without s t) c = mem s c && negb (mem t c).
Proof. apply N.ldiff_spec. Qed.

Lemma mem_0 c : mem 0 c = false.
Proof. apply N.bits_0. Qed.

Lemma same_set s t : (forall c, mem s c = mem t c) -> s = t.
Proof. intros E. apply N.bits_inj. exact E. Qed.

Lemma empty_spec s : empty s = true <-> forall c, mem s c = false.
Proof.
  unfold empty. rewrite N.eqb_eq. split.
  - intros -> c. apply mem_0.
  - intros E. apply same_set. intros c. now rewrite E, mem_0.
Qed.

Lemma not_empty s : empty s = false -> exists c, mem s c = true.
Proof.
  unfold empty. rewrite N.eqb_neq. intros D. exists (N.log2 s). now apply N.bit_log2.
Qed.

Lemma inside_b_spec s t : inside_b s t = true <-> inside s t.
Proof.
  unfold inside_b, inside. rewrite empty_spec. split; intros H c.
  - intros M. specialize (H c). rewrite mem_without, M in H. now destruct (mem t c).
  - rewrite mem_without. specialize (H c). destruct (mem s c); [rewrite H |]; reflexivity.
Qed.

Lemma apart_b_spec s t : apart_b s t = true <-> apart s t.
Proof.
  unfold apart_b, apart. rewrite empty_spec. split; intros H c.
  - intros M. specialize (H c). rewrite mem_common, M in H. exact H.
  - rewrite mem_common. specialize (H c). destruct (mem s c); [rewrite H |]; reflexivity.
Qed.

Lemma inside_refl s : inside s s.
Proof. now intros c. Qed.

Lemma inside_trans s t u : inside s t -> inside t u -> inside s u.
Proof. intros H K c M. auto. Qed.

Lemma inside_put s t c : inside s t -> inside (put s c) (put t c).
Proof.
  intros H d. rewrite !mem_put, !orb_true_iff. intros [M | M]; auto.
Qed.

Lemma inside_put_r s t c : inside s t -> inside s (put t c).
Proof. intros H d M. rewrite mem_put, (H d M). reflexivity. Qed.

Lemma put_inside s t c : inside s t -> mem t c = true -> inside (put s c) t.
Proof.
  intros H M d. rewrite mem_put, orb_true_iff, N.eqb_eq. intros [K | <-]; auto.
Qed.

Lemma put_mem s c : mem s c = true -> put s c = s.
Proof.
  intros M. apply same_set. intros d. rewrite mem_put.
  destruct (N.eqb_spec c d) as [<- |]; [now rewrite M | apply orb_false_r].
Qed.

Lemma mem_put_same s c : mem (put s c) c = true.
Proof. rewrite mem_put, N.eqb_refl. apply orb_true_r. Qed.

Lemma apart_sym s t : apart s t -> apart t s.
Proof.
  intros H c M. destruct (mem s c) eqn:K; [| reflexivity].
  rewrite (H c K) in M. discriminate.
Qed.

Lemma apart_put_l s t c : apart s t -> mem t c = false -> apart (put s c) t.
Proof.
  intros H M d. rewrite mem_put, orb_true_iff, N.eqb_eq. intros [K | <-]; auto.
Qed.

Lemma apart_inside s t s' t' : apart s t -> inside s' s -> inside t' t -> apart s' t'.
Proof.
  intros H I J c M. destruct (mem t' c) eqn:K; [| reflexivity].
  pose proof (J c K) as X. rewrite (H c (I c M)) in X. discriminate.
Qed.
