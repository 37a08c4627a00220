// The engine for one game: what Python may ask, and which method answers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "actions.hpp"
#include "bits.hpp"
#include "duel.hpp"
#include "extraction.hpp"
#include "faults.hpp"
#include "links.hpp"
#include "proof.hpp"
#include "rules.hpp"
#include "search.hpp"
#include "tables.hpp"

namespace skolemate {

using Raw = std::vector<std::uint64_t>;  // a mask, word by word

template <int W>
Bits<W> bits(const Raw& raw) {
    Bits<W> set;
    for (std::size_t i = 0; i < raw.size() && i < W; ++i) set.words[i] = raw[i];
    return set;
}

// A node of a proof: stones, cells, plies, pairs of cells, and replies: a move, a node, a symmetry.
using RawNode = std::tuple<Raw, Raw, int, std::vector<std::array<int, 2>>, std::vector<std::array<int, 3>>>;

template <int W>
Raw raw(const Bits<W>& set) {
    return {set.words.begin(), set.words.end()};
}

struct Result {
    Verdict verdict = Verdict::Unknown;
    bool for_ever = false;
    int move = -1;
};

// The interface to Python, for boards of any size and games of any kind.
class Engine {
public:
    virtual ~Engine() = default;

    // Can Black force a win within the plies left? `turn` is the ply, or who is to move. Gives up
    // after `most` positions, if that is not 0.
    virtual Result ask(const Raw& black, const Raw& white, int turn, int left, int threads,
                       std::uint64_t most) = 0;

    // The links that connect the borders for Black or, if blocking, for White: see links.hpp.
    virtual std::vector<Link> links(const Raw& own, const Raw& enemy, bool blocking, int most) = 0;

    // Nodes that prove that Black wins, or never does, on the other player's turn: see extraction.hpp.
    virtual std::vector<RawNode> prove(const Raw& black, const Raw& white, int turn, int left, bool wins,
                                       bool fold) = 0;

    // What is known about positions, to be kept.
    virtual Kept& tables() = 0;

    void ready() { stop_ = false; }
    void stop() { stop_ = true; }
    std::uint64_t visited() const { return visited_; }

protected:
    std::atomic<bool> stop_{false};
    std::atomic<std::uint64_t> visited_{0};
};

template <class Kind, int W>
class EngineOf : public Engine {
public:
    EngineOf(typename Kind::Rules rules, std::size_t bytes, const Switches& switches, int cells,
             const std::array<std::size_t, 2>& moves)
        : rules_(std::move(rules)), switches_(switches), tables_(bytes, cells, moves) {}

    Result ask(const Raw& black, const Raw& white, int turn, int left, int threads,
               std::uint64_t most) override {
        // Bounds in the table are 16 bits wide, and so are the numbers of moves.
        [[maybe_unused]] const Harm harm;
        if (left < 0 || left >= NEVER) throw std::out_of_range("the engine does not count so far");
        prepare(threads);
        const Bits<W> b = bits<W>(black), w = bits<W>(white);
        if constexpr (Kind::carriers) {
            if (switches_.proof_numbers && switches_.table &&
                searches_[0]->rules().duel(b | w, turn, left))
                return duel(b, w, rules_.turns[turn], threads, most);
            const auto begin = [&](bool relaxed, std::uint64_t limit) {
                return [&, relaxed, limit](auto& search) {
                    search.rules().root(search.root(limit), b, w, turn, left, relaxed);
                };
            };
            const bool over = rules_.white.met(w) || rules_.black.met(b);
            const bool relaxes = switches_.relaxation && rules_.white.any && !over;
            const auto depth_first = [&](std::uint64_t limit) {
                // Without White's goal a loss is easier to prove, and implies a loss with it.
                if (relaxes)
                    if (const Result result = run(threads, begin(true, limit)); result.verdict != Verdict::Win)
                        return result;
                return run(threads, begin(false, limit));
            };
            if (!switches_.proof_numbers || !switches_.table || over ||
                !searches_[0]->rules().race(b | w, turn, left))
                return depth_first(most);
            const auto by_numbers = [&](std::uint64_t limit) {
                return who_wins(limit == LOOK ? 1 : threads, begin(false, limit));
            };
            return switches_.depth_first ? in_turn(most, depth_first, by_numbers) : by_numbers(most);
        } else {
            if constexpr (std::is_same_v<Kind, Actions<W>>)
                if (switches_.proof_numbers && switches_.table && rules_.ends(b, w, left))
                    return who_wins(threads, [&](auto& search) {
                        search.rules().root(search.root(most), b, w, turn, left);
                    });
            return run(threads, [&](auto& search) {
                search.rules().root(search.root(most), b, w, turn, left);
            });
        }
    }

    std::vector<Link> links(const Raw& own, const Raw& enemy, bool blocking, int most) override {
        if constexpr (Kind::carriers) {
            [[maybe_unused]] const Harm harm;
            prepare(1);
            halt_ = false;
            searches_[0]->root(0);
            return searches_[0]->rules().links(bits<W>(own), bits<W>(enemy), blocking, most);
        }
        return {};
    }

