"use strict";
// The checker of strategies in JavaScript: does a file prove its claim by the rules alone?
//
// It follows docs/strategy-format.md and has the parts of src/skolemate/strategies/checker.py. Whatever
// is not covered (other versions, other keys) is refused by name. rules.js comes before it.

// --- links: virtual connections, as in strategies/nodes.py -----------------------------------------

function both(parts) {
  let carrier = 0n, full = true;
  for (const part of parts) {
    if (part === null || part.carrier & carrier || !(full || part.full)) return null;
    carrier |= part.carrier;
    full = full && part.full;
  }
  return {carrier, full};
}

function either(ways) {
  if (!ways.length) return null;
  const full = ways.filter((way) => way.full).map((way) => way.carrier);
  const semi = ways.filter((way) => !way.full).map((way) => way.carrier);
  if (semi.length && !semi.reduce((a, b) => a & b)) full.push(semi.reduce((a, b) => a | b));
  const carrier = (full.length ? full : semi).reduce((a, b) => count(b) < count(a) ? b : a);
  return {carrier, full: full.length > 0};
}

// The connection between the borders; with `everyWay` one lost way loses its link.
function connection(path, own, enemy, links, everyWay) {
  const known = [];
  const between = (number, left, right) => {
    const link = known[number];
    return link && link.left === left && link.right === right ? link.joined : null;
  };
  const beside = (left, right) => {
    const joined = left === null ? flood(path.neighbours, path.start, own) : flood(path.neighbours, bit(left), own | bit(left));
    const near = path.around(joined) | (left === null ? path.start : 0n);
    return right === null ? (joined & path.end) !== 0n : has(near, right);
  };
  for (const {left, right, ways} of links) {
    const joinedWays = ways.map(({cells, gaps}) => {
      const parts = cells.filter((cell) => !has(own, cell))
        .map((cell) => has(enemy, cell) ? null : {carrier: bit(cell), full: false});
      const points = [left, ...cells, right];
      gaps.forEach((gap, i) => {
        if (gap !== null) parts.push(between(gap, points[i], points[i + 1]));
        else if (!beside(points[i], points[i + 1])) parts.push(null);
      });
      return both(parts);
    });
    let joined = either(joinedWays.filter((way) => way !== null));
    if (joined && everyWay) {
      joined = joinedWays.includes(null) ? null
        : {carrier: joinedWays.reduce((sum, way) => sum | way.carrier, 0n), full: joined.full};
    }
    known.push({left, right, joined});
  }
  return between(known.length - 1, null, null);
}

// --- zones: how far the enemy must be from completing a set, as in strategies/races.py --------------
// Dangers are a list: of each winning set of the enemy, how many stones it must lack.

class Races {
  constructor(sets) { this.sets = sets; this.none = sets.map(() => 0); }
  dangers(own, zone, against, answers) {
    return this.sets.map((set) => {
      if (set & own) return 0;
      let danger = 2;
      for (const {move, moves, against: later, dangers} of answers) {
        const number = this.index.get(set);
        if (!moves || has(set, move) || !dangers[number]) continue;
        const more = later & ~against;
        danger = Math.max(danger, dangers[number] + count(set & more) + (set & moves & ~more ? 1 : 0));
      }
      return danger <= count(set & zone) ? 0 : danger;
    });
  }
  get index() { return this.numbers ??= new Map(this.sets.map((set, number) => [set, number])); }
  turned(dangers, turn) {
    const images = [...this.none];
    this.sets.forEach((set, number) => { images[this.index.get(turnedSet(turn, set))] = dangers[number]; });
    return images;
  }
  safe(dangers, own, enemy) {
    return this.sets.every((set, number) => !dangers[number] || set & own || count(set & ~enemy) >= dangers[number]);
  }
}

// --- the claim -------------------------------------------------------------------------------------

