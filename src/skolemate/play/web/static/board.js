// The board: moves are chosen by mouse, finger or keyboard; pieces can be dragged.

import {showHint, showSets, showThreats, showValues, sign} from "./marks.js";
import {byId, make, opponent} from "./page.js";
import {cellAt, draw, middle, outline, pointAt, scene, showPicture} from "./picture.js";

const place = byId("board");
let position = null, selected = null, cursor = null, onMove = null, onCell = null;
let values = [], sets = [];
let pointed = null;  // {name, event}: the cell that is looked at

// Show a position. `play` is called with a move, or, while editing, `touch` with a cell's name.
export function showBoard(described, {play, touch}) {
  const focused = [place, byId("which")].some((part) => part.contains(document.activeElement));
  position = described;
  onMove = play;
  onCell = touch;
  selected = dragged = pointed = null;
  values = [];
  showPicture(described.svg);
  place.classList.toggle("editing", Boolean(touch));
  for (const [name, {element}] of scene.cells) {
    element.setAttribute("role", "button");
    element.addEventListener("click", (event) => choose(name, event));
    element.addEventListener("pointermove", (event) => preview(name, event));
    element.addEventListener("pointerleave", leave);
    element.addEventListener("pointerdown", (event) => grasp(name, event));
    element.addEventListener("focus", () => { cursor = name; preview(name); });
    element.addEventListener("blur", leave);
  }
  if (!scene.cells.has(cursor)) cursor = (described.choices[0] || {cells: [scene.cells.keys().next().value]}).cells.at(-1);
  label();
  showThreats(position.threats, stoneOn);
  offer(withoutCells());
  if (focused) focusBoard();
}

// The winning sets of the player to move, which are shown for the cell under the pointer.
export function setSets(found) {
  sets = found;
  if (pointed) preview(pointed.name, pointed.event);
}

// What moves lead to, and perhaps one that is hinted at.
export function markMoves(found, hinted) {
  const choices = new Map(position.choices.map((choice) => [choice.move, choice]));
  values = found.filter(({move}) => choices.has(move)).map((value) => ({...value, cells: choices.get(value.move).cells}));
  showValues(values, selected, moves);
  if (withoutCells().length) offer(withoutCells());
  showHint(hinted && choices.has(hinted) ? choices.get(hinted).cells : []);
  label();
}

// --- what a cell means ----------------------------------------------------------------------------------

const stoneOn = (name) => position.black.includes(name) ? "black" : position.white.includes(name) ? "white" : null;
const movesAt = (name) => position.choices.filter((choice) => choice.cells.includes(name));
// Whether a move takes a piece from its first cell to its last; other moves put stones onto all their cells.
const moves = (choice) => choice.cells.length > 1 && stoneOn(choice.cells[0]) === position.to_move;
const movesFrom = (name) => position.choices.filter((choice) => moves(choice) && choice.cells[0] === name);

const withoutCells = () => (onCell ? [] : position.choices.filter((choice) => !choice.cells.length));

const columnOf = ({columns}, name) => columns.find((cells) => cells.includes(name)) || [];

// Where a stone that is put onto a cell comes to lie: it falls if the board has columns.
export function landing(described, name) {
  const {black, white} = described;
  return columnOf(described, name).find((cell) => !black.includes(cell) && !white.includes(cell)) || name;
}

// The moves that a click on a cell could mean, given what is selected.
function meant(name) {
  const found = movesAt(landing(position, name));
  if (selected) return found.filter((choice) => choice.cells.includes(selected) && name !== selected);
  return found;
}

// Of several moves that put stones onto a cell, such as dominoes, the one that the pointer is nearest to.
function nearest(name, event) {
  const several = meant(name).filter((choice) => choice.cells.length > 1 && !moves(choice));
  const pointed = event && (event.type !== "click" || event.detail > 0);  // and not by a key or a screen reader
  if (!several.length || selected || !pointed) return null;
  const {x, y} = pointAt(event);
  const distance = (choice) => { const at = middle(choice.cells); return Math.hypot(at.x - x, at.y - y); };
  return several.reduce((best, choice) => (distance(choice) < distance(best) ? choice : best));
}

function label() {
  for (const [name, {element}] of scene.cells) {
    const legal = onCell || meant(name).length > 0;
    element.classList.toggle("legal", Boolean(legal));
    element.classList.toggle("movable", !onCell && movesFrom(name).length > 0);
    element.setAttribute("tabindex", name === cursor ? "0" : "-1");
    const words = [name, stoneOn(name) || "open"], end = landing(position, name);
    if (legal) words.push(end === name || onCell ? "can be played" : `falls to ${end}`);
    if (name === selected) words.push("selected");
    words.push(...worth(name, end));
    element.setAttribute("aria-label", words.join(", "));
  }
}

// What the moves at a cell lead to, in words: of several the best, with its name.
function worth(name, end) {
  const here = values.filter(({cells, does}) => does && (selected ? cells.includes(selected) && cells.includes(name) : cells.includes(end)));
  if (!here.length) return [];
  const [best] = here;  // they come in this order
  return [here.length > 1 || best.cells.length > 1 ? `${best.short} ${best.does}` : best.does];
}

// --- pointing ---------------------------------------------------------------------------------------------

const ghost = (name, parent = scene.hover) => {
  const {x, y} = scene.cells.get(name);
  draw("circle", {class: `stone ${position.to_move} ghost`, cx: x, cy: y, r: 15.5}, "", parent);
};

function leave() {
  pointed = null;
  scene.hover.replaceChildren();
}

