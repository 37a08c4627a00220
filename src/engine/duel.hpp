// Who wins a game of Hex? Proof-number search where the number of plies does not matter.
//
// If the plies left are enough to fill the board, exactly one player gets connected, so the question
// is who. Then stones may be added that change nothing but the plies (see inferior.hpp), and a
// player whose borders are linked has won (see links.hpp). If the opponent needs one more move for
// a link of the borders, the mover must play where all such links need a cell.
// The rest is depth-first proof-number search: see numbers.hpp. Only the most promising moves count
// until they are refuted (focused search: Henderson, Arneson and Hayward).
// Positions are stored as they are reached, with what analysis has found about them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "bits.hpp"
#include "goals.hpp"
#include "inferior.hpp"
#include "links.hpp"
#include "numbers.hpp"
#include "rules.hpp"
#include "symmetry.hpp"
#include "table.hpp"

namespace skolemate {

// What is known about a position of a duel.
template <int W>
struct Standing : Position<W> {
    std::uint8_t worth = 0;            // as in an entry of the other table
    std::uint16_t count = 0;           // of moves
    std::uint32_t phi = 1, delta = 1;  // 0 for the winner, infinite for the loser
    std::uint32_t effort = 0;          // positions searched below
    Bits<W> filled[2];                 // the stones, and the cells that are as good as taken
    std::uint16_t moves[64 * W];       // to be tried, the most promising first

    const Position<W>& position() const { return *this; }
    Estimate numbers() const { return {phi, delta}; }
    void join(const Standing& told) {
        if (told.numbers().decided() || !numbers().decided()) *this = told;
    }
    bool fits(const Bits<W>& board, std::size_t) const {
        const auto on_board = [&](int cell) { return cell < 64 * W && board.test(cell); };
        return possible(numbers()) && (filled[0] | filled[1]).within(board) &&
               count <= std::size(moves) && std::all_of(moves, moves + count, on_board);
    }
};

template <int W>
class Duel {
public:
    Duel(const Graph<W>& black, const Graph<W>& white, const Symmetry<W>& symmetry,
         const Switches& switches, Table<Standing<W>>& table, Marks& marks, const Halt& halt,
         std::atomic<std::uint64_t>& visited, std::size_t threads)
        : graphs_{&black, &white}, symmetry_(symmetry), switches_(switches), table_(table), marks_(marks),
          effort_(halt), total_(visited) {
        for (std::size_t cell = 0; cell < black.near.size(); ++cell) board_.set(static_cast<int>(cell));
        const std::size_t points = black.near.size() + 2;
        kept_ = MOST_KEPT / threads / (points * points);
        scores_.resize(black.near.size());
        volts_.resize(black.near.size());
    }

    // Does Black win? Gives up after `most` positions, if that is not 0. By one of several threads, if
    // `shared`.
    bool black_wins(const Bits<W>& black, const Bits<W>& white, int mover, std::uint64_t most, bool shared) {
        shared_ = shared;
        effort_.begin(most);
        at(0).begin(black, white, mover);
        const Standing<W> root = prove(0, {INFINITE, INFINITE});
        best_ = root.phi == 0 && root.count > 0 ? root.moves[0] : -1;
        return (root.phi == 0) == (mover == 0);
    }

    // The winner's move, if it is the winner's turn.
    int best_move() const { return best_; }

    void flush() {
        total_.fetch_add(visited_ - flushed_, std::memory_order_relaxed);
        flushed_ = visited_;
    }

private:
    static constexpr std::size_t MOST_KEPT = 2'500'000;  // pairs of points of all threads: 250 MB with links

    struct Level {
        explicit Level(Effort& effort) : links{Links<W>(effort), Links<W>(effort)} {}

        void begin(const Bits<W>& blacks, const Bits<W>& whites, int player) {
            black = blacks;
            white = whites;
            mover = player;
            linked = false;
        }

        Bits<W> black, white;  // with the cells that are as good as taken, when that is known
        int mover = 0;
        Links<W> links[2];
        bool linked = false;   // the links are those of this position
    };

    Level& at(std::size_t level) {
        while (levels_.size() <= level) levels_.emplace_back(effort_);
        return levels_[level];
    }

    Position<W> folded(const Bits<W>& black, const Bits<W>& white, int mover, int& image) {
        symmetry_.begin(images_, black, white);
        image = symmetry_.least(images_);
        return {symmetry_.moved(black, image), symmetry_.moved(white, image),
                static_cast<std::uint8_t>(mover)};
    }