class Claim {
  constructor(game, header) {
    this.game = game;
    this.player = player(header.player);
    this.wins = header.verdict === "WIN";
    this.depth = header.depth;
    this.owner = this.wins ? this.player : 1 - this.player;
    const turns = game.schedule, placing = turns && !game.goals.some((goal) => goal instanceof Patterns);
    // What a player must own; nothing that rests on stones that never hurt sees patterns.
    this.goals = placing ? game.goals : [null, null];
    this.longest = turns ? game.names.length - game.origin : Infinity;
    // More stones of the owner and fewer of the enemy never hurt.
    this.monotone = Boolean(placing) && game.first === null && this.goals[this.player] !== null
      && turns.every((who, ply) => who !== turns[ply + 1]) && (turns.length === this.longest || !this.wins);
    const goal = this.goals[this.owner], other = this.goals[1 - this.owner];
    this.path = this.monotone && goal instanceof Path && (other === null || game.isHex) ? goal : null;
    this.races = other instanceof Sets ? new Races(other.sets) : null;
  }
  sides({stones}) { return [stones[this.owner], stones[1 - this.owner]]; }
  byOne(who, stones) { return this.goals[who] === null ? 0n : this.goals[who].byOne(stones); }
  enough(bound, left) { return this.wins ? bound <= left : bound >= left; }
  stonesAhead(position, left) {
    if (this.monotone) return Math.floor((left + (position.turn === this.player ? 1 : 0)) / 2);
    if (!this.game.schedule) return null;
    const ahead = this.game.schedule.slice(Math.max(this.game.ply(position), 0));
    if (ahead.some((who, ply) => who === this.player && ahead[ply + 1] === who)) return null;
    return ahead.slice(0, left).filter((who) => who === this.player).length;
  }
  boundByPairs(position, left, pairs) {
    const [own, enemy] = this.sides(position);
    const plies = 2 * pairs.length - (position.turn === this.owner ? 1 : 0);
    if (this.path?.metByPairs(own, pairs) && (!this.wins || plies <= left)) return this.wins ? left : Infinity;
    const goal = this.goals[this.player], stones = this.stonesAhead(position, left);
    if (this.wins || goal === null || stones === null) refuse("pairs prove nothing here");
    if (goal.withinReach(enemy, own, pairs, Infinity) === null) return Infinity;
    const near = goal.withinReach(enemy, own, pairs, stones);
    if (near === null) return left;
    return refuse(`the set ${cellsOf(near).map((cell) => this.game.names[cell]).join(" ")} is open and contains no pair`);
  }
  boundByLinks(position, left, links) {
    const joined = this.path && connection(this.path, ...this.sides(position), links, true);
    if (!joined?.full) refuse("not all ways of the links hold, or they do not join the borders");
    if (this.wins && count(joined.carrier) > left) refuse("the links take more plies than are left");
    return this.wins ? left : Infinity;
  }
}

// --- cards: images of nodes under maps, as in strategies/cards.py -----------------------------------
// Every image is written out as a node of its own, which the checker judges like all others.

const MOST_IMAGES = 1_000_000;

