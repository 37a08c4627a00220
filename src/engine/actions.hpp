// Games in which moves do anything to the board: actions and goals as patterns (BDDL).
//
// The players alternate. A player has won when one of his goals holds after a move, the mover's
// goals first; a player without an action loses at that ply. The methods, and why they are right:
// - Only goals that touch a cell changed by an action can become true by it.
// - Moves are found by what they need on one cell: of all actions only those are looked at whose
//   stone, or whose open cell, is there.
// - Races: see race.hpp.
// - Threats: if the opponent could win at once by an action, and a move changes no cell that the action
//   or its goal is about, he still can after it. So only moves that change one are tried.
// - Time: a goal that needs more black cells than Black's actions in the plies left can make is out of
//   reach. If all are, and White is never stuck, there is no win. Nor is there one if Black's stones
//   are too far from every goal (see race.hpp), and White is not stuck in time: of her actions that
//   have no cell in common, each of her own moves uses up one, and each black move as many at most as
//   it changes cells.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "bits.hpp"
#include "numbers.hpp"
#include "patterns.hpp"
#include "race.hpp"
#include "rules.hpp"
#include "symmetry.hpp"
#include "table.hpp"

namespace skolemate {

// A number that every move makes smaller by at least `least`, unless it wins: the sum of the weights
// of open cells, black and white stones.
struct Measure {
    std::array<std::vector<int>, 3> weights;
    int least = 1;
};

template <int W>
class Actions {
public:
    static constexpr bool carriers = false;
    static constexpr bool early = true;  // the position to be stored is known before the verdict

    struct Node {
        Bits<W> black, white;
        int player = 0, left = 0;
        Verdict verdict = Verdict::Unknown;
        bool for_ever = false;
        int key = -1;
        std::vector<Scored> moves;
        Images images;
    };

    struct Rules {
        int cells = 0;
        std::vector<Action<W>> actions[2];
        std::vector<Pattern<W>> goals[2];
        bool never_stuck = false;  // players have an action at every ply up to the horizon
        std::vector<Measure> measures;
        Symmetry<W> symmetry;
        // Computed by `prepare`.
        std::vector<std::vector<std::uint32_t>> wakes[2][2];  // mover, action; whose goals
        bool monotone = true;      // stones stay
        int blackened_most = 1;    // black cells that an action makes at most
        int changed_most = 1;      // cells that a black action changes at most
        Bits<W> board;             // all cells
        typename Races<W>::Rules races;
        // Actions by a cell and what they need there: a stone of the mover, one of the opponent, none.
        std::vector<std::vector<std::uint16_t>> by_cell[2][3];
        Bits<W> keys[2][3];                      // the cells with actions
        std::vector<std::uint16_t> anywhere[2];  // actions that need none of these

        // Whether every action fills open cells, needs nothing else, and only being stuck loses.
        bool packing() const {
            auto fills = [](const Action<W>& action) {
                const Bits<W> open = action.needs.no_black & action.needs.no_white;
                return action.needs.cells().within(open) && action.changed() == open &&
                       !action.opened.any();
            };
            return goals[0].empty() && goals[1].empty() && !never_stuck &&
                   std::all_of(actions[0].begin(), actions[0].end(), fills) &&
                   std::all_of(actions[1].begin(), actions[1].end(), fills);
        }

        // Whether every game ends in the plies left, and one player wins.
        bool ends(const Bits<W>& black, const Bits<W>& white, int left) const {
            const Bits<W> contents[3] = {board.minus(black | white), black, white};
            return !never_stuck &&
                   std::any_of(measures.begin(), measures.end(), [&](const Measure& measure) {
                       int sum = 0;
                       for (int i = 0; i < 3; ++i)
                           contents[i].each([&](int cell) { sum += measure.weights[i][cell]; });
                       return sum / measure.least < left;
                   });
        }

        void prepare() {
            for (const auto& own : actions)
                if (own.size() >= NO_MOVE) throw std::length_error("too many actions to be numbered");
            for (int cell = 0; cell < cells; ++cell) board.set(cell);
            races.prepare(cells, actions, goals);
            for (int mover = 0; mover < 2; ++mover) index(mover);
            for (int mover = 0; mover < 2; ++mover)
                for (int owner = 0; owner < 2; ++owner)
                    for (const auto& action : actions[mover]) {
                        auto& woken = wakes[mover][owner].emplace_back();
                        for (std::size_t i = 0; i < goals[owner].size(); ++i)
                            if (goals[owner][i].cells().meets(action.changed()))
                                woken.push_back(static_cast<std::uint32_t>(i));
                    }
            for (int mover = 0; mover < 2; ++mover)
                for (const auto& action : actions[mover]) {
                    const Bits<W> open = action.needs.no_black & action.needs.no_white;
                    monotone = monotone && action.changed().within(open) && !action.opened.any();
                    blackened_most = std::max(blackened_most, action.blackened.count());
                    if (mover == 0) changed_most = std::max(changed_most, action.changed().count());
                }
        }