    // Search below a position until one of its numbers reaches its limit.
    Standing<W> prove(std::size_t level, const Estimate& most) {
        Level* here = &at(level);
        at(level + 1);
        if ((++visited_ & 1023) == 0) flush();
        effort_.spend(Effort::STEPS);
        int image = 0;
        const Position<W> position = folded(here->black, here->white, here->mover, image);
        Standing<W> known;
        if (table_.find(position, known)) {
            here->black = symmetry_.moved_back(known.filled[0], image);
            here->white = symmetry_.moved_back(known.filled[1], image);
            for (int i = 0; i < known.count; ++i) known.moves[i] = back(known.moves[i], image);
        } else {
            static_cast<Position<W>&>(known) = position;
            analyse(level, known);
        }
        const std::uint64_t before = visited_, mark = shared_ ? position.hash() : 0;
        if (shared_) marks_.set(mark);
        if (!known.numbers().decided()) {
            std::vector<Child<W>> children;
            for (int i = 0; i < known.count; ++i) children.push_back(child_of(*here, known.moves[i]));
            look_up(table_, children);
            while (true) {
                const Gathered<W> all(children, true, shared_ ? &marks_ : nullptr);
                known.phi = all.found.phi;
                known.delta = all.found.delta;
                if (known.phi == 0) known.moves[0] = all.best->move;
                if (known.numbers().decided() || known.phi >= most.phi || known.delta >= most.delta) break;
                Child<W>& child = *all.best;
                place(*here, child.move, at(level + 1));
                child.after = prove(level + 1, all.limits(most)).numbers();
                if (shared_) look_up(table_, children);
            }
        }
        if (shared_) marks_.clear(mark);
        known.effort = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(known.effort + (visited_ - before) + 1, 1u << 31));
        known.worth = worth(known.effort);
        Standing<W> stored = known;
        stored.filled[0] = symmetry_.moved(here->black, image);
        stored.filled[1] = symmetry_.moved(here->white, image);
        for (int i = 0; i < known.count; ++i)
            stored.moves[i] = symmetry_.permutation(image)[known.moves[i]];
        std::fill(stored.moves + stored.count, std::end(stored.moves), 0);  // a file may keep them
        table_.store(stored);
        return known;
    }

    std::uint16_t back(int cell, int image) const {
        if (image == 0) return static_cast<std::uint16_t>(cell);
        return static_cast<std::uint16_t>(symmetry_.moved_back(Bits<W>::one(cell), image).first());
    }

    static void place(const Level& here, int move, Level& next) {
        next.begin(here.black, here.white, 1 - here.mover);
        (here.mover == 0 ? next.black : next.white).set(move);
    }

    Child<W> child_of(const Level& here, std::uint16_t move) {
        Bits<W> black = here.black, white = here.white;
        (here.mover == 0 ? black : white).set(move);
        int image = 0;
        return {folded(black, white, 1 - here.mover, image), {1, 1}, move};
    }

    // Add the cells that are as good as taken; find the winner without search, or the moves to try.
    void analyse(std::size_t level, Standing<W>& known) {
        Level& here = at(level);
        const Bits<W> open = board_.minus(here.black | here.white);
        const int mover = here.mover, other = 1 - mover;
        if (graphs_[0]->joined(here.black)) return decide(known, 0, mover, open);
        if (graphs_[1]->joined(here.white)) return decide(known, 1, mover, open);
        if (!switches_.inferior) {
            inferior_.survey(*graphs_[0], *graphs_[1], here.black, here.white, board_);
        } else {
            inferior_.fill(*graphs_[0], *graphs_[1], here.black, here.white, board_, false);
            const Bits<W> filled = open.minus(board_.minus(here.black | here.white));
            if (graphs_[0]->joined(here.black)) return decide(known, 0, mover, filled & here.black);
            if (graphs_[1]->joined(here.white)) return decide(known, 1, mover, filled & here.white);
        }
        Bits<W> moves = board_.minus(here.black | here.white);
        if (switches_.links) {
            link(level, true);
            Links<W>&mine = links(level, mover), &theirs = links(level, other);
            if (!mine.full().empty()) return decide(known, mover, mover, mine.full().front());
            if (!mine.semi().empty()) return decide(known, mover, mover, mine.key(mine.semi().front()));
            if (!theirs.full().empty()) return decide(known, other, mover, {});
            for (const auto& semi : theirs.semi()) moves &= semi;
        }
        if (switches_.inferior) {
            const Bits<W> losing = board_.minus(here.black | here.white | moves);
            moves = inferior_.invulnerable(moves, mover);
            moves = inferior_.undominated(moves, losing, mover, [](int, int) {});
        }
        if (!moves.any()) return decide(known, other, mover, {});
        order(level, moves, known);
    }