function preview(name, event) {
  if (dragged && dragged.away) return;
  pointed = {name, event};
  scene.hover.replaceChildren();
  if (scene.cells.get(name).element.matches(":focus-visible")) outline([name], "cursor", scene.hover);
  const end = landing(position, name);
  if (!position.over) showSets(sets, end, (cell) => stoneOn(cell) === opponent(position.to_move));
  if (onCell || !meant(name).length || !position.to_move) return;
  const column = columnOf(position, name), domino = nearest(name, event);
  if (column.length) outline([column[0], column.at(-1)], "column", scene.hover);
  if (domino) {
    outline(domino.cells, `domino ${position.to_move}`, scene.hover);
    domino.cells.forEach((cell) => ghost(cell));
  } else if (!stoneOn(end)) ghost(end);
}

function choose(name, event) {
  if (dropped) {  // the end of a drag is no click
    dropped = false;
    return undefined;
  }
  cursor = name;
  if (onCell) return onCell(name);
  const found = meant(name), domino = nearest(name, event);
  const whole = found.filter((choice) => choice.cells.length === 1);
  if (!selected && whole.length === 1) return play(whole[0]);
  if (domino) return play(domino);
  if (selected && found.length) {
    // The cell that matters most decides, if one of the moves ends here.
    const ending = found.filter((choice) => choice.cells.at(-1) === name);
    const rest = ending.length === 1 ? ending : found;
    return rest.length === 1 ? play(rest[0]) : which(rest);
  }
  return select(name === selected || !movesAt(name).length ? null : name);
}

function select(name) {
  selected = name;
  scene.overlay.querySelectorAll(".target, .contour.selected").forEach((mark) => mark.remove());
  if (name) {
    outline([name], "selected");
    const reached = new Set(movesAt(name).flatMap((choice) => choice.cells.length > 2 || choice.cells[0] === name
      ? [choice.cells.at(-1)] : choice.cells));
    reached.delete(name);
    for (const cell of reached) {
      const {x, y} = scene.cells.get(cell);
      draw("circle", {class: "target mark", cx: x, cy: y, r: 7});
    }
  }
  showValues(values, selected, moves);
  label();
}

// Moves to be chosen by name: they have no cells, as in a game of GDL, or the same cells as others.
function offer(several) {
  const group = byId("which"), focused = [...group.children].indexOf(document.activeElement);
  group.hidden = !several.length;
  group.replaceChildren(...several.map((choice) => {
    const value = values.find(({move, outcome}) => move === choice.move && outcome !== "unknown");
    const mark = value ? [make("span", {class: `mark ${value.outcome}`}, sign(value))] : [];
    return make("button", {type: "button", onclick: () => play(choice)}, choice.short, ...mark);
  }));
  if (focused >= 0 && several.length) group.children[Math.min(focused, several.length - 1)].focus();
}

function which(several) {
  offer(several);
  byId("which").firstChild.focus();
}

function play(choice) {
  select(null);
  cursor = choice.cells.at(-1);
  onMove(choice.move);
}

// --- dragging -----------------------------------------------------------------------------------------------

const FAR = 8;  // pixels after which a press is a drag
let dragged = null;  // {name, x, y, away, stone}
let dropped = false;

function grasp(name, event) {
  dropped = false;
  if (onCell || event.button !== 0 || !movesFrom(name).length) return;
  dragged = {name, x: event.clientX, y: event.clientY, away: false};
}

place.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  if (!dragged.away) {
    if (Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < FAR) return;
    dragged.away = true;
    select(dragged.name);
    scene.hover.replaceChildren();
    dragged.stone = draw("circle", {class: `stone ${position.to_move} dragged`, r: 15.5});
  }
  const {x, y} = pointAt(event);
  dragged.stone.setAttribute("cx", x);
  dragged.stone.setAttribute("cy", y);
});

document.addEventListener("pointerup", (event) => {
  const drag = dragged;
  dragged = null;
  if (!drag || !drag.away) return;
  drag.stone.remove();
  const end = cellAt(event);
  const found = movesFrom(drag.name).filter((choice) => choice.cells.at(-1) === end);
  dropped = end === drag.name;  // only there a click follows
  if (found.length === 1) play(found[0]);
  else if (found.length) which(found);
  else select(null);
});

document.addEventListener("pointercancel", () => {
  if (dragged && dragged.stone) dragged.stone.remove();
  dragged = null;
});

// --- keys -----------------------------------------------------------------------------------------------------

export function focusBoard() {
  const cell = scene.cells.get(cursor), first = cell ? cell.element : byId("which").firstChild;
  if (first) first.focus({preventScroll: true});
}

const WAYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// The nearest cell in a direction, at most as far aside as ahead.
function neighbour(name, [dx, dy]) {
  const from = scene.cells.get(name);
  let best = null, least = Infinity;
  for (const [other, {x, y}] of scene.cells) {
    const along = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    if (along > 1 && aside <= along && along + aside < least) {
      best = other;
      least = along + aside;
    }
  }
  return best;
}

place.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !scene.cells.has(cursor)) return;
  if (event.key in WAYS) {
    const next = neighbour(cursor, WAYS[event.key]);
    if (next) {
      cursor = next;
      label();
      scene.cells.get(cursor).element.focus();
    }
  } else if (event.key === "Enter" || event.key === " ") {
    choose(cursor);
  } else if (event.key === "Escape" && selected) {
    select(null);
  } else {
    return;
  }
  event.stopPropagation();  // arrows step through the game elsewhere
  event.preventDefault();
});
