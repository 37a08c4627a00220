// The engine as a module of Python: built for placement games, games of actions, or networks of rules.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "actions.hpp"
#include "engine.hpp"
#include "falling.hpp"
#include "faults.hpp"
#include "network.hpp"
#include "packing.hpp"
#include "placement.hpp"
#include "rules.hpp"
#include "tables.hpp"

namespace nb = nanobind;

namespace skolemate {

using RawGraph = std::tuple<std::vector<Raw>, Raw, Raw>;
using RawGoal = std::tuple<std::optional<std::vector<Raw>>, std::optional<RawGraph>>;

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
    const std::array<std::size_t, 2> sizes{static_cast<std::size_t>(cells), static_cast<std::size_t>(cells)};
    return std::make_unique<EngineOf<Placement<W>, W>>(std::move(rules), bytes, switches, cells, sizes);
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
    const std::array<std::size_t, 2> moves{actions[0].size(), actions[1].size()};
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
                                                     std::array{owners.size(), owners.size()});
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
