// What every kind of rules shares with the search: verdicts, switches, effort, the order of moves.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace skolemate {

enum class Verdict : std::uint8_t { Unknown, Win, Loss };

// Methods that can be switched off, so that tests can show that no answer changes.
struct Switches {
    bool table = true, threats = true, time = true, must_play = true, domination = true,
         pairing = true, relaxation = true, links = true, reserves = true, inferior = true,
         proof_numbers = true, depth_first = true, sequences = true, races = true, parts = true;
};

// Who places the stones of a placement game, ply by ply: 0 Black, 1 White.
struct Schedule {
    std::vector<std::uint8_t> movers;  // by ply; after the last ply it is the other player's turn
    std::vector<int> stones{0};  // by ply: how many plies before it are Black's
    std::vector<int> runs;       // by ply: how many plies from it on are the same player's
    int single_from = 0;         // from this ply on Black never has two stones in a row
    int alternating_from = 0;    // from this ply on neither player has

    explicit Schedule(const std::vector<std::uint8_t>& turns) : movers(turns), runs(turns.size() + 1, 0) {
        movers.push_back(turns.empty() || turns.back() == 1 ? 0 : 1);
        for (auto turn : turns) stones.push_back(stones.back() + (turn == 0));
        for (int ply = static_cast<int>(turns.size()) - 1; ply >= 0; --ply) {
            const bool goes_on = runs[ply + 1] > 0 && turns[ply + 1] == turns[ply];
            runs[ply] = 1 + (goes_on ? runs[ply + 1] : 0);
            if (!goes_on) continue;
            if (turns[ply] == 0) single_from = std::max(single_from, ply + 1);
            alternating_from = std::max(alternating_from, ply + 1);
        }
    }

    // Whether so many plies fill the open cells, and each is one stone of the other player.
    bool fills(int ply, int left, int open) const {
        const int plies = static_cast<int>(runs.size()) - 1;
        return alternating_from <= ply && ply < plies && plies - ply == open && left >= open;
    }
};

struct Stopped {};

// Set when a thread has the answer, or from outside at any time.
class Halt {
public:
    explicit Halt(const std::atomic<bool>& outside) : outside_(outside) {}
    void operator=(bool value) { here_.store(value, std::memory_order_relaxed); }
    explicit operator bool() const {
        return here_.load(std::memory_order_relaxed) || outside_.load(std::memory_order_relaxed);
    }

private:
    const std::atomic<bool>& outside_;
    std::atomic<bool> here_{false};
};

// The address below which less than a quarter of this thread's stack is left; null if not known.
inline const char* end_of_stack() {
    thread_local const char* limit = [] {
        const char* end = nullptr;
#ifdef __GLIBC__
        pthread_attr_t attributes;
        void* lowest = nullptr;
        std::size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            if (pthread_attr_getstack(&attributes, &lowest, &size) == 0)
                end = static_cast<const char*>(lowest) + size / 4;
            pthread_attr_destroy(&attributes);
        }
#endif
        return end;
    }();
    return limit;
}

inline bool in_main_thread() {
#ifdef __linux__
    return gettid() == getpid();
#else
    return false;
#endif
}

// The work of one thread on a question. Long work reports its steps here, and is stopped here: when
// another thread has the answer, at the limit of positions, or before the stack overflows.
class Effort {
public:
    static constexpr int STEPS = 256;  // steps of work that cost as much as one position

    explicit Effort(const Halt& halt) : halt_(halt) {}

    // Begin a new question with a limit of `most` positions; 0 for no limit.
    void begin(std::uint64_t most) {
        // For the main thread it takes half a millisecond to find the end. So only deep searches ask.
        const char here = 0;
        end_of_stack_ = in_main_thread() ? &here - SHALLOW : end_of_stack();
        steps_ = 0;
        most_ = most == 0 ? UINT64_MAX : most * STEPS;
    }

    void spend(std::uint64_t steps) {
        steps_ += steps;
        if (steps_ >= most_ || halt_) throw Stopped{};
        const char here = 0;
        if (&here < end_of_stack_) end_of_stack_ = end_of_stack();
        if (&here < end_of_stack_) throw std::bad_alloc();
    }

private:
    static constexpr std::ptrdiff_t SHALLOW = 1 << 16;  // bytes of stack that the main thread has left

    const Halt& halt_;
    const char* end_of_stack_ = nullptr;
    std::uint64_t steps_ = 0, most_ = UINT64_MAX;
};

// The positions that threads are searching. A mark may be lost or belong to another position: it only
// changes the order in which moves are tried.
class Marks {
public:
    bool has(std::uint64_t hash) const { return at(hash).load(std::memory_order_relaxed) == hash; }
    void forget() {
        for (auto& mark : marks_) mark.store(0, std::memory_order_relaxed);
    }
    void set(std::uint64_t hash) { at(hash).store(hash, std::memory_order_relaxed); }
    void clear(std::uint64_t hash) {
        if (has(hash)) at(hash).store(0, std::memory_order_relaxed);
    }

private:
    std::atomic<std::uint64_t>& at(std::uint64_t hash) { return marks_[hash % SIZE]; }
    const std::atomic<std::uint64_t>& at(std::uint64_t hash) const { return marks_[hash % SIZE]; }

    static constexpr std::size_t SIZE = 4096;
    std::array<std::atomic<std::uint64_t>, SIZE> marks_{};
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

}  // namespace skolemate
