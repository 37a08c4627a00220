// Proof numbers: how much must be decided to know who wins.
//
// `phi` is the least number of positions that must be decided to show that the mover wins, `delta` the
// same for the opponent. A position that leads to another is counted as often as there are ways to it; so
// the numbers are estimates, but 0 and infinity are proofs: 0 arises only from a verdict of the rules,
// a move to a position with delta 0, or moves all of which lead to positions with phi 0.
//
// Several threads may search at once and share a table. A thread counts a move after which another one is
// searching as harder than it seems (a virtual loss: Pawlewicz and Hayward), so that they part where moves
// are about as good. After each move that it has searched it looks up what the others have found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rules.hpp"
#include "table.hpp"

namespace skolemate {

constexpr std::uint32_t INFINITE = 1u << 30;

struct Estimate {
    std::uint32_t phi, delta;

    bool decided() const { return phi == 0 || delta == 0; }
};

// Whether a search can have found this: one number is 0 exactly if the other is infinite. With others it
// might not end.
inline bool possible(const Estimate& found) {
    const auto [phi, delta] = found;
    return phi <= INFINITE && delta <= INFINITE && (phi == 0) == (delta == INFINITE) &&
           (delta == 0) == (phi == INFINITE);
}

// A move, the position that it leads to, and the numbers of that position.
template <int W>
struct Child {
    Position<W> position;
    Estimate after;
    std::uint16_t move;
};

// What a table knows about the positions that moves lead to.
template <class Stored, int W>
void look_up(Table<Stored>& table, std::vector<Child<W>>& children) {
    Stored known;
    for (Child<W>& child : children)
        if (!child.after.decided() && table.find(child.position, known)) child.after = known.numbers();
}

// The numbers of a position by those of its children.
template <int W>
struct Gathered {
    Estimate found{INFINITE, 0};
    Child<W>* best = nullptr;      // the winning child, or the one to search next
    std::uint32_t room = INFINITE;  // the limit of the best child's delta: then another one is better

    // With `focused` only the first quarter of the moves that are not refuted counts. `marks`, if there
    // are other threads: where these are searching.
    Gathered(std::vector<Child<W>>& children, bool focused, const Marks* marks) {
        std::uint32_t least = INFINITE, value_of_best = INFINITE, second = INFINITE;
        std::uint64_t sum = 0;
        auto wide = static_cast<std::ptrdiff_t>(children.size());
        if (focused) {
            const auto live = std::ranges::count_if(children, [](const auto& child) { return child.after.phi != 0; });
            wide = 1 + (live + 3) / 4;
        }
        for (Child<W>& child : children) {
            const auto [phi, delta] = child.after;
            if (phi == 0) continue;  // refuted
            if (delta == 0) {
                found = {0, INFINITE};
                best = &child;
                return;
            }
            if (wide-- <= 0) continue;
            sum += phi;
            least = std::min(least, delta);
            std::uint32_t value = delta;
            if (marks && marks->has(child.position.hash())) value += value / 2 + 1;
            if (!best || value < value_of_best) {
                second = value_of_best;
                value_of_best = value;
                best = &child;
            } else {
                second = std::min(second, value);
            }
        }
        if (!best) return;
        found = {least, static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, INFINITE - 1))};
        // A quarter more than the second best move needs: changing moves costs time.
        room = second + second / 4 + 1;
    }

    // The limits of the best child's numbers, if these are the limits of the position's. A child that is
    // chosen though another one is better gets at least one step.
    Estimate limits(const Estimate& most) const {
        return {most.delta - (found.delta - best->after.phi),
                std::min(std::max(most.phi, best->after.delta + 1), room)};
    }
};

}  // namespace skolemate
