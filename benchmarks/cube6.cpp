// White blocks every line of the cube 6x6x6: a search for the proof, and games played with it.
//
// `make check-cubes` builds and runs it: two minutes of CPU time and 300 MB for the search.
// usage: cube6 [PLAYS]    (1000 games)
//
// Black moves first and wants a line of six cells, White wants a stone in every line. A line is
// *live* if it has no white stone. For a set X of live lines, N(X) are the cells of its lines
// without a black stone. X is *served* if |N(X)| >= 2|X|. If every X is served, then by Hall's
// theorem each live line gets two cells of its own, and White answers in these pairs: White blocks.
//
// *Watched* are the 24 cells on seven lines. White usually replies there. We keep track of Black's
// stones on watched cells, and only count the others: these are the k *counted* stones. The proof
// has two halves. Small sets, of up to 3 lines, stay served because White repairs them. Large sets
// are served in the end because White's stones leave few live lines.
//
// SMALL SETS. Before each move of Black, all sets of up to 3 live lines are served. At the start
// they are. Let Black move at u. Sets of up to 3 lines that are no longer served were *tight*
// before, |N(X)| = 2|X|, and u was in N(X). Let X and Y be two of them. |N| is submodular:
//     |N(X and Y)| + |N(X or Y)| <= |N(X) and N(Y)| + |N(X) or N(Y)| = 2|X and Y| + 2|X or Y|.
// The union, of up to 6 lines, was served (see below). So the intersection was tight, and
// N(X and Y) = N(X) and N(Y), which has u: the intersection is not empty, and is no longer served.
// So there is a smallest set X0 that is not served, and it lies in all the others. White replies on
// any open cell of X0. There is one, since |N(X0)| = 2|X0| - 1. This kills a line of X0, so no
// such set is left; for the other lines N does not change. We call this a *forced* round. After
// it, every set of up to 3 live lines is served again. In particular each live line has two open
// cells before each move of Black, so Black has no line.
//
// Sets of 4 to 6 lines: write e(X) for the number of cells of X, minus 2|X|. The program checks that
// e(X) >= 11 for all connected sets of 4 to 6 lines. With at most 11 black stones these are served.
// A set that is not connected is served if its parts are. So this half works until Black has
// STONES = 12 stones. By then the position must be safe.
//
// LARGE SETS. A position, with Black to move, is *safe* if |N(X)| >= 2|X| + k for each connected X
// of 4 or more live lines, where N(X) now ignores the counted stones, and connected means: by cells
// of N(X). Then all sets are served wherever these stones are: parts of 4 or more lines by this,
// smaller parts by the first half, and different parts have no cell of N in common. The search
// proves that White reaches a safe position. In each round Black takes a watched cell or one more
// counted stone. Then White takes a watched cell, or the round is forced. In a forced round we do
// not use White's stone. (It is an extra stone: it only kills more lines, and a safe position stays
// safe. Black's watched cells are all known, so White's next watched cell is open, or already has
// such an extra stone. Then White plays anywhere.) Hence r = |W| + f black stones after |W| free and
// f forced rounds, and k = r - |B|.
//
// HOW MANY ROUNDS ARE FORCED, with up to 12 black stones? Let X be the set X0 of a forced round. It
// is connected by open cells, and has e(X) + 1 black stones: 2|X| - 1 of its cells are open. Each
// part of it is served. If X has two lines, each has four stones, and White replies where they
// cross. If X has three lines, White replies where two of them cross on an open cell. So White kills
// the whole X, except that one line is left of three. Let U be the union of the sets X of f forced
// rounds. The program checks that e >= 4, 7, 9, 11, 12, 11 for connected sets of 1 to 6 lines.
// - If the sets have no common line, each cell of U that is not black was open in one of the sets X
//   when X had its forced round. These are at most the sum of 2|X| - 1 = 2|U| - f cells. So U has at
//   least e(U) + f black stones. Here e(U) is the sum for the parts of U. So e(U) >= 11 if |U| is 4,
//   5 or 6, connected or not (4 + 9 is the least sum). Then f >= 2, and these are 13 stones: too
//   many. If |U| > 6, some of the sets, at least two, have 4 to 6 lines together: the same. So
//   |U| <= 3. Three lines that are not connected have e(U) >= 4 + 7 and f >= 2: 13 stones.
// - Otherwise two of the sets have a common line. The first, X, has three lines, and the common line
//   is the line L that was left. Let Y be the second. If Y = {L}, L had two open cells or more after
//   the first round and now has one. So Black has one more stone in X, and U = X has at least
//   e(X) + 2 black stones, as above. If Y is larger, {L} is served in the second round, as Y is the
//   smallest set that is not. So L has two open cells then, which were open in the first round, too.
//   Of the cells of X and Y together, at most 5 + 3 - 2 = 6 (|Y| = 2) or 5 + 5 - 2 = 8 (|Y| = 3) are
//   not black. Then at least 11 + 8 - 6 = 13 or 12 + 10 - 8 = 14 are: too many. So Y = {L}, and at
//   most 4 cells of X are not black. A third set Z has no line of X: after X only L was live, and L
//   had one more forced round; and if Z came before X, X would be a single line, as just seen. e of X
//   and Z together is at least 11, 12, 11 for |Z| = 1, 2, 3, connected or not (9 + 4, 9 + 7, 9 + 9).
//   So there are at least 19 - 5, 22 - 7, 23 - 9 black stones, in any order: too many.
// So always |U| <= 3, and U has at least e(U) + f black stones. Those on watched cells are known:
//   (*) there are 1 to 3 lines U, f <= |U|, connected if three, with k >= e(U) + f - |B in U|.
// The search considers a forced round whenever (*) allows it; in the first one the lines of U = X
// are live, so they have no cell of W.
//
// One kind of line is left out in (*): the four space diagonals, which lie on watched cells. The
// search gives a position up if Black, to move, has three stones on one without a stone of W, and
// also if Black has just got three there, with 10 or more in all. (All Black's stones on a diagonal
// are known.) So after Black's move a live diagonal has at most three stones, and at most two if
// Black has 10 or more. But each line of X has at least three stones, and exactly three only if X
// has three lines, hence Black at least 10. For one line has 5. Two lines have two open cells each,
// one in common, so 4 stones each. Three lines have at most 4 each, and at least 10 black cells
// together on a triangle, 11 else. If one of them had at most two, it would be a triangle with
// 4 + 4 + 2 and no black crossing; the two lines with 4 would cross on an open cell and have three
// open cells together: not served.

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

