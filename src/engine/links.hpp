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
// Links are changed with the position rather than found anew. A stone of the opponent's ends the links
// that need its cell, and no others: a link is completed within its carrier. The owner's stone joins
// groups, is one cell less to be needed, and lets the AND rule go through stones.
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
    explicit Links(Effort& effort) : effort_(&effort) {}

    // Find links with carriers of at most `most` cells. Afterwards `full` and `semi` are the carriers
    // of those that join the borders.
    void find(const Graph<W>& graph, const Bits<W>& own, const Bits<W>& open, int most) {
        graph_ = &graph;
        own_ = own;
        most_ = most;
        fresh_.clear();
        points(open);
        for (int x : alive_)
            for (int y : alive_)
                if (x < y && adjacent(x, y)) add_link(x, y, {});
        extend();
    }

    // Follow one move of either player.
    void follow(int cell, bool owners) {
        effort_->spend(alive_.size());
        if (owners)
            gain(cell);
        else
            lose(cell);
    }

    // Apply the rules to all new links, until the borders are joined or the work is too much.
    void extend() {
        tried_ = steps_ = reported_ = 0;
        while (!fresh_.empty() && tried_ < MOST_TRIED && !spent() && full().empty()) {
            const Fresh link = fresh_.front();
            fresh_.pop_front();
            const auto& known = pair(link.x, link.y).links;
            if (std::find(known.begin(), known.end(), link.carrier) == known.end()) continue;
            join(link.x, link.y, link.carrier);
            join(link.y, link.x, link.carrier);
        }
        for (auto* carriers : {&pair(0, 1).links, &pair(0, 1).semis})  // the quickest first
            std::stable_sort(carriers->begin(), carriers->end(), [](const Bits<W>& a, const Bits<W>& b) {
                return a.count() < b.count();
            });
    }

    const std::vector<Bits<W>>& full() { return pair(0, 1).links; }
    const std::vector<Bits<W>>& semi() { return pair(0, 1).semis; }

    // The owner's move that makes a semi link of the borders full; empty if it is not known any more.
    Bits<W> key(const Bits<W>& semi) {
        for (int i : alive_) {
            if (i < 2 || !hit(semi, i)) continue;
            for (const auto& one : pair(0, i).links)
                for (const auto& other : pair(1, i).links)
                    if ((one | other).within(semi) && !one.meets(other))
                        return Bits<W>::one(i - 2);
        }
        return {};
    }

    // Add the open cells and the borders to which a cell is fully linked.
    void linked(int cell, Bits<W>& cells, int& borders) {
        for (int other : alive_) {
            if (other == cell + 2 || pair(cell + 2, other).links.empty()) continue;
            if (other < 2)
                borders |= 1 << other;
            else if (!points_[other].stones)
                cells.set(other - 2);
        }
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

    // The borders are points 0 and 1; an open cell c is point c + 2, and so is one stone of a group.
    struct Point {
        bool stones = false;
        Bits<W> near;  // open cells
    };
    struct Pair {
        std::vector<Bits<W>> links, semis;
    };
    struct Fresh {
        int x, y;
        Bits<W> carrier;
    };

    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(std::min(x, y)) * points_.size() + std::max(x, y);
    }
    Pair& pair(int x, int y) { return pairs_[index(x, y)]; }

    void points(const Bits<W>& open) {
        const std::size_t count = graph_->near.size() + 2;
        points_.assign(count, {});
        captains_.assign(count, -1);
        alive_.clear();
        Bits<W> grouped;
        for (int side = 0; side < 2; ++side) {
            const Bits<W>& border = side == 0 ? graph_->start : graph_->end;
            const Bits<W> group = graph_->flood(border & own_, own_);
            grouped |= group;
            stand(side, group, (border | graph_->around(group)) & open);
        }
        for (Bits<W> rest = own_.minus(grouped); rest.any();) {
            const Bits<W> group = graph_->flood(Bits<W>::one(rest.first()), own_);
            rest = rest.minus(group);
            stand(group.first() + 2, group, graph_->around(group) & open);
        }
        open.each([&](int cell) {
            alive_.push_back(cell + 2);
            points_[cell + 2].near = graph_->near[cell] & open;
        });
        pairs_.resize(count * count);
        for (std::size_t i : used_) {
            pairs_[i].links.clear();
            pairs_[i].semis.clear();
        }
        used_.clear();
    }

    // A group of stones as a point.
    void stand(int point, const Bits<W>& group, const Bits<W>& near) {
        alive_.push_back(point);
        points_[point] = {true, near};
        group.each([&](int cell) { captains_[cell] = point; });
    }

    bool adjacent(int x, int y) const { return hit(points_[x].near, y) || hit(points_[y].near, x); }

    // The owner's stone becomes one point with the groups beside it.
    void gain(int cell) {
        const int self = cell + 2;
        std::vector<int> groups;
        if (graph_->start.test(cell)) groups.push_back(0);
        if (graph_->end.test(cell)) groups.push_back(1);
        (graph_->near[cell] & own_).each([&](int other) { groups.push_back(captains_[other]); });
        std::sort(groups.begin(), groups.end());
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
        own_.set(cell);
        if (groups.size() > 1 && groups[1] == 1) {  // both borders
            used_.push_back(index(0, 1));
            pair(0, 1).links.assign(1, {});
            return;
        }
        const int captain = !groups.empty() && groups[0] < 2 ? groups[0] : self;
        groups.push_back(self);
        const auto merged = [&](int point) {
            return std::find(groups.begin(), groups.end(), point) != groups.end();
        };
        std::vector<Fresh> links, semis;  // to be added
        Bits<W> near;
        for (int point : groups) {
            near |= points_[point].near;
            if (point == captain) continue;
            for (int other : alive_) {
                Pair& old = pair(point, other);
                if (!merged(other)) {
                    for (const auto& carrier : old.links) links.push_back({captain, other, carrier});
                    for (const auto& carrier : old.semis) semis.push_back({captain, other, carrier});
                }
                old.links.clear();
                old.semis.clear();
            }
        }
        std::erase_if(alive_, [&](int point) { return point != captain && merged(point); });
        near.reset(cell);
        for (int point : alive_) points_[point].near.reset(cell);
        points_[captain] = {true, near};
        graph_->flood(Bits<W>::one(cell), own_).each([&](int stone) { captains_[stone] = captain; });
        for (std::size_t i = 0; i < alive_.size(); ++i)
            for (std::size_t j = i + 1; j < alive_.size(); ++j) {
                Pair& pair = this->pair(alive_[i], alive_[j]);
                take(pair.links, cell, alive_[i], alive_[j], links);
                take(pair.semis, cell, alive_[i], alive_[j], semis);
            }
        for (int other : alive_)
            if (other != captain)
                for (const auto& carrier : pair(captain, other).links)
                    fresh_.push_back({captain, other, carrier});
        for (auto* list : {&links, &semis})
            for (auto& [x, y, carrier] : *list) {
                carrier.reset(cell);
                if (list == &links)
                    add_link(x, y, carrier);
                else
                    add_semi(x, y, carrier);
            }
    }

    // Move the carriers that need a cell out of a list.
    static void take(std::vector<Bits<W>>& from, int cell, int x, int y, std::vector<Fresh>& to) {
        std::erase_if(from, [&](const Bits<W>& carrier) {
            if (!carrier.test(cell)) return false;
            to.push_back({x, y, carrier});
            return true;
        });
    }

    // The opponent's stone ends all links that need its cell.
    void lose(int cell) {
        const int self = cell + 2;
        for (int other : alive_) {
            pair(self, other).links.clear();
            pair(self, other).semis.clear();
            points_[other].near.reset(cell);
        }
        std::erase(alive_, self);
        const auto through = [&](const Bits<W>& carrier) { return carrier.test(cell); };
        for (std::size_t i = 0; i < alive_.size(); ++i)
            for (std::size_t j = i + 1; j < alive_.size(); ++j) {
                Pair& pair = this->pair(alive_[i], alive_[j]);
                std::erase_if(pair.links, through);
                std::erase_if(pair.semis, through);
            }
    }

    // Whether the limit on this position is reached. The lists are valid whenever the work stops.
    bool spent(std::size_t steps = 1) {
        steps_ += steps;
        if (steps_ >= reported_ + BETWEEN) {
            effort_->spend(steps_ - reported_);
            reported_ = steps_;
        }
        return steps_ > MOST_STEPS;
    }

    bool hit(const Bits<W>& carrier, int point) const {
        return point >= 2 && !points_[point].stones && carrier.test(point - 2);
    }

    // Apply the AND rule to the new link from `end` to `middle` and every other one from there.
    void join(int end, int middle, const Bits<W>& carrier) {
        if (middle < 2) return;  // a border is an end
        const bool stones = points_[middle].stones;
        if (spent(alive_.size())) return;
        for (int other : alive_) {
            if (other == end || other == middle) continue;
            // By index: the lists of this pair do not change here, those of others may.
            const auto& onward = pair(middle, other).links;
            if (onward.empty() || hit(carrier, other)) continue;
            for (std::size_t i = 0; i < onward.size(); ++i) {
                if (++tried_ > MOST_TRIED || spent()) return;
                if (onward[i].meets(carrier) || hit(onward[i], end)) continue;
                Bits<W> both = carrier | onward[i];
                if (stones) {
                    add_link(end, other, both);
                } else {
                    both.set(middle - 2);
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
        if (known.empty()) used_.push_back(index(x, y));
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
        if (known.empty()) used_.push_back(index(x, y));
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
        if (adjacent(x, y)) return -1;
        for (const auto& one : known_)
            if (one.x == x && one.y == y && one.carrier == carrier) return one.number;
        std::vector<std::vector<int>> ways;
        if (!way(x, y, carrier, true, ways)) {
            Bits<W> common = carrier;
            for (const auto& semi : pair(x, y).semis)
                if (semi.within(carrier) && !common.within(semi) && way(x, y, semi, false, ways))
                    common = common & semi;
        }
        const auto shown = [](int point) { return point < 2 ? -1 : point - 2; };
        explained_.emplace_back(shown(x), shown(y), std::move(ways));
        known_.push_back({x, y, carrier, static_cast<int>(explained_.size()) - 1});
        return known_.back().number;
    }

    // A way within the carrier, through stones or through an open cell.
    bool way(int x, int y, const Bits<W>& carrier, bool stones,
             std::vector<std::vector<int>>& ways) {
        for (int middle : alive_) {
            if (middle < 2 || (stones ? !points_[middle].stones : !hit(carrier, middle))) continue;
            for (const auto& one : pair(x, middle).links)
                for (const auto& other : pair(middle, y).links)
                    if ((one | other).within(carrier) && !one.meets(other)) {
                        const int first = explain(x, middle, one);
                        const int then = explain(middle, y, other);
                        ways.push_back({first, middle - 2, then});
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
    const Graph<W>* graph_ = nullptr;
    Bits<W> own_;
    std::vector<Point> points_;
    std::vector<int> alive_;     // the points of this position, the borders first
    std::vector<int> captains_;  // the point of each stone
    std::vector<Pair> pairs_;
    std::vector<std::size_t> used_;  // the pairs that may have links
    std::deque<Fresh> fresh_;
    Effort* effort_;
    int most_ = 0, tried_ = 0;
    std::uint64_t steps_ = 0, reported_ = 0;  // on this position; those reported to the effort
};

}  // namespace skolemate
