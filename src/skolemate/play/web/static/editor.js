// The editor: a palette of stones, clearing the board, and pasting.

import {post} from "./api.js";
import {landing} from "./board.js";
import {openStrategy} from "./collection.js";
import {attempt, byId, link} from "./page.js";
import {onTouch, position, replaceGame, state} from "./table.js";

let touched = Promise.resolve();  // one click after the other, however quick they come

const chosen = () => document.querySelector("#palette [name=stone]:checked").value;

// Put the stone of the palette onto a cell; on one of its own kind, take that away.
async function change(cell) {
  const {black, white, columns} = position;
  const taken = (name) => black.includes(name) || white.includes(name);
  const name = taken(cell) ? cell : landing(position, cell);
  const column = columns.find((cells) => cells.includes(name)) || [];
  const carries = taken(column[column.indexOf(name) + 1]);  // a stone that would fall without this one
  const stone = black.includes(name) ? "black" : white.includes(name) ? "white" : "";
  let next = chosen() === stone ? "" : chosen();
  if (!next && carries) next = stone;
  if (next === stone) return;
  const without = (cells) => cells.filter((other) => other !== name);
  await edit({
    black: next === "black" ? [...without(black), name] : without(black),
    white: next === "white" ? [...without(white), name] : without(white),
  });
}

async function edit(stones) {
  await attempt(async () => replaceGame(await post("/api/edit", {game: state.base, first: byId("first").value, ...stones})));
}

// --- pasting ------------------------------------------------------------------------------------------

function openPaste() {
  byId("paste").showModal();
  byId("pasted").focus();
}

async function paste() {
  const text = byId("pasted").value, onBoard = !byId("table").hidden;
  if (!text.trim()) return;
  await attempt(async () => {
    if (/^\s*\{\s*"format"\s*:\s*"skolemate strategy"/.test(text)) await openStrategy("the pasted text", text);
    else {
      const described = await post("/api/paste", onBoard ? {text, game: state.base} : {text});
      location.hash = link({game: described.game});
    }
    byId("pasted").value = "";
  });
}

export function listenToEditor() {
  onTouch((name) => { touched = touched.then(() => change(name)); });
  byId("clear").addEventListener("click", () => edit({black: [], white: []}));
  byId("first").addEventListener("change", (event) => edit({black: position.black, white: position.white, first: event.target.value}));
  for (const button of document.querySelectorAll(".paste")) button.addEventListener("click", openPaste);
  byId("paste").addEventListener("close", () => byId("paste").returnValue === "open" && paste());
}