    private:
        void index(int mover) {
            for (auto& lists : by_cell[mover]) lists.resize(cells);
            for (std::size_t i = 0; i < actions[mover].size(); ++i) {
                const Pattern<W>& needs = actions[mover][i].needs;
                const Bits<W> wanted[3] = {needs.stones(mover), needs.stones(1 - mover),
                                           needs.no_black & needs.no_white};
                const auto number = static_cast<std::uint16_t>(i);
                int what = 0;
                while (what < 3 && !wanted[what].any()) ++what;
                if (what == 3) {
                    anywhere[mover].push_back(number);
                } else {
                    const int cell = wanted[what].first();
                    by_cell[mover][what][cell].push_back(number);
                    keys[mover][what].set(cell);
                }
            }
        }
    };

    Actions(const Rules& rules, const Switches& switches, Effort& effort)
        : rules_(rules), switches_(switches), effort_(effort),
          races_(rules.actions, rules.goals, rules.races) {
        for (int player = 0; player < 2; ++player)
            history_[player].assign(rules.actions[player].size(), 0);
    }

    void root(Node& node, const Bits<W>& black, const Bits<W>& white, int player, int left) {
        node = {};
        node.black = black;
        node.white = white;
        node.player = player;
        node.left = left;
        rules_.symmetry.begin(node.images, black, white);
        for (int owner : {1 - player, player})
            for (const auto& goal : rules_.goals[owner])
                if (node.verdict == Verdict::Unknown && goal.holds(black, white)) decide(node, owner);
    }

    bool black_to_move(const Node& node) const { return node.player == 0; }

    // One move must win, or all moves must be refuted.
    Estimate estimate(const Node& node) const {
        return {1, static_cast<std::uint32_t>(node.moves.size())};
    }

    void child(const Node& node, int move, Node& next) {
        const int mover = node.player;
        const Action<W>& action = rules_.actions[mover][move];
        const Bits<W> changed = action.changed();
        next.black = node.black.minus(changed) | action.blackened;
        next.white = node.white.minus(changed) | action.whitened;
        next.player = 1 - mover;
        next.left = node.left - 1;
        next.verdict = Verdict::Unknown;
        next.for_ever = false;
        next.key = -1;
        next.images = node.images;
        changed.each([&](int cell) {
            if (node.black.test(cell) != next.black.test(cell))
                rules_.symmetry.toggle(next.images, cell, 0);
            if (node.white.test(cell) != next.white.test(cell))
                rules_.symmetry.toggle(next.images, cell, 1);
        });
        for (int owner : {mover, 1 - mover})
            if (next.verdict == Verdict::Unknown && woken(mover, owner, move, next.black, next.white))
                decide(next, owner);
    }

    Verdict quick_verdict(Node& node) {
        if (node.verdict != Verdict::Unknown) return node.verdict;
        if (node.left <= 0) return lose(node, false);
        const int mover = node.player;
        node.moves.clear();
        if (generate(node)) return mover == 0 ? win(node) : lose(node, true);
        if (node.moves.empty()) {
            // Up to the horizon a player who cannot move has lost; after it nothing is decided.
            return mover == 0 ? lose(node, true) : win(node);
        }
        if (switches_.threats && mover == 0 && node.left == 1) return lose(node, false);
        if (switches_.time && rules_.never_stuck) return in_time(node);
        if (switches_.time && rules_.races.any && too_far(node)) return lose(node, false);
        return Verdict::Unknown;
    }

    Verdict analyse(Node& node, int best) {
        if (switches_.races && rules_.races.any) {
            const int winner = races_.winner(node.black, node.white, node.player, node.left);
            node.key = races_.move();
            if (winner >= 0) return winner == 0 ? win(node) : lose(node, true);
            if (switches_.threats) parry(node);
        }
        const auto& history = history_[node.player];
        for (auto& tried : node.moves) {
            tried.score = static_cast<std::int32_t>(std::min<std::uint64_t>(
                history[tried.move], std::uint64_t{1} << 30));
            if (tried.move == best) tried.score = INT32_MAX;
        }
        best_first(node.moves);
        return Verdict::Unknown;
    }

    bool complete(const Node&) const { return true; }
    bool for_ever(const Node& node) const { return node.for_ever; }

    Position<W> position(const Node& node, int& image) const {
        Position<W> folded;
        image = rules_.symmetry.least(node.images);
        folded.black = rules_.symmetry.moved(node.black, image);
        folded.white = rules_.symmetry.moved(node.white, image);
        folded.tag = node.player == 0 ? 0 : 1;
        return folded;
    }

    const Symmetry<W>& symmetry() const { return rules_.symmetry; }

    // The image of an action has another number: a hint is not worth looking it up.
    int turned(const Node&, int move, int image) const { return image == 0 ? move : NO_MOVE; }
    int turned_back(const Node&, int move, int image) const { return image == 0 ? move : -1; }

