// Who wins a game that ends in the plies left? Depth-first proof-number search. In games of sets a full
// board counts as won by White, so that Black wins or does not.
//
// Then the number of plies does not matter: a position is won for the mover, or it is not, as
// numbers.hpp counts it.
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

#include "numbers.hpp"
#include "rules.hpp"
#include "table.hpp"

namespace skolemate {

// What is known about a position.
template <int W>
struct Numbers : Position<W> {
    std::uint8_t worth = 0;  // as in an entry of the other table
    std::uint32_t phi = 1, delta = 1;

    const Position<W>& position() const { return *this; }
    Estimate numbers() const { return {phi, delta}; }
    void join(const Numbers& told) {
        if (told.numbers().decided() || !numbers().decided()) *this = told;
    }
    bool fits(const Bits<W>&, std::size_t) const { return possible(numbers()); }
};

template <class Rules, int W>
class Proof {
public:
    using Node = typename Rules::Node;

    Proof(const typename Rules::Rules& rules, const Switches& switches, Table<Numbers<W>>& table,
          Marks& marks, const Halt& halt, std::atomic<std::uint64_t>& visited)
        : effort_(halt), rules_(rules, switches, effort_), must_play_(switches.must_play), table_(table),
          marks_(marks), total_(visited) {}

    Rules& rules() { return rules_; }

    // The node to begin with. The search gives up after `most` positions, if that is not 0.
    Node& root(std::uint64_t most) {
        effort_.begin(most);
        return at(0).node;
    }

    // By one of several threads, if `shared`.
    bool black_wins(bool shared) {
        shared_ = shared;
        Level& root = at(0);
        int image = 0;
        root.position = rules_.position(root.node, image);
        best_ = -1;
        Estimate known;
        if (const Verdict verdict = rules_.quick_verdict(root.node); verdict != Verdict::Unknown)
            known = decided(root.node, verdict);
        else if (!analysed(root, known))
            known = prove(0, {INFINITE, INFINITE});
        if (known.phi == 0 && best_ < 0) best_ = root.node.key;
        return (known.phi == 0) == rules_.black_to_move(root.node);
    }

    // The winner's move, if it is the winner's turn and the move is known.
    int best_move() const { return best_; }

    void flush() {
        total_.fetch_add(visited_ - flushed_, std::memory_order_relaxed);
        flushed_ = visited_;
    }

private:
    struct Level {
        Node node;
        Position<W> position;  // as it is stored
        std::vector<Child<W>> moves;
    };

    Level& at(std::size_t level) {
        while (levels_.size() <= level) levels_.emplace_back();
        return levels_[level];
    }

    // By the rules, the table, or an estimate.
    Estimate evaluate(Level& here) {
        Node& node = here.node;
        if ((++visited_ & 1023) == 0) flush();
        effort_.spend(Effort::STEPS);
        int image = 0;
        here.position = rules_.position(node, image);
        table_.expect(here.position);
        if (const Verdict verdict = rules_.quick_verdict(node); verdict != Verdict::Unknown)
            return decided(node, verdict);
        if (Numbers<W> known; table_.find(here.position, known)) return known.numbers();
        if (Rules::carriers && !rules_.black_to_move(node)) return rules_.estimate(node);
        Estimate estimate;
        if (analysed(here, estimate)) return estimate;
        estimate = rules_.estimate(node);
        if (Rules::carriers) store(here, estimate, 1);  // threat sequences take long to find again
        return estimate;
    }

    Estimate decided(const Node& node, Verdict verdict) const {
        const bool won = (verdict == Verdict::Win) == rules_.black_to_move(node);
        return won ? Estimate{0, INFINITE} : Estimate{INFINITE, 0};
    }

    // Whether the slower methods decide a position, or leave no move that is worth trying.
    bool analysed(Level& here, Estimate& estimate) {
        const Verdict verdict = rules_.analyse(here.node, -1);
        if (verdict == Verdict::Unknown && !here.node.moves.empty()) return false;
        estimate = verdict == Verdict::Unknown ? Estimate{INFINITE, 0} : decided(here.node, verdict);
        store(here, estimate, 1);
        return true;
    }

    // Search below an undecided position until one of its numbers reaches its limit.
    Estimate prove(std::size_t level, const Estimate& most) {
        Level& here = at(level);
        Level& next = at(level + 1);
        const std::uint64_t before = visited_, mark = shared_ ? here.position.hash() : 0;
        if (shared_) marks_.set(mark);
        evaluate_moves(here, next);
        while (true) {
            const Gathered<W> all(here.moves, false, shared_ ? &marks_ : nullptr);
            const Estimate found = all.found;
            if (found.decided() || found.phi >= most.phi || found.delta >= most.delta) {
                if (level == 0 && found.phi == 0) best_ = all.best->move;
                store(here, found, visited_ - before);
                if (shared_) marks_.clear(mark);
                return found;
            }
            Child<W>& child = *all.best;
            rules_.child(here.node, child.move, next.node);
            next.position = child.position;
            rules_.quick_verdict(next.node);
            // Methods with limits may now find what they missed before.
            if (!analysed(next, child.after)) child.after = prove(level + 1, all.limits(most));
            if (shared_) look_up(table_, here.moves);
        }
    }

    // Of White's moves, those that lose for the same reason as others are left out.
    void evaluate_moves(Level& here, Level& next) {
        here.moves.clear();
        [[maybe_unused]] Bits<W> must;
        if constexpr (Rules::carriers) must = here.node.candidates;
        for (const Scored& move : here.node.moves) {
            if constexpr (Rules::carriers)
                if (!must.test(move.move)) continue;
            rules_.child(here.node, move.move, next.node);
            const Estimate after = evaluate(next);
            here.moves.push_back({next.position, after, move.move});
            if (after.delta == 0) break;
            if constexpr (Rules::carriers)
                if (must_play_ && after.phi == 0 && next.node.by_threats)
                    must &= rules_.remaining(here.node, next.node);
        }
        if constexpr (Rules::carriers)
            std::erase_if(here.moves, [&](const Child<W>& child) {
                return !child.after.decided() && !must.test(child.move);
            });
    }

    void store(const Level& here, const Estimate& found, std::uint64_t effort) {
        Numbers<W> entry;
        static_cast<Position<W>&>(entry) = here.position;
        entry.phi = found.phi;
        entry.delta = found.delta;
        entry.worth = worth(effort);
        table_.store(entry);
    }

    Effort effort_;
    Rules rules_;
    bool must_play_;
    Table<Numbers<W>>& table_;
    Marks& marks_;
    bool shared_ = false;
    std::atomic<std::uint64_t>& total_;
    std::uint64_t visited_ = 0, flushed_ = 0;
    std::deque<Level> levels_;
    int best_ = -1;
};

}  // namespace skolemate
