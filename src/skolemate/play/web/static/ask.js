// Asking: the question, progress while it is answered, and the answer.

import {address, get, getFile, Run} from "./api.js";
import {amount, attempt, byId, capital, make, opponent, plies, seconds} from "./page.js";
import {draw, follow, here, isFrom, keepValue, playAs, position, remember, state} from "./table.js";

let run = null, started = 0, clock = null;
let answered = false;  // the answer is there, and the run goes on for its proof
let latest = null;  // the result that the page shows
let shown = "";  // the same, as text
const form = byId("ask");
const VALUE_SECONDS = 60;  // for "Who wins?" and for its proofs

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
    player: form.question.value,
    depth: form.kind.value === "auto" ? "auto" : Number(form.depth.value),
    engine: form.engine.value,
    encoding: form.encoding.value.trim() || null,
    pipeline: form.pipeline.value.trim() || null,
    timeout: Number(form.timeout.value),
    strategy: form.strategy.checked,
    verify: form.verify.checked,
  };
}

// "Who wins?" is about both players, and asked by the quickest way; the other questions are about one.
const aboutBoth = () => form.question.value === "";

export async function solve() {
  if (run && !answered) return;
  drop();
  await attempt(async () => {
    begin();
    const [path, body] = aboutBoth() ? ["/api/value", {...here(), timeout: VALUE_SECONDS, strategy: true}] : ["/api/solve", asked()];
    const mine = run = new Run(path, body, (report) => {
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

export const cancel = () => run && run.cancel();

// The question is of no interest any more.
export function drop() {
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
  byId("worker").textContent = `${last.worker}, ${last.player ? `${capital(last.player)}, ` : ""}depth ${last.depth},`;
  byId("depths").replaceChildren(...report.events.filter((event) => event.verdict).map((event) => make(
    "li", {class: event.verdict}, `${event.player ? `${capital(event.player)} ` : ""}${event.depth}: ${WORDS[event.verdict]}, ${seconds(event.seconds)}`,
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
  const {answer, strategies} = result, before = state.results.get(answer.game);
  if (result.base !== state.base) return;  // the game was changed in the editor
  if (latest && JSON.stringify(before) === JSON.stringify(result)) return;  // it comes with every progress
  state.results.set(answer.game, result);
  latest = result;
  if (result.value) keepValue(result);
  if (strategies.length) {
    Object.assign(state, {strategy: strategies[0], strategies});
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
  for (const {owner, nodes} of result.strategies) {
    facts.push([`${capital(owner)}'s strategy`, `${amount(nodes, "node")}, checked by the rules alone`]);
  }
  byId("facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  byId("note").textContent = result.note || "";
  showButtons(result);
  showDownloads(result);
  shown = json;
}

// Play from the position that was asked about: along the strategy as soon as there is one.
function showButtons({answer, value}) {
  const drawn = value && value.outcome === "draw";
  const owner = drawn ? null : {WIN: answer.player, NO_WIN: opponent(answer.player)}[answer.verdict];
  const offers = owner ? [[opponent(owner), "against it"], [owner, "yourself"]] : [["black", ""], ["white", ""]];
  const buttons = offers.map(([side, how], place) => make("button", {
    type: "button", class: place ? "" : "primary", onclick: () => playFrom(latest, side),
  }, `Play ${capital(side)} ${how}`.trim()));
  const place = byId("play-buttons"), words = (elements) => elements.map((element) => element.textContent).join();
  if (words([...place.children]) !== words(buttons)) place.replaceChildren(...buttons);
}

async function playFrom(result, side) {
  state.side = "both";  // so that the computer does not answer while we step back
  await follow(result.played);
  byId("title").scrollIntoView({block: "nearest"});  // on a phone the board is further up
  await playAs(side);
}

function showDownloads(result) {
  const {answer, strategies} = result, links = [];
  const link = (words, href, title) => links.push(make("a", {href, title, download: true}, words));
  const made = (words, href, name, title) => links.push(make("a", {href, title, onclick: (event) => save(event, name)}, words));
  if (result.sizes) {
    const asked = {game: answer.game, depth: answer.depth, player: answer.player, encoding: result.sizes.encoding};
    made("Formula, QDIMACS", address("/api/encode", {...asked, format: "qdimacs"}), "formula.qdimacs");
    made("Formula, QCIR", address("/api/encode", {...asked, format: "qcir"}), "formula.qcir");
  }
  for (const strategy of strategies) {
    const kept = `/api/strategies/${strategy.id}`, whose = strategies.length > 1 ? `${capital(strategy.owner)}'s strategy` : "Strategy";
    link(`${whose}, the proof`, `${kept}/file`);
    // From here, if the strategy leads here: the page of a whole strategy may be too large.
    const moves = () => (isFrom(strategy) ? state.moves.slice(strategy.played.length, state.at).join(" ") : "");
    links.push(make("a", {href: `${kept}/page`, title: "From the position that is shown", onclick: (event) => {
      event.currentTarget.href = address(`${kept}/page`, {moves: moves()});
      save(event, "strategy.html");
    }}, `${whose} as a page`));
    if (strategy.certifies && strategy === strategies[0]) {
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

function showQuestion() {
  byId("how").hidden = aboutBoth();
  form.depth.hidden = form.kind.value === "auto";
}

export function refreshAsk() {
  if (run && run.base !== state.base) drop();
  showVerdict();
  if (!latest && !run && position.depth !== null) {  // a file that asks something itself
    form.question.value = position.to_move || "black";
    form.kind.value = "fixed";
    form.depth.value = position.depth;
  }
  showQuestion();
}

export function listenToAsk() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    solve();
  });
  for (const field of [form.kind, form.question]) field.addEventListener("change", showQuestion);
  byId("cancel").addEventListener("click", cancel);
  byId("there").addEventListener("click", () => follow(latest.played));
}