using Stones = std::uint32_t;  // a set of watched cells, by their numbers
using Cells = std::bitset<512>;
using Numbers = std::vector<int>;

constexpr int SMALL = 3;     // lines in a small set
constexpr int STONES = 12;   // of Black, when the position must be safe
constexpr int REPLIES = 7;   // of White, tried for each move of Black
constexpr int WATCHED = 7;   // a cell on so many lines is watched

void require(bool fact, const char* text) {
    if (!fact) {
        std::printf("wrong: %s\n", text);
        std::exit(1);
    }
}

struct Board {
    int cells = 0;
    std::vector<Numbers> lines, through;  // through: the lines of a cell
    Numbers watched, number;              // number: of a watched cell, else -1
    std::vector<Stones> on;               // the watched cells of a line
    std::vector<char> diagonal;           // whether a line lies on watched cells
    std::vector<Stones> planes;           // only for the order of White's replies
    std::vector<Numbers> turns;           // the symmetries, on the watched cells

    void watch(int least) {
        through.assign(cells, {});
        for (int line = 0; line < int(lines.size()); ++line)
            for (int cell : lines[line]) through[cell].push_back(line);
        number.assign(cells, -1);
        for (int cell = 0; cell < cells; ++cell)
            if (int(through[cell].size()) >= least) {
                number[cell] = int(watched.size());
                watched.push_back(cell);
            }
        require(watched.size() <= 24, "at most 24 cells are watched");
        for (const Numbers& line : lines) {
            on.push_back(0);
            for (int cell : line)
                if (number[cell] >= 0) on.back() |= Stones(1) << number[cell];
        }
        diagonal.assign(lines.size(), 0);
    }
};

