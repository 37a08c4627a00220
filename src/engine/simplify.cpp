// The simplifier for Python: flat arrays in, flat arrays out.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simplify.hpp"

namespace nb = nanobind;

namespace skolemate {

template <class Number>
using Given = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Number>
using Made = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

template <class Number>
std::span<const Number> view(const Given<Number>& array) {
    return {array.data(), array.size()};
}

// A vector as an array that owns it.
template <class Number>
Made<Number> array(std::vector<Number> numbers) {
    auto* kept = new std::vector<Number>(std::move(numbers));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return Made<Number>(kept->data(), {kept->size()}, owner);
}

SimplifierRules rules_named(const std::vector<std::string>& names) {
    SimplifierRules rules{false, false, false, false, false};
    const std::map<std::string, bool*> known = {
        {"pure", &rules.pure},
        {"subsumption", &rules.subsumption},
        {"equivalence", &rules.equivalence},
        {"elimination", &rules.elimination},
        {"blocked", &rules.blocked},
    };
    for (const auto& name : names) {
        auto entry = known.find(name);
        if (entry == known.end()) throw nb::value_error("no such rule of the simplifier");
        *entry->second = true;
    }
    return rules;
}

NB_MODULE(_simplify, m) {
    nb::class_<Simplifier>(m, "Simplifier")
        .def("__init__",
             [](Simplifier* made,
                const std::vector<std::pair<bool, Given<std::int32_t>>>& prefix,
                const std::vector<std::string>& rules) {
                 std::vector<QuantifiedBlock> blocks;
                 for (const auto& [universal, variables] : prefix)
                     blocks.push_back({universal, view(variables)});
                 new (made) Simplifier(blocks, rules_named(rules));
             })
        .def("run",
             [](Simplifier& simplifier, const Given<std::int32_t>& literals,
                const Given<std::int64_t>& offsets) {
                 simplifier.run(view(literals), view(offsets));
             },
             nb::call_guard<nb::gil_scoped_release>())
        .def("stop", &Simplifier::stop)
        .def("clauses",
             [](const Simplifier& simplifier) {
                 auto [literals, offsets] = simplifier.clauses();
                 return std::make_pair(array(std::move(literals)), array(std::move(offsets)));
             })
        .def("settled", [](const Simplifier& s) { return array(s.settled()); });
}

}  // namespace skolemate
