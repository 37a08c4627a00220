// What every kind of rules shares with the search: verdicts, switches, the order of moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skolemate {

enum class Verdict : std::uint8_t { Unknown, Win, Loss };

// What may be switched off, to see that it changes no answer.
struct Switches {
    bool table = true, threats = true, time = true, must_play = true, domination = true,
         pairing = true, relaxation = true, links = true, reserves = true;
};

struct Scored {
    std::uint16_t move;
    std::int32_t score;
};

inline void best_first(std::vector<Scored>& moves) {
    std::sort(moves.begin(), moves.end(), [](const Scored& a, const Scored& b) {
        return a.score != b.score ? a.score > b.score : a.move < b.move;
    });
}

// A second thread tries moves in a slightly different order, and so is somewhere else.
inline std::int32_t vary(int move, std::size_t number) {
    return static_cast<std::int32_t>((move + 1) * 2654435761u * number >> 26);
}

}  // namespace skolemate