Board cube(int side) {
    Board board;
    board.cells = side * side * side;
    const auto cell = [&](const std::array<int, 3>& at) { return at[0] + side * (at[1] + side * at[2]); };
    std::set<Numbers> lines;
    for (int code = 0; code < board.cells * 27; ++code) {
        std::array<int, 3> at{code % side, code / side % side, code / side / side % side}, step{};
        int rest = code / board.cells;
        bool starts = rest != 13;  // 13 is no step at all
        for (int i = 0; i < 3; ++i, rest /= 3) {
            step[i] = rest % 3 - 1;
            starts = starts && (step[i] == 0 || at[i] == (step[i] > 0 ? 0 : side - 1));
        }
        if (!starts) continue;
        Numbers line;
        for (int i = 0; i < side; ++i) {
            line.push_back(cell(at));
            for (int j = 0; j < 3; ++j) at[j] += step[j];
        }
        std::sort(line.begin(), line.end());
        lines.insert(line);
    }
    board.lines.assign(lines.begin(), lines.end());
    board.watch(WATCHED);
    for (int line = 0; line < int(board.lines.size()); ++line)
        board.diagonal[line] = std::popcount(board.on[line]) == side;
    for (int axis = 0; axis < 3; ++axis)
        for (int at = 0; at < side; ++at) {
            Stones plane = 0;
            for (int i = 0; i < int(board.watched.size()); ++i) {
                const int c = board.watched[i];
                if (std::array<int, 3>{c % side, c / side % side, c / side / side}[axis] == at)
                    plane |= Stones(1) << i;
            }
            board.planes.push_back(plane);
        }
    // the symmetries of the cube, and permutations of the numbers 0 to side - 1 for all coordinates
    Numbers inner(side), axes{0, 1, 2};
    std::iota(inner.begin(), inner.end(), 0);
    std::set<Numbers> turns;
    do {
        bool opposite = true;
        for (int i = 0; i < side; ++i) opposite = opposite && inner[side - 1 - i] == side - 1 - inner[i];
        if (!opposite) continue;
        do
            for (int turned = 0; turned < 8; ++turned) {
                Numbers turn(board.cells), short_turn;
                for (int c = 0; c < board.cells; ++c) {
                    const std::array<int, 3> at{c % side, c / side % side, c / side / side};
                    std::array<int, 3> to{};
                    for (int i = 0; i < 3; ++i) {
                        to[i] = inner[at[axes[i]]];
                        if (turned >> i & 1) to[i] = side - 1 - to[i];
                    }
                    turn[c] = cell(to);
                }
                for (Numbers line : board.lines) {
                    for (int& c : line) c = turn[c];
                    std::sort(line.begin(), line.end());
                    require(lines.contains(line), "a symmetry maps lines to lines");
                }
                for (int c : board.watched) short_turn.push_back(board.number[turn[c]]);
                turns.insert(short_turn);
            }
        while (std::next_permutation(axes.begin(), axes.end()));
    } while (std::next_permutation(inner.begin(), inner.end()));
    board.turns.assign(turns.begin(), turns.end());
    return board;
}

// Sets of lines that are connected where two lines cross, and their values e.
class Sets {
public:
    explicit Sets(const Board& board) : board_(board), next_(board.lines.size()) {
        for (const Numbers& lines : board.through)
            for (int line : lines)
                for (int other : lines)
                    if (other != line) next_[line].insert(other);
    }

