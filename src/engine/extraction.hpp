// The proof of a verdict as a strategy, where stones are placed for listed sets: Black wins though White
// has no goal, or White blocks him for ever.
//
// The owner of a proof is Black if he wins, and White if he never does. A node is about a position in
// which the opponent is to move. It has the owner's stones that the proof needs, and the cells that it
// needs, these stones among them: none of the cells is the opponent's. Every other cell may be, so a
// node covers each position that has at least these stones of the owner and no stone of the opponent
// on these cells. Why a node is right, from the leaves on:
// - Pairs (White's): each set has a stone of hers, or contains a pair of open cells.
// - Replies: each has a move m, and leads to a node with the cells D and the stones T, under a symmetry.
//   It answers all moves of the opponent outside D and m. The stones of the node are all T without m,
//   its cells all D and m. If every open cell is answered, the node is proved. A cell that all replies
//   need stays answered only as long as the owner's own stone is there: then it is one of the stones.
// - A reply that completes a set of the owner's needs the cells of that set, and no node.
// - Before White's reply Black must not have completed a set, even if he owns all cells that are not
//   needed. So each set has a stone of the node, or two of its cells.
// The search is asked for a move only if no node so far covers the position after some move. Strategies
// are checked in Python: this code need not be trusted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "blocks.hpp"
#include "pairing.hpp"
#include "placement.hpp"
#include "rules.hpp"
#include "search.hpp"

namespace skolemate {

template <int W>
class Extraction {
public:
    struct Reply {
        int move, node, image;  // node -1: the move completes a set
    };
    struct Node {
        Bits<W> stones, cells;
        int plies = 0;  // within which the proof wins; 0 for White's
        std::vector<Bits<W>> pairs;
        std::vector<Reply> replies;
    };

    // `wins`: Black wins; else he never does. `fold`: symmetric positions may share a node.
    Extraction(const typename Placement<W>::Rules& rules, Search<Placement<W>, W>& search, const Halt& halt,
               bool wins, bool fold)
        : rules_(rules), search_(search), effort_(halt), pairing_(effort_), wins_(wins),
          images_(fold ? rules.symmetry.size() : 1), free_(rules.cells), mattered_(rules.cells) {
        effort_.begin(0);
        for (int cell = 0; cell < rules.cells; ++cell) board_.set(cell);
    }

    // The nodes that prove a position on the opponent's turn, children first. None if the search does
    // not agree, or if the game may end before the board is full: time alone is no proof here.
    std::vector<Node> prove(const Bits<W>& own, const Bits<W>& other, int ply, int left) {
        const int open = board_.minus(own | other).count();
        if (static_cast<int>(rules_.turns.size()) - ply != open) return {};
        try {
            turn(own, other, ply, wins_ ? left : open);
        } catch (const Disagreed&) {
            nodes_.clear();
        }
        return std::move(nodes_);
    }

private:
    struct Disagreed {};
    struct Answer {
        Reply reply;
        Bits<W> stones, cells, moves;  // of the image of the node; the opponent's moves it answers
        int plies;
    };

    static constexpr int FEW = 6;       // stones; with more, only nodes in their own place are looked for
    static constexpr int COMPARED = 64;  // nodes that cover a position
    static constexpr std::size_t TRIED = 5;  // moves after which a pairing is searched for

    int turn(const Bits<W>& own, const Bits<W>& other, int ply, int left) {
        effort_.spend(Effort::STEPS);
        if (!wins_ && pairing_.exists(live(own, other))) return add(paired(own));
        const Bits<W> open = board_.minus(own | other);
        Bits<W> unanswered = open;
        std::vector<Answer> answers;
        while (unanswered.any()) {
            const int asked = least_needed(unanswered);
            Bits<W> after = other;
            after.set(asked);
            Answer answer = answered(own, after, ply + 1, left - 1, unanswered);
            answer.moves = open.minus(answer.cells);
            answer.moves.reset(answer.reply.move);
            unanswered = unanswered.minus(answer.moves);
            answers.push_back(answer);
        }
        return add(joined(answers, own, open));
    }

