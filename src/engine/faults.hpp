// Allocations that fail at random, to test that the engine survives them: `make check-faults`.
//
// Only in builds with FAULTS, where this is the engine's operator new. Allocations fail while a Harm
// exists, that is while the engine works, in any thread; rarely with another exception than bad_alloc.
#pragma once

namespace skolemate {
#ifndef FAULTS
struct Harm {};
#else
}  // namespace skolemate

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace skolemate {

struct Faults {
    std::atomic<std::uint64_t> seed{0}, one_in{0};  // 0: none fails
    std::atomic<bool> elsewhere{false};             // never fail in the thread that asks
    std::atomic<int> working{0};
    std::atomic<std::uint64_t> asking{0}, others{0};  // failures in the thread that asks, elsewhere
};

inline Faults faults;
inline thread_local bool is_asking = false;

class Harm {
public:
    Harm() { is_asking = true, ++faults.working; }
    ~Harm() { is_asking = false, --faults.working; }
};

inline void maybe_fail() {
    const std::uint64_t one_in = faults.one_in;
    if (one_in == 0 || faults.working == 0 || (faults.elsewhere && is_asking)) return;
    std::uint64_t x = faults.seed += 0x9E3779B97F4A7C15;  // splitmix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    x ^= x >> 31;
    if (x % one_in != 0) return;
    ++(is_asking ? faults.asking : faults.others);
    if (x / one_in % 8 == 0) throw std::runtime_error("a fault on purpose");
    throw std::bad_alloc();
}

}  // namespace skolemate

void* operator new(std::size_t size) {
    skolemate::maybe_fail();
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace skolemate {
#endif
}  // namespace skolemate
