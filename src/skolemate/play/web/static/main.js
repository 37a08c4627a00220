// The page: which view is shown, keys, and light or dark.

import {get} from "./api.js";
import {cancel, drop, listenToAsk, loadChoices, refreshAsk, solve} from "./ask.js";
import {focusBoard, setSets} from "./board.js";
import {listenToCollection, loadCollection, loadKept, tickPuzzles} from "./collection.js";
import {dropComparison, listenToCompare, refreshCompare} from "./compare.js";
import {listenToEditor} from "./editor.js";
import {listenToGame, loadNew, refreshGame} from "./game.js";
import {attempt, byId, quietly} from "./page.js";
import {listenToZoom, zoomBy} from "./picture.js";
import {actions, listenToTable, onChange, openTable, position, state} from "./table.js";
import {refreshTree} from "./tree.js";

function show(view) {
  for (const name of ["collection", "table"]) byId(name).hidden = name !== view;
}

async function route() {
  const query = new URLSearchParams(location.hash.slice(1));
  if (query.get("game") !== state.base) {
    drop();
    dropComparison();
  }
  if (!query.has("game")) {
    show("collection");
    document.title = "Skolemate";
    tickPuzzles();
    await loadKept();
    return;
  }
  show("table");
  const focused = document.activeElement;
  byId("table").inert = true;  // until there is something to be clicked
  try {
    await openTable(query);
  } catch (error) {
    show("collection");
    throw error;
  } finally {
    byId("table").inert = false;
  }
  if (byId("table").contains(focused)) {
    focused.focus({preventScroll: true});  // as after Undo in the editor
    return;
  }
  window.scrollTo(0, 0);
  byId("title").focus({preventScroll: true});
}

// --- keys -----------------------------------------------------------------------------------------

const KEYS = {
  ",": actions.back, ".": actions.forward, r: actions.restart, u: actions.undo, h: actions.hint, f: actions.flip,
  e: actions.edit, v: () => byId("values").click(), s: solve, b: focusBoard, Escape: cancel,
  "+": () => zoomBy(1.4), "-": () => zoomBy(1 / 1.4),
  ArrowLeft: actions.back, ArrowRight: actions.forward, Home: actions.restart, End: actions.end,
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
  if (event.key.length === 1 && !byId("letters").checked) return;
  if (event.key === "?") byId("keys").showModal();
  else if (byId("table").hidden || byId("table").inert || !KEYS[event.key]) return;
  else KEYS[event.key]();
  event.preventDefault();
});

// --- winning sets ---------------------------------------------------------------------------------

let sets = {base: null, black: [], white: []};  // those of one game

// Show the mover's winning sets for the cell under the pointer.
async function refreshSets() {
  if (sets.base !== state.base) {
    const {base} = state;
    sets = {base, black: [], white: []};
    const found = await get("/api/sets", {game: base});
    if (sets.base === base) sets = {base, ...found};
  }
  setSets(sets[position.to_move] || []);
}

// --- light or dark ------------------------------------------------------------------------------

const dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

function theme(chosen) {
  if (chosen) document.documentElement.dataset.theme = chosen;
  byId("theme").textContent = dark() ? "Light" : "Dark";
}

byId("theme").addEventListener("click", () => {
  const chosen = dark() ? "light" : "dark";
  localStorage.setItem("theme", chosen);
  theme(chosen);
});
theme(localStorage.getItem("theme"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme());

// --- keys off, and a way past the header --------------------------------------------------------

byId("letters").checked = localStorage.getItem("letters") !== "off";
byId("letters").addEventListener("change", (event) => localStorage.setItem("letters", event.target.checked ? "on" : "off"));

byId("skip").addEventListener("click", () => {
  if (byId("table").hidden) byId("by-name").elements.game.focus();
  else focusBoard();
});

byId("help").addEventListener("click", () => byId("keys").showModal());
byId("home").addEventListener("click", (event) => {
  event.preventDefault();
  location.hash = "";
});

listenToCollection();
listenToTable();
listenToAsk();
listenToCompare();
listenToGame();
listenToEditor();
listenToZoom();
onChange(() => { quietly(refreshSets); });
onChange(refreshAsk);
onChange(refreshGame);
onChange(refreshTree);
onChange(refreshCompare);
document.addEventListener("solved", () => quietly(async () => {
  refreshCompare();
  await refreshTree();
}));
await quietly(loadCollection);
quietly(loadNew);
quietly(loadChoices);
window.addEventListener("hashchange", () => attempt(route));
await quietly(route);
