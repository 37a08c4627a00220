// Games in which every ply puts one stone on an open cell: positional games of all kinds.
//
// Can Black force a win in the plies left? White prevents it by her own goal or by blocking. The
// methods, and why they are right:
// - An extra stone never hurts its owner. So a cell that is in no set which can still be completed
//   in time, by either player, is dead: a stone there is a pass, and need not be tried.
// - Threats: who can complete a goal in his turn does so. Who is threatened with that, and has one
//   stone to place, must place it on a cell that stops all threats.
// - Time: a winning set with more open cells than its owner has stones to come is dropped.
// - Must-play: after a reply of White's was answered by a win of Black's that needs only the cells of
//   its carrier, all replies outside the carrier lose too, if they do nothing for White's own goal.
//   Moves of Black's are skipped likewise: see blocks.hpp.
// - Domination, where White has no goal left: if every set through x also goes through y, then y
//   is as good as x for either player.
// - Hex: cells that cannot help Black in the plies left are given to White, and inferior moves are
//   not tried: see inferior.hpp. What holds there without counting plies holds within them, except
//   that Black's captured cells stay open, and that White's vulnerable moves are tried: a reply by
//   which Black kills a stone takes time. The reply by which White kills one of Black's gains time.
// - Virtual connections, in games of connection: see links.hpp. A player whose borders are fully
//   connected has won; against semi links one must move on a cell that all of them need.
// - Threat sequences, for listed sets: see sequences.hpp. White's need not fit into the plies left.
// - Pairs: see pairing.hpp. A pairing refutes at every depth, unless sets were left out for time.
#pragma once

#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "blocks.hpp"
#include "goals.hpp"
#include "inferior.hpp"
#include "links.hpp"
#include "pairing.hpp"
#include "rules.hpp"
#include "sequences.hpp"
#include "symmetry.hpp"
#include "table.hpp"

namespace skolemate {

template <int W>
class Placement {
public:
    static constexpr bool carriers = true;
    static constexpr bool early = false;  // the position to be stored is known before the verdict

    struct Node {
        Bits<W> black, white;
        int ply = 0, left = 0;
        Verdict verdict = Verdict::Unknown;
        bool for_ever = false;       // a loss at every depth
        bool relaxed = false;        // White's goal is ignored
        bool dropped = false;        // some winning sets take too long and were dropped
        bool in_time = true;         // Hex: no open cells were given to White for lack of time
        Bits<W> blocked;             // Hex: White's stones, and the cells that are of no use to Black
        std::vector<Bits<W>> black_sets, white_sets;  // the open cells of the other sets
        Outlook<W> black_view, white_view;
        Bits<W> carrier;             // the cells that a win needs, or a loss: see blocks.hpp
        Bits<W> candidates;          // the moves to be tried
        bool outpaced = false;       // moves of Black's were left out because White would win first
        bool by_threats = false;     // decided by a threat sequence, which has this zone
        Bits<W> zone;
        int key = -1;                // a move that wins without search
        std::vector<std::pair<int, int>> dominated;  // moves left out, and those that dominate them
        std::vector<Scored> moves;
        Images images;
    };

    struct Rules {
        int cells = 0;
        Goal<W> black, white;
        std::optional<Graph<W>> blocking;  // White's graph, where White joined means Black cut off
        std::vector<std::uint8_t> turns;   // who moves at each ply: 0 Black, 1 White
        std::optional<Bits<W>> first_moves;
        Symmetry<W> symmetry;
    };

    Placement(const Rules& rules, const Switches& switches, Effort& effort)
        : rules_(rules), switches_(switches), schedule_(rules.turns), history_(2 * rules.cells),
          pairing_(effort), sequences_(effort), links_(effort) {
        for (int cell = 0; cell < rules.cells; ++cell) board_.set(cell);
    }

    void root(Node& node, const Bits<W>& black, const Bits<W>& white, int ply, int left,
              bool relaxed) {
        node = {};
        node.black = black;
        node.white = white;
        node.ply = ply;
        node.left = std::min(left, static_cast<int>(rules_.turns.size()) - ply);
        node.relaxed = relaxed || !rules_.white.any;
        rules_.symmetry.begin(node.images, black, white);
        if (rules_.black.met(black))
            node.verdict = Verdict::Win;
        else if (rules_.white.any && rules_.white.met(white))
            lose(node, true);
        for (const auto& set : rules_.black.sets)
            if (!set.meets(white)) keep(node, node.black_sets, set.minus(black), 0);
        if (!node.relaxed)
            for (const auto& set : rules_.white.sets)
                if (!set.meets(black)) keep(node, node.white_sets, set.minus(white), 1);
    }

