// The view of a game that is shown and played. Its state is in the page's address.

import {get, Run} from "./api.js";
import {focusBoard, markMoves, setSets, showBoard} from "./board.js";
import {afterWinning} from "./collection.js";
import {drawShape} from "./marks.js";
import {amount, attempt, byId, capital, complain, link, opponent} from "./page.js";
import {resetZoom} from "./picture.js";
import {chooseValues, findValues, stopValues, valuesWanted} from "./values.js";
import {Variations} from "./variations.js";

// `results` has the latest answer about each position of this game, by the position's name, and
// `values` what its moves lead to. `strategy` is the one that is explored, `strategies` are those played by.
export const state = {
  base: null, moves: [], at: 0, side: "both", strategy: null, strategies: [], editing: false, results: new Map(), values: new Map(),
};
export let position = null;  // the server's data about the present position

let hinted = null, remark = "", thinking = null, round = 0, settled = false;
let known = new Map();  // moves -> position, for stepping back and forth
let variations = new Variations();
const listeners = [];
export const onChange = (listener) => listeners.push(listener);
let touch = null;
// Who is told of the cells that are touched in the editor.
export const onTouch = (listener) => { touch = listener; };

export const here = () => ({game: state.base, moves: state.moves.slice(0, state.at).join(" ")});

// Whether we are at a position, or after it.
export const isFrom = (place) => state.base === place.base && state.at >= place.played.length
  && place.played.every((move, number) => state.moves[number] === move);

async function describe(count) {
  const moves = state.moves.slice(0, count).join(" ");
  if (!known.has(moves)) {
    if (known.size > 400) known = new Map();
    known.set(moves, await get("/api/describe", moves ? {game: state.base, moves} : {game: state.base}));
  }
  return known.get(moves);
}

// --- the address --------------------------------------------------------------------------------

function address() {
  const parameters = {game: state.base};
  if (state.moves.length) parameters.moves = state.moves.join(" ");
  if (state.at < state.moves.length) parameters.at = state.at;
  if (state.side !== "both") parameters.side = state.side;
  if (state.strategy) parameters.strategy = state.strategy.id;
  if (state.editing) parameters.edit = 1;
  const lines = variations.lines().map((line) => line.join(" "));
  if (lines.length > 1) parameters.lines = lines.join("|");
  return link(parameters);
}

// The address of the page leads here again.
export const remember = () => history.replaceState(history.state, "", address());

// Every change in the editor is an entry of the browser's history, which counts them.
export const edits = () => (history.state && history.state.edits) || 0;

let news = "";
// Words about the address that is opened next.
export function announce(words) {
  news = words;
}

// Go where an address says.
export async function openTable(query) {
  stopThinking();
  [remark, news] = [news, ""];
  const text = query.get("game"), moves = query.get("moves") || "";
  const described = await get("/api/describe", moves ? {game: text, moves} : {game: text});
  const strategy = query.get("strategy");
  const kept = strategy ? await get(`/api/strategies/${encodeURIComponent(strategy)}`) : null;
  const sameGame = state.base === described.base;
  if (!sameGame) forget();
  Object.assign(state, {base: described.base, moves: described.played, at: described.played.length, strategy: kept, strategies: kept ? [kept] : []});
  await enterLines(query.get("lines"));
  variations.enter(described.line);
  state.side = ["black", "white"].includes(query.get("side")) ? query.get("side") : "both";
  if (state.side === "both") state.moves = variations.through(state.moves);
  const at = Number.parseInt(query.get("at"), 10);
  if (at >= 0 && at < state.moves.length) state.at = at;
  state.editing = query.has("edit");
  await show();
}

// Nothing that was known holds in another game.
function forget() {
  known = new Map();
  variations = new Variations();
  state.results.clear();
  state.values.clear();
  setSets([]);
  resetZoom();
}

const MOST_LINES = 60;

// The variations of an address, each of which the server must accept.
async function enterLines(text) {
  const lines = text ? text.split("|").slice(0, MOST_LINES) : [];
  const found = await Promise.all(lines.map((moves) => get("/api/describe", {game: state.base, moves}).catch(() => null)));
  for (const described of found) if (described) variations.enter(described.line);
}

// Show a game that was edited or set anew, as a new entry of the browser's history.
export async function replaceGame(described) {
  history.pushState({edits: edits() + 1}, "", location.href);
  forget();
  Object.assign(state, {base: described.base, moves: described.played, at: described.played.length, strategy: null, strategies: []});
  variations.enter(described.line);
  await show();
}

