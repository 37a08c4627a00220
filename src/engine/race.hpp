// Races: a player who reaches a goal in time, whatever the opponent does meanwhile.
//
// A stone stays where it is, or an action takes it and puts others down. So a player needs at least as
// many actions to a goal as the way of one of his stones to a cell of a goal takes if every action that
// puts a stone down is possible as soon as one of the stones that it needs may be there. In the same
// way one sees which cells a player can change by so many actions at most.
// A chain is a sequence of one player's actions in which each uses a stone that the one before has put
// down. It is played on the board as if the opponent passed. What an action of the chain needs was true
// on this board, and stays true if no action that the opponent can have reached by then ends it: takes
// a stone (and is possible with a stone there), fills an open cell (and is possible if it is open),
// and so on. If the chain ends in a goal, and the opponent needs more actions to his than he has by
// then, its player wins: by the chain, or because the opponent is stuck before.
// All this holds only if nobody puts down stones of the opponent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "patterns.hpp"

namespace skolemate {

// What a player's actions can do to cells.
template <int W>
struct Influence {
    Bits<W> takes;  // a stone of the opponent is no longer there
    Bits<W> fills;  // an open cell is no longer open
    Bits<W> puts;   // a stone of the player is there
    Bits<W> moves;  // a stone of the player is no longer there

    void add(const Action<W>& action, int player) {
        const Pattern<W>& needs = action.needs;
        const Bits<W> changed = action.changed(), put = action.put(player);
        takes |= changed.minus(needs.without(1 - player) | needs.stones(player));
        fills |= put.minus(needs.black | needs.white | needs.occupied);
        puts |= put;
        moves |= changed.minus(put);
    }

    void operator|=(const Influence& other) {
        takes |= other.takes;
        fills |= other.fills;
        puts |= other.puts;
        moves |= other.moves;
    }

    Influence minus(const Bits<W>& cells) const {
        return {takes.minus(cells), fills.minus(cells), puts.minus(cells), moves.minus(cells)};
    }

    // Whether what holds for the opponent goes on to hold.
    bool spares(const Pattern<W>& pattern, int player) const {
        return !pattern.stones(1 - player).meets(takes) && !pattern.stones(player).meets(moves) &&
               !pattern.occupied.meets(takes | moves) &&
               !(pattern.no_black & pattern.no_white).meets(fills) &&
               !pattern.without(player).minus(pattern.without(1 - player)).meets(puts);
    }
};

template <int W>
class Races {
public:
    static constexpr int LONGEST = 8;  // actions of a chain

    // What follows from the rules alone.
    struct Rules {
        bool any = false;  // whether stones go to goals step by step
        std::vector<std::vector<std::uint16_t>> uses[2];  // actions that need a stone on a cell
        Bits<W> near[2][LONGEST + 1];  // where a stone may be so many actions from a goal
        int without[2];                // the same from no stone at all
        std::vector<Influence<W>> by_stone[2][LONGEST + 1];  // of so many actions, from a cell
        Influence<W> by_none[2][LONGEST + 1];

        void prepare(int cells, const std::vector<Action<W>> (&actions)[2],
                     const std::vector<Pattern<W>> (&goals)[2]) {
            for (int player = 0; player < 2; ++player) {
                uses[player].resize(cells);
                for (std::size_t i = 0; i < actions[player].size(); ++i) {
                    if (actions[player][i].put(1 - player).any()) return;
                    actions[player][i].needs.stones(player).each([&](int cell) {
                        uses[player][cell].push_back(static_cast<std::uint16_t>(i));
                    });
                }
                measure(player, actions[player], goals[player]);
            }
            for (int player = 0; player < 2; ++player)
                any = any || near[player][LONGEST] != near[player][1];
            if (any)
                for (int player = 0; player < 2; ++player) spread(cells, player, actions[player]);
        }

        // The least number of actions to a goal, at least so many.
        int least(int player, const Bits<W>& stones) const {
            int steps = 0;
            while (steps < without[player] && !near[player][steps].meets(stones)) ++steps;
            return steps;
        }

    private:
        void measure(int player, const std::vector<Action<W>>& own,
                     const std::vector<Pattern<W>>& goals) {
            without[player] = LONGEST + 1;
            for (const auto& goal : goals) {
                near[player][0] |= goal.stones(player);
                if (!goal.stones(player).any()) without[player] = 0;
            }
            for (int steps = 1; steps <= LONGEST; ++steps) {
                near[player][steps] = near[player][steps - 1];
                for (const auto& action : own)
                    if (action.put(player).meets(near[player][steps - 1])) {
                        near[player][steps] |= action.needs.stones(player);
                        if (!action.needs.stones(player).any())
                            without[player] = std::min(without[player], steps);
                    }
            }
        }

