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
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace skolemate {

struct SimplifierRules {
    bool pure = true, subsumption = true, equivalence = true, elimination = true, blocked = true;
};

struct QuantifiedBlock {
    bool universal;
    std::span<const std::int32_t> variables;
};

class Simplifier {
public:
    Simplifier(const std::vector<QuantifiedBlock>& prefix, const SimplifierRules& rules)
        : rules_(rules) {
        int top = 0;
        for (const auto& block : prefix)
            for (const int variable : block.variables) top = std::max(top, variable);
        variables_.resize(top + 1);
        occurrences_.resize(2 * variables_.size());
        count_.resize(2 * variables_.size());
        mark_.resize(2 * variables_.size());
        queued_.resize(2 * variables_.size());
        for (std::size_t block = 0; block < prefix.size(); ++block) {
            universal_blocks_.push_back(prefix[block].universal);
            for (const int variable : prefix[block].variables) {
                auto& known = variables_[variable];
                known.block = known.level = static_cast<int>(block);
                known.universal = prefix[block].universal;
                known.outer = block == 0 && !known.universal;
            }
        }
    }

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

    void stop() { stop_ = true; }

    // The clauses that are left, an empty one if the formula is false.
    std::pair<std::vector<std::int32_t>, std::vector<std::int64_t>> clauses() const {
        if (false_) return {{}, {0, 0}};
        std::pair<std::vector<std::int32_t>, std::vector<std::int64_t>> left{{}, {0}};
        for (const auto& clause : clauses_) {
            if (clause.dead) continue;
            for (const Literal literal : of(clause)) left.first.push_back(number(literal));
            left.second.push_back(static_cast<std::int64_t>(left.first.size()));
        }
        return left;
    }

    // The literals of the outermost ∃ block that have been made true.
    std::vector<std::int32_t> settled() const {
        std::vector<std::int32_t> found;
        for (std::size_t variable = 1; variable < variables_.size(); ++variable)
            if (variables_[variable].outer && variables_[variable].value != 0)
                found.push_back(variables_[variable].value * static_cast<std::int32_t>(variable));
        return found;
    }

private:
    using Literal = std::uint32_t;  // twice the variable, and one more if it is negated

    struct Variable {
        int block = -1, level = -1;  // its block in the prefix; the same without empty blocks
        int value = 0;               // 1 true, -1 false
        bool universal = false, outer = false;
        bool to_eliminate = true;  // something about it has changed since it was last tried
    };

    struct Clause {
        std::size_t start;
        std::uint32_t size;
        bool made = false;  // by a rule, and not compared with the older ones
        bool dead = false, queued = true;
        std::uint64_t signature = 0;  // a bit for each variable, several have the same
    };

    // Effort is counted in literals that are looked at. All rules together get so many, which is
    // some seconds for a million clauses; small formulas are simplified until nothing changes.
    static constexpr std::uint64_t EFFORT = 60, LEAST_EFFORT = 20'000'000;
    static constexpr std::size_t MOST_OCCURRENCES = 16;  // on the lesser side, to be eliminated
    static constexpr std::size_t LONGEST_RESOLVENT = 64;

    static int number(Literal literal) {
        const int variable = static_cast<int>(literal / 2);
        return literal % 2 ? -variable : variable;
    }

    const Variable& variable(Literal literal) const { return variables_[literal / 2]; }
    int level(Literal literal) const { return variables_[literal / 2].level; }
    bool inner(Literal literal) const {
        return !variable(literal).universal && !variable(literal).outer;
    }
    int value(Literal literal) const {
        return literal % 2 ? -variable(literal).value : variable(literal).value;
    }

    std::span<const Literal> of(const Clause& clause) const {
        return {arena_.data() + clause.start, clause.size};
    }

    bool tired() const { return false_ || spent_ > effort_ || stop_.load(std::memory_order_relaxed); }

    // --- clauses ---

    void load(std::span<const std::int32_t> literals, std::span<const std::int64_t> offsets) {
        arena_.reserve(literals.size());
        clauses_.reserve(offsets.size());
        for (std::size_t i = 0; i + 1 < offsets.size() && !tired(); ++i) {
            buffer_.clear();
            for (const int given : literals.subspan(offsets[i], offsets[i + 1] - offsets[i])) {
                const auto variable = static_cast<std::size_t>(std::abs(given));
                if (variable >= variables_.size() || variables_[variable].block < 0)
                    throw std::invalid_argument("variable " + std::to_string(variable) +
                                                " is free; quantify it first");
                buffer_.push_back(2 * static_cast<Literal>(variable) + (given < 0));
            }
            add(buffer_);
        }
        loaded_ = true;
    }

    // Adds a clause; `literals` is used up.
    void add(std::vector<Literal>& literals) {
        ++stamp_;
        std::size_t kept = 0;
        for (const Literal literal : literals) {
            if (mark_[literal ^ 1] == stamp_ || value(literal) > 0) return;
            if (mark_[literal] == stamp_ || value(literal) < 0) continue;
            mark_[literal] = stamp_;
            literals[kept++] = literal;
        }
        literals.resize(kept);
        Clause clause{arena_.size(), static_cast<std::uint32_t>(kept), loaded_};
        arena_.insert(arena_.end(), literals.begin(), literals.end());
        const auto place = static_cast<std::uint32_t>(clauses_.size());
        for (const Literal literal : literals) {
            ++count_[literal];
            occurrences_[literal].push_back(place);
            may_block(literal);
        }
        clauses_.push_back(clause);
        queue_.push_back(place);
        has_changed(place);
    }

    void kill(std::uint32_t place) {
        auto& clause = clauses_[place];
        clause.dead = true;
        changed_ = true;
        for (const Literal literal : of(clause)) lose(literal);
    }

    void shorten(std::uint32_t place, Literal literal) {
        auto& clause = clauses_[place];
        Literal* begin = arena_.data() + clause.start;
        static_cast<void>(std::remove(begin, begin + clause.size, literal));
        --clause.size;
        lose(literal);
        has_changed(place);
    }

    // Of a clause that is new or has become shorter.
    void has_changed(std::uint32_t place) {
        auto& clause = clauses_[place];
        changed_ = true;
        reduce(clause);
        clause.signature = 0;
        for (const Literal literal : of(clause)) {
            clause.signature |= 1ull << (literal / 2 * 0x9E3779B97F4A7C15ull >> 58);
            variables_[literal / 2].to_eliminate = true;
        }
        if (clause.size == 0) false_ = true;
        if (clause.size == 1) units_.push_back(of(clause)[0]);
        if (!clause.queued) queue_.push_back(place);
        clause.queued = true;
    }

    // Universal reduction: ∀ falsifies what it chooses after all ∃ literals of the clause.
    void reduce(Clause& clause) {
        int innermost = -1;
        for (const Literal literal : of(clause))
            if (!variable(literal).universal) innermost = std::max(innermost, level(literal));
        Literal* begin = arena_.data() + clause.start;
        std::size_t kept = 0;
        for (const Literal literal : of(clause)) {
            if (variable(literal).universal && level(literal) > innermost)
                lose(literal);
            else
                begin[kept++] = literal;
        }
        clause.size = static_cast<std::uint32_t>(kept);
    }

    // A clause with the literal has gone, or has lost it.
    void lose(Literal literal) {
        if (--count_[literal] == 0) lonely_.push_back(literal);
        variables_[literal / 2].to_eliminate = true;
        may_block(literal ^ 1);
    }

    void may_block(Literal literal) {
        if (queued_[literal] || !inner(literal)) return;
        queued_[literal] = true;
        to_block_.push_back(literal);
    }

    // The clauses with a literal. Lists are tidied when they are needed: a clause that has gone or
    // has lost the literal stays until then.
    const std::vector<std::uint32_t>& with(Literal literal) {
        auto& list = occurrences_[literal];
        if (list.size() != count_[literal]) {
            std::erase_if(list, [&](std::uint32_t place) {
                const auto& clause = clauses_[place];
                if (clause.dead) return true;
                const auto literals = of(clause);
                spent_ += literals.size();
                return std::find(literals.begin(), literals.end(), literal) == literals.end();
            });
        }
        return list;
    }

    // --- units and pure literals ---

    void propagate() {
        while (!false_ && !stop_.load(std::memory_order_relaxed)) {
            if (!units_.empty()) {
                const Literal literal = units_.back();
                units_.pop_back();
                assign(literal);
            } else if (rules_.pure && !lonely_.empty()) {
                const Literal literal = lonely_.back();
                lonely_.pop_back();
                if (count_[literal] == 0 && count_[literal ^ 1] > 0)
                    assign(variable(literal).universal ? literal : literal ^ 1);
            } else {
                break;
            }
        }
    }

    void assign(Literal literal) {
        if (value(literal) < 0) false_ = true;
        if (value(literal) != 0) return;
        variables_[literal / 2].value = literal % 2 ? -1 : 1;
        for (const auto place : with(literal)) kill(place);
        for (const auto place : with(literal ^ 1)) shorten(place, literal ^ 1);
        occurrences_[literal] = occurrences_[literal ^ 1] = {};
    }

    // Blocks of which no variable occurs any more separate nothing.
    void merge_levels() {
        std::vector<bool> occupied(universal_blocks_.size());
        for (std::size_t v = 1; v < variables_.size(); ++v)
            if (count_[2 * v] + count_[2 * v + 1] > 0) occupied[variables_[v].block] = true;
        std::vector<int> levels(universal_blocks_.size());
        int level = -1;
        bool before = false;
        for (std::size_t block = 0; block < levels.size(); ++block) {
            if (occupied[block] && (level < 0 || universal_blocks_[block] != before)) {
                ++level;
                before = universal_blocks_[block];
            }
            levels[block] = level;
        }
        if (levels == levels_) return;
        levels_ = levels;
        for (Literal literal = 2; literal < occurrences_.size(); ++literal) {
            auto& known = variables_[literal / 2];
            if (known.block < 0) continue;
            known.level = levels[known.block];
            known.to_eliminate = true;
            may_block(literal);
        }
    }

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
    std::vector<Variable> variables_;
    std::vector<bool> universal_blocks_;
    std::vector<int> levels_;  // of each block
    std::vector<Literal> arena_;
    std::vector<Clause> clauses_;
    std::vector<std::vector<std::uint32_t>> occurrences_;  // of each literal: see `with`
    std::vector<std::uint32_t> count_;                     // of each literal: clauses with it
    std::vector<std::uint64_t> mark_;
    std::uint64_t stamp_ = 0;
    std::vector<Literal> units_, lonely_;     // to be assigned, if still so
    std::vector<std::uint32_t> queue_;        // clauses that may subsume others
    std::vector<Literal> to_block_;           // literals by which clauses may be blocked
    std::vector<bool> queued_;                // of each literal: whether it is there
    std::vector<Literal> buffer_;
    bool loaded_ = false, false_ = false, changed_ = false;
    std::uint64_t effort_ = UINT64_MAX, spent_ = 0;
    std::atomic<bool> stop_{false};
};

}  // namespace skolemate
