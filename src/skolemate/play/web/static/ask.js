// Asking: the question, progress while it is answered, and the answer.

import {address, get, getFile, Run} from "./api.js";
import {amount, attempt, byId, capital, make, opponent, plies, seconds} from "./page.js";
import {draw, follow, here, isFrom, playAs, position, remember, state} from "./table.js";

let run = null, started = 0, clock = null;
let shown = "";  // the result that the page shows, as text
const form = byId("ask");

export async function loadChoices() {
  const [encodings, solvers] = await Promise.all([get("/api/encodings"), get("/api/solvers")]);
  byId("encodings").append(...encodings.map((entry) => make("option", {value: entry.name}, entry.summary)));
  const installed = solvers.filter((program) => program.installed);
  const names = installed.filter((program) => !program.preprocesses).map((program) => program.name);
  const before = installed.filter((program) => program.preprocesses).map((program) => program.name);
  const pipelines = [...names, ...before.flatMap((first) => names.map((name) => `${first}+${name}`))];
  byId("pipelines").append(...pipelines.map((value) => make("option", {value})));
}

export async function solve() {
  if (run) return;
  await attempt(async () => {
    const asked = {
      ...here(),
      player: form.player.value,
      depth: form.kind.value === "auto" ? "auto" : Number(form.depth.value),
      engine: form.engine.value,
      encoding: form.encoding.value.trim() || null,
      pipeline: form.pipeline.value.trim() || null,
      timeout: Number(form.timeout.value),
      strategy: form.strategy.checked,
      verify: form.verify.checked,
    };
    begin();
    const mine = run = new Run("/api/solve", asked, (report) => {
      if (run !== mine) return;  // somebody has gone to another game
      showProgress(report);
      if (report.result) showResult(report.result);
    });
    try {
      const ended = await mine.finished;
      if (run !== mine) return;
      if (ended.result) showResult(ended.result);
      else showStopped();
    } finally {
      if (run === mine) end();
    }
  });
}

export const cancel = () => run && run.cancel();

// The question is of no interest any more.
export function drop() {
  if (!run) return;
  run.cancel().catch(() => {});
  end();
}

function begin() {
  started = performance.now();
  shown = "";
  byId("result").hidden = true;
  byId("progress").hidden = false;
  byId("depths").replaceChildren();
  byId("worker").textContent = "waiting for its turn";
  byId("solve").disabled = true;
  byId("cancel").hidden = false;
  clock = setInterval(() => { byId("elapsed").textContent = seconds((performance.now() - started) / 1000); }, 100);
}

function end() {
  run = null;
  clearInterval(clock);
  byId("progress").hidden = true;
  byId("solve").disabled = false;
  byId("cancel").hidden = true;
}

const WORDS = {WIN: "a win", NO_WIN: "no win", UNKNOWN: "unknown"};

function showProgress(report) {
  const last = report.events.at(-1);
  if (!last) return;
  if (last.nodes) {
    byId("worker").textContent = `${WORDS[last.verdict]} in ${plies(last.depth)}; strategy: ${amount(last.nodes, "node")},`;
  } else {
    byId("worker").textContent = `${last.worker}, depth ${last.depth},`;
  }
  const decided = report.events.filter((event) => event.verdict && !event.nodes);
  byId("depths").replaceChildren(...decided.map((event) => make(
    "li", {class: event.verdict}, `${event.depth}: ${WORDS[event.verdict]}, ${seconds(event.seconds)}`,
  )));
}

function showStopped() {
  state.result = null;
  byId("result").hidden = false;
  byId("sentence").className = "unknown";
  byId("sentence").textContent = "Cancelled before anything was known.";
  for (const id of ["facts", "play-buttons", "downloads"]) byId(id).replaceChildren();
  byId("note").textContent = "";
}

