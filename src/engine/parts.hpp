// Parts of the board that no move joins, where moves only fill the board and a player without one
// loses. The position is the sum of its parts.
//
// A difference of d spare moves means that Black has d moves that White cannot touch (White has -d
// of them if d is negative). For a part two numbers are computed, by trying all moves in it: the
// least d with which Black wins the part and the spare moves if he moves first, and the least with
// which he wins if he moves second. Call them `first` and `second`. One spare move more never hurts.
// - Let b be the least `second` after a move of Black, and w the greatest `first` after a move of
//   White. If b <= w, a move in the part is worth more than a spare move, and first = b, second = w:
//   with a smaller d than b Black's only hope would be a spare move; then White moves, and Black
//   loses since d < w. The same holds for White.
// - If b > w, then for each d with w <= d < b the player who moves in the part loses. So a spare move
//   is needed, and the player loses who runs out of them: for the d that is nearest to 0, the one
//   who moves first. Hence second = d and first = d + 1.
// - If first = second + 1, the part and d spare moves are a loss for the player who moves first, so
//   the part is worth exactly -d spare moves of Black in every sum (Conway: such a game is an
//   integer). Such a part is settled.
// - A settled part need not be touched while a move elsewhere wins. If a spare move is needed at all,
//   then a player for whom the settled parts together are worth n > 0 moves in one that is worth
//   v > 0 to him, such that it is worth at least v - 1 afterwards. There is such a move: he needs it
//   to win the part with v spare moves of the opponent after the opponent has made one of these.
#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "rules.hpp"

namespace skolemate {

// The least differences of spare moves with which Black wins a part, if he moves first or second.
struct Needs {
    int first = 1, second = 0;

    bool settled() const { return first == second + 1; }
};

template <int W>
class Parts {
public:
    static constexpr int MOST_CELLS = 12;  // larger parts take longer than they save

    explicit Parts(Effort& effort) : effort_(effort) {}

    // What Black needs in a part that has these moves of Black and of White.
    Needs needs(const std::vector<Bits<W>> (&moves)[2]) {
        if (known_.size() > MOST_KNOWN) known_.clear();
        moves_ = &moves;
        return needs(live(0), live(1));
    }

    static bool small(const std::vector<Bits<W>> (&moves)[2]) {
        return std::max(moves[0].size(), moves[1].size()) <= MOST_MOVES;
    }

private:
    static constexpr std::size_t MOST_MOVES = 64, MOST_KNOWN = 1 << 16;

    struct Hash {
        std::size_t operator()(const Bits<W>& cells) const {
            std::uint64_t mixed = 0;
            for (const auto word : cells.words) {
                mixed = (mixed ^ word) * 0x9E3779B97F4A7C15;
                mixed ^= mixed >> 29;
            }
            return mixed;
        }
    };

    std::uint64_t live(int player) const {
        const std::size_t count = (*moves_)[player].size();
        return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
    }

    // The cells that can still be filled are the union of the moves that are left, and determine them.
    Needs needs(std::uint64_t black, std::uint64_t white) {
        if ((black | white) == 0) return {};
        Bits<W> cells;
        for (const auto& [player, left] : {std::pair{0, black}, std::pair{1, white}})
            for (auto rest = left; rest != 0; rest &= rest - 1)
                cells |= (*moves_)[player][std::countr_zero(rest)];
        if (const auto found = known_.find(cells); found != known_.end()) return found->second;
        effort_.spend(8);
        int best = INT_MAX, worst = INT_MIN;
        for (auto rest = black; rest != 0; rest &= rest - 1)
            best = std::min(best, after((*moves_)[0][std::countr_zero(rest)], black, white).second);
        for (auto rest = white; rest != 0; rest &= rest - 1)
            worst = std::max(worst, after((*moves_)[1][std::countr_zero(rest)], black, white).first);
        Needs made{best, worst};
        if (best > worst) {
            made.second = worst > 0 ? worst : best <= 0 ? best - 1 : 0;
            made.first = made.second + 1;
        }
        known_.emplace(cells, made);
        return made;
    }

    Needs after(const Bits<W>& move, std::uint64_t black, std::uint64_t white) {
        std::uint64_t left[2] = {0, 0};
        for (const auto& [player, before] : {std::pair{0, black}, std::pair{1, white}})
            for (auto rest = before; rest != 0; rest &= rest - 1)
                if (const int i = std::countr_zero(rest); !(*moves_)[player][i].meets(move))
                    left[player] |= std::uint64_t{1} << i;
        return needs(left[0], left[1]);
    }

    Effort& effort_;
    const std::vector<Bits<W>> (*moves_)[2] = nullptr;
    std::unordered_map<Bits<W>, Needs, Hash> known_;
};

}  // namespace skolemate
