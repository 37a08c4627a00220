// Bounds on the moves that are left where moves only fill the board (Domineering).
//
// Moves are sets of open cells, and a player without one loses. P is a player, O the opponent, s the
// cells of O's smallest move.
// - O's moves fall into parts without common cells. `most`, the sum of the cells of the parts, each
//   divided by s, bounds the moves that O can ever make.
// - A part of P's moves that O cannot touch is worth a number of spare moves, wherever it is, if as
//   many disjoint moves are found in it as its cells can hold.
// - P can be sure of a share of any family of disjoint moves of his, here called units. O cannot
//   touch safe units: P makes them last. The other units are of four kinds. A move of O spoils at
//   most k shared units, or one lone unit, one option, one duo. P answers by making a unit of the
//   same kind, the most valuable first, or any unit if none of the kind is left. So of q units of a
//   kind that are worth at least t, P makes q / (k + 1) if they are shared, and q / 2 otherwise.
//   What remains of a kind is a rest, which one move of O spoils. While O spoils the best rest, P
//   makes the second best.
// - A unit that P makes takes cells from O: those that it fills, and those in which all moves of O
//   need one of them (each is counted for one unit only, and none that lies in a unit). A unit is
//   worth s and the cells that it takes. If P is stuck when O has made m moves, then P has made m - 1
//   (O began) or m, among them units that are worth at least T, by the shares above. O's moves and
//   the taken cells lie apart among the cells that O could use. If these are B, then
//   m s + T - (m - 1) s <= B, or T <= B if P began. Otherwise P is never stuck first.
//   Cells of a part that are too few for another move count in B only as far as units can take cells
//   of this part.
// - An option is another way to make a safe unit, which also takes cells from O. It is worth these
//   cells only, and no move of O meets it and another unit.
// - A duo is a move with another move that it guards: all moves of O that meet the guarded one meet
//   the guard, too. P makes the guard, and the guarded move is safe. O spoils both by one move; unless
//   it meets the guard and a unit beside the duo. Then k is 2, the guarded move is left as a lone unit,
//   and P answers by another duo. One shared unit less, and one lone unit more: their shares and
//   second best rest do not get less if both are worth the same, as is checked case by case (the
//   number of shared units modulo 3, of lone units modulo 2). So units beside duos count for no more
//   than the least that any shared, lone or guarded unit is worth. Where k is larger, or O's move meets
//   the guarded move and other units, the duo counts as a single shared unit. An odd duo does so as
//   well, or as a lone unit, when O is to move.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <vector>

#include "bits.hpp"

namespace skolemate {

// A move that can still be made, by its number.
template <int W>
struct Fit {
    Bits<W> cells;
    std::uint16_t number, size;
};

// The moves that are left to both players.
template <int W>
struct Choices {
    std::vector<Fit<W>> fits[2];
    std::vector<Bits<W>> parts[2];  // of the cells of a player's moves; no move lies in two

    // What is left of `before` after a move. Parts without cells of it stay as they are.
    void after(const Choices& before, const Bits<W>& filled) {
        for (int player = 0; player < 2; ++player) {
            parts[player].clear();
            Bits<W> changed;
            for (const auto& part : before.parts[player])
                if (part.meets(filled))
                    changed |= part;
                else
                    parts[player].push_back(part);
            const std::size_t kept = parts[player].size();
            fits[player].resize(before.fits[player].size());
            auto end = fits[player].begin();
            for (const auto& fit : before.fits[player]) {
                const bool stays = !fit.cells.meets(filled);
                *end = fit;
                end += stays;
                if (stays && fit.cells.meets(changed)) join(fit.cells, parts[player], kept);
            }
            fits[player].erase(end, fits[player].end());
        }
    }

    // The part of a new move is joined with the parts from `first` on that it meets.
    static void join(Bits<W> part, std::vector<Bits<W>>& parts, std::size_t first) {
        for (std::size_t i = parts.size(); i-- > first;)
            if (parts[i].meets(part)) {
                part |= parts[i];
                parts[i] = parts.back();
                parts.pop_back();
            }
        parts.push_back(part);
    }
};

template <int W>
class Reserves {
public:
    using Fits = std::vector<Fit<W>>;

