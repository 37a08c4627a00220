// Games given as a propositional network: facts, moves, and gates (GDL).
//
// A gate is the conjunction of literals. Its value is a word of 64 bits, one for each of 64 moves that
// are tried side by side: one pass over the gates gives the states after all of them, a second one
// tells which of these are decided. A state is a set of facts; facts on which winning does not depend
// are never set. All legal moves belong to the player whose turn it is; who has none draws.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "bits.hpp"
#include "rules.hpp"
#include "table.hpp"

namespace skolemate {

template <int W>
class Network {
public:
    static constexpr bool carriers = false;
    static constexpr bool early = true;  // the position to be stored is known before the verdict

    // Literals are as in Python: 1 is true, then facts, moves and gates; a minus negates.
    struct Rules {
        int facts = 0;
        std::vector<std::uint8_t> owners;       // of the moves: 0 Black, 1 White
        std::vector<std::vector<int>> gates;    // those that depend on no move first
        std::size_t settled = 0;                // so many of them
        std::vector<int> legal, next;           // by move, by fact
        std::array<int, 2> won{};
        Bits<W> relevant;

        int first_move() const { return 2 + facts; }
        int first_gate() const { return first_move() + static_cast<int>(owners.size()); }

        void prepare() {
            if (owners.size() >= NO_MOVE) throw std::length_error("too many moves to be numbered");
            for (int fact = 0; fact < facts; ++fact)
                if (!relevant.test(fact)) next[fact] = -1;
        }
    };

    struct Child {
        Bits<W> state;
        std::uint16_t move = 0;
        std::uint8_t player = 0;
        Verdict verdict = Verdict::Unknown;  // by the rules alone; a draw is a loss
    };

    struct Node {
        Bits<W> state;
        int player = 0, left = 0;
        Verdict verdict = Verdict::Unknown;
        bool for_ever = false;
        int key = -1;
        std::vector<Scored> moves;
        std::vector<Child> children;  // in the order of the moves' numbers
    };

    Network(const Rules& rules, const Switches& switches, Effort& effort)
        : rules_(rules), switches_(switches), effort_(effort),
          values_(rules.first_gate() + rules.gates.size()), after_(values_.size()) {
        history_.assign(rules.owners.size(), 0);
        values_[1] = after_[1] = ~std::uint64_t{0};
    }

    void root(Node& node, const Bits<W>& black, const Bits<W>& white, int, int left) {
        node = {};
        node.state = (black | white) & rules_.relevant;
        node.left = left;
        settle(node.state);
        for (int fact = 0; fact < rules_.facts; ++fact) after_[2 + fact] = values_[2 + fact];
        std::vector<Child> here(1);
        judge(here.data(), 1);
        node.player = here[0].player;
        node.verdict = here[0].verdict;
        node.for_ever = node.verdict == Verdict::Loss;
    }

    bool black_to_move(const Node& node) const { return node.player == 0; }

    void child(const Node& node, int move, Node& next) {
        const auto made = std::lower_bound(
            node.children.begin(), node.children.end(), move,
            [](const Child& child, int number) { return child.move < number; });
        next.state = made->state;
        next.player = made->player;
        next.left = node.left - 1;
        next.verdict = made->verdict;
        next.for_ever = made->verdict == Verdict::Loss;
        next.key = -1;
    }

    Verdict quick_verdict(Node& node) {
        if (node.verdict == Verdict::Unknown && node.left <= 0) node.verdict = Verdict::Loss;
        return node.verdict;
    }

    // Try all moves; who can end the game in his favour does.
    Verdict analyse(Node& node, int best) {
        expand(node);
        node.moves.clear();
        const Verdict good = node.player == 0 ? Verdict::Win : Verdict::Loss;
        bool for_ever = true;
        for (const Child& child : node.children) {
            if (switches_.threats && child.verdict == good) {
                node.key = child.move;
                node.for_ever = good == Verdict::Loss;
                return node.verdict = good;
            }
            for_ever = for_ever && child.verdict == Verdict::Loss;
            std::int32_t score = static_cast<std::int32_t>(
                std::min<std::uint64_t>(history_[child.move], std::uint64_t{1} << 30));
            if (child.move == best) score = INT32_MAX;
            if (child.verdict == Verdict::Unknown || child.verdict == good || !switches_.threats)
                node.moves.push_back({child.move, score});
        }
        if (switches_.threats && node.left == 1 && (node.player == 0 || !node.moves.empty())) {
            node.for_ever = for_ever;
            return node.verdict = Verdict::Loss;
        }
        best_first(node.moves);
        return Verdict::Unknown;
    }

