// Pairs of open cells: a player who answers within them keeps the opponent from owning a whole pair.
#pragma once

#include <algorithm>
#include <vector>

#include "bits.hpp"
#include "goals.hpp"
#include "rules.hpp"

namespace skolemate {

// Searches for disjoint pairs such that every winning set contains one; then none of the sets can be
// completed. Gives up after some steps: to miss a pairing is never wrong.
template <int W>
class Pairing {
public:
    explicit Pairing(Effort& effort) : effort_(effort) {}

    bool exists(const std::vector<Bits<W>>& sets) {
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
        if (matched(sets)) return true;
        steps_ = MOST_PAIRS;
        pairs_.clear();
        if (levels_.empty()) levels_.resize(1);
        levels_[0] = sets;
        return spoil(0, {});
    }

    // The pairs that were found.
    const std::vector<Bits<W>>& pairs() const { return pairs_; }

private:
    static constexpr int MOST_PAIRS = 400;  // pairs tried by backtracking

    struct Pair {
        Bits<W> cells;
        int spoilt;
    };

    // Sets that have two cells in common may share their pair. They are put together greedily, small
    // ones first; then each class gets two cells of its own by augmenting paths.
    bool matched(const std::vector<Bits<W>>& sets) {
        common_.clear();
        for (std::size_t size = 2, seen = 0; seen < sets.size(); ++size)
            for (const auto& set : sets) {
                if (set.count() != static_cast<int>(size)) continue;
                ++seen;
                classify(set);
            }
        effort_.spend(sets.size());
        Bits<W> cells;
        for (const auto& common : common_) cells |= common;
        if (cells.count() < 2 * static_cast<int>(common_.size())) return false;
        pairs_.assign(common_.size(), {});
        owner_.assign(64 * W, NOBODY);
        for (std::size_t i = 0; i < common_.size(); ++i)
            for (int cell = 0; cell < 2; ++cell) {
                reached_ = {};
                if (!augment(i)) return false;
            }
        return true;
    }

    void classify(const Bits<W>& set) {
        Bits<W>* nearest = nullptr;
        int most = 1;
        for (auto& common : common_)
            if (const int count = (common & set).count(); count > most) {
                most = count;
                nearest = &common;
            }
        if (nearest)
            *nearest &= set;
        else
            common_.push_back(set);
    }

    // Give one more cell to class i; others may exchange theirs.
    bool augment(std::size_t i) {
        Bits<W> cells = common_[i].minus(reached_ | pairs_[i]);
        reached_ |= cells;
        int got = -1;
        cells.each([&](int cell) {
            if (owner_[cell] == NOBODY) got = cell;
        });
        for (; got < 0 && cells.any(); cells.reset(cells.first())) {
            const std::size_t other = owner_[cells.first()];
            if (!augment(other)) continue;
            got = cells.first();
            pairs_[other].reset(got);
        }
        if (got < 0) return false;
        owner_[got] = i;
        pairs_[i].set(got);
        return true;
    }

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
            if (spoil(level + 1, used | pair.cells)) {
                pairs_.push_back(pair.cells);
                return true;
            }
        }
        return false;
    }

    static constexpr std::size_t NOBODY = SIZE_MAX;

    Effort& effort_;
    int steps_ = 0;
    std::vector<Bits<W>> pairs_;
    std::vector<Bits<W>> common_;     // by class of sets: the cells in all of them
    std::vector<std::size_t> owner_;  // by cell: the class it was given to
    Bits<W> reached_;                 // cells on the augmenting paths so far
    std::vector<std::vector<Bits<W>>> levels_;
};

}  // namespace skolemate