    // Whether the plies left fill the board, one stone of each player in turn, and the question is who
    // gets connected (a duel), or who completes a set first (a race).
    bool duel(const Bits<W>& taken, int ply, int left) const {
        return rules_.black.graph && rules_.blocking && fills(taken, ply, left);
    }
    bool race(const Bits<W>& taken, int ply, int left) const {
        return !rules_.black.graph && !rules_.white.sets.empty() && fills(taken, ply, left);
    }

    bool black_to_move(const Node& node) const { return schedule_.movers[node.ply] == 0; }

    Estimate estimate(const Node& node) const {
        return skolemate::estimate(node.black_sets, node.white_sets, black_to_move(node));
    }

    void child(const Node& node, int cell, Node& next) {
        const bool mine = black_to_move(node);
        next.black = node.black;
        next.white = node.white;
        (mine ? next.black : next.white).set(cell);
        next.ply = node.ply + 1;
        next.left = node.left - 1;
        next.verdict = Verdict::Unknown;
        next.for_ever = false;
        next.key = -1;
        next.outpaced = next.by_threats = false;
        next.relaxed = node.relaxed;
        next.dropped = node.dropped;
        rules_.symmetry.place(node.images, next.images, cell, mine ? 0 : 1);
        pass_on(next, node.black_sets, next.black_sets, cell, mine, 0);
        pass_on(next, node.white_sets, next.white_sets, cell, !mine, 1);
        if (rules_.black.graph && mine && rules_.black.graph->joined(next.black))
            next.verdict = Verdict::Win, next.carrier = {};
        if (rules_.white.graph && !node.relaxed && !mine && rules_.white.graph->joined(next.white))
            lose(next, true);
    }

    // The verdict by the rules and immediate threats.
    Verdict quick_verdict(Node& node) {
        if (node.verdict != Verdict::Unknown) return node.verdict;
        if (node.left <= 0)
            return lose(node, node.ply == static_cast<int>(rules_.turns.size()));
        const bool mine = black_to_move(node);
        const int run = std::min(schedule_.runs[node.ply], node.left);
        const int then = node.ply + schedule_.runs[node.ply];
        const int reply = run < node.left ? std::min(schedule_.runs[then], node.left - run) : 0;
        const bool restricted = node.ply == 0 && rules_.first_moves;
        Outlook<W>& black = node.black_view = view(node, 0, mine ? run : reply);
        if (black.nearest == FAR)
            return black.for_ever && !rules_.black.graph ? block(node, {}) : lose(node, black.for_ever);
        Outlook<W>& white = node.white_view = Outlook<W>{};
        if (has_white_goal(node)) white = view(node, 1, mine ? reply : run);
        node.candidates = black.relevant | white.relevant;
        node.carrier = {};
        if (restricted) {
            node.candidates = *rules_.first_moves;
            return Verdict::Unknown;
        }
        if (!switches_.threats) {
            node.candidates = open(node);
            return Verdict::Unknown;
        }
        if (mine) {
            if (black.nearest <= run) {
                const Bits<W> cells = way(node);
                return win(node, cells, cells.first());
            }
            if (white.threatened && run == 1) {
                node.candidates &= white.parry;
                node.outpaced = true;
                if (!node.candidates.any()) return lose(node, true);
            }
        } else {
            if (white.nearest <= run) return lose(node, true);
            if (black.threatened && run == 1) {
                if (!black.parry.any()) return win(node, black.threats);
                node.candidates &= black.parry;
                node.carrier = black.threats;
            }
        }
        return Verdict::Unknown;
    }

