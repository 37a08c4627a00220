// Games in which every move fills open cells, and a player without one loses (Domineering).
//
// The methods, and why they are right:
// - Only cells matter that somebody can still fill; who filled the others does not.
// - Reserves: see reserves.hpp. If White is never stuck first, Black does not win; if Black is not, he
//   wins as soon as White has no more moves. Spare moves of a player are worth the same wherever they
//   are: only one of them is tried.
// - Where the plies left are enough for every game to end, their number does not matter. Then only
//   the difference of both players' spare moves does: a move in one of two that are added is answered
//   by a move in the other. One more for Black never hurts him. So the bounds of an entry in the
//   table are about this difference instead of plies.
// - Domination: of two moves of a player that have a cell in common, one is at least as good if it
//   leaves the player all moves that the other leaves, and the opponent none that the other takes:
//   he plays on as after the other.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "reserves.hpp"
#include "rules.hpp"
#include "symmetry.hpp"
#include "table.hpp"

namespace skolemate {

template <int W>
class Packing {
public:
    static constexpr bool carriers = false;
    static constexpr bool early = false;  // the position to be stored is known before the verdict
    using Fits = typename Reserves<W>::Fits;

    struct Node {
        int player = 0, plies = 0;
        int left = 0;       // what bounds in the table count: plies left, or spare moves
        bool ends = false;  // every game ends in the plies left
        Verdict verdict = Verdict::Unknown;
        bool for_ever = false;
        int key = -1;
        Fits fits[2];
        Bits<W> contested;  // cells that can be filled, without the parts of spare moves
        int spare[2] = {0, 0};
        int missing[2] = {0, 0};  // what the players lack to be never stuck first
        std::vector<Scored> moves;
        Images images;
    };

    struct Rules {
        std::vector<Bits<W>> actions[2];
        Symmetry<W> symmetry;
        std::vector<int> ranks[2];  // computed by `prepare`; the best move has the highest

        // The value of each move on the empty board. Images of a move have the same rank: a fixed
        // order leads to the same positions again and again.
        void prepare() {
            Fits all[2], after[2];
            Reserves<W> reserves;
            for (int player = 0; player < 2; ++player) {
                all[player] = open(player, {});
                ranks[player].assign(all[player].size(), 0);
            }
            if (std::max(all[0].size(), all[1].size()) > MOST_RANKED) return;
            for (int player = 0; player < 2; ++player) {
                std::vector<std::array<int, 3>> order;  // value, least image, number
                for (const auto& fit : all[player]) {
                    fill(all, fit.cells, after);
                    reserves.survey(after);
                    order.push_back({-reserves.value(player), least_image(player, fit), fit.number});
                }
                std::sort(order.begin(), order.end());
                int rank = 0;
                for (std::size_t i = order.size(); i-- > 0;) {
                    const bool image = i + 1 < order.size() && order[i][1] == order[i + 1][1];
                    ranks[player][order[i][2]] = image ? rank : ++rank;
                }
            }
        }

        Fits open(int player, const Bits<W>& filled) const {
            Fits fits;
            for (std::size_t i = 0; i < actions[player].size(); ++i)
                if (const Bits<W>& cells = actions[player][i]; !cells.meets(filled))
                    fits.push_back({cells, static_cast<std::uint16_t>(i),
                                    static_cast<std::uint16_t>(cells.count())});
            return fits;
        }

    private:
        static constexpr std::size_t MOST_RANKED = 1024;

        int least_image(int player, const Fit<W>& fit) const {
            int least = fit.number;
            for (int image = 1; image < symmetry.size(); ++image) {
                const Bits<W> cells = symmetry.moved(fit.cells, image);
                for (int i = 0; i < least; ++i)
                    if (actions[player][i] == cells) least = i;
            }
            return least;
        }
    };

    Packing(const Rules& rules, const Switches& switches, Effort& effort)
        : rules_(rules), switches_(switches), effort_(effort) {}

    void root(Node& node, const Bits<W>& black, const Bits<W>& white, int player, int left) {
        node = {};
        node.player = player;
        node.plies = left;
        Bits<W> open;
        int smallest = INT_MAX;
        for (int owner = 0; owner < 2; ++owner) {
            node.fits[owner] = rules_.open(owner, black | white);
            for (const auto& fit : node.fits[owner]) {
                open |= fit.cells;
                smallest = std::min<int>(smallest, fit.size);
            }
        }
        node.ends = open.count() / smallest < left;
    }

    bool black_to_move(const Node& node) const { return node.player == 0; }

    void child(const Node& node, int move, Node& next) {
        next.player = 1 - node.player;
        next.plies = node.plies - 1;
        next.ends = node.ends;
        next.verdict = Verdict::Unknown;
        next.for_ever = false;
        next.key = -1;
        fill(node.fits, rules_.actions[node.player][move], next.fits);
    }

    Verdict quick_verdict(Node& node) {
        if (node.verdict != Verdict::Unknown) return node.verdict;
        if (node.plies <= 0) return lose(node, false);
        const int mover = node.player;
        if (node.fits[mover].empty()) return mover == 0 ? lose(node, true) : win(node);
        node.contested = {};
        for (const auto& fits : node.fits)
            for (const auto& fit : fits) node.contested |= fit.cells;
        if (switches_.reserves) {
            survey(node.fits);
            for (int player : {mover, 1 - mover}) {
                node.missing[player] = reserves_.missing(node.fits, player, player == mover);
                if (node.missing[player] < 0 && in_time(node, player, mover, node.plies))
                    return player == 0 ? win(node) : lose(node, true);
                node.spare[player] = reserves_.sides[player].spare;
                node.contested = node.contested.minus(reserves_.sides[player].own);
            }
        }
        node.left = node.ends ? MIDDLE + node.spare[0] - node.spare[1] : node.plies;
        rules_.symmetry.begin(node.images, node.contested, {});
        return Verdict::Unknown;
    }