    bool complete(const Node&) const { return true; }
    bool for_ever(const Node& node) const { return node.for_ever; }

    Position<W> position(const Node& node, int& image) const {
        image = 0;
        Position<W> whole;
        whole.black = node.state;
        return whole;
    }

    int turned(const Node&, int move, int) const { return move; }
    int turned_back(const Node&, int move, int) const { return move; }

    void reward(const Node& node, int move) { history_[move] += 1 + node.left * node.left; }

private:
    using Values = std::vector<std::uint64_t>;

    static std::uint64_t value(const Values& values, int literal) {
        return literal > 0 ? values[literal] : ~values[-literal];
    }

    void evaluate(Values& values, std::size_t first, std::size_t end) const {
        const int gate = rules_.first_gate();
        for (std::size_t i = first; i < end; ++i) {
            std::uint64_t all = ~std::uint64_t{0};
            for (const int literal : rules_.gates[i]) all &= value(values, literal);
            values[gate + i] = all;
        }
    }

    // The values that depend on no move.
    void settle(const Bits<W>& state) {
        for (int fact = 0; fact < rules_.facts; ++fact)
            values_[2 + fact] = state.test(fact) ? ~std::uint64_t{0} : 0;
        evaluate(values_, 0, rules_.settled);
    }

    // All legal moves and the states after them.
    void expand(Node& node) {
        settle(node.state);
        node.children.clear();
        for (std::size_t move = 0; move < rules_.legal.size(); ++move)
            if (value(values_, rules_.legal[move])) {
                node.children.emplace_back();
                node.children.back().move = static_cast<std::uint16_t>(move);
            }
        effort_.spend(node.children.size());
        for (std::size_t first = 0; first < node.children.size(); first += 64) {
            const std::size_t count = std::min<std::size_t>(64, node.children.size() - first);
            attempt(&node.children[first], count);
            judge(&node.children[first], count);
        }
    }

    // Make up to 64 moves side by side.
    void attempt(Child* children, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            values_[rules_.first_move() + children[i].move] = std::uint64_t{1} << i;
        evaluate(values_, rules_.settled, rules_.gates.size());
        const std::uint64_t tried = ~std::uint64_t{0} >> (64 - count);
        for (int fact = 0; fact < rules_.facts; ++fact) {
            const std::uint64_t holds = value(values_, rules_.next[fact]) & tried;
            after_[2 + fact] = holds;
            for (std::uint64_t rest = holds; rest; rest &= rest - 1)
                children[std::countr_zero(rest)].state.set(fact);
        }
        for (std::size_t i = 0; i < count; ++i)
            values_[rules_.first_move() + children[i].move] = 0;
    }

    // Who has won in these states, and whose turn it is; their facts are in after_.
    void judge(Child* children, std::size_t count) {
        evaluate(after_, 0, rules_.settled);
        std::uint64_t able[2] = {0, 0};
        for (std::size_t move = 0; move < rules_.legal.size(); ++move)
            able[rules_.owners[move]] |= value(after_, rules_.legal[move]);
        const std::uint64_t won = value(after_, rules_.won[0]);
        const std::uint64_t over = value(after_, rules_.won[1]) | ~(able[0] | able[1]);
        for (std::size_t i = 0; i < count; ++i) {
            children[i].player = able[1] >> i & 1;
            children[i].verdict = won >> i & 1    ? Verdict::Win
                                  : over >> i & 1 ? Verdict::Loss
                                                  : Verdict::Unknown;
        }
    }

    const Rules& rules_;
    Switches switches_;
    Effort& effort_;
    Values values_, after_;  // of literals: before the moves and by them, in the states after them
    std::vector<std::uint64_t> history_;
};

}  // namespace skolemate
