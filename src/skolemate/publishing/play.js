"use strict";
// Play against a strategy that the checker has accepted, and say why each reply is right.
//
// A reply is taken only if the position after it is proved: by the rules, by a line about it, or by a
// line that covers it, under a symmetry of the file if need be.

class Opponent {
  constructor(checker) {
    this.checker = checker;
    this.claim = checker.claim;
    this.turns = closure(checker.symmetries, this.claim.game.names.length);
  }
  // The reply to a position with so many plies left: {move, why}; null where none is proved.
  reply(position, left) {
    const {claim} = this, {game} = claim, legal = game.legal(position);
    const [own, enemy] = claim.sides(position), name = PLAYERS[claim.owner], foe = PLAYERS[1 - claim.owner];
    const wins = legal.find((move) => game.winner(game.after(position, move)) === claim.owner);
    if (wins) return {move: wins, why: `${title(name)} plays ${wins.name} and has won.`};
    const threats = claim.goals[1 - claim.owner] ? claim.byOne(1 - claim.owner, enemy) & ~own : 0n;
    const cells = cellsOf(threats).map((cell) => game.names[cell]);
    const lead = (move) => cells.includes(move.name) ? `${title(foe)} threatened ${cells.join(" and ")}; ${move.name} parries. ` : `${title(name)} plays ${move.name}. `;
    for (const move of legal) {
      const why = this.exact(game.after(position, move), left - 1);
      if (why) return {move, why: lead(move) + why};
    }
    if (!claim.monotone) {
      const found = this.planned(position, left, legal);
      return found && {move: found.move, why: lead(found.move) + found.why};
    }
    const found = this.covered(position, left, legal) ?? this.planned(position, left, legal);
    return found && {move: found.move, why: lead(found.move) + found.why};
  }
  exact(after, left) {
    const {checker, claim} = this, ends = claim.game.pliesByRules(after, claim.player);
    if (ends !== null && (claim.wins ? ends <= left : ends - 1 >= left)) return "The rules decide the rest.";
    if (!claim.wins && left <= 0) return "No ply is left.";
    for (const turn of this.turns) {
      const bound = checker.proved.get(key(turn ? turned(after, turn) : after));
      if (bound !== undefined && claim.enough(bound, left))
        return turn ? "The strategy answers by symmetry: a line is about the mirrored position." : "A line of the file is about the position after it.";
    }
    return null;
  }
  covered(position, left, legal) {
    const {checker, claim} = this, {game, races} = claim, [own, enemy] = claim.sides(position);
    for (const turn of this.turns) {
      for (const node of checker.nodes) {
        if (!node.covers || node.position.turn === claim.owner || !claim.enough(node.bound, left - 1)) continue;
        let [stones, given] = claim.sides(node.position), blank = node.blank, dangers = node.dangers;
        if (turn) [stones, given, blank] = [stones, given, blank].map((set) => turnedSet(turn, set));
        const missing = stones & ~own;
        if (enemy & ~given || missing & missing - 1n || missing & enemy) continue;
        const move = missing ? legal.find((one) => one.becomes[claim.owner] === missing) : legal[0];
        if (!move) continue;
        if (races && dangers) {
          if (turn) dangers = races.turned(dangers, turn);
          if (!races.safe(dangers, own | move.becomes[claim.owner], enemy | given & ~blank)) continue;
        }
        const how = node.replies ? "which answers every further move" : node.pairs ? "which has pairs to answer in" : "which joins the borders by links";
        return {move, why: `The position is covered by node ${node.number}${turn ? ", under a symmetry" : node.image ? ", moved" : ""}, ${how}.`};
      }
    }
    return null;
  }
  // Pairs or links of a node that are under way.
  planned(position, left, legal) {
    const {checker, claim} = this, {game} = claim, own = claim.sides(position)[0];
    for (const turn of this.turns) {
      for (const node of checker.nodes) {
        let stones = claim.sides(node.position)[0];
        if (turn) stones = turnedSet(turn, stones);
        if (stones & ~own) continue;
        for (const move of legal) {
          const why = this.carriesOn(node, turn, game.after(position, move), left - 1, move);
          if (why) return {move, why};
        }
      }
    }
    return null;
  }
  carriesOn({pairs, links}, turn, after, left, move) {
    const {claim} = this, {names} = claim.game, [own, enemy] = claim.sides(after), to = (cell) => turn && cell !== null ? turn[cell] : cell;
    if (pairs) {
      const all = pairs.map((pair) => pair.map(to)), free = (cell) => !has(own | enemy, cell);
      try { claim.boundByPairs(after, left, all.filter(([a, b]) => free(a) && free(b))); } catch { return null; }
      const pair = all.find((cells) => cells.some((cell) => names[cell] === move.name));
      return pair ? `This reply is covered by the pair (${pair.map((cell) => names[cell]).join(", ")}).` : "No pair needs an answer.";
    }
    if (links && claim.path) {
      const flip = turn && turnedSet(turn, claim.path.start) !== claim.path.start;
      const order = (list) => flip ? [...list].reverse() : list;
      const image = links.map(({left: l, right: r, ways}) => {
        const [a, b] = order([to(l), to(r)]);
        return {left: a, right: b, ways: ways.map(({cells, gaps}) => ({cells: order(cells.map(to)), gaps: order(gaps)}))};
      });
      const joined = connection(claim.path, own, enemy, image, false);
      if (joined?.full && (!claim.wins || count(joined.carrier) <= left))
        return `After it the borders are linked through ${cellsOf(joined.carrier).map((cell) => names[cell]).join(" ") || "stones"}.`;
    }
    return null;
  }
}

