// The cube: its lines, the cells on many of them, which are watched, and its symmetries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

using Stones = std::uint32_t;  // a set of watched cells, by their numbers
using Cells = std::bitset<512>;
using Numbers = std::vector<int>;

constexpr int WATCHED = 7;  // a cell on so many lines is watched

void require(bool fact, const char* text) {
    if (!fact) {
        std::printf("wrong: %s\n", text);
        std::exit(1);
    }
}

struct Board {
    int cells = 0;
    std::vector<Numbers> lines, through;  // through: the lines of a cell
    Numbers watched, number;              // number: of a watched cell, else -1
    std::vector<Stones> on;               // the watched cells of a line
    std::vector<char> diagonal;           // whether a line lies on watched cells
    std::vector<Stones> planes;           // only for the order of White's replies
    std::vector<Numbers> turns;           // the symmetries, on the watched cells

    void watch(int least) {
        through.assign(cells, {});
        for (int line = 0; line < int(lines.size()); ++line)
            for (int cell : lines[line]) through[cell].push_back(line);
        number.assign(cells, -1);
        for (int cell = 0; cell < cells; ++cell)
            if (int(through[cell].size()) >= least) {
                number[cell] = int(watched.size());
                watched.push_back(cell);
            }
        require(watched.size() <= 24, "at most 24 cells are watched");
        for (const Numbers& line : lines) {
            on.push_back(0);
            for (int cell : line)
                if (number[cell] >= 0) on.back() |= Stones(1) << number[cell];
        }
        diagonal.assign(lines.size(), 0);
    }
};

Board cube(int side) {
    Board board;
    board.cells = side * side * side;
    const auto cell = [&](const std::array<int, 3>& at) { return at[0] + side * (at[1] + side * at[2]); };
    std::set<Numbers> lines;
    for (int code = 0; code < board.cells * 27; ++code) {
        std::array<int, 3> at{code % side, code / side % side, code / side / side % side}, step{};
        int rest = code / board.cells;
        bool starts = rest != 13;  // 13 is no step at all
        for (int i = 0; i < 3; ++i, rest /= 3) {
            step[i] = rest % 3 - 1;
            starts = starts && (step[i] == 0 || at[i] == (step[i] > 0 ? 0 : side - 1));
        }
        if (!starts) continue;
        Numbers line;
        for (int i = 0; i < side; ++i) {
            line.push_back(cell(at));
            for (int j = 0; j < 3; ++j) at[j] += step[j];
        }
        std::sort(line.begin(), line.end());
        lines.insert(line);
    }
    board.lines.assign(lines.begin(), lines.end());
    board.watch(WATCHED);
    for (int line = 0; line < int(board.lines.size()); ++line)
        board.diagonal[line] = std::popcount(board.on[line]) == side;
    for (int axis = 0; axis < 3; ++axis)
        for (int at = 0; at < side; ++at) {
            Stones plane = 0;
            for (int i = 0; i < int(board.watched.size()); ++i) {
                const int c = board.watched[i];
                if (std::array<int, 3>{c % side, c / side % side, c / side / side}[axis] == at)
                    plane |= Stones(1) << i;
            }
            board.planes.push_back(plane);
        }
    // the symmetries of the cube, and permutations of the numbers 0 to side - 1 for all coordinates
    Numbers inner(side), axes{0, 1, 2};
    std::iota(inner.begin(), inner.end(), 0);
    std::set<Numbers> turns;
    do {
        bool opposite = true;
        for (int i = 0; i < side; ++i) opposite = opposite && inner[side - 1 - i] == side - 1 - inner[i];
        if (!opposite) continue;
        do
            for (int turned = 0; turned < 8; ++turned) {
                Numbers turn(board.cells), short_turn;
                for (int c = 0; c < board.cells; ++c) {
                    const std::array<int, 3> at{c % side, c / side % side, c / side / side};
                    std::array<int, 3> to{};
                    for (int i = 0; i < 3; ++i) {
                        to[i] = inner[at[axes[i]]];
                        if (turned >> i & 1) to[i] = side - 1 - to[i];
                    }
                    turn[c] = cell(to);
                }
                for (Numbers line : board.lines) {
                    for (int& c : line) c = turn[c];
                    std::sort(line.begin(), line.end());
                    require(lines.contains(line), "a symmetry maps lines to lines");
                }
                for (int c : board.watched) short_turn.push_back(board.number[turn[c]]);
                turns.insert(short_turn);
            }
        while (std::next_permutation(axes.begin(), axes.end()));
    } while (std::next_permutation(inner.begin(), inner.end()));
    board.turns.assign(turns.begin(), turns.end());
    return board;
}
