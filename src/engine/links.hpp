// Virtual connections: what a player can join whatever the opponent does, found without search.
//
// Points are open cells, groups of own stones, and the two borders. A *full* link joins two points
// even if the opponent moves first; a *semi* link needs one more move by its owner. The carrier is the
// set of open cells that a link needs, its two points not included. Between neighbours it is empty.
// - AND rule: two full links that meet in a point and have disjoint carriers make a full link if the
//   point is the owner's stones, and a semi link if it is an open cell, on which the owner moves.
// - OR rule: semi links between the same points whose carriers have no cell in common make a full
//   link: wherever the opponent intrudes, one of them is left.
// By induction a link is completed within as many plies as its carrier has cells, the opponent's
// first ply included: each intrusion takes a cell, each answer another, and a move elsewhere is no
// better for the opponent than an intrusion.
// Not all virtual connections are found: lists are short, and the work on one position is limited
// (small boards never reach the limit, large ones always do). All that are found are right.
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

// Two points (-1: a border), and ways from one to the other, each gap, cell, gap, cell, ..., gap.
// A gap is the number of an earlier link; -1 between neighbours.
using Link = std::tuple<int, int, std::vector<std::vector<int>>>;

template <int W>
class Links {
public:
    explicit Links(Effort& effort) : effort_(effort) {}

    // Find links with carriers of at most `most` cells. Afterwards `full` and `semi` are the carriers
    // of those that join the borders.
    void find(const Graph<W>& graph, const Bits<W>& own, const Bits<W>& open, int most) {
        most_ = most;
        tried_ = steps_ = reported_ = 0;
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
        for (auto* carriers : {&pair(0, 1).links, &pair(0, 1).semis})  // the quickest first
            std::stable_sort(carriers->begin(), carriers->end(), [](const Bits<W>& a, const Bits<W>& b) {
                return a.count() < b.count();
            });
    }

    const std::vector<Bits<W>>& full() { return pair(0, 1).links; }
    const std::vector<Bits<W>>& semi() { return pair(0, 1).semis; }

    // The owner's move that makes a semi link of the borders full.
    int key(const Bits<W>& semi) {
        for (std::size_t i = 2; i < points_.size(); ++i) {
            if (!hit(semi, points_[i])) continue;
            for (const auto& one : pair(0, static_cast<int>(i)).links)
                for (const auto& other : pair(1, static_cast<int>(i)).links)
                    if ((one | other).within(semi) && !one.meets(other)) return points_[i].cell;
        }
        return -1;
    }

    // The quickest full link of the borders, after all links that it is made of.
    std::vector<Link> explained() {
        explained_.clear();
        known_.clear();
        if (!full().empty()) explain(0, 1, full().front());
        return explained_;
    }

private:
    static constexpr std::size_t MOST_LINKS = 6, MOST_SEMIS = 12;
    static constexpr std::uint64_t BETWEEN = 1024;  // steps between two reports to the effort
    static constexpr int MOST_TRIED = 40'000;
    static constexpr std::uint64_t MOST_STEPS = 5'000'000;  // some fifty milliseconds

    struct Point {
        int cell = -1;   // -1: stones or a border
        Bits<W> near;    // open cells
        int stone = -1;  // the cell, or one of the stones
    };
    struct Pair {
        std::vector<Bits<W>> links, semis;
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
            pairs_[i].semis.clear();
        }
    }

    // Whether the limit on this position is reached. The lists are valid whenever the work stops.
    bool spent(std::size_t steps = 1) {
        steps_ += steps;
        if (steps_ >= reported_ + BETWEEN) {
            effort_.spend(steps_ - reported_);
            reported_ = steps_;
        }
        return steps_ > MOST_STEPS;
    }

    static bool hit(const Bits<W>& carrier, const Point& point) {
        return point.cell >= 0 && carrier.test(point.cell);
    }

    // Apply the AND rule to the new link from `end` to `middle` and every other one from there.
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
                    add_semi(end, other, both);
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

    void add_semi(int x, int y, const Bits<W>& carrier) {
        auto& known = pair(x, y).semis;
        if (carrier.count() > most_ || covered(pair(x, y).links, carrier) || covered(known, carrier))
            return;
        std::erase_if(known, [&](const Bits<W>& other) { return carrier.within(other); });
        if (known.size() >= (x + y == 1 ? 4 : 1) * MOST_SEMIS) return;
        unite(x, y, carrier, carrier, 0, 3);
        known.push_back(carrier);
    }

    void unite(int x, int y, const Bits<W>& common, const Bits<W>& all, std::size_t from, int more) {
        const auto& known = pair(x, y).semis;
        for (std::size_t i = from; i < known.size() && !spent(); ++i) {
            const Bits<W> rest = common & known[i];
            if (rest == common) continue;
            if (!rest.any())
                add_link(x, y, all | known[i]);
            else if (more > 0)
                unite(x, y, rest, all | known[i], i + 1, more - 1);
        }
    }

    // The number of a link between two points within this carrier. Such a link, or a smaller one, is
    // still in the lists; its parts have smaller carriers, so the recursion ends.
    int explain(int x, int y, const Bits<W>& carrier) {
        if (hit(points_[x].near, points_[y]) || hit(points_[y].near, points_[x])) return -1;
        for (const auto& one : known_)
            if (one.x == x && one.y == y && one.carrier == carrier) return one.number;
        std::vector<std::vector<int>> ways;
        if (!way(x, y, carrier, true, ways)) {
            Bits<W> common = carrier;
            for (const auto& semi : pair(x, y).semis)
                if (semi.within(carrier) && !common.within(semi) && way(x, y, semi, false, ways))
                    common = common & semi;
        }
        explained_.emplace_back(points_[x].stone, points_[y].stone, std::move(ways));
        known_.push_back({x, y, carrier, static_cast<int>(explained_.size()) - 1});
        return known_.back().number;
    }

    // A way within the carrier, through stones or through an open cell.
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
    std::uint64_t steps_ = 0, reported_ = 0;  // on this position; those reported to the effort
};

}  // namespace skolemate
