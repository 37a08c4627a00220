// Talking to the server: requests, and runs that take time.

class Failure extends Error {}

async function request(method, path, body) {
  const options = {method};
  if (body !== undefined) {
    options.headers = {"Content-Type": "application/json"};
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Failure("The server does not answer; is skolemate serve still running?");
  }
  if (!answer.ok) throw new Failure((await answer.json()).error);
  return answer;
}

const ask = async (method, path, body) => (await request(method, path, body)).json();

export const address = (path, query) => `${path}?${new URLSearchParams(query)}`;
export const get = (path, query = {}) => ask("GET", Object.keys(query).length ? address(path, query) : path);
export const getFile = async (path) => (await request("GET", path)).blob();
export const post = (path, body) => ask("POST", path, body);

const ENDED = ["done", "failed", "cancelled"];
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Seconds without a request after which the server may stop the runs of this page. Browsers let a
// page in the background send only one request a minute.
let hiddenSince = document.hidden ? Date.now() : null;
document.addEventListener("visibilitychange", () => {
  hiddenSince = document.hidden ? Date.now() : null;
});
const patience = () => (hiddenSince !== null && Date.now() - hiddenSince > 60_000 ? 150 : 15);

// A run on the server. `onProgress` is called with it from time to time; its `result` is the result
// so far, if any, also when it is cancelled.
export class Run {
  constructor(path, body, onProgress = () => {}) {
    this.cancelled = false;
    this.finished = this.follow(path, body, onProgress);
  }

  async follow(path, body, onProgress) {
    let run = await post(path, body);
    this.id = run.id;
    if (this.cancelled) run = await ask("DELETE", `/api/runs/${run.id}`);
    let wait = 60;
    while (!ENDED.includes(run.state)) {
      onProgress(run);
      await pause(wait);
      wait = Math.min(wait * 1.4, 500);
      run = await get(`/api/runs/${run.id}`, {patience: patience()});
    }
    if (run.state === "failed") throw new Failure(run.error);
    return run;
  }

  async cancel() {
    this.cancelled = true;
    if (this.id) await ask("DELETE", `/api/runs/${this.id}`);
  }
}
