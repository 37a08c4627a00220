// The board: the server's picture, with cells that can be chosen by mouse or keyboard.

import {byId} from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const place = byId("board");
let picture = null, overlay = null, hover = null;
let cells = new Map();  // name -> {element, x, y}
let winning = new Set();  // the cells of the moves that win
let position = null, selected = null, cursor = null, onMove = null, onCell = null;

function draw(tag, attributes, words, parent = overlay) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (words) element.textContent = words;
  parent.append(element);
  return element;
}

// Show a position. `play` is called with a move, or, while editing, `touch` with a cell's name.
export function showBoard(described, {play, touch}) {
  const focused = place.contains(document.activeElement);
  position = described;
  onMove = play;
  onCell = touch;
  selected = null;
  winning = new Set();
  const parsed = new DOMParser().parseFromString(described.svg, "image/svg+xml").documentElement;
  picture = document.importNode(parsed, true);
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  picture.setAttribute("role", "group");
  place.replaceChildren(picture);
  place.classList.toggle("editing", Boolean(touch));
  hover = draw("g", {}, "", picture);
  overlay = draw("g", {}, "", picture);
  cells = new Map();
  for (const element of picture.querySelectorAll("[data-cell]")) {
    const box = element.getBBox();
    const name = element.dataset.cell;
    cells.set(name, {element, x: box.x + box.width / 2, y: box.y + box.height / 2});
    element.setAttribute("role", "button");
    element.addEventListener("click", () => choose(name));
    element.addEventListener("pointerenter", () => preview(name));
    element.addEventListener("pointerleave", () => hover.replaceChildren());
    element.addEventListener("focus", () => { cursor = name; preview(name); });
    element.addEventListener("blur", () => hover.replaceChildren());
  }
  if (!cells.has(cursor)) cursor = (described.choices[0] || {cells: [cells.keys().next().value]}).cells.at(-1);
  label();
  threats();
  byId("which").hidden = true;
  if (focused) focusBoard();
}

const stoneOn = (name) => position.black.includes(name) ? "black" : position.white.includes(name) ? "white" : null;
const movesAt = (name) => position.choices.filter((choice) => choice.cells.includes(name));

// Where a stone that is put onto a cell comes to lie: it falls if the board has columns.
export function landing({columns, black, white}, name) {
  const column = columns.find((cells) => cells.includes(name)) || [];
  return column.find((cell) => !black.includes(cell) && !white.includes(cell)) || name;
}

// The moves that a click on a cell could mean, given what is selected.
function meant(name) {
  const moves = movesAt(landing(position, name));
  if (selected) return moves.filter((choice) => choice.cells.includes(selected) && name !== selected);
  return moves;
}

function label() {
  for (const [name, {element}] of cells) {
    const legal = onCell || meant(name).length > 0;
    element.classList.toggle("legal", Boolean(legal));
    element.setAttribute("tabindex", name === cursor ? "0" : "-1");
    const words = [name, stoneOn(name) || "open"], end = landing(position, name);
    if (legal) words.push(end === name || onCell ? "can be played" : `falls to ${end}`);
    if (winning.has(name)) words.push("wins");
    element.setAttribute("aria-label", words.join(", "));
  }
}

// The contour of a cell once more, above its neighbours.
function contour(name, kind, parent = overlay) {
  const copy = cells.get(name).element.cloneNode();
  for (const attribute of [...copy.attributes]) {
    if (!["points", "cx", "cy", "r"].includes(attribute.name)) copy.removeAttribute(attribute.name);
  }
  copy.setAttribute("class", `contour ${kind}`);
  parent.append(copy);
}

function preview(name) {
  hover.replaceChildren();
  if (cells.get(name).element.matches(":focus-visible")) contour(name, "cursor", hover);
  const end = landing(position, name);
  if (onCell || stoneOn(end) || !meant(name).length || !position.to_move) return;
  const {x, y} = cells.get(end);
  draw("circle", {class: `stone ${position.to_move} ghost`, cx: x, cy: y, r: 15.5}, "", hover);
}

function choose(name) {
  cursor = name;
  if (onCell) {
    onCell(name);
    return;
  }
  const moves = meant(name);
  const whole = moves.filter((choice) => choice.cells.length === 1);
  if (!selected && whole.length === 1) return play(whole[0]);
  if (selected && moves.length) {
    // The cell that matters most decides, if one of the moves ends here.
    const ending = moves.filter((choice) => choice.cells.at(-1) === name);
    const rest = ending.length === 1 ? ending : moves;
    return rest.length === 1 ? play(rest[0]) : which(rest);
  }
  select(name === selected || !movesAt(name).length ? null : name);
}