    int extra(const Numbers& set) const {
        Cells cells;
        for (int line : set)
            for (int cell : board_.lines[line]) cells.set(cell);
        return int(cells.count()) - 2 * int(set.size());
    }

    std::set<Numbers> larger(const std::set<Numbers>& sets) const {
        std::set<Numbers> all;
        for (const Numbers& set : sets)
            for (int line : set)
                for (int other : next_[line])
                    if (std::find(set.begin(), set.end(), other) == set.end()) {
                        Numbers more = set;
                        more.insert(std::upper_bound(more.begin(), more.end(), other), other);
                        all.insert(more);
                    }
        return all;
    }

    std::set<Numbers> single() const {
        std::set<Numbers> all;
        for (int line = 0; line < int(next_.size()); ++line) all.insert({line});
        return all;
    }

private:
    const Board& board_;
    std::vector<std::set<int>> next_;
};

// The facts about e in the comment above; the sets of up to three lines.
std::vector<Numbers> small_sets(const Board& board) {
    const Sets sets(board);
    std::vector<Numbers> small;
    std::set<Numbers> now = sets.single();
    const std::array<int, 6> facts{4, 7, 9, 11, 12, 11};
    for (int size = 1; size <= 5; ++size) {
        int least = 999;
        std::set<Numbers> few;
        for (const Numbers& set : now) {
            const int extra = sets.extra(set);
            least = std::min(least, extra);
            if (size <= SMALL && size != 2) small.push_back(set);
            // a further line has 6 cells and crosses up to 4: e does not get smaller from 4 lines to 5
            if (size < 4 || extra <= facts[4]) few.insert(set);
        }
        std::printf("%d lines: e >= %d\n", size, least);
        // of 5 lines, those with e < 12 come from 4 lines with e < 12, so these are all here
        require(least >= facts[size - 1], "e is large");
        now = size < 5 ? sets.larger(few) : few;
    }
    for (int line = 0; line < int(board.lines.size()); ++line)  // pairs need not be connected
        for (int other = 0; other < line; ++other) small.push_back({other, line});
    // a sixth line has 6 cells and crosses up to 5: e gets smaller by at most 1
    require(facts[4] - 1 >= facts[5], "e is large for 6 lines");
    return small;
}

// Whether all connected sets of more than SMALL live lines are served, with `counted` cells to spare.
class Safety {
public:
    explicit Safety(const Board& board, int small = SMALL) : board_(board), small_(small) {}

    bool operator()(Stones white, Stones black, int counted) {
        counted_ = counted;
        open_.clear();
        std::vector<Numbers> through(board_.cells);
        for (int line = 0; line < int(board_.lines.size()); ++line) {
            if (board_.on[line] & white) continue;
            Numbers open;
            for (int cell : board_.lines[line]) {
                const int number = board_.number[cell];
                if (number >= 0 && black >> number & 1) continue;
                open.push_back(cell);
                through[cell].push_back(int(open_.size()));
            }
            open_.push_back(open);
        }
        const int live = int(open_.size());
        const auto cells = std::count_if(through.begin(), through.end(), [](auto& t) { return !t.empty(); });
        if (live > small_ && cells < 2 * live + counted) {
            // not safe, if the live lines are connected; to fail is sound in any case
            return false;
        }
        next_.assign(live, {});
        for (int line = 0; line < live; ++line) {
            for (int cell : open_[line])
                for (int other : through[cell])
                    if (other != line) next_[line].push_back(other);
            std::sort(next_[line].begin(), next_[line].end());
            next_[line].erase(std::unique(next_[line].begin(), next_[line].end()), next_[line].end());
        }
        owner_.assign(board_.cells, -1);
        seen_.assign(live, 0);
        round_ = 0;
        for (int line = 0; line < live; ++line)
            for (int i = 0; i < 2; ++i)
                if (!give_one({line})) return false;
        done_.assign(live, 0);
        const Numbers pairs = owner_;
        for (int line = 0; line < live; ++line) {
            if (!spare({line}, 0)) return false;
            done_[line] = 1;
            owner_ = pairs;
        }
        return true;
    }

private:
    // One cell more for one of these lines, while no other line loses any: by augmenting paths.
    bool give_one(const Numbers& lines) {
        ++round_;
        return std::any_of(lines.begin(), lines.end(), [&](int l) { return seen_[l] != round_ && give(l); });
    }

