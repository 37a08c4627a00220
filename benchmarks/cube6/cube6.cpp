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

#include <ctime>

#include "games.hpp"

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