function select(name) {
  selected = name;
  overlay.querySelectorAll(".target, .contour.selected").forEach((mark) => mark.remove());
  label();
  if (!name) return;
  contour(name, "selected");
  const reached = new Set(movesAt(name).flatMap((choice) => choice.cells.length > 2 || choice.cells[0] === name
    ? [choice.cells.at(-1)] : choice.cells));
  reached.delete(name);
  for (const cell of reached) {
    const {x, y} = cells.get(cell);
    draw("circle", {class: "target mark", cx: x, cy: y, r: 7});
  }
}

// Several moves have the same cells: ask by name.
function which(moves) {
  const group = byId("which");
  group.replaceChildren(...moves.map((choice) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = choice.short;
    button.addEventListener("click", () => play(choice));
    return button;
  }));
  group.hidden = false;
  group.firstChild.focus();
}

function play(choice) {
  select(null);
  cursor = choice.cells.at(-1);
  onMove(choice.move);
}

// --- marks --------------------------------------------------------------------------------------

function threats() {
  for (const player of ["black", "white"]) {
    for (const name of position.threats[player]) {
      if (stoneOn(name) === player) continue;
      const {x, y} = cells.get(name);
      const aside = player === "black" ? -9 : 9;
      draw("circle", {class: `badge mark ${player}`, cx: x + aside, cy: y - 9, r: 7});
      draw("text", {class: `bang mark ${player}`, x: x + aside, y: y - 4.8}, "!");
    }
  }
}

// Moves that win, and perhaps one that is hinted at.
export function markMoves(moves, hinted) {
  overlay.querySelectorAll(".star, .hinted, .through, .contour.winning").forEach((mark) => mark.remove());
  for (const {element} of cells.values()) element.classList.remove("winning");
  const found = (name) => position.choices.find((choice) => choice.move === name);
  const wins = moves.map(found).filter(Boolean);
  for (const choice of wins) {
    const [from, to] = [choice.cells[0], choice.cells.at(-1)].map((name) => cells.get(name));
    const x = (from.x + to.x) / 2, y = (from.y + to.y) / 2;
    if (from === to) {
      to.element.classList.add("winning");
      contour(choice.cells[0], "winning");
    } else {  // a line that ends before the next move's begins
      const [dx, dy] = [0.75 * (to.x - x), 0.75 * (to.y - y)];
      draw("line", {class: "through mark", x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy});
    }
    draw("text", {class: "star mark", x, y: y + 7}, "★");
  }
  winning = new Set(wins.map((choice) => choice.cells.at(-1)));
  label();
  const hint = hinted && found(hinted);
  for (const name of hint ? hint.cells : []) {
    const {x, y} = cells.get(name);
    draw("circle", {class: "hinted mark", cx: x, cy: y, r: 17});
  }
}

// The polyomino that is to be built, in small.
export function drawShape(place, shape) {
  place.toggleAttribute("hidden", !shape.length);
  const [width, height] = [0, 1].map((axis) => 1 + Math.max(0, ...shape.map((square) => square[axis])));
  place.setAttribute("viewBox", `-0.1 -0.1 ${width + 0.2} ${height + 0.2}`);
  place.style.height = `${0.8 * height}em`;
  place.replaceChildren();
  for (const [x, y] of shape) draw("rect", {x, y, width: 1, height: 1}, "", place);
}

// --- keys ---------------------------------------------------------------------------------------

export function focusBoard() {
  const cell = cells.get(cursor);
  if (cell) cell.element.focus({preventScroll: true});
}

const WAYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// The nearest cell in a direction, at most as far aside as ahead.
function neighbour(name, [dx, dy]) {
  const from = cells.get(name);
  let best = null, least = Infinity;
  for (const [other, {x, y}] of cells) {
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
  if (event.altKey || event.ctrlKey || event.metaKey || !cells.has(cursor)) return;
  if (event.key in WAYS) {
    const next = neighbour(cursor, WAYS[event.key]);
    if (next) {
      cursor = next;
      label();
      focusBoard();
    }
  } else if (event.key === "Enter" || event.key === " ") {
    choose(cursor);
  } else if (event.key === "Escape" && selected) {
    select(null);
    event.stopPropagation();
  } else {
    return;
  }
  event.preventDefault();
});
