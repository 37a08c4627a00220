// The tables of an engine, and what they hold as bytes, to be kept in a file.
//
// All that is in them is proved, or an estimate that decides nothing, so another search of the same game
// may use it. Bytes from a file are taken in only if they name cells and moves that there are: then they
// can make an answer wrong, if they were forged, but cannot make the engine read or write elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "bits.hpp"
#include "duel.hpp"
#include "proof.hpp"
#include "table.hpp"

namespace skolemate {

// Tables whose entries can be kept: 0 of depth-first search, 1 of proof numbers, 2 of duels.
class Kept {
public:
    static constexpr int TABLES = 3;
    static constexpr std::size_t PARTS = Table<Entry<1, false>>::PARTS;

    virtual ~Kept() = default;

    // The entries of a part of a table, while no search is running.
    virtual std::string saved(int table, std::size_t part) const = 0;

    // Take such entries in; false if they do not fit.
    virtual bool restore(int table, std::size_t part, std::string_view bytes) = 0;
};

template <int W, bool carriers>
class Tables : public Kept {
public:
    // Each may take so many bytes. The game has so many cells, and each player so many moves.
    Tables(std::size_t bytes, int cells, const std::array<std::size_t, 2>& moves)
        : bytes_(bytes), moves_(moves), entries_(bytes) {
        for (int cell = 0; cell < cells; ++cell) board_.set(cell);
    }

    Table<Entry<W, carriers>>& entries() { return entries_; }
    Table<Numbers<W>>& numbers() { return made(numbers_); }
    Table<Standing<W>>& standings() { return made(standings_); }

    std::string saved(int table, std::size_t part) const override {
        if (table == 0) return entries_.saved(part);
        if (table == 1 && numbers_) return numbers_->saved(part);
        if (table == 2 && standings_) return standings_->saved(part);
        return {};
    }

    bool restore(int table, std::size_t part, std::string_view bytes) override {
        const auto fits = [&](const auto& entry) { return entry.fits(board_, moves_[entry.tag & 1]); };
        if (part >= PARTS) return false;
        if (table == 0) return entries_.restore(part, bytes, fits);
        if (table == 1) return numbers().restore(part, bytes, fits);
        return table == 2 && standings().restore(part, bytes, fits);
    }

private:
    template <class Stored>
    Table<Stored>& made(std::unique_ptr<Table<Stored>>& table) {
        if (!table) table = std::make_unique<Table<Stored>>(bytes_);
        return *table;
    }

    std::size_t bytes_;
    std::array<std::size_t, 2> moves_;
    Bits<W> board_;
    Table<Entry<W, carriers>> entries_;
    std::unique_ptr<Table<Numbers<W>>> numbers_;
    std::unique_ptr<Table<Standing<W>>> standings_;
};

}  // namespace skolemate
