"use strict";
// The rules of a game in JavaScript, read from their canonical text: goals, moves, positions.
//
// A strategy is tied to this text by its SHA-256. Rules that are not covered (games in GDL, some mixed
// forms) are refused by name.

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

const turnedSet = (turn, set) => cellsOf(set).reduce((moved, cell) => turn[cell] === null ? moved : moved | bit(turn[cell]), 0n);

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