    struct Side {
        Bits<W> reach;           // cells that the player can still fill
        Bits<W> own;             // the parts of spare moves
        int most = 0;            // a bound on the moves that the player can ever make
        int safe = 0;            // disjoint moves that the opponent cannot prevent
        int spare = 0;           // moves in parts that the opponent cannot touch
        int spare_besides = 0;   // those of them that are not among the moves looked at
        int smallest = INT_MAX;  // cells of the player's smallest move
    };

    Side sides[2];

    // A first look at both players' moves. Black has `more` spare moves than White besides.
    void survey(const Choices<W>& left, int more = 0) {
        const auto& fits = left.fits;
        for (int player = 0; player < 2; ++player) {
            Side& side = sides[player];
            side = {};
            side.most = side.safe = side.spare = side.spare_besides = std::max(0, player == 0 ? more : -more);
            for (const auto& fit : fits[player]) {
                side.reach |= fit.cells;
                side.smallest = std::min<int>(side.smallest, fit.size);
            }
        }
        for (int player = 0; player < 2; ++player) {
            find_spare(left, player);
            Bits<W> used = sides[1 - player].reach;
            for (const auto& fit : fits[player])
                if (!fit.cells.meets(used)) {
                    used |= fit.cells;
                    ++sides[player].safe;
                }
        }
    }

    // What a player lacks to be sure that he is never stuck first; he is if this is negative. The
    // position was surveyed.
    int missing(const Choices<W>& left, int player, bool to_move) {
        const Side& side = sides[player];
        const Side& other = sides[1 - player];
        if (other.most == 0) return !to_move || side.most > 0 ? -1 : 0;
        if (side.safe >= other.most + to_move) return -1;
        const int step = left.fits[1 - player].empty() ? 1 : other.smallest;
        find_units(left, player, to_move);
        const int room = room_ + (other.spare_besides - side.safe) * step;
        if (!to_move) return room - step - share(-1);
        int least = side.safe > 0 ? room - share(-1) : room;
        for (int kind = 0; kind < KINDS; ++kind)
            if (worth_[kind].any()) least = std::min(least, room - worth_[kind].highest - share(kind));
        return least;
    }

    // A heuristic value of the surveyed position for a player.
    int value(int player) const {
        const Side &own = sides[player], &other = sides[1 - player];
        return own.most + own.safe - other.most - other.safe;
    }

private:
    enum Kind { LONE, SHARED, OPTION, DUO, KINDS };
    static constexpr int HIGHEST = 31;             // worth more counts as this
    static constexpr std::size_t MOST_FITS = 4096;  // duos are not looked for among more

    struct Unit {
        Bits<W> cells, guarded;
        int worth;
        Kind kind;
        bool beside;  // a duo, or beside one
    };

    // How many units are worth how much.
    struct Worth {
        std::array<std::uint16_t, HIGHEST + 1> count{};
        int highest = 0, lowest = HIGHEST;

        bool any() const { return highest > 0; }

        void add(int worth) {
            worth = std::min(worth, HIGHEST);
            ++count[worth];
            highest = std::max(highest, worth);
            lowest = std::min(lowest, worth);
        }

        // What one in `group` units is worth together, and the rest. The best unit may be gone.
        int share(int group, bool best_gone, int& rest) const {
            int units = best_gone ? -1 : 0, total = 0;
            for (int worth = highest; worth >= lowest; --worth) {
                units += count[worth];
                total += units / group * (worth == lowest ? worth : 1);
            }
            rest = units % group ? lowest : 0;
            return total;
        }
    };

    // What the player makes of the units if the opponent begins; the best of a kind may be gone.
    int share(int gone) const {
        int total = 0, rest[KINDS];
        for (int kind = 0; kind < KINDS; ++kind)
            total += worth_[kind].share(kind == SHARED ? spoiled_ + 1 : 2, gone == kind, rest[kind]);
        rest[OPTION] = std::min(rest[OPTION], base_);
        const auto [least, greatest] = std::minmax({rest[LONE], rest[SHARED], rest[OPTION]});
        return total + rest[LONE] + rest[SHARED] + rest[OPTION] - least - greatest;
    }