        void spread(int cells, int player, const std::vector<Action<W>>& own) {
            for (int steps = 0; steps <= LONGEST; ++steps) by_stone[player][steps].resize(cells);
            for (int steps = 1; steps <= LONGEST; ++steps)
                for (const auto& action : own) {
                    Influence<W> here;
                    here.add(action, player);
                    action.put(player).each(
                        [&](int cell) { here |= by_stone[player][steps - 1][cell]; });
                    const Bits<W>& needed = action.needs.stones(player);
                    needed.each([&](int cell) { by_stone[player][steps][cell] |= here; });
                    if (!needed.any()) by_none[player][steps] |= here;
                }
        }
    };

    Races(const std::vector<Action<W>> (&actions)[2], const std::vector<Pattern<W>> (&goals)[2],
          const Rules& rules)
        : actions_(actions), goals_(goals), rules_(rules) {
        for (int player = 0; player < 2; ++player)
            tried_[player].assign(actions[player].size() * (LONGEST + 1), 0);
    }

    // The player who wins a race, or -1. Black must win it in the plies left.
    int winner(const Bits<W>& black, const Bits<W>& white, int mover, int left) {
        move_ = -1;
        const int need[2] = {rules_.least(0, black), rules_.least(1, white)};
        player_ = need[mover] <= need[1 - mover] ? mover : 1 - mover;
        before_ = player_ == mover ? -1 : 0;
        most_ = std::min(LONGEST, need[1 - player_] - 1 - before_);
        if (player_ == 0) most_ = std::min(most_, (left - before_) / 2);
        if (most_ < std::max(1, need[player_])) return -1;
        const Bits<W>& own = player_ == 0 ? black : white;
        enemies_ = player_ == 0 ? white : black;
        known_ = 0;
        ++stamp_;
        bool found = false;
        (own & rules_.near[player_][most_]).each([&](int cell) {
            for (auto action : rules_.uses[player_][cell])
                if (!found && goes_on(black, white, action, 1)) {
                    found = true;
                    if (player_ == mover) move_ = action;
                }
        });
        return found ? player_ : -1;
    }

    // The first move of the winner, if he is to move; otherwise -1.
    int move() const { return move_; }

private:
    // Whether a chain goes on with this action to a goal.
    bool goes_on(const Bits<W>& black, const Bits<W>& white, int number, int step) {
        const Action<W>& action = actions_[player_][number];
        const Bits<W>& put = action.put(player_);
        if (!put.meets(rules_.near[player_][most_ - step])) return false;
        auto& tried = tried_[player_][number * (LONGEST + 1) + step];
        if (tried == stamp_ || !action.needs.holds(black, white)) return false;
        tried = stamp_;
        const Influence<W>& enemy = influence(step + before_);
        if (!enemy.spares(action.needs, 1 - player_)) return false;
        const Bits<W> changed = action.changed();
        const Bits<W> b = black.minus(changed) | action.blackened;
        const Bits<W> w = white.minus(changed) | action.whitened;
        if (put.meets(rules_.near[player_][0]))
            for (const auto& goal : goals_[player_])
                if (goal.stones(player_).meets(put) && goal.holds(b, w) &&
                    enemy.minus(changed).spares(goal, 1 - player_))
                    return true;
        if (step == most_) return false;
        bool found = false;
        put.each([&](int cell) {
            for (auto next : rules_.uses[player_][cell])
                found = found || goes_on(b, w, next, step + 1);
        });
        return found;
    }

    // Of the opponent's first so many actions.
    const Influence<W>& influence(int actions) {
        for (; known_ < actions; ++known_) {
            Influence<W>& next = influences_[known_ + 1];
            next = rules_.by_none[1 - player_][known_ + 1];
            enemies_.each([&](int cell) { next |= rules_.by_stone[1 - player_][known_ + 1][cell]; });
        }
        return influences_[actions];
    }

    const std::vector<Action<W>> (&actions_)[2];
    const std::vector<Pattern<W>> (&goals_)[2];
    const Rules& rules_;
    Influence<W> influences_[LONGEST + 1];
    std::vector<std::uint32_t> tried_[2];  // actions by step, with the race in which they were tried
    std::uint32_t stamp_ = 0;
    Bits<W> enemies_;
    int known_ = 0;  // influences
    int player_ = 0, before_ = 0, most_ = 0, move_ = -1;
};

}  // namespace skolemate
