// The moves that were tried, as a tree. The first branch of a node goes on with its main line.

import {byId, make} from "./page.js";

const NOWHERE = {branches: []};

export class Variations {
  constructor() {
    this.root = {branches: []};
  }

  // Add a line; a step is {move, short, player}.
  enter(line) {
    let node = this.root;
    for (const {move, short, player} of line) {
      let next = node.branches.find((branch) => branch.move === move);
      if (!next) {
        next = {move, short, player, branches: []};
        node.branches.push(next);
      }
      node = next;
    }
  }

  // These moves, and after them the main line.
  through(moves) {
    let node = moves.reduce((from, move) => from.branches.find((branch) => branch.move === move) || NOWHERE, this.root);
    const line = [...moves];
    while (node.branches.length) {
      node = node.branches[0];
      line.push(node.move);
    }
    return line;
  }

  // Forget the last of these moves with all that follows it.
  remove(moves) {
    const parent = moves.slice(0, -1).reduce((from, move) => from.branches.find((branch) => branch.move === move), this.root);
    parent.branches = parent.branches.filter((branch) => branch.move !== moves.at(-1));
  }

  // All lines from the start to an end.
  lines(node = this.root, path = []) {
    if (!node.branches.length) return path.length ? [path] : [];
    return node.branches.flatMap((branch) => this.lines(branch, [...path, branch.move]));
  }

  // Show the tree; `go` is called with the moves to a position.
  show(current, at, go) {
    const place = byId("moves");
    place.replaceChildren(...this.items(this.root, [], current, at, go));
    const here = place.querySelector("[aria-current]");
    if (here) here.parentElement.scrollIntoView({block: "nearest"});
  }

  // The main line from a node on, each move followed by the variations that begin in its place.
  items(node, path, current, at, go) {
    const found = [];
    for (let from = node; from.branches.length; [from] = from.branches) {
      const [main, ...others] = from.branches, here = path;
      found.push(this.item(main, [...here, main.move], current, at, go));
      for (const other of others) {
        const line = [this.item(other, [...here, other.move], current, at, go),
          ...this.items(other, [...here, other.move], current, at, go)];
        found.push(make("li", {class: "variation"}, make("ol", {"aria-label": `Instead of ${main.short}`}, ...line)));
      }
      path = [...path, main.move];
    }
    return found;
  }

  item(step, path, current, at, go) {
    const on = path.every((move, place) => current[place] === move);
    const classes = ["chip", step.player, on ? "on" : "", on && path.length > at ? "later" : ""];
    return make("li", {}, make("button", {
      type: "button",
      class: classes.filter(Boolean).join(" "),
      "aria-current": on && path.length === at ? "step" : null,
      onclick: () => go(path),
    }, step.short));
  }
}