// --- showing ------------------------------------------------------------------------------------

// `answers`: whether the computer moves if it is its turn; not while one only looks back.
async function show(answers = state.at === state.moves.length) {
  stopThinking();  // it was about another position
  const turn = ++round;
  settled = false;
  hinted = null;
  const described = await describe(state.at);
  if (turn !== round) return;
  position = described;
  settled = true;
  variations.enter(described.line);
  remember();
  draw();
  refreshValues();
  await Promise.all(listeners.map((listener) => listener()));
  if (turn === round && answers) await answer();
}

// Whether the board waits for a move of the computer.
const computerToMove = () => state.side !== "both" && !position.over && position.to_move === opponent(state.side);

export function draw() {
  byId("called").textContent = position.title;
  byId("name").textContent = state.base;
  byId("aim").textContent = position.goal;
  drawShape(byId("shape"), position.shape);
  document.title = `${position.title}: Skolemate`;
  const shown = isMine() || state.editing ? position : {...position, choices: []};
  showBoard(shown, {play, touch: state.editing ? touch : null});
  mark();
  byId("status").textContent = statusWords().filter(Boolean).join(" ");
  const next = position.winner && position.winner === state.side ? afterWinning(state.base) : null;
  byId("next").hidden = !next;
  byId("next").href = next || "";
  drawControls();
  variations.show(state.moves, state.at, follow);
}

function statusWords() {
  const words = [state.editing ? "Click cells to set stones." : remark, `${capital(position.status)}.`];
  if (state.side === "both") return words;
  if (!position.over) return [...words, isMine() && "It is your turn."];
  return [...words, position.winner && (position.winner === state.side ? "You have won!" : "The computer has won.")];
}

function drawControls() {
  byId("copied").textContent = "";
  byId("address").hidden = true;
  byId("side").value = state.side;
  byId("edit").setAttribute("aria-pressed", state.editing);
  byId("edit").disabled = !byId("board").querySelector("[data-cell]");  // a game in GDL has no cells
  byId("palette").hidden = !state.editing;
  if (position.to_move) byId("first").value = position.to_move;
  byId("back").disabled = byId("restart").disabled = byId("prune").disabled = state.at === 0;
  byId("undo").disabled = state.editing ? !edits() : state.at === 0;
  byId("forward").disabled = byId("end").disabled = state.at === state.moves.length;
  byId("hint").disabled = position.over;
  byId("go-on").hidden = !computerToMove() || state.editing;
}

const isMine = () => state.side === "both" || position.to_move === state.side;

// What the moves lead to, as far as it is known and may be seen: once solved, which moves win.
export function mark() {
  const value = state.values.get(position.game), solved = state.results.get(position.game);
  let moves = [];
  if (valuesWanted(state.side) && value && value.moves) ({moves} = value);
  else if (solved && value && value.moves) moves = value.moves.filter(({outcome}) => outcome === "wins");
  else if (solved) moves = (solved.answer.first_moves || []).map((move) => ({move, outcome: "wins", plies: null, does: "wins"}));
  markMoves(isMine() && !state.editing ? moves : [], hinted);
}

// --- values -------------------------------------------------------------------------------------

export function keepValue(result) {
  if (result.base !== state.base) return;
  const before = state.values.get(result.answer.game);
  if (before && before.moves && !result.value.moves) return;  // another run has found more already
  state.values.set(result.answer.game, {...result.value, sentence: result.sentence.replace(`${result.answer.game}: `, "")});
  if (result.answer.game !== position.game) return;
  mark();
  showWorth();
}

function showWorth() {
  const value = state.values.get(position.game);
  byId("worth").textContent = value && valuesWanted(state.side) ? capital(value.sentence) : "";
}

function refreshValues() {
  stopValues();
  byId("values").checked = valuesWanted(state.side);
  showWorth();
  const found = state.values.get(position.game);
  if (valuesWanted(state.side) && !position.over && !state.editing && !(found && found.moves)) findValues(here(), keepValue);
}

// --- moves --------------------------------------------------------------------------------------

// Go to a position of the line; if that fails, stay where we are.
async function go(moves, at, answers) {
  const before = {moves: state.moves, at: state.at};
  remark = "";
  settled = false;
  Object.assign(state, {moves, at});
  await attempt(async () => {
    try {
      await describe(at);
    } catch (error) {
      Object.assign(state, before);
      settled = true;
      throw error;
    }
    await show(answers);
  });
}

