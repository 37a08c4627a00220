// Games in which stones fall in columns: a player puts one stone on the lowest open cell of a column,
// and wins by completing a set of his own stones (Connect-c). A full board is a draw.
//
// The methods, and why they are right:
// - Threats: a player who can complete a set does. If the opponent could, his cell is the only move;
//   if he could on two cells, or on the cell above every move that is left, he wins.
// - Time: Black needs a set without white stones, a ply of his for each of its open cells, and a ply
//   of somebody's for each of these and each open cell below them. If no set is left, no number of
//   plies is enough.
// - Pairing: the player who is not to move answers each move by the other cell of its pair. Each column
//   is cut into pairs from its top, so that the upper cell can be filled once the lower one is. In a
//   column of odd length the lowest open cell is left over. These are paired with each other: all of
//   them can be filled at once. So he gets every upper cell and one of each pair of lowest cells, as
//   it is always a lower or a lowest cell that the opponent can fill. If each set that the opponent
//   might complete has an upper cell or both of a pair of lowest cells, the opponent never does.
//   A cell that would complete a set of the player's may be the top of its column instead, if it is
//   an upper cell: when all other cells are filled he has got it, and nothing above it was needed.
//   So he wins within as many plies as there are cells in all pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "bits.hpp"
#include "patterns.hpp"
#include "rules.hpp"
#include "symmetry.hpp"
#include "table.hpp"

namespace skolemate {

template <int W>
class Falling {
public:
    static constexpr bool carriers = false;
    static constexpr bool early = true;  // the position to be stored is known before the verdict

    // A position and, if the game has a symmetry, its image.
    struct Node {
        std::array<std::array<Bits<W>, 2>, 2> images;  // Black's and White's stones in each
        Bits<W> playable;
        Bits<W> wins[2];  // open cells that would complete a set of a player
        int player = 0, left = 0, open = 0;
        Verdict verdict = Verdict::Unknown;
        bool for_ever = false;
        int key = -1;
        std::vector<Scored> moves;

        const Bits<W>& stones(int owner) const { return images[0][owner]; }
    };

    struct Rules {
        std::vector<int> cells[2], numbers[2];  // the cells of actions, the actions of cells
        std::vector<int> above;                 // the cell that each supports, or -1
        std::vector<Bits<W>> sets[2];
        std::vector<std::vector<Bits<W>>> through[2];  // the sets of each cell
        std::vector<Bits<W>> needed;                   // the cells of Black's sets, and those below
        // By a cell as the top of its column: its column, the cells above it, and below it those at an
        // even distance, itself included.
        std::vector<Bits<W>> column, higher, upper;
        Bits<W> board, uppers;  // all cells, those at an even distance from the top of their column
        std::vector<std::uint16_t> image;  // a symmetry; the identity if there is no other

        // The rules, if this is a game in which stones fall.
        static std::optional<Rules> from(int cells, const std::vector<Action<W>> (&actions)[2],
                                         const std::vector<Pattern<W>> (&goals)[2],
                                         const Symmetry<W>& symmetry) {
            Rules rules;
            for (int cell = 0; cell < cells; ++cell) rules.board.set(cell);
            std::vector<Bits<W>> support[2];
            for (int player = 0; player < 2; ++player) {
                rules.numbers[player].assign(cells, -1);
                support[player].resize(cells);
                if (actions[player].size() != static_cast<std::size_t>(cells)) return {};
                for (const auto& action : actions[player]) {
                    const Bits<W>& put = action.put(player);
                    const Pattern<W>& needs = action.needs;
                    if (put.count() != 1 || action.changed() != put || action.opened.any() ||
                        needs.no_black != put || needs.no_white != put || needs.black.any() ||
                        needs.white.any() || needs.occupied.count() > 1)
                        return {};
                    const int cell = put.first();
                    if (rules.numbers[player][cell] >= 0) return {};
                    rules.numbers[player][cell] = static_cast<int>(rules.cells[player].size());
                    rules.cells[player].push_back(cell);
                    support[player][cell] = needs.occupied;
                }
                for (const auto& goal : goals[player]) {
                    const Bits<W>& set = goal.stones(player);
                    if (set != goal.cells() || !set.any()) return {};
                    rules.sets[player].push_back(set);
                }
            }
            if (support[0] != support[1]) return {};
            if (!rules.stack(cells, support[0])) return {};
            rules.image = symmetry.permutation(symmetry.size() > 1 ? 1 : 0);
            rules.list();
            return rules;
        }

