// Sets of lines: the facts about small ones, and whether all large ones are served.
#pragma once

#include "board.hpp"

constexpr int SMALL = 3;  // lines in a small set

// Sets of lines that are connected where two lines cross, and their values e.
class Sets {
public:
    explicit Sets(const Board& board) : board_(board), next_(board.lines.size()) {
        for (const Numbers& lines : board.through)
            for (int line : lines)
                for (int other : lines)
                    if (other != line) next_[line].insert(other);
    }

    int extra(const Numbers& set) const {
        Cells cells;
        for (int line : set)
            for (int cell : board_.lines[line]) cells.set(cell);
        return int(cells.count()) - 2 * int(set.size());
    }

    std::set<Numbers> larger(const std::set<Numbers>& sets) const {
        std::set<Numbers> all;
        for (const Numbers& set : sets)
            for (int line : set)
                for (int other : next_[line])
                    if (std::find(set.begin(), set.end(), other) == set.end()) {
                        Numbers more = set;
                        more.insert(std::upper_bound(more.begin(), more.end(), other), other);
                        all.insert(more);
                    }
        return all;
    }

    std::set<Numbers> single() const {
        std::set<Numbers> all;
        for (int line = 0; line < int(next_.size()); ++line) all.insert({line});
        return all;
    }

private:
    const Board& board_;
    std::vector<std::set<int>> next_;
};

// The facts about e in the comment above; the sets of up to three lines.
std::vector<Numbers> small_sets(const Board& board) {
    const Sets sets(board);
    std::vector<Numbers> small;
    std::set<Numbers> now = sets.single();
    const std::array<int, 6> facts{4, 7, 9, 11, 12, 11};
    for (int size = 1; size <= 5; ++size) {
        int least = 999;
        std::set<Numbers> few;
        for (const Numbers& set : now) {
            const int extra = sets.extra(set);
            least = std::min(least, extra);
            if (size <= SMALL && size != 2) small.push_back(set);
            // a further line has 6 cells and crosses up to 4: e does not get smaller from 4 lines to 5
            if (size < 4 || extra <= facts[4]) few.insert(set);
        }
        std::printf("%d lines: e >= %d\n", size, least);
        // of 5 lines, those with e < 12 come from 4 lines with e < 12, so these are all here
        require(least >= facts[size - 1], "e is large");
        now = size < 5 ? sets.larger(few) : few;
    }
    for (int line = 0; line < int(board.lines.size()); ++line)  // pairs need not be connected
        for (int other = 0; other < line; ++other) small.push_back({other, line});
    // a sixth line has 6 cells and crosses up to 5: e gets smaller by at most 1
    require(facts[4] - 1 >= facts[5], "e is large for 6 lines");
    return small;
}

// Whether all connected sets of more than SMALL live lines are served, with `counted` cells to spare.
class Safety {
public:
    explicit Safety(const Board& board, int small = SMALL) : board_(board), small_(small) {}

    bool operator()(Stones white, Stones black, int counted) {
        counted_ = counted;
        open_.clear();
        std::vector<Numbers> through(board_.cells);
        for (int line = 0; line < int(board_.lines.size()); ++line) {
            if (board_.on[line] & white) continue;
            Numbers open;
            for (int cell : board_.lines[line]) {
                const int number = board_.number[cell];
                if (number >= 0 && black >> number & 1) continue;
                open.push_back(cell);
                through[cell].push_back(int(open_.size()));
            }
            open_.push_back(open);
        }
        const int live = int(open_.size());
        const auto cells = std::count_if(through.begin(), through.end(), [](auto& t) { return !t.empty(); });
        if (live > small_ && cells < 2 * live + counted) {
            // not safe, if the live lines are connected; to fail is sound in any case
            return false;
        }
        next_.assign(live, {});
        for (int line = 0; line < live; ++line) {
            for (int cell : open_[line])
                for (int other : through[cell])
                    if (other != line) next_[line].push_back(other);
            std::sort(next_[line].begin(), next_[line].end());
            next_[line].erase(std::unique(next_[line].begin(), next_[line].end()), next_[line].end());
        }
        owner_.assign(board_.cells, -1);
        seen_.assign(live, 0);
        round_ = 0;
        for (int line = 0; line < live; ++line)
            for (int i = 0; i < 2; ++i)
                if (!give_one({line})) return false;
        done_.assign(live, 0);
        const Numbers pairs = owner_;
        for (int line = 0; line < live; ++line) {
            if (!spare({line}, 0)) return false;
            done_[line] = 1;
            owner_ = pairs;
        }
        return true;
    }

private:
    // One cell more for one of these lines, while no other line loses any: by augmenting paths.
    bool give_one(const Numbers& lines) {
        ++round_;
        return std::any_of(lines.begin(), lines.end(), [&](int l) { return seen_[l] != round_ && give(l); });
    }

    bool give(int line) {
        seen_[line] = round_;
        for (int cell : open_[line])
            if (owner_[cell] < 0) {
                owner_[cell] = line;
                return true;
            }
        for (int cell : open_[line]) {
            const int other = owner_[cell];
            if (seen_[other] != round_ && give(other)) {
                owner_[cell] = line;
                return true;
            }
        }
        return false;
    }

    // Whether each connected set of more than small_ lines that has these lines, and no line that is
    // done, has `counted` cells to spare. If the lines get so many cells more, all larger sets do.
    bool spare(const Numbers& lines, int spared) {
        while (spared < counted_ && give_one(lines)) ++spared;
        if (spared == counted_) return true;
        if (int(lines.size()) > small_) return false;
        const Numbers before = owner_;
        Numbers done;
        bool all = true;
        for (int line : lines)
            for (int other : next_[line]) {
                if (!all || done_[other] || std::find(lines.begin(), lines.end(), other) != lines.end())
                    continue;
                Numbers more = lines;
                more.push_back(other);
                all = spare(more, spared);
                owner_ = before;
                done_[other] = 1;
                done.push_back(other);
            }
        for (int line : done) done_[line] = 0;
        return all;
    }

    const Board& board_;
    int small_, counted_ = 0, round_ = 0;
    std::vector<Numbers> open_, next_;  // of the live lines
    Numbers owner_, seen_;
    std::vector<char> done_;
};
