// Inferior cells of Hex: cells whose owner does not matter, cells as good as taken, moves not worth trying.
//
// A player's *reduced graph* has the open cells and that player's two borders as points; stones of the
// player's are contracted, those of the opponent's are gone. Exactly one player gets connected in the
// end, and an extra stone never hurts its owner. That gives the rules:
// - Dead: if all points beside a cell are beside each other, in either player's reduced graph, no
//   shortest way of that player's goes through the cell, whatever is played elsewhere; so its owner
//   never matters, for neither player. It is given to White.
// - Killed: a stone on y kills x if it makes x dead. A stone of the opponent's is taken out of the
//   reduced graph: then y must be in every pair beside x that is not joined. One's own is contracted:
//   then it suffices that all points beside x are beside y or y itself.
// - Captured: if a player's stone on x kills y, and on y kills x, both are as good as that player's:
//   whoever intrudes is answered by the other cell, and the intruding stone is dead.
// - Vulnerable: a move x that the opponent's reply y kills need not be tried if any move is not
//   vulnerable. Suppose the mover wins. Let the opponent answer vulnerable winning moves by their
//   killers, again and again. The dead stones do not count, so the mover, to move, wins though the
//   opponent has more and more stones for nothing. It ends with a winning move that is not vulnerable,
//   which wins without those stones, too, or with one that is dead already, which is a pass: then the
//   mover wins with any move at all.
// - Dominated: a move y that kills x is as good as y and x together; so x need not be tried if y is,
//   or if y is known to lose.
#pragma once

#include <algorithm>
#include <vector>

#include "bits.hpp"
#include "goals.hpp"

namespace skolemate {

template <int W>
class Inferior {
public:
    void survey(const Graph<W>& black, const Graph<W>& white, const Bits<W>& blacks,
                const Bits<W>& whites, const Bits<W>& board) {
        open_ = board.minus(blacks | whites);
        reduce(black, blacks, sides_[0]);
        reduce(white, whites, sides_[1]);
    }

    std::pair<Bits<W>, int> beside(int player, int cell) const {
        return {sides_[player].beside[cell], sides_[player].borders[cell]};
    }

    // Give dead and captured cells to their owners until there are no more, and find out which
    // stones would kill which cells. If plies count, Black's captured cells stay open: to answer an
    // intrusion takes time. White's do not: what White answers wastes Black's time.
    void fill(const Graph<W>& black, const Graph<W>& white, Bits<W>& blacks, Bits<W>& whites,
              const Bits<W>& board, bool plies_count) {
        for (bool changed = true; changed;) {
            changed = false;
            survey(black, white, blacks, whites, board);
            if (const Bits<W> dead = sides_[0].dead | sides_[1].dead; dead.any()) {
                whites |= dead;
                changed = true;
                continue;
            }
            kill();
            for (int player = plies_count; player < 2 && !changed; ++player)
                open_.each([&](int x) {
                    if (changed) return;
                    sides_[player].killers[x].each([&](int y) {
                        if (changed || !sides_[player].killers[y].test(x)) return;
                        (player == 0 ? blacks : whites) |= Bits<W>::one(x) | Bits<W>::one(y);
                        changed = true;
                    });
                });
        }
    }

    // Of these moves, which contain all that can win, those that are not vulnerable.
    Bits<W> invulnerable(const Bits<W>& moves, int player) const {
        Bits<W> vulnerable;
        open_.each([&](int x) {
            if (sides_[1 - player].killers[x].any()) vulnerable.set(x);
        });
        return open_.within(vulnerable) ? moves : moves.minus(vulnerable);
    }

    // Of these moves, those that are dominated neither by another of them nor by one of the losing
    // moves. `left_out(x, y)` is told that x is left out because of y.
    template <class Visit>
    Bits<W> undominated(Bits<W> moves, const Bits<W>& losing, int player, Visit left_out) const {
        const Bits<W> all = moves;
        all.each([&](int x) {
            const Bits<W> better = sides_[player].killers[x] & (moves | losing);
            if (!better.any()) return;
            moves.reset(x);
            left_out(x, better.first());
        });
        return moves;
    }

private:
    struct Side {
        std::vector<Bits<W>> beside;         // of each open cell, in the reduced graph
        std::vector<std::uint8_t> borders;   // which borders are beside it
        std::vector<Bits<W>> killers;        // a stone of this player's there kills the cell
        std::vector<Bits<W>> breakers;       // cells in all pairs beside it that are not joined
        Bits<W> dead;                        // there are no such pairs
    };

    void reduce(const Graph<W>& graph, const Bits<W>& own, Side& side) {
        const std::size_t cells = graph.near.size();
        side.beside.assign(cells, {});
        side.borders.assign(cells, 0);
        open_.each([&](int cell) {
            side.beside[cell] = graph.near[cell] & open_;
            side.borders[cell] = graph.start.test(cell) | graph.end.test(cell) << 1;
        });
        for (Bits<W> rest = own; rest.any();) {
            const Bits<W> group = graph.flood(Bits<W>::one(rest.first()), own);
            rest = rest.minus(group);
            const Bits<W> around = graph.around(group) & open_;
            const int borders = graph.start.meets(group) | graph.end.meets(group) << 1;
            around.each([&](int cell) {
                side.beside[cell] |= around;
                side.borders[cell] |= borders;
            });
        }
        side.dead = {};
        side.breakers.assign(cells, {});
        open_.each([&](int cell) { side.beside[cell].reset(cell); });
        open_.each([&](int cell) { separate(side, cell); });
    }

    // Which cells, if taken out, leave only points beside this cell that are beside each other?
    void separate(Side& side, int cell) {
        const Bits<W>& around = side.beside[cell];
        const int borders = side.borders[cell];
        Bits<W>& breakers = side.breakers[cell];
        bool dead = borders != 3;  // the borders are not beside each other
        if (dead) breakers = around;
        around.each([&](int one) {
            Bits<W> apart = around.minus(side.beside[one]);
            apart.reset(one);
            const bool border = borders & ~side.borders[one];
            if (!border && !apart.any()) return;
            dead = false;
            breakers &= border || apart.count() > 1 ? Bits<W>::one(one) : Bits<W>::one(one) | apart;
        });
        if (dead) side.dead.set(cell);
    }

    void kill() {
        for (int player = 0; player < 2; ++player) {
            Side& side = sides_[player];
            const Side& other = sides_[1 - player];
            side.killers.assign(side.beside.size(), {});
            open_.each([&](int x) {
                Bits<W>& killers = side.killers[x];
                killers = other.breakers[x];
                side.beside[x].each([&](int y) {
                    Bits<W> rest = side.beside[x].minus(side.beside[y]);
                    rest.reset(y);
                    if (!rest.any() && !(side.borders[x] & ~side.borders[y])) killers.set(y);
                });
            });
        }
    }

    Bits<W> open_;
    Side sides_[2];
};

}  // namespace skolemate
