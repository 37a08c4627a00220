// Who wins a game that ends in the plies left? Depth-first proof-number search. In games of sets a full
// board counts as won by White, so that Black wins or does not.
//
// Then the number of plies does not matter: a position is won for the mover, or it is not. `phi` is
// the least number of positions that must be decided to show that the mover wins, `delta` the same
// for the opponent. A position that leads to another is counted as often as there are ways to it; so
// the numbers are estimates, but 0 and infinity are proofs: 0 arises only from a verdict of the rules,
// a move to a position with delta 0, or moves all of which lead to positions with phi 0.
//
// In games of sets:
// - Threat sequences take long to find. White's positions are only guessed at, by the sets that are
//   left, until they are searched. So few of Black's moves are ever looked at closely.
// - Must-play: a threat sequence that wins after one of White's replies also wins after all replies
//   outside its zone (sequences.hpp). White's other moves are not counted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "rules.hpp"
#include "table.hpp"

namespace skolemate {

// What is known about a position.
template <int W>
struct Numbers : Position<W> {
    std::uint8_t worth = 0;  // as in an entry of the other table
    std::uint32_t phi = 1, delta = 1;

    const Position<W>& position() const { return *this; }
    void join(const Numbers& told) { *this = told; }
    bool fits(const Bits<W>&, std::size_t) const { return possible({phi, delta}); }
};

template <class Rules, int W>
class Proof {
public:
    using Node = typename Rules::Node;

    Proof(const typename Rules::Rules& rules, const Switches& switches, Table<Numbers<W>>& table,
          const Halt& halt, std::atomic<std::uint64_t>& visited)
        : effort_(halt), rules_(rules, switches, effort_), must_play_(switches.must_play), table_(table),
          total_(visited) {}

    Rules& rules() { return rules_; }

    // The node to begin with. The search gives up after `most` positions, if that is not 0.
    Node& root(std::uint64_t most) {
        effort_.begin(most);
        return at(0).node;
    }

    bool black_wins() {
        Node& root = at(0).node;
        best_ = -1;
        Estimate known;
        if (const Verdict verdict = rules_.quick_verdict(root); verdict != Verdict::Unknown)
            known = decided(root, verdict);
        else if (!analysed(root, known))
            known = prove(0, INFINITE, INFINITE);
        if (known.phi == 0 && best_ < 0) best_ = root.key;
        return (known.phi == 0) == rules_.black_to_move(root);
    }

    // The winner's move, if it is the winner's turn and the move is known.
    int best_move() const { return best_; }

    void flush() {
        total_.fetch_add(visited_ - flushed_, std::memory_order_relaxed);
        flushed_ = visited_;
    }

private:
    static constexpr std::uint32_t INFINITE = 1u << 30;

    struct Tried {
        std::uint16_t move;
        Estimate after;
    };

    struct Level {
        Node node;
        std::vector<Tried> moves;
    };

    Level& at(std::size_t level) {
        while (levels_.size() <= level) levels_.emplace_back();
        return levels_[level];
    }

    // By the rules, the table, or an estimate.
    Estimate evaluate(std::size_t level) {
        Node& node = at(level).node;
        if ((++visited_ & 1023) == 0) flush();
        effort_.spend(Effort::STEPS);
        int image = 0;
        const Position<W> position = rules_.position(node, image);
        table_.expect(position);
        if (const Verdict verdict = rules_.quick_verdict(node); verdict != Verdict::Unknown)
            return decided(node, verdict);
        if (Numbers<W> known; table_.find(position, known)) return {known.phi, known.delta};
        if (Rules::carriers && !rules_.black_to_move(node)) return rules_.estimate(node);
        Estimate estimate;
        if (analysed(node, estimate)) return estimate;
        estimate = rules_.estimate(node);
        if (Rules::carriers) store(node, estimate, 1);  // threat sequences take long to find again
        return estimate;
    }

