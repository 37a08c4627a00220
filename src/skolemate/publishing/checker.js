"use strict";
// The checker of strategies in JavaScript: does a file prove its claim by the rules alone?
//
// It follows docs/strategy-format.md and has the parts of src/skolemate/strategies/checker.py. The
// rules are the canonical text, to which a file is tied by its SHA-256. Whatever is not covered (games
// in GDL, other versions, other keys) is refused by name. It runs in a page and under Node.

class NotProved extends Error {}
class NotCovered extends Error {}
const refuse = (why) => { throw new NotProved(why); };

// --- sets of cells ---------------------------------------------------------------------------------
// A set is a BigInt: bit i is cell i.

const bit = (cell) => 1n << BigInt(cell);
const has = (set, cell) => (set >> BigInt(cell) & 1n) === 1n;

function cellsOf(set) {
  const digits = set.toString(2), cells = [];
  for (let i = digits.length - 1; i >= 0; i--) if (digits[i] === "1") cells.push(digits.length - 1 - i);
  return cells;
}

function count(set) {
  let ones = 0;
  for (const digit of set.toString(2)) if (digit === "1") ones++;
  return ones;
}

const turnedSet = (turn, set) => cellsOf(set).reduce((moved, cell) => moved | bit(turn[cell]), 0n);

// --- texts -----------------------------------------------------------------------------------------

// JSON with one meaning: no key twice, whole numbers only. JSON.parse would keep the last of two keys.
function strictJson(text) {
  if (text.length >= 1 << 22 && new TextEncoder().encode(text).length >= (1 << 24) - 1)
    refuse("this line is far too long for a strategy");
  let keys = 0;
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*(:))?|-?\d[\d.eE+-]*/g)) {
    if (colon) keys++;
    else if (token[0] !== '"' && !/^-?\d+$/.test(token)) refuse(`${token} is no whole number`);
    if (token[0] === '"' && /\\u[dD][89a-fA-F]/.test(token)) refuse("half of a character is no text");
  }
  let value;
  try { value = JSON.parse(text); } catch { refuse("this line is not JSON"); }
  const countKeys = (part, depth) => {
    if (depth > 50) refuse("this line is nested too deeply");
    if (part === null || typeof part !== "object") return 0;
    const inner = Object.values(part).reduce((sum, one) => sum + countKeys(one, depth + 1), 0);
    return inner + (Array.isArray(part) ? 0 : Object.keys(part).length);
  };
  if (countKeys(value, 0) !== keys) refuse("a key is given twice");
  return value;
}

// SHA-256 of bytes. Browsers offer crypto.subtle only to pages of secure hosts, not to files.
function sha256(bytes) {
  const primes = [], root = (n, power) => Math.floor((n ** power % 1) * 2 ** 32);
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const K = primes.map((p) => root(p, 1 / 3) | 0), hash = primes.slice(0, 8).map((p) => root(p, 1 / 2) | 0);
  const padded = new Uint8Array((bytes.length + 72 >> 6) << 6), view = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const w = new Int32Array(64), turn = (x, n) => x >>> n | x << 32 - n;
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(block + 4 * i);
      else {
        const x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ x >>> 3) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ y >>> 10);
      }
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + K[i] + w[i] | 0;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, d + one | 0, c, b, a, one + two | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { hash[i] = hash[i] + x | 0; });
  }
  return hash.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}
const digest = (text) => sha256(new TextEncoder().encode(text));

// --- goals -----------------------------------------------------------------------------------------

function flood(neighbours, start, within) {
  let reached = start & within, fresh = reached;
  while (fresh) {
    let near = 0n;
    for (const cell of cellsOf(fresh)) near |= neighbours[cell];
    fresh = near & within & ~reached;
    reached |= fresh;
  }
  return reached;
}