    private:
        // Build the columns; false if there are none.
        bool stack(int cells, const std::vector<Bits<W>>& support) {
            above.assign(cells, -1);
            column.resize(cells);
            higher.resize(cells);
            upper.resize(cells);
            int stacked = 0;
            for (int cell = 0; cell < cells; ++cell) {
                if (!support[cell].any()) continue;
                int& next = above[support[cell].first()];
                if (next >= 0) return false;
                next = cell;
            }
            for (int bottom = 0; bottom < cells; ++bottom) {
                if (support[bottom].any()) continue;
                std::vector<int> rising;
                for (int cell = bottom; cell >= 0; cell = above[cell]) rising.push_back(cell);
                stacked += static_cast<int>(rising.size());
                Bits<W> whole;
                for (int cell : rising) whole.set(cell);
                for (std::size_t top = 0; top < rising.size(); ++top) {
                    const int cell = rising[top];
                    column[cell] = whole;
                    for (std::size_t i = 0; i < rising.size(); ++i)
                        if (i > top) higher[cell].set(rising[i]);
                        else if ((top - i) % 2 == 0) upper[cell].set(rising[i]);
                }
                uppers |= upper[rising.back()];
            }
            const bool falls = std::ranges::any_of(above, [](int cell) { return cell >= 0; });
            return falls && stacked == cells;  // cells in a circle have no bottom
        }

        void list() {
            for (int player = 0; player < 2; ++player) {
                through[player].resize(above.size());
                for (const auto& set : sets[player])
                    set.each([&](int cell) { through[player][cell].push_back(set); });
            }
            for (const auto& set : sets[0]) {
                Bits<W>& cells = needed.emplace_back();
                set.each([&](int cell) { cells |= column[cell].minus(higher[cell]); });
            }
        }
    };

    Falling(const Rules& rules, const Switches& switches, Effort&)
        : rules_(rules), switches_(switches) {}

    void root(Node& node, const Bits<W>& black, const Bits<W>& white, int player, int left) {
        node = {};
        node.player = player;
        node.left = left;
        const Bits<W> stones[2] = {black, white}, open = rules_.board.minus(black | white);
        node.open = open.count();
        node.playable = open;
        floating_ = false;
        open.each([&](int cell) {
            const int next = rules_.above[cell];
            if (next < 0) return;
            node.playable.reset(next);
            floating_ = floating_ || !open.test(next);
        });
        for (int owner = 0; owner < 2; ++owner) {
            node.images[0][owner] = stones[owner];
            stones[owner].each([&](int cell) { node.images[1][owner].set(rules_.image[cell]); });
            for (const auto& set : rules_.sets[owner])
                if (const Bits<W> rest = set.minus(stones[owner]);
                    rest.count() == 1 && rest.within(open))
                    node.wins[owner] |= rest;
        }
        for (int owner : {1 - player, player})
            for (const auto& set : rules_.sets[owner])
                if (node.verdict == Verdict::Unknown && set.within(stones[owner])) won(node, owner);
    }

    bool black_to_move(const Node& node) const { return node.player == 0; }

    void child(const Node& node, int move, Node& next) {
        const int mover = node.player, cell = rules_.cells[mover][move];
        next.images = node.images;
        next.images[0][mover].set(cell);
        next.images[1][mover].set(rules_.image[cell]);
        next.playable = node.playable;
        next.playable.reset(cell);
        if (const int up = rules_.above[cell]; up >= 0 && !taken(node, up)) next.playable.set(up);
        next.player = 1 - mover;
        next.left = node.left - 1;
        next.open = node.open - 1;
        next.verdict = Verdict::Unknown;
        next.for_ever = false;
        next.key = -1;
        next.wins[0] = node.wins[0];
        next.wins[1] = node.wins[1];
        if (node.wins[mover].test(cell)) won(next, mover);
        next.wins[mover] |= completing(node, mover, cell);
        next.wins[0].reset(cell);
        next.wins[1].reset(cell);
    }

    Verdict quick_verdict(Node& node) {
        if (node.verdict != Verdict::Unknown) return node.verdict;
        if (node.open == 0) return lose(node, true);
        if (node.left <= 0) return lose(node, false);
        Bits<W> tried = node.playable;
        if (switches_.threats) {
            const int mover = node.player;
            if (const Bits<W> winning = node.wins[mover] & tried; winning.any()) {
                node.key = rules_.numbers[mover][winning.first()];
                return won(node, mover);
            }
            if (mover == 0 && node.left < 3) return lose(node, node.open < 3);
            if (mover == 1 && node.left < 2) return lose(node, node.open < 2);
            const Bits<W>& feared = node.wins[1 - mover];
            if (const Bits<W> forced = feared & tried; forced.any()) {
                if (forced.count() > 1) return won(node, 1 - mover);
                tried = forced;
            }
            tried.each([&](int cell) {
                if (const int up = rules_.above[cell]; up >= 0 && feared.test(up)) tried.reset(cell);
            });
            if (!tried.any()) return won(node, 1 - mover);
        }
        node.moves.clear();
        tried.each([&](int cell) {
            node.moves.push_back({static_cast<std::uint16_t>(rules_.numbers[node.player][cell]), 0});
        });
        if (switches_.time && !in_time(node)) return node.verdict;
        if (switches_.pairing && !floating_) return paired(node);
        return Verdict::Unknown;
    }

