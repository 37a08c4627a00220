// Games in which every action fills open cells, and who finds none has lost (Domineering).
//
// What is used, and why it is right:
// - Only cells count that somebody can still fill, and not by whom the others were filled.
// - A player's actions fall into parts without a cell in common; no part has room for more moves than its
//   cells allow. So many moves he can ever make, at most.
// - Moves on cells that the opponent can never touch are in reserve. Of other moves without a cell in
//   common the opponent spoils at most as many at a time as a move has cells, while the owner makes
//   one: he gets his share. Who is sure of as many moves as the opponent can ever make is never
//   stuck first.
// - A whole part that the opponent cannot touch, and whose most moves can really be made, is worth
//   their number, wherever it is: one of them is tried for all.
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
        // Found by `survey`.
        std::vector<std::pair<int, Bits<W>>> moves;  // their numbers, and what they fill
        Bits<W> reach;
        int most = 0;   // moves that he can ever make, at most
        int safe = 0;   // those that nobody can take from him
        int open = 0;   // others, without a cell in common with each other and with those
        int spare = 0;  // those of them that are in parts of their own
    };

    Side sides[2];
    int largest = 0;    // cells that an action fills
    Bits<W> contested;  // the cells that count and are not to spare

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

    // So many moves a player can make whatever the opponent does.
    int sure(int player, bool to_move) const {
        const Side& side = sides[player];
        const int share = side.open - (to_move ? 0 : largest);
        return side.safe + (share > 0 ? (share + largest) / (largest + 1) : 0);
    }

    // How well a player stands.
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
        Bits<W> own;  // parts that are to spare
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
        // The first of the moves to spare stands for all: it is one of the most that can be made.
        bool first = true;
        std::erase_if(side.moves, [&](const auto& move) {
            return move.second.within(own) && !std::exchange(first, false);
        });
    }

    std::vector<Bits<W>> parts_;
};

}  // namespace skolemate