    // The verdict by the slower methods: pairs, links, domination. Then orders the moves.
    Verdict analyse(Node& node, int best) {
        const bool mine = black_to_move(node);
        const bool restricted = node.ply == 0 && rules_.first_moves;
        if (switches_.sequences && switches_.threats && !rules_.black.graph && !rules_.white.graph &&
            node.ply >= schedule_.alternating_from && !restricted)
            if (const Verdict known = force(node, mine); known != Verdict::Unknown) return known;
        if (switches_.pairing && mine && node.left >= 4 && node.ply >= schedule_.single_from && !restricted &&
            !rules_.black.graph && pairing_.exists(node.black_sets))
            return node.dropped ? lose(node, false) : block(node, pairing_.pairs());
        node.dominated.clear();
        if (node.ply >= schedule_.alternating_from && !restricted) {
            if (rules_.blocking)
                if (const Verdict known = settle(node, mine); known != Verdict::Unknown) return known;
            if (switches_.links)
                if (const Verdict known = link(node, mine); known != Verdict::Unknown) return known;
            if (rules_.blocking && switches_.inferior) {
                const Bits<W> losing = mine ? Bits<W>{} : board_.minus(node.black | node.blocked | node.candidates);
                node.candidates = inferior_.undominated(
                    node.candidates, losing, mine ? 0 : 1,
                    [&](int x, int y) { node.dominated.emplace_back(x, y); });
                if (!node.candidates.any()) return win(node, node.carrier);
            }
        }
        if (switches_.domination && switches_.threats && !restricted && !has_white_goal(node) &&
            !rules_.black.graph)
            dominate(node.black_sets, node.candidates, node.dominated);
        // What refuted Black within fewer plies, where he had no time, need not block him.
        order(node, mine || rules_.black.graph ? best : -1);
        return Verdict::Unknown;
    }

    // Whether no other moves would have to be tried at greater depths.
    bool complete(const Node& node) const {
        if (node.ply + node.left == static_cast<int>(rules_.turns.size())) return true;
        return !rules_.black.graph && !rules_.white.graph && !node.dropped;
    }

    bool for_ever(const Node& node) const { return node.for_ever; }

    int turned(const Node&, int cell, int image) const {
        return rules_.symmetry.permutation(image)[cell];
    }

    int turned_back(const Node&, int cell, int image) const {
        return rules_.symmetry.moved_back(Bits<W>::one(cell), image).first();
    }

    // All moves that were tried have lost. `carrier`: the union of the carriers; `common`: the cells in
    // all of them. Moves there that were not tried are dead or dominated, and must stay so.
    void refuted(Node& node, const Bits<W>& common, const Bits<W>& carrier) {
        const bool restricted = node.ply == 0 && rules_.first_moves;
        const bool blocked = !rules_.black.graph && !node.dropped && !node.outpaced && !restricted;
        node.carrier = blocked ? carrier : board_;
        const Bits<W> untried = (common & open(node)).minus(node.candidates);
        if (!blocked || !untried.any()) return;
        blocks_.add_stones(node.carrier, rules_.black.sets, node.white, untried, {});
        for (auto [x, y] : node.dominated)
            if (untried.test(x)) node.carrier.set(y);
    }

    // After `next` is decided against the player to move: the other moves that may still be better.
    Bits<W> remaining(const Node& node, const Node& next) const {
        const bool mine = black_to_move(node);
        if (!next.by_threats)  // replies outside the carrier may still help White's own goal
            return mine ? next.carrier : next.carrier | node.white_view.relevant;
        Bits<W> cells = next.zone;  // and sets for which the move before `next` left no time
        for (const auto& set : mine ? node.black_sets : node.white_sets)
            if (set.count() > to_come(next, mine ? 0 : 1)) cells |= set;
        return cells;
    }

    Position<W> position(const Node& node, int& image) const {
        Position<W> folded;
        image = rules_.symmetry.least(node.images);
        folded.black = rules_.symmetry.moved(node.black, image);
        folded.white = rules_.symmetry.moved(node.white, image);
        // If White can no longer meet her goal, the relaxed question is the same.
        folded.tag = has_white_goal(node) ? 2 : 0;
        return folded;
    }

    // The links that fully connect a player's borders; none if none were found.
    std::vector<Link> links(const Bits<W>& own, const Bits<W>& enemy, bool blocking, int most) {
        const auto& graph = blocking ? rules_.blocking : rules_.black.graph;
        if (!graph) return {};
        links_.find(*graph, own, board_.minus(own | enemy), most);
        return links_.explained();
    }

    const Bits<W>& board() const { return board_; }
    Bits<W> open(const Node& node) const { return board_.minus(node.black | node.white); }

