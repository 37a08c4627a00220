// Virtual connections: what a player can join whatever the opponent does, without search.
//
// Points are open cells, groups of own stones, and the two borders. A link joins two points for a
// player even if the opponent moves first; a half link needs him to move first. Its carrier holds
// the open cells that this needs, the points themselves left out. Neighbours are linked by nothing.
// - Two links that meet in a point, with nothing else in common, are one link if his stones are
//   there, and a half link if the point is an open cell: that is where he moves first.
// - Half links of two points with no cell common to all are a link: wherever the opponent
//   intrudes, one of them is left.
// By induction a link is made good within as many plies as its carrier has cells, the opponent's
// first one counted, and so is a half link: each intrusion takes a cell, each answer another, and if
// the opponent plays elsewhere he may be taken to have intruded.
// Not all links are found: lists are short, and so is the work on one position, which small boards
// never use up and large ones always do. None is wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <tuple>
#include <vector>

#include "bits.hpp"
#include "goals.hpp"
#include "rules.hpp"

namespace skolemate {

// Two points, -1 for a border, and ways from one to the other, each gap, cell, gap, cell, ..., gap.
// A gap is the number of an earlier link; -1 between neighbours.
using Link = std::tuple<int, int, std::vector<std::vector<int>>>;

template <int W>
class Links {
public:
    explicit Links(Effort& effort) : effort_(effort) {}

    // Carriers of more cells than `most` are of no use. Afterwards `whole` are the links of the
    // borders, `half` their half links.
    void find(const Graph<W>& graph, const Bits<W>& own, const Bits<W>& open, int most) {
        most_ = most;
        tried_ = steps_ = told_ = 0;
        fresh_.clear();
        points(graph, own, open);
        for (std::size_t x = 0; x < points_.size(); ++x)
            for (std::size_t y = x + 1; y < points_.size(); ++y)
                if (hit(points_[x].near, points_[y]))
                    add_link(static_cast<int>(x), static_cast<int>(y), {});
        while (!fresh_.empty() && tried_ < MOST_TRIED && !spent()) {
            const Fresh link = fresh_.front();
            fresh_.pop_front();
            join(link.x, link.y, link.carrier);
            join(link.y, link.x, link.carrier);
            if (!pair(0, 1).links.empty()) break;
        }
        for (auto* found : {&pair(0, 1).links, &pair(0, 1).halves})  // the quickest first
            std::stable_sort(found->begin(), found->end(), [](const Bits<W>& a, const Bits<W>& b) {
                return a.count() < b.count();
            });
    }

    const std::vector<Bits<W>>& whole() { return pair(0, 1).links; }
    const std::vector<Bits<W>>& half() { return pair(0, 1).halves; }

    // Where to move first to make a half link of the borders good.
    int key(const Bits<W>& half) {
        for (std::size_t i = 2; i < points_.size(); ++i) {
            if (!hit(half, points_[i])) continue;
            for (const auto& one : pair(0, static_cast<int>(i)).links)
                for (const auto& other : pair(1, static_cast<int>(i)).links)
                    if ((one | other).within(half) && !one.meets(other)) return points_[i].cell;
        }
        return -1;
    }

    // What the quickest link of the borders is made of; the last is that link itself.
    std::vector<Link> explained() {
        explained_.clear();
        known_.clear();
        if (!whole().empty()) explain(0, 1, whole().front());
        return explained_;
    }

private:
    static constexpr std::size_t MOST_LINKS = 6, MOST_HALVES = 12;
    static constexpr std::uint64_t BETWEEN = 1024;  // steps between two looks at the effort
    static constexpr int MOST_TRIED = 40'000;
    static constexpr std::uint64_t MOST_STEPS = 5'000'000;  // some fifty milliseconds

    struct Point {
        int cell = -1;   // -1: stones or a border
        Bits<W> near;    // open cells
        int stone = -1;  // the cell, or one of the stones
    };
    struct Pair {
        std::vector<Bits<W>> links, halves;
    };
    struct Fresh {
        int x, y;
        Bits<W> carrier;
    };

    Pair& pair(int x, int y) {
        return pairs_[static_cast<std::size_t>(std::min(x, y)) * points_.size() + std::max(x, y)];
    }

    void points(const Graph<W>& graph, const Bits<W>& own, const Bits<W>& open) {
        points_.clear();
        Bits<W> grouped;
        for (const Bits<W>& border : {graph.start, graph.end}) {
            const Bits<W> group = graph.flood(border & own, own);
            grouped |= group;
            points_.push_back({-1, (border | graph.around(group)) & open});
        }
        for (Bits<W> rest = own.minus(grouped); rest.any();) {
            const Bits<W> group = graph.flood(Bits<W>::one(rest.first()), own);
            rest = rest.minus(group);
            points_.push_back({-1, graph.around(group) & open, group.first()});
        }
        open.each([&](int cell) { points_.push_back({cell, graph.near[cell] & open, cell}); });
        pairs_.resize(std::max(pairs_.size(), points_.size() * points_.size()));
        for (std::size_t i = 0; i < points_.size() * points_.size(); ++i) {
            pairs_[i].links.clear();
            pairs_[i].halves.clear();
        }
    }

