// Games in which every action fills open cells, and a player without one loses (Domineering).
//
// The methods, and why they are right:
// - Only cells matter that somebody can still fill; who filled the others does not.
// - A player's actions fall into parts without common cells. The cells of a part bound the moves in
//   it, and the sum over the parts bounds the moves that the player can ever make.
// - Moves on cells that the opponent can never touch are safe. Of other disjoint moves the opponent
//   destroys at most as many at a time as a move has cells, while the owner makes one; so the owner
//   gets a share. A player who is sure of as many moves as the opponent can ever make is never
//   stuck first.
// - A part that the opponent cannot touch, and in which the bound on the moves is reached, is worth
//   that number of spare moves, wherever it is: only one of them is tried.
#pragma once

#include <algorithm>
#include <climits>
#include <utility>
#include <vector>

#include "bits.hpp"

namespace skolemate {

template <int W>
class Packing {
public:
    struct Side {
        std::vector<Bits<W>> actions;
        // Computed by `survey`.
        std::vector<std::pair<int, Bits<W>>> moves;  // their numbers, and the cells they fill
        Bits<W> reach;
        int most = 0;   // a bound on the moves that the player can ever make
        int safe = 0;   // moves that the opponent cannot prevent
        int open = 0;   // other moves, disjoint from each other and from the safe ones
        int spare = 0;  // moves in parts that the opponent cannot touch
    };

    Side sides[2];
    int largest = 0;    // cells that an action fills at most
    Bits<W> contested;  // cells that can be filled, without the parts of spare moves

    void add(int player, const Bits<W>& cells) {
        sides[player].actions.push_back(cells);
        largest = std::max(largest, cells.count());
    }

    void survey(const Bits<W>& filled, bool reserves) {
        for (auto& side : sides) {
            side.moves.clear();
            side.reach = {};
            for (std::size_t i = 0; i < side.actions.size(); ++i)
                if (!side.actions[i].meets(filled)) {
                    side.moves.emplace_back(static_cast<int>(i), side.actions[i]);
                    side.reach |= side.actions[i];
                }
        }
        contested = sides[0].reach | sides[1].reach;
        for (int player = 0; player < 2; ++player) count(sides[player], sides[1 - player].reach, reserves);
    }

    // The number of moves that a player can make whatever the opponent does.
    int sure(int player, bool to_move) const {
        const Side& side = sides[player];
        const int share = side.open - (to_move ? 0 : largest);
        return side.safe + (share > 0 ? (share + largest) / (largest + 1) : 0);
    }

    // A heuristic value of the position for a player.
    int value(int player) const {
        const Side &own = sides[player], &other = sides[1 - player];
        return own.most + own.safe - other.most - other.safe;
    }

private:
    void count(Side& side, const Bits<W>& danger, bool reserves) {
        side.most = side.safe = side.open = side.spare = 0;
        if (!reserves) return;
        parts_.clear();
        int smallest = INT_MAX;
        for (const auto& [number, cells] : side.moves) {
            smallest = std::min(smallest, cells.count());
            Bits<W> part = cells;
            for (std::size_t i = 0; i < parts_.size();) {
                if (!parts_[i].meets(part)) {
                    ++i;
                    continue;
                }
                part |= parts_[i];
                parts_[i] = parts_.back();
                parts_.pop_back();
                i = 0;
            }
            parts_.push_back(part);
        }
        Bits<W> own;  // the parts of spare moves
        for (const auto& part : parts_) {
            const int room = part.count() / smallest;
            side.most += room;
            if (part.meets(danger)) continue;
            Bits<W> used;
            int made = 0;
            for (const auto& [number, cells] : side.moves)
                if (cells.within(part) && !cells.meets(used)) {
                    used |= cells;
                    ++made;
                }
            if (made == room) {
                side.spare += room;
                own |= part;
            }
        }
        Bits<W> used = danger;
        for (const auto& [number, cells] : side.moves)
            if (!cells.meets(used)) {
                used |= cells;
                ++side.safe;
            }
        used = used.minus(danger);
        for (const auto& [number, cells] : side.moves)
            if (!cells.meets(used)) {
                used |= cells;
                ++side.open;
            }
        contested = contested.minus(own);
        // Only the first spare move is kept: all are worth the same.
        bool first = true;
        std::erase_if(side.moves, [&](const auto& move) {
            return move.second.within(own) && !std::exchange(first, false);
        });
    }

    std::vector<Bits<W>> parts_;
};

}  // namespace skolemate
