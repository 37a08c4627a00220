(* Sets of cells as Zarith's integers: what the extracted checker computes with. Trusted. *)

let equal = Z.equal
let at_most = Z.leq
let less = Z.lt
let both = Z.logand
let either = Z.logor
let without a b = Z.logand a (Z.lognot b)
let test a n = Z.testbit a (Z.to_int n)