class Sets {
  constructor(sets) { this.sets = sets; }
  met(stones) { return this.sets.some((set) => (set & ~stones) === 0n); }
  byOne(stones) {
    let cells = 0n;
    for (const set of this.sets) {
      const missing = set & ~stones;
      if (!(missing & missing - 1n)) cells |= missing;
    }
    return cells;
  }
  // A set that so many more stones could complete and that contains no pair.
  withinReach(own, enemy, pairs, stones) {
    return this.sets.find((set) => !(set & enemy) && count(set & ~own) <= stones
      && !pairs.some(([a, b]) => has(set, a) && has(set, b))) ?? null;
  }
  keptBy(turn) {
    const images = new Set(this.sets.map((set) => turnedSet(turn, set)));
    return images.size === new Set(this.sets).size && this.sets.every((set) => images.has(set));
  }
}

class Path {
  constructor(neighbours, start, end) { Object.assign(this, {neighbours, start, end}); }
  met(stones) { return (flood(this.neighbours, this.start, stones) & this.end) !== 0n; }
  around(stones) { return cellsOf(stones).reduce((near, cell) => near | this.neighbours[cell], 0n); }
  beside(border, stones) { return border | this.around(flood(this.neighbours, border, stones)); }
  byOne(stones) { return this.beside(this.start, stones) & this.beside(this.end, stones) & ~stones; }
  metByPairs(stones, pairs) {
    let near = this.beside(this.start, stones), rest = [...pairs], links;
    const far = this.beside(this.end, stones), atEnd = flood(this.neighbours, this.end, stones);
    do {
      links = rest.filter(([a, b]) => has(near, a) && has(near, b));
      rest = rest.filter((pair) => !links.includes(pair));
      for (const [a, b] of links) {
        const both = flood(this.neighbours, this.neighbours[a], stones) & flood(this.neighbours, this.neighbours[b], stones);
        if (has(far, a) && has(far, b) || both & atEnd) return true;
        near |= this.around(both);
      }
    } while (links.length);
    return this.met(stones);
  }
  withinReach(own, enemy, pairs, stones) {
    if (pairs.length && this.listed) return this.listed.withinReach(own, enemy, pairs, stones);
    let joined = flood(this.neighbours, this.start, own), needed = 0;
    while (!(joined & this.end)) {
      const grown = joined | (this.start | this.around(joined)) & ~enemy;
      if (grown === joined || ++needed > stones) return null;
      joined = flood(this.neighbours, grown, grown | own);
    }
    return joined;
  }
  // All paths in which no cell can be left out; null if they are too many.
  get listed() {
    if (this.paths !== undefined) return this.paths;
    const found = [], reachable = flood(this.neighbours, this.end, ~0n & bit(this.neighbours.length) - 1n);
    const growing = cellsOf(this.start & reachable).map((cell) => [cell, bit(cell), 0n]);
    let steps = 0;
    while (growing.length) {
      const [cell, path, closed] = growing.pop();
      if (has(this.end, cell)) found.push(path);
      else {
        const near = this.neighbours[cell] & ~closed & ~path;
        for (const step of cellsOf(near & reachable & ~this.start)) growing.push([step, path | bit(step), closed | near]);
      }
      if (found.length > 100000 || ++steps > 2000000) return this.paths = null;
    }
    return this.paths = new Sets(found);
  }
  keptBy(turn) {
    const start = turnedSet(turn, this.start), end = turnedSet(turn, this.end);
    return (start === this.start && end === this.end || start === this.end && end === this.start)
      && this.neighbours.every((near, cell) => this.neighbours[turn[cell]] === turnedSet(turn, near));
  }
}

const holds = ([black, white, any, noBlack, noWhite], b, w) => (b & black) === black && (w & white) === white
  && ((b | w) & any) === any && !(b & noBlack) && !(w & noWhite);

const samePatterns = (patterns, turn) => {
  const image = (pattern) => pattern.map((set) => turnedSet(turn, set)).join();
  return patterns.map(image).sort().join(";") === patterns.map((p) => p.join()).sort().join(";");
};

class Patterns {
  constructor(patterns) { this.patterns = patterns; }
  metOn(black, white) { return this.patterns.some((pattern) => holds(pattern, black, white)); }
  keptBy(turn) { return samePatterns(this.patterns, turn); }
}