    const Symmetry<W>& symmetry() const { return rules_.symmetry; }

    // History heuristic: moves that decided positions are tried earlier elsewhere.
    void reward(const Node& node, int move) {
        history_[(black_to_move(node) ? 0 : rules_.cells) + move] += 1 + node.left * node.left;
    }

private:
    bool fills(const Bits<W>& taken, int ply, int left) const {
        return schedule_.fills(ply, left, rules_.cells - taken.count()) && !(ply == 0 && rules_.first_moves);
    }

    bool has_white_goal(const Node& node) const {
        return !node.relaxed && (rules_.white.graph || !node.white_sets.empty());
    }

    // Hex: give White what cannot help Black in the plies left, so that few cells are open. Cells off
    // every path that is short enough, dead cells, and White's captured cells are of no use to Black.
    Verdict settle(Node& node, bool mine) {
        const int most = switches_.time ? to_come(node, 0) : rules_.cells;
        Bits<W> useful = node.black_view.relevant;
        node.in_time = useful == open(node);
        while (true) {
            node.blocked = board_.minus(node.black | useful);
            if (switches_.inferior)
                inferior_.fill(*rules_.black.graph, *rules_.blocking, node.black, node.blocked, board_,
                               true);
            useful = board_.minus(node.black | node.blocked);
            const Bits<W> near = outlook(*rules_.black.graph, node.black, useful, most, 0, layers_[0]).relevant;
            if (near == useful) break;
            useful = near;
            node.in_time = false;
        }
        node.candidates &= useful;
        if (!useful.any()) return lose(node, node.in_time);
        if (!switches_.inferior) return Verdict::Unknown;
        if (mine) node.candidates = inferior_.invulnerable(node.candidates, 0);
        return Verdict::Unknown;
    }

    // Who is to move may win by threats alone. If the opponent would, moves outside the zone lose.
    Verdict force(Node& node, bool mine) {
        const auto &own = mine ? node.black_sets : node.white_sets,
                   &other = mine ? node.white_sets : node.black_sets;
        if (sequences_.exists(own, other, mine ? node.left : FAR)) {
            node.by_threats = true;
            node.zone = sequences_.zone();
            if (mine) return win(node, sequences_.cells(), sequences_.first());
            node.key = sequences_.first();
            return lose(node, complete(node));
        }
        if ((mine ? node.white_view : node.black_view).threatened ||
            !sequences_.exists(other, own, mine ? FAR : node.left - 1))
            return Verdict::Unknown;
        node.candidates &= sequences_.zone();
        node.outpaced = mine;
        if (!mine) node.carrier |= sequences_.cells();
        if (node.candidates.any()) return Verdict::Unknown;
        return mine ? lose(node, complete(node)) : win(node, node.carrier);
    }

    Verdict link(Node& node, bool mine) {
        Bits<W> free = open(node);
        if (rules_.blocking) {
            free = board_.minus(node.black | node.blocked);
            links_.find(*rules_.blocking, node.blocked, free, rules_.cells);
            if (!links_.full().empty() || (!mine && !links_.semi().empty()))
                return lose(node, node.in_time);
            for (const auto& semi : links_.semi()) node.candidates &= semi;
            if (!node.candidates.any()) return lose(node, false);  // at this depth only
        }
        if (rules_.black.graph && !has_white_goal(node)) {
            links_.find(*rules_.black.graph, node.black, free, node.left);
            if (mine) {
                if (!links_.semi().empty()) {
                    const Bits<W>& quickest = links_.semi().front();
                    const Bits<W> key = links_.key(quickest);
                    return win(node, quickest, key.any() ? key.first() : -1);
                }
                for (const auto& full : links_.full())  // Black may move anywhere
                    if (full.count() < node.left) return win(node, full, full.first());
                return Verdict::Unknown;
            }
            for (const auto& full : links_.full())
                if (full.count() <= node.left) return win(node, full);
            for (const auto& semi : links_.semi()) {
                // White moves first, which takes one ply.
                if (semi.count() + 1 > node.left || node.candidates.within(semi)) continue;
                node.candidates &= semi;
                node.carrier |= semi;
                if (!node.candidates.any()) return win(node, node.carrier);
            }
        }
        return Verdict::Unknown;
    }