class Unfolding {
  constructor(claim) {
    this.claim = claim;
    this.maps = [];          // and symmetries before them
    this.symmetries = 0;
    this.nodes = [];         // of the file
    this.numbers = [];       // which they get
    this.images = new Map(); // the number that each image gets
  }
  get next() { return this.numbers.length + this.images.size; }
  turn(turn) {
    if (this.symmetries < this.maps.length) refuse("maps stand after all symmetries, and before all nodes");
    this.symmetries = this.maps.push(turn);
  }
  map(entry) {
    const {game} = this.claim, pairs = entry.map;
    if (Object.keys(entry).length > 1) refuse("a line with a map has nothing else");
    if (pairs === null || typeof pairs !== "object" || Array.isArray(pairs)) refuse("a map says where some cells go");
    const where = Array(game.names.length).fill(null);
    for (const [cell, image] of Object.entries(pairs)) where[game.cell(cell)] = game.cell(image);
    const images = where.filter((cell) => cell !== null);
    if (new Set(images).size < images.length || images.length === where.length) refuse("a map takes different cells to different cells, and not all cells");
    if (this.nodes.length) refuse("maps stand after all symmetries, and before all nodes");
    this.maps.push(where);
  }
  // The nodes without maps that stand for a node of the file: new images, and then itself.
  plain(node) {
    const nodes = [], number = this.nodes.length;
    const replies = node.replies?.map((reply) => {
      if (reply.node === null) return reply;
      if (reply.node >= number) refuse(`no node ${reply.node} above`);
      if (reply.via === null || reply.via < this.symmetries || reply.via >= this.maps.length) return {...reply, node: this.numbers[reply.node]};
      this.add(reply.node, this.maps[reply.via], nodes);
      return {...reply, node: this.images.get(this.image(reply.node, this.maps[reply.via])), via: null};
    });
    this.nodes.push(node);
    this.numbers.push(this.next);
    return [...nodes, replies ? {...node, replies, number} : {...node, number}];
  }
  later(where, via) { return via === null ? where : this.maps[via].map((cell) => cell === null ? null : where[cell]); }
  cells(number) { return this.claim.game.board & ~this.claim.sides(this.nodes[number].position)[1]; }
  image(number, where) {
    if (!this.nodes[number].replies) refuse(`node ${number} has no replies, so it has no image under a map`);
    const images = cellsOf(this.cells(number)).map((cell) => where[cell]);
    if (images.includes(null)) refuse(`a map leaves out a cell of node ${number}`);
    return `${number}: ${images.join()}`;
  }
  add(number, where, nodes) {
    const fresh = new Map(), waiting = [[number, where]];
    while (waiting.length) {
      const [one, to] = waiting.pop(), image = this.image(one, to);
      if (this.images.has(image) || fresh.has(image)) continue;
      fresh.set(image, [one, to]);
      if (this.images.size + fresh.size > MOST_IMAGES) refuse("the maps make too many images");
      for (const {node, via} of this.nodes[one].replies) if (node !== null) waiting.push([node, this.later(to, via)]);
    }
    // A node leads to earlier ones.
    for (const [image, [one, to]] of [...fresh].sort(([, [a]], [, [b]]) => a - b)) {
      nodes.push(this.moved(one, to));
      this.images.set(image, this.next);
    }
  }
  moved(number, where) {
    const {claim} = this, node = this.nodes[number], cells = this.cells(number);
    const stones = turnedSet(where, claim.sides(node.position)[0]), given = claim.game.board & ~turnedSet(where, cells);
    const replies = node.replies.map(({move, node: then, via, omits}) => ({
      move: where[move] ?? refuse(`a map leaves out a reply of node ${number}`),
      node: then === null ? null : this.images.get(this.image(then, this.later(where, via))),
      via: null,
      omits: turnedSet(where, omits & cells),
    }));
    const both = claim.owner === 0 ? [stones, given] : [given, stones];
    return {position: {stones: both, turn: node.position.turn}, blank: claim.races ? given : 0n, left: node.left,
      via: new Map(), replies, number, image: true};
  }
}

// --- the checker -----------------------------------------------------------------------------------

const key = ({stones: [black, white], turn}) => `${black.toString(36)} ${white.toString(36)} ${turn}`;
const turned = ({stones, turn: who}, turn) => ({stones: stones.map((set) => turnedSet(turn, set)), turn: who});
const KEYS = ["at", "turn", "left", "move", "pairs", "via", "replies", "links"];
const isNumber = (value) => Number.isInteger(value) && value >= 0;
const plies = (value) => isNumber(value) && value < 2 ** 31 ? value : refuse("this is no number of plies");
const list = (value, what) => Array.isArray(value) ? value : refuse(`${what} is no list`);

