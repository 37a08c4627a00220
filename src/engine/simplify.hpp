// Simplification of quantified formulas in prenex conjunctive form.
//
// Every rule keeps the truth value and, if the outermost block is ∃, more: each solution of that
// block in the result, with the values that were settled, is a solution of it before. An inner rule
// changes the strategy of an inner variable only, so it is never applied to a variable of the
// outermost block. "Inside" is the order of the prefix; of the variables of one block, any may be
// taken to be the last.
//
//   always       universal reduction, unit clauses, clauses with x and ¬x, repeated literals
//   pure         ∃ makes a literal true whose negation does not occur, ∀ makes it false
//   subsumption  C ⊆ D: without D; A ∨ l and A ∨ ¬l ∨ B: without ¬l. The matrix means the same.
//   equivalence  literals that imply each other by clauses of two are replaced by the outermost one
//   elimination  an inner ∃ variable x is resolved away, if in all clauses with x, or in all clauses
//                with ¬x, no other variable is inside x. (Then x may be: some clause with x, apart
//                from x, is false. That depends only on what is chosen before x.)
//   blocked      without C, if for an inner ∃ literal l of C every clause with ¬l has the negation
//                of another literal of C that is not inside l. (Then l may become true wherever
//                the literals of C that are not inside l are false.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "matrix.hpp"

namespace skolemate {

struct SimplifierRules {
    bool pure = true, subsumption = true, equivalence = true, elimination = true, blocked = true;
};

class Simplifier : public Matrix {
public:
    Simplifier(const std::vector<QuantifiedBlock>& prefix, const SimplifierRules& rules)
        : Matrix(prefix, rules.pure), rules_(rules) {}

    // Simplify until nothing changes, the effort is spent, or `stop` was called. Clause i is
    // literals[offsets[i]:offsets[i + 1]]. To be called once.
    void run(std::span<const std::int32_t> literals, std::span<const std::int64_t> offsets) {
        load(literals, offsets);
        effort_ = LEAST_EFFORT + EFFORT * arena_.size();
        for (Literal literal = 2; literal < occurrences_.size(); ++literal)
            if (count_[literal] == 0) lonely_.push_back(literal);
        do {
            changed_ = false;
            propagate();
            merge_levels();
            if (rules_.subsumption) subsume();
            if (rules_.equivalence) replace_equivalents();
            if (rules_.elimination) eliminate();
            if (rules_.blocked) remove_blocked();
        } while (changed_ && !tired());
        propagate();
    }

private:
    // Effort is counted in literals that are looked at. All rules together get so many, which is
    // some seconds for a million clauses; small formulas are simplified until nothing changes.
    static constexpr std::uint64_t EFFORT = 60, LEAST_EFFORT = 20'000'000;
    static constexpr std::size_t MOST_OCCURRENCES = 16;  // on the lesser side, to be eliminated
    static constexpr std::size_t LONGEST_RESOLVENT = 64;

    // --- subsumption ---

    void subsume() {
        while (!queue_.empty() && !tired()) {
            std::vector<std::uint32_t> batch = std::exchange(queue_, {});
            std::stable_sort(batch.begin(), batch.end(), [&](std::uint32_t a, std::uint32_t b) {
                return clauses_[a].size < clauses_[b].size;
            });
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (tired()) {
                    queue_.insert(queue_.end(), batch.begin() + i, batch.end());
                    return;
                }
                clauses_[batch[i]].queued = false;
                if (clauses_[batch[i]].made) compare_with_older(batch[i]);
                if (!clauses_[batch[i]].dead && !false_) subsume_by(batch[i]);
            }
        }
    }

    void subsume_by(std::uint32_t place) {
        const auto& clause = clauses_[place];
        ++stamp_;
        Literal rarest = of(clause)[0];
        std::size_t fewest = SIZE_MAX;
        for (const Literal literal : of(clause)) {
            mark_[literal] = stamp_;
            const std::size_t met = count_[literal] + count_[literal ^ 1];
            if (met < fewest) rarest = literal, fewest = met;
        }
        for (const Literal side : {rarest, rarest ^ 1}) {
            for (const auto other : with(side)) {
                const auto& candidate = clauses_[other];
                ++spent_;
                if (other == place || candidate.dead || candidate.size < clause.size) continue;
                if (clause.signature & ~candidate.signature) continue;
                spent_ += candidate.size;
                const Overlap shared = overlap(candidate);
                if (shared.same == clause.size)
                    kill(other);
                else if (shared.same + 1 == clause.size && shared.opposite == 1)
                    shorten(other, shared.clash);
            }
        }
        propagate();
    }