    Estimate decided(const Node& node, Verdict verdict) const {
        const bool won = (verdict == Verdict::Win) == rules_.black_to_move(node);
        return won ? Estimate{0, INFINITE} : Estimate{INFINITE, 0};
    }

    // Whether the slower methods decide a position, or leave no move that is worth trying.
    bool analysed(Node& node, Estimate& estimate) {
        const Verdict verdict = rules_.analyse(node, -1);
        if (verdict == Verdict::Unknown && !node.moves.empty()) return false;
        estimate = verdict == Verdict::Unknown ? Estimate{INFINITE, 0} : decided(node, verdict);
        store(node, estimate, 1);
        return true;
    }

    // Search below an undecided position until one of its numbers reaches its limit.
    Estimate prove(std::size_t level, std::uint32_t most_phi, std::uint32_t most_delta) {
        Level& here = at(level);
        Level& next = at(level + 1);
        const std::uint64_t before = visited_;
        evaluate_moves(level);
        while (true) {
            std::uint32_t second = INFINITE;
            std::uint64_t sum = 0;
            Tried* best = nullptr;
            for (Tried& tried : here.moves) {
                sum += tried.after.phi;
                if (!best || tried.after.delta < best->after.delta) {
                    if (best) second = best->after.delta;
                    best = &tried;
                } else {
                    second = std::min(second, tried.after.delta);
                }
            }
            const auto delta = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, INFINITE - 1));
            Estimate found{best->after.delta, delta};
            if (found.phi == 0) found.delta = INFINITE;
            if (found.delta == 0) found.phi = INFINITE;
            if (found.phi >= most_phi || found.delta >= most_delta) {
                if (level == 0 && found.phi == 0) best_ = best->move;
                store(here.node, found, visited_ - before);
                return found;
            }
            // A quarter more than the second best move needs: changing moves costs time.
            const std::uint32_t limit = std::min(most_phi, second + second / 4 + 1);
            const std::uint32_t rest = most_delta - (found.delta - best->after.phi);
            rules_.child(here.node, best->move, next.node);
            rules_.quick_verdict(next.node);
            // Methods with limits may now find what they missed before.
            if (!analysed(next.node, best->after)) best->after = prove(level + 1, rest, limit);
        }
    }

    // Of White's moves, those that lose for the same reason as others are left out.
    void evaluate_moves(std::size_t level) {
        Level& here = at(level);
        Level& next = at(level + 1);
        here.moves.clear();
        [[maybe_unused]] Bits<W> must;
        if constexpr (Rules::carriers) must = here.node.candidates;
        for (const Scored& move : here.node.moves) {
            if constexpr (Rules::carriers)
                if (!must.test(move.move)) continue;
            rules_.child(here.node, move.move, next.node);
            const Estimate after = evaluate(level + 1);
            here.moves.push_back({move.move, after});
            if (after.delta == 0) break;
            if constexpr (Rules::carriers)
                if (must_play_ && after.phi == 0 && next.node.by_threats)
                    must &= rules_.remaining(here.node, next.node);
        }
        if constexpr (Rules::carriers)
            std::erase_if(here.moves, [&](const Tried& tried) {
                return tried.after.phi != 0 && tried.after.delta != 0 && !must.test(tried.move);
            });
    }

    void store(const Node& node, const Estimate& found, std::uint64_t effort) {
        Numbers<W> entry;
        int image = 0;
        static_cast<Position<W>&>(entry) = rules_.position(node, image);
        entry.phi = found.phi;
        entry.delta = found.delta;
        entry.worth = worth(effort);
        table_.store(entry);
    }

    Effort effort_;
    Rules rules_;
    bool must_play_;
    Table<Numbers<W>>& table_;
    std::atomic<std::uint64_t>& total_;
    std::uint64_t visited_ = 0, flushed_ = 0;
    std::deque<Level> levels_;
    int best_ = -1;
};

}  // namespace skolemate
