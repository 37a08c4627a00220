// The clauses of a quantified formula, for the rules of simplify.hpp: by universal reduction, units and
// pure literals they are kept as short as these make them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skolemate {

struct QuantifiedBlock {
    bool universal;
    std::span<const std::int32_t> variables;
};

class Matrix {
public:
    Matrix(const std::vector<QuantifiedBlock>& prefix, bool pure) : pure_(pure) {
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

protected:
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
            } else if (pure_ && !lonely_.empty()) {
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

    bool pure_;  // pure literals are assigned
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