    // The owner's move after a move of the opponent's, and what it needs.
    Answer answered(const Bits<W>& own, const Bits<W>& other, int ply, int left, const Bits<W>& waiting) {
        for (const auto& set : wins_ ? rules_.black.sets : rules_.white.sets)
            if (!set.meets(other) && set.minus(own).count() == 1)
                return {{set.minus(own).first(), -1, 0}, set, set, {}, 0};
        if (Answer known; covered(own, other, left - 1, waiting, known)) return known;
        const int move = decided(own, other, ply, left);
        Bits<W> after = own;
        after.set(move);
        const int node = turn(after, other, ply + 1, left - 1);
        return answer(move, node, 0);
    }

    Answer answer(int move, int node, int image) const {
        const Node& proof = nodes_[node];
        return {{move, node, image}, rules_.symmetry.moved(proof.stones, image),
                rules_.symmetry.moved(proof.cells, image), {}, proof.plies};
    }

    // A node that covers the position after at most one more stone of the owner: the one that leaves
    // the fewest waiting moves unanswered.
    bool covered(const Bits<W>& own, const Bits<W>& other, int left, const Bits<W>& waiting, Answer& best) {
        const int images = (own | other).count() <= FEW ? images_ : 1;
        int fewest = 64 * W + 1, compared = 0;
        for (int image = 0; image < images && compared < COMPARED; ++image) {
            // The node in its own place covers the position that the symmetry leads back to.
            const Bits<W> mine = rules_.symmetry.moved_back(own, image),
                          theirs = rules_.symmetry.moved_back(other, image),
                          wait = rules_.symmetry.moved_back(waiting, image);
            std::vector<const std::vector<std::uint64_t>*> spoilt;
            theirs.each([&](int cell) { spoilt.push_back(&free_[cell]); });
            for (std::size_t word = (nodes_.size() + 63) / 64; word-- > 0 && compared < COMPARED;) {
                std::uint64_t fits = ~std::uint64_t{0};
                for (const auto* nodes : spoilt)
                    if (word < nodes->size()) fits &= ~(*nodes)[word];
                for (; fits && compared < COMPARED; fits &= fits - 1) {
                    const std::size_t node = 64 * word + std::countr_zero(fits);
                    if (node >= nodes_.size()) break;
                    const Node& proof = nodes_[node];
                    const Bits<W> missing = proof.stones.minus(mine);
                    if (missing.count() > 1 || (wins_ && proof.plies > left)) continue;
                    ++compared;
                    const int needed = (proof.cells & wait).count();
                    if (needed >= fewest) continue;
                    fewest = needed;
                    const int move = missing.any() ? rules_.symmetry.moved(missing, image).first()
                                                   : board_.minus(own | other).first();
                    best = answer(move, static_cast<int>(node), image);
                }
            }
        }
        return fewest <= 64 * W;
    }

    // A move that leads to a pairing, or the one that the search finds.
    int decided(const Bits<W>& own, const Bits<W>& other, int ply, int left) {
        const std::vector<int> promising = wins_ ? std::vector<int>{} : through_most(own, other);
        if (const int move = to_pairing(promising, own, other); move >= 0) return move;
        const Bits<W>&black = wins_ ? own : other, &white = wins_ ? other : own;
        search_.rules().root(search_.root(0), black, white, ply, left, true);
        const Verdict verdict = search_.depth_first(false);
        search_.flush();
        if ((verdict == Verdict::Win) != wins_) throw Disagreed{};
        if (search_.best_move() >= 0) return search_.best_move();
        if (promising.empty()) throw Disagreed{};
        return promising[0];  // no set can be completed in the plies left, so any move will do
    }

    // White's moves that stop Black's threats, those through most of his sets first.
    std::vector<int> through_most(const Bits<W>& white, const Bits<W>& black) const {
        std::array<int, 64 * W> weight{};
        Bits<W> moves = board_.minus(white | black);
        for (const auto& set : live(white, black)) {
            if (set.count() == 1) moves &= set;
            set.each([&](int cell) { weight[cell] += 4096 >> std::min(12, 2 * set.count()); });
        }
        std::vector<int> cells;
        moves.each([&](int cell) { cells.push_back(cell); });
        std::stable_sort(cells.begin(), cells.end(), [&](int a, int b) { return weight[a] > weight[b]; });
        return cells;
    }

