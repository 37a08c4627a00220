// The view of a game that is shown and played. Its state is in the page's address.

import {get, post, Run} from "./api.js";
import {drawShape, focusBoard, landing, markMoves, showBoard} from "./board.js";
import {afterWinning} from "./collection.js";
import {amount, attempt, byId, capital, complain, link, make, opponent} from "./page.js";

// `results` has the latest answer about each position of this game, by the position's name.
export const state = {base: null, moves: [], at: 0, side: "both", strategy: null, results: new Map()};
export let position = null;  // the server's data about the present position

let editing = false, hinted = null, remark = "", thinking = null, round = 0, settled = false;
let known = new Map();  // moves -> position, for stepping back and forth
let line = [];  // the moves by their short names, with who made them
const listeners = [];
export const onChange = (listener) => listeners.push(listener);

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
  if (editing) parameters.edit = 1;
  return link(parameters);
}

// The address of the page leads here again.
export const remember = () => history.replaceState(history.state, "", address());

// Every change in the editor is an entry of the browser's history, which counts them.
const edits = () => (history.state && history.state.edits) || 0;

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
  known = new Map();
  const sameGame = state.base === described.base;
  Object.assign(state, {base: described.base, moves: described.played, at: described.played.length, strategy: kept});
  if (!sameGame) state.results.clear();
  const at = Number.parseInt(query.get("at"), 10);
  if (at >= 0 && at < state.moves.length) state.at = at;
  state.side = ["black", "white"].includes(query.get("side")) ? query.get("side") : "both";
  editing = query.has("edit");
  line = described.line;
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
  // The moves that were taken back stay in the list as long as they fit.
  if (!described.line.every((step, place) => line[place] && line[place].move === step.move)) line = described.line;
  line = line.slice(0, state.moves.length);
  remember();
  draw();
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
  const mine = state.side === "both" || position.to_move === state.side;
  const shown = mine || editing ? position : {...position, choices: []};
  showBoard(shown, {play, touch: editing ? touch : null});
  const solved = state.results.get(position.game);
  markMoves((solved && mine && solved.answer.first_moves) || [], hinted);
  const words = [editing ? "Click cells to set Black, White, nothing." : remark, `${capital(position.status)}.`];
  if (position.over && state.side !== "both" && position.winner) {
    words.push(position.winner === state.side ? "You have won!" : "The computer has won.");
  } else if (!position.over && state.side !== "both") {
    words.push(mine ? "It is your turn." : "");
  }
  byId("status").textContent = words.filter(Boolean).join(" ");
  const next = position.winner && position.winner === state.side ? afterWinning(state.base) : null;
  byId("next").hidden = !next;
  byId("next").href = next || "";
  byId("side").value = state.side;
  byId("edit").setAttribute("aria-pressed", editing);
  byId("first-label").hidden = !editing;
  if (position.to_move) byId("first").value = position.to_move;
  byId("back").disabled = byId("restart").disabled = state.at === 0;
  byId("undo").disabled = editing ? !edits() : state.at === 0;
  byId("forward").disabled = state.at === state.moves.length;
  byId("hint").disabled = position.over;
  byId("go-on").hidden = !computerToMove() || editing;
  byId("moves").replaceChildren(...line.map((step, place) => make("li", {}, make("button", {
    type: "button",
    class: `chip ${step.player}${place >= state.at ? " later" : ""}`,
    "aria-current": place === state.at - 1 ? "step" : null,
    onclick: () => jump(place + 1),
  }, step.short))));
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

// What was taken back is kept for "forward" as long as the same moves are played again; the
// computer may play others.
function play(move) {
  if (!settled) return;  // a second click on a board that is about to change
  const again = state.side === "both" && state.moves[state.at] === move;
  go(again ? state.moves : [...state.moves.slice(0, state.at), move], state.at + 1);
}

const jump = (count, answers) => go(state.moves, Math.max(0, Math.min(count, state.moves.length)), answers);

// To a position of the tree, whatever was played before.
export async function follow(moves) {
  const within = moves.every((move, place) => state.moves[place] === move);
  await go(within ? state.moves : moves, moves.length);
}

async function undo() {
  if (editing && edits()) history.back();
  if (editing || !state.at) return;
  await attempt(async () => {
    let count = state.at - 1;
    while (count > 0 && state.side !== "both" && (await describe(count)).to_move !== state.side) count -= 1;
    if ((await describe(count)).to_move === state.side || state.side === "both") await jump(count, true);
    else complain(new Error("There is no move of yours to take back."));
  });
}

export async function playAs(side, strategy = state.strategy) {
  Object.assign(state, {side, strategy});
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
  const run = thinking = new Run(path, {...here(), strategy: state.strategy ? state.strategy.id : null});
  try {
    const ended = await run.finished;
    return thinking === run ? ended.result : null;
  } finally {
    if (thinking === run) thinking = null;
  }
}

async function answer() {
  if (!computerToMove() || editing || thinking) return;
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

// --- editing ------------------------------------------------------------------------------------

let touched = Promise.resolve();  // one click after the other, however quick they come

function touch(name) {
  touched = touched.then(() => change(name));
}

async function change(touched) {
  const {black, white, columns} = position;
  const taken = (cell) => black.includes(cell) || white.includes(cell);
  const name = taken(touched) ? touched : landing(position, touched);
  const column = columns.find((cells) => cells.includes(name)) || [];
  const carries = taken(column[column.indexOf(name) + 1]);  // a stone that would fall without this one
  const stone = black.includes(name) ? "black" : white.includes(name) ? "white" : null;
  const without = (cells) => cells.filter((cell) => cell !== name);
  const next = {null: "black", black: "white", white: carries ? "black" : null}[stone];
  await edit({
    black: next === "black" ? [...without(black), name] : without(black),
    white: next === "white" ? [...without(white), name] : without(white),
    first: byId("first").value,
  });
}

async function edit(stones) {
  await attempt(async () => {
    const edited = await post("/api/edit", {game: state.base, ...stones});
    history.pushState({edits: edits() + 1}, "", location.href);
    known = new Map();
    Object.assign(state, {base: edited.base, moves: [], at: 0, strategy: null});
    state.results.clear();
    await show();
  });
}

function toggleEditing() {
  stopThinking();
  editing = !editing;
  remark = "";
  if (editing) state.side = "both";
  remember();
  draw();
  focusBoard();
}

const flip = () => playAs(state.side === "black" ? "white" : state.side === "white" ? "black"
  : position.to_move ? opponent(position.to_move) : "black");

export const actions = {
  restart: () => jump(0, true),
  back: () => jump(state.at - 1),
  forward: () => jump(state.at + 1),
  undo,
  hint,
  flip,
  edit: toggleEditing,
};

export function listenToTable() {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  byId("go-on").addEventListener("click", () => attempt(answer));
  byId("side").addEventListener("change", (event) => playAs(event.target.value));
  byId("first").addEventListener("change", (event) => edit({
    black: position.black, white: position.white, first: event.target.value,
  }));
}