const title = (word) => word[0].toUpperCase() + word.slice(1);

// All products of the symmetries, null for the identity first.
function closure(symmetries, size) {
  const identity = [...Array(size).keys()], known = new Map([[identity.join(), null]]);
  const waiting = [identity];
  while (waiting.length && known.size < 5000) {
    const turn = waiting.pop();
    for (const one of symmetries) {
      const product = turn.map((cell) => one[cell]);
      if (!known.has(product.join())) { known.set(product.join(), product); waiting.push(product); }
    }
  }
  return [...known.values()];
}

// --- the page --------------------------------------------------------------------------------------

class Match {
  constructor(checker) {
    this.opponent = new Opponent(checker);
    this.claim = checker.claim;
    this.endless = checker.bound(this.claim.game.start, this.claim.depth) === Infinity && !this.claim.wins && !this.claim.game.schedule;
    this.restart();
  }
  restart() {
    this.failed = false;
    this.line = [{position: this.claim.game.start, name: null, why: ""}];
    this.answer();
  }
  get position() { return this.line.at(-1).position; }
  get left() { return this.endless ? Infinity : this.claim.depth - (this.line.length - 1); }
  // How the game stands: null while it goes on.
  get result() {
    const {game, player, owner, wins} = this.claim, ends = game.pliesByRules(this.position, player);
    if (game.winner(this.position) === owner) return "kept";
    if (ends !== null) return (ends <= this.left) === wins ? "kept" : "lost";
    return this.left > 0 ? null : wins ? "lost" : "kept";
  }
  play(move) {
    this.line.push({position: this.claim.game.after(this.position, move), name: move.name, why: ""});
    this.answer();
  }
  answer() {
    while (this.result === null && this.position.turn === this.claim.owner) {
      const found = this.opponent.reply(this.position, this.left);
      if (!found) { this.failed = true; return; }
      this.line.push({position: this.claim.game.after(this.position, found.move), name: found.move.name, why: found.why});
    }
  }
  get choices() { return this.result === null && !this.failed ? this.claim.game.legal(this.position) : []; }
}

// Random games against the strategy; the number of those that it lost, or had no reply in.
function randomGames(match, games) {
  let lost = 0;
  for (let game = 0; game < games; game++) {
    match.restart();
    for (let ply = 0; match.choices.length && ply < 200; ply++) match.play(match.choices[Math.floor(Math.random() * match.choices.length)]);
    if (match.failed || match.result === "lost") lost++;
  }
  match.restart();
  return lost;
}

// The checker's report on a file, which must have the given digest, if there is one.
function judged(data, bytes, expected = null) {
  let text;
  try { text = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(bytes); } catch { return {verdict: "rejected", reason: "it is no UTF-8"}; }
  if (expected && expected !== sha256(bytes)) return {verdict: "rejected", reason: "its SHA-256 is not the one of this page"};
  return check(data.rules, text);
}