    void find_spare(const Choices<W>& left, int player) {
        Side& side = sides[player];
        const Bits<W>& danger = sides[1 - player].reach;
        for (const auto& part : left.parts[player]) {
            const int room = part.count() / side.smallest;
            side.most += room;
            if (part.meets(danger)) continue;
            Bits<W> used;
            int made = 0;
            for (const auto& fit : left.fits[player])
                if (fit.cells.within(part) && !fit.cells.meets(used)) {
                    used |= fit.cells;
                    ++made;
                }
            if (made == room) {
                side.spare += room;
                side.own |= part;
            }
        }
    }

    void find_units(const Choices<W>& left, int player, bool to_move) {
        const Fits &own = left.fits[player], &enemy = left.fits[1 - player];
        const Bits<W>& danger = sides[1 - player].reach;
        const int step = enemy.empty() ? 1 : sides[1 - player].smallest;
        units_.clear();
        used_ = open_ = {};
        safe_.clear();
        for (const auto& fit : own)
            if (!fit.cells.meets(used_) && !fit.cells.meets(danger)) {
                const auto number = static_cast<std::uint16_t>(safe_.size());
                fit.cells.each([&](int cell) { owner_[cell] = number; });
                used_ |= fit.cells;
                safe_.push_back(fit.cells);
            }
        const Bits<W> safe = used_;
        find_common(enemy);
        if (own.size() <= MOST_FITS) find_duos(own, enemy, danger, 2 * step);
        for (const auto& fit : own)
            if (!fit.cells.meets(used_)) choose(fit.cells, {}, step + (fit.cells & danger).count(), LONE);
        spoiled_ = 1;
        for (const auto& fit : enemy)
            if (const Bits<W> met = fit.cells & open_; met.any()) spoil(met);
        if (safe.any()) find_options(own, enemy, danger, safe);
        Bits<W> taken = open_;
        danger.minus(open_).each([&](int cell) {
            const Bits<W> needed = common_[cell] & open_;
            if (!needed.any()) return;
            ++units_[owner_[needed.first()]].worth;
            taken.set(cell);
        });
        weigh(danger, step, to_move);
        room_ = 0;
        for (const auto& part : left.parts[1 - player]) {
            const int size = part.count(), over = size % step;
            room_ += size - over + (over ? std::min(over, (part & taken).count()) : 0);
        }
    }

    // The cells that all moves through a cell have in common.
    void find_common(const Fits& fits) {
        Bits<W> seen;
        for (const auto& fit : fits) {
            fit.cells.each([&](int cell) {
                common_[cell] = seen.test(cell) ? common_[cell] & fit.cells : fit.cells;
            });
            seen |= fit.cells;
        }
    }

    void choose(const Bits<W>& cells, const Bits<W>& guarded, int worth, Kind kind) {
        const auto number = static_cast<std::uint16_t>(units_.size());
        cells.each([&](int cell) { owner_[cell] = number; });
        used_ |= cells;
        open_ |= cells;
        units_.push_back({cells, guarded, worth, kind, false});
    }

    // Duos that no move of the opponent joins.
    void find_duos(const Fits& own, const Fits& enemy, const Bits<W>& danger, int worth) {
        Bits<W> taken = used_;
        for (const auto& fit : own) {
            if (fit.cells.meets(taken)) continue;
            const Fit<W>* guard = find_guard(own, fit.cells, danger, taken);
            if (!guard) continue;
            const Bits<W> both = fit.cells | guard->cells;
            choose(both, fit.cells, worth + (both & danger).count(), DUO);
            taken |= both;
            for (const auto& other : enemy)
                if (other.cells.meets(both)) taken |= other.cells;
        }
    }

