// The search over any rules: depth-first with must-play.
//
// Can Black force a win within the plies left? The transposition table holds only what is proved; so
// several threads may share it, and be stopped at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "bits.hpp"
#include "rules.hpp"
#include "table.hpp"

namespace skolemate {

template <class Rules, int W>
class Search {
public:
    using Node = typename Rules::Node;

    Search(const typename Rules::Rules& rules, const Switches& switches, std::size_t number,
           Table<Entry<W>>& table, const Halt& halt, std::atomic<std::uint64_t>& visited)
        : effort_(halt), rules_(rules, switches, number, effort_), table_(table),
          switches_(switches), total_(visited) {}

    Rules& rules() { return rules_; }

    // The node to begin with. The search gives up after `most` positions, if that is not 0.
    Node& root(std::uint64_t most) {
        effort_.begin(most);
        return at(0);
    }

    // Depth-first search.
    Verdict depth_first() { return search(0); }

    int best_move() const { return best_; }
    bool for_ever() const { return rules_.for_ever(nodes_[0]); }
    void flush() {
        total_.fetch_add(visited_, std::memory_order_relaxed);
        visited_ = 0;
    }

private:
    Node& at(std::size_t level) {
        while (nodes_.size() <= level) nodes_.emplace_back();
        return nodes_[level];
    }

    void pulse() {
        if ((++visited_ & 1023) == 0) flush();
        effort_.spend(Effort::STEPS);
    }

    // The verdict by the rules or the table. `entry` is the table's entry, `hash` its place there.
    Verdict lookup(Node& node, Entry<W>& entry, int& image, std::uint64_t& hash) {
        Verdict verdict = rules_.quick_verdict(node);
        if (verdict != Verdict::Unknown || !switches_.table) {
            entry = {};
            return verdict;
        }
        const Position<W> position = rules_.position(node, image, hash);
        if (!table_.find(position, hash, entry)) {
            entry = {};
            entry.position = position;
        } else if (entry.won <= node.left) {
            if constexpr (Rules::carriers)
                node.carrier = rules_.symmetry().moved_back(entry.carrier, image);
            return node.verdict = Verdict::Win;
        } else if (entry.lost(node.left)) {
            node.for_ever = entry.lost_below == NEVER;
            return node.verdict = Verdict::Loss;
        }
        if (switches_.relaxation && position.tag == 2) {
            // If Black does not win without White's goal, he does not win with it either.
            Entry<W> relaxed;
            Position<W> without = position;
            without.tag = 0;
            if (table_.find(without, hash ^ 2, relaxed) && relaxed.lost(node.left)) {
                node.for_ever = relaxed.lost_below == NEVER;
                return node.verdict = Verdict::Loss;
            }
        }
        return Verdict::Unknown;
    }

    // Store what was proved about a node, and its best move, in the table.
    void store(Node& node, Entry<W>& entry, int image, std::uint64_t hash, int move,
              std::uint64_t effort) {
        if (!switches_.table) return;
        if (node.verdict == Verdict::Win) {
            entry.won = static_cast<std::uint16_t>(node.left);
            if constexpr (Rules::carriers)
                entry.carrier = rules_.symmetry().moved(node.carrier, image);
        } else if (node.verdict == Verdict::Loss) {
            entry.lost_below = node.for_ever ? NEVER : static_cast<std::uint16_t>(node.left + 1);
        }
        // An unproved move does not replace one that is known to win in more plies.
        if (move >= 0 && (node.verdict != Verdict::Unknown || entry.won == NEVER))
            entry.move = static_cast<std::uint16_t>(rules_.turned(node, move, image));
        entry.effort = static_cast<std::uint32_t>(std::min<std::uint64_t>(effort, 1u << 31));
        table_.store(entry, hash);
    }

    // Depth-first search below a node; its verdict is Win or Loss afterwards.
    Verdict search(std::size_t level) {
        Node& node = at(level);
        pulse();
        Entry<W> entry;
        int image = 0;
        std::uint64_t hash = 0;
        if (level == 0) best_ = -1;
        if (const Verdict known = lookup(node, entry, image, hash); known != Verdict::Unknown) {
            if (level == 0)
                best_ = entry.move == NO_MOVE ? node.key : rules_.turned_back(node, entry.move, image);
            return known;
        }
        const std::uint64_t before = visited_ + total_.load(std::memory_order_relaxed);
        const int hint = entry.move == NO_MOVE ? -1 : rules_.turned_back(node, entry.move, image);
        const Verdict analysed = rules_.analyse(node, hint);
        const int move = analysed != Verdict::Unknown ? node.key
                         : rules_.black_to_move(node) ? attack(level)
                                                      : defend(level);
        if (level == 0) best_ = move;
        store(node, entry, image, hash, move,
             visited_ + total_.load(std::memory_order_relaxed) - before);
        return node.verdict;
    }

    // An OR node: Black needs one move that wins. Returns it, or -1.
    int attack(std::size_t level) {
        Node& node = at(level);
        Node& next = at(level + 1);
        bool for_ever = true;
        for (const Scored& tried : node.moves) {
            rules_.child(node, tried.move, next);
            if (search(level + 1) == Verdict::Win) {
                if constexpr (Rules::carriers) {
                    node.carrier = next.carrier;
                    node.carrier.set(tried.move);
                }
                node.verdict = Verdict::Win;
                rules_.reward(node, tried.move);
                return tried.move;
            }
            for_ever = for_ever && next.for_ever;
        }
        node.verdict = Verdict::Loss;
        node.for_ever = for_ever && rules_.complete(node);
        return -1;
    }

    // An AND node: White needs one move that does not lose. Returns it, or -1.
    int defend(std::size_t level) {
        Node& node = at(level);
        Node& next = at(level + 1);
        Bits<W> must, carrier;
        if constexpr (Rules::carriers) {
            must = node.candidates;
            carrier = node.carrier;
        }
        for (const Scored& tried : node.moves) {
            if constexpr (Rules::carriers)
                if (switches_.must_play && !must.test(tried.move)) continue;
            rules_.child(node, tried.move, next);
            if (search(level + 1) == Verdict::Loss) {
                node.verdict = Verdict::Loss;
                node.for_ever = next.for_ever;
                rules_.reward(node, tried.move);
                return tried.move;
            }
            if constexpr (Rules::carriers) {
                carrier |= next.carrier;
                must &= next.carrier | rules_.not_skipped(node);
            }
        }
        if constexpr (Rules::carriers) {
            // The move x was left out because y dominates it; Black's win may need y instead of x.
            for (auto [x, y] : node.dominated)
                if (carrier.test(x)) carrier.set(y);
            node.carrier = carrier;
        }
        node.verdict = Verdict::Win;
        return -1;
    }

    Effort effort_;
    Rules rules_;
    Table<Entry<W>>& table_;
    Switches switches_;
    std::atomic<std::uint64_t>& total_;
    std::uint64_t visited_ = 0;
    std::deque<Node> nodes_;
    int best_ = -1;
};

}  // namespace skolemate
