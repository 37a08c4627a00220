// The transposition table: what is proved about positions, in a fixed amount of memory.
//
// Positions are stored whole, so two of them are never taken for each other. A win within d plies
// is one within every d' > d, so two bounds say everything that was proved about a position.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "bits.hpp"

namespace skolemate {

constexpr std::uint16_t NEVER = 0xFFFF;    // as a bound: at no depth
constexpr std::uint16_t NO_MOVE = 0xFFFF;

template <int W>
struct Position {
    Bits<W> black, white;
    std::uint8_t tag = 0;  // who is to move, and which rules are relaxed

    friend bool operator==(const Position&, const Position&) = default;
};

// Fresh memory is all zero, which is an unused entry.
template <int W>
struct Entry {
    Position<W> position;
    std::uint8_t used = 0;
    std::uint16_t move = NO_MOVE;
    std::uint16_t won = NEVER;        // won within so many plies
    std::uint16_t lost_below = 0;     // not won within fewer plies than this
    std::uint32_t effort = 0;         // positions searched below: expensive entries are kept
    Bits<W> carrier;                  // the cells that Black's win needs

    bool lost(int plies) const { return lost_below > plies || lost_below == NEVER; }

    // Combine with another entry about the same position.
    void join(const Entry& told) {
        Entry joined = told;
        if (won <= told.won) {
            joined.won = won;
            joined.carrier = carrier;
        }
        if (lost_below > told.lost_below) joined.lost_below = lost_below;
        // The move is that of the sharper bound.
        if (told.move == NO_MOVE || won < told.won || lost_below > told.lost_below)
            joined.move = move;
        *this = joined;
    }
};

// A table of entries that have a position, a flag `used`, an effort, and know how to join.
template <class Entry>
class Table {
public:
    explicit Table(std::size_t bytes) {
        buckets_ = 1;
        while (buckets_ * 2 * sizeof(Bucket) <= bytes) buckets_ *= 2;
        // Fresh pages of zeros cost nothing until they are used.
        memory_.reset(static_cast<Bucket*>(std::calloc(buckets_, sizeof(Bucket))));
        if (!memory_) throw std::bad_alloc();
    }

    bool find(const auto& position, std::uint64_t hash, Entry& known) {
        Bucket& bucket = memory_.get()[hash & (buckets_ - 1)];
        Lock lock(bucket.busy);
        for (const auto& entry : bucket.entries)
            if (entry.used && entry.position == position) {
                known = entry;
                return true;
            }
        return false;
    }

    // Combine a new entry with what is known already.
    void store(const Entry& told, std::uint64_t hash) {
        Bucket& bucket = memory_.get()[hash & (buckets_ - 1)];
        Lock lock(bucket.busy);
        Entry* place = &bucket.entries[0];
        for (auto& entry : bucket.entries) {
            if (!entry.used) {
                place = &entry;
                break;
            }
            if (entry.position == told.position) {
                entry.join(told);
                entry.used = 1;
                return;
            }
            if (entry.effort < place->effort) place = &entry;
        }
        if (place->used)  // entries that are never used again are replaced in the end
            for (auto& entry : bucket.entries) entry.effort -= entry.effort / 8;
        *place = told;
        place->used = 1;
    }

private:
    struct Lock {
        explicit Lock(std::atomic<std::uint8_t>& busy) : busy_(busy) {
            while (busy_.exchange(1, std::memory_order_acquire)) {
            }
        }
        ~Lock() { busy_.store(0, std::memory_order_release); }
        std::atomic<std::uint8_t>& busy_;
    };

    struct Bucket {
        Entry entries[4];
        std::atomic<std::uint8_t> busy;
    };

    struct Free {
        void operator()(Bucket* memory) const { std::free(memory); }
    };

    std::size_t buckets_;
    std::unique_ptr<Bucket, Free> memory_;
};

}  // namespace skolemate
