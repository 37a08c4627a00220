// The engine for Python: one class, built for placement games or for games of actions.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

#include "actions.hpp"
#include "duel.hpp"
#include "extraction.hpp"
#include "falling.hpp"
#include "faults.hpp"
#include "network.hpp"
#include "packing.hpp"
#include "placement.hpp"
#include "proof.hpp"
#include "rules.hpp"
#include "search.hpp"
#include "tables.hpp"

namespace nb = nanobind;

namespace skolemate {

using Raw = std::vector<std::uint64_t>;  // a mask, word by word
using RawGraph = std::tuple<std::vector<Raw>, Raw, Raw>;
using RawGoal = std::tuple<std::optional<std::vector<Raw>>, std::optional<RawGraph>>;

template <int W>
Bits<W> bits(const Raw& raw) {
    Bits<W> set;
    for (std::size_t i = 0; i < raw.size() && i < W; ++i) set.words[i] = raw[i];
    return set;
}

Switches switches_without(const std::vector<std::string>& names) {
    Switches switches;
    const std::map<std::string, bool*> known = {
        {"table", &switches.table},         {"threats", &switches.threats},
        {"time", &switches.time},           {"must_play", &switches.must_play},
        {"domination", &switches.domination}, {"pairing", &switches.pairing},
        {"relaxation", &switches.relaxation}, {"links", &switches.links},
        {"reserves", &switches.reserves},     {"inferior", &switches.inferior},
        {"proof_numbers", &switches.proof_numbers}, {"sequences", &switches.sequences},
        {"races", &switches.races},           {"parts", &switches.parts},
        {"depth_first", &switches.depth_first},
    };
    for (const auto& name : names) {
        auto entry = known.find(name);
        if (entry == known.end()) throw nb::value_error("no such method of the engine");
        *entry->second = false;
    }
    return switches;
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
             std::size_t moves)
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
                return duel(b, w, rules_.turns[turn], most);
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
            const auto by_numbers = [&](std::uint64_t limit) { return who_wins(begin(false, limit)); };
            return switches_.depth_first ? in_turn(most, depth_first, by_numbers) : by_numbers(most);
        } else {
            if constexpr (std::is_same_v<Kind, Actions<W>>)
                if (switches_.proof_numbers && switches_.table && rules_.ends(b, w, left))
                    return who_wins([&](auto& search) {
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

    Result duel(const Bits<W>& black, const Bits<W>& white, int mover, std::uint64_t most)
        requires(Kind::carriers)
    {
        if (!duel_)
            duel_ = std::make_unique<Duel<W>>(*rules_.black.graph, *rules_.blocking, rules_.symmetry,
                                              switches_, tables_.standings(), halt_, visited_);
        halt_ = false;
        Result result;
        try {
            const bool won = duel_->black_wins(black, white, mover, most);
            result = {won ? Verdict::Win : Verdict::Loss, !won, duel_->best_move()};
        } catch (const Stopped&) {
        }
        duel_->flush();
        return result;
    }

    // Depth-first search and proof numbers in turn, with growing limits: each takes long where the other
    // may be quick. Both keep what they have found in tables. A position of the one takes about as long
    // as four of the other. A look at the numbers comes first: along a proof they know the answer.
    template <class DepthFirst, class ByNumbers>
    Result in_turn(std::uint64_t most, const DepthFirst& depth_first, const ByNumbers& by_numbers) {
        constexpr std::uint64_t LOOK = 500;
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
    Result who_wins(Begin begin) {
        if (!proof_)
            proof_ = std::make_unique<Proof<Kind, W>>(rules_, switches_, tables_.numbers(), halt_, visited_);
        halt_ = false;
        Result result;
        try {
            begin(*proof_);
            const bool won = proof_->black_wins();
            result = {won ? Verdict::Win : Verdict::Loss, !won, proof_->best_move()};
        } catch (const Stopped&) {
        }
        proof_->flush();
        return result;
    }

    template <class Begin>
    Result run(int threads, Begin begin) {
        halt_ = false;
        marks_.forget();
        Result result;
        std::exception_ptr failure;
        std::mutex first;
        auto work = [&](int number) {
            auto& search = *searches_[number];
            try {
                begin(search);
                const Verdict verdict = search.depth_first(threads > 1);
                std::lock_guard lock(first);
                if (result.verdict == Verdict::Unknown)
                    result = {verdict, search.for_ever(), search.best_move()};
                halt_ = true;
            } catch (const Stopped&) {
            } catch (...) {  // usually no memory; no exception may leave a thread
                std::lock_guard lock(first);
                failure = std::current_exception();
                halt_ = true;
            }
            search.flush();
        };
        std::vector<std::thread> others;
        try {
            for (int number = 1; number < threads; ++number) others.emplace_back(work, number);
        } catch (...) {
            // The system gives no more threads; the others do the work.
        }
        work(0);
        for (auto& other : others) other.join();
        // What one thread has proved is valid, even if another has failed.
        if (result.verdict == Verdict::Unknown && failure) std::rethrow_exception(failure);
        return result;
    }

    typename Kind::Rules rules_;
    Switches switches_;
    Tables<W, Kind::carriers> tables_;
    Marks marks_;
    std::unique_ptr<Duel<W>> duel_;
    std::unique_ptr<Proof<Kind, W>> proof_;
    Halt halt_{stop_};
    std::vector<std::unique_ptr<Search<Kind, W>>> searches_;
};

template <int W>
Graph<W> graph(const RawGraph& raw) {
    Graph<W> made;
    for (const auto& row : std::get<0>(raw)) made.near.push_back(bits<W>(row));
    made.start = bits<W>(std::get<1>(raw));
    made.end = bits<W>(std::get<2>(raw));
    return made;
}

template <int W>
Goal<W> goal(const RawGoal& raw) {
    Goal<W> made;
    if (const auto& sets = std::get<0>(raw)) {
        made.any = true;
        for (const auto& set : *sets) made.sets.push_back(bits<W>(set));
    }
    if (const auto& path = std::get<1>(raw)) {
        made.any = true;
        made.graph = graph<W>(*path);
    }
    return made;
}

using Permutations = std::vector<std::vector<std::uint16_t>>;

template <int W>
std::unique_ptr<Engine> placement_of(int cells, const std::vector<std::uint8_t>& turns,
                                     const RawGoal& black, const RawGoal& white,
                                     const std::optional<RawGraph>& blocking,
                                     const std::optional<Raw>& first_moves,
                                     const Permutations& symmetries, std::size_t bytes,
                                     const Switches& switches) {
    typename Placement<W>::Rules rules;
    rules.cells = cells;
    rules.black = goal<W>(black);
    rules.white = goal<W>(white);
    if (blocking) rules.blocking = graph<W>(*blocking);
    rules.turns = turns;
    if (first_moves) rules.first_moves = bits<W>(*first_moves);
    rules.symmetry = Symmetry<W>(cells, symmetries);
    return std::make_unique<EngineOf<Placement<W>, W>>(std::move(rules), bytes, switches, cells, cells);
}

using RawPattern = std::array<Raw, 5>;
using RawAction = std::array<Raw, 8>;
using RawMeasure = std::tuple<std::array<std::vector<int>, 3>, int>;

template <int W, std::size_t N>
Pattern<W> pattern(const std::array<Raw, N>& raw) {
    return {bits<W>(raw[0]), bits<W>(raw[1]), bits<W>(raw[2]), bits<W>(raw[3]), bits<W>(raw[4])};
}

template <int W>
std::unique_ptr<Engine> actions_of(int cells, const std::array<std::vector<RawAction>, 2>& actions,
                                   const std::array<std::vector<RawPattern>, 2>& goals,
                                   bool never_stuck, const std::vector<RawMeasure>& measures,
                                   const Permutations& symmetries,
                                   std::size_t bytes, const Switches& switches) {
    typename Actions<W>::Rules rules;
    rules.cells = cells;
    rules.never_stuck = never_stuck;
    for (int player = 0; player < 2; ++player) {
        for (const auto& raw : actions[player])
            rules.actions[player].push_back(
                {pattern<W>(raw), bits<W>(raw[5]), bits<W>(raw[6]), bits<W>(raw[7])});
        for (const auto& raw : goals[player]) rules.goals[player].push_back(pattern<W>(raw));
    }
    const Symmetry<W> symmetry(cells, symmetries);
    const std::size_t moves = std::max(actions[0].size(), actions[1].size());
    if (rules.packing()) {
        typename Packing<W>::Rules filling;
        filling.symmetry = symmetry;
        for (int player = 0; player < 2; ++player)
            for (const auto& action : rules.actions[player])
                filling.actions[player].push_back(action.changed());
        filling.prepare();
        return std::make_unique<EngineOf<Packing<W>, W>>(std::move(filling), bytes, switches, cells, moves);
    }
    if (never_stuck)
        if (auto falling = Falling<W>::Rules::from(cells, rules.actions, rules.goals, symmetry))
            return std::make_unique<EngineOf<Falling<W>, W>>(std::move(*falling), bytes, switches, cells,
                                                              moves);
    rules.symmetry = symmetry;
    for (const auto& [weights, least] : measures) rules.measures.push_back({weights, least});
    rules.prepare();
    return std::make_unique<EngineOf<Actions<W>, W>>(std::move(rules), bytes, switches, cells, moves);
}

template <int W>
std::unique_ptr<Engine> network_of(int facts, const std::vector<std::uint8_t>& owners,
                                   const std::vector<std::vector<int>>& gates, std::size_t settled,
                                   const std::vector<int>& legal, const std::vector<int>& next,
                                   const std::array<int, 2>& won, const Raw& relevant,
                                   std::size_t bytes, const Switches& switches) {
    typename Network<W>::Rules rules{facts, owners, gates, settled, legal, next, won,
                                     bits<W>(relevant)};
    rules.prepare();
    return std::make_unique<EngineOf<Network<W>, W>>(std::move(rules), bytes, switches, facts,
                                                     owners.size());
}

// The least number of words that holds the board.
template <class Make>
std::unique_ptr<Engine> fitting(int cells, Make make) {
    if (cells <= 64) return make(std::integral_constant<int, 1>{});
    if (cells <= 128) return make(std::integral_constant<int, 2>{});
    if (cells <= 256) return make(std::integral_constant<int, 4>{});
    if (cells <= 384) return make(std::integral_constant<int, 6>{});
    throw nb::value_error("the engine's boards have at most 384 cells");
}

NB_MODULE(_engine, m) {
#ifdef FAULTS
    // Let one in so many allocations fail; returns how many have, in the asking thread and elsewhere.
    m.def("fail", [](std::uint64_t seed, std::uint64_t one_in, bool elsewhere) {
        faults.seed = seed;
        faults.one_in = one_in;
        faults.elsewhere = elsewhere;
        return std::make_tuple(faults.asking.exchange(0), faults.others.exchange(0));
    });
#endif
    nb::class_<Result>(m, "Result")
        .def_prop_ro("won", [](const Result& result) -> std::optional<bool> {
            if (result.verdict == Verdict::Unknown) return std::nullopt;
            return result.verdict == Verdict::Win;
        })
        .def_ro("for_ever", &Result::for_ever)
        .def_prop_ro("move", [](const Result& result) -> std::optional<int> {
            if (result.move < 0) return std::nullopt;
            return result.move;
        });
    m.attr("TABLES") = Kept::TABLES;
    m.attr("PARTS") = Kept::PARTS;
    nb::class_<Engine>(m, "Engine")
        .def("ask", &Engine::ask, nb::call_guard<nb::gil_scoped_release>())
        .def("links", &Engine::links, nb::call_guard<nb::gil_scoped_release>())
        .def("prove", &Engine::prove, nb::call_guard<nb::gil_scoped_release>())
        .def("saved",
             [](Engine& engine, int table, std::size_t part) {
                 const std::string bytes = engine.tables().saved(table, part);
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("restore",
             [](Engine& engine, int table, std::size_t part, const nb::bytes& bytes) {
                 return engine.tables().restore(table, part, {bytes.c_str(), bytes.size()});
             })
        .def("ready", &Engine::ready)
        .def("stop", &Engine::stop)
        .def_prop_ro("visited", &Engine::visited);
    m.def("placement",
          [](int cells, const std::vector<std::uint8_t>& turns, const RawGoal& black,
             const RawGoal& white, const std::optional<RawGraph>& blocking,
             const std::optional<Raw>& first_moves, const Permutations& symmetries,
             std::size_t bytes, const std::vector<std::string>& without) {
              return fitting(cells, [&](auto words) {
                  return placement_of<words>(cells, turns, black, white, blocking, first_moves,
                                             symmetries, bytes, switches_without(without));
              });
          },
          nb::arg("cells"), nb::arg("turns"), nb::arg("black"), nb::arg("white"),
          nb::arg("blocking").none(), nb::arg("first_moves").none(), nb::arg("symmetries"),
          nb::arg("bytes"), nb::arg("without"));
    m.def("actions",
          [](int cells, const std::array<std::vector<RawAction>, 2>& actions,
             const std::array<std::vector<RawPattern>, 2>& goals, bool never_stuck,
             const std::vector<RawMeasure>& measures, const Permutations& symmetries, std::size_t bytes,
             const std::vector<std::string>& without) {
              return fitting(cells, [&](auto words) {
                  return actions_of<words>(cells, actions, goals, never_stuck, measures, symmetries,
                                           bytes, switches_without(without));
              });
          },
          nb::arg("cells"), nb::arg("actions"), nb::arg("goals"), nb::arg("never_stuck"),
          nb::arg("measures"), nb::arg("symmetries"), nb::arg("bytes"), nb::arg("without"));
    m.def("network",
          [](int facts, const std::vector<std::uint8_t>& owners,
             const std::vector<std::vector<int>>& gates, std::size_t settled,
             const std::vector<int>& legal, const std::vector<int>& next,
             const std::array<int, 2>& won, const Raw& relevant, std::size_t bytes,
             const std::vector<std::string>& without) {
              return fitting(facts, [&](auto words) {
                  return network_of<words>(facts, owners, gates, settled, legal, next, won,
                                           relevant, bytes, switches_without(without));
              });
          },
          nb::arg("facts"), nb::arg("owners"), nb::arg("gates"), nb::arg("settled"),
          nb::arg("legal"), nb::arg("next"), nb::arg("won"), nb::arg("relevant"),
          nb::arg("bytes"), nb::arg("without"));
}

}  // namespace skolemate