    std::vector<RawNode> prove(const Raw& black, const Raw& white, int turn, int left, bool wins,
                               bool fold) override {
        std::vector<RawNode> proof;
        if constexpr (Kind::carriers) {
            [[maybe_unused]] const Harm harm;
            prepare(1);
            halt_ = false;
            Extraction<W> extraction(rules_, *searches_[0], halt_, wins, fold);
            const Bits<W> b = bits<W>(black), w = bits<W>(white);
            try {
                for (const auto& node : extraction.prove(wins ? b : w, wins ? w : b, turn, left)) {
                    std::vector<std::array<int, 2>> pairs;
                    for (const auto& pair : node.pairs)
                        pairs.push_back({pair.first(), pair.minus(Bits<W>::one(pair.first())).first()});
                    std::vector<std::array<int, 3>> replies;
                    for (const auto& reply : node.replies)
                        replies.push_back({reply.move, reply.node, reply.image});
                    proof.emplace_back(raw(node.stones), raw(node.cells), node.plies, pairs, replies);
                }
            } catch (const Stopped&) {
                proof.clear();
            }
        }
        return proof;
    }

    Kept& tables() override { return tables_; }

private:
    void prepare(int threads) {
        while (static_cast<int>(searches_.size()) < threads)
            searches_.push_back(std::make_unique<Search<Kind, W>>(
                rules_, switches_, tables_.entries(), marks_, halt_, visited_));
    }

    Result duel(const Bits<W>& black, const Bits<W>& white, int mover, int threads, std::uint64_t most)
        requires(Kind::carriers)
    {
        while (static_cast<int>(duels_.size()) < threads)
            duels_.push_back(std::make_unique<Duel<W>>(*rules_.black.graph, *rules_.blocking, rules_.symmetry,
                                                       switches_, tables_.standings(), marks_, halt_, visited_,
                                                       threads));
        return together(duels_, threads, [&](Duel<W>& duel) {
            const bool won = duel.black_wins(black, white, mover, most, threads > 1);
            return Result{won ? Verdict::Win : Verdict::Loss, !won, duel.best_move()};
        });
    }

    // Depth-first search and proof numbers in turn, with growing limits: each takes long where the other
    // may be quick. Both keep what they have found in tables. A position of the one takes about as long
    // as four of the other. A look at the numbers comes first: along a proof they know the answer.
    template <class DepthFirst, class ByNumbers>
    Result in_turn(std::uint64_t most, const DepthFirst& depth_first, const ByNumbers& by_numbers) {
        if (most == 0 || most > LOOK)
            if (const Result result = by_numbers(LOOK); result.verdict != Verdict::Unknown || stop_) return result;
        std::uint64_t spent = 0;
        for (std::uint64_t share = 8 * LOOK;; share *= 2)
            for (const bool deep : {true, false}) {
                const std::uint64_t limit = std::min(deep ? share : 4 * share, most == 0 ? UINT64_MAX : most - spent);
                const Result result = deep ? depth_first(limit) : by_numbers(limit);
                spent += limit;
                if (result.verdict != Verdict::Unknown || stop_ || spent == most) return result;
            }
    }

    template <class Begin>
    Result who_wins(int threads, Begin begin) {
        while (static_cast<int>(proofs_.size()) < threads)
            proofs_.push_back(std::make_unique<Proof<Kind, W>>(rules_, switches_, tables_.numbers(), marks_,
                                                               halt_, visited_));
        return together(proofs_, threads, [&](Proof<Kind, W>& proof) {
            begin(proof);
            const bool won = proof.black_wins(threads > 1);
            return Result{won ? Verdict::Win : Verdict::Loss, !won, proof.best_move()};
        });
    }

    template <class Begin>
    Result run(int threads, Begin begin) {
        return together(searches_, threads, [&](Search<Kind, W>& search) {
            begin(search);
            const Verdict verdict = search.depth_first(threads > 1);
            return Result{verdict, search.for_ever(), search.best_move()};
        });
    }

    // Threads look for the same answer; the first one that has it stops the others.
    template <class Worker, class Work>
    Result together(std::vector<std::unique_ptr<Worker>>& workers, int threads, Work work) {
        halt_ = false;
        marks_.forget();
        Result result;
        std::exception_ptr failure;
        std::mutex first;
        auto work_of = [&](int number) {
            Worker& worker = *workers[number];
            try {
                const Result found = work(worker);
                std::lock_guard lock(first);
                if (result.verdict == Verdict::Unknown) result = found;
                halt_ = true;
            } catch (const Stopped&) {
            } catch (...) {  // usually no memory; no exception may leave a thread
                std::lock_guard lock(first);
                failure = std::current_exception();
                halt_ = true;
            }
            worker.flush();
        };
        std::vector<std::thread> others;
        try {
            for (int number = 1; number < threads; ++number) others.emplace_back(work_of, number);
        } catch (...) {
            // The system gives no more threads; the others do the work.
        }
        work_of(0);
        for (auto& other : others) other.join();
        // What one thread has proved is valid, even if another has failed.
        if (result.verdict == Verdict::Unknown && failure) std::rethrow_exception(failure);
        return result;
    }

    static constexpr std::uint64_t LOOK = 500;  // positions of a first look at the numbers, by one thread

    typename Kind::Rules rules_;
    Switches switches_;
    Tables<W, Kind::carriers> tables_;
    Marks marks_;
    Halt halt_{stop_};
    // One for each thread.
    std::vector<std::unique_ptr<Search<Kind, W>>> searches_;
    std::vector<std::unique_ptr<Duel<W>>> duels_;
    std::vector<std::unique_ptr<Proof<Kind, W>>> proofs_;
};

}  // namespace skolemate
