// Asking: the question, progress while it is answered, and the answer.

import {address, get, getFile, Run} from "./api.js";
import {amount, attempt, byId, capital, make, opponent, plies, seconds} from "./page.js";
import {draw, follow, here, isFrom, playAs, position, remember, state} from "./table.js";

let run = null, started = 0, clock = null;
let answered = false;  // the answer is there, and the run goes on for its proof
let glance = null;  // a short question about a position that was reached
let latest = null;  // the result that the page shows
let shown = "";  // the same, as text
const form = byId("ask");
const GLANCE_SECONDS = 1;

export async function loadChoices() {
  const [encodings, solvers] = await Promise.all([get("/api/encodings"), get("/api/solvers")]);
  byId("encodings").append(...encodings.map((entry) => make("option", {value: entry.name}, entry.summary)));
  const installed = solvers.filter((program) => program.installed);
  const names = installed.filter((program) => !program.preprocesses).map((program) => program.name);
  const before = installed.filter((program) => program.preprocesses).map((program) => program.name);
  const pipelines = [...names, ...before.flatMap((first) => names.map((name) => `${first}+${name}`))];
  byId("pipelines").append(...pipelines.map((value) => make("option", {value})));
}

function asked() {
  return {
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
}

export async function solve() {
  if (run && !answered) return;
  drop();
  await attempt(async () => {
    begin();
    const mine = run = new Run("/api/solve", asked(), (report) => {
      if (run !== mine) return;  // somebody has gone to another game
      if (report.result) showResult(report.result);
      showProgress(report);
    });
    mine.base = state.base;
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

// Who has asked once sees the answers on the way, too, where they are cheap; not in a game against
// the computer, where they would give the moves away.
async function look() {
  stopLooking();
  const simple = form.kind.value === "auto" && form.engine.value === "auto" && !form.encoding.value && !form.pipeline.value;
  const wanted = latest && simple && state.side === "both" && (answered || !run);
  if (!wanted || position.over || state.results.has(position.game)) return;
  const mine = glance = new Run("/api/solve", {...asked(), timeout: GLANCE_SECONDS, strategy: false, verify: false});
  try {
    const {result} = await mine.finished;
    if (glance === mine && result && result.answer.verdict !== "UNKNOWN") showResult(result);
  } catch {
    // Nobody has asked.
  }
}

function stopLooking() {
  if (glance) glance.cancel().catch(() => {});
  glance = null;
}

export const cancel = () => run && run.cancel();

// The question is of no interest any more.
export function drop() {
  stopLooking();
  if (!run) return;
  run.cancel().catch(() => {});
  end();
}

function begin() {
  started = performance.now();
  answered = false;
  latest = null;
  byId("result").hidden = byId("share").hidden = true;
  byId("progress").hidden = false;
  byId("depths").replaceChildren();
  byId("worker").textContent = "waiting for its turn";
  byId("solve").disabled = true;
  byId("cancel").hidden = false;
  byId("cancel").textContent = "Cancel";
  clock = setInterval(() => { byId("elapsed").textContent = seconds((performance.now() - started) / 1000); }, 100);
}

function end() {
  run = null;
  answered = false;
  clearInterval(clock);
  byId("progress").hidden = true;
  byId("solve").disabled = false;
  byId("cancel").hidden = true;
}

const WORDS = {WIN: "a win", NO_WIN: "no win", UNKNOWN: "unknown"};

function showProgress(report) {
  if (report.result) {
    showProof(report);
    return;
  }
  const last = report.events.at(-1);
  if (!last) return;
  byId("worker").textContent = `${last.worker}, depth ${last.depth},`;
  byId("depths").replaceChildren(...report.events.filter((event) => event.verdict).map((event) => make(
    "li", {class: event.verdict}, `${event.depth}: ${WORDS[event.verdict]}, ${seconds(event.seconds)}`,
  )));
}

// The answer is shown, and one can play or ask something else. The rest is made behind it.
function showProof(report) {
  if (!answered) {
    answered = true;
    byId("depths").replaceChildren();
    byId("solve").disabled = false;
    byId("cancel").textContent = "Stop";
  }
  const proof = report.result.proof, nodes = report.events.at(-1).nodes || 0;
  if (!proof) {
    byId("worker").textContent = "The other winning moves,";
    return;
  }
  if (byId("share").hidden) started = performance.now();
  byId("share").hidden = false;
  byId("share").value = Math.max(nodes / proof.nodes, (performance.now() - started) / 1000 / proof.seconds);
  byId("worker").textContent = `A strategy as its proof, at most ${amount(proof.nodes, "node")} or ${proof.seconds} s: ${amount(nodes, "node")},`;
}

function showStopped() {
  shown = "";
  byId("result").hidden = false;
  byId("result").classList.remove("elsewhere");
  byId("elsewhere").hidden = true;
  byId("sentence").className = "unknown";
  byId("sentence").textContent = "Cancelled before anything was known.";
  for (const id of ["facts", "play-buttons", "downloads"]) byId(id).replaceChildren();
  byId("note").textContent = "";
}

function showResult(result) {
  const {answer, strategy} = result, before = state.results.get(answer.game);
  if (result.base !== state.base) return;  // the game was changed in the editor
  if (latest && JSON.stringify(before) === JSON.stringify(result)) return;  // it comes with every progress
  state.results.set(answer.game, result);
  latest = result;
  if (strategy) {
    state.strategy = strategy;
    remember();
  }
  if (position.game === answer.game && JSON.stringify(before && before.answer) !== JSON.stringify(answer)) draw();
  showVerdict();
  document.dispatchEvent(new Event("solved"));
}

// The verdict about this position, or else the latest one, in grey and with its position.
function showVerdict() {
  if (run && !latest) return;  // it is being asked
  latest = state.results.get(position.game) || latest;
  if (latest && latest.base !== state.base) latest = null;
  byId("result").hidden = !latest;
  if (!latest) return;
  const elsewhere = latest.answer.game !== position.game;
  byId("result").classList.toggle("elsewhere", elsewhere);
  byId("elsewhere").hidden = !elsewhere;
  byId("where").textContent = `About ${latest.where}:`;
  write(latest);
}

function write(result) {
  const json = JSON.stringify(result);
  if (json === shown) return;
  const answer = result.answer, sentence = byId("sentence");
  sentence.className = {WIN: "win", NO_WIN: "no", UNKNOWN: "unknown"}[answer.verdict];
  sentence.textContent = capital(result.sentence.replace(`${answer.game}: `, ""));
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
  showButtons(answer);
  showDownloads(result);
  shown = json;
}

// Play from the position that was asked about: along the strategy as soon as there is one.
function showButtons(answer) {
  const owner = {WIN: answer.player, NO_WIN: opponent(answer.player)}[answer.verdict];
  const offers = owner ? [[opponent(owner), "against it"], [owner, "yourself"]] : [["black", ""], ["white", ""]];
  const buttons = offers.map(([side, how], place) => make("button", {
    type: "button", class: place ? "" : "primary", onclick: () => playFrom(latest, side),
  }, `Play ${capital(side)} ${how}`));
  const place = byId("play-buttons"), words = (elements) => elements.map((element) => element.textContent).join();
  if (words([...place.children]) !== words(buttons)) place.replaceChildren(...buttons);
}

async function playFrom(result, side) {
  state.side = "both";  // so that the computer does not answer while we step back
  await follow(result.played);
  byId("title").scrollIntoView({block: "nearest"});  // on a phone the board is further up
  await playAs(side, result.strategy || state.strategy);
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
    // From here, if the strategy leads here: the page of a whole strategy may be too large.
    const moves = () => (isFrom(strategy) ? state.moves.slice(strategy.played.length, state.at).join(" ") : "");
    links.push(make("a", {href: `${kept}/page`, title: "From the position that is shown", onclick: (event) => {
      event.currentTarget.href = address(`${kept}/page`, {moves: moves()});
      save(event, "strategy.html");
    }}, "Strategy as a page"));
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

export function refreshAsk() {
  if (run && run.base !== state.base) drop();
  showVerdict();
  if (!latest && !run) {
    if (position.to_move) form.player.value = position.to_move;
    if (position.depth !== null) {
      form.kind.value = "fixed";
      form.depth.value = position.depth;
    }
  }
  form.depth.hidden = form.kind.value === "auto";
  look();
}

export function listenToAsk() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    solve();
  });
  form.kind.addEventListener("change", () => { form.depth.hidden = form.kind.value === "auto"; });
  byId("cancel").addEventListener("click", cancel);
  byId("there").addEventListener("click", () => follow(latest.played));
}
