// The encodings side by side: sizes and times as bars.

import {Run} from "./api.js";
import {attempt, byId, make, seconds} from "./page.js";
import {here, position, state} from "./table.js";

const form = byId("compare");
let run = null, compared = null;

const COLUMNS = [
  ["variables", "variables", "of the formula", String],
  ["clauses", "clauses", "of the formula", String],
  ["blocks", "blocks", "of quantifiers: how often ∃ and ∀ alternate, and one", String],
  ["seconds", "time", "on the clock, for the whole pipeline; a hatched bar was stopped or proves nothing", seconds],
];
const WHY = {time: "out of time", memory: "out of memory", one_sided: "no proof: one-sided", cancelled: "cancelled"};

function told({verdict, reason}) {
  if (verdict !== "UNKNOWN") return {WIN: "a win", NO_WIN: "no win"}[verdict];
  return WHY[reason] || `not known: ${(reason || "").replaceAll("_", " ")}`;
}

function show(rows) {
  const most = Object.fromEntries(COLUMNS.map(([key]) => [key, Math.max(...rows.map((row) => row[key]), 1e-9)]));
  const heading = (words, title) => make("th", {scope: "col", title}, words);
  const head = make("tr", {}, heading("encoding"), heading("verdict"), ...COLUMNS.map(([, words, title]) => heading(words, title)));
  const lines = rows.map((row) => {
    const open = row.verdict === "UNKNOWN";
    const bars = COLUMNS.map(([key, , , words]) => {
      const bar = make("i");
      bar.style.width = `${Math.max(2, 100 * row[key] / most[key])}%`;
      const title = key === "seconds" ? row.versions : null;
      return make("td", {title}, make("span", {class: open && key === "seconds" ? "amount open" : "amount"}, bar, make("b", {}, words(row[key]))));
    });
    const name = make("th", {scope: "row", title: row.summary}, row.encoding, row.one_sided ? make("sup", {}, "1") : "");
    return make("tr", {}, name, make("td", {class: `verdict ${row.verdict}`}, told(row)), ...bars);
  });
  byId("bars").replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines)));
}

function showProgress(report) {
  const last = report.events.at(-1);
  if (report.result) show(report.result.rows);
  if (!last) return;
  byId("compared").max = last.all;
  byId("compared").value = last.done;
  byId("comparing").textContent = `${last.worker}, ${last.done + 1} of ${last.all}`;
}

function end() {
  run = null;
  byId("cancel-compare").hidden = byId("comparison").hidden = true;
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
      const player = byId("ask").question.value || position.to_move || "black";
      const asked = {...here(), player, depth: Number(form.depth.value), timeout: Number(form.timeout.value)};
      compared = position.game;
      byId("cancel-compare").hidden = byId("comparison").hidden = false;
      byId("bars").replaceChildren();
      byId("comparing").textContent = "waiting for its turn";
      const mine = run = new Run("/api/compare", asked, (report) => run === mine && showProgress(report));
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
