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
// - Parts: see parts.hpp. Settled parts count as spare moves, where every game ends in the plies left.
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
#include "parts.hpp"
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

    struct Node {
        int player = 0, plies = 0;
        int left = 0;       // what bounds in the table count: plies left, or spare moves
        bool ends = false;  // every game ends in the plies left
        Verdict verdict = Verdict::Unknown;
        bool for_ever = false;
        int key = -1;
        Choices<W> choices;
        Choices<W> open;    // those outside settled parts, if there are such parts
        Bits<W> settled;    // the cells of settled parts
        int more = 0;       // what these are worth: spare moves of Black
        int tempo = -1;     // a spare move in one of them
        Bits<W> contested;  // cells that can be filled, without settled parts and those of spare moves
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
            Choices<W> after;
            Reserves<W> reserves;
            const Choices<W> all = open({});
            for (int player = 0; player < 2; ++player) ranks[player].assign(actions[player].size(), 0);
            if (std::max(actions[0].size(), actions[1].size()) > MOST_RANKED) return;
            for (int player = 0; player < 2; ++player) {
                std::vector<std::array<int, 3>> order;  // value, least image, number
                for (const auto& fit : all.fits[player]) {
                    after.after(all, fit.cells);
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

        Choices<W> open(const Bits<W>& filled) const {
            Choices<W> left;
            for (int player = 0; player < 2; ++player)
                for (std::size_t i = 0; i < actions[player].size(); ++i)
                    if (const Bits<W>& cells = actions[player][i]; !cells.meets(filled)) {
                        left.fits[player].push_back({cells, static_cast<std::uint16_t>(i),
                                                     static_cast<std::uint16_t>(cells.count())});
                        left.join(cells, left.parts[player], 0);
                    }
            return left;
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
        : rules_(rules), switches_(switches), effort_(effort), parts_(effort) {
        for (int player = 0; player < 2; ++player) decisive_[player].resize(rules.actions[player].size());
    }

    void root(Node& node, const Bits<W>& black, const Bits<W>& white, int player, int left) {
        node = {};
        node.player = player;
        node.plies = left;
        Bits<W> open;
        int smallest = INT_MAX;
        node.choices = rules_.open(black | white);
        for (const auto& fits : node.choices.fits)
            for (const auto& fit : fits) {
                open |= fit.cells;
                smallest = std::min<int>(smallest, fit.size);
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
        next.choices.after(node.choices, rules_.actions[node.player][move]);
    }

    Verdict quick_verdict(Node& node) {
        if (node.verdict != Verdict::Unknown) return node.verdict;
        if (node.plies <= 0) return lose(node, false);
        const int mover = node.player;
        if (node.choices.fits[mover].empty()) return mover == 0 ? lose(node, true) : win(node);
        node.settled = {};
        node.more = 0;
        node.tempo = -1;
        if (switches_.reserves)
            if (const Verdict sure = compare(node, node.choices); sure != Verdict::Unknown) return sure;
        if (switches_.parts && node.ends && settle(node) && switches_.reserves)
            if (const Verdict sure = compare(node, node.open); sure != Verdict::Unknown) return sure;
        node.contested = {};
        for (const auto& fits : open(node).fits)
            for (const auto& fit : fits) node.contested |= fit.cells;
        if (switches_.reserves)
            for (const auto& side : reserves_.sides) node.contested = node.contested.minus(side.own);
        const int difference = switches_.reserves ? node.spare[0] - node.spare[1] : node.more;
        node.left = node.ends ? MIDDLE + difference : node.plies;
        rules_.symmetry.begin(node.images, node.contested, {});
        return Verdict::Unknown;
    }

    Verdict analyse(Node& node, int best) {
        const int mover = node.player;
        node.moves.clear();
        bool spare = false;
        for (const auto& fit : open(node).fits[mover])
            if (fit.cells.meets(node.contested)
                    ? !switches_.domination || !dominated(node, fit)
                    : !std::exchange(spare, true))
                node.moves.push_back({fit.number, often(mover, fit.number)});
        if (!spare && node.tempo >= 0) node.moves.push_back({static_cast<std::uint16_t>(node.tempo), 0});
        best_first(node.moves);
        doubtful_.clear();
        for (Scored& tried : node.moves) {
            const Bits<W>& cells = rules_.actions[mover][tried.move];
            tried.score = rules_.ranks[mover][tried.move];
            if (!cells.meets(node.contested)) tried.score -= LAST;
            if (switches_.reserves) {
                look(node, cells);
                if (sure(node, mover)) {
                    ++decisive_[mover][tried.move];
                    node.key = tried.move;
                    return mover == 0 ? win(node) : lose(node, true);
                }
                if (likely(node, 1 - mover)) doubtful_.push_back(tried.move);
                tried.score += 1024 * reserves_.value(mover);
            }
            if (tried.move == best) tried.score = INT32_MAX;
        }
        for (std::size_t i = 0, next = 0; next < doubtful_.size(); ++i) {
            Scored& tried = node.moves[i];
            if (tried.move != doubtful_[next]) continue;
            ++next;
            look(node, rules_.actions[mover][tried.move]);
            if (sure(node, 1 - mover)) tried.score = LOST;
        }
        best_first(node.moves);
        while (!node.moves.empty() && node.moves.back().score == LOST) node.moves.pop_back();
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
    static constexpr int LOST = INT32_MIN;
    static constexpr int LAST = 1 << 28;  // more than all other scores
    static constexpr int NEAR = 4;        // what the right to move is worth, roughly

    void survey(const Choices<W>& left, int more) {
        effort_.spend(1 + left.fits[0].size() + left.fits[1].size());
        reserves_.survey(left, more);
    }

    static const Choices<W>& open(const Node& node) {
        return node.settled.any() ? node.open : node.choices;
    }

    // The verdict if a player is never stuck first.
    Verdict compare(Node& node, const Choices<W>& left) {
        const int mover = node.player;
        survey(left, node.more);
        for (int player : {mover, 1 - mover}) {
            node.missing[player] = reserves_.missing(left, player, player == mover);
            if (node.missing[player] < 0 && in_time(node, player, mover, node.plies))
                return player == 0 ? win(node) : lose(node, true);
            node.spare[player] = reserves_.sides[player].spare;
        }
        return Verdict::Unknown;
    }

    // Find settled parts, and a spare move in one of them; whether there are any.
    bool settle(Node& node) {
        joint_ = node.choices.parts[0];
        for (const auto& part : node.choices.parts[1]) Choices<W>::join(part, joint_, 0);
        pending_.clear();
        for (const auto& part : joint_) {
            if (part.count() > Parts<W>::MOST_CELLS || settle(node, part)) continue;
            const auto partner = std::ranges::find_if(pending_, [&](const Bits<W>& other) {
                return (part | other).count() <= Parts<W>::MOST_CELLS && settle(node, part | other);
            });
            if (partner == pending_.end())
                pending_.push_back(part);
            else
                pending_.erase(partner);
        }
        if (!node.settled.any()) return false;
        node.open.after(node.choices, node.settled);
        return true;
    }

    // Settle a part, or two parts that are settled together.
    bool settle(Node& node, const Bits<W>& part) {
        gather(node, part, {});
        if (inside_[0].empty() || inside_[1].empty() || !parts_.small(inside_)) return false;
        const Needs needs = parts_.needs(inside_);
        if (!needs.settled()) return false;
        node.settled |= part;
        node.more -= needs.second;
        const int worth = node.player == 0 ? -needs.second : needs.second;
        for (const auto& fit : node.choices.fits[node.player]) {
            if (worth <= 0 || node.tempo >= 0) break;
            if (!fit.cells.within(part)) continue;
            gather(node, part, fit.cells);
            const Needs after = parts_.needs(inside_);
            if (node.player == 0 ? after.second <= 1 - worth : after.first >= worth)
                node.tempo = fit.number;
        }
        return true;
    }

    // The moves in a part that do not meet `filled`.
    void gather(const Node& node, const Bits<W>& part, const Bits<W>& filled) {
        for (int player = 0; player < 2; ++player) {
            inside_[player].clear();
            for (const auto& fit : node.choices.fits[player])
                if (fit.cells.within(part) && !fit.cells.meets(filled)) inside_[player].push_back(fit.cells);
        }
    }

    // A first look at what a move leaves.
    void look(const Node& node, const Bits<W>& move) {
        after_.after(open(node), move);
        const int taken = node.player == 0 ? 1 : -1;
        survey(after_, move.meets(node.settled) ? node.more - taken : node.more);
    }

    // White makes her last move, and two plies later she is stuck.
    bool in_time(const Node& node, int player, int mover, int plies) const {
        return player == 1 || node.ends ||
               2 * reserves_.sides[1].most + 1 + (mover == 0) <= plies;
    }

    // A guess whether `sure` is worth asking: it rarely holds otherwise.
    bool likely(const Node& node, int player) const {
        return reserves_.value(player) + (player == node.player ? 0 : NEAR) > node.missing[player];
    }

    std::int32_t often(int player, int move) const {
        return static_cast<std::int32_t>(std::min<std::uint32_t>(decisive_[player][move], INT32_MAX));
    }

    // Whether a player is never stuck first after a move at this node.
    bool sure(const Node& node, int player) {
        return likely(node, player) && node.plies > 1 &&
               in_time(node, player, 1 - node.player, node.plies - 1) &&
               reserves_.missing(after_, player, player != node.player) < 0;
    }

    // Whether another move is at least as good. Of two that are equally good the first is kept.
    bool dominated(const Node& node, const Fit<W>& move) const {
        const auto &own = open(node).fits[node.player], &enemy = open(node).fits[1 - node.player];
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
    Parts<W> parts_;
    std::vector<Bits<W>> joint_, pending_, inside_[2];
    Choices<W> after_;
    std::vector<std::uint16_t> doubtful_;     // moves that may lose at once
    std::vector<std::uint32_t> decisive_[2];  // how often a move decided a position at once
};

}  // namespace skolemate
