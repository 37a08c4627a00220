// The start page: games by picture, by name or as files, and kept strategies.

import {address, get, post} from "./api.js";
import {attempt, byId, capital, link, make, plies} from "./page.js";

export let families = [], titles = {};

function card(game) {
  const family = families.find((entry) => entry.name === game.split("(")[0]);
  const image = make("img", {src: address("/api/svg", {game}), alt: "", loading: "lazy"});
  return make("a", {href: link({game}), title: family ? family.summary : ""}, image, titles[game], make("small", {}, game));
}

export async function loadCollection() {
  const listed = await get("/api/games");
  ({families, titles} = listed);
  byId("puzzles").replaceChildren(...listed.puzzles.map(card));
  byId("games").replaceChildren(...listed.games.map(card));
}

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

async function open(files) {
  if (!files.length) return;
  await attempt(async () => {
    const read = await Promise.all([...files].slice(0, 2).map(async (file) => {
      if (file.size > 1000000) throw new Error(`${file.name} is larger than 1 MB; it is no game for the page.`);
      return {name: file.name.slice(0, 200), text: await file.text()};
    }));
    const kept = await post("/api/files", {files: read});
    location.hash = link({game: kept.game});
  });
  byId("files").value = "";
}

export function listenToCollection() {
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
