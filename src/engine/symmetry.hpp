// Symmetries: positions that are images of each other share an entry of the table.
//
// A hash of every image is updated move by move; the image with the least hash is stored. It is a
// real image whatever the hashes are, so folding is right even if two hashes collide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bits.hpp"

namespace skolemate {

struct Images {
    std::vector<std::uint64_t> hashes;  // the position itself first
    int stones = 0;
};

template <int W>
class Symmetry {
public:
    Symmetry() = default;

    // The identity first, then others; `cells` many each.
    Symmetry(int cells, std::vector<std::vector<std::uint16_t>> permutations)
        : permutations_(std::move(permutations)) {
        std::uint64_t seed = 0x9E3779B97F4A7C15;
        keys_.resize(2 * cells);
        for (auto& key : keys_) {  // splitmix64: any well mixed numbers will do
            std::uint64_t x = seed += 0x9E3779B97F4A7C15;
            x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
            x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
            key = x ^ (x >> 31);
        }
        cells_ = cells;
        // Large groups cost time at each move and save little on a crowded board.
        crowded_ = permutations_.size() > 16 ? 10 : cells + 1;
    }

    void begin(Images& images, const Bits<W>& black, const Bits<W>& white) const {
        images.stones = (black | white).count();
        images.hashes.assign(images.stones > crowded_ ? 1 : permutations_.size(), 0);
        black.each([&](int cell) { toggle(images, cell, 0); });
        white.each([&](int cell) { toggle(images, cell, 1); });
    }

    void toggle(Images& images, int cell, int colour) const {
        for (std::size_t i = 0; i < images.hashes.size(); ++i)
            images.hashes[i] ^= keys_[colour * cells_ + permutations_[i][cell]];
    }

    void place(const Images& from, Images& to, int cell, int colour) const {
        to.stones = from.stones + 1;
        const std::size_t count = to.stones > crowded_ ? 1 : from.hashes.size();
        to.hashes.resize(count);
        const std::uint64_t* keys = keys_.data() + colour * cells_;
        for (std::size_t i = 0; i < count; ++i)
            to.hashes[i] = from.hashes[i] ^ keys[permutations_[i][cell]];
    }

    int size() const { return static_cast<int>(permutations_.size()); }

    // The number of the image to be stored.
    int least(const Images& images) const {
        return static_cast<int>(std::ranges::min_element(images.hashes) - images.hashes.begin());
    }

    Bits<W> moved(const Bits<W>& cells, int image) const {
        if (image == 0) return cells;
        Bits<W> result;
        cells.each([&](int cell) { result.set(permutations_[image][cell]); });
        return result;
    }

    Bits<W> moved_back(const Bits<W>& cells, int image) const {
        if (image == 0) return cells;
        Bits<W> result;
        for (int cell = 0; cell < cells_; ++cell)
            if (cells.test(permutations_[image][cell])) result.set(cell);
        return result;
    }

    const std::vector<std::uint16_t>& permutation(int image) const { return permutations_[image]; }

private:
    int cells_ = 0, crowded_ = 0;
    std::vector<std::vector<std::uint16_t>> permutations_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace skolemate