function showResult(result) {
  const json = JSON.stringify(result);
  if (json === shown) return;  // the same result comes with every progress; keep the one in use
  shown = json;
  const answer = result.answer, box = byId("result");
  const fresh = JSON.stringify(state.result && state.result.answer) !== JSON.stringify(answer);
  state.result = result;
  box.hidden = !isFrom(result);  // somebody may have moved on
  const sentence = byId("sentence");
  sentence.className = {WIN: "win", NO_WIN: "no", UNKNOWN: "unknown"}[answer.verdict];
  sentence.textContent = result.sentence.replace(`${answer.game}: `, "").replace(/^./, (c) => c.toUpperCase());
  const facts = [];
  if (answer.critical_depth !== null) facts.push(["Shortest win", plies(answer.critical_depth)]);
  if (result.moves.length) {
    const names = result.moves.map((move) => move.short).join(", ");
    facts.push([result.moves_title, names]);
  }
  const formula = answer.pipeline ? `${answer.pipeline} on ${answer.encoding}` : `${answer.encoding} alone`;
  const worker = answer.encoding ? formula : answer.method;
  facts.push(["Answered by", `${worker}, ${seconds(answer.wall_seconds)}`]);
  if (result.sizes) {
    const {encoding, blocks, variables, clauses} = result.sizes;
    const counted = [amount(variables, "variable"), amount(clauses, "clause"), amount(blocks, "block")];
    facts.push(["As a formula", `${encoding}: ${counted.join(", ")}`]);
  }
  if (result.strategy) facts.push(["Strategy", `${amount(result.strategy.nodes, "node")}, checked by the rules alone`]);
  byId("facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  byId("note").textContent = result.note || "";
  if (result.strategy) {
    state.strategy = result.strategy;
    remember();
  }
  showButtons(result);
  showDownloads(result);
  if (fresh && position.game === answer.game) draw();
  document.dispatchEvent(new Event("solved"));
}

function showButtons(result) {
  const buttons = [];
  const offer = (words, side, strategy, primary) => buttons.push(make("button", {
    type: "button",
    class: primary ? "primary" : "",
    onclick: async () => {
      state.side = "both";  // so that the computer does not answer while we step back
      if (strategy) await follow(strategy.played);
      await playAs(side, strategy);
    },
  }, words));
  if (result.strategy) {
    const owner = result.strategy.owner;
    offer(`Play ${capital(opponent(owner))} against it`, opponent(owner), result.strategy, true);
    offer(`Play ${capital(owner)} yourself`, owner, result.strategy, false);
  }
  byId("play-buttons").replaceChildren(...buttons);
}

function showDownloads(result) {
  const {answer, strategy} = result, links = [];
  const link = (words, href, title) => links.push(make("a", {href, title, download: true}, words));
  const made = (words, href, name, title) => links.push(make("a", {href, title, onclick: (event) => save(event, name)}, words));
  if (result.sizes) {
    const asked = {game: answer.game, depth: answer.depth, player: answer.player, encoding: result.sizes.encoding};
    made("Formula, QDIMACS", address("/api/encode", {...asked, format: "qdimacs"}), "formula.qdimacs");
    made("Formula, QCIR", address("/api/encode", {...asked, format: "qcir"}), "formula.qcir");
  }
  if (strategy) {
    const kept = `/api/strategies/${strategy.id}`;
    link("Strategy, the proof", `${kept}/file`);
    link("Strategy as a page", `${kept}/page`);
    if (strategy.certifies) {
      const href = address(`${kept}/certificate`, {encoding: strategy.certifies, format: "aig"});
      const about = `The strategy as functions that prove the formula of ${strategy.certifies} in ${plies(strategy.depth)}, checked by a SAT solver`;
      made("Certificate, AIGER", href, "certificate.aig", about);
    }
  }
  byId("downloads").replaceChildren(...links);
}

// Save a file that takes time to make; errors are shown, which a plain link could not do.
async function save(event, name) {
  event.preventDefault();
  const link = event.currentTarget;
  if (link.ariaBusy) return;
  link.ariaBusy = "true";
  await attempt(async () => {
    const file = URL.createObjectURL(await getFile(link.href));
    make("a", {href: file, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(file), 60000);
  });
  link.ariaBusy = null;
}

// A result is shown only at its own position.
export function refreshAsk() {
  const here = state.result && isFrom(state.result);
  if (!run || !here) byId("result").hidden = !here;
  if (position.to_move && !state.result) form.player.value = position.to_move;
  if (position.depth !== null && !state.result) {
    form.kind.value = "fixed";
    form.depth.value = position.depth;
  }
  form.depth.hidden = form.kind.value === "auto";
}

export function listenToAsk() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    solve();
  });
  form.kind.addEventListener("change", () => { form.depth.hidden = form.kind.value === "auto"; });
  byId("cancel").addEventListener("click", cancel);
}