    // A move that meets all moves of the opponent that meet `cells`, or null.
    const Fit<W>* find_guard(const Fits& own, const Bits<W>& cells, const Bits<W>& danger,
                             const Bits<W>& taken) const {
        const Bits<W> exposed = cells & danger;
        bool possible = true;
        Bits<W> needed;
        exposed.each([&](int cell) {
            needed = common_[cell].minus(cells);
            possible = possible && !needed.within(taken);
        });
        if (!possible) return nullptr;
        for (const auto& fit : own) {
            if (!fit.cells.meets(needed) || fit.cells.meets(taken) || fit.cells.meets(cells)) continue;
            bool guards = true;
            exposed.each([&](int cell) { guards = guards && fit.cells.meets(common_[cell]); });
            if (guards) return &fit;
        }
        return nullptr;
    }

    // Options of the safe units, one each.
    void find_options(const Fits& own, const Fits& enemy, const Bits<W>& danger, Bits<W> safe) {
        for (const auto& fit : own) {
            if (!fit.cells.meets(safe) || !fit.cells.meets(danger) || fit.cells.meets(open_)) continue;
            const Bits<W>& made = safe_[owner_[(fit.cells & safe).first()]];
            const Bits<W> beyond = fit.cells.minus(made);
            if (beyond.meets(used_)) continue;
            Bits<W> near;
            for (const auto& other : enemy)
                if (other.cells.meets(beyond)) near |= other.cells;
            if (near.meets(open_)) continue;
            safe = safe.minus(made);
            choose(beyond, {}, (beyond & danger).count(), OPTION);
        }
    }

    // A move of the opponent spoils all units that it meets.
    void spoil(const Bits<W>& met) {
        Unit& first = units_[owner_[met.first()]];
        Bits<W> others = met.minus(first.cells);
        if (!others.any()) return;
        Unit& second = units_[owner_[others.first()]];
        others = others.minus(second.cells);
        if (!others.any() && (first.kind == DUO) != (second.kind == DUO)) {
            Unit& duo = first.kind == DUO ? first : second;
            if (!met.meets(duo.guarded)) {
                (first.kind == DUO ? second : first).kind = SHARED;
                first.beside = second.beside = true;
                spoiled_ = std::max(spoiled_, 2);
                return;
            }
        }
        first.kind = second.kind = SHARED;
        int spoiled = 2;
        for (; others.any(); ++spoiled) {
            Unit& other = units_[owner_[others.first()]];
            other.kind = SHARED;
            others = others.minus(other.cells);
        }
        spoiled_ = std::max(spoiled_, spoiled);
    }

    void weigh(const Bits<W>& danger, int step, bool to_move) {
        int duos = 0;
        for (auto& unit : units_) {
            if (unit.kind == DUO && unit.beside && spoiled_ > 2) unit.kind = SHARED;
            duos += unit.kind == DUO;
        }
        base_ = HIGHEST;
        bool beside = false;
        for (auto& unit : units_) {
            if (unit.kind != DUO) continue;
            if (duos % 2 == 1 && !to_move) {
                unit.kind = unit.beside ? SHARED : LONE;
                --duos;
            } else if (unit.beside) {
                beside = true;
                base_ = std::min(base_, step + (unit.guarded & danger).count());
            }
        }
        if (beside)
            for (const auto& unit : units_)
                if (unit.kind == LONE || unit.kind == SHARED) base_ = std::min(base_, unit.worth);
        for (auto& worth : worth_) worth = {};
        for (const auto& unit : units_) {
            const bool limited = beside && unit.beside && unit.kind == SHARED;
            worth_[unit.kind].add(limited ? base_ : unit.worth);
        }
    }

    // The units of the player in question.
    std::vector<Bits<W>> safe_;
    std::vector<Unit> units_;                   // those that are not safe
    Bits<W> used_, open_;                       // cells of all units, and of those that are not safe
    std::array<std::uint16_t, 64 * W> owner_{};  // the unit of a cell, safe or not
    std::array<Bits<W>, 64 * W> common_;
    Worth worth_[KINDS];
    int spoiled_ = 1;  // shared units that a move of the opponent spoils at most
    int base_ = 0;     // what units beside duos are worth at most
    int room_ = 0;     // the cells that the opponent can use
};

}  // namespace skolemate
