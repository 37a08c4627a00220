// The picture of a board: its cells, and how to draw upon it. It can be enlarged.

import {byId} from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const CELL = 40;  // the distance of neighbouring cells in the picture's own units
const LEAST = 26;  // pixels of a cell that a finger hits
const place = byId("board");

// The picture that is shown: `hover` and `overlay` are groups above it, `cells` has name -> {element, x, y}.
export const scene = {picture: null, hover: null, overlay: null, cells: new Map()};

export function draw(tag, attributes, words = "", parent = scene.overlay) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (words) element.textContent = words;
  parent.append(element);
  return element;
}

export function showPicture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const picture = document.importNode(parsed, true);
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  picture.setAttribute("role", "group");
  place.replaceChildren(picture);
  scene.picture = picture;
  scene.hover = draw("g", {class: "hover"}, "", picture);
  scene.overlay = draw("g", {}, "", picture);
  scene.cells = new Map();
  for (const element of picture.querySelectorAll("[data-cell]")) {
    const box = element.getBBox();
    scene.cells.set(element.dataset.cell, {element, x: box.x + box.width / 2, y: box.y + box.height / 2});
  }
  fit();
}

// --- points and cells -------------------------------------------------------------------------------

// Where a pointer is, in the picture's own units.
export function pointAt(event) {
  const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(scene.picture.getScreenCTM().inverse());
  return {x, y};
}

// The name of the cell under a pointer, if any.
export function cellAt(event) {
  const element = document.elementFromPoint(event.clientX, event.clientY);
  return (element && element.dataset.cell) || null;
}

export function middle(names) {
  const [from, to] = [names[0], names.at(-1)].map((name) => scene.cells.get(name));
  return {x: (from.x + to.x) / 2, y: (from.y + to.y) / 2};
}

// One outline around all cells of a move: the cell's own contour, or a capsule from the first to the last.
export function outline(names, kind, parent = scene.overlay) {
  const [from, to] = [names[0], names.at(-1)].map((name) => scene.cells.get(name));
  if (from === to) {
    const copy = from.element.cloneNode();
    for (const attribute of [...copy.attributes]) {
      if (!["points", "cx", "cy", "r"].includes(attribute.name)) copy.removeAttribute(attribute.name);
    }
    copy.setAttribute("class", `contour ${kind}`);
    parent.append(copy);
    return;
  }
  const length = Math.hypot(to.x - from.x, to.y - from.y), radius = 16;
  const [dx, dy] = [radius * (from.y - to.y) / length, radius * (to.x - from.x) / length];
  const arc = `A ${radius} ${radius} 0 0 0`;
  const d = `M ${from.x + dx} ${from.y + dy} L ${to.x + dx} ${to.y + dy} ${arc} ${to.x - dx} ${to.y - dy}`
    + ` L ${from.x - dx} ${from.y - dy} ${arc} ${from.x + dx} ${from.y + dy} Z`;
  draw("path", {class: `contour ${kind}`, d}, "", parent);
}

// --- zoom ---------------------------------------------------------------------------------------------

let zoom = null;  // null: as large as it must be to be hit by a finger

const shown = () => scene.picture.getBoundingClientRect().width / scene.picture.viewBox.baseVal.width * CELL;

function enlarge(factor) {
  place.classList.toggle("zoomed", factor > 1);
  scene.picture.style.width = factor > 1 ? `${100 * factor}%` : "";
  return factor;
}

function fit() {
  let factor = enlarge(zoom ?? 1);
  const cell = shown();
  if (zoom === null && cell && cell < LEAST) factor = enlarge(LEAST / cell);
  byId("zoom").hidden = !(factor > 1 || shown() < 44);
  byId("smaller").disabled = factor <= 1;
}

export function zoomBy(factor) {
  const now = place.classList.contains("zoomed") ? Number.parseFloat(scene.picture.style.width) / 100 : 1;
  const before = scene.picture.getBoundingClientRect().width;
  zoom = Math.min(6, Math.max(1, now * factor));
  fit();
  // The middle of what was in sight stays there.
  const grown = scene.picture.getBoundingClientRect().width / before;
  place.scrollLeft = (place.scrollLeft + place.clientWidth / 2) * grown - place.clientWidth / 2;
  place.scrollTop = (place.scrollTop + place.clientHeight / 2) * grown - place.clientHeight / 2;
}

export function listenToZoom() {
  byId("larger").addEventListener("click", () => zoomBy(1.4));
  byId("smaller").addEventListener("click", () => zoomBy(1 / 1.4));
  window.addEventListener("resize", () => scene.picture && fit());
}

// Another game begins as large as it must be.
export function resetZoom() {
  zoom = null;
}
