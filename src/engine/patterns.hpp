// Conditions on the board and changes of it, as masks.
#pragma once

#include "bits.hpp"

namespace skolemate {

template <int W>
struct Pattern {
    Bits<W> black, white, occupied, no_black, no_white;

    bool holds(const Bits<W>& b, const Bits<W>& w) const {
        return black.within(b) && white.within(w) && occupied.within(b | w) &&
               !no_black.meets(b) && !no_white.meets(w);
    }

    const Bits<W>& stones(int player) const { return player == 0 ? black : white; }
    const Bits<W>& without(int player) const { return player == 0 ? no_black : no_white; }
    Bits<W> cells() const { return black | white | occupied | no_black | no_white; }
};

template <int W>
struct Action {
    Pattern<W> needs;
    Bits<W> opened, blackened, whitened;

    const Bits<W>& put(int player) const { return player == 0 ? blackened : whitened; }
    Bits<W> changed() const { return opened | blackened | whitened; }
};

}  // namespace skolemate
