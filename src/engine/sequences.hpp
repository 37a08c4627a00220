// Threat sequences: wins in which every move but the last ones must be answered on one cell.
//
// The attacker takes a cell p of a set with two open cells p and q. The defender must take q, or the
// attacker completes the set, unless the defender can complete a set first. So before each of these
// moves there is no set of the defender's with one open cell, or p is that cell. The sequence ends
// with a cell that has two such answers or more.
//
// A stone y of the defender's, wherever it is, spoils the sequence only if
// - it takes one of its cells: the p, the q, and two of the last answers; or
// - before some p, a set of the defender's has become {y, z}, by her answers q, and contains no p so
//   far, nor the next. Then she would threaten to complete it, or could do so.
// These cells are the zone of the sequence: a defender who is to move before it must move there.
// Sets that are left out for lack of time cannot be completed in the plies left, by either player.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "bits.hpp"
#include "rules.hpp"

namespace skolemate {

template <int W>
class Sequences {
public:
    explicit Sequences(Effort& effort) : effort_(effort), failed_(FAILED) {}

    // Whether the attacker, who is to move, wins by threats within so many plies. `attack`, `defence`:
    // the open cells of the players' sets; the attacker cannot complete one at once. Gives up after
    // some steps: to miss a sequence is never wrong.
    bool exists(const std::vector<Bits<W>>& attack, const std::vector<Bits<W>>& defence, int plies) {
        if (levels_.empty()) levels_.resize(1);
        levels_[0].attack = attack;
        levels_[0].defence = defence;
        steps_ = MOST_STEPS;
        ++question_;
        return wins(0, plies, question_ * 0x9E3779B97F4A7C15);
    }

    // Of the sequence that was found: its first cell, all cells, and its zone.
    int first() const { return levels_[0].cell; }
    const Bits<W>& cells() const { return cells_; }
    const Bits<W>& zone() const { return zone_; }

private:
    static constexpr int MOST_STEPS = 300;  // threats tried
    static constexpr std::size_t FAILED = 1024;

    struct Threat {
        int cell, answer, score;
    };

    struct Level {
        std::vector<Bits<W>> attack, defence;
        std::vector<Threat> threats;
        int cell = -1;
    };

    // `hash` stands for the cells taken so far, in any order.
    bool wins(std::size_t level, int plies, std::uint64_t hash) {
        if (plies < 3) return false;
        if (levels_.size() <= level + 1) levels_.resize(level + 2);
        Level& here = levels_[level];
        effort_.spend((here.attack.size() + here.defence.size()) / 8);
        Bits<W> allowed;
        for (const auto& set : here.defence)
            if (set.count() == 1) {
                if (allowed.any() && !(set == allowed)) return false;
                allowed = set;
            }
        Bits<W> cells;
        for (const auto& set : here.attack)
            if (set.count() == 2) {
                set.minus(cells).each([&](int cell) { answers_[cell] = {}; });
                set.each([&](int cell) { answers_[cell] |= set; });
                cells |= set;
            }
        if (allowed.any()) cells &= allowed;
        if (!cells.any()) return false;
        here.threats.clear();
        cells.each([&](int cell) {
            const Bits<W> answers = answers_[cell].minus(Bits<W>::one(cell));
            int score = answers.count() > 1 ? 64 * W : 0;
            for (const auto& set : here.attack) score += set.count() == 3 && set.test(cell);
            here.threats.push_back({cell, answers.first(), score});
        });
        std::stable_sort(here.threats.begin(), here.threats.end(),
                         [](const Threat& a, const Threat& b) { return a.score > b.score; });
        here.cell = here.threats[0].cell;
        if (answers_[here.cell].count() > 2) {
            cells_ = Bits<W>::one(here.cell);
            for (int count = 0; count < 2; ++count)
                cells_.set(answers_[here.cell].minus(cells_).first());
            zone_ = cells_;
            add_counters(here);
            return true;
        }
        if (plies < 5) return false;
        for (const Threat& threat : here.threats) {
            if (--steps_ < 0) return false;
            const std::uint64_t next = hash + key(threat.cell, 0) + key(threat.answer, 1);
            if (failed_[next % FAILED] == next) continue;
            pass(here.attack, levels_[level + 1].attack, threat.cell, threat.answer);
            pass(here.defence, levels_[level + 1].defence, threat.answer, threat.cell);
            if (wins(level + 1, plies - 2, next)) {
                here.cell = threat.cell;
                cells_.set(threat.cell);
                cells_.set(threat.answer);
                zone_ |= cells_;
                add_counters(here);
                return true;
            }
            failed_[next % FAILED] = next;
        }
        return false;
    }

    static void pass(const std::vector<Bits<W>>& from, std::vector<Bits<W>>& to, int own, int other) {
        to.clear();
        for (const auto& set : from) {
            if (set.test(other)) continue;
            to.push_back(set);
            to.back().reset(own);
        }
    }

    // The cells by which the defender would threaten before the attacker's move on this level.
    void add_counters(const Level& here) {
        for (const auto& set : here.defence)
            if (set.count() == 2 && !set.test(here.cell)) zone_ |= set;
    }

    static std::uint64_t key(int cell, int player) {
        std::uint64_t x = (2 * cell + player + 1) * 0xBF58476D1CE4E5B9;
        return (x ^ (x >> 29)) * 0x94D049BB133111EB;
    }

    Effort& effort_;
    int steps_ = 0;
    std::uint64_t question_ = 0;
    std::deque<Level> levels_;
    std::array<Bits<W>, 64 * W> answers_;  // by cell: the sets of two open cells through it
    std::vector<std::uint64_t> failed_;    // hashes after which there is no sequence
    Bits<W> cells_, zone_;
};

}  // namespace skolemate