function inWords(report) {
  if (report.verdict === "accepted") return `The checker in this page accepts the strategy: ${report.nodes} nodes.`;
  return `The strategy is refused (${report.verdict})${report.line ? `, line ${report.line}` : ""}: ${report.reason}.`;
}

const byId = (id) => document.getElementById(id);

// Check the strategy inside the page, or, if it is too large for that, the one that is chosen; then play.
function start(data) {
  const inside = data.strategy !== null;
  const show = (report) => {
    byId("verdict").textContent = inWords(report);
    byId("verdict").classList.toggle("refused", report.verdict !== "accepted");
    byId("play").hidden = report.verdict !== "accepted";
    if (report.verdict === "accepted") play(report.checker);
  };
  byId("file").onchange = async ({target}) => {
    const bytes = new Uint8Array(await target.files[0].arrayBuffer());
    const report = judged(data, bytes);
    byId("file-verdict").textContent = inWords(report);
    if (!inside && sha256(bytes) === data.sha256) show(report);
  };
  byId("file").onclick = ({target}) => { target.value = ""; };  // the same name again is news, too
  byId("play").hidden = true;
  if (inside) show(judged(data, new TextEncoder().encode(data.strategy), data.sha256));
  else byId("verdict").textContent = "This strategy is too large to be opened with its page. Choose its file below: the page checks it, then you can play.";
}

function play(checker) {
  const match = globalThis.match = new Match(checker), {game, owner} = match.claim;
  const picture = document.querySelector("#board svg"), stones = picture.querySelector("g.stones"), cells = {};
  picture.querySelector("g.ghosts")?.remove();
  for (const cell of picture.querySelectorAll("[data-cell]")) {
    const box = cell.getBBox();
    cells[cell.dataset.cell] = {cell, x: box.x + box.width / 2, y: box.y + box.height / 2};
  }
  const draw = (kind, name, r) => {
    const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [attribute, value] of Object.entries({class: kind, cx: cells[name].x, cy: cells[name].y, r})) circle.setAttribute(attribute, value);
    stones.append(circle);
  };
  const endings = {kept: "The strategy has kept its claim.", lost: "The strategy has failed."};
  function show() {
    const last = match.line.at(-1), {position} = match, hadFocus = byId("moves").contains(document.activeElement);
    stones.replaceChildren();
    game.names.forEach((name, cell) => position.stones.forEach((set, who) => {
      if (has(set, cell)) draw(`stone ${PLAYERS[who]}`, name, 15.5);
    }));
    if (last.name in cells) draw("last", last.name, 17.2);
    for (const {cell} of Object.values(cells)) { cell.classList.remove("choice"); cell.onclick = null; }
    byId("moves").replaceChildren(...match.choices.map((move) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = move.name;
      button.onclick = () => { match.play(move); show(); };
      const spot = cells[move.name]?.cell;
      if (spot) { spot.classList.add("choice"); spot.onclick = button.onclick; }
      return button;
    }));
    const turn = match.failed ? "The strategy has no reply here." : endings[match.result] ?? `You are ${title(PLAYERS[1 - owner])}: choose a move.`;
    byId("said").textContent = `${last.why} ${turn}`.trim();
    byId("record").textContent = match.line.map(({name}) => name).filter((name) => name !== null).join(" ") || "none";
    byId("back").disabled = !match.line.slice(1).some((step) => !step.why);
    const listed = position.stones.map((set, who) => `${title(PLAYERS[who])}: ${cellsOf(set).map((cell) => game.names[cell]).join(" ") || "none"}.`);
    picture.querySelector("desc").textContent = `${listed.join(" ")} ${turn}`;
    picture.querySelector("title").textContent = turn;
    if (hadFocus) byId("moves").firstChild?.focus();
  }
  byId("again").onclick = () => { match.failed = false; match.restart(); show(); };
  byId("back").onclick = () => {
    // The reader's last move, which is the last without a reason, and all after it.
    while (match.line.length > 1 && match.line.pop().why);
    match.failed = false;
    match.answer();
    show();
  };
  show();
}