    // Whether no more work is to be done here. The lists are as they should be whenever it stops.
    bool spent(std::size_t steps = 1) {
        steps_ += steps;
        if (steps_ >= told_ + BETWEEN) {
            effort_.spend(steps_ - told_);
            told_ = steps_;
        }
        return steps_ > MOST_STEPS;
    }

    static bool hit(const Bits<W>& carrier, const Point& point) {
        return point.cell >= 0 && carrier.test(point.cell);
    }

    // The new link from `end` to `middle`, continued by every other one from there.
    void join(int end, int middle, const Bits<W>& carrier) {
        const bool stones = points_[middle].cell < 0;
        if (stones && middle < 2) return;  // a border is an end
        if (spent(points_.size())) return;
        for (int other = 0; other < static_cast<int>(points_.size()); ++other) {
            if (other == end || other == middle || hit(carrier, points_[other])) continue;
            // By index: the lists of this pair do not change here, those of others may.
            const auto& onward = pair(middle, other).links;
            for (std::size_t i = 0; i < onward.size(); ++i) {
                if (++tried_ > MOST_TRIED || spent()) return;
                if (onward[i].meets(carrier) || hit(onward[i], points_[end])) continue;
                Bits<W> both = carrier | onward[i];
                if (stones) {
                    add_link(end, other, both);
                } else {
                    both.set(points_[middle].cell);
                    add_half(end, other, both);
                }
            }
        }
    }

    bool covered(const std::vector<Bits<W>>& known, const Bits<W>& carrier) {
        spent(known.size());
        for (const auto& other : known)
            if (other.within(carrier)) return true;
        return false;
    }

    void add_link(int x, int y, const Bits<W>& carrier) {
        auto& known = pair(x, y).links;
        if (carrier.count() > most_ || covered(known, carrier)) return;
        std::erase_if(known, [&](const Bits<W>& other) { return carrier.within(other); });
        if (known.size() >= MOST_LINKS) return;
        known.push_back(carrier);
        fresh_.push_back({x, y, carrier});
    }

    void add_half(int x, int y, const Bits<W>& carrier) {
        auto& known = pair(x, y).halves;
        if (carrier.count() > most_ || covered(pair(x, y).links, carrier) || covered(known, carrier))
            return;
        std::erase_if(known, [&](const Bits<W>& other) { return carrier.within(other); });
        if (known.size() >= (x + y == 1 ? 4 : 1) * MOST_HALVES) return;
        unite(x, y, carrier, carrier, 0, 3);
        known.push_back(carrier);
    }

    void unite(int x, int y, const Bits<W>& common, const Bits<W>& all, std::size_t from, int more) {
        const auto& known = pair(x, y).halves;
        for (std::size_t i = from; i < known.size() && !spent(); ++i) {
            const Bits<W> rest = common & known[i];
            if (rest == common) continue;
            if (!rest.any())
                add_link(x, y, all | known[i]);
            else if (more > 0)
                unite(x, y, rest, all | known[i], i + 1, more - 1);
        }
    }

    // The number of a link of two points that needs no more than this carrier. What was found once is
    // still there, or something smaller is; and what it is made of needs less, so this comes to an end.
    int explain(int x, int y, const Bits<W>& carrier) {
        if (hit(points_[x].near, points_[y]) || hit(points_[y].near, points_[x])) return -1;
        for (const auto& one : known_)
            if (one.x == x && one.y == y && one.carrier == carrier) return one.number;
        std::vector<std::vector<int>> ways;
        if (!way(x, y, carrier, true, ways)) {
            Bits<W> common = carrier;
            for (const auto& half : pair(x, y).halves)
                if (half.within(carrier) && !common.within(half) && way(x, y, half, false, ways))
                    common = common & half;
        }
        explained_.emplace_back(points_[x].stone, points_[y].stone, std::move(ways));
        known_.push_back({x, y, carrier, static_cast<int>(explained_.size()) - 1});
        return known_.back().number;
    }

    // A way within the carrier: through stones, or through an open cell.
    bool way(int x, int y, const Bits<W>& carrier, bool stones,
             std::vector<std::vector<int>>& ways) {
        for (int middle = 2; middle < static_cast<int>(points_.size()); ++middle) {
            const Point& point = points_[middle];
            if (stones ? point.cell >= 0 : !hit(carrier, point)) continue;
            for (const auto& one : pair(x, middle).links)
                for (const auto& other : pair(middle, y).links)
                    if ((one | other).within(carrier) && !one.meets(other)) {
                        const int first = explain(x, middle, one);
                        const int then = explain(middle, y, other);
                        ways.push_back({first, point.stone, then});
                        return true;
                    }
        }
        return false;
    }

    struct Known {
        int x, y;
        Bits<W> carrier;
        int number;
    };

    std::vector<Link> explained_;
    std::vector<Known> known_;
    std::vector<Point> points_;  // the borders first
    std::vector<Pair> pairs_;
    std::deque<Fresh> fresh_;
    Effort& effort_;
    int most_ = 0, tried_ = 0;
    std::uint64_t steps_ = 0, told_ = 0;  // on this position, and what the effort knows of
};

}  // namespace skolemate
