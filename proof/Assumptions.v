(** What the theorems rest on: nothing but Coq's logic. `make check-verified` reads this output. *)

From Skolemate Require Import Checker Actions.

Print Assumptions check_right.
Print Assumptions accepts_right.
Print Assumptions moving_check_right.
Print Assumptions moving_accepts_right.
