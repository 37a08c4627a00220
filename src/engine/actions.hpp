// Games in which moves do anything to the board: actions and goals as patterns (BDDL).
//
// The players alternate. A player has won when one of his goals holds after a move, the mover's
// goals first; who finds no action loses at that ply. What is used, and why it is right:
// - Only goals that touch a cell changed by an action can become true by it.
// - Time: a goal that needs more black cells than Black's actions in the plies left can make is out of
//   reach. If all are, and White is never stuck, there is no win.
// - Packing: where every action fills open cells and nothing else counts, safe moves, which no
//   action of the opponent's can ever touch, are moves in reserve. Who has as many in reserve as
//   the opponent can ever make moves is never stuck first.
#pragma once

#include <algorithm>
#include <vector>

#include "bits.hpp"
#include "placement.hpp"
#include "symmetry.hpp"
#include "table.hpp"

namespace skolemate {

template <int W>
struct Pattern {
    Bits<W> black, white, occupied, no_black, no_white;

    bool holds(const Bits<W>& b, const Bits<W>& w) const {
        return black.within(b) && white.within(w) && occupied.within(b | w) &&
               !no_black.meets(b) && !no_white.meets(w);
    }

    Bits<W> cells() const { return black | white | occupied | no_black | no_white; }
};

template <int W>
struct Action {
    Pattern<W> needs;
    Bits<W> opened, blackened, whitened;

    Bits<W> changed() const { return opened | blackened | whitened; }
};

template <int W>
class Actions {
public:
    static constexpr bool carriers = false;

    struct Node {
        Bits<W> black, white;
        int player = 0, left = 0;
        Verdict verdict = Verdict::Unknown;
        bool for_ever = false;
        Bits<W> carrier, candidates;  // as in placement games, unused
        std::vector<std::pair<int, int>> dominated;
        std::vector<Scored> moves;
        Images images;
    };

    struct Rules {
        int cells = 0;
        std::vector<Action<W>> actions[2];
        std::vector<Pattern<W>> goals[2];
        bool never_stuck = false;  // as long as anything can be decided
        Symmetry<W> symmetry;
        // Found by `prepare`.
        std::vector<std::vector<std::uint16_t>> wakes[2][2];  // mover, action; whose goals
        bool packing = false;      // actions fill open cells, and being stuck is all that counts
        bool monotone = true;      // stones stay
        int blackened_most = 1;    // black cells that an action makes

        void prepare() {
            packing = goals[0].empty() && goals[1].empty() && !never_stuck;
            for (int mover = 0; mover < 2; ++mover)
                for (int owner = 0; owner < 2; ++owner)
                    for (const auto& action : actions[mover]) {
                        auto& woken = wakes[mover][owner].emplace_back();
                        for (std::size_t i = 0; i < goals[owner].size(); ++i)
                            if (goals[owner][i].cells().meets(action.changed()))
                                woken.push_back(static_cast<std::uint16_t>(i));
                    }
            for (int mover = 0; mover < 2; ++mover)
                for (const auto& action : actions[mover]) {
                    const Bits<W> open = action.needs.no_black & action.needs.no_white;
                    const bool fills = action.changed().within(open) && !action.opened.any();
                    monotone = monotone && fills;
                    packing = packing && fills && action.needs.cells().within(open) &&
                              action.changed() == open;
                    blackened_most = std::max(blackened_most, action.blackened.count());
                }
        }
    };

