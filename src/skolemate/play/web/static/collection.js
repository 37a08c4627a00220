// The start page: games by picture, by name or as files, and kept strategies.

import {address, get, post, Run} from "./api.js";
import {attempt, byId, capital, link, make, plies} from "./page.js";

export let families = [];
let titles = {}, puzzles = [], kinds = {}, pictures = {};

const puzzle = (game) => link({game, side: "black"});

function card(game) {
  const family = families.find((entry) => entry.name === game.split("(")[0]);
  const image = make("img", {src: address("/api/svg", {game: pictures[game] || game}), alt: "", loading: "lazy"});
  const href = puzzles.includes(game) ? puzzle(game) : link({game});
  return make("a", {href, title: family ? family.summary : "", "data-kind": kinds[game]}, image, titles[game], make("small", {}, game));
}

export async function loadCollection() {
  const listed = await get("/api/games");
  ({families, titles, puzzles, kinds, pictures} = listed);
  byId("puzzles").replaceChildren(...puzzles.map(card));
  byId("games").replaceChildren(...listed.games.map(card));
}

// --- puzzles won on this machine ------------------------------------------------------------------

const won = () => (localStorage.getItem("won") || "").split(" ");

// A game was won against the computer: if it is a puzzle, the address of the next one to be won.
export function afterWinning(game) {
  if (!puzzles.includes(game)) return null;
  localStorage.setItem("won", [...new Set([...won(), game])].join(" "));
  const place = puzzles.indexOf(game), others = [...puzzles.slice(place), ...puzzles.slice(0, place)];
  const next = others.find((other) => !won().includes(other));
  return next ? puzzle(next) : null;
}

export function tickPuzzles() {
  for (const [place, card] of [...byId("puzzles").children].entries()) {
    if (won().includes(puzzles[place]) && !card.querySelector(".tick")) card.append(make("span", {class: "tick"}, "✓ won"));
  }
}

// --- kept strategies ------------------------------------------------------------------------------

export async function loadKept() {
  const kept = (await get("/api/strategies")).slice(0, 12);
  byId("kept").hidden = !kept.length;
  byId("kept").querySelector("ul").replaceChildren(...kept.map((entry) => {
    const wins = entry.verdict === "WIN";
    const words = `${entry.game}: ${capital(entry.player)} ${wins ? "wins" : "has no win"} in ${plies(entry.depth)}`;
    const side = (entry.player === "black") === wins ? "white" : "black";
    return make("li", {}, make("a", {href: link({game: entry.game, side, strategy: entry.id})}, words));
  }));
}

// --- files ------------------------------------------------------------------------------------------

const LARGEST = {game: 1_000_000, strategy: 8_000_000};  // bytes

// Have a strategy's file checked, and explore it. The game that is open may be the one it is about.
export async function openStrategy(name, text) {
  const open = new URLSearchParams(location.hash.slice(1)).get("game");
  const run = new Run("/api/strategies", open ? {name, text, game: open} : {name, text});
  const {result} = await run.finished;
  location.hash = link({game: result.base, moves: result.played.join(" "), strategy: result.id});
}

async function open(files) {
  if (!files.length) return;
  await attempt(async () => {
    const read = await Promise.all([...files].slice(0, 2).map(async (file) => {
      const kind = file.name.endsWith(".jsonl") ? "strategy" : "game";
      if (file.size > LARGEST[kind]) throw new Error(`${file.name} is larger than ${LARGEST[kind] / 1_000_000} MB; it is no ${kind} for the page.`);
      return {name: file.name.slice(-200), text: await file.text(), kind};
    }));
    const strategy = read.find((file) => file.kind === "strategy");
    if (strategy) await openStrategy(strategy.name, strategy.text);
    else location.hash = link({game: (await post("/api/files", {files: read.map(({name, text}) => ({name, text}))})).game});
  });
  byId("files").value = "";
}

// --- choosing -----------------------------------------------------------------------------------------

// Cards of the chosen kind whose title or game string has the letters that are typed before any parameters.
function filter() {
  const letters = byId("by-name").elements.game.value.split("(")[0].trim().toLowerCase(), kind = byId("kind").value;
  for (const section of document.querySelectorAll("#collection section:has(.cards)")) {
    const cards = [...section.querySelectorAll(".cards a")];
    for (const card of cards) {
      card.hidden = !card.textContent.toLowerCase().includes(letters) || Boolean(kind && kind !== card.dataset.kind);
    }
    section.hidden = cards.every((card) => card.hidden);
  }
}

export function listenToCollection() {
  byId("by-name").addEventListener("input", filter);
  byId("kind").addEventListener("change", filter);
  byId("files").addEventListener("change", (event) => open(event.target.files));
  byId("by-name").addEventListener("submit", (event) => {
    event.preventDefault();
    const game = new FormData(event.target).get("game").trim();
    if (game) location.hash = link({game});
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dragging");
  });
  document.addEventListener("dragleave", () => document.body.classList.remove("dragging"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    open(event.dataTransfer.files);
  });
}