    Verdict analyse(Node& node, int best) {
        const int mover = node.player;
        node.moves.clear();
        bool spare = false;
        for (const auto& fit : node.fits[mover]) {
            std::int32_t score = rules_.ranks[mover][fit.number];
            if (!fit.cells.meets(node.contested)) {
                if (std::exchange(spare, true)) continue;
                score -= LAST;
            } else if (switches_.domination && dominated(node, fit)) {
                continue;
            }
            if (switches_.reserves) {
                fill(node.fits, fit.cells, after_);
                survey(after_);
                if (sure(node, mover)) {
                    node.key = fit.number;
                    return mover == 0 ? win(node) : lose(node, true);
                }
                if (sure(node, 1 - mover)) continue;
                score += 1024 * reserves_.value(mover);
            }
            if (fit.number == best) score = INT32_MAX;
            node.moves.push_back({fit.number, score});
        }
        best_first(node.moves);
        return Verdict::Unknown;
    }

    bool complete(const Node& node) const { return !node.ends; }
    bool for_ever(const Node& node) const {
        return node.for_ever || (node.ends && node.verdict == Verdict::Loss);
    }

    Position<W> position(const Node& node, int& image) const {
        Position<W> folded;
        image = rules_.symmetry.least(node.images);
        folded.black = rules_.symmetry.moved(node.contested, image);
        folded.tag = static_cast<std::uint8_t>(node.player | node.ends << 1);
        if (!node.ends)
            folded.white.words[0] = static_cast<std::uint64_t>(node.spare[0] << 16 | node.spare[1]);
        return folded;
    }

    const Symmetry<W>& symmetry() const { return rules_.symmetry; }

    // The image of a move has another number, and spare moves differ from position to position: a
    // hint is not worth looking them up.
    int turned(const Node& node, int move, int image) const {
        const bool kept = rules_.actions[node.player][move].within(node.contested);
        return image == 0 && kept ? move : NO_MOVE;
    }
    int turned_back(const Node&, int move, int image) const { return image == 0 ? move : -1; }

    void reward(const Node&, int) {}

private:
    static constexpr int MIDDLE = 1 << 14;
    static constexpr int LAST = 1 << 28;  // more than all other scores
    static constexpr int NEAR = 8;        // a move rarely makes good for more that is missing

    static void fill(const Fits (&before)[2], const Bits<W>& cells, Fits (&after)[2]) {
        for (int player = 0; player < 2; ++player) {
            after[player].clear();
            for (const auto& fit : before[player])
                if (!fit.cells.meets(cells)) after[player].push_back(fit);
        }
    }

    void survey(const Fits (&fits)[2]) {
        effort_.spend(1 + fits[0].size() + fits[1].size());
        reserves_.survey(fits);
    }

    // White makes her last move, and two plies later she is stuck.
    bool in_time(const Node& node, int player, int mover, int plies) const {
        return player == 1 || node.ends ||
               2 * reserves_.sides[1].most + 1 + (mover == 0) <= plies;
    }

    // Whether a player is never stuck first after a move at this node.
    bool sure(const Node& node, int player) {
        return node.missing[player] <= NEAR && node.plies > 1 &&
               in_time(node, player, 1 - node.player, node.plies - 1) &&
               reserves_.missing(after_, player, player != node.player) < 0;
    }

    // Whether another move is at least as good. Of two that are equally good the first is kept.
    bool dominated(const Node& node, const Fit<W>& move) const {
        const auto &own = node.fits[node.player], &enemy = node.fits[1 - node.player];
        effort_.spend(1 + own.size() / 16);
        for (const auto& other : own) {
            if (other.number == move.number || !other.cells.meets(move.cells)) continue;
            auto only_other_takes = [&](const Fit<W>& fit) {
                return fit.cells.meets(other.cells) && !fit.cells.meets(move.cells);
            };
            auto only_move_takes = [&](const Fit<W>& fit) {
                return fit.cells.meets(move.cells) && !fit.cells.meets(other.cells);
            };
            if (std::any_of(own.begin(), own.end(), only_other_takes)) continue;
            if (std::any_of(enemy.begin(), enemy.end(), only_move_takes)) continue;
            if (other.number < move.number ||
                std::any_of(own.begin(), own.end(), only_move_takes) ||
                std::any_of(enemy.begin(), enemy.end(), only_other_takes))
                return true;
        }
        return false;
    }

    Verdict win(Node& node) { return node.verdict = Verdict::Win; }

    // Where every game ends, bounds in the table are not about plies: then `ends` says "for ever".
    Verdict lose(Node& node, bool for_ever) {
        node.for_ever = for_ever && !node.ends;
        return node.verdict = Verdict::Loss;
    }

    const Rules& rules_;
    Switches switches_;
    Effort& effort_;
    Reserves<W> reserves_;
    Fits after_[2];
};

}  // namespace skolemate
