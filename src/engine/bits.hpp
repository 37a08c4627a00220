// Sets of cells: W words of 64 bits, so that boards of any size up to 19x19 are searched alike.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace skolemate {

template <int W>
struct Bits {
    std::array<std::uint64_t, W> words{};

    static Bits one(int cell) {
        Bits bits;
        bits.set(cell);
        return bits;
    }

    void set(int cell) { words[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
    void reset(int cell) { words[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
    bool test(int cell) const { return words[cell >> 6] >> (cell & 63) & 1; }

    bool any() const {
        std::uint64_t all = 0;
        for (auto word : words) all |= word;
        return all != 0;
    }

    int count() const {
        int total = 0;
        for (auto word : words) total += std::popcount(word);
        return total;
    }

    // The least cell; there must be one.
    int first() const {
        int i = 0;
        while (words[i] == 0) ++i;
        return i * 64 + std::countr_zero(words[i]);
    }

    bool meets(const Bits& other) const {
        std::uint64_t all = 0;
        for (int i = 0; i < W; ++i) all |= words[i] & other.words[i];
        return all != 0;
    }

    bool within(const Bits& other) const {
        std::uint64_t all = 0;
        for (int i = 0; i < W; ++i) all |= words[i] & ~other.words[i];
        return all == 0;
    }

    Bits minus(const Bits& other) const {
        Bits bits;
        for (int i = 0; i < W; ++i) bits.words[i] = words[i] & ~other.words[i];
        return bits;
    }

    Bits& operator|=(const Bits& other) {
        for (int i = 0; i < W; ++i) words[i] |= other.words[i];
        return *this;
    }

    Bits& operator&=(const Bits& other) {
        for (int i = 0; i < W; ++i) words[i] &= other.words[i];
        return *this;
    }

    friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend auto operator<=>(const Bits&, const Bits&) = default;

    template <class Visit>
    void each(Visit visit) const {
        for (int i = 0; i < W; ++i)
            for (auto word = words[i]; word != 0; word &= word - 1)
                visit(i * 64 + std::countr_zero(word));
    }
};

}  // namespace skolemate
