(** What the theorems rest on: nothing but Coq's logic. `make check-verified` reads this output. *)

From Skolemate Require Import Checker.

Print Assumptions check_right.