    static void decide(Standing<W>& known, int winner, int mover, const Bits<W>& moves) {
        known.count = 0;
        known.phi = winner == mover ? 0 : INFINITE;
        known.delta = INFINITE - known.phi;
        if (winner == mover && moves.any()) known.moves[known.count++] = moves.first();
    }

    Links<W>& links(std::size_t level, int player) {
        return at(std::min(level, kept_)).links[player];
    }

    // Find the links of this position from those of the position before. Far down on large boards
    // they are found anew, and not kept. The links of the last position are used at once, so the
    // opponent's do not matter if the mover wins.
    void link(std::size_t level, bool last) {
        Level& here = at(level);
        if (here.linked) return;
        const bool anew = level == 0 || level >= kept_;
        if (!anew) link(level - 1, false);
        for (int player : {here.mover, 1 - here.mover}) {
            Links<W>& now = links(level, player);
            if (anew) {
                now.find(*graphs_[player], player == 0 ? here.black : here.white,
                         board_.minus(here.black | here.white), static_cast<int>(scores_.size()));
            } else {
                const Level& before = at(level - 1);
                now = before.links[player];
                here.black.minus(before.black).each([&](int cell) { now.follow(cell, player == 0); });
                here.white.minus(before.white).each([&](int cell) { now.follow(cell, player == 1); });
                now.extend();
            }
            if (last && player == here.mover && !(now.full().empty() && now.semi().empty())) return;
        }
        here.linked = level < kept_;
    }

    // The most promising moves first: those through which most of a current from border to border
    // would flow, for both players together.
    void order(std::size_t level, const Bits<W>& moves, Standing<W>& known) {
        std::fill(scores_.begin(), scores_.end(), 0.0f);
        const Bits<W> open = board_.minus(at(level).black | at(level).white);
        for (int player = 0; player < 2; ++player) flow(level, player, open);
        known.count = 0;
        moves.each([&](int cell) { known.moves[known.count++] = static_cast<std::uint16_t>(cell); });
        std::stable_sort(known.moves, known.moves + known.count,
                         [&](int a, int b) { return scores_[a] > scores_[b]; });
    }

    void flow(std::size_t level, int player, const Bits<W>& open) {
        constexpr int SWEEPS = 30;
        struct Wire {
            int cell;
            Bits<W> beside;
            int borders;
            float conductance;
        };
        std::vector<Wire> wires;
        open.each([&](int cell) {
            auto [beside, borders] = inferior_.beside(player, cell);
            if (switches_.links) links(level, player).linked(cell, beside, borders);
            const int count = beside.count() + (borders & 1) + (borders >> 1);
            if (count > 0) wires.push_back({cell, beside, borders, 1.0f / count});
            volts_[cell] = 0.5f;
        });
        for (int sweep = 0; sweep < SWEEPS; ++sweep) {
            effort_.spend(wires.size());
            for (const Wire& wire : wires) {
                float sum = wire.borders & 1 ? 1.0f : 0.0f;
                wire.beside.each([&](int other) { sum += volts_[other]; });
                volts_[wire.cell] = sum * wire.conductance;
            }
        }
        float total = 0.0f;
        for (const Wire& wire : wires)
            if (wire.borders & 1) total += 1.0f - volts_[wire.cell];
        if (total <= 0.0f) return;
        for (const Wire& wire : wires) {
            const float here = volts_[wire.cell];
            float sum = 0.0f;
            if (wire.borders & 1) sum += 1.0f - here;
            if (wire.borders & 2) sum += here;
            wire.beside.each([&](int other) { sum += std::abs(here - volts_[other]); });
            scores_[wire.cell] += sum / total;
        }
    }

    const Graph<W>* graphs_[2];
    const Symmetry<W>& symmetry_;
    Switches switches_;
    Table<Standing<W>>& table_;
    Marks& marks_;
    bool shared_ = false;
    Effort effort_;
    std::atomic<std::uint64_t>& total_;
    std::uint64_t visited_ = 0, flushed_ = 0;
    Bits<W> board_;
    Inferior<W> inferior_;
    Images images_;
    std::deque<Level> levels_;
    std::size_t kept_;  // levels whose links are kept
    std::vector<float> scores_, volts_;
    int best_ = -1;
};

}  // namespace skolemate