    Actions(const Rules& rules, const Switches& switches, std::size_t number)
        : rules_(rules), switches_(switches), number_(number) {
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

    Verdict look(Node& node) {
        if (node.verdict != Verdict::Unknown) return node.verdict;
        if (node.left <= 0) return lose(node, false);
        const int mover = node.player;
        node.moves.clear();
        const auto& actions = rules_.actions[mover];
        for (std::size_t i = 0; i < actions.size(); ++i)
            if (actions[i].needs.holds(node.black, node.white)) {
                const auto move = static_cast<std::uint16_t>(i);
                node.moves.push_back({move, 0});
                if (switches_.threats && ends(node, move))
                    return mover == 0 ? win(node) : lose(node, true);
            }
        if (node.moves.empty()) {
            // Beyond the horizon nobody is asked; before it, who cannot move has lost.
            return mover == 0 ? lose(node, true) : win(node);
        }
        if (switches_.threats && mover == 0 && node.left == 1) return lose(node, false);
        if (switches_.time && rules_.never_stuck) return in_time(node);
        return Verdict::Unknown;
    }

    Verdict think(Node& node, int best) {
        if (rules_.packing) survey(node);
        if (switches_.reserves && rules_.packing)
            if (const Verdict known = reserves(node); known != Verdict::Unknown) return known;
        const auto& history = history_[node.player];
        for (auto& tried : node.moves) {
            tried.score = static_cast<std::int32_t>(std::min<std::uint64_t>(
                history[tried.move], std::uint64_t{1} << 30));
            if (rules_.packing) tried.score = freedom(node, tried.move);
            if (number_) tried.score += vary(tried.move, number_);
            if (tried.move == best) tried.score = INT32_MAX;
        }
        std::sort(node.moves.begin(), node.moves.end(), [](const Scored& a, const Scored& b) {
            return a.score != b.score ? a.score > b.score : a.move < b.move;
        });
        return Verdict::Unknown;
    }

    Bits<W> not_skipped(const Node&) const { return {}; }
    Bits<W> open(const Node&) const { return {}; }
    bool complete(const Node&) const { return true; }

    Position<W> position(const Node& node, int& image, std::uint64_t& hash) const {
        Position<W> found;
        image = rules_.symmetry.least(node.images, hash);
        found.black = rules_.symmetry.moved(node.black, image);
        found.white = rules_.symmetry.moved(node.white, image);
        found.tag = node.player == 0 ? 0 : 1;
        hash ^= found.tag;
        return found;
    }

    const Symmetry<W>& symmetry() const { return rules_.symmetry; }

    // An image of an action has another number: it is not looked up for a mere hint.
    int turned(const Node&, int move, int image) const { return image == 0 ? move : NO_MOVE; }
    int turned_back(const Node&, int move, int image) const { return image == 0 ? move : -1; }

    void praise(const Node& node, int move) {
        history_[node.player][move] += 1 + node.left * node.left;
    }

private:
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

    // What either player could do if it were his turn.
    void survey(const Node& node) {
        for (int player = 0; player < 2; ++player) {
            possible_[player].clear();
            reach_[player] = {};
            for (const auto& action : rules_.actions[player])
                if (action.needs.holds(node.black, node.white)) {
                    possible_[player].push_back(action.changed());
                    reach_[player] |= action.changed();
                }
        }
    }

    // Moves that a player can make whatever the opponent does: there are at least so many.
    int reserve(int player) const {
        Bits<W> used = reach_[1 - player];
        int total = 0;
        for (const auto& cells : possible_[player])
            if (!cells.meets(used)) {
                used |= cells;
                ++total;
            }
        return total;
    }

    // Moves that a player can ever make, at most: the actions fall into parts without a cell in
    // common, and no part has room for more than its cells allow.
    int most_moves(int player) {
        parts_.clear();
        int least = FAR;
        for (const auto& cells : possible_[player]) {
            least = std::min(least, cells.count());
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
        int total = 0;
        for (const auto& part : parts_) total += part.count() / least;
        return total;
    }

    Verdict reserves(Node& node) {
        const bool mine = node.player == 0;
        // White makes her last move, and a ply later she is stuck.
        const int most = most_moves(1);
        if (2 * most + 1 + mine <= node.left && reserve(0) >= most + mine) return win(node);
        if (reserve(1) >= most_moves(0) + !mine) return lose(node, true);
        return Verdict::Unknown;
    }

    // Of a filling move: how many more moves it takes from the opponent than from its owner.
    std::int32_t freedom(const Node& node, int move) const {
        const Bits<W> cells = rules_.actions[node.player][move].changed();
        std::int32_t score = 0;
        for (int player = 0; player < 2; ++player)
            for (const auto& other : possible_[player])
                if (other.meets(cells)) score += player == node.player ? -1 : 1;
        return score;
    }

    const Rules& rules_;
    Switches switches_;
    std::size_t number_;
    std::vector<std::uint64_t> history_[2];
    std::vector<Bits<W>> possible_[2], parts_;
    Bits<W> reach_[2];
};

}  // namespace skolemate
