// What is marked on a board: values of moves, threats, a hint, winning sets, the shape to be built.

import {draw, middle, outline, scene} from "./picture.js";

const SIGNS = {wins: "+", draws: "=", loses: "−"};
const BEST = ["wins", "draws", "loses"];

// --- values of moves ----------------------------------------------------------------------------------

const better = (one, two) => BEST.indexOf(one.outcome) - BEST.indexOf(two.outcome)
  || (one.outcome === "loses" ? two.plies - one.plies : one.plies - two.plies);

export const sign = ({outcome, plies}) => (outcome === "draws" ? "=" : plies === null ? {wins: "★", loses: "−"}[outcome] : SIGNS[outcome] + plies);

function badge(value, {x, y}) {
  const words = sign(value), width = 8 + 7 * words.length;
  draw("rect", {class: `value mark ${value.outcome}`, x: x - width / 2, y: y - 9, width, height: 18, rx: value.outcome === "draws" ? 2 : 9});
  draw("text", {class: `worth mark ${value.outcome}`, x, y: y + 4.5}, words);
}

// Show what moves lead to. `moving`: the moves of a piece, which share cells: of these the best is
// shown on the piece itself or, where one is selected, each on its own target.
export function showValues(values, selected, moving) {
  scene.overlay.querySelectorAll(".value, .worth, .contour.winning").forEach((mark) => mark.remove());
  for (const {element} of scene.cells.values()) element.classList.remove("winning");
  const known = values.filter(({outcome, cells}) => outcome !== "unknown" && cells.length);
  for (const {outcome, cells} of known.filter((value) => value.outcome === "wins" && (!selected || value.cells.includes(selected)))) {
    outline(cells, "winning");
    if (cells.length === 1) scene.cells.get(cells[0]).element.classList.add("winning", outcome);
  }
  const pieces = new Map();
  for (const value of known) {
    if (!moving(value)) badge(value, middle(value.cells));
    else if (selected) {
      if (value.cells[0] === selected) badge(value, scene.cells.get(value.cells.at(-1)));
    } else if (!pieces.has(value.cells[0]) || better(value, pieces.get(value.cells[0])) < 0) {
      pieces.set(value.cells[0], value);
    }
  }
  for (const [name, value] of pieces) badge(value, scene.cells.get(name));
}

// --- threats and hints --------------------------------------------------------------------------------

export function showThreats(threats, stoneOn) {
  for (const player of ["black", "white"]) {
    for (const name of threats[player]) {
      if (stoneOn(name) === player) continue;
      const {x, y} = scene.cells.get(name), aside = player === "black" ? -11 : 11;
      draw("circle", {class: `badge mark ${player}`, cx: x + aside, cy: y - 12, r: 6.5});
      draw("text", {class: `bang mark ${player}`, x: x + aside, y: y - 8}, "!");
    }
  }
}

export function showHint(cells) {
  scene.overlay.querySelectorAll(".hinted").forEach((mark) => mark.remove());
  for (const name of cells) {
    const {x, y} = scene.cells.get(name);
    draw("circle", {class: "hinted mark", cx: x, cy: y, r: 17});
  }
}

// --- winning sets -------------------------------------------------------------------------------------

const MOST = 40;  // lines that can be told apart

// The winning sets through a cell that can still be completed, as lines. `taken` tells the opponent's cells.
export function showSets(sets, name, taken) {
  const through = sets.filter((cells) => cells.includes(name) && !cells.some(taken)).slice(0, MOST);
  for (const cells of through) {
    const points = cells.map((cell) => scene.cells.get(cell)).map(({x, y}) => `${x},${y}`);
    draw("polyline", {class: "set mark", points: points.join(" ")}, "", scene.hover);
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