    // A clause that was made later has to be compared with those that are not in the queue, too.
    void compare_with_older(std::uint32_t place) {
        clauses_[place].made = false;
        const std::vector<Literal> literals(of(clauses_[place]).begin(), of(clauses_[place]).end());
        for (std::size_t i = 0; i < 2 * literals.size() && !clauses_[place].dead; ++i) {
            const Literal side = literals[i / 2] ^ (i % 2);
            for (const auto other : with(side)) {
                const auto &clause = clauses_[place], &older = clauses_[other];
                ++spent_;
                if (other == place || older.dead || older.size > clause.size) continue;
                if (older.signature & ~clause.signature) continue;
                ++stamp_;
                for (const Literal literal : of(clause)) mark_[literal] = stamp_;
                spent_ += clause.size + older.size;
                const Overlap shared = overlap(older);
                if (shared.same == older.size) {
                    kill(place);
                    break;
                }
                if (shared.same + 1 == older.size && shared.opposite == 1)
                    shorten(place, shared.clash ^ 1);
            }
        }
        propagate();
    }

    struct Overlap {
        std::uint32_t same = 0, opposite = 0;
        Literal clash = 0;  // the last one that is opposite
    };

    // The literals of a clause that are marked, and those of which the negation is.
    Overlap overlap(const Clause& clause) const {
        Overlap shared;
        for (const Literal literal : of(clause)) {
            if (mark_[literal] == stamp_) ++shared.same;
            if (mark_[literal ^ 1] == stamp_) ++shared.opposite, shared.clash = literal;
        }
        return shared;
    }

    // --- equivalent literals ---