    // Of the first of these moves, the one that leads to the fewest pairs; -1 if none does.
    int to_pairing(const std::vector<int>& moves, const Bits<W>& white, const Bits<W>& black) {
        int best = -1;
        std::size_t fewest = SIZE_MAX;
        for (std::size_t i = 0; i < moves.size() && i < TRIED; ++i) {
            Bits<W> after = white;
            after.set(moves[i]);
            if (!pairing_.exists(live(after, black)) || pairing_.pairs().size() >= fewest) continue;
            fewest = pairing_.pairs().size();
            best = moves[i];
        }
        return best;
    }

    // The open cells of the sets that Black may still complete.
    std::vector<Bits<W>> live(const Bits<W>& white, const Bits<W>& black) const {
        std::vector<Bits<W>> sets;
        for (const auto& set : rules_.black.sets)
            if (!set.meets(white)) sets.push_back(set.minus(black));
        return sets;
    }

    Node paired(const Bits<W>& white) {
        Node node;
        node.pairs = pairing_.pairs();
        for (const auto& pair : node.pairs) node.cells |= pair;
        blocks_.add_stones(node.cells, rules_.black.sets, white, board_, node.pairs);
        node.stones = node.cells & white;
        return node;
    }

    Node joined(std::vector<Answer>& answers, const Bits<W>& own, const Bits<W>& open) {
        // Replies whose moves others answer too are left out, those with the most cells first.
        std::stable_sort(answers.begin(), answers.end(),
                         [](const Answer& a, const Answer& b) { return a.cells.count() > b.cells.count(); });
        for (std::size_t i = 0; i < answers.size();) {
            Bits<W> others;
            for (std::size_t j = 0; j < answers.size(); ++j)
                if (j != i) others |= answers[j].moves;
            if (open.within(others))
                answers.erase(answers.begin() + static_cast<std::ptrdiff_t>(i));
            else
                ++i;
        }
        Node node;
        Bits<W> common = board_;
        for (const Answer& one : answers) {
            const Bits<W> move = Bits<W>::one(one.reply.move);
            node.stones |= one.stones.minus(move);
            node.cells |= one.cells | move;
            common &= one.cells;
            node.plies = std::max(node.plies, one.plies + 2);
            node.replies.push_back(one.reply);
        }
        node.stones |= own & common;
        node.cells |= node.stones;
        if (!wins_) leave_unthreatened(node, own, open);
        return node;
    }

    // No stone of Black's may complete a set where all other cells are his.
    void leave_unthreatened(Node& node, const Bits<W>& white, const Bits<W>& open) const {
        for (const auto& set : rules_.black.sets) {
            if (set.meets(node.stones) || (set & node.cells).count() > 1) continue;
            if (const Bits<W> stones = set & white; stones.any()) {
                node.stones.set(stones.first());
                node.cells.set(stones.first());
            } else {
                (set & open).each([&](int cell) {
                    if ((set & node.cells).count() < 2) node.cells.set(cell);
                });
            }
        }
    }

    int add(Node node) {
        const std::size_t number = nodes_.size();
        node.cells.each([&](int cell) {
            ++mattered_[cell];
            auto& nodes = free_[cell];
            if (nodes.size() <= number / 64) nodes.resize(number / 64 + 1);
            nodes[number / 64] |= std::uint64_t{1} << number % 64;
        });
        nodes_.push_back(std::move(node));
        return static_cast<int>(number);
    }

    // A move on a cell that proofs have hardly ever needed is nearly a pass: the reply to it answers
    // most other moves.
    int least_needed(const Bits<W>& moves) const {
        int least = moves.first();
        moves.each([&](int cell) {
            if (mattered_[cell] < mattered_[least]) least = cell;
        });
        return least;
    }

    const typename Placement<W>::Rules& rules_;
    Search<Placement<W>, W>& search_;
    Effort effort_;
    Pairing<W> pairing_;
    Blocks<W> blocks_;
    bool wins_;
    int images_;
    Bits<W> board_;
    std::vector<Node> nodes_;
    std::vector<std::vector<std::uint64_t>> free_;  // by cell: the nodes that need it
    std::vector<std::uint32_t> mattered_;           // by cell: how many nodes need it
};

}  // namespace skolemate