class Checker {
  constructor(claim) {
    this.claim = claim;
    this.proved = new Map();    // by position: the best bound
    this.nodes = [];            // all nodes, each with its bound, and whether it covers others
    this.symmetries = [];
    this.unfolding = new Unfolding(claim);
    this.promised = new Map();  // positions that a later node must prove
  }
  line(entry) {
    if (entry === null || typeof entry !== "object" || Array.isArray(entry)) refuse("a line is a JSON object");
    if ("symmetry" in entry) this.symmetry(entry);
    else if ("map" in entry) this.unfolding.map(entry);
    else for (const node of this.unfolding.plain(this.read(entry))) this.node(node);
  }
  symmetry(entry) {
    const {names} = this.claim.game, turn = list(entry.symmetry, "a symmetry").map((name) => this.claim.game.cell(name));
    if (Object.keys(entry).length > 1) refuse("a line with a symmetry has nothing else");
    if (turn.length !== names.length || new Set(turn).size !== names.length) refuse("a symmetry names every cell once");
    if (!this.claim.game.keptBy(turn)) refuse(`symmetry ${this.symmetries.length} does not keep the rules`);
    this.unfolding.turn(turn);
    this.symmetries.push(turn);
  }
  read(entry) {
    const {game} = this.claim, cell = (name) => game.cell(name);
    for (const name of Object.keys(entry)) if (!KEYS.includes(name)) throw new NotCovered(`a line with the key ${name}`);
    const {at} = entry, who = player(entry.turn);
    if (typeof at !== "string" || at.length !== game.names.length || !/^[XO.?]*$/.test(at)) refuse("at needs one of X O . ? for each cell");
    const set = (letter) => [...at].reduce((cells, one, place) => one === letter ? cells | bit(place) : cells, 0n);
    const stones = [set("X"), set("O")], blank = set("?");
    stones[who] |= blank;
    const node = {position: {stones, turn: who}, blank, left: entry.left === null ? Infinity : plies(entry.left)};
    if ("move" in entry) node.move = game.move(who, entry.move);
    node.via = new Map();
    if ("via" in entry) {
      if (entry.via === null || typeof entry.via !== "object" || Array.isArray(entry.via)) refuse("via is no object");
      for (const [name, number] of Object.entries(entry.via))
        node.via.set(game.move(who, name), isNumber(number) ? number : refuse("via needs numbers"));
    }
    if ("pairs" in entry) node.pairs = list(entry.pairs, "pairs").map((pair) =>
      list(pair, "a pair").length === 2 ? pair.map(cell) : refuse("a pair is two cells"));
    if ("replies" in entry) node.replies = list(entry.replies, "replies").map((reply) => this.reply(reply));
    if ("links" in entry) node.links = list(entry.links, "links").map((link) => this.link(link));
    if (node.replies?.length === 0 || node.links?.length === 0) refuse("replies or links are missing");
    return node;
  }
  reply(entry) {
    const [name, ...rest] = list(entry, "a reply"), move = this.claim.game.cell(name);
    const [node = null, via = null, omits = []] = rest;
    const whole = rest.length < 3 ? rest.every(isNumber) : rest.length === 3 && list(omits, "cells").length > 0
      && [node, via].every((number) => number === null || isNumber(number));
    if (!whole) refuse("replies are moves with earlier nodes");
    return {move, node, via, omits: omits.reduce((set, cell) => set | bit(this.claim.game.cell(cell)), 0n)};
  }
  link(entry) {
    if (list(entry, "a link").length < 2) refuse("links are points and ways");
    const [left, right] = entry.slice(0, 2).map((name) => name === null ? null : this.claim.game.cell(name));
    const ways = entry.slice(2).map((way) => {
      const cells = [], gaps = [null];
      for (const step of list(way, "a way")) {
        if (typeof step === "string") { cells.push(this.claim.game.cell(step)); gaps.push(null); }
        else if (isNumber(step) && gaps.at(-1) === null) gaps[gaps.length - 1] = step;
        else refuse("a way is cells with earlier links between them");
      }
      return {cells, gaps};
    });
    return {left, right, ways};
  }
  node(node) {
    const {claim} = this, {position, blank, left} = node;
    const plans = [node.pairs, node.replies, node.links].filter((plan) => plan !== undefined).length;
    if (left < 1) refuse("no ply is left here: this needs no proof");
    if (left === Infinity && (claim.wins || plans)) refuse("only a defence, move by move, needs no limit of plies");
    if (plans + (node.move ? 1 : 0) > 1) refuse("a node has a move, or pairs, replies or links, and no two of them");
    if (!node.pairs && (position.turn === claim.owner) !== Boolean(node.move)) refuse("a reply belongs where the owner is to move, and only there");
    if (blank && (!node.replies || blank & ~position.stones[1 - claim.owner])) refuse("only a node with replies leaves cells blank, not those of its owner");
    node.covers = plans > 0;
    node.bound = plans ? this.covering(node) : this.single(node);
    this.nodes.push(node);
    if (blank) return;  // this is about no position of its own
    const place = key(position), known = this.proved.get(place) ?? node.bound;
    this.proved.set(place, claim.wins ? Math.min(known, node.bound) : Math.max(known, node.bound));
    if (node.bound === Infinity) this.promised.delete(place);
  }
  // One position of the game: the owner's move, or every move of the enemy, leads to what is proved.
  single({position, left, move, via}) {
    const {claim} = this, {game} = claim, legal = game.legal(position);
    if (game.winner(position) !== null || !legal.length) refuse("the game is over here: this needs no proof");
    if (move && !legal.includes(move)) refuse(`${move.name} is no legal move here`);
    let least = Infinity;
    for (const tried of move ? [move] : legal) {
      let after = game.after(position, tried);
      if (via.has(tried)) {
        const turn = this.symmetries[via.get(tried)] ?? refuse("via names no symmetry above");
        after = turned(after, turn);
      }
      const bound = this.bound(after, left - 1);
      if (bound === null) refuse(`after ${tried.name} no line above, and no rule, proves the claim`);
      least = Math.min(least, bound);
    }
    return claim.wins || least < Infinity ? left : Infinity;
  }
  // All positions that are no better for the enemy: every cell without a stone is open.
  covering(node) {
    const {claim} = this, {position, left, pairs, links, replies, blank} = node;
    const decided = [0, 1].some((who) => claim.goals[who]?.met(position.stones[who]));
    if (!blank && decided) refuse("the game is over here: this needs no proof");
    if (replies) return this.replies(node);
    if (links) return claim.boundByLinks(position, left, links);
    let open = claim.game.board & ~(position.stones[0] | position.stones[1]);
    for (const [a, b] of pairs) {
      if (a === b || !has(open, a) || !has(open, b)) refuse("a pair is not of its own of open cells");
      open &= ~(bit(a) | bit(b));
    }
    return claim.boundByPairs(position, left, pairs);
  }
  replies(node) {
    const {claim} = this, {races} = claim, left = node.left - 2, [own, enemy] = claim.sides(node.position);
    if (!claim.monotone || (node.blank && !races)) refuse("replies that answer several moves prove nothing in this game");
    const zone = claim.game.board & ~(own | enemy), answers = [];
    let unanswered = zone | node.blank, least = Infinity;
    const name = (cells) => claim.game.names[cellsOf(cells)[0]];
    const threats = node.blank ? 0n : unanswered & claim.byOne(1 - claim.owner, enemy);
    if (threats) refuse(`the opponent wins by ${name(threats)}`);
    for (const {move, node: number, via, omits} of node.replies) {
      let fits = has(claim.byOne(claim.owner, own), move), stones = 0n, given = -1n, then = null;
      if (number !== null) {
        then = this.image(number, via);
        [stones, given] = claim.sides(then.position);
        fits = then.position.turn !== claim.owner && claim.enough(then.bound, left);
        least = Math.min(least, then.bound);
      }
      if (!fits || left < 0 || has(own | enemy, move) || stones & ~(own | bit(move)) || enemy & ~given)
        refuse(`nothing above proves what the reply ${claim.game.names[move]} is said to lead to`);
      const moves = unanswered & given & ~(bit(move) | omits);
      unanswered &= ~moves;
      if (then) answers.push({move, moves, against: given & ~then.blank, dangers: then.dangers});
    }
    if (unanswered) refuse(`no reply answers ${name(unanswered)}`);
    node.dangers = races ? races.dangers(own, zone, enemy & ~node.blank, answers) : [];
    if (!node.blank && node.dangers.some((danger) => danger)) refuse("the opponent may complete a set first");
    return claim.wins || least < Infinity ? node.left : Infinity;
  }
  // A covering node above, or its image under a symmetry.
  image(number, via) {
    const node = this.nodes[number], {races} = this.claim, turn = via === null ? null : this.symmetries[via];
    if (!node?.covers || turn === undefined) refuse(`no node ${number} above, or no such symmetry, stands for others`);
    const dangers = node.dangers ?? races?.none ?? [];
    if (turn === null) return {...node, dangers};
    return {position: turned(node.position, turn), blank: turnedSet(turn, node.blank), bound: node.bound,
      dangers: races ? races.turned(dangers, turn) : []};
  }
  // What is proved of a position, if that is enough for the plies left; null if it is not.
  bound(position, left) {
    const {claim} = this, place = key(position);
    let proved = this.proved.get(place);
    if (proved === undefined) {
      const ends = claim.game.pliesByRules(position, claim.player);
      proved = claim.wins ? ends : ends === null ? 0 : ends - 1;
    }
    if (proved !== null && claim.enough(proved, left)) return proved;
    if (left === Infinity && proved !== null && proved >= 0) {
      this.promised.set(place, position);
      return Infinity;
    }
    return null;
  }
}

