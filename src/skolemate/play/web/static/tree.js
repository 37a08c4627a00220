// The strategy's replies as a tree beside the board; a click on a move goes to its position.

import {get} from "./api.js";
import {byId, capital, make, plies} from "./page.js";
import {follow, isFrom, position, state} from "./table.js";

let round = 0;

export async function refreshTree() {
  const turn = ++round, strategy = state.strategy;
  byId("tree-box").hidden = !strategy;
  if (!strategy) return;
  const now = state.moves.slice(0, state.at), start = strategy.played;
  const within = isFrom(strategy);
  let path = within ? now : start, branch = null, words = "";
  const ask = (moves) => get(`/api/strategies/${strategy.id}/tree`, {moves: moves.slice(start.length).join(" "), width: 14,
    // Down to the strategy's answers to the opponent's next moves.
    plies: (moves.length - start.length) % 2 === (strategy.first === strategy.owner ? 0 : 1) ? 3 : 2,
  });
  try {
    branch = await ask(path);
  } catch {
    words = "The strategy never leads to this position. From its start:";
    path = start;
    branch = await ask(path);
  }
  if (turn !== round) return;
  if (!within) words = "The strategy is about another position:";
  const root = make("ul", {}, ...rows(branch, path));
  byId("tree").replaceChildren(make("p", {class: "ends"}, words || heading(branch, strategy)), root);
}

function heading(branch, strategy) {
  if (branch.note) return `${branch.note}.`;
  const whose = position.to_move === strategy.owner ? "Its move here" : "Its answers here";
  return `${capital(strategy.owner)}'s strategy, ${branch.left === null ? "for ever" : `${plies(branch.left)} left`}. ${whose}:`;
}

// One line for each branch, with the moves after it as long as there is only one each.
function rows(branch, path) {
  const found = branch.branches.map((above) => {
    const line = make("li");
    let end = above, moves = [...path, above.move];
    line.append(button(above, moves));
    while (end.branches.length === 1 && !end.hidden) {
      end = end.branches[0];
      moves = [...moves, end.move];
      line.append(" → ", button(end, moves));
    }
    if (end.note) line.append(make("span", {class: "ends"}, end.note));
    else if (!end.branches.length && end.hidden) line.append(make("span", {class: "ends"}, "…"));
    const below = rows(end, moves);
    if (below.length) line.append(make("ul", {}, ...below));
    return line;
  });
  if (branch.branches.length && branch.hidden) found.push(make("li", {class: "ends"}, `… ${branch.hidden} more`));
  return found;
}

const button = (branch, moves) => make("button", {
  type: "button", class: `chip ${branch.mover}`, onclick: () => follow(moves),
}, branch.short);
