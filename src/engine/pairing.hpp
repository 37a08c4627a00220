// Pairs of open cells: a player who answers within them keeps the opponent from owning a whole pair.
#pragma once

#include <algorithm>
#include <vector>

#include "bits.hpp"
#include "goals.hpp"
#include "rules.hpp"

namespace skolemate {

// Searches for disjoint pairs such that every winning set contains one; then none of the sets can be
// completed. Gives up after `steps` pairs: to miss a pairing is never wrong.
template <int W>
class Pairing {
public:
    explicit Pairing(Effort& effort) : effort_(effort) {}

    bool exists(const std::vector<Bits<W>>& sets, int steps) {
        steps_ = steps;
        // Two different sets of two cells with one in common leave no pairing.
        Bits<W> small;
        for (const auto& set : sets) {
            const int size = set.count();
            if (size < 2) return false;
            if (size == 2) {
                if (small.meets(set)) {
                    for (const auto& other : sets)
                        if (other.count() == 2 && other.meets(set) && !(other == set)) return false;
                }
                small |= set;
            }
        }
        if (levels_.empty()) levels_.resize(1);
        levels_[0] = sets;
        return spoil(0, {});
    }

private:
    struct Pair {
        Bits<W> cells;
        int spoilt;
    };

    bool spoil(std::size_t level, const Bits<W>& used) {
        if (levels_[level].empty()) return true;
        if (levels_.size() <= level + 1) levels_.resize(level + 2);
        Bits<W> tightest;
        int fewest = FAR;
        for (const auto& set : levels_[level]) {
            const int free = set.minus(used).count();
            if (free < fewest) {
                fewest = free;
                tightest = set.minus(used);
            }
        }
        if (fewest < 2) return false;
        std::vector<Pair> pairs;
        tightest.each([&](int a) {
            tightest.each([&](int b) {
                if (a >= b) return;
                Pair pair{Bits<W>::one(a) | Bits<W>::one(b), 0};
                effort_.spend(levels_[level].size() / 8);
                for (const auto& set : levels_[level]) pair.spoilt += pair.cells.within(set);
                pairs.push_back(pair);
            });
        });
        std::stable_sort(pairs.begin(), pairs.end(),
                         [](const Pair& a, const Pair& b) { return a.spoilt > b.spoilt; });
        for (const auto& pair : pairs) {
            if (--steps_ < 0) return false;
            levels_[level + 1].clear();
            for (const auto& set : levels_[level])
                if (!pair.cells.within(set)) levels_[level + 1].push_back(set);
            if (spoil(level + 1, used | pair.cells)) return true;
        }
        return false;
    }

    Effort& effort_;
    int steps_ = 0;
    std::vector<std::vector<Bits<W>>> levels_;
};

}  // namespace skolemate
