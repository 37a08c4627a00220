// The search over any rules: depth-first with must-play.
//
// Can Black force a win within the plies left? The transposition table holds only what is proved; so
// several threads may share it, and be stopped at any time. A thread puts off a move, unless it is the
// best one, after which another thread is searching (ABDADA: Weill), and leaves a node that another
// has decided.
#pragma once

#include <array>
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
    using Stored = Entry<W, Rules::carriers>;

    Search(const typename Rules::Rules& rules, const Switches& switches, Table<Stored>& table,
           Marks& marks, const Halt& halt, std::atomic<std::uint64_t>& visited)
        : effort_(halt), rules_(rules, switches, effort_), table_(table), marks_(marks),
          switches_(switches), total_(visited) {}

    Rules& rules() { return rules_; }

    // The node to begin with. The search gives up after `most` positions, if that is not 0.
    Node& root(std::uint64_t most) {
        effort_.begin(most);
        return at(0);
    }

    // Depth-first search, by one of several threads if `shared`.
    Verdict depth_first(bool shared) {
        shared_ = shared && switches_.table;
        return search(0, false);
    }

    int best_move() const { return best_; }
    bool for_ever() const { return rules_.for_ever(nodes_[0]); }
    void flush() {
        total_.fetch_add(visited_ - flushed_, std::memory_order_relaxed);
        flushed_ = visited_;
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

    // The verdict by the rules or the table. `entry` is the table's entry.
    Verdict lookup(Node& node, Stored& entry, int& image) {
        if constexpr (Rules::early) table_.expect(rules_.position(node, image));
        Verdict verdict = rules_.quick_verdict(node);
        if (verdict != Verdict::Unknown || !switches_.table) {
            entry = {};
            return verdict;
        }
        return recall(node, entry, image);
    }

    // The verdict by the table.
    Verdict recall(Node& node, Stored& entry, int& image) {
        const Position<W> position = rules_.position(node, image);
        if (!table_.find(position, entry)) {
            entry = {};
            static_cast<Position<W>&>(entry) = position;
        } else if (entry.won <= node.left) {
            if constexpr (Rules::carriers)
                node.carrier = rules_.symmetry().moved_back(entry.carrier, image);
            return node.verdict = Verdict::Win;
        } else if (entry.lost(node.left)) {
            return lost(node, entry, image);
        }
        if (switches_.relaxation && position.tag == 2) {
            // If Black does not win without White's goal, he does not win with it either.
            Stored relaxed;
            Position<W> without = position;
            without.tag = 0;
            if (table_.find(without, relaxed) && relaxed.lost(node.left))
                return lost(node, relaxed, image);
        }
        return Verdict::Unknown;
    }

    Verdict lost(Node& node, const Stored& entry, int image) {
        node.for_ever = entry.lost_below == NEVER;
        if constexpr (Rules::carriers)
            node.carrier = node.for_ever ? rules_.symmetry().moved_back(entry.carrier, image)
                                         : rules_.board();
        return node.verdict = Verdict::Loss;
    }

    // Store what was proved about a node, and its best move, in the table.
    void store(Node& node, Stored& entry, int image, int move, std::uint64_t effort) {
        if (!switches_.table) return;
        if (node.verdict == Verdict::Win) {
            entry.won = static_cast<std::uint16_t>(node.left);
            if constexpr (Rules::carriers)
                entry.carrier = rules_.symmetry().moved(node.carrier, image);
        } else if (node.verdict == Verdict::Loss) {
            entry.lost_below = node.for_ever ? NEVER : static_cast<std::uint16_t>(node.left + 1);
            if constexpr (Rules::carriers)
                if (node.for_ever) entry.carrier = rules_.symmetry().moved(node.carrier, image);
        }
        // An unproved move does not replace one that is known to win in more plies.
        if (move >= 0 && (node.verdict != Verdict::Unknown || entry.won == NEVER))
            entry.move = static_cast<std::uint16_t>(rules_.turned(node, move, image));
        entry.worth = worth(effort);
        table_.store(entry);
    }

    // Depth-first search below a node; its verdict is Win or Loss afterwards. It is unknown only if the
    // node may be put off, and another thread is there.
    Verdict search(std::size_t level, bool may_wait) {
        Node& node = at(level);
        pulse();
        Stored entry;
        int image = 0;
        if (level == 0) best_ = -1;
        if (const Verdict known = lookup(node, entry, image); known != Verdict::Unknown) {
            if (level == 0)
                best_ = entry.move == NO_MOVE ? node.key : rules_.turned_back(node, entry.move, image);
            return known;
        }
        const std::uint64_t before = visited_, mark = entry.hash();
        if (shared_) {
            if (may_wait && marks_.has(mark)) return Verdict::Unknown;
            marks_.set(mark);
        }
        const int hint = entry.move == NO_MOVE ? -1 : rules_.turned_back(node, entry.move, image);
        const Verdict analysed = rules_.analyse(node, hint);
        const int move = analysed != Verdict::Unknown ? node.key
                         : rules_.black_to_move(node) ? attack(level)
                                                      : defend(level);
        if (level == 0) best_ = move;
        store(node, entry, image, move, visited_ - before);
        if (shared_) marks_.clear(mark);
        return node.verdict;
    }

    // An OR node: Black needs one move that wins. Returns it, or -1.
    int attack(std::size_t level) {
        Node& node = at(level);
        Node& next = at(level + 1);
        bool for_ever = true;
        Bits<W> must, carrier;
        if constexpr (Rules::carriers) must = rules_.board();
        const std::size_t count = node.moves.size();
        for (std::size_t i = 0; i < node.moves.size(); ++i) {
            const Scored tried = node.moves[i];
            if constexpr (Rules::carriers)
                if (switches_.must_play && !must.test(tried.move)) continue;
            rules_.child(node, tried.move, next);
            const std::uint64_t before = visited_;
            const Verdict verdict = search(level + 1, 0 < i && i < count);
            if (verdict == Verdict::Win) {
                if constexpr (Rules::carriers) {
                    node.carrier = next.carrier;
                    node.carrier.set(tried.move);
                }
                node.verdict = Verdict::Win;
                rules_.reward(node, tried.move);
                return tried.move;
            }
            if (verdict == Verdict::Unknown) {
                node.moves.push_back(tried);
            } else {
                for_ever = for_ever && next.for_ever;
                if constexpr (Rules::carriers) {
                    carrier |= next.carrier;
                    must &= rules_.remaining(node, next);
                }
            }
            int move = -1;
            if (shared_ && visited_ - before > WORTH_SHARING && decided(level, move)) return move;
        }
        if constexpr (Rules::carriers) rules_.refuted(node, must, carrier);
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
        const std::size_t count = node.moves.size();
        for (std::size_t i = 0; i < node.moves.size(); ++i) {
            const Scored tried = node.moves[i];
            if constexpr (Rules::carriers)
                if (switches_.must_play && !must.test(tried.move)) continue;
            rules_.child(node, tried.move, next);
            const std::uint64_t before = visited_;
            const Verdict verdict = search(level + 1, 0 < i && i < count);
            if (verdict == Verdict::Loss) {
                node.verdict = Verdict::Loss;
                node.for_ever = next.for_ever;
                if constexpr (Rules::carriers) {
                    node.carrier = next.carrier;
                    node.carrier.set(tried.move);
                }
                rules_.reward(node, tried.move);
                return tried.move;
            }
            if (verdict == Verdict::Unknown) {
                node.moves.push_back(tried);
            } else if constexpr (Rules::carriers) {
                carrier |= next.carrier;
                must &= rules_.remaining(node, next);
            }
            int move = -1;
            if (shared_ && visited_ - before > WORTH_SHARING && decided(level, move)) return move;
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

    static constexpr std::uint64_t WORTH_SHARING = 64;

    // Whether another thread has decided a node meanwhile, and by which move.
    bool decided(std::size_t level, int& move) {
        if (level == 0) return false;
        Node& node = at(level);
        Stored entry;
        int image = 0;
        if (recall(node, entry, image) == Verdict::Unknown) return false;
        if (entry.move != NO_MOVE) move = rules_.turned_back(node, entry.move, image);
        return true;
    }

    Effort effort_;
    Rules rules_;
    Table<Stored>& table_;
    Marks& marks_;
    bool shared_ = false;
    Switches switches_;
    std::atomic<std::uint64_t>& total_;
    std::uint64_t visited_ = 0, flushed_ = 0;  // positions of this thread; how many are in the total
    std::deque<Node> nodes_;
    int best_ = -1;
};

}  // namespace skolemate
