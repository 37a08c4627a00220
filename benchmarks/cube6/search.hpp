// The search: whether White reaches a safe position whatever Black does.
#pragma once

#include <tuple>
#include <unordered_map>

#include "sets.hpp"

constexpr int STONES = 12;  // of Black, when the position must be safe
constexpr int REPLIES = 7;  // of White, tried for each move of Black

struct Key {
    Stones white, black;
    int number;
    bool operator==(const Key&) const = default;
};

struct Hash {
    std::size_t operator()(const Key& key) const {
        return (key.white * 0x9E3779B97F4A7C15u) ^ (key.black * 0xC2B2AE3D27D4EB4Fu) ^ key.number * 0x165667B19E3779F9u;
    }
};

class Block {
public:
    // sets: U in (*), at most `stones` of Black
    Block(const Board& board, const std::vector<Numbers>& sets, int stones = STONES, int small = SMALL)
        : board_(board), safety_(board, small), stones_(stones), small_(small) {
        const Sets values(board);
        for (const Numbers& set : sets) {
            if (std::any_of(set.begin(), set.end(), [&](int l) { return board.diagonal[l]; })) continue;
            Stones on = 0;
            for (int line : set) on |= board.on[line];
            unions_.push_back({on, int(set.size()), values.extra(set)});
        }
        for (const Numbers& turn : board.turns) {
            std::array<std::array<Stones, 256>, 3> table{};
            for (int part = 0; part < 3; ++part)
                for (int byte = 0; byte < 256; ++byte)
                    for (int i = 0; i < 8; ++i)
                        if (byte >> i & 1 && part * 8 + i < int(turn.size()))
                            table[part][byte] |= Stones(1) << turn[part * 8 + i];
            tables_.push_back(table);
        }
    }

    // Whether White blocks, with Black to move, after |white| free rounds and so many forced ones.
    bool holds(Stones white = 0, Stones black = 0, int forced = 0) {
        const auto [key, turn] = alike(white, black, forced);
        if (const auto at = known_.find(key); at != known_.end()) return at->second;
        std::tie(white, black) = std::pair(key.white, key.black);
        const int stones = std::popcount(white) + forced;
        ++tests;
        bool result = on_diagonal(white, black) <= 2 && safety_(white, black, stones - std::popcount(black));
        safe += result;
        if (result) most = std::max(most, stones);
        if (!result && stones < stones_ && on_diagonal(white, black) <= 2) {
            result = true;
            std::set<std::pair<Stones, Stones>> tried;
            for (int move = -1; move < int(board_.watched.size()) && result; ++move) {
                const Stones stone = move < 0 ? 0 : Stones(1) << move;
                if ((white | black) & stone) continue;
                const Key after = alike(white, black | stone, forced).first;
                if (!tried.insert({after.white, after.black}).second) continue;
                result = answers(after.white, after.black, forced);
            }
        }
        return known_[key] = result;
    }

    // White's reply in a round that is not forced, or -1: Black's last stone is among the black ones.
    int reply(Stones white, Stones black, int forced) {
        const auto [key, turn] = alike(white, black, forced);
        if (!replies_.contains(key)) {
            int best = -1;
            std::set<std::pair<Stones, Stones>> tried;
            for (int number : order(key.white, key.black)) {
                const Stones after = key.white | Stones(1) << number;
                const Key next = alike(after, key.black, forced).first;
                if (!tried.insert({next.white, next.black}).second) continue;
                if (int(tried.size()) > REPLIES) break;
                if (holds(after, key.black, forced)) {
                    best = number;
                    break;
                }
            }
            replies_[key] = best;
        }
        const int number = replies_[key];
        if (number < 0) return -1;
        const Numbers& there = board_.turns[turn];
        return int(std::find(there.begin(), there.end(), number) - there.begin());
    }

    // Whether (*) allows so many forced rounds. In the first one, the lines of U = X are live.
    bool forcible(Stones white, Stones black, int forced, int counted) {
        if (forced > 1) white = 0;
        auto& least = least_[{white, black, forced}];
        if (least == 0) {
            least = 99;
            for (const Union& lines : unions_)
                if (lines.size >= forced && lines.size <= small_ * forced && !(lines.on & white))
                    least = std::min(least, lines.extra + forced - std::popcount(lines.on & black));
        }
        return counted >= least;
    }

    bool is_safe(Stones white, Stones black, int counted) { return safety_(white, black, counted); }
    std::size_t positions() const { return known_.size(); }
    long tests = 0, safe = 0;
    int most = 0;  // black stones in a position that is safe

private:
    struct Union {
        Stones on;
        int size, extra;
    };

    bool answers(Stones white, Stones black, int forced) {
        const int stones = std::popcount(white) + forced + 1, counted = stones - std::popcount(black);
        if (stones >= 10 && on_diagonal(white, black) > 2) return false;
        if (forcible(white, black, forced + 1, counted) && !holds(white, black, forced + 1)) return false;
        return reply(white, black, forced) >= 0;
    }

    // The most stones that Black has on a live diagonal.
    int on_diagonal(Stones white, Stones black) const {
        int most = 0;
        for (int line = 0; line < int(board_.lines.size()); ++line)
            if (board_.diagonal[line] && !(board_.on[line] & white))
                most = std::max(most, std::popcount(board_.on[line] & black));
        return most;
    }

    // First the cells on many live lines, and on planes that have black stones and no white one.
    Numbers order(Stones white, Stones black) const {
        std::vector<std::pair<int, int>> worth;
        for (int number = 0; number < int(board_.watched.size()); ++number) {
            if ((white | black) >> number & 1) continue;
            int value = 0;
            for (int line : board_.through[board_.watched[number]])
                if (!(board_.on[line] & white)) value += 100 + std::popcount(board_.on[line] & black);
            for (Stones plane : board_.planes)
                if (plane >> number & 1 && !(plane & white)) value += 30 + 70 * std::popcount(plane & black);
            worth.push_back({-value, number});
        }
        std::sort(worth.begin(), worth.end());
        Numbers numbers;
        for (const auto& [value, number] : worth) numbers.push_back(number);
        return numbers;
    }

    // The same for symmetric positions, and the symmetry.
    std::pair<Key, int> alike(Stones white, Stones black, int number) const {
        std::pair<Stones, Stones> best{~Stones(0), ~Stones(0)};
        int turn = -1;
        for (int i = 0; i < int(tables_.size()); ++i) {
            const auto& table = tables_[i];
            const auto turned = [&](Stones s) { return table[0][s & 255] | table[1][s >> 8 & 255] | table[2][s >> 16]; };
            const Stones now = turned(white);
            if (now > best.first) continue;
            const std::pair pair(now, turned(black));
            if (pair < best) std::tie(best, turn) = std::pair(pair, i);
        }
        return {{best.first, best.second, number}, turn};
    }

    const Board& board_;
    Safety safety_;
    int stones_, small_;
    std::vector<Union> unions_;
    std::vector<std::array<std::array<Stones, 256>, 3>> tables_;
    std::unordered_map<Key, bool, Hash> known_;
    std::unordered_map<Key, int, Hash> replies_, least_;
};