    bool give(int line) {
        seen_[line] = round_;
        for (int cell : open_[line])
            if (owner_[cell] < 0) {
                owner_[cell] = line;
                return true;
            }
        for (int cell : open_[line]) {
            const int other = owner_[cell];
            if (seen_[other] != round_ && give(other)) {
                owner_[cell] = line;
                return true;
            }
        }
        return false;
    }

    // Whether each connected set of more than small_ lines that has these lines, and no line that is
    // done, has `counted` cells to spare. If the lines get so many cells more, all larger sets do.
    bool spare(const Numbers& lines, int spared) {
        while (spared < counted_ && give_one(lines)) ++spared;
        if (spared == counted_) return true;
        if (int(lines.size()) > small_) return false;
        const Numbers before = owner_;
        Numbers done;
        bool all = true;
        for (int line : lines)
            for (int other : next_[line]) {
                if (!all || done_[other] || std::find(lines.begin(), lines.end(), other) != lines.end())
                    continue;
                Numbers more = lines;
                more.push_back(other);
                all = spare(more, spared);
                owner_ = before;
                done_[other] = 1;
                done.push_back(other);
            }
        for (int line : done) done_[line] = 0;
        return all;
    }

    const Board& board_;
    int small_, counted_ = 0, round_ = 0;
    std::vector<Numbers> open_, next_;  // of the live lines
    Numbers owner_, seen_;
    std::vector<char> done_;
};

struct Key {
    Stones white, black;
    int number;
    bool operator==(const Key&) const = default;
};

struct Hash {
    std::size_t operator()(const Key& key) const {
        return (key.white * 0x9E3779B97F4A7C15u) ^ (key.black * 0xC2B2AE3D27D4EB4Fu) ^ key.number * 0x165667B19E3779F9u;
    }
};

class Block {
public:
    // sets: U in (*), at most `stones` of Black
    Block(const Board& board, const std::vector<Numbers>& sets, int stones = STONES, int small = SMALL)
        : board_(board), safety_(board, small), stones_(stones), small_(small) {
        const Sets values(board);
        for (const Numbers& set : sets) {
            if (std::any_of(set.begin(), set.end(), [&](int l) { return board.diagonal[l]; })) continue;
            Stones on = 0;
            for (int line : set) on |= board.on[line];
            unions_.push_back({on, int(set.size()), values.extra(set)});
        }
        for (const Numbers& turn : board.turns) {
            std::array<std::array<Stones, 256>, 3> table{};
            for (int part = 0; part < 3; ++part)
                for (int byte = 0; byte < 256; ++byte)
                    for (int i = 0; i < 8; ++i)
                        if (byte >> i & 1 && part * 8 + i < int(turn.size()))
                            table[part][byte] |= Stones(1) << turn[part * 8 + i];
            tables_.push_back(table);
        }
    }

    // Whether White blocks, with Black to move, after |white| free rounds and so many forced ones.
    bool holds(Stones white = 0, Stones black = 0, int forced = 0) {
        const auto [key, turn] = alike(white, black, forced);
        if (const auto at = known_.find(key); at != known_.end()) return at->second;
        std::tie(white, black) = std::pair(key.white, key.black);
        const int stones = std::popcount(white) + forced;
        ++tests;
        bool result = on_diagonal(white, black) <= 2 && safety_(white, black, stones - std::popcount(black));
        safe += result;
        if (result) most = std::max(most, stones);
        if (!result && stones < stones_ && on_diagonal(white, black) <= 2) {
            result = true;
            std::set<std::pair<Stones, Stones>> tried;
            for (int move = -1; move < int(board_.watched.size()) && result; ++move) {
                const Stones stone = move < 0 ? 0 : Stones(1) << move;
                if ((white | black) & stone) continue;
                const Key after = alike(white, black | stone, forced).first;
                if (!tried.insert({after.white, after.black}).second) continue;
                result = answers(after.white, after.black, forced);
            }
        }
        return known_[key] = result;
    }