    void reward(const Node& node, int move) {
        history_[node.player][move] += 1 + node.left * node.left;
    }

private:
    // List the moves; stops and returns true if one of them ends the game at once.
    bool generate(Node& node) {
        const int mover = node.player;
        const auto& actions = rules_.actions[mover];
        bool over = false;
        auto look = [&](std::uint16_t move) {
            if (over || !actions[move].needs.holds(node.black, node.white)) return;
            node.moves.push_back({move, 0});
            over = switches_.threats && ends(node, move);
        };
        const Bits<W>& own = mover == 0 ? node.black : node.white;
        const Bits<W>& enemy = mover == 0 ? node.white : node.black;
        const Bits<W> found[3] = {own, enemy, rules_.board.minus(own | enemy)};
        for (int what = 0; what < 3; ++what)
            (rules_.keys[mover][what] & found[what]).each([&](int cell) {
                for (auto move : rules_.by_cell[mover][what][cell]) look(move);
            });
        for (auto move : rules_.anywhere[mover]) look(move);
        return over;
    }

    // Leave out moves after which the opponent can do what would win for him now. At least one move is
    // kept, so that the search finds out what follows.
    void parry(Node& node) {
        const int enemy = 1 - node.player;
        const Bits<W>& stones = enemy == 0 ? node.black : node.white;
        if (enemy == 0 && node.left < 2) return;
        (stones & rules_.races.near[enemy][1]).each([&](int cell) {
            for (auto move : rules_.races.uses[enemy][cell]) {
                const Action<W>& action = rules_.actions[enemy][move];
                if (!action.needs.holds(node.black, node.white)) continue;
                const Bits<W> changed = action.changed();
                const Bits<W> black = node.black.minus(changed) | action.blackened;
                const Bits<W> white = node.white.minus(changed) | action.whitened;
                for (auto i : rules_.wakes[enemy][enemy][move]) {
                    const Pattern<W>& goal = rules_.goals[enemy][i];
                    if (!goal.holds(black, white)) continue;
                    const Bits<W> zone = action.needs.cells() | goal.cells();
                    std::size_t kept = 0;
                    for (const Scored& tried : node.moves)
                        if (rules_.actions[node.player][tried.move].changed().meets(zone))
                            node.moves[kept++] = tried;
                    node.moves.resize(std::max<std::size_t>(kept, 1));
                }
            }
        });
    }

    bool woken(int mover, int owner, int move, const Bits<W>& black, const Bits<W>& white) const {
        for (auto i : rules_.wakes[mover][owner][move])
            if (rules_.goals[owner][i].holds(black, white)) return true;
        return false;
    }

    bool ends(const Node& node, int move) const {
        if (rules_.wakes[node.player][node.player][move].empty()) return false;
        const Action<W>& action = rules_.actions[node.player][move];
        const Bits<W> changed = action.changed();
        return woken(node.player, node.player, move, node.black.minus(changed) | action.blackened,
                     node.white.minus(changed) | action.whitened);
    }

    void decide(Node& node, int winner) { winner == 0 ? win(node) : lose(node, true); }

    Verdict win(Node& node) { return node.verdict = Verdict::Win; }

    Verdict lose(Node& node, bool for_ever) {
        node.for_ever = for_ever;
        return node.verdict = Verdict::Loss;
    }

    Verdict in_time(Node& node) {
        const int plies = (node.left + (node.player == 0)) / 2;
        bool possible = false, possible_later = false;
        for (const auto& goal : rules_.goals[0]) {
            if (rules_.monotone && (goal.black.meets(node.white) || goal.white.meets(node.black) ||
                                    goal.no_black.meets(node.black) || goal.no_white.meets(node.white)))
                continue;
            possible_later = true;
            if (goal.black.minus(node.black).count() <= plies * rules_.blackened_most) {
                possible = true;
                break;
            }
        }
        return possible ? Verdict::Unknown : lose(node, !possible_later);
    }

    bool too_far(const Node& node) const {
        const int actions = (node.left + (node.player == 0)) / 2;
        if (rules_.races.least(0, node.black) <= actions) return false;
        // White's turns, and the actions that are enough for them.
        const int turns = (node.left + (node.player == 1)) / 2;
        int enough = turns * (rules_.changed_most + 1);
        if (node.player == 1) enough -= rules_.changed_most;
        Bits<W> used;
        auto count = [&](const Action<W>& action) {
            const Bits<W> cells = action.needs.cells() | action.changed();
            if (enough <= 0 || cells.meets(used)) return;
            used |= cells;
            --enough;
        };
        if (node.player == 1) {
            for (const Scored& tried : node.moves) count(rules_.actions[1][tried.move]);
        } else {
            node.white.each([&](int cell) {
                for (auto move : rules_.races.uses[1][cell])
                    if (enough > 0 && rules_.actions[1][move].needs.holds(node.black, node.white))
                        count(rules_.actions[1][move]);
            });
        }
        return enough <= 0;
    }

    const Rules& rules_;
    Switches switches_;
    Effort& effort_;
    Races<W> races_;
    std::vector<std::uint64_t> history_[2];
};

}  // namespace skolemate