    // Tarjan's strongly connected components of the implications in clauses of two.
    void replace_equivalents() {
        const std::size_t size = occurrences_.size();
        std::vector<std::uint32_t> first(size + 1), low(size), number_of(size);
        std::vector<Literal> implied;
        for (const auto& clause : clauses_)
            if (!clause.dead && clause.size == 2)
                for (const Literal literal : of(clause)) ++first[(literal ^ 1) + 1];
        for (std::size_t i = 0; i < size; ++i) first[i + 1] += first[i];
        implied.resize(first[size]);
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        for (const auto& clause : clauses_) {
            if (clause.dead || clause.size != 2) continue;
            const auto literals = of(clause);
            implied[next[literals[0] ^ 1]++] = literals[1];
            implied[next[literals[1] ^ 1]++] = literals[0];
        }
        spent_ += size + clauses_.size();
        std::copy(first.begin(), first.end() - 1, next.begin());
        std::vector<Literal> path, component;
        std::vector<std::vector<Literal>> components;
        std::uint32_t visited = 0;
        for (Literal root = 2; root < size; ++root) {
            if (number_of[root] != 0 || first[root] == first[root + 1]) continue;
            path.push_back(root);
            while (!path.empty()) {
                const Literal here = path.back();
                if (number_of[here] == 0) {
                    number_of[here] = low[here] = ++visited;
                    component.push_back(here);
                }
                if (next[here] < first[here + 1]) {
                    const Literal there = implied[next[here]++];
                    if (number_of[there] == 0)
                        path.push_back(there);
                    else
                        low[here] = std::min(low[here], low[there]);
                    continue;
                }
                path.pop_back();
                if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[here]);
                if (low[here] != number_of[here]) continue;
                std::vector<Literal> found;
                do {
                    found.push_back(component.back());
                    component.pop_back();
                    low[found.back()] = UINT32_MAX;  // of no component that is still open
                } while (found.back() != here);
                if (found.size() > 1) components.push_back(std::move(found));
            }
        }
        for (const auto& equal : components) {
            if (tired()) return;
            replace(equal);
        }
        propagate();
    }

    void replace(const std::vector<Literal>& equal) {
        const auto order = [&](Literal literal) {
            return std::make_tuple(level(literal), !variable(literal).outer, literal / 2);
        };
        const Literal chosen = *std::min_element(
            equal.begin(), equal.end(), [&](Literal a, Literal b) { return order(a) < order(b); });
        for (const Literal literal : equal) {
            if (literal == chosen) continue;
            // ∀ chooses it to differ from what was chosen before, or it is its own negation.
            if (variable(literal).universal || literal / 2 == chosen / 2) {
                false_ = true;
                return;
            }
            // The mirrored component has replaced it, or its value must stay in sight.
            if (variable(literal).outer || count_[literal] + count_[literal ^ 1] == 0) continue;
            for (const Literal sign : {0u, 1u}) {
                const std::vector<std::uint32_t> places = with(literal ^ sign);
                for (const auto place : places) {
                    const auto old = of(clauses_[place]);
                    buffer_.assign(old.begin(), old.end());
                    std::replace(buffer_.begin(), buffer_.end(), literal ^ sign, chosen ^ sign);
                    spent_ += buffer_.size();
                    kill(place);
                    add(buffer_);
                }
            }
        }
    }

    // --- elimination ---

    void eliminate() {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> candidates;
        for (std::uint32_t v = 1; v < variables_.size(); ++v) {
            const std::uint64_t positive = count_[2 * v], negative = count_[2 * v + 1];
            if (!variables_[v].to_eliminate || !inner(2 * v) || positive + negative == 0) continue;
            variables_[v].to_eliminate = false;
            if (std::min(positive, negative) <= MOST_OCCURRENCES)
                candidates.emplace_back(positive * negative, v);
        }
        std::sort(candidates.begin(), candidates.end());
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const std::uint32_t v = candidates[i].second;
            if (tired())
                variables_[v].to_eliminate = true;
            else if (variables_[v].value == 0)
                eliminate(2 * v);
        }
    }

    void eliminate(Literal x) {
        const std::vector<std::uint32_t> positive = with(x), negative = with(x ^ 1);
        if (std::min(positive.size(), negative.size()) > MOST_OCCURRENCES) return;
        if (!last_in(positive, x) && !last_in(negative, x)) return;
        const std::size_t most = positive.size() + negative.size();
        std::vector<std::vector<Literal>> resolvents;
        for (const auto one : positive) {
            ++stamp_;
            for (const Literal literal : of(clauses_[one])) mark_[literal] = stamp_;
            for (const auto other : negative) {
                spent_ += clauses_[other].size + 1;
                buffer_.clear();
                bool satisfied = false;
                for (const Literal literal : of(clauses_[other])) {
                    if (literal == (x ^ 1)) continue;
                    if (mark_[literal ^ 1] == stamp_) satisfied = true;
                    if (mark_[literal] != stamp_) buffer_.push_back(literal);
                }
                if (satisfied) continue;
                for (const Literal literal : of(clauses_[one]))
                    if (literal != x) buffer_.push_back(literal);
                if (buffer_.size() > LONGEST_RESOLVENT || resolvents.size() == most) return;
                resolvents.push_back(buffer_);
            }
        }
        for (const auto* side : {&positive, &negative})
            for (const auto place : *side) kill(place);
        for (auto& resolvent : resolvents) add(resolvent);
        propagate();
    }

    // Whether no variable in these clauses is inside that of x.
    bool last_in(const std::vector<std::uint32_t>& places, Literal x) {
        for (const auto place : places) {
            spent_ += clauses_[place].size;
            for (const Literal literal : of(clauses_[place]))
                if (level(literal) > level(x)) return false;
        }
        return true;
    }

    // --- blocked clauses ---

    void remove_blocked() {
        while (!to_block_.empty() && !tired()) {
            const Literal literal = to_block_.back();
            to_block_.pop_back();
            queued_[literal] = false;
            if (count_[literal] == 0) continue;
            for (const auto place : with(literal))
                if (is_blocked(place, literal)) kill(place);
        }
        propagate();
    }

    bool is_blocked(std::uint32_t place, Literal by) {
        ++stamp_;
        for (const Literal literal : of(clauses_[place]))
            if (literal != by && level(literal) <= level(by)) mark_[literal ^ 1] = stamp_;
        spent_ += clauses_[place].size;
        for (const auto other : with(by ^ 1)) {
            const auto literals = of(clauses_[other]);
            spent_ += literals.size();
            if (std::none_of(literals.begin(), literals.end(),
                             [&](Literal literal) { return mark_[literal] == stamp_; }))
                return false;
        }
        return true;
    }

    SimplifierRules rules_;
};

}  // namespace skolemate