    // White's reply in a round that is not forced, or -1: Black's last stone is among the black ones.
    int reply(Stones white, Stones black, int forced) {
        const auto [key, turn] = alike(white, black, forced);
        if (!replies_.contains(key)) {
            int best = -1;
            std::set<std::pair<Stones, Stones>> tried;
            for (int number : order(key.white, key.black)) {
                const Stones after = key.white | Stones(1) << number;
                const Key next = alike(after, key.black, forced).first;
                if (!tried.insert({next.white, next.black}).second) continue;
                if (int(tried.size()) > REPLIES) break;
                if (holds(after, key.black, forced)) {
                    best = number;
                    break;
                }
            }
            replies_[key] = best;
        }
        const int number = replies_[key];
        if (number < 0) return -1;
        const Numbers& there = board_.turns[turn];
        return int(std::find(there.begin(), there.end(), number) - there.begin());
    }

    // Whether (*) allows so many forced rounds. In the first one, the lines of U = X are live.
    bool forcible(Stones white, Stones black, int forced, int counted) {
        if (forced > 1) white = 0;
        auto& least = least_[{white, black, forced}];
        if (least == 0) {
            least = 99;
            for (const Union& lines : unions_)
                if (lines.size >= forced && lines.size <= small_ * forced && !(lines.on & white))
                    least = std::min(least, lines.extra + forced - std::popcount(lines.on & black));
        }
        return counted >= least;
    }

    bool is_safe(Stones white, Stones black, int counted) { return safety_(white, black, counted); }
    std::size_t positions() const { return known_.size(); }
    long tests = 0, safe = 0;
    int most = 0;  // black stones in a position that is safe

private:
    struct Union {
        Stones on;
        int size, extra;
    };

    bool answers(Stones white, Stones black, int forced) {
        const int stones = std::popcount(white) + forced + 1, counted = stones - std::popcount(black);
        if (stones >= 10 && on_diagonal(white, black) > 2) return false;
        if (forcible(white, black, forced + 1, counted) && !holds(white, black, forced + 1)) return false;
        return reply(white, black, forced) >= 0;
    }

    // The most stones that Black has on a live diagonal.
    int on_diagonal(Stones white, Stones black) const {
        int most = 0;
        for (int line = 0; line < int(board_.lines.size()); ++line)
            if (board_.diagonal[line] && !(board_.on[line] & white))
                most = std::max(most, std::popcount(board_.on[line] & black));
        return most;
    }

    // First the cells on many live lines, and on planes that have black stones and no white one.
    Numbers order(Stones white, Stones black) const {
        std::vector<std::pair<int, int>> worth;
        for (int number = 0; number < int(board_.watched.size()); ++number) {
            if ((white | black) >> number & 1) continue;
            int value = 0;
            for (int line : board_.through[board_.watched[number]])
                if (!(board_.on[line] & white)) value += 100 + std::popcount(board_.on[line] & black);
            for (Stones plane : board_.planes)
                if (plane >> number & 1 && !(plane & white)) value += 30 + 70 * std::popcount(plane & black);
            worth.push_back({-value, number});
        }
        std::sort(worth.begin(), worth.end());
        Numbers numbers;
        for (const auto& [value, number] : worth) numbers.push_back(number);
        return numbers;
    }

