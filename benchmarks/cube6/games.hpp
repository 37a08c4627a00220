// Games in which White follows the strategy that the search has found.
#pragma once

#include <cmath>
#include <map>
#include <random>

#include "search.hpp"

// White's strategy in real games. It needs the sets of (*) to find forced rounds.
class Play {
public:
    Play(const Board& board, Block& block, const std::vector<Numbers>& sets, std::mt19937& random)
        : board_(board), block_(block), sets_(sets), random_(random), color_(board.cells, 0) {}

    // A game against an attacker: an error if Black wins, or if White has no reply.
    void run() {
        const double greed = std::uniform_real_distribution(0.3, 1.0)(random_);
        const double watched = std::uniform_real_distribution(0.0, 0.6)(random_);
        for (int open = board_.cells; open > 0; open -= 2) {
            if (!paired_ && block_.is_safe(white_, black_, free_ + forced - std::popcount(black_))) pair();
            rounds += !paired_;
            const int move = attack(greed, watched);
            color_[move] = 1;
            for (const Numbers& line : board_.lines)
                require(!std::all_of(line.begin(), line.end(), [&](int c) { return color_[c] == 1; }),
                        "Black has no line");
            if (open == 1) return;
            int cell = paired_ ? partner_[move] : answer(move);
            require(cell < 0 || color_[cell] <= 0, "White's reply is not on a black stone");
            if (cell < 0 || color_[cell] != 0) cell = any();
            color_[cell] = -1;
        }
    }

    int rounds = 0, forced = 0;  // until the position is safe

private:
    bool live(int line) const {
        return std::none_of(board_.lines[line].begin(), board_.lines[line].end(), [&](int c) { return color_[c] < 0; });
    }

    int stones(int line) const {
        return int(std::count_if(board_.lines[line].begin(), board_.lines[line].end(), [&](int c) { return color_[c] > 0; }));
    }

    int any() {
        Numbers open;
        for (int cell = 0; cell < board_.cells; ++cell)
            if (color_[cell] == 0) open.push_back(cell);
        return open[random_() % open.size()];
    }

    int attack(double greed, double watched) {
        const auto chance = [&] { return std::uniform_real_distribution(0.0, 1.0)(random_); };
        if (chance() > greed) return any();
        if (chance() < watched) {
            const int cell = board_.watched[random_() % board_.watched.size()];
            if (color_[cell] == 0) return cell;
        }
        std::vector<double> worth(board_.cells);
        for (int line = 0; line < int(board_.lines.size()); ++line)
            if (live(line))
                for (int cell : board_.lines[line]) worth[cell] += std::pow(3.0, stones(line));
        int best = any();
        for (int cell = 0; cell < board_.cells; ++cell)
            if (color_[cell] == 0 && worth[cell] * (0.8 + 0.4 * chance()) > worth[best]) best = cell;
        return best;
    }

    int answer(int move) {
        if (board_.number[move] >= 0) black_ |= Stones(1) << board_.number[move];
        const int counted = free_ + forced + 1 - std::popcount(black_);
        // the smallest set that is not served
        const Numbers* least = nullptr;
        std::vector<const Numbers*> broken;
        for (const Numbers& set : sets_) {
            if (!std::all_of(set.begin(), set.end(), [&](int l) { return live(l); })) continue;
            Cells open;
            for (int line : set)
                for (int cell : board_.lines[line])
                    if (color_[cell] == 0) open.set(cell);
            if (open.count() < 2 * set.size()) broken.push_back(&set);
        }
        for (const Numbers* set : broken)
            if (!least || set->size() < least->size()) least = set;
        for (const Numbers* set : broken)
            require(std::includes(set->begin(), set->end(), least->begin(), least->end()),
                    "each small set that is not served has the smallest one");
        if (least) {
            ++forced;
            require(block_.forcible(white_, black_, forced, counted), "(*) allows this forced round");
            int best = -1, most = 0;
            for (int line : *least)
                for (int cell : board_.lines[line])
                    if (color_[cell] == 0) {
                        const auto& lines = board_.through[cell];
                        const int kills = int(std::count_if(lines.begin(), lines.end(), [&](int l) {
                            return std::find(least->begin(), least->end(), l) != least->end();
                        }));
                        if (kills > most) std::tie(best, most) = std::pair(cell, kills);
                    }
            return best;
        }
        ++free_;
        const int number = block_.reply(white_, black_, forced);
        require(number >= 0, "White has a reply");
        white_ |= Stones(1) << number;
        return board_.watched[number];
    }

    // Two cells for each live line, by augmenting paths.
    void pair() {
        paired_ = true;
        partner_.assign(board_.cells, -1);
        Numbers owner(board_.cells, -1);
        for (int line = 0; line < int(board_.lines.size()); ++line)
            for (int i = 0; i < 2 && live(line); ++i) {
                Cells seen;
                require(give(line, owner, seen), "each live line has two cells of its own");
            }
        std::map<int, int> first;
        for (int cell = 0; cell < board_.cells; ++cell)
            if (owner[cell] >= 0) {
                if (const auto at = first.find(owner[cell]); at != first.end()) {
                    partner_[cell] = at->second;
                    partner_[at->second] = cell;
                } else {
                    first[owner[cell]] = cell;
                }
            }
    }

    bool give(int line, Numbers& owner, Cells& seen) {
        for (int cell : board_.lines[line]) {
            if (color_[cell] != 0 || seen[cell] || owner[cell] == line) continue;
            seen.set(cell);
            if (owner[cell] < 0 || give(owner[cell], owner, seen)) {
                owner[cell] = line;
                return true;
            }
        }
        return false;
    }

    const Board& board_;
    Block& block_;
    const std::vector<Numbers>& sets_;
    std::mt19937& random_;
    Numbers color_, partner_;
    Stones white_ = 0, black_ = 0;
    int free_ = 0;
    bool paired_ = false;
};
