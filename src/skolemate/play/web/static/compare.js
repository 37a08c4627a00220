// The encodings side by side: sizes and times as bars.

import {Run} from "./api.js";
import {attempt, byId, make, seconds} from "./page.js";
import {here, position, state} from "./table.js";

const form = byId("compare");
let run = null, compared = null;

const COLUMNS = [
  ["variables", "variables", String],
  ["clauses", "clauses", String],
  ["blocks", "blocks", String],
  ["seconds", "time", seconds],
];

function show(rows) {
  const most = Object.fromEntries(COLUMNS.map(([key]) => [key, Math.max(...rows.map((row) => row[key]), 1e-9)]));
  const head = make("tr", {}, make("th", {scope: "col"}, "encoding"),
    ...COLUMNS.map(([, words]) => make("th", {scope: "col"}, words)));
  const lines = rows.map((row) => make("tr", {}, make("th", {scope: "row"}, row.encoding), ...COLUMNS.map(([key, , words]) => {
    const bar = make("i");
    bar.style.width = `${Math.max(2, 100 * row[key] / most[key])}%`;
    const open = key === "seconds" && row.verdict === "UNKNOWN";
    const reason = open ? ` ${(row.reason || "").replace("_", "-")}` : "";
    return make("td", {}, make("span", {class: open ? "amount open" : "amount"}, bar, make("b", {}, words(row[key]) + reason)));
  })));
  byId("bars").replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines)));
}

function end() {
  run = null;
  byId("cancel-compare").hidden = true;
}

// The comparison is of no interest any more.
export function dropComparison() {
  if (!run) return;
  run.cancel().catch(() => {});
  end();
  byId("bars").replaceChildren();
}

export function listenToCompare() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (run) return;
    attempt(async () => {
      const player = byId("ask").player.value;
      const asked = {...here(), player, depth: Number(form.depth.value), timeout: Number(form.timeout.value)};
      compared = position.game;
      byId("cancel-compare").hidden = false;
      byId("bars").replaceChildren(make("span", {class: "spinner"}), " working …");
      const mine = run = new Run("/api/compare", asked, (report) => run === mine && report.result && show(report.result.rows));
      try {
        const ended = await mine.finished;
        if (run !== mine) return;  // somebody has gone to another game
        if (ended.result && ended.result.rows.length) show(ended.result.rows);
        else byId("bars").replaceChildren("Cancelled.");
      } catch (error) {
        if (run === mine) byId("bars").replaceChildren();
        throw error;
      } finally {
        if (run === mine) end();
      }
    });
  });
  byId("cancel-compare").addEventListener("click", () => run && run.cancel());
}

// The depth that was just asked about is the one to compare at.
export function refreshCompare() {
  const result = state.results.get(position.game);
  if (result && result.answer.depth > 0) form.depth.value = result.answer.depth;
  if (compared !== position.game && !run) byId("bars").replaceChildren();
}
