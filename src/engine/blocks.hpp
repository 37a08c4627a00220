// Blocks: the cells by which White keeps Black from ever completing a set.
//
// The carrier of a block is a set C of cells such that Black never completes a set even if he owned
// every cell outside C, White's stones there included. So after a move of Black's was refuted by a
// block with the carrier C, all his moves outside C are refuted, too: must-play for Black.
// Why the carriers are right, from the leaves of the search to its root:
// - Where White has a stone in each set, C is such a choice of stones. A set that contains a pair of
//   a pairing (pairing.hpp) needs no stone, but the cells of the pair.
// - White's move w leads to a block with the carrier D: C is D and w.
// - Every move of Black's that was tried leads to a block: C is the union of their carriers. A move
//   outside one of them is refuted by that one. Moves left out as dead stay dead if C has a stone of
//   White's in each set through them. A move that was left out because another dominates it also needs
//   that other cell, open; then the sets through the one still go through the other.
// Whatever counts plies, or uses White's own goal, is no block: its carrier is the whole board.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "bits.hpp"

namespace skolemate {

template <int W>
class Blocks {
public:
    // Add stones of White's to a carrier: one in each set that has any, goes through `cells`, and
    // contains none of the pairs. If there is a choice, those in most sets come first.
    void add_stones(Bits<W>& carrier, const std::vector<Bits<W>>& sets, const Bits<W>& white,
                    const Bits<W>& cells, const std::vector<Bits<W>>& pairs) {
        blocked_.clear();
        for (const auto& set : sets)
            if (set.meets(cells) && set.meets(white) && !set.meets(carrier & white) &&
                std::none_of(pairs.begin(), pairs.end(), [&](auto& pair) { return pair.within(set); }))
                blocked_.push_back(set & white);
        while (!blocked_.empty()) {
            const int stone = next();
            carrier.set(stone);
            std::erase_if(blocked_, [&](const Bits<W>& stones) { return stones.test(stone); });
        }
    }

private:
    int next() {
        std::array<int, 64 * W> count{};
        for (const auto& stones : blocked_) {
            if (stones.count() == 1) return stones.first();
            stones.each([&](int cell) { ++count[cell]; });
        }
        return static_cast<int>(std::max_element(count.begin(), count.end()) - count.begin());
    }

    std::vector<Bits<W>> blocked_;  // White's stones in each set that is still without one
};

}  // namespace skolemate