    // First the moves that make most threats; of these the cells that matter most to both players.
    Verdict analyse(Node& node, int best) {
        const int mover = node.player;
        for (auto& tried : node.moves) {
            const int cell = rules_.cells[mover][tried.move];
            const Bits<W> threats = completing(node, mover, cell) | node.wins[mover];
            tried.score = threats.count() << 16;
            for (int owner = 0; owner < 2; ++owner)
                for (const auto& set : rules_.through[owner][cell])
                    if (!set.meets(node.stones(1 - owner)))
                        tried.score += 1 + (set & node.stones(owner)).count();
            if (tried.move == best) tried.score = INT32_MAX;
        }
        best_first(node.moves);
        return Verdict::Unknown;
    }

    bool complete(const Node&) const { return true; }
    bool for_ever(const Node& node) const { return node.for_ever; }

    Position<W> position(const Node& node, int& image) const {
        image = node.images[1] < node.images[0];
        Position<W> folded;
        folded.black = node.images[image][0];
        folded.white = node.images[image][1];
        folded.tag = static_cast<std::uint8_t>(node.player);
        return folded;
    }

    int turned(const Node& node, int move, int image) const {
        const int cell = rules_.cells[node.player][move];
        return image == 0 ? move : rules_.numbers[node.player][rules_.image[cell]];
    }
    int turned_back(const Node& node, int move, int image) const {
        if (image == 0) return move;
        const auto place = std::ranges::find(rules_.image, rules_.cells[node.player][move]);
        return rules_.numbers[node.player][place - rules_.image.begin()];
    }

    void reward(const Node&, int) {}

private:
    bool taken(const Node& node, int cell) const {
        return node.stones(0).test(cell) || node.stones(1).test(cell);
    }

    // The open cells that complete a set of the mover's once he has another one.
    Bits<W> completing(const Node& node, int mover, int cell) const {
        Bits<W> own = node.stones(mover), cells;
        own.set(cell);
        for (const auto& set : rules_.through[mover][cell])
            if (const Bits<W> rest = set.minus(own); rest.count() == 1) cells |= rest;
        return cells.minus(node.stones(1 - mover));
    }

    Verdict won(Node& node, int winner) {
        if (winner == 0) return node.verdict = Verdict::Win;
        return lose(node, true);
    }

    Verdict lose(Node& node, bool for_ever) {
        node.for_ever = for_ever;
        return node.verdict = Verdict::Loss;
    }

    // Whether some set of Black's can be completed in the plies left; if not, he has lost.
    bool in_time(Node& node) {
        const int plies = (node.left + (node.player == 0)) / 2;
        const bool all = node.left >= node.open;
        bool later = false;
        const Bits<W> stones = node.stones(0) | node.stones(1);
        for (std::size_t i = 0; i < rules_.sets[0].size(); ++i) {
            const Bits<W>& set = rules_.sets[0][i];
            if (set.meets(node.stones(1))) continue;
            later = true;
            if (all || (set.minus(node.stones(0)).count() <= plies &&
                        (floating_ || rules_.needed[i].minus(stones).count() <= node.left)))
                return true;
        }
        lose(node, !later);
        return false;
    }

    // Whether the player who is not to move wins, or White holds, by pairs.
    Verdict paired(Node& node) {
        const int holder = 1 - node.player;
        if (holder == 1 && node.open % 2 == 0 && holds(node, 1, rules_.uppers, {}))
            return lose(node, true);
        Verdict verdict = Verdict::Unknown;
        node.wins[holder].minus(node.playable).each([&](int top) {
            if (verdict != Verdict::Unknown) return;
            const int plies = node.open - rules_.higher[top].count();
            if (plies % 2 || (holder == 0 && plies > node.left)) return;
            const Bits<W> uppers = rules_.uppers.minus(rules_.column[top]) | rules_.upper[top];
            if (holds(node, holder, uppers, rules_.higher[top])) verdict = won(node, holder);
        });
        return verdict;
    }

    // Whether every set that the player to move might complete has one of the cells that the holder
    // gets, or one that is not needed. `uppers` are the upper cells, and the lowest ones left over.
    bool holds(const Node& node, int holder, const Bits<W>& uppers, const Bits<W>& unneeded) {
        const Bits<W> stones = node.stones(0) | node.stones(1);
        const Bits<W> safe = node.stones(holder) | uppers.minus(stones | node.playable) | unneeded;
        Bits<W> lowest = node.playable & uppers;
        pairs_.clear();
        for (const auto& set : rules_.sets[1 - holder]) {
            if (set.meets(safe)) continue;
            if (std::ranges::any_of(pairs_, [&](const Bits<W>& pair) { return pair.within(set); }))
                continue;
            // The first two that are not in a pair yet become one.
            Bits<W> both = set & lowest;
            if (both.count() < 2) return false;
            Bits<W>& pair = pairs_.emplace_back(Bits<W>::one(both.first()));
            pair.set(both.minus(pair).first());
            lowest = lowest.minus(pair);
        }
        return true;
    }

    const Rules& rules_;
    Switches switches_;
    bool floating_ = false;       // a stone stands over an open cell: its column has several parts
    std::vector<Bits<W>> pairs_;  // of lowest cells
};

}  // namespace skolemate