// What was taken back stays in the list of moves, and is gone on with where the same move is played
// again; not in a game against the computer, which may play others.
function play(move) {
  if (!settled) return;  // a second click on a board that is about to change
  const moves = [...state.moves.slice(0, state.at), move];
  go(state.side === "both" ? variations.through(moves) : moves, state.at + 1);
}

const jump = (count, answers) => go(state.moves, Math.max(0, Math.min(count, state.moves.length)), answers);

// To a position of a tree, whatever was played before.
export async function follow(moves) {
  const within = moves.every((move, place) => state.moves[place] === move);
  await go(within ? state.moves : variations.through(moves), moves.length);
}

async function undo() {
  if (state.editing && edits()) history.back();
  if (state.editing || !state.at) return;
  await attempt(async () => {
    let count = state.at - 1;
    while (count > 0 && state.side !== "both" && (await describe(count)).to_move !== state.side) count -= 1;
    if ((await describe(count)).to_move === state.side || state.side === "both") await jump(count, true);
    else complain(new Error("There is no move of yours to take back."));
  });
}

// Forget the last move, and all that was tried after it.
function prune() {
  if (!state.at) return;
  const path = state.moves.slice(0, state.at);
  variations.remove(path);
  path.pop();
  go(variations.through(path), path.length, false);
}

async function copyLink() {
  const done = () => { byId("copied").textContent = "Copied."; };
  try {
    await navigator.clipboard.writeText(location.href);
    done();
  } catch {  // without a secure connection there is no clipboard
    byId("address").hidden = false;
    byId("address").value = location.href;
    byId("address").select();
    byId("copied").textContent = "Copy it from here.";
  }
}

export async function playAs(side) {
  state.side = side;
  remark = "";
  await attempt(show);
}

// --- the computer -------------------------------------------------------------------------------

function stopThinking() {
  if (thinking) thinking.cancel().catch(() => {});
  thinking = null;
}

// The computer's result; null if something else was done meanwhile. A cancelled run has a result,
// too, which is not used.
async function think(path) {
  const own = state.strategies.find((strategy) => strategy.owner === position.to_move) || state.strategy;
  const run = thinking = new Run(path, {...here(), strategy: own ? own.id : null});
  try {
    const ended = await run.finished;
    return thinking === run ? ended.result : null;
  } finally {
    if (thinking === run) thinking = null;
  }
}

async function answer() {
  if (!computerToMove() || state.editing || thinking) return;
  byId("go-on").hidden = true;
  byId("status").textContent = `${capital(position.to_move)} (the computer) is thinking …`;
  let found;
  try {
    found = await think("/api/reply");
  } catch (error) {
    draw();  // with the button to ask again
    throw error;
  }
  if (!found) return;
  remark = `The computer plays ${found.short}. ${found.sentence}`;
  if (found.promised && !/wins within/.test(remark)) remark += ` It wins within ${amount(found.promised, "more ply", "more plies")}.`;
  state.moves = [...state.moves.slice(0, state.at), found.move];
  state.at += 1;
  await show();
}

async function hint() {
  if (position.over || thinking) return;
  await attempt(async () => {
    byId("status").textContent = "Looking for a winning move …";
    const found = await think("/api/hint");
    if (!found) return;
    hinted = found.move;
    remark = found.sentence;
    draw();
  });
}

// --- what buttons and keys do -------------------------------------------------------------------

function toggleEditing() {
  if (byId("edit").disabled) return;
  stopThinking();
  state.editing = !state.editing;
  remark = "";
  if (state.editing) state.side = "both";
  remember();
  draw();
  refreshValues();
  focusBoard();
}

const flip = () => playAs(state.side === "black" ? "white" : state.side === "white" ? "black"
  : position.to_move ? opponent(position.to_move) : "black");

export const actions = {
  restart: () => jump(0, true),
  back: () => jump(state.at - 1),
  forward: () => jump(state.at + 1),
  end: () => jump(state.moves.length),
  undo,
  hint,
  flip,
  edit: toggleEditing,
  prune,
  link: copyLink,
};

export function listenToTable() {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  byId("go-on").addEventListener("click", () => attempt(answer));
  byId("side").addEventListener("change", (event) => playAs(event.target.value));
  byId("values").addEventListener("change", (event) => {
    chooseValues(state.side, event.target.checked);
    mark();
    refreshValues();
  });
}