    // The same for symmetric positions, and the symmetry.
    std::pair<Key, int> alike(Stones white, Stones black, int number) const {
        std::pair<Stones, Stones> best{~Stones(0), ~Stones(0)};
        int turn = -1;
        for (int i = 0; i < int(tables_.size()); ++i) {
            const auto& table = tables_[i];
            const auto turned = [&](Stones s) { return table[0][s & 255] | table[1][s >> 8 & 255] | table[2][s >> 16]; };
            const Stones now = turned(white);
            if (now > best.first) continue;
            const std::pair pair(now, turned(black));
            if (pair < best) std::tie(best, turn) = std::pair(pair, i);
        }
        return {{best.first, best.second, number}, turn};
    }

    const Board& board_;
    Safety safety_;
    int stones_, small_;
    std::vector<Union> unions_;
    std::vector<std::array<std::array<Stones, 256>, 3>> tables_;
    std::unordered_map<Key, bool, Hash> known_;
    std::unordered_map<Key, int, Hash> replies_, least_;
};

// White's strategy in real games. It needs the sets of (*) to find forced rounds.
class Play {
public:
    Play(const Board& board, Block& block, const std::vector<Numbers>& sets, std::mt19937& random)
        : board_(board), block_(block), sets_(sets), random_(random), color_(board.cells, 0) {}

    // A game against an attacker: an error if Black wins, or if White has no reply.
    void run() {
        const double greed = std::uniform_real_distribution(0.3, 1.0)(random_);
        const double watched = std::uniform_real_distribution(0.0, 0.6)(random_);
        for (int open = board_.cells; open > 0; open -= 2) {
            if (!paired_ && block_.is_safe(white_, black_, free_ + forced - std::popcount(black_))) pair();
            rounds += !paired_;
            const int move = attack(greed, watched);
            color_[move] = 1;
            for (const Numbers& line : board_.lines)
                require(!std::all_of(line.begin(), line.end(), [&](int c) { return color_[c] == 1; }),
                        "Black has no line");
            if (open == 1) return;
            int cell = paired_ ? partner_[move] : answer(move);
            require(cell < 0 || color_[cell] <= 0, "White's reply is not on a black stone");
            if (cell < 0 || color_[cell] != 0) cell = any();
            color_[cell] = -1;
        }
    }

    int rounds = 0, forced = 0;  // until the position is safe

private:
    bool live(int line) const {
        return std::none_of(board_.lines[line].begin(), board_.lines[line].end(), [&](int c) { return color_[c] < 0; });
    }

    int stones(int line) const {
        return int(std::count_if(board_.lines[line].begin(), board_.lines[line].end(), [&](int c) { return color_[c] > 0; }));
    }

    int any() {
        Numbers open;
        for (int cell = 0; cell < board_.cells; ++cell)
            if (color_[cell] == 0) open.push_back(cell);
        return open[random_() % open.size()];
    }

    int attack(double greed, double watched) {
        const auto chance = [&] { return std::uniform_real_distribution(0.0, 1.0)(random_); };
        if (chance() > greed) return any();
        if (chance() < watched) {
            const int cell = board_.watched[random_() % board_.watched.size()];
            if (color_[cell] == 0) return cell;
        }
        std::vector<double> worth(board_.cells);
        for (int line = 0; line < int(board_.lines.size()); ++line)
            if (live(line))
                for (int cell : board_.lines[line]) worth[cell] += std::pow(3.0, stones(line));
        int best = any();
        for (int cell = 0; cell < board_.cells; ++cell)
            if (color_[cell] == 0 && worth[cell] * (0.8 + 0.4 * chance()) > worth[best]) best = cell;
        return best;
    }