// --- the game --------------------------------------------------------------------------------------
// A position is {stones: [black, white], turn}; a player is 0, Black, or 1, White.

const PLAYERS = ["black", "white"];
const player = (text) => PLAYERS.includes(text) ? PLAYERS.indexOf(text) : refuse("a player is black or white");

class Game {
  constructor(text) {
    // Masks of large boards exceed the numbers of JavaScript: they are read as texts of digits.
    const quoted = text.replace(/"(?:[^"\\]|\\.)*"|\d{15,}/g, (m) => m[0] === '"' ? m : `"${m}"`);
    const facts = JSON.parse(quoted);
    if (facts.length !== 7) throw new NotCovered("rules as a propositional network (GDL)");
    const [names, [black, white, first], toMove, schedule, stuck, actions, goals] = facts;
    this.names = names;
    this.cells = new Map(names.map((name, cell) => [name, cell]));
    if (this.cells.size !== names.length) throw new NotCovered("two cells with one name");
    this.board = bit(names.length) - 1n;
    this.first = first === null ? null : BigInt(first);
    this.schedule = schedule && schedule.map(player);
    this.loses = stuck === "loses";
    this.start = {stones: [BigInt(black), BigInt(white)], turn: toMove === null ? null : player(toMove)};
    this.origin = count(this.start.stones[0] | this.start.stones[1]);
    this.goals = goals.map((goal) => this.goal(goal));
    this.moves = actions.map((listed) => listed.map(([name, needs, opens, blackens, whitens]) => ({
      name, needs: needs.map(BigInt), opens: BigInt(opens), becomes: [BigInt(blackens), BigInt(whitens)],
    })));
    this.byName = this.moves.map((listed) => new Map(listed.map((move) => [move.name, move])));
    if (this.schedule && !this.moves.every((listed, who) => listed.length === names.length
      && listed.every((move) => this.isStone(move, who)))) throw new NotCovered("a schedule of turns with other moves than stones");
    if (!this.schedule && (this.first !== null || this.start.turn === null || this.goals.some((goal) => goal && !(goal instanceof Patterns))))
      throw new NotCovered("these rules without a schedule");
    // A full board is a draw where every move places one own stone on an open cell for a goal.
    this.drawsWhenFull = this.goals.some((goal) => goal?.patterns?.length) && this.moves.every((listed, who) =>
      listed.every((move) => count(move.becomes[who]) === 1 && !move.becomes[1 - who] && !move.opens
        && !(move.becomes[who] & ~(move.needs[3] & move.needs[4]))));
  }
  goal(goal) {
    if (goal === null) return null;
    const [kind, ...rest] = goal;
    if (kind === "sets") return new Sets(rest.map(BigInt));
    if (kind === "path") return new Path(rest[0].map(BigInt), BigInt(rest[1]), BigInt(rest[2]));
    if (kind === undefined || kind === "patterns") return new Patterns(rest.map((pattern) => pattern.map(BigInt)));
    throw new NotCovered(`a goal of the kind ${kind}`);
  }
  isStone({name, needs, opens, becomes}, who) {
    const cell = this.cells.get(name), stone = cell === undefined ? 0n : bit(cell);
    return stone && !needs[0] && !needs[1] && !needs[2] && needs[3] === stone && needs[4] === stone
      && !opens && becomes[who] === stone && !becomes[1 - who];
  }
  cell(name) { return this.cells.get(name) ?? refuse(`${name} is no cell`); }
  move(who, name) { return this.byName[who].get(name) ?? refuse(`${name} is no move`); }
  ply({stones}) { return count(stones[0] | stones[1]) - this.origin; }
  met(who, {stones}) {
    const goal = this.goals[who];
    return goal !== null && (goal instanceof Patterns ? goal.metOn(...stones) : goal.met(stones[who]));
  }
  winner(position) {
    const order = this.schedule || position.turn === 1 ? [0, 1] : [1, 0];
    for (const who of order) if (this.met(who, position)) return who;
    const over = this.schedule ? position.turn === null : (position.stones[0] | position.stones[1]) === this.board;
    const breaker = this.goals.indexOf(null);
    return over && breaker >= 0 ? breaker : null;
  }
  // The moves that the rules allow, whoever has won.
  legal({stones, turn}) {
    if (turn === null) return [];
    const restricted = this.schedule && this.first !== null && this.ply({stones}) === 0;
    return this.moves[turn].filter((move) => holds(move.needs, ...stones) && !(restricted && move.becomes[turn] & ~this.first));
  }
  after({stones, turn}, move) {
    const kept = ~(move.opens | move.becomes[0] | move.becomes[1]);
    const next = stones.map((set, who) => set & kept | move.becomes[who]), ply = this.ply({stones: next});
    if (ply < 0 && this.schedule) refuse("there are fewer stones than at the start");
    return {stones: next, turn: this.schedule ? this.schedule[ply] ?? null : 1 - turn};
  }
  // When the player wins by the rules alone: 0 now, 1 by the opponent's lack of moves, Infinity never.
  pliesByRules(position, who) {
    const winner = this.winner(position);
    if (winner !== null) return winner === who ? 0 : Infinity;
    if (this.legal(position).length) return null;
    const full = (position.stones[0] | position.stones[1]) === this.board;
    return this.loses && !(full && this.drawsWhenFull) && position.turn === 1 - who ? 1 : Infinity;
  }
  keptBy(turn) {
    const mapped = (move) => [...move.needs, move.opens, ...move.becomes];
    return (this.first === null || turnedSet(turn, this.first) === this.first)
      && this.goals.every((goal) => goal === null || goal.keptBy(turn))
      && this.moves.every((listed) => samePatterns(listed.map(mapped), turn));
  }
  // Whether this is a whole board of Hex, where one player's path excludes the other's.
  get isHex() {
    const places = this.names.map((name) => {
      const [, letters, digits] = /^([a-z]+)([1-9]\d*)$/.exec(name) ?? [];
      return letters ? [[...letters].reduce((x, c) => 26 * x + c.charCodeAt(0) - 96, 0) - 1, digits - 1] : null;
    });
    if (places.includes(null) || !this.goals.every((goal) => goal instanceof Path)) return false;
    const width = 1 + Math.max(...places.map(([x]) => x)), height = 1 + Math.max(...places.map(([, y]) => y));
    const set = (fits) => places.reduce((cells, place, cell) => fits(...place) ? cells | bit(cell) : cells, 0n);
    const near = places.map(([x, y]) => set((u, v) =>
      [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [-1, 1]].some(([dx, dy]) => u === x + dx && v === y + dy)));
    const rows = [set((x, y) => y === 0), set((x, y) => y === height - 1)].join();
    const columns = [set((x) => x === 0), set((x) => x === width - 1)].join();
    const borders = this.goals.map((goal) => `${goal.start},${goal.end}`);
    return new Set(places.map(String)).size === width * height && places.length === width * height
      && this.goals.every((goal) => goal.neighbours.every((mask, cell) => mask === near[cell]))
      && (borders[0] === rows && borders[1] === columns || borders[0] === columns && borders[1] === rows);
  }
}

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
    this.promised = new Map();  // positions that a later node must prove
  }
  line(entry) {
    if (entry === null || typeof entry !== "object" || Array.isArray(entry)) refuse("a line is a JSON object");
    if ("symmetry" in entry) this.symmetry(entry);
    else this.node(this.read(entry));
  }
  symmetry(entry) {
    const {names} = this.claim.game, turn = list(entry.symmetry, "a symmetry").map((name) => this.claim.game.cell(name));
    if (Object.keys(entry).length > 1) refuse("a line with a symmetry has nothing else");
    if (turn.length !== names.length || new Set(turn).size !== names.length) refuse("a symmetry names every cell once");
    if (!this.claim.game.keptBy(turn)) refuse(`symmetry ${this.symmetries.length} does not keep the rules`);
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
    report.nodes = checker.nodes.length;
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

if (typeof module !== "undefined") module.exports = {check, digest};
