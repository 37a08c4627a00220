// What every move leads to, found in the background while one plays.

import {Run} from "./api.js";
import {byId} from "./page.js";

const SECONDS = 5;  // for a position that somebody only looks at
let run = null;

// The choice is kept twice: values help to study a game, and spoil one against the computer.
const key = (side) => (side === "both" ? "values" : "values in a game");

export const valuesWanted = (side) => (localStorage.getItem(key(side)) || (side === "both" ? "on" : "off")) === "on";

export function chooseValues(side, chosen) {
  localStorage.setItem(key(side), chosen ? "on" : "off");
}

export function stopValues() {
  if (run) run.cancel().catch(() => {});
  run = null;
}

// Look for the values of a position; `keep` is called with each result, the last one complete.
export async function findValues(place, keep) {
  stopValues();
  byId("worth").textContent = "Looking for the values …";
  const mine = run = new Run("/api/value", {...place, timeout: SECONDS}, (report) => run === mine && report.result && keep(report.result));
  try {
    const {result} = await mine.finished;
    if (run === mine && result) keep(result);
  } catch (error) {
    if (run === mine) byId("worth").textContent = `No values: ${error.message}`;  // nobody has asked
  } finally {
    if (run === mine) run = null;
  }
}
