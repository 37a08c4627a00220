// The game that is shown: its parameters, and its files.

import {address} from "./api.js";
import {families} from "./collection.js";
import {byId, link, make} from "./page.js";
import {announce, here, position, state} from "./table.js";

// A game's own parameters, as in name(key=value, value); what was set up in it is left out.
function taken(base, family) {
  const inside = /^\w+\((.*)\)$/.exec(base), values = {};
  let place = 0;
  for (const part of inside ? inside[1].split(",") : []) {
    const [key, value] = part.includes("=") ? part.split("=") : [family.parameters[place].name, part];
    values[key.trim()] = value.trim();
    place += 1;
  }
  return values;
}

function field(parameter, value) {
  const {name, kind, choices} = parameter;
  if (kind === "true or false") return make("label", {}, make("input", {type: "checkbox", name, checked: value === "true"}), ` ${name}`);
  if (choices.length) {
    const listed = choices.includes(value) || value === undefined ? choices : [value, ...choices];
    const options = listed.map((choice) => make("option", {value: choice, selected: choice === value}, choice));
    return make("label", {}, `${name} `, make("select", {name}, ...options));
  }
  if (kind === "drawn board") return make("label", {}, `${name} `, make("input", {type: "text", name, required: true, value}));
  return make("label", {}, `${name} `, make("input", {type: "number", name, min: 1, max: 25, required: true, value}));
}

// The parameters that have a value here: not those that were left out, nor those that others stand for.
function valued(family, values) {
  const replaced = Object.keys(family.instead).filter((name) => name in values).flatMap((name) => family.instead[name]);
  return family.parameters.filter(({name, default: usual, required}) =>
    !replaced.includes(name) && (required || usual !== null || name in values));
}

export function refreshGame() {
  const family = families.find((entry) => entry.name === state.base.split("(")[0]);
  byId("about").textContent = family ? family.summary : position.title;
  const form = byId("parameters");
  form.replaceChildren();
  if (family && family.parameters.length) {
    const values = taken(state.base, family);
    form.append(...valued(family, values).map((parameter) => field(parameter,
      values[parameter.name] ?? (parameter.default === null ? undefined : String(parameter.default)))));
    form.append(make("button", {}, "Set"));
  }
  const files = [["Picture, SVG", address("/api/svg", here())]];
  for (const format of position.formats) {
    files.push([`Game, .${format}`, address("/api/convert", {...here(), format})]);
  }
  byId("files-of").replaceChildren(...files.map(([words, href]) => make("a", {href, download: words.startsWith("Picture") ? "picture.svg" : true}, words)));
}

export function listenToGame() {
  byId("parameters").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = state.base.split("(")[0], family = families.find((entry) => entry.name === name);
    const shown = family.parameters.filter(({name}) => event.target.elements[name]);
    const set = shown.map((parameter) => {
      const input = event.target.elements[parameter.name];
      return `${parameter.name}=${input.type === "checkbox" ? input.checked : input.value}`;
    });
    const address = link({game: `${name}(${set.join(", ")})`});
    if (address === location.hash) return;
    const left = state.moves.length || /(black|white|first)=/.test(state.base);
    if (left) announce("Stones and moves were left behind; your browser's Back leads to them.");
    location.hash = address;
  });
}