// Whether a strategy's text proves its claim about the game of the rules. Never throws.
function check(rules, strategy) {
  const report = {verdict: "rejected", line: 0, nodes: 0, everyDepth: false, reason: null, checker: null};
  try {
    const game = new Game(rules), lines = strategy.split("\n");
    if (lines.at(-1) === "") lines.pop();
    report.line = 1;
    const header = strictJson(lines[0] ?? "");
    if (header?.format !== "skolemate strategy") refuse("this is no strategy");
    if (header.version !== 1) throw new NotCovered(`version ${header.version} of the format`);
    if (!["WIN", "NO_WIN"].includes(header.verdict)) refuse("the verdict is WIN or NO_WIN");
    if (typeof header.game !== "string") refuse("game is missing, or not a text");
    if (header.content !== digest(rules)) refuse("it is tied to another game");
    if (header.cells !== game.names.join(" ")) refuse("the cells in the header are not those of the rules");
    plies(header.depth);
    const claim = new Claim(game, header), checker = new Checker(claim);
    for (const line of lines.slice(1)) {
      report.line++;
      checker.line(strictJson(line));
    }
    report.nodes = checker.unfolding.nodes.length;
    report.line = 0;
    if (checker.promised.size) refuse("no line proves that there is never a win at a position that a line leads to");
    const bound = checker.bound(game.start, claim.depth);
    if (bound === null) refuse("the claim about the start does not follow from the lines");
    report.everyDepth = !claim.wins && bound >= claim.longest;
    Object.assign(report, {verdict: "accepted", checker});
  } catch (error) {
    report.reason = error.message;
    if (error instanceof NotCovered) report.verdict = "not covered";
    else if (!(error instanceof NotProved)) report.reason = `the checker failed: ${error.message}`;
  }
  return report;
}