    int answer(int move) {
        if (board_.number[move] >= 0) black_ |= Stones(1) << board_.number[move];
        const int counted = free_ + forced + 1 - std::popcount(black_);
        // the smallest set that is not served
        const Numbers* least = nullptr;
        std::vector<const Numbers*> broken;
        for (const Numbers& set : sets_) {
            if (!std::all_of(set.begin(), set.end(), [&](int l) { return live(l); })) continue;
            Cells open;
            for (int line : set)
                for (int cell : board_.lines[line])
                    if (color_[cell] == 0) open.set(cell);
            if (open.count() < 2 * set.size()) broken.push_back(&set);
        }
        for (const Numbers* set : broken)
            if (!least || set->size() < least->size()) least = set;
        for (const Numbers* set : broken)
            require(std::includes(set->begin(), set->end(), least->begin(), least->end()),
                    "each small set that is not served has the smallest one");
        if (least) {
            ++forced;
            require(block_.forcible(white_, black_, forced, counted), "(*) allows this forced round");
            int best = -1, most = 0;
            for (int line : *least)
                for (int cell : board_.lines[line])
                    if (color_[cell] == 0) {
                        const auto& lines = board_.through[cell];
                        const int kills = int(std::count_if(lines.begin(), lines.end(), [&](int l) {
                            return std::find(least->begin(), least->end(), l) != least->end();
                        }));
                        if (kills > most) std::tie(best, most) = std::pair(cell, kills);
                    }
            return best;
        }
        ++free_;
        const int number = block_.reply(white_, black_, forced);
        require(number >= 0, "White has a reply");
        white_ |= Stones(1) << number;
        return board_.watched[number];
    }

    // Two cells for each live line, by augmenting paths.
    void pair() {
        paired_ = true;
        partner_.assign(board_.cells, -1);
        Numbers owner(board_.cells, -1);
        for (int line = 0; line < int(board_.lines.size()); ++line)
            for (int i = 0; i < 2 && live(line); ++i) {
                Cells seen;
                require(give(line, owner, seen), "each live line has two cells of its own");
            }
        std::map<int, int> first;
        for (int cell = 0; cell < board_.cells; ++cell)
            if (owner[cell] >= 0) {
                if (const auto at = first.find(owner[cell]); at != first.end()) {
                    partner_[cell] = at->second;
                    partner_[at->second] = cell;
                } else {
                    first[owner[cell]] = cell;
                }
            }
    }

    bool give(int line, Numbers& owner, Cells& seen) {
        for (int cell : board_.lines[line]) {
            if (color_[cell] != 0 || seen[cell] || owner[cell] == line) continue;
            seen.set(cell);
            if (owner[cell] < 0 || give(owner[cell], owner, seen)) {
                owner[cell] = line;
                return true;
            }
        }
        return false;
    }

    const Board& board_;
    Block& block_;
    const std::vector<Numbers>& sets_;
    std::mt19937& random_;
    Numbers color_, partner_;
    Stones white_ = 0, black_ = 0;
    int free_ = 0;
    bool paired_ = false;
};

int main(int arguments, char** values) {
    const int plays = arguments > 1 ? std::atoi(values[1]) : 1000;
    const Board board = cube(6);
    std::printf("%zu lines, %zu cells watched, %zu symmetries\n", board.lines.size(), board.watched.size(),
                board.turns.size());
    const std::vector<Numbers> sets = small_sets(board);
    Block block(board, sets);
    const bool holds = block.holds();
    std::printf("%s\n", holds ? "White blocks every line" : "not proved");
    std::printf("%zu positions; %ld tests, %ld of them safe; at most %d black stones; %.1f s of CPU\n",
                block.positions(), block.tests, block.safe, block.most, double(std::clock()) / CLOCKS_PER_SEC);
    if (!holds) return 1;
    std::mt19937 random(6);
    std::map<int, int> rounds, forced;
    for (int i = 0; i < plays; ++i) {
        Play play(board, block, sets, random);
        play.run();
        ++rounds[play.rounds];
        ++forced[play.forced];
    }
    std::printf("%d games against attackers: Black has won none\nrounds until safe:", plays);
    for (const auto& [number, games] : rounds) std::printf(" %d in %d games", number, games);
    std::printf("\nforced rounds:");
    for (const auto& [number, games] : forced) std::printf(" %d in %d games", number, games);
    std::printf("\n");
}