    Verdict win(Node& node, const Bits<W>& carrier, int key = -1) {
        node.carrier = carrier;
        node.key = key;
        return node.verdict = Verdict::Win;
    }

    Verdict lose(Node& node, bool for_ever) {
        node.for_ever = for_ever;
        node.carrier = board_;
        return node.verdict = Verdict::Loss;
    }

    // A loss for ever: White has a stone in each set, or a pair of open cells.
    Verdict block(Node& node, const std::vector<Bits<W>>& pairs) {
        lose(node, true);
        node.carrier = {};
        for (const auto& pair : pairs) node.carrier |= pair;
        blocks_.add_stones(node.carrier, rules_.black.sets, node.white, board_, pairs);
        return node.verdict;
    }

    // Stones that a player has still to place in the plies left.
    int to_come(const Node& node, int player) const {
        const int black = schedule_.stones[node.ply + std::max(node.left, 0)] - schedule_.stones[node.ply];
        return player == 0 ? black : node.left - black;
    }

    void keep(Node& node, std::vector<Bits<W>>& sets, const Bits<W>& set, int player) {
        if (!set.any()) return;  // complete: the caller has handled that
        if (switches_.time && set.count() > to_come(node, player)) {
            node.dropped = true;
            return;
        }
        sets.push_back(set);
    }

    void pass_on(Node& node, const std::vector<Bits<W>>& from, std::vector<Bits<W>>& to, int cell, bool own,
                 int player) {
        to.clear();
        const int most = switches_.time ? to_come(node, player) : FAR;
        for (const auto& set : from) {
            const bool through = set.test(cell);
            if (through && !own) continue;
            Bits<W> rest = set;
            if (through) rest.reset(cell);
            const int size = rest.count();
            if (size == 0) {
                if (player == 0)
                    win(node, {});
                else
                    lose(node, true);
                return;
            }
            if (size > most) {
                node.dropped = true;
                continue;
            }
            to.push_back(rest);
        }
    }

    Outlook<W> view(Node& node, int player, int turn) {
        const Goal<W>& goal = player == 0 ? rules_.black : rules_.white;
        if (goal.graph) {
            const int most = switches_.time ? to_come(node, player) : rules_.cells;
            return outlook(*goal.graph, player == 0 ? node.black : node.white, open(node), most,
                           turn, layers_[player]);
        }
        return outlook(player == 0 ? node.black_sets : node.white_sets, node.dropped, turn);
    }

    Bits<W> way(const Node& node) {
        if (!rules_.black.graph) return node.black_view.way;
        return shortest_way(*rules_.black.graph, node.black, layers_[0], node.black_view.nearest);
    }

    void order(Node& node, int best) {
        node.moves.clear();
        scores_.assign(rules_.cells, 0);
        const bool mine = black_to_move(node);
        if (rules_.black.graph) {
            for (int side = 0; side < 2; ++side)
                for (std::size_t k = 1; k < layers_[0][side].size(); ++k)
                    layers_[0][side][k].each([&](int cell) { scores_[cell] -= 64 * static_cast<int>(k); });
        }
        weigh(node.black_sets);
        weigh(node.white_sets);
        const std::uint32_t* history = history_.data() + (mine ? 0 : rules_.cells);
        std::uint32_t most = 1;
        node.candidates.each([&](int cell) { most = std::max(most, history[cell]); });
        node.candidates.each([&](int cell) {
            std::int32_t score = scores_[cell] + static_cast<std::int32_t>(64.0 * history[cell] / most);
            if (cell == best) score = FAR * 64;
            node.moves.push_back({static_cast<std::uint16_t>(cell), score});
        });
        best_first(node.moves);
    }

    void weigh(const std::vector<Bits<W>>& sets) {
        for (const auto& set : sets) {
            const int weight = 4096 >> std::min(12, 2 * set.count());
            set.each([&](int cell) { scores_[cell] += weight; });
        }
    }

    const Rules& rules_;
    Switches switches_;
    Bits<W> board_;
    Schedule schedule_;
    std::vector<Bits<W>> layers_[2][2];
    std::vector<std::int32_t> scores_;
    std::vector<std::uint32_t> history_;
    Pairing<W> pairing_;
    Blocks<W> blocks_;
    Sequences<W> sequences_;
    Links<W> links_;
    Inferior<W> inferior_;
};

}  // namespace skolemate
