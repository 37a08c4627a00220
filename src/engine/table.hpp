// The transposition table: what is proved about positions, in a fixed amount of memory.
//
// Positions are stored whole, so two of them are never taken for each other. A win within d plies
// is one within every d' > d, so two bounds say everything that was proved about a position.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bits.hpp"

namespace skolemate {

constexpr std::uint16_t NEVER = 0xFFFF;    // as a bound: at no depth
constexpr std::uint16_t NO_MOVE = 0xFFFF;

template <int W>
struct Position {
    Bits<W> black, white;
    std::uint8_t tag = 0;  // who is to move, and which rules are relaxed

    friend bool operator==(const Position&, const Position&) = default;

    std::uint64_t hash() const {
        std::uint64_t mixed = tag;
        for (const Bits<W>* cells : {&black, &white})
            for (const std::uint64_t word : cells->words) {
                mixed = (mixed ^ word) * 0x9E3779B97F4A7C15;
                mixed ^= mixed >> 32;
            }
        return mixed * 0xBF58476D1CE4E5B9;
    }
};

template <int W>
struct Carrier {
    Bits<W> carrier;  // the cells that the win needs, or the loss at every depth
};
struct NoCarrier {};

// Fresh memory is all zero, which is an unused entry. The position is a base, not a member, so that
// the small fields fill the space behind its tag: for 64 cells, 24 bytes and those of the carrier.
template <int W, bool carriers>
struct Entry : std::conditional_t<carriers, Carrier<W>, NoCarrier>, Position<W> {
    std::uint8_t worth = 0;           // 0 if the entry is unused; expensive entries are kept
    std::uint16_t move = NO_MOVE;
    std::uint16_t won = NEVER;        // won within so many plies
    std::uint16_t lost_below = 0;     // not won within fewer plies than this

    const Position<W>& position() const { return *this; }
    bool lost(int plies) const { return lost_below > plies || lost_below == NEVER; }

    // Whether it names only cells of the board, and a move that there is.
    bool fits(const Bits<W>& board, std::size_t moves) const {
        if constexpr (carriers)
            if (!this->carrier.within(board)) return false;
        return move == NO_MOVE || move < moves;
    }

    // Combine with another entry about the same position.
    void join(const Entry& told) {
        Entry joined = told;
        if (won < told.won || lost_below == NEVER) {
            joined.won = won;
            if constexpr (carriers) joined.carrier = this->carrier;
        }
        if (lost_below > told.lost_below) joined.lost_below = lost_below;
        // The move is that of the sharper bound.
        if (told.move == NO_MOVE || won < told.won || lost_below > told.lost_below)
            joined.move = move;
        *this = joined;
    }
};

// What an entry is worth for which so many positions were searched: eight steps for each doubling.
inline std::uint8_t worth(std::uint64_t effort) {
    const std::uint64_t most = (std::uint64_t{1} << 31) - 1;
    const std::uint64_t count = std::clamp<std::uint64_t>(effort, 1, most);
    const int bits = std::bit_width(count);
    return static_cast<std::uint8_t>(8 * bits + ((count << (32 - bits)) >> 28) % 8);
}

// A table of entries that have a position and a worth, and know how to join.
//
// What it holds can be written to a file, in `PARTS` parts, and taken in again by the same engine.
// It consists of regions that grow in place. So a short search stays in the cache, and a long one has
// all the memory, in huge pages where the system has them: the addresses of small ones take longer to
// find than all the rest. Each bucket has a lock, in its own line of the cache.
template <class Entry>
class Table {
public:
    explicit Table(std::size_t bytes) {
        std::size_t size = std::max<std::size_t>(1, bytes / sizeof(Bucket) / REGIONS);
        most_ = 1;
        for (; size >= 2 * LEAST; size /= 2) most_ *= 2;
        most_ *= size;
        // Fresh pages of zeros cost nothing until they are used.
        const std::size_t length = most_ * sizeof(Bucket);
        const std::size_t align = length < HUGE ? LINE : HUGE;
        memory_.reset(std::calloc(REGIONS, length + align));
        if (!memory_) throw std::bad_alloc();
        char* start = static_cast<char*>(memory_.get());
        for (Region& region : regions_) {
            start += (align - reinterpret_cast<std::uintptr_t>(start) % align) % align;
            region.buckets = reinterpret_cast<Bucket*>(start);
            region.size = size;
            start += length;
        }
    }

    // Let the memory bring a bucket while other work is done.
    void expect(const auto& position) const {
        const std::uint64_t hash = position.hash();
        const Region& region = regions_[hash >> SHIFT];
        const char* lines = reinterpret_cast<const char*>(&bucket(region, region.size, hash));
        for (std::size_t i = 0; i < sizeof(Bucket); i += LINE) __builtin_prefetch(lines + i);
    }

    bool find(const auto& position, Entry& known) {
        const std::uint64_t hash = position.hash();
        const Held held(regions_[hash >> SHIFT], hash);
        for (const Entry& entry : held->entries)
            if (entry.worth && entry.position() == position) {
                known = entry;
                return true;
            }
        return false;
    }

