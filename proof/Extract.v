(** The checker as an OCaml program.

    Trusted here, besides Coq's extraction and the OCaml compiler: binary numbers become Zarith's
    integers, with their arithmetic (Coq's own file ExtrOcamlZBigInt) and the operations in
    bits.ml. *)

From Coq Require Import NArith ZArith.
From Coq Require Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlZBigInt.
From Skolemate Require Import Checker Actions.

Extract Constant N.eqb => "Bits.equal".
Extract Constant N.leb => "Bits.at_most".
Extract Constant N.ltb => "Bits.less".
Extract Constant N.land => "Bits.both".
Extract Constant N.lor => "Bits.either".
Extract Constant N.ldiff => "Bits.without".
Extract Constant N.testbit => "Bits.test".

Extraction "checker.ml" open read close
  moving_open moving_read moving_close.
