// The transposition table: what is proved about positions, in a fixed amount of memory.
//
// Positions are stored whole, so two of them are never taken for each other. A win within d plies
// is one within every d' > d, so two bounds say everything that was proved about a position.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
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

// Fresh memory is all zero, which is an unused entry. The position is a base, not a member, so that
// the small fields fill the space after its tag: a bucket for 64 cells is three cache lines.
template <int W>
struct Entry : Position<W> {
    std::uint8_t used = 0;
    std::uint16_t move = NO_MOVE;
    std::uint16_t won = NEVER;        // won within so many plies
    std::uint16_t lost_below = 0;     // not won within fewer plies than this
    std::uint32_t proof = 1, disproof = 1;  // of proof-number search
    std::uint32_t effort = 0;         // positions searched below: expensive entries are kept
    std::uint16_t left = 0;           // the plies left to which the proof numbers belong
    Bits<W> carrier;                  // the cells that Black's win needs

    bool lost(int plies) const { return lost_below > plies || lost_below == NEVER; }
    const Position<W>& position() const { return *this; }
};

template <int W>
class Table {
public:
    explicit Table(std::size_t bytes) : count_(std::max<std::size_t>(1, bytes / sizeof(Bucket))) {
        // Fresh pages of zeros cost nothing until they are used. Large ones, where there are any,
        // save most of the time to find a bucket.
        void* memory = mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        madvise(memory, size(), MADV_HUGEPAGE);
#endif
        buckets_ = static_cast<Bucket*>(memory);
    }
    ~Table() { munmap(buckets_, size()); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    // Let the memory bring a bucket while other work is done.
    void expect(std::uint64_t hash) const {
        const char* lines = reinterpret_cast<const char*>(&buckets_[place(hash)]);
        for (std::size_t i = 0; i < sizeof(Bucket); i += 64) __builtin_prefetch(lines + i);
    }

    bool find(const Position<W>& position, std::uint64_t hash, Entry<W>& known) {
        const std::size_t number = place(hash);
        Bucket& bucket = buckets_[number];
        const Lock lock(busy_[number % LOCKS]);
        for (const auto& entry : bucket.entries)
            if (entry.used && entry.position() == position) {
                known = entry;
                return true;
            }
        return false;
    }

    // Combine a new entry with what is known already.
    void store(const Entry<W>& told, std::uint64_t hash) {
        const std::size_t number = place(hash);
        Bucket& bucket = buckets_[number];
        const Lock lock(busy_[number % LOCKS]);
        Entry<W>* victim = &bucket.entries[0];
        for (auto& entry : bucket.entries) {
            if (!entry.used) {
                victim = &entry;
                break;
            }
            if (entry.position() == told.position()) {
                Entry<W> joined = told;
                if (entry.won <= told.won) {
                    joined.won = entry.won;
                    joined.carrier = entry.carrier;
                }
                if (entry.lost_below > told.lost_below) joined.lost_below = entry.lost_below;
                // The move is that of the sharper bound.
                if (told.move == NO_MOVE || entry.won < told.won ||
                    entry.lost_below > told.lost_below)
                    joined.move = entry.move;
                entry = joined;
                entry.used = 1;
                return;
            }
            if (entry.effort < victim->effort) victim = &entry;
        }
        if (victim->used)  // entries that are never used again are replaced in the end
            for (auto& entry : bucket.entries) entry.effort -= entry.effort / 8;
        *victim = told;
        victim->used = 1;
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

    struct alignas(64) Bucket {
        Entry<W> entries[4];
    };

    // Locks are apart from the buckets, which they would make larger; a few are enough.
    struct alignas(64) Busy : std::atomic<std::uint8_t> {};

    static constexpr std::size_t LOCKS = 256;

    std::size_t size() const { return count_ * sizeof(Bucket); }

    // The upper half of a mixed hash times the number of buckets, which may be any. (The hash is the
    // least of several, so most are small.)
    std::size_t place(std::uint64_t hash) const {
        __extension__ using Product = unsigned __int128;
        return static_cast<std::size_t>(static_cast<Product>(hash * 0x9E3779B97F4A7C15) * count_ >> 64);
    }

    std::size_t count_;
    Bucket* buckets_;
    std::array<Busy, LOCKS> busy_{};
};

}  // namespace skolemate