    // Combine a new entry with what is known already.
    void store(const Entry& told) {
        const std::uint64_t hash = told.hash();
        Region& region = regions_[hash >> SHIFT];
        if (region.replaced > region.size / 8 && region.size < most_) grow(region);
        const Held held(region, hash);
        Entry* least = &held->entries[0];
        for (Entry& entry : held->entries) {
            if (!entry.worth) {
                entry = told;
                return;
            }
            if (entry.position() == told.position()) {
                entry.join(told);
                return;
            }
            if (entry.worth < least->worth) least = &entry;
        }
        // Entries that are never used again are replaced in the end.
        for (Entry& entry : held->entries) entry.worth -= entry.worth > 1;
        *least = told;
        if (region.size < most_) ++region.replaced;
    }

    static constexpr int SHIFT = 58;
    static constexpr std::size_t PARTS = 1 << (64 - SHIFT);

    // The used entries of a part, as they are in memory. No search may be running.
    std::string saved(std::size_t part) const {
        static_assert(std::is_trivially_copyable_v<Entry>);
        std::string bytes;
        const Region& region = regions_[part];
        for (std::size_t b = 0; b < region.size; ++b)
            for (const Entry& entry : region.buckets[b].entries)
                if (entry.worth) bytes.append(reinterpret_cast<const char*>(&entry), sizeof entry);
        return bytes;
    }

    // Take such entries in; false if these are none, or one of them does not fit.
    bool restore(std::size_t part, std::string_view bytes, const auto& fits) {
        Region& region = regions_[part];
        const std::size_t count = bytes.size() / sizeof(Entry);
        if (bytes.size() % sizeof(Entry) != 0) return false;
        while (region.size < most_ && region.size * std::size(Bucket{}.entries) < 2 * count) grow(region);
        for (std::size_t i = 0; i < count; ++i) {
            Entry entry;
            std::memcpy(static_cast<void*>(&entry), bytes.data() + i * sizeof entry, sizeof entry);
            if (entry.worth == 0 || entry.hash() >> SHIFT != part || !fits(entry)) return false;
            store(entry);
        }
        return true;
    }

private:
    static constexpr std::size_t REGIONS = PARTS;
    static constexpr std::size_t LEAST = 16;      // buckets of a region at first, if there is room
    static constexpr std::size_t LINE = 64;       // bytes of a line of the processor's cache
    static constexpr std::size_t HUGE = 2 << 20;  // bytes of a huge page

    // At least four entries, and as many as fit into the same lines of the cache.
    struct alignas(LINE) Bucket {
        static constexpr std::size_t BYTES = (4 * sizeof(Entry) + 8 + LINE - 1) / LINE * LINE;
        Entry entries[(BYTES - 8) / sizeof(Entry)];
        std::atomic<std::uint8_t> busy;

        void lock() {
            while (busy.exchange(1, std::memory_order_acquire)) {
            }
        }
        void unlock() { busy.store(0, std::memory_order_release); }
    };

    struct alignas(LINE) Region {
        Bucket* buckets;
        std::atomic<std::size_t> size;         // of buckets
        std::atomic<std::size_t> replaced{0};  // entries since the region has grown
        std::mutex growing;
    };

    static Bucket& bucket(const Region& region, std::size_t size, std::uint64_t hash) {
        return region.buckets[static_cast<unsigned __int128>(hash << (64 - SHIFT)) * size >> 64];
    }

    // The locked bucket of a hash.
    class Held {
    public:
        Held(Region& region, std::uint64_t hash) {
            while (true) {
                const std::size_t size = region.size;
                bucket_ = &bucket(region, size, hash);
                bucket_->lock();
                if (region.size == size) return;
                bucket_->unlock();  // the region has grown meanwhile
            }
        }
        ~Held() { bucket_->unlock(); }
        Bucket* operator->() const { return bucket_; }

    private:
        Bucket* bucket_;
    };

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    // Double a region: entries of bucket b go to bucket 2b or 2b + 1. From the last to the first, none
    // is overwritten before it was read. No other thread looks at buckets beyond the size.
    void grow(Region& region) {
        const std::unique_lock alone(region.growing, std::try_to_lock);
        const std::size_t size = region.size;
        if (!alone || size == most_) return;
        for (std::size_t b = 0; b < size; ++b) region.buckets[b].lock();
        for (std::size_t b = size; b-- > 0;) {
            std::array<Entry, std::size(Bucket{}.entries)> old;
            std::ranges::copy(region.buckets[b].entries, old.begin());
            for (std::size_t half : {2 * b, 2 * b + 1})
                for (Entry& entry : region.buckets[half].entries) entry.worth = 0;
            for (const Entry& entry : old)
                if (entry.worth)
                    *std::ranges::find(bucket(region, 2 * size, entry.hash()).entries, 0, &Entry::worth) = entry;
        }
        region.replaced = 0;
        region.size = 2 * size;
#ifdef MADV_HUGEPAGE
        // Only now: many pieces of memory with advice of their own would slow short searches down.
        const std::size_t bytes = size * sizeof(Bucket), length = most_ * sizeof(Bucket);
        if (bytes <= HUGE && HUGE < 2 * bytes)
            madvise(reinterpret_cast<char*>(region.buckets) + HUGE, length - HUGE, MADV_HUGEPAGE);
#endif
        for (std::size_t b = 0; b < size; ++b) region.buckets[b].unlock();
    }

    std::size_t most_;  // buckets of a region
    std::unique_ptr<void, Free> memory_;
    std::vector<Region> regions_ = std::vector<Region>(REGIONS);
};

}  // namespace skolemate
