// Goals of placement games: listed sets, or a path between two borders that is never listed.
//
// The outlook of a player in a position: how many stones the goal still needs, which cells can matter
// in the plies left, and what is threatened.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "numbers.hpp"

namespace skolemate {

template <int W>
struct Graph {
    std::vector<Bits<W>> near;
    Bits<W> start, end;

    Bits<W> around(const Bits<W>& cells) const {
        Bits<W> beside;
        cells.each([&](int cell) { beside |= near[cell]; });
        return beside;
    }

    // `from` and all stones that can be reached from it over stones.
    Bits<W> flood(Bits<W> from, const Bits<W>& stones) const {
        for (Bits<W> fresh = from; fresh.any();) {
            fresh = (around(fresh) & stones).minus(from);
            from |= fresh;
        }
        return from;
    }

    bool joined(const Bits<W>& stones) const { return flood(start & stones, stones).meets(end); }
};

template <int W>
struct Goal {
    bool any = false;                  // whether the player has a goal
    std::vector<Bits<W>> sets;         // either winning sets
    std::optional<Graph<W>> graph;     // or a path in a graph

    bool met(const Bits<W>& stones) const {
        if (graph) return graph->joined(stones);
        return std::any_of(sets.begin(), sets.end(),
                           [&](const Bits<W>& set) { return set.within(stones); });
    }
};

constexpr int FAR = 1 << 20;

template <int W>
struct Outlook {
    int nearest = FAR;        // stones needed; FAR if the plies left are not enough
    bool for_ever = false;    // no number of plies would be enough
    Bits<W> way;              // the open cells of a nearest completion
    Bits<W> relevant;         // open cells that may help in the plies left
    bool threatened = false;  // the player can complete the goal with the stones of the next turn
    Bits<W> parry;            // if so: the cells that stop all threats
    Bits<W> threats;          // the cells of some threats that only `parry` stops
};

// The outlook on winning sets. `live`: the open cells of those without a stone of the opponent;
// `dropped`: others take too long; `turn`: the number of stones of the player's next turn.
template <int W>
Outlook<W> outlook(const std::vector<Bits<W>>& live, bool dropped, int turn) {
    Outlook<W> seen;
    seen.for_ever = !dropped;
    for (const auto& set : live) {
        const int size = set.count();
        seen.relevant |= set;
        if (size < seen.nearest) {
            seen.nearest = size;
            seen.way = set;
        }
        if (size <= turn && (!seen.threatened || !seen.parry.within(set))) {
            seen.parry = seen.threatened ? seen.parry & set : set;
            seen.threats |= set;
            seen.threatened = true;
        }
    }
    if (!live.empty()) seen.for_ever = false;
    return seen;
}

// How much there is to show for either player, by how far Black is ahead: a set with three open cells
// is worth 1, and four times as much with each cell less. White's turn has all her replies below it.
template <int W>
Estimate estimate(const std::vector<Bits<W>>& black, const std::vector<Bits<W>>& white, bool black_to_move) {
    double ahead = 0;
    for (const auto& set : black) ahead += std::ldexp(64.0, -2 * set.count());
    for (const auto& set : white) ahead -= std::ldexp(64.0, -2 * set.count());
    const auto much = [](double lead, int replies) {
        return 1 + static_cast<std::uint32_t>(30 * replies * std::exp(std::min(9.0, -lead / 6)));
    };
    if (black_to_move) return {much(ahead, 1), much(-ahead, 1)};
    return {much(-ahead, 1), much(ahead, 64)};
}

// Leave out candidates x of which every set also goes through another candidate y; lists (x, y).
template <int W>
void dominate(const std::vector<Bits<W>>& sets, Bits<W>& candidates,
              std::vector<std::pair<int, int>>& dominated) {
    if (sets.size() > 64) return;
    std::uint64_t through[64 * W];
    std::vector<int> cells;
    candidates.each([&](int cell) { cells.push_back(cell); });
    for (int cell : cells) through[cell] = 0;
    for (std::size_t i = 0; i < sets.size(); ++i)
        (sets[i] & candidates).each([&](int cell) { through[cell] |= std::uint64_t{1} << i; });
    for (int x : cells)
        for (int y : cells) {
            if (x == y || !candidates.test(y) || (through[x] & ~through[y])) continue;
            candidates.reset(x);
            dominated.emplace_back(x, y);
            break;
        }
}

// The outlook on a path. Layer k of a border holds the open cells that k stones, the one on the cell
// included, join to it. A cell helps only if it lies on a path of at most `most` stones.
template <int W>
Outlook<W> outlook(const Graph<W>& graph, const Bits<W>& own, const Bits<W>& open, int most,
                   int turn, std::vector<Bits<W>> (&layers)[2]) {
    Outlook<W> seen;
    bool ended = false;
    for (int side = 0; side < 2; ++side) {
        auto& layer = layers[side];
        layer.clear();
        const Bits<W>& border = side == 0 ? graph.start : graph.end;
        Bits<W> reached = graph.flood(border & own, own);
        Bits<W> fresh = (border | graph.around(reached)) & open;
        layer.push_back(reached);
        Bits<W> known = reached;
        for (int k = 1; k <= most && fresh.any(); ++k) {
            known |= fresh;
            layer.push_back(fresh);
            Bits<W> next = graph.around(fresh);
            const Bits<W> stones = (next & own).minus(known);
            if (stones.any()) {
                const Bits<W> group = graph.flood(stones, own);
                known |= group;
                next |= graph.around(group);
            }
            fresh = (next & open).minus(known);
        }
        if (!fresh.any() && static_cast<int>(layer.size()) <= most) ended = true;
    }
    const int reach[2] = {static_cast<int>(layers[0].size()), static_cast<int>(layers[1].size())};
    for (int i = 1; i < reach[0]; ++i)
        for (int j = 1; j < reach[1] && i + j - 1 <= most; ++j) {
            const Bits<W> both = layers[0][i] & layers[1][j];
            if (!both.any()) continue;
            seen.relevant |= both;
            seen.nearest = std::min(seen.nearest, i + j - 1);
        }
    // If no cells are left and the borders did not meet, they never will.
    seen.for_ever = seen.nearest == FAR && ended;
    if (seen.nearest <= turn && turn == 1) {
        seen.threatened = true;
        const Bits<W> cells = layers[0][1] & layers[1][1];
        seen.threats = Bits<W>::one(cells.first());
        seen.parry = seen.threats;
        if (const Bits<W> others = cells.minus(seen.threats); others.any()) {
            seen.threats.set(others.first());
            seen.parry = {};
        }
    }
    return seen;
}

// The open cells of one shortest path, for a player who can complete it: from the meeting layer
// step by step back to both borders.
template <int W>
Bits<W> shortest_way(const Graph<W>& graph, const Bits<W>& own,
                     const std::vector<Bits<W>> (&layers)[2], int nearest) {
    Bits<W> way;
    const int reach[2] = {static_cast<int>(layers[0].size()), static_cast<int>(layers[1].size())};
    for (int i = 1; i < reach[0]; ++i) {
        const int j = nearest + 1 - i;
        if (j < 1 || j >= reach[1]) continue;
        const Bits<W> both = layers[0][i] & layers[1][j];
        if (!both.any()) continue;
        const int middle = both.first();
        way.set(middle);
        for (int side = 0; side < 2; ++side) {
            int cell = middle;
            for (int k = (side == 0 ? i : j) - 1; k >= 1; --k) {
                const Bits<W> here = Bits<W>::one(cell);
                const Bits<W> group = graph.flood(graph.near[cell] & own, own);
                const Bits<W> back = (graph.around(here | group)) & layers[side][k];
                cell = back.first();
                way.set(cell);
            }
        }
        return way;
    }
    return way;
}

}  // namespace skolemate
